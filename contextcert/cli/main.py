"""The group of commands, and how every way to end becomes an exit code."""

from __future__ import annotations

import errno
import importlib
import os
import signal
import sys
import tempfile
import traceback
from pathlib import Path
from types import FrameType
from typing import Final, NoReturn

import click

from contextcert import __version__

UNUSABLE: Final = 2
INTERRUPTED: Final = 130
TERMINATED: Final = 143
NOBODY_READS: Final = 141
TRACEBACK_VARIABLE: Final = "CONTEXTCERT_TRACEBACK"

COMMANDS: Final = (
    "new-adapter",
    "smoke",
    "certify",
    "growth",
    "replay",
    "explain",
    "merge",
    "audit",
    "serve",
    "codex",
)


class LazyCommands(click.Group):
    """Imports a command's module when it is asked for, so that `serve` starts fast."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Give the names in the order in which a new user meets them."""
        del ctx
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Give a command by its name."""
        del ctx
        if cmd_name not in COMMANDS:
            return None
        module = f"contextcert.cli.{cmd_name.replace('-', '_')}"
        command = importlib.import_module(module).command
        assert isinstance(command, click.Command)
        return command


@click.group(cls=LazyCommands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="contextcert")
def contextcert() -> None:
    """Certify implementations of a coding agent's context history."""


class TerminatedError(BaseException):
    """Somebody asked this process to end."""


def main(arguments: list[str] | None = None) -> NoReturn:
    """Run a command and exit; a user's mistake is one line on standard error, never a traceback."""
    signal.signal(signal.SIGTERM, _terminate)
    sys.exit(run(arguments))


def _terminate(_number: int, _frame: FrameType | None) -> NoReturn:
    """Unwind, so that subjects are closed; a second request ends at once."""
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    raise TerminatedError


def run(arguments: list[str] | None = None) -> int:
    """Run a command and give its exit code."""
    try:
        code = contextcert.main(arguments, prog_name="contextcert", standalone_mode=False)
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message())
        return UNUSABLE
    except click.ClickException as error:
        return _refuse(_one_line(error))
    except (click.Abort, KeyboardInterrupt, TerminatedError) as end:
        return _stopped(end)
    except BrokenPipeError:
        forget_standard_output()
        return NOBODY_READS
    except Exception as error:  # noqa: BLE001  the last line of defence
        return _answer_for(error)
    return code if isinstance(code, int) else 0


def _stopped(end: BaseException) -> int:
    if isinstance(end, TerminatedError):
        click.echo("contextcert: stopped, as it was asked to end (SIGTERM).", err=True)
        return TERMINATED
    click.echo("contextcert: stopped.", err=True)
    return INTERRUPTED


def _answer_for(error: Exception) -> int:
    from contextcert.subject import SubjectError  # noqa: PLC0415  slow to import

    if isinstance(error, SubjectError):
        return _refuse(str(error))
    if isinstance(error, OSError) and error.filename is not None:
        return _refuse(f"{error.filename}: {error.strerror}.")
    if isinstance(error, OSError) and error.errno == errno.ENOSPC:
        return _refuse("what was found cannot be written: no space is left.")
    return _own_defect(error)


def _own_defect(error: Exception) -> int:
    text = "".join(traceback.format_exception(error))
    if os.environ.get(TRACEBACK_VARIABLE):
        click.echo(text, err=True)
        where = "above"
    else:
        where = f"in {_saved(text)}"
    return _refuse(
        f"a defect of contextcert ({type(error).__name__}), not of what you asked or certify. "
        f"Please report it; the traceback is {where}."
    )


def _saved(text: str) -> str:
    with tempfile.NamedTemporaryFile(
        "w", encoding="utf-8", prefix="contextcert-", suffix=".traceback", delete=False
    ) as saved:
        saved.write(text)
    return str(Path(saved.name))


def _one_line(error: click.ClickException) -> str:
    message = " ".join(error.format_message().split())
    if isinstance(error, click.UsageError) and error.ctx is not None:
        return f"{message} See {error.ctx.command_path} --help."
    return message


def _refuse(message: str) -> int:
    from contextcert.report.escape import plain  # noqa: PLC0415  slow to import

    click.echo(f"contextcert: {plain(message)}", err=True)
    return UNUSABLE


def forget_standard_output() -> None:
    """Keep the interpreter from complaining, at its end, that nobody reads its output."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
