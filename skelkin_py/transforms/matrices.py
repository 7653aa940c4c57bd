# SPDX-License-Identifier: MIT
"""Transforms as matrices for column vectors: compose, decompose, invert, change of basis."""

from __future__ import annotations

from typing import Any, Literal, overload

import numpy as np
from numpy.typing import ArrayLike

from .. import _core
from .._support.array_types import Array, Floats


def compose(
    translations: ArrayLike, rotations: ArrayLike, scales: ArrayLike | None = None, *, out: Array | None = None
) -> Array:
    """Return the matrices translation · rotation · scale.

    Parameters
    ----------
    translations : array_like, (..., 3)
        Translations.
    rotations : array_like, (..., 4)
        Quaternions `w x y z`; normalised on input.
    scales : array_like, (..., 3), or float, optional
        Scales along the axes before rotation; one number for all. None is 1.
    out : ndarray, optional
        Where to write; right shape and dtype. The same array is returned.

    Returns
    -------
    ndarray, (..., 4, 4)
        Matrices for column vectors, the translation in `[..., :3, 3]`; leading dimensions broadcast.

    Raises
    ------
    ValueError
        A quaternion is zero or not finite, a scale is not finite, or shapes do not fit.

    Examples
    --------
    >>> import skelkin_py as sk
    >>> sk.compose([5, 6, 7], [1, 0, 0, 0], [1, 2, 3])
    array([[1., 0., 0., 5.],
           [0., 2., 0., 6.],
           [0., 0., 3., 7.],
           [0., 0., 0., 1.]])
    """
    if isinstance(scales, (int, float)) or getattr(scales, "ndim", 1) == 0:
        scales = _three_times(scales)
    return _core.compose(translations, rotations, scales, out)


def _three_times(scale: Any) -> ArrayLike:
    """Return one number as three; an array counts for the dtype of the result, a number does not."""
    return np.broadcast_to(scale, 3, subok=True) if isinstance(scale, np.ndarray) else [scale] * 3


@overload
def decompose(matrices: ArrayLike, *, return_shear: Literal[False] = ...) -> tuple[Array, Array, Array]: ...


@overload
def decompose(matrices: ArrayLike, *, return_shear: Literal[True]) -> tuple[Array, Array, Array, Array]: ...


@overload
def decompose(matrices: ArrayLike, *, return_shear: bool) -> tuple[Array, ...]: ...


def decompose(matrices: ArrayLike, *, return_shear: bool = False) -> tuple[Array, ...]:
    """Return translations, rotations and scales of transforms.

    Parameters
    ----------
    matrices : array_like, (..., 4, 4) or (..., 3, 4)
        Transforms for column vectors.
    return_shear : bool, default False
        Whether to return the shear as a fourth result.

    Returns
    -------
    translations : ndarray, (..., 3)
        The last column.
    rotations : ndarray, (..., 4)
        Unit quaternions with w ≥ 0.
    scales : ndarray, (..., 3)
        The lengths of the columns; all three negated where the determinant is negative.
    shear : ndarray, (..., 3, 3), only with `return_shear`
        H in `linear part = R · H · diag(scales)`, with R the matrix of the rotation: the identity without shear.

    Raises
    ------
    ValueError
        The shape does not fit.

    Notes
    -----
    Columns are normalised before the rotation is read from them (trace branches, see `quaternion_from_matrix`). A
    column of length zero takes the direction perpendicular to the other two. NaN stays in its own matrix.

    Examples
    --------
    >>> import skelkin_py as sk
    >>> t, q, s = sk.decompose(sk.compose([1, 2, 3], [1, 0, 0, 0], [1, 1, -2]))
    >>> t, q, s
    (array([1., 2., 3.]), array([0., 0., 0., 1.]), array([-1., -1., -2.]))
    """
    return _core.decompose(matrices, return_shear)


def nearest_rotation(matrices: ArrayLike) -> Floats:
    """Return the rotations nearest to matrices, by the sum of squared differences.

    Parameters
    ----------
    matrices : array_like, (..., 3, 3)
        Finite matrices.

    Returns
    -------
    ndarray, (..., 3, 3)
        Rotations, also where a matrix mirrors.

    Examples
    --------
    >>> nearest_rotation([[2, 0, 0], [0, 3, 0], [0, 0, -0.1]]).tolist()
    [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
    """
    left, _, right = np.linalg.svd(np.asarray(matrices, np.float64))
    turn = np.linalg.det(left @ right)
    left[..., 2] *= np.where(turn < 0, -1.0, 1.0)[..., None]
    return np.asarray(left @ right)


def invert(matrices: ArrayLike, *, out: Array | None = None) -> Array:
    """Return the inverse transforms.

    Parameters
    ----------
    matrices : array_like, (..., 4, 4) or (..., 3, 4)
        Transforms for column vectors, with any scale and shear. The last row counts as 0 0 0 1.
    out : ndarray, optional
        Where to write; right shape and dtype. The same array is returned.

    Returns
    -------
    ndarray, as `matrices`
        The inverses; NaN where the matrix has one.

    Raises
    ------
    ValueError
        A matrix has no inverse (its index is named), or the shape does not fit.

    Examples
    --------
    >>> import skelkin_py as sk
    >>> sk.invert(sk.compose([2, 0, 0], [1, 0, 0, 0], 2))
    array([[ 0.5,  0. ,  0. , -1. ],
           [ 0. ,  0.5,  0. ,  0. ],
           [ 0. ,  0. ,  0.5,  0. ],
           [ 0. ,  0. ,  0. ,  1. ]])
    """
    return _core.invert(matrices, out)


def invert_rigid(matrices: ArrayLike, *, out: Array | None = None) -> Array:
    """Return the inverses of transforms that only rotate and translate; see `invert_trs` for the costs of inverses.

    Parameters
    ----------
    matrices : array_like, (..., 4, 4) or (..., 3, 4)
        Rotations with a translation, which is not checked. The last row counts as 0 0 0 1.
    out : ndarray, optional
        Where to write; right shape and dtype. The same array is returned.

    Returns
    -------
    ndarray, as `matrices`
        The inverses; NaN stays in its own matrix.

    Raises
    ------
    ValueError
        The shape does not fit.

    Examples
    --------
    >>> import skelkin_py as sk
    >>> sk.invert_rigid(sk.compose([2, 0, 0], [0, 0, 0, 1]))[:3, 3] + 0
    array([2., 0., 0.])
    """
    return _core.invert_rigid(matrices, out)


def invert_trs(matrices: ArrayLike, *, out: Array | None = None) -> Array:
    """Return the inverses of transforms translation · rotation · scale.

    Parameters
    ----------
    matrices : array_like, (..., 4, 4) or (..., 3, 4)
        Transforms as `compose` returns them: perpendicular columns of any length but zero, mirrored or not. This is not
        checked. The last row counts as 0 0 0 1.
    out : ndarray, optional
        Where to write; right shape and dtype. The same array is returned.

    Returns
    -------
    ndarray, as `matrices`
        The inverses; NaN stays in its own matrix.

    Raises
    ------
    ValueError
        A scale is zero (the index of the matrix is named), or the shape does not fit.

    Notes
    -----
    The cost of an inverse, besides reading and writing:

    =================  ============================  ==========================================================
    function           right for                     operations on the linear part
    =================  ============================  ==========================================================
    `invert_rigid`     rotation, translation         none: the transpose
    `invert_trs`       the same with scale           transpose, three squares, 18 divisions
    `invert`           everything with an inverse    nine cofactors, one division, nine products; a second pass
                                                     where the determinant leaves the range of the numbers
    =================  ============================  ==========================================================

    All three invert the translation by one product of matrix and vector. The rows of the inverse of R · S are the
    columns of R · S divided by their squared lengths, so that scales as different as 1e-15 and 1e15 keep full
    precision, which cofactors do not guarantee.

    Examples
    --------
    >>> import skelkin_py as sk
    >>> sk.invert_trs(sk.compose([2, 0, 0], [1, 0, 0, 0], [2, 4, 8]))
    array([[ 0.5  ,  0.   ,  0.   , -1.   ],
           [ 0.   ,  0.25 ,  0.   ,  0.   ],
           [ 0.   ,  0.   ,  0.125,  0.   ],
           [ 0.   ,  0.   ,  0.   ,  1.   ]])
    """
    return _core.invert_trs(matrices, out)


def change_basis(matrices: ArrayLike, from_basis: ArrayLike, to_basis: ArrayLike, *, out: Array | None = None) -> Array:
    """Return transforms expressed in another basis: X · M · X⁻¹ with X = to⁻¹ · from.

    Parameters
    ----------
    matrices : array_like, (..., 4, 4) or (..., 3, 4)
        Transforms expressed in `from_basis`.
    from_basis, to_basis : array_like, (..., 4, 4) or (..., 3, 4)
        Bases: their axes and origins as matrices in a common space. Leading dimensions broadcast.
    out : ndarray, optional
        Where to write; right shape and dtype. The same array is returned.

    Returns
    -------
    ndarray, (..., 4, 4)
        The same transforms expressed in `to_basis`; (..., 3, 4) where `matrices` is.

    Raises
    ------
    ValueError
        A basis has no inverse (named with its index), or shapes do not fit.

    Examples
    --------
    >>> import skelkin_py as sk
    >>> z_up, y_up = sk.compose([0, 0, 0], [1, 0, 0, 0]), sk.compose([0, 0, 0], [1, 1, 0, 0])
    >>> sk.change_basis(sk.compose([0, 0, 1], [1, 0, 0, 0]), z_up, y_up)[:3, 3].round(6)  # Z up becomes Y up
    array([0., 1., 0.])
    """
    return _core.change_basis(matrices, from_basis, to_basis, out)


def change_basis_points(
    points: ArrayLike, from_basis: ArrayLike, to_basis: ArrayLike, *, out: Array | None = None
) -> Array:
    """Return points expressed in another basis: X · p with X = to⁻¹ · from.

    Parameters
    ----------
    points : array_like, (..., 3)
        Points expressed in `from_basis`.
    from_basis, to_basis : array_like, (..., 4, 4) or (..., 3, 4)
        Bases: their axes and origins as matrices in a common space. Leading dimensions broadcast against those of
        `points`, so that bases of shape (F, 1, 4, 4) serve points (F, N, 3).
    out : ndarray, optional
        Where to write; right shape and dtype. The same array is returned.

    Returns
    -------
    ndarray, (..., 3)
        The same points expressed in `to_basis`.

    Raises
    ------
    ValueError
        A basis has no inverse (named with its index), or shapes do not fit.

    Examples
    --------
    >>> import skelkin_py as sk
    >>> metres, feet = sk.compose([0, 0, 0], [1, 0, 0, 0]), sk.compose([0, 0, 0], [1, 0, 0, 0], 0.3048)
    >>> sk.change_basis_points([[3.048, 0, 0]], metres, feet).round(6)
    array([[10.,  0.,  0.]])
    """
    return _core.change_basis_points(points, from_basis, to_basis, out)
