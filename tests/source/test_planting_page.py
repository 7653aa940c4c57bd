# SPDX-License-Identifier: MIT
"""docs/planting-figures.md is what its command writes from the committed results, with a small picture per clip."""

from __future__ import annotations

from types import ModuleType

import pytest
from scripts import load_script


@pytest.fixture(scope="module")
def page() -> ModuleType:
    """benchmarks/planting_page.py, which is in no package."""
    return load_script("benchmarks/planting_page.py")


def test_tables_are_those_of_the_results(page: ModuleType) -> None:
    assert page.text() == page.PAGE.read_text(encoding="utf-8")


def test_a_missed_bar_is_bold(page: ModuleType) -> None:
    row = dict.fromkeys(page.FIELDS, "")
    assert page.cell({**row, "slide": "2e-4"}, "slide") == "**2.0e-04**"
    assert page.cell({**row, "slide": "1e-4"}, "slide") == "1.0e-04"
    assert page.cell({**row, "agreement": "0.969"}, "agreement") == "**96.9 %**"
    assert page.cell(row, "slide") == "–"


def test_contacts_whose_ends_are_a_frame_off_agree(page: ModuleType) -> None:
    row = {**dict.fromkeys(page.FIELDS, ""), "agreement": "0.966", "frames": "90"}
    assert page.cell({**row, "ends": "1"}, "agreement") == "96.6 %"
    assert page.cell({**row, "ends": "2"}, "agreement") == "**96.6 %**"
    assert page.cell({**row, "ends": "90"}, "agreement") == "**96.6 %**"


def test_every_motion_and_every_real_clip_has_a_small_picture(page: ModuleType) -> None:
    for row in page.read():
        if row["kind"] == "real" or row["name"].endswith(", all"):
            assert (page.PICTURES / f"{page.slug(row['name'])}.png").stat().st_size <= 60_000, row["name"]
