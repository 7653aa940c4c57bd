# SPDX-License-Identifier: MIT
"""Feet dragged on a planted action: edits that every Update applies again, each of which can be removed."""

from __future__ import annotations

from math import radians

import bpy
import numpy as np
import pytest
import rigs
import scene_digest
from control_rigs import walk_with_controls
from linking import current, overridden, reload
from planted_contacts import mark_of, planted_walk, update
from stepping import world_heads

pytestmark = pytest.mark.usefixtures("addon")

NEAR = 1e-4  # of the leg


def posing(walk, frame):
    ob = walk.object
    bpy.context.scene.frame_set(frame)
    bpy.ops.object.mode_set(mode="POSE")
    ob.data.bones.active = ob.data.bones[walk.legs["L"][2]]


def swing(walk):
    """Return a frame in the middle between two stances of the left foot."""
    stances = walk.stance["L"]
    return (stances[0][1] + stances[1][0]) // 2


def drag(walk, way=(0.02, 0.0, 0.07), frame=None, **more):
    """Drag the left foot, and return where its ankle has to be in which frame."""
    frame = swing(walk) if frame is None else frame
    posing(walk, frame)
    before = heads(walk, frame)
    bpy.context.scene.frame_set(frame)
    assert bpy.ops.skelkin.drag_foot("EXEC_DEFAULT", move=way, **more) == {"FINISHED"}
    return frame, before + way


def heads(walk, *frames, bone=2, side="L"):
    """Return the places of a bone in some frames (F, 3), or in one."""
    found = world_heads(walk.object, [walk.legs[side][bone]], list(frames) or walk.frames)[:, 0]
    return found[0] if len(frames) == 1 else found


def assert_there(walk, frame, place):
    assert np.linalg.norm(heads(walk, frame) - place) <= NEAR * walk.leg_length


def test_a_dragged_foot_is_an_edit_that_fades_and_moves_no_standing_foot():
    walk = planted_walk()
    before, right = heads(walk), heads(walk, side="R")
    frame, place = drag(walk)
    assert [(item.foot, item.frame) for item in mark_of(walk).foot_edits] == [("left", frame)]
    assert_there(walk, frame, place)
    moved = np.linalg.norm(heads(walk) - before, axis=1) / walk.leg_length
    standing = [f - walk.frames[0] for first, last in walk.stance["L"] for f in range(first, last + 1)]
    assert moved[standing].max() <= NEAR
    assert moved[frame - walk.frames[0] - 1] > NEAR
    assert moved.argmax() == frame - walk.frames[0]
    assert np.abs(heads(walk, side="R") - right).max() <= NEAR * walk.leg_length


def test_an_edit_fades_in_seconds_of_the_motion_where_its_rate_is_not_the_scenes():
    walk = planted_walk()
    assert bpy.ops.skelkin.update(rate="NUMBER", rate_fps=5.0 * bpy.context.scene.render.fps) == {"FINISHED"}
    drag(walk)
    (item,) = mark_of(walk).foot_edits
    assert item.fade_in == item.fade_out == bpy.context.scene.render.fps  # 0.2 s


def test_ten_updates_keep_the_ankle_where_it_was_dragged_and_the_original_as_it_was():
    walk = planted_walk()
    original = scene_digest.action_of(walk.action)
    frame, place = drag(walk)
    for _ in range(10):
        update()
        assert_there(walk, frame, place)
    assert len(mark_of(walk).foot_edits) == 1
    found = scene_digest.action_of(walk.action)
    assert {key: found[key] for key in ("curves", "markers")} == {key: original[key] for key in ("curves", "markers")}


def test_switching_off_and_on_saving_and_opening_keep_edits(tmp_path):
    walk = planted_walk()
    name = walk.object.name
    frame, place = drag(walk)
    bpy.ops.object.mode_set(mode="OBJECT")
    assert bpy.ops.skelkin.leg_ik(state="OFF") == {"FINISHED"}
    assert bpy.ops.skelkin.leg_ik(state="ON") == {"FINISHED"}
    assert_there(walk, frame, place)
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "edited.blend"))
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "edited.blend"))
    walk.object = bpy.data.objects[name]
    assert_there(walk, frame, place)
    update()
    assert_there(walk, frame, place)


def test_edits_of_an_overridden_armature_are_kept_by_files(tmp_path):
    walk = rigs.mixamo_walk()
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "character.blend"))
    walk.object = overridden(tmp_path / "character.blend", walk.object.name)
    name = walk.object.name
    assert bpy.ops.skelkin.leg_ik() == {"FINISHED"}
    frame, place = drag(walk)
    bpy.ops.object.mode_set(mode="OBJECT")
    reload(tmp_path / "shot.blend")
    walk.object = current(name)
    for _ in range(2):
        assert_there(walk, frame, place)
        update()


def test_an_edit_of_an_appended_action_is_applied_by_update(tmp_path):
    walk = planted_walk()
    name = walk.object.name
    frame, place = drag(walk)
    bpy.ops.object.mode_set(mode="OBJECT")
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "edited.blend"))
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    with bpy.data.libraries.load(str(tmp_path / "edited.blend")) as (_, wanted):
        wanted.objects = [name]
    walk.object = wanted.objects[0]
    bpy.context.scene.collection.objects.link(walk.object)
    bpy.context.view_layer.objects.active = walk.object
    for _ in range(2):
        assert_there(walk, frame, place)
        update()


def test_an_edit_is_one_step_of_undo():
    walk = planted_walk()
    name = walk.object.name
    posing(walk, swing(walk))
    bpy.ops.ed.undo_push(message="before")
    before = repr(scene_digest.digest(bpy.data.objects[name]))
    assert bpy.ops.skelkin.drag_foot("EXEC_DEFAULT", True, move=(0.0, 0.0, 0.05)) == {"FINISHED"}
    bpy.ops.ed.undo()
    assert repr(scene_digest.digest(bpy.data.objects[name])) == before
    bpy.ops.ed.redo()
    walk.object = bpy.data.objects[name]
    assert len(mark_of(walk).foot_edits) == 1


def test_a_foot_dragged_twice_in_a_frame_has_one_edit_and_other_frames_their_own():
    walk = planted_walk()
    frame, _ = drag(walk)
    _, second = drag(walk, way=(0.0, 0.03, 0.0), frame=frame)
    _, other = drag(walk, way=(0.0, 0.0, 0.02), frame=frame + 2)
    assert [item.frame for item in mark_of(walk).foot_edits] == [frame, frame + 2]
    assert_there(walk, frame, second)
    assert_there(walk, frame + 2, other)


def test_foot_and_knee_stay_turned():
    walk = planted_walk()
    frame = swing(walk)
    posing(walk, frame)
    ob, foot = walk.object, walk.legs["L"][2]
    before = (ob.matrix_world @ ob.pose.bones[foot].matrix).to_quaternion()
    knee_before = heads(walk, frame, bone=1)
    drag(walk, turn=(0.0, 0.0, radians(25.0)), swivel=radians(15.0))
    knees = []
    for _ in range(2):
        bpy.context.scene.frame_set(frame)
        now = (ob.matrix_world @ ob.pose.bones[foot].matrix).to_quaternion()
        assert before.rotation_difference(now).angle == pytest.approx(radians(25.0), abs=2e-3)
        knees.append(heads(walk, frame, bone=1))
        update()
    assert np.linalg.norm(knees[0] - knee_before) > 0.02 * walk.leg_length
    assert np.linalg.norm(knees[0] - knees[1]) <= NEAR * walk.leg_length


def test_an_edit_of_a_standing_foot_moves_it_all_through_its_contact():
    walk = planted_walk()
    first, last = walk.stance["L"][1]
    way = np.array([0.0, 0.02, 0.0])
    before = heads(walk, first + 2, last - 2)
    drag(walk, way=tuple(way), frame=(first + last) // 2)
    assert np.abs(heads(walk, first + 2, last - 2) - before - way).max() <= 2e-3 * walk.leg_length


def test_an_edit_that_is_removed_is_gone_after_update():
    walk = planted_walk()
    before = heads(walk)
    drag(walk)
    assert bpy.ops.skelkin.foot_edit_remove() == {"FINISHED"}
    assert len(mark_of(walk).foot_edits) == 0
    assert mark_of(walk).contacts_edited
    update()
    assert np.abs(heads(walk) - before).max() <= NEAR * walk.leg_length
    assert not bpy.ops.skelkin.foot_edit_remove.poll()


def test_a_longer_fade_is_felt_further_away_after_update():
    walk = planted_walk()
    before = heads(walk)

    def felt():
        return int((np.linalg.norm(heads(walk) - before, axis=1) > NEAR * walk.leg_length).sum())

    drag(walk)
    short = felt()
    for name in ("fade_in", "fade_out"):
        setattr(mark_of(walk).foot_edits[0], name, 2)
    assert mark_of(walk).contacts_edited
    update()
    assert felt() < short


def test_an_edit_beyond_the_planted_frames_is_kept_and_said():
    walk = planted_walk()
    drag(walk)
    mark_of(walk).foot_edits[0].frame = 999
    update()
    assert mark_of(walk).foot_edits[0].frame == 999
    assert any("the edit of frame 999 has no effect" in warning.text for warning in mark_of(walk).warnings)


def test_where_planting_is_refused_a_drag_leaves_nothing():
    walk = planted_walk()
    ob = walk.object
    posing(walk, swing(walk))
    ob.skelkin_own_settings, ob.skelkin_ground, ob.skelkin_ground_object = True, "OBJECTS", "gone"
    before = scene_digest.digest(ob)
    with pytest.raises(RuntimeError, match="There is no object named gone"):
        bpy.ops.skelkin.drag_foot("EXEC_DEFAULT", move=(0.0, 0.0, 0.05))
    assert scene_digest.digest(ob) == before


def test_a_locked_foot_is_held_over_the_range_and_each_update_holds_it_again():
    walk = planted_walk()
    frame = swing(walk)
    posing(walk, frame)
    place = heads(walk, frame)
    bpy.context.scene.frame_set(frame)
    assert bpy.ops.skelkin.lock_foot("EXEC_DEFAULT", first=frame - 2, last=frame + 2) == {"FINISHED"}
    assert [(item.foot, item.frame, item.last) for item in mark_of(walk).foot_edits] == [("left", frame - 2, frame + 2)]
    for _ in range(2):
        assert np.abs(heads(walk, *range(frame - 2, frame + 3)) - place).max() <= NEAR * walk.leg_length
        update()


def test_controls_get_the_edits_of_the_feet_that_they_lead():
    walk = walk_with_controls()
    assert bpy.ops.skelkin.leg_ik() == {"FINISHED"}
    frame, _ = drag(walk, way=(0.0, 0.0, 0.05))
    place = np.array(mark_of(walk).foot_edits[0].place)
    update()
    assert np.linalg.norm(heads(walk, frame) - place) <= 1e-3 * walk.leg_length
