# SPDX-License-Identifier: MIT
"""Rigs that stand in the way: planted as far as they allow, or refused for the true reason with one cure."""

from __future__ import annotations

import sys

import bpy
import keys
import numpy as np
import pytest
import rigs
import scene_digest
import stepping
from control_rigs import CONTROLS, walk_with_controls, worst_slide
from drawing import draw, sentences
from rigify_rigs import rigify_walk
from scripted_bipeds import walk_on_world_feet
from switching_checks import assert_off_is_exact_and_on_again_the_same, state

pytestmark = pytest.mark.usefixtures("addon")

SHORT = 40  # frames
EVENLY = ("FULL", "FIX_SHEAR", "ALIGNED", "AVERAGE", "NONE", "NONE_LEGACY")


def switch(**options):
    """Click the switch."""
    return bpy.ops.skelkin.leg_ik(**options)


def assert_refused(walk, sentence: str) -> None:
    """Click the switch: refused with a sentence, and everything as it was."""
    before, actions = state(walk), sorted(bpy.data.actions.keys())
    with pytest.raises(RuntimeError, match=sentence):
        switch(keys="EVERY")
    assert state(walk) == before
    assert sorted(bpy.data.actions.keys()) == actions


def with_scaled_pelvis(walk, mode: str, scale) -> rigs.WalkingRig:
    """Key the pelvis from its own size to a scale; legs inherit scale in a mode."""
    for bone in (bone for leg in walk.legs.values() for bone in leg):
        walk.object.data.bones[bone].inherit_scale = mode
    grown = 1 + np.linspace(0, 1, len(walk.frames))[:, None] * (np.array(scale) - 1)
    keys.write(walk.object, keys.bone_path(walk.pelvis, "scale"), np.array(walk.frames), grown)
    bpy.context.scene.frame_set(2)
    bpy.context.scene.frame_set(1)
    return walk


def unevenly(walk) -> rigs.WalkingRig:
    """Scale the object unevenly."""
    walk.object.scale = (1.1, 1.1, 0.9)
    bpy.context.view_layer.update()
    return walk


UNEVEN = {
    "Rigify IK": (lambda: unevenly(rigify_walk(frames=30)), "rig"),
    "Rigify FK": (lambda: unevenly(rigify_walk(ik=False, frames=30)), "rig"),
    "reverse foot": (
        lambda: unevenly(walk_with_controls(imported=False, reverse=True, frames=SHORT)),
        "Armature",
    ),
    "feet in the world": (lambda: unevenly(walk_on_world_feet(reverse=True, frames=SHORT)), "Biped"),
    "pelvis": (
        lambda: with_scaled_pelvis(rigs.mixamo_walk(frames=SHORT), "FIX_SHEAR", (1.2, 0.9, 1.05)),
        "mixamorig:Hips",
    ),
}


@pytest.mark.parametrize("rig", UNEVEN)
def test_uneven_scale_is_named_once_with_its_cure_where_feet_cannot_follow(rig):
    make, name = UNEVEN[rig]
    assert_refused(make(), f": {name} is scaled unevenly, so that bones that turn are sheared: give it one scale")


@pytest.mark.parametrize("mode", EVENLY)
@pytest.mark.parametrize("turns_foot", [True, False], ids=["control", "released"])
def test_legs_below_a_pelvis_with_keyed_scale_are_planted_however_they_inherit_it(mode, turns_foot):
    walk = with_scaled_pelvis(walk_with_controls(turns_foot=turns_foot, frames=SHORT), mode, (1.1, 1.1, 1.1))
    before = worst_slide(walk)
    assert switch() == {"FINISHED"}
    assert worst_slide(walk) < 0.3 * before


@pytest.mark.parametrize("mode", ["ALIGNED", "NONE"])
def test_off_is_exact_where_the_pelvis_has_keyed_scale(mode):
    assert_off_is_exact_and_on_again_the_same(
        with_scaled_pelvis(walk_with_controls(turns_foot=False, frames=SHORT), mode, (1.1, 1.1, 1.1))
    )


def with_limits(kind: str, height: float = 0.13, **options) -> rigs.WalkingRig:
    """Return a walk whose foot controls cannot go below a height."""
    walk = walk_with_controls(imported=False, frames=SHORT, **options)
    for side in "LR":
        limit = walk.object.pose.bones[CONTROLS[side]].constraints.new(kind)
        if kind == "FLOOR":
            limit.target, limit.floor_location = bpy.data.objects.new(f"Floor.{side}", None), "FLOOR_Z"
            bpy.context.scene.collection.objects.link(limit.target)
            limit.target.location.z = height
        else:
            limit.use_min_z, limit.min_z, limit.owner_space = True, height, "WORLD"
    bpy.context.scene.frame_set(2)
    bpy.context.scene.frame_set(1)
    return walk


def planted_bones(walk) -> set[str]:
    """Return the bones that the planted action owns channels of."""
    return {item.bone for item in walk.object.animation_data.action.skelkin.channels}


@pytest.mark.parametrize("kind", ["LIMIT_LOCATION", "FLOOR"])
def test_a_control_with_a_limit_that_does_not_bite_gets_the_keys(kind):
    walk = with_limits(kind, height=-1.0)
    assert switch(keys="EVERY") == {"FINISHED"}
    assert worst_slide(walk) <= 1e-3
    assert planted_bones(walk) <= {walk.pelvis, *CONTROLS.values()}
    assert not any("keeps the foot" in warning.text for warning in walk.object.animation_data.action.skelkin.warnings)


@pytest.mark.parametrize("reverse", [False, True], ids=["foot", "reverse foot"])
@pytest.mark.parametrize("kind", ["LIMIT_LOCATION", "FLOOR"])
def test_a_control_with_a_limit_is_planted_as_far_as_that_allows_and_it_is_said(kind, reverse):
    walk = with_limits(kind, reverse=reverse)
    before = worst_slide(walk)
    assert switch(ground="HEIGHT", ground_height=0.0) == {"FINISHED"}
    assert planted_bones(walk) <= {walk.pelvis, *CONTROLS.values()}
    heads = stepping.world_heads(walk.object, list(CONTROLS.values()), walk.frames)
    assert heads[..., 2].min() >= 0.13 - 1e-6
    assert worst_slide(walk) < 0.3 * before
    said = [item for item in walk.object.animation_data.action.skelkin.warnings if "keeps the foot up to" in item.text]
    assert [item.text.split(" leg: ")[0] for item in said] == ["left", "right"]
    assert all("cm from its place, most in frame" in item.text and item.frame in walk.frames for item in said)


def test_a_control_that_a_limit_stops_on_its_way_up_is_planted_all_the_same():
    walk = walk_with_controls(imported=False, frames=SHORT)
    for control in CONTROLS.values():
        limit = walk.object.pose.bones[control].constraints.new("LIMIT_LOCATION")
        limit.use_max_z, limit.max_z, limit.owner_space = True, 0.14, "WORLD"
    bpy.context.scene.frame_set(2)
    bpy.context.scene.frame_set(1)
    assert switch(keys="EVERY") == {"FINISHED"}
    assert planted_bones(walk) <= {walk.pelvis, *CONTROLS.values()}
    assert worst_slide(walk) <= 1e-3
    assert stepping.world_heads(walk.object, list(CONTROLS.values()), walk.frames)[..., 2].max() <= 0.14 + 1e-6
    assert switch() == {"FINISHED"}
    assert all(bone.constraints[0].influence == 1.0 for bone in map(walk.object.pose.bones.get, CONTROLS.values()))


@pytest.mark.parametrize("kind", ["LIMIT_LOCATION", "FLOOR"])
def test_off_is_exact_where_controls_have_limits(kind):
    assert_off_is_exact_and_on_again_the_same(with_limits(kind, height=0.11))


@pytest.mark.parametrize("turns_foot", [True, False], ids=["control", "released"])
def test_the_line_of_a_leg_says_which_keys_it_is_planted_with(turns_foot):
    walk = walk_with_controls(turns_foot=turns_foot, frames=SHORT)
    lines = {
        True: "the control Foot control.L gets the keys",
        False: "its own bones get the keys, IK of mixamorig:LeftLeg held at 0",
    }
    assert switch() == {"FINISHED"}
    assert lines[turns_foot] in sentences(draw("SKELKIN_PT_legs"))
    assert switch() == {"FINISHED"}
    assert lines[turns_foot] not in sentences(draw("SKELKIN_PT_legs"))
    assert walk.object.animation_data.action == walk.action


FRAME = 7


def posing(walk) -> None:
    """Go to Pose Mode in a frame, with a foot active."""
    bpy.context.scene.frame_set(FRAME)
    bpy.ops.object.mode_set(mode="POSE")
    walk.object.data.bones.active = walk.object.data.bones[walk.legs["L"][2]]


def ankle(walk) -> np.ndarray:
    bpy.context.view_layer.update()
    return np.array((walk.object.matrix_world @ walk.object.pose.bones[walk.legs["L"][2]].matrix).translation)


def inward(walk) -> np.ndarray:
    """Return a way that brings the ankle nearer to the hip, and aside."""
    hip = walk.object.matrix_world @ walk.object.pose.bones[walk.legs["L"][0]].head
    return 0.1 * (np.array(hip) - ankle(walk)) + walk.leg_length * np.array([0.05, -0.03, 0.0])


def goal_keys(side: str) -> list:
    goal = bpy.data.objects[f"Goal.{side}"]
    return keys.digest(goal, goal.animation_data.action) if goal.animation_data.action else []


def drag(walk, **options):
    return bpy.ops.skelkin.drag_foot("EXEC_DEFAULT", True, **options)


@pytest.mark.parametrize("parented", [False, True], ids=["free", "parented"])
@pytest.mark.parametrize("keyed", [True, False], ids=["keys", "no keys"])
def test_an_object_that_the_foot_follows_is_dragged_and_keyed(keyed, parented):
    walk = walk_with_controls(frames=24, goal="object")
    goal = bpy.data.objects["Goal.L"]
    if not keyed:
        bpy.context.scene.frame_set(FRAME)
        goal.animation_data_clear()
    if parented:
        goal.parent = bpy.data.objects.new("Cart", None)
        bpy.context.scene.collection.objects.link(goal.parent)
        goal.parent.rotation_euler, goal.parent.scale = (0.3, 0.0, 0.5), (2.0, 2.0, 2.0)
        bpy.context.view_layer.update()
        goal.matrix_parent_inverse = goal.parent.matrix_world.inverted()
    posing(walk)
    before, way, other = ankle(walk), inward(walk), goal_keys("R")
    armature = keys.digest(walk.object, walk.action)
    assert drag(walk, move=tuple(way)) == {"FINISHED"}
    bpy.context.scene.frame_set(FRAME + 1)
    bpy.context.scene.frame_set(FRAME)
    assert np.linalg.norm(ankle(walk) - before - way) <= 1e-3 * walk.leg_length  # as near as Blender's IK comes
    assert (goal_keys("R"), keys.digest(walk.object, walk.action)) == (other, armature)


def test_a_drag_of_an_object_is_one_step_of_undo():
    walk = walk_with_controls(frames=24, goal="object")
    posing(walk)
    name, way, before = walk.object.name, inward(walk), goal_keys("L")
    bpy.ops.ed.undo_push(message="before")
    assert drag(walk, move=tuple(way)) == {"FINISHED"}
    assert goal_keys("L") != before
    bpy.ops.ed.undo()
    walk.object = bpy.data.objects[name]
    assert goal_keys("L") == before


def test_a_drag_of_an_object_that_is_left_leaves_no_trace(addon):
    walk = walk_with_controls(frames=24, goal="object")
    posing(walk)
    goal = bpy.data.objects["Goal.L"]
    before = [tuple(row) for row in goal.matrix_basis], goal_keys("L"), scene_digest.digest(walk.object)
    dragged = sys.modules[f"{addon.__name__}.bridge.dragging.drag"].Drag(bpy.context, walk.object, walk.legs["L"][2])
    dragged.to(dragged.ankle + inward(walk), np.array([0.1, 0.2, 0.3]), 0.4)
    bpy.context.view_layer.update()
    assert dragged.is_undisturbed
    assert [tuple(row) for row in goal.matrix_basis] != before[0]
    dragged.leave()
    bpy.context.view_layer.update()
    assert ([tuple(row) for row in goal.matrix_basis], goal_keys("L"), scene_digest.digest(walk.object)) == before


def test_on_a_planted_action_a_drag_of_an_object_is_an_edit():
    walk = walk_with_controls(frames=24, goal="object")
    original = [goal_keys(side) for side in "LR"]
    assert switch() == {"FINISHED"}
    posing(walk)
    before, way = ankle(walk), inward(walk)
    assert drag(walk, move=tuple(way)) == {"FINISHED"}
    bpy.context.scene.frame_set(FRAME + 1)
    bpy.context.scene.frame_set(FRAME)
    assert np.linalg.norm(ankle(walk) - before - way) <= 1e-3 * walk.leg_length
    bpy.ops.object.mode_set(mode="OBJECT")
    assert switch() == {"FINISHED"}
    assert [goal_keys(side) for side in "LR"] == original


def test_lock_foot_holds_a_foot_that_follows_an_object():
    walk = walk_with_controls(frames=24, goal="object")
    posing(walk)
    held, armature = ankle(walk), keys.digest(walk.object, walk.action)
    assert bpy.ops.skelkin.lock_foot("EXEC_DEFAULT", first=FRAME - 2, last=FRAME + 3) == {"FINISHED"}
    for frame in range(FRAME - 2, FRAME + 4):
        bpy.context.scene.frame_set(frame)
        assert np.linalg.norm(ankle(walk) - held) <= 1e-3 * walk.leg_length
    assert keys.digest(walk.object, walk.action) == armature


def fenced(goal) -> None:
    goal.constraints.new("LIMIT_ROTATION").name = "Fence"


def driven(goal) -> None:
    goal.driver_add("location", 0).driver.expression = "0.1"


def shifted(goal) -> None:
    goal.delta_location = (0.1, 0.0, 0.0)


FIXED = {
    "constraint": (fenced, "Goal.L is moved by its constraint Fence: mute it or set its influence to 0"),
    "driver": (driven, "Goal.L has a driver on its transforms: remove or mute it"),
    "delta": (shifted, "Goal.L has delta transforms: clear them"),
}


@pytest.mark.parametrize("how", FIXED)
def test_an_object_that_cannot_be_dragged_is_refused_by_name_with_its_cure(how):
    walk = walk_with_controls(frames=24, goal="object")
    fix, sentence = FIXED[how]
    fix(bpy.data.objects["Goal.L"])
    posing(walk)
    before = scene_digest.digest(walk.object), goal_keys("L")
    with pytest.raises(RuntimeError, match=f"The leg cannot be dragged: {sentence}"):
        drag(walk, move=(0.1, 0.0, 0.0))
    assert (scene_digest.digest(walk.object), goal_keys("L")) == before


def test_a_foot_whose_control_does_not_lead_it_for_uneven_scale_is_refused_for_that():
    walk = walk_with_controls(frames=24)
    walk.object.scale[0] *= 1.2
    posing(walk)
    with pytest.raises(RuntimeError, match="The foot follows no control: Armature is scaled unevenly"):
        drag(walk, move=(0.1, 0.0, 0.0))
