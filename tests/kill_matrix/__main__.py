"""Write the kill matrix: in tests, `python -m kill_matrix --out ../docs`."""

from __future__ import annotations

import argparse
import json
import platform
import sys
from concurrent.futures import ProcessPoolExecutor
from datetime import UTC, datetime
from functools import partial
from multiprocessing import get_context
from pathlib import Path

import hypothesis
from zoo.faulty import FAULTS

from contextcert import __version__
from contextcert.campaign.budget import Budget
from contextcert.strategies import groups_of
from kill_matrix.evidence import Library
from kill_matrix.rows import Row, row
from kill_matrix.summary import Asking, as_json, as_markdown


def main() -> None:
    """Hunt every fault and write what was found."""
    options = _options()
    names = options.only or sorted(FAULTS)
    library = Library(_budget(options.random), options.seed)
    rows = _rows(names, library, options.workers, over_pipes=options.stdio)
    asking = _asking(options, library)
    folder = Path(options.out)
    text = json.dumps(as_json(rows, asking), ensure_ascii=False, indent=0)
    (folder / "kill-matrix.json").write_text(text + "\n", encoding="utf-8")
    (folder / "kill-matrix.md").write_text(as_markdown(rows, asking), encoding="utf-8")


def _options() -> argparse.Namespace:
    options = argparse.ArgumentParser("kill_matrix", description=__doc__)
    options.add_argument("--seed", type=int, default=20)
    options.add_argument("--random", type=int, default=300, help="random scripts in each group")
    options.add_argument("--workers", type=int, default=2)
    options.add_argument("--stdio", action="store_true", help="run every witness over pipes too")
    options.add_argument("--only", nargs="*", help="these faults and no others")
    options.add_argument("--out", default=".", help="the folder to write into")
    return options.parse_args()


def _budget(random_count: int) -> Budget:
    return Budget("matrix", 2, 3, random_count, floor=1, operations_length=2)


def _rows(names: list[str], library: Library, workers: int, *, over_pipes: bool) -> list[Row]:
    """Share faults out by ones; a row depends on its fault alone, so the order is all there is."""
    hunted = partial(row, library=library, over_pipes=over_pipes)
    with ProcessPoolExecutor(workers, get_context("spawn")) as pool:
        made = []
        for place, told in enumerate(pool.map(hunted, names, chunksize=4), start=1):
            made.append(told)
            sys.stderr.write(f"\r{place} of {len(names)}")
    sys.stderr.write("\n")
    return made


def _asking(options: argparse.Namespace, library: Library) -> Asking:
    random = f"--seed {options.seed} --random {options.random}"
    stdio = " --stdio" if options.stdio else ""
    return Asking(
        command=f"cd tests && python -m kill_matrix {random}{stdio} --out {options.out}",
        date=datetime.now(UTC).date().isoformat(),
        seed=options.seed,
        random_count=options.random,
        groups=len(groups_of(library.setting.scope)),
        versions=f"contextcert {__version__}, Hypothesis {hypothesis.__version__}, "
        f"Python {platform.python_version()}",
    )


if __name__ == "__main__":
    main()
