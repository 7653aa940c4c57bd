# SPDX-License-Identifier: MIT
"""Rotations as Euler angles and as axis and angle, to and from quaternions."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from ._blocks import Array, Rows, apply, result_dtype, scalars, unit, vectors

# The axes in order of application and the sign of their permutation.
EULER_ORDERS = {
    "XYZ": (0, 1, 2, 1.0),
    "YZX": (1, 2, 0, 1.0),
    "ZXY": (2, 0, 1, 1.0),
    "XZY": (0, 2, 1, -1.0),
    "YXZ": (1, 0, 2, -1.0),
    "ZYX": (2, 1, 0, -1.0),
}


def _axes(order: str) -> tuple[int, int, int, float]:
    """Return the axes of an order, or raise a ValueError that lists the orders."""
    try:
        return EULER_ORDERS[order]
    except (KeyError, TypeError):
        raise ValueError(f"order is {order!r}: must be one of {', '.join(EULER_ORDERS)}") from None


def quaternion_from_euler(angles: ArrayLike, order: str) -> Array:
    """Return the quaternions of Euler angles.

    Parameters
    ----------
    angles : array_like, (..., 3)
        The angles about X, Y and Z in radians: always stored in that sequence, whatever the order, as Blender does.
    order : {"XYZ", "YZX", "ZXY", "XZY", "YXZ", "ZYX"}
        The axes in order of application: "XYZ" turns about X first, so that the matrix is Z·Y·X.

    Returns
    -------
    ndarray, (..., 4)
        Unit quaternions `w x y z`.

    Raises
    ------
    ValueError
        The order is unknown or the shape does not fit.

    Examples
    --------
    >>> import skelkin_py as sk, math
    >>> sk.quaternion_from_euler([math.pi / 2, 0, 0], "XYZ").round(6)
    array([0.707107, 0.707107, 0.      , 0.      ])
    """
    i, j, k, sign = _axes(order)

    def kernel(*halves: Array) -> Rows:
        sines = [np.sin(0.5 * half) for half in halves]
        cosines = [np.cos(0.5 * half) for half in halves]
        (si, sj, sk), (ci, cj, ck) = ([values[axis] for axis in (i, j, k)] for values in (sines, cosines))
        imaginary = [si, sj, sk]
        imaginary[i] = ck * cj * si - sign * (sk * sj * ci)
        imaginary[j] = ck * sj * ci + sign * (sk * cj * si)
        imaginary[k] = sk * cj * ci - sign * (ck * sj * si)
        return (ck * cj * ci + sign * (sk * sj * si), *imaginary)

    return apply(kernel, [vectors("angles", angles, 3)], [(4,)], result_dtype(angles=angles))[0]


def quaternion_to_euler(q: ArrayLike, order: str) -> Array:
    """Return the Euler angles of quaternions.

    Parameters
    ----------
    q : array_like, (..., 4)
        Quaternions `w x y z`; normalised on input.
    order : {"XYZ", "YZX", "ZXY", "XZY", "YXZ", "ZYX"}
        The axes in order of application.

    Returns
    -------
    ndarray, (..., 3)
        The angles about X, Y and Z in radians, each within −π..π. Of the two solutions it is the one with the
        smaller sum of sizes; at gimbal lock the angle applied last is 0.

    Raises
    ------
    ValueError
        A quaternion is zero or not finite, the order is unknown or the shape does not fit.

    Notes
    -----
    Half the sum and half the difference of the first and last angle are taken by two arctangents, which keeps all
    digits next to gimbal lock: E. Bernardes and S. Viollet, "Quaternion to Euler angles conversion" (PLOS ONE, 2022).

    Examples
    --------
    >>> import skelkin_py as sk
    >>> sk.quaternion_to_euler([1, 1, 0, 0], "XYZ").round(6)
    array([1.570796, 0.      , 0.      ])
    """
    i, j, k, sign = _axes(order)

    def kernel(*rows: Array) -> Rows:
        w, *imaginary = unit(*rows)
        first, middle, last = imaginary[i], sign * imaginary[j], imaginary[k] * 1.0
        low, high = np.hypot(first + last, w - middle), np.hypot(first - last, w + middle)
        half_sum, half_difference = np.arctan2(first + last, w - middle), np.arctan2(first - last, w + middle)
        tolerance = 16.0 * float(np.finfo(w.dtype).eps)
        half_sum = np.where(low < tolerance, half_difference, half_sum)
        half_difference = np.where(high < tolerance, half_sum, half_difference)
        a, c = _wrapped(half_sum + half_difference), _wrapped(half_sum - half_difference)
        b = sign * (2.0 * np.arctan2(high, low) - w.dtype.type(0.5 * math.pi))
        # The other solution is half a turn further in the first and the last, and b seen from the other side.
        other = np.abs(a) + np.abs(b) + np.abs(c) > 1.5 * math.pi
        if other.any():
            pi = w.dtype.type(math.pi)
            a, b, c = (np.where(other, np.copysign(pi, x) - x, x) for x in (-a, b, -c))
            a, c = np.where(other, a, -a), np.where(other, c, -c)
        angles = [a, b, c]
        angles[i], angles[j], angles[k] = a, b, c
        return tuple(angles)

    return apply(kernel, [vectors("q", q, 4, "quaternion")], [(3,)], result_dtype(q=q))[0]


def _wrapped(angle: Array) -> Array:
    """Return angles within −2π..2π as within −π..π."""
    turn = angle.dtype.type(2.0 * math.pi)
    angle = np.where(angle > math.pi, angle - turn, angle)
    return np.where(angle < -math.pi, angle + turn, angle)


def quaternion_from_axis_angle(axis: ArrayLike, angle: ArrayLike) -> Array:
    """Return the rotations about axes by angles.

    Parameters
    ----------
    axis : array_like, (..., 3)
        Axes of any length but zero.
    angle : array_like, (...)
        Radians, right-handed. Broadcasts with the leading dimensions of `axis`.

    Returns
    -------
    ndarray, (..., 4)
        Unit quaternions `w x y z`.

    Raises
    ------
    ValueError
        An axis is zero or not finite, or shapes do not fit.

    Examples
    --------
    >>> import skelkin_py as sk, math
    >>> sk.quaternion_from_axis_angle([0, 0, 2], math.pi / 2).round(6)
    array([0.707107, 0.      , 0.      , 0.707107])
    """
    operands = [vectors("axis", axis, 3, "direction"), scalars("angle", angle)]
    return apply(_from_axis_kernel, operands, [(4,)], result_dtype(axis=axis, angle=angle))[0]


def _from_axis_kernel(x: Array, y: Array, z: Array, angle: Array) -> Rows:
    x, y, z = unit(x, y, z)
    sine = np.sin(0.5 * angle)
    return np.cos(0.5 * angle), x * sine, y * sine, z * sine


def quaternion_to_axis_angle(q: ArrayLike) -> tuple[Array, Array]:
    """Return the axes and angles of rotations.

    Parameters
    ----------
    q : array_like, (..., 4)
        Quaternions `w x y z`; normalised on input.

    Returns
    -------
    axis : ndarray, (..., 3)
        Unit axes; X where there is no rotation.
    angle : ndarray, (...)
        Radians within 0..π; a 0-d array when unbatched.

    Raises
    ------
    ValueError
        A quaternion is zero or not finite, or the shape does not fit.

    Examples
    --------
    >>> import skelkin_py as sk
    >>> axis, angle = sk.quaternion_to_axis_angle([1, 0, 1, 0])
    >>> axis, angle.round(6)
    (array([0., 1., 0.]), np.float64(1.570796))
    """
    axis, angle = apply(_to_axis_kernel, [vectors("q", q, 4, "quaternion")], [(3,), ()], result_dtype(q=q))
    return axis, angle


def _to_axis_kernel(*rows: Array) -> Rows:
    w, x, y, z = unit(*rows)
    sign = np.where(w < 0, -1.0, 1.0).astype(w.dtype)
    length = np.sqrt(x * x + y * y + z * z)
    none = length == 0
    inverse = sign / np.where(none, length + 1, length)
    x = np.where(none, 1.0, x * inverse).astype(w.dtype)
    return x, y * inverse, z * inverse, 2.0 * np.arctan2(length, w * sign)
