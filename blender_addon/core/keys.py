# SPDX-License-Identifier: GPL-3.0-or-later
"""Keys of one F-curve as arrays: cutting a range out, splitting the segments at its borders, putting new keys in."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

#: values of Blender's enumerations, equal in every version
CONSTANT, LINEAR, BEZIER = 0, 1, 2
HANDLE_FREE, HANDLE_AUTO, HANDLE_VECTOR, HANDLE_ALIGNED, HANDLE_AUTO_CLAMPED = 0, 1, 2, 3, 4
AUTOMATIC = (HANDLE_AUTO, HANDLE_AUTO_CLAMPED)
#: a kept value stands this far outside the range: near enough to be nowhere, and exact in binary
BORDER = 1.0 / 64.0


#: values that differ by less are the same, and so many poses tell whether they are held
_SAME, _FEWEST_POSES = 1e-6, 3


#: a straight line that goes on outside of all keys is kept by a second key, this far from the first
_ALONG = 16.0

#: the rest of a key, column by column of ``Keys.extras``, with the values a new key has
EXTRAS = ("easing", "type", "back", "amplitude", "period")
EXTRA_DEFAULTS = (0.0, 0.0, 1.70158, 0.8, 4.1)


class Keys(NamedTuple):
    """N keys: ``co left right`` (N, 2) frame and value, then (N,) integers as in Blender, ``extras`` (N, 5)."""

    co: np.ndarray
    left: np.ndarray
    right: np.ndarray
    interpolation: np.ndarray
    left_type: np.ndarray
    right_type: np.ndarray
    extras: np.ndarray

    def take(self, index: object) -> Keys:
        """Return the keys at ``index``, copied."""
        return Keys(*(column[index].copy() for column in self))


def linear_keys(frames: np.ndarray, values: np.ndarray) -> Keys:
    """One LINEAR key per frame."""
    co = np.stack([frames, values], axis=1).astype(np.float64)
    count = len(co)
    third = np.array([1.0 / 3.0, 0.0])
    kind = np.full(count, HANDLE_AUTO_CLAMPED)
    extras = np.tile(np.array(EXTRA_DEFAULTS), (count, 1))
    return Keys(co, co - third, co + third, np.full(count, LINEAR), kind, kind.copy(), extras)


def held_keys(frames: np.ndarray, values: np.ndarray) -> list[Keys] | None:
    """Return CONSTANT keys per column of ``values`` (F, C), where rows change: None where most rows are not held."""
    starts = np.flatnonzero(np.concatenate([[True], (np.abs(np.diff(values, axis=0)) > _SAME).any(axis=1)]))
    lasts = np.diff(starts, append=len(values))
    if len(starts) < _FEWEST_POSES or 2 * np.count_nonzero(lasts > 1) <= len(starts):
        return None
    # A last key on the last frame says how far the range goes.
    at = np.union1d(starts, [len(values) - 1])
    held = np.searchsorted(starts, at, side="right") - 1
    found = [linear_keys(frames[at], column[starts[held]]) for column in values.T]
    return [keys._replace(interpolation=np.full(len(at), CONSTANT)) for keys in found]


def cubic_keys(co: np.ndarray, left: np.ndarray, right: np.ndarray) -> Keys:
    """Keys with FREE handles, BEZIER between them; the last one is LINEAR, as what follows it may be kept."""
    free = np.full(len(co), HANDLE_FREE)
    keys = linear_keys(*co.T)._replace(left=left, right=right, left_type=free, right_type=free.copy())
    keys.interpolation[:-1] = BEZIER
    return keys


def joined(*parts: Keys) -> Keys:
    """Keys of several pieces, one after the other."""
    return Keys(*(np.concatenate(columns) for columns in zip(*parts, strict=True)))


def clipped_handles(keys: Keys, i: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the inner two control points of the segment after key ``i``: no handle reaches further."""
    p0, p3 = keys.co[i], keys.co[i + 1]
    length = p3[0] - p0[0]
    out, into = keys.right[i] - p0, keys.left[i + 1] - p3
    out = out * (length / abs(out[0])) if abs(out[0]) > length else out
    into = into * (length / abs(into[0])) if abs(into[0]) > length else into
    return p0 + out, p3 + into


def split_bezier(p0: np.ndarray, p1: np.ndarray, p2: np.ndarray, p3: np.ndarray, frame: float) -> np.ndarray:
    """Control points (7, 2) of a Bézier segment cut at ``frame`` (de Casteljau)."""
    low, high = 0.0, 1.0
    for _ in range(60):  # x grows with t once the handles are clipped
        t = (low + high) / 2
        s = 1 - t
        x = s * s * s * p0[0] + 3 * s * s * t * p1[0] + 3 * s * t * t * p2[0] + t * t * t * p3[0]
        low, high = (t, high) if x < frame else (low, t)
    t = (low + high) / 2
    a, b, c = p0 + (p1 - p0) * t, p1 + (p2 - p1) * t, p2 + (p3 - p2) * t
    d, e = a + (b - a) * t, b + (c - b) * t
    middle = d + (e - d) * t
    return np.array([p0, a, d, middle, e, c, p3])


def fitting_pieces(points: np.ndarray, depth: int = 8) -> list[np.ndarray]:
    """Return the segment (4, 2) as pieces whose handles are no longer than they are, so that nothing is clipped."""
    length = points[3, 0] - points[0, 0]
    fits = max(points[1, 0] - points[0, 0], points[3, 0] - points[2, 0]) <= length
    if fits or depth == 0:
        return [points]
    halves = split_bezier(*points, (points[0, 0] + points[3, 0]) / 2)
    return [*fitting_pieces(halves[:4], depth - 1), *fitting_pieces(halves[3:], depth - 1)]


def replaced(keys: Keys, new: Keys, evaluate: object, *, keep_before: bool, keep_after: bool) -> Keys:
    """Keys with ``new`` in place of everything in its range, values outside of the range unchanged.

    Parameters
    ----------
    keys : Keys
        All keys of the curve, sorted, possibly none.
    new : Keys
        The new keys, from the first to the last frame of the range.
    evaluate : callable
        Frame → value of the curve as it was, used where it has no segment to split.
    keep_before, keep_after : bool
        Whether the old values before and after the range have to stay; where not, the first or last new value is held.

    Returns
    -------
    Keys
        Sorted keys. Automatic handles next to a border become free ones, so that they stay where they were.
    """
    first, last = new.co[0, 0], new.co[-1, 0]
    parts = []
    if keep_before:
        cut = first - BORDER
        before = int(np.searchsorted(keys.co[:, 0], cut, side="left"))
        parts.append(_kept_before(keys, before, cut, evaluate))
    parts.append(new)
    if keep_after:
        cut = last + BORDER
        after = int(np.searchsorted(keys.co[:, 0], cut, side="right"))
        parts.append(_kept_after(keys, after, cut, evaluate))
    return joined(*parts)


def _border_key(frame: float, value: float, interpolation: int) -> Keys:
    key = linear_keys(np.array([frame]), np.array([value]))
    free = np.array([HANDLE_FREE])
    return key._replace(interpolation=np.array([interpolation]), left_type=free, right_type=free.copy())


def _going_on(frame: float, border: Keys, evaluate: object) -> list[Keys]:
    """Return a key at ``frame``, beyond all others, if the curve is extrapolated to a value other than the border's."""
    value = float(evaluate(frame))
    return [_border_key(frame, value, LINEAR)] if value != border.co[0, 1] else []


def _kept_before(keys: Keys, count: int, cut: float, evaluate: object) -> Keys:
    kept = keys.take(slice(0, count))
    border = _border_key(cut, float(evaluate(cut)), LINEAR)
    if count == 0:
        return joined(*_going_on(cut - _ALONG, border, evaluate), border)
    kind = int(kept.interpolation[-1])
    _free_run(kept, range(count - 1, -1, -1))
    if count == len(keys.co):
        kept.interpolation[-1] = LINEAR  # held or extrapolated: a straight line either way
    elif kind == BEZIER:
        points = split_bezier(keys.co[count - 1], *clipped_handles(keys, count - 1), keys.co[count], cut)
        return _linked(kept, points[:4], border)
    elif kind not in (CONSTANT, LINEAR):
        kept.interpolation[-1] = LINEAR
        return joined(kept, _sampled(keys.co[count - 1, 0], cut, evaluate), border)
    return joined(kept, border)


def _kept_after(keys: Keys, start: int, cut: float, evaluate: object) -> Keys:
    kept = keys.take(slice(start, None))
    border = _border_key(cut, float(evaluate(cut)), LINEAR)
    if not len(kept.co):
        return joined(border, *_going_on(cut + _ALONG, border, evaluate))
    _free_run(kept, range(len(kept.co)))
    kind = int(keys.interpolation[start - 1]) if start else LINEAR
    if kind == BEZIER:
        points = split_bezier(keys.co[start - 1], *clipped_handles(keys, start - 1), keys.co[start], cut)
        return _linked(border, points[3:], kept)
    if kind not in (CONSTANT, LINEAR):
        return joined(border, _sampled(cut, keys.co[start, 0], evaluate), kept)
    border.interpolation[0] = kind
    return joined(border, kept)


def _linked(before: Keys, points: np.ndarray, after: Keys) -> Keys:
    """Return the keys with the last of ``before`` and the first of ``after`` joined by a Bézier segment (4, 2)."""
    pieces = fitting_pieces(points)
    chain = [before, *(_border_key(*piece[3], BEZIER) for piece in pieces[:-1]), after]
    for left, piece, right in zip(chain[:-1], pieces, chain[1:], strict=True):
        left.interpolation[-1] = BEZIER
        left.right[-1], right.left[0] = piece[1], piece[2]
    return joined(*chain)


def _sampled(start: float, stop: float, evaluate: object) -> Keys:
    """Return the inside of an eased segment (bounce, elastic, …) as short straight pieces."""
    frames = np.arange(np.floor(start * 8) + 1, np.ceil(stop * 8)) / 8
    return linear_keys(frames, np.array([float(evaluate(frame)) for frame in frames]))


def _free_run(kept: Keys, order: range) -> None:
    """Free the handles from the border on as long as they are automatic: their shape depends on the next ones."""
    for nth, i in enumerate(order):
        is_automatic = kept.left_type[i] in AUTOMATIC or kept.right_type[i] in AUTOMATIC
        if nth and not is_automatic:
            return
        kept.left_type[i] = kept.right_type[i] = HANDLE_FREE
