"""What contextcert asks of a subject, and what it gets back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import Enum
from typing import Final, Protocol, TypeAlias

from attrs import evolve, field, fields, frozen

from contextcert.refmodel.claim import ITEM_TYPES, Claim
from contextcert.refmodel.json_value import Json, JsonObject
from contextcert.refmodel.modes import Edition, Mode

PROTOCOL_VERSION: Final = 1

Script: TypeAlias = Sequence[JsonObject]
"""A list of operations, each an object with `op` (DESIGN 3)."""

Outcomes: TypeAlias = list[JsonObject]
"""One object an operation: `ok`, `panic`, `error` or `unsupported`."""


class SubjectError(Exception):
    """A subject cannot be used at all; one sentence says what, where, and what to do."""


class Subject(Protocol):
    """An implementation in this process, one object a mode; the same values as over a pipe."""

    def initialize(self, params: JsonObject) -> JsonObject:
        """Answer the handshake: protocol, implementation, mode, editions, claim, capabilities."""
        ...

    def run(self, params: JsonObject) -> JsonObject:
        """Run `{"ops": [...]}` on fresh histories and give `{"outcomes": [...]}`."""
        ...


@frozen
class Capabilities:
    """What an adapter can show beyond the bare protocol; all of it is optional.

    `hidden_fields` lists, per item type, JSON pointers of what its transport never carries.
    """

    diagnostics: bool = False
    continue_after_panic: bool = False
    panic_ends_process: bool = False
    exact_numbers: bool = False
    success_flag: bool = False
    restore_items: bool = False
    coarse_transcript: bool = False
    hidden_fields: Mapping[str, tuple[str, ...]] = field(factory=dict)

    @classmethod
    def from_json(cls, value: Json) -> Capabilities:
        """Read the `capabilities` object of a handshake; unknown keys are left to later versions.

        Raises:
            ValueError: a known key has the wrong type; the message names it.
        """
        if value is None:
            return cls()
        if not isinstance(value, dict):
            raise ValueError("capabilities is an object")
        flags = {name: _flag(value, name) for name in _FLAGS}
        return cls(**flags, hidden_fields=_hidden_fields(value.get("hidden_fields")))

    def to_json(self) -> JsonObject:
        """Write every capability, the absent ones too."""
        written: JsonObject = {name: getattr(self, name) for name in _FLAGS}
        written["hidden_fields"] = {
            item_type: list(pointers) for item_type, pointers in self.hidden_fields.items()
        }
        return written


_FLAGS: Final = tuple(one.name for one in fields(Capabilities) if one.name != "hidden_fields")


def _flag(capabilities: Mapping[str, Json], name: str) -> bool:
    value = capabilities.get(name)
    if value is None:
        return False
    if not isinstance(value, bool):
        raise ValueError(f"capability {name} is true or false")
    return value


def _hidden_fields(value: Json) -> dict[str, tuple[str, ...]]:
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise ValueError("hidden_fields is an object of JSON pointers per item type")
    hidden = {}
    for item_type, pointers in value.items():
        if item_type not in ITEM_TYPES:
            raise ValueError(
                f"hidden_fields names {item_type!r}, which is no item type of SPEC 1.1"
            )
        if not isinstance(pointers, list):
            raise ValueError(f"hidden_fields of {item_type!r} is a list of JSON pointers")
        for pointer in pointers:
            if not isinstance(pointer, str) or not pointer.startswith("/"):
                raise ValueError(f"hidden_fields of {item_type!r} holds {pointer!r}, no pointer")
        hidden[item_type] = tuple(str(pointer) for pointer in pointers)
    return hidden


@frozen
class Description:
    """What a subject said of itself when it was opened in one mode."""

    name: str
    version: str
    language: str
    mode: Mode
    editions: tuple[Edition, ...]
    claim: Claim
    capabilities: Capabilities
    homepage: str | None = None
    notes: tuple[str, ...] = ()

    @classmethod
    def from_json(cls, value: Json) -> Description:
        """Read the result of a handshake; `notes` are ours and never travel.

        Raises:
            ValueError: a field is missing or wrong; the message names it.
        """
        if not isinstance(value, dict):
            raise ValueError("the answer is an object")
        implementation = value.get("implementation")
        if not isinstance(implementation, dict):
            raise ValueError("implementation is an object with name, version and language")
        return cls(
            name=_text(implementation, "name"),
            version=_text(implementation, "version"),
            language=_text(implementation, "language"),
            homepage=_homepage(implementation.get("homepage")),
            mode=_mode(value.get("mode")),
            editions=_editions(value.get("editions")),
            claim=Claim.from_json(value.get("claim")),
            capabilities=Capabilities.from_json(value.get("capabilities")),
        )

    def to_json(self) -> JsonObject:
        """Write the description as the result of a handshake."""
        implementation: JsonObject = {
            "name": self.name,
            "version": self.version,
            "language": self.language,
        }
        if self.homepage is not None:
            implementation["homepage"] = self.homepage
        return {
            "protocol": PROTOCOL_VERSION,
            "implementation": implementation,
            "mode": self.mode.value,
            "editions": [edition.value for edition in self.editions],
            "claim": self.claim.to_json(),
            "capabilities": self.capabilities.to_json(),
        }


def _text(implementation: Mapping[str, Json], name: str) -> str:
    value = implementation.get(name)
    if not isinstance(value, str):
        raise ValueError(f"implementation.{name} is a string")
    return value


def _homepage(value: Json) -> str | None:
    if value is not None and not isinstance(value, str):
        raise ValueError("implementation.homepage is a string")
    return value


def _mode(value: Json) -> Mode:
    if value not in (Mode.DEBUG.value, Mode.RELEASE.value):
        raise ValueError(f'mode is "debug" or "release", not {value!r}')
    return Mode(value)


def _editions(value: Json) -> tuple[Edition, ...]:
    """Read the editions offered; those that this version does not know are left out."""
    if not isinstance(value, list) or not value:
        raise ValueError("editions is a list of edition names that is not empty")
    known = {edition.value: edition for edition in Edition}
    return tuple(known[name] for name in value if isinstance(name, str) and name in known)


class FaultKind(Enum):
    """How an adapter failed to answer a script."""

    CRASH = "crash"
    HANG = "hang"
    FLOOD = "flood"
    GARBAGE = "garbage"
    WRONG_ID = "wrong id"
    HALF_LINE = "half line"
    CLOSED = "closed pipe"
    REFUSED = "error answer"
    MALFORMED = "malformed answer"


@frozen
class Fault:
    """An adapter's failure on one script: a sentence, and the tail of what it logged.

    `repeated` is false where a second try of the same script was answered: the subject is not
    deterministic. `before` are the outcomes in front of a malformed one. `script` is the one to
    look at, where it is not the one that was asked for.
    """

    kind: FaultKind
    message: str
    stderr: str = ""
    repeated: bool = True
    before: Outcomes = field(factory=list)
    script: Script | None = None


@frozen
class Answer:
    """What a session gave for one script; both parts are set when only the second try worked."""

    outcomes: Outcomes | None
    fault: Fault | None = None


class Session(Protocol):
    """A subject opened in one mode."""

    @property
    def description(self) -> Description:
        """What the subject said of itself."""
        ...

    def run(self, ops: Script, *, continue_after_panic: bool = False) -> Answer:
        """Run one script; a subject's misbehaviour is a fault in the answer, never an exception."""
        ...

    def run_batch(self, scripts: Sequence[Script]) -> list[Answer]:
        """Run many scripts, one answer each, in order."""
        ...

    def close(self) -> None:
        """End whatever the session started."""
        ...


@frozen
class Opening:
    """With what a session is opened.

    `edition` None means the way's own default. `time_out_factor` scales every time-out,
    `run_share` that of a script once more. `claim`, where given, stands in place of what the
    subject says. `validating` checks every message both ways against the schemas.
    """

    mode: Mode
    edition: Edition | None = None
    time_out_factor: float = 1.0
    claim: Claim | None = None
    validating: bool = False
    run_share: float = 1.0

    def described(self, description: Description) -> Description:
        """Give the description with the claim that counts."""
        return description if self.claim is None else evolve(description, claim=self.claim)


class Way(Protocol):
    """How a subject is reached in one mode; a value that can be sent to another process."""

    def open(self, opening: Opening) -> Session:
        """Start the subject.

        Raises:
            SubjectError: it cannot be used; one sentence says what, where, and what to do.
        """
        ...


@frozen
class SubjectSpec:
    """Everything needed to open a subject, here or in a worker process; see `Opening`."""

    name: str
    ways: Mapping[Mode, Way]
    time_out_factor: float = 1.0
    claim: Claim | None = None
    edition: Edition | None = None
    validating: bool = False
    run_share: float = 1.0

    def modes(self) -> tuple[Mode, ...]:
        """Give the modes that can be opened, debug first."""
        return tuple(mode for mode in Mode if mode in self.ways)

    def open(self, mode: Mode, *, edition: Edition | None = None) -> Session:
        """Open the subject in one mode; `edition` stands before the subject's own.

        Raises:
            SubjectError: it cannot be used in this mode.
        """
        way = self.ways.get(mode)
        if way is None:
            raise SubjectError(
                f"{self.name} has no command for {mode.value}: "
                f"give one with --{mode.value} or in contextcert.toml."
            )
        return way.open(
            Opening(
                mode=mode,
                edition=edition or self.edition,
                time_out_factor=self.time_out_factor,
                claim=self.claim,
                validating=self.validating,
                run_share=self.run_share,
            )
        )
