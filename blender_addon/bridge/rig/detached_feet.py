# SPDX-License-Identifier: GPL-3.0-or-later
"""Feet that are not below the shin: an IK constraint aims at them, or keys alone keep them at its end."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from ..checks import Refused
from .rig_map import RigMap

#: a foot rests at the end of the shin: no further from it than this, of the leg
_AT_THE_END = 0.02


class Bones(NamedTuple):
    """Bones as legs join them: the parent of a foot that is ``detached`` or ``loose`` is the shin.

    The shin aims at a detached foot; keys alone keep a loose one at its end, as in files of other programs.
    """

    names: tuple[str, ...]
    parents: np.ndarray
    rest: np.ndarray
    connected: np.ndarray
    detached: frozenset[str]
    loose: frozenset[str]


def read(package, ob) -> tuple[Any, Bones]:
    """Return the armature of an object, and its bones as legs join them; in both, parents come first."""
    bones = package.blender.Armature.from_bpy(ob)
    detached = _detached_feet(ob)
    loose = _loose_feet(package, ob, bones, detached)
    feet = {**detached, **loose}
    if any(bones.names.index(foot) < bones.names.index(shin) for foot, shin in feet.items()):
        bones = _reordered(package, ob, feet)
    return bones, _joined(bones, feet, loose)


def part_of(bones: Bones, armature) -> Bones:
    """Return those of the bones that are in a part of their armature."""
    feet = {foot: bones.names[bones.parents[bones.names.index(foot)]] for foot in bones.detached | bones.loose}
    return _joined(armature, feet, bones.loose)


def find_legs(package, bones: Bones, rest: np.ndarray) -> list:
    """Return the legs that the package finds in bones whose heads rest at (B, 3); loose feet are feet by any name."""
    names, shins = list(bones.names), {}
    for foot in bones.loose:
        joint = bones.names.index(foot)
        shins[joint] = bones.names[bones.parents[joint]]
        read = package.legs.words.read_name(shins[joint])
        names[joint] = f"{read.limb} foot {read.side}"
    legs = package.find_legs(names, bones.parents, rest)
    return [
        leg if leg.ankle not in shins else _explained(leg, bones.names[leg.ankle], shins[leg.ankle]) for leg in legs
    ]


def _explained(leg, foot: str, shin: str):
    """Return a leg whose reasons say why its foot is one."""
    why = f"ankle: {foot!r}, which keys keep at the end of {shin!r}"
    return replace(leg, reasons=tuple(why if reason.startswith("ankle: ") else reason for reason in leg.reasons))


def _joined(armature, feet: dict[str, str], loose: Collection[str]) -> Bones:
    """Return the bones of (a part of) an armature; ``feet`` says which belongs to which shin."""
    parents = armature.parents.copy()
    place = {name: joint for joint, name in enumerate(armature.names)}
    there = {foot: shin for foot, shin in feet.items() if foot in place and shin in place}
    for foot, shin in there.items():
        parents[place[foot]] = place[shin]
    kinds = frozenset(there).difference(loose), frozenset(there).intersection(loose)
    return Bones(armature.names, parents, armature.rest, armature.connected, *kinds)


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


def _loose_feet(package, ob, bones, detached: dict[str, str]) -> dict[str, str]:
    """Return foot → shin where the names show it and nothing but keys moves either: the nearest, or that picked."""
    found = package.legs.detached_feet.loose_legs(bones.names, bones.parents.tolist())
    rig = RigMap(ob) if found else None
    picked = {leg.knee: leg.ankle for leg in ob.skelkin_legs if leg.enabled}
    heads = bones.rest[:, :3, 3]
    feet = {}
    for hip, knee, kinds in found:
        shin = bones.names[knee]
        joints = next(kind for kind in kinds if kind)
        foot = bones.names[min(joints, key=lambda joint: float(np.linalg.norm(heads[joint] - heads[knee])))]
        if picked.get(shin) in [bones.names[joint] for joint in joints]:
            foot = picked[shin]
        if shin not in detached.values() and all(map(rig.is_free, (bones.names[hip], shin, foot))):
            feet[foot] = shin
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
