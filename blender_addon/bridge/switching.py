# SPDX-License-Identifier: GPL-3.0-or-later
"""The switch: what a verb plans is carried out; original and planted action are swapped without a trace."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import ExitStack
from uuid import uuid4

import numpy as np

from ..core import verbs
from ..core.state import Played, Refused
from ..core.steps import Steps, finished
from ..core.verbs import Result
from . import (
    actions,
    changes,
    compat,
    curve_poses,
    leg_data,
    native,
    overlay,
    plant_settings,
    read_state,
    renaming,
)
from .contacts import touch_ups
from .contacts.given import keep as keep_contacts
from .misses import FOLLOWS, Misses, measure, touch_ups_since
from .original import baking, kept, marks, nla
from .planting import Plan, plan_steps
from .playback import is_on, playing, scene_range, waiting
from .read_state import goals_of
from .rig import sparse
from .rig.leg_methods import UNSURE
from .stored_report import keep_report, keep_warnings
from .write_keys import Around, restore_channel, write_steps

#: sparse keys are within the tolerance on whole frames, but for the rounding of their curves
_ROOM = 1.01


class FeetOff(Refused):
    """Feet are not where they were planned; ``failed`` names legs and methods after which others are left to try."""

    def __init__(self, misses: Misses, ankles: set[str], plan: Plan) -> None:
        error, frame, ankle = max((*misses.worst[ankle], ankle) for ankle in ankles)
        off = [method for method in plan.methods if method.ankle in ankles]
        self.failed = frozenset((method.name, method.kind) for method in off if method.kind in UNSURE)
        handlers = curve_poses.handlers()
        suspects = plan.uneven, *(method.suspect for method in off), "look for constraints or drivers above them"
        suspect = next(filter(None, suspects))
        super().__init__(
            f"The feet do not follow their keys ({ankle} is off by {100 * error:.2g} % of the leg in frame {frame}): "
            f"{suspect}{f', or for frame handlers of {handlers}' if handlers else ''}"
        )


def steps(context, ob, verb: Callable[..., Result], *given) -> Steps:
    """Do what a verb plans for an object, and return all that is to be reported. What fails leaves no trace."""
    not_renamed = renaming.follow_all(ob) if ob is not None and verb is not verbs.apply else {}
    planned = verb(read_state.read(ob, not_renamed), ob, *given)
    with ExitStack() as undo:
        changes.carry_out(planned)
        if planned.writes:
            context.view_layer.update()
        if planned.plant is None:
            return planned
        if planned.writes:
            undo.callback(switch_off, context, ob)
        result = yield from _plant(context, ob, planned.plant)
        undo.pop_all()
    return result._replace(notes=(*planned.notes, *result.notes))


def switch_off(context, ob, *, evaluate: bool = True) -> None:
    """Play the original again; who goes on to play something else does not need it to ``evaluate`` what then plays."""
    changes.carry_out(verbs.off(read_state.read(ob, renaming.follow_all(ob)), ob))
    if evaluate:
        context.view_layer.update()


def off_for_now(context, ob, undo: ExitStack) -> None:
    """Let the original play if a planted action does; undone, the one that waits plays again."""
    if is_on(ob):
        switch_off(context, ob)
        undo.callback(_play_waiting, context, ob)


def _play_waiting(context, ob) -> None:
    if not is_on(ob) and waiting(ob) is not None:
        changes.carry_out(verbs.back_on(read_state.read(ob), ob))
        context.view_layer.update()


def _plant(context, ob, plant: verbs.Plant) -> Steps:
    """Plant; former planted actions make room. Edited leg keys are made again; else their action is kept."""
    touched, is_applied = touch_ups.NONE, False
    if plant.again and plant.keeps_touch_ups:
        touched, is_applied = yield from touch_ups_since(context, ob)
    switched = [obj for obj in (ob, *goals_of(ob)) if is_on(obj)] if plant.again else []
    formers = [(obj, playing(obj)) for obj in switched] + ([(ob, plant.outdated)] if plant.outdated else [])
    formers = [(obj, former.action, not is_applied and marks.is_edited(former)) for obj, former in formers]
    owner = plant.outdated and plant.outdated.action
    options = {"contacts_of": owner, "find_contacts_again": plant.find_contacts_again}
    with ExitStack() as undo:
        if plant.again:
            goals_off(context, ob, undo)
        result = yield from put_on(context, ob, plant.settings, again=plant.again, touched=touched, **options)
        undo.pop_all()
    for obj, former, was_edited in formers:
        new = playing(obj).action if is_on(obj) else None
        retired = changes.carry_out(verbs.retire(read_state.read(), ob, former, new, was_edited))
        result = result._replace(messages=[*result.messages, *retired.messages])
    return result


def put_on(
    context, ob, settings: dict, plan: Plan | None = None, *, again: bool = False, touched=touch_ups.NONE, **options
) -> Steps:
    """Write what was planned for what plays into a copy of it, and play that; what was not planned yet is.

    Where feet do not follow, it is planned again by other methods as long as there are some. ``again``: what plays is a
    planted action, in whose place another comes, with what was ``touched`` up. ``options`` are those of `plan_steps`.
    """
    former, failed = playing(ob), frozenset()
    while True:
        try:
            with ExitStack() as undo:
                undo.callback(context.view_layer.update)
                pair = unplanted(context, ob, undo) if again else None
                if pair:
                    touch_ups.keep(pair[0].action, touched)
                if plan is None:
                    original = pair[1] if pair else None
                    plan = yield from plan_steps(context, ob, settings, failed=failed, original=original, **options)
                copy, original = pair or changes.copied(ob, undo)
                undo.callback(changes.play_back, ob, former, copy, original)
                result = yield from _finish(context, ob, copy, original, plan, settings, undo)
                undo.pop_all()
                return result
        except FeetOff as off:
            if not off.failed:
                raise
            plan, failed = None, failed | off.failed


def _finish(context, ob, copy: Played, original: Played, plan: Plan, settings: dict, undo: ExitStack) -> Steps:
    """Write, play, check and keep a planted action."""
    need_change(plan)
    yield
    kept.keep_transforms(ob)
    yield
    plan = yield from baking.bake_steps(context, ob, copy, plan)
    exact = plan._replace(posed=None) if plan.targets and plan.stepped else plan
    baked = yield from _write(ob, copy, exact)
    kept.keep_others(ob, copy, original)
    # Blender reports edits of the original only if it was pointed to when the dependency graph was built.
    copy.action.skelkin.source = original.action
    changes.play_planted(ob, copy)
    mark = copy.action.skelkin
    mark.pair = mark.pair or uuid4().hex
    goals = []
    for goal in plan.goals:
        goal_copy, goal_original = changes.copied(goal.obj, undo)
        undo.callback(changes.play_back, goal.obj, goal_original, goal_copy, goal_original)
        goals.append((goal.obj, goal_copy.action, goal_original.action))
        goal_copy.action.skelkin.goes_with = mark.pair
        baked |= _play_goal(ob, goal, plan, goal_copy, goal_original)
    yield
    plan, misses = yield from _checked(context, ob, copy, plan, exact)
    yield from _mark(ob, copy, original, plan, settings)
    overlay.remember(copy.action, plan, misses.ankles)
    state = read_state.read()
    held = [write for pair in goals for write in verbs.hold(state, *pair)]
    held += verbs.hold(state, ob, copy.action, original.action, tuple(goal_copy for _, goal_copy, _ in goals))
    messages = [*plan.messages, *misses.about_limits(native.load(), ob, plan)]
    if plan.report.pace is not None and settings["ground_motion"] == "OFF" and settings["travel"] == "KEEP":
        messages.append("Ground Motion: From Feet holds the feet of this cycle in place on a ground that moves")
    if baked:
        messages.append("F-curve modifiers of legs and pelvis were baked into keys")
    keep_warnings(mark, plan.minded, messages)
    plant_settings.remember(ob, settings)
    sparsely = (sparse.summary(*copy, plan),) if plan.posed is not None else ()
    notes = (*plan.summary(), misses.summary(plan.report.centimetres(plan.leg_length)), *sparsely)
    return changes.carry_out(Result(mark.summary, messages, notes, tuple(held)))


def _checked(context, ob, copy: Played, plan: Plan, exact: Plan) -> Steps:
    """Measure where feet are, give better keys where that helps; return the plan as written and the misses."""
    misses = yield from measure(context, native.load(), ob, exact)
    better = exact.corrected(native.load(), ob, misses.found) if plan.stepped else None
    if better is not None or (exact is not plan and plan.posed is not None):
        plan = (better or exact)._replace(posed=plan.posed)
        yield from _write(ob, copy, plan)
        misses = yield from measure(context, native.load(), ob, plan)
    if plan.posed is not None:
        plan = plan._replace(posed=plan.posed._replace(drift=sparse.drift(plan, misses.ankles)))
    if off := misses.beyond(FOLLOWS if plan.posed is None else max(FOLLOWS, _ROOM * plan.posed.tolerance)):
        raise FeetOff(misses, off, plan)
    return plan, misses


def _play_goal(ob, goal, plan: Plan, copy: Played, original: Played) -> bool:
    """Write, mark and play the planted action of an object that a foot follows; whether modifiers were baked."""
    obj, frames = goal.obj, plan.frames
    kept.keep_transforms(obj)
    keyed = actions.keyed_range(*original) or (int(frames[0]), int(frames[-1]))
    around = Around(keyed, (min(keyed[0], plan.around.seen[0]), max(keyed[1], plan.around.seen[1])))
    planned = sparse.goal_keys_of(native.load(), ob, plan, goal)
    baked = finished(_write_keys(obj, copy, planned, around, "Object Transforms"))
    kept.keep_others(obj, copy, original)
    copy.action.skelkin.source = original.action
    compat.assign(obj.animation_data, *copy)
    finished(marks.mark_pair(obj, copy, original, goal.channels, frames))
    return baked


def need_change(plan: Plan) -> None:
    """Refuse a plan that changes nothing, with the reason."""
    if not (plan.channels or plan.goals):
        raise Refused("; ".join(["Nothing to plant", *plan.messages]))


def _write(ob, copy: Played, plan: Plan) -> Steps:
    return (yield from _write_keys(ob, copy, sparse.keys_of(native.load(), ob, plan), plan.around))


def _write_keys(ob, copy: Played, planned: dict, around: Around, group: str = "") -> Steps:
    """Write keys by bone and channel, and return whether modifiers were baked."""
    record, baked = kept.read_record(ob), False
    for (bone, channel), keys in planned.items():
        path, rest = actions.bone_path(bone, channel), kept.rest_of(ob, record, bone, channel)
        baked |= yield from write_steps(*copy, path, keys, group or bone, rest, around)
    return baked


def _mark(ob, copy: Played, original: Played, plan: Plan, settings: dict) -> Steps:
    yield from marks.mark_pair(ob, copy, original, plan.channels, plan.frames)
    mark = copy.action.skelkin
    mark.settings = json.dumps(settings)
    mark.legs = leg_data.described(ob)
    feet = (leg.ankle for leg in ob.skelkin_legs if leg.enabled)
    mark.methods = json.dumps({foot: method.summary() for foot, method in zip(feet, plan.methods, strict=True)})
    yield
    keep_report(mark, plan)
    yield
    keep_contacts(ob, copy.action, plan)


def edited(ob) -> bool:
    """Whether keys that planting made were changed by hand, in the planted action that plays or in those of goals."""
    return any(marks.is_edited(playing(each)) for each in (ob, *goals_of(ob)) if is_on(each))


def goals_off(context, ob, undo: ExitStack) -> None:
    """Let the goals of the armature play their originals; undone, all is as before."""
    for obj in goals_of(ob):
        off_for_now(context, obj, undo)


def unplanted(context, ob, undo: ExitStack) -> tuple[Played, Played]:
    """Play a copy of the planted action whose leg and pelvis curves are the original's; return copy and original.

    Undone, what was played is played again and the copy is gone.
    """
    state = read_state.read()
    verbs.check_again(state, ob)
    former, original, mark = playing(ob), state.playing(ob).original, playing(ob).action.skelkin
    copy = changes.full_copy(*former, f"{former.action.name} new")
    undo.callback(changes.remove, copy.action)
    sizes = {actions.bone_path(item.bone, item.channel): item.size for item in mark.channels}
    if original.action is not None and kept.former_use(ob) not in (None, nla.OVER):
        _bake_original(context, ob, copy, former, original, list(sizes))
    else:
        source_curves = actions.curves_by_channel(*original)
        for path, size in sizes.items():
            restore_channel(*copy, source_curves, path, size)
    copy.action.skelkin.is_planted = False
    undo.callback(compat.assign, ob.animation_data, *former)
    compat.assign(ob.animation_data, *copy)
    kept.restore(ob, former, original, forget=False)
    return copy, original


def _bake_original(context, ob, copy: Played, former: Played, original: Played, paths: list[str]) -> None:
    """Give properties of a copy keys for what the original, laid over strips in its own way, makes of them."""
    whole = nla.span(ob, actions.keyed_range(*original))
    ends = *whole, *scene_range(context.scene)
    frames = np.arange(min(ends), max(ends) + 1)
    try:
        compat.assign(ob.animation_data, *original)
        kept.restore_use(ob)
        kept.restore(ob, former, original, forget=False)
        found = finished(baking.evaluated(context, ob, paths, frames))
    finally:
        changes.play_planted(ob, former)
    for path, rows in found.items():
        baking.write(copy, path, rows, frames)
