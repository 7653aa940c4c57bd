# SPDX-License-Identifier: MIT
"""The figures that papers give, before and after, side by side."""

from __future__ import annotations

import os
from typing import Any

from .style import AFTER, BEFORE, clean, new_figure, save_figure

_PANELS = (
    ("skating_ratio", "skating ratio", "Guided Motion Diffusion", "part of the frames", "{:.3f}"),
    ("weighted_slide_cm", "weighted slide", "Mode-Adaptive Neural Networks", "cm per frame", "{:.3f}"),
    ("penetration_mm", "penetration", "PhysDiff", "mm", "{:.2f}"),
    ("float_mm", "float", "PhysDiff", "mm", "{:.2f}"),
    ("contact_slide_mm", "skate", "PhysDiff", "mm per frame", "{:.2f}"),
)


def plot_literature(report: Any, *, title: str | None = None, path: str | os.PathLike[str] | None = None) -> Any:
    """Draw the figures that papers give as bars, before and after.

    Parameters
    ----------
    report : PlantReport
        Of `plant_feet`.
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
    told = [report.literature(when) for when in ("before", "after")]
    for axes, (name, heading, paper, unit, form) in zip(figure.subplots(1, len(_PANELS)), _PANELS, strict=True):
        values = [getattr(each, name) for each in told]
        bars = axes.bar(["before", "after"], values, color=[BEFORE, AFTER], width=0.6)
        axes.bar_label(bars, [form.format(value) for value in values], fontsize=9, padding=2)
        axes.set_ylim(0.0, 1.2 * max(*values, 1e-3))
        axes.set_title(heading, fontsize=10)
        axes.set_xlabel(paper, fontsize=8)
        axes.set_ylabel(unit, fontsize=8)
        axes.tick_params(labelsize=8)
        clean(axes)
    save_figure(figure, path)
    return figure
