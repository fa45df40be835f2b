"""How the binary can fail us, each way its own exception."""

from __future__ import annotations

from typing import ClassVar

from contextcert.subject import FaultKind


class BinaryFailure(Exception):  # noqa: N818 -- a family, its members say what went wrong
    """The binary did not do what it was asked; it has to be started anew."""

    kind: ClassVar[FaultKind] = FaultKind.CRASH


class BinaryGone(BinaryFailure):
    """The binary ended."""

    kind = FaultKind.CRASH


class BinarySilent(BinaryFailure):
    """The binary gave no answer in time."""

    kind = FaultKind.HANG


class BinaryIncoherent(BinaryFailure):
    """The binary answered with something that has no meaning here."""

    kind = FaultKind.MALFORMED


class BinaryRefusal(Exception):  # noqa: N818 -- an answer, not a failure
    """The binary answered a request with an error, and goes on working."""


class CannotStart(Exception):  # noqa: N818 -- reads as what happened
    """The binary cannot be used at all; the message says why and what to do."""
