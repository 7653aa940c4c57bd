# SPDX-License-Identifier: MIT
"""The Leg IK switch: feet hold the ground while it is on, and off is the old animation to the last bit."""

from __future__ import annotations

import bpy
import keys
import numpy as np
import pytest
import rigs
import stepping

pytestmark = pytest.mark.usefixtures("addon")

WALKS = {"metarig": rigs.human_metarig_walk, "mixamo": rigs.mixamo_walk}
SLIDE = 5e-4  # of the leg


def switch(**options):
    """Click the switch."""
    return bpy.ops.skelkin.leg_ik(**options)


def feet(walk):
    """World ankles by side, (F, 3), stepped in Blender."""
    heads = stepping.world_heads(walk.object, [walk.legs[side][2] for side in "LR"], walk.frames)
    return {side: heads[:, i] for i, side in enumerate("LR")}


def worst_slide(walk):
    places = feet(walk)
    return max(
        slide for side in "LR" for slide in stepping.stance_slide(places[side], walk.stance[side], walk.frames[0])
    )


def other_channels(walk):
    """Bytes of every channel of every bone that planting must not touch, on every frame."""
    bones = [b for b in walk.object.pose.bones if b.name not in walk.leg_bones or b.name in toes(walk)]
    found = []
    for frame in walk.frames:
        bpy.context.scene.frame_set(frame)
        found.append(
            [tuple(value) for b in bones for value in (b.location, b.rotation_quaternion, b.rotation_euler, b.scale)]
        )
    return found


def toes(walk):
    return {leg[3] for leg in walk.legs.values()}


@pytest.mark.parametrize("rig", WALKS)
def test_stance_feet_do_not_slide_and_other_bones_keep_their_channels(rig):
    walk = WALKS[rig]()
    before, others = worst_slide(walk), other_channels(walk)
    assert before > 0.5 * walk.slide
    assert switch() == {"FINISHED"}
    assert worst_slide(walk) <= SLIDE * walk.leg_length
    assert other_channels(walk) == others


@pytest.mark.parametrize("rig", WALKS)
def test_off_is_bit_equal_on_every_frame_in_any_order(rig):
    walk = WALKS[rig]()
    order = list(np.random.default_rng(0).permutation(list(walk.frames)))
    frames = [*walk.frames, *map(int, order), -5, 200]
    before, digest = stepping.pose_bits(walk.object, frames), keys.digest(walk.object, walk.action)
    assert switch() == {"FINISHED"}
    assert stepping.pose_bits(walk.object, frames) != before
    assert switch() == {"FINISHED"}
    assert stepping.pose_bits(walk.object, frames) == before
    assert walk.object.animation_data.action == walk.action
    assert keys.digest(walk.object, walk.action) == digest


@pytest.mark.parametrize("rig", WALKS)
def test_off_gives_back_channels_that_the_original_does_not_animate(rig):
    walk = WALKS[rig]()
    for curve in list(keys.fcurves(walk.object)):
        unkeyed = {walk.pelvis: "location", walk.legs["L"][2]: "rotation", **dict.fromkeys(toes(walk), "")}
        if any(f'"{bone}"].{channel}' in curve.data_path for bone, channel in unkeyed.items()):
            keys.fcurves(walk.object).remove(curve)
    pelvis = walk.object.pose.bones[walk.pelvis]
    pelvis.location = np.array(pelvis.location) * 0.9 + 0.003 * walk.leg_length
    frames = [*walk.frames, 3, 1]
    before = stepping.pose_bits(walk.object, frames)
    for _ in range(2):
        assert switch(contacts="ALWAYS", ground="HEIGHT", ground_height=0.05) == {"FINISHED"}
        assert stepping.pose_bits(walk.object, frames) != before
        assert switch() == {"FINISHED"}
        assert stepping.pose_bits(walk.object, frames) == before


def test_undo_once_is_the_state_before_the_click_and_redo_the_one_after():
    walk = rigs.mixamo_walk()
    name, action = walk.object.name, walk.action.name
    before = stepping.pose_bits(walk.object, walk.frames)
    bpy.ops.ed.undo_push(message="before")
    assert bpy.ops.skelkin.leg_ik("EXEC_DEFAULT", True) == {"FINISHED"}
    after = stepping.pose_bits(bpy.data.objects[name], walk.frames)
    bpy.ops.ed.undo_push(message="after")
    bpy.ops.ed.undo()
    if is_planted(bpy.data.objects[name]):  # the operator pushed a step of its own
        bpy.ops.ed.undo()
    ob = bpy.data.objects[name]
    assert ob.animation_data.action.name == action
    assert stepping.pose_bits(ob, range(1, 61)) == before
    assert len(bpy.data.actions) == 1
    bpy.ops.ed.redo()
    ob = bpy.data.objects[name]
    assert is_planted(ob)
    assert stepping.pose_bits(ob, range(1, 61)) == after


def is_planted(ob):
    return ob.animation_data.action.skelkin.is_planted


@pytest.mark.parametrize("mode", ["XYZ", "ZXY", "YZX", "AXIS_ANGLE", "QUATERNION"])
def test_rotation_modes_stay_and_their_channels_are_continuous(mode):
    walk = rigs.mixamo_walk(rotation_mode=mode)
    assert switch() == {"FINISHED"}
    assert worst_slide(walk) <= SLIDE * walk.leg_length
    assert {walk.object.pose.bones[bone].rotation_mode for bone in walk.legs["L"]} == {mode}
    for curve in keys.fcurves(walk.object):
        axis = mode == "AXIS_ANGLE" and curve.array_index > 0  # an axis turns fast where its angle is small
        if "rotation" in curve.data_path and "UpLeg" in curve.data_path and not axis:
            values = np.array([curve.evaluate(frame) for frame in walk.frames])
            assert np.abs(np.diff(values)).max() < 0.6


def test_keys_are_linear_on_every_whole_frame_and_nothing_is_selected():
    walk = rigs.mixamo_walk()
    assert switch() == {"FINISHED"}
    path = keys.bone_path(walk.legs["L"][0], "rotation_quaternion")
    curve = next(c for c in keys.fcurves(walk.object) if c.data_path == path)
    assert [k.co[0] for k in curve.keyframe_points] == list(walk.frames)
    assert {k.interpolation for k in curve.keyframe_points} == {"LINEAR"}


def test_root_motion_on_bone_object_or_scaled_parent_gives_the_same_feet():
    found = []
    for root_motion in ("bone", "object", "parent"):
        walk = rigs.mixamo_walk(root_motion=root_motion)
        assert switch() == {"FINISHED"}
        found.append(feet(walk))
        bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    for other in found[1:]:
        for side in "LR":
            assert np.abs(other[side] - found[0][side]).max() <= 1e-4 * walk.leg_length


def test_a_turned_and_mirrored_object_is_planted_in_world_space():
    walk = rigs.human_metarig_walk()
    walk.object.rotation_euler = (0.0, 0.0, 1.1)
    walk.object.scale = (-2.0, 2.0, 2.0)
    walk.object.location = (3.0, -4.0, 0.5)
    bpy.context.view_layer.update()
    assert switch() == {"FINISHED"}
    assert worst_slide(walk) <= SLIDE * walk.leg_length


def test_a_connected_pelvis_leaves_the_move_to_the_bone_above():
    walk = rigs.mixamo_walk(root_motion="object")
    ob = walk.object
    bpy.ops.object.mode_set(mode="EDIT")
    bones = ob.data.edit_bones
    pelvis = bones[walk.pelvis]
    root = bones.new("Root")
    root.head = np.array(pelvis.head) + np.array([0, 0, -20])
    root.tail = pelvis.head
    pelvis.parent = root
    pelvis.use_connect = True
    bpy.ops.object.mode_set(mode="OBJECT")
    assert switch(ground="HEIGHT", ground_height=-0.1) == {"FINISHED"}
    channels = {(c.bone, c.channel) for c in ob.animation_data.action.skelkin.channels}
    assert ("Root", "location") in channels
    assert (walk.pelvis, "location") not in channels
    assert worst_slide(walk) <= SLIDE * walk.leg_length


@pytest.mark.parametrize("mode", ["FULL", "FIX_SHEAR", "ALIGNED", "AVERAGE", "NONE", "NONE_LEGACY"])
@pytest.mark.parametrize("inherits", [True, False])
def test_every_way_to_inherit_from_the_parent_holds_the_feet(mode, inherits):
    walk = rigs.mixamo_walk(frames=40)
    for leg in walk.legs.values():
        for name in leg[:3]:
            bone = walk.object.data.bones[name]
            bone.inherit_scale, bone.use_inherit_rotation = mode, inherits
    bpy.context.view_layer.update()
    assert switch(contacts="ALWAYS") == {"FINISHED"}
    places = feet(walk)
    for side in "LR":
        drift = np.linalg.norm(places[side][:, :2] - places[side][0, :2], axis=1)
        assert drift[:10].max() < 0.5 * walk.leg_length  # it ran; the operator itself measured that feet follow keys


def test_objects_that_share_an_action_get_a_copy_each():
    walk = rigs.mixamo_walk()
    first = walk.object
    second = first.copy()
    bpy.context.scene.collection.objects.link(second)
    data = second.animation_data
    data.action = walk.action
    if keys.SLOTS:
        data.action_slot = first.animation_data.action_slot
    before, digest = stepping.pose_bits(second, walk.frames), keys.digest(first, walk.action)
    assert switch() == {"FINISHED"}
    assert second.animation_data.action == walk.action
    assert stepping.pose_bits(second, walk.frames) == before
    bpy.context.view_layer.objects.active = second
    assert switch() == {"FINISHED"}
    assert first.animation_data.action != second.animation_data.action
    assert keys.digest(first, walk.action) == digest
    assert switch() == {"FINISHED"}
    assert is_planted(first)
    assert stepping.pose_bits(second, walk.frames) == before


def test_the_copy_keeps_other_curves_groups_modifiers_and_custom_properties():
    walk = rigs.mixamo_walk()
    ob = walk.object
    ob["mood"] = 0.5
    keys.write(ob, '["mood"]', np.array([1, 60]), np.array([0.0, 1.0]))
    walk.action["note"] = "keep me"
    spine = next(c for c in keys.fcurves(ob) if "Spine1" in c.data_path)
    spine.modifiers.new("CYCLES")
    names = {(c.data_path, c.array_index) for c in keys.fcurves(ob)}
    assert switch() == {"FINISHED"}
    planted = ob.animation_data.action
    assert planted != walk.action
    assert names <= {(c.data_path, c.array_index) for c in keys.fcurves(ob)}
    assert planted["note"] == "keep me"
    copied = next(c for c in keys.fcurves(ob) if c.data_path == spine.data_path and c.array_index == spine.array_index)
    assert [m.type for m in copied.modifiers] == ["CYCLES"]


def test_contacts_are_pose_markers_of_the_planted_action_only():
    walk = rigs.mixamo_walk()
    assert switch() == {"FINISHED"}
    markers = [(m.name, m.frame) for m in walk.object.animation_data.action.pose_markers]
    assert len(markers) >= 8
    assert all(walk.frames[0] <= frame <= walk.frames[-1] for _, frame in markers)
    assert len(walk.action.pose_markers) == 0


def test_frame_and_sub_frame_are_where_they_were():
    walk = rigs.mixamo_walk()
    bpy.context.scene.frame_set(17, subframe=0.25)
    assert switch() == {"FINISHED"}
    assert (bpy.context.scene.frame_current, bpy.context.scene.frame_subframe) == (17, 0.25)
    assert walk.object.animation_data.action != walk.action


def test_in_a_smaller_range_values_outside_stay():
    walk = rigs.mixamo_walk(frames=90)
    ob, scene = walk.object, bpy.context.scene
    for curve in keys.fcurves(ob):  # curved segments around the borders
        for point in [k for i, k in enumerate(curve.keyframe_points) if i % 7][::-1]:
            curve.keyframe_points.remove(point, fast=True)
        for point in curve.keyframe_points:
            point.interpolation = "BEZIER"
        curve.update()
    before = {(c.data_path, c.array_index): c for c in keys.fcurves(ob, walk.action)}
    scene.frame_start, scene.frame_end = 30, 60
    outside = [*np.arange(-3, 29.95, 0.31), *np.arange(60.05, 95, 0.31)]
    values = {key: [c.evaluate(x) for x in outside] for key, c in before.items()}
    assert switch(frames="SCENE") == {"FINISHED"}
    planted = {(c.data_path, c.array_index): c for c in keys.fcurves(ob)}
    size = {key: max(1.0, np.abs(v).max()) for key, v in values.items()}
    for key, old in values.items():
        new = np.array([planted[key].evaluate(x) for x in outside])
        bad = np.abs(new - old) > 1e-5 * size[key]
        assert not bad.any(), (key, np.array(outside)[bad])
    assert any(planted[key].evaluate(45) != curve.evaluate(45) for key, curve in before.items())


def test_switching_on_again_plays_the_same_planted_action():
    walk = rigs.mixamo_walk()
    assert switch() == {"FINISHED"}
    planted = walk.object.animation_data.action
    on = stepping.pose_bits(walk.object, walk.frames)
    assert switch() == {"FINISHED"}
    assert switch() == {"FINISHED"}
    assert walk.object.animation_data.action == planted
    assert stepping.pose_bits(walk.object, walk.frames) == on
    assert len(bpy.data.actions) == 2


def test_names_in_any_script_work():
    walk = rigs.mixamo_walk(prefix='キャラ"ß:')
    assert switch() == {"FINISHED"}
    assert worst_slide(walk) <= SLIDE * walk.leg_length


def test_an_in_place_cycle_keeps_its_ground_speed_and_is_named(capfd):
    rigs.mixamo_walk(in_place=True)
    assert switch() == {"FINISHED"}
    assert "place" in capfd.readouterr().out
