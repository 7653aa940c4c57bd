# SPDX-License-Identifier: MIT
"""A foot whose heel is up, with toes that keep their rotation and with toes that bend.

`python docs/figures/wrong_toes.py` writes docs/figures/wrong_toes.svg.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from svg import COOL, INK, SOFT, WARM, Page
from walking import Side, sole, title

import skelkin_py as sk

WIDTH, HEIGHT, SCALE = 430, 300, 560.0


def stiff() -> sk.Clip:
    """Return the walk with toes that keep their rest rotation, as of captures without markers on them."""
    clip = sk.example("biped").clip
    rotations = clip.rotations.copy()
    rotations[:, [clip.names.index(name) for name in ("LeftToeBase", "RightToeBase")]] = [1.0, 0, 0, 0]
    return sk.Clip(clip.skeleton, rotations, clip.translations, fps=clip.fps)


def panel(page: Page, k: int, words: str, below: str, bend: float, colour: str) -> None:
    biped, walk = sk.example("biped"), stiff()
    planted = walk.plant_feet(ground=biped.ground, toe_bend=bend).clip
    last = walk.plant_feet(ground=biped.ground).report.legs[0].contacts[1][1] - 1
    feet = sole(planted, "Left")
    ball = feet[last, 1]
    side = Side(page, (k * WIDTH + 250.0 - ball[2] * SCALE, 240.0 + ball[1] * SCALE), SCALE)
    side.ground(biped.ground, ball[2] - 0.36, ball[2] + 0.26)
    shin, ankle, toe = (
        planted.positions()[last, planted.names.index(f"Left{name}")] for name in ("Leg", "Foot", "ToeBase")
    )
    above = ankle + 0.16 * (shin - ankle) / np.linalg.norm(shin - ankle)
    heel, under, tip = feet[last]
    side.page.shape(
        side(np.stack([heel, under, toe, ankle])), closed=True, fill=INK, fill_opacity=0.14, stroke=INK, stroke_width=2
    )
    side.page.shape(
        side(np.stack([under, tip, toe])), closed=True, fill=colour, fill_opacity=0.3, stroke=colour, stroke_width=2
    )
    side.path(np.stack([above, ankle]), INK, 7)
    for joint in (ankle, toe):
        page.dot(side(joint), 5, fill="#ffffff", stroke=INK, stroke_width=2.5)
    title(page, k * WIDTH + WIDTH / 2, 26, words, below)
    page.text(tuple(side(tip) + np.array([10.0, 20.0])), "tip of the toes", 12, fill=colour)


def figure() -> str:
    page = Page(2 * WIDTH, HEIGHT, "A foot whose heel is up: toes that keep their rotation, and toes that bend")
    panel(page, 0, "toes as they were", "toe_bend=0, the default", 0.0, WARM)
    panel(page, 1, "toes that bend", "toe_bend=60", 60.0, COOL)
    page.text(
        (WIDTH, 62), "a capture whose toes never bend, at the end of a contact", 12, text_anchor="middle", fill=SOFT
    )
    return page.finish()


if __name__ == "__main__":
    Path(__file__).with_name("wrong_toes.svg").write_text(figure(), encoding="utf-8")
