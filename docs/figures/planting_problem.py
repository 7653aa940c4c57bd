# SPDX-License-Identifier: MIT
"""The planting problem: offsets that contacts fix, and the smoothest way in between.

`python docs/figures/planting_problem.py` writes docs/figures/planting_problem.svg.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from panels import Chart
from svg import COOL, INK, LEAF, SOFT, WARM, Page

import skelkin_py as sk

WIDTH, HEIGHT = 900, 470
SHOWN = slice(0, 150)


def figure() -> str:
    page = Page(WIDTH, HEIGHT, "The way of an ankle before and after, and by how much ankle and body are moved")
    biped = sk.example("biped")
    planted = biped.clip.plant_feet(ground=biped.ground)
    ankle = biped.clip.names.index("LeftFoot")
    before, after = biped.clip.positions()[SHOWN], planted.clip.positions()[SHOWN]
    frames = np.arange(SHOWN.stop)
    way = Chart(page, (70, 52, 800, 150), np.array([0.0, 0.0]), np.array([149.0, 0.4]))
    moved = Chart(page, (70, 262, 800, 160), np.array([0.0, -10.0]), np.array([149.0, 10.0]))
    for first, last in planted.report.legs[0].contacts:
        for chart in (way, moved):
            low, high = chart.low[1], chart.high[1]
            corners = np.array([[first, low], [min(last, 149), low], [min(last, 149), high], [first, high]], float)
            if first < 149:
                page.shape(chart(corners), closed=True, fill=LEAF, fill_opacity=0.13)
    for value in (0.0, 0.2, 0.4):
        way.tick_y(value, f"{value:.1f}")
    for value in range(-8, 9, 4):
        moved.tick_y(value, str(value).replace("-", "−"))
    for frame in range(0, 150, 30):
        moved.tick_x(frame, str(frame))
    way.curve(frames, before[:, ankle, 1], SOFT, stroke_dasharray="4 4")
    way.curve(frames, after[:, ankle, 1], COOL)
    moved.curve(frames, 100 * (after - before)[:, ankle, 1], COOL)
    moved.curve(frames, 100 * (after - before)[:, 0, 1], WARM)
    page.text((70, 24), "height of the left ankle, m", 14, font_weight="bold")
    page.text((290, 24), "dashed: as it was", 13, fill=SOFT)
    page.text((420, 24), "line: planted", 13, fill=COOL)
    page.text((530, 24), "green: frames in which the foot stands", 13, fill=LEAF)
    page.text((70, 242), "moved up or down, cm", 14, font_weight="bold")
    page.text((290, 242), "the ankle: given while the foot stands", 13, fill=COOL)
    page.text((560, 242), "the body: goes with the ankles, smoothly", 13, fill=WARM)
    page.text((870, 455), "frame", 12, text_anchor="end", fill=INK)
    return page.finish()


if __name__ == "__main__":
    Path(__file__).with_name("planting_problem.svg").write_text(figure(), encoding="utf-8")
