# SPDX-License-Identifier: MIT
"""Joint limits by looking at all that is allowed."""

from __future__ import annotations

from typing import Any

import numpy as np

from ._algebra import Floats, nearest_rotation, quaternion_about, to_matrix


def frame(axis: Any) -> Floats:
    """Return two axes across `axis` and the axis itself as columns."""
    unit = np.asarray(axis, dtype=np.float64)
    k = int(np.argmax(np.abs(unit)))
    coordinate = np.eye(3)[k] * np.sign(unit[k])
    half = coordinate + unit
    half = half / np.linalg.norm(half)  # two reflections, in the coordinate plane and in the one across `half`, turn
    arc = (np.eye(3) - 2 * np.outer(half, half)) @ (np.eye(3) - 2 * np.outer(coordinate, coordinate))
    first = arc @ np.eye(3)[(k + 1) % 3]
    return np.stack([first, np.cross(unit, first), unit], axis=-1)


def rest_rotation(skeleton: Any, joint: int) -> Floats:
    """Return the rotation of a joint in the rest pose, of a mirroring one that of the negated axes."""
    rotation = nearest_rotation(np.asarray(skeleton.rest_local[joint, :3, :3]))
    return np.asarray(rotation * np.sign(np.linalg.det(rotation)))


def rotation(skeleton: Any, joint: int, limit: Any, swing: Floats, twist: Floats) -> Floats:
    """Return the local rotations (..., 3, 3) for swings (..., 2), as rotation vectors, and twists (...)."""
    angle = np.linalg.norm(swing, axis=-1, keepdims=True)
    towards = np.concatenate([swing, np.zeros_like(angle)], axis=-1) / np.where(angle > 0, angle, 1.0)
    towards = np.where(angle > 0, towards, np.array([1.0, 0.0, 0.0]))
    along = np.broadcast_to(np.array([0.0, 0.0, 1.0]), towards.shape)
    about = twist[..., None]
    inside = to_matrix(quaternion_about(towards, np.cos(angle), np.sin(angle))) @ to_matrix(
        quaternion_about(along, np.cos(about), np.sin(about))
    )
    axes = frame(limit.axis)
    return np.asarray(rest_rotation(skeleton, joint) @ axes @ inside @ axes.T)


def bounds(limit: Any) -> tuple[Floats, Floats]:
    """Return the half angles (2,) of the swing and the range (2,) of the twist."""
    swing = getattr(limit, "swing", (0.0, 0.0))
    twist = limit.twist if hasattr(limit, "twist") else (limit.min, limit.max)
    return np.asarray(swing, dtype=np.float64), np.asarray(twist, dtype=np.float64)


def grid(skeleton: Any, joint: int, limit: Any, rings: int, places: int, twists: int) -> Floats:
    """Return local rotations (N, 3, 3) all over what is allowed, its boundary included."""
    half, ends = bounds(limit)
    r, a, t = np.meshgrid(
        np.linspace(0, 1, rings),
        np.linspace(0, 2 * np.pi, places),
        np.linspace(float(ends[0]), float(ends[1]), twists),
        indexing="ij",
    )
    if not half.any():
        r, a, t = r[:1, :1], a[:1, :1], t[:1, :1]
    swing = np.stack([half[0] * r * np.cos(a), half[1] * r * np.sin(a)], axis=-1)
    return rotation(skeleton, joint, limit, swing.reshape(-1, 2), t.reshape(-1))


def nearest(skeleton: Any, joint: int, limit: Any, given: Floats, rounds: int = 30) -> Floats:
    """Return the nearest of all allowed local rotations, for rotations (N, 3, 3): a grid, then ever finer ones."""
    half, ends = bounds(limit)
    result = np.empty_like(given)
    for i, matrix in enumerate(given):
        centre, reach = np.array([0.5, np.pi, ends.mean()]), np.array([0.5, np.pi, (ends[1] - ends[0]) / 2])
        for step in range(rounds):
            count = 25 if step == 0 else 9
            axes = [np.linspace(c - w, c + w, count) for c, w in zip(centre, reach, strict=True)]
            r, a, t = (x.ravel() for x in np.meshgrid(*axes, indexing="ij"))
            r, t = np.clip(r, 0, 1), np.clip(t, ends[0], ends[1])
            swing = np.stack([half[0] * r * np.cos(a), half[1] * r * np.sin(a)], axis=-1)
            candidates = rotation(skeleton, joint, limit, swing, t)
            k = int(np.argmax(np.einsum("nij,ij->n", candidates, matrix)))
            centre, reach = np.array([r[k], a[k], t[k]]), reach * (0.2 if step == 0 else 0.6)
        result[i] = candidates[k]
    return result
