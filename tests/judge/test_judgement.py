# SPDX-License-Identifier: MIT
"""A clip judged from end to end, and the page that comes of it."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from pathlib import Path

import bars
import clips
import judgement
import numpy as np
import pytest
import table
from optimum import body_and_legs, cost_of
from pictures import draw
from steadiness import steady


@pytest.fixture(scope="module")
def case(data_dir: Path) -> judgement.Case:
    return clips.all_cases(data_dir)["makehuman_walk1"]()


@pytest.fixture(scope="module")
def found(case: judgement.Case) -> judgement.Versions:
    return judgement.plant(case)


def by_kind(rows: list[bars.Row]) -> dict[str, bars.Row]:
    return {row.kind: row for row in rows}


def test_every_row_is_there(case: judgement.Case, found: judgement.Versions) -> None:
    rows = judgement.measured(found) + steady(case, found)
    assert {row.kind for row in rows} == set(bars.KINDS)
    assert all(math.isfinite(row.planted) for row in rows)


def test_the_optimum_costs_no_more_than_what_was_planted(data_dir: Path) -> None:
    # Its knees are what counts; clips that only graze the ground cost less than the optimum, whose soles may not.
    found = judgement.plant(clips.all_cases(data_dir)["adelaide_milad"]())
    assert found.solution.cost <= found.cost
    body, ankles = body_and_legs(found.before, found.best)
    assert cost_of(found.problem, body, ankles) == pytest.approx(found.solution.cost, rel=1e-6)


def test_an_unchanged_clip_is_over_no_bar_of_what_is_seen(found: judgement.Versions) -> None:
    still = np.zeros_like(found.solution.body)
    same = replace(found, after=found.before, best=found.before, cost=0.0)
    same = replace(same, solution=replace(found.solution, cost=0.0, body=still, ankles=[still] * len(found.before)))
    over = {row.kind for row in judgement.measured(same) if row.over}
    assert over <= {"skating"}  # which is read from the report


def test_a_mirrored_knee_is_over_the_bar(found: judgement.Versions) -> None:
    legs = []
    for leg in found.before:
        axis = (leg.ankle - leg.hip) / np.linalg.norm(leg.ankle - leg.hip, axis=1)[:, None]
        along = np.einsum("fi,fi->f", leg.knee - leg.hip, axis)[:, None] * axis
        knee = np.where((np.arange(len(axis)) < 7)[:, None], leg.knee, leg.hip + 2.0 * along - (leg.knee - leg.hip))
        legs.append(leg.moved(leg.hip, knee, leg.ankle))
    rows = by_kind(judgement.measured(replace(found, after=legs)))
    assert rows["backward"].over
    assert rows["overturned"].over


def test_bars_are_those_of_the_list() -> None:
    assert bars.row("pops", "", 10.0, 14.0, 0.0, 1.0).most == pytest.approx(14.0)
    assert bars.row("pops", "", 10.0, 14.0, 20.0, 1.0).most == pytest.approx(22.0)
    assert bars.row("cost", "", math.nan, 1.0, 2.0, 3.0).most == pytest.approx(2.13)
    assert bars.row("turn", "", 1.0, 99.0, 1.0, 1.0).over is False
    assert bars.row("changed", "", 0.0, math.nan, 0.0, 1.0).over


def test_page_puts_the_worst_clip_first_and_what_is_over_in_bold() -> None:
    def verdict(name: str, backward: float, failed: str = "") -> table.Verdict:
        rows = [bars.row("backward", "", 0.0, backward, 0.0, 1.0), bars.row("jump", "left", 0.0123, 0.0456, 0.01, 1.0)]
        return table.Verdict(name, True, 10, 30.0, rows, [], (0.0, 0.0), 0.0, failed)

    text = table.page([verdict("calm", 0.0), verdict("wild", 7.0), verdict("broken", 0.0, "ValueError: so")])
    assert text.index("| wild |") < text.index("| calm |")
    assert "**7 (0)**" in text
    assert "**0.0123 → 0.0456 (0.01)**" in text
    assert "- broken: ValueError: so" in text
    assert "| back | 1 | 0 |" in text


def test_listing_says_what_is_over() -> None:
    rows = [bars.row("jump", "left", 0.01, 0.5, 0.01, 1.0), bars.row("turn", "left", 1.0, 9.0, 1.0, 1.0)]
    lines = table.listing([table.Verdict("wild", True, 10, 30.0, rows, [], (0.0, 0.0), 0.0)]).splitlines()
    assert [line.endswith("over") for line in lines] == [False, False, True, False]
    assert lines[2].split() == ["jump", "left", "0.01", "0.5", "0.01", "0.022", "over"]


def test_json_has_no_infinities(case: judgement.Case, found: judgement.Versions, tmp_path: Path) -> None:
    rows = judgement.measured(found)
    verdict = table.Verdict(case.name, True, 14, 24.0, rows, [], (0.0, 0.0), 0.0)
    table.write_json(tmp_path / "all.json", [verdict])
    assert json.loads((tmp_path / "all.json").read_text())[0]["rows"][0]["kind"] == rows[0].kind


def test_picture_is_drawn(case: judgement.Case, found: judgement.Versions, tmp_path: Path) -> None:
    assert draw(case, found, judgement.measured(found), tmp_path).stat().st_size > 10_000


def test_noise_moves_every_rotation_and_the_root_by_as_much_as_it_says(case: judgement.Case) -> None:
    from steadiness import NOISE, noisy

    clip = case.clip
    other = noisy(clip, 2.0)
    moved = (other.translations - clip.translations)[:, 0]
    assert 0.5 < moved.std() / (2.0 * NOISE) < 1.5
    chord = 2.0 * np.linalg.norm(other.rotations - clip.rotations, axis=-1)
    assert 0.8 < np.sqrt(np.mean(chord**2) / 3.0) / NOISE < 1.2


def test_where_no_foot_stands_the_original_is_best(data_dir: Path) -> None:
    """Knees that a capture has bent backward would be straightened else: nothing asks for that."""
    case = clips.all_cases(data_dir)["makehuman_walk1"]()
    found = judgement.plant(replace(case, options={"contacts": "never"}))
    assert not any(np.any(shift) for shift in (found.solution.body, *found.solution.ankles))
    assert found.solution.cost == found.cost
