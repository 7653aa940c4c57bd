# SPDX-License-Identifier: MIT
"""Contacts that are dragged: what is written when the mouse lets go, and the keymap. The mouse itself: `tests/gui`."""

from __future__ import annotations

import sys

import bpy
import pytest
import scene_digest
from planted_contacts import assert_ends_have_their_markers, item_of, listed, mark_of, markers_of, planted_walk, update

pytestmark = pytest.mark.usefixtures("addon")

VERB = "skelkin.drag_contact"


def module_of(addon, name):
    return sys.modules[f"{addon.__name__}.{name}"]


def move(addon, walk, key, first, last):
    return module_of(addon, "bridge.contacts.edits").move(walk.object, key, first, last)


def seen(walk):
    action = walk.object.animation_data.action
    return scene_digest.action_of(action), [(m.skelkin_contact, m.skelkin_is_up) for m in action.pose_markers]


def test_a_contact_that_is_dragged_has_list_and_markers_there_and_is_planted_by_update(addon):
    walk = planted_walk()
    item = item_of(walk, "left", 1)
    key, first, last = item.key, item.first, item.last
    others = [one for one in listed(walk) if one != ("left", first, last)]
    moved = move(addon, walk, key, first + 2, last - 1)
    assert (moved.foot, moved.first, moved.last) == ("left", first + 2, last - 1)
    mark = mark_of(walk)
    assert mark.contacts[mark.contact].key == key
    assert mark.contacts_edited
    assert sorted(listed(walk)) == sorted([*others, ("left", first + 2, last - 1)])
    assert_ends_have_their_markers(walk)
    update()
    assert mark_of(walk).contacts_given
    assert ("left", first + 2, last - 1) in listed(walk)
    assert_ends_have_their_markers(walk)


def test_a_dragged_contact_keeps_the_markers_that_it_had(addon):
    walk = planted_walk()
    item = item_of(walk, "right", 1)
    key, first, last = item.key, item.first, item.last
    names = {is_up: marker.name for is_up, marker in markers_of(walk, item).items()}
    markers_of(walk, item)[False].name = names[False] = "as I call it"
    count = len(walk.object.animation_data.action.pose_markers)
    move(addon, walk, key, first - 1, last - 1)
    found = markers_of(walk, next(item for item in mark_of(walk).contacts if item.key == key))
    assert {is_up: (marker.name, marker.frame) for is_up, marker in found.items()} == {
        False: (names[False], first - 1),
        True: (names[True], last - 1),
    }
    assert len(walk.object.animation_data.action.pose_markers) == count


def test_a_drag_is_one_step_of_undo(addon):
    walk = planted_walk()
    name = walk.object.name
    item = item_of(walk, "right", 1)
    key, first, last = item.key, item.first, item.last
    bpy.ops.ed.undo_push(message="before")
    before = seen(walk)
    move(addon, walk, key, first + 1, last + 1)
    bpy.ops.ed.undo_push(message="dragged")
    after = seen(walk)
    assert after != before
    for state, step in ((before, bpy.ops.ed.undo), (after, bpy.ops.ed.redo), (before, bpy.ops.ed.undo)):
        step()
        walk.object = bpy.data.objects[name]
        assert seen(walk) == state
    update()
    assert_ends_have_their_markers(walk)


@pytest.mark.parametrize("case", ["gone", "crossed"])
def test_a_drag_that_cannot_be_is_refused_and_changes_nothing(addon, case):
    walk = planted_walk()
    item = item_of(walk, "left", 0)
    key, first, last = item.key, item.first, item.last
    mark_of(walk).contact = 2
    if case == "gone":
        walk.object.animation_data.action.pose_markers.remove(markers_of(walk, item)[True])
    before, why = seen(walk), {"gone": "is gone", "crossed": "enter an earlier First"}[case]
    with pytest.raises(module_of(addon, "bridge.checks").Refused, match=why):
        move(addon, walk, key, last + 1 if case == "crossed" else first, last)
    assert seen(walk) == before
    assert mark_of(walk).contact == 2


def test_a_marker_that_was_duplicated_is_drawn_where_a_drag_would_find_it(addon):
    walk = planted_walk()
    item = item_of(walk, "left", 0)
    key, first, last = item.key, item.first, item.last
    up = markers_of(walk, item)[True]
    copy = walk.object.animation_data.action.pose_markers.new(up.name)
    copy.frame, copy.skelkin_contact, copy.skelkin_is_up = last + 9, key, True
    bars = module_of(addon, "bridge.contacts.drawn").bars_of(walk.object.animation_data.action)
    assert [(bar.first, bar.last) for bar in bars if bar.key == key] == [(first, last)]


def test_a_bar_that_is_held_is_drawn_in_place_of_its_contact_and_nothing_is_written(addon):
    walk = planted_walk()
    drawn = module_of(addon, "bridge.contacts.drawn")
    before = seen(walk)
    bar = drawn.bars_of(walk.object.animation_data.action)[0]
    area = type("Area", (), {"type": "VIEW_3D", "regions": ()})
    region = type("Region", (), {"type": "WINDOW", "width": 600})
    values = {"area": area, "region": region, **{n: getattr(bpy.context, n) for n in ("scene", "preferences")}}
    context = type("Context", (), {**values, "object": walk.object, "active_object": walk.object})
    unheld = drawn.rows_of(context)
    drawn.hold(bar._replace(last=bar.last + 4))
    held = drawn.rows_of(context)
    drawn.hold(None)
    assert held.corners != unheld.corners == drawn.rows_of(context).corners
    assert held.corners[6:] == unheld.corners[6:]
    assert seen(walk) == before


def test_the_mouse_does_nothing_as_long_as_contacts_are_not_drawn():
    planted_walk()
    assert not bpy.ops.skelkin.drag_contact.poll()


def test_switching_the_add_on_off_and_on_leaves_its_mouse_buttons_once(addon):
    config = bpy.context.window_manager.keyconfigs.addon

    def items():
        keymaps = config.keymaps if config is not None else ()
        return sorted(keymap.name for keymap in keymaps for item in keymap.keymap_items if item.idname == VERB)

    expected = ["3D View", "Dopesheet"] if config is not None else []
    assert items() == expected
    for _ in range(50):
        addon.unregister()
        assert items() == []
        addon.register()
        assert items() == expected
