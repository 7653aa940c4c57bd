# SPDX-License-Identifier: GPL-3.0-or-later
"""Edits of the contacts of the planted action that plays; markers decide where contacts begin and end."""

from __future__ import annotations

from collections.abc import Sequence

from ...core import contacts as core
from ...core.contacts import Contact, Foot
from ..checks import Refused, check_order
from ..playback import playing
from . import stored

_GONE = "The contact is gone, as a marker of it was removed: press Update"


def active(ob) -> Contact | None:
    """Return the contact that is active in the list, None where there is none. Cheap enough for ``poll``."""
    mark = playing(ob).action.skelkin
    return stored.contact_of(mark.contacts[mark.contact]) if 0 <= mark.contact < len(mark.contacts) else None


def add(ob, foot: str, first: int, last: int, part: str) -> Contact:
    """Add a contact, and make it the active one.

    Raises
    ------
    Refused
        If it ends before it begins, or no leg has this foot.
    """
    feet = stored.feet_of(ob)
    leg = core.leg_of(foot, feet)
    if leg is None:
        raise Refused(f"No leg has a foot {foot!r}: choose one of {', '.join(foot.name for foot in feet) or 'none'}")
    check_order(first, last)
    action, contacts = _now(ob)
    key = max((contact.key for contact in contacts), default=0) + 1
    new = Contact(key, feet[leg].name, first, last, part, by_hand=True)
    _write(action, [*contacts, new], feet, key)
    return new


def remove(ob) -> Contact:
    """Remove the active contact."""
    action, contacts = _now(ob)
    gone = _active(ob, contacts)
    _write(action, [contact for contact in contacts if contact.key != gone.key], stored.feet_of(ob))
    return gone


def change(ob, **values) -> Contact:
    """Give the active contact other values.

    Raises
    ------
    Refused
        If it would end before it begins.
    """
    action, contacts = _now(ob)
    return _change(ob, action, contacts, _active(ob, contacts), values)


def choose(ob, key: int) -> bool:
    """Make a contact the active one; whether it was another one before."""
    mark = playing(ob).action.skelkin
    before = mark.contact
    mark.contact = next((k for k, item in enumerate(mark.contacts) if item.key == key), before)
    return mark.contact != before


def move(ob, key: int, first: int, last: int) -> Contact:
    """Let a contact begin and end elsewhere, with its markers, and make it the active one.

    Raises
    ------
    Refused
        If it would end before it begins, or is gone.
    """
    action, contacts = _now(ob)
    return _change(ob, action, contacts, _of_key(contacts, key), {"first": first, "last": last})


def _now(ob) -> tuple:
    """Return the planted action that plays, and its contacts as list and markers say together."""
    action = playing(ob).action
    return action, stored.read_together(ob, action).contacts


def _active(ob, contacts: Sequence[Contact]) -> Contact:
    wanted = active(ob)
    return _of_key(contacts, wanted.key if wanted is not None else None)


def _of_key(contacts: Sequence[Contact], key: int | None) -> Contact:
    found = next((contact for contact in contacts if contact.key == key), None)
    if found is None:
        raise Refused(_GONE)
    return found


def _change(ob, action, contacts: Sequence[Contact], old: Contact, values: dict) -> Contact:
    new = old._replace(**values)
    check_order(new.first, new.last)
    changed = [new if contact.key == old.key else contact for contact in contacts]
    _write(action, changed, stored.feet_of(ob), new.key)
    return new


def _write(action, contacts: Sequence[Contact], feet: Sequence[Foot], active_key: int = 0) -> None:
    stored.write(action, core.in_order(contacts, feet))
    mark = action.skelkin
    mark.contacts_edited = True
    mark.contact = next((k for k, item in enumerate(mark.contacts) if item.key == active_key), mark.contact)
