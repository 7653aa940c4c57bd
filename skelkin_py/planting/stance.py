# SPDX-License-Identifier: MIT
"""How a standing foot turns: held where it is flat, rolling about heel or ball elsewhere.

Within a contact the foot's own rotation is kept, but for the moments in which it stands flat: there it is
held at its mean rotation, so that neither ankle nor ball creeps.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .. import _core
from .blend import Span, fill_between, frames_to_spans, low_pass, median, span_mask
from .foot import FootModel, LegTrack

__all__ = ["FootSpin", "Hold", "calmest", "foot_spin", "hold_flat", "rolling_steps", "turn_matrices", "turn_vectors"]
__all__ += ["turned_foot"]

Array = NDArray[np.float64]

_FLAT = 0.012  # leg: heel and ball this level at most count as flat
_HELD_ALREADY = 0.6  # of a contact's flat frames: a foot that rests in so many to rounding is held already
_TURN = np.radians(60.0)  # rad/s: a flat foot turning faster is on its way, not standing
_HOLD = np.radians(8.0)  # a flat moment is held where no frame is further than this from its mean
_HOLD_SHORTEST = 0.08  # s
_RESTING = 1e-7  # a rotation matrix that changes by less from frame to frame is held still already


@dataclass(frozen=True)
class Hold:
    """How a foot is held where it stands flat and still.

    Parameters
    ----------
    turn : (F, 3) float64
        Rotation vectors in global space; they fade outside the held moments.
    spans : list of (first, last)
        The held moments.
    """

    turn: Array
    spans: list[Span]


def turn_matrices(vectors: Array) -> Array:
    """Return rotation matrices of rotation vectors (Rodrigues' formula).

    `vectors` (F, 3): axis times angle in radians. Returns (F, 3, 3): rotations.

    Examples
    --------
    >>> turn_matrices(np.array([[0.0, 0.0, np.pi / 2]])).round(12)[0, 0].tolist()
    [0.0, -1.0, 0.0]
    """
    return _core.turn_matrices(np.ascontiguousarray(vectors))


def turn_vectors(matrices: Array) -> Array:
    """Return the rotation vectors of rotations below half a turn.

    `matrices` (F, 3, 3): rotations. Returns (F, 3): axis times angle in radians.
    """
    return _core.turn_vectors(np.ascontiguousarray(matrices))


@dataclass(frozen=True)
class FootSpin:
    """How a foot turns from frame to frame, whatever its sole.

    Parameters
    ----------
    axes : (F, 3, 3) float64
        The foot's rotation, without its scale.
    slow : (F,) bool
        Where it turns slowly enough to stand.
    resting : (F,) bool
        Where it is, to rounding, that of the frame before or after: it is held already.
    """

    axes: Array
    slow: NDArray[np.bool_]
    resting: NDArray[np.bool_]


def foot_spin(track: LegTrack, fps: float) -> FootSpin:
    """Read how a foot turns.

    Returns its rotation, and where that is calm.
    """
    axes = _core.rotations_of(track.foot)
    speed = _core.turn_speeds(low_pass(axes, 0.03 * fps))
    return FootSpin(axes, speed * fps < _TURN, _core.resting_turns(axes, _RESTING))


def hold_flat(
    track: LegTrack, model: FootModel, spin: FootSpin, contacts: Sequence[Span], up: Array, fps: float, window: int
) -> Hold:
    """Find where a standing foot is flat and still, and the turn that holds it there.

    `spin`: how the foot turns. `contacts`: the foot's contacts, rising. `window`: frames over which a turn fades
    outside the held moments. Returns the turn and the moments.
    """
    turn = np.zeros((len(track.ankle), 3))
    if not contacts:
        return Hold(turn, [])
    shortest = max(2, round(_HOLD_SHORTEST * fps))
    resting = [[(a, b) for a, b in runs if b - a + 1 >= shortest] for runs in _runs_inside(spin.resting, contacts)]
    heel, ball = model.points(track.foot, up)
    level = np.abs((heel - ball) @ up) < _FLAT * track.length
    flat, noisy = level & spin.slow, level & ~spin.slow
    held: list[Span] = []
    runs = _runs_inside(flat, contacts)
    for (first, last), rests, still in zip(contacts, resting, runs, strict=True):
        # A foot that is held already for most of what is flat stays as it is, and is not held for longer than it was.
        own = rests if _num_frames(rests) >= _HELD_ALREADY * _num_frames(still) else []
        held += own
        for a, b in [] if own else still:
            for piece, vectors in _steady_pieces(spin.axes, a, b, shortest, window):
                # No further than that, so that the time grows with the clip's length only.
                ends = (max(first, held[-1][1] + 2 if held else 0, piece[0] - window), min(last, piece[1] + window))
                piece, vectors = _with_noisy_ends(spin.axes, noisy, piece, vectors, ends)
                turn[piece[0] : piece[1] + 1] = vectors
                held.append(piece)
    return Hold(fill_between(turn, held, window), held)


def _num_frames(spans: Sequence[Span]) -> int:
    return sum(last - first + 1 for first, last in spans)


def _runs_inside(flags: NDArray[np.bool_], contacts: Sequence[Span]) -> list[list[Span]]:
    """Return, for each of the rising contacts, the runs of True inside of it."""
    runs, out, k = frames_to_spans(flags), list[list[Span]](), 0
    for first, last in contacts:
        while k < len(runs) and runs[k][1] < first:
            k += 1
        end = k
        while end < len(runs) and runs[end][0] <= last:
            end += 1
        out.append([(max(a, first), min(b, last)) for a, b in runs[k:end]])
    return out


def _steady_pieces(axes: Array, first: int, last: int, shortest: int, gap: int) -> list[tuple[Span, Array]]:
    """Cut a flat moment in halves, `gap` frames apart, until the foot hardly turns in each; and how to hold it."""
    if last - first + 1 < shortest:
        return []
    vectors = _core.turns_to_mean(axes[first : last + 1])
    if np.linalg.norm(vectors, axis=1).max() <= _HOLD:
        return [((first, last), vectors)]
    middle = (first + last) // 2
    before = _steady_pieces(axes, first, middle - gap // 2, shortest, gap)
    return before + _steady_pieces(axes, middle - gap // 2 + gap + 1, last, shortest, gap)


def _with_noisy_ends(
    axes: Array, free: NDArray[np.bool_], piece: Span, vectors: Array, ends: Span
) -> tuple[Span, Array]:
    """Take frames on both sides into a held moment that only noise, as it is inside, keeps apart from it.

    In noise the speed of turning tells too early that a foot sets off, and too late that it has come to stand.
    """
    first, last = piece
    if not (first > ends[0] and free[first - 1]) and not (last < ends[1] and free[last + 1]):
        return piece, vectors
    noise = np.linalg.norm(np.diff(vectors, axis=0), axis=1).max()
    mean = turn_matrices(vectors[:1])[0] @ axes[first]
    around = slice(min(ends[0], first), max(ends[1], last) + 1)
    rest = turn_vectors(mean @ np.swapaxes(axes[around], 1, 2))
    near = free[around] & (np.linalg.norm(rest, axis=1) <= noise)
    near[first - around.start : last + 1 - around.start] = True
    whole = next((a, b) for a, b in frames_to_spans(near) if a <= first - around.start <= b)
    rest[first - around.start : last + 1 - around.start] = vectors
    return (whole[0] + around.start, whole[1] + around.start), rest[whole[0] : whole[1] + 1]


def calmest(spin: FootSpin, contacts: Sequence[Span]) -> list[Span]:
    """Return the half of the frames in contact in which the foot turns least, by its rotation alone.

    `spin`: how the foot turns. `contacts`: the foot's contacts, at least one.
    """
    num = len(spin.axes)
    if num < 3:
        return list(contacts)
    inside, speed = span_mask(contacts, num), _core.turn_speeds(spin.axes)
    return frames_to_spans(inside & (speed <= median(speed[inside])))


def turned_foot(track: LegTrack, turn: Array) -> Array:
    """Return the linear part of the foot's global matrix with the turn put on.

    `turn` (F, 3): rotation vectors in global space. Returns (F, 3, 3): the turned foot; the original's numbers where
    nothing turns.
    """
    return _core.turn_feet(np.ascontiguousarray(turn), np.ascontiguousarray(track.foot))


def rolling_steps(back: Array, ball: Array, up: Array) -> Array:
    """Return how far the pivot slips from each frame to the next, in the level plane.

    `back`, `ball` (F, 3): the two points of the sole that the foot rolls about. Returns level displacement of the point
    the foot rolls about.
    """
    return _core.rolling_steps(np.ascontiguousarray(back), np.ascontiguousarray(ball), up)
