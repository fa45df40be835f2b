"""contextcert.toml: what it describes, and one line for every mistake."""

import json
import tomllib
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from contextcert.adapters.in_process import ObjectWay
from contextcert.adapters.stdio import CommandWay
from contextcert.config import config_schema, configured_subject, example, read_subjects
from contextcert.refmodel.claim import ITEM_TYPES, MODALITIES
from contextcert.refmodel.clauses import PROFILES
from contextcert.refmodel.modes import Edition, Mode
from contextcert.subject import SubjectError


def written(folder: Path, text: str) -> Path:
    """Write a configuration file."""
    file = folder / "contextcert.toml"
    file.write_text(text, encoding="utf-8")
    return file


def test_the_example_is_read(tmp_path: Path) -> None:
    """Every key of the example arrives where it belongs."""
    subjects = read_subjects(written(tmp_path, example()))
    port = subjects["my-port"]
    assert port.modes() == (Mode.DEBUG, Mode.RELEASE)
    assert port.time_out_factor == 2.0
    assert port.edition is Edition.AUGUST_2026
    assert port.claim is not None
    assert port.claim.profiles == {"projection", "media"}
    assert port.claim.item_types == set(ITEM_TYPES)
    assert port.ways[Mode.DEBUG] == CommandWay(
        ("target/debug/context-adapter",), {"RUST_BACKTRACE": "1"}, str(tmp_path.resolve())
    )
    assert subjects["scripted"].ways[Mode.RELEASE] == CommandWay(
        ("node", "adapter.js"), {}, str(tmp_path.resolve()), spare=False
    )
    way = subjects["in-process"].ways[Mode.DEBUG]
    assert way == ObjectWay("my_package.adapter:Subject", str(tmp_path.resolve()))


def test_the_schema_is_one_and_the_example_follows_it() -> None:
    """The schema is valid, and names what SPEC names."""
    Draft202012Validator.check_schema(config_schema())
    Draft202012Validator(config_schema()).validate(tomllib.loads(example()))
    claim = config_schema()["$defs"]["claim"]["properties"]
    assert tuple(claim["profiles"]["items"]["enum"]) == PROFILES
    assert tuple(claim["item_types"]["items"]["enum"]) == ITEM_TYPES
    assert tuple(claim["modalities"]["items"]["enum"]) == MODALITIES
    assert json.dumps(config_schema())


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[subjects.a]\ndebug = [", ("no TOML", "end of document")),
        ("", ("no table [subjects.NAME]",)),
        ("[subjects]\n", ("no subject is described",)),
        ("[subject.a]\ndebug = ['x']\n", ("line 1", "subject", "not known", "subjects")),
        ("[subjects.a]\n", ("line 1", "no command")),
        ("[subjects.a]\ndebug = ['x']\ncommand = ['y']\n", ("line 1", "debug and command")),
        ("[subjects.a]\ndebug = 'x y'\n", ("line 2", "subjects.a.debug", "a list")),
        ("[subjects.a]\ndebug = []\n", ("line 2", "at least a program")),
        ("[subjects.a]\ndebug = [1]\n", ("line 2", "subjects.a.debug.0", "a string")),
        ("[subjects.a]\ndebug = ['x']\ntimeout = 3\n", ("line 3", "timeout", "time_out_factor")),
        ("[subjects.a]\ndebug = ['x']\ntime_out_factor = 0\n", ("line 3", "above 0")),
        ("[subjects.a]\ndebug = ['x']\ntime_out_factor = nan\n", ("line 3", "at most 1000")),
        ("[subjects.a]\ndebug = ['x']\ntime_out_factor = inf\n", ("line 3", "at most 1000")),
        ("[subjects.a]\ndebug = ['x']\nedition = '2027-01'\n", ("line 3", "2026-08, 2026-11")),
        ("[subjects.a]\nadapter = 'module'\n", ("line 2", "module:attribute")),
        ("[subjects.a]\ndebug = ['x']\nenv = { A = 1 }\n", ("line 3", "subjects.a.env.A")),
        ("[subjects.a]\ndebug = ['x']\nenv = { 'A=B' = '1' }\n", ("line 3", "without =")),
        ('[subjects.a]\ndebug = ["x"]\nenv = { A = "\\u0000" }\n', ("line 3", "without NUL")),
        ('[subjects.a]\ndebug = ["x"]\ncwd = "a\\u0000"\n', ("line 3", "without NUL")),
        (
            "[subjects.a]\ndebug = ['x']\n[subjects.a.claim]\nprofiles = ['media', 'x']\n",
            ("line 4", "subjects.a.claim.profiles.1", "one of projection"),
        ),
        ("[subjects.codex]\ndebug = ['x']\n", ("taken by contextcert",)),
        ("[subjects.'a b']\ndebug = ['x']\n", ("letters, digits",)),
        ("[subjects.\"\\u001b[2J\"]\ndebug = ['x']\n", ("letters, digits",)),
    ],
)
def test_a_mistake_is_told_in_one_line(text: str, words: tuple[str, ...], tmp_path: Path) -> None:
    """The line says the file, the line or key, and what to do."""
    file = written(tmp_path, text)
    with pytest.raises(SubjectError) as caught:
        read_subjects(file)
    sentence = str(caught.value)
    assert sentence.startswith(str(file))
    assert sentence.isprintable()
    for word in words:
        assert word in sentence


def test_a_name_that_is_not_there_is_told_with_those_that_are(tmp_path: Path) -> None:
    """A wrong name is answered with the right ones."""
    file = written(tmp_path, "[subjects.a]\ncommand = ['x']\n[subjects.b]\ncommand = ['x']\n")
    assert configured_subject("b", file).name == "b"
    with pytest.raises(SubjectError, match=r"no subject 'c', only a, b"):
        configured_subject("c", file)
    with pytest.raises(SubjectError, match="name one of them"):
        configured_subject(None, file)


def test_a_subject_that_is_alone_needs_no_name(tmp_path: Path) -> None:
    """With one subject in the file, the file is enough."""
    file = written(tmp_path, "[subjects.a]\nrelease = ['x']\n")
    assert configured_subject(None, file).modes() == (Mode.RELEASE,)


def test_a_file_that_cannot_be_read_is_told_in_one_line(tmp_path: Path) -> None:
    """A missing file, a folder and a text that is no UTF-8 are told apart."""
    with pytest.raises(SubjectError, match="is not there"):
        read_subjects(tmp_path / "nothing.toml")
    with pytest.raises(SubjectError, match="cannot be read"):
        read_subjects(tmp_path)
    (tmp_path / "latin.toml").write_bytes(b"# \xe9\n")
    with pytest.raises(SubjectError, match="no UTF-8"):
        read_subjects(tmp_path / "latin.toml")
