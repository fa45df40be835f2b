"""A subject that is a Python object in this process (DESIGN 3)."""

from __future__ import annotations

import importlib
import os
import sys
import traceback
from typing import TYPE_CHECKING, Final, cast

from attrs import frozen

from contextcert.protocol import schema
from contextcert.protocol.handshake import EditionError, HandshakeError, read_handshake
from contextcert.protocol.json_codec import JsonError, decode, encode
from contextcert.protocol.messages import initialize_params, run_params
from contextcert.protocol.outcomes import ShapeError, read_outcomes
from contextcert.refmodel.modes import DEFAULT_EDITION
from contextcert.subject import Answer, Fault, FaultKind, SubjectError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from contextcert.refmodel.json_value import Json, JsonObject
    from contextcert.refmodel.modes import Edition, Mode
    from contextcert.subject import Description, Opening, Outcomes, Script, Session, Subject

_NOT_AGAIN: Final = (
    " A second try of the same script was answered: the subject is not deterministic."
)


@frozen
class ObjectWay:
    """`module:attribute`: a class or function that makes a subject, or a subject itself.

    `folder`, by default the current one, is searched after everything else that is installed.
    """

    reference: str
    folder: str | None = None

    def open(self, opening: Opening) -> Session:
        """Import it, make one for the mode, and shake hands.

        Raises:
            SubjectError: it cannot be imported or made, or its answer cannot be worked with.
        """
        subject, description = self._shake_hands(opening)
        return InProcessSession(
            subject, opening.described(description), copies=True, validating=opening.validating
        )

    def _shake_hands(self, opening: Opening) -> tuple[Subject, Description]:
        """Make a subject; where any edition will do, again for one that it offers."""
        try:
            try:
                return self._initialized(opening.mode, opening.edition or DEFAULT_EDITION)
            except EditionError as error:
                if opening.edition is not None or not error.offered:
                    raise
                return self._initialized(opening.mode, error.offered[0])
        except HandshakeError as error:
            raise SubjectError(f"{self.reference}: {error}") from error

    def _initialized(self, mode: Mode, edition: Edition) -> tuple[Subject, Description]:
        subject = self._make()
        try:
            result = _through_text(subject.initialize(initialize_params(mode, edition)))
        except (Exception, SystemExit) as error:
            raise SubjectError(
                f"{self.reference}: initialize raised {_raised(error)}: correct it there."
            ) from error
        return subject, read_handshake(result, mode, edition)

    def _make(self) -> Subject:
        found = self._find()
        try:
            made = found() if callable(found) and _makes(found) else found
        except (Exception, SystemExit) as error:
            raise SubjectError(
                f"{self.reference}: making the subject raised {_raised(error)}: it is called "
                "without arguments, once a mode."
            ) from error
        for method in ("initialize", "run"):
            if not callable(getattr(made, method, None)):
                raise SubjectError(
                    f"{self.reference} has no method {method}: a subject has initialize(params) "
                    "and run(params)."
                )
        return cast("Subject", made)

    def _find(self) -> object:
        module_name, colon, attribute = self.reference.partition(":")
        if not (module_name and colon and attribute):
            raise SubjectError(f"{self.reference!a} names no object: write it as module:attribute.")
        module = self._import(module_name)
        try:
            found: object = getattr(module, attribute)
        except AttributeError as error:
            raise SubjectError(
                f"{self.reference}: the module {module_name} has no {attribute!a}: name a "
                "class, a function or an object that is there."
            ) from error
        if not callable(found) and not hasattr(found, "run"):
            raise SubjectError(
                f"{self.reference} is neither a class nor a subject: it has no method run."
            )
        return found

    def _import(self, module_name: str) -> object:
        folder = os.path.abspath(self.folder or ".")  # noqa: PTH100 (text, for sys.path)
        if folder not in sys.path:
            sys.path.append(folder)
        try:
            return importlib.import_module(module_name)
        except (Exception, SystemExit) as error:
            raise SubjectError(
                f"{self.reference}: importing {module_name} failed with {_raised(error)}: is it "
                f"installed, or in {folder!a}?"
            ) from error


class InProcessSession:
    """A subject in this process. It cannot be stopped: a script that hangs, hangs us."""

    def __init__(
        self,
        subject: Subject,
        description: Description,
        *,
        copies: bool,
        validating: bool = False,
    ) -> None:
        """Wrap a subject that has shaken hands.

        `copies` keeps its values apart from ours by sending both through JSON text.
        """
        self.description = description
        self._subject = subject
        self._copies = copies
        self._validating = validating

    def run(self, ops: Script, *, continue_after_panic: bool = False) -> Answer:
        """Run one script; on a fault the subject is asked once more.

        The script goes on after a panic only where the subject can.
        """
        goes_on = continue_after_panic and self.description.capabilities.continue_after_panic
        first = self._try(ops, continue_after_panic=goes_on)
        if first.fault is None:
            return first
        second = self._try(ops, continue_after_panic=goes_on)
        if second.fault is not None:
            return second
        fault = first.fault
        return Answer(
            second.outcomes,
            Fault(fault.kind, fault.message + _NOT_AGAIN, fault.stderr, repeated=False),
        )

    def run_batch(self, scripts: Sequence[Script]) -> list[Answer]:
        """Run many scripts, one after the other."""
        return [self.run(script) for script in scripts]

    def close(self) -> None:
        """Do nothing: the subject goes with the last reference to it."""

    def _try(self, ops: Script, *, continue_after_panic: bool) -> Answer:
        try:
            return Answer(self._outcomes(ops, continue_after_panic=continue_after_panic))
        except (ShapeError, schema.SchemaError) as error:
            message = (
                f"The adapter's answer has the wrong shape at {error}: give one outcome an "
                "operation, as the protocol says."
            )
            before = error.before if isinstance(error, ShapeError) else []
            return Answer(None, Fault(FaultKind.MALFORMED, message, before=before))
        except JsonError as error:
            message = f"The adapter gave something that is no JSON ({error}): give plain values."
            return Answer(None, Fault(FaultKind.GARBAGE, message))
        except (Exception, SystemExit) as error:  # noqa: BLE001 (whatever it raises is its fault)
            message = (
                f"The adapter's run raised {_raised(error)}: a panic of the implementation is an "
                "outcome; its traceback is below."
            )
            return Answer(None, Fault(FaultKind.CRASH, message, _traceback(error)))

    def _outcomes(self, ops: Script, *, continue_after_panic: bool) -> Outcomes:
        params = run_params(ops, continue_after_panic=continue_after_panic)
        result: Json = self._subject.run(cast("JsonObject", self._apart(params)))
        result = self._apart(result)
        if self._validating:
            response: Json = {"jsonrpc": "2.0", "id": 1, "result": result}
            schema.check_response("run", response)
        return read_outcomes(result, ops, continue_after_panic=continue_after_panic)

    def _apart(self, value: Json) -> Json:
        return _through_text(value) if self._copies else value


def _makes(found: object) -> bool:
    """Say whether this makes a subject, rather than being one."""
    return isinstance(found, type) or not hasattr(found, "run")


def _through_text(value: Json) -> Json:
    return decode(encode(value))


def _raised(error: BaseException) -> str:
    text = ascii(str(error))[1:-1]
    return f"{type(error).__name__}: {text[:200]}"


def _traceback(error: BaseException) -> str:
    return "".join(traceback.format_exception(error))[-16_384:]
