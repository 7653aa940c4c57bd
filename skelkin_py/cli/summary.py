# SPDX-License-Identifier: MIT
"""What planting many clips came to: figures per clip, and all of them as a table."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from .printing import BOLD, RED, Shown, columns, failed, in_lines, painted, room, some_of

if TYPE_CHECKING:
    from ..blocks import FileReport
    from ..planting import PlantReport

_MOST_ROWS = 30
_WORST = 10


class Row(NamedTuple):
    """One clip in the summary.

    Attributes
    ----------
    name : str
        The clip.
    figures : dict or None
        What `figures_of` returns; None where it failed.
    error : str
        Why it failed.
    """

    name: str
    figures: Mapping[str, Any] | None
    error: str = ""


def figures_of(report: PlantReport | FileReport) -> dict[str, Any]:
    """Return what the summary needs of a report, as JSON values; lengths in centimetres."""
    mean0, worst0 = report.slide("before")
    mean1, worst1 = report.slide("after")
    cm = report.centimetres
    return {
        "num_frames": report.num_frames,
        "num_contacts": len(report.contacts),
        "slide_mean_cm": {"before": cm(mean0), "after": cm(mean1)},
        "slide_worst_cm": {"before": cm(worst0), "after": cm(worst1)},
        "unit_known": report.unit_known,
        "in_place": report.ground_velocity is not None and not report.pinned,
        "worse": [row.remark for row in report.cost.worse()],
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
        "worse": [remark for each in figures for remark in each["worse"]],
        "animations": len(figures),
    }


def are_figures(told: Any) -> bool:
    """Tell whether a value has all that the summary needs of a clip, as `figures_of` returns it."""
    try:
        flags = (told["unit_known"], told["in_place"])
        counts = (told["num_frames"], told["num_contacts"])
        slides = [told[key][when] for key in ("slide_mean_cm", "slide_worst_cm") for when in ("before", "after")]
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
    figures = [row.figures for row in rows if row.figures is not None]
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
    """Return the clips and their total as a table; of many clips those that slide most, and those that failed.

    `kind` is what the rows are.

    With `verbose` all clips stand in it, with their whole names on however narrow a terminal.
    """
    good = [row for row in rows if row.figures is not None]
    shown: Sequence[Row] = rows
    few = verbose or len(good) <= _MOST_ROWS
    if not few:
        good.sort(key=_slides, reverse=True)
        kept = {id(row) for row in good[:_WORST]}
        shown = [row for row in rows if row.figures is None or id(row) in kept]
    cells: list[Sequence[str]] = [(kind, "frames", "contacts", "slide, mean (cm)", "worst (cm)")]
    for row in shown:
        cells.append((row.name, failed(row.error)) if row.figures is None else _cells(row.name, row.figures))
    total = total_of(rows)
    in_place = all(row.figures.get("in_place", False) for row in good if row.figures is not None)
    cells.append(_cells("all" if len(good) == len(shown) else f"all {len(good)}", {**total, "in_place": in_place}))
    worse = [row.name for row in rows if row.figures is not None and row.figures.get("worse")]
    if worse:
        marks = ["", *("worse" if row.name in worse else "" for row in shown), ""]
        cells = [row if len(row) == 2 else (*row, mark) for row, mark in zip(cells, marks, strict=True)]
    lines: list[str] = [*columns(cells, right=range(1, 5), width=None if verbose else room(sys.stdout))]
    for k, row in enumerate(shown, start=1):
        if row.figures is None:
            lines[k] = painted(lines[k], RED, sys.stdout)
    lines[0], lines[-1] = painted(lines[0], BOLD, sys.stdout), painted(lines[-1], BOLD, sys.stdout)
    if not few:
        lines.insert(-1, f"… and {len(good) - _WORST} {kind}s whose feet slid less")
    if worse:
        count = f"{len(worse)} of {len(rows)}"
        told = f"{count} became worse than the original: {some_of(worse)}; the report of each tells (--json)"
        lines.insert(0, painted(told, RED, sys.stdout))
    if any(row.figures is not None and not row.figures["unit_known"] for row in rows):
        lines.append("Centimetres assume legs of 0.9 m, since no unit is given: --unit METRES gives it.")
    if any(row.figures is not None and row.figures.get("in_place") for row in rows):
        lines.append("in place: heights only; --ground-velocity says how the ground moves.")
    return in_lines(lines)


def _slides(row: Row) -> tuple[float, float]:
    assert row.figures is not None
    return row.figures["slide_worst_cm"]["after"], row.figures["slide_worst_cm"]["before"]


def _cells(name: str, figures: Mapping[str, Any]) -> Sequence[str]:
    pairs = [figures[key] for key in ("slide_mean_cm", "slide_worst_cm")]
    slides = [f"{pair['before']:.2f} → {pair['after']:.2f}" for pair in pairs]
    if figures.get("in_place"):
        slides = ["in place", "–"]
    return (
        name,
        f"{figures['num_frames']:,}",
        f"{figures['num_contacts']:,}",
        *slides,
    )
