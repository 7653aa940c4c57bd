# SPDX-License-Identifier: MIT
"""Forward kinematics: from local transforms to global ones, and back."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from .. import _core
from .._support.arguments import array_of, check_word, index_array
from .._support.array_types import Array, Ints
from .._support.results import RestRelative
from ..skeleton import Skeleton, checked_skeleton, joint_number

# Joints by number or name.
Joint = int | str
Joints = Iterable[int | str] | npt.NDArray[np.integer[Any]]


def forward_kinematics(
    skeleton: Skeleton,
    local: npt.ArrayLike,
    *,
    joints: Joints | None = None,
    start: Joint | None = None,
    out: Array | None = None,
) -> Array:
    """Turn local matrices into global ones: ``global[j] = global[parent of j] @ local[j]``.

    Parameters
    ----------
    skeleton : Skeleton
        The hierarchy of J joints.
    local : array_like, (..., J, 4, 4) or (..., J, 3, 4)
        Matrix of each joint relative to its parent; the last row is taken to be ``0 0 0 1``. float32 or float64;
        integers count as float64. Any strides of the leading dimensions and of J without a copy.
    joints : sequence of int or str, (N,), optional
        Joints by number or name, in any order, repeats allowed: the result has just their matrices, and only they and
        the joints above them are evaluated.
    start : int or str, optional
        A joint by number or name. `out` then holds earlier results, and only `start` and all joints below it are
        computed again: the parent of `start` is read from `out`, and other matrices are not changed.
    out : ndarray, (..., J, 4, 4) or (..., J, 3, 4), optional
        Where the result goes, (..., N, 4, 4) with `joints`; needed with `start`; may overlap with `local` (then
        through a copy).

    Returns
    -------
    ndarray, (..., J, 4, 4) or (..., N, 4, 4)
        Matrix of each joint in model space, in the dtype of `local`; `out` itself where given.

    Raises
    ------
    ValueError, TypeError
        The shape or dtype is wrong, or there is no such joint: ``joints[3] is 99: there is no joint of this number``.
        Values are not checked: NaN spreads to the joints below.

    Examples
    --------
    >>> rest = np.tile(np.eye(4), (2, 1, 1))
    >>> rest[:, 1, 3] = 1
    >>> skeleton = sk.Skeleton([-1, 0], rest)
    >>> sk.forward_kinematics(skeleton, rest)[1, :3, 3]
    array([0., 2., 0.])

    One joint only, and a pose that changes from a joint on:

    >>> sk.forward_kinematics(skeleton, rest, joints=[1]).shape
    (1, 4, 4)
    >>> pose = sk.forward_kinematics(skeleton, rest)
    >>> rest[1, 1, 3] = 2
    >>> sk.forward_kinematics(skeleton, rest, start=1, out=pose)[1, :3, 3]
    array([0., 3., 0.])
    """
    if joints is None and start is None:
        return _core.forward_kinematics(skeleton, local, out, None, None)
    return _core.forward_kinematics(skeleton, local, out, *_part(skeleton, joints, start, out))


def forward_kinematics_trs(
    skeleton: Skeleton,
    rotations: npt.ArrayLike,
    translations: npt.ArrayLike | None = None,
    scales: npt.ArrayLike | None = None,
    *,
    joints: Joints | None = None,
    start: Joint | None = None,
    out: Array | None = None,
) -> Array:
    """Turn local rotations, translations and scales into global matrices.

    The local matrix of a joint is ``T @ R @ S``: scale first, then rotation, then translation. Scale and shear go on to
    the children.

    Parameters
    ----------
    skeleton : Skeleton
        The hierarchy of J joints.
    rotations : array_like, (..., J, 4)
        Quaternions ``w x y z`` relative to the parent, of any length but 0.
    translations : array_like, (..., J, 3), optional
        Relative to the parent; the translations of `Skeleton.rest_local` where left out.
    scales : array_like, (..., J, 3), optional
        Along the joint's own axes; 1 where left out.
    joints : sequence of int or str, (N,), optional
        Joints by number or name, in any order, repeats allowed: the result has just their matrices, and only they and
        the joints above them are evaluated.
    start : int or str, optional
        A joint by number or name. `out` then holds earlier results, and only `start` and all joints below it are
        computed again: the parent of `start` is read from `out`, and other matrices are not changed.
    out : ndarray, (..., J, 4, 4) or (..., J, 3, 4), optional
        Where the result goes, (..., N, 4, 4) with `joints`; needed with `start`; may overlap with the inputs (then
        through a copy).

    Returns
    -------
    ndarray, (..., J, 4, 4) or (..., N, 4, 4)
        Matrix of each joint in model space. float32 if all arrays given are, else float64.

    Raises
    ------
    ValueError, TypeError
        A shape or dtype is wrong, there is no such joint, or a quaternion of an evaluated joint is zero or not finite;
        the message names its index, and nothing is written.

    Examples
    --------
    >>> rest = np.tile(np.eye(4), (2, 1, 1))
    >>> rest[1, :3, 3] = [0, 1, 0]
    >>> skeleton = sk.Skeleton([-1, 0], rest)
    >>> quarter_turn_about_z = [np.sqrt(0.5), 0, 0, np.sqrt(0.5)]
    >>> sk.forward_kinematics_trs(skeleton, [quarter_turn_about_z, [1, 0, 0, 0]])[1, :3, 3].round(6)
    array([-1.,  0.,  0.])
    """
    if joints is None and start is None:
        return _core.forward_kinematics_trs(skeleton, rotations, translations, scales, out, None, None)
    part = _part(skeleton, joints, start, out)
    return _core.forward_kinematics_trs(skeleton, rotations, translations, scales, out, *part)


def _part(
    skeleton: Skeleton, joints: Joints | None, start: Joint | None, out: object
) -> tuple[Ints | None, int | None]:
    """Return a new array of joint numbers, or the number of the first joint."""
    checked_skeleton(skeleton)
    if start is not None:
        if joints is not None:
            raise ValueError("joints and start exclude each other: give one of them")
        if out is None:
            raise ValueError("start needs out: the earlier matrices")
        return None, joint_number(skeleton, start, "start")
    if isinstance(joints, np.ndarray):
        joints = array_of(joints, "joints")
        if joints.ndim != 1:
            raise ValueError(f"joints has shape {joints.shape}: expected (N,)")
        if joints.dtype.kind in "iu":
            return index_array(joints, "joints", 1, "(N,)").copy(), None
    if isinstance(joints, str) or not isinstance(joints, Iterable):
        raise TypeError(f"joints is {joints!r}: expected a sequence of joints")
    numbers = [joint_number(skeleton, joint, f"joints[{i}]") for i, joint in enumerate(joints)]
    return np.array(numbers, np.int64), None


def rest_relative(
    skeleton: Skeleton,
    rotations: npt.ArrayLike,
    *,
    axes: Literal["posed", "rest"] = "posed",
    out: RestRelative | tuple[Array | None, Array | None] | None = None,
) -> RestRelative:
    """Convert rotations of the joints relative to their rest pose to rigid motions of the rest pose.

    Joint i moves a point p of the rest pose, given in model space, to ``Q_i p + t_i``. It turns about its own rest
    position x_i, as moved by its parent p: ``t_i = Q_p x_i + t_p - Q_i x_i``. Roots have ``Q_p = 1`` and ``t_p = 0``.

    Parameters
    ----------
    skeleton : Skeleton
        The hierarchy of J joints; only the positions of `rest_global` are used, not its axes and scales.
    rotations : array_like, (..., J, 4)
        q of each joint: its rotation relative to its parent, a quaternion ``w x y z`` of any length but 0. The identity
        keeps the rest pose.
    axes : {"posed", "rest"}
        The axes of q. ``"posed"``: those of model space; q is applied after the parents' rotations, ``Q_i = q_i Q_p``.
        ``"rest"``: axes fixed to the character, which are those of model space in the rest pose and turn with the
        parents; ``Q_i = Q_p q_i``.
    out : RestRelative or tuple of two, optional
        Arrays (..., J, 4) for the rotations and (..., J, 3) for the translations, or None for the one to be made; may
        overlap with `rotations` (then through a copy).

    Returns
    -------
    RestRelative
        Rotations Q (..., J, 4), of unit length at every joint, and translations t (..., J, 3), in the dtype of
        `rotations`.

    Raises
    ------
    ValueError, TypeError
        `axes` is another word, a shape or dtype is wrong, or a quaternion is zero or not finite; the message names its
        index, and nothing is written.

    Notes
    -----
    The recursion over the parents, and blending the motions linearly or as dual quaternions, is that of the course
    notes by A. Jacobson, Z. Deng, L. Kavan and J. P. Lewis, "Skinning: Real-time Shape Deformation" (SIGGRAPH 2014).

    Examples
    --------
    A knee at height 1 bends by a quarter turn about z; a point above it moves beside it:

    >>> rest = np.tile(np.eye(4), (2, 1, 1))
    >>> rest[1, :3, 3] = [0, 1, 0]
    >>> skeleton = sk.Skeleton([-1, 0], rest)
    >>> quarter_turn_about_z = [np.sqrt(0.5), 0, 0, np.sqrt(0.5)]
    >>> motion = sk.rest_relative(skeleton, [[1, 0, 0, 0], quarter_turn_about_z])
    >>> point = [0, 3, 0]
    >>> (sk.quaternion_rotate(motion.rotations[1], point) + motion.translations[1]).round(6)
    array([-2.,  1.,  0.])
    """
    check_word("axes", axes, ("posed", "rest"))
    if out is not None and not (isinstance(out, tuple) and len(out) == 2):
        raise TypeError("out must be a tuple of two arrays: rotations and translations")
    return RestRelative(*_core.rest_relative(skeleton, rotations, axes == "rest", out))


def local_from_global(skeleton: Skeleton, global_: npt.ArrayLike, *, out: Array | None = None) -> Array:
    """Turn global matrices into local ones: ``local[j] = inverse(global[parent of j]) @ global[j]``.

    Parameters
    ----------
    skeleton : Skeleton
        The hierarchy of J joints.
    global_ : array_like, (..., J, 4, 4) or (..., J, 3, 4)
        Matrix of each joint in model space.
    out : ndarray, (..., J, 4, 4) or (..., J, 3, 4), optional
        Where the result goes; may overlap with `global_` (then through a copy).

    Returns
    -------
    ndarray, (..., J, 4, 4)
        Matrix of each joint relative to its parent, in the dtype of `global_`; computed in float64 and rounded once.

    Raises
    ------
    ValueError, TypeError
        The shape or dtype is wrong, or a parent's matrix has no inverse (a scale of 0); the message names its index,
        and nothing is written.

    Examples
    --------
    >>> rest = np.tile(np.eye(4), (2, 1, 1))
    >>> rest[:, 1, 3] = 1
    >>> skeleton = sk.Skeleton([-1, 0], rest)
    >>> np.array_equal(sk.local_from_global(skeleton, skeleton.rest_global), rest)
    True
    """
    return _core.local_from_global(skeleton, global_, out)


def skinning_matrices(skeleton: Skeleton, global_: npt.ArrayLike, *, out: Array | None = None) -> Array:
    """Return the matrices that move rest points with each joint: ``global @ inverse_bind``.

    Parameters
    ----------
    skeleton : Skeleton
        The skeleton with the `inverse_bind` matrices.
    global_ : array_like, (..., J, 4, 4) or (..., J, 3, 4)
        Matrix of each joint in model space.
    out : ndarray, (..., J, 4, 4) or (..., J, 3, 4), optional
        Where the result goes; may overlap with `global_` (then through a copy).

    Returns
    -------
    ndarray, (..., J, 4, 4)
        Skinning matrices, in the dtype of `global_`.

    Raises
    ------
    ValueError, TypeError
        The shape or dtype is wrong; nothing is written. NaN stays in its own matrix.

    Examples
    --------
    >>> rest = np.tile(np.eye(4), (2, 1, 1))
    >>> rest[1, :3, 3] = [0, 1, 0]
    >>> skeleton = sk.Skeleton([-1, 0], rest)
    >>> np.allclose(sk.skinning_matrices(skeleton, skeleton.rest_global), np.eye(4))
    True
    """
    return _core.skinning_matrices(skeleton, global_, out)


def relative_transform(
    skeleton: Skeleton, local: npt.ArrayLike, from_joint: int | str, to_joint: int | str, *, out: Array | None = None
) -> Array:
    """Return the matrices that convert coordinates in the frame of one joint to the frame of another.

    Parameters
    ----------
    skeleton : Skeleton
        The hierarchy.
    local : array_like, (..., J, 4, 4) or (..., J, 3, 4)
        Matrix of each joint relative to its parent. float32 or float64; integers count as float64.
    from_joint, to_joint : int or str
        Joints by number or name.
    out : ndarray, (..., 4, 4) or (..., 3, 4), optional
        Where the result goes; may overlap with `local` (then through a copy).

    Returns
    -------
    ndarray, (..., 4, 4)
        ``inverse(global[to_joint]) @ global[from_joint]``: a point fixed to `from_joint`, seen from `to_joint`. In the
        dtype of `local`; `out` itself where given.

    Raises
    ------
    ValueError, TypeError
        There is no such joint; a joint between `to_joint` and the common ancestor has no inverse (the message names its
        index); shapes or dtypes do not fit. Nothing is written then.

    Notes
    -----
    Only the joints below the lowest common ancestor of the two are multiplied; nothing above it is read, so that a
    character far from the origin loses no precision. Joints of different trees meet in model space.

    Examples
    --------
    >>> rest = np.tile(np.eye(4), (3, 1, 1))
    >>> rest[:, 0, 3] = [1e8, 1, 2]
    >>> skeleton = sk.Skeleton([-1, 0, 0], rest, ["pelvis", "left", "right"])
    >>> sk.relative_transform(skeleton, rest, "right", "left")[:3, 3]
    array([1., 0., 0.])
    """
    first, last = joint_number(skeleton, from_joint, "from_joint"), joint_number(skeleton, to_joint, "to_joint")
    return _core.relative_transform(skeleton, local, first, last, out)
