# SPDX-License-Identifier: GPL-3.0-or-later
"""Few keys in place of one per frame: what is planned, within a tolerance at hips, knees, ankles and toes.

Which frames get keys, and what values and handles, is the library's (`skelkin_py.blender.fit_keys`). Here it is said
which channels share their keys, what points the tolerance is for, and where slopes may jump or values are held. Pelvis
and legs are not planned anew for each other's few keys: they share the tolerance.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...core.channels import ROTATION_CHANNELS
from ...core.keys import Keys, cubic_keys, linear_keys
from .. import actions
from .leg_ways import CONTROL

#: pelvis and legs share the tolerance where the feet hang on both
_SHARE = 0.5
#: a control that moves less than this part of the tolerance while its foot stands is held still
_STILL = 0.2
#: frames that are worth holding
_FEWEST = 3


class Group(NamedTuple):
    """Channels with keys on the same frames: bones, each below the one before, and what counts of them."""

    bones: list[str]
    points: list[np.ndarray]  # per bone (F, P, 3) in world space
    tolerance: float
    spans: list[tuple[int, int]]  # rows in which the foot stands
    holds: bool  # whether the first bone is held still there


def keys_of(package, ob, plan) -> dict[tuple[str, str], list[Keys]]:
    """Return the keys of each planned channel, one `Keys` per component: every frame, or few where the plan says so."""
    found: dict[tuple[str, str], list[Keys]] = {}
    if plan.posed is not None:
        values = {(bone, channel): rows for bone, channel, rows in plan.channels}
        for group in _groups(ob, plan):
            found |= _fitted(package, ob, plan, group, values)
    for channel in plan.channels:
        owner = channel.bone, channel.channel
        if owner not in found:
            found[owner] = keys_alone(package, plan, channel)
    return found


def _groups(ob, plan) -> list[Group]:
    place, tolerance = plan.armature.names.index, plan.posed.tolerance * plan.leg_length
    keyed = {bone for bone, channel, _ in plan.channels if channel in _TRANSFORMS}
    on_body = any(way.kind != CONTROL for way in plan.ways)
    carried = plan.posed.carrier in keyed and on_body
    groups = []
    for leg, way in enumerate(plan.ways):
        ankle = plan.ankles[way.ankle]
        ends = [ankle[:, :3, 3], ankle[:, :3, 3] + ob.data.bones[way.ankle].length * ankle[:, :3, 1]]
        spans = plan.contact_rows(leg)
        if way.kind == CONTROL:
            groups.append(Group(way.written[:1], [np.stack(ends, axis=1)], tolerance, spans, True))
            continue
        bones = _chain(plan.armature, [name for name in way.written if name in keyed and name != plan.posed.carrier])
        heads = [plan.posed.world[:, place(name), :3, 3] for name in bones[1:]]
        points = [head[:, None] for head in heads] + [np.stack(ends, axis=1)]
        groups.append(Group(bones, points, tolerance * (_SHARE if carried else 1.0), spans, False))
    if plan.posed.carrier in keyed:
        hips = [plan.posed.world[:, place(name), :3, 3] for name in plan.posed.hips]
        feet = [plan.ankles[way.ankle][:, :3, 3] for way in plan.ways if way.kind != CONTROL]
        points = np.stack(hips + feet, axis=1)
        groups.append(Group([plan.posed.carrier], [points], tolerance * (_SHARE if on_body else 1.0), [], False))
    return [group for group in groups if group.bones and keyed.issuperset(group.bones)]


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


def _fitted(package, ob, plan, group: Group, values: dict) -> dict[tuple[str, str], list[Keys]]:
    columns, bones, owners, width = [], [], [], 0
    for name, points in zip(group.bones, group.points, strict=True):
        joint, mode = plan.armature.names.index(name), ob.pose.bones[name].rotation_mode
        first = {}
        for channel in (ROTATION_CHANNELS[mode][0], "location"):
            if (name, channel) in values:
                first[channel] = width
                columns.append(values[name, channel])
                owners.append((name, channel, width))
                width += values[name, channel].shape[1]
        basis, scale = plan.posed.basis[:, joint], plan.posed.scale[:, joint]
        now = _basis(package, mode, basis, scale, values.get((name, ROTATION_CHANNELS[mode][0])), values, name)
        matrix = plan.posed.world[:, joint] @ package.invert(basis) @ now
        turned, moved = first.get(ROTATION_CHANNELS[mode][0]), first.get("location")
        bones.append(package.blender.KeyedBone(matrix, now, scale, mode, turned, moved, points))
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
    return {(name, channel): _cubic(keys, at, values[name, channel].shape[1]) for name, channel, at in owners}


def _basis(package, mode: str, planned, scale, rotation, values: dict, name: str) -> np.ndarray:
    """Return the basis matrices that the channels with keys make, what has none as planned."""
    basis = planned.copy()
    location = values.get((name, "location"))
    if location is not None:
        basis[:, :3, 3] = location
    if rotation is None:
        return basis
    one = package.blender.Armature([-1], np.eye(4)[None], names=[name])
    four = np.zeros((len(rotation), 1, 4))
    four[:, 0, : rotation.shape[1]] = rotation
    basis[:, :3, :3] = one.pose(rotation=four, rotation_mode=(mode,), scale=scale[:, None], exact=True)[:, 0, :3, :3]
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


def keys_alone(package, plan, channel) -> list[Keys]:
    """Return the keys of a channel that no chain of bones hangs on: turns within the tolerance in radians."""
    frames = plan.frames.astype(np.float64)
    if plan.posed is None:
        return [linear_keys(frames, column) for column in channel.values.T]
    bound = plan.posed.tolerance * (plan.leg_length if channel.channel == "location" else 1.0)
    keys = package.blender.fit_keys(frames, channel.values, tolerance=bound)
    return _cubic(keys, 0, channel.values.shape[1])


def drift(plan, ankles: dict[str, np.ndarray]) -> float:
    """Return by how much a standing foot moves at most beside what was planned, in leg lengths.

    ``ankles`` are the evaluated matrices of the feet on all frames.
    """
    worst = 0.0
    for leg, way in enumerate(plan.ways):
        if way.ankle not in ankles:
            continue
        apart = (ankles[way.ankle] - plan.ankles[way.ankle])[:, :3, 3]
        for start, stop in plan.contact_rows(leg):
            own = apart[start : stop + 1] - apart[start]
            worst = max(worst, float(np.linalg.norm(own, axis=1).max()))
    return worst / plan.leg_length


def told(action, slot, plan) -> str:
    """Return in words how many keys an action has in place of one per frame."""
    curves = actions.curves_by_channel(action, slot)
    own = {actions.bone_path(bone, channel) for bone, channel, _ in plan.channels}
    count = sum(len(curve.keyframe_points) for (path, _), curve in curves.items() if path in own)
    every = sum(values.size for _, _, values in plan.channels)
    centimetres = plan.report.centimetres(plan.posed.drift * plan.leg_length)
    return f"Sparse: {count} keys in place of {every}; standing feet move by up to {centimetres:.2g} cm"
