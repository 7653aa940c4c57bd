# SPDX-License-Identifier: MIT
"""Poses from the channels of bones, and back, as Blender evaluates them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from .. import _core
from .._support.arguments import check_dimensions, flag, listed, numbers_of, plain
from .._support.array_types import Array
from .rest.bones import Bones

_OF_BONES = (
    *("parents", "rest", "axes", "offsets", "lengths"),
    *("connected", "inherit_rotation", "local_location", "inherit_scale"),
)
_Given = npt.ArrayLike | None
ROTATION_MODES = ("QUATERNION", "XYZ", "XZY", "YXZ", "YZX", "ZXY", "ZYX", "AXIS_ANGLE")


def pose(
    armature: Bones, location: _Given, rotation: _Given, rotation_mode: str | Sequence[str], scale: _Given, exact: bool
) -> Array:
    """Return the matrices of bones in armature space; see `Armature.pose`."""
    exact, count = flag("exact", exact), armature.num_bones
    modes = _modes(rotation_mode, count)
    euler = bool(np.all((modes > 0) & (modes < 7)))
    given = {
        "location": _channel(location, "location", count, (3,)),
        "rotation": _channel(rotation, "rotation", count, (3, 4) if euler else (4,)),
        "scale": _channel(scale, "scale", count, (3,)),
    }
    dtype = np.dtype(np.float32) if exact else _precision(location, rotation, scale)
    leading = _broadcast(given)
    out = np.empty((math.prod(leading), count, 4, 4), dtype)
    moved, turned, scaled = (_packed(array, leading, width, dtype) for array, width in zip(given.values(), (3, 4, 3)))
    _core.blender_pose(bones_of(armature), modes, moved, turned, scaled, out)
    return out.reshape(*(leading or (1,)), count, 4, 4)


def local_from_pose(armature: Bones, pose: npt.ArrayLike) -> Array:
    """Return what ``matrix_basis`` of the bones has to be; see `Armature.local_from_pose`."""
    array, count = checked_pose(pose, armature.num_bones), armature.num_bones
    dtype = _precision(pose)
    packed = np.ascontiguousarray(array, dtype).reshape(math.prod(array.shape[:-3]), count, 4, 4)
    out = np.empty(packed.shape, dtype)
    _core.blender_local(bones_of(armature), packed, out)
    return out.reshape(array.shape)


def checked_pose(pose: npt.ArrayLike, count: int) -> Array:
    """Return matrices of so many bones, (..., B, 4, 4)."""
    array = numbers_of(pose, "pose")
    if array.ndim < 3 or array.shape[-3:] != (count, 4, 4):
        raise ValueError(f"pose has shape {array.shape}: expected (..., {count}, 4, 4)")
    return array


def bones_of(armature: Bones) -> tuple[Array, ...]:
    """Return the arrays that the core takes for bones."""
    return tuple(getattr(armature, name) for name in _OF_BONES)


def _modes(given: str | Sequence[str], count: int) -> npt.NDArray[np.uint8]:
    what = "expected one name for all bones, or one per bone"
    names = [given] * count if isinstance(given, str) else listed("rotation_mode", given, what)
    if len(names) != count:
        raise ValueError(f"rotation_mode has {len(names)} entries: expected {count}, one per bone, or one name for all")
    for bone, name in enumerate(names):
        if not isinstance(name, str) or name not in ROTATION_MODES:
            where = "" if isinstance(given, str) else f"[{bone}]"
            raise ValueError(f"rotation_mode{where} is {plain(name)!r}: it must be one of {', '.join(ROTATION_MODES)}")
    return np.array([ROTATION_MODES.index(name) for name in names], np.uint8)


def _channel(given: npt.ArrayLike | None, name: str, count: int, widths: tuple[int, ...]) -> Array | None:
    if given is None:
        return None
    array = numbers_of(given, name)
    if array.ndim < 2 or array.shape[-2] != count or array.shape[-1] not in widths:
        wanted = " or ".join(f"(..., {count}, {width})" for width in widths)
        raise ValueError(f"{name} has shape {array.shape}: expected {wanted}")
    return array


def _precision(*given: npt.ArrayLike | None) -> np.dtype[Any]:
    """Return float32 if all arrays are of it, else float64; lists take no part."""
    types = [each.dtype.newbyteorder("=") for each in given if isinstance(each, np.ndarray)]
    narrow = bool(types) and all(each == np.float32 for each in types)
    return np.dtype(np.float32 if narrow else np.float64)


def _broadcast(given: dict[str, Array | None]) -> tuple[int, ...]:
    shapes = [each.shape[:-2] for each in given.values() if each is not None]
    check_dimensions("the result", 3 + max(map(len, shapes), default=0))
    try:
        return np.broadcast_shapes(*shapes)
    except ValueError:
        listed = ", ".join(f"{name} {each.shape}" for name, each in given.items() if each is not None)
        raise ValueError(f"the leading dimensions do not broadcast: {listed}") from None


def _packed(array: Array | None, leading: tuple[int, ...], width: int, dtype: np.dtype[Any]) -> Array | None:
    """Return the channel as packed (F, B, width), or (1, B, width) where all frames share it."""
    if array is None:
        return None
    frames = math.prod(array.shape[:-2])
    if frames == 1 and 0 not in leading:
        array = array.reshape(1, *array.shape[-2:])
    elif array.shape[:-2] != leading:
        array = np.broadcast_to(array, leading + array.shape[-2:])
    if array.shape[-1] != width:
        array = np.concatenate([array, np.zeros((*array.shape[:-1], 1), array.dtype)], axis=-1)
    with np.errstate(over="ignore"):  # too large for float32 is infinite there, as it is in Blender
        packed = np.ascontiguousarray(array, dtype)
    return packed.reshape(math.prod(array.shape[:-2]), *array.shape[-2:])
