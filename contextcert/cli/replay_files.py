"""Reads what `replay` is given: one script, or a line-by-line file of worked cases."""

from __future__ import annotations

import codecs
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

import click
from attrs import frozen

from contextcert.certificate.replay import GOES_ON
from contextcert.protocol.json_codec import JsonError, decode
from contextcert.refmodel import CLAUSES, Edition, Mode
from contextcert.refmodel.json_value import Json, JsonObject
from contextcert.subject import Script

STANDARD_INPUT: Final = "-"
DEEPEST: Final = 200
"""Lists and objects within each other; no item that is generated has a third of it."""


@frozen
class ReplayCase:
    """A script, and what is recorded about it.

    `recorded` holds the outcomes of a worked case by mode; a replay file has none and is judged
    against the model. `goes_on` asks the subject to go on after a panic.
    """

    name: str
    script: Script
    clause: str | None = None
    modes: tuple[Mode, ...] = tuple(Mode)
    edition: Edition | None = None
    recorded: Mapping[Mode, list[JsonObject]] | None = None
    goes_on: bool = False


def read_replay(path: Path) -> list[ReplayCase]:
    """Read a replay file, a bare script, or a file with one case a line.

    Raises:
        ClickException: it cannot be read or holds something else; the message says where.
    """
    text = _text(path)
    try:
        return [_case(_decoded(text), str(path))]
    except JsonError as error:
        lines = [line for line in text.split(b"\n") if line.strip()]
        if len(lines) < 2:  # noqa: PLR2004
            raise click.ClickException(
                f"{path} is not JSON ({error}): give a replay file, or one case a line."
            ) from error
    return [_line_case(line, path, number) for number, line in enumerate(lines, start=1)]


def _text(path: Path) -> bytes:
    try:
        if str(path) == STANDARD_INPUT:
            return sys.stdin.buffer.read()
        return path.read_bytes().removeprefix(codecs.BOM_UTF8)
    except OSError as error:
        raise click.ClickException(f"{path} cannot be read: {error.strerror}.") from error


def _decoded(text: bytes) -> Json:
    """Read JSON as strictly as an adapter's answers are read, and not too deep for any of us."""
    value = decode(text)
    level: list[Json] = [value]
    for _ in range(DEEPEST):
        level = [inner for one in level for inner in _within(one)]
        if not level:
            return value
    raise JsonError(f"it nests more than {DEEPEST} deep")


def _within(value: Json) -> Iterable[Json]:
    if isinstance(value, dict):
        return value.values()
    return value if isinstance(value, list) else ()


def _line_case(line: bytes, path: Path, number: int) -> ReplayCase:
    where = f"{path}, line {number}"
    try:
        return _case(_decoded(line), where)
    except JsonError as error:
        raise click.ClickException(f"{where} is not JSON ({error}).") from error


def _case(value: Json, where: str) -> ReplayCase:
    if isinstance(value, list):
        value = {"ops": value}
    if not isinstance(value, dict):
        raise click.ClickException(f"{where} holds no object with ops.")
    if "certified" in value and "clauses" in value:
        raise click.ClickException(
            f"{where} is a certificate: replay the files in the replay folder beside it."
        )
    recorded = {mode: _outcomes(value[mode.value], where) for mode in Mode if mode.value in value}
    return ReplayCase(
        name=str(value.get("name") or value.get("clause") or where),
        script=_script(value.get("ops"), where),
        clause=_clause(value.get("clause"), where),
        modes=_modes(value.get("mode"), where) if not recorded else tuple(recorded),
        edition=_edition(value.get("edition"), where),
        recorded=recorded or None,
        goes_on=_goes_on(value.get(GOES_ON), where),
    )


def _script(ops: Json, where: str) -> list[JsonObject]:
    if not isinstance(ops, list):
        raise click.ClickException(f"{where} has no list `ops`: it is no replay file.")
    script = [op for op in ops if isinstance(op, dict) and isinstance(op.get("op"), str)]
    if len(script) != len(ops):
        raise click.ClickException(f"{where}: each of its `ops` is an object with `op`.")
    return script


def _outcomes(outcomes: Json, where: str) -> list[JsonObject]:
    if not isinstance(outcomes, list) or not all(isinstance(one, dict) for one in outcomes):
        raise click.ClickException(f"{where}: recorded outcomes are a list of objects.")
    return [one for one in outcomes if isinstance(one, dict)]


def _modes(mode: Json, where: str) -> tuple[Mode, ...]:
    if mode is None:
        return tuple(Mode)
    if mode not in {one.value for one in Mode}:
        raise click.ClickException(f"{where}: mode is debug or release, not {mode!a}.")
    return (Mode(mode),)


def _edition(edition: Json, where: str) -> Edition | None:
    if edition is None:
        return None
    known = [one.value for one in Edition]
    if edition not in known:
        raise click.ClickException(f"{where}: edition is {' or '.join(known)}, not {edition!a}.")
    return Edition(edition)


def _goes_on(value: Json, where: str) -> bool:
    if value is not None and not isinstance(value, bool):
        raise click.ClickException(f"{where}: {GOES_ON} is true or false, not {value!a}.")
    return value is True


def _clause(clause: Json, where: str) -> str | None:
    if clause is None:
        return None
    if not isinstance(clause, str) or clause not in CLAUSES:
        raise click.ClickException(f"{where}: there is no clause {clause!a}.")
    return clause
