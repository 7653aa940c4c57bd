# SPDX-License-Identifier: MIT
"""Legs whose foot stays at the end of the shin although it is not below it, as in exported IK rigs."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from .._support.array_types import Floats
from .geometry import bend_direction, bend_from_motion
from .leg import Leg
from .limbs import ancestors
from .words import ANKLE, SHIN, THIGH, BoneName, read_name

_TOGETHER = 0.05  # of the leg: how far a foot may move in the axes of the lower leg
_SURE = 0.75
_SHORTEST = 0.25  # of the thigh: a foot nearer to the knee than this is not at the end of a lower leg


def legs_with_detached_feet(names: Sequence[str], parents: Sequence[int], rest: Floats, poses: Floats) -> list[Leg]:
    """Return the legs whose foot stays at the end of a lower leg although it is not below it.

    Parameters
    ----------
    names : sequence of J str
        Names of the joints.
    parents : sequence of J int
        Parent of each joint; -1 for a root.
    rest : (J, 4, 4) float64 array
        Global matrices of the rest pose.
    poses : (F, J, 4, 4) float64 array
        Global matrices of some frames.

    Returns
    -------
    list of Leg
        Left before right; empty where there are none.
    """
    read = [read_name(name) for name in names]
    legs = []
    for knee in _joints_at(SHIN, read):
        side, limb = read[knee].side, read[knee].limb
        hips = [j for j in ancestors(parents, knee)[1:] if THIGH in read[j].places and read[j].side == side]
        if not hips or any(knee in ancestors(parents, j) for j in _joints_at(ANKLE, read)):
            continue
        hip = hips[0]
        feet = [j for j in _joints_at(ANKLE, read) if read[j].side == side and read[j].limb == limb]
        fitting = [(drift, foot) for foot in feet if (drift := _drift(poses, hip, knee, foot)) is not None]
        if not fitting:
            continue
        ankle = min(fitting)[1]
        bend = bend_from_motion(rest, poses, hip, knee, ankle)
        if bend is None:
            bend = bend_direction(rest[:, :3, 3], hip, knee, ankle, None, None, None)[0]
        reason = f"ankle: {names[ankle]!r}, which stays at the end of {names[knee]!r} in all frames"
        legs.append(
            Leg(hip, knee, ankle, side=side, pelvis=parents[hip] if parents[hip] >= 0 else None, bend=bend,
                confidence=_SURE, reasons=(reason, "although it is not its child"))
        )  # fmt: skip
    return sorted(legs, key=lambda leg: (read[leg.hip].limb, leg.side != "left"))


def _joints_at(place: int, read: list[BoneName]) -> list[int]:
    """Return the joints that are named as a place of the leg, with a side; controls are left out."""
    return [
        j
        for j, bone in enumerate(read)
        if bone.side is not None and not bone.ignored and not bone.twist and bone.places.get(place, 1.0) <= 0.05
    ]


def _drift(poses: Floats, hip: int, knee: int, foot: int) -> float | None:
    """Return how far, in leg lengths, a foot moves in the axes of the lower leg; None where that is too far."""
    thigh = np.linalg.norm(poses[:, knee, :3, 3] - poses[:, hip, :3, 3], axis=1)
    drift, lengths = drift_of(poses, foot, knee)
    if not float(np.median(lengths)) > _SHORTEST * float(np.median(thigh)) > 0.0:
        return None
    drift /= float(np.median(thigh + lengths))
    return drift if drift <= _TOGETHER else None


def drift_of(poses: Floats, joint: int, parent: int) -> tuple[float, Floats]:
    """Return how far a joint is at most from its median place in the axes of another, and its distances (F,)."""
    axes = poses[:, parent, :3, :3]
    axes = axes / np.maximum(np.linalg.norm(axes, axis=1, keepdims=True), 1e-300)
    places = np.einsum("fji,fj->fi", axes, poses[:, joint, :3, 3] - poses[:, parent, :3, 3])
    drift = np.linalg.norm(places - np.median(places, axis=0), axis=1).max()
    return float(drift), np.linalg.norm(places, axis=1)
