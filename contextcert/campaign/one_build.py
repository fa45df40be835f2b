"""MODE-5 where one build is judged alone: how often it gave the prompt that the model gives.

Both builds that always give the model's prompt give the same one, so what each of them is counted
for apart can be put together later.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from attrs import define, field

from contextcert.campaign.case import PROJECTIONS
from contextcert.properties import Sight
from contextcert.refmodel import Edition, FreshIds, Mode, run_script_in_both_modes
from contextcert.refmodel.json_value import JsonObject
from contextcert.subject import Capabilities, Script

BETWEEN_MODES_CLAUSE: Final = "MODE-5"


@define
class Witness:
    """Stands in the model's place before a judge, and remembers what the model gave last."""

    mode: Mode
    sight: Sight
    _ops: Script = ()
    _given: Mapping[Mode, Sequence[JsonObject]] = field(factory=dict)

    @classmethod
    def of(cls, capabilities: Mapping[Mode, Capabilities]) -> Witness | None:
        """Give a witness for a build that is alone, and None where there are both."""
        if len(capabilities) != 1:
            return None
        ((mode, shown),) = capabilities.items()
        return cls(mode, Sight.of(shown))

    def __call__(
        self,
        ops: Script,
        /,
        *,
        edition: Edition,
        fresh_ids: FreshIds | None = None,
        continue_after_panic: bool = False,
    ) -> Mapping[Mode, list[JsonObject]]:
        """Run the model."""
        given = run_script_in_both_modes(
            ops, edition=edition, fresh_ids=fresh_ids, continue_after_panic=continue_after_panic
        )
        self._ops, self._given = ops, given
        return given

    def equal_prompts(self, script: Script, outcomes: Sequence[JsonObject]) -> int:
        """Count the projections without an anomaly that equal those of the model's last run.

        The model's debug build gives a prompt exactly where there is no anomaly.
        """
        expected = zip(self._ops, self._given[Mode.DEBUG], self._given[self.mode], strict=False)
        # A judge may have put other operations between the projections.
        wanted = [(clean, one) for op, clean, one in expected if op.get("op") in PROJECTIONS]
        shown = zip(script, outcomes, strict=False)
        given = [outcome for op, outcome in shown if op.get("op") in PROJECTIONS]
        return sum(
            "ok" in clean and self.sight.same_outcome(one, outcome)
            for (clean, one), outcome in zip(wanted, given, strict=False)
        )
