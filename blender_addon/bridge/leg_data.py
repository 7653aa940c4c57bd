# SPDX-License-Identifier: GPL-3.0-or-later
"""Legs of an armature: found by the native package, kept on the object by bone name."""

from __future__ import annotations

import numpy as np

from . import native
from .checks import Refused

_JOINTS = ("hip", "knee", "ankle", "toe", "heel", "pelvis")


def find(ob) -> int:
    """Find the legs, keep them on the object and return how many there are.

    Raises
    ------
    Refused
        If there are none.
    """
    package = native.load()
    bones = package.blender.Armature.from_bpy(ob)
    world = np.array(ob.matrix_world, dtype=np.float64)
    positions = (world @ bones.rest)[:, :3, 3]
    legs = package.find_legs(bones.names, bones.parents, positions)
    if not legs:
        raise Refused(f"No legs found among the {len(bones.names)} bones of {ob.name}")
    store(ob, legs, bones.names)
    return len(legs)


def store(ob, legs, names) -> None:
    """Keep legs on the object."""
    ob.skelkin_legs.clear()
    for leg in legs:
        item = ob.skelkin_legs.add()
        item.name = names[leg.ankle]
        item.side = leg.side or ""
        for joint in _JOINTS:
            index = getattr(leg, joint)
            setattr(item, joint, "" if index is None else names[index])
        item.bend = [float(x) for x in leg.bend]
        item.confidence = leg.confidence
        item.reasons = "; ".join(leg.reasons)


def load(ob, bones) -> list:
    """Return the enabled legs as the native package takes them, with joints counted in the armature ``bones``.

    Raises
    ------
    Refused
        If there are none, or a bone is gone.
    """
    package = native.load()
    index = {name: i for i, name in enumerate(bones.names)}
    legs = []
    for item in ob.skelkin_legs:
        if not item.enabled:
            continue
        names = {joint: getattr(item, joint) for joint in _JOINTS}
        for joint, name in names.items():
            if name and name not in index:
                raise Refused(f"{name} ({joint} of a leg) is not a bone of {ob.name}: find the legs again")
        joints = {joint: index.get(name) for joint, name in names.items()}
        if None in (joints["hip"], joints["knee"], joints["ankle"]):
            raise Refused(f"A leg of {ob.name} has no hip, knee or ankle: find the legs again")
        segments = _path(bones, joints, names, ob.name)
        legs.append(
            package.legs.Leg(
                **joints,
                side=item.side or None,
                chain=(joints["hip"], joints["knee"], joints["ankle"]),
                segments=segments,
                bend=tuple(item.bend),
                confidence=item.confidence,
                reasons=tuple(item.reasons.split("; ")),
            )
        )
    if not legs:
        raise Refused(f"{ob.name} has no legs switched on: find the legs first")
    return legs


def _path(bones, joints: dict, names: dict, owner: str) -> tuple[int, ...]:
    """Return the joints from hip to ankle; the user may have chosen any bones."""
    path = [joints["ankle"]]
    while path[-1] >= 0 and path[-1] != joints["hip"]:
        path.append(int(bones.parents[path[-1]]))
    if path[-1] < 0 or joints["knee"] not in path[1:-1]:
        chosen = ", ".join(names[joint] for joint in ("hip", "knee", "ankle"))
        raise Refused(f"{chosen} of {owner} do not hang below each other: choose other bones or find the legs again")
    return tuple(reversed(path))
