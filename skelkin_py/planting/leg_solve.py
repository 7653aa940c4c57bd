# SPDX-License-Identifier: MIT
"""From planned ankles to joint matrices: the body's shift, the foot's turn, two-bone IK for each leg."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from ..ik import apply_two_bone
from .blend import low_pass, smoothstep
from .foot import LegTrack
from .foot_paths import FootPaths
from .leg_tracks import Subset
from .stance import turn_matrices

__all__ = ["bend_directions", "changed_rows", "solve_legs", "usual_bend"]

Array = NDArray[np.float64]


def bend_directions(track: LegTrack, upper: Array, change: Array, fps: float, usual: Array | None = None) -> Array:
    """Return, per frame, the side to which the knee goes.

    Where the knee is clearly bent, that is the side where it is. Where it is nearly straight its side says
    little and jumps about: there the bends of the frames around, carried along in the thigh's own frame,
    decide, and where there are none the mean bend of the clip.

    Parameters
    ----------
    track : LegTrack
        The leg's motion.
    upper : (F, 3, 3) float64
        Linear part of the thigh's global matrix.
    change : (F,) float64
        How far the ankle is moved relative to the hip, in leg lengths.
    fps : float
        Frames per second.
    usual : (3,) float64, optional
        `usual_bend` of the clip of which this is a part; by default of the motion given.

    Returns
    -------
    (F, 3) float64
        Directions in global space; zero where the leg never bends.
    """
    side, own = _sides(track, upper)
    bent = np.linalg.norm(side, axis=1)
    around = low_pass(own, 0.1 * fps) + 1e-3 * (own.mean(axis=0) if usual is None else usual)
    around = (upper @ around[..., None])[..., 0]
    length = np.linalg.norm(around, axis=1)
    # Frames that hardly change keep their own side, so that corrections fade in and out without a twist.
    trust = smoothstep((bent - 0.02) / 0.06)
    trust = np.maximum(trust, (1.0 - smoothstep(change / 0.01)) * smoothstep(bent / 0.002))
    trust = np.where(length > 0.0, trust, 1.0)[:, None]
    away = around / np.maximum(length, 1e-300)[:, None]
    return np.asarray(trust * side / np.maximum(bent, 1e-300)[:, None] + (1.0 - trust) * away)


def _sides(track: LegTrack, upper: Array) -> tuple[Array, Array]:
    """Return how far the knee is off the line from hip to ankle, in leg lengths: in space and in the thigh's frame."""
    line = track.ankle - track.hip
    to_knee = track.knee - track.hip
    along = np.einsum("fi,fi->f", to_knee, line) / np.maximum(np.einsum("fi,fi->f", line, line), 1e-300)
    side = (to_knee - along[:, None] * line) / track.length
    return side, np.asarray(np.linalg.solve(upper, side[..., None])[..., 0])


def usual_bend(track: LegTrack, upper: Array) -> Array:
    """Return to which side a knee bends on average.

    Parameters
    ----------
    track, upper
        As in `bend_directions`.

    Returns
    -------
    (3,) float64
        In the thigh's own frame, in leg lengths.
    """
    return np.asarray(_sides(track, upper)[1].mean(axis=0))


def changed_rows(before: Array, after: Array, joints: Iterable[int]) -> dict[int, NDArray[np.intp]]:
    """Return, per joint that changed, the frames in which it did.

    Parameters
    ----------
    before, after : (F, S, 4, 4) float64
        Local matrices.
    joints : iterable of int
        Those that may have changed.

    Returns
    -------
    dict joint → (n,) int
        Rising frames.
    """
    rows = {int(j): np.flatnonzero((after[:, j] != before[:, j]).any(axis=(1, 2))) for j in joints}
    return {joint: own for joint, own in rows.items() if own.size}


def solve_legs(
    subset: Subset,
    local: Array,
    matrices: Array,
    tracks: list[LegTrack],
    paths: FootPaths,
    fps: float,
    stretch: float,
    bends: Sequence[Array | None] | None = None,
) -> tuple[Array, dict[int, NDArray[np.intp]], Array]:
    """Apply planned paths to the local matrices.

    Parameters
    ----------
    subset : Subset
        The joints.
    local, matrices : (F, S, 4, 4) float64
        Their local and global matrices before.
    tracks : list of LegTrack
        The legs' motion before.
    paths : FootPaths
        Where ankles and body have to go.
    fps : float
        Frames per second.
    stretch : float
        Largest factor by which bones may lengthen.
    bends : sequence of (3,) float64, optional
        Per leg `usual_bend` of the clip of which this is a part.

    Returns
    -------
    local : (F, S, 4, 4) float64
        The planted local matrices.
    changed : dict joint → (n,) int
        The rows that differ from the input.
    errors : (F, C) float64
        Distance of every ankle from its target.
    """
    pose = local.copy()
    parents = subset.skeleton.parents
    if subset.mover is not None and (rows := np.flatnonzero(paths.body.any(axis=1))).size:
        shift: Array = paths.body[rows]
        joint = int(parents[subset.mover])
        if joint >= 0:
            shift = np.asarray(np.linalg.solve(matrices[rows, joint, :3, :3], shift[..., None])[..., 0])
        pose[rows, subset.mover, :3, 3] += shift
    for leg, turn in zip(subset.legs, paths.turns, strict=True):
        rows = np.flatnonzero(turn.any(axis=1))
        if rows.size:
            # The solve keeps the foot's rotation as it finds it, so that the turn is put in before.
            above = matrices[rows, int(parents[leg.chain[2]]), :3, :3]
            turned = turn_matrices(turn[rows]) @ matrices[rows, leg.chain[2], :3, :3]
            pose[rows, leg.chain[2], :3, :3] = np.linalg.solve(above, turned)
    sides = []
    for k, (leg, track, target) in enumerate(zip(subset.legs, tracks, paths.targets, strict=True)):
        change = np.linalg.norm(target - track.ankle - paths.body, axis=1) / track.length
        usual = None if bends is None else bends[k]
        sides.append(bend_directions(track, matrices[:, leg.chain[0], :3, :3], change, fps, usual))
    poles = np.stack(sides, axis=1)
    solved = apply_two_bone(
        subset.skeleton,
        pose,
        [leg.chain for leg in subset.legs],
        np.stack(paths.targets, axis=1),
        pole_direction=poles if (np.linalg.norm(poles, axis=-1) > 0.0).all() else None,
        roll="minimal",  # a nearly straight leg has no plane to carry along: no twist is put into the thigh
        stretch=stretch,
        weight=np.stack(paths.changed, axis=1).astype(np.float64),
        end_rotation="keep_global",
    )
    movers = set() if subset.mover is None else {subset.mover}
    changed = changed_rows(local, solved.local, {j for leg in subset.legs for j in leg.chain} | movers)
    errors = np.where(np.stack(paths.changed, axis=1), solved.error, 0.0)
    return solved.local, changed, errors
