# SPDX-License-Identifier: MIT
"""Turns of one joint of a pose: what it means in the joint's own frame, found row by row in float64.

Rows that tell nothing (a direction of length zero, or one that is not finite) get no turn instead of an error, so
that one bad frame of a clip harms no other.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .arguments import check_dimensions, numbers_of
from .limits import JointLimits, checked_limits
from .relative_transform import relative_transform
from .skeleton import Skeleton
from .transforms import (
    invert,
    quaternion_between,
    quaternion_from_matrix,
    quaternion_multiply,
    quaternion_slerp,
    quaternion_to_matrix,
)

Floats = NDArray[np.float64]

_NO_TURN = np.array([1.0, 0.0, 0.0, 0.0])
_TELLS_NOTHING = 1e-9  # sine below which a direction counts as parallel to the axis it is looked at along


class JointOfPose(NamedTuple):
    """One joint of poses, in float64: its own linear part, its place in its parent, and its parent in model space."""

    linear: Floats  # (..., 3, 3)
    place: Floats  # (..., 3)
    parent: Floats  # (..., 4, 4); the identity above a root


def pose_array(skeleton: Skeleton, local: ArrayLike) -> NDArray[Any]:
    """Return the pose as an array of the dtype that it counts as."""
    array = numbers(local, "local")
    joints = skeleton.num_joints
    if array.ndim < 3 or array.shape[-3] != joints or array.shape[-2:] not in ((4, 4), (3, 4)):
        raise ValueError(f"local has shape {array.shape}: expected (..., {joints}, 4, 4)")
    return array


def numbers(values: ArrayLike, name: str) -> NDArray[Any]:
    """Return real numbers as float32 or float64; whole ones as float64."""
    array = numbers_of(values, name)
    return array if array.dtype in (np.float32, np.float64) else array.astype(np.float64)


def vectors(values: ArrayLike, name: str) -> Floats:
    """Return (..., 3) in float64, in C order: what numpy makes of them must not depend on how they lay in memory."""
    array = numbers(values, name)
    if array.shape[-1:] != (3,):
        raise ValueError(f"{name} has shape {array.shape}: expected (..., 3)")
    return array.astype(np.float64, order="C")


def bounded(values: ArrayLike, name: str, most: float, most_in_words: str) -> Floats:
    """Return numbers of 0 .. most in float64, or name the first that is out of these bounds."""
    array = numbers(values, name).astype(np.float64, order="C")
    bad = ~((array >= 0) & (array <= most))
    if bad.any():
        index = tuple(int(i) for i in np.argwhere(bad)[0])
        where = f"{name}[{', '.join(map(str, index))}]" if index else name
        raise ValueError(f"{where} is {array[index]:g}: it must lie within 0 .. {most_in_words}")
    return array


def weights(values: ArrayLike) -> Floats:
    """Return weights in float64."""
    return bounded(values, "weight", 1.0, "1")


def common_dtype(*given: Any) -> np.dtype[Any]:
    """Return numpy's promotion of the arrays among what was given; lists, numbers and None take no part."""
    arrays = [
        each.dtype if each.dtype.kind == "f" else np.dtype(np.float64)
        for each in given
        if isinstance(each, (np.ndarray, np.generic))
    ]
    return np.result_type(*arrays) if arrays else np.dtype(np.float64)


def leading_shape(core: int = 3, /, **shapes: tuple[int, ...]) -> tuple[int, ...]:
    """Return the leading dimensions of all together, or say which do not fit, or that the result would have too many.

    `core` are the dimensions of one item of the result: those of a pose.
    """
    try:
        lead = np.broadcast_shapes(*shapes.values())
    except ValueError:
        listed = ", ".join(f"{name} {shape}" for name, shape in shapes.items() if shape)
        raise ValueError(f"leading dimensions do not broadcast: {listed}") from None
    check_dimensions("the result", len(lead) + core)
    return lead


def joint_of_pose(skeleton: Skeleton, local: NDArray[Any], joint: int) -> JointOfPose:
    """Read one joint and the chain above it, in float64 whatever the pose is in."""
    own = local[..., joint, :3, :].astype(np.float64, order="C")
    parent = np.broadcast_to(np.eye(4), (*local.shape[:-3], 4, 4))
    above = int(skeleton.parents[joint])
    while above >= 0:
        matrix = np.zeros((*local.shape[:-3], 4, 4))
        matrix[..., 3, 3] = 1
        matrix[..., :3, :] = local[..., above, :3, :]
        with np.errstate(invalid="ignore", over="ignore"):
            parent = matrix @ parent
        above = int(skeleton.parents[above])
    return JointOfPose(own[..., :3], own[..., 3], parent)


def seen_from_parent(skeleton: Skeleton, local: NDArray[Any], joint: int, other: int) -> Floats:
    """Return the place of another joint in the frame of the parent of `joint`; what both share is not read."""
    parent = int(skeleton.parents[joint])
    if parent >= 0:
        return relative_transform(skeleton, local, other, parent)[..., :3, 3].astype(np.float64)
    found = joint_of_pose(skeleton, local, other)
    return times(found.parent[..., :3, :3], found.place) + found.parent[..., :3, 3]


def times(matrices: Floats, v: Floats) -> Floats:
    """Return matrices times vectors."""
    with np.errstate(invalid="ignore", over="ignore"):
        return np.asarray((matrices @ v[..., None])[..., 0])


def inverse_linear(matrices: Floats) -> Floats:
    """Return the inverses of the linear parts of the joints above; one without is an error that says so."""
    try:
        return invert(matrices)[..., :3, :3]
    except ValueError as error:
        raise ValueError(f"what lies above the joint cannot be undone: {error}") from None


def across(v: Floats, axis: Floats) -> Floats:
    """Return the part of `v` across `axis`, taken twice so that rounding leaves nothing along it."""
    with np.errstate(invalid="ignore", divide="ignore", over="ignore"):
        u = axis / np.linalg.norm(axis, axis=-1, keepdims=True)
        v = v / np.linalg.norm(v, axis=-1, keepdims=True)
        once = v - np.sum(v * u, axis=-1, keepdims=True) * u
        clear = np.linalg.norm(once, axis=-1, keepdims=True) > _TELLS_NOTHING
        return np.where(clear, once - np.sum(once * u, axis=-1, keepdims=True) * u, 0.0)


def shortest_turn(u: Floats, v: Floats, axis_if_opposite: Floats) -> Floats:
    """Return the smallest turns of the directions `u` onto `v`: (..., 4), w >= 0; none where one of them says nothing.

    Opposite directions turn about the part of `axis_if_opposite` across `u`.
    """
    u, v, other = np.broadcast_arrays(u, v, axis_if_opposite)
    ok = says_something(u) & says_something(v)
    safe_u, safe_v = (np.where(ok[..., None], each, [1.0, 0.0, 0.0]) for each in (u, v))
    turn = np.where(ok[..., None], quaternion_between(safe_u, safe_v), _NO_TURN)
    half = across(other, safe_u)
    opposite = (turn[..., 0] < 1e-15) & says_something(half)
    with np.errstate(invalid="ignore", divide="ignore"):
        half = half / np.linalg.norm(half, axis=-1, keepdims=True)
    return np.where(opposite[..., None], np.concatenate([np.zeros_like(half[..., :1]), half], axis=-1), turn)


def twist_onto(u: Floats, v: Floats, axis: Floats) -> Floats:
    """Return the turns about `axis` that bring `u` as near to `v` as they can; none where a part across is missing."""
    return shortest_turn(across(u, axis), across(v, axis), axis)


def says_something(v: Floats) -> NDArray[np.bool_]:
    """Return which vectors are finite and not zero."""
    return np.asarray(np.isfinite(v).all(axis=-1) & (v != 0).any(axis=-1))


def after(second: Floats, first: Floats) -> Floats:
    """Return the turn `first` and then `second`."""
    return quaternion_multiply(second, first)


def turned(
    local: NDArray[Any], joint: int, turn: Floats, weight: Floats, dtype: np.dtype[Any], basis: Floats | None = None
) -> NDArray[Any]:
    """Return the pose with one joint turned about its place, in part where the weight is below 1.

    `turn` is given in the parent's coordinates, or, with `basis`, in a space whose axes the linear part `basis` of the
    parent leads to. Rows without a turn or without weight keep their bits.
    """
    lead = np.broadcast_shapes(local.shape[:-3], turn.shape[:-1], weight.shape)
    part = np.where((weight == 1)[..., None], turn, quaternion_slerp(_NO_TURN, turn, weight))
    matrix = quaternion_to_matrix(part)
    linear = local[..., joint, :3, :3].astype(np.float64, order="C")
    with np.errstate(invalid="ignore", over="ignore"):
        if basis is not None:
            matrix = inverse_linear(basis) @ matrix @ basis[..., :3, :3]
        new = matrix @ linear
    result = np.array(np.broadcast_to(local, (*lead, *local.shape[-3:])), dtype)
    moves = np.broadcast_to((weight > 0) & (turn[..., 1:] != 0).any(axis=-1), lead)
    moves = moves & np.isfinite(new).all(axis=(-1, -2))
    result[..., joint, :3, :3] = np.where(moves[..., None, None], new, result[..., joint, :3, :3])
    return result


def limited(
    skeleton: Skeleton,
    local: NDArray[Any],
    joint: int,
    whole: NDArray[Any],
    limits: JointLimits,
    weight: Floats,
    dtype: np.dtype[Any],
) -> NDArray[Any]:
    """Return the pose with one joint turned as in `whole` as far as its limits let it, in part where `weight` is.

    Only rows that `whole` has turned are asked for their limits: what stays as it is keeps its bits.
    """
    inside = checked_limits(limits).nearest(skeleton, whole, joints=[joint])
    lead = np.broadcast_shapes(inside.shape[:-3], weight.shape)
    before, after_, allowed = (
        np.broadcast_to(each, (*lead, *each.shape[-3:]))[..., joint, :3, :3] for each in (local, whole, inside)
    )
    moved = (before != after_).any(axis=(-1, -2)) & np.isfinite(allowed).all(axis=(-1, -2)) & (weight > 0)
    end = np.where(moved[..., None, None], allowed, np.eye(3))
    start = np.where(moved[..., None, None], before.astype(np.float64, order="C"), np.eye(3))
    turn = quaternion_multiply(quaternion_from_matrix(end), quaternion_from_matrix(start) * [1, -1, -1, -1])
    part = quaternion_to_matrix(quaternion_slerp(_NO_TURN, turn, weight)) @ start
    new = np.where((weight == 1)[..., None, None], end, part)
    result = np.array(np.broadcast_to(local, (*lead, *local.shape[-3:])), dtype)
    result[..., joint, :3, :3] = np.where(moved[..., None, None], new, result[..., joint, :3, :3])
    return result
