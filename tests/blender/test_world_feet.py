# SPDX-License-Identifier: MIT
"""Bipeds as scripts build them: feet hang on controls in the world, are found or picked, and planted through these."""

from __future__ import annotations

import bpy
import keys
import numpy as np
import pytest
import stepping
import switching_checks
from scripted_bipeds import bake, gaps, pick, slide, walk_on_world_feet

pytestmark = pytest.mark.usefixtures("addon")

RIGS = {
    "child": {},
    "control": {"foot": "control"},
    "pole": {"pole": True},
    "stretch": {"stretch": 0.1},
    "reverse": {"reverse": True},
    "reverse with pole": {"reverse": True, "pole": True},
    "feet first": {"feet_first": True},
    "on a root": {"rooted": True},
    "control on a root": {"foot": "control", "rooted": True, "feet_first": True},
}


def written(walk):
    return {item.bone for item in walk.object.animation_data.action.skelkin.channels}


@pytest.mark.parametrize("rig", RIGS)
def test_feet_are_found_and_planted_through_their_controls(rig):
    walk = walk_on_world_feet(**RIGS[rig])
    assert slide(walk) > 0.02
    before = gaps(walk).max()
    assert bpy.ops.skelkin.find_legs() == {"FINISHED"}
    found = sorted((leg.hip, leg.knee, leg.ankle, leg.toe) for leg in walk.object.skelkin_legs)
    assert found == sorted(walk.legs.values())
    assert bpy.ops.skelkin.leg_ik(keys="EVERY") == {"FINISHED"}
    assert slide(walk) < 1e-3
    assert gaps(walk).max() <= before + 1e-3
    controls = {leg[2] if "control" in rig else f"Control.{side}" for side, leg in walk.legs.items()}
    assert controls <= written(walk) <= controls | {"hips"}


@pytest.mark.parametrize("rig", RIGS)
def test_off_is_exact_and_on_again_the_same_with_world_feet(rig):
    switching_checks.assert_off_is_exact_and_on_again_the_same(walk_on_world_feet(**RIGS[rig]))


@pytest.mark.parametrize("rig", ["child", "control", "reverse"])
def test_legs_with_names_that_tell_nothing_are_picked_by_hand(rig):
    walk = walk_on_world_feet(names=("upper", "lower", "sole"), **RIGS[rig])
    walk.object.skelkin_legs.clear()
    pick(walk)
    assert bpy.ops.skelkin.leg_ik(keys="EVERY") == {"FINISHED"}
    assert slide(walk) < 1e-3
    assert gaps(walk).max() < 1e-3


def test_update_follows_an_edit_of_a_control_in_the_world():
    switching_checks.assert_update_follows_an_edit_of_the_original(walk_on_world_feet(), "Control.L")


def test_undo_takes_back_keys_of_controls_in_the_world():
    switching_checks.switch_on_undo_and_redo(walk_on_world_feet(foot="control"))


def test_a_foot_that_the_shin_does_not_go_to_is_refused_by_name():
    walk = walk_on_world_feet()
    for leg in walk.legs.values():
        walk.object.pose.bones[leg[1]].constraints[0].influence = 0.0
    before = stepping.pose_bits(walk.object, walk.frames)
    with pytest.raises(RuntimeError, match=r"foot\.L is not a child of shin\.L, and no control moves both"):
        bpy.ops.skelkin.leg_ik()
    assert stepping.pose_bits(walk.object, walk.frames) == before
    assert len(bpy.data.actions) == 1


def test_a_control_with_a_constraint_of_its_own_is_refused_by_name():
    walk = walk_on_world_feet(foot="control")
    for leg in walk.legs.values():
        walk.object.pose.bones[leg[2]].constraints.new("LIMIT_ROTATION").use_limit_x = True
    with pytest.raises(RuntimeError, match=r"foot\.L is not a child of shin\.L, and no control moves both"):
        bpy.ops.skelkin.leg_ik()
    assert len(bpy.data.actions) == 1


def test_feet_far_out_of_reach_in_some_frames_are_planted_in_the_others():
    walk = walk_on_world_feet(foot="control")
    path = keys.bone_path("hips", "location")
    for curve in [curve for curve in keys.fcurves(walk.object) if curve.data_path == path and curve.array_index == 1]:
        for point in curve.keyframe_points[-12:]:
            point.co.y += 0.6
        curve.update()
    before = gaps(walk)
    assert before[-12:].max() > 0.4
    assert slide(walk) > 0.02
    assert bpy.ops.skelkin.leg_ik(keys="EVERY") == {"FINISHED"}
    assert np.abs(gaps(walk) - before)[: 2 * (len(walk.frames) - 30)].max() < 1e-3
    walk.stance.update({side: [span for span in walk.stance[side] if span[1] < walk.frames[-30]] for side in "LR"})
    assert slide(walk) < 1e-3


def test_shins_that_were_left_short_of_their_feet_stay_within_that():
    walk = walk_on_world_feet(drop=-0.005)
    before = gaps(walk)
    assert bpy.ops.skelkin.leg_ik(keys="EVERY") == {"FINISHED"}
    assert np.max(gaps(walk) - before) <= 1e-3


@pytest.mark.parametrize("names", [("thigh", "shin", "foot"), ("BackUpperLeg", "BackLowerLeg", "IKBackLeg")])
@pytest.mark.parametrize("rig", ["child", "control", "feet first", "control on a root"])
def test_feet_that_keys_alone_keep_at_the_shins_are_found_and_planted_with_their_legs(rig, names):
    walk = walk_on_world_feet(names=names, **RIGS[rig])
    bake(walk)
    assert slide(walk) > 0.02
    before = gaps(walk)
    assert bpy.ops.skelkin.find_legs() == {"FINISHED"}
    assert sorted((leg.hip, leg.knee, leg.ankle, leg.toe) for leg in walk.object.skelkin_legs) == sorted(
        walk.legs.values()
    )
    assert bpy.ops.skelkin.leg_ik(keys="EVERY") == {"FINISHED"}
    assert slide(walk) < 1e-3
    assert np.abs(gaps(walk) - before).max() < 1e-3
    assert written(walk) <= {"hips", *(name for leg in walk.legs.values() for name in leg[:3])}


def test_off_is_exact_and_on_again_the_same_with_feet_that_keys_alone_keep_at_the_shins():
    walk = walk_on_world_feet(feet_first=True)
    bake(walk)
    switching_checks.assert_off_is_exact_and_on_again_the_same(walk)


def test_a_baked_foot_out_of_reach_stays_as_far_from_its_shin():
    walk = walk_on_world_feet(foot="control", drop=-0.05)
    bake(walk)
    before = gaps(walk)
    assert before.max() > 0.01
    assert bpy.ops.skelkin.leg_ik(keys="EVERY") == {"FINISHED"}
    assert np.abs(gaps(walk) - before).max() < 1e-3
