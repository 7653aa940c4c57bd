# SPDX-License-Identifier: MIT
"""Rotations as quaternions `w x y z`: product, rotation of vectors, shortest arc, interpolation, matrices."""

from __future__ import annotations

from numpy.typing import ArrayLike

from .. import _core
from .._support.array_types import Array


def quaternion_multiply(p: ArrayLike, q: ArrayLike, *, out: Array | None = None) -> Array:
    """Return the rotations that turn by `q` first and by `p` second.

    Parameters
    ----------
    p, q : array_like, (..., 4)
        Quaternions `w x y z`; normalised on input. Leading dimensions broadcast.
    out : ndarray, optional
        Where to write; right shape and dtype. The same array is returned.

    Returns
    -------
    ndarray, (..., 4)
        The unit quaternions p·q, float32 or float64 as the arrays given.

    Raises
    ------
    ValueError
        A quaternion is zero or not finite, or shapes do not fit.

    Examples
    --------
    >>> import skelkin_py as sk
    >>> sk.quaternion_multiply([0, 1, 0, 0], [0, 0, 1, 0])  # i·j = k
    array([0., 0., 0., 1.])
    """
    return _core.quaternion_multiply(p, q, out)


def quaternion_rotate(q: ArrayLike, v: ArrayLike, *, out: Array | None = None) -> Array:
    """Return vectors turned by quaternions.

    Parameters
    ----------
    q : array_like, (..., 4)
        Quaternions `w x y z`; normalised on input.
    v : array_like, (..., 3)
        Vectors. Leading dimensions broadcast with those of `q`.
    out : ndarray, optional
        Where to write; right shape and dtype. The same array is returned.

    Returns
    -------
    ndarray, (..., 3)
        The turned vectors; a NaN in `v` stays in its own row.

    Raises
    ------
    ValueError
        A quaternion is zero or not finite, or shapes do not fit.

    Examples
    --------
    >>> import skelkin_py as sk
    >>> sk.quaternion_rotate([1, 0, 0, 1], [2, 0, 0]).round(6)  # a quarter turn about Z
    array([0., 2., 0.])
    """
    return _core.quaternion_rotate(q, v, out)


def quaternion_between(u: ArrayLike, v: ArrayLike, *, out: Array | None = None) -> Array:
    """Return the smallest rotations that turn the directions `u` onto the directions `v`.

    Parameters
    ----------
    u, v : array_like, (..., 3)
        Directions of any length but zero. Leading dimensions broadcast.
    out : ndarray, optional
        Where to write; right shape and dtype. The same array is returned.

    Returns
    -------
    ndarray, (..., 4)
        Unit quaternions with w ≥ 0. Opposite directions are turned about a fixed perpendicular of `u`.

    Raises
    ------
    ValueError
        A direction is zero or not finite, or shapes do not fit.

    Notes
    -----
    Half the sum and half the difference of the unit vectors are the cosine and the sine of half the angle; the axis is
    taken from the more accurate of the two, so that no precision is lost close to 0° or to 180°.

    Examples
    --------
    >>> import skelkin_py as sk
    >>> sk.quaternion_between([1, 0, 0], [0, 3, 0]).round(6) + 0.0
    array([0.707107, 0.      , 0.      , 0.707107])
    """
    return _core.quaternion_between(u, v, out)


def quaternion_slerp(p: ArrayLike, q: ArrayLike, t: ArrayLike, *, out: Array | None = None) -> Array:
    """Interpolate from `p` to `q` along the shorter arc, at constant angular speed.

    Parameters
    ----------
    p, q : array_like, (..., 4)
        Quaternions `w x y z`; normalised on input.
    t : array_like, (...)
        0 gives `p`, 1 gives `q` (as the one of q and −q that is nearer to p). Broadcasts with the leading
        dimensions of `p` and `q`. Values outside 0..1 continue beyond the ends; finite.
    out : ndarray, optional
        Where to write; right shape and dtype. The same array is returned.

    Returns
    -------
    ndarray, (..., 4)
        Unit quaternions.

    Raises
    ------
    ValueError
        A quaternion is zero or not finite, a `t` is not finite, or shapes do not fit.

    Examples
    --------
    >>> import skelkin_py as sk
    >>> sk.quaternion_slerp([1, 0, 0, 0], [0, 0, 0, 1], [0, 0.5, 1]).round(6)
    array([[1.      , 0.      , 0.      , 0.      ],
           [0.707107, 0.      , 0.      , 0.707107],
           [0.      , 0.      , 0.      , 1.      ]])
    """
    return _core.quaternion_slerp(p, q, t, out)


def quaternion_to_matrix(q: ArrayLike, *, out: Array | None = None) -> Array:
    """Return the rotation matrices of quaternions.

    Parameters
    ----------
    q : array_like, (..., 4)
        Quaternions `w x y z`; normalised on input.
    out : ndarray, optional
        Where to write; right shape and dtype. The same array is returned.

    Returns
    -------
    ndarray, (..., 3, 3)
        Matrices for column vectors.

    Raises
    ------
    ValueError
        A quaternion is zero or not finite, or the shape does not fit.

    Examples
    --------
    >>> import skelkin_py as sk
    >>> sk.quaternion_to_matrix([0, 0, 0, 1])  # half a turn about Z
    array([[-1.,  0.,  0.],
           [ 0., -1.,  0.],
           [ 0.,  0.,  1.]])
    """
    return _core.quaternion_to_matrix(q, out)


def quaternion_from_matrix(m: ArrayLike, *, out: Array | None = None) -> Array:
    """Return the quaternions of rotation matrices.

    Parameters
    ----------
    m : array_like, (..., 3, 3), (..., 3, 4) or (..., 4, 4)
        Matrices; only the upper left 3×3 is read. Scale is divided out of the columns and a mirror image is negated
        first, as `decompose` does.
    out : ndarray, optional
        Where to write; right shape and dtype. The same array is returned.

    Returns
    -------
    ndarray, (..., 4)
        Unit quaternions with w ≥ 0; NaN where the matrix has one.

    Raises
    ------
    ValueError
        The shape does not fit.

    Notes
    -----
    The trace-branch method after M. Day, "Converting a rotation matrix to a quaternion" (Insomniac Games, 2015).

    Examples
    --------
    >>> import skelkin_py as sk
    >>> sk.quaternion_from_matrix([[0, -1, 0], [1, 0, 0], [0, 0, 1]]).round(6)
    array([0.707107, 0.      , 0.      , 0.707107])
    """
    return _core.quaternion_from_matrix(m, out)
