# SPDX-License-Identifier: MIT
"""Turn a joint so that it points at something."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _core
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
    if not isinstance(frame, str) or frame not in ("object", "world"):
        raise ValueError(f"frame is {frame!r}: expected 'object' or 'world'")
    if (target is None) == (target_joint is None):
        both = "neither target nor target_joint is" if target is None else "target and target_joint are both"
        raise ValueError(f"{both} given: give either target or target_joint")
    other = -1 if target_joint is None else _target_joint(skeleton, number, target_joint)
    pointer, tip_joint = _pointer(skeleton, number, tip, axis)
    own_up, wanted = up if isinstance(up, tuple) and len(up) == 2 else (None, up)
    inside = None if limits is None else checked_limits(limits).resolved(skeleton)
    return _core.points_at(
        skeleton,
        local,
        number,
        target,
        other,
        pointer,
        tip_joint,
        wanted,
        own_up,
        frame == "world",
        inside,
        weight,
        out,
    )


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
    if number == joint or not _carries(skeleton, joint, number):
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
    if _carries(skeleton, joint, number):
        names = skeleton.names
        raise ValueError(f"target_joint: {names[number]!r} moves with {names[joint]!r}, which can never point at it")
    return number


@lru_cache(maxsize=1024)
def _carries(skeleton: Skeleton, joint: int, other: int) -> bool:
    """Return whether `other` is `joint` itself or lies below it."""
    while other > joint:
        other = int(skeleton.parents[other])
    return other == joint
