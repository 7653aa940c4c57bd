# SPDX-License-Identifier: MIT
"""Contacts by hand: kept with the planted action, tied to its markers, and what Update makes of edits."""

from __future__ import annotations

import bpy
import numpy as np
import pytest
import rigs
import scene_digest
import stepping
from linking import current, reload
from planted_contacts import (
    add_marker,
    assert_ends_have_their_markers,
    item_of,
    listed,
    mark_of,
    markers_of,
    planted_walk,
    update,
)  # fmt: skip

pytestmark = pytest.mark.usefixtures("addon")

#: how far, in metres, the joint above the ball of a foot that is held goes while its heel lifts
HELD = 5e-3


def slide(walk, side: str, first: int, last: int) -> float:
    """Return how far the ball of a foot strays in these frames, in the world."""
    heads = stepping.world_heads(walk.object, [walk.legs[side][3]], range(first, last + 1))[:, 0]
    return float(np.linalg.norm(heads - heads[0], axis=1).max())


def test_the_contacts_of_the_report_are_listed_with_a_marker_at_each_end():
    walk = planted_walk()
    stances = [("left" if side == "L" else "right", *span) for side in "LR" for span in walk.stance[side]]
    found = listed(walk)
    assert len(found) == len(stances)
    for (foot, first, last), (side, start, stop) in zip(found, stances, strict=True):
        assert foot == side
        assert max(abs(first - start), abs(last - stop)) <= 2
    assert all(item.part == "FOOT" and item.use and not item.by_hand for item in mark_of(walk).contacts)
    assert_ends_have_their_markers(walk)
    for item in mark_of(walk).contacts:
        assert [markers_of(walk, item)[up].name for up in (False, True)] == [f"{item.foot} down", f"{item.foot} up"]
    assert not mark_of(walk).contacts_given


def test_without_edits_update_finds_contacts_again_as_before():
    walk = planted_walk()
    before, poses = listed(walk), stepping.pose_bits(walk.object, walk.frames)
    update()
    assert listed(walk) == before
    assert not mark_of(walk).contacts_given
    assert stepping.pose_bits(walk.object, walk.frames) == poses
    assert_ends_have_their_markers(walk)


def test_a_marker_that_was_moved_moves_the_end_of_its_contact(capfd):
    walk = planted_walk()
    item = item_of(walk, "right", 0)
    key, first, last = item.key, item.first, item.last
    markers_of(walk, item)[True].frame = last + 5
    assert slide(walk, "R", first + 1, last + 5) > 4 * HELD
    capfd.readouterr()
    update()
    assert "as in the list, edited by hand" in capfd.readouterr().out
    item = next(item for item in mark_of(walk).contacts if item.key == key)
    assert (item.first, item.last) == (first, last + 5)
    assert slide(walk, "R", first + 1, last + 5) < HELD
    assert mark_of(walk).contacts_given
    assert_ends_have_their_markers(walk)


@pytest.mark.parametrize("is_up", [False, True])
def test_a_contact_is_gone_with_one_of_its_markers(is_up):
    walk = planted_walk()
    before = listed(walk)
    item = item_of(walk, "left", 1)
    gone = (item.foot, item.first, item.last)
    walk.object.animation_data.action.pose_markers.remove(markers_of(walk, item)[is_up])
    update()
    before.remove(gone)
    assert listed(walk) == before
    assert slide(walk, "L", *gone[1:]) > 4 * HELD
    assert_ends_have_their_markers(walk)


def test_two_markers_made_by_hand_are_a_new_contact():
    walk = planted_walk()
    before = listed(walk)
    free = before[0][2] + 4, before[0][2] + 7
    free_slide = slide(walk, "L", *free)
    add_marker(walk, "left up", free[1])
    add_marker(walk, "Left Down", free[0])
    update()
    assert sorted(listed(walk)) == sorted([*before, ("left", *free)])
    new = next(item for item in mark_of(walk).contacts if item.first == free[0])
    assert new.by_hand
    assert {is_up: marker.name for is_up, marker in markers_of(walk, new).items()} == {
        False: "Left Down",
        True: "left up",
    }
    assert slide(walk, "L", *free) < 0.1 * free_slide


def test_a_marker_without_partner_is_told_and_changes_nothing(capfd):
    walk = planted_walk()
    before, poses = listed(walk), stepping.pose_bits(walk.object, walk.frames)
    add_marker(walk, "left down", 27)
    add_marker(walk, "my own", 28)
    for _ in range(2):
        update()
        told = [warning.text for warning in mark_of(walk).warnings if "partner" in warning.text]
        assert told == ["left down in frame 27 has no partner: add a marker left up after it, or remove this one"]
        warning = next(warning for warning in mark_of(walk).warnings if "partner" in warning.text)
        assert (warning.names_frame, warning.frame) == (True, 27)
        assert listed(walk) == before
        assert stepping.pose_bits(walk.object, walk.frames) == poses
        names = [m.name for m in walk.object.animation_data.action.pose_markers if m.skelkin_contact == 0]
        assert sorted(names) == ["left down", "my own"]


def test_what_the_list_says_is_planted_and_moves_the_markers():
    walk = planted_walk()
    item = item_of(walk, "left", 0)
    first, last, key = item.first, item.last, item.key
    item.last = last + 4
    assert markers_of(walk, item)[True].frame == last + 4
    other = item_of(walk, "right", 1)
    stance = other.first, other.last
    other.use = False
    assert mark_of(walk).contacts_edited
    update()
    assert not mark_of(walk).contacts_edited
    item = next(item for item in mark_of(walk).contacts if item.key == key)
    assert item.last == last + 4
    assert slide(walk, "L", first + 1, last + 4) < HELD
    assert not item_of(walk, "right", 1).use
    assert slide(walk, "R", *stance) > 4 * HELD


def test_a_height_and_a_place_are_kept_and_planted():
    walk = planted_walk()
    item = item_of(walk, "right", 0)
    first, last = item.first, item.last
    middle = [(first + last) // 2]
    before = stepping.world_heads(walk.object, [walk.legs["R"][3]], middle)[0, 0]
    item.use_place, item.place = True, np.add(before, (0.05, 0.02, 3.0))
    item.use_height, item.height = True, 0.04
    update()
    after = stepping.world_heads(walk.object, [walk.legs["R"][3]], middle)[0, 0]
    np.testing.assert_allclose((after - before)[:2], (0.05, 0.02), atol=5e-3)
    assert 0.02 < (after - before)[2] < 0.06
    item = item_of(walk, "right", 0)
    np.testing.assert_allclose(item.place, np.add(before, (0.05, 0.02, 3.0)), atol=1e-6)
    assert item.height == pytest.approx(0.04)


def test_a_height_and_a_place_that_are_switched_off_keep_their_numbers():
    walk = planted_walk()
    item = item_of(walk, "left", 0)
    item.height, item.place, item.last = 0.25, (1.0, 2.0, 3.0), item.last - 1
    update()
    item = item_of(walk, "left", 0)
    assert (item.use_height, item.use_place) == (False, False)
    assert (item.height, tuple(item.place)) == (0.25, (1.0, 2.0, 3.0))
    mark_of(walk).contact = 0
    assert bpy.ops.skelkin.contact_remove() == {"FINISHED"}
    assert bpy.ops.skelkin.contact_add(foot="left", first=1, last=9) == {"FINISHED"}
    assert item_of(walk, "left", 0).height == 0.0


@pytest.mark.parametrize(("part", "joint"), [("BALL", "ankle"), ("HEEL", "ball")])
def test_a_part_of_the_foot_that_is_up_is_raised(part, joint):
    walk = planted_walk()
    item = item_of(walk, "left", 1)
    middle = [(item.first + item.last) // 2]
    bone = walk.legs["L"][2 if joint == "ankle" else 3]
    before = stepping.world_heads(walk.object, [bone], middle)[0, 0, 2]
    item.part = part
    update()
    assert item_of(walk, "left", 1).part == part
    assert stepping.world_heads(walk.object, [bone], middle)[0, 0, 2] - before > 1e-4


def test_markers_that_came_with_the_original_are_none_of_contacts():
    walk = rigs.mixamo_walk()
    for name, frame in (("left down", 21), ("left up", 26), ("right down", 3)):
        walk.action.pose_markers.new(name).frame = frame
    before = scene_digest.action_of(walk.action)["markers"]
    assert bpy.ops.skelkin.leg_ik() == {"FINISHED"}
    found = listed(walk)
    update()
    assert listed(walk) == found
    assert not mark_of(walk).contacts_given
    assert not any("partner" in warning.text for warning in mark_of(walk).warnings)
    assert scene_digest.action_of(walk.action)["markers"] == before
    assert_ends_have_their_markers(walk)


def test_markers_of_an_action_that_was_applied_are_none_of_its_contacts_when_it_is_planted_again():
    walk = planted_walk()
    item_of(walk, "left", 0).last += 3
    update()
    assert bpy.ops.skelkin.apply() == {"FINISHED"}
    applied = walk.object.animation_data.action
    markers = [(m.name, m.frame) for m in applied.pose_markers]
    assert len(applied.skelkin.contacts) == 0
    assert bpy.ops.skelkin.leg_ik() == {"FINISHED"}
    assert walk.object.animation_data.action != applied
    assert not mark_of(walk).contacts_given
    assert_ends_have_their_markers(walk)
    found = listed(walk)
    update()
    assert listed(walk) == found
    assert [(m.name, m.frame) for m in applied.pose_markers] == markers
    assert_ends_have_their_markers(walk)


def edited_walk():
    """Return a planted walk with one edit of each kind, and what its list then says."""
    walk = planted_walk()
    item_of(walk, "left", 0).last += 3
    item_of(walk, "right", 0).part = "FLAT"
    item_of(walk, "left", 1).use_height = True
    add_marker(walk, "right down", 45)
    add_marker(walk, "right up", 47)
    update()
    return walk, state(walk)


def state(walk) -> tuple:
    return scene_digest.plain(mark_of(walk).contacts), stepping.pose_bits(walk.object, walk.frames)


def test_edits_survive_update_off_and_on():
    walk, before = edited_walk()
    update()
    assert state(walk) == before
    for _ in range(2):
        assert bpy.ops.skelkin.leg_ik() == {"FINISHED"}
    assert state(walk) == before
    update()
    assert state(walk) == before
    assert_ends_have_their_markers(walk)


def test_edits_survive_save_and_reload(tmp_path):
    walk, before = edited_walk()
    name, walk.object = walk.object.name, None
    reload(tmp_path / "walk.blend")
    walk.object = current(name)
    assert state(walk) == before
    assert_ends_have_their_markers(walk)
    update()
    assert state(walk) == before


def test_edits_survive_an_edit_of_the_original():
    walk, before = edited_walk()
    for curve in scene_digest.all_curves(walk.action):
        if walk.pelvis in curve.data_path and curve.data_path.endswith("location"):
            for point in curve.keyframe_points:
                point.co[1] += 0.5
    update()
    contacts, poses = state(walk)
    said = [("foot", "first", "last", "part", "use", "use_height", "by_hand")]
    assert [[one[key] for key in said[0]] for one in contacts] == [[one[key] for key in said[0]] for one in before[0]]
    assert poses != before[1]


def test_undo_and_redo_go_through_edits_and_update():
    walk = planted_walk()
    name = walk.object.name
    bpy.ops.ed.undo_push(message="planted")
    states = [state(walk)]
    for step in range(4):
        if step % 2:
            update()
        else:
            item_of(walk, "left", step // 2).last += 2
            add_marker(walk, "right down", 45 - step)
            add_marker(walk, "right up", 46 - step)
        bpy.ops.ed.undo_push(message=str(step))
        states.append(state(walk))
    for at in (*range(3, -1, -1), *range(1, 5), 3, 2):
        (bpy.ops.ed.undo if states[at:] and at < getattr(walk, "at", 4) else bpy.ops.ed.redo)()
        walk.at = at
        walk.object = bpy.data.objects[name]
        assert state(walk) == states[at]
    update()
    assert_ends_have_their_markers(walk)


def test_off_after_edits_is_the_original_to_the_last_bit():
    walk = rigs.mixamo_walk()
    before = stepping.pose_bits(walk.object, walk.frames), scene_digest.action_of(walk.action)["curves"]
    assert bpy.ops.skelkin.leg_ik() == {"FINISHED"}
    item_of(walk, "left", 0).last += 3
    update()
    assert bpy.ops.skelkin.leg_ik() == {"FINISHED"}
    assert (stepping.pose_bits(walk.object, walk.frames), scene_digest.action_of(walk.action)["curves"]) == before


def test_contacts_follow_feet_that_go_by_their_bones_where_these_are_renamed():
    walk = rigs.mixamo_walk()
    assert bpy.ops.skelkin.find_legs() == {"FINISHED"}
    for leg in walk.object.skelkin_legs:
        leg.side = ""
    assert bpy.ops.skelkin.leg_ik() == {"FINISHED"}
    old = walk.legs["L"][2]
    item_of(walk, old, 0).last += 3
    before = listed(walk)
    walk.object.data.bones[old].name = "left paw"
    update()
    assert listed(walk) == [("left paw" if foot == old else foot, *span) for foot, *span in before]
    assert not any("no leg" in warning.text for warning in mark_of(walk).warnings)
    assert {m.name for m in markers_of(walk, item_of(walk, "left paw", 0)).values()} == {"left paw down", "left paw up"}
    assert mark_of(walk).contacts_given
    item_of(walk, "left paw", 0).last -= 3
    update()
    assert not mark_of(walk).contacts_given  # all is as it was found
    assert_ends_have_their_markers(walk)


def test_edits_go_on_where_bones_were_renamed_while_it_was_off():
    walk, (contacts, _) = edited_walk()
    assert bpy.ops.skelkin.leg_ik() == {"FINISHED"}
    old = walk.legs["L"][0]
    walk.object.data.bones[old].name = "other thigh"
    for leg in walk.object.skelkin_legs:
        leg.hip = "other thigh" if leg.hip == old else leg.hip
    assert bpy.ops.skelkin.leg_ik() == {"FINISHED"}
    again, _ = state(walk)
    assert [(one["foot"], one["first"], one["last"], one["part"]) for one in again] == [
        (one["foot"], one["first"], one["last"], one["part"]) for one in contacts
    ]
    assert mark_of(walk).contacts_given
    assert_ends_have_their_markers(walk)
