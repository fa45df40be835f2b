"""Steps of the transport: how requests may be written, how the adapter ends, what it may print."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeAlias

from attrs import frozen

from contextcert.adapters.stdio import CommandWay
from contextcert.protocol.json_codec import encode
from contextcert.protocol.messages import request_line, shown, shown_bytes
from contextcert.smoke.conversation import Conversation, TroubleError
from contextcert.smoke.samples import ONE_OF_EACH, ORPHANS, PROMPT, RAW, claimed, record
from contextcert.smoke.steps import Culprit, Step, Verdict

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from contextcert.refmodel.json_value import Json, JsonObject
    from contextcert.refmodel.modes import Edition
    from contextcert.subject import Description, SubjectSpec

Talk: TypeAlias = "Callable[[Conversation, Description], None]"
"""Talks to a new process, and raises TroubleError where it answers wrongly."""


@frozen
class _Line:
    title: str
    talk: Talk
    remedy: str


def line_steps(spec: SubjectSpec, description: Description, edition: Edition) -> Iterator[Step]:
    """Try every step on a process of its own; an object in this process has no lines."""
    way = spec.ways[description.mode]
    for line in _LINES:
        if isinstance(way, CommandWay):
            yield _tried(line, spec, way, description, edition)
        else:
            yield Step(line.title, Verdict.SKIPPED, "the subject is no program that reads lines")


def _tried(
    line: _Line, spec: SubjectSpec, way: CommandWay, description: Description, edition: Edition
) -> Step:
    talk = Conversation(way, description.mode, edition, spec.time_out_factor)
    try:
        line.talk(talk, description)
    except TroubleError as trouble:
        seen, logs = str(trouble), talk.logs()
        return Step(line.title, Verdict.FAILED, seen, Culprit.ADAPTER, line.remedy, logs)
    finally:
        talk.end()
    return Step(line.title, Verdict.PASSED)


def _run(*ops: JsonObject, request_id: int = 2) -> bytes:
    return request_line(request_id, "run", {"ops": list(ops)})


def _expect(got: Json, *outcomes: JsonObject) -> None:
    expected: JsonObject = {"outcomes": list(outcomes)}
    if got != expected:
        raise TroubleError(f"expected {shown(expected)}, got {shown(got)}")


_NOTHING: Final[JsonObject] = {"ok": []}


def _ends_in_crlf(talk: Conversation, _: Description) -> None:
    talk.initialize(end=b"\r\n")
    _expect(talk.ask(_run(RAW).rstrip() + b"\r\n", 2), _NOTHING)


def _has_more_members(talk: Conversation, _: Description) -> None:
    talk.initialize(params=talk.params | {"later": {"version": 2}})
    request: JsonObject = {
        "later": [1],
        "params": {"later": None, "ops": [{"later": "x", **RAW}]},
        "method": "run",
        "id": 2,
        "jsonrpc": "2.0",
    }
    _expect(talk.ask(encode(request) + b"\n", 2), _NOTHING)


_SPELLED_OTHERWISE: Final = (
    b' { "params" :\t{ "ops" : [ {"\\u006fp" : "raw\\u005fitems", "on":0 } ,'
    b' {"op":"hold","name":"\\/\\ud83d\\ude00\\u0000","what":"raw_items"} ] } ,'
    b' "id":  2 , "method" : "\\u0072un" , "jsonrpc":"2.0" } \n'
)


def _is_spelled_otherwise(talk: Conversation, _: Description) -> None:
    talk.initialize()
    got = talk.ask(_SPELLED_OTHERWISE, 2)
    outcomes = got.get("outcomes") if isinstance(got, dict) else None
    if not isinstance(outcomes, list) or outcomes[:1] != [_NOTHING]:
        raise TroubleError(f"expected {shown(_NOTHING)} first, got {shown(got)}")


_IDS: Final = (41, 7, 2**31, 2**32 + 1, 2**53 - 1)


def _has_any_id(talk: Conversation, _: Description) -> None:
    talk.initialize()
    for request_id in _IDS:
        _expect(talk.ask(_run(RAW, request_id=request_id), request_id), _NOTHING)


def _is_unknown(talk: Conversation, _: Description) -> None:
    talk.initialize()
    talk.error(request_line(2, "contextcert_unknown_method", {}), 2)
    _expect(talk.ask(_run(RAW, request_id=3), 3), _NOTHING)


def _is_shutdown(talk: Conversation, _: Description) -> None:
    talk.initialize()
    result = talk.ask(request_line(2, "shutdown"), 2)
    if result is not None:
        raise TroubleError(f"expected the result null, got {shown(result)}")
    if not talk.ends():
        raise TroubleError("the process goes on after it answered shutdown")


def _is_the_last(talk: Conversation, _: Description) -> None:
    talk.initialize()
    talk.close_stdin()
    if not talk.ends():
        raise TroubleError("the process goes on after the end of its stdin")


def _is_answered_alone(talk: Conversation, description: Description) -> None:
    talk.initialize()
    for request_id, items in enumerate((ONE_OF_EACH, ORPHANS), start=2):
        kept = claimed(items, description.claim.item_types)
        talk.ask(_run(record(*kept), PROMPT, request_id=request_id), request_id)
    talk.close_stdin()
    talk.ends()
    if rest := talk.rest():
        raise TroubleError(f"after the last answer came {shown_bytes(rest)}")


_LINES: Final = (
    _Line(
        "A request may end in CR LF",
        _ends_in_crlf,
        "Split at LF, and let the JSON reader take a CR as the white space it is.",
    ),
    _Line(
        "A request may have members that are not known",
        _has_more_members,
        "Take what you need out of requests, parameters and operations, and pass over the rest; "
        "members come in any order.",
    ),
    _Line(
        "A request may be spelled with escapes and white space",
        _is_spelled_otherwise,
        "Read requests with a JSON reader, never by their text.",
    ),
    _Line(
        "An answer carries the id of its request, whatever the number",
        _has_any_id,
        "Copy the id of the request; do not count, and do not keep it in 32 bits.",
    ),
    _Line(
        "An unknown method is an error of JSON-RPC, and the adapter goes on",
        _is_unknown,
        'Answer {"error": {"code": -32601, "message": ...}} with the id of the request.',
    ),
    _Line(
        "Shutdown is answered by null and ends the process",
        _is_shutdown,
        "Answer shutdown, flush, and return from the loop; let no thread keep the process alive.",
    ),
    _Line(
        "The end of its input ends the process",
        _is_the_last,
        "Leave the loop where reading gives no more lines.",
    ),
    _Line(
        "Nothing but answers is written to stdout",
        _is_answered_alone,
        "Send whatever the implementation prints, panics included, to stderr.",
    ),
)
