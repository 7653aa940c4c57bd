# SPDX-License-Identifier: MIT
"""Skeletons that are not as usual: many legs or one, rest poses that are no stand, scaled roots, straight legs,
bodies carried by another joint than the legs' pelvis."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import skelkin_py as sk
from skelkin_py.planting.leg_tracks import subset_of
from skelkin_py.view import panel

CORPUS = Path(__file__).resolve().parents[2] / "corpus" / "legs"


def three_pairs_of_legs() -> sk.Clip:
    names, parents, offsets = ["body"], [-1], [(0.0, 1.0, 0.0)]
    for pair, z in enumerate((0.6, 0.0, -0.6)):
        for side, x in (("left", 0.3), ("right", -0.3)):
            first = len(names)
            names += [f"{side}_{part}_{pair}" for part in ("thigh", "shin", "foot", "toe")]
            parents += [0, first, first + 1, first + 2]
            offsets += [(x, -0.02, z), (0.1 * np.sign(x), -0.45, 0.02), (0, -0.45, -0.02), (0, -0.05, 0.12)]
    rest = np.tile(np.eye(4), (len(names), 1, 1))
    rest[:, :3, 3] = offsets
    translations = np.tile(rest[:, :3, 3], (40, 1, 1))
    translations[:, 0, 2] += 0.005 * np.arange(40)
    rotations = np.tile([1.0, 0, 0, 0], (40, len(names), 1))
    return sk.Clip(sk.Skeleton(parents, rest, names), rotations, translations, fps=29.97)


@pytest.mark.slow
def test_three_pairs_of_legs_are_planted_and_told_apart():
    clip = three_pairs_of_legs()
    planted = sk.plant_feet(clip, contacts="always")
    feet = [f"{side}_foot_{pair}" for pair in range(3) for side in ("left", "right")]
    assert [leg.name for leg in planted.report.legs] == feet
    joints = [clip.skeleton.index(name) for name in feet]
    assert np.ptp(planted.clip.positions()[:, joints], axis=0).max() <= 1e-4
    shown = panel.feet_of(planted.clip, planted.report, planted.clip.find_legs())
    assert [foot.joints[0] for foot in shown] == joints


def test_legs_that_share_a_side_are_given_contacts_by_their_feet():
    clip = three_pairs_of_legs()
    spans = [(4, 20)]
    planted = sk.plant_feet(clip, contacts={"left_foot_1": spans})
    assert [leg.name for leg in planted.report.legs if leg.contacts] == ["left_foot_1"]
    with pytest.raises(ValueError, match=r"contacts\['left'\]: there is no such leg, only left_foot_0, right_foot_0"):
        sk.plant_feet(clip, contacts={"left": spans})


def resting(clip: sk.Clip, turn) -> sk.Clip:
    """Return the same motion on a skeleton whose rest pose has the joints' local matrices changed by `turn`."""
    rest = np.array(clip.skeleton.rest_local)
    turn(rest, clip.skeleton.index)
    return sk.Clip(
        sk.Skeleton(clip.skeleton.parents, rest, clip.names), clip.rotations, clip.translations, fps=clip.fps
    )


def turned(axis, degrees: float) -> np.ndarray:
    return sk.compose([0.0, 0.0, 0.0], sk.quaternion_from_axis_angle(axis, np.radians(degrees)))


def sits(rest, index) -> None:
    for side in ("left", "right"):
        rest[index(f"{side}_thigh")] = rest[index(f"{side}_thigh")] @ turned([1.0, 0.0, 0.0], -90.0)
        rest[index(f"{side}_shin")] = rest[index(f"{side}_shin")] @ turned([1.0, 0.0, 0.0], 90.0)


def stands_on_its_head(rest, index) -> None:
    rest[0] = turned([1.0, 0.0, 0.0], 180.0) @ rest[0]


def hangs_high(rest, index) -> None:
    rest[0, 1, 3] += 100.0


def is_tangled(rest, index) -> None:
    random = np.random.default_rng(3)
    for joint in range(len(rest)):
        rest[joint] = rest[joint] @ turned(random.normal(size=3), random.uniform(0.0, 180.0))


@pytest.mark.parametrize("rest", [sits, stands_on_its_head, hangs_high, is_tangled])
def test_a_rest_pose_that_is_no_stand_gives_the_feet_of_one_that_is(make_walk, rest):
    walk = make_walk()
    want, got = sk.plant_feet(walk.clip), sk.plant_feet(resting(walk.clip, rest))
    assert [leg.contacts for leg in got.report.legs] == [leg.contacts for leg in want.report.legs]
    assert got.report.slide()[1] <= 1e-4 * walk.leg
    # The sole's thickness cannot be read from such a pose: a typical foot's is taken.
    assert np.abs(got.clip.positions() - want.clip.positions()).max() <= 0.01 * walk.leg


def test_a_bind_pose_that_is_not_the_rest_pose_takes_no_part(make_walk):
    clip = make_walk().clip
    bind = np.tile(turned([0.0, 0.0, 1.0], 40.0), (clip.skeleton.num_joints, 1, 1))
    skeleton = sk.Skeleton(clip.skeleton.parents, clip.skeleton.rest_local, clip.names, inverse_bind=bind)
    planted = sk.plant_feet(sk.Clip(skeleton, clip.rotations, clip.translations, fps=clip.fps)).clip
    want = sk.plant_feet(clip).clip
    assert np.array_equal(planted.rotations, want.rotations)
    assert np.array_equal(planted.translations, want.translations)


@pytest.mark.parametrize("rest_scaled", [True, False])
def test_scale_a_hundredth_on_the_root_gives_the_same_feet(make_walk, rest_scaled):
    """An importer's armature: centimetres below a root of scale 0.01, which the rest pose may not know."""
    clip = make_walk().clip
    old, num = clip.skeleton, clip.num_frames
    rest = np.concatenate([np.diag([0.01, 0.01, 0.01, 1.0] if rest_scaled else np.ones(4))[None], old.rest_local])
    rest[1:, :3, 3] *= 100.0
    skeleton = sk.Skeleton([-1, *(int(p) + 1 for p in old.parents)], rest, ["Armature", *clip.names])
    still = np.tile([1.0, 0.0, 0.0, 0.0], (num, 1, 1))
    scales = np.ones((num, len(rest), 3))
    scales[:, 0] = 0.01
    rotations = np.concatenate([still, clip.rotations], axis=1)
    translations = np.concatenate([np.zeros((num, 1, 3)), 100.0 * clip.translations], axis=1)
    got = sk.plant_feet(sk.Clip(skeleton, rotations, translations, scales, fps=clip.fps))
    want = sk.plant_feet(clip)
    assert np.abs(got.clip.positions()[:, 1:] - want.clip.positions()).max() <= 1e-9
    assert got.report.leg_length == pytest.approx(want.report.leg_length)


def test_one_leg_alone_is_planted(make_walk):
    walk = make_walk()
    left = walk.clip.find_legs()[0]
    planted = sk.plant_feet(walk.clip, legs=[left])
    assert planted.report.slide("before")[1] > 0.05 * walk.leg
    assert planted.report.slide()[1] <= 1e-4 * walk.leg
    assert len(planted.report.legs) == 1


def test_a_leg_made_by_hand_of_three_joints_is_planted(make_walk):
    walk = make_walk()
    found = walk.clip.find_legs()
    mine = [sk.Leg(hip=leg.hip, knee=leg.knee, ankle=leg.ankle, toe=leg.toe, side=leg.side) for leg in found]
    assert [leg.chain for leg in mine] == [leg.segments for leg in mine] == [leg.chain for leg in found]
    assert sk.plant_feet(walk.clip, legs=mine).clip == sk.plant_feet(walk.clip).clip


def test_straight_legs_without_any_bend_are_planted():
    rest = np.tile(np.eye(4), (8, 1, 1))
    for joint, at in enumerate([(0, 1, 0), (0, 0.5, 0), (0.1, 0, 0), (0, -0.5, 0), (0, -0.5, 0)]):
        rest[joint, :3, 3] = at
    rest[5:, :3, 3] = (-0.1, 0, 0), (0, -0.5, 0), (0, -0.5, 0)
    names = ["hips", "head", "LeftUpLeg", "LeftLeg", "LeftFoot", "RightUpLeg", "RightLeg", "RightFoot"]
    skeleton = sk.Skeleton([-1, 0, 0, 2, 3, 0, 5, 6], rest, names)
    translations = np.tile(rest[:, :3, 3], (60, 1, 1))
    translations[:, 0, 0] += 0.1 * np.arange(60) / 60
    clip = sk.Clip(skeleton, np.tile([1.0, 0, 0, 0], (60, 8, 1)), translations, fps=30)
    planted = sk.plant_feet(clip, contacts="always")
    assert np.isfinite(planted.clip.rotations).all()
    assert np.ptp(planted.clip.positions()[:, [4, 7]], axis=0).max() <= 1e-4


@pytest.mark.parametrize(
    ("world", "mover"),
    [
        ("mixamo", "mixamorig:Hips"),
        ("unreal_5", "pelvis"),
        ("rigify_generated_human_metarig", "torso"),
        # Here the legs have a pelvis beside the spine: moved alone it would tear the waist.
        ("daz_genesis_3_and_8", "hip"),
        ("reallusion_cc", "CC_Base_Hip"),
        ("mmd", "センター"),
        ("ffxiv", "n_hara"),
    ],
)
def test_the_body_is_moved_by_what_carries_legs_and_head(world: str, mover: str) -> None:
    about = json.loads((CORPUS / f"{world}.json").read_text(encoding="utf-8"))
    local = np.tile(np.eye(4), (len(about["names"]), 1, 1))
    rest = np.array(about["rest"], float)
    for j, parent in enumerate(about["parents"]):
        local[j, :3, 3] = rest[j] - (rest[parent] if parent >= 0 else 0.0)
    skeleton = sk.Skeleton(about["parents"], local, about["names"])
    subset = subset_of(skeleton, sk.find_legs(about["names"], about["parents"], rest), None, None)
    assert subset.mover is not None
    assert subset.skeleton.names[subset.mover] == mover


@pytest.mark.parametrize("side", ["Left", "Right"])
def test_a_rest_pose_with_one_foot_in_the_air_tells_the_soles_of_both(side):
    biped = sk.example("biped")
    clip = biped.clip
    names, local = clip.names, np.array(clip.skeleton.rest_local)
    thigh, shin = (names.index(side + part) for part in ("UpLeg", "Leg"))
    for joint, angle in ((thigh, -1.0), (shin, 1.4)):
        local[joint, :3, :3] = sk.quaternion_to_matrix(sk.quaternion_from_axis_angle([1.0, 0, 0], angle))
    raised = sk.Clip(sk.Skeleton(clip.skeleton.parents, local, names), clip.rotations, clip.translations, fps=clip.fps)
    np.testing.assert_array_equal(raised.positions(), clip.positions())
    expected = clip.plant_feet(ground=biped.ground)
    planted = raised.plant_feet(ground=biped.ground)
    assert [leg.sole for leg in planted.report.legs] == pytest.approx([leg.sole for leg in expected.report.legs])
    assert [leg.contacts for leg in planted.report.legs] == [leg.contacts for leg in expected.report.legs]
    np.testing.assert_allclose(planted.clip.positions(), expected.clip.positions(), rtol=0, atol=1e-9)
