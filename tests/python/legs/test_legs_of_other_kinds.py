# SPDX-License-Identifier: MIT
"""Legs that are too unsure, and legs whose joints do not hang from each other."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import skelkin_py as sk

NAMES = ["Palm3L", "Ring1L", "Ring2L"]


@pytest.fixture
def walk(data_dir: Path) -> sk.Clip:
    """A robot whose feet hang below the root."""
    return sk.load(data_dir / "gltf" / "RobotExpressive.glb", animation="Walking")


def without_names(clip: sk.Clip) -> sk.Clip:
    """The same with names that tell nothing: fingers of one hand look like two legs."""
    names = [f"node{joint}" for joint in range(len(clip.names))]
    skeleton = sk.Skeleton(clip.skeleton.parents, clip.skeleton.rest_local, names)
    return sk.Clip(skeleton, clip.rotations, clip.translations, clip.scales, fps=clip.fps)


def test_legs_of_little_confidence_are_planted_only_where_somebody_says_so(walk: sk.Clip) -> None:
    clip = without_names(walk)
    legs = clip.find_legs()
    assert 0.0 < max(leg.confidence for leg in legs) < 0.3
    with pytest.raises(ValueError, match=r"too unsure to plant: left node22 › .* \(1\d % sure: found by"):
        clip.plant_feet()
    assert clip.plant_feet(legs=legs).report.legs[0].name == "left"


def test_feet_below_the_root_are_planted_and_stay_below_it(walk: sk.Clip) -> None:
    planted = walk.plant_feet(loop=False)
    assert planted.clip.names == walk.names
    assert planted.clip.skeleton == walk.skeleton
    assert planted.report.legs[0].contacts
    moved = np.abs(planted.clip.positions() - walk.positions()).max(axis=(0, 2))
    foot, hand = walk.names.index("FootL"), walk.names.index("PoleTargetL")
    assert moved[foot] > 1e-4
    assert np.array_equal(planted.clip.rotations[:, hand], walk.rotations[:, hand])
    before, after = (
        np.linalg.norm(np.diff(clip.positions()[:, [walk.names.index("LowerLegL"), foot]], axis=1), axis=-1)
        for clip in (walk, planted.clip)
    )
    np.testing.assert_allclose(after, before, atol=2e-3 * before.max())


def test_any_three_joints_are_a_leg_but_in_a_circle(walk: sk.Clip) -> None:
    hip, knee, foot = (walk.names.index(name) for name in ("UpperLegR", "LowerLegR", "FootR"))
    planted = walk.plant_feet(legs=[sk.Leg(hip, knee, foot)])
    assert len(planted.report.legs) == 1
    with pytest.raises(ValueError, match=r"'UpperLegR' .* 'LowerLegR'"):
        walk.plant_feet(legs=[sk.Leg(knee, hip, foot)])
