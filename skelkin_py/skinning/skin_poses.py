# SPDX-License-Identifier: MIT
"""From joint rotations to skinned points and normals in one call."""

from __future__ import annotations

from typing import Any, overload

import numpy.typing as npt

from .. import _core
from .._support.results import SkinnedMesh
from ..skeleton import Skeleton
from .skin_points import Method, method_number, out_arrays
from .weights import SkinWeights


@overload
def skin_poses(
    points: npt.ArrayLike,
    weights: SkinWeights,
    skeleton: Skeleton,
    rotations: npt.ArrayLike,
    translations: npt.ArrayLike | None = ...,
    scales: npt.ArrayLike | None = ...,
    *,
    normals: None = ...,
    method: Method = ...,
    out: npt.NDArray[Any] | None = ...,
) -> npt.NDArray[Any]: ...


@overload
def skin_poses(
    points: npt.ArrayLike,
    weights: SkinWeights,
    skeleton: Skeleton,
    rotations: npt.ArrayLike,
    translations: npt.ArrayLike | None = ...,
    scales: npt.ArrayLike | None = ...,
    *,
    normals: npt.ArrayLike,
    method: Method = ...,
    out: SkinnedMesh | tuple[Any, Any, Any] | None = ...,
) -> SkinnedMesh: ...


def skin_poses(
    points: npt.ArrayLike,
    weights: SkinWeights,
    skeleton: Skeleton,
    rotations: npt.ArrayLike,
    translations: npt.ArrayLike | None = None,
    scales: npt.ArrayLike | None = None,
    *,
    normals: npt.ArrayLike | None = None,
    method: Method = "linear",
    out: npt.NDArray[Any] | SkinnedMesh | tuple[Any, Any, Any] | None = None,
) -> npt.NDArray[Any] | SkinnedMesh:
    """Move points by poses that are given as the rotations of the joints.

    The same as `forward_kinematics_trs`, `skinning_matrices` and `skin_points` (or `skin_mesh`) one after the other,
    bit for bit, but a few poses at a time: matrices never leave the cache, and besides the result memory is that of a
    few poses however many there are.

    Parameters
    ----------
    points : array_like, (V, 3) or (..., V, 3)
        Rest points in global space, shared by all poses or one set per pose.
    weights : SkinWeights
        Which joints move each vertex, and how much; used as they are.
    skeleton : Skeleton
        Hierarchy, rest offsets and inverse bind matrices; as many joints as ``weights.num_joints``.
    rotations : array_like, (..., J, 4)
        Local rotations as quaternions ``w x y z``; normalised here.
    translations : array_like, (..., J, 3), optional
        Local translations; by default those of the rest pose.
    scales : array_like, (..., J, 3), optional
        Local scales; by default none.
    normals : array_like, (..., V, 3), optional
        Normals of the rest pose, of any length.
    method : {"linear", "dual_quaternion"}
        As for `skin_points`.
    out : ndarray (..., V, 3), or with normals SkinnedMesh or tuple of three, optional
        Where the result goes; may overlap with the inputs (then through a copy). A memory-mapped file may be larger
        than the memory: poses are written in their order.

    Returns
    -------
    ndarray, (..., V, 3), or with normals SkinnedMesh
        Skinned points in global space; with normals these as well, of length 1, and None for tangents. float32 if all
        arrays given are, else float64. Vertices without weight stay where they are.

    Raises
    ------
    ValueError, TypeError
        Wrong shapes or dtypes, a zero or non-finite quaternion (named with its index), a skeleton with another number
        of joints than the weights. Nothing is written then.

    See Also
    --------
    forward_kinematics_trs, skinning_matrices, skin_points, skin_mesh : The steps on their own.

    Notes
    -----
    Linear blend skinning as in Jacobson, Deng, Kavan and Lewis, Skinning: Real-time Shape Deformation (SIGGRAPH 2014
    course), part I section 2. A call cannot be interrupted by Ctrl-C before it is done.

    Examples
    --------
    >>> skeleton = sk.Skeleton([-1, 0], np.tile(np.eye(4), (2, 1, 1)))
    >>> weights = sk.SkinWeights([[1]], [[1.0]], 2)
    >>> half_turn = [[[1, 0, 0, 0], [0, 0, 0, 1]]]
    >>> sk.skin_poses([[1, 2, 3]], weights, skeleton, half_turn)
    array([[[-1., -2.,  3.]]])
    """
    number = method_number(method)
    pose = (rotations, translations, scales)
    if normals is None:
        if isinstance(out, tuple):
            raise TypeError("out is a tuple: without normals it must be one array")
        result: npt.NDArray[Any] = _core.skin_poses(points, weights, skeleton, *pose, None, number, out, None)
        return result
    out_points, out_normals, _ = out_arrays(out, (points, normals, None))
    found = _core.skin_poses(points, weights, skeleton, *pose, normals, number, out_points, out_normals)
    return SkinnedMesh(found[0], found[1], None)
