# SPDX-License-Identifier: GPL-3.0-or-later
"""What of a report is kept with the planted action, for the panel: five lines, what would be minded, warnings."""

from __future__ import annotations

import json

import numpy as np

from ..core.words import result_line
from . import native


def keep_report(mark, plan) -> None:
    """Keep the result, the report in five lines, and what a viewer might mind beside its bar."""
    number = native.load().planting.remark.renumbered
    mark.summary = _summary(plan)
    lines = [number(line, lambda frame: frame + plan.start) for line in plan.report.in_five_lines()]
    mark.lines = json.dumps(list(map(str, lines)))
    mark.ground_speed = _ground_speed(plan.report)
    mark.figures = json.dumps([*_won(plan.report), *_rows(plan.report)])


def keep_warnings(mark, minded: list[str], messages: list[str]) -> None:
    """Keep what a viewer would mind and what else was said, in the order of the report, worst first."""
    frames_of = native.load().planting.remark.frames_of
    mark.warnings.clear()
    for text in [*minded, *messages]:
        frames, item = frames_of(text), mark.warnings.add()
        item.minded = len(mark.warnings) <= len(minded)
        item.text, item.names_frame, item.frame = str(text), bool(frames), frames[0] if frames else 0


def _summary(plan) -> str:
    report = plan.report
    drift = plan.posed.drift * plan.leg_length if plan.posed is not None else 0.0
    worst = [report.centimetres(report.slide(when)[1] + more) for when, more in (("before", 0.0), ("after", drift))]
    return result_line(len(report.contacts), *worst)


def _ground_speed(report) -> float:
    """Return how fast the ground goes below a cycle in place, also where it was made one or was one; else 0."""
    removed = report.travel_added
    return float(np.linalg.norm(removed)) if removed is not None else report.pace or 0.0


def _won(report) -> list:
    """Return rows of title, figure before and after, whether it is over its bar."""

    def row(title: str, figure) -> list:
        return [title, *(f"{report.centimetres(figure(when)):.2f}" for when in ("before", "after")), False]

    return [
        row("slide, worst (cm)", lambda when: report.slide(when)[1]),
        row("float in contact, worst (cm)", lambda when: report.worst("float", when)),
        row("below ground, worst (cm)", report.deepest),
    ]


def _rows(report) -> list:
    """Return the same of what a viewer would mind, beside its bar."""
    return [
        [f"{row.leg} {row.row}".strip(), "", f"{row.value:.3g}, bar {row.bar:g}", bool(row.grade)]
        for row in report.cost.rows
    ]
