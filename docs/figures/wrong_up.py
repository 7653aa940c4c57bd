# SPDX-License-Identifier: MIT
"""The contacts that are found with the right axis up and with a wrong one, and where they are thought to stand.

`python docs/figures/wrong_up.py` writes docs/figures/wrong_up.svg.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from svg import COOL, SOFT, WARM, Page
from walking import Side, title

import skelkin_py as sk

WIDTH, HEIGHT, SCALE = 450, 300, 66.0
FRAMES = (20, 60, 100, 140)


def panel(page: Page, k: int, words: str, call: str, up: str, colour: str) -> None:
    clip = sk.example("biped").clip
    planted = clip.plant_feet(up=up)
    side = Side(page, (k * WIDTH + 70.0, 252.0), SCALE)
    for frame in FRAMES:
        side.figure(planted.clip, frame, opacity=0.75)
    for contact in planted.report.contacts:
        at = side(np.array(contact.stands_at))
        ends = [[0, 7], [0, -7]] if up == "Z" else [[-9, 0], [9, 0]]
        page.shape(np.array(ends, float) + at, stroke=colour, stroke_width=4)
    title(page, k * WIDTH + WIDTH / 2, 26, words, call)
    arrow = np.array([k * WIDTH + 34.0, 120.0])
    tip = arrow + ([44.0, 0.0] if up == "Z" else [0.0, -44.0])
    head = [[-8, -5], [0, 0], [-8, 5]] if up == "Z" else [[-5, 8], [0, 0], [5, 8]]
    page.shape(np.stack([arrow, tip]), stroke=SOFT, stroke_width=2)
    page.shape(np.array(head, float) + tip, stroke=SOFT, stroke_width=2)
    page.text((arrow[0] - 14.0, arrow[1] + 18.0), "up", 12, fill=SOFT)
    count = len(planted.report.contacts)
    below = (k * WIDTH + WIDTH / 2, HEIGHT - 8)
    page.text(below, f"{count} contacts, as marked", 12, text_anchor="middle", fill=colour)


def figure() -> str:
    page = Page(2 * WIDTH, HEIGHT, "A walk whose Y axis is up, planted with the right axis and with a wrong one")
    panel(page, 0, "Y is up, as the clip says", "plant_feet()", "Y", COOL)
    panel(page, 1, "Z taken for up", 'plant_feet(up="Z")'.replace('"', "&quot;"), "Z", WARM)
    return page.finish()


if __name__ == "__main__":
    Path(__file__).with_name("wrong_up.svg").write_text(figure(), encoding="utf-8")
