# SPDX-License-Identifier: MIT
"""The walk of the example as it is, and planted on its ground.

`python docs/figures/front.py` writes docs/figures/front.svg.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from svg import COOL, INK, SOFT, WARM, Page
from walking import Side, sole

import skelkin_py as sk

WIDTH, ROW, SCALE = 760, 246, 101.0
FRAMES = (4, 25, 42, 62, 79, 98, 116, 133, 152, 170)


def row(
    page: Page,
    top: float,
    clip: sk.Clip,
    ground: object,
    contacts: object,
    colour: str,
    words: str,
    note: str,
    faults: object = (),
) -> None:
    side = Side(page, (34.0, top + 208.0), SCALE)
    side.ground(ground, -0.25, 7.1)
    ball = sole(clip, "Left")[:, 1]
    for frame in FRAMES:
        side.figure(clip, frame, INK, opacity=0.75)
    side.path(ball, colour, 2.5)
    for first, last in contacts:
        side.path(ball[first : last + 1], colour, 6)
    for label, contact in faults:
        z = clip.positions()[contact.first_frame, clip.names.index(f"{contact.name.capitalize()}ToeBase"), 2]
        page.text((side(np.array([0, 0, z]))[0], top + 238), label, 13, text_anchor="middle", fill=colour)
    page.text((9, top + 24), words, 17, font_weight="bold", fill=colour)
    page.text((98, top + 24), note, 13, fill=SOFT)


def figure() -> str:
    page = Page(WIDTH, 2 * ROW + 16, "A walk whose feet slide, float and sink, and the same walk planted on its ground")
    biped = sk.example("biped")
    planted = biped.clip.plant_feet(ground=biped.ground)
    left = planted.report.legs[0].contacts
    slide = [
        np.mean([getattr(contact, when).slide for contact in planted.report.contacts]) for when in ("before", "after")
    ]
    deep, high = (
        max(getattr(contact.before, what) for contact in planted.report.contacts) for what in ("penetration", "float")
    )
    faults = [
        (what, max(planted.report.contacts[2:], key=lambda contact, of=of: getattr(contact.before, of)))
        for what, of in (("sinks", "penetration"), ("floats", "float"))
    ]
    faults.append(("slides", planted.report.contacts[1]))
    row(
        page,
        0,
        biped.clip,
        biped.ground,
        left,
        WARM,
        "as it was",
        f"each standing foot slides by {100 * slide[0]:.0f} cm; feet are up to {100 * deep:.0f} cm below "
        f"the ground and {100 * high:.0f} cm above it",
        faults,
    )
    row(
        page,
        ROW,
        planted.clip,
        biped.ground,
        left,
        COOL,
        "planted",
        f"slide {100 * slide[1]:.2f} cm; line: the path of the left foot, thick while it stands",
    )
    return page.finish()


if __name__ == "__main__":
    Path(__file__).with_name("front.svg").write_text(figure(), encoding="utf-8")
