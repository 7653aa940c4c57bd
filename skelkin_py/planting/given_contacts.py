# SPDX-License-Identifier: MIT
"""Contacts that callers give: spans per leg, of whole feet or of heel and ball apart, places and heights; checked.

Those of a cycle are assumed, since feet that never stand still show no contact: a foot that carries the body is lower
and slower than one that swings.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from .._support.arguments import FARTHEST, array_of, listed, real_number
from .._support.array_types import Floats
from .._support.nearest_name import did_you_mean
from .._support.short_repr import shown
from .foot import LegTrack
from .spans import Span, frames_to_spans, joined_spans

PARTS = ("heel", "ball")  # of a foot, by which contacts may be given
WHOLE = "foot"  # the key of contacts of the whole foot, for their places and heights
CONTACT_KEYS = ("first_frame", "last_frame", "place", "height")  # of a contact that is more than a span

_SPEED = 0.1  # s: a foot that moves at 1 leg per second counts as one that is a tenth of a leg higher
_PHASE = 0.05  # s: shorter phases of a gait are smoothed away
_SHORTEST = 0.1  # s: shorter phases are not contacts
_EDGE = 0.1  # the part of the frames in which a foot is lowest and slowest, or highest and fastest
_DIFFER = 0.03  # leg: feet whose phases differ by less do not take turns


class Pin(NamedTuple):
    """A contact that is given with more than its span."""

    first: int  # frames of the clip, both included
    last: int
    place: Floats | None  # (3,) the point over which the ball stands; only its horizontal part counts
    height: float | None  # height along up at which the sole stands


class GivenLeg(NamedTuple):
    """The contacts that are given for a leg, as the extension takes them."""

    contacts: list[Span]
    heel: list[Span] | None  # when heel and ball stand, where these are given apart
    ball: list[Span] | None
    pins: list[Pin]  # those with a place or a height


def given_legs(given: Any, names: Sequence[str], num_frames: int) -> list[GivenLeg]:
    """Check contacts given by the caller and return those of each leg.

    `given`: a span is (first, last), both frames included, or a mapping with first_frame, last_frame and perhaps place
    and height. A leg's spans may be {"heel": spans, "ball": spans}: the foot stands where either does. `names`: the
    name of each leg, see `legs.leg_names`. Contacts rise; overlapping ones are joined. ValueError: an unknown name or
    part, a wrong number of lists, or a span that is not inside the clip. TypeError: the contacts of a leg are no list.

    Examples
    --------
    >>> left, right = given_legs([{"heel": [(0, 5)], "ball": [(2, 9)]}, [(8, 9), (0, 3)]], ["left", "right"], 10)
    >>> left.contacts, left.heel, right.contacts, right.heel
    ([(0, 9)], [(0, 5)], [(0, 3), (8, 9)], None)
    >>> [leg] = given_legs([[(0, 3), {"first_frame": 5, "last_frame": 9, "height": 0.1}]], ["left"], 10)
    >>> leg.contacts, leg.pins[0].first, leg.pins[0].height
    ([(0, 3), (5, 9)], 5, 0.1)
    """
    legs = []
    for key, spans in _lists_per_leg(given, names):
        if not isinstance(spans, Mapping):
            contacts = _contacts(key, spans, num_frames)
            legs.append(GivenLeg(_joined(key, contacts), None, None, list(filter(_is_pinned, contacts))))
            continue
        for part in spans:
            if part not in (*PARTS, WHOLE):
                raise ValueError(f"contacts[{key}][{part!r}]: a foot has {' and '.join(map(repr, PARTS))}")
        parts = {part: f"{key}][{part!r}" for part in (*PARTS, WHOLE)}
        contacts, heel, ball = (_contacts(parts[part], spans.get(part, ()), num_frames) for part in (WHOLE, *PARTS))
        heel_spans, ball_spans = _joined(parts["heel"], heel), _joined(parts["ball"], ball)
        whole, pins = _whole_foot(heel_spans, ball_spans), list(filter(_is_pinned, contacts))
        for pin in pins:
            if not any(a <= pin.first and pin.last <= b for a, b in whole):
                frames = f"frames {pin.first}–{pin.last}"
                raise ValueError(f"contacts[{parts[WHOLE]}]: no contact of heel and ball holds {frames}")
        legs.append(GivenLeg(whole, heel_spans, ball_spans, pins))
    return legs


def _is_pinned(contact: Pin) -> bool:
    """Tell whether a contact has a place or a height."""
    return contact.place is not None or contact.height is not None


def _lists_per_leg(given: Any, names: Sequence[str]) -> list[tuple[str, Any]]:
    """Return, per leg, what messages call it and what is given for it."""
    if isinstance(given, Mapping):
        unknown = [key for key in given if key not in names]
        if unknown:
            meant = did_you_mean(str(unknown[0]), names, ";")
            raise ValueError(f"contacts[{unknown[0]!r}]: there is no such leg, only {', '.join(names)}{meant}")
        lists, keys = [given.get(name, ()) for name in names], [repr(name) for name in names]
    else:
        lists, keys = list(given), [str(leg) for leg in range(len(names))]
        if len(lists) != len(names):
            raise ValueError(f"contacts has {len(lists)} lists of spans: one per leg is needed ({len(names)})")
    return list(zip(keys, lists, strict=True))


def _joined(key: str, contacts: list[Pin]) -> list[Span]:
    """Return the rising spans of contacts; overlapping ones are joined."""
    contacts = sorted(contacts, key=lambda pin: pin[:2])
    for one, other in pairwise(contacts):
        if other.first <= one.last and (_is_pinned(one) or _is_pinned(other)):
            raise ValueError(
                f"contacts[{key}]: ({one.first}, {one.last}) and ({other.first}, {other.last}) overlap; a contact with "
                "a place or a height stands alone"
            )
    return joined_spans([(pin.first, pin.last) for pin in contacts])


def _contacts(key: str, spans: Any, num_frames: int) -> list[Pin]:
    """Return contacts as they are given."""
    if isinstance(spans, str) or not isinstance(spans, (Sequence, np.ndarray)):
        raise TypeError(f"contacts[{key}] is {shown(spans)}: a list of spans (first, last) is needed")
    if isinstance(spans, np.ndarray):
        spans = listed(
            f"contacts[{key}]", array_of(spans, f"contacts[{key}]"), "a list of spans (first, last) is needed"
        )
    return [given_contact(f"contacts[{key}][{n}]", span, num_frames) for n, span in enumerate(spans)]


def given_contact(name: str, given: Any, num_frames: int) -> Pin:
    """Check one contact; `name`: what errors call it."""
    span, fields = given, {}
    if isinstance(given, Mapping):
        fields = dict(given)
        for key in fields:
            if key not in CONTACT_KEYS:
                meant = did_you_mean(str(key), CONTACT_KEYS, ";")
                raise ValueError(f"{name}[{key!r}]: a contact has {', '.join(CONTACT_KEYS)}{meant}")
        for key in CONTACT_KEYS[:2]:
            if key not in fields:
                raise ValueError(f"{name} has no {key}: a contact has {', '.join(CONTACT_KEYS)}")
        span = [fields[key] for key in CONTACT_KEYS[:2]]
    pair = array_of(span, name)
    if pair.shape != (2,) or pair.dtype.kind not in "iu" or any(isinstance(frame, bool) for frame in span):
        raise ValueError(f"{name} is {shown(span)}: a span is (first, last), two whole frames")
    first, last = int(pair[0]), int(pair[1])
    if not 0 <= first <= last < num_frames:
        raise ValueError(f"{name} is ({first}, {last}): 0 ≤ first ≤ last < {num_frames} frames is needed")
    place, height = fields.get("place"), fields.get("height")
    if height is not None:
        height = real_number(f"{name}['height']", height)
        if not abs(height) < FARTHEST:
            raise ValueError(f"{name}['height'] is {height}: it must be finite and below {FARTHEST:g}")
    return Pin(first, last, None if place is None else np.array(checked_point(f"{name}['place']", place)), height)


def checked_point(name: str, point: Any) -> tuple[float, float, float]:
    """Return a finite point as three floats."""
    array = array_of(point, name)
    if array.shape != (3,) or array.dtype.kind not in "biuf" or not (np.abs(array) < FARTHEST).all():
        raise ValueError(f"{name} is {shown(point)}: (x, y, z) is needed, finite, in the clip's units")
    x, y, z = map(float, array)
    return x, y, z


def _whole_foot(heel: list[Span], ball: list[Span]) -> list[Span]:
    """Return when a foot stands whose heel and ball stand in these frames.

    Adjacent spans are one contact where the foot rolls from its heel to its ball, or back. Where the same part of it
    stands in both, they are two footsteps.
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


def cycle_spans(track: LegTrack, fps: float, up: Floats) -> list[Span]:
    """Return the phases in which a foot is lower and slower than at other times; `up` (3,): a unit vector."""
    if len(track.ankle) < 3:
        return []
    ball = track.ankle if track.ball is None else track.ankle + track.foot @ track.ball
    velocity = np.gradient(ball, 1.0 / fps, axis=0)
    speed = np.linalg.norm(velocity - (velocity @ up)[:, None] * up, axis=1)
    score = (np.minimum(ball @ up, track.ankle @ up) + _SPEED * speed) / track.length
    half = max(1, round(_PHASE * fps))
    smooth = np.convolve(np.pad(score, half, mode="edge"), np.full(2 * half + 1, 1.0 / (2 * half + 1)), mode="valid")
    low, high = np.quantile(smooth, [_EDGE, 1.0 - _EDGE])
    if high - low < _DIFFER:
        return []
    spans = frames_to_spans(np.asarray(smooth < 0.5 * (low + high)))
    return [(first, last) for first, last in spans if last - first + 1 >= _SHORTEST * fps]
