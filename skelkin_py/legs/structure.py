# SPDX-License-Identifier: MIT
"""Finding legs without names: two mirrored branches under one parent that reach the lowest points."""

from __future__ import annotations

import itertools
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .geometry import across, unit

FloatArray = NDArray[np.float64]

_SYMMETRY = 0.08  # how far mirrored joints may miss each other, relative to the length of the branch
_SHORTEST = 0.12  # of the skeleton's diagonal: fingers, ears and tails of hair are shorter
_STRAIGHT_DOWN = 0.6  # how much of a branch's length must go one way: arms spread out cancel each other
_LOW = 0.12  # of the skeleton's height: the ends of legs are no higher than this above the lowest joint


class FoundLimb(NamedTuple):
    """A leg found by structure: joint indices, a label of its pair, a score from 0 to 1, and the reasons."""

    hip: int
    knee: int
    ankle: int
    toe: int | None
    segments: tuple[int, ...]
    side: str | None
    pair: str
    score: float
    reasons: tuple[str, ...]


class _Pair(NamedTuple):
    """Two mirrored branches: joints from the top, the direction they descend in and how well they mirror."""

    first: list[int]
    second: list[int]
    down: FloatArray
    score: float


class _Places(NamedTuple):
    hip: int
    knee: int
    ankle: int
    cost: float


def structural_limbs(parents: list[int], positions: FloatArray) -> list[FoundLimb]:
    """Find legs by the structure of the skeleton and its rest pose alone.

    Parameters
    ----------
    parents : list of J int
        Parent of each joint, before it; -1 for a root.
    positions : (J, 3) float64 array
        Rest positions in one space, any unit and any up axis.

    Returns
    -------
    list of FoundLimb
        Two per pair of legs; empty where nothing looks like legs.

    Examples
    --------
    >>> rest = [[0, 9, 0], [1, 8, 0], [1, 4, 0.2], [1, 1, 0], [-1, 8, 0], [-1, 4, 0.2], [-1, 1, 0], [0, 14, 0]]
    >>> legs = structural_limbs([-1, 0, 1, 2, 0, 4, 5, 0], np.array(rest, float))
    >>> [(leg.hip, leg.knee, leg.ankle) for leg in legs]
    [(1, 2, 3), (4, 5, 6)]
    """
    if len(parents) < 6:
        return []
    candidates = sorted(_pairs(parents, positions), key=lambda pair: -pair.score)
    found: list[FoundLimb] = []
    used: set[int] = set()
    down: FloatArray | None = None
    for pair in candidates:
        if used & {*pair.first, *pair.second} or (down is not None and float(pair.down @ down) < 0.9):
            continue
        limbs = _limbs(pair, positions, f"pair {len(found) // 2}")
        if limbs:
            down = pair.down
            used.update(pair.first, pair.second)
            found.extend(limbs)
    return found


def _pairs(parents: list[int], positions: FloatArray) -> list[_Pair]:
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
            if pair is not None:
                pairs.append(pair)
    return pairs


def _main_chain(joint: int, children: dict[int, list[int]], reach: FloatArray, positions: FloatArray) -> list[int]:
    """Return the longest way down from a joint."""
    chain = [joint]
    while children.get(joint):
        here = joint
        joint = max(children[joint], key=lambda c: float(reach[c] + np.linalg.norm(positions[c] - positions[here])))
        chain.append(joint)
    return chain


def _mirrored(first: list[int], second: list[int], positions: FloatArray) -> _Pair | None:
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
    way_a, way_b = _farthest(a) - a[0], _farthest(b) - b[0]
    mean = 0.5 * (way_a + way_b)
    down = unit(across(mean, side))
    longer = max(float(np.linalg.norm(way_a)), float(np.linalg.norm(way_b)))
    if down is None or float(np.linalg.norm(mean)) < _STRAIGHT_DOWN * longer:
        return None
    axis = int(np.argmax(np.abs(down)))
    if abs(float(down[axis])) > 0.9:
        down = np.eye(3)[axis] * np.sign(down[axis])
    heights = -(positions @ down)
    span = float(np.ptp(heights))
    ends = max(float(heights[first].min()), float(heights[second].min())) - float(heights.min())
    others = np.setdiff1d(np.arange(len(positions)), [*first, *second])
    top = min(float(heights[first[0]]), float(heights[second[0]])) - 0.05 * span
    over = float((heights[others] >= top).mean()) if others.size else 0.5
    if ends > _LOW * span or over < 0.4:
        return None
    aligned = 0.0 if axis in (1, 2) and down[axis] == -1.0 else 0.25
    return _Pair(first, second, down, 1.0 - 2.0 * off / length - ends / span - aligned - 0.3 * (1.0 - over))


def _farthest(points: FloatArray) -> FloatArray:
    """Return the point of a branch farthest from its top: the ankle or the toes."""
    return np.asarray(points[int(np.argmax(np.linalg.norm(points - points[0], axis=1)))])


def _limbs(pair: _Pair, positions: FloatArray, label: str) -> list[FoundLimb]:
    """Return the two legs of a pair; the same places are taken on both."""
    options = [_places(chain, pair.down, positions) for chain in (pair.first, pair.second)]
    known = [option for option in options if option is not None]
    if not known:
        return []
    best = min(known, key=lambda places: places.cost)
    forward = _forward(pair, best, positions)
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
    return [
        FoundLimb(
            chain[best.hip],
            chain[best.knee],
            chain[best.ankle],
            chain[best.ankle + 1] if has_toe else None,
            tuple(chain[best.hip : best.ankle + 1]),
            side,
            label,
            score,
            tuple(reasons),
        )
        for chain, side in zip((pair.first, pair.second), sides, strict=True)
    ]


def _forward(pair: _Pair, places: _Places, positions: FloatArray) -> FloatArray | None:
    """Return the common direction of the feet, else of the knees, across the direction down."""
    total = np.zeros(3)
    for chain in (pair.first, pair.second):
        ankle = positions[chain[places.ankle]]
        if places.ankle + 1 < len(chain):
            total += positions[chain[-1]] - ankle
        else:
            total += positions[chain[places.knee]] - 0.5 * (ankle + positions[chain[places.hip]])
    return unit(across(total, pair.down))


def _places(chain: list[int], down: FloatArray, positions: FloatArray) -> _Places | None:
    """Return which joints of a branch are hip, knee and ankle, as indices into it.

    The cheapest triple: thigh and shin straight and about as long as each other, the ankle near the ground, the hip
    where the branch turns downwards, the foot turning away from the leg.
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
        cost = abs(float(np.log(upper / lower)))
        # Joints inside a thigh or a shin lie in line; a foot behind the shin does not.
        cost += 10.0 * (float(lengths[hip:ankle].sum()) / (upper + lower) - 1.0)
        cost += 4.0 * max(0.0, float(heights[ankle]) / tall - 0.15)
        cost += 2.0 * max(0.0, 0.85 - (float(heights[hip]) - float(heights[ankle])) / tall)
        cost += 1.0 if steep[hip] < 0.7 else 0.0
        cost += 0.5 * float(np.count_nonzero(steep[:hip] > 0.85))
        if ankle + 1 < len(chain):
            cost += 0.5 if steep[ankle] > 0.85 else 0.0
        elif len(chain) > 3:
            cost += 0.25
        cost += 0.3 * (ankle - hip - 2) if ankle - hip > 4 else 0.0
        if best is None or cost < best.cost:
            best = _Places(hip, knee, ankle, cost)
    return best
