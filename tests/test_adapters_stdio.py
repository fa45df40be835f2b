"""How adapters that misbehave are answered for: the kind of fault, its sentence, nothing left."""

import contextlib
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from attrs import evolve

from contextcert.adapters.specs import command_spec, model_spec
from contextcert.adapters.stdio import StdioSession
from contextcert.refmodel.json_value import JsonObject
from contextcert.refmodel.modes import Edition, Mode
from contextcert.subject import Answer, FaultKind, SubjectError, SubjectSpec

HOSTILE = Path(__file__).parent / "hostile" / "adapter.py"
GOOD: list[JsonObject] = [{"op": "remove_first_item"}]
BAD: list[JsonObject] = [{"op": "bad"}]


def spec(
    behaviour: str, folder: Path, *, factor: float = 0.06, mode: Mode = Mode.DEBUG
) -> SubjectSpec:
    """Describe a hostile adapter with time-outs of 0.6 s to start and 0.3 s to run."""
    command = (sys.executable, "-S", "-E", str(HOSTILE), behaviour, str(folder))
    plain = command_spec({mode: command}, name=behaviour)
    return SubjectSpec(plain.name, plain.ways, time_out_factor=factor)


@contextlib.contextmanager
def opened(
    behaviour: str, folder: Path, *, factor: float = 0.06, mode: Mode = Mode.DEBUG
) -> Iterator[StdioSession]:
    """Open a hostile adapter, and see that nothing of it is left afterwards."""
    session = spec(behaviour, folder, factor=factor, mode=mode).open(mode)
    assert isinstance(session, StdioSession)
    groups = _groups(session)
    try:
        yield session
        groups |= _groups(session)
    finally:
        session.close()
    deadline = time.monotonic() + 2
    while any(map(lives, groups)) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert not any(map(lives, groups))


def _groups(session: StdioSession) -> set[int]:
    connections = (session._connection, session._spare)
    return {connection.group for connection in connections if connection is not None}


def lives(group: int) -> bool:
    """Say whether a group has a process that is no mere remainder waiting to be collected."""
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    command = ["ps", "-A", "-o", "pgid=,stat="]
    table = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    states = [line.split()[1] for line in table.splitlines() if int(line.split()[0]) == group]
    return any(not state.startswith("Z") for state in states)


def fault(answer: Answer, kind: FaultKind, *words: str) -> None:
    """Expect a repeated fault of this kind whose sentence says these words."""
    assert answer.fault is not None
    assert answer.fault.kind is kind
    assert answer.outcomes is None
    assert answer.fault.repeated
    assert answer.fault.message.startswith("The adapter")
    for word in words:
        assert word in answer.fault.message


@pytest.mark.parametrize(
    ("behaviour", "kind", "words"),
    [
        ("dies", FaultKind.CRASH, ("ended by SIGSEGV",)),
        ("exits", FaultKind.CRASH, ("exited with code 0", "until stdin ends")),
        ("hangs", FaultKind.HANG, ("within 0.3 s", "flush", "contextcert.toml")),
        ("ignores_termination", FaultKind.HANG, ("within 0.3 s",)),
        ("late", FaultKind.HANG, ("within 0.3 s",)),
        ("floods", FaultKind.FLOOD, ("64 MiB",)),
        ("long_line", FaultKind.FLOOD, ("64 MiB",)),
        ("garbage", FaultKind.GARBAGE, ("Traceback", "\\x1b", "log to stderr")),
        ("garbage_and_answer", FaultKind.GARBAGE, ("projecting", "log to stderr")),
        ("no_object", FaultKind.GARBAGE, ("no object",)),
        ("invalid_utf8", FaultKind.GARBAGE, ("UTF-8",)),
        ("half_line", FaultKind.HALF_LINE, ("did not end it", "newline")),
        ("half_line_then_dies", FaultKind.CRASH, ("SIGSEGV", "having written")),
        ("wrong_id", FaultKind.WRONG_ID, ("another id", "copy the id")),
        ("text_id", FaultKind.WRONG_ID, ("as the number it is",)),
        ("closes_stdout", FaultKind.CLOSED, ("closed its stdout",)),
        ("grandchildren", FaultKind.CRASH, ("exited with code 3",)),
        ("refuses", FaultKind.REFUSED, ("-32603", "\\x1b[31m today")),
        ("no_outcomes", FaultKind.MALFORMED, ("/result/outcomes",)),
        ("too_few", FaultKind.MALFORMED, ("0 outcomes for 1 operations and no panic",)),
        ("too_many", FaultKind.MALFORMED, ("9 outcomes for 1 operations",)),
        ("bad_outcome", FaultKind.MALFORMED, ("/result/outcomes/0", "one of ok")),
    ],
)
def test_a_fault_that_repeats_is_named_and_the_adapter_goes_on(
    behaviour: str, kind: FaultKind, words: tuple[str, ...], tmp_path: Path
) -> None:
    """The script is tried twice, the culprit named, and the next script is answered."""
    begun = time.monotonic()
    with opened(behaviour, tmp_path, factor=0.3 if kind is FaultKind.FLOOD else 0.06) as session:
        assert session.run(GOOD).fault is None
        fault(session.run(BAD), kind, *words)
        after = session.run(GOOD)
        assert after.fault is None
        assert after.outcomes == [{"ok": None}]
    assert time.monotonic() - begun < 4


def test_a_crash_that_does_not_repeat_is_nondeterminism(tmp_path: Path) -> None:
    """The outcomes of the second try are given together with a fault that did not repeat."""
    with opened("dies_once", tmp_path) as session:
        answer = session.run(BAD)
    assert answer.outcomes == [{"ok": None}]
    assert answer.fault is not None
    assert not answer.fault.repeated
    assert "not deterministic" in answer.fault.message


def test_the_last_words_of_a_crash_are_kept(tmp_path: Path) -> None:
    """What the adapter logged before it died stands in the fault."""
    with opened("dies", tmp_path) as session:
        fault(answer := session.run(BAD), FaultKind.CRASH)
    assert answer.fault is not None
    assert "about to die" in answer.fault.stderr


def test_an_adapter_that_starts_only_once_is_a_fault_of_the_script(tmp_path: Path) -> None:
    """When no new process comes up, the answer says both what broke and that."""
    with pytest.raises(SubjectError), opened("starts_once", tmp_path):
        spec("starts_once", tmp_path).open(Mode.DEBUG)


def test_a_death_for_good_is_told_again_for_every_script(tmp_path: Path) -> None:
    """After an adapter cannot be started any more, every script gets a fault at once."""
    (tmp_path / "dead").mkdir()
    session = spec("starts_once", tmp_path / "dead").open(Mode.DEBUG)
    try:
        first, second = session.run(GOOD), session.run(GOOD)
    finally:
        session.close()
    assert first.fault.kind is FaultKind.CRASH
    assert "no new process could be used" in first.fault.message
    assert "exited with code 4" in second.fault.message


@pytest.mark.parametrize("behaviour", ["twice_at_once", "twice_later"])
def test_answering_twice_is_a_wrong_id(behaviour: str, tmp_path: Path) -> None:
    """A second answer to one request is found at the latest by the next request."""
    with opened(behaviour, tmp_path, factor=0.3) as session:
        answers = []
        for _ in range(2):
            answers.append(session.run(GOOD))
            time.sleep(0.05)
        fault(next(answer for answer in answers if answer.fault), FaultKind.WRONG_ID, "one")


def test_a_late_second_answer_is_blamed_on_its_own_script(tmp_path: Path) -> None:
    """The script that meets it is not the one to look at."""
    two = [*GOOD, *GOOD]
    with opened("twice_of_two_later", tmp_path, factor=0.3) as session:
        assert session.run(two).fault is None
        time.sleep(0.2)
        met = session.run(GOOD)
        assert met.fault is not None
        assert met.fault.kind is FaultKind.WRONG_ID
        assert met.fault.script == two
        assert session.run(GOOD).fault is None


def test_what_stands_before_a_malformed_outcome_is_kept(tmp_path: Path) -> None:
    """One bad outcome does not make all others unseen."""
    with opened("bad_later", tmp_path) as session:
        answer = session.run([*GOOD, *BAD])
    assert answer.outcomes is None
    assert answer.fault is not None
    assert answer.fault.before == [{"ok": None}]


@pytest.mark.parametrize("behaviour", ["unsupported", "logs_much", "half_then_rest"])
def test_what_is_slow_or_modest_is_no_fault(behaviour: str, tmp_path: Path) -> None:
    """An unknown operation, a flood on stderr and an answer in two pieces are all answers."""
    with opened(behaviour, tmp_path) as session:
        answer = session.run(BAD)
    assert answer.fault is None
    assert len(answer.outcomes) == 1


def test_a_value_of_the_wrong_type_is_malformed(tmp_path: Path) -> None:
    """An operation that gives null may give nothing else."""
    with opened("bad_value", tmp_path) as session:
        fault(session.run([*BAD, {"op": "clone", "to": 1}]), FaultKind.MALFORMED, "/outcomes/1/ok")


def test_going_on_after_a_panic_unasked_is_malformed(tmp_path: Path) -> None:
    """A panic ends a script, unless the script was to go on."""
    with opened("goes_on_unasked", tmp_path) as session:
        assert session.run(BAD).outcomes == [{"panic": "no"}]
        fault(session.run(BAD * 2), FaultKind.MALFORMED, "after a panic unasked")


@pytest.mark.parametrize("length", [1, 2, 5])
def test_a_death_in_debug_is_a_panic_where_panics_end_the_process(
    length: int, tmp_path: Path
) -> None:
    """Its message is found on stderr, the outcomes before it by running the script's beginning."""
    script = [*GOOD * (length - 1), {"op": "bad", "items": [{"call_id": "a\nb"}]}]
    with opened("panics_end_process", tmp_path) as session:
        answer = session.run(script)
    assert answer.fault is None
    assert answer.outcomes[-1] == {"panic": "Orphan custom tool call output for call id: a\nb"}
    assert answer.outcomes[:-1] == [{"ok": None}] * (len(answer.outcomes) - 1)
    assert len(answer.outcomes) == length


def test_a_death_in_release_is_a_crash_even_where_panics_end_the_process(tmp_path: Path) -> None:
    """Release never panics, so its death is never taken for one."""
    with opened("panics_end_process", tmp_path, mode=Mode.RELEASE) as session:
        fault(session.run(BAD), FaultKind.CRASH)


@pytest.mark.parametrize(
    ("behaviour", "words"),
    [
        ("hangs_at_start", ("within 0.6 s",)),
        ("dies_at_start", ("exited with code 4", "no configuration found")),
        ("banner", ("Welcome to hostile", "log to stderr")),
        ("other_mode", ("is a release build, asked for debug",)),
        ("no_mode", ("mode is",)),
        ("other_protocol", ("speaks protocol 2",)),
        ("null_handshake", ("answers initialize with None", "an object")),
        ("refuses_handshake", ("refused initialize", "today", "needs a result")),
        ("exits_without_newline", ("exited with code 0", "end each answer with a newline")),
        ("no_implementation", ("implementation",)),
        ("no_editions", ("editions",)),
        ("unknown_edition", ("2026-08", "none that is known")),
        ("unknown_claim", ("teleportation",)),
    ],
)
def test_an_adapter_that_cannot_be_used_is_refused_in_a_sentence(
    behaviour: str, words: tuple[str, ...], tmp_path: Path
) -> None:
    """What is wrong from the start is an error of use, with its reason, within bounded time."""
    begun = time.monotonic()
    with pytest.raises(SubjectError) as caught:
        spec(behaviour, tmp_path).open(Mode.DEBUG)
    for word in words:
        assert word in str(caught.value)
    assert "\n" not in str(caught.value)
    assert time.monotonic() - begun < 2


@pytest.mark.parametrize(
    ("command", "words"),
    [
        (("./nowhere/adapter",), "is not there"),
        ((str(HOSTILE.parent),), "is a folder"),
        ((str(Path(__file__)),), "may not be run"),
    ],
)
def test_a_program_that_cannot_be_started_is_refused_in_a_sentence(
    command: tuple[str, ...], words: str
) -> None:
    """A missing program, a folder and a file that may not be run are told apart."""
    with pytest.raises(SubjectError, match=words):
        command_spec({Mode.DEBUG: command}, name="none").open(Mode.DEBUG)


def test_a_mode_without_a_command_is_refused_in_a_sentence() -> None:
    """Opening a mode that the subject does not have names the option that would give it."""
    with pytest.raises(SubjectError, match="--release"):
        command_spec({Mode.DEBUG: ("x",)}, name="none").open(Mode.RELEASE)


def test_a_request_larger_than_the_pipe_does_not_deadlock(tmp_path: Path) -> None:
    """A large script and its large answer pass while both pipes are full."""
    script = GOOD * 200_000
    with opened("good", tmp_path, factor=1) as session:
        assert len(session.run(script).outcomes) == len(script)


def test_an_adapter_that_does_not_exit_is_ended_on_closing(tmp_path: Path) -> None:
    """A shutdown that is not obeyed is enforced."""
    begun = time.monotonic()
    with opened("never_exits", tmp_path) as session:
        session.run(GOOD)
    assert time.monotonic() - begun < 2


def test_the_edition_asked_for_is_the_one_opened(tmp_path: Path) -> None:
    """An edition given on opening stands before the default, and is refused if not offered."""
    with pytest.raises(SubjectError, match="does not offer edition 2026-11"):
        spec("good", tmp_path).open(Mode.DEBUG, edition=Edition.NOVEMBER_2026)
    with pytest.raises(SubjectError, match="does not offer edition 2026-08"):
        spec("other_edition", tmp_path).open(Mode.DEBUG, edition=Edition.AUGUST_2026)


def test_an_adapter_of_another_edition_is_started_again_in_its_own(tmp_path: Path) -> None:
    """Where no edition is asked for, one that the adapter offers will do."""
    with opened("other_edition", tmp_path) as session:
        assert session.description.editions == (Edition.NOVEMBER_2026,)
        assert session.run(GOOD).fault is None


SERVE = "import sys; from contextcert.cli import main; main(['serve', '--mode', sys.argv[1]])"


@pytest.mark.parametrize("mode", Mode)
@pytest.mark.parametrize("edition", Edition)
def test_the_model_over_pipes_answers_as_in_process(mode: Mode, edition: Edition) -> None:
    """One script gives the same outcomes both ways, every message held to the schemas."""
    orphan: JsonObject = {"type": "custom_tool_call_output", "call_id": "\0", "output": "é\u2028"}
    ops: list[JsonObject] = [
        {"op": "record_items", "items": [orphan], "policy": {"mode": "bytes", "limit": 9}},
        {"op": "set_token_info", "value": [2**80, 1.0, 1, True]},
        {"op": "token_info"},
        {"op": "replace", "items": [{"type": "message"}]},
        {"op": "for_prompt", "input_modalities": []},
        {"op": "raw_items"},
    ]
    plain = command_spec({mode: (sys.executable, "-c", SERVE, mode.value)}, name="serve")
    expected = model_spec().open(mode, edition=edition)
    with contextlib.closing(evolve(plain, validating=True).open(mode, edition=edition)) as session:
        for goes_on in (False, True):
            answer = session.run(ops, continue_after_panic=goes_on)
            assert answer == expected.run(ops, continue_after_panic=goes_on)
            assert answer.fault is None
