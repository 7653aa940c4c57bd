# SPDX-License-Identifier: MIT
"""Bendy bones of a live Blender armature, as arrays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from .bbones import HANDLE_TYPES, BBones, BBoneShape
from .live_objects import check_object


def read_bbones(ob: Any) -> BBones | None:
    """Return the options of an armature object's bendy bones, in the order of ``pose.bones``.

    Parameters
    ----------
    ob : bpy.types.Object
        An armature outside Edit Mode.

    Returns
    -------
    BBones or None
        None if no bone has more than one segment.

    Raises
    ------
    TypeError
        `ob` is no armature object.
    ValueError
        It is in Edit Mode, or has no pose yet.
    """
    check_object(ob, "ARMATURE")
    bones = [pose_bone.bone for pose_bone in ob.pose.bones]
    segments = [bone.bbone_segments for bone in bones]
    if max(segments, default=1) < 2:
        return None
    place = {bone.name: index for index, bone in enumerate(bones)}
    row = {bone.name: index for index, bone in enumerate(ob.data.bones)}

    def ends(name: str) -> list[list[Any]]:
        return [[getattr(bone, f"{name}_start"), getattr(bone, f"{name}_end")] for bone in bones]

    handles = [
        [-1 if handle is None else place[handle.name] for handle in pair] for pair in ends("bbone_custom_handle")
    ]
    types = [[HANDLE_TYPES.index(kind) for kind in pair] for pair in ends("bbone_handle_type")]
    return BBones(
        np.array(segments, np.int32),
        _read_shape(ob.data.bones, [row[bone.name] for bone in bones]),
        handle_types=np.array(types, np.uint8),
        handles=np.array(handles, np.int32),
        handle_scale=np.array(ends("bbone_handle_use_scale"), bool),
        handle_ease=np.array(ends("bbone_handle_use_ease"), bool),
        endroll_as_inroll=[bone.use_endroll_as_inroll for bone in bones],
        scale_easing=[bone.use_scale_easing for bone in bones],
        curved=[getattr(bone, "bbone_mapping_mode", "STRAIGHT") == "CURVED" for bone in bones],
    )


def read_bbone_channels(ob: Any) -> BBoneShape:
    """Return what the current pose adds to the curves of bendy bones, in the order of ``pose.bones``.

    Parameters
    ----------
    ob : bpy.types.Object
        An armature, original or evaluated; the latter has what drivers give.

    Returns
    -------
    BBoneShape
        Easing, roll, curve and scale of the pose bones: what `segment_palette` takes as `bbones`.

    Raises
    ------
    TypeError
        `ob` is no armature object.
    ValueError
        It is in Edit Mode, or has no pose yet.
    """
    check_object(ob, "ARMATURE")
    return _read_shape(ob.pose.bones)


def _read_shape(bones: Any, order: Sequence[int] | None = None) -> BBoneShape:
    """Return the curves of a collection of bones, or pose bones, in that order."""

    def column(name: str, width: int) -> Any:
        values = np.empty(len(bones) * width, np.float32)
        bones.foreach_get(name, values)
        found = values.reshape(-1, width) if width > 1 else values
        return found if order is None else found[order]

    def pair(name: str, width: int = 1) -> Any:
        return np.stack([column(name.replace("*", end), width) for end in ("in", "out")], axis=1)

    curve = np.stack([pair("bbone_curve*x"), pair("bbone_curve*z")], axis=-1)
    return BBoneShape(pair("bbone_ease*"), pair("bbone_roll*"), curve, pair("bbone_scale*", 3))
