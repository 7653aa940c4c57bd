# SPDX-License-Identifier: GPL-3.0-or-later
"""Values of one property of one bone over the frames, and rotations in the mode that the bone has."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...core import channels


class Channel(NamedTuple):
    """Values (F, size) for one property of one bone."""

    bone: str
    channel: str
    values: np.ndarray


def rotation_channel(package, bone, basis: np.ndarray, scale: np.ndarray, before: np.ndarray) -> Channel:
    """Return the rotation (in the bone's mode) of a basis; ``before`` is what the first frame is continuous with."""
    mode = bone.rotation_mode
    channel, _ = channels.ROTATION_CHANNELS[mode]
    matrices = channels.rotation_of_basis(basis, scale, package.transforms.nearest_rotation)
    quaternions = package.quaternion_from_matrix(matrices)
    if mode == "QUATERNION":
        return Channel(bone.name, channel, channels.continuous_quaternions(quaternions, before))
    if mode == "AXIS_ANGLE":
        return Channel(bone.name, channel, channels.continuous_axis_angles(quaternions, before))
    angles = package.quaternion_to_euler(quaternions, mode)
    return Channel(bone.name, channel, package.transforms.continuous_euler(angles, mode, before))
