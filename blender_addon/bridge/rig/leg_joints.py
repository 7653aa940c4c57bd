# SPDX-License-Identifier: GPL-3.0-or-later
"""Joints of legs: which are written, which are needed, and the legs counted in a part of the armature."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace


def standing(package, bones, leg):
    """Return the leg as it is solved: animals stand on their toes, there it goes down to them."""
    return package.legs.standing_leg.standing_leg(bones.parents.tolist(), bones.rest, leg)


def written_bones(package, bones, leg) -> list[str]:
    """Return the names of the bones that turn where a leg is planted by its own keys: of a rig's mechanism none."""
    read_name = package.legs.words.read_name
    between = {j for j in _flat(leg.segments) if not read_name(bones.names[j]).mechanism}
    joints = {leg.hip, leg.knee, leg.ankle, standing(package, bones, leg).ankle, *between}
    return [bones.names[j] for j in sorted(joints)]


def upwards(bones, joint: int) -> list[int]:
    """Return the joint and those above it, up to the root."""
    found = []
    while joint >= 0:
        found.append(joint)
        joint = int(bones.parents[joint])
    return found


def needed_joints(bones, legs: list) -> set[int]:
    """Return the joints above and below the legs' own, and these."""
    wanted: set[int] = set()
    for leg in legs:
        for joint in (leg.ankle, leg.toe, leg.heel, leg.pelvis, *_flat(leg.segments)):
            if joint is not None:
                wanted.update(upwards(bones, joint))
    ankles = {leg.ankle for leg in legs}
    for joint, parent in enumerate(bones.parents):  # parents first: whatever is below an ankle
        if parent in ankles:
            wanted.add(joint)
            ankles.add(joint)
    return wanted


def moved_leg(leg, place: dict[int, int]):
    """Return the same leg with its joints counted in a part of the armature; ``place`` says where each joint is."""

    def moved(item):
        return tuple(moved(part) for part in item) if isinstance(item, (list, tuple)) else place[int(item)]

    joints = {name: getattr(leg, name) for name in ("hip", "knee", "ankle", "toe", "heel", "pelvis")}
    return replace(
        leg,
        **{name: None if joint is None else place[joint] for name, joint in joints.items()},
        chain=moved(leg.chain),
        segments=moved(leg.segments),
    )


def _flat(nested) -> Iterator[int]:
    for item in nested:
        if isinstance(item, (list, tuple)):
            yield from _flat(item)
        else:
            yield int(item)
