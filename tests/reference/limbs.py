# SPDX-License-Identifier: MIT
"""Two-bone inverse kinematics on the matrices of a skeleton."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from skelkin_py import AppliedTwoBone, IKStatus

from ._algebra import (
    Floats,
    dot,
    length,
    nearest_rotation,
    partial_turn,
    perpendicular,
    perpendicular_unit,
    smoothstep,
    to_matrix,
    unit,
)
from .kinematics import forward_kinematics
from .two_bone import REACHED, solve_two_bone, swing

CLEAR_BEND = 1e-3  # sine of a knee whose bend in the rest pose is no accident


def rest_bend(skeleton: Any, chain: tuple[int, int, int]) -> Floats | None:
    """Return the side to which a limb bends, as a direction in the rest frame of its upper joint.

    From the knee of the rest pose; where that is straight, from the direction in which the farthest child of
    the end joint (the toes) lies; None where neither tells.
    """
    rest = np.asarray(skeleton.rest_global)[:, :3, 3]
    a, b, c = (rest[j] for j in chain)
    line = unit(c - a)
    sine = length(np.cross(b - a, c - b)) / np.maximum(length(b - a) * length(c - b), 1e-300)
    side = perpendicular(b - a, line)
    if sine < CLEAR_BEND:
        children = [j for j, parent in enumerate(skeleton.parents) if parent == chain[2]]
        toes = [rest[j] - c for j in children]
        if chain[2] in getattr(skeleton, "end_sites", {}):
            toes.append(skeleton.rest_global[chain[2], :3, :3] @ np.asarray(skeleton.end_sites[chain[2]]))
        side = perpendicular(max(toes, key=lambda v: float(v @ v)), line) if toes else np.zeros(3)
        if length(side) <= CLEAR_BEND * (length(b - a) + length(c - b)):
            return None
    return np.asarray(np.linalg.inv(skeleton.rest_global[chain[0], :3, :3]) @ side)


def joint_indices(skeleton: Any, chain: Any) -> Any:
    """Return the chains as an integer array (C, 3) or (3,); names become indices."""
    items = np.asarray(chain)
    if items.dtype.kind in "US":
        names = list(skeleton.names)
        items = np.array([names.index(name) for name in items.ravel()]).reshape(items.shape)
    return items


def transform(m: Floats, point: Floats) -> Floats:
    """Carry points by (..., 4, 4) matrices."""
    return np.asarray((m[..., :3, :3] @ point[..., None])[..., 0] + m[..., :3, 3])


def apply_two_bone(
    skeleton: Any,
    local: ArrayLike,
    chain: Any,
    target: ArrayLike,
    *,
    pole: ArrayLike | None = None,
    pole_direction: ArrayLike | None = None,
    bend: ArrayLike | None = None,
    hinge: ArrayLike | None = None,
    roll: str = "hinge",
    soften: ArrayLike = 0.0,
    stretch: ArrayLike = 1.0,
    stretch_start: ArrayLike = 1.0,
    twist: ArrayLike = 0.0,
    weight: ArrayLike = 1.0,
    end_rotation: Any = "keep_global",
    dtype: Any = np.float64,
) -> AppliedTwoBone:
    """Bring the end joint of a limb, or of several in order, to a target.

    Parameters
    ----------
    skeleton : Skeleton
        The joints and the rest pose.
    local : array_like (..., J, 4, 4)
        The pose, relative to the parents.
    chain : three joints or names, or (C, 3) of them
        Upper, lower and end joint of each limb.
    target : array_like (..., 3) or (..., C, 3)
        In the space of the model.
    pole, pole_direction, bend, hinge, roll, soften, stretch, stretch_start, twist, weight, end_rotation
        As in `skelkin_py.apply_two_bone`.
    dtype : dtype
        As in `solve_two_bone`.

    Returns
    -------
    AppliedTwoBone
        The pose, and for each chain status and error.
    """
    chains = joint_indices(skeleton, chain)
    single = chains.ndim == 1
    chains = chains.reshape(-1, 3)
    local = np.asarray(local, dtype=np.float64)
    goal = None if isinstance(end_rotation, str) else np.asarray(end_rotation, dtype=np.float64)
    vectors = {"target": target, "pole": pole, "pole_direction": pole_direction, "bend": bend, "goal": goal}
    vectors["hinge"] = hinge
    numbers = {"soften": soften, "stretch": stretch, "stretch_start": stretch_start, "twist": twist, "weight": weight}
    arrays = {k: np.asarray(x, dtype=np.float64)[..., None] for k, x in numbers.items()}
    arrays |= {k: np.asarray(x, dtype=np.float64) for k, x in vectors.items() if x is not None}
    if single:
        arrays = {k: x[..., None, :] for k, x in arrays.items()}
    inner = (len(chains),)
    batch = np.broadcast_shapes((*local.shape[:-3], *inner), *(x.shape[:-1] for x in arrays.values()))[:-1]
    arrays = {k: np.broadcast_to(x, (*batch, *inner, x.shape[-1])) for k, x in arrays.items()}
    pose = np.broadcast_to(local, (*batch, *local.shape[-3:])).copy()
    status = np.zeros((*batch, *inner), np.uint8)
    error = np.zeros((*batch, *inner))
    for i, joints in enumerate(chains):
        own = {k: x[..., i, :] for k, x in arrays.items()}
        status[..., i] = _one_limb(skeleton, pose, tuple(joints), own, end_rotation, roll)
        _measure(skeleton, pose, tuple(joints), own, np.dtype(dtype), status[..., i], error[..., i])
    for i, joints in enumerate(chains[:-1]):  # later chains may have moved this one
        own = {k: x[..., i, :] for k, x in arrays.items()}
        _measure(skeleton, pose, tuple(joints), own, np.dtype(dtype), status[..., i], error[..., i])
    if single:
        status, error = status[..., 0], error[..., 0]
    return AppliedTwoBone(pose.astype(dtype), status, error.astype(dtype))


def _one_limb(
    skeleton: Any, pose: Floats, joints: tuple[int, int, int], own: dict[str, Floats], end_rotation: Any, roll: str
) -> Any:
    """Solve one chain, in the frame of the upper joint's parent, into `pose`, and return the status."""
    upper, lower, end = joints
    parents = [int(p) for p in skeleton.parents]
    with np.errstate(invalid="ignore"):
        full = forward_kinematics(skeleton, pose)
    finite: Any = np.isfinite(full[..., joints, :3, :]).all(axis=(-3, -2, -1))
    for key in ("target", "pole", "pole_direction", "goal", "bend", "hinge"):
        if key in own:
            finite &= np.isfinite(own[key]).all(axis=-1)
    full = np.where(finite[..., None, None, None], full, np.eye(4))
    to_parent: Any = np.linalg.inv(full[..., parents[upper], :, :]) if parents[upper] >= 0 else np.eye(4)
    inside = to_parent[..., None, :, :] @ full  # everything seen from the upper joint's parent
    safe = {"goal": 1.0, "stretch": 1.0, "stretch_start": 1.0}
    own = {k: np.where(finite[..., None], x, safe.get(k, 0.0)) for k, x in own.items()}

    bend = own.get("bend")
    if bend is not None:
        bend = (to_parent[..., :3, :3] @ bend[..., None])[..., 0]
    elif (own_bend := rest_bend(skeleton, joints)) is not None:
        bend = (inside[..., upper, :3, :3] @ own_bend[..., None])[..., 0]
    direction = own.get("pole_direction")
    if direction is not None:
        direction = (to_parent[..., :3, :3] @ direction[..., None])[..., 0]
    pole = transform(to_parent, own["pole"]) if "pole" in own else None
    a, b, c = (inside[..., j, :3, 3] for j in joints)
    target = transform(to_parent, own["target"])
    if "hinge" in own:
        axes = nearest_rotation(inside[..., upper, :3, :3])
        hand = np.sign(np.linalg.det(axes))[..., None]
        direction = hinge_side(b - a, c - b, hand * (axes @ own["hinge"][..., None])[..., 0], target - a)
        direction = np.where(length(own["hinge"]) > 0, direction, 0.0)
    numbers = {k: own[k][..., 0] for k in ("soften", "stretch", "stretch_start", "twist", "weight")}
    solved = solve_two_bone(a, b, c, target, pole=pole, pole_direction=direction, bend=bend, roll=roll, **numbers)
    turn, whole = to_matrix(solved.upper), to_matrix(solved.lower)
    knee = np.swapaxes(turn, -1, -2) @ whole  # the knee's turn before the upper one is applied

    before = {j: pose[..., j, :3, :].copy() for j in joints}
    write = finite & (numbers["weight"] != 0)
    frame = _carrier(inside, parents[lower])
    growth = (solved.stretch - 1)[..., None]
    ankle = np.linalg.inv(inside[..., parents[end], :3, :3]) @ (c - b)[..., None]
    thigh = np.linalg.inv(inside[..., parents[lower], :3, :3]) @ (b - a)[..., None]
    new = {
        upper: turn @ before[upper][..., :3],
        lower: _conjugated(frame, knee) @ before[lower][..., :3],
        end: _end_linear(inside, full, parents[end], end, whole, own, end_rotation) @ before[end][..., :3],
    }
    shift = {lower: growth * thigh[..., 0], end: growth * ankle[..., 0]}
    for j in joints:
        pose[..., j, :3, :3] = np.where(write[..., None, None], new[j], before[j][..., :3])
        if j in shift:
            moved = before[j][..., 3] + shift[j]
            pose[..., j, :3, 3] = np.where(write[..., None], moved, before[j][..., 3])

    return np.where(finite, solved.status, IKStatus.BAD_INPUT)


def hinge_side(thigh: Floats, shin: Floats, axis: Floats, line: Floats) -> Floats:
    """Return the side of the line to which the knee of a hinge goes, zeros where nothing tells.

    The limb's own side, mirrored where it is the wrong one, and that of the hinge, mixed by how far the limb is bent,
    or by how nearly it keeps its bend where it is on the hinge's side; then carried from the old line to the new one.
    """
    full, was, new = length(thigh) + length(shin), length(thigh + shin), length(line)
    before = np.where(was > 1e-12 * full, unit(thigh + shin), unit(thigh))
    after = unit(line, before)
    own, hinge = perpendicular_unit(unit(thigh), before), perpendicular_unit(unit(np.cross(before, axis)), before)
    own = np.where(length(perpendicular(unit(thigh), before)) > 1e-9, own, 0.0)
    own_told, hinge_told = length(own) > 0, length(hinge) > 0
    bend = np.degrees(np.arctan2(length(np.cross(thigh, shin)), dot(thigh, shin)))
    slack = np.where(full > was, full - was, 1.0)
    change = np.where(full > was, np.abs(np.minimum(new, full) - was) / slack, 1.0)
    kept = (1.0 - smoothstep(2.0 * change)) * smoothstep(2.0 * dot(own, hinge))
    share = np.maximum(smoothstep((bend - 4.0) / 16.0), kept)
    share = np.where(own_told & hinge_told, share, np.where(own_told, 1.0, 0.0))
    side = share * (own - 2.0 * np.minimum(dot(own, hinge), 0.0) * hinge) + (1.0 - share) * hinge
    return perpendicular_unit(swing(side, before, after), after)


def _measure(
    skeleton: Any, pose: Floats, joints: tuple[int, int, int], own: dict[str, Floats], dtype: Any, status: Any,
    error: Floats,
) -> None:  # fmt: skip
    """Put the distance of a limb's end from its target into `error`, and what it says of the whole solve."""
    finite, target, weight = status != IKStatus.BAD_INPUT, own["target"], own["weight"][..., 0]
    with np.errstate(invalid="ignore"):
        full = forward_kinematics(skeleton, pose.astype(dtype))
    a, b, c = (full[..., j, :3, 3] for j in joints)
    with np.errstate(invalid="ignore"):
        error[...] = np.where(finite, length(c - target)[..., 0], np.nan)
        leg = (length(b - a) + length(c - b))[..., 0]
        largest = np.abs(np.stack([a, b, c, target], axis=-2)).max(axis=(-2, -1)).astype(dtype)
        reached = error <= REACHED[dtype] * leg + 2 * np.spacing(largest)
    # Scale that differs between axes inside the chain bends the path of the turns: then the miss is said.
    missed = np.where(status == IKStatus.REACHED, IKStatus.NOT_CONVERGED, status)
    status[...] = np.where(finite & (weight == 1), np.where(reached, IKStatus.REACHED, missed), status)


def _carrier(inside: Floats, joint: int) -> Floats:
    """Return the orthogonal part of a joint's axes, which carries a turn into that joint's frame."""
    return nearest_rotation(inside[..., joint, :3, :3])


def _conjugated(frame: Floats, turn: Floats) -> Floats:
    """Return a turn as it is seen inside a frame; an orthogonal frame, mirrored or not, gives a rotation."""
    return np.asarray(np.swapaxes(frame, -1, -2) @ turn @ frame)


def _end_linear(
    inside: Floats, full: Floats, parent: int, end: int, whole: Floats, own: dict[str, Floats], end_rotation: Any
) -> Floats:
    """Return the turn of the end joint in its parent's frame that keeps, or sets, its rotation in the model."""
    if isinstance(end_rotation, str) and end_rotation == "keep_local":
        return np.eye(3)
    back = _conjugated(_carrier(inside, parent), np.swapaxes(whole, -1, -2))
    if isinstance(end_rotation, str):
        return back
    now = nearest_rotation(full[..., end, :3, :3])
    now = now * np.sign(np.linalg.det(now))[..., None, None]
    wanted = to_matrix(unit(own["goal"])) @ np.swapaxes(now, -1, -2)
    amount = own["weight"][..., :1]
    wanted = to_matrix(partial_turn(_quaternion(wanted), amount))
    above = full[..., parent, :3, :3] @ np.linalg.inv(inside[..., parent, :3, :3]) @ whole @ inside[..., parent, :3, :3]
    return _conjugated(nearest_rotation(above), wanted) @ back


def _quaternion(m: Floats) -> Floats:
    """Return the quaternion of rotation matrices, from the largest of its four parts."""
    d = np.diagonal(m, axis1=-2, axis2=-1)
    squares = np.stack([1 + d.sum(-1), 1 + d[..., 0] - d[..., 1] - d[..., 2], 1 - d[..., 0] + d[..., 1] - d[..., 2],
                        1 - d[..., 0] - d[..., 1] + d[..., 2]], axis=-1)  # fmt: skip
    x, y, z = m[..., 2, 1] - m[..., 1, 2], m[..., 0, 2] - m[..., 2, 0], m[..., 1, 0] - m[..., 0, 1]
    xy, xz, yz = m[..., 0, 1] + m[..., 1, 0], m[..., 0, 2] + m[..., 2, 0], m[..., 1, 2] + m[..., 2, 1]
    rows = np.empty((*m.shape[:-2], 4, 4))
    for i, row in enumerate([(0, x, y, z), (x, 0, xy, xz), (y, xy, 0, yz), (z, xz, yz, 0)]):
        for k, entry in enumerate(row):
            rows[..., i, k] = squares[..., i] if i == k else entry
    best = np.argmax(squares, axis=-1)[..., None, None]
    return unit(np.take_along_axis(rows, best, axis=-2)[..., 0, :])
