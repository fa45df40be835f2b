"""`contextcert explain`: a clause, an upstream test, or which clauses speak of a symptom."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches
from typing import Final

import click
from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from contextcert.certificate import Verdict
from contextcert.cli.symptoms import SYMPTOMS, Symptom, symptoms_like
from contextcert.properties import (
    CHECKS,
    DEBUG_SUFFIX,
    Example,
    UpstreamTest,
    examples,
    goes_on,
    upstream_tests,
)
from contextcert.refmodel import CLAUSES, HAZARDS
from contextcert.report.clause_texts import clause_texts
from contextcert.report.console import output
from contextcert.report.counterexample import drawn_script
from contextcert.report.escape import line
from contextcert.report.history import outcome_lines
from contextcert.report.layout import Hanging, labelled
from contextcert.report.upstream_test import draw_test, draw_tests_of

MEANINGS: Final = {
    Verdict.CONFORMS: "judged often enough, and never violated",
    Verdict.VIOLATES: "a script was found on which it does not hold",
    Verdict.EXPECTED_FAILURE: "violated, and the subject's configuration says so",
    Verdict.NOT_EXERCISED: "claimed and observable, but what it speaks of came up too rarely",
    Verdict.NOT_OBSERVABLE: "the adapter cannot show it",
    Verdict.NOT_CLAIMED: "outside of what the implementation claims, or of what was asked for",
    Verdict.NOT_YET_JUDGED: "this version of contextcert has no check for it",
}


@click.command("explain", short_help="What a clause says; which clauses speak of a symptom.")
@click.argument("words", nargs=-1, required=True, metavar="CLAUSE | UPSTREAM_TEST | SYMPTOM...")
def command(words: Sequence[str]) -> int:
    """Explain a clause such as PAIR-3 or an upstream test, or find the clauses for what you see.

    For example: contextcert explain "ids change on retry".
    """
    asked = " ".join(words).strip()
    name = asked.upper()
    if name in CLAUSES:
        _explain_clause(output(), name)
    elif name in HAZARDS:
        output().print(line(f"{name}: {HAZARDS[name].text}", "bold"))
        output().print("A hazard is allowed: certification never fails for it, audits name it.")
    elif test := _upstream_test(asked.lower()):
        draw_test(output(), test)
    else:
        _explain_symptom(output(), asked)
    return 0


def _explain_clause(console: Console, name: str) -> None:
    clause = CLAUSES[name]
    console.print(line(clause.id, "bold"))
    console.print(line(clause.text))
    judged = "judged" if name in CHECKS else Verdict.NOT_YET_JUDGED.value
    console.print(line(f"profile {clause.claimed_with}; source {clause.source}; {judged}", "dim"))
    pinned = [example for example in examples() if name in example["clauses"]]
    if pinned:
        _draw_example(console, min(pinned, key=lambda one: len(str(one["ops"]))))
    draw_tests_of(console, name)
    console.print()
    console.print(Text("what its verdict means", "bold"))
    console.print(
        labelled(
            (Text(verdict.value), Text(meaning, "dim")) for verdict, meaning in MEANINGS.items()
        )
    )


def _upstream_test(name: str) -> UpstreamTest | None:
    bare = name.removesuffix(DEBUG_SUFFIX)
    return next((test for test in upstream_tests() if test["name"] in {name, bare}), None)


def _tests_like(asked: str) -> list[str]:
    names = [test["name"] for test in upstream_tests()]
    return get_close_matches(asked.lower(), names, n=2, cutoff=0.8)


def _draw_example(console: Console, example: Example) -> None:
    console.print()
    edition = f" (edition {example['edition']})" if "edition" in example else ""
    console.print(line(f"for example{edition}: {example['why']}", "bold"))
    console.print(drawn_script(example["ops"]))
    if goes_on(example):
        console.print(line("  the subject is asked to go on after a panic", "dim"))
    for mode in ("debug", "release"):
        console.print(line(f"  {mode}", "bold"))
        drawn = Hanging(outcome_lines(example[mode][-1]))
        console.print(Padding(drawn, (0, 0, 0, 4), expand=False))


def _explain_symptom(console: Console, asked: str) -> None:
    found = symptoms_like(asked)
    if not found or _tests_like(asked):
        raise click.ClickException(f"nothing is known of {asked!a}; {_suggestion(asked)}")
    for symptom in found:
        _draw_symptom(console, symptom)


def _draw_symptom(console: Console, symptom: Symptom) -> None:
    console.print(line(symptom.seen, "bold"))
    console.print(clause_texts(symptom.clauses))


def _suggestion(asked: str) -> str:
    near = get_close_matches(asked.upper(), [*CLAUSES, *HAZARDS], n=3, cutoff=0.6)
    if near:
        return f"close are {', '.join(near)}."
    if tests := _tests_like(asked):
        return f"close are {', '.join(tests)}."
    seen = get_close_matches(asked.lower(), [one.seen for one in SYMPTOMS], n=2, cutoff=0.3)
    listed = seen or [one.seen for one in SYMPTOMS[:3]]
    return "try a clause id, or " + " or ".join(f'"{one}"' for one in listed) + "."
