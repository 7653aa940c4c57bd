# SPDX-License-Identifier: MIT
"""Which joint of a leg stands on the ground: the ankle, or the toes where the foot is the leg's third segment."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from .._support.array_types import Floats
from .leg import Leg
from .limbs import ancestors

# A foot is a segment of the leg where it is at least this long (of thigh and shin together; 0.2 in humans) and where
# this part of its length is along the line from hip to toes: 0.92 and more in animals, 0.84 in the boots of figures
# with short legs.
_LONG, _STEEP = 0.26, 0.88


def standing_leg(parents: Sequence[int], rest: Floats, leg: Leg) -> Leg:
    """Return the leg as it is solved: down to the joint that the foot turns about on the ground.

    Dogs, cats, birds and horses stand on their toes: the bone named as the foot is a third segment, from hock to toes.
    Such a leg is solved from hip to toes. The joints between knee and toes keep their angles, so that shin and foot
    move as one segment, and the knee alone sets the length of the leg.

    `parents`: parent of each joint, before it. `rest` (J, 4, 4): global rest matrices. Returns the same leg where the
    foot lies on the ground, where there are no toes, or where the chain was given by hand.

    Examples
    --------
    >>> rest = np.tile(np.eye(4), (5, 1, 1))
    >>> rest[:, 1, 3], rest[:, 2, 3] = [1.3, 1.0, 0.6, 0.2, 0.1], [0.0, 0.1, -0.1, 0.0, 0.1]
    >>> standing_leg([-1, 0, 1, 2, 3], rest, Leg(0, 1, 2, toe=3)).chain
    (0, 1, 3)
    """
    if leg.toe is None or leg.chain != (leg.hip, leg.knee, leg.ankle):
        return leg
    hip, knee, ankle, toe = (rest[j, :3, 3] for j in (*leg.chain, leg.toe))
    length = float(np.linalg.norm(knee - hip) + np.linalg.norm(ankle - knee))
    foot, line = toe - ankle, toe - hip
    long = float(np.linalg.norm(foot))
    if long < _LONG * length or float(foot @ line) < _STEEP * long * float(np.linalg.norm(line)):
        return leg
    below = [j for j, parent in enumerate(parents) if parent == leg.toe]
    tip = max(below, key=lambda j: float(np.linalg.norm(rest[j, :3, 3] - toe)), default=None)
    above = ancestors(parents, leg.toe)
    segments = (*leg.segments, *above[: above.index(leg.ankle)][::-1])
    return replace(leg, ankle=leg.toe, toe=tip, heel=None, chain=(leg.hip, leg.knee, leg.toe), segments=segments)
