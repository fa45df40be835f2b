"""The cases of a unit: made from the model's side alone, never from what a subject answers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Final

from contextcert.campaign.budget import Evidence
from contextcert.campaign.case import DEBUG_ALONE, Case
from contextcert.campaign.corpus_scripts import CORPUS, scripts_of
from contextcert.campaign.plan import Listing, Unit
from contextcert.campaign.scope import script_for
from contextcert.campaign.setting import Setting
from contextcert.properties import debug_twin, examples, goes_on, upstream_tests
from contextcert.properties.trial import panics_midway
from contextcert.refmodel import Mode
from contextcert.refmodel.json_value import JsonObject
from contextcert.strategies import (
    Symbol,
    alphabet,
    generate,
    histories,
    listed_lives,
    modality_sets,
    operation_scripts,
    pairing_alphabet,
    projection_script,
    specimen_scripts,
)
from contextcert.subject import Script

GOES_ON_EVERY: Final = 2
"""Of the random scripts, every second that panics midway is also asked to go on (MODE-8)."""


def cases(unit: Unit, setting: Setting) -> Iterator[Case]:
    """Give the cases of a unit, always the same ones in the same order."""
    match unit.evidence:
        case Evidence.EXHAUSTIVE:
            return _listed(unit, setting)
        case Evidence.VECTORS:
            return _pinned(setting)
        case Evidence.RANDOM:
            return _random(unit, setting)


def _listed(unit: Unit, setting: Setting) -> Iterator[Case]:
    match unit.listing:
        case Listing.EVERY:
            return _enumerated(unit, setting, alphabet(setting.scope))
        case Listing.PAIRING:
            return _enumerated(unit, setting, pairing_alphabet(setting.scope))
        case Listing.SPECIMENS:
            return _specimens(unit, setting)
        case Listing.OPERATIONS:
            return _operations(unit, setting)
        case Listing.LIVES:
            return map(Case, islice(listed_lives(setting.scope), unit.start, unit.stop))


def _enumerated(unit: Unit, setting: Setting, symbols: Sequence[Symbol]) -> Iterator[Case]:
    scope = setting.scope
    sets = modality_sets(scope)
    annotated = scope.may("record_annotated_items") and scope.may("for_prompt_annotated")
    asks_debug = Mode.DEBUG in setting.modes
    looking: list[JsonObject] = [{"op": "raw_items"}] if scope.may("raw_items") else []
    for history in histories(symbols, unit.length, start=unit.start, stop=unit.stop):
        items = [symbol.item for symbol in history]
        script = projection_script(items, sets, scope, annotated=annotated)
        yield Case(script)
        if not asks_debug or _twin(script, setting) is None:
            continue
        if setting.goes_on:
            yield Case([*script, *looking], DEBUG_ALONE, goes_on=True)
        else:
            for later in sets[1:]:
                yield Case(projection_script(items, [later], scope), DEBUG_ALONE)


def _specimens(unit: Unit, setting: Setting) -> Iterator[Case]:
    for script in islice(specimen_scripts(setting.scope), unit.start, unit.stop):
        yield from _with_twin(script, setting, 0)


def _operations(unit: Unit, setting: Setting) -> Iterator[Case]:
    listed = operation_scripts(setting.scope, unit.length, start=unit.start, stop=unit.stop)
    return map(Case, listed)


def _pinned(setting: Setting) -> Iterator[Case]:
    for example in (*examples(), *upstream_tests()):
        script = script_for(example, setting.scope)
        if script is not None:
            yield from _with_twin(script, setting, 0)
            if setting.goes_on and goes_on(example):
                yield Case(script, DEBUG_ALONE, goes_on=True)


def _random(unit: Unit, setting: Setting) -> Iterator[Case]:
    for place, script in enumerate(_made(unit, setting), start=unit.start):
        yield from _with_twin(script, setting, place)
        if setting.goes_on and place % GOES_ON_EVERY == 0:
            yield from _going_on(script, setting, place)


def _made(unit: Unit, setting: Setting) -> list[Script]:
    scope, seed, count = setting.scope, setting.campaign.seed, unit.stop - unit.start
    corpus = setting.campaign.corpus
    if unit.group == CORPUS and corpus is not None:
        return list(scripts_of(corpus, scope, seed=seed, count=count, start=unit.start))
    return list(generate(unit.group, scope, seed=seed, count=count, start=unit.start))


def _going_on(script: Script, setting: Setting, place: int) -> Iterator[Case]:
    if panics_midway(script, edition=setting.edition):
        yield Case(script, DEBUG_ALONE, place, goes_on=True)


def _with_twin(script: Script, setting: Setting, place: int) -> Iterator[Case]:
    yield Case(script, place=place)
    if Mode.DEBUG in setting.modes and (twin := _twin(script, setting)) is not None:
        yield Case(twin, DEBUG_ALONE, place)


def _twin(script: Script, setting: Setting) -> Script | None:
    return debug_twin(script, edition=setting.edition)
