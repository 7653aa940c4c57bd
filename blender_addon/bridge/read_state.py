# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads the state that plans of the switch start from: the only way from a file to a `State`."""

from __future__ import annotations

import json
from typing import Any

import bpy

from ..core.state import Action, ObjectState, Played, State
from . import actions, checks, compat, leg_data, plant_settings
from .original import kept, originals
from .playback import all_waiting, is_on, planted_of, playing
from .rig import rig_map


def read(ob=None, not_renamed: dict | None = None) -> State:
    """Return the state of the file for a verb of this object, or of none.

    ``not_renamed``: what of originals could not follow bones that were renamed, in words, by object.
    """
    known = {each: _action(each) for each in bpy.data.actions if _is_marked(each.skelkin)}
    objects = {each: _object_state(each) for each in bpy.data.objects if each == ob or _concerns(each, known)}
    pointed = [each for obj in objects.values() for each in (obj.plays.action, obj.planted, *obj.held)]
    for action in [*pointed, *(action.original.action for action in known.values())]:
        if action is not None and action not in known:
            known[action] = _action(action)
    curves: dict[Played, dict[tuple[str, int], bool]] = {}
    involved = [ob] if ob is not None else []
    for each in involved:  # which grows
        goals = tuple(goals_of(each))
        involved += [goal for goal in goals if goal not in involved]
        objects[each] = obj = _in_full(objects[each], each, goals, (not_renamed or {}).get(each, ()))
        if is_on(each):
            original = known[obj.plays.action].original
            curves[original] = actions.animated(*original)
        for played in (obj.plays, *(known[action].own for action in obj.waiting)):
            if obj.waiting or is_on(each):
                curves[played] = dict.fromkeys(actions.curves_by_channel(*played), True)
    settings = (plant_settings.preferred(), plant_settings.own(ob)) if ob is not None else ({}, {})
    return State(objects, known, frozenset(bpy.data.actions.keys()), curves, *settings)


def _is_marked(mark) -> bool:
    return mark.is_planted or mark.holds_fake_user


def _concerns(ob, marked: dict) -> bool:
    """Whether an object plays or points to what the add-on has marked, or may do so in a strip."""
    data = ob.animation_data
    plays = data is not None and (data.action in marked or len(data.nla_tracks) > 0)
    return plays or ob.skelkin_planted is not None or len(ob.skelkin_held) > 0


def _object_state(ob) -> ObjectState:
    data = ob.animation_data
    strips = (strip.action for track in data.nla_tracks for strip in track.strips) if data is not None else ()
    held = tuple(item.action for item in ob.skelkin_held)
    pointed = ob.skelkin_source, ob.skelkin_planted, held
    return ObjectState(ob.name, playing(ob), *pointed, tuple(action for action in strips if action is not None))


def _in_full(obj: ObjectState, ob, goals: tuple, not_renamed) -> ObjectState:
    waiting = tuple(all_waiting(ob))
    return obj._replace(
        waiting=waiting,
        goals=goals,
        bones=kept.bones_of(ob),
        record=kept.read_record(ob),
        kept=kept.others_of(obj.plays.action) if is_on(ob) else {},
        digest=originals.digest(ob, *obj.plays) if waiting else "",
        legs=leg_data.described(ob),
        not_renamed=tuple(not_renamed),
    )


def _action(action) -> Action:
    mark, fake, is_newer = action.skelkin, action.use_fake_user, checks.is_newer(action)
    about = (action.name, action.users - fake, action.library is None, fake, mark.holds_fake_user)
    if not mark.is_planted:
        return Action(*about)
    slot = compat.find_slot(mark.source, mark.source_slot)
    return Action(
        *about,
        *(getattr(mark, name) for name in Action._fields[len(about) : -5]),
        is_newer=is_newer,
        own=Played(action, compat.find_slot(action, mark.slot)),
        original=Played(mark.source, slot),
        slot_is_gone=compat.slot_is_missing(mark.source, slot),
        settings={} if is_newer else json.loads(mark.settings or "{}"),
    )


def goals_of(ob) -> list[Any]:
    """Return the objects whose planted actions belong to those of this armature, and that its constraints look at.

    Duplicates of armature and goals hold the same actions. Where the constraints are gone, all that hold them count.
    """
    held = [item.action for item in ob.skelkin_held if item.action is not None]
    if not held or ob.pose is None:
        return []
    found = [obj for obj in bpy.data.objects if obj != ob and any(map(held.__contains__, planted_of(obj)))]
    followed = rig_map.target_objects(ob) if found else ()
    return [obj for obj in found if obj in followed] or found
