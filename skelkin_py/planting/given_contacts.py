# SPDX-License-Identifier: MIT
"""Contacts that callers give: spans per leg, of whole feet or of heel and ball apart, places and heights; checked.

Those of a cycle are assumed, since nothing tells when feet stand that never do so: a foot that carries is lower and
slower than one that swings.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .._support.arguments import FARTHEST, array_of, listed, real_number
from .._support.nearest_name import did_you_mean
from .foot import LegTrack
from .spans import Span, frames_to_spans, joined_spans

PARTS = ("heel", "ball")  # of a foot, by which contacts may be given
WHOLE = "foot"  # beside them: contacts of the whole foot, for their places and heights
CONTACT_KEYS = ("first_frame", "last_frame", "place", "height")  # of a contact that is more than a span

_SPEED = 0.1  # s: a foot that goes at 1 leg per second counts as one that is a tenth of a leg higher
_PHASE = 0.05  # s: what is shorter is no phase of a gait
_SHORTEST = 0.1  # s: and no contact
_EDGE = 0.1  # the part of the frames in which a foot is lowest and slowest, or highest and fastest
_DIFFER = 0.03  # leg: feet whose phases differ by less do not take turns


class Pin(NamedTuple):
    """A contact that is given with more than its span."""

    first: int  # frames of the clip, both included
    last: int
    place: NDArray[np.float64] | None  # (3,) the point over which the ball stands; its part in the level plane counts
    height: float | None  # height along up at which the sole stands


class GivenLeg(NamedTuple):
    """The contacts that are given for a leg, as the extension takes them."""

    contacts: list[Span]
    heel: list[Span] | None  # where heel and ball stand, where these are given apart
    ball: list[Span] | None
    pins: list[Pin]  # those with a place or a height


def given_spans(given: Any, names: Sequence[str], num_frames: int) -> list[list[Span]]:
    """Check spans given by the caller and bring them into one list per leg.

    `given`: a span is (first, last), both frames included, or a mapping with first_frame, last_frame and perhaps place
    and height. For spans there may be {"heel": spans, "ball": spans}: the foot stands where either does. `names`: what
    each leg is called, see `legs.leg_names`. Returns rising spans per leg; overlapping ones are joined. ValueError: an
    unknown name or part, a wrong number of lists, or a span that is not inside the clip. TypeError: what is given for a
    leg is no list.

    Examples
    --------
    >>> given_spans([{"heel": [(0, 5)], "ball": [(2, 9)]}, []], ["left", "right"], 10)
    [[(0, 9)], []]
    >>> given_spans({"left": [(8, 9), (0, 3)]}, ["left", "right"], 10)
    [[(0, 3), (8, 9)], []]
    """
    return [
        _whole_foot(*_checked_parts(key, own, num_frames))
        if isinstance(own, Mapping)
        else _checked_spans(key, own, num_frames)
        for key, own in _lists_per_leg(given, names)
    ]


def given_parts(given: Any, names: Sequence[str], num_frames: int) -> list[tuple[list[Span], list[Span]] | None]:
    """Return where heel and ball stand, of the legs for which they are given apart.

    Returns per leg the rising spans of its heel and those of its ball; None where the foot is given as a whole.

    Examples
    --------
    >>> given_parts([{"heel": [(0, 5)], "ball": [(2, 9)]}, [(3, 7)]], ["left", "right"], 10)
    [([(0, 5)], [(2, 9)]), None]
    """
    return [
        _checked_parts(key, own, num_frames) if isinstance(own, Mapping) else None
        for key, own in _lists_per_leg(given, names)
    ]


def given_pins(given: Any, names: Sequence[str], num_frames: int) -> list[list[Pin]]:
    """Return, per leg, the contacts that are given with a place or a height; arguments as in `given_spans`.

    Examples
    --------
    >>> [[pin]] = given_pins([[(0, 3), {"first_frame": 5, "last_frame": 9, "height": 0.1}]], ["left"], 10)
    >>> pin.first, pin.height
    (5, 0.1)
    """
    out = []
    for key, own in _lists_per_leg(given, names):
        if not isinstance(own, Mapping):
            out.append([pin for pin in _contacts(key, own, num_frames) if _more(pin)])
            continue
        pins = [pin for pin in _contacts(f"{key}][{WHOLE!r}", own.get(WHOLE, ()), num_frames) if _more(pin)]
        spans = _whole_foot(*_checked_parts(key, own, num_frames))
        for pin in pins:
            if not any(a <= pin.first and pin.last <= b for a, b in spans):
                told = f"no contact of heel and ball holds frames {pin.first}–{pin.last}"
                raise ValueError(f"contacts[{key}][{WHOLE!r}]: {told}")
        out.append(pins)
    return out


def _more(pin: Pin) -> bool:
    """Whether a contact has more than its span."""
    return pin.place is not None or pin.height is not None


def _lists_per_leg(given: Any, names: Sequence[str]) -> list[tuple[str, Any]]:
    """Return, per leg, what messages call it and what is given for it."""
    if isinstance(given, Mapping):
        unknown = [key for key in given if key not in names]
        if unknown:
            meant = did_you_mean(str(unknown[0]), names)
            raise ValueError(f"contacts[{unknown[0]!r}]: there is no such leg, only {', '.join(names)}{meant}")
        lists, keys = [given.get(name, ()) for name in names], [repr(name) for name in names]
    else:
        lists, keys = list(given), [str(leg) for leg in range(len(names))]
        if len(lists) != len(names):
            raise ValueError(f"contacts has {len(lists)} lists of spans: one per leg is needed ({len(names)})")
    return list(zip(keys, lists, strict=True))


def _checked_spans(key: str, spans: Any, num_frames: int) -> list[Span]:
    """Return rising spans; overlapping ones are joined."""
    contacts = sorted(_contacts(key, spans, num_frames), key=lambda pin: pin[:2])
    for one, other in pairwise(contacts):
        if other.first <= one.last and (_more(one) or _more(other)):
            raise ValueError(
                f"contacts[{key}]: ({one.first}, {one.last}) and ({other.first}, {other.last}) overlap; a contact with "
                "a place or a height stands alone"
            )
    return joined_spans([(pin.first, pin.last) for pin in contacts])


def _contacts(key: str, spans: Any, num_frames: int) -> list[Pin]:
    """Return contacts as they are given."""
    if isinstance(spans, str) or not isinstance(spans, (Sequence, np.ndarray)):
        raise TypeError(f"contacts[{key}] is {spans!r}: a list of spans (first, last) is needed")
    if isinstance(spans, np.ndarray):
        spans = listed(
            f"contacts[{key}]", array_of(spans, f"contacts[{key}]"), "a list of spans (first, last) is needed"
        )
    return [_contact(f"contacts[{key}][{n}]", span, num_frames) for n, span in enumerate(spans)]


def _contact(name: str, given: Any, num_frames: int) -> Pin:
    """Return one contact."""
    told: Mapping[Any, Any] = given if isinstance(given, Mapping) else {}
    for word in told:
        if word not in CONTACT_KEYS:
            meant = did_you_mean(str(word), CONTACT_KEYS)
            raise ValueError(f"{name}[{word!r}]: a contact has {', '.join(CONTACT_KEYS)}{meant}")
    span = given
    if isinstance(given, Mapping):
        for word in CONTACT_KEYS[:2]:
            if word not in told:
                raise ValueError(f"{name} has no {word}: a contact has {', '.join(CONTACT_KEYS)}")
        span = [told[word] for word in CONTACT_KEYS[:2]]
    pair = array_of(span, name)
    if pair.shape != (2,) or pair.dtype.kind not in "iu":
        raise ValueError(f"{name} is {span!r}: a span is (first, last), two whole frames")
    first, last = int(pair[0]), int(pair[1])
    if not 0 <= first <= last < num_frames:
        raise ValueError(f"{name} is ({first}, {last}): 0 ≤ first ≤ last < {num_frames} frames is needed")
    place, height = told.get("place"), told.get("height")
    if place is not None:
        place = array_of(place, f"{name}['place']")
        if place.shape != (3,) or place.dtype.kind not in "biuf" or not (np.abs(place) < FARTHEST).all():
            raise ValueError(f"{name}['place'] is {told['place']!r}: (x, y, z) is needed, finite, in the clip's units")
        place = place.astype(np.float64)
    if height is not None:
        height = real_number(f"{name}['height']", height)
        if not abs(height) < FARTHEST:
            raise ValueError(f"{name}['height'] is {height}: it must be finite and below {FARTHEST:g}")
    return Pin(first, last, place, height)


def _checked_parts(key: str, given: Mapping[Any, Any], num_frames: int) -> tuple[list[Span], list[Span]]:
    """Return where the heel and where the ball of a foot stand."""
    unknown = [part for part in given if part not in (*PARTS, WHOLE)]
    if unknown:
        raise ValueError(f"contacts[{key}][{unknown[0]!r}]: a foot has {' and '.join(map(repr, PARTS))}")
    heel, ball = (_checked_spans(f"{key}][{part!r}", given.get(part, ()), num_frames) for part in PARTS)
    return heel, ball


def _whole_foot(heel: list[Span], ball: list[Span]) -> list[Span]:
    """Return where a foot stands whose heel and ball stand so.

    Spans that touch are one contact where the foot goes over from its heel to its ball, or back. Where the same part
    of it stands on both sides, they are two footsteps.
    """
    spans = joined_spans([*heel, *ball])
    out = spans[:1]
    for first, last in spans[1:]:
        before = [any(a <= first - 1 <= b for a, b in part) for part in (heel, ball)]
        now = [any(a <= first <= b for a, b in part) for part in (heel, ball)]
        if out[-1][1] == first - 1 and not any(x and y for x, y in zip(before, now, strict=True)):
            out[-1] = (out[-1][0], last)
        else:
            out.append((first, last))
    return out


def cycle_spans(track: LegTrack, fps: float, up: NDArray[np.float64]) -> list[Span]:
    """Return the phases in which a foot is lower and slower than at other times; `up` (3,): a unit vector."""
    if len(track.ankle) < 3:
        return []
    ball = track.ankle if track.ball is None else track.ankle + track.foot @ track.ball
    way = np.gradient(ball, 1.0 / fps, axis=0)
    speed = np.linalg.norm(way - (way @ up)[:, None] * up, axis=1)
    far = (np.minimum(ball @ up, track.ankle @ up) + _SPEED * speed) / track.length
    half = max(1, round(_PHASE * fps))
    smooth = np.convolve(np.pad(far, half, mode="edge"), np.full(2 * half + 1, 1.0 / (2 * half + 1)), mode="valid")
    low, high = np.quantile(smooth, [_EDGE, 1.0 - _EDGE])
    if high - low < _DIFFER:
        return []
    spans = frames_to_spans(np.asarray(smooth < 0.5 * (low + high)))
    return [(first, last) for first, last in spans if last - first + 1 >= _SHORTEST * fps]
