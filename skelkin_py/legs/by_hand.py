# SPDX-License-Identifier: MIT
"""Legs picked by hand, completed from hip, knee and ankle; and why none were found."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from numpy.typing import ArrayLike

from .finder import checked_rest, finished, with_pairs
from .leg import Leg, listed_legs
from .limbs import Limb, ancestors
from .words import ANKLE, HEEL, SHIN, THIGH, BoneName, read_name, without_roles

_WORDS = {THIGH: "thigh", SHIN: "shin", ANKLE: "foot"}


def completed_legs(
    legs: Sequence[Leg], names: Sequence[str], parents: ArrayLike, rest_positions: ArrayLike
) -> list[Leg]:
    """Complete legs of which only hip, knee and ankle were picked by hand.

    Parameters
    ----------
    legs : sequence of Leg
        The picked legs. Given sides, heels and pelvises stay; `segments` and `bend` are computed again.
    names : sequence of J str
        Names of the joints, which show sides and heels.
    parents : (J,) array_like of int
        Parent of each joint, before it; -1 for a root.
    rest_positions : (J, 3) array_like
        Joint positions of the rest pose in one space.

    Returns
    -------
    list of Leg
        In the order given, with a confidence of 1.

    Raises
    ------
    ValueError
        If a knee is not below its hip, or an ankle below its knee; as in `find_legs` for the other arguments.

    See Also
    --------
    skelkin_py.find_legs : Legs found by names and structure.

    Examples
    --------
    >>> names = ["body", "a.L", "b.L", "c.L", "heel.L"]
    >>> rest = [[0, 2, 0], [0, 2, 0], [0, 1, 0.1], [0, 0, 0], [0, -0.1, -0.1]]
    >>> (leg,) = completed_legs([Leg(1, 2, 3)], names, [-1, 0, 1, 2, 3], rest)
    >>> leg.side, leg.heel, leg.pelvis, leg.bend
    ('left', 4, 0, (0.0, 0.0, 1.0))
    """
    names, above, positions = checked_rest(names, parents, rest_positions)
    read = [read_name(name) for name in names]
    made, legs = [], listed_legs(legs)
    for leg in legs:
        path = tuple(reversed(_path_up(leg, names, above)))
        side = leg.side or next((s for j in reversed(path) if (s := read[j].side) is not None), None)
        limb = Limb(leg.hip, leg.knee, leg.ankle, leg.toe, path, side, "", 1, 0.0, ("picked by hand",))
        made.append(finished(limb, read, above, positions, 1.0))
    completed = []
    for leg, new in zip(legs, with_pairs(made, names, read, above, positions), strict=True):
        heel = new.heel if leg.heel is None else leg.heel
        pelvis = new.pelvis if leg.pelvis is None else leg.pelvis
        completed.append(replace(new, heel=heel, pelvis=pelvis, confidence=1.0))
    return completed


def _path_up(leg: Leg, names: list[str], parents: list[int]) -> list[int]:
    """Return the joints from the ankle up to the hip."""
    for low, high, word, where in ((leg.knee, leg.hip, "knee", "hip"), (leg.ankle, leg.knee, "ankle", "knee")):
        if low == high or high not in ancestors(parents, low):
            raise ValueError(f"the {word} {names[low]!r} is not below the {where} {names[high]!r}")
    path = ancestors(parents, leg.ankle)
    return path[: path.index(leg.hip) + 1]


def why_no_legs(names: Sequence[str], parents: ArrayLike, rest_positions: ArrayLike) -> tuple[str, ...]:
    """Say why `find_legs` finds none: which parts of a leg the names show, and which are missing.

    Parameters
    ----------
    names, parents, rest_positions
        As in `find_legs`.

    Returns
    -------
    tuple of str
        Sentences for people.

    Examples
    --------
    >>> names = ["hips", "thigh.L", "shin.L", "foot.L"]
    >>> for line in why_no_legs(names, [-1, 0, 1, -1], np.zeros((4, 3))):
    ...     print(line)
    left: thigh 'thigh.L', shin 'shin.L'; 'foot.L' is not below 'shin.L'
    no two mirrored branches of three bones reach down from one body
    """
    names, above, _ = checked_rest(names, parents, rest_positions)
    read = [_read_control(name) for name in names]
    out = [_about_side(side, names, read, above) for side in ("left", "right")]
    lines = [line for line in out if line]
    if not lines:
        lines = [f"none of the {len(names)} names is that of a thigh, shin or foot with a side"]
    return (*lines, "no two mirrored branches of three bones reach down from one body")


def _read_control(name: str) -> BoneName:
    """Return what a name says; for a control, what it says apart from that."""
    bone = read_name(name)
    return read_name(without_roles(name))._replace(ignored=True) if bone.ignored else bone


def _about_side(side: str, names: list[str], read: list[BoneName], parents: list[int]) -> str:
    """Return what names say about the leg of one side; empty where they say nothing."""
    found = {place: _first(place, side, read) for place in _WORDS}
    if all(joint is None for joint in found.values()):
        return ""
    found_as = [f"{_WORDS[place]} {names[joint]!r}" for place, joint in found.items() if joint is not None]
    missing = [f"no {_WORDS[place]}" for place, joint in found.items() if joint is None]
    for low, high in ((SHIN, THIGH), (ANKLE, SHIN)):
        a, b = found[low], found[high]
        if a is not None and b is not None and b not in ancestors(parents, a):
            found_as.remove(f"{_WORDS[low]} {names[a]!r}")
            missing.append(f"{names[a]!r} is not below {names[b]!r}")
    return f"{side}: {', '.join(found_as)}" + (f"; {', '.join(missing)}" if missing else "")


def _first(place: int, side: str, read: list[BoneName]) -> int | None:
    """Return the joint whose name fits a place at the least cost; those that fit no other place come first."""
    fits = [
        (cost, joint)
        for joint, bone in enumerate(read)
        if bone.side == side and not bone.twist and HEEL not in bone.places
        if (cost := bone.places.get(place)) is not None and cost <= min(bone.places.values())
    ]
    return min(fits, key=lambda item: (read[item[1]].ignored, item[0], item[1]), default=(0.0, None))[1]
