# SPDX-License-Identifier: MIT
"""Transforms and quaternions in float64, each from its definition."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from ._algebra import Floats, any_perpendicular, multiply, rotate, shortest_arc, to_matrix, unit


def _wide(values: ArrayLike) -> Floats:
    return np.asarray(values, np.float64)


def _affine(matrices: ArrayLike) -> Floats:
    """Return (..., 4, 4) with the last row 0 0 0 1, whatever is given there."""
    given = _wide(matrices)
    whole = np.zeros((*given.shape[:-2], 4, 4))
    whole[..., :3, :] = given[..., :3, :]
    whole[..., 3, 3] = 1
    return whole


def compose(translations: ArrayLike, rotations: ArrayLike, scales: ArrayLike = 1.0) -> Floats:
    """Return translation · rotation · scale, (..., 4, 4).

    Parameters
    ----------
    translations : array_like (..., 3)
        Translations.
    rotations : array_like (..., 4)
        Quaternions of any length but zero.
    scales : array_like (..., 3) or float
        Scales along the axes before rotation.

    Returns
    -------
    ndarray (..., 4, 4)
        The matrices.
    """
    t, linear = _wide(translations), to_matrix(unit(_wide(rotations))) * np.atleast_1d(_wide(scales))[..., None, :]
    lead = np.broadcast_shapes(t.shape[:-1], linear.shape[:-2])
    matrices = np.zeros((*lead, 4, 4))
    matrices[..., :3, :3], matrices[..., :3, 3], matrices[..., 3, 3] = linear, t, 1
    return matrices


def decompose(matrices: ArrayLike) -> tuple[Floats, Floats, Floats]:
    """Return translations, quaternions (w ≥ 0) and scales of matrices without shear and without zero columns.

    Parameters
    ----------
    matrices : array_like (..., 4, 4) or (..., 3, 4)
        The matrices.

    Returns
    -------
    tuple of ndarray
        (..., 3), (..., 4) and (..., 3); where the determinant is negative, all three scales are.
    """
    m = _wide(matrices)
    linear = m[..., :3, :3]
    scales = np.linalg.norm(linear, axis=-2) * np.where(np.linalg.det(linear) < 0, -1.0, 1.0)[..., None]
    return m[..., :3, 3], quaternion_from_matrix(linear / scales[..., None, :]), scales


def invert(matrices: ArrayLike) -> Floats:
    """Return the inverses by LAPACK.

    Parameters
    ----------
    matrices : array_like (..., 4, 4) or (..., 3, 4)
        Matrices; the last row counts as 0 0 0 1.

    Returns
    -------
    ndarray (..., 4, 4)
        The inverses.
    """
    return np.asarray(np.linalg.inv(_affine(matrices)))


def change_basis(matrices: ArrayLike, from_basis: ArrayLike, to_basis: ArrayLike) -> Floats:
    """Return X · M · X⁻¹ with X = to⁻¹ · from.

    Parameters
    ----------
    matrices, from_basis, to_basis : array_like (..., 4, 4) or (..., 3, 4)
        Transforms, and bases in a common space.

    Returns
    -------
    ndarray (..., 4, 4)
        The transforms in the other basis.
    """
    x = invert(to_basis) @ _affine(from_basis)
    return np.asarray(x @ _affine(matrices) @ np.linalg.inv(x))


def change_basis_points(points: ArrayLike, from_basis: ArrayLike, to_basis: ArrayLike) -> Floats:
    """Return X · p with X = to⁻¹ · from.

    Parameters
    ----------
    points : array_like (..., 3)
        Points.
    from_basis, to_basis : array_like (..., 4, 4) or (..., 3, 4)
        Bases in a common space.

    Returns
    -------
    ndarray (..., 3)
        The points in the other basis.
    """
    x = invert(to_basis) @ _affine(from_basis)
    return np.asarray((x[..., :3, :3] @ _wide(points)[..., None])[..., 0] + x[..., :3, 3])


def quaternion_multiply(p: ArrayLike, q: ArrayLike) -> Floats:
    """Return the turn by `q`, then by `p`.

    Parameters
    ----------
    p, q : array_like (..., 4)
        Quaternions of any length but zero.

    Returns
    -------
    ndarray (..., 4)
        Unit quaternions.
    """
    first, second = np.broadcast_arrays(unit(_wide(p)), unit(_wide(q)))
    return multiply(first, second)


def quaternion_rotate(q: ArrayLike, v: ArrayLike) -> Floats:
    """Return turned vectors.

    Parameters
    ----------
    q : array_like (..., 4)
        Quaternions of any length but zero.
    v : array_like (..., 3)
        Vectors.

    Returns
    -------
    ndarray (..., 3)
        The turned vectors.
    """
    turn, vector = unit(_wide(q)), _wide(v)
    lead = np.broadcast_shapes(turn.shape[:-1], vector.shape[:-1])
    return rotate(np.broadcast_to(turn, (*lead, 4)), np.broadcast_to(vector, (*lead, 3)))


def quaternion_between(u: ArrayLike, v: ArrayLike) -> Floats:
    """Return the smallest turns from the directions `u` to the directions `v`; opposite ones about some perpendicular.

    Parameters
    ----------
    u, v : array_like (..., 3)
        Directions of any length but zero.

    Returns
    -------
    ndarray (..., 4)
        Unit quaternions, w ≥ 0.
    """
    a, b = np.broadcast_arrays(unit(_wide(u)), unit(_wide(v)))
    return shortest_arc(a, b, any_perpendicular(a))


def quaternion_slerp(p: ArrayLike, q: ArrayLike, t: ArrayLike) -> Floats:
    """Return the turns on the shorter way from `p` to `q` at constant speed.

    Parameters
    ----------
    p, q : array_like (..., 4)
        Quaternions of any length but zero.
    t : array_like (...)
        0 gives `p`, 1 gives `q` or −q.

    Returns
    -------
    ndarray (..., 4)
        Unit quaternions.
    """
    a, b = np.broadcast_arrays(unit(_wide(p)), unit(_wide(q)))
    b = np.where(np.sum(a * b, axis=-1, keepdims=True) < 0, -b, b)
    share = _wide(t)[..., None]
    apart, together = np.linalg.norm(a - b, axis=-1, keepdims=True), np.linalg.norm(a + b, axis=-1, keepdims=True)
    angle = 2 * np.arctan2(apart, together)
    whole = np.where(angle > 1e-9, np.sin(angle), 1.0)
    from_p = np.where(angle > 1e-9, np.sin((1 - share) * angle), 1 - share) / whole
    return unit(from_p * a + np.where(angle > 1e-9, np.sin(share * angle), share) / whole * b)


def quaternion_from_matrix(m: ArrayLike) -> Floats:
    """Return the quaternions of rotation matrices: of a symmetric 4×4 matrix the vector of the largest eigenvalue.

    Parameters
    ----------
    m : array_like (..., 3, 3), (..., 3, 4) or (..., 4, 4)
        Rotations; the upper left 3×3 is read.

    Returns
    -------
    ndarray (..., 4)
        Unit quaternions, w ≥ 0.

    Notes
    -----
    I. Y. Bar-Itzhack, "New method for extracting the quaternion from a rotation matrix" (Journal of Guidance, Control,
    and Dynamics, 2000).
    """
    r = _wide(m)[..., :3, :3]
    k = np.zeros((*r.shape[:-2], 4, 4))
    k[..., 0, 0] = np.trace(r, axis1=-2, axis2=-1)
    k[..., 1:, 1:] = r + np.swapaxes(r, -1, -2) - k[..., :1, :1] * np.eye(3)
    for i in range(3):
        j, n = (i + 1) % 3, (i + 2) % 3
        k[..., 0, 1 + i] = k[..., 1 + i, 0] = r[..., n, j] - r[..., j, n]
    q = np.linalg.eigh(k)[1][..., :, -1]
    return np.asarray(np.where(q[..., :1] < 0, -q, q))


def quaternion_to_matrix(q: ArrayLike) -> Floats:
    """Return the rotation matrices of quaternions: their columns are the turned axes.

    Parameters
    ----------
    q : array_like (..., 4)
        Quaternions of any length but zero.

    Returns
    -------
    ndarray (..., 3, 3)
        The matrices.
    """
    return to_matrix(unit(_wide(q)))
