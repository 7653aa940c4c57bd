# SPDX-License-Identifier: MIT
"""Feet turned to stand on heel, ball or both, as it is given for each apart.

A foot rolls about its heel where its toes are up, else about its ball; it stands on both where it is flat. So a foot
whose heel and ball are given is turned, where it does not stand so by itself, and all else follows from that.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .. import _core
from .blend import Span, fill_between, frames_to_spans, lengths, smoothstep, span_mask
from .foot import FootModel, LegTrack
from .foothold import Foothold, level_tracks, outline_on, roll_on
from .stance import Hold, hold_flat, turn_matrices, turn_vectors, turned_foot

__all__ = ["GivenRoll", "standing_flat"]

Array = NDArray[np.float64]
Flags = NDArray[np.bool_]

_TRIES = 10  # times at most that frames are turned which the ones before made stand otherwise
# Sines by which toes, or heel, are up: in every frame in which they are to be, and somewhere in between.
_UP, _CLEARLY = 0.006, 0.05
_TURNS = 1e-5  # by so much more in each frame than in the one before
_POINT = 1e-9  # leg: a foot whose heel and ball are nearer has no length


@dataclass(frozen=True)
class GivenRoll:
    """On which part of it one foot is to stand.

    Parameters
    ----------
    track : LegTrack
        The leg's motion in the world.
    foothold : Foothold or None
        The ground under the foot; None where it is level and keeps still.
    contacts : sequence of (first, last)
        The foot's contacts.
    given : (F,) int8
        1 on its heel, 0 flat, −1 on its ball; valid inside the contacts.
    up : (3,) float64
        Unit vector.
    fps : float
        Frames per second.
    windows : (int, int)
        Frames over which a turn fades where the foot is held by itself, and where it is turned, to the ground too.
    """

    track: LegTrack
    foothold: Foothold | None
    contacts: Sequence[Span]
    given: NDArray[np.int8]
    up: Array
    fps: float
    windows: tuple[int, int]

    def wrong(self, model: FootModel, turn: Array) -> Flags:
        """(F,) In which frames a foot that is turned so would stand otherwise than given."""
        if self.foothold is not None:
            turn = _core.whole_turn(self.foothold, self.contacts, turn, self.windows[1])
        foot = turned_foot(self.track, turn)
        roll = roll_on(outline_on(model, foot, self.up, self.foothold), self.up, self.foothold)
        return np.asarray(span_mask(self.contacts, len(foot)) & (roll != self.given))

    def hold(self, model: FootModel, own: Hold) -> Hold:
        """Return how to hold and turn the foot so that it stands as given.

        `own`: how it is held by itself; comes back as it is if the foot stands as given with it. Returns the turn, and
        where the foot is held flat.
        """
        forced, hold, chosen = np.zeros(len(own.turn), dtype=np.bool_), own, set[Span]()
        level = level_tracks([self.track], [self.foothold])[0]
        base = own
        for _ in range(_TRIES):
            wrong = self.wrong(model, hold.turn) & ~forced
            if not wrong.any():
                break
            new = {(a, b) for a, b in self.contacts if wrong[a : b + 1].any()} - chosen
            if new:
                chosen |= new
                hold = base = self._held_where_flat(level, model, own, sorted(chosen))
                forced[:] = False
            else:
                forced |= wrong
                hold = self._turned(level, model, base, forced)
        return hold

    def points_alike(self, model: FootModel) -> bool:
        """Whether nothing tells heel and ball of this foot apart."""
        return bool(np.linalg.norm(model.along) <= _POINT * self.track.length)

    def _held_where_flat(self, level: LegTrack, model: FootModel, own: Hold, chosen: Sequence[Span]) -> Hold:
        """Look again, in chosen contacts, for moments to hold, where the foot is given flat only."""
        there, found = span_mask(chosen, len(own.turn)), frames_of(chosen, self.given == 0)
        window = self.windows[0]
        again = hold_flat(level, model, found, self.up, self.fps, window)
        spans = sorted([*frames_of(own.spans, ~there), *again.spans])
        turn = np.where(there[:, None], again.turn, own.turn)
        return Hold(fill_between(turn, spans, window), spans)

    def _turned(self, level: LegTrack, model: FootModel, own: Hold, forced: Flags) -> Hold:
        """Turn the contacts in which frames are forced, and leave the others as they are held."""
        turned = [span for span in self.contacts if forced[span[0] : span[1] + 1].any()]
        there = span_mask(turned, len(forced))
        flat = self._flat_pieces(own, forced)
        kept = frames_of(own.spans, ~span_mask(flat, len(forced)))
        turn, held = own.turn.copy(), sorted([*flat, *kept])
        for piece in flat:
            turn[piece[0] : piece[1] + 1] = _held_flat(level, model, own, piece, self.up)
        eased = fill_between(turn, held, self.windows[1])
        for span in turned:
            eased[span[0] : span[1] + 1] = self._rolled(level, model, eased, span)
        # Contacts that are not turned keep what they are held by; around the others it takes longer to fade.
        values = np.where(there[:, None], eased, turn)
        spans = sorted([*turned, *frames_of(held, ~there)])
        out, slow = (fill_between(values, spans, window) for window in self.windows)
        near = _beside(spans, turned, len(forced))
        out[near] = slow[near]
        return Hold(out, held)

    def _flat_pieces(self, own: Hold, forced: Flags) -> list[Span]:
        """Return the spans in which to hold the foot flat: frames that are forced, with held moments beside them."""
        out: list[Span] = []
        near = 2 * self.windows[1]
        flat = span_mask(self.contacts, len(forced)) & (self.given == 0)
        runs = [run for contact in self.contacts for run in frames_of([contact], flat)]
        for first, last in runs:
            inside = [(max(a, first), min(b, last)) for a, b in own.spans if a <= last and b >= first]
            for a, b in frames_of([(first, last)], forced):
                before = [piece for piece in inside if piece[0] <= a and piece[1] >= a - near]
                after = [piece for piece in inside if piece[1] >= b and piece[0] <= b + near]
                if not before and not after:
                    piece = (max(first, a - near // 2), min(last, b + near // 2))
                else:
                    piece = (before[-1][0] if before else a, after[0][1] if after else b)
                if out and piece[0] <= out[-1][1] + 1 and out[-1][0] >= first:
                    piece = (min(out.pop()[0], piece[0]), max(piece[1], b))
                out.append(piece)
        return out

    def _rolled(self, level: LegTrack, model: FootModel, turn: Array, span: Span) -> Array:
        """Return the turn in one contact, in which toes or heel are up where the foot is to stand on the other."""
        part = slice(span[0], span[1] + 1)
        given, vectors = self.given[part], turn[part]
        foot = np.ascontiguousarray(level.foot[part])
        for sign in (1, -1):
            for first, last in frames_to_spans(given == sign):
                run = slice(first, last + 1)
                # Ever higher from frame to frame: a foot that does not turn at all counts as flat.
                least = _UP + _TURNS * np.arange(last - first + 1)[:: 1 if first > 0 else -1]
                for clear in (False, True):
                    rise, axis = _pitch(model, _core.turn_feet(vectors, foot)[run], self.up)
                    if clear and (sign * rise).max() < _CLEARLY:
                        least = least + _CLEARLY * _bump(first, last, len(given), self.windows[1])
                    missing = np.maximum(
                        np.arcsin(np.minimum(least, 1.0)) - np.arcsin(np.clip(sign * rise, -1.0, 1.0)), 0.0
                    )
                    if missing.any():
                        more = turn_matrices(sign * missing[:, None] * axis)
                        vectors = vectors.copy()
                        vectors[run] = turn_vectors(more @ turn_matrices(np.ascontiguousarray(vectors[run])))
        return np.asarray(vectors)


def standing_flat(
    contacts: Sequence[Sequence[Span]], rolls: Sequence[NDArray[np.int8] | None] | None
) -> list[Sequence[Span]]:
    """Return the contacts in which feet may be held flat: all but those that are given for heel or ball alone."""
    if rolls is None:
        return list(contacts)
    pairs = zip(contacts, rolls, strict=True)
    return [
        spans if roll is None else [(a, b) for a, b in spans if (roll[a : b + 1] == 0).any()] for spans, roll in pairs
    ]


def frames_of(spans: Sequence[Span], chosen: Flags) -> list[Span]:
    """Return the runs of chosen frames inside each of the spans; what belongs to two of them stays apart."""
    return [(a + i, a + j) for a, b in spans for i, j in frames_to_spans(chosen[a : b + 1])]


def _held_flat(track: LegTrack, model: FootModel, own: Hold, piece: Span, up: Array) -> Array:
    """Return the turns (n, 3) that hold a foot at one rotation, its sole level: as it is held already, in the mean."""
    part = slice(piece[0], piece[1] + 1)
    foot = np.ascontiguousarray(track.foot[part])
    axes = _core.rotations_of(foot)
    turned = turn_matrices(np.ascontiguousarray(own.turn[part])) @ axes
    held = span_mask(own.spans, len(own.turn))[part]
    known = np.ascontiguousarray(turned[held] if held.any() else turned)
    mean = turn_matrices(_core.turns_to_mean(known)[:1])[0] @ known[0]
    local = np.swapaxes(axes[:1], 1, 2) @ foot[:1]  # the scale that the foot joint's matrix has
    under, along = (mean @ local[0] @ point for point in (model.heel, model.along))
    size = float(np.linalg.norm(under))
    # From what is up in the foot; a sole without thickness tells by its length.
    before, after = (-under / size, up) if size > _POINT * track.length else (along, along - (along @ up) * up)
    level = turn_matrices(_shortest(before, after)[None])[0] @ mean
    return turn_vectors(np.ascontiguousarray(level @ np.swapaxes(axes, 1, 2)))


def _shortest(before: Array, after: Array) -> Array:
    """Return the rotation vector of the shortest turn between two directions."""
    axis = np.cross(before, after)
    sine = float(np.linalg.norm(axis))
    return np.asarray(axis * (np.arctan2(sine, float(before @ after)) / sine if sine > 0.0 else 0.0))


def _pitch(model: FootModel, foot: Array, up: Array) -> tuple[Array, Array]:
    """Return how far the toes are above the heel, as a sine, and about which unit vectors turning raises them."""
    _, ball, back = model.outline(foot, up)
    along = ball - back
    rise = (along @ up) / np.maximum(lengths(along), 1e-300)
    axis = np.cross(along, up)
    return rise, axis / np.maximum(lengths(axis), 1e-300)[:, None]


def _bump(first: int, last: int, num: int, window: int) -> Array:
    """Return 0 … 1 over the frames of a run: 1 in its middle, or on towards the end of the contact it is at."""
    frames = np.arange(last - first + 1)
    far = np.full(len(frames), len(frames))
    left = frames + 1 if first > 0 else far
    right = frames[::-1] + 1 if last < num - 1 else far
    away = np.minimum(left, right)
    return np.asarray(smoothstep(np.minimum(away / min(window, int(away.max())), 1.0)))


def _beside(spans: Sequence[Span], turned: Sequence[Span], num: int) -> Flags:
    """(F,) The frames between the turned spans and the ones before and after."""
    out, chosen = np.zeros(num, dtype=np.bool_), set(turned)
    ends = [-1, *(b for _, b in spans)]
    begins = [*(a for a, _ in spans), num]
    for k in range(len(ends)):
        if (k > 0 and spans[k - 1] in chosen) or (k < len(spans) and spans[k] in chosen):
            out[ends[k] + 1 : begins[k]] = True
    return out
