# SPDX-License-Identifier: MIT
"""A few lines of SVG: enough for the figures of these pages, seen by a camera without perspective."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

INK, SOFT, LIGHT = "#1d2b3a", "#8492a3", "#c9d2dc"
WARM, COOL, LEAF = "#c8502d", "#2769b0", "#3d8a52"


class Camera:
    """Where points of space land on the page: `azimuth` and `height` in degrees, y up, lengths in pixels."""

    def __init__(self, azimuth: float, height: float, scale: float) -> None:
        a, h = np.radians([azimuth, height])
        right = np.array([np.cos(a), 0.0, -np.sin(a)])
        self.towards = np.array([np.sin(a) * np.cos(h), np.sin(h), np.cos(a) * np.cos(h)])
        up = np.cross(self.towards, right)
        self.axes = np.stack([right, -up]) * scale

    def __call__(self, points: NDArray[np.float64], origin: tuple[float, float]) -> NDArray[np.float64]:
        """Return (..., 2) places on the page."""
        return np.asarray(points) @ self.axes.T + np.asarray(origin)

    def depth(self, points: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return how near points are; the nearest has the largest number."""
        return np.asarray(points) @ self.towards


class Page:
    """Shapes in the order in which they are painted."""

    def __init__(self, width: int, height: int, title: str) -> None:
        self.lines = [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" '
            f'role="img" font-family="Helvetica, Arial, sans-serif">',
            f"<title>{title}</title>",
            f'<rect width="{width}" height="{height}" fill="#ffffff"/>',
        ]

    def shape(self, points: NDArray[np.float64], *, closed: bool = False, **style: object) -> None:
        """Draw a line through the points."""
        at = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        style = {"fill": "none", "stroke_linejoin": "round", "stroke_linecap": "round"} | style
        self.lines.append(f'<{"polygon" if closed else "polyline"} points="{at}"{_attributes(style)}/>')

    def patch(self, points: NDArray[np.float64], colour: str) -> None:
        """Fill a piece of a surface; its outline closes the seam to the next one."""
        at = "L".join(f"{x:.1f} {y:.1f}" for x, y in points)
        self.lines.append(f'<path d="M{at}z" fill="{colour}" stroke="{colour}" stroke-width=".7"/>')

    def dot(self, at: NDArray[np.float64], radius: float, **style: object) -> None:
        """Draw a disc."""
        self.lines.append(f'<circle cx="{at[0]:.1f}" cy="{at[1]:.1f}" r="{radius:g}"{_attributes(style)}/>')

    def arrow(self, start: NDArray[np.float64], end: NDArray[np.float64], colour: str, width: float = 2.0) -> None:
        """Draw a line with a head at its end."""
        along = (end - start) / np.linalg.norm(end - start)
        aside = np.array([-along[1], along[0]])
        foot = end - 9.0 * along
        self.shape(np.array([start, foot]), stroke=colour, stroke_width=width)
        self.shape(np.array([end, foot + 4 * aside, foot - 4 * aside]), closed=True, fill=colour)

    def text(self, at: tuple[float, float], words: str, size: int = 13, **style: object) -> None:
        """Write one line; `text_anchor` says which part of it is `at`."""
        style = {"fill": INK} | style
        self.lines.append(
            f'<text x="{at[0]:.1f}" y="{at[1]:.1f}" font-size="{size}"{_attributes(style)}>{words}</text>'
        )

    def finish(self) -> str:
        """Return the file's text."""
        return "\n".join([*self.lines, "</svg>", ""])


def _attributes(style: dict[str, object]) -> str:
    return "".join(f' {name.replace("_", "-")}="{value}"' for name, value in style.items())
