# SPDX-License-Identifier: MIT
"""docs/windows.md lists the tests that Windows is not shown by: those with the marker `posix`."""

from __future__ import annotations

import ast
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
MARK = "pytest.mark.posix"


def marked(path: Path) -> list[str]:
    """Return the names of the tests of a file that have the marker, in whole or for one of their cases."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    variables = {
        target.id: ast.unparse(node.value)
        for node in tree.body
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name) and MARK in ast.unparse(node.value)
    }
    tests = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")]
    if "pytestmark" in variables:
        return [node.name for node in tests]
    signs = re.compile("|".join([re.escape(MARK), *(rf"\b{name}\b" for name in variables)]))
    return [node.name for node in tests if any(signs.search(ast.unparse(each)) for each in node.decorator_list)]


def rows() -> list[str]:
    """Return the rows of the page's table as they should be."""
    out = []
    for path in sorted((ROOT / "tests").rglob("test_*.py")):
        if MARK in path.read_text(encoding="utf-8") and path != Path(__file__) and (names := marked(path)):
            out.append(f"| `{path.relative_to(ROOT).as_posix()}` | {', '.join(f'`{name}`' for name in names)} |")
    return out


def test_the_page_lists_every_test_with_the_marker() -> None:
    page = (ROOT / "docs" / "windows.md").read_text(encoding="utf-8")
    head = "| file | tests |\n|---|---|\n"
    assert page.endswith(head + "\n".join(rows()) + "\n")
    assert len(rows()) > 10
