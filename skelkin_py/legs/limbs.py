# SPDX-License-Identifier: MIT
"""Reading the names along each path of joints as the places of a leg."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from .._support.array_types import Floats
from .words import ABOVE, ANKLE, ARM_PLACES, BEARS_THE_FEMUR, FEET_WORDS, HEEL, SHIN, THIGH, TOE, BoneName

_UNKNOWN = {ABOVE: 0.0, THIGH: 0.4, SHIN: 0.4, ANKLE: 0.5, TOE: 0.3}
_REPEATED = 0.15  # cost of a second joint at the same place: split thighs and shins are rarer than one bone each
_COLLINEAR = 0.9  # cosine of the angle up to which two bones are parts of one thigh
_ONE_PLACE = 0.02  # of the leg: joints of both sides that are nearer to each other are no hips
_REACHES_GROUND = 0.15  # of the legs' length: hands that end no higher above the lowest ankle carry the body


class Limb(NamedTuple):
    """A leg before its pair, pelvis and bend are known: joint indices, and the cost of reading it as a leg."""

    hip: int
    knee: int
    ankle: int
    toe: int | None
    segments: tuple[int, ...]
    side: str | None
    limb: str
    variant: int
    cost: float
    reasons: tuple[str, ...]
    standing: bool = True  # False where the words are those of an arm: a leg only if it reaches the ground


def ancestors(parents: Sequence[int], joint: int) -> list[int]:
    """Return the joint and all joints above it, from the joint up."""
    chain = []
    while joint >= 0:
        chain.append(joint)
        joint = parents[joint]
    return chain


def _all_limbs(names: list[str], read: list[BoneName], parents: list[int]) -> list[Limb]:
    """Return every leg that the names show, copies in one rig included."""
    useful = [
        joint
        for joint, bone in enumerate(read)
        if bone.places and bone.side is not None and not (bone.ignored or bone.twist or HEEL in bone.places)
    ]
    sides_below: list[set[str | None]] = [set() for _ in parents]
    for joint in useful:
        if set(read[joint].places) - {ABOVE}:
            for above in ancestors(parents, joint):
                sides_below[above].add(read[joint].side)
    has_useful_child = {above for joint in useful for above in ancestors(parents, joint)[1:]}
    limbs: dict[tuple[int, int, int], Limb] = {}
    for tip in useful:
        if tip in has_useful_child and not ({ANKLE, TOE} & set(read[tip].places)):
            continue
        limb = _read_path(_path_to(tip, parents, read, sides_below), names, read)
        if limb is None:
            continue
        key = (limb.hip, limb.knee, limb.ankle)
        old = limbs.get(key, limb)
        limbs[key] = min(old, limb, key=lambda each: _toe_rank(each, names, parents))
    return list(limbs.values())


def _toe_rank(limb: Limb, names: list[str], parents: list[int]) -> tuple[bool, float, int, str]:
    """Return what ranks two readings of one leg: with toes before without, then cheaper, then nearer to the ankle."""
    if limb.toe is None:
        return True, limb.cost, 0, ""
    return False, limb.cost, ancestors(parents, limb.toe).index(limb.ankle), names[limb.toe]


def _path_to(tip: int, parents: list[int], read: list[BoneName], sides_below: list[set[str | None]]) -> list[int]:
    """Return the joints from below the trunk down to `tip`, helpers left out."""
    path = []
    for joint in ancestors(parents, tip):
        if len(sides_below[joint]) > 1 or (read[joint].side not in (None, read[tip].side)):
            break
        helper = read[joint].ignored or HEEL in read[joint].places
        if not helper:
            path.append(joint)
    return path[::-1]


def _read_path(path: list[int], names: list[str], read: list[BoneName]) -> Limb | None:
    """Read a path as trunk, thigh, shin, ankle, toes at the least cost; None where it cannot be a leg."""
    bones = [read[joint] for joint in path]
    arm = any(bone.word in ARM_PLACES for bone in bones) and not any(bone.word in FEET_WORDS for bone in bones)
    # best[k]: cheapest reading so far whose last joint is at place k.
    best: dict[int, tuple[float, tuple[int, ...]]] = {}
    for bone in bones:
        costs = bone.places or _UNKNOWN
        step: dict[int, tuple[float, tuple[int, ...]]] = {}
        for place in range(TOE + 1):
            if place not in costs:
                continue
            cost = costs[place] + (0.1 if bone.twist else 0.0)
            options: list[tuple[float, tuple[int, ...]]] = [(cost, (place,))] if place <= THIGH and not best else []
            for before in (place, place - 1):
                if before in best:
                    repeated = _REPEATED if before == place and place not in (ABOVE, TOE) else 0.0
                    options.append((best[before][0] + cost + repeated, (*best[before][1], place)))
            if options:
                step[place] = min(options)
        best = step
    ends = [best[place] for place in (ANKLE, TOE) if place in best]
    if not ends:
        return None
    cost, places = min(ends)
    hip, knee, ankle = (path[places.index(place)] for place in (THIGH, SHIN, ANKLE))
    toe = path[places.index(TOE)] if TOE in places else None
    # At least two of the three must be named: unknown joints between do not make a leg.
    if sum(bool(read[joint].places) for joint in (hip, knee, ankle)) < 2:
        return None
    labels = {hip: "hip", knee: "knee", ankle: "ankle", **({} if toe is None else {toe: "toe"})}
    reasons = tuple(_reason(label, names[joint], read[joint]) for joint, label in labels.items())
    segments = tuple(path[path.index(hip) : path.index(ankle) + 1])
    side = read[hip].side or read[ankle].side
    pair = next((bone.limb for bone in bones if bone.limb), "")
    variant = max(read[joint].variant for joint in (hip, knee, ankle))
    return Limb(hip, knee, ankle, toe, segments, side, pair, variant, cost, reasons, not arm)


def named_limbs(names: list[str], read: list[BoneName], parents: list[int], positions: Floats) -> list[Limb]:
    """Return the legs that the names show, one for each place.

    Parameters
    ----------
    names : list of J str
        Names of the joints.
    read : list of J BoneName
        What they say.
    parents : list of J int
        Parent of each joint.
    positions : (J, 3) float64 array
        Rest positions in one space.

    Returns
    -------
    list of Limb
        In the order of their hips; empty where the names show no leg.
    """
    found = _all_limbs(names, read, parents)
    pairs = [(limb, _mirrored(limb, found, read)) for limb in found]
    found = [_without_helpers(limb, other, names, positions) for limb, other in pairs]
    pairs = [(limb, _mirrored(limb, found, read)) for limb in found]
    limbs = [_with_upper_part(limb, other, names, read, parents, positions) for limb, other in pairs]
    return _one_per_place(_that_stand(limbs, positions), positions) if any(limb.standing for limb in limbs) else []


def _that_stand(limbs: list[Limb], positions: Floats) -> list[Limb]:
    """Drop arms, but for those that reach as low as the legs do: fore legs that are named as arms."""
    legs = [limb for limb in limbs if limb.standing]
    down = np.mean([positions[limb.ankle] - positions[limb.hip] for limb in legs], axis=0)
    length = float(np.linalg.norm(down))
    halves = [[positions[limb.hip] for limb in legs if limb.side == side] for side in ("left", "right")]
    if length == 0.0 or not all(halves):
        return legs
    apart = np.mean(halves[0], axis=0) - np.mean(halves[1], axis=0)
    # A rest pose without rotations, where all limbs lie along one axis, does not show the ground.
    if abs(float(apart @ down)) > 0.5 * length * float(np.linalg.norm(apart)):
        return legs
    ground = min(float(positions[limb.ankle] @ down) for limb in legs) / length
    kept = []
    for limb in limbs:
        if limb.standing:
            kept.append(limb)
            continue
        drop = positions[limb.ankle] - positions[limb.hip]
        steep = float(drop @ down) > 0.8 * length * float(np.linalg.norm(drop))
        if steep and abs(float(positions[limb.ankle] @ down) / length - ground) < _REACHES_GROUND * length:
            kept.append(limb._replace(reasons=(*limb.reasons, "named as an arm, but it stands on the ground"),
                                      limb="front"))  # fmt: skip
    return kept


def _mirrored(limb: Limb, limbs: list[Limb], read: list[BoneName]) -> Limb | None:
    """Return the limb of the other side with the same words at the same places."""
    words = [read[joint].word for joint in limb.segments]
    alike = (
        other
        for other in limbs
        if {limb.side, other.side} == {"left", "right"}
        and (other.variant, other.limb) == (limb.variant, limb.limb)
        and words == [read[joint].word for joint in other.segments]
        and not set(limb.segments) & set(other.segments)
    )
    return next(alike, None)


def _is_straight(joints: tuple[int, ...], positions: Floats) -> bool:
    """Tell whether the bone from the second to the third joint continues the line of the bone before it."""
    first, rest = positions[joints[1]] - positions[joints[0]], positions[joints[2]] - positions[joints[1]]
    return float(first @ rest) > _COLLINEAR * float(np.linalg.norm(first) * np.linalg.norm(rest)) > 0.0


def _meet(a: int, b: int, size: float, positions: Floats) -> bool:
    """Tell whether joints of both sides are in one place, as are those that only lead from the pelvis to the hips."""
    return float(np.linalg.norm(positions[a] - positions[b])) < _ONE_PLACE * size


def _with_upper_part(
    limb: Limb, other: Limb | None, names: list[str], read: list[BoneName], parents: list[int], positions: Floats
) -> Limb:
    """Add a joint named "hip" above the thigh as its upper part where it is in line with it on both sides."""
    above = parents[limb.hip]
    if above < 0 or read[above].side != limb.side or limb.side is None or THIGH not in read[above].places:
        return limb
    if read[above].word in BEARS_THE_FEMUR or not _is_straight((above, limb.hip, limb.knee), positions):
        return limb
    if other is not None:
        size = float(np.linalg.norm(positions[limb.ankle] - positions[limb.hip]))
        beside = parents[other.hip]
        if beside < 0 or _meet(above, beside, size, positions):
            return limb
        if not _is_straight((beside, other.hip, other.knee), positions):
            return limb
    reason = f"hip: {names[above]!r}, as {names[limb.hip]!r} below it goes on in its line"
    return limb._replace(hip=above, segments=(above, *limb.segments), reasons=(reason, *limb.reasons[1:]))


def _without_helpers(limb: Limb, other: Limb | None, names: list[str], positions: Floats) -> Limb:
    """Drop joints at the top that are named as the thigh but only lead to it: they point another way.

    Both sides are decided together.
    """
    segments = limb.segments
    sides = [limb] if other is None else [limb, other]
    size = float(np.linalg.norm(positions[limb.ankle] - positions[limb.hip]))
    first, last = 0, segments.index(limb.knee)
    while last - first > 1:
        tops = [tuple(side.segments[first : first + 3]) for side in sides]
        bones = [positions[list(top[1:])] - positions[list(top[:2])] for top in tops]
        if not any(bone.any() for bone in bones):  # a rest pose without offsets shows no direction
            break
        meet = len(sides) > 1 and _meet(tops[0][0], tops[1][0], size, positions)
        if not meet and all(_is_straight(top, positions) for top in tops):
            break
        first += 1
    if first == 0:
        return limb
    hip = segments[first]
    reasons = (f"hip: {names[hip]!r}, as {names[limb.hip]!r} above it only leads to it", *limb.reasons[1:])
    return limb._replace(hip=hip, segments=segments[first:], reasons=reasons)


def _reason(label: str, name: str, bone: BoneName) -> str:
    if not bone.places:
        return f"{label}: {name!r} by its place in the chain"
    if len(bone.places) > 1:
        return f"{label}: {name!r} by the word {bone.word!r} and its place in the chain"
    return f"{label}: {name!r} by the word {bone.word!r}"


def _one_per_place(limbs: list[Limb], positions: Floats) -> list[Limb]:
    """Keep one of several copies of a leg in one rig: the controls before the plain bones before the mechanism."""
    kept: list[Limb] = []
    for limb in sorted(limbs, key=lambda limb: (limb.variant, limb.toe is None, limb.cost, limb.hip)):
        size = float(np.linalg.norm(positions[limb.hip] - positions[limb.ankle]))
        same = [
            other
            for other in kept
            if other.side == limb.side
            and (
                set(limb.segments) & set(other.segments)
                or all(
                    np.linalg.norm(positions[a] - positions[b]) <= 0.2 * size
                    for a, b in ((limb.hip, other.hip), (limb.ankle, other.ankle))
                )
            )
        ]
        if not same:
            kept.append(limb)
    return sorted(kept, key=lambda limb: limb.hip)
