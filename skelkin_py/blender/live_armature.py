# SPDX-License-Identifier: MIT
"""Armatures and the channels of their bones, read out of live Blender in bulk."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from .envelopes import Envelopes
from .live_bbones import read_bbones
from .live_objects import check_object

_ROTATIONS = (("rotation_quaternion", 4), ("rotation_axis_angle", 4), ("rotation_euler", 3))


def read_bones(ob: Any) -> dict[str, Any]:
    """Return the bones of an armature object at rest as the arguments of `Armature`, in the order of ``pose.bones``.

    The numbers are Blender's own float32, so that exact evaluation starts from the same bits.
    """
    check_object(ob, "ARMATURE")
    armature, pose = ob.data, ob.pose
    names = [bone.name for bone in pose.bones]
    bones = armature.bones
    row = {bone.name: index for index, bone in enumerate(bones)}
    order = [row[name] for name in names]
    parent = [bone.parent.name if bone.parent else None for bone in bones]
    index = {name: place for place, name in enumerate(names)}

    def get(field: str, *shape: int, dtype: Any = np.float32) -> npt.NDArray[Any]:
        return _get(bones, field, shape, dtype)[order]

    return {
        "parents": np.array([index.get(parent[place] or "", -1) for place in order], np.int32),
        "rest": get("matrix_local", 4, 4).swapaxes(1, 2),
        "names": names,
        "heads": get("head_local", 3),
        "tails": get("tail_local", 3),
        "lengths": get("length"),
        "axes": get("matrix", 3, 3).swapaxes(1, 2),
        "offsets": get("head", 3),
        "connected": get("use_connect", dtype=bool),
        "inherit_rotation": get("use_inherit_rotation", dtype=bool),
        "local_location": get("use_local_location", dtype=bool),
        "deform": get("use_deform", dtype=bool),
        # Blender 3.4 hands out garbage for choices read in bulk
        "inherit_scale": [bones[place].inherit_scale for place in order],
        "envelopes": Envelopes(
            get("head_radius"),
            get("tail_radius"),
            get("envelope_distance"),
            get("envelope_weight"),
            get("use_envelope_multiply", dtype=bool),
        ),
        "bbones": read_bbones(ob),
    }


def read_channels(ob: Any) -> dict[str, Any]:
    """Return the current channels of an armature object's bones: the keyword arguments of `Armature.pose`.

    Parameters
    ----------
    ob : bpy.types.Object
        An armature, original or evaluated. Values of F-curves and drivers are there after the view layer's update.

    Returns
    -------
    dict
        ``location`` (B, 3), ``rotation`` (B, 4), ``scale`` (B, 3), float32 as Blender stores them, and
        ``rotation_mode``, a tuple of B names; in the order of ``pose.bones``. Of the three ways in which a bone stores
        rotations, the one of its mode is taken; Euler angles fill the first three columns.

    Raises
    ------
    TypeError
        `ob` is no armature object.
    ValueError
        It is in Edit Mode, or has no pose yet.

    Examples
    --------
    ``armature.pose(**read_channels(ob))[0]`` is the array of ``pose_bone.matrix`` before constraints.

    Notes
    -----
    An armature whose ``pose_position`` is "REST" is shown by Blender as at rest, whatever its channels.

    Method: ``foreach_get``, see the manual's page of ``bpy_prop_collection``.
    """
    check_object(ob, "ARMATURE")
    bones = ob.pose.bones
    modes = tuple(bone.rotation_mode for bone in bones)
    quaternions, axis_angles, eulers = (_get(bones, field, (size,)) for field, size in _ROTATIONS)
    rotation = np.zeros((len(modes), 4), np.float32)
    rotation[:, :3] = eulers
    for mode, stored in (("QUATERNION", quaternions), ("AXIS_ANGLE", axis_angles)):
        chosen = [each == mode for each in modes]
        rotation[chosen] = stored[chosen]
    return {
        "location": _get(bones, "location", (3,)),
        "rotation": rotation,
        "rotation_mode": modes,
        "scale": _get(bones, "scale", (3,)),
    }


def _get(collection: Any, field: str, shape: tuple[int, ...], dtype: Any = np.float32) -> npt.NDArray[Any]:
    """Return one field of every item as (N, *shape); matrices arrive transposed."""
    values = np.empty((len(collection), *shape), dtype)
    collection.foreach_get(field, values.reshape(-1))
    return values
