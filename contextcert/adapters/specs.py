"""The subjects that a command line, a configuration or a test can name."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from contextcert.adapters.in_process import ObjectWay
from contextcert.adapters.model import ModelWay
from contextcert.adapters.stdio import CommandWay
from contextcert.refmodel.modes import Mode
from contextcert.subject import SubjectError, SubjectSpec

if TYPE_CHECKING:
    from collections.abc import Mapping

MODEL_NAME = "model"


def model_spec() -> SubjectSpec:
    """Give the built-in model, in both modes."""
    return SubjectSpec(MODEL_NAME, dict.fromkeys(Mode, ModelWay()))


def object_spec(reference: str, *, folder: str | None = None) -> SubjectSpec:
    """Give the Python object `module:attribute`, in both modes."""
    return SubjectSpec(reference, dict.fromkeys(Mode, ObjectWay(reference, folder)))


def command_spec(commands: Mapping[Mode, tuple[str, ...]], *, name: str) -> SubjectSpec:
    """Give a program for each mode; one program may serve both."""
    return SubjectSpec(name, {mode: CommandWay(command) for mode, command in commands.items()})


def split_command(text: str, option: str) -> tuple[str, ...]:
    """Split a command as a shell would; it is never given to one.

    Raises:
        SubjectError: it is empty, or a quote is not closed; the message names the option.
    """
    try:
        words = tuple(shlex.split(text))
    except ValueError as error:
        raise SubjectError(f"{option}: {text!a} cannot be split ({error}).") from error
    if not words:
        raise SubjectError(f"{option}: the command is empty; name a program.")
    return words
