# SPDX-License-Identifier: MIT
"""What was changed by hand in a planted pose, frame by frame, and the same change of another planted pose."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..._support.array_types import Floats
from ...ik import apply_two_bone
from ...kinematics.forward import forward_kinematics
from ...skeleton import Skeleton
from ...transforms import (
    decompose,
    quaternion_from_rotation_vector,
    quaternion_multiply,
    quaternion_to_matrix,
    quaternion_to_rotation_vector,
)
from .handles import angles_about, turn_between

Chain = tuple[int, int, int]

#: columns of a change: shift and turn of a joint (a rotation vector), and the turn of the knee about hip → ankle
_SHIFT, _TURN, _KNEE = slice(0, 3), slice(3, 6), 6
#: a knee that is nearer to the line from hip to ankle than this, of that line, has no side
_STRAIGHT = 1e-4
#: what is less, of the leg and in radians, is none: the rounding of single precision
_NONE = 2e-6


def changes(rest: Floats, before: Floats, after: Floats, carrier: int, chains: Sequence[Chain]) -> Floats:
    """Return what was changed between two poses of the same joints.

    Parameters
    ----------
    rest : (J, 4, 4) ndarray
        Global rest matrices.
    before, after : (F, J, 4, 4) ndarray
        Global matrices.
    carrier : int
        The joint that carries the body, above all chains.
    chains : sequence of three int
        Hip, knee and ankle of each of the L legs.

    Returns
    -------
    (F, 1 + L, 7) ndarray
        Of the carrier, then of each ankle: its shift, its turn as a rotation vector, and the knee's turn about hip →
        ankle beside that of the carrier. All are global but the last.
    """
    out = np.zeros((len(before), 1 + len(chains), 7))
    for row, joint in enumerate((carrier, *(chain[2] for chain in chains))):
        out[:, row, _SHIFT] = (after - before)[:, joint, :3, 3]
        turns = turn_between(decompose(before[:, joint])[1], decompose(after[:, joint])[1])
        out[:, row, _TURN] = quaternion_to_rotation_vector(turns)
    legs = np.linalg.norm(np.diff(rest[np.array(chains), :3, 3], axis=1), axis=2).sum(axis=1)
    for columns, bound in ((_SHIFT, _NONE * legs.mean()), (_TURN, _NONE)):
        out[abs(out[..., columns]).max(axis=2) < bound, columns] = 0.0
    for row, chain in enumerate(chains, 1):
        sides = [_sides(rest, pose, carrier, chain) for pose in (before, after)]
        turned = np.remainder(sides[1][0] - sides[0][0] + np.pi, 2.0 * np.pi) - np.pi
        bent = np.minimum(sides[0][1], sides[1][1])
        out[:, row, _KNEE] = np.where((bent > _STRAIGHT) & (abs(turned) * bent > _NONE), turned, 0.0)
    return out


def together(first: Floats, then: Floats) -> Floats:
    """Return changes (..., 7) that do what two do one after the other."""
    out = first + then
    turned = (quaternion_from_rotation_vector(change[..., _TURN]) for change in (then, first))
    out[..., _TURN] = quaternion_to_rotation_vector(quaternion_multiply(*turned))
    return out


def undone(change: Floats) -> Floats:
    """Return the changes (..., 7) that take others back."""
    return -change


def placed(matrices: Floats, change: Floats) -> Floats:
    """Return matrices (F, 4, 4) shifted and turned by changes (F, 7)."""
    out = np.array(matrices)
    out[:, :3, :3] = quaternion_to_matrix(quaternion_from_rotation_vector(change[:, _TURN])) @ out[:, :3, :3]
    out[:, :3, 3] += change[:, _SHIFT]
    return out


def with_changes(skeleton: Skeleton, local: Floats, change: Floats, carrier: int, chains: Sequence[Chain]) -> Floats:
    """Return local matrices (F, J, 4, 4) with changes (F, 1 + L, 7) made to them, each as `changes` found it.

    Where nothing else differs from the pose that the changes were found from, that is the pose they lead to. An ankle
    beyond the leg's reach is not reached: the straight leg points to where it would be.
    """
    body = change[:, 0].any(axis=1)
    out = np.array(local)
    planned = forward_kinematics(skeleton, local)
    parent = int(skeleton.parents[carrier])
    moved = placed(planned[body, carrier], change[body, 0])
    out[body, carrier] = moved if parent < 0 else np.linalg.inv(planned[body, parent]) @ moved
    for leg, chain in enumerate(chains, 1):
        rows = np.flatnonzero(body | change[:, leg].any(axis=1))
        if not len(rows):
            continue
        goal = placed(planned[rows, chain[2]], change[rows, leg])
        turned = decompose(goal)[1]
        solved = apply_two_bone(skeleton, out[rows], chain, goal[:, :3, 3], end_rotation=turned).local
        pose = forward_kinematics(skeleton, solved)
        rest = np.asarray(skeleton.rest_global)
        side, bent = _sides(rest, planned[rows], carrier, chain)
        twist = np.where(bent > _STRAIGHT, side + change[rows, leg, _KNEE] - _sides(rest, pose, carrier, chain)[0], 0.0)
        out[rows] = apply_two_bone(skeleton, solved, chain, pose[:, chain[2], :3, 3], twist=twist).local
    return out


def _sides(rest: Floats, pose: Floats, carrier: int, chain: Chain) -> tuple[Floats, Floats]:
    """Return at which angle about hip → ankle the knee is, and how far from that line, of its length; both (F,).

    Angles count from a side of the carrier, which the smallest turn from the line at rest to that in the pose carries
    along: so they say the same whatever way the leg has come.
    """
    at_rest = rest[list(chain), :3, 3]
    own = np.linalg.inv(rest[carrier, :3, :3])
    line = own @ (at_rest[2] - at_rest[0])
    first = np.eye(3)[abs(line).argmin()]
    turned = pose[:, carrier, :3, :3]
    hip, knee, ankle = (pose[:, joint, :3, 3] for joint in chain)
    start, end = _unit(turned @ line), _unit(ankle - hip)
    side = turned @ first
    side = _unit(side - (side * start).sum(1, keepdims=True) * start)
    bend = (side * end).sum(1, keepdims=True) / np.maximum(1.0 + (start * end).sum(1, keepdims=True), 1e-12)
    side = side - bend * (start + end)
    angles = angles_about(hip, hip + side, ankle, knee)
    off = np.linalg.norm(np.cross(knee - hip, end), axis=1) / np.maximum(np.linalg.norm(ankle - hip, axis=1), 1e-300)
    return angles, off


def _unit(vectors: Floats) -> Floats:
    return np.asarray(vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-300))
