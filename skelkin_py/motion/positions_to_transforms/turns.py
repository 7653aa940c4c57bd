# SPDX-License-Identifier: MIT
"""Rotations, as matrices, that bring directions and shapes to where they are in every frame."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]

# Of the largest extent of a shape, its second one: up to the first it tells no turn about its line, from the second on
# it tells all of it.
_ON_A_LINE, _IN_A_PLANE = 0.02, 0.08
_CARRIED = 0.05  # how much a turn that is carried counts beside a shape on a line, of its extent
_ROUNDS = 3  # means of turned shapes, and turns to their mean, by turns
_NOWHERE = 0.1  # of a bone: a mean direction that is shorter is none


def smoothstep(x: FloatArray | float, low: float, high: float) -> FloatArray:
    """Return 0 up to `low`, 1 from `high` on, and between them a smooth way up."""
    t = np.clip((np.asarray(x) - low) / (high - low), 0.0, 1.0)
    return np.asarray(t * t * (3.0 - 2.0 * t))


def units(vectors: FloatArray) -> FloatArray:
    """Return vectors (..., 3) with length 1; those of no length as they are."""
    lengths = np.linalg.norm(vectors, axis=-1, keepdims=True)
    return np.asarray(vectors / np.where(lengths > 0.0, lengths, 1.0))


def turned_back(turns: FloatArray, vectors: FloatArray) -> FloatArray:
    """Return vectors (F, ..., 3) seen in axes (F, 3, 3)."""
    return np.asarray(np.einsum("fij,f...i->f...j", turns, vectors))


def shortest_turns(start: FloatArray, end: FloatArray) -> FloatArray:
    """Return the least rotations (F, 3, 3) that turn the directions `start` into `end`, (F, 3) each."""
    a, b = units(np.broadcast_to(start, end.shape)), units(end)
    normal, cosine = np.cross(a, b), np.einsum("fi,fi->f", a, b)
    out = np.zeros((len(end), 3, 3))
    out[:, range(3), range(3)] = cosine[:, None]
    for i, j, k in ((0, 1, 2), (1, 2, 0), (2, 0, 1)):
        out[:, j, i], out[:, i, j] = normal[:, k], -normal[:, k]
    opposite = cosine < -1.0 + 1e-12
    out += np.einsum("fi,fj->fij", normal, normal) / np.where(opposite, 1.0, 1.0 + cosine)[:, None, None]
    for f in np.flatnonzero(opposite):
        axis = np.cross(a[f], np.eye(3)[int(np.argmin(np.abs(a[f])))])
        axis /= np.linalg.norm(axis)
        out[f] = 2.0 * np.outer(axis, axis) - np.eye(3)
    out[~(np.abs(a).any(axis=1) & np.abs(b).any(axis=1))] = np.eye(3)
    return out


def mean_shape(carried: FloatArray, now: FloatArray) -> FloatArray:
    """Return where children (F, n, 3) are on average (n, 3) in their parents' axes, as far away as mostly."""
    seen = turned_back(carried, now)
    lengths = np.median(np.linalg.norm(seen, axis=-1), axis=0)
    mean = seen.mean(axis=0)
    if (np.linalg.norm(mean, axis=-1) < _NOWHERE * lengths).any():
        mean = seen[0]
    return np.asarray(units(mean) * lengths[:, None])


def least_turns(carried: FloatArray, offset: FloatArray, now: FloatArray) -> FloatArray:
    """Return the parents' rotations (F, 3, 3) turned as little as points `offset` (3,) to `now` (F, 3)."""
    before = np.einsum("fij,j->fi", carried, offset)
    return np.asarray(shortest_turns(before, now) @ carried)


def shape_turns(carried: FloatArray, now: FloatArray, shape: FloatArray) -> tuple[FloatArray, FloatArray, bool]:
    """Return the turns (F, 3, 3) of children (F, n, 3), the mean of their shape (n, 3), and if it tells all of them.

    Children on a line tell no turn about it: there it is that of the parents, `carried`, as far as it can be. The mean
    lies as `shape` does.
    """
    turns, told = _best_turns(shape, now, carried)
    for _ in range(_ROUNDS):
        shape = mean_shape(turns, now)
        turns, told = _best_turns(shape, now, carried)
    return turns, shape, told


def _best_turns(shape: FloatArray, now: FloatArray, carried: FloatArray) -> tuple[FloatArray, bool]:
    extents = np.linalg.svd(shape, compute_uv=False)
    extents_now = np.linalg.svd(now, compute_uv=False)
    if not extents[0] > 0.0:
        return np.array(carried), False
    spread = np.minimum(extents[1] / extents[0], extents_now[:, 1] / np.maximum(extents_now[:, 0], 1e-300))
    doubt = 1.0 - smoothstep(spread, _ON_A_LINE, _IN_A_PLANE)
    line = np.linalg.svd(shape, full_matrices=False)[2][0]
    line *= 1.0 if float((shape @ line).sum()) >= 0.0 else -1.0
    weights = shape @ line
    near = least_turns(carried, line, np.einsum("n,fni->fi", weights, now))
    size = (_CARRIED * extents[0]) ** 2 * doubt
    left, _, right = np.linalg.svd(np.einsum("fni,nj->fij", now, shape) + size[:, None, None] * near)
    left[:, :, 2] *= np.sign(np.linalg.det(left) * np.linalg.det(right))[:, None]
    return left @ right, bool(extents[1] > _IN_A_PLANE * extents[0])
