# SPDX-License-Identifier: MIT
"""What planting did to a clip, in numbers: both versions measured, and put together in a report."""

from __future__ import annotations

import time

import numpy as np
from numpy.typing import NDArray

from .blend import Span, frames_to_spans, span_mask
from .cost import LegCost
from .cost_tally import Correction, LegsMotion
from .foot import FootModel, LegTrack
from .known import Known, Part, Solved
from .leg_report import Contact, LegReport
from .metrics import foot_curves, measure_contacts
from .remark import FRAME, Remark
from .report import LEG_METRES, UNIT_UNKNOWN, PlantReport
from .up_axis import axis_name

__all__ = ["measured", "stands_at"]

_UNREACHED = 1e-4  # leg: an ankle further than this from its place has not reached it


def stands_at(track: LegTrack, model: FootModel, up: NDArray[np.float64], span: Span) -> tuple[float, ...]:
    """Return the point (x, y, z) on which the ball of a foot stands, in the mean of some frames."""
    own = slice(span[0], span[1] + 1)
    ball = track.ankle[own] + model.points(track.foot[own], up)[1]
    return tuple(float(x) for x in ball.mean(axis=0))


def measured(known: Known, part: Part, solved: Solved, start: float) -> PlantReport:
    """Return the report of a clip, planted as one part; the work began at `start`, by `time.perf_counter`."""
    scene, settings = known.scene, known.scene.settings
    length = float(np.mean([t.length for t in part.tracks]))
    metres = settings.metres_per_unit
    if metres is None:
        scene.messages.append(UNIT_UNKNOWN)
    records: list[Contact] = []
    legs: list[LegReport] = []
    num = len(part.local)
    tally = scene.cost_tally(length, num, settings.frames)
    tally.add(part.tracks, solved.after, 0, (0, num - 1), part.alone)
    cost = tally.cost()
    for k in range(len(part.tracks)):
        leg, contacts = _leg_report(known, part, solved, k, cost.legs[k])
        legs.append(leg)
        records += contacts
    return PlantReport(
        contacts=tuple(records),
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
        metres_per_unit=LEG_METRES / length if metres is None else float(metres),
        unit_known=metres is not None,
        body_path=solved.paths.body,
        added_acceleration=solved.paths.acceleration,
        seconds=time.perf_counter() - start,
        messages=(*(row.remark for row in cost.worse()), *scene.messages),
        loop=scene.loop is not None,
        cost=cost,
        correction=Correction(
            LegsMotion.of(part.tracks), LegsMotion.of(solved.after), tally.turn if tally.seam else None
        ),
    )


def _leg_report(known: Known, part: Part, solved: Solved, k: int, cost: LegCost) -> tuple[LegReport, list[Contact]]:
    """Measure leg k."""
    scene, track, model, spans, rises = (
        known.scene,
        part.tracks[k],
        known.scene.models[k],
        part.contacts[k],
        solved.rises[k],
    )
    before_curves, after_curves = (
        foot_curves(each, model, part.ground, scene.up, scene.fps, scene.ground_step, part.footholds[k])
        for each in (track, solved.after[k])
    )
    errors = solved.errors[:, k]
    before = measure_contacts(before_curves, spans, rises)
    now = measure_contacts(after_curves, spans, rises)
    name = scene.subset.legs[k].name
    contacts = [
        Contact(k, name, *span, old, new, rise, stands_at(solved.after[k], model, scene.up, span))
        for span, rise, old, new in zip(spans, rises, before, now, strict=True)
    ]
    missed = (errors > _UNREACHED * track.length) & span_mask(spans, len(errors))
    report = LegReport(
        name=name,
        contacts=spans,
        held=solved.paths.held[k],
        length=track.length,
        sole=model.clearance * track.length,
        sole_source=model.source if scene.settings.sole is None else "given",
        before=before_curves,
        after=after_curves,
        cost=cost,
        unreachable=frames_to_spans(missed),
    )
    if missed.any():
        first, last = report.unreachable[0]
        scene.messages.append(
            Remark(
                f"the {name} leg cannot reach its place in {int(missed.sum())} frames, first in {FRAME}–{FRAME}: "
                + report.why_unreachable((first, last)),
                first,
                last,
            )
        )
    return report, contacts
