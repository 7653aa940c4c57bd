# SPDX-License-Identifier: MIT
"""The triangle behind two bones, the weight of a solve, and stretching.

`python docs/figures/two_bone_parts.py` writes docs/figures/two_bone_parts.svg.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from panels import Panel, heading
from svg import COOL, INK, SOFT, WARM, Page

import skelkin_py as sk

LIMB = np.array([[0.0, 0, 0], [0.35, -0.6, 0], [0.1, -1.1, 0]])


def triangle(page: Page) -> None:
    p = Panel(page, (60.0, 250.0), 215.0)
    heading(page, 160, "the triangle", "x² + r² = l₁²")
    found = sk.solve_two_bone([0, 0, 0], [0.4, 0.5, 0], [0.8, 0, 0], [0.95, 0, 0], bend=[0, 1, 0])
    knee, foot = found.b, np.array([found.b[0], 0, 0])
    page.shape(p(np.stack([np.zeros(3), found.c])), stroke=SOFT, stroke_width=2)
    page.shape(p(np.stack([knee, foot])), stroke=WARM, stroke_width=2, stroke_dasharray="4 4")
    page.shape(p(np.stack([np.zeros(3), foot])), stroke=WARM, stroke_width=3)
    p.limb(np.stack([np.zeros(3), knee, found.c]), colour=COOL)
    p.words(foot / 2, "x", dy=18, fill=WARM)
    p.words((knee + foot) / 2, "r", dx=10, dy=4, fill=WARM)
    p.words(knee / 2, "l₁", dx=-14, dy=-6)
    p.words((knee + found.c) / 2, "l₂", dx=16, dy=-6)
    p.words((foot + found.c) / 2, "d − x", dy=18, fill=SOFT)
    for point, words in ((np.zeros(3), "hip"), (found.c, "target")):
        p.words(point, words, dy=36)


def weights(page: Page) -> None:
    p = Panel(page, (410.0, 118.0), 175.0)
    heading(page, 470, "weight", "0, ¼, ½, ¾, 1: bones keep their lengths")
    part = np.linspace(0, 1, 5)
    target = np.array([0.75, -0.3, 0])
    found = sk.solve_two_bone(*LIMB, target, weight=part)
    page.shape(p(sk.solve_two_bone(*LIMB, target, weight=np.linspace(0, 1, 41)).c), stroke=WARM, stroke_dasharray="3 4")
    for k, weight in enumerate(part):
        limb = np.stack([LIMB[0], found.b[k], found.c[k]])
        p.limb(limb, colour=COOL if weight in (0, 1) else SOFT, opacity=1.0 if weight in (0, 1) else 0.45, width=5)
    p.target(target)


def stretching(page: Page) -> None:
    p = Panel(page, (660.0, 110.0), 160.0)
    heading(page, 780, "stretch", "target at 1.15 L; at most 1, 1.1 and 1.3")
    for k, most in enumerate((1.0, 1.1, 1.3)):
        down = np.array([0, -0.38 * k, 0])
        limb = np.array([[0.0, 0, 0], [0.45, 0.22, 0], [0.9, 0, 0]])
        length = float(2 * np.hypot(0.45, 0.22))
        target = np.array([1.15 * length, 0, 0])
        found = sk.solve_two_bone(*limb, target, stretch=most)
        p.limb(np.stack([limb[0], found.b, found.c]) + down, colour=COOL, width=5)
        p.target(target + down)
        words = f"{sk.IKStatus(found.status).name}, bones × {found.stretch:.2f}"
        p.words(target / 2 + down, words, dy=24, fill=INK)


def figure() -> str:
    page = Page(940, 330, "The triangle of two bones, a solve in part, and bones that lengthen")
    triangle(page)
    weights(page)
    stretching(page)
    return page.finish()


if __name__ == "__main__":
    Path(__file__).with_name("two_bone_parts.svg").write_text(figure(), encoding="utf-8")
