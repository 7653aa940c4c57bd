# SPDX-License-Identifier: MIT
"""Legs whose foot stays at the end of the shin although it is not below it, as in exported IK rigs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from .._support.array_types import Floats
from .finder import with_pairs
from .geometry import bend_from_motion
from .leg import Leg, LegList
from .limbs import ancestors
from .words import ANKLE, SHIN, THIGH, TOE, BoneName, is_ik_goal, read_name, without_roles

_TOGETHER = 0.05  # of the leg: how far a foot may be from its place in the axes of the lower leg, in most frames
_SURE = 0.75
_AT_THE_ANKLE = 0.02  # of the leg: how far from the ankle a second foot may be, in most frames
_SHORTEST = 0.25  # of the thigh: a foot nearer to the knee than this is not at the end of a lower leg


class LooseLeg(NamedTuple):
    """Thigh and shin without a foot below, and the joints elsewhere that may be it, the likeliest kind first."""

    hip: int
    knee: int
    feet: tuple[tuple[int, ...], ...]


def loose_legs(names: Sequence[str], parents: Sequence[int], legs: Sequence[Leg] = ()) -> list[LooseLeg]:
    """Return thighs and shins that the names show without a foot below them, beside the legs that were found.

    A foot is named so, or is the goal of an exported IK control, such as ``IKBackLeg.L``.
    """
    read = [read_name(name) for name in names]
    shins, ankles = ([j for j, bone in enumerate(read) if _is_at(place, bone)] for place in (SHIN, ANKLE))
    above_ankles = {joint for j in ankles for joint in ancestors(parents, j)[1:]}
    above_shins = {joint for j in shins for joint in ancestors(parents, j)[1:]}
    taken = above_ankles.union(*(leg.segments for leg in legs))
    pairs = []
    for knee in shins:
        above = ancestors(parents, knee)[1:]
        hip = next((j for j in above if THIGH in read[j].places and read[j].side == read[knee].side), None)
        if hip is not None and knee not in above_shins and hip not in taken:
            pairs.append((hip, knee))
    if not pairs:
        return []
    thighs = {j for j, bone in enumerate(read) if THIGH in bone.places and not bone.ignored}
    apart = [j for j in range(len(read)) if thighs.isdisjoint(ancestors(parents, j))]
    kinds = (
        {j: read[j] for j in apart if j in ankles},
        {j: goal for j in apart if ANKLE in (goal := _read_goal(names[j])).places or goal.word == "leg"},
    )
    loose = []
    for hip, knee in pairs:
        leg = read[knee].side, read[knee].limb
        feet = tuple(tuple(j for j, bone in kind.items() if (bone.side, bone.limb) == leg) for kind in kinds)
        if any(feet):
            loose.append(LooseLeg(hip, knee, feet))
    return loose


def legs_with_detached_feet(
    loose: Sequence[LooseLeg], named: LegList, parents: Sequence[int], rest: Floats, poses: Floats
) -> list[Leg]:
    """Return the legs whose foot stays at the end of a lower leg although it is not below it.

    Where a goal is out of the leg's reach, the foot leaves the lower leg for some frames.

    Parameters
    ----------
    loose : sequence of LooseLeg
        As `loose_legs` returns them.
    named : LegList
        The other legs, with the names of all joints.
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
    names = list(named.names)
    read = [read_name(name) for name in names]
    legs: list[Leg] = []
    for hip, knee, kinds in loose:
        near = ({j: distance_at_the_end(poses, hip, knee, j) for j in feet} for feet in kinds)
        fitting = ({j: far for j, far in kind.items() if far is not None} for kind in near)
        ankle = next((min(kind, key=kind.__getitem__) for kind in fitting if kind), None)
        if ankle is None or ankle in (leg.ankle for leg in legs):
            continue
        below = (j for j in range(len(read)) if _is_at(TOE, read[j]) and ankle in ancestors(parents, j)[1:])
        reason = f"ankle: {names[ankle]!r}, which stays at the end of {names[knee]!r} in most frames"
        legs.append(
            Leg(hip, knee, ankle, next(below, None), side=read[knee].side,
                confidence=_SURE, reasons=(reason, "although it is not its child"))
        )  # fmt: skip
    legs = with_pairs([*named, *legs], names, read, list(parents), rest[:, :3, 3])[len(named) :]
    legs = [replace(leg, bend=bend_from_motion(rest, poses, *leg.chain) or leg.bend) for leg in legs]
    return sorted(legs, key=lambda leg: (read[leg.hip].limb, leg.side != "left"))


def second_feet(names: Sequence[str], parents: Sequence[int], legs: Sequence[Leg]) -> list[tuple[int, Leg]]:
    """Return the joints that the names show to be feet too, below no thigh, and the leg that has its own foot there."""
    read = [read_name(name) for name in names]
    thighs = {j for j, bone in enumerate(read) if THIGH in bone.places and not bone.ignored}
    loose = [j for j, bone in enumerate(read) if _is_at(ANKLE, bone) and thighs.isdisjoint(ancestors(parents, j))]
    return [
        (foot, leg)
        for foot in loose
        for leg in legs
        if leg.ankle not in ancestors(parents, foot)
        and read[foot].side == leg.side == read[leg.ankle].side
        and read[foot].limb in ("", read[leg.hip].limb)
    ]


def stays_at_the_ankle(foot: int, leg: Leg, poses: Floats) -> bool:
    """Tell whether a joint is where a leg's ankle is in most frames of global poses (F, J, 4, 4)."""
    hip, knee, ankle, other = (poses[:, joint, :3, 3] for joint in (*leg.chain, foot))
    length = np.linalg.norm(knee - hip, axis=1) + np.linalg.norm(ankle - knee, axis=1)
    return bool(np.median(np.linalg.norm(other - ankle, axis=1)) <= _AT_THE_ANKLE * np.median(length))


def _is_at(place: int, bone: BoneName) -> bool:
    """Tell whether a joint is named as a place of the leg, with a side; controls are left out."""
    return bone.side is not None and not bone.ignored and not bone.twist and bone.places.get(place, 1.0) <= 0.05


def _read_goal(name: str) -> BoneName:
    """Return what the name of the goal of an IK control says besides; nothing where it is none."""
    return read_name(without_roles(name) if is_ik_goal(name) else "")


def distance_at_the_end(poses: Floats, hip: int, knee: int, foot: int) -> float | None:
    """Return how far a foot is from the knee; None where it does not stay at the end of the lower leg."""
    thigh = np.linalg.norm(poses[:, knee, :3, 3] - poses[:, hip, :3, 3], axis=1)
    drift, lengths = drift_of(poses, foot, knee)
    far = float(np.median(lengths))
    if not far > _SHORTEST * float(np.median(thigh)) > 0.0 or drift > _TOGETHER * float(np.median(thigh + lengths)):
        return None
    return far


def drift_of(poses: Floats, joint: int, parent: int) -> tuple[float, Floats]:
    """Return how far a joint is from its median place in the axes of another, in the median, and its distances (F,)."""
    axes = poses[:, parent, :3, :3]
    axes = axes / np.maximum(np.linalg.norm(axes, axis=1, keepdims=True), 1e-300)
    places = np.einsum("fji,fj->fi", axes, poses[:, joint, :3, 3] - poses[:, parent, :3, 3])
    drift = np.median(np.linalg.norm(places - np.median(places, axis=0), axis=1))
    return float(drift), np.linalg.norm(places, axis=1)
