"""What a recorded session holds: anomalies, hazards, and the prompt it would give.

An anomaly is what makes a debug build panic (MODE-1); a hazard is allowed and worth a warning
(SPEC 6).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from attrs import evolve, frozen

from contextcert.properties.hazards import anomalies, hazards
from contextcert.recorded_session import (
    EDITION,
    Compacted,
    RecordedSession,
    Skipped,
    line_of,
    read_session,
)
from contextcert.refmodel import (
    CLAUSES,
    HAZARDS,
    MODALITIES,
    JsonObject,
    TruncationPolicy,
    project,
    write_items,
)
from contextcert.report.escape import compact, plain
from contextcert.session_files import SessionFile, read_session_file

_SHOWN_SKIPPED: Final = 20
_SHOWN_FINDINGS: Final = 100
_EXCERPT: Final = 160


@frozen
class Finding:
    """An anomaly or a hazard: the clause or hazard id, the lines it is about, and a sentence."""

    id: str
    lines: tuple[int, ...]
    message: str


@frozen
class Audit:
    """What one file holds.

    `items` is the history as it stood at the end, `lines` says where each item came from,
    `prompt` what a model of the given modalities would be sent, in release. `skipped` lists the
    lines that could not be used, `ignored` counts the kinds of line that record no item. `notes`
    say what a reader of all this has to know.
    """

    source: str
    modalities: tuple[str, ...]
    items: tuple[JsonObject, ...]
    lines: tuple[int, ...]
    anomalies: tuple[Finding, ...]
    hazards: tuple[Finding, ...]
    prompt: tuple[JsonObject, ...]
    skipped: tuple[Skipped, ...]
    ignored: Mapping[str, int]
    notes: tuple[str, ...] = ()


def audit_file(
    path: Path,
    modalities: Collection[str] = MODALITIES,
    usual: TruncationPolicy | None = None,
) -> Audit:
    """Audit a session file recorded by Codex, or a file with one item a line.

    Where a session goes on from another file, that one is read first, and its lines are counted
    first. `usual` is the policy that outputs were cut by where the file does not say so.

    Raises:
        OSError: the file cannot be read.
        ValueError: a modality is unknown.
    """
    file = read_session_file(path)
    audit = audit_lines(file.lines, source=path.name, modalities=modalities, usual=usual)
    return evolve(audit, notes=(*_notes_of(file), *audit.notes))


def _notes_of(file: SessionFile) -> Iterator[str]:
    if file.missing is not None:
        yield file.missing
    first = 1
    for part in file.parts[:-1]:
        last = first + len(part.lines) - 1
        yield f"it goes on from {part.name}, which is lines {first} to {last} here"
        first = last + 1


def audit_lines(
    lines: Iterable[bytes],
    *,
    source: str,
    modalities: Collection[str] = MODALITIES,
    usual: TruncationPolicy | None = None,
) -> Audit:
    """Audit the lines of a session; `source` names it in the report."""
    if unknown := set(modalities) - set(MODALITIES):
        raise ValueError(f"unknown modalities: {', '.join(sorted(unknown))}")
    session = read_session(lines, usual)
    envelopes = session.envelopes()
    items = write_items([envelope.item for envelope in envelopes])
    numbers = [line_of(envelope) for envelope in envelopes]
    return Audit(
        source=source,
        modalities=tuple(name for name in MODALITIES if name in modalities),
        items=tuple(items),
        lines=tuple(numbers),
        anomalies=tuple(
            Finding(one.clause, (numbers[one.item],), one.message)
            for one in anomalies(items, edition=EDITION)
        ),
        hazards=tuple(
            Finding(one.id, tuple(numbers[place] for place in one.items), one.message)
            for one in hazards(items, edition=EDITION)
        ),
        prompt=tuple(write_items(project(envelopes, modalities, EDITION).items)),
        skipped=session.skipped,
        ignored=session.ignored,
        notes=tuple(_remarks(session)),
    )


def _remarks(session: RecordedSession) -> Iterator[str]:
    if session.uncut:
        where = _count(len(session.uncut), "long output")
        yield (
            f"{where} (the first in line {session.uncut[0]}) stand whole in the prompt, for the "
            "file does not say how they were cut: name it with --truncation, as tokens:10000"
        )
    for entry in session.entries:
        if isinstance(entry, Compacted):
            yield (
                f"the compaction in line {entry.line} does not say what the history became: that "
                "is reckoned from the lines before it"
            )


def to_json(audit: Audit) -> JsonObject:
    """Give everything the audit found as a JSON value."""
    return {
        "source": audit.source,
        "modalities": list(audit.modalities),
        "items": len(audit.items),
        "anomalies": [_finding_to_json(one) for one in audit.anomalies],
        "hazards": [_finding_to_json(one) for one in audit.hazards],
        "skipped": [{"line": one.line, "reason": one.reason} for one in audit.skipped],
        "ignored": dict(audit.ignored),
        "notes": list(audit.notes),
        "prompt": list(audit.prompt),
    }


def _finding_to_json(finding: Finding) -> JsonObject:
    return {"id": finding.id, "lines": list(finding.lines), "message": finding.message}


def render(audit: Audit, *, with_prompt: bool = True) -> str:
    """Write the audit for a terminal; nothing from the file reaches it unescaped."""
    return "\n".join(plain(line) for line in _report(audit, with_prompt=with_prompt)) + "\n"


def _report(audit: Audit, *, with_prompt: bool) -> Iterator[str]:
    yield f"{audit.source}: {_count(len(audit.items), 'item')} in the history"
    yield from (f"Note: {note}" for note in audit.notes)
    yield from _skipped(audit)
    yield ""
    yield f"Anomalies (a debug build panics): {len(audit.anomalies) or 'none'}"
    yield from _findings(audit.anomalies, {name: one.text for name, one in CLAUSES.items()})
    yield f"Hazards (allowed, worth a warning): {len(audit.hazards) or 'none'}"
    yield from _findings(audit.hazards, {name: one.text for name, one in HAZARDS.items()})
    if with_prompt:
        yield ""
        taken = ", ".join(audit.modalities) or "nothing"
        yield f"The prompt for a model that takes {taken}: {_count(len(audit.prompt), 'item')}"
        yield from (f"  {compact(item, _EXCERPT)}" for item in audit.prompt)


def _skipped(audit: Audit) -> Iterator[str]:
    if audit.ignored:
        left = ", ".join(f"{count} {kind}" for kind, count in sorted(audit.ignored.items()))
        yield f"Lines that record no item: {left}"
    if audit.skipped:
        yield f"Lines that could not be used: {len(audit.skipped)}"
        yield from (f"  line {one.line}: {one.reason}" for one in audit.skipped[:_SHOWN_SKIPPED])
        yield from _more(len(audit.skipped), _SHOWN_SKIPPED)


def _findings(findings: Sequence[Finding], texts: Mapping[str, str]) -> Iterator[str]:
    """Write findings under the sentence of their clause or hazard, each sentence once."""
    explained: set[str] = set()
    for one in findings[:_SHOWN_FINDINGS]:
        if one.id not in explained:
            explained.add(one.id)
            yield f"  {one.id}: {texts[one.id]}"
        where = "line" if len(one.lines) == 1 else "lines"
        yield f"    {where} {', '.join(map(str, one.lines))}: {one.message}"
    yield from _more(len(findings), _SHOWN_FINDINGS)


def _more(count: int, shown: int) -> Iterator[str]:
    if count > shown:
        yield f"    … and {count - shown} more"


def _count(number: int, thing: str) -> str:
    return f"{number} {thing}{'' if number == 1 else 's'}"
