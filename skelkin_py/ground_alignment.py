# SPDX-License-Identifier: MIT
"""Feet that lie along the ground: the slope's limit, the foot's turn onto it, and the toes that stay flat."""

from __future__ import annotations

from typing import Any

from numpy.typing import ArrayLike, NDArray

from . import _core
from .limits import JointLimits, checked_limits
from .skeleton import Skeleton, joint_number

Joint = int | str


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
    inside = None if limits is None else checked_limits(limits).resolved(skeleton)
    return _core.align_to_ground(skeleton, local, number, normal, up, max_slope, sole, forward, inside, weight, out)


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
    inside = None if limits is None else checked_limits(limits).resolved(skeleton)
    return _core.roll_toe(skeleton, local, number, normal, up, hinge, sole, inside, weight, out)
