# SPDX-License-Identifier: MIT
"""FABRIK for positions of chains and trees, and for poses of a skeleton."""

from __future__ import annotations

from collections.abc import Mapping
from inspect import signature
from typing import Any, Literal, NoReturn

import numpy as np
import numpy.typing as npt
from numpy.typing import ArrayLike, NDArray

from . import _core
from ._support.arguments import check_dimensions, index_array, numbers_of, plain, real_number
from ._support.array_types import Array, Flags, Floats
from ._support.results import AppliedFabrik, Fabrik
from ._support.status import IKStatus
from .kinematics.forward import forward_kinematics
from .limits import JointLimits
from .skeleton import Skeleton
from .transforms import quaternion_from_matrix, quaternion_multiply
from .turns import Chain, chain_numbers, points_at, rotations_from_positions

_ROUNDS = 40  # of FABRIK and limits in turn
_PROGRESS = 0.99  # a round that leaves more than this part of the error makes no progress
_PATIENCE = 4  # consecutive rounds without progress
_SHARE = 0.5  # part of the tolerance for positions; the rest is for rotations


def apply_fabrik(
    skeleton: Skeleton,
    local: ArrayLike,
    chain: Chain,
    target: ArrayLike,
    *,
    tolerance: float | None = None,
    max_iterations: int = 64,
    pole: ArrayLike | None = None,
    frame: Literal["object", "world"] = "object",
    limits: JointLimits | None = None,
    weight: ArrayLike = 1.0,
) -> AppliedFabrik:
    """Bring the last joint of a chain of any length to a target by turning the joints of the chain.

    `solve_fabrik` moves the joints' positions, then `rotations_from_positions` turns the joints. With limits both are
    repeated from the last pose inside the limits, as long as the end comes nearer to the target; in each round every
    joint, from the last to the first, is also turned so that the end points at the target (`points_at`).

    Parameters
    ----------
    skeleton : Skeleton
        The hierarchy of J joints.
    local : array_like, (..., J, 4, 4) or (..., J, 3, 4)
        The poses.
    chain : sequence of int or str
        Joints from root to tip, each an ancestor of the next; joints between them are carried along rigidly.
    target : array_like, (..., 3)
        The target of the last joint, in model space.
    tolerance, max_iterations, pole
        As in `solve_fabrik`; with limits `max_iterations` applies to each round.
    frame, limits
        As in `rotations_from_positions`.
    weight : array_like, (...)
        Fraction, 0 .. 1, of every joint's rotation; 0 keeps the bits of the pose.

    Returns
    -------
    AppliedFabrik
        ``local`` (..., J, 4, 4); ``status`` (...) uint8, an `IKStatus` for the solve at weight 1, measured on its pose:
        as in `solve_fabrik`, and LIMITED where a limit is active and the target is missed; ``error`` (...), the
        distance of the returned last joint from its target. Rows with a number that is not finite (BAD_INPUT) keep
        their bits. Of all rounds the pose with the smallest error is returned. float32 if all arrays given are, else
        float64; computed in float64.

    Raises
    ------
    ValueError, TypeError
        As in `solve_fabrik` and `rotations_from_positions`; a weight out of its bounds.

    Notes
    -----
    With limits the search may miss the target although another pose inside the limits would reach it; status and error
    show that. Scale that differs between axes inside the chain changes the lengths of bones as they turn: the pose may
    then miss the target (NOT_CONVERGED).

    Examples
    --------
    >>> rest = np.tile(np.eye(4), (6, 1, 1))
    >>> rest[1:, 1, 3] = 1.0
    >>> tail = sk.Skeleton([-1, 0, 1, 2, 3, 4], rest)
    >>> solved = sk.apply_fabrik(tail, rest, range(6), [3, 1, 1])
    >>> sk.IKStatus(solved.status).name, bool(solved.error < 5e-6)
    ('REACHED', True)
    >>> sk.forward_kinematics(tail, solved.local)[5, :3, 3].round(4)
    array([3., 1., 1.])
    """
    joints = chain_numbers(skeleton, chain)
    pose = pose_array(skeleton, local)
    goal, share = vectors(target, "target"), weights(weight)
    side = None if pole is None else vectors(pole, "pole")
    lead = leading_shape(
        local=pose.shape[:-3], target=goal.shape[:-1], weight=share.shape, pole=() if side is None else side.shape[:-1]
    )
    dtype = common_dtype(local, target, pole, weight)
    usual = 1e-4 if dtype == np.float32 else 1e-6
    allowed = usual if tolerance is None else real_number("tolerance", plain(tolerance))
    start = np.array(np.broadcast_to(pose, (*lead, *pose.shape[-3:])), np.float64, order="C")
    goal = np.broadcast_to(goal, (*lead, 3))
    points = _points(skeleton, start, joints)
    size = np.linalg.norm(np.diff(points, axis=-2), axis=-1).sum(axis=-1)
    if not 0 < allowed < 1:
        raise ValueError(f"tolerance is {allowed!r}: it must be above 0 and below 1")

    solved = solve_fabrik(points, goal, tolerance=_SHARE * allowed, max_iterations=max_iterations, pole=side)
    stays = (solved.iterations == 0) & (solved.status == IKStatus.REACHED) & (pole is None)
    bad = solved.status == IKStatus.BAD_INPUT
    best = np.array(start)
    least = np.where(bad, np.nan, np.inf)
    begin, now, clamped = start, solved, np.zeros(lead, bool)
    idle = 0
    for _ in range(1 if limits is None else _ROUNDS):
        whole = rotations_from_positions(skeleton, begin, joints, now.positions, frame=frame, limits=limits)
        if limits is not None:
            whole = limits.nearest(skeleton, whole, joints=joints[:-1])
            for joint in reversed(joints[:-1]):
                whole = points_at(skeleton, whole, joint, goal, tip=joints[-1], frame=frame, limits=limits)
        places = _points(skeleton, whole, joints)
        with np.errstate(invalid="ignore"):
            error = np.linalg.norm(places[..., -1, :] - goal, axis=-1)
            nearer = error < least
            progress = error < _PROGRESS * least
        if limits is not None:
            moved = np.abs(places - now.positions).max(axis=(-1, -2))
            clamped = np.where(nearer, moved > _SHARE * allowed * size, clamped)
        best[nearer], least = whole[nearer], np.where(nearer, error, least)
        idle = 0 if (progress & (error > allowed * size)).any() else idle + 1
        if idle == _PATIENCE or not (least > allowed * size).any():
            break
        begin = whole
        now = solve_fabrik(places, goal, tolerance=_SHARE * allowed, max_iterations=max_iterations, pole=side)
    keeps = bad | (stays if limits is None else np.zeros(lead, bool))
    best[keeps] = start[keeps]
    reached = _reached(skeleton, best.astype(dtype), joints, goal, allowed * size)
    result = _weighed(skeleton, pose, best, joints, share, bad, dtype)
    error = np.where(bad, np.nan, _missed(skeleton, result, joints, goal)).astype(dtype)
    return AppliedFabrik(result, np.asarray(_final_status(solved.status, reached, clamped, bad)), error)


def _points(skeleton: Skeleton, pose: Floats, joints: list[int]) -> Floats:
    """Return where the joints of the chain are, (..., len(joints), 3)."""
    with np.errstate(invalid="ignore", over="ignore"):
        return np.ascontiguousarray(forward_kinematics(skeleton, pose)[..., :3, 3][..., joints, :])


def _missed(skeleton: Skeleton, pose: Floats, joints: list[int], goal: Floats) -> Floats:
    """Return how far the end of the chain is from its target."""
    with np.errstate(invalid="ignore"):
        ends = _points(skeleton, pose.astype(np.float64), joints)[..., -1, :]
        return np.asarray(np.linalg.norm(ends - goal, axis=-1))


def _reached(skeleton: Skeleton, pose: Floats, joints: list[int], goal: Floats, allowed: Floats) -> Flags:
    """Tell whether the end of the chain is at its target, up to rounding."""
    missed, largest = _missed(skeleton, pose, joints, goal), np.abs(goal).max(axis=-1)
    with np.errstate(invalid="ignore"):
        return np.asarray(missed <= allowed + 4 * np.finfo(pose.dtype).eps * (largest + allowed))


def _final_status(status: NDArray[np.uint8], reached: Flags, clamped: Flags, bad: Flags) -> NDArray[np.uint8]:
    """Return the status of the whole solve, from the status of its last step and the result."""
    final = np.where(status == IKStatus.REACHED, IKStatus.NOT_CONVERGED, status)
    final = np.where(clamped & (status != IKStatus.DEGENERATE), IKStatus.LIMITED, final)
    return np.where(bad, IKStatus.BAD_INPUT, np.where(reached, IKStatus.REACHED, final)).astype(np.uint8)


def _weighed(
    skeleton: Skeleton, pose: Array, best: Floats, joints: list[int], share: Floats, bad: Flags, dtype: np.dtype[Any]
) -> Floats:
    """Return the pose between the input and the best one, by a share of the turns between them."""
    whole, result = best.astype(dtype), np.array(np.broadcast_to(pose, best.shape).astype(dtype), np.float64)
    part = np.broadcast_to(share, bad.shape)
    result[part == 1] = whole[part == 1]
    between = (part > 0) & (part < 1) & ~bad
    if between.any():
        amount = np.where(between, part, 0.0)
        for joint in joints[:-1]:
            before, after = (x[..., joint, :3, :3] for x in (np.broadcast_to(pose, best.shape), best))
            turn = _turn(*(np.where(between[..., None, None], x, np.eye(3)) for x in (before, after)))
            _core.turn_joint(skeleton, result, joint, turn, amount, result)
    return np.asarray(result.astype(dtype))


def _turn(before: Floats, after: Floats) -> Floats:
    """Return the turns that take one linear part to the other, which has the same scale and shear."""
    start, end = quaternion_from_matrix(before.astype(np.float64, order="C")), quaternion_from_matrix(after)
    turn = quaternion_multiply(end, start * [1, -1, -1, -1])
    return np.where(turn[..., :1] < 0, -turn, turn)


def pose_array(skeleton: Skeleton, local: ArrayLike) -> Array:
    """Return the pose as a float32 or float64 array."""
    array = numbers(local, "local")
    joints = skeleton.num_joints
    if array.ndim < 3 or array.shape[-3] != joints or array.shape[-2:] not in ((4, 4), (3, 4)):
        raise ValueError(f"local has shape {array.shape}: expected (..., {joints}, 4, 4)")
    return array


def numbers(values: ArrayLike, name: str) -> Array:
    """Return real numbers as float32 or float64; whole ones as float64."""
    array = numbers_of(values, name)
    return array if array.dtype in (np.float32, np.float64) else array.astype(np.float64)


def vectors(values: ArrayLike, name: str) -> Floats:
    """Return (..., 3) float64 in C order, so that results do not depend on the memory layout of the input."""
    array = numbers(values, name)
    if array.shape[-1:] != (3,):
        raise ValueError(f"{name} has shape {array.shape}: expected (..., 3)")
    return array.astype(np.float64, order="C")


def weights(weight: ArrayLike) -> Floats:
    """Return weights as float64; the ValueError names the first that does not lie within 0 .. 1."""
    array = numbers(weight, "weight").astype(np.float64, order="C")
    for index in np.argwhere(~((array >= 0) & (array <= 1))).tolist():
        where = f"weight{index}" if index else "weight"
        raise ValueError(f"{where} is {array[tuple(index)]:g}: it must lie within 0 .. 1")
    return array


def common_dtype(*given: Any) -> np.dtype[Any]:
    """Return numpy's promotion of the arrays among the arguments; lists, numbers and None do not count."""
    arrays = [
        each.dtype if each.dtype.kind == "f" else np.dtype(np.float64)
        for each in given
        if isinstance(each, (np.ndarray, np.generic))
    ]
    return np.result_type(*arrays) if arrays else np.dtype(np.float64)


def leading_shape(**shapes: tuple[int, ...]) -> tuple[int, ...]:
    """Return the leading dimensions after broadcasting; ValueError: they do not broadcast, or there are too many."""
    try:
        lead = np.broadcast_shapes(*shapes.values())
    except ValueError:
        listed = ", ".join(f"{name} {shape}" for name, shape in shapes.items() if shape)
        raise ValueError(f"leading dimensions do not broadcast: {listed}") from None
    check_dimensions("the result", len(lead) + 3)
    return lead


def solve_fabrik(
    positions: npt.ArrayLike,
    target: npt.ArrayLike | Mapping[int, npt.ArrayLike],
    *more: NoReturn,
    parents: npt.ArrayLike | None = None,
    tolerance: float | None = None,
    max_iterations: int = 64,
    pole: npt.ArrayLike | None = None,
    out: Fabrik | None = None,
) -> Fabrik:
    """Move the end of a chain, or the leaves of a tree, to targets; any number of chains at once.

    The first joint stays in place and bones keep their lengths. A target beyond reach straightens the chain towards it.
    For a target too near, the longest bone points towards it and the others back. A chain in line with its target is
    bent first: to the side on which most of it lies, else to a fixed side.

    Parameters
    ----------
    positions : array_like, (..., N, 3)
        The joints, root first, N >= 2: a chain, or with `parents` a tree.
    target : array_like, (..., 3), or dict
        The target of the last joint. For a tree (..., K, 3), one for each of its K leaves in order, or a dictionary
        from leaves to (..., 3); leaves without a target are free.
    parents : array_like, (N,), optional
        Parent of each joint, ``parents[j] < j``, -1 for the first only. Where branches with targets meet, the joint
        goes to the mean of the positions that they require. Branches without a target move rigidly with their parent
        joint and the bone above it.
    tolerance : float, optional
        Distance that counts as reached, as a fraction of the chain's length (of the longest path to a target), between
        0 and 1. Default 1e-4 in float32, 1e-6 in float64.
    max_iterations : int
        Maximum number of passes inwards and outwards, 1 .. 2147483647.
    pole : array_like, (..., 3), optional
        A point towards which the middle of the chain points: the solved chain is turned about the line from its root to
        its end. The effect fades within 15 degrees of that line. For one target only.
    out : Fabrik, optional
        Arrays for the results, as the function returns them; may overlap with the inputs (then through a copy).

    Returns
    -------
    Fabrik
        ``positions`` (..., N, 3); ``status`` (...) uint8, an `IKStatus` measured on the result: REACHED (error within
        the tolerance, plus 4 ulp of the largest coordinate), TOO_FAR, TOO_CLOSE, NOT_CONVERGED after `max_iterations`,
        DEGENERATE (not reached, and all bones but one have length 0), BAD_INPUT (a position, target or pole that is
        not finite: the chain does not change, its error is NaN); ``error`` (...), the distance from the target, for a
        tree the largest; ``iterations`` (...) int32. A chain already at its target keeps its bits, unless a pole turns
        it. Leading dimensions are broadcast. float32 if all arrays given are, else float64.

    Raises
    ------
    ValueError, TypeError
        Shapes do not broadcast, parents are not a tree, a target is not for a leaf, `tolerance` or `max_iterations` is
        out of bounds, a pole is given for several targets, or `out` does not fit.

    Notes
    -----
    A. Aristidou, J. Lasenby, "FABRIK: A fast, iterative solver for the inverse kinematics problem", Graphical Models
    73 (2011), sections 3 and 4. Passes converge slowly where the chain is nearly straight, and may oscillate near the
    root. Therefore, for one target, a chain within a tenth of its length is finished in one step: the components of its
    bones perpendicular to the line to its end are scaled by a common factor, found by Newton's method and secants, so
    that the end has the right distance from the root, and the chain is turned about the root. From the fourth pass on
    turning everything beyond one joint is tried too. Neither is used unless it reaches the target.

    Examples
    --------
    >>> chain = np.array([[0, 0, 0], [0, 1, 0], [0, 2, 0], [0, 3, 0]])
    >>> solved = sk.solve_fabrik(chain, [1, 1.5, 0])
    >>> sk.IKStatus(solved.status).name, bool(solved.error < 3e-6)
    ('REACHED', True)
    >>> np.linalg.norm(np.diff(solved.positions, axis=0), axis=1).round(9)
    array([1., 1., 1.])
    >>> far = sk.solve_fabrik(chain, [[4, 0, 0], [0, 0, -6]])
    >>> far.positions[:, 3].round(9) + 0.0, far.error.round(9)
    (array([[ 3.,  0.,  0.],
           [ 0.,  0., -3.]]), array([1., 3.]))

    A tree with two leaves, one of which has a target.

    >>> tree = [[0, 0, 0], [0, 1, 0], [-1, 2, 0], [1, 2, 0]]
    >>> sk.IKStatus(sk.solve_fabrik(tree, {3: [1, 1.8, 0.3]}, parents=[-1, 0, 1, 1]).status).name
    'REACHED'
    """
    if isinstance(positions, _core.SkeletonBase):
        raise TypeError(
            "positions is a Skeleton: solve_fabrik moves positions; apply_fabrik(skeleton, local, chain, target) turns "
            "the joints of poses"
        )
    if more:
        raise TypeError(f"solve_fabrik() takes 2 positional arguments but {2 + len(more)} were given")
    tree = leaves = None
    if parents is not None:
        wide = index_array(parents, "parents", 1, "(N,)")
        tree = np.clip(wide, -2, np.iinfo(np.int32).max).astype(np.int32)
        leaves = np.array(sorted({*range(len(tree))}.difference(tree.tolist())), np.int32)
    if isinstance(target, Mapping):
        if leaves is None:
            raise TypeError("target is a dictionary: that needs parents, and the leaves of their tree")
        target, leaves = _named_targets(target, leaves)
    return Fabrik._make(_core.solve_fabrik(positions, target, tree, leaves, tolerance, max_iterations, pole, out))


# `more` is there for the message alone.
solve_fabrik.__signature__ = (_whole := signature(solve_fabrik)).replace(  # type: ignore[attr-defined]
    parameters=[each for name, each in _whole.parameters.items() if name != "more"]
)


def _named_targets(
    target: Mapping[int, npt.ArrayLike], leaves: npt.NDArray[np.int32]
) -> tuple[Array, npt.NDArray[np.int32]]:
    """Return the targets as one array (..., K, 3), and the leaves that they belong to."""
    if not target:
        raise ValueError("target is an empty dictionary: expected a target for at least one leaf")
    for joint in target:
        if not isinstance(joint, (int, np.integer)) or joint not in leaves:
            raise ValueError(f"target has the joint {joint!r}: expected leaves of the tree, {leaves.tolist()}")
    points = [numbers_of(values, f"target[{joint}]") for joint, values in target.items()]
    for joint, point in zip(target, points):
        if point.ndim == 0 or point.shape[-1] != 3:
            raise ValueError(f"target[{joint}] has shape {point.shape}: expected (..., 3)")
    stacked = np.stack(np.broadcast_arrays(*points), axis=-2)
    return stacked.astype(common_dtype(*target.values())), np.array(list(target), np.int32)
