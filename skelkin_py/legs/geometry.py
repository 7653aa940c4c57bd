# SPDX-License-Identifier: MIT
"""What the rest pose shows of a leg: whether it can be one, and to which side the knee bends."""

from __future__ import annotations

import math

import numpy as np

from .._support.array_types import Floats

# A knee this far off the line hip–ankle, relative to the leg, is bent on purpose; below the lower bound it is straight.
BENT_REASON = "bend: from the rest pose"
_CLEARLY_BENT, _STRAIGHT = 0.02, 1e-3


def of_ordinary_size(positions: Floats) -> Floats:
    """Return positions whose squares neither overflow nor vanish: scaled by a power of two where necessary.

    Parameters
    ----------
    positions : (..., 3) float64
        Finite positions.

    Returns
    -------
    (..., 3) float64
        The same where the largest coordinate is within 1e-50 … 1e50 or 0.

    Examples
    --------
    >>> of_ordinary_size(np.array([[0.0, 2.0**-900, 2.0**-901]])).tolist()
    [[0.0, 0.5, 0.25]]
    """
    largest = float(np.abs(positions).max(initial=0.0))
    if largest == 0.0 or 1e-50 <= largest <= 1e50:
        return positions
    return np.asarray(np.ldexp(positions, -math.frexp(largest)[1]))


def unit(vector: Floats) -> Floats | None:
    """Return the vector with length 1, None where it has no length."""
    length = float(np.linalg.norm(vector))
    return vector / length if length > 0.0 else None


def across(vector: Floats, axis: Floats) -> Floats:
    """Return the part of `vector` that is perpendicular to the unit vector `axis`."""
    return np.asarray(vector - (vector @ axis) * axis)


def rest_check(positions: Floats, hip: int, knee: int, ankle: int) -> tuple[float, tuple[str, ...]]:
    """Return a factor for the confidence, and in words what is implausible about the bone lengths."""
    upper = float(np.linalg.norm(positions[knee] - positions[hip]))
    lower = float(np.linalg.norm(positions[ankle] - positions[knee]))
    if upper == 0.0 or lower == 0.0:
        return 0.3, (f"the {'thigh' if upper == 0.0 else 'shin'} has no length in the rest pose",)
    if not 0.25 < upper / lower < 4.0:
        return 0.9, (f"thigh and shin differ in length by a factor of {max(upper / lower, lower / upper):.1f}",)
    return 1.0, ()


def bend_direction(
    positions: Floats, hip: int, knee: int, ankle: int, toe: int | None, heel: int | None, leftwards: Floats | None
) -> tuple[tuple[float, float, float], str]:
    """Return the unit vector to which the knee bends, and where it is taken from, in words.

    Parameters
    ----------
    positions : (J, 3) float64 array
        Rest positions in one space.
    hip, knee, ankle : int
        The leg.
    toe, heel : int or None
        Further joints of the foot.
    leftwards : (3,) float64 array or None
        From the right hip to the left one, where both are known.

    Returns
    -------
    bend : tuple of 3 float
        Perpendicular to the line hip–ankle.
    how : str
        A reason for people.

    Examples
    --------
    >>> rest = np.array([[0.0, 2.0, 0.0], [0.0, 1.0, 0.1], [0.0, 0.0, 0.0]])
    >>> bend_direction(rest, 0, 1, 2, None, None, None)
    ((0.0, 0.0, 1.0), 'bend: from the rest pose')
    """
    axis = unit(positions[ankle] - positions[hip])
    length = float(
        np.linalg.norm(positions[knee] - positions[hip]) + np.linalg.norm(positions[ankle] - positions[knee])
    )
    if axis is None:
        axis = unit(positions[knee] - positions[hip])
    if axis is None:
        return (0.0, 0.0, 1.0), "bend: unknown, the leg has no length in the rest pose"
    knee_off = across(positions[knee] - positions[hip], axis)
    ratio = float(np.linalg.norm(knee_off)) / length
    forward = _foot_forward(positions, ankle, toe, heel, axis)
    agrees = forward is None or float(knee_off @ forward) > 0.0
    if ratio > _CLEARLY_BENT or (ratio > _STRAIGHT and agrees):
        return _triple(knee_off), BENT_REASON
    if forward is not None:
        return _triple(forward), "bend: towards the toes, the leg is straight in the rest pose"
    if leftwards is not None:
        front = across(np.cross(leftwards, -axis), axis)
        if np.linalg.norm(front) > 1e-6 * np.linalg.norm(leftwards):
            return _triple(front), "bend: forwards by the sides of the legs, the leg is straight in the rest pose"
    if ratio > 1e-9:
        return _triple(knee_off), "bend: from the rest pose, where the leg is almost straight"
    fixed = across(np.eye(3)[int(np.argmin(np.abs(axis)))], axis)
    return _triple(fixed), "bend: unknown, a direction across the leg was taken"


def bend_from_motion(
    rest_global: Floats, global_: Floats, hip: int, knee: int, ankle: int
) -> tuple[float, float, float] | None:
    """Return the direction to which the knee bends in a motion; None where it stays straight or has no such direction.

    Parameters
    ----------
    rest_global : (J, 4, 4) float64 array
        The rest pose.
    global_ : (F, J, 4, 4) float64 array
        Some poses.
    hip, knee, ankle : int
        The leg.

    Returns
    -------
    tuple of 3 float or None
        Unit vector across the thigh, in the rest pose's global space.

    Examples
    --------
    >>> rest = np.tile(np.eye(4), (3, 1, 1))
    >>> rest[:, 1, 3] = 2, 1, 0
    >>> bent = rest[None].copy()
    >>> bent[0, 1, :3, 3] = 0, 1, 0.5
    >>> bend_from_motion(rest, bent, 0, 1, 2)
    (0.0, 0.0, 1.0)
    """
    a, b, c = of_ordinary_size(np.stack([global_[:, joint, :3, 3] for joint in (hip, knee, ankle)]))
    line = c - a
    length = np.linalg.norm(line, axis=1, keepdims=True)
    axis = np.divide(line, length, out=np.zeros_like(line), where=length > 0)
    off = (b - a) - ((b - a) * axis).sum(axis=1, keepdims=True) * axis
    leg = float((np.linalg.norm(b - a, axis=1) + np.linalg.norm(c - b, axis=1)).mean())
    local = np.einsum("fji,fj->fi", global_[:, hip, :3, :3], off)
    mean = local.mean(axis=0)
    typical = float(np.linalg.norm(local, axis=1).mean())
    if typical < _CLEARLY_BENT * leg or float(np.linalg.norm(mean)) < 0.7 * typical:
        return None
    thigh = unit(of_ordinary_size(rest_global[knee, :3, 3] - rest_global[hip, :3, 3]))
    if thigh is None:
        return None
    direction = across(rest_global[hip, :3, :3] @ mean, thigh)
    return _triple(direction) if float(np.linalg.norm(direction)) > 0.1 * float(np.linalg.norm(mean)) else None


def _foot_forward(positions: Floats, ankle: int, toe: int | None, heel: int | None, axis: Floats) -> Floats | None:
    """Return the direction in which the foot points, across the leg."""
    if toe is not None:
        start = positions[ankle]
    elif heel is not None:
        toe, start = ankle, positions[heel]
    else:
        return None
    foot = positions[toe] - start
    forward = across(foot, axis)
    # A foot in line with the leg shows no direction.
    if float(np.linalg.norm(forward)) <= 0.05 * float(np.linalg.norm(foot)):
        return None
    return unit(forward)


def _triple(vector: Floats) -> tuple[float, float, float]:
    length = float(np.linalg.norm(vector))
    x, y, z = (vector / length + 0.0).tolist()
    return x, y, z
