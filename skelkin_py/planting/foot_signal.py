# SPDX-License-Identifier: MIT
"""What contact detection sees of a foot: height, speed and place of the point it rolls about."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .blend import frames_to_spans, lengths, low_pass, median, running_min, span_medians
from .foot import FootModel, LegTrack, rolls_on_heel, sole_points
from .stance import rolling_steps

__all__ = ["ENVELOPE", "FootSignal", "ball_path", "foot_signal", "path_smoothing", "standing_frames"]

Array = NDArray[np.float64]

ENVELOPE = 1.0  # s: half the window of the low envelope
_SMOOTH = 0.015  # s: low-pass of the sole's path before its speed is taken
_CALM = (0.08, 0.2)  # leg/s: where the path jitters it is smoothed further, until the jitter's own speed is that
_CALM_PART = 0.03  # of the clip's fast feet (95th percentile) between these bounds,
_SMOOTHEST = 0.08  # s: but not by more
_FEW = 0.1  # the part of a clip's frames in which feet are taken to move evenly, but for jitter
_TURNS_BACK = -0.5  # cosine between third differences of a path that is shaken by noise
_FIXED = 1e-7  # leg: a pivot that mostly moves by less per frame is held to rounding: the foot is planted already
_ROUNDED = 1e-6  # leg: and never by more; numbers of single precision jitter around the former
_NEARLY = 5e-5  # leg: and where it moves by less before or after: its sole is read a little otherwise than it was


@dataclass(frozen=True)
class FootSignal:
    """What contact detection sees of one foot.

    Parameters
    ----------
    height : (F,) float64
        Lower point of the sole along up, in leg lengths.
    velocity : (F, 3) float64
        Level velocity of the pivot, in leg lengths per second.
    climb : (F,) float64
        Speed of `height`, in leg lengths per second.
    hung : (F,) float64
        `height` above the hips, below 0.
    place : (F, 3) float64
        The pivot itself, in the clip's units.
    slips : (F − 1, 3) float64
        Level velocity of the pivot between frames, in leg lengths per second.
    raw : (F − 1, 3) float64
        The same without any smoothing, in leg lengths per frame.
    rises : (F − 1,) float64
        By how much the lower point of the sole rises from frame to frame, without any smoothing, in leg lengths.
    smoothing : float
        By how much the others are smoothed: the standard deviation of a Gaussian in seconds.
    """

    height: Array
    velocity: Array
    climb: Array
    hung: Array
    place: Array
    slips: Array
    raw: Array
    rises: Array
    smoothing: float

    def fixed(self, lift: float, ground_step: Array | None = None) -> NDArray[np.bool_]:
        """(F,) Where the pivot rests, to rounding, on a ground that goes `ground_step` (leg lengths) per frame.

        Such a clip was planted before, or made so. A foot that rises or falls by more than `lift` (leg lengths) per
        frame, be it straight up or down, does not stand.
        """
        relative = self.raw if ground_step is None else self.raw - ground_step
        return _without_steps(np.where(np.abs(self.rises) > lift, np.inf, lengths(relative)))

    @property
    def shake(self) -> float:
        """Deviation of white noise on the path, in leg lengths: 0 where its third differences do not alternate.

        Neighbours among those of white noise have a correlation of -3/4.
        """
        jerks = np.diff(self.raw, 2, axis=0)
        if len(jerks) < 4:
            return 0.0
        size = lengths(jerks)
        turns = np.einsum("fi,fi->f", jerks[1:], jerks[:-1]) / np.maximum(size[1:] * size[:-1], 1e-300)
        return _deviation(size) if median(turns) < _TURNS_BACK else 0.0

    def speed(self, ground_velocity: Array | None = None) -> Array:
        """(F,) Level speed of the pivot over a ground that moves at `ground_velocity` (leg lengths per second)."""
        relative = self.velocity if ground_velocity is None else self.velocity - ground_velocity
        return lengths(relative)


def _rate(path: Array, fps: float) -> Array:
    """Return the central difference per second; level for a single frame."""
    if len(path) < 2:
        return np.zeros_like(path)
    out = np.empty_like(path)
    np.subtract(path[2:], path[:-2], out=out[1:-1])
    out[1:-1] *= 0.5 * fps
    out[0], out[-1] = (path[1] - path[0]) * fps, (path[-1] - path[-2]) * fps
    return out


def ball_path(track: LegTrack) -> Array:
    """Return where the ball of the foot is (F, 3); the ankle, where it has none."""
    if track.ball is None:
        return track.ankle
    # One product for all frames: small products in long stacks cost by their number.
    return track.ankle + (track.foot.reshape(-1, 3) @ track.ball).reshape(-1, 3)


def _deviation(jerks: Array) -> float:
    """Return the deviation of white noise from the lengths of its third differences in an even path."""
    return float(np.quantile(jerks, _FEW) / (0.764 * 20.0**0.5))


def path_smoothing(track: LegTrack, fps: float) -> float:
    """Read from a foot's path by how much it has to be smoothed before its speed is taken.

    Returns standard deviation of a Gaussian in seconds, from 0.015 to 0.08.

    Notes
    -----
    Third differences of an even path are small, those of white noise of deviation s have one of s √20. Their length in
    space is below 0.764 of that in a tenth of the frames. Smoothed by a Gaussian of t seconds, the speed of the noise
    has a deviation of s / √(4 √π fps t³).
    """
    if len(track.ankle) < 8:
        return _SMOOTH
    path = ball_path(track) / track.length
    jitter = _deviation(lengths(np.diff(path, 3, axis=0)))
    fast = float(np.quantile(lengths(_rate(low_pass(path, _SMOOTH * fps), fps)), 0.95))
    calm = float(np.clip(_CALM_PART * fast, *_CALM))
    needed = (jitter**2 / (4.0 * np.pi**0.5 * fps * calm**2)) ** (1.0 / 3.0)
    return float(np.clip(needed, _SMOOTH, _SMOOTHEST))


def standing_frames(track: LegTrack, up: Array, fps: float, smoothing: float) -> NDArray[np.bool_]:
    """Guess the frames in which a foot stands flat, before its sole is known.

    Low for its own surroundings, neither rising nor falling, at ankle and ball. `smoothing`: of its `path_smoothing`.
    Returns (F,): at least one frame.
    """
    joints = [track.ankle] if track.ball is None else [track.ankle, ball_path(track)]
    half = max(1, round(ENVELOPE * fps))
    smooth = smoothing * fps
    calm = np.ones(len(track.ankle), dtype=np.bool_)
    total = np.zeros(len(track.ankle))
    for joint in joints:
        height = low_pass(joint @ up, smooth) / track.length
        calm &= (np.abs(_rate(height, fps)) < 0.25) & (height - running_min(height, half) < 0.03)
        total += height
    if not calm.any():
        calm = total <= np.quantile(total, 0.1)
    return calm


def foot_signal(track: LegTrack, model: FootModel, up: Array, fps: float, smoothing: float) -> FootSignal:
    """Compute height and speed of the sole.

    `smoothing`: what `path_smoothing` gives for the track, or the clip of which it is a part. Returns height, velocity
    and place of the pivot.
    """
    back, ball = sole_points(track, model, up)
    raw = rolling_steps(back, ball, up) / track.length
    rises = np.diff(np.minimum(back @ up, ball @ up)) / track.length
    heel, ball = (low_pass(p, smoothing * fps) for p in (back, ball))
    on_heel = rolls_on_heel(heel, ball, up)[:, None]
    velocity = np.where(on_heel, _rate(heel, fps), _rate(ball, fps)) / track.length
    height = np.minimum(heel @ up, ball @ up) / track.length
    slips = rolling_steps(heel, ball, up) * (fps / track.length)
    level = velocity - (velocity @ up)[:, None] * up
    hung = height - track.hip @ up / track.length
    place, climb = np.where(on_heel, heel, ball), _rate(height, fps)
    return FootSignal(height, level, climb, hung, place, slips, raw, rises, smoothing)


def _without_steps(steps: Array) -> NDArray[np.bool_]:
    """(F,) Whether there is no step, to rounding, into a frame or out of it."""
    none = np.zeros(len(steps) + 1, dtype=np.bool_)
    small = frames_to_spans(steps < _ROUNDED)
    for (first, last), middle in zip(small, span_medians(steps, small), strict=True):
        # As a whole or not at all: in pieces, jitter would make many contacts of one.
        none[first : last + 2] = middle < _FIXED
    for first, last in frames_to_spans(steps < _NEARLY):
        none[first : last + 2] |= none[first : last + 2].any()
    return none
