# SPDX-License-Identifier: MIT
"""Armatures of bendy bones with random options, and what Blender says about their segments."""

from __future__ import annotations

import bpy
import numpy as np
from random_rigs import random_rig

SEGMENTS = (1, 2, 3, 4, 8, 13, 32)
TYPES = ("AUTO", "ABSOLUTE", "RELATIVE", "TANGENT")
CURVES = ("bbone_curveinx", "bbone_curveinz", "bbone_curveoutx", "bbone_curveoutz")


def bendy_rig(rng: np.random.Generator, options: str, count: int = 8, scale: float = 0.2) -> bpy.types.Object:
    """Make a random rig of bendy bones; `options` are any of: handles, shape, endroll, easing, sizes, curved."""
    rig = random_rig(rng, count, scale=scale)
    bones = [pose_bone.bone for pose_bone in rig.pose.bones]
    for index, bone in enumerate(bones):
        bone.bbone_segments = int(rng.choice(SEGMENTS))
        bone.use_scale_easing = "easing" in options and rng.random() < 0.5
        bone.use_endroll_as_inroll = "endroll" in options and rng.random() < 0.5
        if "handles" in options:
            set_handles(rng, bone, [other for other in bones if other != bone])
        if "sizes" in options:
            for end in ("start", "end"):
                setattr(bone, f"bbone_handle_use_scale_{end}", [bool(x) for x in rng.random(3) < 0.4])
                setattr(bone, f"bbone_handle_use_ease_{end}", bool(rng.random() < 0.4))
        if "shape" in options:
            set_shape(rng, bone)
            set_shape(rng, rig.pose.bones[index])
        if "curved" in options and bpy.app.version >= (4, 0):
            bone.bbone_mapping_mode = "CURVED"
    bpy.context.view_layer.update()
    return rig


def set_handles(rng: np.random.Generator, bone: bpy.types.Bone, others: list[bpy.types.Bone]) -> None:
    """Give both ends of a bone random types of handles, mostly with a random bone."""
    for end in ("start", "end"):
        setattr(bone, f"bbone_handle_type_{end}", str(rng.choice(TYPES)))
        if rng.random() < 0.7:
            setattr(bone, f"bbone_custom_handle_{end}", others[rng.integers(len(others))])


def set_shape(rng: np.random.Generator, bone: bpy.types.Bone | bpy.types.PoseBone) -> None:
    """Give a bone, or a pose bone, a random curve."""
    bone.bbone_easein, bone.bbone_easeout = rng.uniform(0, 2, 2)
    bone.bbone_rollin, bone.bbone_rollout = rng.uniform(-2, 2, 2)
    for name in CURVES:
        setattr(bone, name, rng.uniform(-0.3, 0.3))
    bone.bbone_scalein, bone.bbone_scaleout = rng.uniform(0.5, 1.5, (2, 3))


def live_frames(rig: bpy.types.Object, bone: int, at_rest: bool) -> np.ndarray:
    """Return what Blender has as the segments (n + 1, 4, 4) of a bone."""
    pose_bone = rig.pose.bones[bone]
    count = pose_bone.bone.bbone_segments + 1
    return np.array([pose_bone.bbone_segment_matrix(index, rest=at_rest) for index in range(count)], float)
