# SPDX-License-Identifier: GPL-3.0-or-later
"""Carries out what the switch has planned; the only module that adds actions to the file, and removes them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

import bpy

from ..core import verbs
from ..core.keys import linear_keys
from ..core.state import Played
from . import actions, compat, values
from .contacts.stored import disown_markers
from .original import kept, marks, nla
from .playback import playing
from .write_keys import write_keys


def carry_out(result: verbs.Result) -> verbs.Result:
    """Do what a verb has planned, in its order, except planting; return the result, to be reported."""
    made: dict[verbs.Copy, Played] = {}
    for write in result.writes:
        match write:
            case verbs.Play():
                if isinstance(write.plays, verbs.Copy):
                    made[write.plays] = full_copy(*write.plays.of, write.plays.name)
                _play(write, made.get(write.plays, write.plays))
            case verbs.Set():
                _set(made[write.of].action if write.of in made else write.of, write.values)
            case verbs.Point():
                _point(write)
            case verbs.Clear():
                marks.clear(made[write.action].action if write.action in made else write.action)
            case verbs.Remove():
                remove(write.action)
    return result


def _play(write: verbs.Play, played: Played) -> None:
    if write.on:
        kept.keep_transforms(write.ob)
        kept.keep_others(write.ob, played, playing(write.ob))
        play_planted(write.ob, played)
        return
    compat.assign(write.ob.animation_data, *played)
    if write.use is not None:
        nla.set_use(write.ob, write.use)
    for path, index, value in write.values:
        values.set_value(write.ob, path, index, value)


def play_planted(ob, played: Played) -> None:
    """Play a planted action; above strips of the NLA its channels replace what these do."""
    compat.assign(ob.animation_data, *played)
    if nla.blends(ob):
        nla.set_use(ob, nla.OVER)


def _set(of, given: dict) -> None:
    for path, value in given.items():
        owner, name = (of.skelkin, path[8:]) if path.startswith("skelkin.") else (of, path)
        if value is None:
            owner.property_unset(name)
        else:
            setattr(owner, name, value)


def _point(write: verbs.Point) -> None:
    ob, held = write.ob, write.ob.skelkin_held
    for index in reversed(range(len(held))):
        if held[index].action not in write.held:
            held.remove(index)
    known = [item.action for item in held]
    for action in write.held:
        if action not in known:
            held.add().action = action
    for name, action in (("skelkin_source", write.source), ("skelkin_planted", write.planted)):
        setattr(ob, name, action)
        if action is None:
            ob.property_unset(name)


def remove(action) -> None:
    """Remove an action from the file."""
    bpy.data.actions.remove(action)


def full_copy(action, slot, name: str) -> Played:
    """Return a local copy of the action with the slot's every curve, group, modifier and property, no other slot."""
    copy = action.copy()
    copy.name = name
    copy_slot = compat.find_slot(copy, compat.slot_name(slot))
    if copy_slot is not None:
        compat.keep_only_slot(copy, copy_slot)
        copy_slot = compat.find_slot(copy, compat.slot_name(slot))
    return Played(copy, copy_slot)


def copied(ob, undo: ExitStack) -> tuple[Played, Played]:
    """Return a full copy of what the object plays, not marked yet, and what it plays: above strips maybe nothing.

    Undone, the copy is gone.
    """
    original = playing(ob)
    name = f"{ob.name if original.action is None else original.action.name} planted"
    if name in bpy.data.actions:  # 3.4 would take the name from that one
        name += " new"
    if original.action is None:
        action = bpy.data.actions.new(name)
        copy = Played(action, compat.new_slot(action, ob.name))
    else:
        copy = full_copy(*original, name)
    undo.callback(remove, copy.action)
    marks.clear(copy.action)
    disown_markers(copy.action)
    return copy, original


def play_back(ob, former: Played, copy: Played, original: Played) -> None:
    """Play again what was played before a copy was."""
    compat.assign(ob.animation_data, *former)
    if former == original:
        kept.restore_use(ob)
        kept.restore(ob, copy, original)


@contextmanager
def as_written(context, objects: list) -> Iterator[None]:
    """Play the planted channels as they were written for a while, and all others as they are."""
    with ExitStack() as undo:
        undo.callback(context.view_layer.update)
        for obj in objects:
            played = playing(obj)
            copy = full_copy(*played, f"{played.action.name} written")
            undo.callback(remove, copy.action)
            curves = actions.curves_by_channel(*copy)
            for item, frames, values in marks.written(played.action.skelkin):
                for index, column in enumerate(values.T):
                    curve = curves[actions.bone_path(item.bone, item.channel), index]
                    for modifier in list(curve.modifiers):
                        curve.modifiers.remove(modifier)
                    write_keys(curve, linear_keys(frames, column))
            undo.callback(compat.assign, obj.animation_data, *played)
            compat.assign(obj.animation_data, *copy)
        context.view_layer.update()
        yield
