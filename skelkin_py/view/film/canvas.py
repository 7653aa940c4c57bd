# SPDX-License-Identifier: MIT
"""One panel of a picture: polygons, lines and texts on matplotlib's axes, filled again for each picture of a film."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

LAYERS = ("sunk", "ground", "shadow", "standing")  # from the lowest
_LINES, _ABOVE = 4, 5


class Canvas:
    """Axes without a frame, in pixels of the picture.

    Parameters
    ----------
    figure : matplotlib.figure.Figure
        Where it is.
    box : (float, float, float, float)
        Left, lower end, width and height in parts of the figure.
    size : (float, float)
        Width and height in pixels.
    points : float
        How many points of a letter a pixel is.
    """

    def __init__(
        self, figure: Any, box: tuple[float, float, float, float], size: tuple[float, float], points: float
    ) -> None:
        from matplotlib.collections import LineCollection

        self.size = size
        self._points = points
        self._behind = figure.get_facecolor()
        self._axes = figure.add_axes(box)
        self._axes.set_axis_off()
        self._axes.set_xlim(0, size[0])
        self._axes.set_ylim(0, size[1])
        self._polygons = {name: _Polygons(self._axes, 1 + k) for k, name in enumerate(LAYERS[:-1])}
        self._polygons[LAYERS[-1]] = _Polygons(self._axes, _ABOVE)
        self._lines = LineCollection([], capstyle="round", joinstyle="round", zorder=_LINES)
        self._axes.add_collection(self._lines, autolim=False)

    def fill(self, layer: str, polygons: Array, colours: Array) -> None:
        """Put polygons (N, K, 2) with colours (N, 4) in the place of those that were in a layer."""
        self._polygons[layer].fill(polygons, colours)

    def draw_lines(self, lines: list[Array], looks: list[tuple[str, float, float]]) -> None:
        """Put lines with colours, widths in pixels and opacities in the place of those that were there."""
        from matplotlib.colors import to_rgba

        self._lines.set_segments(lines)
        self._lines.set_color([to_rgba(tone, opaque) for tone, _, opaque in looks] or "none")
        self._lines.set_linewidth([self._points * width for _, width, _ in looks] or 0)

    def text(self, at: tuple[float, float], said: str, letters: float, **look: Any) -> Any:
        """Write at a place in pixels, in letters so high; nothing in it is taken for a formula."""
        from matplotlib.patheffects import withStroke

        halo = withStroke(linewidth=4.0 * self._points, foreground=self._behind, alpha=0.8)
        said = said.replace("$", r"\$")
        look |= {"ha": "center", "fontsize": letters * self._points, "zorder": _ABOVE + 1, "path_effects": [halo]}
        return self._axes.text(*at, said, **look)


class _Polygons:
    """Polygons of one layer. Their paths are made once and moved, which takes a third of the time of making them."""

    def __init__(self, axes: Any, order: float) -> None:
        from matplotlib.collections import PathCollection

        self._shown: Any = PathCollection([], sizes=None, antialiaseds=False, linewidths=0, zorder=order)
        axes.add_collection(self._shown, autolim=False)
        self._corners = np.zeros((0, 3, 2))
        self._paths: list[Any] = []

    def fill(self, polygons: Array, colours: Array) -> None:
        if polygons.shape[1:] != self._corners.shape[1:]:
            self._corners, self._paths = np.zeros((0, *polygons.shape[1:])), []
        if len(polygons) > len(self._paths):
            from matplotlib.path import Path

            self._corners = np.zeros((2 * len(polygons), *polygons.shape[1:]))
            self._paths = [Path(corners) for corners in self._corners]
        self._corners[: len(polygons)] = polygons
        self._shown.set_paths(self._paths[: len(polygons)])
        self._shown.set_facecolor(colours)
        self._shown.stale = True
