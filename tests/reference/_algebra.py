# SPDX-License-Identifier: MIT
"""The few vector and quaternion formulas that the reference shares."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[Any]


def dot(u: Floats, v: Floats) -> Floats:
    """Dot product over the last dimension, which is kept."""
    return np.asarray(np.sum(u * v, axis=-1, keepdims=True))


def length(v: Floats) -> Floats:
    """Length over the last dimension, which is kept."""
    return np.sqrt(dot(v, v))


def unit(v: Floats, otherwise: Floats | float = 0.0) -> Floats:
    """Return `v` at length 1, and `otherwise` where its length is zero."""
    size = length(v)
    return np.where(size > 0, v / np.where(size > 0, size, 1.0), otherwise)


def perpendicular(v: Floats, axis: Floats) -> Floats:
    """Return the part of `v` at right angles to the unit vector `axis`."""
    return np.asarray(v - dot(v, axis) * axis)


def perpendicular_unit(v: Floats, axis: Floats) -> Floats:
    """Return the direction of that part; made perpendicular twice, since the first time may leave only rounding."""
    return unit(perpendicular(unit(perpendicular(v, axis)), axis))


def any_perpendicular(axis: Floats) -> Floats:
    """Return a unit vector at right angles to the unit vector `axis`, always the same one."""
    smallest = np.argmin(np.abs(axis), axis=-1)
    return perpendicular_unit(np.eye(3)[smallest], axis)


def smoothstep(x: Floats) -> Floats:
    """Go from 0 at x <= 0 to 1 at x >= 1 with a continuous slope."""
    x = np.clip(x, 0.0, 1.0)
    return np.asarray(x * x * (3 - 2 * x))


def multiply(p: Floats, q: Floats) -> Floats:
    """Hamilton product: first `q`, then `p`."""
    pw, pv, qw, qv = p[..., :1], p[..., 1:], q[..., :1], q[..., 1:]
    return np.concatenate([pw * qw - dot(pv, qv), pw * qv + qw * pv + np.cross(pv, qv)], axis=-1)


def conjugate(q: Floats) -> Floats:
    """Return the inverse of a unit quaternion."""
    return np.asarray(q * np.array([1.0, -1.0, -1.0, -1.0]))


def rotate(q: Floats, v: Floats) -> Floats:
    """Turn vectors by unit quaternions."""
    twice = 2 * np.cross(q[..., 1:], v)
    return np.asarray(v + q[..., :1] * twice + np.cross(q[..., 1:], twice))


def quaternion_about(axis: Floats, cosine: Floats, sine: Floats) -> Floats:
    """Return the turn about a unit `axis` whose angle has this cosine and sine, without trigonometry.

    Half-angle formulas lose digits where their square root is near zero, so the larger of the two halves is
    taken from its root and the other from the sine.
    """
    small = cosine >= 0
    root = np.sqrt((1 + np.abs(cosine)) / 2)
    other = sine / (2 * root)
    w = np.where(small, root, np.abs(other))
    s = np.where(small, other, np.where(sine < 0, -root, root))
    return np.concatenate([w, s * axis], axis=-1)


def shortest_arc(u: Floats, v: Floats, otherwise: Floats) -> Floats:
    """Return the smallest turn that takes the unit vector `u` to `v`; `otherwise` is its axis where they are opposite.

    Beyond a right angle the axis is made perpendicular to `u` once more: near opposite directions the cross
    product is mostly rounding, and an axis that leans would miss `v`.
    """
    cross = np.cross(u, v)
    sine = length(cross)
    axis = np.where(sine > 1e-14, unit(cross), perpendicular_unit(otherwise, u))
    axis = np.where(dot(u, v) < 0, perpendicular_unit(axis, u), axis)
    return quaternion_about(axis, dot(u, v), sine)


def partial_turn(q: Floats, amount: Floats) -> Floats:
    """Return slerp(1, q, amount), the shorter way; a half turn the way in which it is written."""
    q = np.where(q[..., :1] < -1e-12, -q, q)
    sine = length(q[..., 1:])
    half = np.arctan2(sine, q[..., :1]) * amount
    return np.concatenate([np.cos(half), np.sin(half) * unit(q[..., 1:])], axis=-1)


def to_matrix(q: Floats) -> Floats:
    """Return the (..., 3, 3) matrix of unit quaternions: its columns are the turned axes."""
    columns = [rotate(q, np.broadcast_to(axis, (*q.shape[:-1], 3))) for axis in np.eye(3)]
    return np.stack(columns, axis=-1)


def nearest_rotation(m: Floats) -> Floats:
    """Return the orthogonal matrix nearest to each (..., 3, 3) matrix; a mirroring one stays mirroring."""
    u, _, vt = np.linalg.svd(m)
    return np.asarray(u @ vt)


def from_matrix(m: Floats) -> Floats:
    """Return unit quaternions of (..., 3, 3) rotations: the eigenvector of the largest eigenvalue.

    For a rotation of q, ``q.T @ K @ q`` with the symmetric matrix K below is largest at q itself (Bar-Itzhack, "New
    Method for Extracting the Quaternion from a Rotation Matrix", 2000).
    """
    k = np.empty((*m.shape[:-2], 4, 4))
    k[..., 0, 0] = np.trace(m, axis1=-2, axis2=-1)
    for i in range(3):
        after, last = (i + 1) % 3, (i + 2) % 3
        k[..., 0, i + 1] = k[..., i + 1, 0] = m[..., last, after] - m[..., after, last]
        for j in range(3):
            k[..., i + 1, j + 1] = m[..., i, j] + m[..., j, i] - (k[..., 0, 0] if i == j else 0.0)
    _, vectors = np.linalg.eigh(k)
    return np.asarray(vectors[..., :, -1])
