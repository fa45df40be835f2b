"""Options that several commands share: which subject, which edition."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click
from attrs import fields, frozen

from contextcert.refmodel import Edition
from contextcert.subject import SubjectSpec

Decorated = TypeVar("Decorated", bound=Callable[..., Any])


@frozen
class SubjectOptions:
    """What the user typed to name a subject."""

    subject: str | None = None
    debug: str | None = None
    release: str | None = None
    cmd: str | None = None
    adapter: str | None = None
    codex: str | None = None
    codex_feature: tuple[str, ...] = ()
    config: Path | None = None
    edition: str | None = None

    def spec(self) -> SubjectSpec:
        """Resolve it.

        Raises:
            SubjectError: it names nothing, or two things.
        """
        from contextcert.subjects import resolve  # noqa: PLC0415  slow to import

        return resolve(self)

    @property
    def chosen_edition(self) -> Edition | None:
        """The edition that was asked for."""
        return None if self.edition is None else Edition(self.edition)

    def typed(self) -> tuple[str, ...]:
        """Give the words that name the same subject again."""
        named = [] if self.subject is None else [self.subject]
        for name in ("debug", "release", "cmd", "adapter", "codex", "config", "edition"):
            value = getattr(self, name)
            if value is not None:
                named += [f"--{name}", str(value)]
        for feature in self.codex_feature:
            named += ["--codex-feature", feature]
        return tuple(named)


def subject_options(command: Decorated) -> Decorated:
    """Add SUBJECT and the options that stand in its place; they arrive as `subject_options`."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


_OPTIONS = (
    click.option("--debug", metavar="CMD", help="The adapter of the debug build."),
    click.option("--release", metavar="CMD", help="The adapter of the release build."),
    click.option("--cmd", metavar="CMD", help="One adapter that is told its mode."),
    click.option(
        "--adapter", metavar="MODULE:ATTRIBUTE", help="A Python class or function in this process."
    ),
    click.option(
        "--codex",
        metavar="PATH",
        help="The Codex binary, or the version of an installed one, with SUBJECT codex.",
    ),
    click.option(
        "--codex-feature",
        metavar="NAME=BOOL",
        multiple=True,
        help="A feature switch of the Codex binary, such as item_ids=true.",
    ),
    click.option(
        "--config",
        metavar="FILE",
        type=click.Path(path_type=Path),
        help="In place of ./contextcert.toml.",
    ),
    click.option(
        "--edition",
        type=click.Choice([edition.value for edition in Edition]),
        help="The edition to judge by; the subject's own when left out.",
    ),
)


def subject_argument(command: Decorated) -> Decorated:
    """Add the optional SUBJECT."""
    return click.argument("subject", required=False)(command)


def gathered(values: dict[str, Any]) -> SubjectOptions:
    """Take the subject's options out of a command's parameters."""
    names = [one.name for one in fields(SubjectOptions)]
    return SubjectOptions(**{name: values.pop(name) for name in names if name in values})
