# SPDX-License-Identifier: GPL-3.0-or-later
"""Contacts that stand over an object: their place is where the object is in the frame in which the contact begins."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import nullcontext

from ...core.contacts import FRAME, Contact, Message
from ..checks import is_evaluated
from ..poses import stepping
from ..scene_ground import may_move

#: parts of a unit, and of a place, by which an object may be elsewhere and still count as there
_SAME = 1e-6


def placed(context, contacts: Iterable[Contact]) -> tuple[list[Contact], list[Message]]:
    """Return contacts where their objects are, and messages about objects that Blender does not move.

    An object that left the scene is no longer followed; a disabled one is followed again once it is enabled. The
    scene is stepped to the first frames of those whose object could move, and put back.
    """
    contacts, messages = list(contacts), []
    moving = any(one.follows is not None and may_move(one.follows) for one in contacts)
    with stepping(context) if moving else nullcontext() as frame_set:
        for number, one in enumerate(contacts):
            if one.follows is None:
                continue
            stays = f"the contact {FRAME}–{FRAME} stays where it was"
            if context.scene.objects.get(one.follows.name) != one.follows:
                text = (
                    f"{one.foot}: {one.follows.name} is not in the scene, and {stays}: choose another, or clear Pinned"
                )
                messages.append(Message(text, (one.first, one.last)))
                contacts[number] = one._replace(follows=None, follows_height=False)
                continue
            if not is_evaluated(context, one.follows):
                text = f"{one.foot}: {one.follows.name} or its collection is disabled in viewports, and {stays}"
                messages.append(Message(f"{text}: enable it", (one.first, one.last)))
                continue
            if may_move(one.follows):
                frame_set(one.first)
            contacts[number] = at(one, one.follows)
    return contacts, messages


def at(contact: Contact, obj) -> Contact:
    """Return a contact where an object is now."""
    place = tuple(obj.matrix_world.translation)
    raised = contact.follows_height and contact.height is not None
    return contact._replace(place=place, height=place[2] if raised else contact.height)


def has_moved(action) -> bool:
    """Whether an object that a contact follows is elsewhere by now. Cheap enough for drawing.

    Animated objects are skipped: where they are now says nothing about another frame.
    """
    return any(
        (item.follows.matrix_world.translation - item.place).length > _SAME * (1.0 + item.place.length)
        for item in action.skelkin.contacts
        if item.use_place and item.follows is not None and not may_move(item.follows)
    )
