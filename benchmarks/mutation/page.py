"""The page that tells what a run found."""

# ruff: noqa: INP001 (a program, not part of the package)

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

TEXT = """\
# Blind mutation of the reference model

What would pass unnoticed if `refmodel/` were slightly wrong? Every small change that
[cosmic-ray](https://cosmic-ray.readthedocs.io/) can make to it is made, one at a time, and the
changed model is asked what the suite asks a subject. An answer that is not the true model's
notices the change.

    pip install -e '.[mutation]'
    {command}

On {date} (Python {python}, cosmic-ray {cosmic_ray}) **{noticed} of {judged} mutants were noticed,
{score:.2%}** (bar {bar:.0%}): {hangs} of them by a hang, and {questioned} by none of the evidence
that subjects meet, but by other questions. {equivalent} more are equivalent. {survived} It took
{seconds} s of processor time, which two processes share, and {longest:.1f} s at most for a mutant.

## How it is asked

* **The evidence**: {scripts} scripts, all of them what a campaign tries on a subject too: pinned
  examples and named upstream tests, all listed lives, odd and malformed items, scripts of two
  operations, small histories, and random scripts of every group under one seed, in both editions
  and both modes; one in five by itself in each mode. Early scripts come from everywhere, so that
  most mutants are noticed within the first hundreds.
* **Other questions**: {other_questions}, about what no subject is judged on and the model's own
  tests hold it to: claims and clauses, equality and patches of values, integers beyond 64 bits and
  deep nesting, the end of the version (VER-2), operations that cannot be read (DESIGN 3), media
  that cannot be decoded (E11-5), elements that are no plain hook prompt (4.4), the form of fresh
  ids (E11-2), and that no outcome shares a value with another (SNAP-2).
* **What counts**: outcomes, exactly, but for what an error says. Ids that recording gives come from
  a source of the oracle's own.
* **A process for each mutant**, forked from one that has imported everything but the model. The
  mutant exists in its memory alone: no file is written, the working tree least of all.
* **Bounds**, in processor time: a script hangs, and that is noticed, when it takes {hang:.1f} s, at
  least twenty times what any takes on the true model ({one_script:.3f} s). All questions together
  may take {bound} s, where the true model needs {true_seconds:.1f} s; a mutant that takes more
  without a hang counts as a survivor. Where the machine is slow, both bounds grow with the time
  that the true model takes.
* **Left out** are annotations, which are never evaluated, and the arguments of what is raised: SPEC
  gives the words of an error no meaning. cosmic-ray's operator for exceptions fails on a dotted
  name such as `expat.ExpatError`; `mutants.py` mends it, so that none is left out.

Mutants that SPEC cannot tell from the model stand in `benchmarks/mutation/equivalent.toml`, found
by module, definition and the text of their line, each with the reason. An entry that names nothing,
or that is noticed, fails the run.

## Where they are

| module | mutants | equivalent | survived |
|---|---|---|---|
"""


def page(found: Mapping[str, Any]) -> str:
    """Write the page for what `Report` gives as JSON."""
    survivors = found["survivors"]
    head = TEXT.format(
        **{key: value for key, value in found.items() if isinstance(value, str | int | float)},
        judged=found["mutants"] - found["equivalent"],
        longest=found["seconds_at_most_for_a_mutant"],
        hangs=found["of_them_by_a_hang"],
        questioned=found["of_them_by_other_questions_alone"],
        true_seconds=found["seconds_on_the_true_model"],
        one_script=found["seconds_for_one_script_on_it"],
        bound=found["bound_for_a_mutant"],
        hang=found["bound_for_one_script"],
        survived="None survived." if not survivors else f"{len(survivors)} survived, see below.",
    )
    return head + "\n".join(_lines(found)) + "\n"


def _lines(found: Mapping[str, Any]) -> Iterator[str]:
    for row in found["modules"]:
        yield "| `{module}` | {mutants} | {equivalent} | {survived} |".format(**row)
    if found["survivors"]:
        yield "\n## Survivors\n"
        yield from (f"* {_code(one)}" for one in found["survivors"])
    yield "\n## Equivalent\n"
    for entry in found["equivalents"]:
        number = len(entry["mutants"])
        places = sorted({one.partition(":")[0] for one in entry["mutants"]})
        named = ", ".join(f"`{place}`" for place in places)
        yield f"* {named}, {number} mutant{'s' * (number > 1)}: {entry['because']}"


def _code(text: str) -> str:
    return f"``{text}``"
