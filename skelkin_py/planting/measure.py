# SPDX-License-Identifier: MIT
"""The report of planting: the original and the planted clip, measured."""

from __future__ import annotations

import time

import numpy as np

from .cost import LegCost, plant_cost
from .metrics import foot_curves, measure_contacts
from .parts import Known, Part, Solved
from .remark import Remark, in_frames
from .report.legs import Contact, LegReport
from .report.report import PlantReport
from .spans import frames_to_spans, span_mask
from .up_axis import axis_name

_LEG_METRES = 0.9  # the assumed length of legs where no unit is given
_UNREACHED = 1e-4  # leg: an ankle further than this from its target has not reached it


def measured(known: Known, part: Part, solved: Solved, start: float) -> PlantReport:
    """Return the report of a planted clip; `start`: when the work began, by `time.perf_counter`."""
    scene, settings = known.scene, known.scene.settings
    metres, messages = settings.metres_per_unit, list(known.messages)
    if metres is None:
        metres = _LEG_METRES / float(np.mean([t.length for t in part.tracks]))
        messages.append(f"centimetres assume legs of {_LEG_METRES} m: give the unit with metres_per_unit= (--unit)")
    cost = plant_cost(
        part.judged or part.tracks,
        solved.after,
        part.contacts,
        [leg.name for leg in scene.subset.legs],
        scene.fps,
        settings.frames,
        up=scene.up,
        step=scene.ground_step,
        given=settings.ground is not None,
        level=scene.ground is None or scene.ground.level is not None,
        turn=None if scene.loop is None else scene.loop.travel[:3, :3],
        alone=part.alone,
    )
    contacts, legs = zip(
        *(_measured_leg(known, part, solved, k, leg, messages) for k, leg in enumerate(cost.legs)), strict=True
    )
    return PlantReport(
        contacts=tuple(contact for own in contacts for contact in own),
        legs=legs,
        num_frames=len(part.local),
        frames=settings.frames,
        fps=scene.fps,
        up=scene.up,
        up_name=axis_name(scene.up),
        ground=part.ground.level if known.stands or settings.ground is not None else None,
        ground_estimated=settings.ground is None and known.stands,
        ground_velocity=scene.velocity,
        pinned=scene.pin,
        metres_per_unit=metres,
        unit_known=settings.metres_per_unit is not None,
        body_path=solved.body,
        added_acceleration=solved.acceleration,
        seconds=time.perf_counter() - start,
        messages=tuple(messages),
        loop=scene.loop is not None,
        cost=cost,
    )


def _measured_leg(
    known: Known, part: Part, solved: Solved, k: int, cost: LegCost, messages: list[str]
) -> tuple[list[Contact], LegReport]:
    """Return the contacts and the report of leg k, and add a message where it could not reach its foothold."""
    scene, model, spans, rises = known.scene, known.standing.models[k], part.contacts[k], solved.rises[k]
    track, planted = part.tracks[k], solved.after[k]
    before, after = (
        foot_curves(each, model, part.ground, scene.up, scene.fps, scene.ground_step, part.footholds[k])
        for each in (track, planted)
    )
    ball = planted.ankle + model.outline(planted.foot, scene.up)[1]
    measures = (measure_contacts(curves, spans, rises) for curves in (before, after))
    contacts = [
        Contact(k, cost.name, a, b, old, new, rise, tuple(ball[a : b + 1].mean(axis=0).tolist()))
        for (a, b), rise, old, new in zip(spans, rises, *measures, strict=True)
    ]
    missed = (solved.errors[:, k] > _UNREACHED * track.length) & span_mask(spans, len(track.hip))
    report = LegReport(
        name=cost.name,
        contacts=spans,
        held=solved.held[k],
        length=track.length,
        sole=model.clearance * track.length,
        sole_source=model.source if scene.settings.sole is None else "given",
        before=before,
        after=after,
        cost=cost,
        unreachable=frames_to_spans(missed),
    )
    if report.unreachable:
        first, last = report.unreachable[0]
        when, frames = in_frames(int(missed.sum()), first, last)
        why = report.why_unreachable((first, last))
        messages.append(Remark(f"the {cost.name} leg cannot reach its foothold {when}: {why}", *frames))
    return contacts, report
