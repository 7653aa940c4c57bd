# SPDX-License-Identifier: MIT
"""Finding legs without names: two mirrored branches under one parent that reach the lowest points."""

from __future__ import annotations

import itertools
from typing import NamedTuple

import numpy as np

from .._support.array_types import Floats
from .geometry import across, unit
from .limbs import Limb

_SYMMETRY = 0.08  # how far mirrored joints may miss each other, relative to the length of the branch
_SHORTEST = 0.12  # of the skeleton's diagonal: fingers, ears and tails of hair are shorter
_STRAIGHT_DOWN = 0.6  # part of a branch's length that both must share in direction: spread arms cancel each other
_CLEAR_BEND = 0.35  # sine of the least angle of a bent knee or hock in the rest pose
_UNLIKE_A_LEG = 2.0  # cost of places above which a branch is not a leg
_WORST_SCORE = 0.4  # of a pair and its places: below it they mirror each other badly, end too high or fit no leg
_ALONG = 0.85  # cosine of the angle to an axis above which the direction down is taken to be that axis
_LOW = 0.12  # of the skeleton's height: the ends of legs are no higher than this above the lowest joint


class _Pair(NamedTuple):
    """Two mirrored branches: joints from the top, the direction they descend in and how well they mirror."""

    first: list[int]
    second: list[int]
    down: Floats
    score: float
    below: frozenset[int]  # every joint of the two branches, toes and helpers included


class _Places(NamedTuple):
    hip: int
    knee: int
    ankle: int
    cost: float


def structural_limbs(parents: list[int], positions: Floats) -> list[tuple[Limb, float]]:
    """Find legs by the structure of the skeleton and its rest pose alone.

    Parameters
    ----------
    parents : list of J int
        Parent of each joint, before it; -1 for a root.
    positions : (J, 3) float64 array
        Rest positions in one space, any unit and any up axis.

    Returns
    -------
    list of (Limb, float)
        The legs, two per pair, with a score from 0 to 1; empty where nothing looks like legs.

    Examples
    --------
    >>> rest = [[0, 9, 0], [1, 8, 0], [1, 4, 0.2], [1, 1, 0], [-1, 8, 0], [-1, 4, 0.2], [-1, 1, 0], [0, 14, 0]]
    >>> legs = structural_limbs([-1, 0, 1, 2, 0, 4, 5, 0], np.array(rest, float))
    >>> [(leg.hip, leg.knee, leg.ankle) for leg, _ in legs]
    [(1, 2, 3), (4, 5, 6)]
    """
    if len(parents) < 6:
        return []
    candidates = sorted(_with_the_body_above(_pairs(parents, positions), positions), key=lambda pair: -pair.score)
    chosen: list[_Pair] = []
    for pair in candidates:
        same = [p for p in chosen if pair.below & p.below or not _apart(pair, p, positions)]
        if not same and (not chosen or float(pair.down @ chosen[0].down) > 0.9):
            chosen.append(pair)
    read = [(pair, _best_places(pair, positions, len(chosen) > 1)) for pair in chosen]
    # Arms of a rest pose without rotations are no legs: branches and places together have to be like some.
    known = [(pair, at) for pair, at in read if at is not None and pair.score - 0.3 * at.cost > _WORST_SCORE]
    # Feet show which way is forwards; without feet, knees do.
    with_feet = [(pair, places) for pair, places in known if places.ankle + 1 < len(pair.first)]
    directions = [_forward(pair, places, positions) for pair, places in with_feet or known]
    forward = unit(np.sum(directions, axis=0)) if directions else None
    if forward is not None and len(known) > 1:
        front = max(range(len(known)), key=lambda k: float(positions[known[k][0].first].mean(axis=0) @ forward))
        pair = known[front][0]
        # The elbow of a fore leg points backwards: with the shoulder blade as the thigh it would not.
        elbow = _best_places(pair, positions, True, -forward)
        known[front] = (pair, known[front][1] if elbow is None or elbow.cost > _UNLIKE_A_LEG else elbow)
    found = [_limbs(pair, places, positions, f"pair {k}", forward) for k, (pair, places) in enumerate(known)]
    return [limb for limbs in found for limb in limbs]


def _pairs(parents: list[int], positions: Floats) -> list[_Pair]:
    """Return all pairs of branches that could be legs."""
    children: dict[int, list[int]] = {}
    for joint, parent in enumerate(parents):
        children.setdefault(parent, []).append(joint)
    reach = np.zeros(len(parents))  # length of the longest path below each joint
    for joint in range(len(parents) - 1, -1, -1):
        if parents[joint] >= 0:
            bone = float(np.linalg.norm(positions[joint] - positions[parents[joint]]))
            reach[parents[joint]] = max(reach[parents[joint]], reach[joint] + bone)
    diagonal = float(np.linalg.norm(np.ptp(positions, axis=0)))
    pairs = []
    for siblings in children.values():
        tall = [joint for joint in siblings if diagonal > 0.0 and reach[joint] >= _SHORTEST * diagonal]
        for a, b in itertools.combinations(tall, 2):
            first, second = (_main_chain(joint, children, reach, positions) for joint in (a, b))
            pair = _mirrored(first, second, positions)
            if pair is not None and float(np.abs(pair.down).max()) < 1.0:
                # Half a pelvis may begin anywhere, even lower than the knee: the branches may be clearer without it.
                pair = max(
                    (p for p in (pair, _mirrored(first[1:], second[1:], positions)) if p is not None),
                    key=lambda p: p.score,
                )
            if pair is not None:
                pairs.append(pair._replace(below=frozenset(_below(a, children) + _below(b, children))))
    return pairs


def _below(joint: int, children: dict[int, list[int]]) -> list[int]:
    """Return the joint and all below it."""
    found = [joint]
    for each in found:
        found.extend(children.get(each, []))
    return found


def _main_chain(joint: int, children: dict[int, list[int]], reach: Floats, positions: Floats) -> list[int]:
    """Return the longest chain of joints below a joint, with the joint itself."""
    chain = [joint]
    while children.get(joint):
        here = joint
        joint = max(children[joint], key=lambda c: float(reach[c] + np.linalg.norm(positions[c] - positions[here])))
        chain.append(joint)
    return chain


def _mirrored(first: list[int], second: list[int], positions: Floats) -> _Pair | None:
    """Return the pair if the branches mirror each other, descend, and end lowest of all joints."""
    count = min(len(first), len(second))
    if count < 3:
        return None
    first, second = first[:count], second[:count]
    a, b = positions[first], positions[second]
    length = float(np.linalg.norm(np.diff(a, axis=0), axis=1).sum())
    apart = b - a
    side = unit(apart.sum(axis=0))
    if side is None or length == 0.0:
        return None
    off = max(
        float(np.linalg.norm(apart - (apart @ side)[:, None] * side, axis=1).max()),
        float(np.ptp((0.5 * (a + b)) @ side)),
    )
    if off > _SYMMETRY * length or float((apart @ side).min()) < -_SYMMETRY * length:
        return None
    line_a, line_b = _farthest(a) - a[0], _farthest(b) - b[0]
    mean = 0.5 * (line_a + line_b)
    down = unit(across(mean, side))
    longer = max(float(np.linalg.norm(line_a)), float(np.linalg.norm(line_b)))
    if down is None or float(np.linalg.norm(mean)) < _STRAIGHT_DOWN * longer:
        return None
    axis = int(np.argmax(np.abs(down)))
    if abs(float(down[axis])) > _ALONG:
        down = np.eye(3)[axis] * np.sign(down[axis])
    heights = -(positions @ down)
    span = float(np.ptp(heights))
    ends = max(float(heights[first].min()), float(heights[second].min())) - float(heights.min())
    if ends > _LOW * span:
        return None
    aligned = 0.0 if axis in (1, 2) and down[axis] == -1.0 else 0.25
    return _Pair(first, second, down, 1.0 - 2.0 * off / length - ends / span - aligned, frozenset())


def _with_the_body_above(pairs: list[_Pair], positions: Floats) -> list[_Pair]:
    """Keep the pairs above which most of the body is; further legs do not count as body."""
    kept = []
    for pair in pairs:
        legs = pair.below.union(*(p.below for p in pairs if float(p.down @ pair.down) > 0.9))
        heights = -(positions @ pair.down)
        others = np.setdiff1d(np.arange(len(positions)), sorted(legs))
        # The withers of an animal lie above its back: the upper part of the branch does not count either.
        top = min(float(heights[c[0]] - 0.25 * np.ptp(heights[c])) for c in (pair.first, pair.second))
        over = float((heights[others] >= top).mean()) if others.size else 0.5
        score = pair.score - 0.3 * (1.0 - over)
        if over >= 0.4:
            kept.append(pair._replace(score=score))
    return kept


def _apart(a: _Pair, b: _Pair, positions: Floats) -> bool:
    """Tell whether two pairs of legs stand in two places: an animal on four legs, not copies of one leg in a rig."""
    middles = [0.25 * (positions[[p.first[0], p.second[0], p.first[-1], p.second[-1]]]).sum(axis=0) for p in (a, b)]
    tall = abs(float((positions[a.first[0]] - positions[a.first[-1]]) @ a.down))
    return bool(np.linalg.norm(across(middles[1] - middles[0], a.down)) > 0.3 * tall)


def _farthest(points: Floats) -> Floats:
    """Return the point of a branch farthest from its top: the ankle or the toes."""
    return np.asarray(points[int(np.argmax(np.linalg.norm(points - points[0], axis=1)))])


def _best_places(pair: _Pair, positions: Floats, animal: bool, knee_to: Floats | None = None) -> _Places | None:
    """Return the places of a pair; the same are taken on both sides."""
    options = [_places(chain, pair.down, positions, animal, knee_to) for chain in (pair.first, pair.second)]
    return min((option for option in options if option is not None), key=lambda places: places.cost, default=None)


def _limbs(
    pair: _Pair, best: _Places, positions: Floats, label: str, forward: Floats | None
) -> list[tuple[Limb, float]]:
    """Return the two legs of a pair, with their score."""
    sides: list[str | None] = [None, None]
    if forward is not None:
        left = np.cross(-pair.down, forward)
        away = float((positions[pair.first[best.hip]] - positions[pair.second[best.hip]]) @ left)
        sides = ["left", "right"] if away > 0 else ["right", "left"]
    has_toe = best.ankle + 1 < len(pair.first)
    score = max(0.2, pair.score - 0.3 * best.cost - (0.0 if has_toe else 0.1))
    reasons = ["found by structure: two mirrored branches that reach the lowest joints"]
    if forward is not None:
        reasons.append("side: by the direction of the feet")
    limbs = []
    for chain, side in zip((pair.first, pair.second), sides, strict=True):
        hip, knee, ankle = (chain[place] for place in best[:3])
        toe, segments = chain[best.ankle + 1] if has_toe else None, tuple(chain[best.hip : best.ankle + 1])
        limbs.append((Limb(hip, knee, ankle, toe, segments, side, label, 1, 0.0, tuple(reasons)), score))
    return limbs


def _forward(pair: _Pair, places: _Places, positions: Floats) -> Floats:
    """Return the common direction of the feet, else of the knees, across the direction down."""
    total = np.zeros(3)
    for chain in (pair.first, pair.second):
        ankle = positions[chain[places.ankle]]
        if places.ankle + 1 < len(chain):
            total += positions[chain[-1]] - ankle
        else:
            total += positions[chain[places.knee]] - 0.5 * (ankle + positions[chain[places.hip]])
    return across(total, pair.down)


def _bends_back(points: Floats, hip: int, knee: int, ankle: int) -> bool:
    """Tell whether the joint after the shin is a hock: like the knee it bends clearly, but against it."""
    if ankle + 1 >= len(points):
        return False
    thigh, shin, foot = points[knee] - points[hip], points[ankle] - points[knee], points[ankle + 1] - points[ankle]
    at_knee, at_ankle = np.cross(thigh, shin), np.cross(shin, foot)
    sizes = [float(np.linalg.norm(v)) for v in (thigh, shin, foot)]
    sharp = min(
        float(np.linalg.norm(at_knee)) / max(sizes[0] * sizes[1], 1e-300),
        float(np.linalg.norm(at_ankle)) / max(sizes[1] * sizes[2], 1e-300),
    )
    return bool(sharp > _CLEAR_BEND and float(at_knee @ at_ankle) < 0.0 and sizes[2] > 0.26 * (sizes[0] + sizes[1]))


def _places(
    chain: list[int], down: Floats, positions: Floats, animal: bool, knee_to: Floats | None = None
) -> _Places | None:
    """Return which joints of a branch are hip, knee and ankle, as indices into it.

    The cheapest triple: thigh and shin straight and about as long as each other, the ankle near the ground, the hip
    where the branch turns downwards, the foot turning away from the leg. The ankle of an animal on four legs, and one
    that bends against the knee (the hock), may lie higher.
    """
    points = positions[chain]
    heights = -(points @ down)
    heights = heights - heights.min()
    tall = float(heights.max())
    steps = np.diff(points, axis=0)
    lengths = np.linalg.norm(steps, axis=1)
    steep = np.divide(steps @ down, lengths, out=np.zeros(len(lengths)), where=lengths > 0)
    best: _Places | None = None
    for hip, knee, ankle in itertools.combinations(range(len(chain)), 3):
        upper = float(np.linalg.norm(points[knee] - points[hip]))
        lower = float(np.linalg.norm(points[ankle] - points[knee]))
        if upper == 0.0 or lower == 0.0 or tall == 0.0:
            continue
        if knee_to is not None:
            line = (points[ankle] - points[hip]) / max(float(np.linalg.norm(points[ankle] - points[hip])), 1e-300)
            if float(across(points[knee] - points[hip], line) @ knee_to) <= 0.0:
                continue
        cost = abs(float(np.log(upper / lower)))
        # Joints inside a thigh or a shin lie in line; a foot behind the shin does not.
        cost += 10.0 * (float(lengths[hip:ankle].sum()) / (upper + lower) - 1.0)
        hock = animal or _bends_back(points, hip, knee, ankle)
        cost += 4.0 * max(0.0, float(heights[ankle]) / tall - (0.42 if hock else 0.15))
        cost += 2.0 * max(0.0, (0.55 if hock else 0.85) - (float(heights[hip]) - float(heights[ankle])) / tall)
        cost += 1.0 if steep[hip] < 0.7 else 0.0
        # A steep bone above the hip is a thigh that was left out, or the shoulder blade of an animal.
        cost += (0.3 if animal else 0.5) * float(np.count_nonzero(steep[:hip] > 0.85))
        if ankle + 1 < len(chain):
            cost += 0.5 if steep[ankle] > 0.85 and not hock else 0.0
        elif len(chain) > 3:
            cost += 0.25
        cost += 0.3 * (ankle - hip - 2) if ankle - hip > 4 else 0.0
        if best is None or cost < best.cost:
            best = _Places(hip, knee, ankle, cost)
    return best
