# SPDX-License-Identifier: MIT
"""Feet that lie along the ground: the slope's limit, the foot's turn onto it, and the toes that stay flat."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import turns
from .skeleton import Skeleton, joint_number
from .transforms import quaternion_to_matrix

if TYPE_CHECKING:
    from .limits import JointLimits

Joint = int | str
Floats = turns.Floats


def limit_slope(normal: ArrayLike, up: ArrayLike, max_slope: ArrayLike) -> NDArray[Any]:
    """Return ground normals that lean from `up` by no more than `max_slope`.

    Parameters
    ----------
    normal : array_like, (..., 3)
        Normals of the ground, of any length.
    up : array_like, (..., 3)
        Which way is up.
    max_slope : array_like, (...)
        Largest angle between the two in radians, 0 .. pi.

    Returns
    -------
    ndarray, (..., 3)
        Unit vectors: where a normal leans further, the nearest direction within the cone about `up`, in the plane of
        both; `up` itself where a normal points straight down, since then all are equally near. NaN where a normal or
        `up` has length zero or is not finite. float32 if all arrays given are, else float64.

    Raises
    ------
    ValueError, TypeError
        An angle out of bounds (named with its index), shapes that do not fit.

    Examples
    --------
    >>> sk.limit_slope([[0, 2, 0], [1, 1, 0], [1, 0, 0]], [0, 1, 0], np.radians(45)).round(6) + 0.0
    array([[0.      , 1.      , 0.      ],
           [0.707107, 0.707107, 0.      ],
           [0.707107, 0.707107, 0.      ]])
    """
    n, u, most = turns.vectors(normal, "normal"), turns.vectors(up, "up"), _slopes(max_slope)
    turns.leading_shape(1, normal=n.shape[:-1], up=u.shape[:-1], max_slope=most.shape)
    return _within(n, u, most).astype(turns.common_dtype(normal, up, max_slope))


def align_to_ground(
    skeleton: Skeleton,
    local: ArrayLike,
    foot: Joint,
    normal: ArrayLike,
    *,
    up: ArrayLike,
    max_slope: ArrayLike | None = None,
    sole: ArrayLike | None = None,
    forward: ArrayLike | None = None,
    limits: JointLimits | None = None,
    weight: ArrayLike = 1.0,
) -> NDArray[Any]:
    """Turn a foot about its joint so that its sole lies along the ground.

    The turn is the smallest one, so that the foot does not spin about the normal. With `forward` the foot also keeps
    its heading as seen from above, which the smallest turn changes a little on slopes that it crosses at an angle.

    Parameters
    ----------
    skeleton : Skeleton
        The hierarchy of J joints.
    local : array_like, (..., J, 4, 4) or (..., J, 3, 4)
        The poses: matrix of each joint relative to its parent.
    foot : int or str
        The joint that turns.
    normal : array_like, (..., 3)
        Normal of the ground under the foot in model space, of any length.
    up : array_like, (..., 3)
        Which way is up in model space.
    max_slope : array_like, (...), optional
        Steepest slope that the foot follows, in radians; on a steeper one it stands as `limit_slope` says.
    sole : array_like, (..., 3), optional
        Normal of the sole in the frame of the foot, pointing up through it. Without it the sole is what lies level
        in the rest pose.
    forward : array_like, (..., 3), optional
        Where the foot points, in the frame of the foot, such as the place of its toes.
    limits : JointLimits, optional
        The foot's rotation is brought to the nearest one inside of its limits before the weight counts.
    weight : array_like, (...)
        Part of the way to go, 0 .. 1; 0 keeps the bits of the pose.

    Returns
    -------
    ndarray, (..., J, 4, 4), or with 3 rows as `local`
        The poses; all joints but this one have the bits of the input, and so have rows with a normal of length zero or
        one that is not finite. Leading dimensions are broadcast; float32 if all arrays given are, else float64;
        computed in float64.

    Raises
    ------
    ValueError, TypeError
        No such joint; shapes that do not broadcast; a weight or slope out of bounds (named with its index).

    Notes
    -----
    Planes are carried through matrices by the inverse transpose and the turn is found in the coordinates of the
    foot's parent. So the sole meets the ground exactly also below parents that are mirrored, scaled or sheared; where
    these are scaled differently along their axes, smallest is meant in those coordinates.

    Examples
    --------
    >>> rest = np.tile(np.eye(4), (3, 1, 1))
    >>> rest[:, :3, 3] = [0, 0.5, 0], [0, -0.4, 0], [0, -0.1, 0.2]
    >>> skeleton = sk.Skeleton([-1, 0, 1], rest, ["shin", "foot", "toe"])
    >>> pose = sk.align_to_ground(skeleton, rest, "foot", [0, 1, -1], up=[0, 1, 0])  # uphill: toes up
    >>> sk.forward_kinematics(skeleton, pose)[2, :3, 3].round(3)
    array([0.   , 0.171, 0.212])
    """
    number = joint_number(skeleton, foot, "foot")
    pose, share = turns.pose_array(skeleton, local), turns.weights(weight)
    goal, above = turns.vectors(normal, "normal"), turns.vectors(up, "up")
    most = None if max_slope is None else _slopes(max_slope)
    plane = _sole(skeleton, number, sole, above)
    ahead = None if forward is None else turns.vectors(forward, "forward")
    turns.leading_shape(
        local=pose.shape[:-3], normal=goal.shape[:-1], up=above.shape[:-1], weight=share.shape, sole=plane.shape[:-1],
        max_slope=() if most is None else most.shape, forward=() if ahead is None else ahead.shape[:-1],
    )  # fmt: skip
    if most is not None:
        goal = _within(goal, above, most)
    own = turns.joint_of_pose(skeleton, pose, number)
    onto = _carried_in(own, goal)
    turn = turns.shortest_turn(_now(own, plane), onto, turns.times(own.linear, np.eye(3)[0]))
    if ahead is not None:
        turn = _headed(own, turn, ahead, goal, above, onto)
    dtype = turns.common_dtype(local, normal, up, max_slope, sole, forward, weight)
    return _finished(skeleton, pose, number, turn, limits, share, dtype)


def roll_toe(
    skeleton: Skeleton,
    local: ArrayLike,
    toe: Joint,
    normal: ArrayLike,
    *,
    up: ArrayLike,
    hinge: ArrayLike | None = None,
    sole: ArrayLike | None = None,
    limits: JointLimits | None = None,
    weight: ArrayLike = 1.0,
) -> NDArray[Any]:
    """Turn toes about their hinge so that they lie along the ground, as while the heel is up.

    Parameters
    ----------
    skeleton : Skeleton
        The hierarchy of J joints.
    local : array_like, (..., J, 4, 4) or (..., J, 3, 4)
        The poses: matrix of each joint relative to its parent.
    toe : int or str
        The joint that turns.
    normal : array_like, (..., 3)
        Normal of the ground under the toes in model space, of any length.
    up : array_like, (..., 3)
        Which way is up in model space. It tells `hinge` and `sole` where these are left out.
    hinge : array_like, (..., 3), optional
        Axis about which the toes bend, in the frame of the toe joint. Without it, what lies level across the foot in
        the rest pose: across `up` and the line from the foot joint to the toe joint.
    sole : array_like, (..., 3), optional
        Normal of the toes' sole in the frame of the toe joint, pointing up through them. Without it the sole is what
        lies level in the rest pose.
    limits : JointLimits, optional
        The toe's rotation is brought to the nearest one inside of its limits before the weight counts; a `sk.hinge`
        about the same axis says how far toes bend.
    weight : array_like, (...)
        Part of the way to go, 0 .. 1; 0 keeps the bits of the pose.

    Returns
    -------
    ndarray, (..., J, 4, 4), or with 3 rows as `local`
        The poses, as `align_to_ground` returns them. The toes' line across the hinge lies along the ground; how far
        the hinge itself leans is the foot's affair. Rows in which the normal points along the hinge stay.

    Raises
    ------
    ValueError, TypeError
        No such joint, or a toe without a foot above and without `hinge`; else as `align_to_ground`.

    Examples
    --------
    >>> rest = np.tile(np.eye(4), (3, 1, 1))
    >>> rest[:, :3, 3] = [0, 0.1, 0], [0, -0.08, 0.15], [0, 0, 0.08]
    >>> skeleton = sk.Skeleton([-1, 0, 1], rest, ["foot", "toe", "tip"])
    >>> rest[0] = sk.compose([0, 0.1, 0], sk.quaternion_from_axis_angle([1, 0, 0], np.radians(30)))  # heel up
    >>> pose = sk.roll_toe(skeleton, rest, "toe", [0, 1, 0], up=[0, 1, 0])
    >>> sk.forward_kinematics(skeleton, pose)[1, :3, :3].round(6) + 0.0  # flat again
    array([[1., 0., 0.],
           [0., 1., 0.],
           [0., 0., 1.]])
    """
    number = joint_number(skeleton, toe, "toe")
    pose, share = turns.pose_array(skeleton, local), turns.weights(weight)
    goal, above = turns.vectors(normal, "normal"), turns.vectors(up, "up")
    plane = _sole(skeleton, number, sole, above)
    axis = _side(skeleton, number, above) if hinge is None else turns.vectors(hinge, "hinge")
    turns.leading_shape(
        local=pose.shape[:-3], normal=goal.shape[:-1], up=above.shape[:-1], weight=share.shape,
        sole=plane.shape[:-1], hinge=axis.shape[:-1],
    )  # fmt: skip
    own = turns.joint_of_pose(skeleton, pose, number)
    turn = turns.twist_onto(_now(own, plane), _carried_in(own, goal), turns.times(own.linear, axis))
    dtype = turns.common_dtype(local, normal, up, hinge, sole, weight)
    return _finished(skeleton, pose, number, turn, limits, share, dtype)


def _finished(
    skeleton: Skeleton,
    pose: NDArray[Any],
    joint: int,
    turn: Floats,
    limits: JointLimits | None,
    weight: Floats,
    dtype: np.dtype[Any],
) -> NDArray[Any]:
    if limits is None:
        return turns.turned(pose, joint, turn, weight, dtype)
    whole = turns.turned(pose, joint, turn, np.ones(()), np.dtype(np.float64))
    return turns.limited(skeleton, pose, joint, whole, limits, weight, dtype)


def _headed(own: turns.JointOfPose, turn: Floats, ahead: Floats, goal: Floats, up: Floats, onto: Floats) -> Floats:
    """Turn the foot about the normal, too, so that seen along `up` it points where it pointed."""
    was = turns.times(own.linear, ahead)
    with np.errstate(invalid="ignore", divide="ignore", over="ignore"):
        seen = turns.times(own.parent[..., :3, :3], was)
        rise = np.sum(seen * goal, axis=-1, keepdims=True) / np.sum(up * goal, axis=-1, keepdims=True)
        wanted = seen - rise * up  # down or up onto the ground
    wanted = turns.times(turns.inverse_linear(own.parent), wanted)
    twist = turns.twist_onto(turns.times(quaternion_to_matrix(turn), was), wanted, onto)
    return np.where(turns.says_something(onto)[..., None], turns.after(twist, turn), turn)


def _now(own: turns.JointOfPose, plane: Floats) -> Floats:
    """Return the normal of a plane of the joint in the coordinates of the joint's parent, in the same length."""
    matrix = np.zeros((*own.linear.shape[:-2], 3, 4))
    matrix[..., :3] = own.linear
    return turns.times(np.swapaxes(turns.inverse_linear(matrix), -1, -2), plane)


def _carried_in(own: turns.JointOfPose, normal: Floats) -> Floats:
    """Return a normal of model space in the coordinates of the joint's parent."""
    return turns.times(np.swapaxes(own.parent[..., :3, :3], -1, -2), normal)


def _sole(skeleton: Skeleton, joint: int, sole: ArrayLike | None, up: Floats) -> Floats:
    if sole is not None:
        return turns.vectors(sole, "sole")
    return turns.times(skeleton.rest_global[joint, :3, :3].T, up)


def _side(skeleton: Skeleton, toe: int, up: Floats) -> Floats:
    """Return what lies level across the foot in the rest pose, in the frame of the toe joint."""
    foot = int(skeleton.parents[toe])
    if foot < 0:
        raise ValueError(f"{skeleton.names[toe]!r} has no joint above that tells the side of the foot: give hinge")
    rest = skeleton.rest_global
    return turns.times(turns.inverse_linear(rest[toe]), np.cross(up, rest[toe, :3, 3] - rest[foot, :3, 3]))


def _slopes(max_slope: ArrayLike) -> Floats:
    return turns.bounded(max_slope, "max_slope", np.pi, "pi")


def _within(normal: Floats, up: Floats, most: Floats) -> Floats:
    """Return unit normals within the cone of half-angle `most` about `up`."""
    with np.errstate(invalid="ignore", divide="ignore", over="ignore"):
        n = normal / np.linalg.norm(normal, axis=-1, keepdims=True)
        u = up / np.linalg.norm(up, axis=-1, keepdims=True)
        level = n - np.sum(n * u, axis=-1, keepdims=True) * u
        angle = np.arctan2(np.linalg.norm(level, axis=-1), np.sum(n * u, axis=-1))
    side = turns.across(n, u)
    size = np.linalg.norm(side, axis=-1, keepdims=True)
    side = side / np.where(size > 0, size, 1.0)
    cosine, sine = np.cos(most)[..., None], np.sin(most)[..., None]
    edge = np.where(size > 0, cosine * u + sine * side, u)
    return np.asarray(np.where((angle > most)[..., None], edge, n))
