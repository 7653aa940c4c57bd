# SPDX-License-Identifier: MIT
"""Rotations as quaternions `w x y z`: product, rotation of vectors, shortest arc, interpolation, matrices."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from ._blocks import Array, Rows, apply, matrices, result_dtype, scalars, unit, vectors


def quaternion_multiply(p: ArrayLike, q: ArrayLike) -> Array:
    """Return the rotations that turn by `q` first and by `p` second.

    Parameters
    ----------
    p, q : array_like, (..., 4)
        Quaternions `w x y z`; normalised on input. Leading dimensions broadcast.

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
    operands = [vectors("p", p, 4, "quaternion"), vectors("q", q, 4, "quaternion")]
    return apply(_multiply_kernel, operands, [(4,)], result_dtype(p=p, q=q))[0]


def _multiply_kernel(*rows: Array) -> Rows:
    return unit(*product(unit(*rows[:4]), unit(*rows[4:])))


def product(p: Rows, q: Rows) -> Rows:
    """Return the components of the Hamilton product of two quaternions given by components."""
    (pw, px, py, pz), (qw, qx, qy, qz) = p, q
    return (
        pw * qw - px * qx - py * qy - pz * qz,
        pw * qx + px * qw + py * qz - pz * qy,
        pw * qy - px * qz + py * qw + pz * qx,
        pw * qz + px * qy - py * qx + pz * qw,
    )


def quaternion_rotate(q: ArrayLike, v: ArrayLike) -> Array:
    """Return vectors turned by quaternions.

    Parameters
    ----------
    q : array_like, (..., 4)
        Quaternions `w x y z`; normalised on input.
    v : array_like, (..., 3)
        Vectors. Leading dimensions broadcast with those of `q`.

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
    operands = [vectors("q", q, 4, "quaternion"), vectors("v", v, 3)]
    return apply(_rotate_kernel, operands, [(3,)], result_dtype(q=q, v=v))[0]


def _rotate_kernel(w: Array, x: Array, y: Array, z: Array, vx: Array, vy: Array, vz: Array) -> Rows:
    w, x, y, z = unit(w, x, y, z)
    tx, ty, tz = cross((x, y, z), (vx, vy, vz))
    tx, ty, tz = tx + tx, ty + ty, tz + tz
    ux, uy, uz = cross((x, y, z), (tx, ty, tz))
    return vx + w * tx + ux, vy + w * ty + uy, vz + w * tz + uz


def cross(a: Rows, b: Rows) -> Rows:
    """Return the components of the cross product."""
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


def quaternion_between(u: ArrayLike, v: ArrayLike) -> Array:
    """Return the smallest rotations that turn the directions `u` onto the directions `v`.

    Parameters
    ----------
    u, v : array_like, (..., 3)
        Directions of any length but zero. Leading dimensions broadcast.

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
    Half the sum and half the difference of the unit vectors are the cosine and the sine of half the angle; the axis
    is taken from whichever of the two is exact, so that no digits are lost close to 0° or to 180°.

    Examples
    --------
    >>> import skelkin_py as sk
    >>> sk.quaternion_between([1, 0, 0], [0, 3, 0]).round(6) + 0.0
    array([0.707107, 0.      , 0.      , 0.707107])
    """
    operands = [vectors("u", u, 3, "direction"), vectors("v", v, 3, "direction")]
    return apply(_between_kernel, operands, [(4,)], result_dtype(u=u, v=v))[0]


def _between_kernel(*rows: Array) -> Rows:
    u, v = unit(*rows[:3]), unit(*rows[3:])
    near = u[0] * v[0] + u[1] * v[1] + u[2] * v[2] >= 0
    # u × v = u × (v − u) = u × (u + v): the short one of the two is a difference without rounding.
    short = tuple(np.where(near, b - a, a + b) for a, b in zip(u, v))
    axis = cross(u, short)
    sine = np.sqrt(axis[0] ** 2 + axis[1] ** 2 + axis[2] ** 2)
    long_half = 0.5 * np.sqrt(sum((np.where(near, a + b, b - a) ** 2 for a, b in zip(u, v)), np.zeros_like(sine)))
    opposite = ~near & (sine < 4 * np.finfo(sine.dtype).eps)
    if opposite.any():
        axis = tuple(np.where(opposite, a, b) for a, b in zip(perpendicular(u), axis))
        sine = np.where(opposite, 1.0, sine).astype(sine.dtype)
    # sin θ = 2 sin(θ/2) cos(θ/2): the long half is the cosine below a right angle and the sine above it.
    cosine_half = np.where(near, long_half, np.where(opposite, 0.0, 0.5 * sine / long_half)).astype(sine.dtype)
    scale = np.where(near, 0.5 / long_half, long_half / np.where(near, 1.0, sine)).astype(sine.dtype)
    return unit(cosine_half, axis[0] * scale, axis[1] * scale, axis[2] * scale)


def perpendicular(u: Rows) -> Rows:
    """Return a unit vector across the unit vector `u`, always the same for the same `u`."""
    zero = np.zeros_like(u[0])
    flat = np.abs(u[0]) < 0.7  # far enough from X to take the perpendicular in the plane across X
    a = np.where(flat, zero, -u[1]), np.where(flat, -u[2], u[0]), np.where(flat, u[1], zero)
    length = np.sqrt(a[0] ** 2 + a[1] ** 2 + a[2] ** 2)
    return a[0] / length, a[1] / length, a[2] / length


def quaternion_slerp(p: ArrayLike, q: ArrayLike, t: ArrayLike) -> Array:
    """Return the rotations on the shorter way from `p` to `q`, at constant angular speed.

    Parameters
    ----------
    p, q : array_like, (..., 4)
        Quaternions `w x y z`; normalised on input.
    t : array_like, (...)
        0 gives `p`, 1 gives `q` (as the one of q and −q that is nearer to p). Broadcasts with the leading
        dimensions of `p` and `q`. Values outside 0..1 go on beyond the ends.

    Returns
    -------
    ndarray, (..., 4)
        Unit quaternions.

    Raises
    ------
    ValueError
        A quaternion is zero or not finite, or shapes do not fit.

    Examples
    --------
    >>> import skelkin_py as sk
    >>> sk.quaternion_slerp([1, 0, 0, 0], [0, 0, 0, 1], [0, 0.5, 1]).round(6)
    array([[1.      , 0.      , 0.      , 0.      ],
           [0.707107, 0.      , 0.      , 0.707107],
           [0.      , 0.      , 0.      , 1.      ]])
    """
    operands = [vectors("p", p, 4, "quaternion"), vectors("q", q, 4, "quaternion"), scalars("t", t)]
    return apply(_slerp_kernel, operands, [(4,)], result_dtype(p=p, q=q, t=t))[0]


def _slerp_kernel(*rows: Array) -> Rows:
    p, q, t = unit(*rows[:4]), unit(*rows[4:8]), rows[8]
    flip = np.where(sum((a * b for a, b in zip(p, q)), np.zeros_like(p[0])) < 0, -1.0, 1.0).astype(t.dtype)
    q = tuple(flip * b for b in q)
    apart = np.sqrt(sum(((a - b) ** 2 for a, b in zip(p, q)), np.zeros_like(flip)))
    together = np.sqrt(sum(((a + b) ** 2 for a, b in zip(p, q)), np.zeros_like(flip)))
    angle = 2.0 * np.arctan2(apart, together)
    small = angle < 1e-3  # below it the series is exact to float64 and sin θ / sin θ would not be
    sine = np.sin(np.where(small, 1.0, angle))
    square = angle * angle / 6.0
    weights = []
    for s in (1.0 - t, t):
        series = s * (1.0 + square * (1.0 - s * s))
        weights.append(np.where(small, series, np.sin(s * angle) / sine).astype(t.dtype))
    return unit(*(weights[0] * a + weights[1] * b for a, b in zip(p, q)))


def quaternion_to_matrix(q: ArrayLike) -> Array:
    """Return the rotation matrices of quaternions.

    Parameters
    ----------
    q : array_like, (..., 4)
        Quaternions `w x y z`; normalised on input.

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
    return apply(_to_matrix_kernel, [vectors("q", q, 4, "quaternion")], [(3, 3)], result_dtype(q=q))[0]


def _to_matrix_kernel(*rows: Array) -> Rows:
    return rotation_rows(*unit(*rows))


def rotation_rows(w: Array, x: Array, y: Array, z: Array) -> Rows:
    """Return the nine entries of the rotation matrix of a unit quaternion, row by row."""
    x2, y2, z2 = x + x, y + y, z + z
    xx, yy, zz = x * x2, y * y2, z * z2
    xy, xz, yz = x * y2, x * z2, y * z2
    wx, wy, wz = w * x2, w * y2, w * z2
    return (
        1.0 - (yy + zz), xy - wz, xz + wy,
        xy + wz, 1.0 - (xx + zz), yz - wx,
        xz - wy, yz + wx, 1.0 - (xx + yy),
    )  # fmt: skip


def quaternion_from_matrix(m: ArrayLike) -> Array:
    """Return the quaternions of rotation matrices.

    Parameters
    ----------
    m : array_like, (..., 3, 3), (..., 3, 4) or (..., 4, 4)
        Matrices; only the upper left 3×3 is read. Scale is divided out of the columns and a mirror image is negated
        first, as `decompose` does.

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
    return apply(_from_matrix_kernel, [matrices("m", m, linear=True)], [(4,)], result_dtype(m=m))[0]


def _from_matrix_kernel(*rows: Array) -> Rows:
    return quaternion_rows(split_scale(rows)[0])


def split_scale(m: Rows) -> tuple[Rows, Rows]:
    """Return the nine entries with unit columns and positive determinant, and the three scales taken out.

    A column of length zero takes the direction that completes the other two.
    """
    columns = [(m[i], m[3 + i], m[6 + i]) for i in range(3)]
    normal = cross(columns[1], columns[2])
    determinant = sum((a * b for a, b in zip(columns[0], normal)), np.zeros_like(m[0]))
    sign = np.where(determinant < 0, -1.0, 1.0).astype(determinant.dtype)
    scales = tuple(np.sqrt(a * a + b * b + c * c) * sign for a, b, c in columns)
    zero = [scale == 0 for scale in scales]
    missing = zero[0] | zero[1] | zero[2]
    inverse = [1.0 / np.where(gone, sign, scale) for gone, scale in zip(zero, scales)]
    units: list[Rows] = [(a * k, b * k, c * k) for (a, b, c), k in zip(columns, inverse)]
    if missing.any():
        units = _complete(units, zero)
    return tuple(units[i % 3][i // 3] for i in range(9)), scales


def _complete(columns: list[Rows], zero: list[Array]) -> list[Rows]:
    """Fill the columns marked zero; three of them give the identity."""
    x, y, z = columns
    one = np.ones_like(x[0])
    x_axis = (one, one * 0, one * 0)
    known = _choose(zero[1], _choose(zero[2], x_axis, z), y)
    x_new = _choose(zero[1] | zero[2], perpendicular(known), _across(y, z))
    x = _choose(zero[0], _choose(zero[1] & zero[2], x_axis, x_new), x)
    y = _choose(zero[1], _choose(zero[2], perpendicular(x), _across(z, x)), y)
    return [x, y, _choose(zero[2], _across(x, y), z)]


def _choose(mask: Array, a: Rows, b: Rows) -> Rows:
    """Return the rows of `a` where the mask holds, else those of `b`."""
    return tuple(np.where(mask, p, q) for p, q in zip(a, b))


def _across(a: Rows, b: Rows) -> Rows:
    """Return the unit vector of a × b; zero where they are parallel."""
    c = cross(a, b)
    length = np.sqrt(c[0] ** 2 + c[1] ** 2 + c[2] ** 2)
    inverse = 1.0 / np.where(length == 0, length + 1, length)
    return tuple(k * inverse for k in c)


def quaternion_rows(m: Rows) -> Rows:
    """Return the components, w ≥ 0, of the quaternion of a rotation given by nine entries."""
    with np.errstate(invalid="ignore"):
        w = 1.0 + m[0] + m[4] + m[8]
        q = [w, m[7] - m[5], m[2] - m[6], m[3] - m[1]]
        down = m[8] < 0
        other = np.nonzero(down | (m[0] < -m[4]))[0]
    if len(other):
        n = [entry[other] for entry in m]
        branch = np.where(n[8] < 0, np.where(n[0] > n[4], 1, 2), 3)
        rest = [n[7] - n[5], n[2] - n[6], n[3] - n[1]]
        table = (  # what x, y and z are in the branch where that component is the large one
            (1.0 + n[0] - n[4] - n[8], n[1] + n[3], n[6] + n[2]),
            (n[1] + n[3], 1.0 - n[0] + n[4] - n[8], n[5] + n[7]),
            (n[6] + n[2], n[5] + n[7], 1.0 - n[0] - n[4] + n[8]),
        )
        q[0][other] = np.choose(branch - 1, rest)
        for i in range(3):
            q[i + 1][other] = np.choose(branch - 1, [table[b][i] for b in range(3)])
    norm = np.sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3])
    scale = np.where(q[0] < 0, -1.0, 1.0).astype(norm.dtype) / norm
    return tuple(component * scale for component in q)
