"""A private copy of the reference model, in memory, from which a process imports it.

Mutants are put into that copy, in a process of their own: no file is ever written, so the working
tree cannot be touched, and its changes during a run do not matter either.
"""

# ruff: noqa: INP001 (a program, not part of the package)

from __future__ import annotations

import sys
import warnings
from collections.abc import Mapping, Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.readers import FileReader
from importlib.util import spec_from_loader
from pathlib import Path
from types import CodeType, ModuleType, SimpleNamespace
from typing import Final

from attrs import field, frozen

ROOT: Final = Path(__file__).parents[2]
MODEL: Final = ROOT / "refmodel"
PACKAGE: Final = "contextcert.refmodel"


@frozen
class Sources:
    """The text of each module of the model, by its file name, and the code made of it."""

    folder: Path
    """Where the data files lie that the model reads."""
    texts: Mapping[str, str]
    _codes: Mapping[str, CodeType] = field(repr=False)

    @classmethod
    def of(cls, folder: Path = MODEL) -> Sources:
        """Read all modules of a folder."""
        texts = {path.name: path.read_text("utf-8") for path in sorted(folder.glob("*.py"))}
        codes = {name: _compiled(name, text) for name, text in texts.items()}
        return cls(folder, texts, codes)

    def install(self, changed: Mapping[str, str]) -> None:
        """Let this process import the model from here, and some modules with another text."""
        for name in [name for name in sys.modules if name.partition(".")[0] == "contextcert"]:
            del sys.modules[name]
        codes = {name: _compiled(name, text) for name, text in changed.items()}
        sys.meta_path.insert(0, _Finder(self.folder, {**self._codes, **codes}))


def _compiled(name: str, text: str) -> CodeType:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SyntaxWarning)  # a mutant may look odd
        return compile(text, f"refmodel/{name}", "exec", dont_inherit=True)


@frozen(eq=False)
class _Finder(MetaPathFinder, Loader):
    """Finds `contextcert`, which is empty, and the model in it."""

    folder: Path
    codes: Mapping[str, CodeType]

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Find a module of the copy, and none besides."""
        del path, target
        parent, _, name = fullname.rpartition(".")
        if fullname == "contextcert":
            return spec_from_loader(fullname, self, is_package=True)
        if fullname == PACKAGE:
            return spec_from_loader(fullname, self, is_package=True)
        if parent == PACKAGE and f"{name}.py" in self.codes:
            return spec_from_loader(fullname, self)
        return None

    def get_resource_reader(self, fullname: str) -> FileReader | None:
        """Read the model's data where it lies."""
        here = SimpleNamespace(path=str(self.folder / "__init__.py"))
        return FileReader(here) if fullname == PACKAGE else None  # type: ignore[arg-type]

    def exec_module(self, module: ModuleType) -> None:
        """Run the code of the copy."""
        if module.__name__ == "contextcert":
            return
        name = "__init__" if module.__name__ == PACKAGE else module.__name__.rpartition(".")[2]
        exec(self.codes[f"{name}.py"], module.__dict__)  # noqa: S102 (the model's own code)
