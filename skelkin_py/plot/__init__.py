# SPDX-License-Identifier: MIT
"""Figures for paper and notebook, drawn with matplotlib (the extra ``view``); no state of pyplot is touched."""

from .knee_figure import plot_knees
from .literature_figure import plot_literature
from .report_figure import plot_report
from .slide_figure import plot_slide

__all__ = ["plot_knees", "plot_literature", "plot_report", "plot_slide"]
