# SPDX-License-Identifier: MIT
"""Forward kinematics: from what each joint does to where everything is."""

from __future__ import annotations

from typing import Any

import numpy.typing as npt

from . import _core
from .skeleton import Skeleton


def forward_kinematics(
    skeleton: Skeleton, local: npt.ArrayLike, *, out: npt.NDArray[Any] | None = None
) -> npt.NDArray[Any]:
    """Turn local matrices into global ones: ``global[j] = global[parent of j] @ local[j]``.

    Parameters
    ----------
    skeleton : Skeleton
        The hierarchy of J joints.
    local : array_like, (..., J, 4, 4) or (..., J, 3, 4)
        Matrix of each joint relative to its parent; the last row is taken to be ``0 0 0 1``. float32 or float64;
        integers count as float64. Any strides of the leading dimensions and of J without a copy.
    out : ndarray, (..., J, 4, 4) or (..., J, 3, 4), optional
        Where the result goes; may overlap with `local` (then through a copy).

    Returns
    -------
    ndarray, (..., J, 4, 4)
        Matrix of each joint in model space, in the dtype of `local`; `out` itself where given.

    Raises
    ------
    ValueError, TypeError
        Wrong shape or dtype. Numbers are not looked at: what is not a number spreads to the joints below it.

    Examples
    --------
    >>> rest = np.tile(np.eye(4), (2, 1, 1))
    >>> rest[:, 1, 3] = 1
    >>> skeleton = sk.Skeleton([-1, 0], rest)
    >>> sk.forward_kinematics(skeleton, rest)[1, :3, 3]
    array([0., 2., 0.])
    """
    return _core.forward_kinematics(skeleton, local, out)


def forward_kinematics_trs(
    skeleton: Skeleton,
    rotations: npt.ArrayLike,
    translations: npt.ArrayLike | None = None,
    scales: npt.ArrayLike | None = None,
    *,
    out: npt.NDArray[Any] | None = None,
) -> npt.NDArray[Any]:
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
    out : ndarray, (..., J, 4, 4) or (..., J, 3, 4), optional
        Where the result goes; may overlap with the inputs (then through a copy).

    Returns
    -------
    ndarray, (..., J, 4, 4)
        Matrix of each joint in model space. float32 if all arrays given are, else float64.

    Raises
    ------
    ValueError
        Wrong shapes, or a quaternion that is zero or not finite; the message names its index, nothing is written.

    Examples
    --------
    >>> rest = np.tile(np.eye(4), (2, 1, 1))
    >>> rest[1, :3, 3] = [0, 1, 0]
    >>> skeleton = sk.Skeleton([-1, 0], rest)
    >>> quarter_turn_about_z = [np.sqrt(0.5), 0, 0, np.sqrt(0.5)]
    >>> sk.forward_kinematics_trs(skeleton, [quarter_turn_about_z, [1, 0, 0, 0]])[1, :3, 3].round(6)
    array([-1.,  0.,  0.])
    """
    return _core.forward_kinematics_trs(skeleton, rotations, translations, scales, out)


def local_from_global(
    skeleton: Skeleton, global_: npt.ArrayLike, *, out: npt.NDArray[Any] | None = None
) -> npt.NDArray[Any]:
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
    ValueError
        A parent's matrix without an inverse (a scale of 0); the message names its index, nothing is written.

    Examples
    --------
    >>> rest = np.tile(np.eye(4), (2, 1, 1))
    >>> rest[:, 1, 3] = 1
    >>> skeleton = sk.Skeleton([-1, 0], rest)
    >>> np.array_equal(sk.local_from_global(skeleton, skeleton.rest_global), rest)
    True
    """
    return _core.local_from_global(skeleton, global_, out)


def skinning_matrices(
    skeleton: Skeleton, global_: npt.ArrayLike, *, out: npt.NDArray[Any] | None = None
) -> npt.NDArray[Any]:
    """Return what moves rest points along with each joint: ``global @ inverse_bind``.

    Parameters
    ----------
    skeleton : Skeleton
        Its `inverse_bind` is used.
    global_ : array_like, (..., J, 4, 4) or (..., J, 3, 4)
        Matrix of each joint in model space.
    out : ndarray, (..., J, 4, 4) or (..., J, 3, 4), optional
        Where the result goes; may overlap with `global_` (then through a copy).

    Returns
    -------
    ndarray, (..., J, 4, 4)
        Skinning matrices, in the dtype of `global_`.

    Examples
    --------
    >>> rest = np.tile(np.eye(4), (2, 1, 1))
    >>> rest[1, :3, 3] = [0, 1, 0]
    >>> skeleton = sk.Skeleton([-1, 0], rest)
    >>> np.allclose(sk.skinning_matrices(skeleton, skeleton.rest_global), np.eye(4))
    True
    """
    return _core.skinning_matrices(skeleton, global_, out)
