# SPDX-License-Identifier: GPL-3.0-or-later
"""Few keys in place of one per frame: what is planned, within a tolerance at hips, knees, ankles and toes.

Which frames get keys, and what values and handles, is the library's (`skelkin_py.blender.fit_keys`). Here it is decided
which channels share their keys, what points the tolerance is for, and where slopes may jump or values are held. Pelvis
and legs are not planned again for each other's few keys: they share the tolerance.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...core.channels import ROTATION_CHANNELS
from ...core.keys import Keys, cubic_keys, held_keys, linear_keys
from .. import actions
from .leg_methods import CONTROL, GOAL
from .written_channels import Channel

#: pelvis and legs share the tolerance: controls may follow the pelvis as feet do
_SHARE = 0.5
#: a control that moves less than this part of the tolerance while its foot stands is held still
_STILL = 0.2
#: frames that are worth holding
_FEWEST = 3


class Placed(NamedTuple):
    """A bone, or an object (its name is empty), whose channels get keys: where it is planned, and what counts of it."""

    name: str
    mode: str  # of its rotation
    world: np.ndarray  # (F, 4, 4)
    basis: np.ndarray  # (F, 4, 4) what its channels make up
    scale: np.ndarray  # (F, 3) its scale channels
    points: np.ndarray  # (F, P, 3) in world space


class Group(NamedTuple):
    """Channels with keys on the same frames: of bones, each below the one before, or of one object."""

    placed: list[Placed]
    tolerance: float
    spans: list[tuple[int, int]]  # rows in which the foot stands
    holds: bool  # whether what is placed is held still there


def keys_of(package, ob, plan) -> dict[tuple[str, str], list[Keys]]:
    """Return the keys of each planned channel, one `Keys` per component: every frame, or few where the plan says so."""
    found: dict[tuple[str, str], list[Keys]] = {}
    if plan.posed is not None:
        for group in _groups(ob, plan):
            found |= _fitted(package, plan, group, plan.channels)
    found |= _alone(package, plan, [channel for channel in plan.channels if channel[:2] not in found])
    return found | _held(plan, plan.channels)


def goal_keys_of(package, ob, plan, goal) -> dict[tuple[str, str], list[Keys]]:
    """Return the same for the channels of an object that a foot follows."""
    if plan.posed is None:
        return _alone(package, plan, goal.channels) | _held(plan, goal.channels)
    leg = [k for k, method in enumerate(plan.methods) if method.kind == GOAL][plan.goals.index(goal)]
    placed = Placed("", goal.obj.rotation_mode, goal.world, goal.basis, goal.scale, _ends(ob, plan, leg))
    group = Group([placed], _tolerance(plan), plan.contact_rows(leg), True)
    return _fitted(package, plan, group, goal.channels) | _held(plan, goal.channels)


def _tolerance(plan) -> float:
    """Return what legs may be off: half of the tolerance where the bone that carries the body gets few keys too."""
    whole = plan.posed.tolerance * plan.leg_length
    return whole * _SHARE if plan.posed.carrier in _placed_bones(plan) else whole


def _placed_bones(plan) -> set[str]:
    return {bone for bone, channel, _ in plan.channels if channel in _TRANSFORMS}


def _ends(ob, plan, leg: int) -> np.ndarray:
    """Return where ankle and toes of a leg are planned (F, 2, 3)."""
    name = plan.methods[leg].ankle
    ankle = plan.ankles[name]
    return np.stack([ankle[:, :3, 3], ankle[:, :3, 3] + ob.data.bones[name].length * ankle[:, :3, 1]], axis=1)


def _groups(ob, plan) -> list[Group]:
    posed, place, keyed = plan.posed, plan.armature.names.index, _placed_bones(plan)

    def placed(name: str, points: np.ndarray) -> Placed:
        parts = (column[:, place(name)] for column in (posed.world, posed.basis, posed.scale))
        return Placed(name, ob.pose.bones[name].rotation_mode, *parts, points)

    def heads(names: list[str]) -> list[np.ndarray]:
        return [posed.world[:, place(name), :3, 3] for name in names]

    groups = []
    for leg, method in enumerate(plan.methods):
        if method.kind == GOAL:
            continue
        bones = method.written[:1]
        if method.kind != CONTROL:
            bones = _chain(plan.armature, [name for name in method.written if name in keyed and name != posed.carrier])
        points = [*(head[:, None] for head in heads(bones[1:])), _ends(ob, plan, leg)]
        if bones and keyed.issuperset(bones):
            chain = [placed(*pair) for pair in zip(bones, points, strict=True)]
            groups.append(Group(chain, _tolerance(plan), plan.contact_rows(leg), method.kind == CONTROL))
    if posed.carrier in keyed:
        feet = [plan.ankles[method.ankle][:, :3, 3] for method in plan.methods]
        points = np.stack([*heads(posed.hips), *feet], axis=1)
        groups.append(Group([placed(posed.carrier, points)], _tolerance(plan), [], False))
    return groups


#: the channels that place a bone
_TRANSFORMS = {"location", *(channel for channel, _ in ROTATION_CHANNELS.values())}


def _chain(armature, names: list[str]) -> list[str]:
    """Return the longest run of bones, parents first, each of which is below the one before."""
    chain: list[str] = []
    for name in sorted(names, key=armature.names.index):
        above = armature.names.index(name)
        while above >= 0 and chain and armature.names[above] != chain[-1]:
            above = int(armature.parents[above])
        if above >= 0:
            chain.append(name)
    return chain


def _fitted(package, plan, group: Group, channels: list[Channel]) -> dict[tuple[str, str], list[Keys]]:
    values = {(bone, channel): rows for bone, channel, rows in channels}
    columns, bones, owners, width = [], [], [], 0
    for part in group.placed:
        turn, first = ROTATION_CHANNELS[part.mode][0], {}
        for channel in (turn, "location"):
            if (part.name, channel) in values:
                rows = values[part.name, channel]
                first[channel] = width
                columns.append(rows)
                owners.append((part.name, channel, width, rows.shape[1]))
                width += rows.shape[1]
        now = _basis(package, part, values.get((part.name, turn)), values.get((part.name, "location")))
        matrix = part.world @ package.invert(part.basis) @ now
        keyed = first.get(turn), first.get("location")
        bones.append(package.blender.KeyedBone(matrix, now, part.scale, part.mode, *keyed, part.points))
    table = np.concatenate(columns, axis=1)
    kinds = dict.fromkeys((row for span in group.spans for row in span), "BROKEN")
    if group.holds:
        for start, stop in group.spans:
            still = _still(package, bones[0], start, stop, _STILL * group.tolerance)
            if still is not None:
                table[still[0] : still[1] + 1] = table[sum(still) // 2]
                kinds |= {still[0]: "HELD", still[1]: "BROKEN"}
                kinds |= dict.fromkeys(range(still[0] + 1, still[1]), "FREE")
    frames = plan.frames.astype(np.float64)
    keys = package.blender.fit_keys(frames, table, tolerance=group.tolerance, kinds=kinds, chain=bones)
    return {(name, channel): _cubic(keys, at, size) for name, channel, at, size in owners}


def _basis(package, part: Placed, rotation: np.ndarray | None, location: np.ndarray | None) -> np.ndarray:
    """Return the basis matrices that the channels with keys make; what has none stays as planned."""
    basis = part.basis.copy()
    if location is not None:
        basis[:, :3, 3] = location
    if rotation is None:
        return basis
    one = package.blender.Armature([-1], np.eye(4)[None])
    four = np.zeros((len(rotation), 1, 4))
    four[:, 0, : rotation.shape[1]] = rotation
    pose = one.pose(rotation=four, rotation_mode=(part.mode,), scale=part.scale[:, None])
    basis[:, :3, :3] = pose[:, 0, :3, :3]
    return basis


def _still(package, bone, start: int, stop: int, bound: float) -> tuple[int, int] | None:
    """Return the first and last row of a contact between which a bone may keep the channels of its middle.

    What rolls or parents do meanwhile goes on: with those channels its points stay where they are planned.
    """
    rows = slice(start, stop + 1)
    middle, matrix = (stop - start) // 2, bone.matrix[rows]
    kept = matrix @ package.invert(bone.basis[rows]) @ bone.basis[start + middle] @ package.invert(matrix)
    points = bone.points[rows]
    there = np.einsum("fij,fpj->fpi", kept[:, :3, :3], points) + kept[:, None, :3, 3]
    moved = np.linalg.norm(there - points, axis=2).max(axis=1) > bound
    before, after = np.flatnonzero(moved[:middle]), np.flatnonzero(moved[middle:])
    first = int(before[-1]) + 1 if before.size else 0
    last = middle + int(after[0]) - 1 if after.size else stop - start
    return (start + first, start + last) if last - first + 1 >= _FEWEST else None


def _cubic(keys, first: int, size: int) -> list[Keys]:
    return [cubic_keys(*keys.handles(first + index)) for index in range(size)]


def _alone(package, plan, channels: list[Channel]) -> dict[tuple[str, str], list[Keys]]:
    """Return the keys of channels that no foot depends on: turns within the tolerance in radians."""
    frames, found = plan.frames.astype(np.float64), {}
    for bone, channel, values in channels:
        if plan.posed is None:
            found[bone, channel] = [linear_keys(frames, column) for column in values.T]
            continue
        bound = plan.posed.tolerance * (plan.leg_length if channel == "location" else 1.0)
        keys = package.blender.fit_keys(frames, values, tolerance=bound)
        found[bone, channel] = _cubic(keys, 0, values.shape[1])
    return found


def _held(plan, channels: list[Channel]) -> dict[tuple[str, str], list[Keys]]:
    """Return the keys of channels that hold their values, as those of motion on twos do."""
    frames = plan.frames.astype(np.float64)
    keys = {(bone, channel): held_keys(frames, values) for bone, channel, values in channels}
    return {name: held for name, held in keys.items() if held is not None}


def drift(plan, ankles: dict[str, np.ndarray]) -> float:
    """Return by how much a standing foot moves at most beside what was planned, in leg lengths.

    ``ankles`` are the evaluated matrices of the feet on all frames.
    """
    worst = 0.0
    for leg, method in enumerate(plan.methods):
        if method.ankle not in ankles:
            continue
        apart = (ankles[method.ankle] - plan.ankles[method.ankle])[:, :3, 3]
        for start, stop in plan.contact_rows(leg):
            own = apart[start : stop + 1] - apart[start]
            worst = max(worst, float(np.linalg.norm(own, axis=1).max()))
    return worst / plan.leg_length


def summary(action, slot, plan) -> str:
    """Return in words how many keys an action has in place of one per frame."""
    curves = actions.curves_by_channel(action, slot)
    own = {actions.bone_path(bone, channel) for bone, channel, _ in plan.channels}
    count = sum(len(curve.keyframe_points) for (path, _), curve in curves.items() if path in own)
    every = sum(values.size for _, _, values in plan.channels)
    centimetres = plan.report.centimetres(plan.posed.drift * plan.leg_length)
    return f"Sparse: {count} keys instead of {every}; standing feet move by up to {centimetres:.2g} cm"
