# SPDX-License-Identifier: MIT
"""How a standing foot turns: held where it is flat, rolling about heel or ball elsewhere.

Within a contact the foot's own rotation is kept, but for the moments in which it stands flat: there it is
held at its mean rotation, so that neither ankle nor ball creeps.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .. import _core
from .blend import Span
from .foot import FootModel, LegTrack

__all__ = ["Hold", "hold_flat", "rolling_steps", "turn_matrices", "turn_vectors", "turned_foot"]

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Hold:
    """How a foot is held where it stands flat and still.

    Parameters
    ----------
    turn : (F, 3) float64
        Rotation vectors in global space; they fade outside the held moments.
    spans : list of (first, last)
        The held moments.
    """

    turn: Array
    spans: list[Span]


def turn_matrices(vectors: Array) -> Array:
    """Return rotation matrices of rotation vectors (Rodrigues' formula).

    `vectors` (F, 3): axis times angle in radians. Returns (F, 3, 3): rotations.

    Examples
    --------
    >>> turn_matrices(np.array([[0.0, 0.0, np.pi / 2]])).round(12)[0, 0].tolist()
    [0.0, -1.0, 0.0]
    """
    return _core.turn_matrices(np.ascontiguousarray(vectors))


def turn_vectors(matrices: Array) -> Array:
    """Return the rotation vectors of rotations below half a turn.

    `matrices` (F, 3, 3): rotations. Returns (F, 3): axis times angle in radians.
    """
    return _core.turn_vectors(np.ascontiguousarray(matrices))


def hold_flat(track: LegTrack, model: FootModel, contacts: Sequence[Span], up: Array, fps: float, window: int) -> Hold:
    """Find where a standing foot is flat and still, and the turn that holds it there.

    `contacts`: the foot's contacts, rising. `window`: frames over which a turn fades outside the held moments. Returns
    the turn and the moments.
    """
    return Hold(*_core.hold_flat(track, model, contacts, up, fps, window))


def turned_foot(track: LegTrack, turn: Array) -> Array:
    """Return the linear part of the foot's global matrix with the turn put on.

    `turn` (F, 3): rotation vectors in global space. Returns (F, 3, 3): the turned foot; the original's numbers where
    nothing turns.
    """
    return _core.turn_feet(np.ascontiguousarray(turn), np.ascontiguousarray(track.foot))


def rolling_steps(back: Array, ball: Array, up: Array) -> Array:
    """Return how far the pivot slips from each frame to the next, in the level plane.

    `back`, `ball` (F, 3): the two points of the sole that the foot rolls about. Returns level displacement of the point
    the foot rolls about.
    """
    return _core.rolling_steps(np.ascontiguousarray(back), np.ascontiguousarray(ball), up)
