"""Puts scripts to open sessions and raises what the judge finds, for tests of a subject.

Every clause has its own exception, so one run names all that are broken, each with the smallest
script that Hypothesis shrinks it to.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Final

import orjson
from attrs import evolve, frozen

from contextcert.properties.examples import Example, goes_on
from contextcert.properties.judge import Judge
from contextcert.properties.judgement import Judgement
from contextcert.properties.own_cursors import reads_on, with_own_cursors
from contextcert.properties.twins import debug_twin
from contextcert.properties.violations import VIOLATIONS, Violation
from contextcert.refmodel.json_value import JsonObject
from contextcert.refmodel.modes import DEFAULT_EDITION, Edition, Mode
from contextcert.refmodel.script import run_script
from contextcert.strategies import Scope, generate, smallest_script
from contextcert.subject import Fault, Script, Session

REPLAY: Final = "a file for contextcert replay: "
"""What stands before the script of a violation, in a note of its exception."""

SHARDS: Final = 8
"""How many parts a test comes in, so that pytest's `-n` can spread it."""

Condition = Callable[[Script], bool]
Shrink = Callable[[Script, Condition], Script | None]
"""Gives the smallest script that meets a condition, beginning with one that does."""


class FaultError(AssertionError):
    """The adapter did not answer a script."""


class UnattributedError(AssertionError):
    """The outcomes differ from the model's, and no check explains it."""


@frozen
class Trial:
    """Sessions in one mode or both, and who judges them.

    `goes_on` asks the sessions to go on after a panic (MODE-8), as far as they can.
    """

    sessions: Mapping[Mode, Session]
    judge: Judge
    goes_on: bool = False

    def judgement(self, script: Script) -> Judgement:
        """Ask every session and judge the answers.

        Where a transcript is rendered, its readers go on from the cursors that they were given.

        Raises:
            FaultError: a session did not answer.
        """
        script = self._asked(script)
        answers: dict[Mode, list[JsonObject]] = {}
        for mode, session in self.sessions.items():
            answer = session.run(script, continue_after_panic=self.goes_on)
            if answer.outcomes is None or answer.fault is not None:
                raise self._noted(_fault(mode, answer.fault), script, mode)
            answers[mode] = answer.outcomes
        return self.judge.judge(script, answers, continue_after_panic=self.goes_on)

    def _asked(self, script: Script) -> Script:
        capabilities = self.judge.capabilities.values()
        if not any(one.coarse_transcript for one in capabilities) or not reads_on(script):
            return script
        session = self.sessions.get(Mode.RELEASE) or next(iter(self.sessions.values()))
        given = session.run(script, continue_after_panic=self.goes_on).outcomes or []
        return with_own_cursors(script, given, self.judge.edition)

    def require(self, scripts: Iterable[Script], shrink: Shrink | None = None) -> None:
        """Judge scripts to the last one, and raise the first violation of every clause.

        Without `shrink` the scripts are taken to come smallest first.

        Raises:
            ExceptionGroup: violations, one exception a clause, each with a replay file in a note.
        """
        found: dict[str, AssertionError] = {}
        for script in scripts:
            judgement = self.judgement(script)
            for violation in judgement.violations:
                if violation.clause not in found:
                    found[violation.clause] = self._smallest(violation, script, shrink)
            if judgement.unattributed and "unattributed" not in found:
                error = UnattributedError(str(judgement.unattributed[0]))
                mode = judgement.unattributed[0].mode
                found["unattributed"] = self._noted(error, script, mode)
        if found:
            raise ExceptionGroup(f"violated: {', '.join(found)}", list(found.values()))

    def require_example(self, example: Example, script: Script) -> None:
        """Judge the script of a pinned example, and debug's going on where it asks for that.

        Raises:
            ExceptionGroup: as `require` does.
        """
        self.require([script])
        if goes_on(example) and self.can_go_on:
            debug = {Mode.DEBUG: self.sessions[Mode.DEBUG]}
            evolve(self, sessions=debug, goes_on=True).require([script])

    @property
    def can_go_on(self) -> bool:
        """Whether there is a debug build that can be asked to go on after a panic."""
        return Mode.DEBUG in self.sessions and (
            self.judge.capabilities[Mode.DEBUG].continue_after_panic
        )

    def _smallest(
        self, violation: Violation, script: Script, shrink: Shrink | None
    ) -> AssertionError:
        if shrink is not None:
            smaller = shrink(script, lambda one: self._first(one, violation) is not None)
            again = None if smaller is None else self._first(smaller, violation)
            if smaller is not None and again is not None:
                violation, script = again, smaller
        error = VIOLATIONS[violation.clause](violation)
        return self._noted(error, script, violation.mode, violation.clause)

    def _noted(
        self, error: AssertionError, script: Script, mode: Mode, clause: str | None = None
    ) -> AssertionError:
        """Note what `contextcert replay -` takes on its standard input."""
        replay: JsonObject = {} if clause is None else {"clause": clause}
        replay |= {"mode": mode.value, "edition": self.judge.edition.value}
        if self.goes_on:
            replay["continue_after_panic"] = True
        replay["ops"] = list(self._asked(script))
        error.add_note(f"{REPLAY}{orjson.dumps(replay).decode()}")
        return error

    def _first(self, script: Script, like: Violation) -> Violation | None:
        """Give the first violation of a clause in a mode that a script shows."""
        for one in self.judgement(script).violations:
            if one.clause == like.clause and one.mode is like.mode:
                return one
        return None


def shard_of(count: int, shard: int) -> range:
    """Give the indices of one of the parts of so many things."""
    return range(count * shard // SHARDS, count * (shard + 1) // SHARDS)


def require_random(trial: Trial, group: str, scope: Scope, seed: int, indices: range) -> None:
    """Require the random scripts of a group with these indices, and debug's twins of them.

    Where debug can go on after a panic, those that panic midway are required once more that way.

    Raises:
        ExceptionGroup: as `Trial.require` does.
    """
    smallest = partial(
        smallest_script,
        group,
        scope,
        seed=seed,
        start=indices.start,
        max_examples=len(indices),
    )
    made = generate(group, scope, seed=seed, count=len(indices), start=indices.start)
    require_scripts(trial, made, scope, lambda _script, condition: smallest(condition))


def require_scripts(trial: Trial, made: Sequence[Script], scope: Scope, shrink: Shrink) -> None:
    """Require scripts, and debug's twins of them.

    Where debug can go on after a panic, those that panic midway are required once more that way.

    Raises:
        ExceptionGroup: as `Trial.require` does.
    """
    trial.require(made, shrink)
    if Mode.DEBUG in trial.sessions:
        debug = evolve(trial, sessions={Mode.DEBUG: trial.sessions[Mode.DEBUG]})
        twins = (debug_twin(script, edition=scope.edition) for script in made)
        debug.require(twin for twin in twins if twin is not None)
        if trial.can_go_on:
            going_on = evolve(debug, goes_on=True)
            going_on.require(
                (script for script in made if panics_midway(script, edition=scope.edition)), shrink
            )


def panics_midway(script: Script, *, edition: Edition = DEFAULT_EDITION) -> bool:
    """Say whether debug must panic in a script before its last operation (MODE-8)."""
    if not any("input_modalities" in op for op in script):
        return False
    return len(run_script(script, mode=Mode.DEBUG, edition=edition)) < len(script)


def _fault(mode: Mode, fault: Fault | None) -> AssertionError:
    reason = "no outcomes" if fault is None else f"{fault.kind.value}: {fault.message}"
    return FaultError(f"the {mode.value} build did not answer: {reason}")
