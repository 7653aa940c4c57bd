# SPDX-License-Identifier: MIT
"""Skinning: points that follow joints."""

from __future__ import annotations

from typing import Any, Literal

import numpy.typing as npt

from . import _core
from .weights import SkinWeights


def skin_points(
    points: npt.ArrayLike,
    weights: SkinWeights,
    matrices: npt.ArrayLike,
    *,
    method: Literal["linear"] = "linear",
    out: npt.NDArray[Any] | None = None,
) -> npt.NDArray[Any]:
    """Move rest points by the blended matrices of their joints.

    Parameters
    ----------
    points : array_like, (V, 3) or (..., V, 3)
        Rest points, shared by all poses or one set per pose.
    weights : SkinWeights
        Which joints move each vertex, and how much; used as they are.
    matrices : array_like, (..., J, 4, 4) or (..., J, 3, 4)
        Skinning matrices (see `skinning_matrices`); J is ``weights.num_joints``.
    method : {"linear"}
        Linear blend skinning: ``sum_k weight_k * matrix_k @ point``.
    out : ndarray, (..., V, 3), optional
        Where the result goes; may overlap with the inputs (then through a copy).

    Returns
    -------
    ndarray, (..., V, 3)
        Skinned points. float32 if all arrays given are, else float64. Vertices without weight stay where they are.

    Raises
    ------
    ValueError, TypeError
        Wrong shapes or dtypes. What is not a number in a matrix spreads to the vertices that its joint moves.

    Notes
    -----
    Each vertex's matrix is blended by fused multiply-add in the order of its influences, then x, y, z and translation
    are summed in this order, so that the bits do not depend on how a batch is cut.

    Examples
    --------
    >>> weights = sk.SkinWeights([[0, 1]], [[0.5, 0.5]], 2)
    >>> matrices = np.tile(np.eye(4), (2, 1, 1))
    >>> matrices[1, :3, 3] = [0, 2, 0]
    >>> sk.skin_points([[1, 0, 0]], weights, matrices)
    array([[1., 1., 0.]])
    """
    if method != "linear":
        raise ValueError(f"method is {method!r}: expected 'linear'")
    return _core.skin_points(points, weights, matrices, out)
