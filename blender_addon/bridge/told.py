# SPDX-License-Identifier: GPL-3.0-or-later
"""What of a report is kept with the planted action, for the panel: result, cost, what is worse, warnings."""

from __future__ import annotations

import json

from ..core.words import cost_line, result_line
from . import native


def keep_report(mark, plan) -> None:
    """Keep the result, what planting cost beside what it won, and what it made worse."""
    mark.summary = _summary(plan)
    mark.cost = _cost(plan.report)
    mark.figures = json.dumps([*_won(plan.report), *_paid(plan.report)])
    mark.worse = json.dumps(plan.worse)


def keep_warnings(mark, messages: list[str]) -> None:
    """Keep what was said, in the order of the report, worst first."""
    frames_of = native.load().planting.remark.frames_of
    mark.warnings.clear()
    for text in messages:
        frames, item = frames_of(text), mark.warnings.add()
        item.text, item.names_frame, item.frame = str(text), bool(frames), frames[0] if frames else 0


def _summary(plan) -> str:
    report = plan.report
    drift = plan.posed.drift * plan.leg_length if plan.posed is not None else 0.0
    worst = [report.centimetres(report.slide(when)[1] + more) for when, more in (("before", 0.0), ("after", drift))]
    return result_line(len(report.contacts), *worst)


def _cost(report) -> str:
    body = report.centimetres(report.cost.body_worst * report.leg_length)
    return cost_line(body, max((leg.change_worst for leg in report.cost.legs), default=0.0))


def _won(report) -> list:
    """Return rows of title, figure before and after, whether it is beyond what is allowed."""

    def row(title: str, figure) -> list:
        return [title, *(f"{report.centimetres(figure(when)):.2f}" for when in ("before", "after")), False]

    return [
        row("slide, worst (cm)", lambda when: report.slide(when)[1]),
        row("float in contact, worst (cm)", lambda when: report.worst("float", when)),
        row("below ground, worst (cm)", report.deepest),
    ]


def _paid(report) -> list:
    figures, rows = native.load().planting.cost.FIGURES, []
    for one in report.cost.rows():
        figure = figures[one.what]
        numbers = [format(figure.scale * value, figure.form) for value in (one.before, one.after)]
        rows.append([f"{one.leg} {figure.title}".strip(), *numbers, bool(one.over)])
    return rows
