# SPDX-License-Identifier: GPL-3.0-or-later
"""The contacts that a planted action keeps, and the pose markers that their ends are.

What ties a marker to its contact is written once, when the marker is made, and never changed: up to 4.2 copies of an
action and steps of undo share that value with it. A marker that belongs to another contact, or to none, is a new one.
"""

from __future__ import annotations

import json
from collections.abc import Iterable

from ...core import contacts as core
from ...core.contacts import Contact, Foot, Marker, Read

#: the key of markers that came along with the original
_NO_CONTACT = -1


def feet_of(ob) -> list[Foot]:
    """Return what the feet of the legs that are switched on are called: by their side, else by their bone."""
    legs = [leg for leg in ob.skelkin_legs if leg.enabled]
    sides = [leg.side for leg in legs]
    return [Foot(leg.side if leg.side and sides.count(leg.side) == 1 else leg.ankle, leg.ankle) for leg in legs]


def read(action) -> list[Contact]:
    """Return the contacts as the list has them, whatever their markers say."""
    return [contact_of(item) for item in action.skelkin.contacts]


def contact_of(item) -> Contact:
    """Return an item of the list."""
    return Contact(
        item.key,
        item.foot,
        item.first,
        item.last,
        item.part,
        item.use,
        item.height if item.use_height else None,
        tuple(item.place) if item.use_place else None,
        item.by_hand,
        _spans(item.heel),
        _spans(item.ball),
        item.follows if item.use_place else None,
        item.follows_height,
    )


def _spans(text: str) -> tuple[core.Span, ...]:
    numbers = [int(number) for number in text.split()]
    return tuple(zip(numbers[::2], numbers[1::2], strict=True))


def read_together(ob, action) -> Read:
    """Return the contacts as list and markers say together, in frames of the scene."""
    return core.read_together(read(action), markers_of(action), feet_of(ob))


def markers_of(action) -> list[Marker]:
    """Return all markers of the action."""
    return [_marker(marker) for marker in action.pose_markers]


def _marker(marker) -> Marker:
    return Marker(marker.name, marker.frame, marker.skelkin_contact, marker.skelkin_is_up)


def is_moved(action) -> bool:
    """Whether markers are elsewhere than the list says, or gone. Cheap enough for drawing."""
    keys = ((marker.skelkin_contact, marker) for marker in action.pose_markers)
    frames = {(key, marker.skelkin_is_up): marker.frame for key, marker in keys if key > 0}
    items = ((item.key, item.first, item.last) for item in action.skelkin.contacts)
    return any(frames.get((key, False)) != first or frames.get((key, True)) != last for key, first, last in items)


def write(action, contacts: Iterable[Contact]) -> None:
    """Make these the contacts of the action, with a marker at both ends of each; one that is there is moved."""
    mark = action.skelkin
    items = mark.contacts
    active = items[mark.contact].key if 0 <= mark.contact < len(items) else 0
    unused = {item.key: (item.height, tuple(item.place)) for item in items}  # switched off, they are there all the same
    items.clear()
    for contact in contacts:
        _keep(items.add(), contact, *unused.get(contact.key, (0.0, (0.0, 0.0, 0.0))))
    otherwise = max(0, min(mark.contact, len(items) - 1))
    mark.contact = next((k for k, item in enumerate(items) if item.key == active), otherwise)
    _place_markers(action, read(action))


def _keep(item, contact: Contact, height: float, place: tuple[float, ...]) -> None:
    for name in ("foot", "first", "last", "part", "by_hand", "follows", "follows_height"):
        setattr(item, name, getattr(contact, name))
    item.use, item.use_height, item.use_place = contact.is_used, contact.height is not None, contact.place is not None
    item.height = height if contact.height is None else contact.height
    item.place = place if contact.place is None else contact.place
    for name in ("heel", "ball"):
        setattr(item, name, " ".join(f"{a} {b}" for a, b in getattr(contact, name)))
    item.key = contact.key  # last: what is changed before is no edit


def _place_markers(action, contacts: list[Contact]) -> None:
    """Give each end of each contact its marker, and tie no other marker to one."""
    ends = {(contact.key, is_up): contact for contact in contacts for is_up in (False, True)}
    markers = list(action.pose_markers)
    read = [_marker(marker) for marker in markers]
    owners = core.owners(contacts, read)
    for marker, one, end in zip(markers, read, owners, strict=True):
        if end is None and one.key <= 0:
            continue
        if end is not None and one.key == 0:
            marker.skelkin_contact, marker.skelkin_is_up = end
        elif end != (one.key, one.is_up):  # of a contact that is gone, or a copy of a marker
            action.pose_markers.remove(marker)
            if end is not None or (one.key, one.is_up) in ends:
                _new_marker(action, one.name, one.frame, end)
        elif marker.frame != ends[end][2 + end[1]]:
            marker.frame = ends[end][2 + end[1]]
    for end in ends.keys() - set(owners):
        contact = ends[end]
        _new_marker(action, core.marker_name(contact, end[1]), contact[2 + end[1]], end)


def _new_marker(action, name: str, frame: int, end: tuple[int, bool] | None):
    marker = action.pose_markers.new(name)
    marker.frame = frame
    if end is not None:
        marker.skelkin_contact, marker.skelkin_is_up = end
    return marker


def rename_feet(action, names: dict[str, str]) -> None:
    """Let contacts follow feet whose bones were renamed, old → new name, with what their markers are called."""
    mark = action.skelkin
    for item in mark.contacts:
        if item.foot in names:
            before = contact_of(item)
            item.foot = names[item.foot]
            for marker in action.pose_markers:
                is_up = marker.skelkin_is_up
                if marker.skelkin_contact == item.key and marker.name == core.marker_name(before, is_up):
                    marker.name = core.marker_name(contact_of(item), is_up)
    for item in mark.foot_edits:
        item.foot = names.get(item.foot, item.foot)
    if mark.touch_ups:
        feet, *rest = json.loads(mark.touch_ups)
        mark.touch_ups = json.dumps([[names.get(foot, foot) for foot in feet], *rest])
    mark.contacts_found = core.with_feet(mark.contacts_found, names)


def disown_markers(action) -> None:
    """Untie the markers that came with a copy of an original from contacts, whatever their names."""
    for marker in list(action.pose_markers):
        if marker.skelkin_contact > 0:
            name, frame = marker.name, marker.frame
            action.pose_markers.remove(marker)
            marker = _new_marker(action, name, frame, None)
        if marker.skelkin_contact == 0:
            marker.skelkin_contact = _NO_CONTACT
