# SPDX-License-Identifier: GPL-3.0-or-later
"""Contacts that an artist may edit: read together with their markers, checked, and as planting takes them.

A contact is tied to two markers, one for each end, by its key; a marker with key 0 is free, one below 0 came with the
original and is no contact's.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

Span = tuple[int, int]

#: what of a foot stands: all of it, rolling as it does by itself; one part alone; all of it and flat throughout
WHOLE, HEEL, BALL, FLAT = PARTS = ("FOOT", "HEEL", "BALL", "FLAT")
_STAND = {WHOLE: {"heel", "ball"}, FLAT: {"heel", "ball"}, HEEL: {"heel"}, BALL: {"ball"}}
_ENDS = ("down", "up")
#: where a sentence names a frame
FRAME = "\0"
_NONE = "none"
_MARKER = re.compile(rf"\s*(.*\S)\s+({'|'.join(_ENDS)})\s*", re.IGNORECASE)


class Foot(NamedTuple):
    """What a leg's contacts call their foot, and its bone."""

    name: str
    ankle: str


class Contact(NamedTuple):
    """A span in which a foot stands, in frames of the scene, both included."""

    key: int
    foot: str
    first: int
    last: int
    part: str = WHOLE
    is_used: bool = True
    height: float | None = None
    place: tuple[float, ...] | None = None
    by_hand: bool = False
    heel: tuple[Span, ...] = ()  # where its heel stood when it was planted, and where its ball did
    ball: tuple[Span, ...] = ()
    follows: Any = None  # the object over which it stands: its place is that of the object where the contact begins
    follows_height: bool = False  # and its height too

    @property
    def is_pinned(self) -> bool:
        """Whether it has a place or a height of its own."""
        return self.place is not None or self.height is not None


class Marker(NamedTuple):
    """A marker of the action: which end of which contact it is."""

    name: str
    frame: int
    key: int
    is_up: bool


class Message(NamedTuple):
    """A sentence with `FRAME` in the place of each of its frames."""

    text: str
    frames: tuple[int, ...]

    def __str__(self) -> str:
        first, *rest = self.text.split(FRAME)
        return first + "".join(f"{frame}{piece}" for frame, piece in zip(self.frames, rest, strict=True))


class Read(NamedTuple):
    """Contacts as list and markers say together, what is wrong with the markers, and what they changed."""

    contacts: list[Contact]
    warnings: list[Message]
    notes: list[Message]


def marker_name(contact: Contact, is_up: bool) -> str:
    """Return what the marker of an end is called.

    >>> marker_name(Contact(1, "left", 3, 9), True)
    'left up'
    """
    return f"{contact.foot} {_ENDS[is_up]}"


def leg_of(foot: str, feet: Sequence[Foot]) -> int | None:
    """Return the leg of a foot, by the foot's name or its bone; None where there is none.

    >>> leg_of("Left", [Foot("left", "foot.L")]), leg_of("foot.L", [Foot("left", "foot.L")]), leg_of("tail", [])
    (0, 0, None)
    """
    for column in range(2):
        for k, names in enumerate(feet):
            if names[column].casefold() == foot.casefold():
                return k
    return None


def read_together(contacts: Sequence[Contact], markers: Sequence[Marker], feet: Sequence[Foot]) -> Read:
    """Return the contacts as their markers have them.

    A contact goes where its markers are; without one of them it is gone. Two free markers "NAME down" and "NAME up" are
    a new one; one alone changes nothing.
    """
    places = tied(contacts, markers)
    ends = {(contact.key, is_up) for contact in contacts for is_up in (False, True)}
    taken = set(places.values())
    copies = (k not in taken and (marker.key, marker.is_up) in ends for k, marker in enumerate(markers))
    left = [marker for marker, is_copy in zip(markers, copies, strict=True) if marker.key == 0 or is_copy]
    found, notes = [], []
    for contact in contacts:
        down, up = (places.get((contact.key, is_up)) for is_up in (False, True))
        if down is not None and up is not None:
            found.append(contact._replace(first=markers[down].frame, last=markers[up].frame))
        else:
            notes.append(Message(f"{contact.foot}: the contact {FRAME}–{FRAME} is gone with its marker", contact[2:4]))
    new, warnings = _paired(left, feet, max((contact.key for contact in contacts), default=0) + 1)
    return Read(in_order([*found, *new], feet), warnings, notes)


def tied(contacts: Iterable[Contact], markers: Sequence[Marker]) -> dict[tuple[int, bool], int]:
    """Return, for each end of a contact (its key, and whether it is the last), the number of its marker.

    A copy of a marker is a free one: of several the one counts that is where the list has the end, else the first.

    >>> tied([Contact(1, "left", 3, 9)], [Marker("left up", frame, 1, True) for frame in (12, 9)])
    {(1, True): 1}
    """
    frames = {(contact.key, is_up): contact[2 + is_up] for contact in contacts for is_up in (False, True)}
    found: dict[tuple[int, bool], int] = {}
    for k in sorted(range(len(markers)), key=lambda k: frames.get(markers[k][2:]) != markers[k].frame):
        if markers[k][2:] in frames:
            found.setdefault(markers[k][2:], k)
    return found


def can_overlap(part: str, other: str) -> bool:
    """Whether two parts of a foot may stand at once in contacts of their own.

    >>> can_overlap(HEEL, BALL), can_overlap(HEEL, WHOLE)
    (True, False)
    """
    return not _STAND[part] & _STAND[other]


def owners(contacts: Iterable[Contact], markers: Sequence[Marker]) -> list[tuple[int, bool] | None]:
    """Return, for each marker, the end of a contact (its key, and whether it is the last) that it is; None of none.

    First those that are tied to it, in its frame before elsewhere, then free ones of its name in its frame.
    """
    ends = {(contact.key, is_up): contact for contact in contacts for is_up in (False, True)}
    named: dict[tuple[str, int], list[tuple[int, bool]]] = {}
    for end, contact in ends.items():
        named.setdefault((_plain(marker_name(contact, end[1])), contact[2 + end[1]]), []).append(end)
    found = {place: end for end, place in tied(ends.values(), markers).items()}
    taken = set(found.values())
    for k, marker in enumerate(markers):
        free = [end for end in named.get((_plain(marker.name), marker.frame), ()) if end not in taken]
        if free and marker.key >= 0 and k not in found:
            found[k] = free[0]
            taken.add(free[0])
    return [found.get(k) for k in range(len(markers))]


def _plain(name: str) -> str:
    return " ".join(name.casefold().split())


def in_order(contacts: Iterable[Contact], feet: Sequence[Foot]) -> list[Contact]:
    """Return contacts leg by leg and rising, those of no leg last."""

    def place(contact: Contact) -> tuple:
        leg = leg_of(contact.foot, feet)
        return (len(feet) if leg is None else leg, contact.first, contact.last, contact.key)

    return sorted(contacts, key=place)


def _paired(free: Iterable[Marker], feet: Sequence[Foot], key: int) -> tuple[list[Contact], list[Message]]:
    """Return a contact for each pair of free markers, with keys from this one on, and messages about those without."""
    contacts: list[Contact] = []
    warnings = []
    waiting: dict[int, Marker] = {}

    def alone(marker: Marker, other: str, where: str) -> None:
        text = f"{marker.name} in frame {FRAME} has no partner: add a marker {other} {where} it, or remove this one"
        warnings.append(Message(text, (marker.frame,)))

    for marker in sorted(free, key=lambda marker: (marker.frame, marker.is_up, marker.name)):
        parsed = _MARKER.fullmatch(marker.name)
        leg = leg_of(parsed.group(1), feet) if parsed is not None else None
        if parsed is None or leg is None:
            continue
        name = feet[leg].name
        is_up = parsed.group(2).casefold() == _ENDS[True]
        before = waiting.pop(leg, None)
        if is_up and before is None:
            alone(marker, f"{name} {_ENDS[False]}", "before")
        elif is_up:
            contacts.append(Contact(key + len(contacts), name, before.frame, marker.frame, by_hand=True))
        else:
            if before is not None:
                alone(before, f"{name} {_ENDS[True]}", "after")
            waiting[leg] = marker
    for leg, marker in waiting.items():
        alone(marker, f"{feet[leg].name} {_ENDS[True]}", "after")
    return contacts, warnings


def described(contacts: Iterable[Contact]) -> str:
    """Return contacts as text, to see later whether they are other ones."""
    rows = ([c.foot, c.first, c.last, c.part, c.is_used, c.height, c.place] for c in contacts)
    return "\n".join(sorted(json.dumps(row) for row in rows)) or _NONE


def with_feet(text: str, names: dict[str, str]) -> str:
    """Return what `described` returned, with the names of feet exchanged.

    >>> before = described([Contact(1, "foot.L", 3, 9)])
    >>> with_feet(before, {"foot.L": "paw.L"}) == described([Contact(1, "paw.L", 3, 9)])
    True
    """
    if text in ("", _NONE):
        return text
    rows = [json.loads(row) for row in text.splitlines()]
    return "\n".join(sorted(json.dumps([names.get(foot, foot), *rest]) for foot, *rest in rows))


class Usable(NamedTuple):
    """The contacts of each leg that can be planted, rising, and messages about the others."""

    legs: list[list[Contact]]
    warnings: list[Message]


def usable(contacts: Iterable[Contact], feet: Sequence[Foot], low: int, high: int) -> Usable:
    """Return the contacts of each leg within the frames from ``low`` to ``high``; those that cannot be are left out."""
    legs: list[list[Contact]] = [[] for _ in feet]
    warnings: list[Message] = []
    for contact in sorted(contacts, key=lambda contact: (contact.first, contact.last, contact.key)):
        if not contact.is_used:
            continue
        leg = leg_of(contact.foot, feet)
        message = Message(f"{contact.foot}: the contact {FRAME}–{FRAME} ", contact[2:4])
        if leg is None:
            warnings.append(_more(message, "is left out: find the legs again, or switch the leg of this foot on"))
        elif contact.first > contact.last:
            warnings.append(_more(message, "is left out: it ends before it begins; move one of its markers"))
        elif contact.first > high or contact.last < low:
            warnings.append(_more(message, f"is left out: move it into the frames of the motion, {low}–{high}"))
        else:
            if contact.first < low or contact.last > high:
                warnings.append(_more(message, f"is cut to the frames of the motion, {low}–{high}"))
            cut = contact._replace(first=max(contact.first, low), last=min(contact.last, high))
            _take(legs[leg], cut, warnings)
    return Usable(legs, warnings)


def _more(message: Message, text: str) -> Message:
    return message._replace(text=message.text + text)


def _take(kept: list[Contact], contact: Contact, warnings: list[Message]) -> None:
    """Add a contact to those of its foot that begin no later, clear of them where one of both has its own place."""
    for other in list(kept):
        same = not can_overlap(other.part, contact.part) or (other.is_pinned and contact.is_pinned)
        if other.last < contact.first or not same:
            continue
        both = f"{FRAME}–{FRAME} and {FRAME}–{FRAME}"
        ends = (other.first, other.last, contact.first, contact.last)
        message = Message(f"{contact.foot}: the contacts {both} overlap: ", ends)
        if not (other.is_pinned or contact.is_pinned):
            warnings.append(_more(message, "they count as one"))
            continue
        contact = contact._replace(first=other.last + 1)
        if contact.first > contact.last:
            warnings.append(_more(message, "the later one is left out, as one has its own place or height: move one"))
            return
        warnings.append(_more(message, "the later one begins after the earlier one, as one of them has its own place"))
    kept.append(contact)


def as_given(legs: Sequence[Sequence[Contact]], start: int) -> list[Any]:
    """Return contacts as ``plant_locals`` takes them, in frames counted from ``start``.

    A leg whose contacts are all of the whole foot is given so; else its heel and its ball are given apart.

    >>> as_given([[Contact(1, "left", 3, 9)], [Contact(2, "right", 1, 4, HEEL), Contact(3, "right", 2, 6, BALL)]], 1)
    [[(2, 8)], {'heel': [(0, 3)], 'ball': [(1, 5)], 'foot': []}]
    """
    return [_as_given([_counted(contact, start) for contact in own]) for own in legs]


def _as_given(contacts: list[Contact]) -> Any:
    if all(contact.part == WHOLE for contact in contacts):
        return [_pin(contact) if contact.is_pinned else (contact.first, contact.last) for contact in contacts]
    spans: dict[str, list[Any]] = {"heel": [], "ball": []}
    for contact in contacts:
        heel, ball = _standing(contact)
        spans["heel"] += heel
        spans["ball"] += ball
    return {**spans, "foot": [_pin(contact) for contact in contacts if contact.is_pinned]}


def _counted(contact: Contact, start: int) -> Contact:
    heel, ball = (tuple((a - start, b - start) for a, b in spans) for spans in (contact.heel, contact.ball))
    return contact._replace(first=contact.first - start, last=contact.last - start, heel=heel, ball=ball)


def _pin(contact: Contact) -> dict[str, Any]:
    given = {"place": contact.place, "height": contact.height}
    return {
        "first_frame": contact.first,
        "last_frame": contact.last,
        **{word: value for word, value in given.items() if value is not None},
    }


def _standing(contact: Contact) -> tuple[list[Span], list[Span]]:
    """Return where heel and ball of a contact stand: as they did, stretched or cut where its ends have moved."""
    first, last = contact.first, contact.last
    whole = [(first, last)]
    if contact.part != WHOLE:
        heel, ball = (whole if part in _STAND[contact.part] else [] for part in ("heel", "ball"))
        return heel, ball
    spans = [*contact.heel, *contact.ball]
    old_first, old_last = min((a for a, _ in spans), default=1), max((b for _, b in spans), default=0)
    if old_last < first or old_first > last:  # nothing is known of it here: it is flat
        return whole, whole

    def fitted(pieces: Iterable[Span]) -> list[Span]:
        ends = (
            (first if a == old_first else max(a, first), last if b == old_last else min(b, last)) for a, b in pieces
        )
        return [(a, b) for a, b in ends if a <= b]

    heel, ball = fitted(contact.heel), fitted(contact.ball)
    return (heel, ball) if heel or ball else (whole, whole)


def within(spans: Sequence[Span], contact: Contact) -> tuple[Span, ...]:
    """Return the parts of spans, which rise and do not overlap, that lie within a contact.

    >>> within([(0, 4), (6, 20)], Contact(1, "left", 3, 9))
    ((3, 4), (6, 9))
    """
    begin = bisect_left(spans, contact.first, key=lambda span: span[1])
    end = bisect_right(spans, contact.last, key=lambda span: span[0])
    return tuple((max(a, contact.first), min(b, contact.last)) for a, b in spans[begin:end])
