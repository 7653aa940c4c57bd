# SPDX-License-Identifier: MIT
"""A foot whose contacts are given too high beside the other, and with the height that the report names taken off.

`python docs/figures/wrong_heights.py` writes docs/figures/wrong_heights.svg.
"""

from __future__ import annotations

from pathlib import Path

from svg import COOL, SOFT, WARM, Page
from walking import Side, sole, title

import skelkin_py as sk

WIDTH, HEIGHT, SCALE = 450, 350, 125.0
HIGH = 0.06  # leg


def panel(page: Page, k: int, words: str, below: str, high: float, colour: str) -> None:
    clip = sk.example("biped").clean
    found = clip.plant_feet(ground=0.0).report
    contacts = {
        leg.name: [
            {"first_frame": a, "last_frame": b, "height": high * leg.length * (leg.name == "left")}
            for a, b in leg.contacts
        ]
        for leg in found.legs
    }
    planted = clip.plant_feet(ground=0.0, contacts=contacts)
    side = Side(page, (k * WIDTH + 60.0 - 0.9 * SCALE, 308.0), SCALE)
    side.ground(0.0, 0.6, 3.9)
    for frame in (38, 52, 66):
        side.figure(planted.clip, frame, opacity=0.8)
    for contact in planted.report.contacts:
        if contact.name == "left" and 20 < contact.first_frame < 80:
            side.path(sole(planted.clip, "Left")[contact.first_frame : contact.last_frame + 1, 1], colour, 7)
    title(page, k * WIDTH + WIDTH / 2, 26, words, below)
    row = next(row for row in planted.report.cost.rows if row.row == "level")
    page.text((k * WIDTH + WIDTH / 2, HEIGHT - 8), f"level: {row.value:.3f}, bar {row.bar:g}", 12,
              text_anchor="middle", fill=SOFT)  # fmt: skip


def figure() -> str:
    page = Page(2 * WIDTH, HEIGHT, "A foot whose contacts are too high beside the other, and one whose are not")
    panel(page, 0, "too high", "the left foot walks on air, its knee is bent", HIGH, WARM)
    panel(page, 1, "lower heights", "both feet stand on one level", 0.0, COOL)
    return page.finish()


if __name__ == "__main__":
    Path(__file__).with_name("wrong_heights.svg").write_text(figure(), encoding="utf-8")
