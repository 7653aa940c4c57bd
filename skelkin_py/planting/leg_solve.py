# SPDX-License-Identifier: MIT
"""From planned ankles to joint matrices: the body's shift, the foot's turn, two-bone IK for each leg."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from .. import _core
from ..ik import apply_two_bone
from ..kinematics import forward_kinematics
from .foot import LegTrack
from .foot_paths import FootPaths
from .joint_motion import frame_blocks
from .leg_tracks import Subset

__all__ = ["changed_rows", "solve_legs"]

Array = NDArray[np.float64]


def changed_rows(before: Array, after: Array, joints: Iterable[int]) -> dict[int, NDArray[np.intp]]:
    """Return, per joint that changed, the frames in which it did.

    `before`, `after` (F, S, 4, 4): local matrices. `joints`: those that may have changed.
    """
    rows = {int(j): np.flatnonzero(_core.changed_frames(before, after, j)) for j in joints}
    return {joint: own for joint, own in rows.items() if own.size}


def solve_legs(
    subset: Subset,
    local: Array,
    tracks: list[LegTrack],
    paths: FootPaths,
    stretch: float,
) -> tuple[Array, dict[int, NDArray[np.intp]], Array]:
    """Apply planned paths to the local matrices.

    `local` (F, S, 4, 4): their local matrices before. `tracks`: the legs' motion before. `paths`: where ankles and body
    have to go. `stretch`: largest factor by which bones may lengthen. Returns `local` (F, S, 4, 4): the planted local
    matrices; `changed`: the rows that differ from the input; `errors` (F, C): distance of every ankle from its target.
    """
    targets, free = np.stack(paths.targets, axis=1), np.stack(paths.changed, axis=1)
    chains, hinges = [leg.chain for leg in subset.legs], np.stack([track.hinge for track in tracks])
    planted, errors = np.empty_like(local), np.empty(free.shape)
    for own in frame_blocks(len(local)):
        solved = apply_two_bone(
            subset.skeleton,
            _prepared(subset, local[own], paths, own),
            chains,
            targets[own],
            hinge=hinges,
            roll="minimal",  # a nearly straight leg has no plane to carry along: no twist is put into the thigh
            stretch=stretch,
            weight=free[own].astype(np.float64),
            end_rotation="keep_global",
            out=planted[own],
        )
        errors[own] = np.where(free[own], solved.error, 0.0)
    np.maximum(errors, np.stack(paths.missed, axis=1), out=errors)
    movers = set() if subset.mover is None else {subset.mover}
    changed = changed_rows(local, planted, {j for leg in subset.legs for j in leg.chain} | movers)
    return planted, changed, errors


def _prepared(subset: Subset, local: Array, paths: FootPaths, own: slice) -> Array:
    """Return the pose that is solved: the body shifted, and the feet turned, as the solve keeps their rotation."""
    pose: Array = local.copy()
    parents = subset.skeleton.parents
    matrices = forward_kinematics(subset.skeleton, local)
    if subset.mover is not None and paths.body[own].any():
        shift, above = paths.body[own], int(parents[subset.mover])
        if above >= 0:
            axes = np.ascontiguousarray(matrices[:, above, :3, :3])
            shift, _ = _core.seen_from(axes, np.zeros_like(shift), shift)
        pose[:, subset.mover, :3, 3] += shift
    for leg, turn in zip(subset.legs, paths.turns, strict=True):
        _core.turn_ends(turn[own], matrices, pose, leg.chain[2], int(parents[leg.chain[2]]))
    return pose
