# SPDX-License-Identifier: MIT
"""A report in five lines, and whether a viewer would mind what came out: the same words wherever it is shown."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

from ..._support.printable import escaped
from ..remark import FRAME, Remark, together
from ..viewer_rows import NOTHING_MINDED, ViewerRow
from .figures import Figures

WIDTH = 80  # places of a line
STEM = 14  # of them for what it is about
_NOTHING = 5e-4  # leg, degrees: less is no change

_IN_CONTACT = ("slide", "lift", "heel")  # rows that a contact shows itself

# What to turn, by what caused the row, in the words of Python, of the shell and of Blender's panel.
_WITHOUT = {
    "python": "contacts= without it",
    "shell": "--contacts without it",
    "blender": "remove it in the Contacts panel and press Update",
}

_LOWER = {
    "python": "contacts= with lower heights for this foot",
    "shell": "--contacts with lower heights for this foot",
    "blender": "lower heights for this foot in the Contacts panel",
}
WORDS = tuple(_WITHOUT)


def five_lines(report: Figures) -> list[str]:
    """Return what planting did: contacts, slide, ground, knees and body, each before and after."""
    stems = ("feet stand", "slide", "ground", "knees", "body")
    told = (_stands(report), _slide(report), _ground(report), _knees(report), _body(report))
    return [together("", f"{stem:<{STEM}}", text) for stem, text in zip(stems, told, strict=True)]


def _stands(report: Figures) -> str:
    names = [leg.name for leg in report.cost.legs]
    counts = [sum(contact.leg == k for contact in report.contacts) for k in range(len(names))]
    if not any(counts):
        return "never"
    told = ", ".join(f"{escaped(name)} {count:,}" for name, count in zip(names, counts, strict=True))
    told += " time" if counts == [1] else " times"
    if len(counts) > 1 and len(told) > WIDTH - STEM:
        return f"{sum(counts):,} times, {len(counts)} feet together"
    return told


def _slide(report: Figures) -> str:
    if not report.contacts:
        return "nothing stands"
    (old, worst_old), (new, worst_new) = report.slide("before"), report.slide("after")
    cm = report.centimetres
    over = ", over the moving ground" if report.ground_velocity is not None else ""
    return f"{cm(old):.2f} → {cm(new):.2f} cm   (worst {cm(worst_old):.2f} → {cm(worst_new):.2f}{over})"


def _ground(report: Figures) -> str:
    pairs = [
        tuple(report.centimetres(figure(when)) for when in ("before", "after"))
        for figure in (report.deepest, lambda when: report.worst("float", when))
    ]
    return ", ".join(f"{what} {a:.1f} → {b:.1f} cm" for what, (a, b) in zip(("sank", "floated"), pairs, strict=True))


def _knees(report: Figures) -> str:
    worst, frame = report.cost.change_worst
    if worst < _NOTHING:
        return "not changed"
    return Remark(
        f"changed by {_degrees(report.cost.change_typical)} RMS, {_degrees(worst)} at most (frame {FRAME})", frame
    )


def _body(report: Figures) -> str:
    cost = report.cost
    if cost.body_worst < _NOTHING:
        return "not moved"
    rms, most = (report.centimetres(part * report.leg_length) for part in (cost.body_typical, cost.body_worst))
    return f"moved by {rms:.1f} cm RMS, {most:.1f} at most ({100.0 * cost.body_worst:.0f} % of the leg)"


def _degrees(value: float) -> str:
    return f"{value:.1f}°" if value < 0.95 else f"{value:.0f}°"


def advice(row: ViewerRow, words: str = "python") -> str:
    """Return which option to turn, in the words of "python", "shell" or "blender"; empty where none helps for certain.

    A foot that slides, rocks or loses its lift inside a contact is better off without that contact, and one that stands
    too high beside the others with lower contacts. Where body, knees or feet elsewhere pay for contacts, no option is
    sure to leave all else as it is.
    """
    if row.row == "level":
        return _LOWER[words]
    ask = row.ask
    inside = ask is not None and row.why() and ask.first_frame <= row.frame <= ask.last_frame
    return _WITHOUT[words] if inside and row.row in _IN_CONTACT else ""


def minded_lines(report: Figures, words: str = "python") -> list[str]:
    """Return what a viewer would mind, worst first: how much, in which frames, why, and what to turn."""
    leg = report.centimetres(report.leg_length)
    return [
        together("", f"{row.grade}: ", together("; ", row.sentence(leg), advice(row, words)))
        for row in report.cost.minded()
    ]


def verdict(report: Figures, words: str = "python") -> list[str]:
    """Return the same, or that there is nothing."""
    return minded_lines(report, words) or [NOTHING_MINDED]


def folded(lines: Sequence[str], indent: str = "  ") -> list[str]:
    """Return lines as they fit into 80 places, what is left of one indented below it."""
    out: list[str] = []
    for line in lines:
        out += textwrap.wrap(escaped(line), WIDTH, subsequent_indent=indent, break_on_hyphens=False) or [""]
    return out
