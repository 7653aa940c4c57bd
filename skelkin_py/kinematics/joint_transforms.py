# SPDX-License-Identifier: MIT
"""The local transforms of all joints in all frames of a clip: checked, owned and read-only."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .._support.arguments import numbers_of
from .._support.array_types import Flags, Floats
from .._support.values import same_values
from ..skeleton import Skeleton
from ..transforms import compose, decompose
from .forward import forward_kinematics, forward_kinematics_trs

JointValues = Mapping[int, tuple[NDArray[np.intp], Floats]]


@dataclass(frozen=True, eq=False, slots=True)
class JointTransforms:
    """Unit quaternions (F, J, 4), translations (F, J, 3) and scales (F, J, 3); None for 1 everywhere."""

    rotations: Floats
    translations: Floats
    scales: Floats | None

    @classmethod
    def checked(
        cls, skeleton: Skeleton, rotations: ArrayLike, translations: ArrayLike | None, scales: ArrayLike | None
    ) -> JointTransforms:
        """Return arrays of a caller as transforms; joints without translations stay at their rest offsets."""
        joints = skeleton.num_joints
        quaternions = _checked("rotations", rotations, None, joints, 4)
        frames = len(quaternions)
        if translations is None:
            translations = np.tile(np.asarray(skeleton.rest_local)[:, :3, 3], (frames, 1, 1))
        moved = _checked("translations", translations, frames, joints, 3)
        scaled = None if scales is None else _checked("scales", scales, frames, joints, 3)
        return cls(_normalised(quaternions), moved, scaled)

    def replaced(
        self, rotations: ArrayLike | None, translations: ArrayLike | None, scales: ArrayLike | None
    ) -> JointTransforms:
        """Return these with other arrays where they are given."""
        frames, joints = self.translations.shape[:2]
        turned, moved, scaled = self.rotations, self.translations, self.scales
        if rotations is not None:
            turned = _normalised(_checked("rotations", rotations, frames, joints, 4))
        if translations is not None:
            moved = _checked("translations", translations, frames, joints, 3)
        if scales is not None:
            scaled = _checked("scales", scales, frames, joints, 3)
        return JointTransforms(turned, moved, scaled)

    def with_joints(self, rotations: JointValues, translations: JointValues) -> JointTransforms:
        """Return these with other values in some frames of some joints; only these are checked or copied."""
        return JointTransforms(
            _with_joints("rotations", self.rotations, rotations),
            _with_joints("translations", self.translations, translations),
            self.scales,
        )

    def at_frames(self, frames: slice | NDArray[np.intp] | tuple[slice, NDArray[np.intp]]) -> JointTransforms:
        """Return those of some frames, or of (frames, joints); a slice shares their memory."""
        scales = None if self.scales is None else self.scales[frames]
        return JointTransforms(self.rotations[frames], self.translations[frames], scales)

    def equal(self, other: JointTransforms) -> bool:
        """Return whether all numbers are the same."""
        names = ("rotations", "translations", "scales")
        return all(same_values(getattr(self, name), getattr(other, name)) for name in names)

    def global_matrices(self, skeleton: Skeleton) -> Floats:
        """Return the (F, J, 4, 4) global transforms."""
        if rest_shear(skeleton) is None:
            result = forward_kinematics_trs(skeleton, self.rotations, self.translations, self.scales)
        else:
            result = forward_kinematics(skeleton, self.local_matrices(skeleton))
        return np.asarray(result, np.float64)

    def local_matrices(self, skeleton: Skeleton, joints: NDArray[np.intp] | None = None) -> Floats:
        """Return the local transforms (F, J, 4, 4) of all joints, or of some, with the shear of the rest pose."""
        shear = rest_shear(skeleton)
        if shear is not None and joints is not None:
            shear = shear[joints]
        result = np.empty((len(self.rotations), skeleton.num_joints if joints is None else len(joints), 4, 4))
        for first in range(0, len(result), _FRAMES):  # so that the matrices stay in the cache
            own = slice(first, first + _FRAMES)
            part = self.at_frames(own if joints is None else (own, joints))
            compose(part.translations, part.rotations, part.scales if shear is None else None, out=result[own])
            if shear is not None:
                scaled = shear if part.scales is None else shear * part.scales[..., None, :]
                result[own, :, :3, :3] = result[own, :, :3, :3] @ scaled
        return result


_FRAMES = 1024  # that are composed at once
_SHEARED = 1e-5  # a hundred times the rounding of a matrix without shear in single precision
_BLOCK = 2**15  # quaternions that are checked at once, so that temporaries stay in the cache


def rest_shear(skeleton: Skeleton) -> Floats | None:
    """Return H of each joint's rest pose R H S, (J, 3, 3), which all frames share; None where no joint is sheared."""
    shear = np.asarray(decompose(skeleton.rest_local, return_shear=True)[3], np.float64)
    apart = np.abs(shear - np.eye(3)).max(axis=(1, 2)) > _SHEARED
    return np.where(apart[:, None, None], shear, np.eye(3)) if apart.any() else None


def _locked(array: Floats) -> Floats:
    """Return the array itself, read-only from now on."""
    array.flags.writeable = False
    return array


def _owned(array: Any) -> bool:
    """Tell whether nobody can write to the array's memory any more, so that it need not be copied."""
    while isinstance(array, np.ndarray):
        if array.flags.writeable:
            return False
        if array.base is None:
            return True
        array = array.base
    return False


def _checked(name: str, values: ArrayLike, frames: int | None, joints: int, width: int) -> Floats:
    """Return (F, J, width) float64 values that are finite and that nobody else can write to."""
    array = numbers_of(values, name)
    if not (array.dtype == np.float64 and _owned(array)):
        array = np.array(array, np.float64, order="C")
    if array.ndim != 3 or array.shape[1:] != (joints, width) or frames not in (None, len(array)):
        shape = f"({'F' if frames is None else frames}, {joints}, {width})"
        raise ValueError(f"{name} has shape {array.shape}: must be {shape}")
    if not len(array):
        raise ValueError(f"{name} has no frames: a clip needs at least one")
    if not np.isfinite(array).all():
        index = np.argwhere(~np.isfinite(array))[0].tolist()
        raise ValueError(f"{name}{index} is {array[tuple(index)]}: must be finite")
    return _locked(array)


def _with_joints(name: str, values: Floats, changes: JointValues) -> Floats:
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
        result[slice(None) if len(frames) == len(result) else frames, joint] = changed
    return _locked(result)


def _off(rotations: Floats) -> Flags:
    """Return which quaternions differ from unit ones by more than rounding."""
    return np.asarray(np.abs(np.einsum("fji,fji->fj", rotations, rotations) - 1.0) > 1e-14)


def _normalised(rotations: Floats) -> Floats:
    """Return unit quaternions; those that are, up to rounding, keep their bits."""
    step = max(_BLOCK // rotations.shape[1], 1)
    if not any(_off(rotations[first : first + step]).any() for first in range(0, len(rotations), step)):
        return rotations
    off = _off(rotations)
    with np.errstate(over="ignore", under="ignore"):
        largest = np.abs(rotations[off]).max(axis=-1, keepdims=True)
        if not largest.all():
            frame, joint = np.argwhere(off)[int(np.argmin(largest[:, 0]))].tolist()
            raise ValueError(f"rotations[{frame}, {joint}] is zero: a quaternion must have a direction")
        scaled = rotations[off] / largest
    result = rotations.copy()
    result[off] = scaled / np.sqrt(np.einsum("ni,ni->n", scaled, scaled))[:, None]
    return _locked(result)
