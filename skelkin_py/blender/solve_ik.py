# SPDX-License-Identifier: MIT
"""Blender's IK constraint, iterated as Blender iterates it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from .. import _core
from ..arguments import array_of
from .ik_trees import Tree, chain_of, trees_of

if TYPE_CHECKING:
    from .armature import Armature

Floats = npt.NDArray[np.float64]
Poses = npt.NDArray[np.floating[Any]]


class IKGoal(NamedTuple):
    """An IK constraint and where its targets are; names and defaults are those of Blender's constraint.

    `bone` is the index of the bone that has it; `target` and `pole` are points (…,3) in armature space, one or one for
    each pose; `pole` None: no pole target.
    """

    bone: int
    target: Any
    chain_count: int = 0
    pole: Any = None
    pole_angle: float = 0.0
    iterations: int = 500
    influence: float = 1.0
    weight: float = 1.0
    use_tail: bool = True
    use_stretch: bool = True


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


def solve_ik(armature: Armature, pose: npt.ArrayLike, goals: Sequence[IKGoal], joints: IKJoints | None = None) -> Poses:
    """Return the poses as the constraints leave them; see `Armature.solve_ik`."""
    given = array_of(pose, "pose")
    count = armature.num_bones
    if given.dtype.kind != "f" or given.ndim < 3 or given.shape[-3:] != (count, 4, 4):
        raise ValueError(f"pose has shape {given.shape} and dtype {given.dtype}: expected floats (..., {count}, 4, 4)")
    lead = given.shape[:-3]
    poses = np.array(given, float, order="C").reshape(-1, count, 4, 4)
    rules = _rules(armature, joints)
    chains = [_chain(armature, goal, number) for number, goal in enumerate(goals)]
    targets = [_points(goal.target, f"goals[{number}].target", lead) for number, goal in enumerate(goals)]
    poles = [
        None if goal.pole is None else _points(goal.pole, f"goals[{number}].pole", lead)
        for number, goal in enumerate(goals)
    ]
    solved: set[int] = set()
    for tree in trees_of(armature.parents, chains):
        aims = _Aims(
            [goals[g] for g in tree.goals],
            [tree.bones.index(chains[g][0]) for g in tree.goals],
            np.stack([targets[g] for g in tree.goals], axis=1),
            poles[tree.goals[0]] if len(tree.goals) == 1 else None,
        )
        _solve_tree(armature, poses, tree, aims, rules, tree.followers(armature.parents, solved))
        solved.update(tree.bones)
    return poses.reshape(given.shape).astype(given.dtype if given.dtype == np.float32 else float, copy=False)


class _Aims(NamedTuple):
    """The goals of a tree, the places of their tips in it, targets (F,m,3) and pole (F,3)."""

    goals: list[IKGoal]
    tips: list[int]
    targets: Floats
    pole: Floats | None


def _solve_tree(
    armature: Armature, poses: Floats, tree: Tree, aims: _Aims, rules: _Rules, followers: npt.NDArray[np.int32]
) -> None:
    bones = np.column_stack([tree.bones, tree.parents(armature.parents), rules.bits[tree.bones]]).astype(np.int32)
    numbers = rules.numbers[tree.bones]
    if not any(goal.use_stretch for goal in aims.goals):
        numbers[:, 19] = 0
    _core.blender_ik(
        poses,
        np.ascontiguousarray(bones),
        np.ascontiguousarray(numbers),
        np.array(aims.tips, np.int32),
        np.array([[goal.weight, goal.influence] for goal in aims.goals], float),
        np.ascontiguousarray(aims.targets),
        aims.pole,
        followers,
        int(armature.parents[tree.bones[0]]),
        float(aims.goals[0].pole_angle),
        max(goal.iterations for goal in aims.goals),
    )


def _chain(armature: Armature, goal: IKGoal, number: int) -> list[int]:
    count = armature.num_bones
    if not 0 <= goal.bone < count:
        raise ValueError(f"goals[{number}].bone = {goal.bone}: expected 0 to {count - 1}")
    if goal.chain_count < 0 or goal.iterations < 1:
        raise ValueError(
            f"goals[{number}] has chain_count {goal.chain_count} and iterations {goal.iterations}: "
            "expected at least 0 and 1"
        )
    for name, least, value in (("influence", 0.0, goal.influence), ("weight", 0.0, goal.weight)):
        if not least <= value <= 1.0:
            raise ValueError(f"goals[{number}].{name} = {value}: expected 0 to 1")
    tip = goal.bone if goal.use_tail else int(armature.parents[goal.bone])
    if tip < 0:
        raise ValueError(f"goals[{number}].use_tail is False, but bone {goal.bone} has no parent")
    return chain_of(armature.parents, tip, goal.chain_count)


def _points(value: Any, name: str, lead: tuple[int, ...]) -> Floats:
    """Return (F,3) points, one for each pose."""
    points = array_of(value, name)
    if points.dtype.kind not in "iuf" or points.ndim < 1 or points.shape[-1] != 3:
        raise ValueError(f"{name} has shape {points.shape} and dtype {points.dtype}: expected numbers (..., 3)")
    try:
        spread = np.broadcast_to(points.astype(float), (*lead, 3))
    except ValueError:
        raise ValueError(f"{name} has shape {points.shape}: it does not broadcast to {(*lead, 3)}") from None
    if not np.isfinite(spread).all():
        where = tuple(np.argwhere(~np.isfinite(spread))[0].tolist())
        raise ValueError(f"{name} at {where} is {spread[where]}: expected a finite number")
    return np.ascontiguousarray(spread.reshape(-1, 3))


def _rules(armature: Armature, joints: IKJoints | None) -> _Rules:
    count = armature.num_bones
    numbers = np.zeros((count, 20))
    numbers[:, :9] = armature.axes.reshape(count, 9)
    numbers[:, 9] = armature.lengths
    bits = np.zeros((count, 2), np.int32)
    if joints is not None:
        columns = {"stiffness": (10, 13), "limit_min": (13, 16), "limit_max": (16, 19), "stretch": (19, 20)}
        for name, (first, last) in columns.items():
            numbers[:, first:last] = _rows(getattr(joints, name), f"joints.{name}", count, last - first)
        for column, name in enumerate(("lock", "use_limit")):
            bits[:, column] = (_rows(getattr(joints, name), f"joints.{name}", count, 3) != 0) @ (1, 2, 4)
        crossed = np.argwhere(numbers[:, 13:16] > numbers[:, 16:19])
        if len(crossed):
            raise ValueError(f"joints.limit_min at {tuple(crossed[0].tolist())} is above limit_max")
    return _Rules(numbers, bits)


def _rows(value: npt.ArrayLike, name: str, count: int, columns: int) -> Floats:
    array = array_of(value, name)
    shape = (count, columns) if columns > 1 else (count,)
    if array.shape != shape or array.dtype.kind not in "biuf":
        raise ValueError(f"{name} has shape {array.shape} and dtype {array.dtype}: expected {shape}, one row per bone")
    if not np.isfinite(array).all():
        raise ValueError(f"{name} at {tuple(np.argwhere(~np.isfinite(array))[0].tolist())} is not finite")
    return array.reshape(count, columns).astype(float)
