"""Write the kill matrix into docs and its summary into the README: `python -m kill_matrix`.

With `--seeds 12` the faults are hunted by random scripts alone on twelve seeds instead, with
`--only` the table of some faults is printed and nothing is written. Exit code 1 where a bar is
missed.
"""

from __future__ import annotations

import argparse
import platform
import re
import shlex
import sys
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from datetime import UTC, datetime
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Final, TypeVar

import hypothesis
from zoo.faulty import FAULTS

from contextcert import __version__
from contextcert.campaign.budget import Budget
from contextcert.strategies import groups_of
from kill_matrix.bars import as_lines, bars
from kill_matrix.evidence import Library
from kill_matrix.rows import Row, row
from kill_matrix.seeds import as_seeds, seeded
from kill_matrix.summary import Asking, as_markdown, as_readme
from kill_matrix.table import as_table

ROOT: Final = Path(__file__).resolve().parents[2]
MARKED: Final = re.compile(
    "(?<=<!-- kill matrix -->\n).*(?=<!-- end of kill matrix -->)", re.DOTALL
)

Told = TypeVar("Told")


def main() -> int:
    """Hunt every fault and write what was found; 1 where a bar is missed."""
    options = _options()
    if options.seeds:
        _write_seeds(options)
        return 0
    library = Library(_budget(options.random), options.seed)
    rows = _rows(options.only or sorted(FAULTS), library, options.workers)
    if options.only:
        sys.stdout.write(as_table(rows))
        return 0
    asking = _asking(options, library)
    docs = _docs(options)
    (docs / "kill-matrix.tsv").write_text(as_table(rows), encoding="utf-8")
    (docs / "kill-matrix.md").write_text(as_markdown(rows, asking), encoding="utf-8")
    _write_readme(options.root / "README.md", as_readme(rows, asking))
    told = [*bars(rows)]
    sys.stdout.write("\n".join(as_lines(told)) + "\n")
    return 0 if all(bar.met for bar in told) else 1


def _docs(options: argparse.Namespace) -> Path:
    docs: Path = options.root / "docs"
    docs.mkdir(parents=True, exist_ok=True)
    return docs


def _options() -> argparse.Namespace:
    options = argparse.ArgumentParser("kill_matrix", description=__doc__)
    options.add_argument("--seed", type=int, default=20)
    options.add_argument("--seeds", type=int, help="so many seeds from 0 on, random scripts alone")
    options.add_argument("--random", type=int, default=300, help="random scripts in each group")
    options.add_argument("--workers", type=int, default=2)
    options.add_argument("--only", nargs="*", help="print the table of these faults")
    options.add_argument(
        "--root",
        type=Path,
        default=ROOT,
        help="the folder of docs, and of README.md if it is there",
    )
    return options.parse_args()


def _budget(random_count: int) -> Budget:
    return Budget("matrix", 2, 3, random_count, floor=1, operations_length=2)


def _rows(names: list[str], library: Library, workers: int) -> list[Row]:
    """Share faults out by ones; a row depends on its fault alone, so the order is all there is."""
    with ProcessPoolExecutor(workers, get_context("spawn")) as pool:
        found = pool.map(partial(row, library=library), names, chunksize=4)
        return list(_counted(found, len(names)))


def _write_seeds(options: argparse.Namespace) -> None:
    """Hunt on each seed in a process of its own, which keeps that seed's scripts alone."""
    budget, seeds = _budget(options.random), range(options.seeds)
    with ProcessPoolExecutor(options.workers, get_context("spawn"), max_tasks_per_child=1) as pool:
        told = list(_counted(pool.map(partial(seeded, budget=budget), seeds), len(seeds)))
    groups = len(groups_of(Library(budget, 0).setting.scope))
    made_of = f"{_versions()}, {options.random} random scripts in each of {groups} groups"
    text = as_seeds(told, command=_command(), date=_today(), made_of=made_of)
    (_docs(options) / "kill-seeds.md").write_text(text, encoding="utf-8")


def _counted(told: Iterable[Told], total: int) -> Iterator[Told]:
    """Say on standard error how far it is."""
    for place, one in enumerate(told, start=1):
        sys.stderr.write(f"\r{place} of {total}")
        yield one
    sys.stderr.write("\n")


def _write_readme(file: Path, told: str) -> None:
    if not file.exists():
        return
    text = file.read_text(encoding="utf-8")
    file.write_text(MARKED.sub(lambda _: f"\n{told}\n\n", text), encoding="utf-8")


def _asking(options: argparse.Namespace, library: Library) -> Asking:
    return Asking(
        command=_command(),
        date=_today(),
        seed=options.seed,
        random_count=options.random,
        groups=len(groups_of(library.setting.scope)),
        versions=_versions(),
    )


def _command() -> str:
    return "cd tests && " + shlex.join(["python", "-m", "kill_matrix", *sys.argv[1:]])


def _today() -> str:
    return datetime.now(UTC).date().isoformat()


def _versions() -> str:
    return (
        f"contextcert {__version__}, Hypothesis {hypothesis.__version__}, "
        f"Python {platform.python_version()}"
    )


if __name__ == "__main__":
    sys.exit(main())
