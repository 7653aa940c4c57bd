# SPDX-License-Identifier: MIT
"""Contacts in broken states are told and survived; whatever is done to them, the original and the edits stay."""

from __future__ import annotations

import random
import sys

import bpy
import keys
import pytest
import rigs
import scene_digest
import stepping
from extent import WHOLE
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


def warnings(walk) -> list[str]:
    return [warning.text for warning in mark_of(walk).warnings]


def assert_told(walk, text: str) -> None:
    """Update, and check that a warning begins so and nothing of the contacts was lost."""
    before = listed(walk)
    update()
    assert any(warning.startswith(text) for warning in warnings(walk)), warnings(walk)
    assert listed(walk) == before
    assert_ends_have_their_markers(walk)


@pytest.mark.parametrize(
    ("first", "last", "said"),
    [
        (-20, 18, "left: the contact -20–18 is cut to the frames of the motion, 1–60"),
        (1, 90, "left: the contact 1–90 is cut"),
        (70, 90, "left: the contact 70–90 is left out: move it into the frames of the motion, 1–60"),
        (30, 20, "left: the contact 30–20 is left out: it ends before it begins"),
        (1, 36, "left: the contacts 1–36 and 31–48 overlap: they count as one"),
    ],
)
def test_contacts_that_cannot_stand_so_are_told_and_stay_in_the_list(first, last, said):
    walk = planted_walk()
    item = item_of(walk, "left", 0)
    item.last, item.first = last, first
    before = sorted(listed(walk))
    update()
    assert any(warning.startswith(said) for warning in warnings(walk)), warnings(walk)
    assert sorted(listed(walk)) == before
    assert_ends_have_their_markers(walk)


def test_of_overlapping_contacts_one_of_which_is_pinned_the_later_one_gives_way():
    walk = planted_walk()
    item = item_of(walk, "left", 0)
    item.use_height, item.height, item.last = True, 0.0, 36
    assert_told(walk, "left: the contacts 1–36 and 31–48 overlap: the later one begins after")


def test_a_place_in_a_cycle_in_place_is_refused_and_loses_nothing():
    walk = planted_walk(in_place=True)
    item = item_of(walk, "left", 0)
    item.use_place = True
    before, poses = listed(walk), stepping.pose_bits(walk.object, walk.frames)
    with pytest.raises(RuntimeError, match="place"):
        bpy.ops.skelkin.update()
    assert listed(walk) == before
    assert stepping.pose_bits(walk.object, walk.frames) == poses
    item_of(walk, "left", 0).use_place = False
    item_of(walk, "left", 0).last -= 2
    edited = listed(walk)
    update()
    assert listed(walk) == edited
    assert_ends_have_their_markers(walk)


@pytest.mark.parametrize("change", ["off", "removed"])
def test_a_foot_that_is_no_leg_any_more_is_told_and_its_contacts_wait(change):
    walk = planted_walk()
    item_of(walk, "left", 0).last += 3
    update()
    before = sorted(listed(walk))
    legs = walk.object.skelkin_legs
    left = next(k for k, leg in enumerate(legs) if leg.side == "left")
    if change == "off":
        legs[left].enabled = False
    else:
        legs.remove(left)
    update()
    assert any("left" in text and "find the legs again" in text for text in warnings(walk))
    assert sorted(listed(walk)) == before
    assert_ends_have_their_markers(walk)
    if change == "off":
        legs[left].enabled = True
    else:
        assert bpy.ops.skelkin.find_legs() == {"FINISHED"}
    update()
    assert not any("no leg" in text for text in warnings(walk))
    assert sorted(listed(walk)) == before


def test_a_planted_action_that_was_duplicated_has_contacts_of_its_own():
    walk = planted_walk()
    planted = walk.object.animation_data.action
    item_of(walk, "left", 0).last += 3
    before = listed(walk), [(m.name, m.frame) for m in planted.pose_markers]
    copy = planted.copy()
    keys_assign(walk.object, copy)
    markers_of(walk, item_of(walk, "right", 0))[True].frame += 2
    item_of(walk, "left", 1).part = "FLAT"
    update()
    assert_ends_have_their_markers(walk)
    assert item_of(walk, "left", 1).part == "FLAT"
    keys_assign(walk.object, planted)
    assert (listed(walk), [(m.name, m.frame) for m in planted.pose_markers]) == before
    update()
    assert listed(walk) == before[0]
    assert item_of(walk, "left", 1).part == "FOOT"
    assert_ends_have_their_markers(walk)


def keys_assign(ob, action) -> None:
    """Let an object play an action, in its first slot where there are slots."""
    ob.animation_data.action = action
    if keys.SLOTS:
        ob.animation_data.action_slot = action.slots[0]


def test_a_planted_action_without_its_slot_is_told_and_loses_nothing():
    if not keys.SLOTS:
        return
    walk = planted_walk()
    data, name = walk.object.animation_data, walk.object.animation_data.action.name
    item_of(walk, "left", 0).last += 3
    before = listed(walk)
    slot, other = data.action_slot.identifier, data.action.slots.new(id_type="OBJECT", name="other")
    for wrong in (other, None):
        data.action_slot = wrong
        with pytest.raises(RuntimeError, match="plays another slot of Walk planted than the planted one: choose that"):
            bpy.ops.skelkin.update()
        assert before == [(item.foot, item.first, item.last) for item in bpy.data.actions[name].skelkin.contacts]
    data.action_slot = data.action.slots[slot]
    update()
    assert listed(walk) == before
    assert_ends_have_their_markers(walk)


def test_two_armatures_that_share_an_action_edit_contacts_of_their_own():
    walk = rigs.mixamo_walk()
    first = walk.object
    second = first.copy()
    bpy.context.scene.collection.objects.link(second)
    keys_assign(second, walk.action)
    original = scene_digest.action_of(walk.action)["curves"]
    for ob in (first, second):
        bpy.context.view_layer.objects.active = walk.object = ob
        assert bpy.ops.skelkin.leg_ik() == {"FINISHED"}
    found = listed(walk)
    item_of(walk, "left", 0).last += 3
    update()
    edited = listed(walk)
    assert edited != found
    bpy.context.view_layer.objects.active = walk.object = first
    update()
    assert listed(walk) == found
    assert_ends_have_their_markers(walk)
    bpy.context.view_layer.objects.active = walk.object = second
    assert listed(walk) == edited
    assert scene_digest.action_of(walk.action)["curves"] == original


def test_a_duplicate_of_the_armature_plays_on_what_was_planted():
    walk = planted_walk()
    item_of(walk, "left", 0).last += 3
    twin = walk.object.copy()
    bpy.context.scene.collection.objects.link(twin)
    before = listed(walk)
    update()
    first, walk.object = walk.object, twin
    bpy.context.view_layer.objects.active = twin
    assert listed(walk) == before
    item_of(walk, "right", 0).last += 1
    update()
    mine = listed(walk)
    walk.object = first
    assert listed(walk) == before != mine


# Random edits. Each takes the generator and the walk.


def any_item(rng, walk):
    items = mark_of(walk).contacts
    return rng.choice(list(items)) if len(items) else None


def any_marker(rng, walk):
    markers = list(walk.object.animation_data.action.pose_markers)
    return rng.choice(markers) if markers else None


def move_marker(rng, walk):
    if marker := any_marker(rng, walk):
        marker.frame += rng.choice((-30, -3, -1, 1, 2, 4, 50))


def remove_marker(rng, walk):
    if marker := any_marker(rng, walk):
        walk.object.animation_data.action.pose_markers.remove(marker)


def rename_marker(rng, walk):
    if marker := any_marker(rng, walk):
        marker.name = rng.choice(("left down", "right up", "mine", ""))


def new_marker(rng, walk):
    add_marker(walk, rng.choice(("left down", "left up", "right down", "right up", "note")), rng.randint(-3, 45))


def new_pair(rng, walk):
    side, first = rng.choice(("left", "right", "Right")), rng.randint(-3, 42)
    add_marker(walk, f"{side} down", first)
    add_marker(walk, f"{side} up", first + rng.randint(0, 8))


def duplicate_marker(rng, walk):
    if marker := any_marker(rng, walk):
        key, is_up = marker.skelkin_contact, marker.skelkin_is_up
        copy = add_marker(walk, marker.name, marker.frame + rng.choice((0, 5)))
        if key > 0:
            copy.skelkin_contact, copy.skelkin_is_up = key, is_up


def change_item(rng, walk):
    if item := any_item(rng, walk):
        name, value = rng.choice(
            (
                ("first", item.first + rng.randint(-4, 4)),
                ("last", item.last + rng.randint(-4, 4)),
                ("part", rng.choice(("FOOT", "HEEL", "BALL", "FLAT"))),
                ("use", rng.random() < 0.6),
                ("use_height", rng.random() < 0.4),
                ("height", rng.uniform(-0.05, 0.1)),
                ("use_place", rng.random() < 0.3),
                ("place", [rng.uniform(-1.0, 1.0) for _ in range(3)]),
            )
        )
        setattr(item, name, value)


def drag(rng, walk):
    """Drag a contact as the mouse does: held where it may be, then let go of, or left by Esc."""
    drawn, edits, grips = (module_of(name) for name in ("bridge.contacts.drawn", "bridge.contacts.edits", GRIPS))
    action, feet = walk.object.animation_data.action, drawn.stored.feet_of(walk.object)
    if not (bars := drawn.bars_of(action)):
        return
    bar, part = rng.choice(bars), rng.choice((grips.FIRST, grips.LAST, grips.BOTH))
    room = grips.room_of(bar, bars, feet, (1, 40))
    before = scene_digest.action_of(action)
    for _ in range(3):
        first, last = grips.dragged((bar.first, bar.last), part, rng.randint(-12, 12), room)
        drawn.hold(bar._replace(first=first, last=last))
    drawn.hold(None)
    assert scene_digest.action_of(action) == before
    if rng.random() < 0.8 and first <= last:
        edits.move(walk.object, bar.key, first, last)
        assert (first, last) in [(one.first, one.last) for one in drawn.bars_of(action) if one.key == bar.key]


def module_of(name: str):
    """Return a module of the add-on."""
    return next(module for full, module in sys.modules.items() if full.endswith(f"skelkin.{name}"))


def choose(rng, walk):
    mark_of(walk).contact = rng.randint(-1, len(mark_of(walk).contacts))


def operate(rng, walk):
    bpy.context.scene.frame_set(rng.randint(1, 40))
    verb, options = rng.choice(
        (
            ("contact_add", {}),
            ("contact_add", {"foot": rng.choice(("left", "right", "none")), "part": rng.choice(("FOOT", "BALL"))}),
            ("contact_remove", {}),
            ("contact_end", {"end": rng.choice(("FIRST", "LAST"))}),
            ("contact_pin", {"height_too": rng.random() < 0.5}),
            ("contact_unpin", {}),
        )
    )
    run(verb, **options)


def follow(rng, walk):
    """Pin a contact to an empty, or move or delete an empty that may be followed."""
    empties = [ob for ob in bpy.context.scene.objects if ob.type == "EMPTY"]
    kind = rng.choice(("pin", "pin", "move", "delete"))
    if kind == "pin":
        empty = bpy.data.objects.new("spot", None)
        bpy.context.scene.collection.objects.link(empty)
        empties = [empty]
    elif not empties:
        return
    empty = rng.choice(empties)
    if kind == "delete" and rng.random() < 0.5:
        bpy.context.scene.collection.objects.unlink(empty)
    elif kind == "delete":
        bpy.data.objects.remove(empty)
    else:
        empty.location = [rng.uniform(-1.0, 1.0) for _ in range(3)]
    bpy.context.view_layer.update()
    if kind == "pin":
        empty.select_set(True)
        run("contact_pin", to="EMPTY", height_too=rng.random() < 0.5)
        empty.select_set(False)


GRIPS = "core.contact_grips"
EDITS = (
    move_marker, move_marker, remove_marker, rename_marker, new_marker, new_pair, duplicate_marker, change_item,
    change_item, change_item, choose, operate, operate, drag, drag, follow,
)  # fmt: skip


def run(verb: str, **options) -> bool:
    """Run an operator; whether it ran. A refusal has to be a sentence, not a failure of the code."""
    try:
        return getattr(bpy.ops.skelkin, verb)("EXEC_DEFAULT", **options) == {"FINISHED"}
    except RuntimeError as error:
        told = str(error)
        assert not any(
            word in told for word in ("Traceback", "TypeError", "KeyError", "Attribute", "Reference", "Index")
        )
        return False


def values(item) -> tuple:
    """Return what an artist sets of a contact, but for its frames."""
    height, place = item.height if item.use_height else None, tuple(item.place) if item.use_place else None
    if place is not None and item.follows is not None and item.follows.users_scene:
        place = tuple(item.follows.matrix_world.translation)
        height = place[2] if item.use_height and item.follows_height else height
    return item.foot, item.part, item.use, height, place


def expected(walk) -> dict:
    """Return key → what a contact has to be after Update: the list's, with the frames of its markers."""
    found = {}
    for item in mark_of(walk).contacts:
        frames = {False: [], True: []}
        for marker in walk.object.animation_data.action.pose_markers:
            if marker.skelkin_contact == item.key:
                frames[marker.skelkin_is_up].append(marker.frame)
        if all(len(each) == 1 for each in frames.values()):
            found[item.key] = (frames[False][0], frames[True][0], *values(item))
    return found


def now(walk) -> dict:
    return {item.key: (item.first, item.last, *values(item)) for item in mark_of(walk).contacts}


EDITS_IN_A_ROW = 500 if WHOLE else 100


@pytest.mark.parametrize("seed", range(2))
def test_random_edits_lose_neither_the_original_nor_an_edit(seed):
    rng = random.Random(seed)
    walk = rigs.mixamo_walk(frames=40)
    name, original = walk.object.name, walk.action.name
    curves, bits = scene_digest.action_of(walk.action)["curves"], stepping.pose_bits(walk.object, walk.frames)
    assert run("leg_ik")
    ran = {"update": 0, "refused": 0, "off": 0, "undo": 0}
    for step in range(EDITS_IN_A_ROW):
        rng.choice(EDITS)(rng, walk)
        throw = rng.random()
        if throw > 0.36:
            continue
        if throw < 0.2:
            wanted, was_given = expected(walk), mark_of(walk).contacts_edited or mark_of(walk).contacts_given
            if run("update"):
                ran["update"] += 1
                if was_given and mark_of(walk).contacts_given:
                    assert wanted.items() <= now(walk).items()
                assert_ends_have_their_markers(walk)
            else:
                ran["refused"] += 1
        elif throw < 0.25:
            before = now(walk)
            assert run("leg_ik", state="OFF")
            assert stepping.pose_bits(walk.object, walk.frames) == bits
            assert run("leg_ik", state="ON")
            assert now(walk) == before
            ran["off"] += 1
        elif throw < 0.35:
            bpy.ops.ed.undo_push(message=f"{step}")
            change_item(rng, walk)
            if rng.random() < 0.5:
                run("update")
            bpy.ops.ed.undo_push(message=f"{step} edited")
            bpy.ops.ed.undo()
            walk.object, walk.action = bpy.data.objects[name], bpy.data.actions[original]
            ran["undo"] += 1
        else:
            assert run("find_contacts_again")
            assert not mark_of(walk).contacts_given
        assert scene_digest.action_of(bpy.data.actions[original])["curves"] == curves
    assert min(ran["update"], ran["off"], ran["undo"]) >= EDITS_IN_A_ROW // 50, ran
    assert ran["refused"] <= ran["update"] // 4, ran
    assert run("leg_ik", state="OFF")
    assert stepping.pose_bits(walk.object, walk.frames) == bits
