# SPDX-License-Identifier: MIT
"""What limits do to rotations outside: the bounds of a hinge, hard and soft, and the ellipse of a swing.

`python docs/figures/joint_limits.py` writes docs/figures/joint_limits.svg.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from panels import Chart, Panel, heading
from svg import COOL, LEAF, LIGHT, SOFT, WARM, Page

import skelkin_py as sk

ONE = sk.Skeleton([-1], np.eye(4)[None], ["joint"])


def nearest(limit: object, q: np.ndarray) -> np.ndarray:
    """Return the nearest rotations inside of the limit as rotation vectors (..., 3)."""
    pose = sk.compose([0, 0, 0], q)[..., None, :, :]
    inside = sk.JointLimits({0: limit}).nearest(ONE, pose)
    axis, angle = sk.quaternion_to_axis_angle(sk.quaternion_from_matrix(inside[..., 0, :, :]))
    return np.asarray(axis * angle[..., None])


def bounds(page: Page) -> None:
    chart = Chart(page, (70, 76, 360, 240), [-150, -100], [150, 100])
    heading(page, 250, "a hinge of −40° … 90°", "angle that is left, over the angle that is asked for")
    for value in (-40, 0, 90):
        chart.tick_y(value, f"{value}°")
        chart.tick_x(value, f"{value}°")
    asked = np.linspace(-150, 150, 301)
    q = sk.quaternion_from_axis_angle([1, 0, 0], np.radians(asked))
    for soft, colour in ((0.0, WARM), (0.3, COOL)):
        limit = sk.hinge([1, 0, 0], *np.radians([-40, 90]), soft=soft)
        chart.curve(asked, np.degrees(nearest(limit, q)[:, 0]), colour)
    for k, (words, colour) in enumerate((("soft = 0", WARM), ("soft = 0.3", COOL))):
        page.shape(np.array([[330.0, 262 + 18 * k], [352.0, 262 + 18 * k]]), stroke=colour, stroke_width=2.5)
        page.text((358, 266 + 18 * k), words, 12)


def swings(page: Page) -> None:
    p = Panel(page, (690.0, 200.0), 2.0)
    heading(page, 690, "swings within 80° and 35°", "rotation vectors across the axis; the nearest one inside")
    a = np.linspace(0, 2 * np.pi, 121)
    edge = np.stack([80 * np.cos(a), 35 * np.sin(a)], axis=-1)
    page.shape(p(edge), closed=True, fill="#f4f6f8", stroke=LEAF, stroke_width=2)
    for ends in ([[-110, 0], [110, 0]], [[0, -62], [0, 62]]):
        page.shape(p(np.array(ends)), stroke=LIGHT, stroke_width=1)
    turn = np.linspace(0, 2 * np.pi, 25)[:-1]
    asked = np.stack([105 * np.cos(turn), 58 * np.sin(turn)], axis=-1)
    vector = np.radians(np.stack([asked[:, 0], asked[:, 1], 0 * turn], axis=-1))
    q = sk.quaternion_from_axis_angle(vector, np.linalg.norm(vector, axis=1))
    limit = sk.swing_twist([0, 0, 1], swing=tuple(np.radians([80, 35])), twist=(0, 0))
    found = np.degrees(nearest(limit, q))
    for start, end in zip(asked, found[:, :2]):
        page.arrow(p(start), p(end), WARM, 1.6)
        page.dot(p(start), 3, fill=SOFT)
    page.text((690, 344), "not towards the middle, and not one axis after the other", 12, text_anchor="middle")


def figure() -> str:
    page = Page(940, 360, "Joint limits: the bounds of a hinge, and the nearest swing inside of an ellipse")
    bounds(page)
    swings(page)
    return page.finish()


if __name__ == "__main__":
    Path(__file__).with_name("joint_limits.svg").write_text(figure(), encoding="utf-8")
