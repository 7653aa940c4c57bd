# SPDX-License-Identifier: MIT
"""Knees as hinges: axis and anatomical side of a leg over the whole clip, flexion as a signed number about it.

And where a knee is when hip and ankle are elsewhere."""

from __future__ import annotations

import numpy as np
from motion import Array, LegMotion, dot, norm, smallest_turn, unit

SEEN, UNSEEN = np.radians(30.0), np.radians(10.0)  # from here bends speak for themselves; below, rest and toes do
ASTRAY = np.radians(15.0)  # bends this far from the axis count half
# Degrees of flexion: the bend plane is the hinge's up to the one, the momentary one from the other.
OPEN, BENT = 4.0, 20.0


def hinge_of(leg: LegMotion) -> Array:
    """(3,) The axis in the thigh's frame about which the shin turns backward, away from the toes, when the knee bends.

    Bends weigh by the square of their sine, which leaves nearly straight frames without a voice, and less where they
    are astray. The sign is that of the bends where legs bend 30 degrees, of toes and rest pose where they do not.
    """
    bends = np.einsum("fji,fj->fi", leg.thigh, np.cross(unit(leg.knee - leg.hip), unit(leg.ankle - leg.knee)))
    flexion = leg.flexion
    most = float(np.quantile(flexion, 0.98))
    hint = _hint(leg)
    weights, axis = np.ones(len(bends)), np.zeros(3)
    for _ in range(20):
        _, vectors = np.linalg.eigh(np.einsum("f,fi,fj->ij", weights, bends, bends))
        axis = vectors[:, 2]
        astray = np.arccos(np.clip(np.abs(unit(bends) @ axis), 0.0, 1.0))
        weights = 1.0 / (1.0 + (astray / ASTRAY) ** 2)
    captured = float(np.sum((bends @ axis) * flexion**2))
    trust = _smooth((most - UNSEEN) / (SEEN - UNSEEN))
    if not hint.any():
        return np.asarray(axis * (1.0 if captured >= 0.0 else -1.0))
    by_hint = float(hint @ axis)
    sure = abs(captured) > 0.5 * np.sum(np.abs(bends @ axis) * flexion**2)
    side = captured if most >= SEEN and sure else by_hint if by_hint != 0.0 else captured
    axis = axis * (1.0 if side >= 0.0 else -1.0)
    return unit(trust * axis + (1.0 - trust) * hint)


def _hint(leg: LegMotion) -> Array:
    """(3,) Axis that toes and rest pose tell; zeros where neither says anything."""
    rest = leg.rest_bend if np.linalg.norm(leg.rest_bend) > np.sin(np.radians(1.0)) else np.zeros(3)
    if not leg.toes_bend.any():
        return unit(rest) if rest.any() else rest
    if not rest.any() or float(rest @ leg.toes_bend) <= 0.0:
        return unit(leg.toes_bend)
    return unit(unit(rest) + unit(leg.toes_bend))


def _smooth(x: float) -> float:
    x = min(max(x, 0.0), 1.0)
    return x * x * (3.0 - 2.0 * x)


def signed_flexion(leg: LegMotion, hinge: Array) -> Array:
    """(F,) Degrees between thigh and shin, positive where the knee bends as it should, negative past straight.

    The sign is that of the bend's direction against the hinge's; it goes smoothly from one to the other where the knee
    bends sideways, 60 to 120 degrees from the hinge, so that such a bend is no jump.
    """
    bends = unit(np.cross(leg.knee - leg.hip, leg.ankle - leg.knee))
    side = np.clip(2.0 * dot(bends, leg.thigh @ hinge), -1.0, 1.0)
    return np.asarray(np.degrees(leg.flexion) * side)


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
