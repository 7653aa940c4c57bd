# SPDX-License-Identifier: MIT
"""Update, Apply and Remove."""

from __future__ import annotations

import bpy
import keys
import numpy as np
import pytest
import rigs
import stepping

pytestmark = pytest.mark.usefixtures("addon")


def curve_of(ob, bone, channel, index=0):
    path = keys.bone_path(bone, channel)
    return next(c for c in keys.fcurves(ob) if (c.data_path, c.array_index) == (path, index))


def nudge(curve, amount=0.2):
    for point in curve.keyframe_points:
        point.co[1] += amount
        point.handle_left[1] += amount
        point.handle_right[1] += amount
    curve.update()


def test_update_without_edits_gives_the_same_poses_and_leaves_no_second_copy():
    walk = rigs.mixamo_walk()
    assert bpy.ops.skelkin.leg_ik() == {"FINISHED"}
    name = walk.object.animation_data.action.name
    before = stepping.world_heads(walk.object, [walk.legs["L"][2]], walk.frames)
    assert bpy.ops.skelkin.update() == {"FINISHED"}
    assert walk.object.animation_data.action.name == name
    assert sorted(a.name for a in bpy.data.actions) == sorted([name, walk.action.name])
    after = stepping.world_heads(walk.object, [walk.legs["L"][2]], walk.frames)
    np.testing.assert_allclose(after, before, atol=1e-6)


def test_update_keeps_edits_of_other_bones_and_in_a_copy_leg_keys_that_are_no_touch_up():
    walk = rigs.mixamo_walk()
    ob = walk.object
    spine, thigh = "mixamorig:Spine1", walk.legs["L"][0]
    assert bpy.ops.skelkin.leg_ik() == {"FINISHED"}
    planted = ob.animation_data.action
    name = planted.name
    good = [k.co[1] for k in curve_of(ob, thigh, "rotation_quaternion", 1).keyframe_points]
    nudge(curve_of(ob, spine, "rotation_quaternion", 1))
    nudge(curve_of(ob, thigh, "rotation_quaternion", 1))
    curve_of(ob, thigh, "rotation_quaternion", 2).mute = True
    mine = [k.co[1] for k in curve_of(ob, spine, "rotation_quaternion", 1).keyframe_points]
    assert bpy.ops.skelkin.update() == {"FINISHED"}
    assert ob.animation_data.action != planted
    assert planted.name == f"{name} edited"
    assert planted.use_fake_user
    np.testing.assert_allclose([k.co[1] for k in curve_of(ob, spine, "rotation_quaternion", 1).keyframe_points], mine)
    again = [k.co[1] for k in curve_of(ob, thigh, "rotation_quaternion", 1).keyframe_points]
    np.testing.assert_allclose(again, good, atol=1e-5)


def test_update_follows_changes_of_the_original():
    walk = rigs.mixamo_walk()
    ob = walk.object
    assert bpy.ops.skelkin.leg_ik() == {"FINISHED"}
    first = stepping.world_heads(ob, [walk.pelvis], walk.frames)
    assert bpy.ops.skelkin.leg_ik() == {"FINISHED"}
    nudge(curve_of(ob, walk.pelvis, "location", 0), 3.0)
    moved = stepping.pose_bits(ob, walk.frames)
    assert bpy.ops.skelkin.leg_ik() == {"FINISHED"}
    assert ob.animation_data.action.skelkin.source_changed
    assert bpy.ops.skelkin.update() == {"FINISHED"}
    assert not ob.animation_data.action.skelkin.source_changed
    second = stepping.world_heads(ob, [walk.pelvis], walk.frames)
    assert np.abs(second - first).max() > 0.02
    assert bpy.ops.skelkin.leg_ik() == {"FINISHED"}
    assert stepping.pose_bits(ob, walk.frames) == moved


def test_update_with_other_settings_makes_off_exact_still():
    walk = rigs.mixamo_walk()
    ob = walk.object
    for curve in list(keys.fcurves(ob)):
        if f'"{walk.pelvis}"].location' in curve.data_path:
            keys.fcurves(ob).remove(curve)
    before = stepping.pose_bits(ob, walk.frames)
    assert bpy.ops.skelkin.leg_ik(contacts="GROUND_ONLY") == {"FINISHED"}
    assert bpy.ops.skelkin.update(contacts="ALWAYS", ground="HEIGHT", ground_height=0.02) == {"FINISHED"}
    assert stepping.pose_bits(ob, walk.frames) != before
    assert bpy.ops.skelkin.leg_ik() == {"FINISHED"}
    assert stepping.pose_bits(ob, walk.frames) == before


def test_a_failing_update_leaves_the_planted_action_as_it_was():
    walk = rigs.mixamo_walk()
    ob = walk.object
    assert bpy.ops.skelkin.leg_ik() == {"FINISHED"}
    planted, on = ob.animation_data.action, stepping.pose_bits(ob, walk.frames)
    ob.pose.bones[walk.legs["L"][0]].driver_add("rotation_quaternion", 1).driver.expression = "0.1"
    with pytest.raises(RuntimeError, match="driver"):
        bpy.ops.skelkin.update()
    ob.pose.bones[walk.legs["L"][0]].driver_remove("rotation_quaternion", 1)
    assert ob.animation_data.action == planted
    assert len(bpy.data.actions) == 2
    assert stepping.pose_bits(ob, walk.frames) == on


def test_apply_keeps_the_planted_motion_as_an_ordinary_action():
    walk = rigs.mixamo_walk()
    ob = walk.object
    assert bpy.ops.skelkin.leg_ik() == {"FINISHED"}
    on, planted = stepping.pose_bits(ob, walk.frames), ob.animation_data.action
    assert bpy.ops.skelkin.apply() == {"FINISHED"}
    assert ob.animation_data.action == planted
    assert stepping.pose_bits(ob, walk.frames) == on
    assert not planted.skelkin.is_planted
    assert not planted.use_fake_user
    assert ob.skelkin_planted is None
    assert ob.skelkin_kept_pose == ""
    with pytest.raises(RuntimeError, match="Switch Leg IK on first"):
        bpy.ops.skelkin.apply()


def test_an_applied_action_can_be_planted_as_any_other():
    walk = rigs.mixamo_walk()
    assert bpy.ops.skelkin.leg_ik() == {"FINISHED"}
    assert bpy.ops.skelkin.apply() == {"FINISHED"}
    applied = walk.object.animation_data.action
    assert bpy.ops.skelkin.leg_ik(ground="HEIGHT", ground_height=0.1) == {"FINISHED"}
    assert walk.object.animation_data.action.skelkin.source == applied


def test_remove_leaves_no_trace():
    walk = rigs.mixamo_walk()
    ob = walk.object
    before = stepping.pose_bits(ob, walk.frames)
    assert bpy.ops.skelkin.leg_ik() == {"FINISHED"}
    assert bpy.ops.skelkin.remove() == {"FINISHED"}
    assert stepping.pose_bits(ob, walk.frames) == before
    assert list(bpy.data.actions) == [walk.action]
    assert ob.skelkin_planted is None
    assert ob.skelkin_source is None
    assert len(ob.skelkin_legs) == 0
    assert ob.skelkin_kept_pose == ""
    with pytest.raises(RuntimeError, match="nothing to remove"):
        bpy.ops.skelkin.remove()


def test_on_follows_the_assigned_action_not_a_stored_flag():
    walk = rigs.mixamo_walk()
    ob, data = walk.object, walk.object.animation_data
    before = stepping.pose_bits(ob, walk.frames)
    assert bpy.ops.skelkin.leg_ik() == {"FINISHED"}
    planted = data.action
    data.action = walk.action  # by hand
    if keys.SLOTS:
        data.action_slot = walk.action.slots[0]
    assert bpy.ops.skelkin.leg_ik() == {"FINISHED"}  # so this is on again
    assert data.action == planted
    assert bpy.ops.skelkin.leg_ik() == {"FINISHED"}
    assert stepping.pose_bits(ob, walk.frames) == before


def test_properties_that_the_user_keys_while_it_is_on_come_back_too():
    walk = rigs.mixamo_walk()
    ob = walk.object
    ob.pose.bones["mixamorig:Head"].scale = (1.0, 1.25, 1.0)
    before = stepping.pose_bits(ob, walk.frames)
    assert bpy.ops.skelkin.leg_ik() == {"FINISHED"}
    keys.write(ob, keys.bone_path("mixamorig:Head", "scale"), np.array([1, 60]), np.array([[1, 1, 1], [3, 3, 3]]))
    bpy.context.scene.frame_set(60)
    assert bpy.ops.skelkin.leg_ik() == {"FINISHED"}
    assert stepping.pose_bits(ob, walk.frames) == before


def test_two_actions_keep_a_planted_copy_each_and_remove_takes_both():
    walk = rigs.mixamo_walk()
    ob, data = walk.object, walk.object.animation_data
    second = walk.action.copy()
    second.name = "Second"

    def play(action):
        data.action = action
        if keys.SLOTS:
            data.action_slot = action.slots[0]

    planted = []
    for action in (walk.action, second, walk.action, second):
        play(action)
        before = stepping.pose_bits(ob, walk.frames)
        assert bpy.ops.skelkin.leg_ik() == {"FINISHED"}
        planted.append(data.action)
        assert data.action.skelkin.source == action
        assert bpy.ops.skelkin.leg_ik() == {"FINISHED"}
        assert stepping.pose_bits(ob, walk.frames) == before
    assert planted[:2] == planted[2:]
    assert planted[0] != planted[1]
    assert bpy.ops.skelkin.remove() == {"FINISHED"}
    assert {action.name for action in bpy.data.actions} == {walk.action.name, "Second"}
