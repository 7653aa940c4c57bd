# SPDX-License-Identifier: GPL-3.0-or-later
"""The switch: original and planted action, held by pointers, swapped without a trace.

"On" is not stored: it is so when the assigned action carries the mark of a planted one.
"""

from __future__ import annotations

import json
from typing import Any, NamedTuple

import bpy
import numpy as np

from ..core.words import result_line
from . import actions, checks, compat, kept, native
from .checks import Refused
from .leg_ways import UNSURE
from .misses import Misses, measure
from .planting import Plan, make_plan

#: feet found this far from where they were planned, in leg lengths, mean that the legs do not follow their keys
FOLLOWS = 1e-3
Failed = frozenset[tuple[str, str]]


class Result(NamedTuple):
    """What to report: a line, warnings, and remarks that are none."""

    line: str
    messages: list[str]
    notes: tuple[str, ...] = ()


class Astray(Refused):
    """Feet are not where they were planned; ``failed`` names legs and ways after which there is another to try."""

    def __init__(self, misses: Misses, ankles: set[str], plan: Plan) -> None:
        error, frame, ankle = max((*misses.worst[ankle], ankle) for ankle in ankles)
        astray = [way for way in plan.ways if way.ankle in ankles]
        self.failed = frozenset((way.name, way.kind) for way in astray if way.kind in UNSURE)
        suspect = next((way.suspect for way in astray if way.suspect), "look for constraints or drivers above them")
        super().__init__(
            f"The feet do not follow their keys ({ankle} is off by {100 * error:.2g} % of the leg in frame {frame}): "
            f"{suspect}"
        )


class Played(NamedTuple):
    """An action and the slot of it that an object plays; None where it plays none, or where Blender has no slots."""

    action: Any
    slot: Any


def playing(ob) -> Played:
    """Return what the object plays."""
    data = ob.animation_data
    return Played(*compat.assigned(data)) if data is not None else Played(None, None)


def is_on(ob) -> bool:
    """Whether the object plays a planted action."""
    action, _ = playing(ob)
    return action is not None and action.skelkin.is_planted


def waiting(ob):
    """Return the planted action that belongs to the action played now, None if there is none."""
    action, slot = playing(ob)
    if action is None:
        return None
    for planted in map(compat.living, (ob.skelkin_planted, *(item.action for item in ob.skelkin_held))):
        if planted is None or planted == action or not planted.skelkin.is_planted:
            continue
        mark = planted.skelkin
        if mark.source == action and compat.find_slot(action, mark.source_slot) == slot:
            return planted
    return None


def switch_on(context, ob, settings: dict, chosen: dict, failed: Failed = frozenset()) -> Result:
    """Plant the feet into a copy of the action and play it, or play the copy that is there already.

    That copy is planted again if it was with other values of the ``chosen`` settings. ``failed`` are ways of legs that
    are not to be tried again.
    """
    source, source_slot = original = playing(ob)
    if source.skelkin.is_planted:
        raise Refused(f"{source.name} is planted already")
    planted = waiting(ob)
    if planted is not None:
        result = _switch_back_on(context, ob, planted, source, source_slot)
        former = json.loads(planted.skelkin.settings or "{}")
        wanted = {**settings, **former, **chosen}
        if wanted == former:
            return result
        try:
            return update(context, ob, wanted)
        except BaseException:
            switch_off(context, ob)
            raise
    plan = make_plan(context, ob, settings, failed)
    copy = Played(*actions.full_copy(source, source_slot, f"{source.name} planted"))
    _clear_mark(copy.action)
    try:
        return _finish(context, ob, copy, original, plan, settings, back_to=original)
    except Astray as astray:
        if not astray.failed:
            raise
        return switch_on(context, ob, settings, chosen, failed | astray.failed)


def _switch_back_on(context, ob, planted, source, source_slot) -> Result:
    mark = planted.skelkin
    slot = compat.find_slot(planted, mark.slot)
    kept.keep_transforms(ob)
    kept.keep_others(ob, planted, slot, source, source_slot)
    compat.assign(ob.animation_data, planted, slot)
    _hold_planted(ob, planted, source)
    context.view_layer.update()
    mark.source_changed = actions.digest(source, source_slot) != mark.source_digest
    messages = [f"{source.name} has changed since it was planted: press Update"] if mark.source_changed else []
    return Result(mark.summary, messages)


def _finish(context, ob, copy: Played, original: Played, plan: Plan, settings, back_to: Played) -> Result:
    """Write, play and check a planted action; on any failure play ``back_to`` again and leave nothing."""
    try:
        if not plan.channels:
            raise Refused(_nothing_to_do(plan, settings))
        kept.keep_transforms(ob)
        baked = _write(ob, *copy, plan)
        kept.keep_others(ob, *copy, *original)
        compat.assign(ob.animation_data, *copy)
        misses = measure(context, native.load(), ob, plan)
        better = plan.corrected(native.load(), ob, misses.targets) if plan.stepped else None
        if better is not None:
            plan = better
            _write(ob, *copy, plan)
            misses = measure(context, native.load(), ob, plan)
        if astray := misses.beyond(FOLLOWS):
            raise Astray(misses, astray, plan)
        _mark(*copy, *original, plan, settings)
    except BaseException:
        compat.assign(ob.animation_data, *back_to)
        if not back_to.action.skelkin.is_planted:
            kept.restore(ob, *copy, *original)
        bpy.data.actions.remove(copy.action)
        context.view_layer.update()
        raise
    planted, source = copy.action, original.action
    _hold(source)
    planted.skelkin.was_fake_user = False
    planted.use_fake_user = True
    _hold_planted(ob, planted, source)
    messages = list(plan.messages)
    if plan.report.ground_velocity is not None and settings["ground_motion"] == "OFF":
        messages.append("Ground motion: Measured holds the feet on a ground that goes back with them")
    if baked:
        messages.append("F-curve modifiers of leg or pelvis channels were baked into their keys")
    _keep_warnings(planted.skelkin, messages)
    notes = (*plan.told(), misses.told())
    return Result(planted.skelkin.summary, messages, notes)


def _keep_warnings(mark, messages: list[str]) -> None:
    """Keep what was said with the action, for the panel; in the order of the report, worst first."""
    frames_of = native.load().planting.remark.frames_of
    mark.warnings.clear()
    for text in messages:
        frames, item = frames_of(text), mark.warnings.add()
        item.text, item.names_frame, item.frame = str(text), bool(frames), frames[0] if frames else 0


def _nothing_to_do(plan: Plan, settings: dict) -> str:
    said = ["Nothing to plant", *plan.messages]
    if settings["ground_motion"] == "GIVEN" and settings["contacts"] in ("AUTO", "GROUND_ONLY"):
        said.append("is the velocity of the ground that of the standing feet? Ground motion: Measured finds it")
    return "; ".join(said)


def _write(ob, planted, slot, plan: Plan) -> bool:
    frames = plan.frames.astype(np.float64)
    baked = False
    for bone, channel, values in plan.channels:
        path = actions.bone_path(bone, channel)
        rest = kept.rest_of(ob, bone, channel)
        baked |= actions.write_channel(planted, slot, path, values, frames, bone, rest, plan.around)
    return baked


def _mark(planted, slot, source, source_slot, plan: Plan, settings: dict) -> None:
    mark = planted.skelkin
    mark.is_planted = True
    mark.source, mark.source_slot = source, compat.slot_name(source_slot)
    mark.slot = compat.slot_name(slot)
    mark.source_digest = actions.digest(source, source_slot)
    mark.source_changed = False
    mark.settings = json.dumps(settings)
    mark.channels.clear()
    for bone, channel, values in plan.channels:
        item = mark.channels.add()
        item.bone, item.channel, item.size = bone, channel, values.shape[1]
    mark.keys_digest = _keys_digest(planted, slot)
    mark.summary = _summary(plan.report)
    mark.worse = json.dumps(plan.worse)
    _mark_contacts(planted, plan)


def _keys_digest(planted, slot) -> str:
    paths = {actions.bone_path(item.bone, item.channel) for item in planted.skelkin.channels}
    return actions.digest(planted, slot, paths)


def _summary(report) -> str:
    worst = [report.centimetres(report.slide(when)[1]) for when in ("before", "after")]
    return result_line(len(report.contacts), *worst)


def _mark_contacts(planted, plan: Plan) -> None:
    """Show the contacts as pose markers, so that they come and go with the planted action."""
    mark = planted.skelkin
    markers = []
    for contact in plan.report.contacts:
        for word, frame in (("down", contact.first_frame), ("up", contact.last_frame)):
            marker = planted.pose_markers.new(f"{contact.name} {word}")
            marker.frame = int(plan.start + frame)
            markers.append([marker.name, marker.frame])
    mark.markers = json.dumps(markers)


def _unmark_contacts(action) -> None:
    ours = json.loads(action.skelkin.markers or "[]")
    for marker in list(action.pose_markers):
        if [marker.name, marker.frame] in ours:
            ours.remove([marker.name, marker.frame])
            action.pose_markers.remove(marker)


def switch_off(context, ob) -> Result:
    """Play the original again, with every value that only the planted action animated as it was."""
    planted, slot = playing(ob)
    mark = planted.skelkin
    source = compat.living(mark.source)
    if source is None:
        raise Refused(f"The original of {planted.name} is gone: press Apply to keep the planted action")
    source_slot = compat.find_slot(source, mark.source_slot)
    if compat.slot_is_missing(source, source_slot):
        raise Refused(f"The slot of {source.name} that was planted is gone: press Apply to keep the planted action")
    lost = _renamed(ob, planted, slot, source, source_slot)
    compat.assign(ob.animation_data, source, source_slot)
    kept.restore(ob, planted, slot, source, source_slot, forget=False)
    kept.forget_transforms(ob)
    if not _others_hold(ob, planted):
        planted.skelkin.kept.clear()
    _hold_planted(ob, planted, source)
    context.view_layer.update()
    messages = []
    if lost:
        messages.append(f"{source.name} animates {', '.join(lost)}: renamed or removed while Leg IK was on")
    return Result(f"Leg IK off: {source.name} plays again", messages)


def _renamed(ob, planted, slot, source, source_slot) -> list[str]:
    """Bones that the original animates by names they lost while on; Blender renames in the assigned action only."""
    known = {path for path, _ in actions.curves_by_channel(planted, slot)}
    old = {path for path, _ in actions.curves_by_channel(source, source_slot)} - known
    return sorted({name for name, _ in map(checks.bone_channel, old) if name and name not in ob.pose.bones})


def _others_hold(ob, planted) -> bool:
    """Whether another object plays the planted action or would switch back on to it: a duplicate of this one."""
    return any(
        planted == other.skelkin_planted or planted == playing(other)[0] for other in bpy.data.objects if other != ob
    )


def edited(ob) -> bool:
    """Whether leg or pelvis keys of the planted action that plays were changed by hand."""
    planted, slot = playing(ob)
    return _keys_digest(planted, slot) != planted.skelkin.keys_digest


def update(context, ob, settings: dict, failed: Failed = frozenset()) -> Result:
    """Plant again from the original; every other curve stays as it is, edited leg keys are kept in a copy.

    ``failed`` is as in `switch_on`.
    """
    planted, slot = former = playing(ob)
    mark = planted.skelkin
    source = compat.living(mark.source)
    source_slot = compat.find_slot(source, mark.source_slot) if source is not None else None
    if source is None or compat.slot_is_missing(source, source_slot):
        raise Refused(f"The original of {planted.name} is gone: it cannot be planted again")
    was_edited = edited(ob)
    name = planted.name
    base, base_slot = actions.full_copy(planted, slot, f"{name} new")
    _unmark_contacts(base)
    source_curves = actions.curves_by_channel(source, source_slot)
    for item in mark.channels:
        path = actions.bone_path(item.bone, item.channel)
        actions.restore_channel(base, base_slot, source_curves, path, item.size)
    base.skelkin.is_planted = False
    try:
        compat.assign(ob.animation_data, base, base_slot)
        kept.restore(ob, planted, slot, source, source_slot, forget=False)
        plan = make_plan(context, ob, settings, failed)
    except BaseException:
        compat.assign(ob.animation_data, planted, slot)
        bpy.data.actions.remove(base)
        context.view_layer.update()
        raise
    copy, original = Played(base, base_slot), Played(source, source_slot)
    try:
        result = _finish(context, ob, copy, original, plan, settings, back_to=former)
    except Astray as astray:
        if not astray.failed:
            raise
        return update(context, ob, settings, failed | astray.failed)
    return _retire(planted, base, name, was_edited, result)


def _retire(planted, base, name: str, was_edited: bool, result: Result) -> Result:
    """Keep the former planted action if it was edited or is used elsewhere, else remove it."""
    if was_edited:
        planted.name = f"{name} edited"
        result.messages.append(f"The edited leg keys are kept in {planted.name}")
    elif planted.users - int(planted.use_fake_user) > 0:
        planted.name = f"{name} former"
    else:
        bpy.data.actions.remove(planted)
    base.name = name
    return result


def apply(context, ob) -> Result:
    """Make the planted action the ordinary one: only mark and hold go."""
    planted, slot = playing(ob)
    source, was_fake_user = compat.living(planted.skelkin.source), planted.skelkin.was_fake_user
    if _others_hold(ob, planted):
        planted, slot = actions.full_copy(planted, slot, planted.name)
        compat.assign(ob.animation_data, planted, slot)
    planted.use_fake_user = was_fake_user
    _clear_mark(planted)
    kept.forget_transforms(ob)
    _forget(ob)
    if source is not None:
        _release(source)
    return Result(f"{planted.name} is an ordinary action now", [])


def remove(context, ob) -> Result:
    """Off, and nothing of the add-on left."""
    if is_on(ob):
        switch_off(context, ob)
    held = map(compat.living, (ob.skelkin_planted, *(item.action for item in ob.skelkin_held)))
    planted = [action for action in dict.fromkeys(held) if action is not None and action.skelkin.is_planted]
    sources = [compat.living(action.skelkin.source) for action in planted]
    names = [action.name for action in planted]
    _forget(ob)
    kept.forget_transforms(ob)
    ob.property_unset("skelkin_held")
    ob.property_unset("skelkin_legs")
    for action in planted:
        if action.users - int(action.use_fake_user) <= 0:
            bpy.data.actions.remove(action)
    for source in dict.fromkeys(sources):
        if source is not None:
            _release(source)
    return Result(f"Removed {', '.join(names) or 'Leg IK'}", [])


def _forget(ob) -> None:
    for name in ("skelkin_source", "skelkin_planted"):
        setattr(ob, name, None)
        ob.property_unset(name)


def _clear_mark(action) -> None:
    mark = action.skelkin
    for prop in mark.bl_rna.properties:
        if prop.identifier not in ("rna_type", "name"):
            mark.property_unset(prop.identifier)


def _hold_planted(ob, planted, source) -> None:
    """Point to the pair that the switch swaps; planted actions of other originals stay known."""
    former = compat.living(ob.skelkin_planted)
    known = [item.action for item in ob.skelkin_held]
    if former is not None and former != planted and former.skelkin.source != source and former not in known:
        ob.skelkin_held.add().action = former
    ob.skelkin_source, ob.skelkin_planted = source, planted


def _hold(source) -> None:
    """Keep the original through save and reload, and remember that this was us."""
    mark = source.skelkin if source.library is None else None
    if mark is not None and not mark.holds_fake_user and not source.use_fake_user:
        mark.holds_fake_user = True
        source.use_fake_user = True


def _release(source) -> None:
    """Take the hold off again once no planted action needs it."""
    if source.library is not None or not source.skelkin.holds_fake_user:
        return
    if any(action.skelkin.is_planted and action.skelkin.source == source for action in bpy.data.actions):
        return
    source.use_fake_user = False
    _clear_mark(source)
