# SPDX-License-Identifier: MIT
"""What of the add-on may know Blender and what may write; read out of its sources."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ADDON = Path(__file__).resolve().parents[2] / "blender_addon"
MODULES = sorted(ADDON.rglob("*.py"))
LONGEST = 60  # lines of a function
ADDS_OR_REMOVES = {"new", "remove", "copy", "batch_remove", "load", "append", "link"}


def name_of(path: Path) -> str:
    return path.relative_to(ADDON).as_posix()


def functions(path: Path) -> Iterator[ast.FunctionDef]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    yield from (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef))


@pytest.mark.parametrize("path", sorted((ADDON / "core").rglob("*.py")), ids=name_of)
def test_what_plans_neither_imports_blender_nor_takes_its_context(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    imported = [alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names]
    relative = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    assert not {name.partition(".")[0] for name in [*imported, *(node.module or "" for node in relative)]} & {
        "bpy",
        "bmesh",
        "gpu",
        "mathutils",
    }
    assert [node.module for node in relative if node.level > 1] == []
    taken = {
        argument.arg
        for function in functions(path)
        for argument in ast.walk(function.args)
        if isinstance(argument, ast.arg)
    }
    assert "context" not in taken


def test_actions_are_added_and_removed_in_one_module() -> None:
    found = set()
    for path in MODULES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Attribute) and node.attr in ADDS_OR_REMOVES:
                owner = ast.unparse(node.value)
                if owner.startswith("bpy.data.") or (node.attr == "copy" and "action" in owner):
                    found.add(name_of(path))
    assert found == {"bridge/changes.py"}


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_functions_can_be_read_at_a_glance(path: Path) -> None:
    lengths = {function.name: (function.end_lineno or 0) - function.lineno + 1 for function in functions(path)}
    assert {name: lines for name, lines in lengths.items() if lines > LONGEST} == {}
