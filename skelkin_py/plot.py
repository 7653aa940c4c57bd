# SPDX-License-Identifier: MIT
"""Figures for paper and notebook, drawn with matplotlib (the extra ``view``); no state of pyplot is touched."""

from __future__ import annotations

import functools
import io
import os
import textwrap
from collections.abc import Iterator
from typing import Any

import numpy as np

from ._support.array_types import Floats
from ._support.atomic import replacing
from ._support.errors import MissingExtraError
from ._support.printable import escaped

_KNEE_ROWS = {"knee": "bent differently", "pops": "snaps", "jerk": "jerks"}  # labels of rows that a viewer would mind
PAPER_FIGURES = (  # of LiteratureFigures: title, abbreviation and name of the paper, unit, format
    ("skating_ratio", "skating ratio", "GMD", "Guided Motion Diffusion", "", ".3f"),
    ("weighted_slide_cm", "weighted slide", "MANN", "Mode-Adaptive Neural Networks", "cm/frame", ".3f"),
    ("penetration_mm", "penetration", "PhysDiff", "PhysDiff", "mm", ".2f"),
    ("float_mm", "float", "PhysDiff", "PhysDiff", "mm", ".2f"),
    ("contact_slide_mm", "skate", "PhysDiff", "PhysDiff", "mm/frame", ".2f"),
)
BEFORE, AFTER, QUIET, GRID = "#d9572b", "#1b2430", "#8a949e", "#e6eaee"
CONTACT, HEEL, BALL, WORSE = "#0f9d76", "#b8860b", "#1f77d0", "#c2185b"


def plot_report(report: Any, *, title: str | None = None, path: str | os.PathLike[str] | None = None) -> Any:
    """Draw what planting did: height and speed of every foot over time.

    The contacts are shaded, with bars below them while heel and ball stand. Heights are those of the sole above the
    ground; the speed is that of the pivot, the point about which the foot rolls, over the ground.

    Parameters
    ----------
    report : PlantReport
        The report of `plant_feet`.
    title : str, optional
        A heading; default the slide before and after, and what a viewer would mind.
    path : str or os.PathLike, optional
        Where to save the figure; the ending decides the format.

    Returns
    -------
    matplotlib.figure.Figure
        The figure; it has its own canvas and can be shown or saved.

    Raises
    ------
    MissingExtraError
        If matplotlib is not installed.

    Examples
    --------
    >>> import skelkin_py as sk
    >>> figure = plot_report(sk.example("biped").clip.plant_feet().report)
    >>> len(figure.axes)  # height and speed of two feet
    4
    """
    old, new = (report.centimetres(report.slide(when)[0]) for when in ("before", "after"))
    heading = title or with_headline(report, f"Slide of the standing feet: {old:.2f} → {new:.2f} cm (mean)")
    figure = new_figure(11.0, 5.0, heading)
    if report.legs:
        grid = figure.subplots(2, len(report.legs), sharey="row", squeeze=False)
        for leg, (height, speed) in zip(report.legs, grid.T, strict=True):
            _draw_curves(height, report, leg, "height")
            _draw_curves(speed, report, leg, "speed")
            height.tick_params(labelbottom=False)
            height.set_title(part_title("foot", leg.name), loc="left", fontsize=10)
            speed.set_xlabel("time, s")
        for axes, label in zip(grid[:, 0], ("height of the sole, cm", "speed, cm/s"), strict=True):
            axes.set_ylabel(label)
        legend_below(figure, grid[0, 0])
    return saved_figure(figure, path)


def _draw_curves(axes: Any, report: Any, leg: Any, what: str) -> None:
    """Draw one quantity of one foot before and after, contacts shaded."""
    time = over_time(axes, report, leg)
    if what == "height":
        mark_parts(axes, report, leg)
    for curves, tone, name in ((leg.before, BEFORE, "before"), (leg.after, AFTER, "after")):
        values = np.asarray(getattr(curves, what), float)
        axes.plot(time[: len(values)], 100.0 * report.metres_per_unit * values, color=tone, linewidth=1.4, label=name)
    axes.axhline(0.0, color=QUIET, linewidth=0.8)
    if what == "speed":  # linear up to a tenth of a leg per second, where a foot slides; the swing beyond is far faster
        slow = 100.0 * report.metres_per_unit * 0.1 * leg.length
        axes.set_yscale("symlog", linthresh=slow, linscale=1.5)
        axes.set_yticks(_round_ticks(slow))
        axes.yaxis.set_major_formatter("{x:g}")
        axes.minorticks_off()
        axes.set_ylim(bottom=-0.08 * slow)
    clean(axes)


def _round_ticks(slow: float) -> list[float]:
    """Return round ticks for a scale that is linear up to `slow`: two in the linear part, then decades."""
    unit = 10.0 ** np.floor(np.log10(slow))
    step = unit * max(m for m in (0.5, 1.0, 2.0, 5.0) if m * unit <= slow / 1.5)
    return [0.0, step, *(unit * 10.0 ** np.arange(1, 4))]


def plot_slide(report: Any, *, title: str | None = None, path: str | os.PathLike[str] | None = None) -> Any:
    """Draw how far every standing foot is from where it touched down, before and after planting.

    Parameters
    ----------
    report : PlantReport
        The report of `plant_feet`.
    title : str, optional
        A heading; default the worst slide before and after.
    path : str or os.PathLike, optional
        Where to save the figure; the ending decides the format.

    Returns
    -------
    matplotlib.figure.Figure
        One axis per foot; a notebook shows it.

    Raises
    ------
    MissingExtraError
        If matplotlib is not installed.

    Examples
    --------
    >>> import skelkin_py as sk
    >>> figure = plot_slide(sk.example("biped").clip.plant_feet().report)
    >>> len(figure.axes)
    2
    """
    old, new = (report.centimetres(report.slide(when)[1]) for when in ("before", "after"))
    heading = title or f"Slide of the standing feet: {old:.2f} → {new:.2f} cm (worst)"
    figure = new_figure(11.0, 0.9 + 1.7 * len(report.legs), heading)
    for k, leg, axes, time in rows_of_legs(figure, report):
        for when, tone in (("before", BEFORE), ("after", AFTER)):
            away = np.full(report.num_frames, np.nan)
            for first, last in leg.contacts:
                away[first : last + 1] = report.centimetres(1.0) * leg.curves(when).distances((first, last))
            axes.plot(time, away, color=tone, linewidth=1.6, label=when, solid_capstyle="round")
            if when == "before":
                axes.fill_between(time, 0.0, away, color=tone, alpha=0.2, linewidth=0)
        for contact in report.contacts:
            middle = 0.5 * (contact.first_frame + contact.last_frame) / report.fps
            if contact.leg == k and contact.last_frame - contact.first_frame > 0.03 * report.num_frames:
                slides = [f"{report.centimetres(each.slide):.1f}" for each in (contact.before, contact.after)]
                axes.annotate(" → ".join(slides), (middle, 1.0), (0, 2), xycoords=("data", "axes fraction"),
                              textcoords="offset points", ha="center", fontsize=7, color=QUIET)  # fmt: skip
        axes.set_ylim(bottom=-0.04 * max(report.centimetres(report.worst("slide", "before")), 1e-3))
        axes.set_title(part_title("foot", leg.name), loc="left", fontsize=10, pad=14)
        axes.set_ylabel("away, cm")
    legend_below(figure, figure.axes[0])
    return saved_figure(figure, path)


def plot_knees(report: Any, *, title: str | None = None, path: str | os.PathLike[str] | None = None) -> Any:
    """Draw the flexion of every knee before and after planting, signed about its hinge, and mark its faults.

    Below 0 a knee is bent backward. Crosses are frames in which it pops; vertical lines are at rows that a viewer would
    mind.

    Parameters
    ----------
    report : PlantReport
        The report of `plant_feet`.
    title : str, optional
        A heading; default the number of pops before and after, and what a viewer would mind.
    path : str or os.PathLike, optional
        Where to save the figure; the ending decides the format.

    Returns
    -------
    matplotlib.figure.Figure
        One axis per leg; a notebook shows it.

    Raises
    ------
    MissingExtraError
        If matplotlib is not installed.

    Examples
    --------
    >>> import skelkin_py as sk
    >>> figure = plot_knees(sk.example("biped").clip.plant_feet().report)
    >>> len(figure.axes)
    2
    """
    old, new = report.cost.total("pops")
    heading = f"Knees: {old} → {new} frames that pop, {report.cost.total('backward')[1]} bent backward"
    figure = new_figure(11.0, 0.9 + 1.9 * len(report.legs), title or with_headline(report, heading))
    minded = [row for row in report.cost.minded() if row.row in _KNEE_ROWS]
    for _, leg, axes, time in rows_of_legs(figure, report):
        axes.axhline(0.0, color=QUIET, linewidth=0.8, linestyle=(0, (4, 3)))
        for when, tone in (("before", BEFORE), ("after", AFTER)):
            flexion = np.asarray(leg.curves(when).flexion, float)
            axes.plot(time, flexion, color=tone, linewidth=1.4, label=when)
            pops = leg.knee_pops(report.fps, report.frames, when)
            if pops:
                marks = {"marker": "x", "markersize": 6, "markeredgewidth": 1.6, "linestyle": "none"}
                axes.plot(time[pops], flexion[pops], color=tone, label=f"pop, {when}", **marks)
        for k, row in enumerate(row for row in minded if row.leg == leg.name):
            axes.axvline(time[row.frame], color=WORSE, linewidth=1.2, label="would be minded" if k == 0 else None)
            place = {"xycoords": ("data", "axes fraction"), "xytext": (3, -9 - 10 * k), "textcoords": "offset points"}
            axes.annotate(_KNEE_ROWS[row.row], (time[row.frame], 1.0), **place, fontsize=7, color=WORSE)
        axes.set_title(part_title("knee", leg.name), loc="left", fontsize=10)
        axes.set_ylabel("flexion, degrees")
    figure.axes[0].annotate("straight", (1.0, 0.0), xycoords=("axes fraction", "data"), xytext=(-2, 2),
                     textcoords="offset points", ha="right", fontsize=7, color=QUIET)  # fmt: skip
    legend_below(figure, max(figure.axes, key=lambda axes: len(axes.get_legend_handles_labels()[1])))
    return saved_figure(figure, path)


def plot_literature(report: Any, *, title: str | None = None, path: str | os.PathLike[str] | None = None) -> Any:
    """Draw the figures of papers as bars, before and after planting.

    Parameters
    ----------
    report : PlantReport
        The report of `plant_feet`.
    title : str, optional
        A heading.
    path : str or os.PathLike, optional
        Where to save the figure; the ending decides the format.

    Returns
    -------
    matplotlib.figure.Figure
        One axis per figure of `PlantReport.literature`; a notebook shows it.

    Raises
    ------
    MissingExtraError
        If matplotlib is not installed.

    Examples
    --------
    >>> import skelkin_py as sk
    >>> figure = plot_literature(sk.example("biped").clip.plant_feet().report)
    >>> len(figure.axes)
    5
    """
    figure = new_figure(11.0, 3.0, title or "Feet in the figures of papers (less is better)")
    measured = [report.literature(when) for when in ("before", "after")]
    panels = zip(figure.subplots(1, len(PAPER_FIGURES)), PAPER_FIGURES, strict=True)
    for axes, (name, heading, _, paper, unit, form) in panels:
        values = [getattr(each, name) for each in measured]
        bars = axes.bar(["before", "after"], values, color=[BEFORE, AFTER], width=0.6)
        axes.bar_label(bars, [format(value, form) for value in values], fontsize=9, padding=2)
        axes.set_ylim(0.0, 1.2 * max(*values, 1e-3))
        axes.set_title(heading, fontsize=10)
        axes.set_xlabel(paper, fontsize=8)
        axes.set_ylabel(unit.replace("/", " per ") or "part of the frames", fontsize=8)
        axes.tick_params(labelsize=8)
        clean(axes)
    return saved_figure(figure, path)


@functools.cache
def _figure_class(figure: Any) -> Any:
    """Return a figure that a notebook shows by itself, whether or not pyplot was ever imported there."""

    class ReportFigure(figure):  # type: ignore[misc]
        """A matplotlib figure that a notebook shows as a picture."""

        def _repr_png_(self) -> bytes:
            file = io.BytesIO()
            self.savefig(file, format="png", dpi=100)
            return file.getvalue()

    return ReportFigure


def new_figure(width: float, height: float, title: str) -> Any:
    """Return an empty figure, in inches, with a canvas of its own, so that no window system is needed."""
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ImportError as error:
        raise MissingExtraError("plot()", "matplotlib", "view") from error
    figure = _figure_class(Figure)(figsize=(width, height), layout="constrained", facecolor="white")
    FigureCanvasAgg(figure)
    figure.suptitle(title, fontsize=10 if "\n" in title else 12, weight="bold")
    return figure


def saved_figure(figure: Any, path: str | os.PathLike[str] | None) -> Any:
    """Save a figure whole or not at all, and return it; the ending decides the format; None saves nothing."""
    if path is not None:
        os.makedirs(os.path.dirname(os.fspath(path)) or os.curdir, exist_ok=True)
        with replacing(path) as file:
            figure.savefig(file, dpi=130, format=os.path.splitext(os.fspath(path))[1].lstrip(".") or "png")
    return figure


def part_title(part: str, name: str) -> str:
    """Return the title of the foot or knee of a leg: its side, else the name of the leg."""
    if name in ("left", "right"):
        return f"{name} {part}"
    return f"{part}, {escaped(name)}".replace("$", r"\$")  # matplotlib makes formulas of text between dollar signs


def with_headline(report: Any, title: str) -> str:
    """Return a title with what a viewer would mind below it."""
    lines = [line for text in report.minded() for line in textwrap.wrap(escaped(text), 110)]
    return "\n".join([title, *lines]).replace("$", r"\$") if lines else title


def clean(axes: Any) -> None:
    """Remove the upper and right border, and add a light grid."""
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    axes.grid(axis="y", color=GRID, linewidth=0.8)
    axes.set_axisbelow(True)


def legend_below(figure: Any, axes: Any) -> None:
    """Put one legend for all axes below them."""
    handles, labels = axes.get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", fontsize=9, frameon=False, ncols=len(labels))


def rows_of_legs(figure: Any, report: Any) -> Iterator[tuple[int, Any, Any, Floats]]:
    """Yield one axis over time per leg, below each other: (number, leg, axis, time), contacts shaded."""
    rows = figure.subplots(len(report.legs), 1, sharex=True, sharey=True, squeeze=False)[:, 0]
    for k, (leg, axes) in enumerate(zip(report.legs, rows, strict=True)):
        yield k, leg, axes, over_time(axes, report, leg)
        clean(axes)
    rows[-1].set_xlabel("time, s")


def mark_parts(axes: Any, report: Any, leg: Any) -> None:
    """Mark along the lower edge where heel and ball of a foot stand."""
    half = 0.5 / report.fps
    parts = (("heel", leg.heel_contacts, HEEL, 0.025), ("ball", leg.ball_contacts, BALL, 0.0))
    for name, spans, color, low in parts:
        bars = [(first / report.fps - half, (last - first + 1) / report.fps) for first, last in spans]
        where = axes.get_xaxis_transform()
        axes.broken_barh(bars, (low, 0.02), color=color, linewidth=0, transform=where, label=f"{name} stands")


def over_time(axes: Any, report: Any, leg: Any) -> Floats:
    """Set the limits of an axis over time, shade a leg's contacts and return the time of every frame in seconds."""
    time = np.arange(int(report.num_frames)) / float(report.fps)
    axes.set_xlim(0.0, max(float(time[-1]), 1.0 / report.fps))
    half = 0.5 / report.fps
    for k, (start, stop) in enumerate(leg.contacts):
        ends, label = (start / report.fps - half, stop / report.fps + half), "contact" if k == 0 else None
        axes.axvspan(*ends, color=CONTACT, alpha=0.16, linewidth=0, label=label)
    return time
