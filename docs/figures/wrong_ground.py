# SPDX-License-Identifier: MIT
"""One walk on a ground that was guessed, on the one that it was given, and on one that was given too high.

`python docs/figures/wrong_ground.py` writes docs/figures/wrong_ground.svg.
"""

from __future__ import annotations

from pathlib import Path

from svg import LEAF, SOFT, WARM, Page
from walking import Side, title

import skelkin_py as sk

WIDTH, HEIGHT, SCALE = 310, 330, 118.0
FRAMES = (47, 64, 82)


def panel(page: Page, k: int, words: str, below: str, given: object, colour: str) -> None:
    biped = sk.example("biped")
    planted = biped.clip.plant_feet(ground=given)
    side = Side(page, (k * WIDTH + 62.0 - 1.7 * SCALE, 292.0), SCALE)
    side.ground(biped.ground, 1.35, 3.65)
    for frame in FRAMES:
        side.figure(planted.clip, frame, opacity=0.8)
    level = planted.report.ground if given is None else given
    if not callable(level):
        side.path([[0, float(level), 1.35], [0, float(level), 3.65]], WARM, 1.8, stroke_dasharray="6 4")
    title(page, k * WIDTH + WIDTH / 2, 26, words, below)
    page.text((k * WIDTH + WIDTH / 2, HEIGHT - 8), "green: where the ground is", 12, text_anchor="middle", fill=LEAF)
    if colour == WARM:
        page.text(
            (k * WIDTH + WIDTH / 2, 66), "dashed: where it was taken to be", 12, text_anchor="middle", fill=colour
        )


def figure() -> str:
    page = Page(3 * WIDTH, HEIGHT, "A walk on a ground that was guessed, given, and given too high")
    panel(page, 0, "guessed", "plant_feet()", None, WARM)
    panel(page, 1, "given", "plant_feet(ground=ground)", sk.example("biped").ground, SOFT)
    panel(page, 2, "given too high", "plant_feet(ground=0.2)", 0.2, WARM)
    return page.finish()


if __name__ == "__main__":
    Path(__file__).with_name("wrong_ground.svg").write_text(figure(), encoding="utf-8")
