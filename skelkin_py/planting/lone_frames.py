# SPDX-License-Identifier: MIT
"""Lone frames: a pose before the motion or after it, or a few wrong frames within it, between jumps of the capture."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from .blend import Span, frames_to_nearest, frames_to_spans
from .foot import LegTrack

__all__ = ["cut_beside", "lone_frames", "without_lone"]

Array = NDArray[np.float64]
Flags = NDArray[np.bool_]

_LONGEST, _FEW = 0.1, 3  # s, frames: more than both are a motion of their own
_OFF = 0.05  # leg: so far at least are all joints of the legs from where their motion leads, in the mean,
_HALF_OFF = 0.01  # leg: and so far half of them: a kick moves one leg alone,
_THROWN = 100.0  # leg/s²: and further than this acceleration takes a body from frame to frame,
_TIMES = 4.0  # and than so often what it is off elsewhere, in nine tenths of the frames
_AROUND = 0.5  # s: of as much time beside the jump


def lone_frames(tracks: Sequence[LegTrack], fps: float) -> Flags:
    """(F,) The frames that no motion leads into or out of: few, before or after a jump or between two, of legs (K)."""
    num, length = len(tracks[0].hip), float(np.mean([track.length for track in tracks]))
    out = np.zeros(num, dtype=np.bool_)
    points = np.stack([joint for track in tracks for joint in (track.hip, track.knee, track.ankle)])
    second = np.diff(points, 2, axis=1)
    least = max(_HALF_OFF, _THROWN / fps**2)
    size = np.einsum("jfi,jfi->jf", second, second)
    if num < 5 or (size > (least * length) ** 2).sum(axis=0).max(initial=0) < 0.5 * len(points):
        return out  # nearly always
    off = np.zeros(num)
    off[1:-1] = np.sqrt(np.median(size, axis=0)) / length
    mean = np.zeros(num)
    mean[1:-1] = np.sqrt(size).mean(axis=0) / length
    jumps = np.flatnonzero((off > least) & (mean > _OFF))
    after, before = _jumps(off, jumps, fps), num - 1 - _jumps(off[::-1], num - 1 - jumps, fps)
    most = max(_FEW, round(_LONGEST * fps))
    out[: max((n for n in after if n <= min(most, num // 2)), default=0)] = True
    out[min((n for n in before if n >= num - 1 - min(most, num // 2)), default=num) + 1 :] = True
    for a in before:
        for b in after[(after > a + 1) & (after <= a + most + 1)]:
            steps = points[:, a] - points[:, a - 1] + points[:, b + 1] - points[:, b]
            missed = points[:, b] - points[:, a] - 0.5 * (b - a) * steps
            if np.median(np.linalg.norm(missed, axis=1)) < min(off[a], off[b]) * length / _TIMES:
                out[a + 1 : b] = True
                break
    return out


def _jumps(off: Array, jumps: NDArray[np.intp], fps: float) -> NDArray[np.intp]:
    """Return those of the frames `jumps` after which nothing else is as far `off` from where its neighbours lead."""
    near = max(3, round(_AROUND * fps))
    beside = {n: off[n + 1 : n + 1 + near] for n in jumps if n + 3 < len(off)}
    return np.array([n for n, own in beside.items() if off[n] > _TIMES * np.quantile(own, 0.9)], dtype=np.intp)


def without_lone(local: Array, alone: Flags) -> Array:
    """Return local matrices (F, S, 4, 4) in which lone frames have the pose of the nearest frame of the motion."""
    real = np.flatnonzero(~alone)
    nearest = np.interp(np.arange(len(alone)), real, np.arange(len(real))).round().astype(np.intp)
    return np.asarray(local[real[nearest]])


def cut_beside(contacts: list[list[Span]], alone: Flags, window: int) -> list[list[Span]]:
    """Cut contacts to the frames further than `window` from lone ones; of a longer one a single frame is no contact."""
    if not alone.any():
        return contacts
    far = frames_to_nearest(alone) > window
    pieces = [[(a, b, frames_to_spans(far[a : b + 1])) for a, b in spans] for spans in contacts]
    return [[(a + c, a + d) for a, b, own in spans for c, d in own if d > c or a == b] for spans in pieces]
