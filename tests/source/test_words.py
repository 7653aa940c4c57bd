# SPDX-License-Identifier: MIT
"""Pages, docstrings, messages and comments of C keep to plain English: no phrase that readers would read twice."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
MADE = "not to be edited"  # in a page that a script writes, with the sentences of its results
PAGES = [
    page
    for page in (
        *(ROOT / name for name in ("README.md", "CHANGELOG.md", "CONTRIBUTING.md", "benchmarks/README.md")),
        *sorted((ROOT / "docs").rglob("*.md")),
    )
    if MADE not in page.read_text(encoding="utf-8")
]
MODULES = [path for folder in ("skelkin_py", "blender_addon") for path in sorted((ROOT / folder).rglob("*.py"))]
SOURCES = sorted(path for path in (ROOT / "csrc").rglob("*.*") if path.suffix in {".c", ".h", ".inl"})
NOTEBOOKS = sorted((ROOT / "examples").glob("*.ipynb"))

# Phrases, not words, and what to write instead; docs/words.md has the terms.
PHRASES = {
    "anew": "again",
    "asked of": "given, or requested from",
    "are let alone": "are not changed",
    "as many as there are": "any number",
    "be had": "be met, or be reached",
    "can be told": "is known",
    "do I turn": "do I change",
    "goes on where it was": "continues where it stopped",
    "hang from": "be a child of",
    "hang on": "be a child of, or depend on",
    "hangs from": "is a child of",
    "hangs on": "is a child of, or depends on",
    "have to be had": "are needed",
    "in so far as": "if, or as far as",
    "is answered with": "gives",
    "is asked for": "is needed, or is requested",
    "is left aside": "is ignored",
    "is no number": "is not a number",
    "is no rotation": "is not a rotation",
    "is none of": "is not",
    "is passed over": "is skipped",
    "is told nothing": "does not tell",
    "lets itself": "can be",
    "longer than the memory": "larger than memory",
    "makes itself": "appears",
    "may stay so": "may stay zero",
    "moves level": "moves horizontally",
    "no part of the motion": "not part of the motion",
    "of one's own": "of your own",
    "of the moment": "current",
    "on from here": "next steps",
    "one and the same": "the same",
    "shows itself": "is displayed",
    "stands in place of": "replaces",
    "stands there": "is there",
    "tells no side": "does not show the side",
    "tells of": "describes",
    "tells the options": "lists the options",
    "that there is not": "that does not exist",
    "the whole and": "all of it, and",
    "those who go on": "editing",
    "to go on by hand": "to edit by hand",
    "to turn when": "to change when",
    "unasked": "unless you ask",
    "wants a test": "needs a test",
    "what else there is": "everything else",
    "what is like it": "the nearest name",
    "what is where": "where things are",
    "where it was ended": "where it stopped",
}
FOUND = re.compile(
    rf"(?<!there )\b({'|'.join(map(re.escape, sorted(PHRASES, key=len, reverse=True)))})\b", re.IGNORECASE
)


def prose(text: str) -> str:
    """Return the text without its code, links and names of buttons, with its sentences whole."""
    text = re.sub(r"^```.*?^```|`[^`\n]+`|\]\([^)]*\)|\*[A-Z][^*\n]+\*", " ", text, flags=re.DOTALL | re.MULTILINE)
    return re.sub(r"\s+", " ", text)


def cured(text: str) -> list[str]:
    """Return each phrase of the list with some words around it and what to write instead."""
    text = prose(text)
    around = [(text[max(0, hit.start() - 30) : hit.end() + 30], hit[1].lower()) for hit in FOUND.finditer(text)]
    write = {phrase.lower(): better for phrase, better in PHRASES.items()}
    return [f"…{place}…: write “{write[phrase]}”" for place, phrase in around]


def texts(module: str) -> Iterator[str]:
    """Yield the docstrings and other strings of a module, with … for what an f-string puts in."""
    parts: set[ast.AST] = set()
    for node in ast.walk(ast.parse(module)):
        if isinstance(node, ast.JoinedStr):
            parts.update(ast.walk(node))
            yield "".join(str(part.value) if isinstance(part, ast.Constant) else "…" for part in node.values)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in parts:
            yield node.value


def comments(source: str) -> Iterator[str]:
    """Yield the comments of a C file without the stars of their lines."""
    for found in re.findall(r"/\*.*?\*/|//[^\n]*", source, re.DOTALL):
        yield re.sub(r"\n\s*\*?", " ", found)


def test_a_phrase_is_found_across_lines_and_not_in_code() -> None:
    assert cured("A value that\nis no  number.") == ["…A value that is no number.…: write “is not a number”"]
    assert not cured("`anew`, *Find Anew* and [a link](anew.md)\n\n```\nanew\n```\n")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_pages_are_in_plain_english(page: Path) -> None:
    assert cured(page.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.name)
def test_text_of_notebooks_is_in_plain_english(notebook: Path) -> None:
    cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    for cell in cells:
        if cell["cell_type"] == "markdown":
            assert cured("".join(cell["source"])) == []


def test_strings_of_f_strings_are_whole_and_comments_are_found_across_lines() -> None:
    assert list(texts('"""A"""\nraise ValueError(f"{x} is no " "number")')) == ["A", "… is no number"]
    assert [cured(each) for each in comments("/* a bone\n * hangs\n * on it */ int anew;")] == [
        ["…/* a bone hangs on it */…: write “is a child of, or depends on”"]
    ]


@pytest.mark.parametrize("module", MODULES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_docstrings_and_messages_are_in_plain_english(module: Path) -> None:
    assert [found for text in texts(module.read_text(encoding="utf-8")) for found in cured(text)] == []


@pytest.mark.parametrize("source", SOURCES, ids=lambda path: path.name)
def test_comments_of_c_are_in_plain_english(source: Path) -> None:
    assert [found for text in comments(source.read_text(encoding="utf-8")) for found in cured(text)] == []
