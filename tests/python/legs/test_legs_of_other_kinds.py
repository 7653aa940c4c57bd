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
    with pytest.raises(ValueError, match=r"not sure enough to plant: left node22 › .* \(1\d % sure: found by"):
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


def test_both_legs_are_found_in_every_animation_though_feet_leave_their_shins(data_dir: Path) -> None:
    for clip in sk.load_animations(data_dir / "gltf" / "RobotExpressive.glb").values():
        joints = [tuple(clip.names[joint] for joint in leg.chain) for leg in clip.find_legs()]
        assert joints == [tuple(f"{name}{side}" for name in ("UpperLeg", "LowerLeg", "Foot")) for side in "LR"]


def test_any_three_joints_are_a_leg_but_in_a_circle(walk: sk.Clip) -> None:
    hip, knee, foot = (walk.names.index(name) for name in ("UpperLegR", "LowerLegR", "FootR"))
    planted = walk.plant_feet(legs=[sk.Leg(hip, knee, foot)])
    assert len(planted.report.legs) == 1
    with pytest.raises(ValueError, match=r"'UpperLegR' .* 'LowerLegR'"):
        walk.plant_feet(legs=[sk.Leg(knee, hip, foot)])


LEFT, RIGHT = "LeftFoot", "RightFoot"


def exported(clip: sk.Clip, loose: dict[str, str], more: dict[str, str] | None = None, away: float = 0.0) -> sk.Clip:
    """The clip as IK rigs are exported: feet are roots of their own, under new names.

    `more` are roots at the places of joints. In the last third the left foot leaves its shin by `away` shins, as where
    its goal is out of reach.
    """
    names, parents = list(clip.names), clip.skeleton.parents.tolist()
    rest, poses = np.array(clip.skeleton.rest_global), np.array(clip.global_matrices())
    shin = poses[:, names.index(LEFT), :3, 3] - poses[:, names.index("LeftLeg"), :3, 3]
    left = [names.index(name) for name in (LEFT, "LeftToeBase")]
    leaves = np.clip(np.linspace(-20.0, 10.0, len(clip)), 0.0, 1.0)[:, None]
    for joint in left:
        poses[:, joint, :3, 3] += away * leaves * shin
    for old, new in loose.items():
        parents[names.index(old)], names[names.index(old)] = -1, new
    for old, new in (more or {}).items():
        joint = clip.names.index(old)
        names, parents = [*names, new], [*parents, -1]
        rest, poses = np.append(rest, rest[[joint]], axis=0), np.append(poses, poses[:, [joint]], axis=1)
    skeleton = sk.Skeleton.from_global(parents, rest, names)
    places, turns, _ = sk.decompose(sk.local_from_global(skeleton, poses))
    return sk.Clip(skeleton, turns, places, fps=clip.fps)


@pytest.mark.parametrize(
    "loose",
    [{LEFT: LEFT, RIGHT: RIGHT}, {LEFT: LEFT}, {LEFT: "IKLeftLeg", RIGHT: "IKRightLeg"}, {RIGHT: "foot_ik.R"}],
    ids=["both", "one", "goals", "one_goal"],
)
def test_feet_and_ik_goals_that_are_roots_are_planted_as_if_they_hung_from_the_shin(loose: dict[str, str]) -> None:
    biped = sk.example("biped")
    clip, options = exported(biped.clip, loose), {"ground": biped.ground, "metres_per_unit": 1.0}
    legs = clip.find_legs()
    expected = [(leg.side, leg.segments, leg.toe, leg.pelvis) for leg in biped.clip.find_legs()]
    assert sorted((leg.side, leg.segments, leg.toe, leg.pelvis) for leg in legs) == sorted(expected)
    planted, whole = clip.plant_feet(**options), biped.clip.plant_feet(**options)
    assert {leg.name: leg.contacts for leg in planted.report.legs} == {
        leg.name: leg.contacts for leg in whole.report.legs
    }
    np.testing.assert_allclose(planted.clip.positions(), whole.clip.positions(), atol=1e-6)


def test_a_foot_whose_goal_is_out_of_reach_is_that_of_its_leg_and_stays_as_far_from_the_shin() -> None:
    clip = exported(sk.example("biped").clip, {LEFT: LEFT, RIGHT: RIGHT}, away=0.4)
    assert [leg.side for leg in clip.find_legs()] == ["left", "right"]
    planted = clip.plant_feet()
    assert planted.report.legs[0].contacts
    gaps = [np.linalg.norm(each.positions()[:, 12] - each.positions()[:, 11], axis=1) for each in (clip, planted.clip)]
    assert np.ptp(gaps[0]) > 0.1
    np.testing.assert_allclose(gaps[1], gaps[0], atol=1e-6)


def test_a_foot_that_leaves_its_shin_in_most_frames_is_no_foot_of_it() -> None:
    clip = exported(sk.example("biped").clip, {LEFT: LEFT})
    swung = clip.translations.copy()
    swung[:, 12] += 0.5 * np.sin(np.arange(len(clip)))[:, None]
    assert [leg.side for leg in clip.replace(translations=swung).find_legs()] == ["right"]


def test_a_second_foot_at_the_ankle_goes_where_the_ankle_goes() -> None:
    biped = sk.example("biped")
    clip = exported(biped.clip, {}, {LEFT: "Foot.L", RIGHT: "Foot.R", "LeftHand": "Foot.001.L"})
    planted = clip.plant_feet(ground=biped.ground, metres_per_unit=1.0).clip
    places, before = planted.positions(), clip.positions()
    assert np.abs(places[:, clip.names.index(LEFT)] - before[:, clip.names.index(LEFT)]).max() > 0.01
    for ankle, foot in ((LEFT, "Foot.L"), (RIGHT, "Foot.R")):
        np.testing.assert_allclose(places[:, clip.names.index(foot)], places[:, clip.names.index(ankle)], atol=1e-9)
    elsewhere = clip.names.index("Foot.001.L")
    assert np.array_equal(planted.translations[:, elsewhere], clip.translations[:, elsewhere])
