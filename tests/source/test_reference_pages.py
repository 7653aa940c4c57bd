# SPDX-License-Identifier: MIT
"""The pages of the reference: every public name once, every function of the headers, names beside those of others."""

from __future__ import annotations

import importlib
import re
import sys
from collections import Counter
from pathlib import Path
from types import ModuleType

import pytest

import skelkin_py as sk

ROOT = Path(__file__).resolve().parents[2]
HEADERS = sorted((ROOT / "csrc" / "include" / "skelkin").glob("*.h"))


def module_of_the_site(name: str, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(ROOT / "docs" / "site"))
    try:
        return importlib.import_module(name)
    finally:
        sys.modules.pop(name, None)


@pytest.fixture
def python_reference(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    return module_of_the_site("python_reference", monkeypatch)


@pytest.fixture
def c_reference(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    return module_of_the_site("c_reference", monkeypatch)


@pytest.mark.parametrize("module", ["skelkin_py", "skelkin_py.blender", "skelkin_py.view", "skelkin_py.view.jupyter"])
def test_every_public_name_stands_on_one_page(python_reference: ModuleType, module: str) -> None:
    shown = Counter(
        name
        for theme in python_reference.THEMES.values()
        if theme.module == module
        for name in python_reference.names_of(theme)
    )
    assert shown == Counter(importlib.import_module(module).__all__)


def declared() -> set[str]:
    """Return the functions of the headers, read in another way than the pages are: names before a parenthesis."""
    names = set()
    for path in HEADERS:
        code = re.sub(r"/\*.*?\*/", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
        names |= set(re.findall(r"\b(skl_\w+)\s*\(", code)) - set(re.findall(r"\(\s*\*\s*(skl_\w+)", code))
    return names


def test_every_function_of_the_headers_is_on_one_page(c_reference: ModuleType) -> None:
    pages = [c_reference.page(header) for header in c_reference.headers(HEADERS[0].parent)]
    shown = [
        name for page in pages for name in re.findall(r"^\.\. c:function:: .*?(skl_\w+)\(", page, flags=re.MULTILINE)
    ]
    assert len(shown) > 50
    assert Counter(shown) == Counter(declared())


def test_every_header_has_a_page_in_the_order_of_the_contents(c_reference: ModuleType) -> None:
    names = [header.name for header in c_reference.headers(HEADERS[0].parent)]
    assert names[0] == "skelkin.h"
    assert sorted(names) == [path.name for path in HEADERS]


@pytest.mark.parametrize("path", HEADERS, ids=lambda path: path.name)
def test_all_words_of_a_header_are_on_its_page(c_reference: ModuleType, path: Path) -> None:
    comments = re.findall(r"/\*(.*?)\*/", path.read_text(encoding="utf-8"), flags=re.DOTALL)[1:]
    page = c_reference.page(c_reference.read_header(path)).lower()
    assert comments
    assert {word for comment in comments for word in re.findall(r"\w{4,}", comment.lower())} <= set(
        re.findall(r"\w+", page)
    )


def test_names_beside_those_of_other_libraries_exist() -> None:
    text = (ROOT / "docs" / "coming-from.md").read_text(encoding="utf-8")
    assert set(re.findall(r"\bskl_\w+", text)) <= {*declared(), "skl_"}
    rows = [line.split("|")[2:-1] for line in text.split("\n") if line.startswith("| ")]
    name = re.compile(r"`(?:sk\.)?(?:blender\.)?([A-Za-z]\w+(?:\.\w+)*)(?:\([^`]*\)[.\w]*)?`")
    named = {found for row in rows for cell in row for found in name.findall(cell) if not found.startswith("skl_")}
    assert len(named) > 40
    assert {each for each in named if not exists(each)} == {"bbw", "job.status", "out_error", "out_status"}


def exists(name: str) -> bool:
    for module in (sk, sk.blender):
        value: object = module
        for part in name.split("."):
            value = getattr(value, part, None)
        if value is not None:
            return True
    return False
