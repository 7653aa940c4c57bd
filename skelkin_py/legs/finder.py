# SPDX-License-Identifier: MIT
"""Finding the legs of a skeleton by the names of its joints, by their places in the chain, else by structure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from .._support.arguments import array_of, check_tree, listed, numbers_of
from .._support.array_types import Floats
from .geometry import bend_direction, of_ordinary_size, rest_check
from .leg import Leg, LegList
from .limbs import Limb, ancestors, named_limbs
from .structure import structural_limbs
from .words import HEEL, MOVES_THE_BODY, BoneName, read_name, shared_ending

_NAMED_FLOOR, STRUCTURE_CEILING = 0.7, 0.6


def find_legs(names: Sequence[str], parents: ArrayLike, rest_positions: ArrayLike) -> LegList:
    """Find the legs of a skeleton.

    Names are read first: namespaces, prefixes, sides and numbers are taken off, and words that mean different places in
    different rigs ("leg", "hip", "foot") are decided by their place in the chain. Where names do not help, two
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
    LegList
        A list of `Leg`, pair by pair, left before right; empty where no legs were found.

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
    names, tree, positions = checked_rest(names, parents, rest_positions)
    ending = shared_ending([name for name, above in zip(names, tree, strict=True) if above >= 0])
    read = [read_name(name.removesuffix(ending)) for name in names]
    limbs = named_limbs(names, read, tree, positions)
    if limbs:
        found = [(limb, max(_NAMED_FLOOR, 1.0 - 0.3 * limb.cost)) for limb in limbs]
    else:
        scored = structural_limbs(tree, positions)
        found = [(limb, min(score, 1.0) * STRUCTURE_CEILING) for limb, score in scored]
    legs = [finished(limb, read, tree, positions, confidence) for limb, confidence in found]
    legs = with_pairs(legs, names, read, tree, positions)
    return LegList(_in_order(legs, tree, positions), names)


def checked_rest(
    names: Sequence[str], parents: ArrayLike, rest_positions: ArrayLike
) -> tuple[list[str], list[int], Floats]:
    """Return the arguments as lists and an array, or raise a ValueError that names the wrong one."""
    texts = [str(name) for name in listed("names", names, "one name per joint is needed")]
    tree = array_of(parents, "parents")
    if tree.size and tree.dtype.kind not in "iu":
        raise ValueError(f"parents has dtype {tree.dtype}: must be integers")
    tree = tree.astype(np.int64)
    positions = np.ascontiguousarray(numbers_of(rest_positions, "rest_positions"), np.float64)
    if tree.shape != (len(texts),):
        raise ValueError(f"parents has shape {tree.shape}: must be ({len(texts)},), one for each of names")
    if positions.shape != (len(texts), 3) and not (positions.size == 0 and not texts):
        raise ValueError(f"rest_positions has shape {positions.shape}: must be ({len(texts)}, 3)")
    check_tree(tree)
    for joint, axis in np.argwhere(~np.isfinite(positions)):
        raise ValueError(f"rest_positions[{joint}, {axis}] is {positions[joint, axis]}: must be finite")
    return texts, tree.tolist(), of_ordinary_size(positions)


def finished(limb: Limb, read: list[BoneName], parents: list[int], positions: Floats, confidence: float) -> Leg:
    """Return the leg with its heel and with the checks of the rest pose; pelvis and bend come with its pair."""
    heels = [j for j, bone in enumerate(read) if HEEL in bone.places and not bone.ignored]
    heel = next((j for j in heels if limb.ankle in ancestors(parents, j)), None)
    factor, doubt = rest_check(positions, limb.hip, limb.knee, limb.ankle)
    return Leg(
        hip=limb.hip,
        knee=limb.knee,
        ankle=limb.ankle,
        toe=limb.toe,
        heel=heel,
        side=limb.side,
        segments=limb.segments,
        confidence=round(confidence * factor, 3),
        reasons=limb.reasons + doubt,
    )


def _partner(leg: Leg, legs: list[Leg], parents: list[int], positions: Floats) -> Leg | None:
    """Return the leg on the other side whose hip meets this one's nearest to both."""
    opposite = {"left": "right", "right": "left", None: None}[leg.side]
    others = [other for other in legs if other is not leg and other.side == opposite]
    above = ancestors(parents, leg.hip)

    def distance(other: Leg) -> tuple[int, float]:
        steps = next((i for i, j in enumerate(above) if j in ancestors(parents, other.hip)), len(above))
        return steps, float(np.linalg.norm(positions[other.ankle] - positions[leg.ankle]))

    return min(others, key=distance, default=None)


def _control_above(joint: int, read: list[BoneName], parents: list[int]) -> int | None:
    """Return the control that moves a bone of a rig's mechanism; None where the joint is not such a bone."""
    if not read[joint].mechanism:
        return None
    controls = [j for j in ancestors(parents, joint)[1:] if not read[j].mechanism]
    return next((j for j in controls if read[j].word in MOVES_THE_BODY), None)


def with_pairs(
    legs: list[Leg], names: list[str], read: list[BoneName], parents: list[int], positions: Floats
) -> list[Leg]:
    """Return the legs with pelvis and bend, which depend on both legs of a pair."""
    result: list[Leg] = []
    for leg in legs:
        partner = _partner(leg, legs, parents, positions)
        if partner is None:
            pelvis = parents[leg.hip] if parents[leg.hip] >= 0 else None
        else:
            others = set(ancestors(parents, partner.hip))
            pelvis = next((j for j in ancestors(parents, leg.hip)[1:] if j in others), None)
        across = None
        if partner is not None and leg.side is not None:
            across = (positions[leg.hip] - positions[partner.hip]) * (1.0 if leg.side == "left" else -1.0)
        bend, how = bend_direction(positions, leg.hip, leg.knee, leg.ankle, leg.toe, leg.heel, across)
        reasons = leg.reasons
        if pelvis is not None and (control := _control_above(pelvis, read, parents)) is not None:
            reasons = (*reasons, f"pelvis: {names[control]!r}, the control that moves {names[pelvis]!r}")
            pelvis = control
        result.append(replace(leg, pelvis=pelvis, bend=bend, reasons=(*reasons, how)))
    return result


def _in_order(legs: list[Leg], parents: list[int], positions: Floats) -> list[Leg]:
    """Return the legs pair by pair, left before right."""

    def rank(leg: Leg) -> tuple[int, int]:
        partner = _partner(leg, legs, parents, positions)
        return min(leg.hip, leg.hip if partner is None else partner.hip), 1 if leg.side == "right" else 0

    return sorted(legs, key=rank)
