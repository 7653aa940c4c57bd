# SPDX-License-Identifier: MIT
"""Skinning: points, normals and tangents that follow the joints."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from . import dual_quaternion
from ._algebra import Floats, length
from .kinematics import forward_kinematics_trs


def skinning_matrices(skeleton: Any, global_: ArrayLike) -> Floats:
    """Return ``global @ inverse_bind``: what carries points of the bind pose into the pose.

    Parameters
    ----------
    skeleton : Skeleton
        Only `inverse_bind` (J, 4, 4) is read.
    global_ : array_like (..., J, 4, 4)
        In the space of the model.

    Returns
    -------
    ndarray (..., J, 4, 4)
        Skinning matrices.
    """
    return np.asarray(np.asarray(global_, dtype=np.float64) @ skeleton.inverse_bind)


def skin_points(points: ArrayLike, weights: Any, matrices: ArrayLike, *, method: str = "linear") -> Floats:
    """Carry each point along with its joints.

    Parameters
    ----------
    points : array_like (V, 3) or (..., V, 3)
        Points of the bind pose.
    weights : SkinWeights
        `indices` and `weights`, both (V, K), are read. An influence of weight 0 does not touch its joint.
    matrices : array_like (..., J, 4, 4)
        Skinning matrices.
    method : {"linear", "dual_quaternion"}
        Linear: each point goes through the weighted sum of its joints' matrices.

    Returns
    -------
    ndarray (..., V, 3)
        Points; one whose weights are all zero stays where it is.
    """
    return skin_mesh(points, weights, matrices, method=method)[0]


def skin_mesh(
    points: ArrayLike,
    weights: Any,
    matrices: ArrayLike,
    *,
    normals: ArrayLike | None = None,
    tangents: ArrayLike | None = None,
    corners: ArrayLike | None = None,
    method: str = "linear",
) -> tuple[Floats, Floats | None, Floats | None]:
    """Carry points, and the normals and tangents at them, along with the joints.

    A surface keeps its normals at right angles when they go through the inverse transpose of what its points go
    through; tangents lie in the surface and go through the same matrix as the points. Both get length 1.

    Parameters
    ----------
    points, weights, matrices, method
        As for `skin_points`.
    normals : array_like (..., V, 3), optional
        Normals of the bind pose.
    tangents : array_like (..., V, 3) or (..., V, 4), optional
        Tangents of the bind pose; a fourth number, the handedness, is passed on.
    corners : array_like of int (C,), optional
        The vertex of each face corner; normals and tangents are then one per corner, (..., C, 3 or 4).

    Returns
    -------
    points : ndarray (..., V, 3)
        As from `skin_points`.
    normals : ndarray (..., V or C, 3), or None
        Of length 1; 0 0 0 where the blended matrix leaves no direction.
    tangents : ndarray (..., V or C, 3 or 4), or None
        Of length 1, apart from the handedness.

    Notes
    -----
    A vertex whose weights are all zero keeps its point, normal and tangent as they are.
    """
    points = np.asarray(points, dtype=np.float64)
    matrices = np.asarray(matrices, dtype=np.float64)[..., :3, :]
    indices, w = np.asarray(weights.indices), np.asarray(weights.weights, dtype=np.float64)
    moved = (w != 0).any(axis=1)
    linear = np.broadcast_to(np.eye(3), (*matrices.shape[:-3], len(indices), 3, 3)).copy()
    shift = np.zeros(linear.shape[:-1])
    if moved.any():
        blend = dual_quaternion.blend if method == "dual_quaternion" else _linear_blend
        linear[..., moved, :, :], shift[..., moved, :] = blend(matrices, indices[moved], w[moved])
    result = np.where(moved[:, None], np.einsum("...vij,...vj->...vi", linear, points) + shift, points)
    at = slice(None) if corners is None else np.asarray(corners, dtype=np.int64)
    linear, moved = linear[..., at, :, :], moved[at]
    return result, _skin_normals(normals, linear, moved), _skin_tangents(tangents, linear, moved)


def _linear_blend(matrices: Floats, indices: Floats, weights: Floats) -> tuple[Floats, Floats]:
    blend = np.zeros((*matrices.shape[:-3], len(indices), 3, 4))
    for k in range(indices.shape[1]):
        used = weights[:, k] != 0
        blend[..., used, :, :] += weights[used, k, None, None] * matrices[..., indices[used, k], :, :]
    return blend[..., :3], blend[..., 3]


def _inverse_transpose(linear: Floats) -> Floats:
    """Return the inverse transpose; of a matrix without an inverse its cofactors, which it is a multiple of."""
    flat = np.linalg.det(linear) == 0
    inverse = np.linalg.inv(np.where(flat[..., None, None], np.eye(3), linear))
    a, b, c = linear[..., 0], linear[..., 1], linear[..., 2]
    cofactors = np.stack([np.cross(b, c), np.cross(c, a), np.cross(a, b)], axis=-1)
    return np.where(flat[..., None, None], cofactors, inverse.swapaxes(-1, -2))


def _direction(v: Floats) -> Floats:
    """Return `v` at length 1; 0 0 0 as it is, and what is not a number stays that."""
    size = length(v)
    return np.asarray(v / np.where(size == 0, 1.0, size))


def _skin_normals(normals: ArrayLike | None, linear: Floats, moved: Floats) -> Floats | None:
    if normals is None:
        return None
    n = np.asarray(normals, dtype=np.float64)
    turned = _direction(np.einsum("...vij,...vj->...vi", _inverse_transpose(linear), n))
    return np.where(moved[:, None], turned, n)


def _skin_tangents(tangents: ArrayLike | None, linear: Floats, moved: Floats) -> Floats | None:
    if tangents is None:
        return None
    t = np.asarray(tangents, dtype=np.float64)
    turned = _direction(np.einsum("...vij,...vj->...vi", linear, t[..., :3]))
    hand = np.broadcast_to(t[..., 3:], (*turned.shape[:-1], t.shape[-1] - 3))
    return np.where(moved[:, None], np.concatenate([turned, hand], axis=-1), t)


def skin_poses(
    points: ArrayLike,
    weights: Any,
    skeleton: Any,
    rotations: ArrayLike,
    translations: ArrayLike | None = None,
    scales: ArrayLike | None = None,
    *,
    normals: ArrayLike | None = None,
    method: str = "linear",
) -> Floats | tuple[Floats, Floats | None, Floats | None]:
    """From the rotations of the joints to skinned points in one call.

    Parameters
    ----------
    points, weights, normals, method
        As for `skin_mesh`.
    skeleton, rotations, translations, scales
        As for `forward_kinematics_trs`.

    Returns
    -------
    ndarray (..., V, 3), or with `normals` what `skin_mesh` returns
        Skinned points.
    """
    global_ = forward_kinematics_trs(skeleton, rotations, translations, scales)
    result = skin_mesh(points, weights, skinning_matrices(skeleton, global_), normals=normals, method=method)
    return result[0] if normals is None else result
