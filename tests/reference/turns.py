# SPDX-License-Identifier: MIT
"""Joints that turn: to point at something, to lie along the ground, to follow positions."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ._algebra import Floats, from_matrix, partial_turn, perpendicular, shortest_arc, to_matrix, unit
from .kinematics import forward_kinematics


def points_at(
    skeleton: Any,
    local: ArrayLike,
    joint: int,
    target: ArrayLike,
    *,
    tip: ArrayLike,
    up: tuple[ArrayLike, ArrayLike] | None = None,
    frame: str = "object",
    weight: ArrayLike = 1.0,
) -> Floats:
    """Turn a joint so that `tip`, an offset in its frame, points at `target`; `up` is told in both spaces."""
    pose, own, parent = _read(skeleton, local, joint)
    place = (parent @ own)[..., :3, 3]
    aim, axes = np.asarray(target, float) - place, (parent @ own)[..., :3, :3]
    wanted = None if up is None else np.asarray(up[1], float)
    if frame == "object":
        back, axes = np.linalg.inv(parent[..., :3, :3]), own[..., :3, :3]
        aim = _times(back, aim)
        wanted = None if wanted is None else _times(back, wanted)
    turn = _shortest(_times(axes, tip), aim)
    if up is not None and wanted is not None:
        turn = _twist(_times(turn @ axes, up[0]), wanted, aim) @ turn
    turn = _part(turn, weight)
    if frame == "world":
        turn = np.linalg.inv(parent[..., :3, :3]) @ turn @ parent[..., :3, :3]
    return _write(pose, joint, turn)


def align_to_ground(
    skeleton: Any, local: ArrayLike, foot: int, normal: ArrayLike, *, up: ArrayLike, weight: ArrayLike = 1.0
) -> Floats:
    """Turn a foot by the smallest turn that lays what is level in the rest pose along the ground."""
    pose, own, parent = _read(skeleton, local, foot)
    now, onto = _planes(skeleton, own, parent, foot, normal, up)
    return _write(pose, foot, _part(_shortest(now, onto), weight))


def roll_toe(
    skeleton: Any,
    local: ArrayLike,
    toe: int,
    normal: ArrayLike,
    *,
    up: ArrayLike,
    hinge: ArrayLike,
    weight: ArrayLike = 1.0,
) -> Floats:
    """Turn toes about `hinge`, an axis in their frame, until what is level in the rest pose lies along the ground."""
    pose, own, parent = _read(skeleton, local, toe)
    now, onto = _planes(skeleton, own, parent, toe, normal, up)
    return _write(pose, toe, _part(_twist(now, onto, _times(own[..., :3, :3], hinge)), weight))


def limit_slope(normal: ArrayLike, up: ArrayLike, max_slope: ArrayLike) -> Floats:
    """Return unit normals that lean from `up` by no more than `max_slope`."""
    n, u, most = unit(np.asarray(normal, float)), unit(np.asarray(up, float)), np.asarray(max_slope, float)[..., None]
    cosine = np.sum(n * u, axis=-1, keepdims=True)
    edge = np.cos(most) * u + np.sin(most) * unit(perpendicular(n, u))
    return np.asarray(np.where(np.arccos(np.clip(cosine, -1, 1)) > most, edge, n))


def rotations_from_positions(
    skeleton: Any, local: ArrayLike, chain: Any, positions: ArrayLike, *, frame: str = "object"
) -> Floats:
    """Turn the joints of a chain one after the other, each so that the next lies where the positions say."""
    points = np.asarray(positions, float)
    lead = np.broadcast_shapes(np.shape(local)[:-3], points.shape[:-2])
    pose = np.broadcast_to(np.asarray(local, float), (*lead, *np.shape(local)[-3:]))
    for k, (joint, below) in enumerate(pairwise(chain)):
        found = forward_kinematics(skeleton, pose)
        tip = _times(np.linalg.inv(found[..., joint, :3, :3]), found[..., below, :3, 3] - found[..., joint, :3, 3])
        target = found[..., joint, :3, 3] + points[..., k + 1, :] - points[..., k, :]
        pose = points_at(skeleton, pose, joint, target, tip=tip, frame=frame)
    return pose


def _read(skeleton: Any, local: ArrayLike, joint: int) -> tuple[Floats, Floats, Floats]:
    """Return the poses, the joint's matrices and those of its parent in model space."""
    pose = np.asarray(local, float)
    above = int(skeleton.parents[joint])
    parent = np.eye(4) if above < 0 else forward_kinematics(skeleton, pose)[..., above, :, :]
    return pose, pose[..., joint, :, :], parent


def _planes(
    skeleton: Any, own: Floats, parent: Floats, joint: int, normal: ArrayLike, up: ArrayLike
) -> tuple[Floats, Floats]:
    """Return the normals of the sole and of the ground in the coordinates of the joint's parent."""
    sole = _times(skeleton.rest_global[joint, :3, :3].T, up)
    now = _times(np.swapaxes(np.linalg.inv(own[..., :3, :3]), -1, -2), sole)
    return now, _times(np.swapaxes(parent[..., :3, :3], -1, -2), normal)


def _times(matrices: Floats, v: ArrayLike) -> Floats:
    return np.asarray((matrices @ np.asarray(v, float)[..., None])[..., 0])


def _shortest(u: Floats, v: Floats) -> Floats:
    return to_matrix(shortest_arc(unit(u), unit(v), np.eye(3)[0]))


def _twist(u: Floats, v: Floats, axis: Floats) -> Floats:
    about = unit(axis)
    return _shortest(perpendicular(u, about), perpendicular(v, about))


def _part(turn: Floats, weight: ArrayLike) -> Floats:
    return to_matrix(partial_turn(from_matrix(turn), np.asarray(weight, float)[..., None]))


def _write(pose: Floats, joint: int, turn: Floats) -> Floats:
    new = turn @ pose[..., joint, :3, :3]
    result = np.array(np.broadcast_to(pose, (*np.broadcast_shapes(pose.shape[:-3], new.shape[:-2]), *pose.shape[-3:])))
    result[..., joint, :3, :3] = new
    return result
