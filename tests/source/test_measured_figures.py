# SPDX-License-Identifier: MIT
"""Measured figures of the pages are those of the reference CPU's file; only texts are compared, nothing is measured."""

from __future__ import annotations

import re
from types import ModuleType

import pytest
from scripts import ROOT, load_benchmark

PAGES = ("README.md", "docs/status.md", "docs/performance.md")
# What is about speed as a whole; elsewhere on these pages seconds and per cents are of other things.
SPEED = {"README.md": "## How fast", "docs/status.md": "## Speed", "docs/performance.md": "# Performance"}
# A number with a unit of speed. Behind ≥ or ≤ it is a bar, and "× 65" goes on with a number or a noun: a size.
FREE = r"(?<![≥≤] )(?<![\d.,/])\d[\d.,]*(?:[–-]\d[\d.,]*)? ?"
ANYWHERE = re.compile(FREE + r"(?:µs|ns|M [a-z]+/s|M[a-z]*/s|GB/s|Gflop/s)(?![a-z])")
IN_SPEED = re.compile(FREE + r"(?:ms|s|%|×(?! ?[\d(]| [a-z]+ ?×)|times as fast)(?![a-z])")


@pytest.fixture(scope="module")
def figures() -> ModuleType:
    return load_benchmark("figures")


@pytest.fixture(scope="module")
def results(figures: ModuleType) -> object:
    return figures.Results(figures.read(figures.path_of(figures.REFERENCE)))


def unmarked(figures: ModuleType, name: str, page: str) -> list[str]:
    """Return the figures of speed on a page that stand outside markers."""
    bare = figures.MARKER.sub(" ", page)
    begin = bare.index(f"{SPEED[name]}\n")
    after = re.compile(r"^## ", re.MULTILINE).search(bare, begin + 3) if SPEED[name].startswith("##") else None
    section = bare[begin : after.start() if after else len(bare)]
    return [found[0] for found in (*ANYWHERE.finditer(bare), *IN_SPEED.finditer(section))]


@pytest.mark.parametrize("name", PAGES)
def test_figures_are_those_of_the_reference_cpu(figures: ModuleType, results: object, name: str) -> None:
    page = (ROOT / name).read_text(encoding="utf-8")
    assert page == figures.filled(page, results), "run make figures"
    assert len(figures.MARKER.findall(page)) >= 10


@pytest.mark.parametrize("name", PAGES)
def test_no_figure_of_speed_stands_outside_a_marker(figures: ModuleType, name: str) -> None:
    assert unmarked(figures, name, (ROOT / name).read_text(encoding="utf-8")) == []


@pytest.mark.parametrize("name", PAGES)
def test_every_marker_is_closed(figures: ModuleType, name: str) -> None:
    page = (ROOT / name).read_text(encoding="utf-8")
    found = figures.MARKER.findall(page)
    assert page.count("<!-- figure: ") == page.count("<!-- -->") == len(found)
    assert all("<!-- figure: " not in text for _, _, text, _ in found)


def test_the_pages_are_the_ones_that_are_filled(figures: ModuleType) -> None:
    assert [str(path.relative_to(ROOT)) for path in figures.PAGES] == list(PAGES)


def test_the_performance_page_is_short(figures: ModuleType) -> None:
    page = (ROOT / "docs" / "performance.md").read_text(encoding="utf-8")
    assert figures.MARKER.sub("", page).count("\n") <= 90
    assert page.count("\n") <= 160  # with the bars that are missed


@pytest.mark.parametrize(
    "text",
    [
        "a call takes 0.54 µs",
        "a call takes 0.31–0.59 s",
        "1.7 × as fast",
        "58 % of memcpy",
        "503 M vertices/s",
        "12.6 M/s",
        "in 36 ms",
        "twice, or 2.5 times as fast",
        "9.5 GB/s",
    ],
)
def test_a_figure_without_a_marker_is_found(figures: ModuleType, text: str) -> None:
    page = f"# Page\n\n## How fast\n\nHere {text}.\n\n## Licence\n\nin 12 s, 5 %\n"
    assert len(unmarked(figures, "README.md", page)) == 1
    marked = page.replace(text, f"<!-- figure: x -->{text}<!-- -->")
    assert unmarked(figures, "README.md", marked) == []


@pytest.mark.parametrize(
    "text",
    ["≤ 0.5 s", "≥ 4.5 × numba", "≥ 55 % of memcpy", "3 000 frames × 60 joints", "64 poses", "10 000 × 65", "float64"],
)
def test_bars_and_sizes_are_no_figures(figures: ModuleType, text: str) -> None:
    assert unmarked(figures, "README.md", f"## How fast\n\nHere {text}.\n") == []


def small(figures: ModuleType) -> object:
    def case(name: str, unit: str, scale: float) -> dict[str, object]:
        rows = {
            "skelkin, out=": {"figure": [1.0 * scale] * 3, "samples": 1, "error": 5.7e-7},
            "numba loop": {"figure": [2.0 * scale] * 3, "samples": 1},
            "jax": {"figure": [30.0 * scale] * 3, "samples": 1, "error": 0.0012},
            "memcpy": {"figure": [0.4 * scale] * 3, "samples": 1},
        }
        ratios = {"skelkin, out=": {"numba loop": [1.8, 1.9, 2.0], "memcpy": [0.3, 0.42, 0.5]}}
        return {"name": name, "unit": unit, "candidates": rows, "ratios": ratios}

    cases = [case("a call", "µs/call", 0.543), case("call, Blender 3.4", "s", 1.0), case("call, Blender 5.0", "s", 1.5)]
    theme = {"run": {}, "versions": {}, "not run": {"ozz": "OZZ is not set"}, "cases": cases}
    return figures.Results({"cpu": "A CPU", "themes": {"t": theme}})


@pytest.mark.parametrize(
    ("what", "text"),
    [
        ("one", "0.543 µs"),
        ("one peer", "numba loop 1.09 µs"),
        ("one / numba loop", "1.9 ×"),
        ("one / peer", "1.9 ×"),
        ("one / jax", "30 ×"),
        ("one % memcpy", "42 %"),
        ("one error", "5.7e-7"),
        ("all", "1–1.5 s"),
        ("cpu", "A CPU"),
        ("not run", "ozz (OZZ is not set)"),
    ],
)
def test_what_a_marker_says(figures: ModuleType, monkeypatch: pytest.MonkeyPatch, what: str, text: str) -> None:
    own = "skelkin, out="
    monkeypatch.setattr(figures, "NAMES", {"one": ("a call", own), "all": ("call, Blender *", own)})
    page = f"before <!-- figure: {what} -->0.1 s\n<!-- --> after"
    assert figures.filled(page, small(figures)) == f"before <!-- figure: {what} -->{text}<!-- --> after"


@pytest.mark.parametrize("what", ["other", "one / numpy", "one + jax", "gone", "onetwo"])
def test_a_marker_that_the_results_do_not_know_fails(
    figures: ModuleType, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    names = {"one": ("a call", "skelkin, out="), "gone": ("no such case", "skelkin")}
    monkeypatch.setattr(figures, "NAMES", names)
    with pytest.raises(KeyError, match=re.escape(what)):
        figures.filled(f"<!-- figure: {what} --><!-- -->", small(figures))


def test_every_name_is_of_a_candidate_that_was_measured(figures: ModuleType, results: object) -> None:
    assert [name for name in figures.NAMES if not figures.figure(name, results)] == []
