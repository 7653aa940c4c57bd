# SPDX-License-Identifier: MIT
"""Turning joints: to point at a target, to lie along the ground, to match the positions of a chain."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _core
from ._support.arguments import array_of, listed, meaning_of
from ._support.array_types import Array
from .limits import JointLimits, limit_rows
from .skeleton import Skeleton, joint_number

Joint = int | str

_IN_WORLD = {"object": False, "world": True}


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
    out: Array | None = None,
) -> Array:
    """Turn a joint of poses so that its tip, or one of its axes, points at a target.

    The turn is the smallest one from the line joint–tip to the line joint–target; with `up` the joint is then turned
    about that line.

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
        Another joint of the same poses, not below `joint`. Joints above both are not read, so that they cost no
        precision.
    tip : int, str or array_like, (..., 3), optional
        The point that is turned to the target: a joint below, by number or name, or an offset in the frame of the
        joint; by default the first child, else the end site. It need not lie on an axis of the joint.
    axis : array_like, (..., 3), optional
        The direction that is turned to the target, in the frame of the joint; not together with `tip`.
    frame : {"object", "world"}
        Where the smallest turn is found: ``"object"`` in the coordinates of the joint's parent, ``"world"`` in model
        space, as ``T(pivot) R T(-pivot)`` before the joint's global matrix, converted back to local. Both give the same
        pose unless the parents are sheared or scaled differently along their axes. There both still point exactly;
        ``"object"`` keeps the local matrix free of shear, ``"world"`` keeps the visible shape.
    up : array_like, (..., 3), or tuple of two, optional
        A direction in model space. The joint is turned about the line to the target until its own up direction is as
        near to this as possible. Its own up direction may be given first in a tuple, as ``([0, 1, 0], [0, 0, 1])``, in
        the frame of the joint; by default it is the one along `up` in the rest pose. Where `up` is along the line to
        the target, it has no effect.
    limits : JointLimits, optional
        The joint's rotation is moved to the nearest one inside its limits before the weight is applied.
    weight : array_like, (...)
        Fraction of the turn, 0 .. 1, by the shorter arc; 0 keeps the bits of the pose.
    out : ndarray, (..., J, 4, 4) or (..., J, 3, 4), optional
        Where the poses go; may be `local` itself, where only the joint is written. Other overlaps go through a copy.

    Returns
    -------
    ndarray, (..., J, 4, 4), or with 3 rows as `local`
        The poses; all joints but this one have the bits of the input. Leading dimensions are broadcast; float32 if all
        arrays given are, else float64; computed in float64. `out` itself where given.

    Raises
    ------
    ValueError, TypeError
        Both or none of `target` and `target_joint` are given; `target_joint` is below `joint`, or `tip` is not; the
        joint has no child and no end site, and neither `tip` nor `axis` is given; shapes do not broadcast; a weight is
        out of bounds, or a matrix above the joint has no inverse (the message names the index); `out` does not fit.
        Nothing is written then.

    Notes
    -----
    For a target in the opposite direction the joint makes half a turn about a perpendicular axis, fixed to the joint or
    chosen by `up`. Where target or tip coincide with the joint, an axis has length zero, or a number is not finite, the
    pose does not change, in that row only.

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
    world, limited = meaning_of("frame", frame, _IN_WORLD), limit_rows(limits, skeleton)
    return _core.points_at(
        skeleton, local, number, target, other, pointer, tip_joint, wanted, own_up, world, limited, weight, out
    )


def _pointer(skeleton: Skeleton, joint: int, tip: Any, axis: ArrayLike | None) -> tuple[ArrayLike | None, int | None]:
    """Return what points: an axis and None, an offset and -1, or None and a joint."""
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
    """Return None and the first child, else the end site and -1."""
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


def limit_slope(normal: ArrayLike, up: ArrayLike, max_slope: ArrayLike, *, out: Array | None = None) -> Array:
    """Limit the angle between ground normals and `up` to `max_slope`.

    Parameters
    ----------
    normal : array_like, (..., 3)
        Normals of the ground, of any length.
    up : array_like, (..., 3)
        The up direction.
    max_slope : array_like, (...)
        Largest angle between the two in radians, 0 .. pi.
    out : ndarray, (..., 3), optional
        Where the vectors go; may overlap with the inputs (then through a copy).

    Returns
    -------
    ndarray, (..., 3)
        Unit vectors: a normal with a larger angle is replaced by the nearest direction in the cone about `up`, and one
        that points straight down by `up` itself. NaN where a normal or `up` has length zero or is not finite. float32
        if all arrays given are, else float64. `out` itself where given.

    Raises
    ------
    ValueError, TypeError
        An angle is out of bounds (the message names its index), or shapes do not fit. Nothing is written then.

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
    out: Array | None = None,
) -> Array:
    """Turn a foot about its joint so that its sole lies along the ground.

    The turn is the smallest one, so that the foot does not spin about the normal. On a slope at an angle to the foot it
    still changes the heading a little; with `forward` the foot keeps its heading as seen from above.

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
        The up direction in model space.
    max_slope : array_like, (...), optional
        Steepest slope that the foot follows, in radians; steeper normals are limited by `limit_slope`.
    sole : array_like, (..., 3), optional
        Normal of the sole in the frame of the foot, pointing up through it; by default `up` in the rest pose.
    forward : array_like, (..., 3), optional
        The direction of the foot in its own frame, such as the position of its toes.
    limits : JointLimits, optional
        The foot's rotation is moved to the nearest one inside its limits before the weight is applied.
    weight : array_like, (...)
        Fraction of the turn, 0 .. 1; 0 keeps the bits of the pose.
    out : ndarray, (..., J, 4, 4) or (..., J, 3, 4), optional
        Where the poses go; may be `local` itself, where only the joint is written. Other overlaps go through a copy.

    Returns
    -------
    ndarray, (..., J, 4, 4), or with 3 rows as `local`
        The poses; all other joints, and rows with a normal of length zero or one that is not finite, keep the bits of
        the input. Leading dimensions are broadcast; float32 if all arrays given are, else float64;
        computed in float64. `out` itself where given.

    Raises
    ------
    ValueError, TypeError
        There is no such joint; shapes do not broadcast; a weight or slope is out of bounds, or a matrix of the foot, or
        above it with `forward`, has no inverse (the message names the index); `out` does not fit. Nothing is written
        then.

    Notes
    -----
    Normals are transformed by the inverse transpose, and the turn is found in the frame of the foot's parent. The sole
    therefore meets the ground exactly also below parents that are mirrored, scaled or sheared; where these are scaled
    differently along their axes, the turn is the smallest one in that frame.

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
        skeleton, local, number, normal, up, max_slope, sole, forward, limit_rows(limits, skeleton), weight, out
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
    out: Array | None = None,
) -> Array:
    """Turn toes about their hinge so that they lie along the ground while the heel is up.

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
        The up direction in model space, which also determines the defaults of `hinge` and `sole`.
    hinge : array_like, (..., 3), optional
        Axis about which the toes bend, in the frame of the toe joint. By default the horizontal axis across the foot in
        the rest pose: perpendicular to `up` and to the line from the foot joint to the toe joint.
    sole : array_like, (..., 3), optional
        Normal of the toes' sole in the frame of the toe joint, pointing up through them; by default `up` in the rest
        pose.
    limits : JointLimits, optional
        The toe's rotation is moved to the nearest one inside its limits before the weight is applied; a `sk.hinge`
        about the same axis limits how far toes bend.
    weight : array_like, (...)
        Fraction of the turn, 0 .. 1; 0 keeps the bits of the pose.
    out : ndarray, (..., J, 4, 4) or (..., J, 3, 4), optional
        Where the poses go; may be `local` itself, where only the joint is written. Other overlaps go through a copy.

    Returns
    -------
    ndarray, (..., J, 4, 4), or with 3 rows as `local`
        The poses, as `align_to_ground` returns them. The direction perpendicular to the hinge lies along the ground;
        the tilt of the hinge itself depends on the foot. Rows with a normal along the hinge do not change.

    Raises
    ------
    ValueError, TypeError
        As in `align_to_ground`; or the toe has no parent and `hinge` is not given.

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
        raise ValueError(
            f"{skeleton.names[number]!r} has no joint above, which would show the side of the foot: give hinge"
        )
    return _core.roll_toe(skeleton, local, number, normal, up, hinge, sole, limit_rows(limits, skeleton), weight, out)


Chain = Sequence[int | str] | NDArray[np.integer[Any]]


def chain_numbers(skeleton: Skeleton, chain: Chain) -> list[int]:
    """Return a chain's joints by number: at least two, each an ancestor of the next."""
    given = array_of(chain, "chain").tolist() if isinstance(chain, np.ndarray) else chain
    rows = listed("chain", given, "expected joints, from root to tip")
    joints = [joint_number(skeleton, joint, f"chain[{i}]") for i, joint in enumerate(rows)]
    if len(joints) < 2:
        raise ValueError(f"chain has {len(joints)} joints: expected at least two")
    check_descent(skeleton, joints, "chain")
    return joints


def check_descent(skeleton: Skeleton, joints: Sequence[int], name: str) -> None:
    """Raise a ValueError unless each of the joints is an ancestor of the next."""
    parents = skeleton.parents
    for above, below in pairwise(joints):
        if parents[below] != above and (above == below or not carries(skeleton, above, below)):
            raise ValueError(f"{name}: {skeleton.names[above]!r} is not an ancestor of {skeleton.names[below]!r}")


def rotations_from_positions(
    skeleton: Skeleton,
    local: ArrayLike,
    chain: Chain,
    positions: ArrayLike,
    *,
    frame: Literal["object", "world"] = "object",
    limits: JointLimits | None = None,
    out: Array | None = None,
) -> Array:
    """Turn the joints of a chain so that its bones have the directions between given positions.

    Each joint, from the first on, makes the smallest turn that gives its bone the direction from its own position to
    the next. Only directions matter: bones keep their lengths and the first joint stays in place, so that positions of
    another person or of markers can be used. Where lengths and the first position agree, the joints reach the
    positions.

    Parameters
    ----------
    skeleton : Skeleton
        The hierarchy of J joints.
    local : array_like, (..., J, 4, 4) or (..., J, 3, 4)
        The initial poses, which determine the twist of bones about themselves.
    chain : sequence of int or str
        Joints from root to tip, each an ancestor of the next; joints between two of them are carried along rigidly.
        The last one keeps its local rotation.
    positions : array_like, (..., len(chain), 3)
        Joint positions in model space.
    frame : {"object", "world"}
        Where the smallest turns are found: in the frame of the joint's parent, or in model space about the joint. Both
        give the same pose unless parents are sheared or scaled differently along their axes.
    limits : JointLimits, optional
        Every joint is moved to the nearest rotation inside its limits before the next one is turned.
    out : ndarray, (..., J, 4, 4) or (..., J, 3, 4), optional
        Where the poses go; may be `local` itself, where only the chain is written. Other overlaps go through a copy.

    Returns
    -------
    ndarray, (..., J, 4, 4), or with 3 rows as `local`
        The poses; other joints have the bits of the input. Leading dimensions are broadcast; float32 if all arrays
        given are, else float64; computed in float64. `out` itself where given.

    Raises
    ------
    ValueError, TypeError
        The chain does not go down the hierarchy, `frame` is unknown, or shapes do not broadcast; a matrix above a joint
        of the chain has no inverse (the message names its index); `out` does not fit. Nothing is written then.

    Notes
    -----
    For opposite directions the joint makes half a turn about a perpendicular axis. Where two positions are equal, or
    one is not finite (a hidden marker), the joint keeps its local rotation, in that row only.

    Examples
    --------
    Shoulder, elbow and wrist from pose estimation, of another arm and in metres, turn the joints of this one.

    >>> rest = np.tile(np.eye(4), (3, 1, 1))
    >>> rest[1:, :3, 3] = [[0, -3, 0], [0, -2.5, 0]]
    >>> skeleton = sk.Skeleton([-1, 0, 1], rest, ["shoulder", "elbow", "wrist"])
    >>> bent, straight = [[0.2, 1.4, 0], [0.5, 1.4, 0], [0.5, 1.66, 0]], [[0.2, 1.4, 0], [0.2, 1.1, 0], [0.2, 0.8, 0]]
    >>> poses = sk.rotations_from_positions(skeleton, rest, skeleton.names, [bent, straight])
    >>> sk.forward_kinematics(skeleton, poses)[:, 2, :3, 3].round(6)
    array([[ 3. ,  2.5,  0. ],
           [ 0. , -5.5,  0. ]])
    """
    joints, world = np.array(chain_numbers(skeleton, chain), np.int32), meaning_of("frame", frame, _IN_WORLD)
    limited = limit_rows(limits, skeleton)
    return _core.rotations_from_positions(skeleton, local, joints, positions, world, limited, out)
