"""`contextcert.toml`: the subjects that a project describes, and each mistake in one line."""

from __future__ import annotations

import json
import math
import tomllib
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, cast

from jsonschema import Draft202012Validator
from jsonschema.exceptions import best_match

from contextcert.adapters.in_process import ObjectWay
from contextcert.adapters.stdio import CommandWay
from contextcert.refmodel.claim import Claim
from contextcert.refmodel.modes import Edition, Mode
from contextcert.subject import SubjectError, SubjectSpec

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from jsonschema.exceptions import ValidationError

    from contextcert.subject import Way

FILE_NAME: Final = "contextcert.toml"

_COMMAND_KEYS: Final = ("debug", "release", "command", "adapter")

Table = dict[str, Any]
"""A table of TOML, once it has been held to the schema."""


def configured_subject(name: str | None, path: Path | None = None) -> SubjectSpec:
    """Give a subject of the configuration file; without a name, the only one there is.

    Raises:
        SubjectError: the file cannot be read or is wrong, or has no such subject.
    """
    file = path or Path(FILE_NAME)
    subjects = read_subjects(file)
    if name is None:
        if len(subjects) == 1:
            return next(iter(subjects.values()))
        raise SubjectError(f"{file} describes {_listed(subjects)}: name one of them.")
    if name not in subjects:
        raise SubjectError(
            f"{file} describes no subject {name!a}, only {_listed(subjects)}: correct the name, "
            f"or add [subjects.{_key(name)}]."
        )
    return subjects[name]


def read_subjects(file: Path) -> dict[str, SubjectSpec]:
    """Read every subject of a configuration file, by name, in the file's order.

    Raises:
        SubjectError: the file cannot be read or is wrong; one line says where and what to do.
    """
    text = _text(file)
    try:
        document = tomllib.loads(text, parse_float=_number)
    except tomllib.TOMLDecodeError as error:
        raise SubjectError(f"{file}: this is no TOML: {error}; correct it there.") from error
    troubles = list(_validator().iter_errors(document))
    if troubles:
        raise SubjectError(_sentence(file, text, _first(troubles)))
    return {name: _subject(name, table, file, text) for name, table in document["subjects"].items()}


def _number(text: str) -> float:
    """Read a number; what is none (nan) is beyond every limit of the schema, like infinity."""
    number = float(text)
    return math.inf if math.isnan(number) else number


def config_schema() -> Table:
    """Give the JSON Schema of the file."""
    schema: Table = json.loads(
        files("contextcert").joinpath("config-schema.json").read_text("utf-8")
    )
    return schema


def example() -> str:
    """Give an example of the file, with every key explained."""
    return files("contextcert").joinpath("contextcert.example.toml").read_text("utf-8")


def _text(file: Path) -> str:
    try:
        return file.read_text("utf-8")
    except FileNotFoundError as error:
        raise SubjectError(
            f"{file} is not there: describe your subject in it, or give --debug and --release."
        ) from error
    except (OSError, UnicodeDecodeError) as error:
        reason = "it is no UTF-8" if isinstance(error, UnicodeDecodeError) else error.strerror
        raise SubjectError(f"{file} cannot be read ({reason}): correct the file.") from error


def _subject(name: str, table: Table, file: Path, text: str) -> SubjectSpec:
    given = [key for key in _COMMAND_KEYS if key in table]
    if given not in (["debug"], ["release"], ["debug", "release"], ["command"], ["adapter"]):
        line = _line_of(text, ["subjects", name])
        has = " and ".join(given) or "no command"
        raise SubjectError(
            f"{_place(file, line)}: the subject {name} has {has}: give debug, release or both, or "
            "else command, or else adapter."
        )
    return SubjectSpec(
        name=name,
        ways=_ways(table, file.parent),
        time_out_factor=float(table.get("time_out_factor", 1.0)),
        claim=Claim.from_json(table["claim"]) if "claim" in table else None,
        edition=Edition(table["edition"]) if "edition" in table else None,
    )


def _ways(table: Table, folder: Path) -> dict[Mode, Way]:
    cwd = str((folder / table.get("cwd", ".")).resolve())
    if "adapter" in table:
        return dict.fromkeys(Mode, ObjectWay(table["adapter"], cwd))
    if "command" in table:
        return dict.fromkeys(Mode, _command(table["command"], table, cwd))
    return {mode: _command(table[mode.value], table, cwd) for mode in Mode if mode.value in table}


def _command(words: Sequence[str], table: Table, cwd: str) -> Way:
    return CommandWay(tuple(words), dict(table.get("env", {})), cwd, spare=table.get("spare", True))


def _first(troubles: list[ValidationError]) -> ValidationError:
    """Choose what to tell: a mistyped key explains whatever else is missing."""
    unknown = [trouble for trouble in troubles if trouble.validator == "additionalProperties"]
    best: ValidationError = best_match(unknown or troubles)
    return best


def _sentence(file: Path, text: str, trouble: ValidationError) -> str:
    path = [str(part) for part in trouble.absolute_path]
    if trouble.validator == "additionalProperties":
        path, what = _unknown_key(path, trouble)
    elif trouble.validator == "required":
        what = "there is no table [subjects.NAME]: describe a subject in one"
    elif trouble.validator in _WHAT:
        what = _WHAT[trouble.validator].format(wanted=_wanted(trouble.validator_value))
    else:
        what = ascii(trouble.message)[1:-1]
    key = f"{'.'.join(map(_key, path))}: " if path else ""
    return f"{_place(file, _line_of(text, path))}: {key}{what}."


_WHAT: Final = {
    "type": "{wanted} is expected",
    "enum": "one of {wanted} is expected",
    "minItems": 'at least a program is expected, as in ["./adapter", "--flag"]',
    "minLength": "it is empty; leave it out, or give a folder",
    "minProperties": "no subject is described; add a table [subjects.NAME]",
    "exclusiveMinimum": "a number above {wanted} is expected",
    "maximum": "a number of at most {wanted} is expected",
    "pattern": "the form is not right; expected is {wanted}",
    "not": "this name is taken by contextcert itself; choose another",
}


def _wanted(value: object) -> str:
    if isinstance(value, list):
        return ", ".join(map(str, value))
    return {
        "array": "a list",
        "object": "a table",
        "string": "a string",
        "number": "a number",
        "boolean": "true or false",
        "^[^:\\s]+:[^:\\s]+$": "module:attribute",
        "^[A-Za-z0-9][A-Za-z0-9._-]*$": "letters, digits, dots, dashes and underscores",
        "^[^\\u0000]*$": "text without NUL",
        "^[^=\\u0000]+$": "names without = and NUL",
    }.get(str(value), str(value))


def _unknown_key(path: list[str], trouble: ValidationError) -> tuple[list[str], str]:
    schema, instance = cast("Table", trouble.schema), cast("Table", trouble.instance)
    known = schema["properties"]
    unknown = next(key for key in instance if key not in known)
    return [*path, unknown], f"this key is not known; known here are {', '.join(known)}"


def _line_of(text: str, path: Sequence[str]) -> int | None:
    """Find the line on which a key stands, or else the table that holds it."""
    table: list[str] = []
    best, found = 0, None
    for number, line in enumerate(text.splitlines(), 1):
        stripped = line.strip()
        if stripped.startswith("["):
            table = _keys(stripped.strip("[]").split("]")[0])
            here = table
        else:
            here = [*table, *_keys(stripped.split("=", 1)[0])]
        shared = min(len(here), len(path))
        if shared > best and here[:shared] == list(path[:shared]):
            best, found = shared, number
    return found


def _keys(text: str) -> list[str]:
    return [part.strip().strip("\"'") for part in text.split(".")]


def _place(file: Path, line: int | None) -> str:
    return str(file) if line is None else f"{file}, line {line}"


def _key(name: str) -> str:
    return ascii(name)[1:-1]


def _listed(subjects: Mapping[str, SubjectSpec]) -> str:
    return ", ".join(subjects)


@cache
def _validator() -> Draft202012Validator:
    return Draft202012Validator(config_schema())
