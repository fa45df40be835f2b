"""The built-in reference model as a subject in this process."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import frozen

from contextcert import __version__
from contextcert.adapters.in_process import InProcessSession
from contextcert.refmodel.claim import Claim
from contextcert.refmodel.fresh_ids import seeded_fresh_ids
from contextcert.refmodel.modes import DEFAULT_EDITION, Edition, Mode
from contextcert.refmodel.script import run_script
from contextcert.subject import Capabilities, Description

if TYPE_CHECKING:
    from collections.abc import Mapping

    from contextcert.refmodel.json_value import Json, JsonObject
    from contextcert.subject import Opening, Outcomes, Session


class ModelSubject:
    """The model in one mode; every run gives the same for the same script."""

    def __init__(self, mode: Mode, edition: Edition | None = None) -> None:
        """Make a subject that answers for this build and offers this edition, or else all."""
        self._mode = mode
        self._offered = tuple(Edition) if edition is None else (edition,)
        self._edition = edition or DEFAULT_EDITION

    def initialize(self, params: JsonObject) -> JsonObject:
        """Say who answers, and take on the edition asked for if it is offered.

        Raises:
            ValueError: no protocol is named.
        """
        if type(params.get("protocol")) is not int:
            raise ValueError("protocol is a number")
        for edition in self._offered:
            if edition.value == params.get("edition"):
                self._edition = edition
        return self.description().to_json()

    def run(self, params: JsonObject) -> JsonObject:
        """Run a script on fresh histories; ids made on the way follow a fixed seed.

        Raises:
            ValueError: the parameters are no script.
        """
        outcomes: list[Json] = list(
            self.outcomes(_ops(params), continue_after_panic=_flag(params, "continue_after_panic"))
        )
        return {"outcomes": outcomes}

    def outcomes(self, ops: list[JsonObject], *, continue_after_panic: bool) -> Outcomes:
        """Give the outcomes of a script."""
        return run_script(
            ops,
            mode=self._mode,
            edition=self._edition,
            fresh_ids=seeded_fresh_ids(0),
            continue_after_panic=continue_after_panic,
        )

    def description(self) -> Description:
        """Describe the model."""
        return Description(
            name="contextcert reference model",
            version=__version__,
            language="Python",
            mode=self._mode,
            editions=self._offered,
            claim=Claim.full(),
            capabilities=Capabilities(
                diagnostics=True,
                continue_after_panic=True,
                exact_numbers=True,
                success_flag=True,
                restore_items=self._edition is Edition.NOVEMBER_2026,
            ),
        )


@frozen
class ModelWay:
    """The built-in model."""

    def open(self, opening: Opening) -> Session:
        """Make a model in the mode and edition asked for; it never fails."""
        edition = opening.edition or DEFAULT_EDITION
        subject = ModelSubject(opening.mode, edition)
        # The model shares no mutable value with anyone, so nothing needs to be copied.
        return InProcessSession(subject, opening.described(subject.description()), copies=False)


def _ops(params: Mapping[str, Json]) -> list[JsonObject]:
    ops = params.get("ops")
    if not isinstance(ops, list):
        raise ValueError("ops is a list of operations")
    return [_op(op, index) for index, op in enumerate(ops)]


def _op(op: Json, index: int) -> JsonObject:
    if not isinstance(op, dict) or not isinstance(op.get("op"), str):
        raise ValueError(f"ops/{index} is no object with `op`")
    return op


def _flag(params: Mapping[str, Json], name: str) -> bool:
    value = params.get(name)
    if value is not None and not isinstance(value, bool):
        raise ValueError(f"{name} is true or false")
    return bool(value)
