# SPDX-License-Identifier: MIT
"""The frames in which limits are told: their axes, the rest rotation they count from, and those of knees."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from ._support.arguments import Floats
from .skeleton import Skeleton, joint_number

if TYPE_CHECKING:
    from .legs import Leg


def limit_frame(axis: Sequence[float]) -> Floats:
    """Return the axes (3, 3) of a limit as columns: two across the unit vector `axis`, then `axis` itself."""
    unit = np.array(axis, float)
    k = int(np.argmax(np.abs(unit)))
    main = np.zeros(3)
    main[k] = 1.0 if unit[k] > 0 else -1.0
    first = np.zeros(3)
    first[(k + 1) % 3] = 1.0
    # The shortest arc from `main` to `axis`, never near a half turn.
    v, c = np.cross(main, unit), float(main @ unit)
    cross = np.array([[0, -v[2], v[1]], [v[2], 0, -v[0]], [-v[1], v[0], 0]])
    first = (np.eye(3) + cross + cross @ cross / (1 + c)) @ first
    return np.stack([first, np.cross(unit, first), unit], axis=-1)


def rest_rotation(skeleton: Skeleton, joint: int) -> Floats:
    """Return the rotation (3, 3) of a joint in the rest pose; a mirroring one with all three scales negated."""
    u, _, vt = np.linalg.svd(skeleton.rest_local[joint, :3, :3])
    rotation = u @ vt
    return np.asarray(rotation if np.linalg.det(rotation) > 0 else -rotation)


def knee_axis(skeleton: Skeleton, leg: Leg, i: int) -> tuple[Floats, float]:
    """Return the axis of a knee in the frame of its joint, and the angle by which the rest pose bends it."""
    if not hasattr(leg, "chain") or not hasattr(leg, "bend"):
        raise TypeError(f"legs[{i}] is {leg!r}: a Leg is needed")
    upper, lower, end = (joint_number(skeleton, joint, f"legs[{i}].chain") for joint in leg.chain)
    rest = skeleton.rest_global
    parent = int(skeleton.parents[lower])
    into = np.linalg.inv(rest[parent, :3, :3])
    u = into @ (rest[lower, :3, 3] - rest[upper, :3, 3])
    v = into @ (rest[end, :3, 3] - rest[lower, :3, 3])
    product = float(np.linalg.norm(u) * np.linalg.norm(v))
    if not product > 0:
        raise ValueError(f"legs[{i}] has a bone of length 0: its knee has no axis")
    axis = np.cross(u, v)
    angle = float(np.arctan2(np.linalg.norm(axis), u @ v))
    if not np.linalg.norm(axis) >= 1e-3 * product:
        axis = np.cross(into @ np.asarray(leg.bend, float), u + v)
        angle = 0.0
    if not np.linalg.norm(axis) > 1e-9 * float(np.linalg.norm(u + v)):
        raise ValueError(f"legs[{i}] is straight and its bend is {leg.bend}: the knee's axis is not known")
    return rest_rotation(skeleton, lower).T @ axis, angle
