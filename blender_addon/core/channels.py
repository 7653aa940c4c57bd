# SPDX-License-Identifier: GPL-3.0-or-later
"""Rotations as the channels a pose bone has: quaternion, axis and angle, or Euler angles, continuous in time.

Quaternions are ``w x y z``; angles radians; Euler orders spelled in order of application, as Blender does.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

EULER_ORDERS = ("XYZ", "XZY", "YXZ", "YZX", "ZXY", "ZYX")

#: rotation mode → (property of the pose bone, number of channels)
ROTATION_CHANNELS = {
    "QUATERNION": ("rotation_quaternion", 4),
    "AXIS_ANGLE": ("rotation_axis_angle", 4),
    **dict.fromkeys(EULER_ORDERS, ("rotation_euler", 3)),
}

#: columns whose products differ from those of axes by less are a rotation after one step, but for its square
_NEARLY = 1e-5


def rotation_of_basis(
    basis: np.ndarray, scale: np.ndarray, nearest_rotation: Callable[[np.ndarray], np.ndarray]
) -> np.ndarray:
    """Rotation matrices (F, 3, 3) of basis matrices (F, 4, 4) whose scale channels (F, 3) stay as they are.

    Dividing by the scale itself, rather than by the column lengths, keeps mirrored bones mirrored. What shear is left
    cannot be written in channels: there `nearest_rotation`, the native package's, is taken.
    """
    safe = np.where(np.abs(scale) > 1e-12, scale, 1.0)
    columns = basis[:, :3, :3] / safe[:, None, :]
    product = np.swapaxes(columns, 1, 2) @ columns - np.eye(3)
    turned = (np.abs(product).max(axis=(1, 2)) < _NEARLY) & (np.linalg.det(columns) > 0)
    rotations = columns @ (np.eye(3) - product / 2)  # a step towards the nearest rotation
    if not turned.all():
        rotations[~turned] = nearest_rotation(columns[~turned])
    return rotations


def continuous_quaternions(quaternions: np.ndarray, before: np.ndarray) -> np.ndarray:
    """Quaternions (F, 4) with signs that never jump; the first takes the side of ``before`` (4,)."""
    steps = np.vstack([before, quaternions])
    dots = np.einsum("fi,fi->f", steps[1:], steps[:-1])
    signs = np.cumprod(np.where(dots < 0, -1.0, 1.0))
    return quaternions * signs[:, None]


def continuous_axis_angles(quaternions: np.ndarray, before: np.ndarray) -> np.ndarray:
    """Angle and axis (F, 4) of quaternions (F, 4), each nearest to the row before, the first to ``before`` (4,)."""
    vector = quaternions[:, 1:]
    length = np.sqrt(np.einsum("fi,fi->f", vector, vector))
    angle = 2 * np.arctan2(length, quaternions[:, 0])
    out = np.empty((len(quaternions), 4))
    last = np.asarray(before, dtype=np.float64)
    if not np.any(last[1:]):
        last = np.array([last[0], 0.0, 1.0, 0.0])
    for i in range(len(quaternions)):
        axis = vector[i] / length[i] if length[i] > 1e-9 else last[1:]
        turn = angle[i]
        if axis @ last[1:] < 0:
            axis, turn = -axis, -turn
        turn += 2 * np.pi * np.round((last[0] - turn) / (2 * np.pi))
        last = np.concatenate([[turn], axis])
        out[i] = last
    return out
