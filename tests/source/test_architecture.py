# SPDX-License-Identifier: MIT
"""What a folder is for is said once: in the first file of a package, and in the README of csrc and of tests."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SOURCES = {".py", ".pyi", ".c", ".cpp", ".h", ".inl", ".sh"}


def folders(tree: str) -> list[str]:
    """Return the folders of sources below one, and itself."""
    files = [path for path in (ROOT / tree).rglob("*") if path.suffix in SOURCES]
    return sorted({path.parent.relative_to(ROOT).as_posix() for path in files})


@pytest.mark.parametrize("folder", [*folders("skelkin_py"), *folders("blender_addon")])
def test_every_package_says_what_it_is_for(folder: str) -> None:
    tree = ast.parse((ROOT / folder / "__init__.py").read_text(encoding="utf-8"))
    assert ast.get_docstring(tree)


@pytest.mark.parametrize("tree", ["csrc", "tests"])
def test_the_readme_of_a_tree_has_one_line_for_each_folder_and_no_other(tree: str) -> None:
    text = (ROOT / tree / "README.md").read_text(encoding="utf-8")
    assert sorted(re.findall(r"^\| `([^`]+)/` \| \S", text, flags=re.M)) == [
        each for each in folders(tree) if each != tree
    ]
