"""Whether an adapter's answer to `initialize` is one that can be worked with."""

from __future__ import annotations

from typing import TYPE_CHECKING

from contextcert.protocol.messages import shown
from contextcert.subject import PROTOCOL_VERSION, Description

if TYPE_CHECKING:
    from contextcert.refmodel.json_value import Json
    from contextcert.refmodel.modes import Edition, Mode


class HandshakeError(ValueError):
    """The answer cannot be worked with; one sentence says why, and what to do."""


class EditionError(HandshakeError):
    """The edition asked for is not offered; `offered` holds those that are known."""

    def __init__(self, edition: Edition, offered: tuple[Edition, ...]) -> None:
        """Say which edition was asked for, and which are there."""
        names = ", ".join(one.value for one in offered) or "none that is known"
        super().__init__(
            f"The adapter does not offer edition {edition.value} (it offers {names}): ask for "
            "one it has, or add the edition to its answer."
        )
        self.offered = offered


def read_handshake(result: Json, mode: Mode, edition: Edition) -> Description:
    """Read the result of `initialize`, which must be of the mode and offer the edition.

    Raises:
        EditionError: another edition.
        HandshakeError: another protocol, another mode, or a field missing.
    """
    if not isinstance(result, dict):
        raise HandshakeError(
            f"The adapter answers initialize with {shown(result)}: answer with an object, as the "
            "protocol says."
        )
    protocol = result.get("protocol")
    if protocol != PROTOCOL_VERSION or isinstance(protocol, bool):
        raise HandshakeError(
            f"The adapter speaks protocol {protocol!a}, this contextcert protocol "
            f"{PROTOCOL_VERSION}: answer initialize with that number, or use a contextcert that "
            "speaks the other."
        )
    try:
        description = Description.from_json(result)
    except ValueError as error:
        raise HandshakeError(
            f"The adapter's answer to initialize is not usable, {ascii(str(error))[1:-1]}: "
            "correct it in the adapter."
        ) from error
    if description.mode is not mode:
        raise HandshakeError(
            f"The adapter is a {description.mode.value} build, asked for {mode.value}: give the "
            f"command of the {mode.value} build (the mode answered is the build's own)."
        )
    if edition not in description.editions:
        raise EditionError(edition, description.editions)
    return description
