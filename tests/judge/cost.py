# SPDX-License-Identifier: MIT
"""What a leg does that an animator would see, in numbers; and what was added to the original's motion."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from hinges import signed_flexion
from motion import Array, LegMotion, angle_between, norm, unit

BENT = 7.0  # degrees: a knee that is bent less has no direction that one sees
LEAST = 11.5  # degrees: flexions below count as this
CHANGED = 10.0  # degrees
BACKWARD = 1.0  # degrees past the original
POP = 8000.0  # degrees per second squared
GLITCH_WINDOW = 0.1  # seconds
GLITCH = 8.0  # times the 95th percentile of the clip's own jumps
LEAST_GLITCH = (0.05, 15.0)  # leg and degrees per frame squared


@dataclass(frozen=True)
class Seen:
    """One leg of one version: flexion in degrees (F,) and figures per frame (F,), 0 where there are no neighbours."""

    flexion: Array
    overturned: Array  # 1 in frames in which the bend has turned by more than 90 degrees since the frame before
    pop: Array  # 1 in frames with a jump of the knee's angular speed
    jerk: Array  # degrees per second cubed
    jump: Array  # legs per frame squared
    turn: Array  # degrees per frame


def seen(leg: LegMotion, hinge: Array, fps: float) -> Seen:
    """Measure a leg, whose lengths are in legs."""
    count, flexion = len(leg.hip), signed_flexion(leg, hinge)
    bend = leg.knee - leg.hip
    axis = unit(leg.ankle - leg.hip)
    bend = bend - np.einsum("fi,fi->f", bend, axis)[:, None] * axis
    bent = np.degrees(leg.flexion) > BENT
    over = (angle_between(bend[1:], bend[:-1]) > np.pi / 2) & bent[1:] & bent[:-1]
    pop = np.abs(np.diff(flexion, 2)) * fps**2 > POP
    jerk = np.abs(np.diff(flexion, 3)) * fps**3
    relative = np.einsum("fji,fjk->fik", leg.thigh[:-1], leg.thigh[1:])
    chord = np.linalg.norm(relative - np.eye(3), axis=(-2, -1)) / np.sqrt(8.0)
    turn = np.degrees(2.0 * np.arcsin(np.minimum(chord, 1.0)))
    jump = norm(np.diff(leg.ankle, 2, axis=0))
    return Seen(
        flexion, _spread(over, count, 1), _spread(pop, count, 1), _spread(jerk, count, 2), _spread(jump, count, 1),
        _spread(turn, count, 1),
    )  # fmt: skip


def _spread(values: Array, count: int, before: int) -> Array:
    """(F,) A difference at the frame in its middle, zeros at the ends."""
    out = np.zeros(count)
    out[before : before + len(values)] = values
    return out


def backward(planted: Array, original: Array) -> Array:
    """(F,) Flags: bent to the wrong side, and more than the original."""
    return np.asarray(planted < np.minimum(original, 0.0) - BACKWARD)


def changed(planted: Array, original: Array) -> Array:
    """(F,) Flags: bent otherwise than the original by more than 10 degrees."""
    return np.asarray(np.abs(np.maximum(planted, LEAST) - np.maximum(original, LEAST)) > CHANGED)


def glitches(legs: list[LegMotion], flexions: list[Array], fps: float) -> Array:
    """(F,) Flags of the frames within 0.1 s of a jump of the capture itself, far outside of what the clip does else."""
    count = len(flexions[0])
    found = np.zeros(count, dtype=bool)
    for leg, flexion in zip(legs, flexions):
        jumps = [norm(np.diff(points, 2, axis=0)) for points in (leg.hip, leg.ankle)]
        for least, jump in zip((*[LEAST_GLITCH[0]] * 2, LEAST_GLITCH[1]), (*jumps, np.abs(np.diff(flexion, 2)))):
            if len(jump):
                found[1:-1] |= jump > max(least, GLITCH * float(np.quantile(jump, 0.95)))
    near = round(GLITCH_WINDOW * fps)
    marks = np.flatnonzero(found)
    for mark in marks:
        found[max(0, mark - near) : mark + near + 1] = True
    return found


def added(offsets: Array, fps: float) -> float:
    """RMS over frames of the acceleration that offsets (F, 3) add, per second squared."""
    if len(offsets) < 3:
        return 0.0
    return float(np.sqrt(np.mean(np.sum(np.diff(offsets, 2, axis=0) ** 2, axis=-1)))) * fps**2
