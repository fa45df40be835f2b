"""What a run found, in words, as JSON and as a page."""

# ruff: noqa: INP001 (a program, not part of the package)

from __future__ import annotations

import json
import platform
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

from attrs import frozen
from equivalents import Equivalent
from mutant import Mutant
from oracle import Oracle, Trial, Verdict
from page import page

BAR: Final = 0.97


@frozen(kw_only=True)
class Report:
    """The verdict on every mutant, and what is listed about them."""

    trials: Mapping[Mutant, Trial]
    equivalents: Mapping[Mutant, Equivalent]
    stale: Sequence[str]
    oracle: Oracle
    seed: int

    @property
    def judged(self) -> list[Mutant]:
        """The mutants that are to be noticed."""
        return [one for one in self.trials if one not in self.equivalents]

    @property
    def survivors(self) -> list[Mutant]:
        """Those of them that were not."""
        return [one for one in self.judged if not self.trials[one].verdict.noticed]

    @property
    def score(self) -> float:
        """The share of the judged mutants that was noticed."""
        return 1 - len(self.survivors) / max(1, len(self.judged))

    @property
    def hangs(self) -> int:
        """How many were noticed because they hang."""
        return self._number(Verdict.HANGS)

    @property
    def questioned(self) -> int:
        """How many only questions notice that are no evidence."""
        return self._number(Verdict.QUESTIONED)

    def _number(self, verdict: Verdict) -> int:
        return sum(one.verdict is verdict for one in self.trials.values())

    @property
    def seconds(self) -> float:
        """The processor time of all mutants."""
        return sum(one.seconds for one in self.trials.values())

    @property
    def longest(self) -> float:
        """The processor time of the slowest of them."""
        return max(one.seconds for one in self.trials.values())

    @property
    def passes(self) -> bool:
        """Say whether the bar is met, by a list that is true."""
        return self.score >= BAR and not self.stale

    def text(self) -> str:
        """Tell it in lines: what survived, what is stale, and the figures."""
        lines = [f"{self.trials[one].verdict.value}: {one}" for one in self.survivors]
        lines += [f"equivalent.toml {complaint}" for complaint in self.stale]
        lines.append(
            f"{len(self.trials)} mutants, {len(self.equivalents)} equivalent, "
            f"{len(self.survivors)} survived: {self.score:.2%} of {len(self.judged)} noticed "
            f"({self.questioned} by no evidence, {self.hangs} by a hang), bar {BAR:.0%}; "
            f"{self.seconds:.0f} s of processor time, {self.longest:.1f} s at most for a mutant"
        )
        return "\n".join(lines)

    def write(self, folder: Path) -> None:
        """Write mutation.json and mutation.md."""
        found = self._as_json()
        text = json.dumps(found, ensure_ascii=False, indent=1)
        (folder / "mutation.json").write_text(text + "\n", "utf-8")
        (folder / "mutation.md").write_text(page(found), "utf-8")

    def _as_json(self) -> dict[str, Any]:
        reasons: dict[str, list[Mutant]] = {}
        for mutant, entry in self.equivalents.items():
            reasons.setdefault(entry.because, []).append(mutant)
        return {
            "date": datetime.now(UTC).date().isoformat(),
            "command": f"python benchmarks/mutation --seed {self.seed} --out docs",
            "python": platform.python_version(),
            "cosmic_ray": version("cosmic-ray"),
            "scripts": len(self.oracle.cases),
            "other_questions": self.oracle.others,
            "seconds_on_the_true_model": round(self.oracle.cost.whole, 2),
            "seconds_for_one_script_on_it": round(self.oracle.cost.longest, 3),
            "bound_for_a_mutant": self.oracle.bounds.whole,
            "bound_for_one_script": round(self.oracle.bounds.hang, 2),
            "seconds": round(self.seconds),
            "seconds_at_most_for_a_mutant": round(self.longest, 2),
            "mutants": len(self.trials),
            "equivalent": len(self.equivalents),
            "noticed": len(self.judged) - len(self.survivors),
            "of_them_by_a_hang": self.hangs,
            "of_them_by_other_questions_alone": self.questioned,
            "score": round(self.score, 4),
            "bar": BAR,
            "modules": list(self._modules()),
            "survivors": [str(one) for one in self.survivors],
            "equivalents": [
                {"because": reason, "mutants": [str(one) for one in alike]}
                for reason, alike in reasons.items()
            ],
        }

    def _modules(self) -> Iterator[dict[str, Any]]:
        whole = Counter(one.module for one in self.trials)
        equivalent = Counter(one.module for one in self.equivalents)
        survived = Counter(one.module for one in self.survivors)
        for module, number in whole.items():
            yield {
                "module": module,
                "mutants": number,
                "equivalent": equivalent[module],
                "survived": survived[module],
            }
