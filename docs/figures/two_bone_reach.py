# SPDX-License-Identifier: MIT
"""Where the target of two bones can lie: too close, in reach, too far; and a leg that is straight to begin with.

`python docs/figures/two_bone_reach.py` writes docs/figures/two_bone_reach.svg.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from panels import Panel, heading
from svg import COOL, LIGHT, SOFT, WARM, Page

import skelkin_py as sk

WIDTH, HEIGHT = 230, 330
HIP, KNEE, ANKLE = np.array([0.0, 0, 0]), np.array([0.32, -0.55, 0]), np.array([0.05, -0.92, 0])
UPPER, LOWER = np.linalg.norm(KNEE - HIP), np.linalg.norm(ANKLE - KNEE)


def panel(page: Page, k: int, title: str, below: str, target: list[float], limb: np.ndarray, note: str) -> None:
    p = Panel(page, (k * WIDTH + 92.0, 100.0), 150.0)
    heading(page, k * WIDTH + WIDTH / 2, title, below)
    p.arc(HIP, UPPER + LOWER, (-118.0, -38.0), stroke_dasharray="5 5")
    p.ring(HIP, UPPER - LOWER, stroke_dasharray="5 5", stroke=LIGHT, stroke_width=1.5)
    found = sk.solve_two_bone(*limb, target, bend=[1, 0, 0])
    p.limb(limb, colour=SOFT, opacity=0.35)
    p.limb(np.stack([limb[0], found.b, found.c]), colour=COOL)
    p.target(np.array(target))
    name = sk.IKStatus(found.status).name
    page.text((k * WIDTH + WIDTH / 2, HEIGHT - 34), name, 13, text_anchor="middle", fill=WARM)
    page.text((k * WIDTH + WIDTH / 2, HEIGHT - 14), note, 12, text_anchor="middle")


def figure() -> str:
    page = Page(4 * WIDTH, HEIGHT, "Two bones and their target: too close, in reach, too far, and a straight limb")
    limb = np.stack([HIP, KNEE, ANKLE])
    straight = np.array([[0, 0, 0], [0, -UPPER, 0], [0, -UPPER - LOWER, 0]])
    panel(page, 0, "too close", "d &lt; l₁ − l₂", [0.03, -0.1, 0], limb, "folds, longer bone first")
    panel(page, 1, "in reach", "l₁ − l₂ ≤ d ≤ l₁ + l₂", [0.45, -0.6, 0], limb, "the law of cosines")
    panel(page, 2, "too far", "d &gt; l₁ + l₂", [0.63, -1.0, 0], limb, "stretches out towards it")
    panel(page, 3, "straight", "no side to read from it", [0.1, -0.75, 0], straight, "bends to the side of bend=")
    return page.finish()


if __name__ == "__main__":
    Path(__file__).with_name("two_bone_reach.svg").write_text(figure(), encoding="utf-8")
