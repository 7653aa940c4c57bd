# SPDX-License-Identifier: MIT
"""Turn a joint so that it points at something."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import turns
from .relative_transform import relative_transform
from .skeleton import Skeleton, joint_number
from .transforms import invert, quaternion_to_matrix

if TYPE_CHECKING:
    from .limits import JointLimits

Joint = int | str
Floats = turns.Floats


def points_at(
    skeleton: Skeleton,
    local: ArrayLike,
    joint: Joint,
    target: ArrayLike | None = None,
    *,
    target_joint: Joint | None = None,
    tip: Joint | ArrayLike | None = None,
    axis: ArrayLike | None = None,
    frame: Literal["object", "world"] = "object",
    up: ArrayLike | tuple[ArrayLike, ArrayLike] | None = None,
    limits: JointLimits | None = None,
    weight: ArrayLike = 1.0,
) -> NDArray[Any]:
    """Turn one joint of poses so that its tip, or an axis of it, points at a target.

    The turn is the smallest one that brings the line from the joint to its tip onto the line from the joint to the
    target; with `up` the joint is then turned about that line.

    Parameters
    ----------
    skeleton : Skeleton
        The hierarchy of J joints.
    local : array_like, (..., J, 4, 4) or (..., J, 3, 4)
        The poses: matrix of each joint relative to its parent.
    joint : int or str
        The joint that turns.
    target : array_like, (..., 3), optional
        A point in model space. Either this or `target_joint`.
    target_joint : int or str, optional
        Another joint of the same poses, not one that `joint` carries along. What moves both of them is not read, so
        that it costs no digits either.
    tip : int, str or array_like, (..., 3), optional
        What points: a joint below, by number or name, or an offset in the frame of the joint; else the first child,
        else the end site. It need not lie on an axis of the joint.
    axis : array_like, (..., 3), optional
        What points, as a direction in the frame of the joint; not together with `tip`.
    frame : {"object", "world"}
        Where the smallest turn is found: ``"object"`` in the coordinates of the joint's parent, ``"world"`` in model
        space, as ``T(pivot) R T(-pivot)`` before the joint's global matrix, carried back to local. Both give the same
        pose unless the parents are sheared or scaled differently along their axes. There both still point exactly;
        ``"object"`` keeps the local matrix free of shear, ``"world"`` keeps the shape that is seen.
    up : array_like, (..., 3), or tuple of two, optional
        A direction in model space; what is up in the joint is kept as near to it as pointing leaves room. In a tuple
        it comes second, after the direction in the frame of the joint that is up, as ``([0, 1, 0], [0, 0, 1])``;
        alone, that is the direction which lies along it in the rest pose. Along the line to the target it tells
        nothing, and the smallest turn is left as it is.
    limits : JointLimits, optional
        The joint's rotation is brought to the nearest one inside of its limits before the weight counts.
    weight : array_like, (...)
        Part of the way to go, 0 .. 1, at constant angular speed the shorter way; 0 keeps the bits of the pose.

    Returns
    -------
    ndarray, (..., J, 4, 4), or with 3 rows as `local`
        The poses; all joints but this one have the bits of the input. Leading dimensions are broadcast; float32 if all
        arrays given are, else float64; computed in float64.

    Raises
    ------
    ValueError, TypeError
        Both or none of `target` and `target_joint`; a `target_joint` that `joint` carries along; a `tip` that it does
        not; a joint without child and end site and without `tip` or `axis`; shapes that do not broadcast; a weight
        out of bounds (named with its index); a matrix above the joint without inverse.

    Notes
    -----
    A target in the opposite direction is reached by half a turn about an axis across, fixed to the joint, or as `up`
    says. Where a target lies on the joint, a tip on it, an axis has length zero, or a number is not finite, the pose
    stays as it is, in that row only.

    Examples
    --------
    >>> rest = np.tile(np.eye(4), (5, 1, 1))
    >>> rest[1:, :3, 3] = [0.1, 1, 0], [0, -0.5, 0], [-0.1, 1, 0], [0, -0.5, 0]
    >>> names = ["hips", "left hip", "left knee", "right hip", "right knee"]
    >>> skeleton = sk.Skeleton([-1, 0, 1, 0, 3], rest, names)
    >>> pose = sk.points_at(skeleton, rest, "left hip", [1.1, 1, 0])
    >>> sk.forward_kinematics(skeleton, pose)[2, :3, 3].round(6)
    array([0.6, 1. , 0. ])
    >>> pose = sk.points_at(skeleton, rest, "left hip", target_joint="right hip")
    >>> sk.forward_kinematics(skeleton, pose)[2, :3, 3].round(6)
    array([-0.4,  1. ,  0. ])
    """
    number = joint_number(skeleton, joint, "joint")
    if not isinstance(frame, str) or frame not in ("object", "world"):
        raise ValueError(f"frame is {frame!r}: expected 'object' or 'world'")
    pose = turns.pose_array(skeleton, local)
    share = turns.weights(weight)
    own = turns.joint_of_pose(skeleton, pose, number)
    pointer = _pointer(skeleton, pose, number, tip, axis)
    aim = _aim(skeleton, pose, number, own, target, target_joint)
    ups = _ups(skeleton, number, up)
    turns.leading_shape(
        local=pose.shape[:-3], target=aim.shape[:-1], tip=pointer.shape[:-1], weight=share.shape,
        up=np.broadcast_shapes(*(each.shape[:-1] for each in ups)),
    )  # fmt: skip
    turn, basis = _turn(own, pointer, aim, ups, frame)
    given = (up if isinstance(up, tuple) else (up,)) if up is not None else ()
    dtype = turns.common_dtype(local, target, tip, axis, weight, *given)
    if limits is None:
        return turns.turned(pose, number, turn, share, dtype, basis)
    whole = turns.turned(pose, number, turn, np.ones(()), np.dtype(np.float64), basis)
    return turns.limited(skeleton, pose, number, whole, limits, share, dtype)


def _turn(
    own: turns.JointOfPose, pointer: Floats, aim: Floats, ups: tuple[Floats, ...], frame: str
) -> tuple[Floats, Floats | None]:
    """Return the turn, and the parent through which it goes where it is one of model space."""
    linear = own.linear
    if frame == "world":
        with np.errstate(invalid="ignore", over="ignore"):
            linear = own.parent[..., :3, :3] @ linear
        aim = turns.times(own.parent[..., :3, :3], aim)
    line = turns.times(linear, pointer)
    sideways = turns.times(linear, np.eye(3)[np.argmin(np.abs(np.nan_to_num(pointer)), axis=-1)])
    turn = turns.shortest_turn(line, aim, sideways)
    if ups:
        own_up, wanted = turns.times(linear, ups[0]), ups[1]
        if frame == "object":  # the half plane of line and up is the same one through any linear map
            wanted = turns.times(turns.inverse_linear(own.parent), wanted)
        twist = turns.twist_onto(turns.times(quaternion_to_matrix(turn), own_up), wanted, aim)
        stays = (turn[..., 1:] == 0).all(axis=-1) & ~turns.says_something(aim)
        turn = np.where(stays[..., None], turn, turns.after(twist, turn))
    return turn, own.parent if frame == "world" else None


def _pointer(skeleton: Skeleton, pose: NDArray[Any], joint: int, tip: Any, axis: ArrayLike | None) -> Floats:
    """Return what points, in the frame of the joint."""
    if axis is not None:
        if tip is not None:
            raise ValueError("tip and axis exclude each other: give one of them")
        return turns.vectors(axis, "axis")
    if tip is None:
        children = np.flatnonzero(skeleton.parents == joint)
        if not len(children) and joint in skeleton.end_sites:
            return np.array(skeleton.end_sites[joint])
        if not len(children):
            raise ValueError(f"{skeleton.names[joint]!r} has no child and no end site: give tip or axis")
        tip = int(children[0])
    if not isinstance(tip, (str, int, np.integer)):
        return turns.vectors(tip, "tip")
    number = joint_number(skeleton, tip, "tip")
    if number == joint or not _carries(skeleton, joint, number):
        raise ValueError(f"tip: {skeleton.names[number]!r} does not lie below {skeleton.names[joint]!r}")
    return relative_transform(skeleton, pose, number, joint)[..., :3, 3].astype(np.float64, order="C")


def _aim(
    skeleton: Skeleton, pose: NDArray[Any], joint: int, own: turns.JointOfPose, target: Any, target_joint: Any
) -> Floats:
    """Return the vector from the joint to the target in the coordinates of the joint's parent."""
    if (target is None) == (target_joint is None):
        raise ValueError("give either target or target_joint")
    if target_joint is None:
        point = turns.vectors(target, "target")
        if int(skeleton.parents[joint]) < 0:
            return np.asarray(point - own.place)
        turns.inverse_linear(own.parent)  # so that a singular one is named in the words of this function
        pivot = turns.times(own.parent[..., :3, :3], own.place) + own.parent[..., :3, 3]
        return turns.times(invert(own.parent)[..., :3, :3], point - pivot)
    number = joint_number(skeleton, target_joint, "target_joint")
    if _carries(skeleton, joint, number):
        names = skeleton.names
        raise ValueError(f"target_joint: {names[number]!r} moves with {names[joint]!r}, which can never point at it")
    return np.asarray(turns.seen_from_parent(skeleton, pose, joint, number) - own.place)


def _carries(skeleton: Skeleton, joint: int, other: int) -> bool:
    """Return whether `other` is `joint` itself or lies below it."""
    while other > joint:
        other = int(skeleton.parents[other])
    return other == joint


def _ups(skeleton: Skeleton, joint: int, up: Any) -> tuple[Floats, ...]:
    """Return what is up in the joint's frame and the direction in model space to which it goes, or nothing."""
    if up is None:
        return ()
    if isinstance(up, tuple) and len(up) == 2:
        return turns.vectors(up[0], "up[0]"), turns.vectors(up[1], "up[1]")
    wanted = turns.vectors(up, "up")
    return turns.times(turns.inverse_linear(skeleton.rest_global[joint]), wanted), wanted
