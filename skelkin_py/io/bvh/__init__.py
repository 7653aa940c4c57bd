# SPDX-License-Identifier: MIT
"""BVH files: text with a hierarchy of joints, and a row of channel values per frame."""

from __future__ import annotations

import os

import numpy as np

from ...kinematics.joint_transforms import rest_shear
from ...motion.clip import Clip
from .reader import read_bvh
from .writer import write_bvh

__all__ = ["read", "what_is_lost", "write"]


def read(path: str | os.PathLike[str], fps: float | None = None, *, strict: bool = False, root: str = "auto") -> Clip:
    """Read a BVH file, see `reader.read_bvh`."""
    return read_bvh(path, fps=fps, strict=strict, root=root)


def write(path: str | os.PathLike[str], clip: Clip) -> None:
    """Write a BVH file, see `writer.write_bvh`."""
    write_bvh(path, clip)


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
