# SPDX-License-Identifier: MIT
"""What the figures of docs/ik.md share: panels in a plane, limbs, and curves over axes."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from svg import INK, LIGHT, SOFT, WARM, Page

Points = NDArray[np.float64]


class Panel:
    """A rectangle of the page that shows a part of the plane: `origin` is where 0, 0 lands, `scale` in pixels."""

    def __init__(self, page: Page, origin: tuple[float, float], scale: float) -> None:
        self.page, self.origin, self.scale = page, np.array(origin, float), scale

    def __call__(self, points: Points) -> Points:
        """Return places on the page of (..., 2) or (..., 3) points, of which x and y count."""
        return np.asarray(points, float)[..., :2] * [self.scale, -self.scale] + self.origin

    def limb(self, joints: Points, *, colour: str = INK, opacity: float = 1.0, width: float = 6.0) -> None:
        """Draw bones from joint to joint, the first one thicker."""
        at = self(joints)
        for k, (a, b) in enumerate(pairwise(at)):
            thick = width * (1.4 if k == 0 else 1.0)
            self.page.shape(np.stack([a, b]), stroke=colour, stroke_width=thick, stroke_opacity=opacity)
        for place in at:
            self.page.dot(place, 0.75 * width, fill="#ffffff", stroke=colour, stroke_width=2, stroke_opacity=opacity)

    def target(self, point: Points, colour: str = WARM) -> None:
        """Draw a cross in a ring."""
        x, y = self(point)
        self.page.dot(np.array([x, y]), 8, fill="none", stroke=colour, stroke_width=2)
        for dx, dy in ((4.0, 4.0), (4.0, -4.0)):
            self.page.shape(np.array([[x - dx, y - dy], [x + dx, y + dy]]), stroke=colour, stroke_width=2)

    def ring(self, centre: Points, radius: float, **style: object) -> None:
        """Draw a circle around a point."""
        self.page.dot(self(centre), radius * self.scale, **({"fill": "none", "stroke": LIGHT} | style))

    def arc(self, centre: Points, radius: float, degrees: tuple[float, float], **style: object) -> None:
        """Draw a part of a circle, counter-clockwise from one angle to the other."""
        a = np.radians(np.linspace(*degrees, 61))
        points = np.asarray(centre)[:2] + radius * np.stack([np.cos(a), np.sin(a)], axis=-1)
        self.page.shape(self(points), **({"stroke": LIGHT, "stroke_width": 1.5} | style))

    def words(self, point: Points, words: str, dx: float = 0.0, dy: float = 0.0, **style: object) -> None:
        """Write beside a point."""
        x, y = self(point)
        self.page.text((x + dx, y + dy), words, 12, **({"text_anchor": "middle"} | style))


class Chart:
    """Axes from `low` to `high` in a box of the page (left, top, width, height)."""

    def __init__(self, page: Page, box: tuple[float, float, float, float], low: Points, high: Points) -> None:
        self.page, self.box = page, box
        self.low, self.high = np.asarray(low, float), np.asarray(high, float)
        left, top, width, height = box
        page.shape(
            np.array([[left, top], [left, top + height], [left + width, top + height]]), stroke=SOFT, stroke_width=1.5
        )

    def __call__(self, points: Points) -> Points:
        """Return places on the page."""
        left, top, width, height = self.box
        part = (np.asarray(points, float) - self.low) / (self.high - self.low)
        return np.stack([left + part[..., 0] * width, top + (1 - part[..., 1]) * height], axis=-1)

    def curve(self, x: Points, y: Points, colour: str, **style: object) -> None:
        """Draw y over x."""
        self.page.shape(self(np.stack([x, y], axis=-1)), **({"stroke": colour, "stroke_width": 2.2} | style))

    def tick_x(self, value: float, words: str) -> None:
        """Mark a place on the lower axis."""
        x, _ = self(np.array([value, self.low[1]]))
        bottom = self.box[1] + self.box[3]
        self.page.shape(np.array([[x, bottom], [x, bottom + 5]]), stroke=SOFT, stroke_width=1.5)
        self.page.text((x, bottom + 19), words, 11, text_anchor="middle", fill=SOFT)

    def tick_y(self, value: float, words: str) -> None:
        """Mark a place on the left axis, with a line through the box."""
        _, y = self(np.array([self.low[0], value]))
        left, _, width, _ = self.box
        self.page.shape(np.array([[left, y], [left + width, y]]), stroke=LIGHT, stroke_width=1, stroke_dasharray="2 4")
        self.page.text((left - 8, y + 4), words, 11, text_anchor="end", fill=SOFT)


def heading(page: Page, middle: float, title: str, below: str = "") -> None:
    """Write the title of a panel and a line below it."""
    page.text((middle, 26), title, 15, text_anchor="middle", font_weight="bold")
    if below:
        page.text((middle, 46), below, 12, text_anchor="middle", fill=SOFT)
