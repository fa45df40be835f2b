"""From what the user typed to a subject that can be opened."""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

from contextcert.adapters.specs import command_spec, model_spec, object_spec, split_command
from contextcert.refmodel import Mode
from contextcert.subject import SubjectError, SubjectSpec

CODEX = "codex"


class Typed(Protocol):
    """The words that name a subject, on a command line or as pytest options."""

    @property
    def subject(self) -> str | None:
        """`codex`, or a name out of contextcert.toml."""
        ...

    @property
    def debug(self) -> str | None:
        """The command of the debug build."""
        ...

    @property
    def release(self) -> str | None:
        """The command of the release build."""
        ...

    @property
    def cmd(self) -> str | None:
        """A command that is told its mode."""
        ...

    @property
    def adapter(self) -> str | None:
        """`module:attribute`."""
        ...

    @property
    def codex(self) -> str | None:
        """The path of a Codex binary."""
        ...

    @property
    def codex_feature(self) -> tuple[str, ...]:
        """Feature switches of a Codex binary, as `name=true`."""
        ...

    @property
    def config(self) -> Path | None:
        """A file in place of ./contextcert.toml."""
        ...


def resolve(typed: Typed) -> SubjectSpec:
    """Give the subject that was named; without any name, the built-in model.

    Raises:
        SubjectError: two subjects are named, or one that is not there.
    """
    _refuse_two(typed)
    if typed.adapter is not None:
        return object_spec(typed.adapter)
    if typed.cmd is not None or typed.debug is not None or typed.release is not None:
        return _commands(typed)
    if typed.subject == CODEX or typed.codex is not None:
        return _codex(typed)
    if typed.codex_feature:
        raise SubjectError("--codex-feature is for the subject codex alone: name it.")
    if typed.subject is not None or typed.config is not None:
        return _configured(typed)
    return model_spec()


def _refuse_two(typed: Typed) -> None:
    """A subject has one way of being named; --debug and --release together are one way."""
    builds = "--debug/--release" if typed.debug or typed.release else None
    named = [
        way
        for way, value in (
            (f"the name {typed.subject!a}", typed.subject if typed.codex is None else None),
            (builds, builds),
            ("--cmd", typed.cmd),
            ("--adapter", typed.adapter),
            ("--codex", typed.codex),
        )
        if way is not None and value is not None
    ]
    if typed.codex is not None and typed.subject not in {None, CODEX}:
        named.append(f"the name {typed.subject!a}")
    if len(named) > 1:
        raise SubjectError(f"{' and '.join(named)} name more than one subject: give one of them.")


def _commands(typed: Typed) -> SubjectSpec:
    if typed.cmd is not None:
        commands = dict.fromkeys(Mode, split_command(typed.cmd, "--cmd"))
    else:
        given = {Mode.DEBUG: typed.debug, Mode.RELEASE: typed.release}
        commands = {
            mode: split_command(text, f"--{mode.value}")
            for mode, text in given.items()
            if text is not None
        }
    return command_spec(commands, name="the adapter")


def _codex(typed: Typed) -> SubjectSpec:
    from contextcert.adapters.codex import codex_subject, features_from_text  # noqa: PLC0415

    try:
        features = features_from_text(typed.codex_feature)
    except ValueError as error:
        raise SubjectError(f"--codex-feature: {error}.") from error
    return codex_subject(None if typed.codex is None else _binary(typed.codex), features)


def _binary(named: str) -> Path:
    """Give the file that was named, or the installed release of that version."""
    from contextcert.adapters.codex.install import VERSION, installed  # noqa: PLC0415  as above

    path = Path(named)
    if path.is_file() or not VERSION.fullmatch(named):
        return path
    binary = installed(named)
    if binary is None:
        raise SubjectError(
            f"--codex: release {named} is not installed: run `contextcert codex install {named}`, "
            "or name a binary's file."
        )
    return binary


def _configured(typed: Typed) -> SubjectSpec:
    from contextcert.config import configured_subject  # noqa: PLC0415  reads TOML

    return configured_subject(typed.subject, typed.config)
