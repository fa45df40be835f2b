"""The mutants of the model: cosmic-ray's operators, applied wherever they can be.

Left out are places where a change has no meaning by SPEC: annotations that are never evaluated,
and what an error says (SPEC asks that there is one, and gives its words no meaning).
"""

# ruff: noqa: INP001 (a program, not part of the package)

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

import cosmic_ray.plugins
from cosmic_ray.ast import ast_nodes, get_ast
from cosmic_ray.mutating import mutate_code
from cosmic_ray.operators.exception_replacer import ExceptionReplacer
from mutant import Mutant
from parso.python.tree import Name, PythonNode

CORE: Final = "core/"
Place = tuple[int, int]
"""A line, from 1, and a column, from 0."""


def mutants_of(texts: Mapping[str, str]) -> list[Mutant]:
    """List the mutants of all modules, in the order of their places."""
    return [mutant for module, text in texts.items() for mutant in _mutants(module, text)]


def mutated(mutant: Mutant, text: str) -> str:
    """Give the text of the mutant's module with the change made."""
    changed = mutate_code(text, _operators()[mutant.operator], mutant.occurrence)
    if changed is None or changed == text:
        raise ValueError(f"nothing is changed by {mutant}")
    return str(changed)


class DottedExceptionReplacer(ExceptionReplacer):  # type: ignore[misc]  # cosmic-ray is untyped
    """cosmic-ray's operator, which fails on a dotted name such as `expat.ExpatError`.

    There it sets `value` on a node that has none; here the dotted name becomes a plain one.
    """

    def mutate(self, node: PythonNode, index: int) -> PythonNode:
        """Replace an exception by one that is never raised."""
        target = self._name_nodes(node)[index]
        if isinstance(target, PythonNode):
            target.children = [Name("", target.start_pos, " ")]
            target = target.children[0]
        target.value = "CosmicRayTestingException"
        return node


def _operators() -> dict[str, Any]:
    """Give all operators that need no arguments of their own, by their names."""
    classes: dict[str, Any] = {
        name.removeprefix(CORE): cosmic_ray.plugins.get_operator(name)
        for name in cosmic_ray.plugins.operator_names()
    }
    classes["ExceptionReplacer"] = DottedExceptionReplacer
    return {name: one() for name, one in sorted(classes.items()) if not one.arguments()}


def _mutants(module: str, text: str) -> Iterator[Mutant]:
    lines = text.splitlines()
    tree = ast.parse(text)
    definition_at, without_meaning = _definitions(tree), _without_meaning(tree)
    nodes = list(ast_nodes(get_ast(text)))
    found: list[tuple[Place, str, int]] = []
    for name, operator in _operators().items():
        places = (start for node in nodes for start, _ in operator.mutation_positions(node))
        found += [(start, name, occurrence) for occurrence, start in enumerate(places)]
    seen: Counter[tuple[str, str, str]] = Counter()
    for start, name, occurrence in sorted(found):
        if without_meaning(start):
            continue
        key = (definition_at(start), lines[start[0] - 1].strip(), name)
        yield Mutant(module, *key, nth=seen[key], occurrence=occurrence)
        seen[key] += 1


def _definitions(tree: ast.Module) -> Callable[[Place], str]:
    """Tell the innermost function or class at a place, decorators included."""
    spans: list[tuple[Place, Place, str]] = []

    def walk(node: ast.AST, outer: str) -> None:
        for child in ast.iter_child_nodes(node):
            name = outer
            if isinstance(child, ast.FunctionDef | ast.ClassDef):
                name = f"{outer}.{child.name}".removeprefix(".")
                first = min([child.lineno, *(one.lineno for one in child.decorator_list)])
                spans.append(((first, 0), _end(child), name))
            walk(child, name)

    walk(tree, "")
    return lambda place: next(
        (name for start, end, name in reversed(spans) if start <= place < end), ""
    )


def _without_meaning(tree: ast.Module) -> Callable[[Place], bool]:
    """Tell the places of unevaluated annotations and of what an error is made with."""
    nodes: list[ast.expr] = []
    postponed = any(
        isinstance(node, ast.ImportFrom) and node.module == "__future__" for node in tree.body
    )
    for node in ast.walk(tree):
        if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call):
            nodes += node.exc.args
        elif not postponed:
            continue
        elif isinstance(node, ast.AnnAssign | ast.arg) and node.annotation is not None:
            nodes.append(node.annotation)
        elif isinstance(node, ast.FunctionDef) and node.returns is not None:
            nodes.append(node.returns)
    spans = [((node.lineno, node.col_offset), _end(node)) for node in nodes]
    return lambda place: any(start <= place < end for start, end in spans)


def _end(node: ast.stmt | ast.expr) -> Place:
    assert node.end_lineno is not None
    assert node.end_col_offset is not None
    return node.end_lineno, node.end_col_offset
