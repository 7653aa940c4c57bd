# SPDX-License-Identifier: MIT
"""Skinning: points, normals and tangents that follow joints, given as matrices or as rotations."""

from __future__ import annotations

from typing import Any, Literal, overload

import numpy.typing as npt

from .. import _core
from .._support.arguments import index_array, meaning_of
from .._support.array_types import Array
from .._support.results import SkinnedMesh
from ..skeleton import Skeleton
from .weights import SkinWeights

Method = Literal["linear", "dual_quaternion"]
_METHODS = {"linear": 0, "dual_quaternion": 1}


def skin_points(
    points: npt.ArrayLike,
    weights: SkinWeights,
    matrices: npt.ArrayLike,
    *,
    method: Method = "linear",
    out: Array | None = None,
) -> Array:
    """Move the points of a skin with its joints.

    Parameters
    ----------
    points : array_like, (V, 3) or (..., V, 3)
        Rest points, shared by all poses or one set per pose.
    weights : SkinWeights
        Which joints move each vertex, and how much; used as they are.
    matrices : array_like, (..., J, 4, 4) or (..., J, 3, 4)
        Skinning matrices (see `skinning_matrices`); J is ``weights.num_joints``.
    method : {"linear", "dual_quaternion"}
        Linear: ``sum_k weight_k * matrix_k @ point``. Dual quaternion: the motions are blended instead of the matrices,
        which keeps twisted limbs from thinning (see Notes).
    out : ndarray, (..., V, 3), optional
        Where the result goes; may overlap with the inputs (then through a copy).

    Returns
    -------
    ndarray, (..., V, 3)
        Skinned points. float32 if all arrays given are, else float64. Vertices without weight stay where they are.

    Raises
    ------
    ValueError, TypeError
        A shape or dtype is wrong. NaN in a matrix is not an error: it spreads to the vertices that its joint moves.

    Notes
    -----
    Linear: each vertex's matrix is blended by fused multiply-add in the order of its influences, then x, y, z and
    translation are summed in this order, so that the bits do not depend on how a batch is cut.

    Dual quaternion: L. Kavan, S. Collins, J. Zara, C. O'Sullivan, "Skinning with Dual Quaternions", I3D 2007,
    section 4. Rigid motions have no scale, so each matrix is split into a motion and a residual that goes first (polar
    decomposition: N. Higham, 1986); residuals are blended linearly and applied to the rest point, then the motions are
    blended and applied. A matrix that mirrors keeps the mirror in its residual. Quaternions q and -q mean the same
    rotation; each influence takes the sign that is nearer to the influence of largest weight (of equals, the lowest
    joint), so that the order of influences does not matter. Where motions cancel each other that influence moves alone.

    Examples
    --------
    >>> weights = sk.SkinWeights([[0, 1]], [[0.5, 0.5]], 2)
    >>> matrices = np.tile(np.eye(4), (2, 1, 1))
    >>> matrices[1, :3, 3] = [0, 2, 0]
    >>> sk.skin_points([[1, 0, 0]], weights, matrices)
    array([[1., 1., 0.]])
    >>> matrices[1] = np.diag([-1, -1, 1, 1])  # half a turn about z: a quarter is half way
    >>> sk.skin_points([[1, 0, 0]], weights, matrices, method="dual_quaternion").round(6) + 0.0
    array([[0., 1., 0.]])
    """
    return _core.skin_points(points, weights, matrices, meaning_of("method", method, _METHODS), out)


def out_arrays(out: Any, given: tuple[Any, Any, Any]) -> tuple[Any, Any, Any]:
    """Return the three arrays of `out`; those of results that are not computed must be None."""
    if out is None:
        return None, None, None
    if not isinstance(out, tuple) or len(out) != 3:
        raise TypeError("out must be a SkinnedMesh, or a tuple of three: points, normals, tangents")
    for name, array, source in zip(SkinnedMesh._fields, out, given, strict=True):
        if array is not None and source is None:
            raise ValueError(f"out.{name} is given: there are no {name} to write there")
    return out


def skin_mesh(
    points: npt.ArrayLike,
    weights: SkinWeights,
    matrices: npt.ArrayLike,
    *,
    normals: npt.ArrayLike | None = None,
    tangents: npt.ArrayLike | None = None,
    corners: npt.ArrayLike | None = None,
    method: Method = "linear",
    out: SkinnedMesh | tuple[Any, Any, Any] | None = None,
) -> SkinnedMesh:
    """Move the points, normals and tangents of a skin with its joints.

    Parameters
    ----------
    points : array_like, (V, 3) or (..., V, 3)
        Rest points, shared by all poses or one set per pose.
    weights : SkinWeights
        Which joints move each vertex, and how much; used as they are.
    matrices : array_like, (..., J, 4, 4) or (..., J, 3, 4)
        Skinning matrices (see `skinning_matrices`); J is ``weights.num_joints``.
    normals : array_like, (..., V, 3), optional
        Normals of the rest pose, of any length.
    tangents : array_like, (..., V, 3) or (..., V, 4), optional
        Tangents of the rest pose; a fourth number, the handedness, is copied.
    corners : array_like of int, (C,), optional
        The vertex of each corner of the faces. With it normals and tangents are one per corner (face-varying):
        (..., C, 3 or 4).
    method : {"linear", "dual_quaternion"}
        As for `skin_points`.
    out : SkinnedMesh or tuple of three, optional
        Arrays for points, normals and tangents, or None for the ones to be made. They may overlap with the inputs (then
        through a copy).

    Returns
    -------
    SkinnedMesh
        `points` (..., V, 3), `normals` and `tangents` (None where none were given). float32 if all arrays given are,
        else float64. A vertex without weight keeps its point, normal and tangent as they are.

    Raises
    ------
    ValueError, TypeError
        A shape or dtype is wrong, or a corner is not a vertex. NaN is not an error: it spreads to what depends on it.

    Notes
    -----
    A normal stays at right angles to the surface when it goes through the inverse transpose of the blended matrix,
    which is taken as its matrix of cofactors with the sign of the determinant; a tangent lies in the surface and goes
    through the matrix itself (OpenGL Programming Guide, "Transforming Normals"). Both get length 1; where the blended
    matrix leaves nothing of them they are 0 0 0. With dual quaternions the blended residual acts in this way, then
    the blended rotation.

    Examples
    --------
    >>> weights = sk.SkinWeights([[0]], [[1.0]], 1)
    >>> wide = np.diag([2.0, 1.0, 1.0, 1.0])[None]
    >>> moved = sk.skin_mesh([[1, 0, 0]], weights, wide, normals=[[1, 1, 0]], tangents=[[1, -1, 0, -1]])
    >>> moved.points
    array([[2., 0., 0.]])
    >>> moved.normals.round(3)
    array([[0.447, 0.894, 0.   ]])
    >>> moved.tangents.round(3)
    array([[ 0.894, -0.447,  0.   , -1.   ]])
    """
    number = meaning_of("method", method, _METHODS)
    arrays = out_arrays(out, (points, normals, tangents))
    # A copy, which no other thread can change between the check and the use.
    ids = None if corners is None else index_array(corners, "corners", 1, "(C,)").copy()
    return SkinnedMesh(*_core.skin_mesh(points, weights, matrices, normals, tangents, ids, number, *arrays))


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
    out: Array | None = ...,
) -> Array: ...


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
    out: Array | SkinnedMesh | tuple[Any, Any, Any] | None = None,
) -> Array | SkinnedMesh:
    """Move the points of a skin by poses that are given as rotations of the joints.

    The result equals that of `forward_kinematics_trs`, `skinning_matrices` and `skin_points` (or `skin_mesh`) in turn,
    bit for bit. A few poses are computed at a time, so that matrices stay in the cache and memory does not grow with
    the number of poses.

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
        Local scales; 1 by default.
    normals : array_like, (..., V, 3), optional
        Normals of the rest pose, of any length.
    method : {"linear", "dual_quaternion"}
        As for `skin_points`.
    out : ndarray (..., V, 3), or with normals SkinnedMesh or tuple of three, optional
        Where the result goes; may overlap with the inputs (then through a copy). It may be a memory-mapped file larger
        than memory: poses are written in order.

    Returns
    -------
    ndarray, (..., V, 3), or with normals SkinnedMesh
        Skinned points in global space; with normals these as well, of length 1, and None for tangents. float32 if all
        arrays given are, else float64. Vertices without weight stay where they are.

    Raises
    ------
    ValueError, TypeError
        A shape or dtype is wrong, a quaternion is zero or not finite (the message names its index), or the skeleton has
        another number of joints than the weights. Nothing is written then.

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
    number = meaning_of("method", method, _METHODS)
    pose = (rotations, translations, scales)
    if normals is None:
        if isinstance(out, tuple):
            raise TypeError("out is a tuple: without normals it must be one array")
        result: Array = _core.skin_poses(points, weights, skeleton, *pose, None, number, out, None)
        return result
    out_points, out_normals, _ = out_arrays(out, (points, normals, None))
    found = _core.skin_poses(points, weights, skeleton, *pose, normals, number, out_points, out_normals)
    return SkinnedMesh(found[0], found[1], None)
