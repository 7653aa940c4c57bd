# SPDX-License-Identifier: MIT
"""The panel of contacts and its operators: drawn in every state, refused with a reason, undone in one step."""

from __future__ import annotations

import re
import sys

import bpy
import numpy as np
import pytest
import rigs
import scene_digest
import stepping
from drawing import Layout, draw, operators, sentences, texts
from planted_contacts import assert_ends_have_their_markers, item_of, listed, mark_of, planted_walk, update

pytestmark = pytest.mark.usefixtures("addon")

PANEL = "SKELKIN_PT_contacts"
VERBS = ("contact_add", "contact_remove", "contact_end", "contact_pin", "contact_unpin", "find_contacts_again")


def choose(walk, foot, number):
    """Make a contact the active one, and return it."""
    mark = mark_of(walk)
    mark.contact = [item.key for item in mark.contacts].index(item_of(walk, foot, number).key)
    return mark.contacts[mark.contact]


def test_the_panel_is_there_while_the_switch_is_on_and_draws_every_state():
    walk = rigs.mixamo_walk()
    assert draw(PANEL) is None
    assert bpy.ops.skelkin.leg_ik() == {"FINISHED"}
    drawn = draw(PANEL)
    assert "5 contacts, as found" in texts(drawn)
    assert "press Update" not in texts(drawn)
    assert {f"skelkin.{verb}" for verb in VERBS} <= set(operators(drawn))
    item = choose(walk, "left", 0)
    item.use_place = item.use_height = True
    assert "since: press Update" in texts(draw(PANEL))
    update()
    assert "5 contacts, edited by hand" in texts(draw(PANEL))
    assert "press Update" not in texts(draw(PANEL))
    marker = next(m for m in walk.object.animation_data.action.pose_markers if m.skelkin_contact > 0)
    marker.frame += 1
    assert "press Update" in texts(draw(PANEL))
    marker.frame -= 1
    assert "press Update" not in texts(draw(PANEL))
    while len(mark_of(walk).contacts):
        assert bpy.ops.skelkin.contact_remove() == {"FINISHED"}
    assert {"skelkin.contact_add", "skelkin.find_contacts_again"} <= set(operators(draw(PANEL)))


def test_every_operator_has_undo_a_label_and_a_tooltip_without_full_stop():
    for verb in VERBS:
        operator = getattr(bpy.types, f"SKELKIN_OT_{verb}")
        assert {"REGISTER", "UNDO"} <= operator.bl_options
        assert operator.bl_label
        assert operator.bl_description
        assert not operator.bl_description.endswith(".")


def test_operators_are_refused_with_a_reason():
    walk = rigs.mixamo_walk()
    for verb in VERBS:
        with pytest.raises(RuntimeError, match="Switch Leg IK on first"):
            getattr(bpy.ops.skelkin, verb)()
    assert bpy.ops.skelkin.leg_ik() == {"FINISHED"}
    mark_of(walk).contact = -1
    for verb in ("contact_remove", "contact_end", "contact_pin", "contact_unpin"):
        with pytest.raises(RuntimeError, match="Choose a contact in the list first"):
            getattr(bpy.ops.skelkin, verb)()


def test_a_contact_is_added_from_the_current_frame_for_the_foot_of_the_active_bone():
    walk = planted_walk()
    scene = bpy.context.scene
    bones = walk.object.data.bones
    bones.active = bones[walk.legs["R"][1]]
    before = listed(walk)
    scene.frame_set(36)
    assert bpy.ops.skelkin.contact_add() == {"FINISHED"}
    last = 36 + round(0.3 * scene.render.fps)
    assert sorted(listed(walk)) == sorted([*before, ("right", 36, last)])
    mark = mark_of(walk)
    assert mark.contacts[mark.contact].first == 36
    assert mark.contacts[mark.contact].by_hand
    assert mark.contacts_edited
    assert_ends_have_their_markers(walk)
    bones.active = bones["mixamorig:Head"]
    assert bpy.ops.skelkin.contact_add(first=38, last=39, part="BALL") == {"FINISHED"}  # as the active contact
    assert ("right", 38, 39) in listed(walk)
    assert bpy.ops.skelkin.contact_add(foot=walk.legs["L"][2], first=25, last=27) == {"FINISHED"}
    assert ("left", 25, 27) in listed(walk)
    for options, why in (
        ({"foot": "tail"}, "No leg has a foot 'tail'"),
        ({"last": 2}, re.escape("First (36) is after Last (2)")),
    ):
        with pytest.raises(RuntimeError, match=why):
            bpy.ops.skelkin.contact_add(**options)
    assert len(listed(walk)) == len(before) + 3


def test_ends_are_set_from_the_current_frame_over_what_markers_say():
    walk = planted_walk()
    item = choose(walk, "right", 1)
    key, first = item.key, item.first
    marker = next(m for m in walk.object.animation_data.action.pose_markers if m.skelkin_contact == key)
    assert not marker.skelkin_is_up
    marker.frame = first + 3
    bpy.context.scene.frame_set(50)
    assert bpy.ops.skelkin.contact_end(end="LAST") == {"FINISHED"}
    item = next(item for item in mark_of(walk).contacts if item.key == key)
    assert (item.first, item.last) == (first + 3, 50)
    bpy.context.scene.frame_set(first + 1)
    assert bpy.ops.skelkin.contact_end(end="FIRST") == {"FINISHED"}
    bpy.context.scene.frame_set(55)
    with pytest.raises(RuntimeError, match=re.escape("First (55) is after Last (50): enter an earlier First")):
        bpy.ops.skelkin.contact_end(end="FIRST")
    assert ("right", first + 1, 50) in listed(walk)
    assert_ends_have_their_markers(walk)


def test_a_contact_that_is_removed_leaves_no_marker():
    walk = planted_walk()
    before = listed(walk)
    item = choose(walk, "left", 0)
    gone, key = (item.foot, item.first, item.last), item.key
    assert bpy.ops.skelkin.contact_remove() == {"FINISHED"}
    before.remove(gone)
    assert listed(walk) == before
    assert all(marker.skelkin_contact != key for marker in walk.object.animation_data.action.pose_markers)
    update()
    assert listed(walk) == before


def test_a_contact_is_pinned_to_the_cursor_or_an_empty_and_let_go_of():
    walk = planted_walk()
    key = choose(walk, "left", 0).key
    bpy.context.scene.cursor.location = (0.3, -0.1, 0.07)
    assert bpy.ops.skelkin.contact_pin(to="CURSOR") == {"FINISHED"}
    item = next(item for item in mark_of(walk).contacts if item.key == key)
    np.testing.assert_allclose(item.place, (0.3, -0.1, 0.07), atol=1e-6)
    assert (item.use_place, item.use_height) == (True, False)
    with pytest.raises(RuntimeError, match="Select one empty beside the armature: none is selected"):
        bpy.ops.skelkin.contact_pin(to="EMPTY")
    parent, empty = (bpy.data.objects.new(name, None) for name in ("parent", "spot"))
    for ob in (parent, empty):
        bpy.context.scene.collection.objects.link(ob)
    empty.parent, parent.location, empty.location = parent, (1.0, 0.0, 0.0), (0.1, 0.2, 0.03)
    empty.select_set(True)
    bpy.context.view_layer.update()
    assert bpy.ops.skelkin.contact_pin(to="EMPTY", height_too=True) == {"FINISHED"}
    item = next(item for item in mark_of(walk).contacts if item.key == key)
    np.testing.assert_allclose(item.place, (1.1, 0.2, 0.03), atol=1e-6)
    assert (item.use_place, item.use_height) == (True, True)
    assert item.height == pytest.approx(0.03)
    assert bpy.ops.skelkin.contact_unpin() == {"FINISHED"}
    item = next(item for item in mark_of(walk).contacts if item.key == key)
    assert (item.use_place, item.use_height) == (False, False)


def test_a_pinned_foot_stands_over_the_cursor():
    walk = planted_walk()
    item = choose(walk, "right", 0)
    middle = [(item.first + item.last) // 2]
    before = stepping.world_heads(walk.object, [walk.legs["R"][3]], middle)[0, 0]
    bpy.context.scene.cursor.location = np.add(before, (0.04, 0.03, 0.5))
    assert bpy.ops.skelkin.contact_pin() == {"FINISHED"}
    update()
    after = stepping.world_heads(walk.object, [walk.legs["R"][3]], middle)[0, 0]
    np.testing.assert_allclose((after - before)[:2], (0.04, 0.03), atol=5e-3)
    assert abs(after[2] - before[2]) < 5e-3


def spot_over(walk, item) -> tuple:
    """Return an empty that is beside where the ball of a contact's foot stands, and that place."""
    side = {"left": "L", "right": "R"}[item.foot]
    at = stepping.world_heads(walk.object, [walk.legs[side][3]], [(item.first + item.last) // 2])[0, 0]
    empty = bpy.data.objects.new("spot", None)
    bpy.context.scene.collection.objects.link(empty)
    empty.location = np.add(at, (0.03, 0.02, 0.0))
    bpy.context.view_layer.update()
    empty.select_set(True)
    return empty, at


def test_a_contact_follows_the_empty_that_it_is_pinned_to(tmp_path):
    walk = planted_walk()
    item = choose(walk, "right", 0)
    key, middle, ball = item.key, [(item.first + item.last) // 2], [walk.legs["R"][3]]
    empty, _ = spot_over(walk, item)
    assert bpy.ops.skelkin.contact_pin(to="EMPTY") == {"FINISHED"}
    update()
    first = stepping.world_heads(walk.object, ball, middle)[0, 0]
    moved = "An object that a contact follows has moved: press Update"
    assert moved not in sentences(draw("SKELKIN_PT_contacts"))
    empty.location.x += 0.02
    empty.name = "another name"
    bpy.context.view_layer.update()
    assert moved in sentences(draw("SKELKIN_PT_contacts"))
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "followed.blend"))
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "followed.blend"))
    walk.object = bpy.context.object
    update()
    assert moved not in sentences(draw("SKELKIN_PT_contacts"))
    after = stepping.world_heads(walk.object, ball, middle)[0, 0]
    np.testing.assert_allclose((after - first)[:2], (0.02, 0.0), atol=1e-3)
    item = next(item for item in mark_of(walk).contacts if item.key == key)
    assert item.follows == bpy.data.objects["another name"]


def test_an_animated_empty_counts_where_it_is_when_the_contact_begins():
    walk = planted_walk()
    item = choose(walk, "right", 1)
    key, first = item.key, item.first
    empty, _ = spot_over(walk, item)
    place = np.array(empty.location)
    for frame, x in ((first - 10, place[0] - 5.0), (first, place[0]), (first + 10, place[0] + 5.0)):
        empty.location.x = x
        empty.keyframe_insert("location", frame=frame)
    bpy.context.scene.frame_set(3)
    assert bpy.ops.skelkin.contact_pin(to="EMPTY") == {"FINISHED"}
    update()
    assert bpy.context.scene.frame_current == 3
    item = next(item for item in mark_of(walk).contacts if item.key == key)
    np.testing.assert_allclose(item.place, place, atol=1e-5)


@pytest.mark.parametrize("how", ["deleted", "unlinked"])
def test_a_contact_stays_where_it_was_when_its_empty_is_gone(how):
    walk = planted_walk()
    key = choose(walk, "right", 0).key
    empty, _ = spot_over(walk, choose(walk, "right", 0))
    assert bpy.ops.skelkin.contact_pin(to="EMPTY") == {"FINISHED"}
    update()
    place = tuple(next(item for item in mark_of(walk).contacts if item.key == key).place)
    if how == "deleted":
        bpy.data.objects.remove(empty)
    else:
        bpy.context.scene.collection.objects.unlink(empty)
    update()
    item = next(item for item in mark_of(walk).contacts if item.key == key)
    assert (tuple(item.place), item.use_place, item.follows) == (place, True, None)
    said = any("spot is not in the scene" in warning.text for warning in mark_of(walk).warnings)
    assert said == (how == "unlinked")


def disable(thing, how: str) -> None:
    """Take an object from what Blender evaluates, or (hidden) from what it shows alone."""
    group = bpy.data.collections.new("Group")
    bpy.context.scene.collection.children.link(group)
    bpy.context.scene.collection.objects.unlink(thing)
    group.objects.link(thing)
    layer = bpy.context.view_layer.layer_collection.children["Group"]
    if how == "disabled":
        thing.hide_set(True)
        thing.hide_viewport = True
    elif how == "in a disabled collection":
        group.hide_viewport = True
    elif how == "in an excluded collection":
        layer.exclude = True
    elif how == "hidden":
        thing.hide_set(True)
    else:
        layer.hide_viewport = True


@pytest.mark.parametrize("how", ["disabled", "in a disabled collection", "in an excluded collection"])
def test_a_contact_stays_where_it_was_while_its_empty_is_disabled_and_follows_it_again(how):
    walk = planted_walk()
    key = choose(walk, "right", 0).key
    empty, _ = spot_over(walk, choose(walk, "right", 0))
    assert bpy.ops.skelkin.contact_pin(to="EMPTY") == {"FINISHED"}
    update()
    place = np.array(next(item for item in mark_of(walk).contacts if item.key == key).place)
    disable(empty, how)
    empty.location.x += 0.04
    update()
    item = next(item for item in mark_of(walk).contacts if item.key == key)
    assert (tuple(item.place), item.follows) == (tuple(place), empty)
    assert any("spot or its collection is disabled in viewports" in each.text for each in mark_of(walk).warnings)
    empty.hide_viewport = bpy.data.collections["Group"].hide_viewport = False
    bpy.context.view_layer.layer_collection.children["Group"].exclude = False
    bpy.context.view_layer.update()
    update()
    item = next(item for item in mark_of(walk).contacts if item.key == key)
    np.testing.assert_allclose(item.place, np.add(place, (0.04, 0.0, 0.0)), atol=1e-6)
    assert not any("spot" in each.text for each in mark_of(walk).warnings)


@pytest.mark.parametrize("how", ["hidden", "in a hidden collection"])
def test_an_empty_that_is_only_hidden_is_followed(how):
    walk = planted_walk()
    key = choose(walk, "right", 0).key
    empty, _ = spot_over(walk, choose(walk, "right", 0))
    assert bpy.ops.skelkin.contact_pin(to="EMPTY") == {"FINISHED"}
    place = np.array(empty.location)
    disable(empty, how)
    empty.location.x += 0.04
    update()
    item = next(item for item in mark_of(walk).contacts if item.key == key)
    np.testing.assert_allclose(item.place, np.add(place, (0.04, 0.0, 0.0)), atol=1e-6)


def test_contacts_found_anew_are_those_of_the_first_time():
    walk = planted_walk()
    before, poses = listed(walk), stepping.pose_bits(walk.object, walk.frames)
    choose(walk, "left", 0).last += 3
    bpy.context.scene.frame_set(36)
    assert bpy.ops.skelkin.contact_add(foot="right") == {"FINISHED"}
    for name, frame in (("left down", 24), ("left up", 26), ("right up", 40)):
        walk.object.animation_data.action.pose_markers.new(name).frame = frame
    update()
    assert stepping.pose_bits(walk.object, walk.frames) != poses
    assert bpy.ops.skelkin.find_contacts_again() == {"FINISHED"}
    assert listed(walk) == before
    assert stepping.pose_bits(walk.object, walk.frames) == poses
    assert not mark_of(walk).contacts_given
    assert not mark_of(walk).contacts_edited
    free = [m.name for m in walk.object.animation_data.action.pose_markers if m.skelkin_contact == 0]
    assert free == ["right up"]
    assert_ends_have_their_markers(walk)


def test_finding_contacts_again_that_fails_leaves_edits_as_they_were():
    walk = planted_walk()
    choose(walk, "left", 0).last += 3
    update()
    before = seen(walk), listed(walk), len(bpy.data.actions)
    walk.object.pose.bones[walk.legs["L"][0]].driver_add("rotation_quaternion", 1).driver.expression = "0.1"
    with pytest.raises(RuntimeError, match="driver"):
        bpy.ops.skelkin.find_contacts_again()
    walk.object.pose.bones[walk.legs["L"][0]].driver_remove("rotation_quaternion", 1)
    assert (seen(walk), listed(walk), len(bpy.data.actions)) == before


@pytest.mark.parametrize("verb", VERBS)
def test_each_operator_is_one_step_of_undo(verb):
    walk = planted_walk()
    name = walk.object.name
    choose(walk, "right", 1)
    bpy.context.scene.frame_set(item_of(walk, "right", 1).first + 2)
    bpy.ops.ed.undo_push(message="before")
    before = seen(walk)
    assert getattr(bpy.ops.skelkin, verb)("EXEC_DEFAULT", False) == {"FINISHED"}
    bpy.ops.ed.undo_push(message=verb)
    after = seen(walk)
    for state, step in ((before, bpy.ops.ed.undo), (after, bpy.ops.ed.redo), (before, bpy.ops.ed.undo)):
        step()
        walk.object = bpy.data.objects[name]
        assert seen(walk) == state
    update()
    assert_ends_have_their_markers(walk)


def seen(walk):
    action = walk.object.animation_data.action
    return scene_digest.action_of(action), [(m.skelkin_contact, m.skelkin_is_up) for m in action.pose_markers]


def drawn_module(addon):
    return sys.modules[f"{addon.__name__}.bridge.contacts.drawn"]


def test_bars_are_where_the_markers_are(addon):
    walk = planted_walk()
    item = choose(walk, "right", 1)
    item.use_height = True
    action = walk.object.animation_data.action
    marker = next(m for m in action.pose_markers if (m.skelkin_contact, m.skelkin_is_up) == (item.key, True))
    marker.frame += 4  # by a native tool: the list is told by Update
    bars = drawn_module(addon).bars_of(action)
    assert len(bars) == len(mark_of(walk).contacts)
    assert ("right", item.first, item.last + 4, "FOOT", True, True, item.key) in bars
    action.pose_markers.remove(marker)
    assert len(drawn_module(addon).bars_of(action)) == len(bars) - 1


def test_nothing_is_drawn_until_contacts_are_shown(addon):
    preferences = bpy.context.preferences.addons[addon.__name__].preferences
    assert not preferences.shows_contacts
    assert not drawn_module(addon).is_shown()
    preferences.shows_contacts = True  # without a window there is nothing to draw into
    assert not drawn_module(addon).is_shown()
    preferences.shows_contacts = False


def test_each_line_of_the_list_says_foot_frames_and_what_was_set_by_hand():
    walk = planted_walk()
    item_of(walk, "left", 0).part = "HEEL"
    item_of(walk, "left", 1).use_place = True
    assert bpy.ops.skelkin.contact_add(foot="right", first=36, last=40) == {"FINISHED"}
    lines = []
    for item in mark_of(walk).contacts:
        layout = Layout()
        bpy.types.SKELKIN_UL_contacts.draw_item(None, bpy.context, layout, mark_of(walk), item, 0, None, "contact")
        lines.append([text for text in texts(layout.drawn).split(" | ") if text])
        assert ("PINNED" in repr(layout.drawn)) == item.use_place
    left = [f"left {first}–{last}" for foot, first, last in listed(walk) if foot == "left"]
    assert lines[:2] == [[left[0], "heel"], [left[1]]]
    assert ["right 36–40", "by hand"] in lines
