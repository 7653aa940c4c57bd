# SPDX-License-Identifier: MIT
"""Between the rotation channels of BVH files and quaternions.

BVH lists the outermost rotation first: channels ``Zrotation Yrotation Xrotation`` turn a point as
``Rz @ Ry @ Rx @ p``, so that X is applied first, and in the order of application they spell ``"XYZ"``.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ... import _core
from ..._support.array_types import Flags, Floats
from ...transforms import quaternion_from_euler, quaternion_to_euler


def full_axes(axes: Sequence[int]) -> tuple[int, ...]:
    """Return the axes of a joint's rotation channels with the missing ones behind, to be turned by 0."""
    return (*axes, *(axis for axis in (2, 0, 1) if axis not in axes))


def order_of(axes: Sequence[int]) -> str:
    """Return three axes in file order as an Euler order in order of application.

    Examples
    --------
    >>> order_of((2, 1, 0))
    'XYZ'
    """
    return "".join("XYZ"[axis] for axis in reversed(axes))


def rotations_from_channels(degrees: Floats, axes: Sequence[int]) -> Floats:
    """Return the quaternions of rotation channels.

    Parameters
    ----------
    degrees : (..., n) float64 array
        Angles in file order, n = 1, 2 or 3.
    axes : sequence of int
        The axis (0 = X) of each, all different.

    Returns
    -------
    (..., 4) float64 array
        Unit quaternions ``w x y z``.

    Examples
    --------
    >>> rotations_from_channels(np.array([180.0]), (1,)).round(6).tolist()
    [0.0, 0.0, 1.0, 0.0]
    """
    angles = np.zeros((*degrees.shape[:-1], 3))
    angles[..., list(axes)] = np.radians(degrees)
    return np.asarray(quaternion_from_euler(angles, order_of(full_axes(axes))), np.float64)


def channels_from_rotations(
    rotations: Floats, axes: Sequence[int], changed: Flags | None = None, known: Floats | None = None
) -> Floats:
    """Return the three angles of one joint over time, without jumps from frame to frame.

    Two triples of angles, and any full turn added to them, mean the same rotation. Each frame takes the triple nearest
    to that of the frame before it; where a run of changed frames begins, nearest to the known angles there.

    Parameters
    ----------
    rotations : (F, 4) float64 array
        Quaternions ``w x y z``.
    axes : sequence of 3 int
        The axis of each channel in file order, all different.
    changed : (F,) bool array, optional
        Frames to compute; all by default.
    known : (F, 3) float64 array, optional
        Angles that the file has had, in degrees.

    Returns
    -------
    (F, 3) float64 array
        Angles in degrees in file order; the known ones in frames that are not changed.

    Examples
    --------
    >>> turn = np.radians(np.arange(0.0, 720.0, 90.0)) / 2
    >>> q = np.stack([np.cos(turn), 0 * turn, np.sin(turn), 0 * turn], axis=1)
    >>> channels_from_rotations(q, (2, 0, 1))[:, 2].round(6).tolist()
    [0.0, 90.0, 180.0, 270.0, 360.0, 450.0, 540.0, 630.0]
    """
    frames = len(rotations)
    result = np.zeros((frames, 3)) if known is None else np.array(known, np.float64)
    frame_changed = np.ones(frames, bool) if changed is None else changed
    if not frame_changed.any():
        return result
    euler = np.asarray(quaternion_to_euler(rotations, order_of(axes)), np.float64)
    angles = np.ascontiguousarray(np.degrees(euler[:, list(axes)]))
    return _core.smooth_angles(angles, np.ascontiguousarray(frame_changed), None if known is None else result)
