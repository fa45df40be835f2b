"""What a campaign was asked for, and what it became once the subject had described itself."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from attrs import evolve, field, frozen

from contextcert.campaign.budget import ALL_EVIDENCE, Budget, Evidence
from contextcert.campaign.probe import Refusals
from contextcert.corpus import Corpus
from contextcert.properties import Judge, Model
from contextcert.refmodel import Claim, Edition, Mode, run_script_in_both_modes
from contextcert.strategies import Scope
from contextcert.subject import Capabilities, Description, SubjectError

_READ_ITEMS: Final = frozenset({"raw_items", "raw_envelopes"})
_LIVES: Final = frozenset({"recording", "changes"})


@frozen
class Campaign:
    """What was asked for; `profiles` narrows the subject's claim, and None leaves it as it is.

    `corpus` holds recorded sessions, to be mixed into random evidence.
    """

    budget: Budget
    seed: int = 0
    evidence: tuple[Evidence, ...] = ALL_EVIDENCE
    clauses: frozenset[str] | None = None
    profiles: frozenset[str] | None = None
    fail_fast: bool = False
    corpus: Corpus | None = None


@frozen
class Setting:
    """What every worker has to know; it travels to them once."""

    campaign: Campaign
    edition: Edition
    claim: Claim
    capabilities: Mapping[Mode, Capabilities]
    scope: Scope
    refused: Mapping[Mode, Refusals] = field(factory=dict)

    @property
    def modes(self) -> tuple[Mode, ...]:
        """The builds that are there to be asked."""
        return tuple(self.capabilities)

    @property
    def goes_on(self) -> bool:
        """Whether there is a debug build that can be asked to go on after a panic."""
        debug = self.capabilities.get(Mode.DEBUG)
        return debug is not None and debug.continue_after_panic

    @property
    def renders(self) -> bool:
        """Whether the entries of a transcript are not the items, but made of them."""
        return any(one.coarse_transcript for one in self.capabilities.values())

    def judge(self, model: Model = run_script_in_both_modes) -> Judge:
        """Give a judge of this edition and claim."""
        return Judge(
            edition=self.edition,
            claim=self.claim,
            capabilities=self.capabilities,
            clauses=self.campaign.clauses,
            model=model,
            prompts_show_items=self.sees_prompts_alone,
        )

    @property
    def sees_prompts_alone(self) -> bool:
        """Whether what becomes of a history is claimed, and no build shows it but in prompts."""
        refused = [each.keys() >= _READ_ITEMS for each in self.refused.values()]
        return any(refused) and all(refused) and not _LIVES.isdisjoint(self.claim.profiles)

    def without(self, refused: Mapping[Mode, Refusals]) -> Setting:
        """Generate nothing that any of the builds cannot do."""
        missing = {name for refusals in refused.values() for name in refusals}
        scope = evolve(self.scope, operations=self.scope.operations - missing)
        return evolve(self, scope=scope, refused=refused)

    @classmethod
    def of(
        cls, campaign: Campaign, edition: Edition, descriptions: Mapping[Mode, Description]
    ) -> Setting:
        """Narrow what is generated to what every build has, and what is judged to the claim.

        Raises:
            SubjectError: nothing is left to generate or to judge.
        """
        claim = _narrowed(common_claim([one.claim for one in descriptions.values()]), campaign)
        _require_something(claim, campaign)
        capabilities = {mode: one.capabilities for mode, one in descriptions.items()}
        return cls(
            campaign=campaign,
            edition=edition,
            claim=claim,
            capabilities=capabilities,
            scope=Scope(
                claim=claim,
                edition=edition,
                exact_numbers=all(one.exact_numbers for one in capabilities.values()),
                success_flag=all(one.success_flag for one in capabilities.values()),
                restore_items=all(one.restore_items for one in capabilities.values()),
            ),
        )


def common_claim(claims: list[Claim]) -> Claim:
    """Give what all of the claims have in common."""
    first, *others = claims
    return Claim(
        profiles=first.profiles.intersection(*(one.profiles for one in others)),
        item_types=first.item_types.intersection(*(one.item_types for one in others)),
        modalities=first.modalities.intersection(*(one.modalities for one in others)),
    )


def _require_something(claim: Claim, campaign: Campaign) -> None:
    if not claim.item_types:
        raise SubjectError(
            "The subject claims no item types, so there is nothing to ask it: let its claim name "
            "at least one, such as message."
        )
    if campaign.clauses is not None and not any(map(claim.covers, campaign.clauses)):
        raise SubjectError(
            f"--clause asks for {', '.join(sorted(campaign.clauses))}, which the subject does not "
            f"claim; it claims {', '.join(sorted(claim.profiles)) or 'no profile'}."
        )


def _narrowed(claim: Claim, campaign: Campaign) -> Claim:
    if campaign.profiles is None:
        return claim
    if unclaimed := campaign.profiles - claim.profiles:
        raise SubjectError(
            f"--claim asks for {', '.join(sorted(unclaimed))}, which the subject does not claim; "
            f"it claims {', '.join(sorted(claim.profiles))}."
        )
    return evolve(claim, profiles=campaign.profiles)
