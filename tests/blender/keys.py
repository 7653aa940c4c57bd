# SPDX-License-Identifier: MIT
"""Keys in bulk on every Blender, for the tests' own rigs; shares nothing with the add-on."""

from __future__ import annotations

from itertools import pairwise

import bpy
import numpy as np

SLOTS = hasattr(bpy.types, "ActionSlot")
INTERPOLATION = {"CONSTANT": 0, "LINEAR": 1, "BEZIER": 2}


def new_action(target: bpy.types.Object, name: str) -> bpy.types.Action:
    """Assign a new action to the object, with a slot where there are slots."""
    action = bpy.data.actions.new(name)
    data = target.animation_data or target.animation_data_create()
    data.action = action
    if SLOTS:
        data.action_slot = action.slots.new(id_type="OBJECT", name=target.name)
    return action


def fcurves(target: bpy.types.Object, action: bpy.types.Action | None = None) -> bpy.types.bpy_prop_collection:
    """Return the F-curves that the object plays, or those its slot has in another action."""
    data = target.animation_data
    action = action or data.action
    if not SLOTS:
        return action.fcurves
    slot = data.action_slot if action == data.action else action.slots[0]
    layer = action.layers[0] if action.layers else action.layers.new("Layer")
    strip = layer.strips[0] if layer.strips else layer.strips.new(type="KEYFRAME")
    return strip.channelbag(slot, ensure=True).fcurves


def write(
    target: bpy.types.Object, path: str, frames: np.ndarray, values: np.ndarray, *, interpolation: str = "LINEAR"
) -> None:
    """Key one property: `values` is (F,) for a single number or (F,N) for an array."""
    values = np.asarray(values, np.float32).reshape(len(frames), -1)
    curves = fcurves(target)
    for index in range(values.shape[1]):
        curve = curves.new(path, index=index)
        curve.keyframe_points.add(len(frames))
        pairs = np.stack([np.asarray(frames, np.float32), values[:, index]], axis=1)
        curve.keyframe_points.foreach_set("co", np.ascontiguousarray(pairs).ravel())
        kind = np.full(len(frames), INTERPOLATION[interpolation], np.int32)
        curve.keyframe_points.foreach_set("interpolation", kind)
        curve.update()


def bone_path(bone: str, channel: str) -> str:
    """Return the data path of a pose bone's channel."""
    return f'pose.bones["{bpy.utils.escape_identifier(bone)}"].{channel}'


def steady_quaternions(rotations: np.ndarray) -> np.ndarray:
    """Return (F,4) quaternions of (F,3,3) rotations, whose signs do not jump."""
    from mathutils import Matrix

    quaternions = [Matrix(r.tolist()).to_quaternion() for r in rotations]
    for before, after in pairwise(quaternions):
        after.make_compatible(before)
    return np.array(quaternions)


def key_rotations(
    target: bpy.types.Object, bone: str, frames: np.ndarray, rotations: np.ndarray, *, interpolation: str = "LINEAR"
) -> None:
    """Key (F,3,3) rotations in the bone's own rotation mode, without jumps between frames."""
    from mathutils import Matrix, Quaternion

    mode = target.pose.bones[bone].rotation_mode
    matrices = [Matrix(r.tolist()) for r in rotations]
    if mode == "QUATERNION":
        channel, values = "rotation_quaternion", steady_quaternions(rotations)
    elif mode == "AXIS_ANGLE":
        channel = "rotation_axis_angle"
        turns = (Quaternion(q).to_axis_angle() for q in steady_quaternions(rotations))
        values = np.array([[angle, *axis] for axis, angle in turns])
    else:
        channel, eulers = "rotation_euler", []
        for matrix in matrices:
            eulers.append(matrix.to_euler(mode, eulers[-1]) if eulers else matrix.to_euler(mode))
        values = np.array(eulers)
    write(target, bone_path(bone, channel), frames, values, interpolation=interpolation)


def digest(target: bpy.types.Object, action: bpy.types.Action) -> dict[tuple[str, int], bytes]:
    """Return every F-curve's keys as bytes, to show that an action is unchanged."""
    found = {}
    for curve in fcurves(target, action):
        count = len(curve.keyframe_points)
        data = np.empty(2 * count, np.float32)
        curve.keyframe_points.foreach_get("co", data)
        kind = np.empty(count, np.int32)
        curve.keyframe_points.foreach_get("interpolation", kind)
        found[curve.data_path, curve.array_index] = data.tobytes() + kind.tobytes()
    return found
