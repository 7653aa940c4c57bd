# SPDX-License-Identifier: MIT
"""The arrays of a clip: checked, owned and read-only; and what a reader leaves for a writer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

FloatArray = NDArray[np.float64]


class ClipSource(Protocol):
    """What a reader leaves in a clip for the writer of the same format."""

    def slice(self, start: int, stop: int) -> ClipSource:
        """Return the same for a part of the frames."""
        ...


def locked(array: FloatArray) -> FloatArray:
    """Return the array itself, read-only from now on."""
    array.flags.writeable = False
    return array


def _owned(array: Any) -> bool:
    """Whether nobody can write to the array's memory any more, so that it need not be copied."""
    while isinstance(array, np.ndarray):
        if array.flags.writeable:
            return False
        if array.base is None:
            return True
        array = array.base
    return False


def checked(name: str, values: ArrayLike, frames: int | None, joints: int, width: int) -> FloatArray:
    """Return (F, J, width) float64 values that are finite and that nobody else can write to."""
    array = np.asarray(values)
    if array.dtype.kind not in "fiu":
        raise TypeError(f"{name} has dtype {array.dtype}: must be real numbers")
    if not (array.dtype == np.float64 and _owned(array)):
        array = np.array(array, np.float64)
    wanted = (array.shape[0] if frames is None and array.ndim else frames, joints, width)
    if array.ndim != 3 or array.shape != wanted:
        shape = f"({'F' if frames is None else frames}, {joints}, {width})"
        raise ValueError(f"{name} has shape {array.shape}: must be {shape}")
    if not len(array):
        raise ValueError(f"{name} has no frames: a clip needs at least one")
    if not np.isfinite(array).all():
        index = np.argwhere(~np.isfinite(array))[0].tolist()
        raise ValueError(f"{name}{index} is {array[tuple(index)]}: must be finite")
    return locked(array)


def with_joints(
    name: str, values: FloatArray, changes: Mapping[int, tuple[NDArray[np.intp], FloatArray]]
) -> FloatArray:
    """Return (F, J, width) checked values with others in some frames of some joints; only these are checked.

    Without changes that is the array itself.
    """
    if not changes:
        return values
    result = values.copy()
    for joint, (frames, changed) in changes.items():
        if not np.isfinite(changed).all():
            row, column = np.argwhere(~np.isfinite(changed))[0].tolist()
            raise ValueError(f"{name}[{frames[row]}, {joint}, {column}] is {changed[row, column]}: must be finite")
        result[frames, joint] = changed
    return locked(result)


def normalised(rotations: FloatArray) -> FloatArray:
    """Return unit quaternions; those that are, up to rounding, keep their bits."""
    squared = np.einsum("fji,fji->fj", rotations, rotations)
    off = np.abs(squared - 1.0) > 1e-14
    if not off.any():
        return rotations
    with np.errstate(over="ignore", under="ignore"):
        largest = np.abs(rotations[off]).max(axis=-1, keepdims=True)
        if not largest.all():
            frame, joint = np.argwhere(off)[int(np.argmin(largest[:, 0]))].tolist()
            raise ValueError(f"rotations[{frame}, {joint}] is zero: a quaternion must have a direction")
        scaled = rotations[off] / largest
    result = rotations.copy()
    result[off] = scaled / np.sqrt(np.einsum("ni,ni->n", scaled, scaled))[:, None]
    return locked(result)
