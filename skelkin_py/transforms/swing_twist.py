# SPDX-License-Identifier: MIT
"""A rotation as a twist about an axis and a swing of that axis."""

from __future__ import annotations

from typing import Any, NamedTuple

from numpy.typing import ArrayLike, NDArray

from .. import _core
from .._support.short_repr import short_repr
from .._support.values import compared_by_values


@compared_by_values
class SwingTwistParts(NamedTuple):
    """What `quaternion_swing_twist` returns.

    Attributes
    ----------
    swing : ndarray (..., 4)
        Turns about an axis across the given one.
    twist : ndarray (..., 4)
        Turns about the given axis; comes first: ``q = swing * twist``.
    """

    swing: NDArray[Any]
    twist: NDArray[Any]

    def __repr__(self) -> str:
        return short_repr(self)


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
        ``swing, twist`` (..., 4), unit quaternions with w ≥ 0. The twist turns first and leaves the axis where it is;
        the swing is the smallest rotation that takes the axis where `q` takes it. Half a turn about an axis across has
        any twist; the answer then is none.

    Raises
    ------
    ValueError
        A quaternion or an axis is zero or not finite, or shapes do not fit.

    Notes
    -----
    The twist is what is left of q when its vector is projected onto the axis, brought back to length 1 (P. Dobrowolski,
    "Swing-twist decomposition in Clifford algebra", 2015).

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
