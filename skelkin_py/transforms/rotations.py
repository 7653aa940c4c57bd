# SPDX-License-Identifier: MIT
"""Rotations as Euler angles and as axis and angle, to and from quaternions."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from .. import _core
from .._support.arguments import meaning_of
from .._support.array_types import Array, Floats
from .._support.values import tuple_of_arrays

_ORDERS = {"XYZ": (0, 1, 2), "YZX": (1, 2, 0), "ZXY": (2, 0, 1), "XZY": (0, 2, 1), "YXZ": (1, 0, 2), "ZYX": (2, 1, 0)}


def quaternion_from_euler(angles: ArrayLike, order: str, *, out: Array | None = None) -> Array:
    """Return the quaternions of Euler angles.

    Parameters
    ----------
    angles : array_like, (..., 3)
        The angles about X, Y and Z in radians: always stored in that sequence, whatever the order, as Blender does.
    order : {"XYZ", "YZX", "ZXY", "XZY", "YXZ", "ZYX"}
        The axes in order of application: "XYZ" turns about X first, so that the matrix is Z·Y·X.
    out : ndarray, optional
        Where to write; right shape and dtype. The same array is returned.

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
    return _core.quaternion_from_euler(angles, *meaning_of("order", order, _ORDERS), out)


def quaternion_to_euler(q: ArrayLike, order: str, *, out: Array | None = None) -> Array:
    """Return the Euler angles of quaternions.

    Parameters
    ----------
    q : array_like, (..., 4)
        Quaternions `w x y z`; normalised on input.
    order : {"XYZ", "YZX", "ZXY", "XZY", "YXZ", "ZYX"}
        The axes in order of application.
    out : ndarray, optional
        Where to write; right shape and dtype. The same array is returned.

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
    return _core.quaternion_to_euler(q, *meaning_of("order", order, _ORDERS), out)


def continuous_euler(angles: ArrayLike, order: str, before: ArrayLike) -> Floats:
    """Return Euler angles over time without jumps: each row the equal rotation nearest to the row before it.

    Two triples of angles, and any full turn added to them, mean the same rotation.

    Parameters
    ----------
    angles : array_like, (F, 3)
        The angles about X, Y and Z in radians.
    order : {"XYZ", "YZX", "ZXY", "XZY", "YXZ", "ZYX"}
        The axes in order of application.
    before : array_like, (3,)
        The angles before the first row.

    Returns
    -------
    ndarray, (F, 3)
        Angles of the same rotations.

    Raises
    ------
    ValueError
        The shape or the order does not fit.

    Examples
    --------
    >>> import numpy as np
    >>> continuous_euler([[3.1, 0, 0], [-3.1, 0, 0]], "XYZ", [0, 0, 0]).round(2).tolist()
    [[3.1, 0.0, 0.0], [3.18, 0.0, 0.0]]
    """
    axes = list(meaning_of("order", order, _ORDERS))
    given, start = np.asarray(angles, np.float64), np.asarray(before, np.float64)
    for name, array, wanted in (("angles", given, "(F, 3)"), ("before", start, "(3,)")):
        if array.ndim != (2 if name == "angles" else 1) or array.shape[-1] != 3:
            raise ValueError(f"{name} has shape {array.shape}: must be {wanted}")
    if not len(given):
        return np.empty((0, 3))
    # The core takes degrees, the middle axis in the middle, and frames to change after known ones.
    degrees = np.ascontiguousarray(np.degrees(given[:, axes]))
    known = np.tile(np.degrees(start[axes]), (len(given), 1))
    smooth = _core.smooth_angles(degrees, np.ones(len(given), bool), known)
    result = np.empty_like(given)
    result[:, axes] = np.radians(smooth)
    return result


def quaternion_from_axis_angle(axis: ArrayLike, angle: ArrayLike, *, out: Array | None = None) -> Array:
    """Return the rotations about axes by angles.

    Parameters
    ----------
    axis : array_like, (..., 3)
        Axes of any length but zero.
    angle : array_like, (...)
        Radians, right-handed. Broadcasts with the leading dimensions of `axis`.
    out : ndarray, optional
        Where to write; right shape and dtype. The same array is returned.

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
    return _core.quaternion_from_axis_angle(axis, angle, out)


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
    return _core.quaternion_to_axis_angle(q)


def quaternion_from_rotation_vector(v: ArrayLike, *, out: Array | None = None) -> Array:
    """Return the quaternions of rotation vectors: axes whose lengths are the angles.

    SMPL and AMASS store poses in this form ("axis-angle" of three numbers); scipy has it as `Rotation.from_rotvec`.

    Parameters
    ----------
    v : array_like, (..., 3)
        Axes times angles in radians, right-handed; three zeros are no rotation.
    out : ndarray, optional
        Where to write; right shape and dtype. The same array is returned.

    Returns
    -------
    ndarray, (..., 4)
        Unit quaternions `w x y z`.

    Raises
    ------
    ValueError
        A vector is not finite, or the shape does not fit.

    Notes
    -----
    F. S. Grassia, "Practical parameterization of rotations using the exponential map", Journal of Graphics Tools 3
    (1998), section 3.

    Examples
    --------
    >>> import skelkin_py as sk, math
    >>> sk.quaternion_from_rotation_vector([[0, 0, 0], [0, 0, math.pi / 2]]).round(6)
    array([[1.      , 0.      , 0.      , 0.      ],
           [0.707107, 0.      , 0.      , 0.707107]])
    """
    return _core.quaternion_from_rotation_vector(v, out)


def quaternion_to_rotation_vector(q: ArrayLike, *, out: Array | None = None) -> Array:
    """Return rotations as vectors: their axes times their angles.

    Parameters
    ----------
    q : array_like, (..., 4)
        Quaternions `w x y z`; normalised on input.
    out : ndarray, optional
        Where to write; right shape and dtype. The same array is returned.

    Returns
    -------
    ndarray, (..., 3)
        Axes times angles in radians, of lengths within 0..π; three zeros where there is no rotation.

    Raises
    ------
    ValueError
        A quaternion is zero or not finite, or the shape does not fit.

    Examples
    --------
    >>> import skelkin_py as sk
    >>> sk.quaternion_to_rotation_vector([[1, 0, 0, 0], [1, 0, 1, 0]]).round(6)
    array([[0.      , 0.      , 0.      ],
           [0.      , 1.570796, 0.      ]])
    """
    return _core.quaternion_to_rotation_vector(q, out)


@tuple_of_arrays
class SwingTwistParts(NamedTuple):
    """What `quaternion_swing_twist` returns.

    Attributes
    ----------
    swing : ndarray (..., 4)
        Turns about an axis perpendicular to the given one.
    twist : ndarray (..., 4)
        Turns about the given axis; applied first: ``q = swing * twist``.
    """

    swing: Array
    twist: Array


def quaternion_swing_twist(q: ArrayLike, axis: ArrayLike) -> SwingTwistParts:
    """Split rotations into a twist about an axis and a swing of that axis: q = swing · twist.

    Parameters
    ----------
    q : array_like, (..., 4)
        Quaternions `w x y z`; normalised on input.
    axis : array_like, (..., 3)
        The axis before the rotation, of any length but zero. Leading dimensions broadcast.

    Returns
    -------
    SwingTwistParts
        ``swing, twist`` (..., 4), unit quaternions with w ≥ 0. The twist is applied first and keeps the axis; the swing
        is the smallest rotation that moves the axis as `q` does. For half a turn about a perpendicular axis, where any
        twist is possible, the twist is the identity.

    Raises
    ------
    ValueError
        A quaternion or an axis is zero or not finite, or shapes do not fit.

    Notes
    -----
    The twist is q with its vector projected onto the axis, normalised (P. Dobrowolski, "Swing-twist decomposition in
    Clifford algebra", 2015).

    Examples
    --------
    >>> turn = sk.quaternion_multiply([1, 0.5, 0, 0], [1, 0, 0, 1])  # about Z, then about X
    >>> swing, twist = sk.quaternion_swing_twist(turn, [0, 0, 1])
    >>> twist.round(6) + 0.0
    array([0.707107, 0.      , 0.      , 0.707107])
    >>> swing.round(6) + 0.0
    array([0.894427, 0.447214, 0.      , 0.      ])
    """
    return SwingTwistParts._make(_core.quaternion_swing_twist(q, axis))
