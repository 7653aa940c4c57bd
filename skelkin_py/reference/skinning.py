# SPDX-License-Identifier: MIT
"""Linear blend skinning."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ._algebra import Floats


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


def skin_points(points: ArrayLike, weights: Any, matrices: ArrayLike) -> Floats:
    """Linear skinning: each point goes through the weighted sum of its joints' matrices.

    Parameters
    ----------
    points : array_like (V, 3) or (..., V, 3)
        Points of the bind pose.
    weights : SkinWeights
        `indices` and `weights`, both (V, K), are read. An influence of weight 0 does not touch its joint.
    matrices : array_like (..., J, 4, 4)
        Skinning matrices.

    Returns
    -------
    ndarray (..., V, 3)
        Points; one whose weights are all zero stays where it is.
    """
    points = np.asarray(points, dtype=np.float64)
    matrices = np.asarray(matrices, dtype=np.float64)[..., :3, :]
    indices, w = np.asarray(weights.indices), np.asarray(weights.weights, dtype=np.float64)
    shape = np.broadcast_shapes(points.shape[:-2], matrices.shape[:-3])
    blend = np.zeros((*shape, len(indices), 3, 4))
    for k in range(indices.shape[1]):
        used = w[:, k] != 0
        blend[..., used, :, :] += w[used, k, None, None] * matrices[..., indices[used, k], :, :]
    moved = np.einsum("...vij,...vj->...vi", blend[..., :3], points) + blend[..., 3]
    return np.where((w != 0).any(axis=1)[:, None], moved, points)
