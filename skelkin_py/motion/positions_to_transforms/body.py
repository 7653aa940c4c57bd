# SPDX-License-Identifier: MIT
"""The parts of a body that joints belong to: legs, arms, pelvises; and its up and left axes."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..._support.array_types import Floats
from ...legs import Leg, find_legs
from ...legs.limbs import ancestors
from ...legs.words import ANKLE, ARM_PLACES, SHIN, THIGH, read_name
from .limbs import Limb

_NO_LENGTH = 5e-3  # of the longest chain from the root to an end: shorter bones have no direction
_TRAVELS = 0.05  # of a leg: how far the lowest joint moves at least along an axis that is not up
_CALMER = 0.5  # part of that motion that the lowest joint has at most along the up axis
_LEVEL = 0.05  # of a leg: toes higher than this above the lowest ones do not lie on the ground
_LOW, _FLAT = 0.05, 0.3  # quantiles: of the height of toes, and of the ankle's height above toes on the ground
_TRUNK = frozenset(["spine", "chest", "torso", "waist", "abdomen", "neck", "head", "thorax", "belly", "stomach"])


class Sole(NamedTuple):
    """The joint of the toes below an ankle, and how much lower it is while the foot is flat on the ground."""

    toe: int
    drop: float


class Body(NamedTuple):
    """The parts of a body, which determine the rotations of its joints.

    Attributes
    ----------
    children : list of J lists of int
        The joints whose positions determine the rotation of each joint.
    limbs : tuple of Limb
        Legs and arms.
    pelvises : dict of int
        By each joint between a pair of legs, the left and the right hip.
    trunks : dict of int
        By the same joints, the joint where the trunk branches, if there is a trunk.
    carried : frozenset of int
        Joints that turn with their parents: those between pelvis and hip.
    soles : dict of Sole
        By the ankle.
    up, left : (3,) float64 arrays
        The axes of the body in the rest pose, in the space of the positions.
    """

    children: list[list[int]]
    limbs: tuple[Limb, ...]
    pelvises: dict[int, tuple[int, int]]
    trunks: dict[int, int]
    carried: frozenset[int]
    soles: dict[int, Sole]
    up: Floats
    left: Floats


def any_body(parents: list[int], lengths: Floats) -> Body:
    """Return a body without known parts, from the lengths of its bones (J,)."""
    children: list[list[int]] = [[] for _ in parents]
    for joint, parent in enumerate(parents):
        if parent >= 0 and lengths[joint] > _no_length(parents, lengths):
            children[parent].append(joint)
    return Body(children, (), {}, {}, frozenset(), {}, np.array([0.0, 1.0, 0.0]), np.array([1.0, 0.0, 0.0]))


def _no_length(parents: list[int], lengths: Floats) -> float:
    reach = np.zeros(len(parents))
    for joint, parent in enumerate(parents):
        if parent >= 0:
            reach[joint] = reach[parent] + lengths[joint]
    return _NO_LENGTH * float(reach.max(initial=0.0))


def read_body(names: list[str], parents: list[int], rest: Floats, places: Floats, plain: Body) -> Body:
    """Return a body read from names, a rest pose (J, 3) and positions (F, J, 3); `plain` where it has no legs."""
    legs = find_legs(names, parents, rest)
    if not legs:
        return plain
    limbs = [Limb(leg.segments, leg.segments.index(leg.knee), True) for leg in legs]
    limbs += _arms(names, parents, {joint for limb in limbs for joint in limb.joints}, plain)
    children = [list(own) for own in plain.children]
    pelvises, trunks, carried = {}, {}, set()
    for leg in legs:
        if leg.pelvis is None:
            continue
        above = ancestors(parents, leg.hip)
        carried.update(above[1 : above.index(leg.pelvis)] if leg.pelvis in above else [])
        pair = [other for other in legs if other.pelvis == leg.pelvis]
        by_side = {other.side: other.hip for other in pair}
        if {"left", "right"} <= by_side.keys():
            pelvises[leg.pelvis] = by_side["left"], by_side["right"]
        trunk = _trunk(leg.pelvis, [other.hip for other in pair], names, parents, plain)
        if trunk:
            trunks[leg.pelvis] = _branches(trunk[0], plain)
        children[leg.pelvis] = [*(other.hip for other in pair), *trunk]
    for pelvis in pelvises:
        line = ancestors(parents, pelvis)
        for joint, child in zip(line[1:], line, strict=False):
            if joint not in pelvises:
                children[joint] = [child] if child in plain.children[joint] else []
    up = _up(places, legs)
    forward = np.eye(3)[2] if abs(up[2]) < 0.5 else -np.eye(3)[1]
    soles = {leg.ankle: sole for leg in legs if (sole := _sole(leg, parents, places, up)) is not None}
    return Body(children, tuple(limbs), pelvises, trunks, frozenset(carried), soles, up, np.cross(up, forward))


def _arms(names: list[str], parents: list[int], taken: set[int], plain: Body) -> list[Limb]:
    """Return the arms that names show, from shoulder to wrist."""
    found = []
    for elbow, name in enumerate(names):
        bone = read_name(name)
        if bone.side is None or bone.twist or bone.ignored or bone.places != ARM_PLACES.get(bone.word, {}):
            continue
        above = ancestors(parents, elbow)[1:]
        if SHIN not in bone.places or not plain.children[elbow] or len(above) < 2:
            continue
        wrists = [j for j in plain.children[elbow] if ANKLE in read_name(names[j]).places] or plain.children[elbow]
        shoulder = next((j for j in above if THIGH in read_name(names[j]).places), above[0])
        joints = (*reversed(above[: above.index(shoulder) + 1]), elbow, wrists[0])
        if not taken & set(joints):
            taken |= set(joints)
            found.append(Limb(joints, len(joints) - 2, False))
    return found


def _trunk(pelvis: int, hips: list[int], names: list[str], parents: list[int], plain: Body) -> list[int]:
    """Return the nearest joint of the trunk at some distance from the pelvis, if there is one."""
    size = np.ones(len(parents), dtype=int)
    named = np.array([bool(_TRUNK & set(_words(name))) for name in names])
    for joint in range(len(parents) - 1, -1, -1):
        if parents[joint] >= 0:
            size[parents[joint]] += size[joint]
            named[parents[joint]] |= named[joint]
    legs = {joint for hip in hips for joint in ancestors(parents, hip)}
    branches = [j for j, parent in enumerate(parents) if parent == pelvis and j not in legs]
    while branches:
        joint = max(branches, key=lambda j: (named[j], size[j], -j))
        if joint in plain.children[parents[joint]]:
            return [joint]
        branches = [j for j, parent in enumerate(parents) if parent == joint]
    return []


def _branches(joint: int, plain: Body) -> int:
    """Return the first joint, from this one on, with several children or none."""
    while len(plain.children[joint]) == 1:
        joint = plain.children[joint][0]
    return joint


def _words(name: str) -> list[str]:
    plain = "".join(" " + c.lower() if c.isupper() else c if c.isalpha() else " " for c in name)
    return plain.split()


def _up(places: Floats, legs: list[Leg]) -> Floats:
    """Return the up axis: the one along which the body stands, or along which its lowest point keeps still."""
    hips, ankles = ([getattr(leg, name) for leg in legs] for name in ("hip", "ankle"))
    lines = places[:, hips].mean(axis=1) - places[:, ankles].mean(axis=1)
    mean = lines.mean(axis=0)
    axes = np.eye(3) * np.where(mean < 0.0, -1.0, 1.0)[:, None]
    best = int(np.argmax(np.abs(mean)))
    lowest = np.einsum("fji,ki->fjk", places, axes).min(axis=1)
    moves = np.median(np.abs(lowest - np.median(lowest, axis=0)), axis=0)
    calm = int(np.argmin(moves))
    travels = moves[best] > _TRAVELS * np.linalg.norm(lines, axis=1).mean()
    return np.asarray(axes[calm] if travels and moves[calm] < _CALMER * moves[best] else axes[best])


def _sole(leg: Leg, parents: list[int], places: Floats, up: Floats) -> Sole | None:
    """Return the flat foot, as it is while its toes are lowest; None without toes below the ankle."""
    if leg.toe is None or parents[leg.toe] != leg.ankle:
        return None
    toe, ankle = (places[:, joint] @ up for joint in (leg.toe, leg.ankle))
    chain = places[:, list(leg.chain)]
    length = float(np.median(np.linalg.norm(np.diff(chain, axis=1), axis=-1).sum(axis=1)))
    if not length > 0.0:
        return None
    off = (toe - np.quantile(toe, _LOW)) / (_LEVEL * length)
    weights = np.exp(-off * off)
    drops = ankle - toe
    order = np.argsort(drops)
    reached = np.cumsum(weights[order]) - 0.5 * weights[order]
    return Sole(leg.toe, float(np.interp(_FLAT * weights.sum(), reached, drops[order])))
