# SPDX-License-Identifier: MIT
"""Which of the legs that were found are sure enough to plant."""

from __future__ import annotations

from collections.abc import Sequence

from .leg import Leg, LegList, leg_names

SURE_ENOUGH = 0.3  # of 364 right legs of many skeletons none is below 0.33; fingers and claws are


def sure_legs(legs: Sequence[Leg]) -> LegList:
    """Return those of the found legs that are sure enough to plant.

    Parameters
    ----------
    legs : sequence of Leg
        As `find_legs` returns them.

    Returns
    -------
    LegList
        Those of a confidence of at least 0.3.

    Examples
    --------
    >>> [leg.hip for leg in sure_legs([Leg(1, 2, 3, confidence=0.2), Leg(4, 5, 6, confidence=0.9)])]
    [4]
    """
    return LegList([leg for leg in legs if leg.confidence >= SURE_ENOUGH], getattr(legs, "names", ()))


def too_unsure(legs: Sequence[Leg], names: Sequence[str]) -> str:
    """Say which of the legs that were found are too unsure, how sure they are and why; "" where all are sure.

    Parameters
    ----------
    legs : sequence of Leg
        As `find_legs` returns them.
    names : sequence of str
        Names of the joints.

    Examples
    --------
    >>> too_unsure([Leg(0, 1, 2, side="left", confidence=0.2, reasons=("found by structure",))], ["a", "b", "c"])
    'left a › b › c (20 % sure: found by structure)'
    """
    listed = [
        f"{name} {' › '.join(names[joint] for joint in leg.segments)} "
        f"({100 * leg.confidence:.0f} % sure: {leg.reasons[0] if leg.reasons else 'no reason is given'})"
        for leg, name in zip(legs, leg_names(legs, names), strict=True)
        if leg.confidence < SURE_ENOUGH
    ]
    return ", ".join(listed)
