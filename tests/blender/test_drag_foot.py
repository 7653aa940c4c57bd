# SPDX-License-Identifier: MIT
"""A foot dragged by hand: thigh and shin follow, nothing else moves; keyed in one step, or left without a trace."""

from __future__ import annotations

import sys
from math import radians

import bpy
import numpy as np
import pytest
import rigs
import scene_digest
from control_rigs import CONTROLS, walk_with_controls
from keys import bone_path, fcurves
from mathutils import Matrix

pytestmark = pytest.mark.usefixtures("addon")

FRAME = 7
NEAR = 1e-4  # of the leg


def posing(walk, bone=None):
    """Go to Pose Mode in a frame, with a bone active, and return the object."""
    bpy.context.scene.frame_set(FRAME)
    bpy.ops.object.mode_set(mode="POSE")
    walk.object.data.bones.active = walk.object.data.bones[bone or walk.legs["L"][2]]
    return walk.object


def place(ob, bone):
    bpy.context.view_layer.update()
    return np.array((ob.matrix_world @ ob.pose.bones[bone].matrix).translation)


def bases(ob, without=()):
    return {b.name: [tuple(row) for row in b.matrix_basis] for b in ob.pose.bones if b.name not in without}


def inward(walk, share=0.1):
    """Return a way that brings the ankle nearer to the hip, and aside."""
    hip, ankle = (place(walk.object, walk.legs["L"][k]) for k in (0, 2))
    return (hip - ankle) * share + walk.leg_length * np.array([0.05, -0.03, 0.0])


def assert_dragged(walk, way, bone=None, turn=(0.0, 0.0, 0.0), swivel=0.0):
    """Drag, and look at all that must move and must not."""
    ob = walk.object
    foot = walk.legs["L"][2]
    before, others = place(ob, foot), bases(ob, without=walk.legs["L"][:3])
    rotation = (ob.matrix_world @ ob.pose.bones[foot].matrix).to_quaternion()
    assert bpy.ops.skelkin.drag_foot("EXEC_DEFAULT", move=tuple(way), turn=turn, swivel=swivel) == {"FINISHED"}
    found = place(ob, foot)
    assert np.linalg.norm(found - (before + way)) <= NEAR * walk.leg_length
    assert bases(ob, without=walk.legs["L"][:3]) == others
    bpy.context.scene.frame_set(FRAME + 1)
    bpy.context.scene.frame_set(FRAME)
    assert np.linalg.norm(place(ob, foot) - (before + way)) <= NEAR * walk.leg_length
    return rotation, (ob.matrix_world @ ob.pose.bones[foot].matrix).to_quaternion()


@pytest.mark.parametrize("rotation_mode", ["QUATERNION", "XYZ", "ZXY", "AXIS_ANGLE"])
@pytest.mark.parametrize("rig", [rigs.mixamo_walk, rigs.human_metarig_walk], ids=["imported", "metarig"])
def test_the_ankle_goes_where_it_is_dragged_and_no_other_bone_moves(rig, rotation_mode):
    walk = rig(frames=24, rotation_mode=rotation_mode)
    posing(walk)
    was, now = assert_dragged(walk, inward(walk))
    assert was.rotation_difference(now).angle < 2e-3


@pytest.mark.parametrize("scale", [(-0.01, 0.01, 0.01), (0.02, 0.02, 0.02)], ids=["mirrored", "doubled"])
def test_scaled_and_mirrored_armatures_are_dragged_in_the_world(scale):
    walk = rigs.mixamo_walk(frames=24)
    walk.object.scale = scale
    ob = posing(walk)
    knee_before = place(ob, walk.legs["L"][1])
    hip, ankle = (place(ob, walk.legs["L"][k]) for k in (0, 2))
    axis = (ankle - hip) / np.linalg.norm(ankle - hip)
    was, now = assert_dragged(walk, np.zeros(3), turn=(0.0, radians(20.0), 0.0), swivel=radians(20.0))
    turned = np.array(Matrix.Rotation(radians(20.0), 3, axis.tolist())) @ (knee_before - hip) + hip
    assert np.linalg.norm(place(ob, walk.legs["L"][1]) - turned) <= 1e-3 * walk.leg_length
    expected = Matrix.Rotation(radians(20.0), 3, "Y") @ was.to_matrix()
    np.testing.assert_allclose(np.array(now.to_matrix()), np.array(expected), atol=1e-3)
    assert_dragged(walk, inward(walk))


def test_the_foot_turns_in_the_world_and_the_knee_swivels():
    walk = rigs.mixamo_walk(frames=24)
    ob = posing(walk)
    hip, knee, ankle = (place(ob, bone) for bone in walk.legs["L"][:3])
    was, now = assert_dragged(walk, np.zeros(3), turn=(0.0, 0.0, radians(30.0)), swivel=radians(20.0))
    expected = Matrix.Rotation(radians(30.0), 3, "Z") @ was.to_matrix()
    np.testing.assert_allclose(np.array(now.to_matrix()), np.array(expected), atol=1e-3)
    axis = (ankle - hip) / np.linalg.norm(ankle - hip)
    turned = np.array(Matrix.Rotation(radians(20.0), 3, axis.tolist())) @ (knee - hip) + hip
    assert np.linalg.norm(place(ob, walk.legs["L"][1]) - turned) <= 1e-3 * walk.leg_length


def test_only_the_three_bones_get_keys_and_only_in_this_frame():
    walk = rigs.mixamo_walk(frames=24)
    ob = posing(walk)
    own = {bone_path(bone, "rotation_quaternion") for bone in walk.legs["L"][:3]}

    def seen(inside):
        return [(c.data_path, c.array_index, [tuple(p.co) for p in c.keyframe_points if not inside or p.co[0] != FRAME])
                for c in fcurves(ob) if (c.data_path in own) == inside]  # fmt: skip

    others, elsewhere = seen(False), seen(True)
    assert_dragged(walk, inward(walk))
    assert seen(False) == others
    assert seen(True) == elsewhere


def test_a_drag_is_one_step_of_undo():
    walk = rigs.mixamo_walk(frames=24)
    name = posing(walk).name
    way = inward(walk)
    bpy.ops.ed.undo_push(message="before")
    before = repr(scene_digest.digest(bpy.data.objects[name]))
    assert bpy.ops.skelkin.drag_foot("EXEC_DEFAULT", True, move=tuple(way)) == {"FINISHED"}
    assert repr(scene_digest.digest(bpy.data.objects[name])) != before
    bpy.ops.ed.undo()
    assert repr(scene_digest.digest(bpy.data.objects[name])) == before


def begun(addon, walk, bone=None):
    """Begin a drag as the mouse does."""
    ob = posing(walk, bone)
    drag = sys.modules[f"{addon.__name__}.bridge.dragging.drag"].Drag(bpy.context, ob, bone or walk.legs["L"][2])
    return ob, drag


@pytest.mark.parametrize("rig", [rigs.mixamo_walk, walk_with_controls], ids=["keys", "control"])
def test_a_drag_that_is_left_leaves_no_trace(addon, rig):
    walk = rig(frames=24)
    posing(walk)
    before = scene_digest.digest(walk.object)
    _, drag = begun(addon, walk)
    for share in (0.05, 0.3, -0.2):
        drag.to(drag.ankle + inward(walk, share), np.array([0.1, 0.2, 0.3]), 0.4)
        bpy.context.view_layer.update()
        assert drag.is_undisturbed
    assert scene_digest.digest(walk.object) != before
    drag.leave()
    bpy.context.view_layer.update()
    assert scene_digest.digest(walk.object) == before


def test_a_change_of_the_frame_ends_a_drag_and_what_has_no_keys_is_given_back(addon):
    walk = rigs.mixamo_walk(frames=24)
    shin = walk.legs["L"][1]
    for curve in [c for c in fcurves(walk.object) if c.data_path == bone_path(shin, "rotation_quaternion")]:
        curve.mute = True
    ob, drag = begun(addon, walk)
    bpy.context.scene.frame_set(FRAME + 2)
    expected = bases(ob)
    bpy.context.scene.frame_set(FRAME)
    drag.to(drag.ankle + inward(walk), np.zeros(3), 0.0)
    bpy.context.scene.frame_set(FRAME + 2)
    assert not drag.is_undisturbed
    drag.leave()
    bpy.context.view_layer.update()
    assert bases(ob) == expected


@pytest.mark.parametrize("what", ["undo", "load", "disable", "removed"])
def test_what_ends_a_drag_from_elsewhere_leaves_nothing(addon, what):
    walk = rigs.mixamo_walk(frames=24)
    name = posing(walk).name
    bpy.ops.ed.undo_push(message="pushed")
    bpy.ops.ed.undo_push(message="pushed again")
    before = repr(scene_digest.digest(walk.object))
    _, drag = begun(addon, walk)
    drag.to(drag.ankle + inward(walk), np.zeros(3), 0.0)
    if what == "undo":
        bpy.ops.ed.undo()
    elif what == "load":
        bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    elif what == "removed":
        bpy.data.objects.remove(walk.object)
    else:
        addon.unregister()
        addon.register()
    assert what == "disable" or not drag.is_undisturbed
    drag.leave()
    if what in ("undo", "disable"):
        bpy.context.view_layer.update()
        assert repr(scene_digest.digest(bpy.data.objects[name])) == before


def test_locked_channels_are_neither_written_nor_keyed():
    walk = rigs.mixamo_walk(frames=24, rotation_mode="XYZ")
    ob = posing(walk)
    thigh = ob.pose.bones[walk.legs["L"][0]]
    thigh.lock_rotation = (False, True, False)
    before = tuple(thigh.rotation_euler)
    curve = next(
        c for c in fcurves(ob) if c.data_path == bone_path(thigh.name, "rotation_euler") and c.array_index == 1
    )
    keys = [tuple(point.co) for point in curve.keyframe_points]
    assert bpy.ops.skelkin.drag_foot("EXEC_DEFAULT", move=tuple(inward(walk))) == {"FINISHED"}
    assert thigh.rotation_euler[1] == before[1]
    assert thigh.rotation_euler[0] != before[0]
    assert [tuple(point.co) for point in curve.keyframe_points] == keys


@pytest.mark.parametrize("by", ["foot", "control"])
def test_where_ik_moves_the_leg_its_control_is_dragged(by):
    walk = walk_with_controls(frames=24)
    ob = posing(walk, CONTROLS["L"] if by == "control" else None)
    foot, way = walk.legs["L"][2], inward(walk)
    before, others = place(ob, foot), bases(ob, without=[CONTROLS["L"]])
    assert bpy.ops.skelkin.drag_foot("EXEC_DEFAULT", move=tuple(way)) == {"FINISHED"}
    assert np.linalg.norm(place(ob, foot) - (before + way)) <= 1e-3 * walk.leg_length  # as near as Blender's IK comes
    assert bases(ob, without=[CONTROLS["L"]]) == others


def test_a_leg_that_a_constraint_holds_is_refused_by_bone_and_constraint():
    walk = rigs.mixamo_walk(frames=24)
    ob = posing(walk)
    shin = ob.pose.bones[walk.legs["L"][1]]
    shin.constraints.new("LIMIT_ROTATION")
    before = scene_digest.digest(ob)
    with pytest.raises(RuntimeError, match=f"{shin.name} is moved by the constraint Limit Rotation"):
        bpy.ops.skelkin.drag_foot("EXEC_DEFAULT", move=(0.1, 0.0, 0.0))
    assert scene_digest.digest(ob) == before


def test_unkeyed_poses_are_kept_while_a_control_is_looked_for():
    walk = walk_with_controls(frames=24)
    ob = posing(walk)
    arm = ob.pose.bones["mixamorig:LeftArm"]
    arm.rotation_quaternion = (0.8, 0.6, 0.0, 0.0)
    assert bpy.ops.skelkin.drag_foot("EXEC_DEFAULT", move=tuple(inward(walk))) == {"FINISHED"}
    np.testing.assert_allclose(arm.rotation_quaternion, (0.8, 0.6, 0.0, 0.0), atol=1e-7)


def test_any_bone_with_two_above_it_is_dragged_and_none_else():
    walk = rigs.mixamo_walk(frames=24)
    hand = "mixamorig:LeftHand"
    ob = posing(walk, hand)
    shoulder, before = place(ob, "mixamorig:LeftArm"), place(ob, hand)
    way = 0.2 * (shoulder - before)
    assert bpy.ops.skelkin.drag_foot("EXEC_DEFAULT", move=tuple(way)) == {"FINISHED"}
    assert np.linalg.norm(place(ob, hand) - before - way) <= NEAR * walk.leg_length
    ob.data.bones.active = ob.data.bones["mixamorig:Spine"]
    with pytest.raises(RuntimeError, match="has no two bones above it"):
        bpy.ops.skelkin.drag_foot("EXEC_DEFAULT", move=(0.1, 0.0, 0.0))


def test_an_armature_without_an_action_gets_one():
    walk = rigs.mixamo_walk(frames=24)
    ob = posing(walk)
    ob.animation_data_clear()
    assert bpy.ops.skelkin.drag_foot("EXEC_DEFAULT", move=tuple(inward(walk))) == {"FINISHED"}
    assert ob.animation_data.action is not None
    assert len(ob.skelkin_legs) == 0


@pytest.mark.parametrize("ground", ["HEIGHT", "OBJECTS", "AUTO"])
def test_the_sole_is_set_on_the_ground(ground):
    walk = rigs.mixamo_walk(frames=24)
    height = 0.03  # of the toes at rest
    ob = posing(walk)
    ob.skelkin_own_settings, ob.skelkin_ground = True, ground
    if ground == "HEIGHT":
        height = ob.skelkin_ground_height = 0.13
    elif ground == "OBJECTS":
        height = 0.09
        mesh = bpy.data.meshes.new("Ground")
        mesh.from_pydata([(-9, -9, 0), (9, -9, 0), (9, 9, 0), (-9, 9, 0)], [], [(0, 1, 2, 3)])
        plane = bpy.data.objects.new("Ground", mesh)
        plane.location.z = height
        bpy.context.scene.collection.objects.link(plane)
        ob.skelkin_ground_object = "Ground"
    assert bpy.ops.skelkin.drag_foot("EXEC_DEFAULT", move=(0.0, 0.0, 0.05), snap=True) == {"FINISHED"}
    bpy.context.view_layer.update()
    foot, rest = ob.pose.bones[walk.legs["L"][2]], ob.data.bones
    toe = rest[walk.legs["L"][3]]
    sole = [toe.head_local, toe.tail_local]
    lowest = min((ob.matrix_world @ foot.matrix @ foot.bone.matrix_local.inverted() @ point).z for point in sole)
    assert lowest == pytest.approx(height, abs=2e-3)


def test_it_is_offered_in_pose_mode_alone():
    walk = rigs.mixamo_walk(frames=24)
    assert not bpy.ops.skelkin.drag_foot.poll()
    posing(walk)
    assert bpy.ops.skelkin.drag_foot.poll()


def test_a_linked_action_is_refused():
    walk = rigs.mixamo_walk(frames=24)
    ob = posing(walk)
    path = f"{bpy.app.tempdir}/action.blend"
    bpy.data.libraries.write(path, {walk.action})
    with bpy.data.libraries.load(path, link=True) as (found, wanted):
        wanted.actions = list(found.actions)
    linked = wanted.actions[0]
    ob.animation_data.action = linked
    if hasattr(ob.animation_data, "action_slot"):
        ob.animation_data.action_slot = linked.slots[0]
    before = scene_digest.digest(ob)
    with pytest.raises(RuntimeError, match="is linked, and takes no keys"):
        bpy.ops.skelkin.drag_foot("EXEC_DEFAULT", move=(0.1, 0.0, 0.0))
    assert scene_digest.digest(ob) == before


def holding(walk, frames, place_, rotation):
    ob, foot = walk.object, walk.legs["L"][2]
    for frame in frames:
        bpy.context.scene.frame_set(frame)
        assert np.linalg.norm(place(ob, foot) - place_) <= NEAR * walk.leg_length
        now = (ob.matrix_world @ ob.pose.bones[foot].matrix).to_quaternion()
        assert rotation.rotation_difference(now).angle < 2e-3


@pytest.mark.parametrize("by", ["keys", "preview range", "numbers"])
def test_a_locked_foot_is_held_where_it_is_over_the_selected_range(by):
    walk = rigs.mixamo_walk(frames=24)
    ob = posing(walk)
    at = place(ob, walk.legs["L"][2])
    rotation = (ob.matrix_world @ ob.pose.bones[walk.legs["L"][2]].matrix).to_quaternion()
    numbers = {"first": FRAME - 2, "last": FRAME + 3} if by == "numbers" else {}
    for curve in fcurves(ob):
        for point in curve.keyframe_points:
            point.select_control_point = by == "keys" and FRAME - 2 <= point.co[0] <= FRAME + 3
    if by == "preview range":
        scene = bpy.context.scene
        scene.use_preview_range, scene.frame_preview_start, scene.frame_preview_end = True, FRAME - 2, FRAME + 3
    ob.pose.bones["mixamorig:LeftArm"].rotation_quaternion = (0.8, 0.6, 0.0, 0.0)
    assert bpy.ops.skelkin.lock_foot("EXEC_DEFAULT", **numbers) == {"FINISHED"}
    assert bpy.context.scene.frame_current == FRAME
    np.testing.assert_allclose(ob.pose.bones["mixamorig:LeftArm"].rotation_quaternion, (0.8, 0.6, 0.0, 0.0), atol=1e-7)
    holding(walk, range(FRAME - 2, FRAME + 4), at, rotation)


def test_a_lock_without_a_range_is_refused_and_changes_nothing():
    walk = rigs.mixamo_walk(frames=24)
    ob = posing(walk)
    for curve in fcurves(ob):
        for point in curve.keyframe_points:
            point.select_control_point = False
    before = scene_digest.digest(ob)
    with pytest.raises(RuntimeError, match="Select keys from the first to the last frame"):
        bpy.ops.skelkin.lock_foot("EXEC_DEFAULT")
    assert scene_digest.digest(ob) == before
