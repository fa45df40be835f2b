"""A kit is copied whole or not at all, without what a build leaves, and what to type is told."""

import errno
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import BinaryIO

import pytest

from contextcert import new_adapter
from contextcert.cli.main import _terminate, run
from contextcert.new_adapter import KITS, PRODUCTS, kits

LANGUAGES = sorted(kits())


@pytest.fixture(autouse=True)
def _in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run where there is nothing."""
    monkeypatch.chdir(tmp_path)


def files(folder: Path) -> set[str]:
    """List the files below a folder."""
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}


def kept(folder: Path) -> Iterator[str]:
    """List the files of a kit that are no products."""
    return (one for one in files(folder) if not PRODUCTS.intersection(Path(one).parts))


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_kit_is_copied_without_products(language: str) -> None:
    """The copy holds the sources, the configuration and the list of what not to commit."""
    assert run(["new-adapter", language, "mine"]) == 0
    assert files(Path("mine")) == set(kept(KITS / language))
    assert {"README.md", "contextcert.toml", ".gitignore", kits()[language]["protocol"]} <= files(
        Path("mine")
    )
    assert [path.name for path in Path().iterdir()] == ["mine"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_products_are_what_the_kit_says_not_to_commit(language: str) -> None:
    """What the kit's own .gitignore names is left behind, and nothing else is."""
    ignored = (KITS / language / ".gitignore").read_text().split()
    assert {name.strip("/") for name in ignored} <= PRODUCTS


def test_what_to_type_next_is_told_for_where_the_user_stands(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A path with a space is quoted, and contextcert is called as it can be found."""
    monkeypatch.setattr(sys, "argv", ["/somewhere/bin/contextcert"])
    assert run(["new-adapter", "rust", "my port"]) == 0
    assert capsys.readouterr().out.splitlines()[-3:] == [
        "  cd 'my port' && cargo build && cargo build --release",
        "  /somewhere/bin/contextcert smoke rust",
        "  /somewhere/bin/contextcert certify rust",
    ]


def test_a_folder_that_looks_like_an_option_can_be_gone_to(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """What is told to be typed works."""
    assert run(["new-adapter", "python", "--", "-dash"]) == 0
    told = capsys.readouterr().out.splitlines()[-3]
    subprocess.run(["sh", "-c", told.split(" && ")[0]], check=True)  # noqa: S607  a line to type


def test_the_name_alone_is_told_where_it_is_found(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """On the path, the name is enough; as a module, it is called as one."""
    program = Path("bin/contextcert").absolute()
    program.parent.mkdir()
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(program.parent))
    monkeypatch.delenv("UV", raising=False)
    monkeypatch.setattr(sys, "argv", [str(program)])
    run(["new-adapter", "python", "one"])
    assert "  contextcert smoke python" in capsys.readouterr().out.splitlines()
    monkeypatch.setenv("UV", "/usr/bin/uv")
    run(["new-adapter", "python", "two"])
    assert f"  {program} smoke python" in capsys.readouterr().out.splitlines()
    monkeypatch.setattr(sys, "argv", ["/lib/contextcert/__main__.py"])
    run(["new-adapter", "python", "three"])
    told = capsys.readouterr().out.splitlines()
    assert f"  {sys.executable} -m contextcert smoke python" in told


def test_an_empty_folder_is_filled_and_stays_the_same() -> None:
    """Whoever stands in it goes on standing there."""
    Path("mine").mkdir()
    same = Path("mine").stat().st_ino
    assert run(["new-adapter", "go", "mine"]) == 0
    assert Path("mine").stat().st_ino == same
    assert Path("mine/adapter.go").is_file()
    assert [path.name for path in Path().iterdir()] == ["mine"]


def test_parents_are_made() -> None:
    """A path that does not exist yet is no mistake."""
    assert run(["new-adapter", "python", "one/two/three"]) == 0
    assert Path("one/two/three/adapter.py").is_file()


@pytest.mark.parametrize(
    ("target", "said"),
    [
        ("full", "full is not empty"),
        ("file", "file is no folder"),
        ("dangling", "dangling is no folder"),
        ("file/below", "cannot be written"),
    ],
)
def test_what_is_there_is_left_alone(
    target: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """One sentence, exit 2, and nothing has changed."""
    Path("full").mkdir()
    Path("full/of").write_text("something")
    Path("file").write_text("something")
    Path("dangling").symlink_to("nowhere")
    before = sorted(path.name for path in Path().rglob("*"))
    assert run(["new-adapter", "rust", target]) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.count("\n") == 1
    assert said in told.err
    assert sorted(path.name for path in Path().rglob("*")) == before


def test_an_unknown_language_is_answered_with_those_there(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The names are listed."""
    assert run(["new-adapter", "cobol", "mine"]) == 2
    told = capsys.readouterr().err
    assert all(language in told for language in LANGUAGES)


@pytest.mark.parametrize("exists", [False, True])
def test_nothing_half_written_stays(
    exists: bool,  # noqa: FBT001  a parameter of the test
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """A disk that is full in the middle leaves no part of a kit, and nothing beside it."""
    if exists:
        Path("mine").mkdir()
    copied = []

    def until_full(source: BinaryIO, target: BinaryIO) -> None:
        copied.append(source)
        if len(copied) > 3:
            raise OSError(errno.ENOSPC, "No space left on device")
        target.write(source.read())

    monkeypatch.setattr(shutil, "copyfileobj", until_full)
    assert run(["new-adapter", "rust", "mine"]) == 2
    assert "No space left on device" in capsys.readouterr().err
    assert Path("mine").exists() is exists
    assert files(Path()) == set()


def disturb(monkeypatch: pytest.MonkeyPatch, place: int, act: Callable[[], object]) -> None:
    """Let something happen while the file at this place is copied."""
    copied = []
    honest = shutil.copyfileobj

    def copy(source: BinaryIO, target: BinaryIO) -> None:
        copied.append(source)
        if len(copied) == place:
            act()
        honest(source, target)

    monkeypatch.setattr(shutil, "copyfileobj", copy)


def _interrupt() -> None:
    raise KeyboardInterrupt


INTERRUPTS: dict[str, Callable[[], object]] = {
    "SIGINT": partial(signal.raise_signal, signal.SIGINT),
    "SIGTERM": partial(signal.raise_signal, signal.SIGTERM),
    "KeyboardInterrupt": _interrupt,
}


@pytest.mark.parametrize("place", [1, 4])
@pytest.mark.parametrize("name", INTERRUPTS)
@pytest.mark.parametrize("target", ["mine", "p/q/new"])
def test_an_interrupt_leaves_nothing(
    target: str, name: str, place: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same command can be typed again, and nothing hidden is beside the folder."""
    Path("mine").mkdir()
    before = signal.signal(signal.SIGTERM, _terminate)
    try:
        disturb(monkeypatch, place, INTERRUPTS[name])
        assert run(["new-adapter", "rust", target]) == (143 if name == "SIGTERM" else 130)
    finally:
        signal.signal(signal.SIGTERM, before)
    assert list(Path().rglob("*")) == [Path("mine")]


def test_signals_do_again_what_they_did(monkeypatch: pytest.MonkeyPatch) -> None:
    """A copy that was not interrupted leaves the handlers as they were."""
    before = signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM)
    held: list[object] = []
    disturb(monkeypatch, 1, lambda: held.append(signal.getsignal(signal.SIGINT)))
    assert run(["new-adapter", "rust", "mine"]) == 0
    assert held[0] != before[0]
    assert (signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM)) == before


def test_what_somebody_else_wrote_meanwhile_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    """A file of another's is neither overwritten nor taken out, the kit's own files are."""
    Path("mine").mkdir()
    theirs = Path("mine/protocol.py"), Path("mine/notes")
    disturb(monkeypatch, 1, lambda: [one.write_text("mine") for one in theirs])
    assert run(["new-adapter", "python", "mine"]) == 2
    assert {one.read_text() for one in theirs} == {"mine"}
    assert files(Path()) == set(map(str, theirs))


def test_an_empty_folder_needs_nothing_beside_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """It may be a mount point, or its parent read-only."""
    Path("mine").mkdir()
    beside: list[Path] = []
    disturb(monkeypatch, 2, lambda: beside.extend(Path().iterdir()))
    assert run(["new-adapter", "python", "mine"]) == 0
    assert beside == [Path("mine")]


@pytest.mark.parametrize("exists", [False, True])
def test_a_kit_may_be_copied_into_itself(
    exists: bool,  # noqa: FBT001  a parameter of the test
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """In a checkout a folder within the kit is a folder like any other."""
    shutil.copytree(KITS / "go", "kits/go", ignore=shutil.ignore_patterns(*PRODUCTS))
    monkeypatch.setattr(new_adapter, "KITS", Path("kits").absolute())
    if exists:
        Path("kits/go/inner").mkdir()
    assert run(["new-adapter", "go", "kits/go/inner"]) == 0
    assert files(Path("kits/go/inner")) == set(kept(KITS / "go"))
    assert not Path("kits/go/inner/inner").exists()


def test_every_file_of_a_kit_that_is_kept_travels() -> None:
    """What git keeps of the kits is what a copy is made of."""
    root = Path(__file__).parent.parent
    if not (root / ".git").exists():
        pytest.skip("this is no checkout")
    listed = subprocess.run(
        ["git", "ls-files", "kits"],  # noqa: S607  whichever git is there
        cwd=root,
        capture_output=True,
        text=True,
        check=True,
    )
    for path in map(Path, listed.stdout.split()):
        assert not PRODUCTS.intersection(path.parts), path
