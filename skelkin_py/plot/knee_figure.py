# SPDX-License-Identifier: MIT
"""Flexion of the knees over time, before and after, with the frames in which they pop or would be minded."""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from .style import (
    AFTER,
    BEFORE,
    QUIET,
    WORSE,
    legend_below,
    new_figure,
    part_title,
    rows_of_legs,
    save_figure,
    with_headline,
)

_KNEE_ROWS = {"knee": "bent otherwise", "pops": "snaps", "jerk": "jerks"}  # of what a viewer would mind


def plot_knees(report: Any, *, title: str | None = None, path: str | os.PathLike[str] | None = None) -> Any:
    """Draw the flexion of every knee before and after, signed about its hinge, and mark what is wrong with it.

    Below 0 a knee is bent backward. Crosses are frames in which its speed jumps; lines across, where a viewer
    would mind them.

    Parameters
    ----------
    report : PlantReport
        Of `plant_feet`.
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
    save_figure(figure, path)
    return figure
