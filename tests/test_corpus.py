"""Recorded sessions as cases: what is read, what stands in for texts, what scripts come of it."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from attrs import evolve
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.console import Console

from contextcert.adapters.specs import model_spec, object_spec
from contextcert.campaign import (
    Budget,
    Campaign,
    Evidence,
    Result,
    open_subject,
    run_campaign,
    setting_of,
)
from contextcert.campaign.corpus_scripts import CORPUS, MUTATIONS, fitted, scripts_of
from contextcert.campaign.minimise import minimise
from contextcert.campaign.plan import plan
from contextcert.campaign.runner import UnitRunner
from contextcert.campaign.tally import Tally
from contextcert.certificate import certificate_of
from contextcert.certificate.file import read_certificate, write_certificate
from contextcert.certificate.json_form import certificate_digest
from contextcert.certificate.replay import Again, write_replays
from contextcert.corpus import Corpus, CorpusError, Recorded, Replaced, RolledBack, read_corpus
from contextcert.corpus import folder as folder_module
from contextcert.corpus.disguise import disguised
from contextcert.corpus.folder import _WHY_ITEMS
from contextcert.corpus.marks import traits
from contextcert.corpus.stand_ins import NoStandInError, StandIns
from contextcert.properties import anomalies, hazards
from contextcert.refmodel import Claim, Edition, Json, JsonObject, Mode, read_item, run_script
from contextcert.report.certificate_report import print_certificate
from contextcert.strategies import Scope, alphabet
from contextcert.strategies.item_values import META, PNG, image, item, shell_action, text
from contextcert.subject import SubjectSpec

BROKEN = Path(__file__).parent / "broken_model"
SMALL = Budget("small", 0, 0, 250, floor=1)
WORD = "hunter"
"""Every text below holds this word, which must show up nowhere."""

INSTRUCTION = json.dumps(
    {
        "author": "/root",
        "recipient": f"/root/{WORD}_1",
        "other_recipients": ["/morpheus"],
        "content": f"Ask {WORD}\n and é",
        "trigger_turn": True,
        WORD: [12345, {"x": WORD}],
    }
)
CALL = f"call_{WORD}"
PATCH = "Warning: apply_patch was requested via "


def user(value: str, role: str = "user") -> JsonObject:
    """Give a message of one text."""
    return item("message", role=role, content=[text(value)])


SESSION: tuple[JsonObject, ...] = (
    user(f"<permissions instructions>{WORD}", "developer"),
    user(f"<environment_context>{WORD}</environment_context>"),
    user(f"Look at {WORD}.py, please"),
    item("message", role="user", content=[text(WORD), image()]),
    item("reasoning", id=f"rs_{WORD}", summary=[{"type": "summary_text", "text": WORD}]),
    item("function_call", id=f"fc_{WORD}", name=WORD, arguments=WORD, call_id=CALL),
    item("function_call_output", id=f"fco_{WORD}", call_id=CALL, output=f"{WORD} 42"),
    item("custom_tool_call", id=f"ctc_{WORD}", name=WORD, input=WORD, call_id=f"x{WORD}"),
    item("custom_tool_call_output", call_id=f"x{WORD}", output=[text(WORD)], name=WORD),
    item("tool_search_call", arguments={WORD: [WORD, 7.25, 1234]}, call_id=f"t{WORD}"),
    item("tool_search_output", tools=[{"name": WORD}], call_id=f"t{WORD}"),
    item(
        "local_shell_call",
        call_id=f"s{WORD}",
        action=shell_action(command=[WORD], env={WORD: WORD}, user=WORD),
    ),
    item("function_call_output", call_id=f"s{WORD}", output=WORD),
    item("message", role="assistant", content=[{"type": "output_text", "text": INSTRUCTION}]),
    item("web_search_call", action={"type": "search", "query": WORD}),
    item("image_generation_call", revised_prompt=WORD, result=WORD),
    {**user(f"and then {WORD}"), META: {"turn_id": f"turn_{WORD}", "create_time": 1764.5}},
    item("function_call", id=f"fc_2{WORD}", name=WORD, call_id=f"call_2{WORD}"),
)


def line(payload: JsonObject, kind: str = "response_item", **more: Json) -> str:
    """Give a line of a session file."""
    return json.dumps({"type": kind, "payload": payload, **more})


def session_text() -> str:
    """Give a session file with everything in it, the word included where nobody looks."""
    lines = [
        line({"id": WORD, "cwd": f"/home/{WORD}"}, "session_meta"),
        *(line({**one, "unknown": WORD}) for one in SESSION),
        line({"type": "thread_rolled_back", "num_turns": 1}, "event_msg"),
        line(user(f"again {WORD}"), metadata={"fallback_token_limit_override": 120}),
        line({"message": WORD, "replacement_history": [user(f"sum {WORD}")]}, "compacted"),
        line(user(f"later {WORD}")),
    ]
    return "\n".join(lines) + "\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Give a folder with one session in a folder of it."""
    below = tmp_path / "sessions" / "2026"
    below.mkdir(parents=True)
    (below / "rollout-1.jsonl").write_text(session_text(), encoding="utf-8")
    return tmp_path / "sessions"


@cache
def stood_in(value: str) -> str:
    """Give the stand-in of a text met alone."""
    return StandIns().text(value)


TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=60)


@settings(deadline=None)
@given(st.lists(TEXTS, max_size=8))
def test_a_stand_in_has_the_shape_of_its_text(values: list[str]) -> None:
    """As many characters and bytes, the same for rules; equal texts stay equal, others differ."""
    stand_ins = StandIns()
    given_out: dict[str, str] = {}
    for value in values:
        try:
            made = stand_ins.text(value)
        except NoStandInError:
            continue
        assert len(made) == len(value)
        assert len(made.encode()) == len(value.encode())
        assert traits(made) == traits(value)
        assert given_out.setdefault(value, made) == made
    assert len(set(given_out.values())) == len(given_out)


@settings(deadline=None)
@given(st.text("abcXYZ019 é漢😀", min_size=1), st.integers(0, 50))
def test_a_stand_in_says_nothing_of_its_text(value: str, before: int) -> None:
    """It follows from the shape, and from how many texts of that shape came before."""
    other = value.translate(str.maketrans("abcXYZ019é漢😀", "qrsKLM234ö字😎"))
    for many in (0, before):
        first, second = StandIns(), StandIns()
        for number in range(many):
            first.text(f"{number} before")
            second.text(f"{number} before")
        assert first.text(value) == second.text(other)


@pytest.mark.parametrize(
    ("value", "kept"),
    [
        (f"<skill>{WORD}</skill>", ("<skill>", "</skill>")),
        (f" <SKILL>{WORD}</Skill>\n", (" <SKILL>", "</Skill>\n")),
        (f"# AGENTS.md instructions{WORD}</INSTRUCTIONS>", ("# AGENTS.md instructions",)),
        (f"<external_{WORD}>{WORD}</external_{WORD}>", ("<external_", "</external_")),
        (
            f'<codex_internal_context source="{WORD}">{WORD}</codex_internal_context>',
            ("<codex_internal_context source=", "</codex_internal_context>"),
        ),
        (f"<goal_context>{WORD}</goal_context>", ("<goal_context>",)),
        (
            f"{PATCH}{WORD} Use the apply_patch tool instead of exec_command.",
            (PATCH, "instead of exec_command."),
        ),
        (
            f"Warning: Your account was flagged for potentially high-risk cyber activity {WORD}",
            ("Warning: Your account was flagged for potentially high-risk cyber activity",),
        ),
        (
            f'<hook_prompt hook_run_id="{WORD}" {WORD}="a &amp; b">{WORD} &lt;</hook_prompt>',
            ("<hook_prompt hook_run_id=", "&amp;", "&lt;</hook_prompt>"),
        ),
        (f"<{WORD} hook_run_id='7'>{WORD}</{WORD}>", (" hook_run_id='",)),
        (f"<model_switch>{WORD}</model_switch>", ("<model_switch>", "</model_switch>")),
        (f"\n<Tools>{WORD}", ("\n<Tools>",)),
        (f"Approved command prefix saved: {WORD}", ("Approved command prefix saved:",)),
        (INSTRUCTION, ('"author": "/root"', '"/root/', '"trigger_turn": true', "/morpheus")),
        (f"data:audio/wav;base64,{WORD}", ("data:audio/wav;base64,",)),
        (f"data:audio/ogg;codecs={WORD};base64,AAAA", ("data:audio/", ";", "=", ",")),
        (f"fco_{WORD}", ("fco_",)),
        (f"call_{WORD}", ("call_",)),
        (f"http://{WORD}.example/é?x=1", ()),
        (f"<skill>{WORD}", ()),
    ],
)
def test_what_rules_look_for_stays(value: str, kept: tuple[str, ...]) -> None:
    """The marks are there, the rules take it for the same, and the word is gone."""
    made = stood_in(value)
    assert traits(made) == traits(value)
    assert WORD not in made
    assert all(mark in made for mark in kept)
    assert len(made.encode()) == len(value.encode())


def test_escapes_of_an_instruction_hide_what_they_stand_for() -> None:
    """A letter written as an escape is a letter all the same."""
    written = INSTRUCTION.replace("Ask", r"\u0041s\ud83d\ude0ak\u0007")
    made = stood_in(written)
    assert traits(made) == traits(written)
    assert r"\u0041" not in made
    assert r"\u0007" in made


@pytest.mark.parametrize("value", ["<a hook_run_id='1'>&#x68;i</a>"])
def test_a_text_without_a_stand_in_is_left_out(value: str) -> None:
    """Where the form cannot be kept without what is said, the item goes."""
    with pytest.raises(NoStandInError):
        stood_in(value)
    assert disguised(user(value), StandIns()) is None


def test_numbers_keep_their_digits_and_kinds() -> None:
    """1, 1.0 and 1.5 stay different kinds; zero stays, and equal numbers stay equal."""
    stand_ins = StandIns()
    numbers = [0, 7, 8, -1764, 1764, 1764.0, 17.25, 2**60, 7]
    made = [stand_ins.number(one) for one in numbers]
    assert [type(one) for one in made] == [type(one) for one in numbers]
    assert made[0] == 0
    assert made[1] == made[-1]
    assert made[1] != made[2]
    assert [len(str(one)) for one in made[3:6]] == [len(str(one)) for one in numbers[3:6]]
    assert isinstance(made[6], float)
    assert not made[6].is_integer()


def test_disguised_items_are_read_and_paired_as_before() -> None:
    """Of every symbol of the alphabet: the same type and form, the same anomalies and hazards."""
    stand_ins = StandIns()
    items = [symbol.item for symbol in alphabet(Scope.full())]
    changed = [disguised(one, stand_ins) for one in items]
    kept = [one for one in changed if one is not None]
    assert len(kept) == len(items)
    for before, after in zip(items, kept, strict=True):
        assert type(read_item(after)) is type(read_item(before))
        assert list(after) == list(before)
    assert [(one.item, one.clause) for one in anomalies(kept)] == [
        (one.item, one.clause) for one in anomalies(items)
    ]
    assert {(one.id, one.items) for one in hazards(kept)} == {
        (one.id, one.items) for one in hazards(items)
    }


def test_a_session_is_read_in_order(folder: Path) -> None:
    """Items, the limit that one was cut to, a rollback and a replacement; no text of it."""
    corpus = read_corpus(folder)
    (session,) = corpus.sessions
    kinds = [type(move) for move in session.moves]
    assert kinds == [Recorded] * len(SESSION) + [RolledBack, Recorded, Replaced, Recorded]
    cut = session.moves[len(SESSION) + 1]
    assert isinstance(cut, Recorded)
    assert cut.policy == {"mode": "tokens", "limit": 100}
    assert corpus.items == len(SESSION) + 3
    assert WORD not in repr(corpus)
    assert PNG in repr(corpus)
    assert WORD in repr(read_corpus(folder, shows_text=True))


def test_the_digest_follows_from_what_files_hold(folder: Path, tmp_path: Path) -> None:
    """Names, folders and order are nothing to it; one more line is."""
    file = folder / "2026" / "rollout-1.jsonl"
    (folder / "z.jsonl").write_text(line(user("more")), encoding="utf-8")
    before = read_corpus(folder)
    file.rename(folder / "zz.jsonl")
    (folder / "z.jsonl").rename(folder / "2026" / "a.jsonl")
    renamed = read_corpus(folder)
    assert renamed.sha256 == before.sha256
    assert renamed.sessions == before.sessions
    (tmp_path / "sessions" / "b.jsonl").write_text(line(user("even more")), encoding="utf-8")
    assert read_corpus(folder).sha256 != before.sha256


def test_what_cannot_be_used_is_left_out_and_named(folder: Path, tmp_path: Path) -> None:
    """Links, pipes, garbage and lines that say nothing; the rest is used."""
    (tmp_path / "outside.jsonl").write_text(line(user("outside")), encoding="utf-8")
    (folder / "link.jsonl").symlink_to(tmp_path / "outside.jsonl")
    (folder / "loop").symlink_to(folder)
    os.mkfifo(folder / "pipe.jsonl")
    (folder / "garbage.jsonl").write_bytes(b"\xff\xfe\x00" * 99)
    (folder / "empty.jsonl").touch()
    (folder / "half.jsonl").write_text(f"{{\n{line(user('half'))}\n", encoding="utf-8")
    (folder / "deep.jsonl").write_text(
        line(item("tool_search_call", arguments=0)).replace(
            '"arguments": 0', f'"arguments": {"[" * 200}{"]" * 200}'
        ),
        encoding="utf-8",
    )
    (folder / "read.me").write_text(WORD, encoding="utf-8")
    corpus = read_corpus(folder)
    told = "\n".join(sorted(corpus.notes))
    assert told.splitlines() == [
        f"deep.jsonl: 1 items are left out, {_WHY_ITEMS}.",
        "empty.jsonl is left out: it is no recorded session.",
        "garbage.jsonl is left out: it is no recorded session.",
        "half.jsonl: 1 lines cannot be used and are left out.",
        "link.jsonl is left out: it is a link.",
        "pipe.jsonl is left out: it is no regular file.",
    ]
    assert "outside" not in repr(read_corpus(folder, shows_text=True))


def test_sizes_are_bounded(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file, an item, all of them and their number; each refusal says what to do."""
    monkeypatch.setattr(folder_module, "LONGEST_ITEM", 100)
    (folder / "long.jsonl").write_text(line(user("y" * 300)), encoding="utf-8")
    (folder / "short.jsonl").write_text(line(user("y")), encoding="utf-8")
    assert any("long.jsonl: 1 items are left out" in one for one in read_corpus(folder).notes)
    monkeypatch.setattr(folder_module, "MOST_BYTES_A_FILE", 400)
    notes = read_corpus(folder).notes
    assert any("rollout-1.jsonl is left out: it is longer than" in one for one in notes)
    monkeypatch.setattr(folder_module, "MOST_BYTES", 100)
    with pytest.raises(CorpusError, match="name a smaller one"):
        read_corpus(folder)
    monkeypatch.setattr(folder_module, "MOST_FILES", 1)
    with pytest.raises(CorpusError, match="more than 1 files"):
        read_corpus(folder)


def test_a_folder_without_sessions_is_refused(tmp_path: Path) -> None:
    """In one sentence, which names what is looked for."""
    with pytest.raises(CorpusError, match=r"no recorded session that can be used.*\.jsonl"):
        read_corpus(tmp_path)


@pytest.mark.parametrize("edition", Edition)
def test_scripts_follow_from_seed_corpus_and_number(folder: Path, edition: Edition) -> None:
    """Whatever else is asked for; other seeds give others, and the whole session comes first."""
    corpus, scope = read_corpus(folder), Scope.full(edition)
    some = scripts_of(corpus, scope, seed=3, start=0, count=40)
    assert some[10:20] == scripts_of(read_corpus(folder), scope, seed=3, start=10, count=10)
    assert some != scripts_of(corpus, scope, seed=4, start=0, count=40)
    recorded = [one for op in some[0] for one in _listed(op.get("items"))]
    assert len(recorded) >= len(SESSION)


def _listed(value: Json) -> list[Json]:
    return value if isinstance(value, list) else []


@pytest.mark.parametrize("edition", Edition)
def test_every_script_has_an_outcome_that_is_settled(folder: Path, edition: Edition) -> None:
    """No operation is refused by the model, and the word stands nowhere."""
    scope = Scope.full(edition)
    for script in scripts_of(read_corpus(folder), scope, seed=0, start=0, count=200):
        assert WORD not in json.dumps(script)
        for outcome in run_script(script, mode=Mode.RELEASE, edition=edition):
            assert "ok" in outcome


def test_narrow_claims_get_what_they_claim(folder: Path) -> None:
    """Types, modalities and operations of others never occur, nor outputs that would be cut."""
    claim = Claim(frozenset({"projection"}), frozenset({"message", "function_call"}), frozenset())
    long = item("function_call_output", call_id="c", output="y" * 50_000)
    (folder / "long.jsonl").write_text(line(long), encoding="utf-8")
    corpus = read_corpus(folder)
    scripts = scripts_of(corpus, Scope(claim), seed=0, start=0, count=100)
    types = {str(one["type"]) for script in scripts for op in script for one in _items(op)}
    assert types == {"message", "function_call"}
    assert {str(op["op"]) for script in scripts for op in script} <= {
        "record_items",
        "for_prompt",
        "raw_items",
        "replace",
    }
    with_outputs = Scope(evolve(claim, item_types=frozenset({"function_call_output"})))
    assert "y" * 50 not in json.dumps(scripts_of(corpus, with_outputs, seed=0, start=0, count=100))
    nothing = Scope(evolve(claim, item_types=frozenset({"compaction"})))
    assert fitted(corpus, nothing) == ()
    assert scripts_of(corpus, nothing, seed=0, start=0, count=5) == []


def _items(op: JsonObject) -> Iterator[JsonObject]:
    for one in _listed(op.get("items")):
        assert isinstance(one, dict)
        yield one


@pytest.mark.parametrize("mutation", MUTATIONS)
def test_mutations_take_any_session(mutation: object) -> None:
    """Nothing, one move and many: each gives a list of moves, and changes nothing in place."""
    from random import Random  # noqa: PLC0415

    assert callable(mutation)
    for size in (0, 1, len(SESSION)):
        moves = [Recorded(one) for one in SESSION[:size]]
        for seed in range(20):
            mutation(moves, Random(seed))  # noqa: S311
        assert moves == [Recorded(one) for one in SESSION[:size]]


def campaign(spec: SubjectSpec, corpus: Corpus, *, workers: int = 1) -> Result:
    """Run random evidence with a corpus, on one profile so that there are few other groups."""
    budget, profiles = evolve(SMALL, random_count=60), frozenset({"projection"})
    asked = Campaign(budget, evidence=(Evidence.RANDOM,), profiles=profiles, corpus=corpus)
    with open_subject(spec) as opened:
        return run_campaign(opened, asked, workers=workers)


@pytest.mark.parametrize("edition", Edition)
def test_the_model_is_clean_on_a_corpus(folder: Path, edition: Edition) -> None:
    """Nothing is found, and the certificate names the corpus by digest and counts."""
    corpus = read_corpus(folder)
    result = of_the_corpus_alone(evolve(model_spec(), edition=edition), corpus)
    assert result.setting.edition is edition
    assert not result.tally.findings
    assert not result.tally.differences
    assert result.tally.fault_count == 0
    assert result.tally.cases > 250
    evidence = certificate_of(result).evidence
    assert evidence.groups[-1] == CORPUS
    assert evidence.corpus is not None
    assert evidence.corpus.sha256 == corpus.sha256
    assert (evidence.corpus.sessions, evidence.corpus.items) == (1, len(SESSION) + 3)


def test_any_number_of_workers_gives_one_certificate(folder: Path, tmp_path: Path) -> None:
    """The sessions travel to the workers; a certificate with them is written and read."""
    corpus = read_corpus(folder)
    here, there = (
        certificate_of(campaign(model_spec(), corpus, workers=workers)) for workers in (1, 2)
    )
    assert certificate_digest(here) == certificate_digest(there)
    write_certificate(here, tmp_path / "certificate.json")
    assert read_certificate(tmp_path / "certificate.json").evidence == here.evidence


def of_the_corpus_alone(spec: SubjectSpec, corpus: Corpus) -> Result:
    """Run the units that are made of the corpus, and cut what they find."""
    with open_subject(spec) as opened:
        asked = Campaign(SMALL, evidence=(Evidence.RANDOM,), corpus=corpus)
        setting = setting_of(opened, asked)
        runner, total = UnitRunner(setting, opened.sessions), Tally()
        for unit in plan(setting):
            if unit.group == CORPUS:
                total.add(runner.run(unit, lambda _: None))
        minimise(total, runner, setting)
    return Result(setting, opened.descriptions, total)


@pytest.mark.parametrize(
    ("name", "clause"), [("ForgetsCustom", "PAIR-3"), ("OwnIds", "SYN-1"), ("TakesImages", "IMG-2")]
)
def test_a_mutant_is_found_by_the_corpus(folder: Path, name: str, clause: str) -> None:
    """By scripts of this group alone, cut down to one item and its projection."""
    spec = object_spec(f"broken_model:{name}", folder=str(BROKEN))
    found = of_the_corpus_alone(spec, read_corpus(folder)).tally.findings[clause, Mode.RELEASE]
    assert found.group == CORPUS
    assert [op["op"] for op in found.script] == ["record_items", "for_prompt"]
    assert len(list(_items(found.script[0]))) == 1


def certify(*arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    """Certify a broken subject with a corpus."""
    subject = ["--adapter", "broken_model:ForgetsCustom"]
    return subprocess.run(
        [sys.executable, "-m", "contextcert", "certify", *subject, *arguments],
        capture_output=True,
        text=True,
        check=False,
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(BROKEN), str(BROKEN.parents[1])])},
    )


@pytest.mark.parametrize("shows", [False, True])
def test_no_text_of_a_session_is_shown_or_written(
    folder: Path, tmp_path: Path, *, shows: bool
) -> None:
    """Neither in a report nor in a certificate and its replay files, unless that is asked for."""
    spec = object_spec("broken_model:ForgetsCustom", folder=str(BROKEN))
    certificate = certificate_of(
        of_the_corpus_alone(spec, read_corpus(folder, shows_text=shows)), None
    )
    write_certificate(certificate, tmp_path / "out" / "certificate.json")
    write_replays(certificate, tmp_path / "out")
    written = [path.read_text(encoding="utf-8") for path in (tmp_path / "out").rglob("*.json")]
    console = Console(width=100, file=io.StringIO())
    print_certificate(console, certificate, Again(certificate, {}, ()))
    assert isinstance(console.file, io.StringIO)
    shown = console.file.getvalue()
    assert len(written) > 1
    assert any('"group": "corpus"' in one for one in written)
    assert any(WORD in one for one in (*written, shown)) is shows
    told = "their texts as they are" if shows else "stand-ins for their texts"
    assert f"1 recorded sessions of {len(SESSION) + 3} items, {told}" in " ".join(shown.split())


def test_the_command_takes_a_corpus(folder: Path, tmp_path: Path) -> None:
    """What of it is left out is told on the way, and the certificate says which corpus it was."""
    (folder / "empty.jsonl").touch()
    asked = ("--corpus", str(folder), "--clause", "PAIR-3", "--evidence", "random", "--fail-fast")
    done = certify(*asked, "--show-corpus-text", "--out", str(tmp_path / "out"), cwd=tmp_path)
    assert done.returncode == 1
    assert "empty.jsonl is left out" in done.stderr
    evidence = read_certificate(tmp_path / "out" / "certificate.json").evidence
    assert evidence.corpus is not None
    assert evidence.corpus.shows_text


def test_mistakes_are_told_in_a_sentence(tmp_path: Path) -> None:
    """A folder that holds nothing, one that is not there, and an option without the other."""
    for arguments, said in (
        (("--corpus", str(tmp_path)), "holds no recorded session that can be used"),
        (("--corpus", str(tmp_path / "gone")), "does not exist"),
        (("--show-corpus-text",), "--corpus, which is not given"),
        (("--corpus", str(tmp_path), "--evidence", "vectors"), "which --evidence leaves out"),
    ):
        done = certify(*arguments, cwd=tmp_path)
        assert done.returncode == 2
        assert said in " ".join(done.stderr.split())
        assert "Traceback" not in done.stderr
