# SPDX-License-Identifier: MIT
"""Targets near the line of a pole: to which side the knee goes, and how fast it is on straight paths past the line.

`python docs/figures/two_bone_pole.py` writes docs/figures/two_bone_pole.svg.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from panels import Chart, Panel, heading
from svg import COOL, INK, LEAF, LIGHT, SOFT, WARM, Page

import skelkin_py as sk

POLE = np.array([0.0, -0.8, 0.6])
SIDE = np.array([0.0, 0.6, 0.8])  # to which the limb bends without a pole, seen along it
OTHER = np.array([1.0, 0.0, 0.0])
LIMB = np.array([[0.0, 0, 0], [0, -0.5, 0.1], [0, -1.0, 0]])
DISTANCE = 0.75


def solve(degrees: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return target and knee where the target is this far off the pole's line: towards the side, and across."""
    a = np.radians(degrees)
    n = POLE + np.tan(a[..., :1]) * SIDE + np.tan(a[..., 1:]) * OTHER
    target = DISTANCE * n / np.linalg.norm(n, axis=-1, keepdims=True)
    return target, sk.solve_two_bone(*LIMB, target, pole_direction=POLE).b


def field(page: Page) -> None:
    p = Panel(page, (235.0, 240.0), 9.2)
    heading(page, 235, "to which side the knee goes", "seen along the pole; targets by degrees off its line")
    page.dot(p(np.zeros(2)), 15 * p.scale, fill="#f4f6f8", stroke=LIGHT, stroke_width=1)
    steps = np.arange(-18, 18.1, 3.0)
    grid = np.stack(np.meshgrid(steps, steps), axis=-1).reshape(-1, 2)
    target, knee = solve(grid)
    n = target / DISTANCE
    out = knee - np.sum(knee * n, axis=-1, keepdims=True) * n
    out /= np.linalg.norm(out, axis=-1, keepdims=True)
    shown = np.stack([out @ SIDE, out @ OTHER], axis=-1)
    for place, way in zip(grid, shown):
        middle = p(place)
        step = np.array([way[0], -way[1]]) * 10
        inside = np.hypot(*place) < 15
        page.arrow(middle - step, middle + step, COOL if inside else SOFT, 1.6)
    page.dot(p(np.array([5.0, 0.0])), 2 * p.scale, fill=WARM, fill_opacity=0.25, stroke=WARM, stroke_width=1.5)
    page.dot(p(np.array([5.0, 0.0])), 3, fill=WARM)
    page.dot(p(np.zeros(2)), 3.5, fill=INK)
    page.text((235, 438), "● the pole's line    ", 12, text_anchor="end")
    page.text((245, 438), "● 5° beside it: no direction left", 12, fill=WARM)


def speeds(page: Page) -> None:
    chart = Chart(page, (540, 80, 350, 300), [-18, 0], [18, 20])
    heading(page, 715, "how fast the knee moves", "in speeds of a target on straight paths past the line")
    for value in (5, 10, 20):
        chart.tick_y(value, f"{value} ×")
    for value in (-15, -5, 0, 5, 15):
        chart.tick_x(value, f"{value}°")
    page.text((715, 424), "target off the pole's line, towards the side of the knee", 12, text_anchor="middle")
    along = np.linspace(-18, 18, 721)
    for k, (beside, colour) in enumerate(((2.0, WARM), (4.0, LEAF), (8.0, COOL))):
        target, knee = solve(np.stack([along, 0 * along + beside], axis=-1))
        moved = np.linalg.norm(np.diff(knee, axis=0), axis=1) / np.linalg.norm(np.diff(target, axis=0), axis=1)
        chart.curve((along[1:] + along[:-1]) / 2, moved, colour)
        y = 100 + 18 * k
        page.shape(np.array([[566.0, y], [588.0, y]]), stroke=colour, stroke_width=2.5)
        page.text((594, y + 4), f"{beside:g}° beside it", 12)


def figure() -> str:
    page = Page(940, 455, "A pole near the line to the target: where its pull fades to the side of the knee")
    field(page)
    speeds(page)
    return page.finish()


if __name__ == "__main__":
    Path(__file__).with_name("two_bone_pole.svg").write_text(figure(), encoding="utf-8")
