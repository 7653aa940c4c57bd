# SPDX-License-Identifier: GPL-3.0-or-later
"""Contacts between planting and the planted action: what planting is given, and what is kept of its report."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from ...core import contacts as core
from ...core.contacts import Contact, Foot, Message
from ...core.words import counted
from . import followed, foot_edits, stored, touch_ups


class Given(NamedTuple):
    """The contacts that planting is given, and messages about them."""

    contacts: Any  # as `plant_locals` takes them
    by_hand: list[Contact] | None  # those that somebody edited, in frames of the scene; None where they are found
    found: str  # those that were found before, as `described`
    messages: list[str]
    notes: list[str]
    edits: Sequence[foot_edits.FootEdit] = ()  # edits of feet
    touch_ups: touch_ups.TouchUps = touch_ups.NONE


def given(
    context, package, ob, planted, frames: tuple[core.Span, core.Span], mode: str, *, find_again: bool = False
) -> Given:
    """Return the contacts of a planted action if they were edited, else the mode in which they are found.

    ``frames``: the first and the last one of the scene that are read, and those of them that are planted. ``mode``: the
    setting of contacts. ``find_again``: edits are dropped.
    """
    found = planted.skelkin.contacts_found if planted is not None else ""  # above strips there may be no action yet
    if not found or find_again:
        return Given(mode.lower(), None, "", [], [])
    feet = stored.feet_of(ob)
    contacts, warnings, changes = stored.read_together(ob, planted)
    contacts, gone = followed.placed(context, contacts)
    warnings = [*warnings, *gone]
    if core.described(contacts) == found:
        return Given(mode.lower(), None, "", [remark_of(package, warning) for warning in warnings], [])
    (start, end), (first, last) = frames
    legs, more = core.usable(contacts, feet, start, end)
    count = sum(map(len, legs))
    notes = [f"Contacts: {count} as in the list, edited by hand"]
    if mode != "AUTO":
        notes.append("Contacts were edited by hand: the setting Contacts has no effect before Find Contacts Again")
    outside = sum(contact.last < first or contact.first > last for own in legs for contact in own)
    if outside:
        notes.append(f"{counted(outside, 'contact')} outside the planted frames {first}–{last}")
    messages = [remark_of(package, warning) for warning in (*warnings, *more)]
    notes += map(str, changes)
    return Given(core.as_given(legs, start), contacts, found, messages, notes)


def remark_of(package, message: Message) -> str:
    """Return a sentence that knows the frames that it names."""
    remark = package.planting.remark
    return remark.Remark(message.text.replace(core.FRAME, remark.FRAME), *message.frames)


def keep(ob, planted, plan) -> None:
    """Keep the contacts with which an action was planted: those that were edited, else those that were found."""
    mark, by_hand = planted.skelkin, plan.given.by_hand
    feet, stood = stored.feet_of(ob), _stood(plan)
    if by_hand is not None:
        stored.write(planted, [_rolling(contact, feet, stood) for contact in by_hand])
        mark.contacts_found = plan.given.found
    else:
        if mark.contacts_found:
            stored.write(planted, stored.read_together(ob, planted).contacts)  # so that pairs by hand go with the rest
        stored.write(planted, [])
        stored.write(planted, [_rolling(contact, feet, stood) for contact in _found(plan, feet)])
        mark.contacts_found = core.described(stored.read(planted))
    foot_edits.write(planted, plan.given.edits)
    touch_ups.keep(planted, plan.given.touch_ups)
    mark.contacts_given, mark.contacts_edited = by_hand is not None, False


def _found(plan, feet: list[Foot]) -> list[Contact]:
    found = [
        Contact(0, feet[one.leg].name, one.first_frame + plan.start, one.last_frame + plan.start)
        for one in plan.report.contacts
    ]
    return [contact._replace(key=k) for k, contact in enumerate(core.in_order(found, feet), 1)]


def _stood(plan) -> list[list[list[core.Span]]]:
    """Return, for each leg, where its heel and where its ball stood, in frames of the scene."""
    return [
        [[(a + plan.start, b + plan.start) for a, b in spans] for spans in (leg.heel_contacts, leg.ball_contacts)]
        for leg in plan.report.legs
    ]


def _rolling(contact: Contact, feet: list[Foot], stood: list) -> Contact:
    """Return a contact with where heel and ball stood in it."""
    leg = core.leg_of(contact.foot, feet)
    if leg is None or not contact.is_used or contact.part != core.WHOLE:
        return contact
    heel, ball = (core.within(spans, contact) for spans in stood[leg])
    return contact._replace(heel=heel, ball=ball) if heel or ball else contact


def about(mark) -> str:
    """Return which contacts a planted action was planted with."""
    count = counted(len(mark.contacts), "contact")
    return f"{count}, edited by hand" if mark.contacts_given else f"{count}, as found"
