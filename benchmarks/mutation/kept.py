"""What is known of mutants from a run that was broken off."""

# ruff: noqa: INP001 (a program, not part of the package)

from __future__ import annotations

import json
from collections.abc import Mapping
from hashlib import blake2b
from pathlib import Path
from typing import Any

from mutant import Mutant
from oracle import Oracle, Trial, Verdict


class Kept:
    """A file with one JSON line a trial.

    A mutant of the same text stays noticed; that it survived holds for the same questions only.
    """

    def __init__(self, file: Path | None, oracle: Oracle) -> None:
        """Read the file, if one is named and there."""
        self._file = file
        self._texts = oracle.sources.texts
        self._asked = blake2b(b"".join(oracle.truth), digest_size=12).hexdigest()
        lines = file.read_text("utf-8").splitlines() if file is not None and file.exists() else []
        rows: list[Mapping[str, Any]] = [json.loads(line) for line in lines]
        self._trials = {
            row["key"]: Trial(Verdict(row["verdict"]), row["seconds"])
            for row in rows
            if Verdict(row["verdict"]).noticed
            or (row["verdict"] == Verdict.SURVIVED.value and row["asked"] == self._asked)
        }

    def trial(self, mutant: Mutant) -> Trial | None:
        """Give an earlier trial that need not be made again."""
        return self._trials.get(self._key(mutant))

    def keep(self, mutant: Mutant, trial: Trial) -> None:
        """Add a trial to the file at once."""
        if self._file is None:
            return
        row = {
            "key": self._key(mutant),
            "asked": self._asked,
            "verdict": trial.verdict.value,
            "seconds": trial.seconds,
            "mutant": str(mutant),
        }
        with self._file.open("a", encoding="utf-8") as file:
            file.write(json.dumps(row) + "\n")

    def _key(self, mutant: Mutant) -> str:
        text = f"{self._texts[mutant.module]}\0{mutant!r}"
        return blake2b(text.encode(), digest_size=12).hexdigest()
