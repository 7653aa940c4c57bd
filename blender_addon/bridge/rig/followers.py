# SPDX-License-Identifier: GPL-3.0-or-later
"""The legs that the mesh shows: in a control rig other bones than those with the keys, which they copy."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from . import rig_map

#: heads that are nearer than this part of the leg are at one place
_AT_ONE_PLACE = 1e-3
_JOINTS = ("hip", "knee", "ankle")


def shown_legs(package, ob, bones, legs: list) -> list:
    """Return for each leg the one that copies it by constraints and rests at the same place, else the leg itself.

    Where the mesh follows the leg, and not its copy, the copy is some helper.

    Parameters
    ----------
    bones : Armature
        All bones of the object.
    legs : list of Leg
        The legs that carry keys, such as the FK controls of a control rig, with joints counted in ``bones``.
    """
    copying = _copying(ob)
    if not copying:
        return legs
    place = {name: joint for joint, name in enumerate(bones.names)}
    chains = [_chain(bones, leg, copying, place) for leg in legs]
    deforms = [ob.data.bones[name].use_deform for name in bones.names]
    for k, (leg, chain) in enumerate(zip(legs, chains, strict=True)):
        if chain is not None and deforms[leg.ankle] and not deforms[chain[2]]:
            chains[k] = None
    if not any(chains):
        return legs
    complete = _completed(package, bones, [chain for chain in chains if chain is not None])
    shown = []
    for leg, chain in zip(legs, chains, strict=True):
        if chain is None:
            shown.append(leg)
            continue
        found = complete.get(chain)
        joints = dict(zip(_JOINTS, chain, strict=True))
        joints |= {"toe": found.toe, "heel": found.heel} if found is not None else {"toe": None, "heel": None}
        shown.append(replace(leg, **joints, chain=chain, segments=_path(bones, chain[2], chain[0]), pelvis=None))
    return shown


def _copying(ob) -> dict[str, list[str]]:
    """Return bone → the bones that have a constraint on it."""
    found: dict[str, list[str]] = {}
    for bone in ob.pose.bones:
        for constraint in bone.constraints:
            if constraint.type.startswith("COPY_") or constraint.type == "ARMATURE":
                for target, name in rig_map.targets(constraint):
                    if target == ob and name:
                        found.setdefault(name, []).append(bone.name)
    return found


def _chain(bones, leg, copying: dict, place: dict) -> tuple[int, int, int] | None:
    """Return hip, knee and ankle of a leg whose bones copy those of the given one."""
    heads = bones.rest[:, :3, 3]
    length = np.linalg.norm(heads[leg.hip] - heads[leg.knee]) + np.linalg.norm(heads[leg.knee] - heads[leg.ankle])

    def followers(joint: int) -> list[int]:
        found = [place[name] for name in copying.get(bones.names[joint], ())]
        return [f for f in found if np.linalg.norm(heads[f] - heads[joint]) <= _AT_ONE_PLACE * length]

    for ankle in followers(leg.ankle):
        for knee in followers(leg.knee):
            for hip in followers(leg.hip):
                if knee in _path(bones, ankle, hip):
                    return hip, knee, ankle
    return None


def _path(bones, joint: int, top: int) -> tuple[int, ...]:
    """Return the joints from ``top`` down to ``joint``, empty where that is not below it."""
    path = [joint]
    while path[-1] != top and path[-1] >= 0:
        path.append(int(bones.parents[path[-1]]))
    return tuple(reversed(path)) if path[-1] == top else ()


def _completed(package, bones, chains: list) -> dict:
    """Return hip, knee and ankle → the leg whose toes and heel are found by name below these joints."""
    wanted = {joint for hip, _, ankle in chains for joint in _path(bones, ankle, hip)}
    feet = {ankle for _, _, ankle in chains}
    for joint, parent in enumerate(bones.parents.tolist()):  # parents first: whatever is below an ankle
        if parent in feet:
            feet.add(joint)
    rows = sorted(wanted | feet)
    row = {joint: i for i, joint in enumerate(rows)}
    parents = [row.get(int(bones.parents[joint]), -1) for joint in rows]
    found = package.find_legs([bones.names[joint] for joint in rows], parents, bones.rest[rows, :3, 3])
    legs = {}
    for leg in found:
        given = {name: getattr(leg, name) for name in (*_JOINTS, "toe", "heel")}
        back = {name: None if joint is None else rows[joint] for name, joint in given.items()}
        chain = tuple(back[name] for name in _JOINTS)
        legs[chain] = replace(leg, **back)
    return legs
