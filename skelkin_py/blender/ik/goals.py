# SPDX-License-Identifier: MIT
"""IK constraints as arguments: what each number may be, which chain of bones it moves, and the pole angle at rest."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ..._support.arguments import flag, listed, numbers_of, plain, real_number, whole_number
from ..._support.array_types import Array, Floats
from ..._support.nearest_name import did_you_mean
from ..._support.values import tuple_of_arrays
from ..rest.bones import Bones


@tuple_of_arrays
class IKGoal(NamedTuple):
    """An IK constraint and where its targets are; names and defaults are those of Blender's constraint.

    `bone` is the name or the index of the bone that has it; `target` and `pole` are points (…,3) in armature space, one
    or one for each pose; `pole` None: no pole target. `rotation` are the target's axes, matrices (…,3,3) of rotations
    in armature space; None where the constraint does not use them.
    """

    bone: int | str
    target: Any
    chain_count: int = 0
    pole: Any = None
    pole_angle: float = 0.0
    iterations: int = 500
    influence: float = 1.0
    weight: float = 1.0
    use_tail: bool = True
    use_stretch: bool = True
    use_location: bool = True
    rotation: Any = None
    orient_weight: float = 1.0


def _finite(name: str, value: Any) -> float:
    number = real_number(name, value)
    if not math.isfinite(number):
        raise ValueError(f"{name} is {number}: a finite number is needed")
    return number


def _part(name: str, value: Any) -> float:
    number = _finite(name, value)
    if not 0.0 <= number <= 1.0:
        raise ValueError(f"{name} is {number}: it must be 0 to 1")
    return number


_CHECKS: dict[str, Callable[[str, Any], Any]] = {
    "chain_count": partial(whole_number, least=0),
    "iterations": partial(whole_number, least=1),
    **dict.fromkeys(("use_tail", "use_stretch", "use_location"), flag),
    "pole_angle": _finite,
    **dict.fromkeys(("influence", "weight", "orient_weight"), _part),
}
_DEFAULTS = tuple(IKGoal._field_defaults.items())


def checked_goals(goals: Any, armature: Bones) -> list[IKGoal]:
    """Return the goals with indices of bones and plain numbers, or raise an error that names what is wrong."""
    if isinstance(goals, (str, IKGoal)) or not isinstance(goals, Iterable):
        raise TypeError(f"goals is {type(goals).__name__}: expected a sequence of IKGoal")
    goals = listed("goals", goals, "expected a sequence of IKGoal")
    found = []
    for number, goal in enumerate(goals):
        if not isinstance(goal, IKGoal):
            raise TypeError(f"goals[{number}] is {type(goal).__name__}: expected an IKGoal")
        found.append(_plain_goal(goal, f"goals[{number}]", armature))
    return found


def _plain_goal(goal: IKGoal, where: str, armature: Bones) -> IKGoal:
    """Return a goal with plain numbers; those that were left at their defaults are."""
    bone = _bone(goal.bone, where, armature)
    known: dict[str, Any] = {} if bone is goal.bone else {"bone": bone}
    for (name, default), value in zip(_DEFAULTS, goal[2:]):
        if value is not default and name in _CHECKS:
            known[name] = _CHECKS[name](f"{where}.{name}", plain(value))
    return goal._replace(**known) if known else goal


def chain_ends(goals: list[IKGoal], armature: Bones) -> tuple[tuple[int, int, bool], ...]:
    """Return the last bone and the number of bones of each goal's chain, and whether the goal has a place."""
    chains = []
    for number, goal in enumerate(goals):
        bone = int(goal.bone)
        tip = bone if goal.use_tail else int(armature.parents[bone])
        if tip < 0:
            raise ValueError(f"goals[{number}].use_tail is False, but bone {bone} has no parent")
        chains.append((tip, goal.chain_count, goal.use_location))
    return tuple(chains)


def _bone(value: Any, where: str, armature: Bones) -> int:
    value, count = plain(value), armature.num_bones
    if isinstance(value, str):
        if value not in armature.names:
            raise ValueError(
                f"{where}.bone = {value!r}: the armature has no bone of that name{did_you_mean(value, armature.names)}"
            )
        return armature.names.index(value)
    if not isinstance(value, int):
        raise TypeError(f"{where}.bone = {value!r}: expected the index or the name of a bone")
    if not 0 <= value < count:
        raise ValueError(
            f"{where}.bone = {value}: expected 0 to {count - 1}" if count else f"{where}: the armature has no bones"
        )
    return value


def pole_angle(first: npt.ArrayLike, tip: npt.ArrayLike, pole: npt.ArrayLike) -> Floats:
    """Return the ``pole_angle`` with which adding an IK constraint does not turn a chain that has reached its goal.

    Parameters
    ----------
    first : (..., 4, 4) array
        Pose matrix of the chain's first bone (a thigh); its axes may have any length.
    tip, pole : (..., 3) arrays
        The end of the chain and the pole, in the same space.

    Returns
    -------
    angles : (...) float64 array
        Radians, more than -pi and at most pi.

    Raises
    ------
    ValueError
        If the pole lies on the line from the bone's head to the tip, where no angle is right.

    Notes
    -----
    Blender turns the chain so that X cos(angle) + Z sin(angle) of its first bone lies in the plane of goal and pole.

    Examples
    --------
    >>> import numpy as np, skelkin_py as sk
    >>> round(float(sk.blender.pole_angle(np.eye(4), [0, 1, 0], [0, 0.5, 1])), 6)
    1.570796
    """
    matrices = _numbers(first, "first", (4, 4))
    tips, poles = _numbers(tip, "tip", (3,)), _numbers(pole, "pole", (3,))
    head = matrices[..., :3, 3]
    x, z = _unit(matrices[..., :3, 0]), _unit(matrices[..., :3, 2])
    along, aside = tips - head, poles - head
    normal = np.cross(along, aside)
    flat = np.linalg.norm(normal, axis=-1) <= 1e-12 * np.linalg.norm(along, axis=-1) * np.linalg.norm(aside, axis=-1)
    if np.any(flat):
        raise ValueError("pole lies on the line from the first bone's head to tip: no angle is right")
    angle = np.arctan2(-np.sum(x * normal, axis=-1), np.sum(z * normal, axis=-1))
    up = x * np.cos(angle)[..., None] + z * np.sin(angle)[..., None]
    line = _unit(along)
    across = aside - line * np.sum(line * aside, axis=-1, keepdims=True)
    angle = angle + np.where(np.sum(up * across, axis=-1) < 0, np.pi, 0.0)
    wrapped: Floats = -((np.pi - angle) % (2 * np.pi)) + np.pi
    return wrapped


def _numbers(value: npt.ArrayLike, name: str, trailing: tuple[int, ...]) -> Array:
    array = numbers_of(value, name)
    if array.shape[-len(trailing) :] != trailing:
        raise ValueError(f"{name} has shape {array.shape} and dtype {array.dtype}: expected numbers (..., {trailing})")
    return array.astype(float)


def _unit(vectors: Array) -> Array:
    length = np.linalg.norm(vectors, axis=-1, keepdims=True)
    return np.asarray(np.divide(vectors, length, out=np.zeros_like(vectors), where=length > 0))
