# SPDX-License-Identifier: MIT
"""Joints turned: to point at something, to lie along the ground, to where positions of a chain are."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _core
from ._support.arguments import array_of, check_word, listed
from .limits import JointLimits, checked_limits
from .skeleton import Skeleton, joint_number

Joint = int | str


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
    out: NDArray[Any] | None = None,
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
    out : ndarray, (..., J, 4, 4) or (..., J, 3, 4), optional
        Where the poses go; may be `local` itself, of which then only the joint is written. What overlaps otherwise goes
        through a copy.

    Returns
    -------
    ndarray, (..., J, 4, 4), or with 3 rows as `local`
        The poses; all joints but this one have the bits of the input. Leading dimensions are broadcast; float32 if all
        arrays given are, else float64; computed in float64. `out` itself where given.

    Raises
    ------
    ValueError, TypeError
        Both or none of `target` and `target_joint`; a `target_joint` that `joint` carries along; a `tip` that it does
        not; a joint without child and end site and without `tip` or `axis`; shapes that do not broadcast; a weight
        out of bounds, or a matrix above the joint without inverse (named with their index); an `out` that does not fit.
        Nothing is written then.

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
    if (target is None) == (target_joint is None):
        both = "neither target nor target_joint is" if target is None else "target and target_joint are both"
        raise ValueError(f"{both} given: give either target or target_joint")
    other = -1 if target_joint is None else _target_joint(skeleton, number, target_joint)
    pointer, tip_joint = _pointer(skeleton, number, tip, axis)
    own_up, wanted = up if isinstance(up, tuple) and len(up) == 2 else (None, up)
    limited = _inside(limits, skeleton)
    turned = number, target, other, pointer, tip_joint, wanted, own_up, _in_world(frame), limited, weight
    return _core.points_at(skeleton, local, *turned, out)


def _in_world(frame: str) -> bool:
    check_word("frame", frame, ("object", "world"))
    return frame == "world"


def _inside(limits: JointLimits | None, skeleton: Skeleton) -> NDArray[np.void] | None:
    return None if limits is None else checked_limits(limits).resolved(skeleton)


def _pointer(skeleton: Skeleton, joint: int, tip: Any, axis: ArrayLike | None) -> tuple[ArrayLike | None, int | None]:
    """Return what points: an offset and None for an axis or -1 for a tip, or nothing and a joint."""
    if axis is not None:
        if tip is not None:
            raise ValueError("tip and axis exclude each other: give one of them")
        return axis, None
    if tip is None:
        return _first_tip(skeleton, joint)
    if not isinstance(tip, (str, int, np.integer)):
        return tip, -1
    number = joint_number(skeleton, tip, "tip")
    if number == joint or not carries(skeleton, joint, number):
        raise ValueError(f"tip: {skeleton.names[number]!r} does not lie below {skeleton.names[joint]!r}")
    return None, number


@lru_cache(maxsize=128)
def _first_tip(skeleton: Skeleton, joint: int) -> tuple[ArrayLike | None, int]:
    """Return nothing and the first child, or the end site."""
    children = np.flatnonzero(skeleton.parents == joint)
    if len(children):
        return None, int(children[0])
    if joint in skeleton.end_sites:
        return tuple(float(x) for x in skeleton.end_sites[joint]), -1
    raise ValueError(f"{skeleton.names[joint]!r} has no child and no end site: give tip or axis")


def _target_joint(skeleton: Skeleton, joint: int, target_joint: Joint) -> int:
    number = joint_number(skeleton, target_joint, "target_joint")
    if carries(skeleton, joint, number):
        names = skeleton.names
        raise ValueError(f"target_joint: {names[number]!r} moves with {names[joint]!r}, which can never point at it")
    return number


@lru_cache(maxsize=1024)
def carries(skeleton: Skeleton, joint: int, other: int) -> bool:
    """Return whether `other` is `joint` itself or lies below it."""
    while other > joint:
        other = int(skeleton.parents[other])
    return other == joint


def limit_slope(
    normal: ArrayLike, up: ArrayLike, max_slope: ArrayLike, *, out: NDArray[Any] | None = None
) -> NDArray[Any]:
    """Return ground normals that lean from `up` by no more than `max_slope`.

    Parameters
    ----------
    normal : array_like, (..., 3)
        Normals of the ground, of any length.
    up : array_like, (..., 3)
        Which way is up.
    max_slope : array_like, (...)
        Largest angle between the two in radians, 0 .. pi.
    out : ndarray, (..., 3), optional
        Where the vectors go; may overlap with the inputs (then through a copy).

    Returns
    -------
    ndarray, (..., 3)
        Unit vectors: where a normal leans further, the nearest direction within the cone about `up`, in the plane of
        both; `up` itself where a normal points straight down, since then all are equally near. NaN where a normal or
        `up` has length zero or is not finite. float32 if all arrays given are, else float64. `out` itself where given.

    Raises
    ------
    ValueError, TypeError
        An angle out of bounds (named with its index), shapes that do not fit. Nothing is written then.

    Examples
    --------
    >>> sk.limit_slope([[0, 2, 0], [1, 1, 0], [1, 0, 0]], [0, 1, 0], np.radians(45)).round(6) + 0.0
    array([[0.      , 1.      , 0.      ],
           [0.707107, 0.707107, 0.      ],
           [0.707107, 0.707107, 0.      ]])
    """
    return _core.limit_slope(normal, up, max_slope, out)


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
    out: NDArray[Any] | None = None,
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
        The direction that is up in model space.
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
    out : ndarray, (..., J, 4, 4) or (..., J, 3, 4), optional
        Where the poses go; may be `local` itself, of which then only the joint is written. What overlaps otherwise goes
        through a copy.

    Returns
    -------
    ndarray, (..., J, 4, 4), or with 3 rows as `local`
        The poses; all joints but this one have the bits of the input, and so have rows with a normal of length zero or
        one that is not finite. Leading dimensions are broadcast; float32 if all arrays given are, else float64;
        computed in float64. `out` itself where given.

    Raises
    ------
    ValueError, TypeError
        No such joint; shapes that do not broadcast; a weight or slope out of bounds, or a matrix of the foot, or above
        it with `forward`, without inverse (named with their index); an `out` that does not fit. Nothing is written.

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
    return _core.align_to_ground(
        skeleton, local, number, normal, up, max_slope, sole, forward, _inside(limits, skeleton), weight, out
    )


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
    out: NDArray[Any] | None = None,
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
        The direction that is up in model space. It tells `hinge` and `sole` where these are left out.
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
    out : ndarray, (..., J, 4, 4) or (..., J, 3, 4), optional
        Where the poses go; may be `local` itself, of which then only the joint is written. What overlaps otherwise goes
        through a copy.

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
    if hinge is None and int(skeleton.parents[number]) < 0:
        raise ValueError(f"{skeleton.names[number]!r} has no joint above that tells the side of the foot: give hinge")
    return _core.roll_toe(skeleton, local, number, normal, up, hinge, sole, _inside(limits, skeleton), weight, out)


Chain = Sequence[int | str] | NDArray[np.integer[Any]]


def chain_numbers(skeleton: Skeleton, chain: Chain) -> list[int]:
    """Return a chain's joints by number: at least two, each an ancestor of the next."""
    given = array_of(chain, "chain").tolist() if isinstance(chain, np.ndarray) else chain
    rows = listed("chain", given, "expected joints, from root to tip")
    joints = [joint_number(skeleton, joint, f"chain[{i}]") for i, joint in enumerate(rows)]
    if len(joints) < 2:
        raise ValueError(f"chain has {len(joints)} joints: expected at least two")
    for above, below in pairwise(joints):
        if above == below or not carries(skeleton, above, below):
            raise ValueError(f"chain: {skeleton.names[above]!r} is not an ancestor of {skeleton.names[below]!r}")
    return joints


def rotations_from_positions(
    skeleton: Skeleton,
    local: ArrayLike,
    chain: Chain,
    positions: ArrayLike,
    *,
    frame: Literal["object", "world"] = "object",
    limits: JointLimits | None = None,
    out: NDArray[Any] | None = None,
) -> NDArray[Any]:
    """Turn the joints of a chain so that its bones point as positions say.

    Each joint, from the first on, makes the smallest turn that brings the next one into the direction from its own
    position to that of the next. Only directions count: bones keep the lengths that the pose has, the first joint
    stays where it is, and positions of another person or of markers do. Where lengths agree and the first joint is in
    place, the chain comes to lie on the positions.

    Parameters
    ----------
    skeleton : Skeleton
        The hierarchy of J joints.
    local : array_like, (..., J, 4, 4) or (..., J, 3, 4)
        The poses to begin with: the turn of a bone about itself, which positions cannot tell, is taken from there.
    chain : sequence of int or str
        Joints from root to tip, each an ancestor of the next; joints between two of them are carried along rigidly.
        The last one keeps its local rotation.
    positions : array_like, (..., len(chain), 3)
        Where the joints are, in model space.
    frame : {"object", "world"}
        Where the smallest turns are found: in the coordinates of the joint's parent, or in model space about the
        joint's place. Both give the same pose unless parents are sheared or scaled differently along their axes.
    limits : JointLimits, optional
        Every joint is brought to the nearest rotation inside of its limits before the next one is turned.
    out : ndarray, (..., J, 4, 4) or (..., J, 3, 4), optional
        Where the poses go; may be `local` itself, of which then only the chain is written. What overlaps otherwise goes
        through a copy.

    Returns
    -------
    ndarray, (..., J, 4, 4), or with 3 rows as `local`
        The poses; other joints have the bits of the input. Leading dimensions are broadcast; float32 if all arrays
        given are, else float64; computed in float64. `out` itself where given.

    Raises
    ------
    ValueError, TypeError
        A chain that does not go down the hierarchy, an unknown `frame`, shapes that do not broadcast; a matrix above a
        joint that turns without inverse (named with its index); an `out` that does not fit. Nothing is written then.

    Notes
    -----
    Opposite directions take half a turn about an axis across. Where two positions are the same, or one is not finite
    (a marker out of sight), the joint keeps its local rotation, in that row only.

    Examples
    --------
    Shoulder, elbow and wrist of a pose estimation, in metres of another arm, turn the joints of this one.

    >>> rest = np.tile(np.eye(4), (3, 1, 1))
    >>> rest[1:, :3, 3] = [[0, -3, 0], [0, -2.5, 0]]
    >>> skeleton = sk.Skeleton([-1, 0, 1], rest, ["shoulder", "elbow", "wrist"])
    >>> bent, straight = [[0.2, 1.4, 0], [0.5, 1.4, 0], [0.5, 1.66, 0]], [[0.2, 1.4, 0], [0.2, 1.1, 0], [0.2, 0.8, 0]]
    >>> poses = sk.rotations_from_positions(skeleton, rest, skeleton.names, [bent, straight])
    >>> sk.forward_kinematics(skeleton, poses)[:, 2, :3, 3].round(6)
    array([[ 3. ,  2.5,  0. ],
           [ 0. , -5.5,  0. ]])
    """
    joints = chain_numbers(skeleton, chain)
    return _core.rotations_from_positions(
        skeleton, local, np.array(joints, np.int32), positions, _in_world(frame), _inside(limits, skeleton), out
    )
