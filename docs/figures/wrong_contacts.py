# SPDX-License-Identifier: MIT
"""A foot with the contacts that were found, and with one that was given twelve frames too long.

`python docs/figures/wrong_contacts.py` writes docs/figures/wrong_contacts.svg.
"""

from __future__ import annotations

from pathlib import Path

from svg import COOL, SOFT, WARM, Page
from walking import Side, sole, title

import skelkin_py as sk

WIDTH, HEIGHT, SCALE = 450, 350, 125.0
LONGER = 12


def panel(page: Page, k: int, words: str, below: str, longer: int, colour: str) -> None:
    biped = sk.example("biped")
    found = biped.clip.plant_feet(ground=biped.ground).report
    contacts = {leg.name: list(leg.contacts) for leg in found.legs}
    first, last = contacts["left"][1]
    contacts["left"][1] = (first, last + longer)
    planted = biped.clip.plant_feet(ground=biped.ground, contacts=contacts).clip
    side = Side(page, (k * WIDTH + 60.0 - 0.9 * SCALE, 308.0), SCALE)
    side.ground(biped.ground, 0.6, 3.9)
    for frame in (38, 58, 66):
        side.figure(planted, frame, opacity=0.8)
    ball = sole(planted, "Left")[:, 1]
    side.path(ball[26:70], colour, 2.5)
    side.path(ball[first : last + longer + 1], colour, 7)
    title(page, k * WIDTH + WIDTH / 2, 26, words, below)
    page.text((k * WIDTH + WIDTH / 2, HEIGHT - 8), "coloured: the path of the left foot, frames 26 to 69", 12,
              text_anchor="middle", fill=SOFT)  # fmt: skip


def figure() -> str:
    page = Page(2 * WIDTH, HEIGHT, "A foot with its own contacts, and with one that was given twelve frames too long")
    panel(page, 0, "as found", "the foot lifts as the body passes over it", 0, COOL)
    panel(page, 1, f"{LONGER} frames too long", "the leg is drawn out, then the foot has to rush", LONGER, WARM)
    return page.finish()


if __name__ == "__main__":
    Path(__file__).with_name("wrong_contacts.svg").write_text(figure(), encoding="utf-8")
