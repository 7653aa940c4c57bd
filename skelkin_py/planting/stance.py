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
from .blend import Span, fill_between, frames_to_spans, low_pass, span_mask
from .foot import FootModel, LegTrack

__all__ = ["Hold", "calmest", "hold_flat", "rolling_steps", "turn_matrices", "turn_vectors", "turned_foot"]

Array = NDArray[np.float64]

_FLAT = 0.012  # leg: heel and ball this level at most count as flat
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

    Parameters
    ----------
    vectors : (F, 3) float64
        Axis times angle in radians.

    Returns
    -------
    (F, 3, 3) float64
        Rotations.

    Examples
    --------
    >>> turn_matrices(np.array([[0.0, 0.0, np.pi / 2]])).round(12)[0, 0].tolist()
    [0.0, -1.0, 0.0]
    """
    return _core.turn_matrices(np.ascontiguousarray(vectors))


def turn_vectors(matrices: Array) -> Array:
    """Return the rotation vectors of rotations below half a turn.

    Parameters
    ----------
    matrices : (F, 3, 3) float64
        Rotations.

    Returns
    -------
    (F, 3) float64
        Axis times angle in radians.
    """
    return _core.turn_vectors(np.ascontiguousarray(matrices))


def _orthogonal(matrices: Array) -> Array:
    """Return the nearest orthogonal matrices, mirrored where the input is."""
    # Rotation times one scale is the usual case, and needs no decomposition.
    scale = np.sqrt(np.einsum("...ij,...ij->...", matrices, matrices) / 3.0)[..., None, None]
    plain = matrices / np.maximum(scale, 1e-300)
    gram = np.einsum("...ji,...jk->...ik", plain, plain)
    if np.abs(gram - np.eye(3)).max() < 1e-9:
        return np.asarray(plain)
    u, _, v = np.linalg.svd(matrices)
    return np.asarray(u @ v)


def hold_flat(track: LegTrack, model: FootModel, contacts: Sequence[Span], up: Array, fps: float, window: int) -> Hold:
    """Find where a standing foot is flat and still, and the turn that holds it there.

    Parameters
    ----------
    track : LegTrack
        The leg's motion.
    model : FootModel
        Its sole.
    contacts : sequence of (first, last)
        The foot's contacts.
    up : (3,) float64
        Unit vector.
    fps : float
        Frames per second.
    window : int
        Frames over which a turn fades outside the held moments.

    Returns
    -------
    Hold
        The turn and the moments.
    """
    num = len(track.ankle)
    turn = np.zeros((num, 3))
    if not contacts:
        return Hold(turn, [])
    axes = _orthogonal(track.foot)
    smooth = low_pass(axes, 0.03 * fps)
    spin = np.linalg.norm(np.gradient(smooth, axis=0), axis=(1, 2)) * (fps / np.sqrt(2.0)) if num > 1 else np.zeros(num)
    heel, ball = model.points(track.foot, up)
    rise = (heel - ball) @ up / track.length
    flat = (np.abs(rise) < _FLAT) & (spin < _TURN)
    held: list[Span] = []
    shortest = max(2, round(_HOLD_SHORTEST * fps))
    at_rest = _resting(axes)
    for first, last in contacts:
        resting = frames_to_spans(at_rest[first : last + 1])
        resting = [(a + first, b + first) for a, b in resting if b - a + 1 >= shortest]
        # A foot that is held already stays as it is, and is not held for longer than it was.
        held += resting
        for a, b in [] if resting else frames_to_spans(flat[first : last + 1]):
            a, b = a + first, b + first
            for piece, vectors in _steady_pieces(axes, a, b, shortest, window):
                # No further than that, so that the time grows with the clip's length only.
                ends = (max(first, held[-1][1] + 2 if held else 0, piece[0] - window), min(last, piece[1] + window))
                piece, vectors = _with_noisy_ends(axes, ~flat & (np.abs(rise) < _FLAT), piece, vectors, ends)
                turn[piece[0] : piece[1] + 1] = vectors
                held.append(piece)
    return Hold(fill_between(turn, held, window), held)


def _resting(axes: Array) -> NDArray[np.bool_]:
    """(F,) Whether a rotation is, to rounding, that of the frame before or after."""
    out = np.zeros(len(axes), dtype=np.bool_)
    same = np.abs(np.diff(axes, axis=0)).max(axis=(1, 2), initial=0.0) < _RESTING
    out[1:] |= same
    out[:-1] |= same
    return out


def _steady_pieces(axes: Array, first: int, last: int, shortest: int, gap: int) -> list[tuple[Span, Array]]:
    """Cut a flat moment in halves, `gap` frames apart, until the foot hardly turns in each; and how to hold it."""
    if last - first + 1 < shortest:
        return []
    mean = _orthogonal(axes[first : last + 1].mean(axis=0))
    vectors = turn_vectors(mean @ np.swapaxes(axes[first : last + 1], 1, 2))
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


def calmest(track: LegTrack, contacts: Sequence[Span]) -> list[Span]:
    """Return the half of the frames in contact in which the foot turns least, by its rotation alone.

    Parameters
    ----------
    track : LegTrack
        The leg's motion.
    contacts : sequence of (first, last)
        The foot's contacts, at least one.

    Returns
    -------
    list of (first, last)
        At least one frame.
    """
    inside = span_mask(contacts, len(track.foot))
    if len(track.foot) < 3:
        return list(contacts)
    spin = np.linalg.norm(np.gradient(_orthogonal(track.foot), axis=0), axis=(1, 2))
    return frames_to_spans(inside & (spin <= np.median(spin[inside])))


def turned_foot(track: LegTrack, turn: Array) -> Array:
    """Return the linear part of the foot's global matrix with the turn put on.

    Parameters
    ----------
    track : LegTrack
        The leg's motion.
    turn : (F, 3) float64
        Rotation vectors in global space.

    Returns
    -------
    (F, 3, 3) float64
        The turned foot; the original's numbers where nothing turns.
    """
    return _core.turn_feet(np.ascontiguousarray(turn), np.ascontiguousarray(track.foot))


def rolling_steps(back: Array, ball: Array, up: Array) -> Array:
    """Return how far the pivot slips from each frame to the next, in the level plane.

    Parameters
    ----------
    back, ball : (F, 3) float64
        The two points of the sole that the foot rolls about.
    up : (3,) float64
        Unit vector.

    Returns
    -------
    (F − 1, 3) float64
        Level displacement of the point the foot rolls about.
    """
    return _core.rolling_steps(np.ascontiguousarray(back), np.ascontiguousarray(ball), up)
