# SPDX-License-Identifier: GPL-3.0-or-later
"""Reports in frames of the scene and words of the panel, and what of them the planted action keeps for that."""

from __future__ import annotations

import json

import numpy as np

from ..core.report_words import before_after, panel_words, row_figures
from . import native
from .playback import is_on


def in_scene(package, text: str, start: int, leg: float = 0.0) -> str:
    """Return a sentence whose frame 0 is ``start`` of the scene; ``leg`` as in `panel_words`."""
    remark = package.planting.remark
    template = panel_words(str(remark.renumbered(text, lambda _: remark.FRAME)), leg)
    return remark.Remark(template, *(frame + start for frame in remark.frames_of(text)))


def keep_report(mark, plan) -> None:
    """Keep the report in five lines, the first two as the result, and its figures beside what they may be."""
    report, leg = plan.report, plan.report.centimetres(plan.leg_length)
    lines = [" ".join(in_scene(native.load(), line, plan.start).split()) for line in report.in_five_lines()]
    mark.lines = json.dumps(lines)
    mark.summary = "; ".join(lines[:2])
    if plan.posed is not None:
        mark.summary += f"; with sparse keys up to {report.centimetres(plan.posed.drift * plan.leg_length):.1f} cm more"
    mark.ground_speed = _ground_speed(report)
    measures = {
        "worst slide": lambda when: report.slide(when)[1],
        "worst float in contact": lambda when: report.worst("float", when),
        "deepest below the ground": report.deepest,
    }
    figures = [["length of the leg", f"{leg:.1f} cm", False]]
    for title, measure in measures.items():
        before, after = (report.centimetres(measure(when)) for when in ("before", "after"))
        figures.append([title, *before_after(before, after, leg), False])
    for row in report.cost.rows:
        figures.append([*row_figures(row.row, row.leg, row.value, row.bar, leg), bool(row.grade)])
    mark.figures = json.dumps(figures)


def keep_warnings(mark, minded: list[str], messages: list[str]) -> None:
    """Keep what a viewer would mind and the other messages, in the order of the report, worst first."""
    frames_of = native.load().planting.remark.frames_of
    mark.warnings.clear()
    for text in [*minded, *messages]:
        frames, item = frames_of(text), mark.warnings.add()
        item.minded = len(mark.warnings) <= len(minded)
        item.text, item.names_frame, item.frame = str(text), bool(frames), frames[0] if frames else 0


def methods_of(ob) -> dict[str, str]:
    """Return in words, by foot, which keys the legs of what an object plays are planted with."""
    return json.loads(ob.animation_data.action.skelkin.methods or "{}") if is_on(ob) else {}


def _ground_speed(report) -> float:
    """Return how fast the ground goes below a cycle in place, also where it was made one or was one; else 0."""
    removed = report.travel_added
    return float(np.linalg.norm(removed)) if removed is not None else report.pace or 0.0
