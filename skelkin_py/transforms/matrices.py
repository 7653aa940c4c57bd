# SPDX-License-Identifier: MIT
"""Transforms as matrices for column vectors: compose, decompose, invert, change of basis."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ._blocks import Array, Operand, Rows, apply, result_dtype, unit, vectors
from ._blocks import matrices as _transforms
from .quaternions import quaternion_rows, rotation_rows, split_scale


def compose(translations: ArrayLike, rotations: ArrayLike, scales: ArrayLike | None = None) -> Array:
    """Return the matrices translation · rotation · scale.

    Parameters
    ----------
    translations : array_like, (..., 3)
        Translations.
    rotations : array_like, (..., 4)
        Quaternions `w x y z`; normalised on input.
    scales : array_like, (..., 3), or float, optional
        Scales along the axes before rotation; one number for all. None is 1.

    Returns
    -------
    ndarray, (..., 4, 4)
        Matrices for column vectors, the translation in `[..., :3, 3]`; leading dimensions broadcast.

    Raises
    ------
    ValueError
        A quaternion is zero or not finite, or shapes do not fit.

    Examples
    --------
    >>> import skelkin_py as sk
    >>> sk.compose([5, 6, 7], [1, 0, 0, 0], [1, 2, 3])
    array([[1., 0., 0., 5.],
           [0., 2., 0., 6.],
           [0., 0., 3., 7.],
           [0., 0., 0., 1.]])
    """
    operands = [vectors("translations", translations, 3), vectors("rotations", rotations, 4, "quaternion")]
    if scales is not None:
        operands.append(vectors("scales", np.full(3, scales) if np.ndim(scales) == 0 else scales, 3))
    dtype = result_dtype(translations=translations, rotations=rotations, scales=scales)
    return apply(_compose_kernel, operands, [(4, 4)], dtype)[0]


def _compose_kernel(*rows: Array) -> Rows:
    t, scales = rows[:3], rows[7:]
    r = rotation_rows(*unit(*rows[3:7]))
    if scales:
        r = tuple(entry * scales[i % 3] for i, entry in enumerate(r))
    return _affine(r, t)


def _affine(linear: Rows, translation: Rows) -> Rows:
    """Return the sixteen entries of a transform; the last row as numbers that fill their column."""
    zero, one = (np.array([value], linear[0].dtype) for value in (0.0, 1.0))
    top = (*linear[:3], translation[0], *linear[3:6], translation[1], *linear[6:], translation[2])
    return (*top, zero, zero, zero, one)


def decompose(matrices: ArrayLike, *, return_shear: bool = False) -> tuple[Array, ...]:
    """Return translations, rotations and scales of transforms.

    Parameters
    ----------
    matrices : array_like, (..., 4, 4) or (..., 3, 4)
        Transforms for column vectors.
    return_shear : bool, default False
        Return what rotation and scale do not express as a fourth result.

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
    column of length zero takes the direction across the other two. NaN stays in its own matrix.

    Examples
    --------
    >>> import skelkin_py as sk
    >>> t, q, s = sk.decompose(sk.compose([1, 2, 3], [1, 0, 0, 0], [1, 1, -2]))
    >>> t, q, s
    (array([1., 2., 3.]), array([0., 0., 0., 1.]), array([-1., -1., -2.]))
    """
    cores: list[tuple[int, ...]] = [(3,), (4,), (3,)]
    if return_shear:
        cores.append((3, 3))

    def kernel(*m: Array) -> Rows:
        linear, scales = split_scale(m[:3] + m[4:7] + m[8:11])
        q = quaternion_rows(linear)
        found = (m[3], m[7], m[11], *q, *scales)
        return found + _product3(_transposed3(rotation_rows(*q)), linear) if return_shear else found

    return tuple(apply(kernel, [_transforms("matrices", matrices)], cores, result_dtype(matrices=matrices)))


def _transposed3(m: Rows) -> Rows:
    return m[0], m[3], m[6], m[1], m[4], m[7], m[2], m[5], m[8]


def _product3(a: Rows, b: Rows) -> Rows:
    """Return the nine entries of the product of two 3×3 matrices."""
    return tuple(
        a[3 * r] * b[c] + a[3 * r + 1] * b[3 + c] + a[3 * r + 2] * b[6 + c] for r in range(3) for c in range(3)
    )


def _product34(a: Rows, b: Rows) -> Rows:
    """Return the twelve entries of the product of two transforms."""
    return tuple(
        a[4 * r] * b[c] + a[4 * r + 1] * b[4 + c] + a[4 * r + 2] * b[8 + c] + (a[4 * r + 3] if c == 3 else 0.0)
        for r in range(3)
        for c in range(4)
    )


def invert(matrices: ArrayLike) -> Array:
    """Return the inverse transforms.

    Parameters
    ----------
    matrices : array_like, (..., 4, 4) or (..., 3, 4)
        Transforms for column vectors, with any scale and shear. The last row counts as 0 0 0 1.

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
    operand = _transforms("matrices", matrices)
    dtype = result_dtype(matrices=matrices)
    full, determinant = apply(_invert_kernel, [operand], [(4, 4), ()], dtype)
    limit = np.finfo(dtype)
    size = np.abs(determinant)
    doubtful = ~((size > float(limit.tiny) * 1e6) & (size < float(limit.max) * 1e-6))
    if doubtful.any():
        # Products of three entries have left the range of the dtype, or there is no inverse: ask LAPACK.
        for index in zip(*np.nonzero(np.atleast_1d(doubtful))):
            _invert_one(operand, full, index if operand.lead else ())
    return full if np.shape(matrices)[-2] == 4 else full[..., :3, :]


def _invert_one(operand: Operand, full: Array, index: tuple[Any, ...]) -> None:
    matrix = operand.values[index].astype(np.float64)
    if not np.isfinite(matrix).all():
        full[index][:3] = np.nan
        return
    try:
        linear = np.linalg.inv(matrix[:, :3])
    except np.linalg.LinAlgError:
        where = f"[{', '.join(str(int(i)) for i in index)}]" if index else ""
        raise ValueError(f"matrices{where} is {matrix.tolist()}: a singular matrix has no inverse") from None
    full[index][:3, :3] = linear
    full[index][:3, 3] = -linear @ matrix[:, 3]


def _invert_kernel(*m: Array) -> Rows:
    with np.errstate(all="ignore"):
        a, b, c = m[5] * m[10] - m[6] * m[9], m[2] * m[9] - m[1] * m[10], m[1] * m[6] - m[2] * m[5]
        determinant = m[0] * a + m[4] * b + m[8] * c
        k = 1.0 / determinant
        linear = (
            a * k, b * k, c * k,
            (m[6] * m[8] - m[4] * m[10]) * k, (m[0] * m[10] - m[2] * m[8]) * k, (m[2] * m[4] - m[0] * m[6]) * k,
            (m[4] * m[9] - m[5] * m[8]) * k, (m[1] * m[8] - m[0] * m[9]) * k, (m[0] * m[5] - m[1] * m[4]) * k,
        )  # fmt: skip
        return (*_affine(linear, _moved_back(linear, m)), determinant)


def _moved_back(linear: Rows, m: Rows) -> Rows:
    """Return −linear · translation of m."""
    return tuple(0.0 - (linear[r] * m[3] + linear[r + 1] * m[7] + linear[r + 2] * m[11]) for r in (0, 3, 6))


def invert_rigid(matrices: ArrayLike) -> Array:
    """Return the inverses of transforms that only rotate and translate, which is faster than `invert`.

    Parameters
    ----------
    matrices : array_like, (..., 4, 4) or (..., 3, 4)
        Rotations with a translation; that they are is not checked. The last row counts as 0 0 0 1.

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
    full = apply(_rigid_kernel, [_transforms("matrices", matrices)], [(4, 4)], result_dtype(matrices=matrices))[0]
    return full if np.shape(matrices)[-2] == 4 else full[..., :3, :]


def _rigid_kernel(*m: Array) -> Rows:
    linear = m[0], m[4], m[8], m[1], m[5], m[9], m[2], m[6], m[10]
    return _affine(linear, _moved_back(linear, m))


def change_basis(matrices: ArrayLike, from_basis: ArrayLike, to_basis: ArrayLike) -> Array:
    """Return transforms expressed in another basis: X · M · X⁻¹ with X = to⁻¹ · from.

    Parameters
    ----------
    matrices : array_like, (..., 4, 4) or (..., 3, 4)
        Transforms expressed in `from_basis`.
    from_basis, to_basis : array_like, (..., 4, 4) or (..., 3, 4)
        Bases: their axes and origins as matrices in a common space. Leading dimensions broadcast.

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
    x, back = _between_bases(from_basis, to_basis)
    operands = [_transforms("from_basis", x), _transforms("matrices", matrices), _transforms("to_basis", back)]
    dtype = result_dtype(matrices=matrices, from_basis=from_basis, to_basis=to_basis)

    def kernel(*rows: Array) -> Rows:
        m = _product34(_product34(rows[:12], rows[12:24]), rows[24:])
        return _affine(m[:3] + m[4:7] + m[8:11], (m[3], m[7], m[11]))

    full = apply(kernel, operands, [(4, 4)], dtype)[0]
    return full if np.shape(matrices)[-2] == 4 else full[..., :3, :]


def change_basis_points(points: ArrayLike, from_basis: ArrayLike, to_basis: ArrayLike) -> Array:
    """Return points expressed in another basis: X · p with X = to⁻¹ · from.

    Parameters
    ----------
    points : array_like, (..., 3)
        Points expressed in `from_basis`.
    from_basis, to_basis : array_like, (..., 4, 4) or (..., 3, 4)
        Bases: their axes and origins as matrices in a common space. Leading dimensions broadcast against those of
        `points`, so that bases of shape (F, 1, 4, 4) serve points (F, N, 3).

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
    x = _between_bases(from_basis, to_basis)[0]
    dtype = result_dtype(points=points, from_basis=from_basis, to_basis=to_basis)
    return apply(_points_kernel, [_transforms("from_basis", x), vectors("points", points, 3)], [(3,)], dtype)[0]


def _points_kernel(*rows: Array) -> Rows:
    m, p = rows[:12], rows[12:]
    return tuple(m[r] * p[0] + m[r + 1] * p[1] + m[r + 2] * p[2] + m[r + 3] for r in (0, 4, 8))


def _between_bases(from_basis: ArrayLike, to_basis: ArrayLike) -> tuple[Array, Array]:
    """Return X = to⁻¹ · from and its inverse, in float64: bases are few."""
    parts = []
    for name, basis in (("from_basis", from_basis), ("to_basis", to_basis)):
        operand = _transforms(name, basis)
        wide = np.asarray(operand.values, np.float64)
        try:
            parts.append((wide, invert(wide)))
        except ValueError as error:
            raise ValueError(str(error).replace("matrices", name, 1)) from None
    (forth, forth_back), (to, to_back) = parts

    def kernel(*rows: Array) -> Rows:
        return _product34(rows[:12], rows[12:])

    def multiply(a: Array, b: Array) -> Array:
        operands = [Operand("from_basis", a, (3, 4)), Operand("to_basis", b, (3, 4))]
        return apply(kernel, operands, [(3, 4)], np.float64)[0]

    return multiply(to_back, forth), multiply(forth_back, to)
