# SPDX-License-Identifier: MIT
"""Blender's IK constraint, iterated as Blender iterates it, and which bones it solves together."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ... import _core
from ..._support.arguments import array_of, numbers_of
from ..._support.array_types import Floats, Int32
from ..._support.values import tuple_of_arrays
from ..pose import bones_of
from ..rest.bones import Bones
from .goals import IKGoal, chain_ends, checked_goals

Poses = npt.NDArray[np.floating[Any]]
Rows = npt.NDArray[np.void]
MOST_STEPS = 2**31 - 1


class Forest(NamedTuple):
    """Trees in the order they are solved in, each of bones that are solved at once, parents first.

    A tree is a row of `trees`: how many bones, goals, followers and loose bones it has, and the bone above it, or
    -1. Those of all trees stand one after the other: `bones` (bone, parent in the tree or -1), `goals` (goal, place of
    its tip in the tree), `followers` (bone, place in the tree of the bone above it) of what is below a tree as a whole,
    and `loose`, the bones below it with an inheritance of their own, and all below them, parents first.
    """

    trees: Int32
    bones: Int32
    goals: Int32
    followers: Int32
    loose: Int32


def chain_of(parents: list[int], bone: int, count: int) -> list[int]:
    """Return the chain's bones, the lowest first: `count` of them, or all up to the root where it is 0."""
    chain = [bone]
    while parents[chain[-1]] >= 0 and len(chain) != count:
        chain.append(parents[chain[-1]])
    return chain


@lru_cache(maxsize=8)
def forest_of(parents: bytes, own: bytes, chains: tuple[tuple[int, int, bool], ...]) -> Forest:
    """Return the trees that chains make: (tip, count, whether the goal has a place) each.

    `parents` are the bytes of int32 numbers, `own` has one for each bone: 0 where it follows its parent whole. Of a
    tree's goals, those with a place come first.

    Chains that begin with the same bone are one tree. Others that share bones are solved one after the other, the one
    that begins higher up first. Bones of trees that were solved before stay where those put them, with all that is
    below them.
    """
    above: list[int] = np.frombuffer(parents, np.int32).tolist()
    below: list[list[int]] = [[] for _ in above]
    for bone, parent in enumerate(above):
        if parent >= 0:
            below[parent].append(bone)
    members: dict[int, set[int]] = {}
    pulls: dict[int, list[int]] = {}
    for goal, (tip, count, _) in enumerate(chains):
        chain = chain_of(above, tip, count)
        members.setdefault(chain[-1], set()).update(chain)
        pulls.setdefault(chain[-1], []).append(goal)
    trees: list[tuple[int, ...]] = []
    bones: list[tuple[int, int]] = []
    goals: list[tuple[int, int]] = []
    followers: list[tuple[int, int]] = []
    loose: list[int] = []
    solved: set[int] = set()
    for first in sorted(members):
        places = {bone: place for place, bone in enumerate(sorted(members[first]))}
        whole, apart = _descendants(below, own, places, solved)
        trees.append((len(places), len(pulls[first]), len(whole), len(apart), above[first]))
        bones += [(bone, places.get(above[bone], -1)) for bone in places]
        goals += [
            (goal, places[chains[goal][0]]) for goal in sorted(pulls[first], key=lambda goal: not chains[goal][2])
        ]
        followers += whole
        loose += apart
        solved.update(places)
    pairs = (np.array(own, np.int32).reshape(-1, 2) for own in (bones, goals, followers))
    return Forest._make([np.array(trees, np.int32).reshape(-1, 5), *pairs, np.array(loose, np.int32)])


def _descendants(
    below: list[list[int]], own: bytes, places: dict[int, int], solved: set[int]
) -> tuple[list[tuple[int, int]], list[int]]:
    """Return (bone, place) of the bones below those of a tree as a whole, and the others."""
    whole: list[tuple[int, int]] = []
    loose: list[int] = []
    waiting = [(bone, place) for parent, place in places.items() for bone in below[parent]]
    while waiting:
        bone, place = waiting.pop()
        if bone not in places and bone not in solved:
            apart = place < 0 or own[bone] != 0
            if apart:
                loose.append(bone)
            else:
                whole.append((bone, place))
            waiting += [(child, -1 if apart else place) for child in below[bone]]
    return whole, loose


@tuple_of_arrays
class IKJoints(NamedTuple):
    """What bones may do in IK, as pose bones say: arrays (B,3) for X, Y, Z, angles in radians; `stretch` is (B,)."""

    stiffness: npt.ArrayLike
    lock: npt.ArrayLike
    use_limit: npt.ArrayLike
    limit_min: npt.ArrayLike
    limit_max: npt.ArrayLike
    stretch: npt.ArrayLike


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
    own = (armature.inherit_scale != 0) | ~armature.inherit_rotation  # but their location always follows the parent
    forest = forest_of(parents.tobytes(), own.tobytes(), chain_ends(checked, armature))
    rows = _goal_rows(checked)
    targets = _spread([goal.target for goal in checked], "target", lead)
    poles = None
    if any(goal.pole is not None for goal in checked):
        poles = _spread([(0.0, 0.0, 0.0) if goal.pole is None else goal.pole for goal in checked], "pole", lead)
    trees, bones = _tree_rows(forest, checked), bones_of(armature)
    turns = None
    if rows["turns"].any():
        axes = [np.eye(3) if goal.rotation is None else goal.rotation for goal in checked]
        turns = _spread(axes, "rotation", lead, (3, 3))
    before = poses.copy() if len(forest.loose) else None
    _core.blender_ik(poses, trees, *forest[1:], rules, rows, targets, poles, turns, bones, before)
    return poses.reshape(given.shape).astype(given.dtype if given.dtype == np.float32 else float, copy=False)


def _goal_rows(goals: list[IKGoal]) -> Rows:
    """Return of each goal what the core takes."""
    fields = [(g.weight, g.influence, g.orient_weight, g.use_location, g.rotation is not None) for g in goals]
    return np.array(fields, _core.IK_GOAL)


def _tree_rows(forest: Forest, goals: list[IKGoal]) -> Rows:
    """Return of each tree what it consists of, and what its goals say together."""
    rows = np.zeros(len(forest.trees), _core.IK_TREE)
    for column, name in enumerate(("num_bones", "num_goals", "num_followers", "num_loose", "above")):
        rows[name] = forest.trees[:, column]
    last = 0
    for row in rows:
        first, last = last, last + int(row["num_goals"])
        of_tree = [goals[number] for number in forest.goals[first:last, 0]]
        leading, placed = of_tree[0], sum(goal.use_location for goal in of_tree)
        row["pole_angle"] = leading.pole_angle
        row["iterations"] = min(max(goal.iterations for goal in of_tree), MOST_STEPS)
        row["stretches"] = any(goal.use_stretch for goal in of_tree)
        row["has_pole"] = leading.pole is not None and (len(of_tree) == 1 or placed == 1)
    return rows


def _spread(values: list[Any], name: str, lead: tuple[int, ...], item: tuple[int, ...] = (3,)) -> Floats:
    """Return numbers (F,M,3) or (F,M,9), of each goal one point, or one rotation, for each pose."""
    spread = np.full((len(values), *lead, *item), np.nan)
    try:
        alike = array_of(values, name)  # those of all goals have the same shape, mostly
        if alike.dtype.kind in "iuf" and alike.shape[1:][-len(item) :] == item and alike.ndim <= spread.ndim:
            spread[...] = alike.reshape(len(values), *[1] * (spread.ndim - alike.ndim), *alike.shape[1:])
    except (ValueError, TypeError):  # said below of the one that it is
        pass
    if not np.isfinite(spread).all():
        for number, value in enumerate(values):
            spread[number] = _point(value, f"goals[{number}].{name}", lead, item)
    flat = spread.reshape(len(values), math.prod(lead), math.prod(item))
    return np.ascontiguousarray(np.moveaxis(flat, 0, 1))


def _point(value: Any, name: str, lead: tuple[int, ...], item: tuple[int, ...]) -> Floats:
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


def _rules(armature: Bones, joints: IKJoints | None) -> Rows:
    """Return what each bone may do; locked and limited axes are bits."""
    count = armature.num_bones
    rules = np.zeros(count, _core.IK_RULE)
    rules["rest"] = armature.axes.reshape(count, 9)
    rules["length"] = armature.lengths
    if joints is not None:
        if not isinstance(joints, IKJoints):
            raise TypeError(f"joints is {type(joints).__name__}: expected IKJoints or None")
        for name in ("stiffness", "limit_min", "limit_max"):
            rules[name] = _rows(getattr(joints, name), f"joints.{name}", (count, 3))
        rules["stretch"] = _rows(joints.stretch, "joints.stretch", (count,))
        for name in ("lock", "use_limit"):
            flags = _rows(getattr(joints, name), f"joints.{name}", (count, 3))
            for bone, axis in np.argwhere((flags != 0) & (flags != 1)):
                raise ValueError(f"joints.{name}[{bone}, {axis}] is {flags[bone, axis]:g}: it must be True or False")
            rules[name] = flags.astype(bool) @ (1, 2, 4)
        crossed = np.argwhere(rules["limit_min"] > rules["limit_max"])
        if len(crossed):
            raise ValueError(f"joints.limit_min at {tuple(crossed[0].tolist())} is above limit_max")
    return rules


def _rows(value: npt.ArrayLike, name: str, shape: tuple[int, ...]) -> Floats:
    array = numbers_of(value, name)
    if array.shape != shape:
        raise ValueError(f"{name} has shape {array.shape} and dtype {array.dtype}: expected {shape}, one row per bone")
    if not np.isfinite(array).all():
        raise ValueError(f"{name} at {tuple(np.argwhere(~np.isfinite(array))[0].tolist())} is not finite")
    return array.astype(float)
