# SPDX-License-Identifier: MIT
"""The map of the tree, docs/architecture.md, has one line for each folder of sources, and for no other."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TREES = ["benchmarks", "blender_addon", "csrc", "docs", "examples", "skelkin_py", "tests", "tools"]
SOURCES = {".py", ".pyi", ".c", ".cpp", ".h", ".inl", ".js", ".sh"}


def source_folders() -> set[str]:
    files = [path for tree in TREES for path in (ROOT / tree).rglob("*") if path.suffix in SOURCES]
    assert files
    return {path.parent.relative_to(ROOT).as_posix() for path in files}


def lines_of_folders() -> Counter[str]:
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    return Counter(re.findall(r"^\| `([^`]+)/` \| \S", text, flags=re.M))


def test_every_folder_of_sources_has_its_line() -> None:
    assert source_folders() - set(lines_of_folders()) == set()


def test_every_line_is_of_a_folder_of_sources() -> None:
    assert set(lines_of_folders()) - source_folders() == set()


def test_no_folder_has_two_lines() -> None:
    assert {name for name, times in lines_of_folders().items() if times > 1} == set()
