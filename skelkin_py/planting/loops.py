# SPDX-License-Identifier: MIT
"""Loops: clips whose last pose is the first, in place or carried on by a displacement and a turn.

A loop is planted as a piece of the endless motion: periods are put before and after it, so that contacts, blends
and all smoothing go on across the seam, and the middle is cut out again.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..kinematics import forward_kinematics
from .blend import Span
from .foot import FootModel, LegTrack
from .leg_tracks import Subset
from .settings import Settings
from .stance import Hold, rolling_steps, turned_foot

__all__ = ["Loop", "find_loop", "loop_of"]

Array = NDArray[np.float64]

_RECOGNISED = 1e-3  # leg: a clip is taken for a loop where its last pose is this near to the first
_GIVEN = 0.03  # leg: and may be called one where it is this near
_BUMP = 2.0  # in a loop the speed changes at the seam by no more than this multiple of its greatest change inside,
_EVEN = 1e-3  # leg: or by this per frame
_MOVING = 1e-6  # leg: a clip that moves by less is a still picture
_AROUND = (3.0, 20.0)  # s: at least and at most that is put before and after, else a period
_SAME = 1e-9  # a matrix that differs by less is not written again


@dataclass(frozen=True)
class Loop:
    """How a clip goes on where it ends.

    Frames of the unrolled motion are counted from its own first one; `margin` is the clip's first.

    Parameters
    ----------
    period : int
        Frames from the first pose to its return: one less than the clip has.
    margin : int
        Frames put before the clip, and after it.
    travel : (4, 4) float64
        Carries the first pose onto the last: a turn about up and a level displacement.
    gap : float
        How far a point of a leg is then from where it was, at most, in leg lengths.
    """

    period: int
    margin: int
    travel: Array
    gap: float

    @property
    def travels(self) -> bool:
        """Whether it does not come back to where it began."""
        return not np.array_equal(self.travel, np.eye(4))

    @property
    def turns(self) -> bool:
        """Whether it comes back looking to another side."""
        return not np.array_equal(self.travel[:3, :3], np.eye(3))

    @property
    def num_frames(self) -> int:
        """Frames of the unrolled motion."""
        return self.period + 1 + 2 * self.margin

    @property
    def middle(self) -> slice:
        """The clip's frames in the unrolled motion."""
        return slice(self.margin, self.margin + self.period + 1)

    def unroll(self, local: Array, roots: Sequence[int]) -> Array:
        """Return local matrices with periods before and after; all but the roots' come again as they are."""
        turn, frame = np.divmod(np.arange(self.num_frames) - self.margin, self.period)
        out = local[frame]
        if self.travels:
            powers = {int(k): np.linalg.matrix_power(self.travel, int(k)) for k in np.unique(turn)}
            carried = np.stack([powers[int(k)] for k in turn])
            for root in roots:
                out[:, root] = np.where((turn == 0)[:, None, None], out[:, root], carried @ out[:, root])
        return out

    def unroll_spans(self, spans: Sequence[Span]) -> list[Span]:
        """Return the clip's spans in the unrolled motion; what touches both ends of the clip is one."""
        spans = [(a + self.margin, b + self.margin) for a, b in spans]
        first, last = self.margin, self.margin + self.period
        if len(spans) > 1 and spans[0][0] == first and spans[-1][1] == last:
            whole = (spans[-1][0], spans[0][1] + self.period)
            # The last pose is the first once more: what stands in it alone begins with the clip.
            spans = spans[:-1] if whole[0] == last else [*spans[1:-1], whole]
        return self.repeat(spans)

    def repeat(self, spans: Sequence[Span]) -> list[Span]:
        """Return the spans that begin in the clip's period once in every period; cut at the ends."""
        if any(b - a >= self.period for a, b in spans):
            return [(0, self.num_frames - 1)]
        own = [(a, b) for a, b in spans if self.margin <= a < self.margin + self.period]
        if not own:
            return []
        own[-1] = (own[-1][0], min(own[-1][1], own[0][0] + self.period - 1))
        rounds = self.margin // self.period + 1
        moved = [(a + k * self.period, b + k * self.period) for k in range(-rounds, rounds + 1) for a, b in own]
        cut = [(max(a, 0), min(b, self.num_frames - 1)) for a, b in moved]
        return [(a, b) for a, b in cut if a < b]

    def roll_up(self, spans: Sequence[Span]) -> list[tuple[Span, int]]:
        """Return the clip's part of spans of the unrolled motion, each with the number of the span it comes from.

        A span that goes on across the seam is there twice, at the clip's end and at its beginning.
        """
        inside = [(max(a - self.margin, 0), min(b - self.margin, self.period)) for a, b in spans]
        return [(span, number) for number, span in enumerate(inside) if span[0] <= span[1]]

    def creep(self, track: LegTrack, model: FootModel, hold: Hold, up: Array) -> Array:
        """Return the step per frame with which a foot that never leaves the ground comes back to where it began.

        Rolling and turning feet come back a little beside it: that is spread over the period.
        """
        _, ball, back = model.outline(turned_foot(track, hold.turn), up)
        steps = rolling_steps(back, ball, up)[self.margin : self.margin + self.period].sum(axis=0)
        return np.asarray((steps + self.travel[:3, 3]) / self.period)

    def roll_up_motion(
        self, subset: Subset, local: Array, planted: Array, joints: Iterable[int], length: float
    ) -> Array:
        """Return the clip's part of planted local matrices, its last pose the first again.

        Parameters
        ----------
        subset : Subset
            The joints.
        local : (F, S, 4, 4) float64
            The clip as it was; what differs by rounding alone is taken from it.
        planted : (N, S, 4, 4) float64
            The unrolled motion, planted.
        joints : iterable of int
            Those that changed.
        length : float
            Leg length.

        Returns
        -------
        (F, S, 4, 4) float64
            The planted clip.
        """
        out: Array = planted[self.middle].copy()
        out[-1] = local[-1]
        skeleton = subset.skeleton
        uppers = {leg.chain[0] for leg in subset.legs}
        tops = uppers if subset.mover is None else {subset.mover}
        begin = forward_kinematics(skeleton, out[0])
        end = forward_kinematics(skeleton, out[-1])
        for joint in sorted({*joints, *tops, *(j for leg in subset.legs for j in leg.chain)}):
            new = out[0, joint]
            if joint in tops:
                # In space: what is above it may have travelled, or rest while it travels.
                parent = int(skeleton.parents[joint])
                carried = self.travel @ begin[joint]
                new = carried if parent < 0 else np.linalg.solve(end[parent], carried)
            apart, old = np.abs(new - local[-1, joint]), np.abs(local[-1, joint, :3, :3]).max()
            if apart[:3, :3].max() > _SAME * old or apart[:3, 3].max() > _SAME * length:
                out[-1, joint] = new
        return out


def loop_of(tracks: Sequence[LegTrack], up: Array, fps: float, settings: Settings) -> Loop | None:
    """Return the loop that is to be kept closed, if there is one.

    Parameters
    ----------
    tracks : sequence of LegTrack
        The legs' motion.
    up : (3,) float64
        Unit vector.
    fps : float
        Frames per second.
    settings : Settings
        The options.

    Returns
    -------
    Loop or None
        None where nothing closes.

    Raises
    ------
    ValueError
        The clip is said to be a loop and cannot be kept closed.
    """
    num = len(tracks[0].hip)
    if settings.loop is False:
        return None
    given = settings.loop is True
    whole = settings.frames == (0, num - 1)
    if not (given or (whole and settings.contacts != "never")):
        return None
    if not whole:
        raise ValueError(f"loop=True with frames={settings.frames}: only the whole clip, (0, {num - 1}), is closed")
    loop, gap = find_loop(tracks, up, fps, given)
    why = ""
    if loop is None:
        why = f"the legs of its last pose are {gap:.3g} leg lengths from those of its first, more than {_GIVEN:g}"
    elif loop.travels and settings.ground is not None and settings.ground.level is None:
        why = "it comes back to another place, where the ground need not be the same: a level one is needed"
    elif settings.ground is not None and settings.ground.moves:
        why = "the ground moves, and need not come back to where it was"
    elif loop.turns and settings.ground_velocity is not None:
        why = "it turns, and a ground that moves in one direction does not turn with it"
    if given and why:
        raise ValueError(f"loop=True, but the clip cannot be one: {why}")
    return None if why else loop


def find_loop(tracks: Sequence[LegTrack], up: Array, fps: float, given: bool) -> tuple[Loop | None, float]:
    """Recognise a loop.

    Parameters
    ----------
    tracks : sequence of LegTrack
        The legs' motion.
    up : (3,) float64
        Unit vector.
    fps : float
        Frames per second.
    given : bool
        Whether the clip is said to be one: then its last pose need not be as near to the first.

    Returns
    -------
    loop : Loop or None
        None where the clip is none.
    gap : float
        How far the last pose is from the first, carried on, in leg lengths.
    """
    length = float(np.mean([t.length for t in tracks]))
    period = len(tracks[0].hip) - 1
    if period < 3:
        return None, np.inf
    near = _GIVEN if given else _RECOGNISED
    ends = _points(tracks, [0, -1])
    travel = np.eye(4)
    gap = _gap(ends, travel) / length
    if gap > near:
        travel = _travel(np.stack([t.hip[[0, -1]] for t in tracks], axis=1), ends, up)
        gap = _gap(ends, travel) / length
    if gap > near or not (given or _even(_points(tracks, slice(None)), travel, length)):
        return None, gap
    shortest, longest = (round(seconds * fps) for seconds in _AROUND)
    return Loop(period, max(shortest, min(period, longest)), travel, gap), gap


def _points(tracks: Sequence[LegTrack], rows: slice | list[int]) -> Array:
    """(rows, 6 per leg, 3) Places that tell a leg's pose: its joints, and three of the foot's that tell its turn."""
    out = []
    for track in tracks:
        ankle, foot = track.ankle[rows, None], track.foot[rows]
        size = np.maximum(np.linalg.norm(foot, axis=1, keepdims=True), 1e-300)
        axes = np.swapaxes(foot / size, 1, 2) * (0.2 * track.length)
        out += [track.hip[rows, None], track.knee[rows, None], ankle, ankle + axes]
    return np.concatenate(out, axis=1)


def _travel(hips: Array, points: Array, up: Array) -> Array:
    """Return the turn about up and the level displacement that carry the first hips (or all points) onto the last."""
    spread = hips - hips.mean(axis=1, keepdims=True)
    spread -= (spread @ up)[..., None] * up
    if np.linalg.norm(spread[0]) < 1e-3 * np.linalg.norm(points[0] - points[0].mean(axis=0)):
        hips, spread = points, points - points.mean(axis=1, keepdims=True)
        spread = spread - (spread @ up)[..., None] * up
    sine, cosine = float((np.cross(spread[0], spread[1]) @ up).sum()), float((spread[0] * spread[1]).sum())
    angle = np.arctan2(sine, cosine)
    cross = np.array([[0.0, -up[2], up[1]], [up[2], 0.0, -up[0]], [-up[1], up[0], 0.0]])
    out = np.eye(4)
    if abs(angle) > 1e-9:
        out[:3, :3] += np.sin(angle) * cross + (1.0 - np.cos(angle)) * (cross @ cross)
    moved = hips[1].mean(axis=0) - out[:3, :3] @ hips[0].mean(axis=0)
    out[:3, 3] = moved - (moved @ up) * up
    return out


def _carried(points: Array, travel: Array) -> Array:
    return np.asarray(points @ travel[:3, :3].T + travel[:3, 3])


def _gap(points: Array, travel: Array) -> float:
    """Return how far any point is in the last frame from where it is in the first, carried on."""
    return float(np.linalg.norm(_carried(points[0], travel) - points[-1], axis=-1).max())


def _even(points: Array, travel: Array, length: float) -> bool:
    """Whether there is motion, and it goes on across the seam as evenly as it goes inside."""
    if np.abs(points - points[0]).max() <= _MOVING * length:
        return False
    inside = np.linalg.norm(points[2:] - 2.0 * points[1:-1] + points[:-2], axis=-1).max()
    seam = np.linalg.norm(_carried(points[1], travel) - 2.0 * points[-1] + points[-2], axis=-1).max()
    return bool(seam <= _BUMP * inside + _EVEN * length)
