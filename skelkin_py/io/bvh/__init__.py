# SPDX-License-Identifier: MIT
"""BVH files: text with a hierarchy of joints, and a row of channel values per frame."""

from __future__ import annotations

import numpy as np

from ...kinematics.joint_transforms import rest_shear
from ...motion.clip import Clip
from .reader import read_bvh as read
from .writer import write_bvh as write

__all__ = ["read", "what_is_lost", "write"]


def what_is_lost(clip: Clip) -> tuple[str, ...]:
    """Return what a BVH file cannot hold: scales and shear, which `write` refuses, and rotations of the rest pose."""
    lost = []
    if clip.scales is not None and (np.abs(clip.scales - 1.0) > 1e-6).any():
        lost.append("scales")
    if rest_shear(clip.skeleton) is not None:
        lost.append("shear")
    turned = clip.skeleton.rest_local[:, :3, :3] - np.eye(3)
    if (np.abs(turned) > 1e-9).any():
        lost.append("rotations of the rest pose")
    return tuple(lost)
