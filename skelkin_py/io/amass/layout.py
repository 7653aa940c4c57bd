# SPDX-License-Identifier: MIT
"""Where poses, translations and frame rate are among the arrays of an AMASS file."""

from __future__ import annotations

import functools
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from ..._support.arguments import array_of
from ..._support.array_types import Array, Floats
from ..._support.errors import FormatError
from ...transforms import quaternion_from_matrix, quaternion_to_rotation_vector
from ..array_files import ArraySource
from ..frame_rates import Arrays

_TRANSLATIONS = ("trans", "transl")
_WHOLES = {  # and where the body is
    "poses": _TRANSLATIONS,
    "pose_world": ("trans_world",),
    "pose": _TRANSLATIONS,
    "smpl_poses": ("smpl_trans",),
    "pred_rotmat": ("pred_trans",),
}
_ROOTS = ("root_orient", "global_orient")
_BODIES = ("pose_body", "body_pose")
_HANDS = (("pose_hand",), ("left_hand_pose", "right_hand_pose"))
_MOST_VALUES = 3 * 55
_ROTATION = 1e-2  # how far M Mᵀ of a rotation that a network wrote may be from the identity


def given_arrays(arrays: Mapping[Any, Any], path: str) -> Arrays:
    """Return arrays in the memory, read as those of a file are."""

    def read(name: str, kinds: str) -> Array:
        array = array_of(arrays[name], name)
        if array.dtype.kind not in ("biuf" if kinds == "f" else kinds):
            raise FormatError(path, None, f"{name} has dtype {array.dtype}: numbers are needed")
        return array

    return Arrays(path, list(arrays), functools.cache(read))


class Part(NamedTuple):
    """An array with rotation vectors, and the joints whose they are, in the array's order."""

    key: str
    joints: tuple[int, ...]


@dataclass(frozen=True, eq=False, kw_only=True)
class AmassSource(ArraySource):
    """A file of which some arrays, `parts` and `trans`, are the motion; `pelvis` is where that joint is at rest."""

    parts: tuple[Part, ...]
    trans: str | None
    pelvis: Floats


def is_amass(names: Collection[Any]) -> bool:
    """Tell whether arrays of these names are poses of the SMPL family."""
    return "poses" in names or (any(key in names for key in _ROOTS) and any(key in names for key in _BODIES))


def has_poses(names: Collection[Any]) -> bool:
    """Tell the same where names may also be those of programs that estimate bodies."""
    return is_amass(names) or any(key in names for key in _WHOLES)


def find_parts(arrays: Arrays) -> tuple[int, list[Part], list[Part]]:
    """Return how many joints there are, the arrays that have each once, and those that have them again.

    Raises
    ------
    FormatError
        If an array has a shape that fits no layout.
    """
    names = arrays.names
    root = next((key for key in _ROOTS if key in names), None)
    body = next((key for key in _BODIES if key in names), None)

    def width(key: str) -> int:
        shape = arrays.read(key, "f").shape
        of_matrices = shape[-2:] == (3, 3)
        return int(np.prod(shape[1:])) // (3 if of_matrices else 1) if len(shape) > 1 else -1

    def fail(key: str, rule: str) -> FormatError:
        return FormatError(arrays.path, None, f"{key} has {width(key)} values a frame: {rule}")

    separate: list[Part] = []
    count = 0
    if root is not None and body is not None:
        if width(root) != 3 or width(body) not in (63, 69):
            raise fail(body, "rotation vectors or matrices are needed, of the root and of 21 or 23 joints of the body")
        count = 1 + width(body) // 3
        separate = [Part(root, (0,)), Part(body, tuple(range(1, count)))]
        hands = next((keys for keys in _HANDS if all(key in names for key in keys)), ())
        full = count == 22 and hands and sum(width(key) for key in hands) == 90
        face = full and all(key in names and width(key) == size for key, size in (("pose_jaw", 3), ("pose_eye", 6)))
        if full:
            first = 25 if face else 22
            count = first + 30
            each = 30 // len(hands)
            separate += [
                Part(key, tuple(range(first + k * each, first + (k + 1) * each))) for k, key in enumerate(hands)
            ]
        if face:
            separate += [Part("pose_jaw", (22,)), Part("pose_eye", (23, 24))]
    key = next((key for key in _WHOLES if key in names), None)
    if key is None or (separate and key != "poses"):
        return count, separate, []
    whole = width(key)
    if whole % 3 or not 0 < whole <= _MOST_VALUES:
        raise fail(key, "rotation vectors or matrices are needed, one for each of 22, 24, 52 or 55 joints")
    agree = [part for part in separate if max(part.joints) < whole // 3] if count == whole // 3 else []
    return whole // 3, [Part(key, tuple(range(whole // 3)))], agree


def find_translations(arrays: Arrays, poses: str) -> str | None:
    """Return the array that says where the body of an array of poses is."""
    return next((key for key in _WHOLES.get(poses, _TRANSLATIONS) if key in arrays.names), None)


def vectors(arrays: Arrays, part: Part) -> Floats:
    """Return the rotations of an array as vectors (F, joints, 3)."""
    array = np.asarray(arrays.read(part.key, "f"), np.float64)
    if array.shape[-2:] == (3, 3):
        array = array.reshape(len(array), -1, 3, 3)
        turned = np.abs(array @ array.swapaxes(-1, -2) - np.eye(3)).max(axis=(-1, -2))
        for frame, joint in np.argwhere(~(turned < _ROTATION))[:1].tolist():
            rows = array[frame, joint].tolist()
            raise FormatError(arrays.path, None, f"{part.key}[{frame}, {joint}] is {rows}: a rotation matrix is needed")
        array = np.asarray(quaternion_to_rotation_vector(quaternion_from_matrix(array)))
    return array.reshape(len(array), len(part.joints), 3)
