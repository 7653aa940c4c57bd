# SPDX-License-Identifier: MIT
"""The forms of a report, of a clip in memory or in a file: rows, plain text, HTML for notebooks, a dictionary."""

from __future__ import annotations

import html
import math
import platform
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, fields
from typing import Any

import numpy as np

from .._version import __version__
from ..arguments import real_number
from ..printable import escaped
from .cost import PlantCost, Range
from .leg_report import Contact
from .metrics import ContactMeasure

__all__ = ["Report", "report_dict", "report_rows"]

_SCHEMA = 1  # goes up when a key changes its meaning or goes away, not when one is added
Row = tuple[str, str, str]


class Report:
    """What reports of a clip in memory and of one in a file have in common."""

    contacts: Sequence[Contact]
    metres_per_unit: float

    def slide(self, when: str = "after") -> tuple[float, float]:
        """Return the mean and the worst slide of all contacts.

        Parameters
        ----------
        when : "before" or "after", default "after"
            The original clip or the planted one.

        Returns
        -------
        mean, worst : float
            In the clip's units; 0 without contacts.
        """
        slides = [m.slide for m in (contact.measure(when) for contact in self.contacts)]
        return (float(np.mean(slides)), max(slides)) if slides else (0.0, 0.0)

    def worst(self, what: str, when: str = "after") -> float:
        """Return the worst penetration or float of all contacts.

        Parameters
        ----------
        what : "penetration", "float", "slide" or "travel"
            What was measured.
        when : "before" or "after", default "after"
            The original clip or the planted one.

        Returns
        -------
        float
            In the clip's units; 0 without contacts.

        Raises
        ------
        ValueError
            Another word than these.
        """
        known = [field.name for field in fields(ContactMeasure)]
        if what not in known:
            raise ValueError(f"what is {what!r}: one of {', '.join(known)}")
        return max((float(getattr(m, what)) for m in (contact.measure(when) for contact in self.contacts)), default=0.0)

    def centimetres(self, length: float) -> float:
        """Turn a length in the clip's units into centimetres.

        Parameters
        ----------
        length : float
            In the clip's units.

        Returns
        -------
        float
            Centimetres; with an unknown unit a leg counts as 0.9 m.
        """
        return 100.0 * self.metres_per_unit * real_number("length", length)

    def as_rows(self) -> list[tuple[str, str, str]]:
        """Return the table as rows (what, before, after).

        Returns
        -------
        list of (str, str, str)
            Without a heading; the middle is empty where there is no before.
        """
        return report_rows(self)

    def as_table(self) -> str:
        """Return the report as a short table.

        Returns
        -------
        str
            Lines: where something is worse than the original, the first says so; messages below the table.
        """
        return _text(self)

    def __str__(self) -> str:
        return self.as_table()

    def _repr_html_(self) -> str:
        """Show the table in a notebook."""
        return _html(self)


def _signed(value: float, digits: int = 1) -> str:
    """Return a number with its sign; what is rounded to nothing has no minus."""
    text = f"{value:+.{digits}f}"
    return text.replace("-", "+") if float(text) == 0.0 else text


def _range(values: Range) -> str:
    return " … ".join(f"{value:.0f}".replace("-0", "0") if round(value) == 0 else f"{value:.0f}" for value in values)


def report_rows(report: Any) -> list[Row]:
    """Return the rows (what, before, after), without a heading, of a PlantReport or a FileReport."""
    cm, cost = report.centimetres, report.cost

    def pair(what: str, figure: Callable[[str], float], form: str = ".2f") -> Row:
        return what, format(figure("before"), form), format(figure("after"), form)

    counts = [sum(contact.leg == k for contact in report.contacts) for k in range(len(cost.legs))]
    rows = [(f"contacts, {leg.name}", "", f"{count:,}") for leg, count in zip(cost.legs, counts, strict=True)]
    rows += [
        pair("slide, mean (cm)", lambda when: cm(report.slide(when)[0])),
        pair("slide, worst (cm)", lambda when: cm(report.slide(when)[1])),
        pair("float in contact, worst (cm)", lambda when: cm(report.worst("float", when))),
        pair("below ground, worst (cm)", lambda when: cm(report.deepest(when))),
        *_cost_rows(report, cost),
    ]
    low, high = report.raised
    rows.append(("pelvis raised (cm)", "", f"{_signed(cm(low))} … {_signed(cm(high))}"))
    if hasattr(report, "literature"):
        told = {when: report.literature(when) for when in ("before", "after")}
        rows += [
            ("pelvis acceleration (legs/s²)", "", _signed(report.added_acceleration / report.leg_length)),
            pair("skating ratio (GMD)", lambda when: told[when].skating_ratio, ".3f"),
            pair("weighted slide (MANN, cm/frame)", lambda when: told[when].weighted_slide_cm, ".3f"),
            pair("penetration (PhysDiff, mm)", lambda when: told[when].penetration_mm),
            pair("float (PhysDiff, mm)", lambda when: told[when].float_mm),
            pair("skate (PhysDiff, mm/frame)", lambda when: told[when].contact_slide_mm),
        ]
    return rows


def _cost_rows(report: Any, cost: PlantCost) -> list[Row]:
    """Return what planting cost: of several legs the worst, counts over all of them."""
    legs, length = cost.legs, report.leg_length
    flexions = [(min(leg.flexion[k][0] for leg in legs), max(leg.flexion[k][1] for leg in legs)) for k in (0, 1)]
    typical, worst = max(leg.change_typical for leg in legs), max(leg.change_worst for leg in legs)
    body = " / ".join(f"{report.centimetres(way * length):.1f}" for way in (cost.body_typical, cost.body_worst))
    least = getattr(report, "objective_least", None)

    def counts(what: str, name: str) -> Row:
        before, after = cost.total(what)
        return f"{name} (frames)", f"{before:,}", f"{after:,}"

    def of_each(what: str, name: str, scale: float = 1.0) -> Row:
        before, after = (" / ".join(f"{scale * getattr(leg, what)[k]:.3g}" for leg in legs) for k in (0, 1))
        return name, before, after

    return [
        ("knee flexion (degrees)", _range(flexions[0]), _range(flexions[1])),
        ("knees bent backward (frames)", "", f"{cost.total('backward')[1]:,}"),
        counts("overturned", "knees turned over"),
        counts("pops", "knee pops"),
        of_each("jerk", "knee jerk, highest per leg (10⁶ °/s³)", 1e-6),
        of_each("jump", "foot acceleration, likewise (legs/frame²)"),
        ("flexion changed, RMS / worst (degrees)", "", f"{typical:.1f} / {worst:.1f}"),
        ("changed over 10°, each leg (% of frames)", "", " / ".join(f"{100.0 * leg.changed:.1f}" for leg in legs)),
        ("body moved, RMS / worst (cm)", "", body),
        ("acceleration added, legs / body (legs/s²)", "", f"{cost.leg_added:.2f} / {cost.body_added:.2f}"),
        ("objective J", "", f"{cost.objective:.4g}")
        if least is None
        else ("objective J / optimum J*", "", f"{cost.objective:.4g} / {least:.4g}"),
    ]


def _speed_line(report: Any) -> str:
    return f"planted {report.frames_per_second:,.0f} frames per second"


def _text(report: Any) -> str:
    """Return the table as lines: what is worse than the original first, messages last."""
    rows = [("", "before", "after"), *(tuple(map(escaped, row)) for row in report_rows(report))]
    wide = [max(len(row[k]) for row in rows) for k in range(3)]
    lines = [f"{a:<{wide[0]}}  {b:>{wide[1]}}  {c:>{wide[2]}}".rstrip() for a, b, c in rows]
    told = [*lines, _speed_line(report), *(f"- {escaped(message)}" for message in report.messages)]
    return "\n".join([escaped(report.cost.headline), *told] if report.cost.headline else told)


def _html(report: Any) -> str:
    """Return the same as HTML."""
    cell = '<{0} style="text-align:{1}">{2}</{0}>'
    lines = [f"<p><strong>{html.escape(report.cost.headline)}</strong></p>"] if report.cost.headline else []
    head = "".join(cell.format("th", "right", name) for name in ("", "before", "after"))
    lines.append(f"<table><thead><tr>{head}</tr></thead><tbody>")
    for what, old, new in report_rows(report):
        figures = "".join(cell.format("td", "right", html.escape(text)) for text in (old, new))
        lines.append("<tr>" + cell.format("th", "left", html.escape(what)) + figures + "</tr>")
    lines += ["</tbody></table>", f"<p>{_speed_line(report)}</p>"]
    if report.messages:
        lines.append("<ul>" + "".join(f"<li>{html.escape(message)}</li>" for message in report.messages) + "</ul>")
    return "\n".join(lines)


def report_dict(report: Any, legs: Sequence[Mapping[str, Any]], **more: Any) -> dict[str, Any]:
    """Return the keys that all reports have, with those of one of them, as JSON knows them; not finite is None."""

    def pair(function: Callable[[str], Any]) -> dict[str, Any]:
        return {when: function(when) for when in ("before", "after")}

    told = {
        "schema": _SCHEMA,
        "versions": {"skelkin_py": __version__, "numpy": np.__version__, "python": platform.python_version()},
        "num_frames": report.num_frames,
        "fps": report.fps,
        "up": report.up_name,
        "ground": report.ground,
        "ground_velocity": None if report.ground_velocity is None else report.ground_velocity.tolist(),
        "pinned": report.pinned,
        "loop": report.loop,
        "leg_length": report.leg_length,
        "metres_per_unit": report.metres_per_unit,
        "unit_known": report.unit_known,
        "slide_mean": pair(lambda when: report.slide(when)[0]),
        "slide_worst": pair(lambda when: report.slide(when)[1]),
        "slide_before_cm": report.centimetres(report.slide("before")[0]),
        "slide_after_cm": report.centimetres(report.slide("after")[0]),
        "penetration_worst": pair(lambda when: report.worst("penetration", when)),
        "float_worst": pair(lambda when: report.worst("float", when)),
        "below_ground_worst": pair(report.deepest),
        "body_shift": report.raised,
        "cost": {**report.cost.to_dict(), "objective_least": getattr(report, "objective_least", None)},
        "seconds": report.seconds,
        "frames_per_second": report.frames_per_second,
        **more,
        "legs": legs,
        "contacts": [
            {
                "leg": contact.name,
                "leg_index": contact.leg,
                "first_frame": contact.first_frame,
                "last_frame": contact.last_frame,
                "rise": contact.rise,
                "stands_at": contact.stands_at,
                "before": asdict(contact.before),
                "after": asdict(contact.after),
            }
            for contact in report.contacts
        ],
        "messages": report.messages,
    }
    plain: dict[str, Any] = _finite(told)
    return plain


def _finite(value: Any) -> Any:
    """Return the same with None for numbers that JSON does not know."""
    if isinstance(value, Mapping):
        return {key: _finite(part) for key, part in value.items()}
    if isinstance(value, (list, tuple)):
        return [_finite(part) for part in value]
    if isinstance(value, np.generic):
        value = value.item()
    return None if isinstance(value, float) and not math.isfinite(value) else value
