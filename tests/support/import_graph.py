# SPDX-License-Identifier: MIT
"""Which module of a package imports which, read out of the sources, and the circles that this makes."""

from __future__ import annotations

import ast
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import NamedTuple


class Import(NamedTuple):
    """One module that a module imports; dotted names, the outermost package first."""

    by: str
    of: str
    later: bool  # in a function, or for types alone: not when the module is loaded


def module_files(folder: Path) -> dict[str, Path]:
    """Return all modules of a package by their dotted names; a package goes by its own, a stub counts as a module."""
    found = {}
    for path in sorted([*folder.rglob("*.py"), *folder.rglob("*.pyi")]):
        parts = (folder.name, *path.relative_to(folder).with_suffix("").parts)
        found[".".join(parts).removesuffix(".__init__")] = path
    return found


def nodes_below(tree: ast.AST, kinds: tuple[type, ...], text: str = "") -> set[ast.AST]:
    """Return all nodes below nodes of these kinds (whose condition has this text, where one is given)."""
    return {
        node
        for block in ast.walk(tree)
        if isinstance(block, kinds) and (not text or text in ast.unparse(block.test))
        for node in ast.walk(block)
    }


def imports_of(name: str, path: Path, known: Collection[str]) -> list[Import]:
    """Return the relative imports of one module, each of the module that is meant.

    ``from . import part`` means the module ``part`` where there is one, else the package itself.
    """
    tree = ast.parse(path.read_text(encoding="utf-8"))
    inside = nodes_below(tree, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda))
    for_types = nodes_below(tree, (ast.If,), "TYPE_CHECKING")
    package = name if path.stem == "__init__" else name.rpartition(".")[0]
    found = []
    for node in ast.walk(tree):
        if not isinstance(node, ast.ImportFrom) or not node.level:
            continue
        parts = package.split(".")
        start = parts[: len(parts) - node.level + 1] + ([node.module] if node.module else [])
        for alias in node.names:
            target = ".".join([*start, alias.name])
            target = target if target in known else ".".join(start)
            if target in known:
                found.append(Import(name, target, node in inside or node in for_types))
    return found


def imports_below(folder: Path) -> list[Import]:
    """Return the relative imports of all modules of a package."""
    known = module_files(folder)
    return [each for name, path in known.items() for each in imports_of(name, path, known)]


def part_of(package: str, name: str) -> str | None:
    """Return which part of a package a module belongs to: a module, a package, or "__init__"; None outside of it."""
    if name == package:
        return "__init__"
    return name[len(package) + 1 :].partition(".")[0] if name.startswith(package + ".") else None


def parts_graph(package: str, imports: Collection[Import]) -> dict[str, set[str]]:
    """Return which part of a package imports which other part of it."""
    graph: dict[str, set[str]] = {}
    for each in imports:
        by, of = part_of(package, each.by), part_of(package, each.of)
        if by is not None and of is not None and by != of:
            graph.setdefault(by, set()).add(of)
    return graph


def reached(graph: Mapping[str, Collection[str]], start: str) -> set[str]:
    """Return every node that some way leads to from `start`; itself only by a way back."""
    found: set[str] = set()
    open_nodes = [start]
    while open_nodes:
        new = set(graph.get(open_nodes.pop(), ())) - found
        found |= new
        open_nodes += new
    return found


def circles(graph: Mapping[str, Collection[str]]) -> list[list[str]]:
    """Return the groups of nodes each of which leads to every other, and so back to itself; sorted."""
    ahead = {node: reached(graph, node) for node in graph}
    groups = {tuple(sorted(other for other in ahead[node] if node in ahead.get(other, ()))) for node in graph}
    return sorted(list(group) for group in groups if group)
