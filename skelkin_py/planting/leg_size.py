# SPDX-License-Identifier: MIT
"""How small and how large legs may be, and how far away: lengths with which planting can compute."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from .remark import FRAME, Remark

__all__ = ["check_length", "check_places", "check_rest"]

Array = NDArray[np.float64]

_TOO_FAR = 1e100  # beyond, squares of lengths are no numbers any more
_SHORTEST, _LONGEST = 1e-50, 1e50  # legs: fourth powers of small parts of them, and of large multiples, are numbers


def check_length(leg: str, length: float, places: Sequence[Array]) -> None:
    """Raise ValueError where a leg is so short or so long that planting would compute with what is no number.

    `leg`: what messages call it. `length`: its length, 0 where the squares of its bones are. `places` (F, 3): where its
    joints are. A leg whose joints are all at one place is not named here.
    """
    size = length or _largest(places)
    if size and not _SHORTEST <= size <= _LONGEST:
        raise ValueError(
            f"{leg} has a length of {size:.3g}: it must lie within {_SHORTEST:g} … {_LONGEST:g} of the clip's units, "
            "scale the clip"
        )


def check_rest(leg: str, joints: Array) -> None:
    """Raise ValueError where a leg is too long in the rest pose: (3, 3) places of its joints there."""
    size = _largest(list(joints))
    if size > _LONGEST:
        check_length(f"{leg} at rest", size, list(joints))


def check_places(names: Sequence[str], leg: str, places: Sequence[Array]) -> None:
    """Raise ValueError where a joint of a leg is, in some of its (F, 3) places, too far away for distances."""
    for name, place in zip(names, places, strict=True):
        near = np.abs(place) < _TOO_FAR
        if not near.all():
            wild = np.flatnonzero(~near.all(axis=1))
            raise ValueError(
                Remark(
                    f"{name} of the {leg} leg is at {place[wild[0]].tolist()} in frame {FRAME}: coordinates must be "
                    f"finite and below {_TOO_FAR:g}",
                    int(wild[0]),
                )
            )


def _largest(places: Sequence[Array]) -> float:
    """Return a length of the size of the largest way between places, also where its square is no number."""
    return max(float(np.abs(b - a).max()) for a, b in pairwise(places))
