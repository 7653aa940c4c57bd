# SPDX-License-Identifier: GPL-3.0-or-later
"""The switch: original and planted action swapped without a trace."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple
from uuid import uuid4

import bpy
import numpy as np

from ..core.steps import Steps, finished
from . import (
    actions,
    advice,
    checks,
    compat,
    curve_poses,
    holding,
    leg_data,
    marks,
    native,
    overlay,
    plant_settings,
    renaming,
    told,
)
from .checks import Refused
from .contacts.given import keep as keep_contacts
from .contacts.stored import disown_markers
from .misses import Misses, measure
from .original import baking, kept, nla, originals
from .planting import Plan, plan_steps
from .playback import Played, all_waiting, is_on, original_is_gone, planted_of, playing, source_of, waiting
from .ways import rig_map, sparse
from .ways.leg_ways import UNSURE

#: feet found this far from where they were planned, in leg lengths, mean that the legs do not follow their keys
FOLLOWS = 1e-3
#: sparse keys are within the tolerance on whole frames, but for the rounding of their curves
_ROOM = 1.01
_OBJECT_GROUP = "Object Transforms"


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
            f"{suspect}{_or_handlers()}"
        )


def switch_on(context, ob, chosen: dict) -> Result:
    """Return what `on_steps` returns, in one go."""
    return finished(on_steps(context, ob, chosen))


def on_steps(context, ob, chosen: dict) -> Steps:
    """Plant the feet into a copy of the action and play it, or play the copy that is there already.

    That copy is planted again if it was with other legs, or with other values of the ``chosen`` settings; where it goes
    by names that bones had before, a new one is made.
    """
    source, source_slot = playing(ob)
    if source is not None and source.skelkin.is_planted:
        raise Refused(f"{source.name} is planted already")
    planted = waiting(ob)
    outdated = planted is not None and _goes_by_old_names(ob, planted, source, source_slot)
    if planted is not None and not outdated:
        goals_unsure = any(len(_waiting_for(thing, planted)) > 1 for thing in _goals_of(ob))  # of older files
        result = _switch_back_on(context, ob, planted, source, source_slot)
        former = json.loads(planted.skelkin.settings or "{}")
        wanted = plant_settings.wanted(ob, former, chosen)
        other_legs = planted.skelkin.legs not in ("", leg_data.described(ob))
        if wanted == former and not (other_legs or goals_unsure):
            return result
        try:
            result = yield from update_steps(context, ob, wanted)
        except BaseException:
            switch_off(context, ob)
            raise
        said = ("The legs have changed since: planted again",) if other_legs else ()
        return result._replace(notes=(*said, *result.notes))
    stored = json.loads(planted.skelkin.settings or "{}") if outdated else {}
    settings = plant_settings.wanted(ob, stored, chosen)
    plan = yield from plan_steps(context, ob, settings, contacts_of=planted)
    result = yield from put_on(context, ob, plan, settings, contacts_of=planted)
    if outdated:
        name, slot = planted.name, compat.find_slot(planted, planted.skelkin.slot)
        was_edited = finished(marks.keys_digest(planted, slot)) != planted.skelkin.keys_digest
        return _retire(planted, playing(ob).action, name, was_edited, result)
    return result


def _goes_by_old_names(ob, planted, source, source_slot) -> bool:
    """Whether bones were renamed while the planted action waited: Blender tells the action that is assigned alone."""
    curves = actions.curves_by_channel(planted, compat.find_slot(planted, planted.skelkin.slot))
    known = {path for path, _ in actions.curves_by_channel(source, source_slot)}
    bones = {checks.bone_channel(path)[0] for path, _ in curves if path not in known}
    return any(name and name not in ob.pose.bones for name in bones)


def put_on(context, ob, plan: Plan, settings: dict, contacts_of=None) -> Steps:
    """Write what was planned for the action that plays into a copy of it, and play that; in steps, as a `Result`.

    Where feet do not follow, it is planned again by other ways as long as there are some. ``contacts_of``: as in
    `plan_steps`.
    """
    failed: frozenset[tuple[str, str]] = frozenset()
    while True:
        copy, original = _copied(ob)
        try:
            return (yield from _finish(context, ob, copy, original, plan, settings, back_to=original))
        except Astray as astray:
            if not astray.failed:
                raise
            failed |= astray.failed
        plan = yield from plan_steps(context, ob, settings, failed=failed, contacts_of=contacts_of)


def play_waiting(context, ob) -> None:
    """Play the planted action that waits for the one played now, as it is."""
    _switch_back_on(context, ob, waiting(ob), *playing(ob))


def _switch_back_on(context, ob, planted, source, source_slot) -> Result:
    messages = []
    for thing in _goals_of(ob):
        waits = _waiting_for(thing, planted)
        if waits:
            messages += _switch_back_on(context, thing, waits[0], *playing(thing)).messages
        elif not is_on(thing):
            messages.append(f"{thing.name} plays another action than the one that was planted: press Update")
    mark = planted.skelkin
    slot = compat.find_slot(planted, mark.slot)
    kept.keep_transforms(ob)
    kept.keep_others(ob, planted, slot, source, source_slot)
    _play(ob, planted, slot)
    holding.hold_planted(ob, planted, source)
    context.view_layer.update()
    if originals.digest(ob, source, source_slot) != mark.source_digest:
        messages.append(f"{originals.told(ob, source)} has changed since it was planted: press Update")
    mark.source_changed = bool(messages)
    return Result(mark.summary, messages)


def _play(ob, planted, slot) -> None:
    """Play a planted action; above strips of the NLA its channels replace what these do."""
    compat.assign(ob.animation_data, planted, slot)
    if nla.blends(ob):
        nla.set_use(ob, nla.OVER)


def _finish(context, ob, copy: Played, original: Played, plan: Plan, settings, back_to: Played) -> Steps:
    """Write, play and check a planted action; on any failure play ``back_to`` again and leave nothing."""
    goals: list[tuple[Any, Played, Played]] = []
    try:
        need_change(plan, settings)
        yield
        kept.keep_transforms(ob)
        yield
        plan = yield from baking.bake_steps(context, ob, copy, plan)
        exact = plan._replace(posed=None) if plan.targets and plan.stepped else plan
        baked = yield from _write(ob, *copy, exact)
        kept.keep_others(ob, *copy, *original)
        # Of edits of the original Blender tells only if it was pointed to when what is evaluated was last put together.
        copy.action.skelkin.source = original.action
        _play(ob, *copy)
        mark = copy.action.skelkin
        mark.pair = mark.pair or uuid4().hex
        for goal in plan.goals:
            goals.append((goal.thing, *_copied(goal.thing)))
            goals[-1][1].action.skelkin.goes_with = mark.pair
            baked |= _play_goal(ob, goal, plan, *goals[-1][1:])
        yield
        misses = yield from measure(context, native.load(), ob, exact)
        better = exact.corrected(native.load(), ob, misses.found) if plan.stepped else None
        if better is not None or (exact is not plan and plan.posed is not None):
            plan = (better or exact)._replace(posed=plan.posed)
            yield from _write(ob, *copy, plan)
            misses = yield from measure(context, native.load(), ob, plan)
        if plan.posed is not None:
            plan = plan._replace(posed=plan.posed._replace(drift=sparse.drift(plan, misses.ankles)))
        if astray := misses.beyond(FOLLOWS if plan.posed is None else max(FOLLOWS, _ROOM * plan.posed.tolerance)):
            raise Astray(misses, astray, plan)
        yield from _mark(ob, copy, original, plan, settings)
        overlay.remember(copy.action, plan, misses.ankles)
    except BaseException:
        for thing, goal_copy, goal_original in goals:
            compat.assign(thing.animation_data, *goal_original)
            kept.restore(thing, *goal_copy, *goal_original)
            bpy.data.actions.remove(goal_copy.action)
        compat.assign(ob.animation_data, *back_to)
        if back_to == original:
            kept.restore_use(ob)
            kept.restore(ob, *copy, *original)
        bpy.data.actions.remove(copy.action)
        context.view_layer.update()
        raise
    holding.keep_both(ob, copy, original)
    for thing, goal_copy, goal_original in goals:
        holding.keep_both(thing, goal_copy, goal_original)
        ob.skelkin_held.add().action = goal_copy.action  # so that the switch finds the goal again
    planted = copy.action
    messages = list(plan.messages)
    if plan.report.ground_velocity is not None and settings["ground_motion"] == "OFF":
        messages.append("Ground motion: Measured holds the feet of this cycle in place on a ground that moves")
    if baked:
        messages.append("F-curve modifiers of leg or pelvis channels were baked into their keys")
    told.keep_warnings(planted.skelkin, plan.minded, messages)
    plant_settings.remember(ob, settings)
    notes = (*plan.told(), misses.told())
    if plan.posed is not None:
        notes += (sparse.told(*copy, plan),)
    return Result(planted.skelkin.summary, messages, notes)


def _copied(ob) -> tuple[Played, Played]:
    """Return a full copy of what the object plays, not marked yet, and what it plays: above strips maybe nothing."""
    original = playing(ob)
    name = f"{ob.name if original.action is None else original.action.name} planted"
    if name in bpy.data.actions:  # 3.4 would take the name from that one
        name += " new"
    copy = Played(*(actions.empty(name, ob.name) if original.action is None else actions.full_copy(*original, name)))
    marks.clear(copy.action)
    disown_markers(copy.action)
    return copy, original


def _play_goal(ob, goal, plan: Plan, copy: Played, original: Played) -> bool:
    """Write, mark and play the planted action of an object that a foot follows; whether modifiers were baked."""
    thing, frames = goal.thing, plan.frames
    kept.keep_transforms(thing)
    record, baked = kept.read_record(thing), False
    keyed = actions.keyed_range(*original) or (int(frames[0]), int(frames[-1]))
    around = actions.Around(keyed, (min(keyed[0], plan.around.seen[0]), max(keyed[1], plan.around.seen[1])))
    for (bone, channel), keys in sparse.goal_keys_of(native.load(), ob, plan, goal).items():
        rest = kept.rest_of(thing, record, bone, channel)
        path = actions.bone_path(bone, channel)
        baked |= actions.write_channel(*copy, path, keys, _OBJECT_GROUP, rest, around)
    kept.keep_others(thing, *copy, *original)
    copy.action.skelkin.source = original.action
    compat.assign(thing.animation_data, *copy)
    finished(marks.mark_pair(thing, copy, original, goal.channels))
    return baked


def _goals_of(ob) -> list:
    """Return the objects whose planted actions belong to those of this armature, and that its constraints look at.

    Duplicates of armature and goals hold the same actions. Where the constraints are gone, all that hold them count.
    """
    held = [item.action for item in ob.skelkin_held if item.action is not None]
    if not held or ob.pose is None:
        return []
    found = [thing for thing in bpy.data.objects if thing != ob and any(map(held.__contains__, planted_of(thing)))]
    looked_at = rig_map.objects_looked_at(ob) if found else ()
    return [thing for thing in found if thing in looked_at] or found


def _waiting_for(thing, planted) -> list:
    """Return the planted actions of an object that go with one of its armature, and with what it plays now."""
    return [action for action in all_waiting(thing) if action.skelkin.goes_with == planted.skelkin.pair]


def _or_handlers() -> str:
    found = curve_poses.handlers()
    return f", or for frame handlers of {found}" if found else ""


def need_change(plan: Plan, settings: dict) -> None:
    """Refuse a plan that changes nothing, with the reason."""
    if not (plan.channels or plan.goals):
        raise Refused("; ".join(["Nothing to plant", *plan.messages, *advice.about_nothing(settings)]))


def _write(ob, planted, slot, plan: Plan) -> Steps:
    """Write the channels, and return whether modifiers were baked."""
    record, baked = kept.read_record(ob), False
    for (bone, channel), keys in sparse.keys_of(native.load(), ob, plan).items():
        path = actions.bone_path(bone, channel)
        rest = kept.rest_of(ob, record, bone, channel)
        baked |= yield from actions.write_steps(planted, slot, path, keys, bone, rest, plan.around)
    return baked


def _mark(ob, copy: Played, original: Played, plan: Plan, settings: dict) -> Steps:
    yield from marks.mark_pair(ob, copy, original, plan.channels)
    mark = copy.action.skelkin
    mark.settings = json.dumps(settings)
    mark.legs = leg_data.described(ob)
    yield
    told.keep_report(mark, plan)
    yield
    keep_contacts(ob, copy.action, plan)


def switch_off(context, ob, *, evaluate: bool = True) -> Result:
    """Play the original again, with every value that only the planted action animated as it was.

    Who goes on to play something else does not need it to ``evaluate`` what then plays.
    """
    planted, slot = playing(ob)
    mark = planted.skelkin
    source = source_of(ob)
    if original_is_gone(ob):
        raise Refused(f"The original of {planted.name} is gone: press Apply to keep the planted action")
    source_slot = compat.find_slot(source, mark.source_slot)
    if compat.slot_is_missing(source, source_slot):
        raise Refused(f"The slot of {source.name} that was planted is gone: press Apply to keep the planted action")
    for thing in _goals_of(ob):
        if is_on(thing):
            switch_off(context, thing, evaluate=evaluate)
    messages = renaming.follow(ob, planted, slot, source, source_slot) if ob.pose is not None else []
    lost = _removed(ob, source, source_slot) if not messages else []
    compat.assign(ob.animation_data, source, source_slot)
    kept.restore_use(ob)
    kept.restore(ob, planted, slot, source, source_slot, forget=False)
    kept.forget_transforms(ob)
    if not _others_hold(ob, planted):
        planted.skelkin.kept.clear()
    holding.hold_planted(ob, planted, source)
    if evaluate:
        context.view_layer.update()
    if lost:
        messages.append(f"{source.name} animates {', '.join(lost)}, which were removed while Leg IK was on")
    return Result(f"Leg IK off: {originals.told(ob, source)} plays again", messages)


def _removed(ob, source, source_slot) -> list[str]:
    """Bones that the original animates and that are no longer there, but were when it was switched on."""
    record = kept.read_record(ob) if ob.pose is not None else None
    gone = {name for name in record.bones if name not in ob.pose.bones} if record is not None else set()
    animated = {checks.bone_channel(path)[0] for path, _ in actions.curves_by_channel(source, source_slot)}
    return sorted(gone & animated)


def _others_hold(ob, planted) -> bool:
    """Whether another object plays the planted action or would switch back on to it: a duplicate of this one."""
    return any(
        planted == other.skelkin_planted or planted == playing(other)[0] for other in bpy.data.objects if other != ob
    )


def edited(ob) -> bool:
    """Whether keys that planting made were changed by hand, in the planted action that plays or in those of goals."""
    return any(marks.is_edited(each) for each in (ob, *(thing for thing in _goals_of(ob) if is_on(thing))))


def update_steps(context, ob, settings: dict, *, contacts_anew: bool = False) -> Steps:
    """Plant again from the original; every other curve stays as it is, edited leg keys are kept in a copy.

    Contacts that were edited count, unless they are to be found again.
    """
    formers = [(thing, playing(thing).action, marks.is_edited(thing)) for thing in _goals_of(ob) if is_on(thing)]
    try:
        for thing, _, _ in formers:
            switch_off(context, thing)
        result = yield from _update_steps(context, ob, settings, contacts_anew)
    except BaseException:
        _goals_back(context, formers)
        raise
    for thing, former, was_edited in formers:
        holding.let_go(ob, former)
        if is_on(thing):
            result = _retire(former, playing(thing).action, former.name, was_edited, result)
    return result


def _goals_back(context, formers: list) -> None:
    for thing, former, *_ in formers:
        if not is_on(thing):
            _switch_back_on(context, thing, former, *playing(thing))


@contextmanager
def goals_off(context, ob) -> Iterator[None]:
    """Let the goals of the armature play their originals for a while."""
    formers = [(thing, playing(thing).action) for thing in _goals_of(ob) if is_on(thing)]
    for thing, _ in formers:
        switch_off(context, thing)
    try:
        yield
    finally:
        _goals_back(context, formers)


def _update_steps(context, ob, settings: dict, contacts_anew: bool) -> Steps:
    former = playing(ob)
    follow_names(ob)
    was_edited, name = marks.is_edited(ob), former.action.name
    failed: frozenset[tuple[str, str]] = frozenset()
    while True:
        with unplanted(context, ob) as (copy, original):
            told_of = {"failed": failed, "original": original, "contacts_anew": contacts_anew}
            plan = yield from plan_steps(context, ob, settings, **told_of)
        try:
            result = yield from _finish(context, ob, copy, original, plan, settings, back_to=former)
        except Astray as astray:
            if not astray.failed:
                raise
            failed |= astray.failed
        else:
            return _retire(former.action, copy.action, name, was_edited, result)


def follow_names(ob) -> None:
    """Let the original follow where bones were renamed while its planted copy plays."""
    planted, slot = playing(ob)
    source = source_of(ob)
    if not original_is_gone(ob):
        renaming.follow(ob, planted, slot, source, compat.find_slot(source, planted.skelkin.source_slot))


@contextmanager
def unplanted(context, ob) -> Iterator[tuple[Played, Played]]:
    """Play a copy of the planted action whose leg and pelvis curves are the original's; hand out copy and original.

    On an error what was played is played again and the copy is gone; else both are up to the caller.
    """
    former = playing(ob)
    planted, slot = former
    mark = planted.skelkin
    source = source_of(ob)
    source_slot = compat.find_slot(source, mark.source_slot)
    if original_is_gone(ob) or compat.slot_is_missing(source, source_slot):
        raise Refused(f"The original of {planted.name} is gone: it cannot be planted again")
    if compat.find_slot(planted, mark.slot) != slot:
        raise Refused(f"{ob.name} plays another slot of {planted.name} than the planted one: choose that one first")
    copy = Played(*actions.full_copy(planted, slot, f"{planted.name} new"))
    sizes = {actions.bone_path(item.bone, item.channel): item.size for item in mark.channels}
    if source is not None and kept.former_use(ob) not in (None, nla.OVER):
        _bake_original(context, ob, copy, former, Played(source, source_slot), list(sizes))
    else:
        source_curves = actions.curves_by_channel(source, source_slot)
        for path, size in sizes.items():
            actions.restore_channel(*copy, source_curves, path, size)
    copy.action.skelkin.is_planted = False
    try:
        compat.assign(ob.animation_data, *copy)
        kept.restore(ob, planted, slot, source, source_slot, forget=False)
        yield copy, Played(source, source_slot)
    except BaseException:
        back_to(context, ob, former, copy)
        raise


def _bake_original(context, ob, copy: Played, former: Played, original: Played, paths: list[str]) -> None:
    """Give properties of a copy keys for what the original, laid over strips in its own way, makes of them."""
    whole = nla.span(ob, actions.keyed_range(*original))
    scene = context.scene
    frames = np.arange(min(whole[0], scene.frame_start), max(whole[1], scene.frame_end) + 1)
    try:
        compat.assign(ob.animation_data, *original)
        kept.restore_use(ob)
        kept.restore(ob, *former, *original, forget=False)
        found = finished(baking.evaluated(context, ob, paths, frames))
    finally:
        _play(ob, *former)
    for path, rows in found.items():
        baking.write(copy, path, rows, frames)


def back_to(context, ob, former: Played, copy: Played) -> None:
    """Play again what was played before `unplanted`, and remove the copy."""
    compat.assign(ob.animation_data, *former)
    bpy.data.actions.remove(copy.action)
    context.view_layer.update()


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
    for thing in _goals_of(ob):
        if is_on(thing):
            holding.let_go(ob, playing(thing).action)
            apply(context, thing)
    planted, slot = playing(ob)
    source, was_fake_user = planted.skelkin.source, planted.skelkin.was_fake_user
    if _others_hold(ob, planted):
        planted, slot = actions.full_copy(planted, slot, planted.name)
        compat.assign(ob.animation_data, planted, slot)
    planted.use_fake_user = was_fake_user
    marks.clear(planted)
    kept.forget_transforms(ob)
    holding.forget(ob)
    if source is not None:
        holding.release(source)
    return Result(f"{planted.name} is an ordinary action now", [])


def remove(context, ob) -> Result:
    """Off, and nothing of the add-on left."""
    if is_on(ob):
        switch_off(context, ob)
    for thing in _goals_of(ob):
        remove(context, thing)
    held = planted_of(ob)
    planted = [action for action in dict.fromkeys(held) if action is not None and action.skelkin.is_planted]
    sources = [action.skelkin.source for action in planted]
    names = [action.name for action in planted]
    holding.forget(ob)
    kept.forget_transforms(ob)
    ob.property_unset("skelkin_held")
    ob.property_unset("skelkin_legs")
    plant_settings.forget(ob)
    for action in planted:
        if action.users - int(action.use_fake_user) <= 0:
            bpy.data.actions.remove(action)
    for source in dict.fromkeys(sources):
        if source is not None:
            holding.release(source)
    return Result(f"Removed {', '.join(names) or 'Leg IK'}", [])


def clean_up() -> Result:
    """Remove planted actions that no object plays, holds or has in its NLA, and let go of their originals."""
    used = {action.as_pointer() for ob in bpy.data.objects for action in _actions_of(ob)}
    unused = [
        action
        for action in bpy.data.actions
        if action.skelkin.is_planted and not checks.is_newer(action) and action.library is None
        if action.as_pointer() not in used
    ]
    names = [action.name for action in unused]
    for action in unused:
        bpy.data.actions.remove(action)
    let_go = [action for action in bpy.data.actions if action.skelkin.holds_fake_user]
    let_go = [action.name for action in let_go if holding.release(action)]
    if not names and not let_go:
        raise Refused("No planted action is left over: there is nothing to clean up")
    said = [f"Removed {', '.join(names)}"] if names else []
    return Result("; ".join([*said, *([f"took the fake user off {', '.join(let_go)}"] if let_go else [])]), [])


def _actions_of(ob) -> Iterator:
    data = ob.animation_data
    found = planted_of(ob)
    if data is not None:
        found += [data.action, *(strip.action for track in data.nla_tracks for strip in track.strips)]
    return (action for action in found if action is not None)
