# SPDX-License-Identifier: MIT
"""The pole angle of Blender's IK constraint that leaves a limb where it is."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ..._support.arguments import numbers_of


def pole_angle(first: npt.ArrayLike, tip: npt.ArrayLike, pole: npt.ArrayLike) -> npt.NDArray[np.float64]:
    """Return the ``pole_angle`` with which adding an IK constraint does not turn a chain that has reached its goal.

    Parameters
    ----------
    first : (..., 4, 4) array
        Pose matrix of the chain's first bone (a thigh); its axes may have any length.
    tip, pole : (..., 3) arrays
        The end of the chain and the pole, in the same space.

    Returns
    -------
    angles : (...) float64 array
        Radians, more than -pi and at most pi.

    Raises
    ------
    ValueError
        If the pole lies on the line from the bone's head to the tip, where no angle is right.

    Notes
    -----
    Blender turns the chain so that X cos(angle) + Z sin(angle) of its first bone lies in the plane of goal and pole.

    Examples
    --------
    >>> import numpy as np, skelkin_py as sk
    >>> round(float(sk.blender.pole_angle(np.eye(4), [0, 1, 0], [0, 0.5, 1])), 6)
    1.570796
    """
    matrices = _numbers(first, "first", (4, 4))
    tips, poles = _numbers(tip, "tip", (3,)), _numbers(pole, "pole", (3,))
    head = matrices[..., :3, 3]
    x, z = _unit(matrices[..., :3, 0]), _unit(matrices[..., :3, 2])
    along, aside = tips - head, poles - head
    normal = np.cross(along, aside)
    flat = np.linalg.norm(normal, axis=-1) <= 1e-12 * np.linalg.norm(along, axis=-1) * np.linalg.norm(aside, axis=-1)
    if np.any(flat):
        raise ValueError("pole lies on the line from the first bone's head to tip: no angle is right")
    angle = np.arctan2(-np.sum(x * normal, axis=-1), np.sum(z * normal, axis=-1))
    up = x * np.cos(angle)[..., None] + z * np.sin(angle)[..., None]
    line = _unit(along)
    across = aside - line * np.sum(line * aside, axis=-1, keepdims=True)
    angle = angle + np.where(np.sum(up * across, axis=-1) < 0, np.pi, 0.0)
    wrapped: npt.NDArray[np.float64] = -((np.pi - angle) % (2 * np.pi)) + np.pi
    return wrapped


def _numbers(value: npt.ArrayLike, name: str, trailing: tuple[int, ...]) -> npt.NDArray[Any]:
    array = numbers_of(value, name)
    if array.shape[-len(trailing) :] != trailing:
        raise ValueError(f"{name} has shape {array.shape} and dtype {array.dtype}: expected numbers (..., {trailing})")
    return array.astype(float)


def _unit(vectors: npt.NDArray[Any]) -> npt.NDArray[Any]:
    length = np.linalg.norm(vectors, axis=-1, keepdims=True)
    unit: npt.NDArray[Any] = np.divide(vectors, length, out=np.zeros_like(vectors), where=length > 0)
    return unit
