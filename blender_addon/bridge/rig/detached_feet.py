# SPDX-License-Identifier: GPL-3.0-or-later
"""Feet that follow a control in the world, which an IK constraint of the shin aims at: legs to be put together."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ..checks import Refused

#: a foot rests at the end of the shin: no further from it than this, of the leg
_AT_THE_END = 0.02


class Bones(NamedTuple):
    """Bones as legs join them: where a foot is ``detached``, its parent is the shin."""

    names: tuple[str, ...]
    parents: np.ndarray
    rest: np.ndarray
    connected: np.ndarray
    detached: frozenset[str]


def read(package, ob) -> tuple[Any, Bones]:
    """Return the armature of an object, and its bones as legs join them; in both, parents come first."""
    bones = package.blender.Armature.from_bpy(ob)
    feet = _detached_feet(ob)
    if any(bones.names.index(foot) < bones.names.index(shin) for foot, shin in feet.items()):
        bones = _reordered(package, ob, feet)
    return bones, joined(bones, feet)


def joined(armature, feet: dict[str, str]) -> Bones:
    """Return the bones of (a part of) an armature; ``feet`` says which belongs to which shin."""
    parents = armature.parents.copy()
    place = {name: joint for joint, name in enumerate(armature.names)}
    there = {foot: shin for foot, shin in feet.items() if foot in place and shin in place}
    for foot, shin in there.items():
        parents[place[foot]] = place[shin]
    return Bones(armature.names, parents, armature.rest, armature.connected, frozenset(there))


def part_of(bones: Bones, armature) -> Bones:
    """Return those of the bones that are in a part of their armature."""
    return joined(armature, {foot: bones.names[bones.parents[bones.names.index(foot)]] for foot in bones.detached})


def candidates(ob) -> dict[str, list[str]]:
    """Return for each shin that ends in no foot of its own the bones that may be one, the likeliest first."""
    found = {}
    for bone in ob.pose.bones:
        for constraint in bone.constraints:
            if constraint.type == "IK" and constraint.target == ob and constraint.subtarget in ob.pose.bones:
                feet = _feet_at(bone.bone, ob.data.bones[constraint.subtarget])
                if feet:
                    found[bone.name] = feet
    return found


def _feet_at(shin, target) -> list[str]:
    """Return the bones that rest at the end of the shin and follow what the target of its constraint follows."""
    body = {shin, *shin.parent_recursive}
    if shin.parent is None or target in body or shin in target.parent_recursive:
        return []
    reach = _AT_THE_END * (shin.length + shin.parent.length)

    def ends(bone) -> bool:
        return (bone.head_local - shin.tail_local).length <= reach

    if any(map(ends, shin.children_recursive)):
        return []
    top = target
    while top.parent is not None and top.parent not in body:
        top = top.parent
    feet = [bone for bone in (top, *top.children_recursive) if ends(bone)]
    feet.sort(key=lambda bone: (not bone.use_deform, not bone.children, -len(bone.parent_recursive)))
    return [bone.name for bone in feet]


def _detached_feet(ob) -> dict[str, str]:
    """Return foot → shin: the likeliest, or what was picked by hand."""
    picked = {leg.knee: leg.ankle for leg in ob.skelkin_legs if leg.enabled}
    feet = {}
    for shin, names in candidates(ob).items():
        feet[picked[shin] if picked.get(shin) in names else names[0]] = shin
    return feet


def _reordered(package, ob, feet: dict[str, str]):
    """Return the armature with its bones in an order in which shins come before their feet as well."""
    given = package.blender.live.armature.read_bones(ob)
    place = {name: joint for joint, name in enumerate(given["names"])}
    above: list[set[int]] = [{int(parent)} - {-1} for parent in given["parents"]]
    for foot, shin in feet.items():
        above[place[foot]].add(place[shin])
    order: list[int] = []
    while len(order) < len(above):
        ready = [joint for joint in range(len(above)) if joint not in order and above[joint] <= set(order)]
        if not ready:
            raise Refused(
                f"{', '.join(feet)} and the shins that aim at them depend on each other: pick other bones as feet"
            )
        order += ready
    row = np.full(len(order) + 1, -1, np.int32)
    row[order] = np.arange(len(order))
    envelopes = package.blender.Envelopes._make(array[order] for array in given.pop("envelopes"))
    del given["bbones"]  # they would name other rows, and legs need none
    parents = row[given["parents"][order]]
    given = {
        name: [column[j] for j in order] if isinstance(column, list) else column[order]
        for name, column in given.items()
    }
    return package.blender.Armature(**{**given, "parents": parents}, envelopes=envelopes)
