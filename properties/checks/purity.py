"""PROJ-3, PROJ-7, MODE-8 and MODE-9: what a prompt depends on, and what never panics."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from contextcert.properties.case import Case
from contextcert.properties.checks.check import DEBUG_ONLY, Acquittal, Check, Finding
from contextcert.properties.checks.looking import Looks
from contextcert.properties.checks.relation import Counts, exercised
from contextcert.properties.equality import first_difference, identical
from contextcert.properties.history_facts import HistoryFacts
from contextcert.properties.ledger import Ledger
from contextcert.properties.observation import History
from contextcert.properties.view import Outcome, Prompt
from contextcert.properties.violations import Violation
from contextcert.refmodel.json_value import Json, JsonObject
from contextcert.refmodel.modes import Mode

_PROJECTING: Final = frozenset({"for_prompt", "for_prompt_annotated", "hold"})


def depends_on_items_alone(looks: Looks, counts: Counts) -> Iterator[Finding]:
    """Judge PROJ-3: equal items and modalities give equal prompts, whatever else differs."""
    case = looks.case
    for mode, outcomes in case.outcomes.items():
        ledger = case.ledgers[mode]
        if ledger is None:
            continue
        first: dict[tuple[object, ...], list[Outcome]] = {}
        for outcome in outcomes:
            items = tuple(id(item) for item in outcome.facts.items)
            key = (items, outcome.projection.modalities)
            earlier = first.setdefault(key, [])
            for one in earlier[:1]:
                yield from _compared(ledger, one, outcome, counts)
            earlier.append(outcome)


def _compared(ledger: Ledger, one: Outcome, other: Outcome, counts: Counts) -> Iterator[Violation]:
    if not other.facts.items or not _differ(ledger, one, other):
        return
    exercised(counts, "PROJ-3", other.mode)
    message = "the prompt depends on more than items and modalities"
    if one.prompt is None or other.prompt is None:
        if one.panic != other.panic:
            yield other.violation("PROJ-3", message, "/panic", one.panic, other.panic)
        return
    prompts = [list(one.prompt.items), list(other.prompt.items)]
    if not identical(*prompts):
        path, expected, actual = first_difference(prompts[0], prompts[1], "/ok")
        yield other.violation("PROJ-3", message, path, expected, actual)


def _differ(ledger: Ledger, one: Outcome, other: Outcome) -> bool:
    """Say whether anything but items and modalities differs between two projections."""
    before = ledger.states.get(one.projection.operation)
    after = ledger.states.get(other.projection.operation)
    if before is None or after is None:
        return False
    return before is not after or [entry.metadata for entry in one.entries] != [
        entry.metadata for entry in other.entries
    ]


def late_outputs(case: Case, counts: Counts) -> Iterator[Finding]:
    """Judge PROJ-7: a recorded output takes the place of the synthetic one."""
    for mode, outcomes in case.outcomes.items():
        prompts = [one.prompt for one in outcomes if one.prompt is not None]
        if len({id(prompt.facts) for prompt in prompts}) > 1:
            yield from _late(mode, prompts, counts)


def _late(mode: Mode, prompts: list[Prompt], counts: Counts) -> Iterator[Finding]:
    waiting: dict[int, JsonObject] = {}
    for prompt in prompts:
        for place, entry in enumerate(prompt.entries):
            if place in prompt.facts.unanswered:
                waiting[id(entry)] = prompt.facts.unanswered[place]
            elif id(entry) in waiting and entry.item.output_type is not None:
                exercised(counts, "PROJ-7", mode)
                yield from _still_synthetic(prompt, place, waiting[id(entry)])


def _still_synthetic(prompt: Prompt, place: int, synthetic: JsonObject) -> Iterator[Finding]:
    call = prompt.facts.items[place]
    outputs = prompt.facts.outputs[str(call.output_type), str(call.call_id)]
    for position in prompt.aligned.gained.get(place, ()):
        yield prompt.violation(
            "PROJ-7",
            "a call whose output came late still has a synthetic one",
            prompt.path(position),
            None,
            prompt.items[position],
        )
    for output in outputs:
        if not prompt.present(output):
            yield prompt.violation(
                "PROJ-7", "a late output is not shown", "/ok", prompt.forms[output], None
            )
        elif output in prompt.aligned.altered:
            yield from _replaced(prompt, output, synthetic)


def _replaced(prompt: Prompt, output: int, synthetic: JsonObject) -> Iterator[Finding]:
    """Tell a late output that is shown as the synthetic one from one that is written wrongly."""
    position = prompt.aligned.target[output]
    given = prompt.items[position]
    if not identical(given, prompt.sight.item_object(synthetic)):
        return
    yield prompt.violation(
        "PROJ-7",
        "a synthetic output stands in the place of one that came late",
        prompt.path(position),
        prompt.forms[output],
        given,
    )
    yield Acquittal("ITEM-1", prompt.mode, prompt.operation)


def changes_never_panic(case: Case, counts: Counts) -> Iterator[Finding]:
    """Judge MODE-9 on every change, and count those of broken histories."""
    for mode, answers in case.answers.items():
        useless = set(_unusable(case, mode))
        for step in case.surveys[mode].steps.values():
            if step.operation >= len(answers) or step.operation in useless:
                continue
            answer = answers[step.operation]
            if "panic" in answer:
                panic: Json = answer["panic"]
                message = f"{step.kind} panicked"
                yield Violation("MODE-9", mode, message, step.operation, "/panic", None, panic)
            elif "ok" in answer and _is_broken(step.before.known_facts, step.after.known_facts):
                exercised(counts, "MODE-9", mode)


def usable_after_panic(case: Case, _counts: Counts) -> Iterator[Finding]:
    """Judge MODE-8 on whatever else panics once a projection of the same history did."""
    for mode, answers in case.answers.items():
        for operation in _unusable(case, mode):
            panic: Json = answers[operation]["panic"]
            message = "a history could not be used after a projection panicked"
            yield Violation("MODE-8", mode, message, operation, "/panic", None, panic)


def _unusable(case: Case, mode: Mode) -> Iterator[int]:
    """Give what panicked without projecting, after a projection of the same history panicked."""
    answers = case.answers[mode]
    panics = [operation for operation, one in enumerate(answers) if "panic" in one]
    if mode is Mode.RELEASE or len(panics) < 2:  # noqa: PLR2004 - the second follows the first
        return
    handles = [case.script[operation].get("on", 0) for operation in panics]
    projecting = [case.script[operation].get("op") in _PROJECTING for operation in panics]
    for place, operation in enumerate(panics):
        earlier = zip(handles[:place], projecting[:place], strict=True)
        if not projecting[place] and (handles[place], True) in earlier:
            yield operation


def _is_broken(*facts: HistoryFacts | None) -> bool:
    return any(one is not None and one.has_anomaly for one in facts)


def same_after_panic(case: Case, counts: Counts) -> Iterator[Finding]:
    """Judge MODE-8 on what a debug build that goes on shows after a panic."""
    first: dict[tuple[int, History], Json] = {}
    for operation, handle, history in sorted(_projected_in_debug(case), key=lambda one: one[0]):
        answers = case.answers[Mode.DEBUG]
        if operation >= len(answers) or "panic" not in answers[operation]:
            continue
        panic = answers[operation]["panic"]
        known = (handle, history) in first
        earlier = first.setdefault((handle, history), panic)
        if not known:
            continue
        exercised(counts, "MODE-8", Mode.DEBUG)
        if earlier != panic:
            message = "projecting again gave another panic"
            yield Violation("MODE-8", Mode.DEBUG, message, operation, "/panic", earlier, panic)


def _projected_in_debug(case: Case) -> Iterator[tuple[int, int, History]]:
    """Give every projection, those that are only kept for later among them."""
    for outcome in case.outcomes.get(Mode.DEBUG, ()):
        made = outcome.projection
        yield made.operation, made.handle, made.history
    ledger = case.ledgers.get(Mode.DEBUG)
    for held in ledger.held_prompts if ledger is not None else ():
        if held.operation not in case.silent[Mode.DEBUG]:
            yield held.operation, held.handle, held.history


PURITY: Final[Mapping[str, Check]] = {
    "PROJ-1": Check("PROJ-1"),
    "PROJ-3": Check("PROJ-3"),
    "PROJ-7": Check("PROJ-7"),
    "MODE-8": Check("MODE-8", modes=DEBUG_ONLY),
    "MODE-9": Check("MODE-9"),
}
"""The checks, by clause."""
