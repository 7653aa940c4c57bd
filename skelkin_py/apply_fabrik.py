# SPDX-License-Identifier: MIT
"""FABRIK on poses: positions of a chain, solved, and carried back into rotations."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _core, pose_arguments
from ._support.arguments import plain, real_number
from ._support.results import AppliedFabrik
from ._support.status import IKStatus
from .fabrik import solve_fabrik
from .kinematics.forward import forward_kinematics
from .limits import JointLimits
from .points_at import points_at
from .rotations_from_positions import Chain, chain_numbers, rotations_from_positions
from .skeleton import Skeleton
from .transforms import quaternion_from_matrix, quaternion_multiply

Floats = pose_arguments.Floats

_ROUNDS = 40  # of FABRIK and limits in turn
_PROGRESS = 0.99  # a round that leaves more of the error than this, wherever the target is missed, gains nothing
_PATIENCE = 4  # rounds in a row that gain nothing
_SHARE = 0.5  # of the tolerance for the positions; the rest is for the rotations


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

    `solve_fabrik` on the joints' positions, then `rotations_from_positions`. With limits both take turns, each
    beginning with the pose inside of the limits that the other left, as long as that brings the end nearer to the
    target; each time every joint, from the last to the first, is then turned so that the end points at the target
    (`points_at`).

    Parameters
    ----------
    skeleton : Skeleton
        The hierarchy of J joints.
    local : array_like, (..., J, 4, 4) or (..., J, 3, 4)
        The poses.
    chain : sequence of int or str
        Joints from root to tip, each an ancestor of the next; joints between them are carried along rigidly.
    target : array_like, (..., 3)
        Where the last joint should go, in model space.
    tolerance, max_iterations, pole
        As in `solve_fabrik`; `max_iterations` counts for each turn that limits make it take.
    frame, limits
        As in `rotations_from_positions`.
    weight : array_like, (...)
        Part of the way, 0 .. 1, that every joint's rotation goes; 0 keeps the bits of the pose.

    Returns
    -------
    AppliedFabrik
        ``local`` (..., J, 4, 4); ``status`` (...) uint8, an `IKStatus` for the solve at weight 1, measured on its pose:
        as in `solve_fabrik`, and LIMITED where a limit is active and the target is missed; ``error`` (...), the
        distance of the returned last joint from its target. Rows with a number that is not finite (BAD_INPUT) keep
        their bits. The pose of the least error is returned. float32 if all arrays given are, else float64; computed in
        float64.

    Raises
    ------
    ValueError, TypeError
        As in `solve_fabrik` and `rotations_from_positions`; a weight out of its bounds.

    Notes
    -----
    With limits the search may end beside the target although another pose inside would reach it; status and error say
    so. Scale that differs between the axes inside of the chain changes the lengths of its bones as they turn: the pose
    may then miss, and says so (NOT_CONVERGED).

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
    pose = pose_arguments.pose_array(skeleton, local)
    goal, share = pose_arguments.vectors(target, "target"), pose_arguments.weights(weight)
    side = None if pole is None else pose_arguments.vectors(pole, "pole")
    lead = pose_arguments.leading_shape(
        local=pose.shape[:-3], target=goal.shape[:-1], weight=share.shape, pole=() if side is None else side.shape[:-1]
    )
    dtype = pose_arguments.common_dtype(local, target, pole, weight)
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
    return AppliedFabrik(result, np.asarray(_said(solved.status, reached, clamped, bad)), error)


def _points(skeleton: Skeleton, pose: Floats, joints: list[int]) -> Floats:
    """Return where the joints of the chain are, (..., len(joints), 3)."""
    with np.errstate(invalid="ignore", over="ignore"):
        return np.ascontiguousarray(forward_kinematics(skeleton, pose)[..., :3, 3][..., joints, :])


def _missed(skeleton: Skeleton, pose: Floats, joints: list[int], goal: Floats) -> Floats:
    """Return how far the end of the chain is from its goal."""
    with np.errstate(invalid="ignore"):
        ends = _points(skeleton, pose.astype(np.float64), joints)[..., -1, :]
        return np.asarray(np.linalg.norm(ends - goal, axis=-1))


def _reached(skeleton: Skeleton, pose: Floats, joints: list[int], goal: Floats, allowed: Floats) -> NDArray[np.bool_]:
    """Say whether the end of the chain is at its goal, but for rounding."""
    missed, largest = _missed(skeleton, pose, joints, goal), np.abs(goal).max(axis=-1)
    with np.errstate(invalid="ignore"):
        return np.asarray(missed <= allowed + 4 * np.finfo(pose.dtype).eps * (largest + allowed))


def _said(
    status: NDArray[np.uint8], reached: NDArray[np.bool_], clamped: NDArray[np.bool_], bad: NDArray[np.bool_]
) -> NDArray[np.uint8]:
    """Return the status of the whole solve, from that of its last step and what came of it."""
    said = np.where(status == IKStatus.REACHED, IKStatus.NOT_CONVERGED, status)
    said = np.where(clamped & (status != IKStatus.DEGENERATE), IKStatus.LIMITED, said)
    return np.where(bad, IKStatus.BAD_INPUT, np.where(reached, IKStatus.REACHED, said)).astype(np.uint8)


def _weighed(
    skeleton: Skeleton,
    pose: NDArray[Any],
    best: Floats,
    joints: list[int],
    share: Floats,
    bad: NDArray[np.bool_],
    dtype: np.dtype[Any],
) -> Floats:
    """Return the pose on its way to the best one, by a share of the turns in between."""
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
