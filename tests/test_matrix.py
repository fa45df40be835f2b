"""Certificates beside each other, as Markdown and as a page."""

from __future__ import annotations

import re
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path

import pytest
from attrs import evolve

from contextcert.campaign import BUDGETS, Campaign, Evidence, open_subject, run_campaign
from contextcert.certificate import Certificate, Counterexample, ModeVerdict, Verdict
from contextcert.certificate.build import certificate_of
from contextcert.certificate.replay import Again
from contextcert.certificate.values import Build, CertifiedFault, ClauseVerdicts, Unattributed
from contextcert.matrix import (
    Column,
    Matrix,
    columns_of,
    matrix_markdown,
    matrix_page,
    missing_column,
)
from contextcert.matrix.words import exit_code
from contextcert.refmodel import JsonObject, Mode
from contextcert.subjects import resolve

VOID = {"meta", "br", "hr", "img", "input", "link"}
HOSTILE = "<script>alert(1)</script>\"'>|`]\x1b[31m\u202e\x00@all https://evil.invalid\n# head"


class Page(HTMLParser):
    """Reads a page strictly: elements close in order, and every link of it leads somewhere."""

    def __init__(self) -> None:
        """Start with nothing open."""
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.tags: set[str] = set()
        self.text: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Open an element."""
        self.tags.add(tag)
        values = dict(attrs)
        assert not any(name.startswith("on") for name in values)
        self.ids += [values["id"] or ""] if "id" in values else []
        self.links += [values["href"] or ""] if "href" in values else []
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        """Close the element that was opened last."""
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        """Keep the text."""
        self.text.append(data)


class Subject:
    """A name that a click option would carry."""

    subject = debug = release = cmd = adapter = codex = config = None
    codex_feature = ()


@pytest.fixture(scope="module")
def good() -> Certificate:
    """Give a certificate of the model's release build, over pinned examples."""
    spec = resolve(Subject())
    release = evolve(spec, ways={Mode.RELEASE: spec.ways[Mode.RELEASE]})
    campaign = Campaign(BUDGETS["quick"], evidence=(Evidence.VECTORS,))
    with open_subject(release) as opened:
        return certificate_of(run_campaign(opened, campaign, workers=1))


def counterexample(text: str = "x") -> Counterexample:
    """Give a violation that shows a text wherever a subject could put one."""
    item: JsonObject = {"type": text, "id": text, text: [text]}
    script: list[JsonObject] = [
        {"op": "record_items", "items": [item], "policy": {"mode": "tokens", "limit": 10}},
        {"op": "for_prompt", "input_modalities": ["text"]},
    ]
    return Counterexample(
        message=text,
        operation=1,
        path="/ok/0",
        expected={"ok": [item]},
        actual={"ok": [{**item, "more": text}]},
        script=script,
        evidence="random",
        group="mixed",
        count=3,
    )


def changed(
    certificate: Certificate, clause: str, change: Callable[[ModeVerdict], ModeVerdict]
) -> Certificate:
    """Give a certificate that says something else of one clause."""
    clauses: list[ClauseVerdicts] = []
    for one in certificate.clauses:
        modes = {mode: change(said) for mode, said in one.modes.items()}
        clauses.append(evolve(one, modes=modes) if one.id == clause else one)
    return evolve(certificate, clauses=tuple(clauses))


def violated(certificate: Certificate, clause: str, text: str = "x") -> Certificate:
    """Give a certificate that violates a clause."""
    return changed(
        certificate, clause, lambda _: ModeVerdict(Verdict.VIOLATES, 3, None, counterexample(text))
    )


def column_of(certificate: Certificate, name: str, variant: str = "") -> Column:
    """Give the one column of a certificate."""
    again = Again(certificate, {Mode.RELEASE: Path("out")}, ("--codex=1.2.3",))
    (column,) = columns_of(again, name, variant)
    return column


def read(page: str) -> Page:
    """Read a page to its end."""
    parser = Page()
    parser.feed(page)
    parser.close()
    assert parser.open == []
    return parser


def test_a_row_says_what_each_column_says(good: Certificate) -> None:
    """The cell of a violation links to its counterexample, in both forms."""
    columns = (column_of(good, "1.0"), column_of(violated(good, "SYN-1"), "2.0", "ids"))
    matrix = Matrix("two builds", columns, made="2026-12-01", command="contextcert x")
    markdown = matrix_markdown(matrix)
    assert "| SYN-1 | ✓ | [✗ violates](#syn-1-in-2) |" in markdown
    assert '<a id="syn-1-in-2"></a>SYN-1 in 2.0 ids' in markdown
    assert "* **SYN-1**: conforms in 1.0; violates in 2.0 ids." in markdown
    page = read(matrix_page(matrix))
    assert "syn-1-in-2" in page.ids
    assert "#syn-1-in-2" in page.links


def test_every_link_of_a_page_leads_to_something_on_it(good: Certificate) -> None:
    """The page needs nothing else: no script, no picture, no address outside."""
    bad = violated(violated(good, "SYN-1"), "PAIR-3")
    page = read(matrix_page(Matrix("t", (column_of(good, "1"), column_of(bad, "2")))))
    assert all(link.startswith("#") for link in page.links)
    assert {link[1:] for link in page.links} <= set(page.ids)
    assert len(page.ids) == len(set(page.ids))
    assert page.tags.isdisjoint({"script", "link", "img", "iframe", "object", "form"})


def test_a_cell_reads_without_its_colour(good: Certificate) -> None:
    """Each holds a sign and the verdict's own word."""
    page = matrix_page(Matrix("t", (column_of(violated(good, "SYN-1"), "2"),)))
    assert 'aria-hidden="true">✗</span><span class="word">violates</span>' in page
    assert '<span class="word">conforms</span>' in page


def test_a_counterexample_is_drawn_as_a_history(good: Certificate) -> None:
    """With the sentence of SPEC, both sides, and the line that shows it again."""
    matrix = Matrix("t", (column_of(violated(good, "SYN-1"), "2"),))
    for text in (matrix_markdown(matrix), "".join(read(matrix_page(matrix)).text)):
        assert "The id of a synthetic output must be" in text
        assert "▶ for_prompt" in text
        assert "more" in text
        assert "--codex=1.2.3" in text


def hostile(good: Certificate) -> Certificate:
    """Give a certificate in which every text of a subject is hostile."""
    bad = violated(good, "SYN-1", HOSTILE)
    bad = changed(
        bad, "PAIR-3", lambda said: evolve(said, verdict=Verdict.NOT_OBSERVABLE, reason=HOSTILE)
    )
    build = bad.builds[Mode.RELEASE]
    fault = CertifiedFault(Mode.RELEASE, "crash", HOSTILE, repeated=True, script=[])
    difference = Unattributed(Mode.RELEASE, 0, "", None, None, [])
    return evolve(
        bad,
        subject=evolve(bad.subject, name=HOSTILE, version=HOSTILE, language=HOSTILE),
        builds={Mode.RELEASE: Build(build.claim, build.capabilities, (HOSTILE,))},
        faults=(fault,),
        fault_count=1,
        unattributed=(difference,),
        unattributed_count=1,
        stopped=HOSTILE,
    )


def hostile_matrix(good: Certificate) -> Matrix:
    """Give a matrix of hostile columns, one of which could not be judged."""
    bad = hostile(good)
    (own,) = columns_of(Again(bad, {}, None))
    named = column_of(bad, HOSTILE, HOSTILE)
    return Matrix(
        HOSTILE, (own, named, missing_column(HOSTILE, HOSTILE, HOSTILE)), HOSTILE, HOSTILE
    )


def test_a_page_shows_hostile_text_as_text(good: Certificate) -> None:
    """No element, attribute or control character of it is one of the page's."""
    source = matrix_page(hostile_matrix(good))
    page = read(source)
    assert "script" not in page.tags
    assert not set(re.findall(r"[\x00-\x09\x0b-\x1f\u202e]", source))
    assert "<script>alert(1)</script>" in "".join(page.text)


def test_markdown_shows_hostile_text_as_text(good: Certificate) -> None:
    """Outside of fences nothing of it is markup; a fence is longer than any run in it."""
    source = matrix_markdown(hostile_matrix(good))
    assert not set(re.findall(r"[\x00-\x09\x0b-\x1f\u202e]", source))
    outside: list[str] = []
    fence = ""
    for line in source.splitlines():
        if fence:
            fence = "" if line == fence else fence
        elif opened := re.match(r"`{3,}", line):
            fence = opened[0]
        else:
            outside.append(line)
    assert fence == ""
    text = "\n".join(outside)
    assert "<script" not in text
    assert "@all" not in text
    assert "https://" not in text
    assert re.search(r"(?<!\\)\|`", text) is None
    table = [line for line in outside if line.startswith("|")]
    assert {len(re.findall(r"(?<!\\)\|", line)) for line in table} == {5}


def test_a_fence_is_longer_than_the_runs_in_it(good: Certificate) -> None:
    """A text of backticks does not end the block that holds it."""
    column = column_of(violated(good, "SYN-1", "````\n```"), "2")
    assert "`````text" in matrix_markdown(Matrix("t", (column,)))


def test_a_column_without_a_certificate_says_why(good: Certificate) -> None:
    """The others stand beside it all the same, and differences are theirs alone."""
    matrix = Matrix("t", (column_of(good, "1"), missing_column("2", "npm failed.")))
    assert matrix.differing() == []
    assert "| SYN-1 | ✓ | × |" in matrix_markdown(matrix)  # noqa: RUF001 -- the sign
    assert "* not judged: npm failed." in matrix_markdown(matrix)
    assert "npm failed." in "".join(read(matrix_page(matrix)).text)


def test_nothing_at_all_is_a_page_too() -> None:
    """Where no column could be judged, the reasons are what there is to read."""
    matrix = Matrix("t", (missing_column("2", "npm failed."),))
    assert "npm failed." in matrix_markdown(matrix)
    assert "npm failed." in "".join(read(matrix_page(matrix)).text)


def test_a_certificate_of_two_modes_is_two_columns(good: Certificate) -> None:
    """Each names its mode."""
    modes = dict.fromkeys(Mode, good.builds[Mode.RELEASE])
    clauses = tuple(
        evolve(one, modes=dict.fromkeys(Mode, one.modes[Mode.RELEASE])) for one in good.clauses
    )
    both = evolve(good, builds=modes, clauses=clauses)
    columns = list(columns_of(Again(both, {}, None), "x"))
    assert [column.title for column in columns] == ["x debug", "x release"]


def test_the_exit_code_is_the_worst_that_certify_would_give(good: Certificate) -> None:
    """A violation goes before a column that is missing, and that before what came up too rarely."""
    rare = changed(good, "SYN-1", lambda said: evolve(said, verdict=Verdict.NOT_EXERCISED))
    conforming = column_of(good, "1")
    unexercised, missing = column_of(rare, "2"), missing_column("3", "why")
    red = column_of(violated(good, "SYN-1"), "4")
    assert exit_code([conforming]) == 0
    assert exit_code([conforming, unexercised]) == 3
    assert exit_code([unexercised, missing]) == 2
    assert exit_code([missing, red]) == 1
