# SPDX-License-Identifier: MIT
"""Single-frame jumps of a captured body, which a pinned foot turns into jumps of the knee: the body takes them back.

While a foot slides along with every jump of the hips its knee does not notice; once the foot is held, thigh and shin
have to bridge the jump. What is sharp in a held leg's reach and was not before is shared between the body's place
and the knees, by least squares over all standing legs and the body's own sharp part: the body becomes calmer too.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from .blend import hold_between, lengths, low_pass, median, running_max, smoothstep
from .foot import LegTrack
from .metrics import pop_bound

__all__ = ["MOST", "acceleration", "added_acceleration", "jumps_taken"]

Array = NDArray[np.float64]

_SHARP = 0.02  # s: what a Gaussian this wide takes away is sharp
_LEAST = 0.25  # of what makes a pop: from here on a knee's sharp part is taken back
_NEAR = 0.03  # s: the body is steadied this long around it
_CALM = 0.15  # what the body's own jumps count beside those of the knees
MOST = 0.005  # leg: the body is moved by no more than this
_TRIES = 40
_STRAIGHTEST = 0.01  # squared sine of a knee that is as good as straight


def acceleration(path: Array, fps: float) -> Array:
    """Return the length of a path's second difference per s², in every frame; 0 in the first and the last.

    Parameters
    ----------
    path : (F,) or (F, 3) float64
        Heights, or places.
    fps : float
        Frames per second.

    Returns
    -------
    (F,) float64
        Accelerations in the path's units.

    Examples
    --------
    >>> acceleration(np.array([0.0, 0.0, 1.0, 3.0]), 2.0).tolist()
    [0.0, 4.0, 4.0, 0.0]
    """
    out = np.zeros(len(path))
    if len(path) > 2:
        steps = path[1:] - path[:-1]
        change = steps[1:] - steps[:-1]
        out[1:-1] = (np.abs(change) if change.ndim == 1 else lengths(change)) * fps**2
    return out


def added_acceleration(before: Array, shift: Array, fps: float) -> float:
    """Return by how much a shift makes a path's acceleration greater, at worst.

    Parameters
    ----------
    before, shift : (F, 3) float64
        The path, and what is added to it.
    fps : float
        Frames per second.

    Returns
    -------
    float
        ≥ 0, in the path's units per s².
    """
    return float((acceleration(before + shift, fps) - acceleration(before, fps)).max(initial=0.0))


def _knee_per_reach(track: LegTrack, far: Array) -> Array:
    """(F,) Radians by which the knee opens per length by which the ankle gets away from the hip."""
    thigh, shin = (median(lengths(p - track.knee)) for p in (track.hip, track.ankle))
    cosine = (thigh * thigh + shin * shin - far * far) / (2.0 * thigh * shin)
    return np.asarray(far / (thigh * shin * np.sqrt(np.clip(1.0 - cosine * cosine, _STRAIGHTEST, 1.0))))


def _sharp(values: Array, fps: float) -> Array:
    return values - low_pass(values, _SHARP * fps)


def jumps_taken(
    tracks: Sequence[LegTrack],
    ankles: Sequence[Array],
    standing: Sequence[NDArray[np.bool_]],
    body: Array,
    shift: Array,
    fps: float,
    most: float,
    pops: Sequence[float | None],
) -> Array:
    """Return how the body is moved in single frames, so that knees of standing legs do not pop.

    Parameters
    ----------
    tracks : sequence of LegTrack
        Original motion.
    ankles : sequence of (F, 3) float64
        Where the ankles have to be; read where they stand.
    standing : sequence of (F,) bool
        Per leg, the frames of its contacts.
    body : (F, 3) float64
        The original path of the joint that carries the body.
    shift : (F, 3) float64
        How it is moved already.
    fps : float
        Frames per second.
    most : float
        By how much the body's acceleration may become greater, in the clip's units per s².
    pops : sequence of (float or None)
        Per leg, from which jump on of its angular speed a knee pops, in degrees per second; None to read it from
        `tracks`.

    Returns
    -------
    (F, 3) float64
        At most 0.005 leg lengths long; zero away from jumps, and where no foot stands.

    Notes
    -----
    Kovar, Schreiner and Gleicher, *Footskate Cleanup for Motion Capture Editing*, 2002, place the root before the
    legs for the same reason and smooth it over time; to move it in the frame of a jump only, and within a bound on
    its acceleration, is our own.
    """
    num, length = len(body), float(np.mean([t.length for t in tracks]))
    out = np.zeros((num, 3))
    if num < 3:
        return out
    jumps, lines, worst = [], [], np.zeros(num)
    for track, ankle, stands, pop in zip(tracks, ankles, standing, pops, strict=True):
        bound = pop_bound(track.knee_angle, fps) if pop is None else pop
        line = track.hip + shift - ankle
        far, old = np.maximum(lengths(line), 1e-300), track.extension * track.length
        # What the leg's own motion had already, or what planting makes smoother, is no jump.
        change = hold_between(far - old, stands) if stands.any() else far - old
        more, new = _sharp(change, fps), _sharp(old + change, fps)
        shared = np.where(more * new > 0.0, np.sign(new) * np.minimum(np.abs(more), np.abs(new)), 0.0)
        jumps.append(np.where(stands, shared, 0.0))
        turn = np.degrees(np.abs(jumps[-1]) * _knee_per_reach(track, far))
        np.maximum(worst, turn / (_LEAST * bound / fps), out=worst)
        lines.append((line, stands / far))
    if not worst.max() > 1.0:
        return out
    gate = low_pass(smoothstep(running_max(worst, round(_NEAR * fps)) - 1.0), _NEAR / 3.0 * fps)
    rows = np.flatnonzero((gate > 0.0) & np.any(standing, axis=0))
    if not rows.size:
        return out
    directions = [line[rows] * per_length[rows, None] for line, per_length in lines]
    normal = _CALM * np.eye(3) + sum(n[:, :, None] * n[:, None, :] for n in directions)
    right = -_CALM * _sharp(body + shift, fps)[rows]
    right -= sum(e[rows, None] * n for e, n in zip(jumps, directions, strict=True))
    back = gate[rows, None] * np.linalg.solve(normal, right[..., None])[..., 0]
    out[rows] = back * np.minimum(1.0, MOST * length / np.maximum(lengths(back), 1e-300))[:, None]
    return _bounded(body + shift, out, fps, most)


def _bounded(path: Array, shift: Array, fps: float, most: float) -> Array:
    """Make a shift smaller wherever it adds more than `most` to the path's acceleration."""
    known = acceleration(path, fps)
    for _ in range(_TRIES):
        over = acceleration(path + shift, fps) - known > most
        if not over.any():
            return shift
        shift = shift * (1.0 - 0.3 * low_pass(running_max(over.astype(np.float64), 1), 0.6))[:, None]
    return np.zeros_like(shift)
