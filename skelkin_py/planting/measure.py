# SPDX-License-Identifier: MIT
"""What planting did to a clip, in numbers: both versions measured, and put together in a report."""

from __future__ import annotations

import time
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .cost import LegCost
from .metrics import FootCurves, foot_curves, measure_contacts
from .parts import Known, Part, Solved
from .remark import FRAME, Remark
from .report.forms import metres_in_unit
from .report.legs import Contact, LegReport
from .report.report import PlantReport
from .spans import frames_to_spans, span_mask
from .up_axis import axis_name

_UNREACHED = 1e-4  # leg: an ankle further than this from its place has not reached it


class MeasuredLeg(NamedTuple):
    """One leg, as it was and as it is planted."""

    before: FootCurves
    after: FootCurves
    contacts: list[Contact]
    missed: NDArray[np.bool_]  # where it stands and could not reach its place


def measure_leg(known: Known, part: Part, solved: Solved, k: int) -> MeasuredLeg:
    """Measure leg k of a part as it was and as it is planted."""
    scene, model, spans, rises = known.scene, known.standing.models[k], part.contacts[k], solved.rises[k]
    track, planted = part.tracks[k], solved.after[k]
    before, after = (
        foot_curves(each, model, part.ground, scene.up, scene.fps, scene.ground_step, part.footholds[k])
        for each in (track, planted)
    )
    name, ball = scene.subset.legs[k].name, planted.ankle + model.points(planted.foot, scene.up)[1]
    contacts = [
        Contact(k, name, a, b, old, new, rise, tuple(ball[a : b + 1].mean(axis=0).tolist()))
        for (a, b), rise, old, new in zip(
            spans, rises, measure_contacts(before, spans, rises), measure_contacts(after, spans, rises), strict=True
        )
    ]
    missed = (solved.errors[:, k] > _UNREACHED * track.length) & span_mask(spans, len(track.hip))
    return MeasuredLeg(before, after, contacts, missed)


def measured(known: Known, part: Part, solved: Solved, start: float) -> PlantReport:
    """Return the report of a clip, planted as one part; the work began at `start`, by `time.perf_counter`."""
    scene, settings = known.scene, known.scene.settings
    length = float(np.mean([t.length for t in part.tracks]))
    messages = list(known.messages)
    metres = metres_in_unit(settings.metres_per_unit, length, messages)
    num = len(part.local)
    tally = scene.cost_tally(length, num, settings.frames)
    tally.add(part.judged or part.tracks, solved.after, 0, (0, num - 1), part.contacts, part.alone)
    cost = tally.cost()
    each = [measure_leg(known, part, solved, k) for k in range(len(part.tracks))]
    legs = [_leg_report(known, part, solved, k, leg, cost.legs[k], messages) for k, leg in enumerate(each)]
    return PlantReport(
        contacts=tuple(contact for leg in each for contact in leg.contacts),
        legs=tuple(legs),
        num_frames=num,
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


def _leg_report(
    known: Known, part: Part, solved: Solved, k: int, leg: MeasuredLeg, cost: LegCost, messages: list[str]
) -> LegReport:
    """Return the report of leg k; `messages` get to say so where it could not reach its place."""
    scene, model, length = known.scene, known.standing.models[k], part.tracks[k].length
    report = LegReport(
        name=scene.subset.legs[k].name,
        contacts=part.contacts[k],
        held=solved.held[k],
        length=length,
        sole=model.clearance * length,
        sole_source=model.source if scene.settings.sole is None else "given",
        before=leg.before,
        after=leg.after,
        cost=cost,
        unreachable=frames_to_spans(leg.missed),
    )
    if report.unreachable:
        first, last = report.unreachable[0]
        told = (
            f"the {report.name} leg cannot reach its place in {int(leg.missed.sum())} frames, first in {FRAME}–{FRAME}"
        )
        messages.append(Remark(f"{told}: {report.why_unreachable((first, last))}", first, last))
    return report
