# SPDX-License-Identifier: MIT
"""Blender's IK constraint, iterated as Blender iterates it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ... import _core
from ...arguments import array_of, numbers_of
from ..pose import bones_of
from ..rest.bones import Bones
from .goals import IKGoal, chain_ends, checked_goals
from .trees import Forest, forest_of

Floats = npt.NDArray[np.float64]
Poses = npt.NDArray[np.floating[Any]]
MOST_STEPS = 2**31 - 1


class IKJoints(NamedTuple):
    """What bones may do in IK, as pose bones say: arrays (B,3) for X, Y, Z, angles in radians; `stretch` is (B,)."""

    stiffness: npt.ArrayLike
    lock: npt.ArrayLike
    use_limit: npt.ArrayLike
    limit_min: npt.ArrayLike
    limit_max: npt.ArrayLike
    stretch: npt.ArrayLike


class _Rules(NamedTuple):
    """The bones' rows of numbers (B,20) and their locked and limited axes as bits (B,2)."""

    numbers: Floats
    bits: npt.NDArray[np.int32]


def solve_ik(armature: Bones, pose: npt.ArrayLike, goals: Sequence[IKGoal], joints: IKJoints | None = None) -> Poses:
    """Return the poses as the constraints leave them; see `Armature.solve_ik`."""
    given = numbers_of(pose, "pose")
    count = armature.num_bones
    if given.dtype.kind != "f" or given.ndim < 3 or given.shape[-3:] != (count, 4, 4):
        raise ValueError(f"pose has shape {given.shape} and dtype {given.dtype}: expected floats (..., {count}, 4, 4)")
    lead = given.shape[:-3]
    checked = checked_goals(goals, armature)
    poses = np.array(given, float, order="C").reshape(math.prod(lead), count, 4, 4)
    rules = _rules(armature, joints)
    parents = np.ascontiguousarray(armature.parents, np.int32)
    forest = forest_of(parents.tobytes(), _own(armature).tobytes(), chain_ends(checked, armature))
    numbers = _numbers(checked)
    targets = _points([goal.target for goal in checked], "target", lead)
    with_pole = np.array([goal.pole is not None for goal in checked], bool)
    poles = None
    if with_pole.any():
        poles = _points([(0.0, 0.0, 0.0) if goal.pole is None else goal.pole for goal in checked], "pole", lead)
    _core.blender_ik(
        poses,
        *forest,
        _tree_numbers(forest, numbers, with_pole),
        *rules,
        np.ascontiguousarray(numbers[:, :5]),
        targets,
        poles,
        _rotations(checked, lead) if numbers[:, 4].any() else None,
        bones_of(armature),
        poses.copy() if len(forest.loose) else None,
    )
    return poses.reshape(given.shape).astype(given.dtype if given.dtype == np.float32 else float, copy=False)


def _own(armature: Bones) -> npt.NDArray[np.bool_]:
    """Return which bones do not follow their parent whole; their location always does, in whichever axes it is."""
    own: npt.NDArray[np.bool_] = (armature.inherit_scale != 0) | ~armature.inherit_rotation
    return own


def _numbers(goals: list[IKGoal]) -> Floats:
    """Return of each goal: what the core takes, then pole angle, iterations and use of stretch."""
    rows = [
        (
            *(goal.weight, goal.influence, goal.orient_weight, goal.use_location, goal.rotation is not None),
            *(goal.pole_angle, min(goal.iterations, MOST_STEPS), goal.use_stretch),
        )
        for goal in goals
    ]
    return np.array(rows, float).reshape(-1, 8)


def _tree_numbers(forest: Forest, goals: Floats, with_pole: npt.NDArray[np.bool_]) -> Floats:
    """Return (t,4): the pole's angle, the most iterations, whether a goal stretches and whether the pole counts."""
    first = np.cumsum(forest.trees[:, 1]) - forest.trees[:, 1]
    order = forest.goals[:, 0]
    numbers = np.zeros((len(forest.trees), 4))
    if len(numbers):
        numbers[:, 0] = goals[order[first], 5]
        numbers[:, 1:3] = np.maximum.reduceat(goals[order, 6:], first, axis=0)
        placed = np.add.reduceat(goals[order, 3], first)
        numbers[:, 3] = with_pole[order[first]] & np.where(forest.trees[:, 1] > 1, placed == 1, True)
    return numbers


def _points(values: list[Any], name: str, lead: tuple[int, ...]) -> Floats:
    """Return (F,M,3) points, of each goal one for each pose."""
    shape = (len(values), *lead, 3)
    if not values:
        return np.zeros((int(np.prod(lead)), 0, 3))
    try:
        alike = array_of(values, name)  # points of all goals have the same shape, mostly
    except (ValueError, TypeError):  # said below of the one that it is
        alike = np.empty(0, object)
    if alike.dtype.kind in "iuf" and alike.ndim > 1 and alike.shape[-1] == 3 and alike.ndim <= len(shape):
        spread = np.empty(shape)
        try:
            spread[...] = alike.reshape(len(values), *[1] * (len(shape) - alike.ndim), *alike.shape[1:])
        except ValueError:
            spread[...] = np.nan
    else:
        spread = np.full(shape, np.nan)
    if not np.isfinite(spread).all():
        for number, value in enumerate(values):
            spread[number] = _point(value, f"goals[{number}].{name}", lead)
    return np.ascontiguousarray(np.moveaxis(spread.reshape(len(values), -1, 3), 0, 1))


def _rotations(goals: list[IKGoal], lead: tuple[int, ...]) -> Floats:
    """Return (F,M,9) rotations, of each goal one for each pose."""
    spread = np.empty((len(goals), *lead, 3, 3))
    for number, goal in enumerate(goals):
        value = np.eye(3) if goal.rotation is None else goal.rotation
        spread[number] = _point(value, f"goals[{number}].rotation", lead, (3, 3))
    return np.ascontiguousarray(np.moveaxis(spread.reshape(len(goals), -1, 9), 0, 1))


def _point(value: Any, name: str, lead: tuple[int, ...], item: tuple[int, ...] = (3,)) -> Floats:
    """Return (..., *item) numbers of a goal, or say what they lack."""
    points = numbers_of(value, name)
    if points.shape[-len(item) :] != item:
        wanted = ", ".join(map(str, item))
        raise ValueError(f"{name} has shape {points.shape} and dtype {points.dtype}: expected numbers (..., {wanted})")
    try:
        spread = np.broadcast_to(points.astype(float), (*lead, *item))
    except ValueError:
        raise ValueError(f"{name} has shape {points.shape}: it does not broadcast to {(*lead, *item)}") from None
    if not np.isfinite(spread).all():
        where = tuple(np.argwhere(~np.isfinite(spread))[0].tolist())
        raise ValueError(f"{name} at {where} is {spread[where]}: expected a finite number")
    return spread


def _rules(armature: Bones, joints: IKJoints | None) -> _Rules:
    count = armature.num_bones
    numbers = np.zeros((count, 20))
    numbers[:, :9] = armature.axes.reshape(count, 9)
    numbers[:, 9] = armature.lengths
    bits = np.zeros((count, 2), np.int32)
    if joints is not None:
        if not isinstance(joints, IKJoints):
            raise TypeError(f"joints is {type(joints).__name__}: expected IKJoints or None")
        columns = {"stiffness": (10, 13), "limit_min": (13, 16), "limit_max": (16, 19), "stretch": (19, 20)}
        for name, (first, last) in columns.items():
            numbers[:, first:last] = _rows(getattr(joints, name), f"joints.{name}", count, last - first)
        for column, name in enumerate(("lock", "use_limit")):
            flags = _rows(getattr(joints, name), f"joints.{name}", count, 3)
            for bone, axis in np.argwhere((flags != 0) & (flags != 1)):
                raise ValueError(f"joints.{name}[{bone}, {axis}] is {flags[bone, axis]:g}: it must be True or False")
            bits[:, column] = flags.astype(bool) @ (1, 2, 4)
        crossed = np.argwhere(numbers[:, 13:16] > numbers[:, 16:19])
        if len(crossed):
            raise ValueError(f"joints.limit_min at {tuple(crossed[0].tolist())} is above limit_max")
    return _Rules(numbers, bits)


def _rows(value: npt.ArrayLike, name: str, count: int, columns: int) -> Floats:
    array = numbers_of(value, name)
    shape = (count, columns) if columns > 1 else (count,)
    if array.shape != shape:
        raise ValueError(f"{name} has shape {array.shape} and dtype {array.dtype}: expected {shape}, one row per bone")
    if not np.isfinite(array).all():
        raise ValueError(f"{name} at {tuple(np.argwhere(~np.isfinite(array))[0].tolist())} is not finite")
    return array.reshape(count, columns).astype(float)
