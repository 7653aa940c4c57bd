# SPDX-License-Identifier: MIT
"""What is measured beside motion_correction, by hand."""

from __future__ import annotations

from pathlib import Path

import beside
import numpy as np
import pytest

import skelkin_py as sk


def test_a_point_that_rises_and_goes_three_and_four_aside_moves_level_by_five() -> None:
    path = np.array([[1.0, 0.0, 1.0], [4.0, 7.0, 5.0], [1.0, 2.0, 1.0]])
    assert beside.level_way(path, (0.0, 1.0, 0.0)) == pytest.approx(5.0)


def test_spans_become_runs_with_both_ends() -> None:
    flags = beside.flags_of([(1, 2), (5, 5)], 6)
    assert flags.tolist() == [False, True, True, False, False, True]
    assert beside.runs(flags) == [slice(1, 3), slice(5, 6)]


@pytest.mark.parametrize("up", ["+Y", "+Z"])
def test_changing_axes_there_and_back_gives_the_same_pose(up: str) -> None:
    biped = sk.example("biped").clip
    turn = beside.TURNS[up]
    there = beside.changed_basis(turn, biped.rotations)
    back = beside.changed_basis(turn * beside.OPPOSITE, there)
    assert np.allclose(back, biped.rotations, atol=1e-12)
    axis = sk.quaternion_rotate(turn, np.array([0.0, 1.0, 0.0] if up == "+Y" else [0.0, 0.0, 1.0]))
    assert np.allclose(axis, [0.0, 1.0, 0.0], atol=1e-12)


def test_a_planted_walk_stands_and_the_original_does_not(data_dir: Path) -> None:
    clip = sk.load(data_dir / "bvh" / "cmu_12_01_walk.bvh")
    planted, report = sk.plant_feet(clip)
    by = 1.0 / report.leg_length
    before, after = (
        beside.standing(each, [beside.scaled(leg, by) for leg in beside.legs_of(each, clip.find_legs())], report)
        for each in (clip, planted)
    )
    for kind in ("toes", "penetration"):
        assert before[kind] > 1.0
        assert after[kind] < 1e-3
