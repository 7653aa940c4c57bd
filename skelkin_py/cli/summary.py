# SPDX-License-Identifier: MIT
"""What planting many clips came to: figures per clip, and all of them as a table."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from .printing import BOLD, RED, Shown, columns, failed, in_lines, painted, room, shortened, wrapped

if TYPE_CHECKING:
    from ..planting import PlantReport

_MOST_ROWS = 30
_WORST = 10
_OF_MINDED = 40  # places of a line, or a third, for what a viewer would mind


class Row(NamedTuple):
    """One clip in the summary.

    Attributes
    ----------
    name : str
        The clip.
    figures : dict
        What `figures_of` returns; empty where it failed.
    error : str
        Why it failed.
    """

    name: str
    figures: Mapping[str, Any]
    error: str = ""


def figures_of(report: PlantReport) -> dict[str, Any]:
    """Return what the summary needs of a report, as JSON values; lengths in centimetres."""
    slides = {when: report.slide(when) for when in ("before", "after")}
    cm = report.centimetres
    return {
        "num_frames": report.num_frames,
        "num_contacts": len(report.contacts),
        "slide_mean_cm": {when: cm(mean) for when, (mean, _) in slides.items()},
        "slide_worst_cm": {when: cm(worst) for when, (_, worst) in slides.items()},
        "unit_known": report.unit_known,
        "in_place": report.ground_velocity is not None and not report.pinned,
        "minded": [f"{row.grade}: {row.words(cm(report.leg_length))}" for row in report.cost.minded()],
    }


def figures_of_all(figures: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return the figures of a file's animations as those of the file.

    Parameters
    ----------
    figures : sequence of mapping
        What `figures_of` returned for each, at least one.

    Returns
    -------
    dict
        The same keys, and of several "animations", how many there are.
    """
    if len(figures) == 1:
        return dict(figures[0])
    total = total_of([Row("", each) for each in figures])
    return {
        **{key: total[key] for key in ("num_frames", "num_contacts", "slide_mean_cm", "slide_worst_cm")},
        "unit_known": all(each["unit_known"] for each in figures),
        "in_place": all(each["in_place"] for each in figures),
        "minded": [minded for each in figures for minded in each.get("minded", ())],
        "animations": len(figures),
    }


def are_figures(value: Any) -> bool:
    """Tell whether a value has all that the summary needs of a clip, as `figures_of` returns it."""
    try:
        flags = (value["unit_known"], value["in_place"])
        counts = (value["num_frames"], value["num_contacts"])
        slides = [value[key][when] for key in ("slide_mean_cm", "slide_worst_cm") for when in ("before", "after")]
    except (KeyError, TypeError):
        return False
    return (
        all(type(each) is bool for each in flags)
        and all(type(each) is int and 0 <= each < 1e15 for each in counts)
        and all(type(each) in (int, float) and abs(each) < 1e300 for each in slides)
    )


def total_of(rows: Sequence[Row]) -> dict[str, Any]:
    """Return the figures of all clips together; means count every contact alike.

    Slide is that of the clips whose feet are held: not of those in place, where only heights are corrected.
    """
    figures = [row.figures for row in rows if row.figures]
    held = [each for each in figures if not each["in_place"]]
    contacts = sum(int(each["num_contacts"]) for each in held)

    def mean(when: str) -> float:
        return float(sum(each["slide_mean_cm"][when] * each["num_contacts"] for each in held) / max(contacts, 1))

    def worst(when: str) -> float:
        return max((float(each["slide_worst_cm"][when]) for each in held), default=0.0)

    return {
        "clips": len(rows),
        "failed": len(rows) - len(figures),
        "num_frames": sum(each["num_frames"] for each in figures),
        "num_contacts": sum(int(each["num_contacts"]) for each in figures),
        "slide_mean_cm": {when: mean(when) for when in ("before", "after")},
        "slide_worst_cm": {when: worst(when) for when in ("before", "after")},
    }


def table(rows: Sequence[Row], verbose: bool = False, kind: str = "clip") -> Shown:
    """Return what was gained, and the clips as a table: each with what a viewer would mind most.

    `kind` is what the rows are. Of many clips those stand in it that failed, in which a viewer would mind something,
    and that slide most; with `verbose` all of them, with their whole names on however narrow a terminal.
    """
    good = [row for row in rows if row.figures]
    shown: Sequence[Row] = rows
    few = verbose or len(good) <= _MOST_ROWS
    if not few:
        kept = {id(row) for row in sorted(good, key=_slides, reverse=True)[:_WORST]}
        shown = [row for row in rows if not row.figures or _minded(row) or id(row) in kept]
    heading = (kind, "feet stand", "slide (cm)", *("worst (cm)", "frames") * verbose)
    cells: list[Sequence[str]] = [heading]
    for row in shown:
        cells.append(_cells(row, verbose) if row.figures else (row.name, failed(row.error)))
    width = None if verbose else room(sys.stdout)
    any_minded = any(map(_minded, shown))
    part = width if width is None or not any_minded else width - min(_OF_MINDED, width // 3)
    lines: list[str] = [*columns(cells, right=range(1, len(heading)), width=part)]
    for k, row in enumerate(shown, start=1):
        if not row.figures:
            lines[k] = painted(lines[k], RED, sys.stdout)
        elif _minded(row):
            lines[k] = _with_minded(lines[k], row, width)
    lines[0] = painted(lines[0], BOLD, sys.stdout)
    if len(shown) < len(rows):
        lines.append(f"… and {len(rows) - len(shown)} {kind}s with nothing that a viewer would mind")
    gained = _gained(rows, kind)
    lines.insert(0, painted(gained if width is None else shortened(gained, width, behind=0), BOLD, sys.stdout))
    if not all(row.figures["unit_known"] for row in good):
        unit = "Centimetres assume legs of 0.9 m, because the unit is not known: give it with --unit METRES."
        lines.append(wrapped(unit, "  ", sys.stdout))
    if any(row.figures["in_place"] for row in good):
        place = "In place: only heights are corrected; to hold the feet, give --ground-velocity."
        lines.append(wrapped(place, "  ", sys.stdout))
    return in_lines(lines)


def _gained(rows: Sequence[Row], kind: str) -> str:
    """Return what came of all, and in how many a viewer would mind something."""
    total, minded = total_of(rows), list(filter(_minded, rows))
    slide = total["slide_mean_cm"]
    text = f"{len(rows) - total['failed']} of {len(rows)} {kind}s planted"
    if any(row.figures and not row.figures["in_place"] and row.figures["num_contacts"] for row in rows):
        text += f", slide {slide['before']:.1f} → {slide['after']:.1f} cm"
    faults = sum(_minded(row)[0].startswith("fault") for row in minded)
    if not minded:
        return f"{text}; nothing that a viewer would mind"
    return f"{text}; {len(minded)} to look at" + f", {faults} with faults" * bool(faults)


def _minded(row: Row) -> Sequence[str]:
    """Return what a viewer would mind in a clip, worst first."""
    minded: Sequence[str] = row.figures.get("minded", ())
    return minded


def _with_minded(line: str, row: Row, width: int | None) -> str:
    """Return a clip's line with what a viewer would mind most, as far as there is room."""
    first, *more = _minded(row)
    text = first + f" (and {len(more)} more)" * bool(more)
    room_left = None if width is None else width - len(line) - 2
    line = f"{line}  {text if room_left is None else shortened(text, max(room_left, 1), behind=0)}"
    return painted(line, RED, sys.stdout) if first.startswith("fault") else line


def _slides(row: Row) -> tuple[float, float]:
    return row.figures["slide_worst_cm"]["after"], row.figures["slide_worst_cm"]["before"]


def _cells(row: Row, verbose: bool) -> Sequence[str]:
    pairs = [row.figures[key] for key in ("slide_mean_cm", "slide_worst_cm")]
    slides = [f"{pair['before']:.2f} → {pair['after']:.2f}" for pair in pairs]
    if row.figures["in_place"]:
        slides = ["in place", "–"]
    cells = row.name, f"{row.figures['num_contacts']:,}", *slides, f"{row.figures['num_frames']:,}"
    return cells if verbose else cells[:3]
