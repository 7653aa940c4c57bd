# SPDX-License-Identifier: MIT
"""What the switch owes on every rig: off is the old animation to the last bit, on again the planted one, undo too."""

from __future__ import annotations

import bpy
import keys
import stepping
from linking import current


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
    return poses, values(walk.object), keys.digest(walk.object, action), played(walk.object)


def played(ob) -> str:
    """Return the name of the action that an object plays, empty where it plays none."""
    action = ob.animation_data.action
    return action.name if action is not None else ""


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
    assert_remove_leaves_nothing(walk, before)


def assert_remove_leaves_nothing(walk, before) -> None:
    """Remove: the old ``state``, and no planted copy of the action."""
    assert bpy.ops.skelkin.remove() == {"FINISHED"}
    assert state(walk) == before
    assert [action for action in bpy.data.actions if action.skelkin.source == walk.action] == []


def nudge(walk, bone: str) -> None:
    """Edit the original: move all keys of a bone's location by a little."""
    path = keys.bone_path(bone, "location")
    for curve in [curve for curve in keys.fcurves(walk.object, walk.action) if curve.data_path == path]:
        for point in curve.keyframe_points:
            point.co[1] += 0.02 * walk.leg_length
        curve.update()


def assert_update_follows_an_edit_of_the_original(walk, bone: str) -> None:
    """Switch on and off, move ``bone`` in the original, switch on, update: planted again, and the same twice."""
    assert bpy.ops.skelkin.leg_ik() == {"FINISHED"}
    assert bpy.ops.skelkin.leg_ik() == {"FINISHED"}
    nudge(walk, bone)
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


def switch_on_undo_and_redo(walk, operator=None, **options) -> None:
    """Switch on by an operator with its ``options``, undo it and do it again; the walk's references are kept valid."""
    operator = operator or bpy.ops.skelkin.leg_ik
    action, name = walk.action.name, played(walk.object)
    before = stepping.pose_bits(walk.object, walk.frames), values(walk.object)
    bpy.ops.ed.undo_push(message="before")
    assert operator("EXEC_DEFAULT", True, **options) == {"FINISHED"}
    after = stepping.pose_bits(walk.object, walk.frames)
    bpy.ops.ed.undo_push(message="after")
    find_again(walk, action, bpy.ops.ed.undo)
    if played(walk.object) != name:  # the operator pushed a step of its own
        find_again(walk, action, bpy.ops.ed.undo)
    assert played(walk.object) == name
    assert (stepping.pose_bits(walk.object, walk.frames), values(walk.object)) == before
    find_again(walk, action, bpy.ops.ed.redo)
    assert stepping.pose_bits(walk.object, walk.frames) == after


def find_again(walk, action: str, do) -> None:
    """Do what makes references invalid, and find the walk's object and action again."""
    name = walk.object.name
    do()
    walk.object, walk.action = current(name), bpy.data.actions[action]
