# SPDX-License-Identifier: MIT
"""Dual-quaternion skinning: rigid parts are blended as motions, what is left of each matrix is blended as a matrix.

Kavan, Collins, Zara, O'Sullivan, "Skinning with Dual Quaternions", 2007: a rigid motion, rotation q and translation t,
is the pair (q, t q / 2), and a weighted sum of such pairs, divided by the length of its first half, is a rigid motion
again. Scale and shear have no place in such a pair: each matrix is split into a rotation and a symmetric residual
(polar decomposition), and the residuals act on the rest point first.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ._algebra import Floats, conjugate, from_matrix, length, multiply, to_matrix


class RigidParts(NamedTuple):
    """Each matrix as ``translation @ rotation @ residual``."""

    real: Floats  # (..., J, 4) the rotation
    dual: Floats  # (..., J, 4) half the translation times the rotation
    residual: Floats  # (..., J, 3, 3) symmetric; the identity where the matrix is rigid


def split(matrices: Floats) -> RigidParts:
    """Split matrices (..., J, 3 or 4, 4) into the nearest rotation, a symmetric residual and the translation.

    A mirroring matrix M has no near rotation: that of -M is taken, and its residual mirrors.
    """
    linear, t = matrices[..., :3, :3], matrices[..., :3, 3]
    sign = np.where(np.linalg.det(linear) < 0, -1.0, 1.0)[..., None, None]
    u, _, vt = np.linalg.svd(sign * linear)
    u[..., :, 2] *= np.linalg.det(u @ vt)[..., None]  # -1 is possible only where the smallest singular value is 0
    rotation = u @ vt
    residual = rotation.swapaxes(-1, -2) @ linear
    real = from_matrix(rotation)
    pure = np.concatenate([np.zeros((*t.shape[:-1], 1)), t], axis=-1)
    return RigidParts(real, 0.5 * multiply(pure, real), residual)


def pivots(indices: np.ndarray, weights: Floats) -> np.ndarray:
    """Return the column of the largest weight in each row (V, K); of equals the one with the lowest joint.

    A joint that is named more than once has the sum of its weights.

    Quaternions q and -q are the same rotation, but not in a sum: every influence takes the sign that is nearer to
    this one. The choice depends on the weights alone, not on the order in which they are listed.
    """
    same = indices[:, :, None] == indices[:, None, :]
    totals = np.where(weights != 0, np.where(same, weights[:, None, :], 0).sum(axis=2), -np.inf)
    largest = totals == totals.max(axis=1, keepdims=True)
    return np.asarray(np.argmin(np.where(largest, indices, indices.max(initial=0) + 1), axis=1))


def blend(matrices: Floats, indices: np.ndarray, weights: Floats) -> tuple[Floats, Floats]:
    """Return what moves each vertex: ``linear @ point + translation``.

    Parameters
    ----------
    matrices : ndarray (..., J, 3 or 4, 4)
        Skinning matrices.
    indices, weights : ndarray (V, K)
        Influences; those of weight 0 touch nothing, and each row has at least one other.

    Returns
    -------
    linear : ndarray (..., V, 3, 3)
        Blended rotation times blended residual.
    translation : ndarray (..., V, 3)
        Of the blended motion.
    """
    used = np.unique(indices[weights != 0])
    number = np.zeros(matrices.shape[-3], np.int64)
    number[used] = np.arange(len(used))
    parts = split(matrices[..., used, :, :])
    at = number[np.where(weights != 0, indices, used[:1])]
    chosen = at[np.arange(len(at)), pivots(indices, weights)]
    pivot = parts.real[..., chosen, :]
    shape = (*matrices.shape[:-3], len(indices))
    real, dual, residual = np.zeros((*shape, 4)), np.zeros((*shape, 4)), np.zeros((*shape, 3, 3))
    for k in range(indices.shape[1]):
        w, joint = weights[:, k, None], at[:, k]
        near = np.where(np.sum(pivot * parts.real[..., joint, :], axis=-1, keepdims=True) < 0, -1.0, 1.0)
        on = w != 0
        real += np.where(on, w * near * parts.real[..., joint, :], 0.0)
        dual += np.where(on, w * near * parts.dual[..., joint, :], 0.0)
        residual += np.where(on[..., None], w[..., None] * (parts.residual[..., joint, :, :] - np.eye(3)), 0.0)
    size = length(real)
    cancelled = size == 0
    real = np.where(cancelled, pivot, real / np.where(cancelled, 1.0, size))
    dual = np.where(cancelled, parts.dual[..., chosen, :], dual / np.where(cancelled, 1.0, size))
    return to_matrix(real) @ (np.eye(3) + residual), 2 * multiply(dual, conjugate(real))[..., 1:]
