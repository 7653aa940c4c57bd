# SPDX-License-Identifier: MIT
"""Legs whose every figure is known by hand: the thigh hangs along -y, toes look along +z, knees bend about +x."""

from __future__ import annotations

import numpy as np
from motion import Array, LegMotion

HINGE = np.array([1.0, 0.0, 0.0])


def about(axis: int, radians: Array) -> Array:
    """(F, 3, 3) Turns about a coordinate axis."""
    a, b = (axis + 1) % 3, (axis + 2) % 3
    turns = np.tile(np.eye(3), (len(radians), 1, 1))
    turns[:, a, a] = turns[:, b, b] = np.cos(radians)
    turns[:, b, a], turns[:, a, b] = np.sin(radians), -np.sin(radians)
    return turns


def leg(degrees: Array, thigh: Array | None = None, hip: Array | None = None, sideways: float = 0.0) -> LegMotion:
    """A leg of length 1 with these flexions (F,); `sideways` turns the axis of the bend about the thigh, degrees."""
    degrees = np.asarray(degrees, float)
    count = len(degrees)
    thigh = np.tile(np.eye(3), (count, 1, 1)) if thigh is None else thigh
    hip = np.zeros((count, 3)) if hip is None else hip
    aside = about(1, np.full(count, np.radians(sideways)))
    shin = thigh @ aside @ about(0, np.radians(degrees)) @ np.swapaxes(aside, 1, 2)
    down = np.array([0.0, -0.5, 0.0])
    knee = hip + thigh @ down
    ankle = knee + shin @ down
    toe = ankle + shin @ np.array([0.0, 0.0, 0.15])
    return LegMotion(hip, knee, ankle, toe, thigh, shin, np.zeros(3), HINGE.copy())
