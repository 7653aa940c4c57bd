# SPDX-License-Identifier: MIT
"""Where a knee is when hip and ankle are elsewhere: on the hinge's side, in the plane in which it was."""

from __future__ import annotations

import numpy as np
from hinges import signed_flexion
from motion import Array, LegMotion, dot, norm, smallest_turn, unit

# Degrees of flexion: the bend plane is the hinge's up to the one, the momentary one from the other.
OPEN, BENT = 4.0, 20.0


def placed(leg: LegMotion, hinge: Array, hip: Array, ankle: Array) -> LegMotion:
    """The leg with hip and ankle moved, its knee by the hinge: never bent backward, and straight where out of reach."""
    old, new = unit(leg.ankle - leg.hip), unit(ankle - hip)
    w = np.clip((signed_flexion(leg, hinge) - OPEN) / (BENT - OPEN), 0.0, 1.0)[:, None]
    w = w * w * (3.0 - 2.0 * w)
    momentary = unit(np.cross(leg.knee - leg.hip, leg.ankle - leg.knee))
    usual = leg.thigh @ hinge
    usual = unit(usual - dot(usual, old)[:, None] * old)
    axis = np.einsum("fij,fj->fi", smallest_turn(old, new), w * momentary + (1.0 - w) * usual)
    towards = unit(np.cross(new, axis))
    thigh, shin = leg.lengths
    distance = np.clip(norm(ankle - hip), np.abs(thigh - shin) + 1e-9, thigh + shin)
    cosine = np.clip((thigh**2 + distance**2 - shin**2) / (2.0 * thigh * distance), -1.0, 1.0)
    sine = np.sqrt(1.0 - cosine**2)
    knee = hip + thigh[:, None] * (cosine[:, None] * new + sine[:, None] * towards)
    return leg.moved(hip, knee, ankle)
