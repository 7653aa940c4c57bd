# SPDX-License-Identifier: MIT
"""How an inverse-kinematics solve ended, as one small integer."""

from __future__ import annotations

from enum import IntEnum

import numpy as np


class IKStatus(IntEnum):
    """How a solve ended; the first that fits, from the residual measured on the result.

    Attributes
    ----------
    REACHED : int
        0, the end is at its target, to rounding.
    TOO_FAR : int
        1, the target is beyond the reach, or only softening holds the end back.
    TOO_CLOSE : int
        2, the target is nearer than the difference of the two bones.
    LIMITED : int
        3, a joint limit keeps the end away.
    DEGENERATE : int
        4, a bone of length zero makes the target unreachable.
    BAD_INPUT : int
        5, a number that is not finite; the chain was left as it was.
    NOT_CONVERGED : int
        6, an iteration ended before its tolerance.

    Examples
    --------
    >>> IKStatus(1).name
    'TOO_FAR'
    """

    REACHED = 0
    TOO_FAR = 1
    TOO_CLOSE = 2
    LIMITED = 3
    DEGENERATE = 4
    BAD_INPUT = 5
    NOT_CONVERGED = 6

    @classmethod
    def _missing_(cls, value: object) -> IKStatus | None:
        """Take the number out of an array without dimensions, in which CPython 3.13.0 does not find it."""
        return cls(value.item()) if isinstance(value, np.ndarray) and value.ndim == 0 else None
