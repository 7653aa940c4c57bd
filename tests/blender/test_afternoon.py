# SPDX-License-Identifier: MIT
"""An animator's afternoon, end to end: a generated rig on a terrain, contacts fixed by hand, few keys, all undone."""

from __future__ import annotations

import bpy
import keys
import numpy as np
import pytest
import stepping
from planted_contacts import item_of, mark_of, markers_of
from rigify_rigs import rigify_walk
from switching_checks import assert_remove_leaves_nothing, find_again, state
from terrain import hills, terrain

pytestmark = pytest.mark.usefixtures("addon")

#: of the leg: what sparse keys leave, and the sole's own thickness
SLIDE, TOLERANCE = 0.012, 5.0


def slide(walk, side: str, first: int, last: int) -> float:
    """Return how far an ankle strays along the ground in these frames, in leg lengths."""
    heads = stepping.world_heads(walk.object, [walk.legs[side][2]], range(first, last + 1))[:, 0, :2]
    return float(np.linalg.norm(heads - heads[0], axis=1).max()) / walk.leg_length


def push(message: str) -> None:
    bpy.ops.ed.undo_push(message=message)


def keys_in(walk) -> int:
    """Return how many keys the planted channels have."""
    action = walk.object.animation_data.action
    own = {(item.bone, item.channel) for item in action.skelkin.channels}
    paths = {f'pose.bones["{bone}"].{channel}' for bone, channel in own}
    return sum(len(curve.keyframe_points) for curve in keys.fcurves(walk.object) if curve.data_path in paths)


def test_from_a_sliding_walk_to_few_keys_on_a_terrain_and_back():
    walk = rigify_walk(frames=60)
    terrain(walk)
    before, action = state(walk), walk.action.name
    push("walk")
    assert bpy.ops.skelkin.find_legs() == {"FINISHED"}
    options = {"ground": "OBJECTS", "ground_object": "Terrain", "keys": "EVERY"}
    assert bpy.ops.skelkin.leg_ik("EXEC_DEFAULT", True, **options) == {"FINISHED"}
    push("planted")
    stances = [(item.foot, item.first, item.last) for item in mark_of(walk).contacts]
    stances = [stance for stance in stances if stance[2] - stance[1] > 5]
    assert len(stances) >= 4
    for foot, first, last in stances:
        side = foot[0].upper()
        assert slide(walk, side, first + 2, last - 2) <= SLIDE
        unit = walk.leg_length / 0.9
        at = stepping.world_heads(walk.object, [walk.legs[side][2]], [(first + last) // 2])[0, 0]
        assert 0.0 < at[2] / unit - hills(at[0] / unit, at[1] / unit) < 0.2

    longer, gone = item_of(walk, "left", 1), item_of(walk, "right", 1)
    end, dropped = longer.last + 3, (gone.first, gone.last)
    key = longer.key
    markers_of(walk, longer)[True].frame = end
    gone.use = False
    push("contacts")
    every = keys_in(walk)
    again = {"keys": "SPARSE", "tolerance": TOLERANCE}
    assert bpy.ops.skelkin.update("EXEC_DEFAULT", True, **again) == {"FINISHED"}
    push("updated")
    edited = next(item for item in mark_of(walk).contacts if item.key == key)
    assert edited.last == end
    assert mark_of(walk).contacts_given
    assert slide(walk, "L", edited.first + 2, end - 1) <= SLIDE
    assert slide(walk, "R", *dropped) > 2 * SLIDE
    assert keys_in(walk) < every / 3

    assert bpy.ops.skelkin.leg_ik(state="OFF") == {"FINISHED"}
    assert state(walk) == before
    assert bpy.ops.skelkin.leg_ik(state="ON") == {"FINISHED"}
    push("on again")
    for _ in range(12):
        if walk.object.animation_data.action.name == action:
            break
        find_again(walk, action, bpy.ops.ed.undo)
    assert state(walk) == before
    for _ in range(12):
        if walk.object.animation_data.action.name != action:
            break
        find_again(walk, action, bpy.ops.ed.redo)
    assert walk.object.animation_data.action.skelkin.is_planted
    assert bpy.ops.skelkin.leg_ik(state="OFF") == {"FINISHED"}
    assert_remove_leaves_nothing(walk, before)
