# SPDX-License-Identifier: MIT
"""A report as a short table: rows, plain text, and HTML for notebooks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from ..printable import escaped

if TYPE_CHECKING:
    from .report import PlantReport

__all__ = ["report_html", "report_rows", "report_text", "signed", "speed_line", "table_text"]


class Timed(Protocol):
    """A report of any kind."""

    @property
    def frames_per_second(self) -> float:
        """Frames planted per second of computing time."""


def signed(value: float) -> str:
    """Return a number with its sign and one digit; what is rounded to nothing has no minus."""
    return f"{value:+.1f}".replace("-0.0", "+0.0")


def report_rows(report: PlantReport) -> list[tuple[str, str, str]]:
    """Return the rows (what, before, after), without a heading."""
    cm = report.centimetres
    mean0, worst0 = report.slide("before")
    mean1, worst1 = report.slide("after")
    float0, float1 = report.worst("float", "before"), report.worst("float")
    k0, k1 = report.knee_range("before"), report.knee_range("after")
    lit0, lit1 = report.literature("before"), report.literature()
    pops0, pops1 = report.knee_pops("before"), report.knee_pops()
    body = report.body_shift[report.frames[0] : report.frames[1] + 1]
    rows = [(f"contacts, {leg.name}", "", str(len(leg.contacts))) for leg in report.legs]
    rows += [
        ("slide, mean (cm)", f"{cm(mean0):.2f}", f"{cm(mean1):.2f}"),
        ("slide, worst (cm)", f"{cm(worst0):.2f}", f"{cm(worst1):.2f}"),
        ("float in contact, worst (cm)", f"{cm(float0):.2f}", f"{cm(float1):.2f}"),
        ("below ground, worst (cm)", f"{cm(report.deepest('before')):.2f}", f"{cm(report.deepest()):.2f}"),
        ("knee angle (degrees)", f"{k0[0]:.0f} … {k0[1]:.0f}", f"{k1[0]:.0f} … {k1[1]:.0f}"),
        ("knee pops", str(len(pops0)), str(len(pops1))),
        ("skating ratio (GMD)", f"{lit0.skating_ratio:.3f}", f"{lit1.skating_ratio:.3f}"),
        ("weighted slide (MANN, cm/frame)", f"{lit0.weighted_slide_cm:.3f}", f"{lit1.weighted_slide_cm:.3f}"),
        ("penetration (PhysDiff, mm)", f"{lit0.penetration_mm:.2f}", f"{lit1.penetration_mm:.2f}"),
        ("float (PhysDiff, mm)", f"{lit0.float_mm:.2f}", f"{lit1.float_mm:.2f}"),
        ("skate (PhysDiff, mm/frame)", f"{lit0.contact_slide_mm:.2f}", f"{lit1.contact_slide_mm:.2f}"),
        ("pelvis raised (cm)", "", f"{signed(cm(body.min()))} … {signed(cm(body.max()))}"),
        ("pelvis acceleration (legs/s²)", "", f"{report.added_acceleration / report.leg_length:+.1f}"),
    ]
    return rows


def speed_line(report: Timed) -> str:
    """Return how fast it was, for a line of its own: it is neither before nor after."""
    return f"planted {report.frames_per_second:,.0f} frames per second"


def report_text(report: PlantReport) -> str:
    """Return the table as lines, with the messages below."""
    return table_text(report_rows(report), speed_line(report), report.messages)


def table_text(figures: Sequence[tuple[str, str, str]], speed: str, messages: Sequence[str]) -> str:
    """Return rows (what, before, after) as lines below a heading, with speed and messages below."""
    rows = [("", "before", "after"), *(tuple(map(escaped, row)) for row in figures)]
    wide = [max(len(row[k]) for row in rows) for k in range(3)]
    lines = [f"{a:<{wide[0]}}  {b:>{wide[1]}}  {c:>{wide[2]}}".rstrip() for a, b, c in rows]
    return "\n".join([*lines, speed, *(f"- {escaped(m)}" for m in messages)])


def report_html(report: PlantReport) -> str:
    """Return the table as HTML, with speed and messages below."""
    import html

    cell = '<{0} style="text-align:{1}">{2}</{0}>'
    lines = ["<table><thead><tr>" + "".join(cell.format("th", "right", name) for name in ("", "before", "after"))]
    lines[0] += "</tr></thead><tbody>"
    for what, old, new in report_rows(report):
        figures = "".join(cell.format("td", "right", html.escape(text)) for text in (old, new))
        lines.append("<tr>" + cell.format("th", "left", html.escape(what)) + figures + "</tr>")
    lines += ["</tbody></table>", f"<p>{speed_line(report)}</p>"]
    if report.messages:
        lines.append("<ul>" + "".join(f"<li>{html.escape(message)}</li>" for message in report.messages) + "</ul>")
    return "\n".join(lines)
