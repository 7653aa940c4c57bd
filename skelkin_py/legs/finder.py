# SPDX-License-Identifier: MIT
"""Finding the legs of a skeleton by the names of its joints, by their places in the chain, else by structure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .geometry import bend_direction, rest_check
from .leg import Leg
from .structure import structural_limbs
from .words import ABOVE, ANKLE, ARM_PLACES, FEET_WORDS, HEEL, SHIN, THIGH, TOE, BoneName, read_name

FloatArray = NDArray[np.float64]

_UNKNOWN = {ABOVE: 0.0, THIGH: 0.4, SHIN: 0.4, ANKLE: 0.5, TOE: 0.3}
_REPEATED = 0.15  # cost of a second joint at the same place: split thighs and shins are rarer than one bone each
_COLLINEAR = 0.9  # cosine of the angle up to which two bones are parts of one thigh
_NAMED_FLOOR, _STRUCTURE_CEILING = 0.7, 0.6


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


def find_legs(names: Sequence[str], parents: ArrayLike, rest_positions: ArrayLike) -> list[Leg]:
    """Find the legs of a skeleton.

    Names are read first: namespaces, prefixes, sides and numbers are taken off, and words that mean different places in
    different rigs ("leg", "hip", "foot") are decided by their place in the chain. Where names tell nothing, two
    mirrored branches that reach the lowest points are taken.

    Parameters
    ----------
    names : sequence of J str
        Names of the joints, in any script.
    parents : (J,) array_like of int
        Parent of each joint, before it; -1 for a root.
    rest_positions : (J, 3) array_like
        Joint positions of the rest pose in one space, any unit and any up axis.

    Returns
    -------
    list of Leg
        Pair by pair, left before right; empty where no legs were found.

    Raises
    ------
    ValueError
        If the lengths do not agree, a position is not finite or a parent does not come before its child.

    See Also
    --------
    Clip.find_legs : The same for a clip.

    Notes
    -----
    Every path from a leaf up to where both sides meet is read as the sequence trunk, thigh, shin, ankle, toes by
    dynamic programming over the costs of the words; the cheapest reading with all of thigh, shin and ankle is a leg.

    Examples
    --------
    >>> names = ["Hips", "LeftUpLeg", "LeftLeg", "LeftFoot", "RightUpLeg", "RightLeg", "RightFoot"]
    >>> parents = [-1, 0, 1, 2, 0, 4, 5]
    >>> rest = [[0, 9, 0], [1, 8, 0], [1, 4, 0.2], [1, 0, 0], [-1, 8, 0], [-1, 4, 0.2], [-1, 0, 0]]
    >>> [(leg.side, leg.chain, leg.pelvis) for leg in find_legs(names, parents, rest)]
    [('left', (1, 2, 3), 0), ('right', (4, 5, 6), 0)]
    """
    names, tree, positions = _checked(names, parents, rest_positions)
    read = [read_name(name) for name in names]
    limbs = [_without_helpers(limb, names, positions) for limb in _named_limbs(names, read, tree)]
    if limbs:
        kept = _one_per_place(limbs, positions)
        # A joint that sits between two of the same leg's, such as a heel marker, is found by its word.
        legs = [_finished(limb, read, tree, positions, _named_confidence(limb)) for limb in kept]
    else:
        found = structural_limbs(tree.tolist(), positions)
        legs = [
            _finished(
                Limb(f.hip, f.knee, f.ankle, f.toe, f.segments, f.side, f.pair, 1, 0.0, f.reasons),
                read,
                tree,
                positions,
                min(f.score, 1.0) * _STRUCTURE_CEILING,
            )
            for f in found
        ]
    return _paired(legs, tree.tolist(), positions)


def _checked(
    names: Sequence[str], parents: ArrayLike, rest_positions: ArrayLike
) -> tuple[list[str], NDArray[np.int64], FloatArray]:
    """Return the arguments as list and arrays, or raise a ValueError that names the wrong one."""
    texts = [str(name) for name in names]
    tree = np.asarray(parents)
    if tree.size and tree.dtype.kind not in "iu":
        raise ValueError(f"parents has dtype {tree.dtype}: must be integers")
    tree = tree.astype(np.int64)
    positions = np.asarray(rest_positions, np.float64)
    if tree.shape != (len(texts),):
        raise ValueError(f"parents has shape {tree.shape}: must be ({len(texts)},), one per name")
    if positions.shape != (len(texts), 3) and not (positions.size == 0 and not texts):
        raise ValueError(f"rest_positions has shape {positions.shape}: must be ({len(texts)}, 3)")
    for joint, parent in enumerate(tree.tolist()):
        if not -1 <= parent < joint:
            raise ValueError(f"parents[{joint}] is {parent}: a parent must come before its child")
    bad = np.argwhere(~np.isfinite(positions))
    if bad.size:
        raise ValueError(f"rest_positions[{bad[0][0]}, {bad[0][1]}] is {positions[tuple(bad[0])]}: must be finite")
    return texts, tree, positions


def _ancestors(parents: list[int], joint: int) -> list[int]:
    """Return the joint and all above it, from the joint up."""
    chain = []
    while joint >= 0:
        chain.append(joint)
        joint = parents[joint]
    return chain


def _is_leg_word(bone: BoneName) -> bool:
    return bool(bone.places) and not bone.ignored and (HEEL not in bone.places)


def _named_limbs(names: list[str], read: list[BoneName], tree: NDArray[np.int64]) -> list[Limb]:
    """Return every leg that names tell, copies in one rig included."""
    parents = tree.tolist()
    useful = [j for j, bone in enumerate(read) if _is_leg_word(bone) and bone.side is not None]
    sides_below: list[set[str]] = [set() for _ in parents]
    for joint in useful:
        side = read[joint].side
        if side is not None and not read[joint].twist and (set(read[joint].places) - {ABOVE}):
            for above in _ancestors(parents, joint):
                sides_below[above].add(side)
    has_useful_child = {above for joint in useful if not read[joint].twist for above in _ancestors(parents, joint)[1:]}
    limbs: dict[tuple[int, int, int], Limb] = {}
    for tip in useful:
        if tip in has_useful_child and not ({ANKLE, TOE} & set(read[tip].places)):
            continue
        if read[tip].twist:
            continue
        limb = _read_path(_path_to(tip, parents, read, sides_below), names, read)
        if limb is None:
            continue
        key = (limb.hip, limb.knee, limb.ankle)
        old = limbs.get(key)
        if old is None or _toe_rank(limb, names, parents) < _toe_rank(old, names, parents):
            limbs[key] = limb
    return list(limbs.values())


def _toe_rank(limb: Limb, names: list[str], parents: list[int]) -> tuple[bool, float, int, str]:
    """Return what ranks two readings of one leg: with toes before without, then cheaper, then nearer to the ankle."""
    if limb.toe is None:
        return True, limb.cost, 0, ""
    return False, limb.cost, _ancestors(parents, limb.toe).index(limb.ankle), names[limb.toe]


def _path_to(tip: int, parents: list[int], read: list[BoneName], sides_below: list[set[str]]) -> list[int]:
    """Return the joints from below the trunk down to `tip`, helpers left out."""
    path = []
    for joint in _ancestors(parents, tip):
        if len(sides_below[joint]) > 1 or (read[joint].side not in (None, read[tip].side)):
            break
        helper = read[joint].ignored or HEEL in read[joint].places
        if not helper:
            path.append(joint)
    return path[::-1]


def _read_path(path: list[int], names: list[str], read: list[BoneName]) -> Limb | None:
    """Read a path as trunk, thigh, shin, ankle, toes at the least cost; None where it cannot be a leg."""
    bones = [read[joint] for joint in path]
    if any(bone.word in ARM_PLACES for bone in bones) and not any(bone.word in FEET_WORDS for bone in bones):
        return None
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
    first = path.index(hip)
    return Limb(
        hip,
        knee,
        ankle,
        toe,
        tuple(path[first : path.index(ankle) + 1]),
        read[hip].side or read[ankle].side,
        next((bone.limb for bone in bones if bone.limb), ""),
        max(read[joint].variant for joint in (hip, knee, ankle)),
        cost,
        reasons,
    )


def _without_helpers(limb: Limb, names: list[str], positions: FloatArray) -> Limb:
    """Drop joints at the top that are named as the thigh but only lead over to it: they point another way."""
    segments = limb.segments
    thigh = list(segments[: segments.index(limb.knee) + 1])
    while len(thigh) > 2:
        first, rest = positions[thigh[1]] - positions[thigh[0]], positions[thigh[2]] - positions[thigh[1]]
        if float(first @ rest) > _COLLINEAR * float(np.linalg.norm(first) * np.linalg.norm(rest)):
            break
        if not (first.any() or rest.any()):  # a rest pose without offsets tells nothing
            break
        thigh.pop(0)
    if thigh[0] == limb.hip:
        return limb
    reasons = (f"hip: {names[thigh[0]]!r}, as {names[limb.hip]!r} above it points another way", *limb.reasons[1:])
    return limb._replace(hip=thigh[0], segments=segments[segments.index(thigh[0]) :], reasons=reasons)


def _reason(label: str, name: str, bone: BoneName) -> str:
    if not bone.places:
        return f"{label}: {name!r} by its place in the chain"
    if len(bone.places) > 1:
        return f"{label}: {name!r} by the word {bone.word!r} and its place in the chain"
    return f"{label}: {name!r} by the word {bone.word!r}"


def _named_confidence(limb: Limb) -> float:
    return max(_NAMED_FLOOR, 1.0 - 0.3 * limb.cost)


def _one_per_place(limbs: list[Limb], positions: FloatArray) -> list[Limb]:
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


def _finished(
    limb: Limb, read: list[BoneName], tree: NDArray[np.int64], positions: FloatArray, confidence: float
) -> Leg:
    """Return the leg with its heel and with the checks of the rest pose; pelvis and bend come with its pair."""
    parents = tree.tolist()
    below = [j for j in range(len(parents)) if limb.ankle in _ancestors(parents, j)]
    heels = [j for j in below if HEEL in read[j].places and not read[j].ignored]
    factor, doubt = rest_check(positions, limb.hip, limb.knee, limb.ankle)
    return Leg(
        hip=limb.hip,
        knee=limb.knee,
        ankle=limb.ankle,
        toe=limb.toe,
        heel=heels[0] if heels else None,
        pelvis=None,
        side=limb.side,
        chain=(limb.hip, limb.knee, limb.ankle),
        segments=limb.segments,
        bend=(0.0, 0.0, 0.0),
        confidence=round(confidence * factor, 3),
        reasons=limb.reasons + doubt,
    )


def _partner(leg: Leg, legs: list[Leg], parents: list[int], positions: FloatArray) -> Leg | None:
    """Return the leg on the other side whose hip meets this one's nearest to both."""
    opposite = {"left": "right", "right": "left", None: None}[leg.side]
    others = [other for other in legs if other is not leg and other.side == opposite]
    above = _ancestors(parents, leg.hip)

    def distance(other: Leg) -> tuple[int, float]:
        steps = next((i for i, j in enumerate(above) if j in _ancestors(parents, other.hip)), len(above))
        return steps, float(np.linalg.norm(positions[other.ankle] - positions[leg.ankle]))

    return min(others, key=distance, default=None)


def _paired(legs: list[Leg], parents: list[int], positions: FloatArray) -> list[Leg]:
    """Return the legs with pelvis and bend, pair by pair, left before right."""
    result: list[tuple[tuple[int, int], Leg]] = []
    for leg in legs:
        partner = _partner(leg, legs, parents, positions)
        if partner is None:
            pelvis = parents[leg.hip] if parents[leg.hip] >= 0 else None
        else:
            others = set(_ancestors(parents, partner.hip))
            pelvis = next((j for j in _ancestors(parents, leg.hip)[1:] if j in others), None)
        across = None
        if partner is not None and leg.side is not None:
            across = (positions[leg.hip] - positions[partner.hip]) * (1.0 if leg.side == "left" else -1.0)
        bend, how = bend_direction(positions, leg.hip, leg.knee, leg.ankle, leg.toe, leg.heel, across)
        first = min(leg.hip, leg.hip if partner is None else partner.hip)
        rank = (first, 1 if leg.side == "right" else 0)
        result.append((rank, replace(leg, pelvis=pelvis, bend=bend, reasons=(*leg.reasons, how))))
    return [leg for _, leg in sorted(result, key=lambda item: item[0])]
