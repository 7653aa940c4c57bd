# SPDX-License-Identifier: MIT
"""What all figures share: the figure itself, colours, axes over time with contacts shaded, and how they are saved."""

from __future__ import annotations

import functools
import io
import os
import textwrap
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._support.atomic import replacing
from .._support.errors import MissingExtraError
from .._support.printable import escaped

BEFORE, AFTER, QUIET, GRID = "#d9572b", "#1b2430", "#8a949e", "#e6eaee"
CONTACT, HEEL, BALL, WORSE = "#0f9d76", "#b8860b", "#1f77d0", "#c2185b"


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


def save_figure(figure: Any, path: str | os.PathLike[str] | None) -> None:
    """Save a figure whole or not at all; the ending decides the format; None saves nothing."""
    if path is None:
        return
    folder = os.path.dirname(os.fspath(path))
    if folder:
        os.makedirs(folder, exist_ok=True)
    with replacing(path) as file:
        figure.savefig(file, dpi=130, format=os.path.splitext(os.fspath(path))[1].lstrip(".") or "png")


def part_title(part: str, name: str) -> str:
    """Return what to call the foot or knee of a leg: with its side, else with what the leg is called by."""
    if name in ("left", "right"):
        return f"{name} {part}"
    return f"{part}, {escaped(name)}".replace("$", r"\$")  # else what is between two is taken for a formula


def with_headline(report: Any, title: str) -> str:
    """Return a title with what a viewer would mind below it."""
    told = [line for text in report.minded() for line in textwrap.wrap(escaped(text), 110)]
    return "\n".join([title, *told]).replace("$", r"\$") if told else title


def clean(axes: Any) -> None:
    """Leave only the lines that carry something."""
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    axes.grid(axis="y", color=GRID, linewidth=0.8)
    axes.set_axisbelow(True)


def legend_below(figure: Any, axes: Any) -> None:
    """Put one legend for all axes below them."""
    handles, labels = axes.get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", fontsize=9, frameon=False, ncols=len(labels))


def rows_of_legs(figure: Any, report: Any) -> Iterator[tuple[int, Any, Any, NDArray[np.float64]]]:
    """Yield one axis over time per leg, below each other: (number, leg, axis, time), contacts shaded."""
    rows = figure.subplots(len(report.legs), 1, sharex=True, sharey=True, squeeze=False)[:, 0]
    for k, (leg, axes) in enumerate(zip(report.legs, rows, strict=True)):
        time = over_time(axes, report)
        shade_contacts(axes, report, leg)
        yield k, leg, axes, time
        clean(axes)
    rows[-1].set_xlabel("time, s")


def shade_contacts(axes: Any, report: Any, leg: Any) -> None:
    """Shade the contacts of a leg over time."""
    half = 0.5 / report.fps
    for k, (start, stop) in enumerate(leg.contacts):
        axes.axvspan(
            start / report.fps - half,
            stop / report.fps + half,
            color=CONTACT,
            alpha=0.16,
            linewidth=0,
            label="contact" if k == 0 else None,
        )


def mark_parts(axes: Any, report: Any, leg: Any) -> None:
    """Mark along the lower edge where heel and ball of a foot stand."""
    half = 0.5 / report.fps
    parts = (("heel", leg.heel_contacts, HEEL, 0.025), ("ball", leg.ball_contacts, BALL, 0.0))
    for name, spans, color, low in parts:
        bars = [(first / report.fps - half, (last - first + 1) / report.fps) for first, last in spans]
        where = axes.get_xaxis_transform()
        axes.broken_barh(bars, (low, 0.02), color=color, linewidth=0, transform=where, label=f"{name} stands")


def over_time(axes: Any, report: Any) -> NDArray[np.float64]:
    """Set the limits of an axis over time and return the time of every frame in seconds."""
    time = np.arange(int(report.num_frames)) / float(report.fps)
    axes.set_xlim(0.0, max(float(time[-1]), 1.0 / report.fps))
    return time
