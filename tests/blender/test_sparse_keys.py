# SPDX-License-Identifier: GPL-3.0-or-later
"""Few keys in place of one per frame, within a tolerance, and off as exact as ever."""

from __future__ import annotations

import re
from itertools import pairwise

import bpy
import keys
import numpy as np
import pytest
import rigs
import stepping
from control_rigs import CONTROLS, walk_that_leaves_ik, walk_with_controls, walk_with_three_chains
from rigify_rigs import rigify_walk
from scripted_bipeds import walk_on_world_feet
from switching_checks import (
    assert_off_is_exact_and_on_again_the_same,
    assert_update_follows_an_edit_of_the_original,
    state,
    switch_on_undo_and_redo,
)

pytestmark = pytest.mark.usefixtures("addon")


def switch(**options):
    """Click the switch, with few keys."""
    return bpy.ops.skelkin.leg_ik(keys="SPARSE", **options)


def joints(walk) -> list[str]:
    """Return knees, feet and toes."""
    return [bone for leg in walk.legs.values() for bone in leg[1:4]]


def planted_exactly(walk) -> np.ndarray:
    """Return where knees, feet and toes are with a key on every frame; the switch is off again."""
    assert bpy.ops.skelkin.leg_ik(keys="EVERY") == {"FINISHED"}
    heads = stepping.world_heads(walk.object, joints(walk), walk.frames)
    assert bpy.ops.skelkin.remove() == {"FINISHED"}
    return heads


def planted_curves(walk) -> list:
    """Return the F-curves that the planted action owns."""
    action = walk.object.animation_data.action
    own = {(item.bone, item.channel) for item in action.skelkin.channels}
    paths = {f'pose.bones["{bone}"].{channel}' for bone, channel in own}
    return [curve for curve in keys.fcurves(walk.object) if curve.data_path in paths]


def on_rigify(ik: bool):
    """Return a generated human that walks; ``legs`` are the bones that its mesh follows."""
    return lambda: rigify_walk(ik=ik)


#: how each kind of rig moves its legs
WAYS = {
    "Rigify in IK": on_rigify(True),
    "Rigify in FK": on_rigify(False),
    "Rigify in IK that hangs on the torso": lambda: rigify_walk(ik_parent=2),
    "controls below the pelvis": lambda: walk_with_controls(parent="mixamorig:Hips"),
    "reverse feet": lambda: walk_with_controls(reverse=True),
    "goals that are objects": lambda: walk_with_controls(goal="object"),
    "controls below a Child Of": lambda: walk_with_controls(holder="CHILD_OF", influence=0.5),
    "three chains in FK": lambda: walk_with_three_chains(0),
    "a property that leaves IK": walk_that_leaves_ik,
    "world feet": walk_on_world_feet,
    "axis and angle": lambda: rigs.mixamo_walk(rotation_mode="AXIS_ANGLE"),
    "mirrored": lambda: mirrored(rigs.mixamo_walk()),
}


def mirrored(walk):
    """Return the walk of an object with a negative scale."""
    walk.object.scale[0] *= -1
    return walk


def feet_of(walk) -> list[str]:
    return [leg[2] for leg in walk.legs.values()]


#: lower than the feet stand: the bone that carries the body gets few keys as well
LOWER = {"ground": "HEIGHT", "ground_height": -0.03}


@pytest.mark.parametrize("way", WAYS)
def test_feet_stay_within_the_tolerance_on_every_kind_of_rig(way):
    walk = WAYS[way]()
    before = state(walk)
    assert bpy.ops.skelkin.leg_ik(keys="EVERY", **LOWER) == {"FINISHED"}
    exact = stepping.world_heads(walk.object, feet_of(walk), walk.frames)
    assert bpy.ops.skelkin.remove() == {"FINISHED"}
    assert switch(**LOWER) == {"FINISHED"}
    found = stepping.world_heads(walk.object, feet_of(walk), walk.frames)
    assert np.linalg.norm(found - exact, axis=2).max() <= 5.1e-3 * walk.leg_length
    curves = [curve for curve in planted_curves(walk) if curve.keyframe_points]
    assert all(len(curve.keyframe_points) <= 0.6 * len(walk.frames) for curve in curves)
    assert bpy.ops.skelkin.leg_ik(state="OFF") == {"FINISHED"}
    assert state(walk) == before


RIGS = {
    "quaternions": rigs.mixamo_walk,
    "Euler angles": lambda: rigs.mixamo_walk(rotation_mode="XYZ"),
    "scaled parent": lambda: rigs.mixamo_walk(root_motion="parent"),
    "foot controls": walk_with_controls,
}


@pytest.mark.parametrize("tolerance", [5.0, 1.0])
@pytest.mark.parametrize("rig", RIGS)
def test_knees_feet_and_toes_stay_within_the_tolerance(rig, tolerance):
    walk = RIGS[rig]()
    exact = planted_exactly(walk)
    assert switch(tolerance=tolerance) == {"FINISHED"}
    found = stepping.world_heads(walk.object, joints(walk), walk.frames)
    feet = [i for i, bone in enumerate(joints(walk)) if bone not in [leg[1] for leg in walk.legs.values()]]
    seen = feet if rig == "foot controls" else slice(None)  # there the knees follow Blender's own solver
    off = np.linalg.norm(found - exact, axis=2)[:, seen].max() / walk.leg_length
    assert off <= 1.02e-3 * tolerance
    assert off >= 1e-5


@pytest.mark.parametrize("rig", RIGS)
def test_there_are_few_keys_which_the_channels_of_a_leg_share(rig):
    walk = RIGS[rig]()
    assert switch() == {"FINISHED"}
    curves = planted_curves(walk)
    counts = [len(curve.keyframe_points) for curve in curves]
    assert curves
    assert max(counts) <= len(walk.frames) / 2
    own = walk.legs["L"][:3] if rig != "foot controls" else [CONTROLS["L"]]
    times = {
        tuple(key.co[0] for key in curve.keyframe_points)
        for curve in curves
        if any(f'"{bone}"' in curve.data_path for bone in own)
    }
    assert len(times) == 1


LED = {
    "foot controls": (walk_with_controls, True),
    "objects": (lambda: walk_with_controls(goal="object"), True),
    "own keys": (rigs.mixamo_walk, False),
    "own keys, let go of": (lambda: walk_with_controls(turns_foot=False), False),
}


@pytest.mark.parametrize("rig", LED)
def test_by_default_keys_are_few_where_controls_lead_the_feet_else_on_every_frame(rig):
    make, is_few = LED[rig]
    walk = make()
    assert bpy.ops.skelkin.leg_ik() == {"FINISHED"}
    goals = [bpy.data.objects[f"Goal.{side}"] for side in "LR"] if rig == "objects" else []
    goal_curves = [curve for goal in goals for curve in keys.fcurves(goal) if len(curve.keyframe_points) > 1]
    counts = [len(curve.keyframe_points) for curve in (*planted_curves(walk), *goal_curves)]
    assert (max(counts) <= len(walk.frames) / 2) == is_few
    assert (min(counts) == len(walk.frames)) == (not is_few) or rig == "own keys, let go of"


def test_handles_stand_at_thirds():
    walk = rigs.mixamo_walk()
    assert switch() == {"FINISHED"}
    for curve in planted_curves(walk):
        for one, other in pairwise(curve.keyframe_points):
            step = (other.co[0] - one.co[0]) / 3
            assert one.interpolation == "BEZIER"
            assert one.handle_right_type == other.handle_left_type == "FREE"
            assert one.handle_right[0] - one.co[0] == pytest.approx(step, abs=1e-3)
            assert other.co[0] - other.handle_left[0] == pytest.approx(step, abs=1e-3)


def test_a_foot_control_that_stands_is_held_by_two_equal_keys():
    walk = walk_with_controls()
    assert switch() == {"FINISHED"}
    curves = [curve for curve in planted_curves(walk) if f'"{CONTROLS["L"]}"' in curve.data_path]
    held = 0
    for one, other in pairwise(curves[0].keyframe_points):
        first, last = int(one.co[0]), int(other.co[0])
        if last - first < 4:
            continue
        values = np.array([[curve.evaluate(frame) for curve in curves] for frame in np.linspace(first, last, 25)])
        held += bool(np.ptp(values, axis=0).max() <= 1e-6)
    assert held >= len(walk.stance["L"]) - 1


def test_the_result_says_how_many_keys_there_are_and_measures_slide_again(capfd):
    walk = rigs.mixamo_walk()
    assert switch() == {"FINISHED"}
    assert "Sparse: " in capfd.readouterr().out
    heads = stepping.world_heads(walk.object, [walk.legs["L"][2]], walk.frames)[:, 0]
    slide = max(stepping.stance_slide(heads, walk.stance["L"], walk.frames[0]))
    summary = walk.object.animation_data.action.skelkin.summary
    worst, more = re.search(r"worst [\d.]+ → ([\d.]+)\); with sparse keys up to ([\d.]+) cm more$", summary).groups()
    assert float(worst) + float(more) == pytest.approx(100 * slide, abs=0.5)


@pytest.mark.parametrize("rig", ["quaternions", "foot controls"])
def test_off_is_exact_with_few_keys(rig):
    walk = RIGS[rig]()
    bpy.context.object.skelkin_own_settings = True
    bpy.context.object.skelkin_keys = "SPARSE"
    assert_off_is_exact_and_on_again_the_same(walk)


def test_update_follows_an_edit_with_few_keys():
    walk = rigs.mixamo_walk()
    bpy.context.object.skelkin_own_settings = True
    bpy.context.object.skelkin_keys = "SPARSE"
    assert_update_follows_an_edit_of_the_original(walk, walk.pelvis)


def test_undo_and_redo_are_exact_with_few_keys():
    switch_on_undo_and_redo(rigs.mixamo_walk(), keys="SPARSE")


def test_what_is_outside_of_the_range_stays():
    walk = rigs.mixamo_walk()
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = walk.frames[10], walk.frames[40]
    outside = [*walk.frames[:9], *walk.frames[42:]]
    before = stepping.world_heads(walk.object, joints(walk), outside)
    assert switch(frames="SCENE") == {"FINISHED"}
    after = stepping.world_heads(walk.object, joints(walk), outside)
    assert np.abs(after - before).max() <= 1e-5 * walk.leg_length


def test_stepped_motion_gets_few_keys_as_well():
    walk = rigs.mixamo_walk()
    exact = planted_exactly(walk)
    assert switch(read="STEP") == {"FINISHED"}
    found = stepping.world_heads(walk.object, joints(walk), walk.frames)
    assert np.linalg.norm(found - exact, axis=2).max() <= 5.1e-3 * walk.leg_length
