# SPDX-License-Identifier: MIT
"""How far the left ankle is moved, for three lengths of the fade around contacts.

`python docs/figures/wrong_blend.py` writes docs/figures/wrong_blend.svg.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from panels import Chart
from svg import COOL, LEAF, LIGHT, SOFT, WARM, Page

import skelkin_py as sk

WIDTH, HEIGHT = 900, 330
SHOWN = slice(60, 180)
KINDS = {0.05: WARM, 0.2: COOL, 0.6: LEAF}


def figure() -> str:
    page = Page(WIDTH, HEIGHT, "How far the left ankle is moved forward, for three lengths of the fade")
    biped = sk.example("biped")
    frames = np.arange(SHOWN.start, SHOWN.stop)
    ankle = biped.clip.names.index("LeftFoot")
    walks = {blend: biped.clip.plant_feet(ground=biped.ground, blend=blend) for blend in KINDS}
    before = biped.clip.positions()[SHOWN, ankle, 2]
    chart = Chart(page, (62, 74, 810, 200), np.array([frames[0], -4.0]), np.array([frames[-1], 4.0]))
    for first, last in walks[0.2].report.legs[0].contacts:
        if last >= SHOWN.start and first < SHOWN.stop:
            a, b = max(first, SHOWN.start), min(last, SHOWN.stop - 1)
            corners = chart(np.array([[a, -4.0], [b, -4.0], [b, 4.0], [a, 4.0]]))
            page.shape(corners, closed=True, fill=LIGHT, fill_opacity=0.45)
    for value in range(-4, 5, 2):
        chart.tick_y(value, str(value))
    for frame in range(60, 180, 20):
        chart.tick_x(frame, str(frame))
    page.text((62, 64), "left ankle moved forward, cm; shaded: its contacts", 13)
    page.text((872, HEIGHT - 20), "frame", 12, text_anchor="end", fill=SOFT)
    for blend, colour in KINDS.items():
        moved = 100 * (walks[blend].clip.positions()[SHOWN, ankle, 2] - before)
        chart.curve(frames, moved, colour)
    for x, (blend, colour) in zip((62, 230, 470), KINDS.items()):
        page.shape(np.array([[x, 22.0], [x + 26.0, 22.0]]), stroke=colour, stroke_width=3)
        page.text((x + 34, 27), f"blend={blend:g}" + (" (default)" if blend == 0.2 else ""), 13, fill=colour)
    return page.finish()


if __name__ == "__main__":
    Path(__file__).with_name("wrong_blend.svg").write_text(figure(), encoding="utf-8")
