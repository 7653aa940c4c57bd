# SPDX-License-Identifier: MIT
"""Keys of legs and pelvis that were edited by hand in a planted action: Update edits what it plants in the same way."""

from __future__ import annotations

import sys

import bpy
import keys
import numpy as np
import pytest
import rigs
import stepping
from control_rigs import walk_with_controls
from drawing import draw, operators, sentences
from linking import current, overridden, reload
from mathutils import Matrix
from planted_contacts import item_of, mark_of, planted_walk, update
from rigify_rigs import rigify_walk
from switching_checks import assert_remove_leaves_nothing, state

pytestmark = pytest.mark.usefixtures("addon")

NEAR = 1e-4  # of the leg
FRAMES = range(20, 31)
LIFT = 0.05  # metres


@pytest.fixture(scope="module")
def lifted(addon):
    """Return what raises a foot by hand on some frames, and keys it there as an animator does."""
    drags = sys.modules[f"{addon.__name__}.bridge.dragging.drag"]

    def lift(walk, side="L", frames=FRAMES, size=LIFT, swivel=0.0):
        for frame in frames:
            part = np.sin(np.pi * (frame - frames[0] + 1) / (len(frames) + 1))
            bpy.context.scene.frame_set(frame)
            drag = drags.Drag(bpy.context, walk.object, walk.legs[side][2])
            drag.to(drag.ankle + np.array([0.0, 0.0, size * part]), np.array([0.2 * part, 0.0, 0.0]), swivel * part)
            drag.key()
        return joints(walk)

    return lift


def joints(walk):
    """Return heads of pelvis, thighs, shins, feet and toes (F, B, 3), in leg lengths."""
    names = [walk.pelvis, *(bone for leg in walk.legs.values() for bone in leg)]
    return stepping.world_heads(walk.object, names, walk.frames) / walk.leg_length


def assert_same(walk, pose, near=NEAR):
    assert np.linalg.norm(joints(walk) - pose, axis=2).max() <= near


def nudge(walk, bone, channel, amount, index=0, frames=None):
    """Move keys by hand."""
    for curve in keys.fcurves(walk.object):
        if (curve.data_path, curve.array_index) == (keys.bone_path(bone, channel), index):
            for point in curve.keyframe_points:
                if frames is None or point.co[0] in frames:
                    for handle in (point.co, point.handle_left, point.handle_right):
                        handle[1] += amount
            curve.update()


def test_a_foot_raised_by_keys_survives_ten_updates(lifted):
    walk = planted_walk()
    planted = joints(walk)
    by_hand = lifted(walk)
    assert np.linalg.norm(by_hand - planted, axis=2).max() > 0.05
    for _ in range(10):
        update()
        assert_same(walk, by_hand)
    assert mark_of(walk).touched == "left 20–30"
    assert len(bpy.data.actions) == 2


@pytest.mark.parametrize("mode", ["XYZ", "AXIS_ANGLE"])
def test_feet_in_other_rotation_modes_stay_touched_up(lifted, mode):
    walk = planted_walk(rotation_mode=mode)
    by_hand = lifted(walk, swivel=0.3)
    update()
    assert_same(walk, by_hand)


def test_a_contact_edited_elsewhere_and_a_touch_up_both_survive(lifted):
    def shortened(walk):
        item = item_of(walk, "right", 1)
        item.last -= 4
        update()

    plain = planted_walk()
    planted = joints(plain)
    shortened(plain)
    without = joints(plain)
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    walk = planted_walk()
    shift = lifted(walk) - planted
    shortened(walk)
    ankle = 3  # pelvis, thigh, shin, foot
    np.testing.assert_allclose((joints(walk) - without)[:, ankle], shift[:, ankle], atol=NEAR)
    right = slice(5, 9)
    np.testing.assert_allclose(joints(walk)[:, right], without[:, right], atol=NEAR)
    assert np.abs(without - planted)[:, right].max() > 10 * NEAR


def test_a_second_touch_up_comes_on_top_of_the_first(lifted):
    walk = planted_walk()
    lifted(walk)
    update()
    by_hand = lifted(walk, "R", range(10, 16), swivel=0.2)
    update()
    assert_same(walk, by_hand)
    by_hand = lifted(walk, frames=range(25, 36), size=0.03, swivel=-0.3)
    update()
    assert_same(walk, by_hand)
    assert mark_of(walk).touched == "left 20–35, right 10–15"


def test_keys_of_spine_and_leg_edited_together_stay_and_spine_keys_are_no_touch_up(lifted):
    walk = planted_walk()
    nudge(walk, "mixamorig:Spine1", "rotation_quaternion", 0.2, 1)
    update()
    assert mark_of(walk).touched == ""
    nudge(walk, "mixamorig:Spine1", "rotation_quaternion", 0.1, 2)
    by_hand, bits = lifted(walk), stepping.world_heads(walk.object, ["mixamorig:Head"], walk.frames)
    update()
    assert_same(walk, by_hand)
    assert np.abs(stepping.world_heads(walk.object, ["mixamorig:Head"], walk.frames) - bits).max() <= 1e-5


def test_a_pelvis_lowered_by_hand_stays_lowered():
    walk = planted_walk()
    nudge(walk, walk.pelvis, "location", 2.0, 0, FRAMES)
    by_hand = joints(walk)
    for _ in range(2):
        update()
        assert_same(walk, by_hand)
    assert mark_of(walk).touched.startswith("pelvis 20–30")


def test_a_character_that_was_turned_meanwhile_keeps_touch_ups_in_its_own_space(lifted):
    walk = planted_walk(imported=False)
    by_hand = lifted(walk)
    update()
    walk.object.matrix_world = Matrix.Rotation(2.0, 4, "Z") @ walk.object.matrix_world
    bpy.context.view_layer.update()
    update()
    back = np.array(Matrix.Rotation(-2.0, 3, "Z"))
    assert np.linalg.norm(joints(walk) @ back.T - by_hand, axis=2).max() <= NEAR


def test_touch_ups_are_one_step_of_undo(lifted):
    walk = planted_walk()
    name = walk.object.name
    by_hand = lifted(walk)
    bpy.ops.ed.undo_push(message="by hand")
    assert bpy.ops.skelkin.update("EXEC_DEFAULT", True) == {"FINISHED"}
    bpy.ops.ed.undo()
    walk.object = current(name)
    assert mark_of(walk).touched == ""
    assert_same(walk, by_hand)
    bpy.ops.ed.redo()
    walk.object = current(name)
    assert mark_of(walk).touched == "left 20–30"
    assert_same(walk, by_hand)


def test_files_and_the_switch_keep_touch_ups_and_off_is_exact(lifted, tmp_path):
    walk = rigs.mixamo_walk()
    before = state(walk)
    assert bpy.ops.skelkin.leg_ik() == {"FINISHED"}
    name, action, by_hand = walk.object.name, walk.action.name, lifted(walk)
    reload(tmp_path / "by_hand.blend")
    walk.object = current(name)
    update()
    reload(tmp_path / "updated.blend")
    walk.object, walk.action = current(name), bpy.data.actions[action]
    assert bpy.ops.skelkin.leg_ik() == {"FINISHED"}
    assert state(walk) == before
    assert bpy.ops.skelkin.leg_ik() == {"FINISHED"}
    update()
    assert_same(walk, by_hand)
    assert bpy.ops.skelkin.leg_ik() == {"FINISHED"}
    assert_remove_leaves_nothing(walk, before)


def test_an_overridden_armature_keeps_touch_ups(lifted, tmp_path):
    walk = rigs.mixamo_walk()
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "character.blend"))
    walk.object = overridden(tmp_path / "character.blend", walk.object.name)
    name = walk.object.name
    assert bpy.ops.skelkin.leg_ik() == {"FINISHED"}
    by_hand = lifted(walk)
    update()
    reload(tmp_path / "shot.blend")
    walk.object = current(name)
    update()
    assert_same(walk, by_hand)


@pytest.mark.parametrize("goal", ["bone", "object"])
def test_legs_led_by_controls_keep_touch_ups_of_these(lifted, goal):
    walk = walk_with_controls(goal=goal)
    assert bpy.ops.skelkin.leg_ik(keys="EVERY") == {"FINISHED"}
    if goal == "bone":
        by_hand = lifted(walk)
    else:
        thing = next(ob for ob in bpy.data.objects if ob.name.endswith(".L") and ob.animation_data)
        for curve in keys.fcurves(thing):
            if (curve.data_path, curve.array_index) == ("location", 2):
                for point in curve.keyframe_points:
                    point.co[1] += LIFT * (point.co[0] in FRAMES)
                curve.update()
        by_hand = joints(walk)
    for _ in range(2):
        update()
        assert_same(walk, by_hand)
    assert mark_of(walk).touched.startswith("left 20–30")


@pytest.mark.parametrize("ik", [True, False], ids=["IK", "FK"])
def test_a_generated_rig_keeps_touch_ups_of_its_controls(ik):
    walk = rigify_walk(ik=ik, frames=40)
    assert bpy.ops.skelkin.leg_ik(keys="EVERY") == {"FINISHED"}
    bone, channel = ("foot_ik.L", "location") if ik else ("thigh_fk.L", "rotation_quaternion")
    before = joints(walk)
    for index in range(1, 3):
        nudge(walk, bone, channel, 0.04, index, FRAMES)
    by_hand = joints(walk)
    assert np.linalg.norm(by_hand - before, axis=2).max() > 0.02
    for _ in range(2):
        update()
        assert_same(walk, by_hand, 2 * NEAR)  # what the check of all frames finds without touch-ups, too
    assert mark_of(walk).touched.startswith("left 20–30")


def test_sparse_keys_edited_by_hand_are_kept_within_the_tolerance_and_do_not_drift():
    walk = rigs.mixamo_walk()
    assert bpy.ops.skelkin.leg_ik(keys="SPARSE", tolerance=5.0) == {"FINISHED"}
    planted = joints(walk)
    for index in range(1, 4):
        nudge(walk, walk.legs["L"][0], "rotation_quaternion", 0.08, index, range(18, 32))
    by_hand = joints(walk)
    assert np.linalg.norm(by_hand - planted, axis=2).max() > 0.05
    update()
    assert_same(walk, by_hand, 2 * 5e-3)
    first = joints(walk)
    for _ in range(3):
        update()
    assert_same(walk, first)


def test_discarding_touch_ups_plants_without_them_and_the_panel_offers_it(lifted):
    walk = planted_walk()
    planted = joints(walk)
    assert "skelkin.discard_touch_ups" not in operators(draw("SKELKIN_PT_contacts"))
    lifted(walk)
    update()
    drawn = draw("SKELKIN_PT_contacts")
    assert "Touch-ups by hand are kept: left 20–30" in sentences(drawn)
    assert "skelkin.discard_touch_ups" in operators(drawn)
    assert bpy.ops.skelkin.discard_touch_ups() == {"FINISHED"}
    assert mark_of(walk).touched == ""
    assert_same(walk, planted)


def test_touch_ups_that_cannot_be_read_are_told_and_can_be_discarded(lifted):
    walk = planted_walk()
    planted = joints(walk)
    lifted(walk)
    update()
    mark_of(walk).touch_ups = text = "of a kind that is not known here"
    before = state(walk, planted=True)
    with pytest.raises(RuntimeError, match=r"The touch-ups of .* cannot be read: press Discard Touch-Ups"):
        update()
    assert mark_of(walk).touch_ups == text
    assert state(walk, planted=True) == before
    assert bpy.ops.skelkin.discard_touch_ups() == {"FINISHED"}
    assert_same(walk, planted)


def test_apply_keeps_the_pose_and_forgets_the_rest(lifted):
    walk = planted_walk()
    by_hand = lifted(walk)
    update()
    assert bpy.ops.skelkin.apply() == {"FINISHED"}
    assert mark_of(walk).touch_ups == ""
    assert_same(walk, by_hand)


def test_a_curve_removed_by_hand_is_planted_again_and_the_edited_action_kept(lifted):
    walk = planted_walk()
    planted, action = joints(walk), walk.object.animation_data.action
    curves = keys.fcurves(walk.object)
    curves.remove(next(c for c in curves if c.data_path == keys.bone_path(walk.legs["L"][1], "rotation_quaternion")))
    update()
    assert_same(walk, planted)
    assert action.name.endswith(" edited")


def test_a_key_that_is_no_number_is_no_touch_up_and_the_edited_action_is_kept(lifted):
    walk = planted_walk()
    by_hand, action = lifted(walk), walk.object.animation_data.action
    path = keys.bone_path(walk.legs["R"][1], "rotation_quaternion")
    next(c for c in keys.fcurves(walk.object) if c.data_path == path).keyframe_points[30].co[1] = float("nan")
    update()
    assert_same(walk, by_hand)
    assert mark_of(walk).touched == "left 20–30"
    assert action.name.endswith(" edited")


def test_an_action_that_knows_nothing_of_what_was_written_is_kept_as_edited(lifted):
    walk = planted_walk()
    planted, action = joints(walk), walk.object.animation_data.action
    for item in mark_of(walk).channels:  # as an add-on left them that kept no touch-ups
        item.property_unset("written")
    lifted(walk)
    update()
    assert_same(walk, planted)
    assert mark_of(walk).touched == ""
    assert action.name.endswith(" edited")


def drag(walk, frame, way):
    bpy.context.scene.frame_set(frame)
    bpy.ops.object.mode_set(mode="POSE")
    walk.object.data.bones.active = walk.object.data.bones[walk.legs["L"][2]]
    assert bpy.ops.skelkin.drag_foot("EXEC_DEFAULT", move=way) == {"FINISHED"}
    bpy.ops.object.mode_set(mode="OBJECT")


def test_a_foot_dragged_in_a_frame_and_touched_up_there_later_is_where_it_was_put_last(lifted):
    walk = planted_walk()
    drag(walk, 25, (0.0, 0.0, 0.06))
    by_hand = lifted(walk)
    for _ in range(2):
        update()
        assert_same(walk, by_hand, 1e-3)  # knees: an edit turns them as it finds them
        np.testing.assert_allclose(joints(walk)[:, 3], by_hand[:, 3], atol=NEAR)


def test_a_foot_dragged_after_it_was_touched_up_is_where_it_was_dragged(lifted):
    walk = planted_walk()
    way = np.array([0.0, 0.03, 0.02])
    wanted = lifted(walk)[24, 3] + way / walk.leg_length
    for begin in (lambda: drag(walk, 25, tuple(way)), update, update):
        begin()
        assert np.linalg.norm(joints(walk)[24, 3] - wanted) <= NEAR


def test_a_locked_foot_is_touched_up_in_the_midst_of_it(lifted):
    walk = planted_walk()
    bpy.context.scene.frame_set(25)
    bpy.ops.object.mode_set(mode="POSE")
    walk.object.data.bones.active = walk.object.data.bones[walk.legs["L"][2]]
    assert bpy.ops.skelkin.lock_foot("EXEC_DEFAULT", first=22, last=28) == {"FINISHED"}
    bpy.ops.object.mode_set(mode="OBJECT")
    by_hand = lifted(walk, frames=range(24, 27))
    update()
    np.testing.assert_allclose(joints(walk)[:, 3], by_hand[:, 3], atol=NEAR)


def test_a_bone_renamed_while_it_is_on_takes_its_touch_ups_along(lifted):
    walk = planted_walk()
    by_hand = lifted(walk)
    update()
    walk.object.data.bones[walk.legs["L"][2]].name = "Foot of the left"
    walk.legs["L"] = (*walk.legs["L"][:2], "Foot of the left", walk.legs["L"][3])
    update()
    assert_same(walk, by_hand)
