# SPDX-License-Identifier: GPL-3.0-or-later
"""Many at once: the actions of several armatures, or all actions of one.

First everything is planned, which changes nothing that lasts; only then is it written. So planning can be left at any
moment without a trace.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from typing import NamedTuple

import bpy

from ..core import verbs
from ..core.steps import InThread, Progress, Steps, finished, quiet
from . import actions, checks, compat, leg_data, native, plant_settings, playback, switching
from .original import kept, nla
from .planting import plan_steps
from .rig.rig_map import RigMap

_REPORTED = (checks.Refused, native.NativeError, ValueError)


class Job(NamedTuple):
    """An armature, and an action and slot for it; all by name, as references do not outlive an undo."""

    armature: str
    action: str
    slot: str


class Outcome(NamedTuple):
    """What came of a job: the line to show, whether it was planted, how many warnings there are."""

    job: Job
    line: str
    planted: bool
    warnings: int


def armatures_of(objects) -> list[str]:
    """Return the names of the armatures among the objects, and of those that deform one of them."""
    found = (ob if ob.type == "ARMATURE" else ob.find_armature() for ob in objects)
    return list(dict.fromkeys(ob.name for ob in found if ob is not None))


def played(ob) -> list[Job]:
    """Return the job for the action that an armature plays."""
    return [_job_of(ob)]


def _job_of(ob) -> Job:
    action, slot = playback.playing(ob)
    if action is not None and action.skelkin.is_planted:
        source = playback.source_of(ob)
        if not playback.original_is_gone(ob):
            action, slot = source, compat.find_slot(source, action.skelkin.source_slot)
    return Job(ob.name, "" if action is None else action.name, compat.slot_name(slot))


def all_actions(ob) -> list[Job]:
    """Return a job for each action, planted ones aside, that moves a leg of the armature or what leads it, by name."""
    names = {getattr(leg, joint) for leg in ob.skelkin_legs if leg.enabled for joint in ("hip", "knee", "ankle")}
    names = RigMap(ob).upstream(name for name in names if name in ob.pose.bones)
    heads = tuple(actions.bone_path(name, "") for name in names)
    jobs = []
    for action in sorted(bpy.data.actions, key=lambda action: action.name):
        slot = _slot_for(ob, action)
        playable = not action.skelkin.is_planted and not compat.slot_is_missing(action, slot)
        if playable and any(curve.data_path.startswith(heads) for curve in compat.fcurves(action, slot)):
            jobs.append(Job(ob.name, action.name, compat.slot_name(slot)))
    return jobs


def _slot_for(ob, action):
    """Return the slot of an action that is meant for the armature: its own, else one of its name, else the first."""
    slots = compat.object_slots(action)
    played, slot = playback.playing(ob)
    if played == action:
        return slot
    return next((slot for slot in slots if slot.name_display == ob.name), slots[0] if slots else None)


def still_holds(result) -> bool:
    """Whether a line of the table of results is still true: undo, another file and *Remove* do not change the table."""
    ob = bpy.data.objects.get(result.armature)
    if ob is None or not result.planted:
        return ob is not None
    planted = (action for action in playback.planted_of(ob) if action is not None and action.skelkin.is_planted)
    sources = (action.skelkin.source for action in planted)
    return any(("" if source is None else source.name) == result.action for source in sources)


def plant_steps(context, armatures: list[str], jobs_of: Callable, chosen: dict) -> Steps:
    """Plant the jobs of all armatures; the result is an `Outcome` for each.

    In the end each armature plays the action that it played, planted if it was among the jobs. Closing it while
    `Progress.can_stop` leaves everything as it was.
    """
    yield InThread(native.load)
    with ExitStack() as stack:
        for ob in map(bpy.data.objects.get, armatures):
            yield
            if not checks.object_problem(ob):
                if not ob.skelkin_legs:
                    stack.callback(_forget_idle_legs, ob)
                    with suppress(checks.Refused):  # reported again, as the outcome of each job
                        leg_data.find(ob)
                switching.off_for_now(context, ob, stack)
        yield
        jobs = [job for name in armatures for job in jobs_of(bpy.data.objects[name])]
        plans, outcomes = {}, {}
        for k, job in enumerate(jobs):
            yield Progress(k, 2 * len(jobs), job.action or job.armature, True)
            try:
                plans[job] = yield from _planned(context, job, chosen, alone=len(jobs) == len(armatures))
            except _REPORTED as error:
                outcomes[job] = Outcome(job, str(error), False, 0)
        current = {_job_of(bpy.data.objects[name]) for name in armatures}
        for k, job in enumerate(sorted(plans, key=lambda job: job in current)):  # what goes on playing comes last
            yield Progress(len(jobs) + k, 2 * len(jobs), job.action, False)
            outcomes[job] = yield from _written(context, job, *plans[job], chosen, stays=job in current)
        return [outcomes[job] for job in jobs]


def _planned(context, job: Job, chosen: dict, *, alone: bool) -> Steps:
    """Return plan and settings of a job; no plan where its planted copy is there already.

    ``alone``: whether it is the only one of its armature.
    """
    ob = bpy.data.objects[job.armature]
    problem = checks.object_problem(ob)
    if problem:
        raise checks.Refused(problem)
    with _playing(context, ob, job):
        problem = checks.action_problem(ob)
        if problem:
            raise checks.Refused(problem)
        if nla.plays(ob) and not alone:
            raise checks.Refused(f"{ob.name} plays NLA strips below its actions: mute the NLA tracks first")
        if playback.waiting(ob) is not None:
            return None, {}
        settings = plant_settings.wanted(ob, {}, chosen)
        yield
        plan = yield from quiet(plan_steps(context, ob, settings))
        switching.need_change(plan)
        return plan._replace(motion=()), settings


def _written(context, job: Job, plan, settings: dict, chosen: dict, *, stays: bool) -> Steps:
    ob = bpy.data.objects[job.armature]
    try:
        with _playing(context, ob, job):
            yield
            if plan is None:
                result = finished(switching.steps(context, ob, verbs.on, chosen))
            else:
                result = yield from switching.put_on(context, ob, settings, plan)
            yield
            warnings = len(playback.playing(ob).action.skelkin.warnings)
            if not stays:
                switching.switch_off(context, ob, evaluate=False)
                yield
    except _REPORTED as error:
        return Outcome(job, str(error), False, 0)
    return Outcome(job, result.line, True, warnings)


@contextmanager
def _playing(context, ob, job: Job) -> Iterator[None]:
    """Let the armature play the action of a job for a while, if it is another one; then all is as before."""
    former = playback.playing(ob)
    action = bpy.data.actions.get(job.action)
    if action is None or former.action == action:
        yield
        return
    record = kept.record_of(ob)
    try:
        compat.assign(ob.animation_data, action, compat.find_slot(action, job.slot))
        yield
    finally:
        compat.assign(ob.animation_data, *former)
        kept.give_back(ob, record)
        context.view_layer.update()


def _forget_idle_legs(ob) -> None:
    """Forget legs that were found, unless something was planted with them."""
    if ob.skelkin_planted is None:
        ob.property_unset("skelkin_legs")
