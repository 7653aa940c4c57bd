# SPDX-License-Identifier: MIT
"""What the switch owes on every rig: off is the old animation to the last bit, on again the planted one, undo too."""

from __future__ import annotations

import bpy
import keys
import stepping


def values(ob) -> list[str]:
    """Return every custom property, influence and muting of the pose, digit by digit."""
    found = []
    for owner in (ob, *ob.pose.bones):
        found += [f"{owner.name} {c.name} {c.influence!r} {c.mute}" for c in owner.constraints]
        numbers = {key: owner[key] for key in owner.keys() if isinstance(owner[key], (bool, int, float))}  # noqa: SIM118
        found += [f"{owner.name} {key} {value!r}" for key, value in numbers.items() if not key.startswith("skelkin")]
    return found


def state(walk, *, planted: bool = False):
    """Return poses, properties and keys of a walk that is switched off, or on where it is ``planted``."""
    frames = [*walk.frames, 40, 3, 200, -5, 1]
    poses = stepping.pose_bits(walk.object, frames)
    action = walk.object.animation_data.action if planted else walk.action
    return poses, values(walk.object), keys.digest(walk.object, action), walk.object.animation_data.action.name


def assert_off_is_exact_and_on_again_the_same(walk) -> None:
    """Click four times."""
    before = state(walk)
    assert bpy.ops.skelkin.leg_ik() == {"FINISHED"}
    on = stepping.pose_bits(walk.object, walk.frames)
    assert on != before[0][: len(on)]
    assert bpy.ops.skelkin.leg_ik() == {"FINISHED"}
    assert state(walk) == before
    assert bpy.ops.skelkin.leg_ik() == {"FINISHED"}
    assert stepping.pose_bits(walk.object, walk.frames) == on
    assert bpy.ops.skelkin.remove() == {"FINISHED"}
    assert state(walk) == before
    assert [action for action in bpy.data.actions if action.skelkin.is_planted] == []


def assert_update_follows_an_edit_of_the_original(walk, bone: str) -> None:
    """Switch on and off, move ``bone`` in the original, switch on, update: planted again, and the same twice."""
    assert bpy.ops.skelkin.leg_ik() == {"FINISHED"}
    assert bpy.ops.skelkin.leg_ik() == {"FINISHED"}
    path = keys.bone_path(bone, "location")
    for curve in [curve for curve in keys.fcurves(walk.object) if curve.data_path == path]:
        for point in curve.keyframe_points:
            point.co[1] += 0.02 * walk.leg_length
        curve.update()
    before = state(walk)
    assert bpy.ops.skelkin.leg_ik() == {"FINISHED"}
    assert walk.object.animation_data.action.skelkin.source_changed
    old = stepping.pose_bits(walk.object, walk.frames)
    assert bpy.ops.skelkin.update() == {"FINISHED"}
    new = stepping.pose_bits(walk.object, walk.frames)
    assert new != old
    assert bpy.ops.skelkin.update() == {"FINISHED"}
    assert stepping.pose_bits(walk.object, walk.frames) == new
    assert bpy.ops.skelkin.leg_ik() == {"FINISHED"}
    assert state(walk) == before


def assert_undo_and_redo_are_exact(walk) -> None:
    """Switch on, undo and redo."""
    name, action = walk.object.name, walk.action.name
    before = stepping.pose_bits(walk.object, walk.frames), values(walk.object)
    bpy.ops.ed.undo_push(message="before")
    assert bpy.ops.skelkin.leg_ik("EXEC_DEFAULT", True) == {"FINISHED"}
    after = stepping.pose_bits(bpy.data.objects[name], walk.frames)
    bpy.ops.ed.undo_push(message="after")
    bpy.ops.ed.undo()
    if bpy.data.objects[name].animation_data.action.skelkin.is_planted:  # the operator pushed a step of its own
        bpy.ops.ed.undo()
    ob = bpy.data.objects[name]
    assert ob.animation_data.action.name == action
    assert (stepping.pose_bits(ob, walk.frames), values(ob)) == before
    bpy.ops.ed.redo()
    assert stepping.pose_bits(bpy.data.objects[name], walk.frames) == after
