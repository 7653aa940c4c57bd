# SPDX-License-Identifier: MIT
"""How far the end of a limb goes as its target moves away, and how fast the knee is: with softening and without.

`python docs/figures/two_bone_soften.py` writes docs/figures/two_bone_soften.svg.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from panels import Chart, heading
from svg import COOL, INK, LEAF, SOFT, WARM, Page

import skelkin_py as sk

KINDS = ((0.0, WARM, "soften = 0"), (0.05, LEAF, "soften = 0.05"), (0.2, COOL, "soften = 0.2"))


def solve(distance: np.ndarray, soften: float, **more: float) -> sk.TwoBone:
    """Return a limb of two bones of 1/2 whose target lies along x."""
    target = np.stack([distance, 0 * distance, 0 * distance], axis=-1)
    return sk.solve_two_bone([0, 0, 0], [0.3, 0.4, 0], [0.6, 0, 0], target, soften=soften, **more)


def figure() -> str:
    page = Page(940, 350, "Softening: the end slows down before the limb is straight")
    reach = Chart(page, (60, 74, 240, 220), [0.6, 0.6], [1.4, 1.1])
    heading(page, 180, "where the end goes", "distance of the end, in reaches L")
    speed = Chart(page, (375, 74, 240, 220), [0.6, 0.0], [1.4, 6.0])
    heading(page, 495, "how fast the knee moves", "in speeds of the target")
    longer = Chart(page, (690, 74, 240, 220), [0.6, 0.6], [1.4, 1.4])
    heading(page, 810, "with stretch up to 1.2", "distance of the end, in reaches L")
    for chart in (reach, speed, longer):
        for value in (0.6, 0.8, 1.0, 1.2, 1.4):
            chart.tick_x(value, f"{value:g}")
        page.text((chart.box[0] + 120, 334), "distance of the target, in reaches L", 12, text_anchor="middle")
    for chart, values in ((reach, (0.6, 0.8, 1.0)), (speed, (1, 2, 4)), (longer, (0.6, 0.8, 1.0, 1.2))):
        for value in values:
            chart.tick_y(value, f"{value:g}")
    d = np.linspace(0.6, 1.4, 321)
    for chart in (reach, longer):
        low = np.linspace(0.6, chart.high[1], 2)
        chart.curve(low, low, SOFT, stroke_width=1, stroke_dasharray="4 4")
    for soften, colour, _ in KINDS:
        reach.curve(d, solve(d, soften).c[:, 0], colour)
        knee = np.linalg.norm(np.diff(solve(d, soften).b, axis=0), axis=1) / np.diff(d)
        speed.curve((d[1:] + d[:-1]) / 2, np.minimum(knee, 6.0), colour)
        longer.curve(d, solve(d, soften, stretch=1.2).c[:, 0], colour)
    for k, (_, colour, words) in enumerate(KINDS):
        y = 250 + 17 * k
        page.shape(np.array([[186.0, y], [208.0, y]]), stroke=colour, stroke_width=2.5)
        page.text((214, y + 4), words, 12, fill=INK)
    return page.finish()


if __name__ == "__main__":
    Path(__file__).with_name("two_bone_soften.svg").write_text(figure(), encoding="utf-8")
