"""What judging one script gave."""

from __future__ import annotations

from collections.abc import Mapping

from attrs import field, frozen

from contextcert.properties.violations import VIOLATIONS, Difference, Violation
from contextcert.refmodel.modes import Mode


@frozen
class Judgement:
    """Every check's word on one script, in both modes.

    `exercised` counts, per clause and mode, how often the clause's precondition truly occurred
    (0 entries are left out). `unattributed` holds, per mode, the first difference from the model
    that no check explains. `unobservable` says why a clause could not be seen here; a clause that
    is also exercised was seen elsewhere in the script. `unasked` are violations of claimed clauses
    that this judge was not asked for.
    """

    exercised: Mapping[tuple[str, Mode], int] = field(factory=dict)
    violations: tuple[Violation, ...] = ()
    unattributed: tuple[Difference, ...] = ()
    unobservable: Mapping[tuple[str, Mode], str] = field(factory=dict)
    unasked: tuple[Violation, ...] = ()

    @property
    def clean(self) -> bool:
        """Whether nothing was found at all."""
        return not self.violations and not self.unattributed

    def raise_first(self) -> None:
        """Raise the first violation as its clause's own exception.

        Raises:
            ClauseViolation: there is a violation.
            AssertionError: there is a difference that no check explains.
        """
        if self.violations:
            first = self.violations[0]
            raise VIOLATIONS[first.clause](first)
        if self.unattributed:
            raise AssertionError(f"unattributed: {self.unattributed[0]}")
