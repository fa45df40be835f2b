"""The whole report of a certificate in a terminal."""

from __future__ import annotations

from typing import Final

from rich.console import Console
from rich.padding import Padding
from rich.rule import Rule
from rich.text import Text

from contextcert.certificate import Certificate, Verdict
from contextcert.certificate.conclusion import claim_wording, sorted_ids, why_not_certified
from contextcert.certificate.evidence_words import evidence_in_words
from contextcert.certificate.replay import Again, Replay, of_difference, of_fault, of_violation
from contextcert.certificate.values import ClauseVerdicts, ModeVerdict
from contextcert.certificate.verdicts import says_nothing
from contextcert.refmodel import Mode
from contextcert.report.counterexample import drawn_script, place_line, side_by_side
from contextcert.report.escape import line, plain
from contextcert.report.growth_report import print_growth
from contextcert.report.layout import Hanging, labelled
from contextcert.report.ranges import ranges
from contextcert.report.verdict_table import verdict_table
from contextcert.subject import Capabilities

Cell = tuple[ClauseVerdicts, Mode, ModeVerdict]

LONGEST_NAME: Final = 120
SHOWN_FAULTS: Final = 3
SHOWN_LOG_LINES: Final = 8


def print_certificate(console: Console, certificate: Certificate, again: Again) -> None:
    """Print who was judged and how, the table, every violated clause, and the conclusion."""
    _print_head(console, certificate)
    console.print(verdict_table(certificate))
    if certificate.run is not None and certificate.run.growth is not None:
        print_growth(console, certificate.run.growth)
    for clause in certificate.clauses:
        _print_violation(console, clause, again)
    _print_faults(console, certificate, again)
    _print_unattributed(console, certificate, again)
    _print_reasons(console, certificate, Verdict.NOT_EXERCISED)
    _print_reasons(console, certificate, Verdict.NOT_OBSERVABLE)
    _print_reasons(console, certificate, Verdict.NOT_CLAIMED)
    _print_not_yet_judged(console, certificate)
    _print_one_sided(console, certificate)
    _print_conclusion(console, certificate)


def _print_head(console: Console, certificate: Certificate) -> None:
    subject, evidence = certificate.subject, certificate.evidence
    name, version, language = (
        plain(one, LONGEST_NAME) for one in (subject.name, subject.version, subject.language)
    )
    console.print(Text(f"{name} {version} ({language})", "bold"))
    console.print(
        line(
            f"edition {certificate.edition.value}; {claim_wording(certificate.claim)}; "
            f"budget {evidence.budget}, seed {evidence.seed}, {evidence.cases:,} cases",
            "dim",
        )
    )
    for said in evidence_in_words(certificate):
        console.print(line(said, "dim"))
    for mode, build in certificate.builds.items():
        for note in build.notes:
            console.print(line(f"{mode.value}: {note}", "dim"))
        for pointer, types in _hidden(build.capabilities).items():
            hidden = f"not compared in {mode.value}: {pointer} of {', '.join(types)}"
            console.print(line(hidden, "dim"))
        if build.capabilities.coarse_transcript:
            counted = (
                f"transcripts in {mode.value} hold rendered entries, judged by their own counts"
            )
            console.print(line(counted, "dim"))
        if build.unsupported:
            cannot = f"{mode.value} cannot: {', '.join(build.unsupported)}"
            console.print(line(cannot, "dim"))
    console.print()


def _hidden(capabilities: Capabilities) -> dict[str, list[str]]:
    """Give the item types of each field that an adapter cannot show."""
    hidden: dict[str, list[str]] = {}
    for item_type, pointers in capabilities.hidden_fields.items():
        for pointer in pointers:
            hidden.setdefault(pointer, []).append(item_type)
    return hidden


def _print_violation(console: Console, clause: ClauseVerdicts, again: Again) -> None:
    violated = [(mode, said.violation) for mode, said in clause.modes.items() if said.violation]
    if not violated:
        return
    mode, shown = violated[0]
    modes = " and ".join(f"{one.value} ({found.count:,} times)" for one, found in violated)
    console.print()
    console.print(Rule(Text(f"{clause.id} violated in {modes}", "bold red"), align="left"))
    console.print(line(clause.text))
    console.print()
    console.print(line(shown.message, "bold"))
    replay = of_violation(clause.id, mode, shown)
    kept = again.kept(replay)
    console.print(drawn_script(shown.script, shown.operation, kept=kept, path=shown.path))
    _print_goes_on(console, replay)
    console.print(place_line(shown.operation, shown.path))
    console.print(side_by_side(console, shown.expected, shown.actual))
    _print_again(console, again.line(replay))


def _print_goes_on(console: Console, replay: Replay) -> None:
    if replay.continue_after_panic:
        console.print(line("  the subject was asked to go on after a panic", "dim"))


def _print_again(console: Console, typed: str) -> None:
    console.print(Text.assemble(("again: ", "dim"), plain(typed)), soft_wrap=True)


def _print_faults(console: Console, certificate: Certificate, again: Again) -> None:
    if not certificate.fault_count:
        return
    console.print()
    title = f"{certificate.fault_count} scripts were not answered, or not twice alike"
    console.print(Rule(Text(title, "bold red"), align="left"))
    told = {(fault.mode, fault.kind, fault.message): fault for fault in certificate.faults[::-1]}
    for fault in list(told.values())[: -SHOWN_FAULTS - 1 : -1]:
        console.print(line(f"{fault.mode.value}, {fault.kind}: {fault.message}", "bold"))
        replay = of_fault(fault)
        console.print(drawn_script(fault.script, kept=again.kept(replay)))
        _print_goes_on(console, replay)
        _print_again(console, again.line(replay))
    for log in certificate.run.logs[:1] if certificate.run else ():
        console.print(Text("it logged:", "dim"))
        logged = log.splitlines()[-SHOWN_LOG_LINES:]
        console.print(Padding(Hanging(map(line, logged)), (0, 0, 0, 2), expand=False))


def _print_unattributed(console: Console, certificate: Certificate, again: Again) -> None:
    if not certificate.unattributed_count:
        return
    console.print()
    title = f"{certificate.unattributed_count} differences that no check explains"
    console.print(Rule(Text(title, "bold red"), align="left"))
    console.print(
        "Either what differs is not yet judged, or this is a defect of contextcert; "
        "please report it with this script."
    )
    first = certificate.unattributed[0]
    replay = of_difference(first)
    kept = again.kept(replay)
    console.print(drawn_script(first.script, first.operation, kept=kept, path=first.path))
    _print_goes_on(console, replay)
    console.print(place_line(first.operation, first.path))
    console.print(side_by_side(console, first.expected, first.actual))
    _print_again(console, again.line(replay))


def _print_reasons(console: Console, certificate: Certificate, verdict: Verdict) -> None:
    """List the clauses of a verdict under their reasons, each reason once."""
    cells = [cell for cell in certificate.cells(verdict) if not says_nothing(cell[2], cell[1])]
    if not cells:
        return
    console.print()
    console.print(Text(verdict.value, "bold"))
    by_reason: dict[str, list[Cell]] = {}
    for cell in cells:
        by_reason.setdefault(_reason(cell), []).append(cell)
    console.print(
        labelled(
            (line(_ids(listed, certificate)), line(reason, "dim"))
            for reason, listed in by_reason.items()
        )
    )


def _print_one_sided(console: Console, certificate: Certificate) -> None:
    """Name, in a line a mode, the clauses that by their nature speak of the other one."""
    lines = []
    unseen = certificate.cells(Verdict.NOT_OBSERVABLE)
    for wanted in certificate.modes:
        cells = [cell for cell in unseen if cell[1] is wanted and says_nothing(cell[2], wanted)]
        if cells:
            ids = ", ".join(ranges([clause.id for clause, _, _ in cells]))
            lines.append(Text.assemble((f"{_reason(cells[0])}: ", "bold"), (ids, "dim")))
    if lines:
        console.print()
        console.print(Hanging(lines))


def _reason(cell: Cell) -> str:
    return cell[2].reason or "no reason given"


def _ids(cells: list[Cell], certificate: Certificate) -> str:
    """Name the clauses, with the mode where it is not every one; runs of neighbours as ranges."""
    modes: dict[str, list[str]] = {}
    for clause, mode, _ in cells:
        modes.setdefault(clause.id, []).append(mode.value)
    by_modes: dict[str, list[str]] = {}
    for clause_id, named in modes.items():
        by_modes.setdefault(" and ".join(named), []).append(clause_id)
    everywhere = " and ".join(mode.value for mode in certificate.modes)
    return "; ".join(
        ", ".join(ranges(ids)) + ("" if named == everywhere else f" in {named}")
        for named, ids in by_modes.items()
    )


def _print_not_yet_judged(console: Console, certificate: Certificate) -> None:
    ids = dict.fromkeys(clause.id for clause, _, _ in certificate.cells(Verdict.NOT_YET_JUDGED))
    if not ids:
        return
    console.print()
    console.print(Text(Verdict.NOT_YET_JUDGED.value, "bold"))
    console.print(_indented(Text(", ".join(ranges(list(ids))), "dim")))


def _print_conclusion(console: Console, certificate: Certificate) -> None:
    reasons = why_not_certified(certificate)
    console.print()
    if not reasons:
        modes = " and ".join(mode.value for mode in certificate.modes)
        console.print(line(f"certified: {claim_wording(certificate.claim)}, {modes}", "bold green"))
        if unjudged := sorted_ids(certificate, Verdict.NOT_YET_JUDGED):
            said = f"of that, {len(unjudged)} clauses are not yet judged by this version"
            console.print(_indented(line(said)))
        return
    console.print(Text("not certified, because", "bold"))
    for reason in reasons:
        console.print(_indented(line(reason)))


def _indented(text: Text) -> Padding:
    return Padding(text, (0, 0, 0, 2), expand=False)
