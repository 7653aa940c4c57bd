# SPDX-License-Identifier: MIT
"""Knee angles over time, before and after, with the frames in which they pop."""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from .style import AFTER, BEFORE, QUIET, legend_below, new_figure, part_title, rows_of_legs, save_figure


def plot_knees(report: Any, *, title: str | None = None, path: str | os.PathLike[str] | None = None) -> Any:
    """Draw the angle of every knee before and after, and mark the frames in which its speed jumps.

    Parameters
    ----------
    report : PlantReport
        Of `plant_feet`.
    title : str, optional
        A heading; default the number of pops before and after.
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
    counts = [len(report.knee_pops(when)) for when in ("before", "after")]
    figure = new_figure(
        11.0, 0.9 + 1.9 * len(report.legs), title or f"Knees: {counts[0]} → {counts[1]} frames that pop"
    )
    for _, leg, axes, time in rows_of_legs(figure, report):
        axes.axhline(180.0, color=QUIET, linewidth=0.8, linestyle=(0, (4, 3)))
        for when, tone in (("before", BEFORE), ("after", AFTER)):
            knee = np.asarray(leg.curves(when).knee, float)
            axes.plot(time, knee, color=tone, linewidth=1.4, label=when)
            pops = leg.knee_pops(report.fps, report.frames, when)
            if pops:
                marks = {"marker": "x", "markersize": 6, "markeredgewidth": 1.6, "linestyle": "none"}
                axes.plot(time[pops], knee[pops], color=tone, label=f"pop, {when}", **marks)
        axes.set_title(part_title("knee", leg.name), loc="left", fontsize=10)
        axes.set_ylabel("angle, degrees")
    figure.axes[0].annotate("straight", (1.0, 180.0), xycoords=("axes fraction", "data"), xytext=(-2, 2),
                     textcoords="offset points", ha="right", fontsize=7, color=QUIET)  # fmt: skip
    legend_below(figure, max(figure.axes, key=lambda axes: len(axes.get_legend_handles_labels()[1])))
    save_figure(figure, path)
    return figure
