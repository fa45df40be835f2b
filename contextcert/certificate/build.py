"""Makes a certificate of what a campaign came to."""

from __future__ import annotations

import platform
from importlib.metadata import version

from contextcert import __version__
from contextcert.campaign import Result
from contextcert.campaign.plan import (
    listed_lives_count,
    operations_count,
    random_groups,
    specimen_count,
)
from contextcert.campaign.setting import Setting
from contextcert.certificate.values import (
    Alphabet,
    Build,
    Certificate,
    CertifiedFault,
    Evidenced,
    Judged,
    RecordedSessions,
    Run,
    Suite,
    Unattributed,
)
from contextcert.certificate.verdicts import clause_verdicts
from contextcert.corpus import Corpus
from contextcert.refmodel import CLAUSES
from contextcert.strategies import (
    Scope,
    Symbol,
    alphabet,
    alphabet_digest,
    operation_alphabet,
    pairing_alphabet,
)


def this_suite() -> Suite:
    """Say what judges here."""
    return Suite(__version__, version("hypothesis"), platform.python_version())


def certificate_of(result: Result, run: Run | None = None) -> Certificate:
    """Write down a result; `run` holds what differs from one run to the next."""
    first = next(iter(result.descriptions.values()))
    tally = result.tally
    return Certificate(
        suite=this_suite(),
        subject=Judged(first.name, first.version, first.language, first.homepage),
        edition=result.setting.edition,
        claim=result.setting.claim,
        builds={
            mode: Build(
                one.claim,
                one.capabilities,
                one.notes,
                dict(result.setting.refused.get(mode, {})),
            )
            for mode, one in result.descriptions.items()
        },
        evidence=_evidenced(result.setting, tally.cases),
        clauses=clause_verdicts(result),
        faults=tuple(
            CertifiedFault(one.mode, one.kind, one.message, one.repeated, one.script, one.goes_on)
            for one in tally.faults
        ),
        fault_count=tally.fault_count,
        unattributed=tuple(
            Unattributed(
                mode=one.mode,
                operation=one.operation,
                path=one.path,
                expected=one.expected,
                actual=one.actual,
                script=one.script,
                continue_after_panic=one.goes_on,
            )
            for one in tally.differences
        ),
        unattributed_count=tally.difference_count,
        unasked={clause: tally.unasked[clause] for clause in CLAUSES if clause in tally.unasked},
        stopped=tally.stopped,
        run=run,
    )


def _evidenced(setting: Setting, cases: int) -> Evidenced:
    campaign = setting.campaign
    budget = campaign.budget
    asked = campaign.clauses
    return Evidenced(
        budget=budget.name,
        exhaustive_length=budget.exhaustive_length,
        pairing_length=budget.pairing_length,
        operations_length=budget.operations_length,
        random_count=budget.random_count,
        floor=budget.floor_for(campaign.evidence),
        seed=campaign.seed,
        evidence=tuple(one.value for one in campaign.evidence),
        groups=random_groups(setting),
        clauses=None if asked is None else tuple(one for one in CLAUSES if one in asked),
        fail_fast=campaign.fail_fast,
        alphabet=_alphabet(alphabet(setting.scope)),
        pairing_alphabet=_alphabet(pairing_alphabet(setting.scope)),
        operation_alphabet=_alphabet(_operations(setting.scope)),
        specimens=specimen_count(setting),
        operation_scripts=operations_count(setting),
        listed_lives=listed_lives_count(setting),
        cases=cases,
        corpus=None if campaign.corpus is None else _sessions(campaign.corpus),
    )


def _sessions(corpus: Corpus) -> RecordedSessions:
    return RecordedSessions(corpus.sha256, len(corpus.sessions), corpus.items, corpus.shows_text)


def _operations(scope: Scope) -> tuple[Symbol, ...]:
    """Name the listed operations as the items are named, so that one digest serves for both."""
    return tuple(Symbol(one.name, one.operation) for one in operation_alphabet(scope))


def _alphabet(symbols: tuple[Symbol, ...]) -> Alphabet:
    return Alphabet(len(symbols), alphabet_digest(symbols))
