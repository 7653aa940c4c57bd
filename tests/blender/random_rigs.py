# SPDX-License-Identifier: MIT
"""Random armatures with random poses, and what Blender says about them, as float64 arrays."""

from __future__ import annotations

import bpy
import numpy as np

MODES = ("QUATERNION", "AXIS_ANGLE", "XYZ", "XZY", "YXZ", "YZX", "ZXY", "ZYX")


def build(bones: list[tuple[str, str | None, np.ndarray, np.ndarray, float, bool]]) -> bpy.types.Object:
    """Make an armature of (name, parent, head, tail, roll, connected) and leave it active in Object Mode."""
    rig = bpy.data.objects.new("Rig", bpy.data.armatures.new("Rig"))
    bpy.context.scene.collection.objects.link(rig)
    bpy.context.view_layer.objects.active = rig
    bpy.ops.object.mode_set(mode="EDIT")
    for name, parent, head, tail, roll, connected in bones:
        bone = rig.data.edit_bones.new(name)
        bone.head, bone.tail, bone.roll = head, tail, roll
        if parent is not None:
            bone.parent = rig.data.edit_bones[parent]
            bone.use_connect = connected
    bpy.ops.object.mode_set(mode="OBJECT")
    return rig


def random_rig(rng: np.random.Generator, count: int, *, scale: float = 0.2) -> bpy.types.Object:
    """Make a random tree of bones in a random pose: every rotation mode, scaled bones, moved unconnected children."""
    bones = []
    for index in range(count):
        parent = int(rng.integers(index)) if index and rng.random() < 0.95 else None
        connected = parent is not None and rng.random() < 0.5
        head = bones[parent][3] if connected else rng.uniform(-1, 1, 3)
        direction = rng.normal(size=3)
        tail = head + direction / np.linalg.norm(direction) * rng.uniform(0.2, 1.0)
        parent_name = None if parent is None else f"bone{parent}"
        bones.append((f"bone{index}", parent_name, head, tail, float(rng.uniform(-3, 3)), connected))
    rig = build(bones)
    for index, bone in enumerate(rig.pose.bones):
        bone.rotation_mode = MODES[index % len(MODES)]
        bone.rotation_quaternion = rng.normal(size=4)
        bone.rotation_axis_angle = [rng.uniform(-3, 3), *rng.normal(size=3)]
        bone.rotation_euler = rng.uniform(-3, 3, 3)
        bone.location = rng.uniform(-0.5, 0.5, 3)
        bone.scale = rng.uniform(1 - scale, 1 + scale, 3)
    bpy.context.view_layer.update()
    return rig


def parents(rig: bpy.types.Object) -> np.ndarray:
    """Return each pose bone's parent index, -1 for roots; Blender keeps parents before children."""
    index = {bone.name: i for i, bone in enumerate(rig.pose.bones)}
    return np.array([index[bone.parent.name] if bone.parent else -1 for bone in rig.pose.bones], np.int32)


def rest(rig: bpy.types.Object) -> np.ndarray:
    """Return the rest matrices (J,4,4) in armature space."""
    return np.array([bone.bone.matrix_local for bone in rig.pose.bones], dtype=float)


def live_pose(rig: bpy.types.Object) -> np.ndarray:
    """Return the evaluated pose (J,4,4) in armature space."""
    return np.array([bone.matrix for bone in rig.pose.bones], dtype=float)


def channels(rig: bpy.types.Object) -> list[tuple[str, np.ndarray, np.ndarray, np.ndarray]]:
    """Return (rotation mode, its channel's values, location, scale) as stored; connected bones have no location."""
    values = {"QUATERNION": "rotation_quaternion", "AXIS_ANGLE": "rotation_axis_angle"}
    found = []
    for bone in rig.pose.bones:
        rotation = np.array(getattr(bone, values.get(bone.rotation_mode, "rotation_euler")), dtype=float)
        location = np.zeros(3) if bone.bone.use_connect else np.array(bone.location, dtype=float)
        found.append((bone.rotation_mode, rotation, location, np.array(bone.scale, dtype=float)))
    return found
