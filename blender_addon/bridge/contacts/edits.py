# SPDX-License-Identifier: GPL-3.0-or-later
"""What is done to the contacts of the planted action that plays; each takes the markers' word for where ends are."""

from __future__ import annotations

from collections.abc import Sequence

from ...core import contacts as core
from ...core.contacts import Contact, Foot
from ..checks import Refused
from ..playback import playing
from . import stored


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
        raise Refused(f"No leg has a foot {foot!r}: {ob.name} has {', '.join(foot.name for foot in feet) or 'none'}")
    if first > last:
        raise Refused(f"The contact would begin in frame {first} and end before, in {last}")
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
    old = _active(ob, contacts)
    new = old._replace(**values)
    if new.first > new.last:
        raise Refused(f"{new.foot}: the contact would begin in frame {new.first} and end before, in {new.last}")
    changed = [new if contact.key == old.key else contact for contact in contacts]
    _write(action, changed, stored.feet_of(ob), new.key)
    return new


def _now(ob) -> tuple:
    """Return the planted action that plays, and its contacts as list and markers say together."""
    action = playing(ob).action
    return action, stored.read_together(ob, action).contacts


def _active(ob, contacts: Sequence[Contact]) -> Contact:
    wanted = active(ob)
    found = next((contact for contact in contacts if wanted is not None and contact.key == wanted.key), None)
    if found is None:
        raise Refused("The contact is gone, as a marker of it was removed: press Update")
    return found


def _write(action, contacts: Sequence[Contact], feet: Sequence[Foot], active_key: int = 0) -> None:
    stored.write(action, core.in_order(contacts, feet))
    mark = action.skelkin
    mark.contacts_edited = True
    mark.contact = next((k for k, item in enumerate(mark.contacts) if item.key == active_key), mark.contact)
