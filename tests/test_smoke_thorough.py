"""The conformance test of adapters: each step fails for its own defect, and for no other."""

# ruff: noqa: ANN401 (defects are made to JSON values of any kind)

from __future__ import annotations

import copy
import json
import sys
import time
import unicodedata
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import pytest
from attrs import evolve, frozen

from contextcert.adapters.in_process import InProcessSession
from contextcert.adapters.model import ModelSubject
from contextcert.adapters.specs import command_spec, model_spec
from contextcert.cli.main import run as run_command
from contextcert.refmodel import Claim, Edition, Mode
from contextcert.smoke import Culprit, SmokeReport, Step, Verdict, thorough
from contextcert.smoke import sizes as sizes_module
from contextcert.smoke.encoding import ENCODING
from contextcert.smoke.lines import line_steps
from contextcert.smoke.probe import attempt
from contextcert.smoke.scripts import SCRIPTS
from contextcert.smoke.sizes import LARGE, STRINGS, large_history
from contextcert.subject import Answer, Description, Fault, FaultKind, Opening, Script, Session

PROBES: Final = (*ENCODING, *SCRIPTS, *STRINGS)
LINE_ADAPTER: Final = Path(__file__).parent / "hostile" / "line_adapter.py"

Ops = list[dict[str, Any]]
Change = Callable[[Ops], Ops]


@frozen
class Broken:
    """A defect: what it makes of the operations, of the outcomes, and of the declaration."""

    ops: Change = list
    outcomes: Callable[[Ops, Ops], Ops] = lambda _ops, outcomes: outcomes
    declared: dict[str, bool] | None = None
    mode: Mode = Mode.DEBUG
    goes_on: bool | None = None


class BrokenSubject(ModelSubject):
    """The model behind a defect."""

    def __init__(self, broken: Broken) -> None:
        """Take the defect."""
        super().__init__(broken.mode)
        self._broken = broken

    def outcomes(self, ops: Any, *, continue_after_panic: bool) -> Any:
        """Give what comes out behind it."""
        goes_on = self._broken.goes_on
        asked = continue_after_panic if goes_on is None else goes_on
        changed = self._broken.ops(copy.deepcopy(list(ops)))
        honest = super().outcomes(changed, continue_after_panic=asked)
        return self._broken.outcomes(list(ops), list(honest))


def broken_session(broken: Broken) -> InProcessSession:
    """Open the model behind a defect."""
    subject = BrokenSubject(broken)
    description = subject.description()
    capabilities = evolve(description.capabilities, **(broken.declared or {}))
    return InProcessSession(
        subject, evolve(description, capabilities=capabilities), copies=True, validating=True
    )


def each_value(change: Callable[[Any], Any]) -> Change:
    """Change every value within what is opaque: token info and its like."""

    def walked(value: Any) -> Any:
        if isinstance(value, dict):
            return change({key: walked(one) for key, one in value.items()})
        if isinstance(value, list):
            return change([walked(one) for one in value])
        return change(value)

    def changed(ops: Ops) -> Ops:
        return [
            op | {name: walked(op[name]) for name in ("value", "state") if name in op} for op in ops
        ]

    return changed


def each_item(change: Callable[[dict[str, Any]], dict[str, Any]]) -> Change:
    """Change every item on its way in."""

    def changed(ops: Ops) -> Ops:
        return [
            op | {"items": [change(item) for item in op["items"]]} if "items" in op else op
            for op in ops
        ]

    return changed


def each_envelope(change: Callable[[dict[str, Any]], dict[str, Any]]) -> Change:
    """Change every envelope on its way in."""

    def changed(ops: Ops) -> Ops:
        return [
            op | {"envelopes": [change(one) for one in op["envelopes"]]}
            if "envelopes" in op
            else op
            for op in ops
        ]

    return changed


def each_op(change: Callable[[dict[str, Any]], dict[str, Any]]) -> Change:
    """Change every operation."""
    return lambda ops: [change(op) for op in ops]


def each_outcome(change: Callable[[dict[str, Any]], dict[str, Any]]) -> Any:
    """Change every outcome."""
    return lambda _ops, outcomes: [change(outcome) for outcome in outcomes]


def without_proto(value: Any) -> Any:
    """Assign every key as JavaScript does."""
    if not isinstance(value, dict):
        return value
    return {key: one for key, one in value.items() if key != "__proto__"}


def trimmed(item: dict[str, Any]) -> dict[str, Any]:
    """Trim the texts of a message."""
    if item["type"] != "message" or not isinstance(item.get("content"), list):
        return item
    trim = {"text": str.strip}
    content = [
        {key: trim.get(key, lambda same: same)(one) for key, one in entry.items()}
        if isinstance(entry, dict)
        else entry
        for entry in item["content"]
    ]
    return item | {"content": content}


def composed(item: dict[str, Any]) -> dict[str, Any]:
    """Normalise every text of an item."""
    text = unicodedata.normalize("NFC", json.dumps(item, ensure_ascii=False))
    return dict(json.loads(text))


def in_any_case(item: dict[str, Any]) -> dict[str, Any]:
    """Match keys as Go's decoder does."""
    return {key.casefold(): value for key, value in item.items()}


def type_first(item: dict[str, Any]) -> dict[str, Any]:
    """Refuse an item that does not begin with its type."""
    return item if next(iter(item)) == "type" else {"type": "message"}


def cut(value: Any) -> Any:
    """Keep 64 KiB of a text."""
    return value[: 64 * 1024] if isinstance(value, str) else value


def shared_after_clone(ops: Ops) -> Ops:
    """Let a clone be another name for its original."""
    names: dict[int, int] = {}
    changed = []
    for op in ops:
        on = names.get(op.get("on", 0), op.get("on", 0))
        if op["op"] == "clone":
            names[op["to"]] = on
        changed.append(op | {"on": on})
    return changed


def half_read(ops: Ops) -> Ops:
    """Record the first of two items before the second is read."""
    return [
        one
        for op in ops
        for one in (
            [op | {"items": op["items"][:1]}, op] if len(op.get("items", ())) == 2 else [op]
        )
    ]


def half_read_outcomes(ops: Ops, outcomes: Ops) -> Ops:
    """Hide that there were more operations."""
    places = [
        told for op in ops for told in ([False, True] if len(op.get("items", ())) == 2 else [True])
    ]
    return [outcome for outcome, kept in zip(outcomes, places, strict=False) if kept]


def token_info_stays() -> Callable[[Ops, Ops], Ops]:
    """Keep token info in a global."""
    kept: list[Any] = [None]

    def outcomes(ops: Ops, honest: Ops) -> Ops:
        kept.extend(op["value"] for op in ops if op["op"] == "set_token_info")
        return [
            {"ok": kept[-1]} if op["op"] == "token_info" and outcome == {"ok": None} else outcome
            for op, outcome in zip(ops, honest, strict=False)
        ]

    return outcomes


EMPTY = 'Null, "", [] and {} stay four values'
BODIES = 'An output\'s body keeps "", [] and [""] apart'
IDS = 'An item\'s id keeps absent and "" apart, and reads null as absent'
CALL_IDS = 'A call id keeps absent and "" apart, and writes null where it is absent'
METADATA = "Metadata keeps null, {} and what is in it apart"
SMALL_NUMBERS = "Integers up to 2^53 - 1 and fractions survive"
LARGE_NUMBERS = "Integers beyond 2^53 survive"
ONES = "1, 1.0 and true are three values"
TEXT_VALUES = "Text of any characters survives in values"
TEXT_ITEMS = "Text of any characters survives in items"
KEYS = "Keys of any characters survive"
LETTER_CASE = "The fields of an item match in their own letter case alone"
ORDER = "The fields of an item may come in any order"
FRESH = "Each run starts from nothing, in every field of every handle"
HANDLES = "Handles are histories of their own"
CLONE = "A clone goes its own way"
TYPES = "An item of every claimed type is recorded and projected"
UNREADABLE = "An unreadable item of any kind is refused, and its operation has no effect"
COUNTS = "A bad count is an error, and the script goes on"
MODALITY = "An unknown modality is an error, and the script goes on"
PANIC = "A panic ends the script"
AFTER_PANIC = "After a panic a script goes on where it is asked to"
DIAGNOSTICS = "Diagnostics are given as declared"
SUCCESS = "A success flag comes back as it was given"
LONG = "A string of 1 MB survives"

OPAQUE_READS = ("token_info", "reference_context_item", "world_state_baseline")

ADAPTER, IMPLEMENTATION = Culprit.ADAPTER, Culprit.IMPLEMENTATION

DEFECTS: Final[dict[str, tuple[Broken, dict[str, Culprit]]]] = {
    "empty lists are null": (
        Broken(each_value(lambda value: None if value == [] else value)),
        {EMPTY: ADAPTER},
    ),
    "null fields are left out": (
        Broken(
            each_value(
                lambda value: (
                    {key: one for key, one in value.items() if one is not None}
                    if isinstance(value, dict)
                    else value
                )
            )
        ),
        {EMPTY: ADAPTER},
    ),
    "an empty body is a list": (
        Broken(each_item(lambda item: item | {"output": []} if item.get("output") == "" else item)),
        {BODIES: IMPLEMENTATION},
    ),
    "an empty id is none": (
        Broken(each_item(lambda item: item | {"id": item.get("id") or None})),
        # A wrong kind of id is then no longer seen either, but 7 is not empty.
        {IDS: IMPLEMENTATION},
    ),
    "an empty call id is null": (
        Broken(
            each_item(lambda item: item | {"call_id": None} if item.get("call_id") == "" else item)
        ),
        {CALL_IDS: IMPLEMENTATION},
    ),
    "empty metadata is none": (
        Broken(each_envelope(lambda one: one | {"metadata": one["metadata"] or None})),
        {METADATA: ADAPTER},
    ),
    "numbers have 32 bits": (
        Broken(
            each_value(lambda value: value % 2**32 if type(value) is int and value > 1 else value),
            declared={"exact_numbers": False},
        ),
        {SMALL_NUMBERS: ADAPTER},
    ),
    "numbers have 64 bits": (
        Broken(
            each_value(
                lambda value: float(value) if type(value) is int and value >= 2**64 else value
            )
        ),
        {LARGE_NUMBERS: ADAPTER},
    ),
    "1.0 is 1": (
        Broken(
            each_value(
                lambda value: (
                    int(value)
                    if type(value) is float and value.is_integer() and value < 2**70
                    else value
                )
            )
        ),
        {ONES: ADAPTER},
    ),
    "true is 1": (
        Broken(each_value(lambda value: 1 if value is True else value)),
        {ONES: ADAPTER},
    ),
    "text is normalised": (
        Broken(
            each_value(
                lambda value: (
                    unicodedata.normalize("NFC", value) if isinstance(value, str) else value
                )
            )
        ),
        {TEXT_VALUES: ADAPTER},
    ),
    "text in objects is normalised": (
        Broken(
            each_value(
                lambda value: (
                    {
                        key: unicodedata.normalize("NFC", one) if isinstance(one, str) else one
                        for key, one in value.items()
                    }
                    if isinstance(value, dict)
                    else value
                )
            )
        ),
        {TEXT_VALUES: ADAPTER},
    ),
    "lines end in LF": (
        Broken(
            each_value(
                lambda value: value.replace("\r\n", "\n") if isinstance(value, str) else value
            )
        ),
        {TEXT_VALUES: ADAPTER},
    ),
    "text of items is trimmed": (Broken(each_item(trimmed)), {TEXT_ITEMS: IMPLEMENTATION}),
    "__proto__ is assigned": (Broken(each_value(without_proto)), {KEYS: ADAPTER}),
    "keys match in any case": (Broken(each_item(in_any_case)), {LETTER_CASE: IMPLEMENTATION}),
    "the type comes first": (Broken(each_item(type_first)), {ORDER: IMPLEMENTATION}),
    "token info outlives the run": (Broken(outcomes=token_info_stays()), {FRESH: ADAPTER}),
    "there is one handle": (
        Broken(each_op(lambda op: op | {"on": 0})),
        {HANDLES: ADAPTER, CLONE: IMPLEMENTATION},
    ),
    "a clone is another name": (Broken(shared_after_clone), {CLONE: IMPLEMENTATION}),
    "an author is lost": (
        Broken(each_item(lambda item: item | {"author": ""} if "author" in item else item)),
        {TYPES: IMPLEMENTATION},
    ),
    "items are read one by one": (
        Broken(half_read, half_read_outcomes),
        {UNREADABLE: IMPLEMENTATION},
    ),
    "counts are clamped": (
        Broken(each_op(lambda op: op | {"num_turns": 0} if "num_turns" in op else op)),
        {COUNTS: ADAPTER},
    ),
    "unknown modalities are passed over": (
        Broken(
            each_op(
                lambda op: (
                    op | {"input_modalities": []}
                    if "smell" in op.get("input_modalities", ())
                    else op
                )
            )
        ),
        {MODALITY: ADAPTER},
    ),
    "a panic is no end": (Broken(goes_on=True), {PANIC: ADAPTER}),
    "a panic is always the end": (Broken(goes_on=False), {AFTER_PANIC: ADAPTER}),
    "a panic changes the history": (
        Broken(
            outcomes=lambda _ops, outcomes: [
                {"ok": []} if place and "panic" in outcomes[place - 1] else outcome
                for place, outcome in enumerate(outcomes)
            ]
        ),
        {AFTER_PANIC: IMPLEMENTATION},
    ),
    "diagnostics are declared and not given": (
        Broken(
            outcomes=each_outcome(lambda one: {"ok": one["ok"]} if "ok" in one else one),
            mode=Mode.RELEASE,
        ),
        {DIAGNOSTICS: ADAPTER},
    ),
    "diagnostics are given and not declared": (
        Broken(declared={"diagnostics": False}, mode=Mode.RELEASE),
        {DIAGNOSTICS: ADAPTER},
    ),
    "diagnostics are an empty list": (
        Broken(
            outcomes=each_outcome(lambda one: {"diagnostics": []} | one if "ok" in one else one),
            mode=Mode.RELEASE,
        ),
        {DIAGNOSTICS: ADAPTER},
    ),
    "success is always there": (
        Broken(each_envelope(lambda one: {"success": True} | one)),
        {SUCCESS: ADAPTER},
    ),
    "texts end at 64 KiB": (Broken(each_value(cut)), {LONG: ADAPTER}),
}


def failures(steps: list[Step]) -> dict[str, Culprit | None]:
    """Give what failed, with who is to blame."""
    return {step.title: step.culprit for step in steps if step.verdict is Verdict.FAILED}


@pytest.mark.parametrize("name", DEFECTS)
def test_a_defect_fails_its_own_step(name: str) -> None:
    """The step that is about it fails, no other does, and the remedy is in words."""
    broken, expected = DEFECTS[name]
    session = broken_session(broken)
    steps = [attempt(session, probe, Edition.AUGUST_2026) for probe in PROBES]
    assert failures(steps) == expected
    failed = [step for step in steps if step.verdict is Verdict.FAILED]
    assert all(step.message and step.remedy for step in failed)
    assert all(step.message.isprintable() for step in failed)


def test_every_step_of_a_script_is_seen_failing() -> None:
    """No step is there that nothing could fail."""
    seen = {title for _, expected in DEFECTS.values() for title in expected}
    assert {probe.title for probe in PROBES} == seen


LINES: Final = {
    "needs_lf": "A request may end in CR LF",
    "knows_all_members": "A request may have members that are not known",
    "looks_at_text": "A request may be spelled with escapes and white space",
    "keeps_ids_in_31_bits": "An answer carries the id of its request, whatever the number",
    "knows_all_methods": "An unknown method is an error of JSON-RPC, and the adapter goes on",
    "no_code": "An unknown method is an error of JSON-RPC, and the adapter goes on",
    "stays_after_shutdown": "Shutdown is answered by null and ends the process",
    "stays_after_the_end": "The end of its input ends the process",
    "says_goodbye": "Nothing but answers is written to stdout",
    "talks": "Nothing but answers is written to stdout",
}


def lines_of(fault: str) -> list[Step]:
    """Try every step of the transport on an adapter whose loop has this fault."""
    command = (sys.executable, "-S", "-E", str(LINE_ADAPTER), fault)
    spec = evolve(command_spec({Mode.DEBUG: command}, name=fault), time_out_factor=0.4)
    session = spec.open(Mode.DEBUG)
    session.close()
    return list(line_steps(spec, session.description, Edition.AUGUST_2026))


@pytest.mark.parametrize("fault", LINES)
def test_a_loop_that_is_wrong_fails_its_own_step(fault: str) -> None:
    """The step that is about it fails, no other does, and the adapter is to blame."""
    assert failures(lines_of(fault)) == {LINES[fault]: Culprit.ADAPTER}


def test_a_loop_that_is_right_passes_every_step_of_the_transport() -> None:
    """Nothing fails and nothing is skipped, and every step is seen failing elsewhere."""
    steps = lines_of("none")
    assert {step.verdict for step in steps} == {Verdict.PASSED}
    assert {step.title for step in steps} == set(LINES.values())


class Echo:
    """A session that gives back what is recorded, after a time, or less of it."""

    def __init__(self, *, delay: float = 0.0, lost: int = 0, fault: Fault | None = None) -> None:
        """Choose what happens to a large history."""
        self.description: Description = ModelSubject(Mode.RELEASE).description()
        self._delay, self._lost, self._fault = delay, lost, fault

    def run(self, ops: Script, *, continue_after_panic: bool = False) -> Answer:
        """Answer a record and a prompt."""
        del continue_after_panic
        items = ops[0]["items"]
        assert isinstance(items, list)
        if len(items) < LARGE:
            return Answer([{"ok": None}, {"ok": items}])
        if self._fault is not None:
            return Answer(None, self._fault)
        time.sleep(self._delay)
        return Answer([{"ok": None}, {"ok": items[self._lost :]}])

    def run_batch(self, scripts: Any) -> list[Answer]:
        """Run many."""
        return [self.run(script) for script in scripts]

    def close(self) -> None:
        """Do nothing."""


@pytest.mark.parametrize(
    ("session", "culprit", "words"),
    [
        (Echo(delay=0.5), IMPLEMENTATION, "100,000 took"),
        (Echo(lost=1), IMPLEMENTATION, "99,999 items"),
        (Echo(fault=Fault(FaultKind.HANG, "It hangs.")), IMPLEMENTATION, "It hangs."),
        (Echo(fault=Fault(FaultKind.CRASH, "It dies.")), ADAPTER, "It dies."),
    ],
)
def test_a_large_history_that_fails_says_how(
    session: Echo, culprit: Culprit, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Too slow, too few, no answer: a time that explodes is the implementation's."""
    monkeypatch.setattr(sizes_module, "_PROMPT_ENOUGH", 0.4)
    monkeypatch.setattr(sizes_module, "_TOLERATED_GROWTH", 0.0)
    step = large_history(session)
    assert step.verdict is Verdict.FAILED
    assert step.culprit is culprit
    assert words in step.message
    assert step.remedy


def test_a_large_history_in_time_passes() -> None:
    """And a claim without messages and pairs has none."""
    assert large_history(Echo()).verdict is Verdict.PASSED
    small = Echo()
    claim = Claim(frozenset({"wire"}), frozenset({"reasoning"}), frozenset())
    small.description = evolve(small.description, claim=claim)
    assert large_history(small).verdict is Verdict.SKIPPED


@pytest.fixture
def small_histories(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep to histories that take no time."""
    monkeypatch.setattr(sizes_module, "LARGE", 1000)
    monkeypatch.setattr(sizes_module, "SMALL", 100)


@pytest.mark.usefixtures("small_histories")
@pytest.mark.parametrize("mode", Mode)
@pytest.mark.parametrize("edition", Edition)
def test_the_model_passes_all_that_an_object_can_be_asked(mode: Mode, edition: Edition) -> None:
    """Nothing fails; what is skipped says why."""
    report = thorough(model_spec(), mode, edition=edition)
    assert report.passed
    skipped = [step for step in report.steps if step.verdict is Verdict.SKIPPED]
    assert all(step.message for step in skipped)


def test_a_program_is_asked_everything() -> None:
    """The served model passes each step in at least one mode."""
    passed = set()
    for mode in Mode:
        command = (sys.executable, "-m", "contextcert", "serve", "--mode", mode.value)
        report = thorough(command_spec({mode: command}, name="served"), mode)
        assert report.passed
        passed |= {step.title for step in report.steps if step.verdict is Verdict.PASSED}
    assert {probe.title for probe in PROBES} | set(LINES.values()) <= passed


@frozen
class BrokenWay:
    """Opens the model behind a defect."""

    broken: Broken

    def open(self, opening: Opening) -> Session:
        """Open it."""
        session = broken_session(self.broken)
        session.description = opening.described(session.description)
        return session


def broken_report(name: str) -> SmokeReport:
    """Ask everything of a defect."""
    broken, _ = DEFECTS[name]
    return thorough(evolve(model_spec(), ways={broken.mode: BrokenWay(broken)}), broken.mode)


@pytest.mark.usefixtures("small_histories")
def test_all_that_failed_is_told() -> None:
    """The steps do not build on one another, so one failure does not hide the next."""
    report = broken_report("there is one handle")
    assert {step.title for step in report.failures} == {HANDLES, CLONE}


def lossy_transport(ops: Ops) -> Ops:
    """Lose what is empty, wherever it is."""

    def walked(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: walked(one) for key, one in value.items() if one != ""}
        return [walked(one) for one in value] if isinstance(value, list) else value

    return [walked(op) for op in ops]


@pytest.mark.usefixtures("small_histories")
def test_an_implementation_is_not_blamed_for_what_a_transport_lost() -> None:
    """Where opaque values are lost, what else fails waits for that to be repaired."""
    way = BrokenWay(Broken(lossy_transport))
    report = thorough(evolve(model_spec(), ways={Mode.DEBUG: way}), Mode.DEBUG)
    told = {step.title: step for step in report.failures}
    assert {EMPTY, BODIES} <= told.keys()
    assert told[EMPTY].culprit is ADAPTER
    assert Culprit.IMPLEMENTATION not in {step.culprit for step in report.failures}
    assert told[BODIES].culprit is None
    assert EMPTY in told[BODIES].remedy


@pytest.mark.usefixtures("small_histories")
@pytest.mark.parametrize(("opaque", "culprit"), [(True, IMPLEMENTATION), (False, ADAPTER)])
def test_text_is_lost_by_the_adapter_unless_other_text_survives(
    opaque: bool,  # noqa: FBT001  a parameter of the test
    culprit: Culprit,
) -> None:
    """An adapter without a single opaque value has shown nothing of its transport."""

    def outcomes(ops: Ops, honest: Ops) -> Ops:
        return [
            outcome
            if opaque or ({"value", "state"}.isdisjoint(op) and op["op"] not in OPAQUE_READS)
            else {"unsupported": "not written"}
            for op, outcome in zip(ops, honest, strict=False)
        ]

    way = BrokenWay(Broken(each_item(composed), outcomes))
    report = thorough(evolve(model_spec(), ways={Mode.DEBUG: way}), Mode.DEBUG)
    told = {step.title: step.culprit for step in report.failures}
    assert told == {TEXT_ITEMS: culprit}


@pytest.mark.usefixtures("small_histories")
def test_an_adapter_that_fails_the_plain_smoke_is_asked_no_more() -> None:
    """What comes after would fail for the same reason."""
    broken = Broken(outcomes=each_outcome(lambda _one: {"ok": []}))
    report = thorough(evolve(model_spec(), ways={Mode.DEBUG: BrokenWay(broken)}), Mode.DEBUG)
    assert len(report.failures) == 1
    assert report.steps[-1].verdict is Verdict.FAILED


@pytest.mark.usefixtures("small_histories")
def test_a_claim_of_messages_alone_is_asked_about_messages() -> None:
    """Items that are not claimed are never sent."""
    claim = Claim(frozenset({"projection"}), frozenset({"message"}), frozenset({"text"}))
    report = thorough(evolve(model_spec(), claim=claim), Mode.RELEASE)
    assert report.passed
    told = {step.title: step.message for step in report.steps}
    assert "claimed" in told[BODIES]
    assert told[TYPES] == ""


@pytest.mark.usefixtures("small_histories")
def test_the_command_exits_by_the_culprit(capsys: pytest.CaptureFixture[str]) -> None:
    """2 is the adapter's, and every failure comes with its title and its remedy."""
    command = f"{sys.executable} -S -E {LINE_ADAPTER} says_goodbye"
    assert run_command(["smoke", "--thorough", "--debug", command]) == 2
    told = capsys.readouterr().out
    assert "the adapter" in told
    assert "Send whatever the implementation prints" in " ".join(told.split())
