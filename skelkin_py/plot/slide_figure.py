# SPDX-License-Identifier: MIT
"""How far feet slide away from where they touched down, before and after, over time."""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from .style import AFTER, BEFORE, QUIET, legend_below, new_figure, part_title, rows_of_legs, save_figure


def plot_slide(report: Any, *, title: str | None = None, path: str | os.PathLike[str] | None = None) -> Any:
    """Draw how far every standing foot is from where it touched down, before and after.

    Parameters
    ----------
    report : PlantReport
        Of `plant_feet`.
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
                said = f"{report.centimetres(contact.slide_before):.1f} → {report.centimetres(contact.slide_after):.1f}"
                axes.annotate(said, (middle, 1.0), (0, 2), xycoords=("data", "axes fraction"),
                              textcoords="offset points", ha="center", fontsize=7, color=QUIET)  # fmt: skip
        axes.set_ylim(bottom=-0.04 * max(report.centimetres(report.worst("slide", "before")), 1e-3))
        axes.set_title(part_title("foot", leg.name), loc="left", fontsize=10, pad=14)
        axes.set_ylabel("away, cm")
    legend_below(figure, figure.axes[0])
    save_figure(figure, path)
    return figure
