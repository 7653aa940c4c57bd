# SPDX-License-Identifier: MIT
"""One turn, told in the numbers of two bases.

`python docs/figures/change_basis.py` writes docs/figures/change_basis.svg.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from panels import Panel, heading
from svg import COOL, INK, SOFT, WARM, Page

import skelkin_py as sk

WIDTH, HEIGHT, SCALE = 450, 360, 62.0
A = np.eye(4)
B = sk.compose([3.6, 0.7, 0], sk.quaternion_from_axis_angle([0, 0, 1], np.radians(118.0)))
TURN = sk.compose([0, 0, 0], sk.quaternion_from_axis_angle([0, 0, 1], np.radians(50.0)))
M_A, M_B = (f'M<tspan dy="4" font-size="10">{name}</tspan><tspan dy="-4"> </tspan>' for name in "AB")
POINT = np.array([2.6, 0.6, 0.0])


def basis(panel: Panel, matrix: np.ndarray, name: str, colour: str) -> None:
    """Draw a basis: two axes and its name."""
    at = matrix[:3, 3]
    for axis, words in ((0, "x"), (1, "y")):
        tip = at + 0.95 * matrix[:3, axis]
        panel.page.arrow(panel(at), panel(tip), colour, 2.6)
        panel.words(at + 1.17 * matrix[:3, axis], words, 0, 4, fill=colour)
    panel.words(at, name, -15, 18, fill=colour, font_weight="bold")


def box(page: Page, x: float, y: float, words: str, below: str, colour: str) -> None:
    """Write a point and its numbers."""
    page.text((x, y), words, 15, text_anchor="middle", fill=colour, font_weight="bold")
    page.text((x, y + 19), below, 12, text_anchor="middle", fill=SOFT)


def told(point: np.ndarray) -> str:
    """Return a point as words."""
    return " ".join(f"{value:.1f}".replace("-", "−") for value in point[:2] + 0.0)


def figure() -> str:
    page = Page(2 * WIDTH, HEIGHT, "One turn, told in the numbers of two bases")
    heading(page, WIDTH / 2, "one turn, two bases", "the point moves; nobody has to say in which numbers")
    heading(page, 1.5 * WIDTH, "two ways to the same numbers", f"{M_B} = X {M_A} X⁻¹ with X = B⁻¹ A")
    panel = Panel(page, (80.0, 290.0), SCALE)
    moved = (TURN @ [*POINT, 1])[:3]
    radius, start = np.linalg.norm(POINT), np.degrees(np.arctan2(POINT[1], POINT[0]))
    panel.arc(np.zeros(3), radius, (start, start + 46), stroke=INK, stroke_width=2, stroke_dasharray="5 4")
    for place, words in ((POINT, "before"), (moved, "after")):
        page.shape(panel(np.stack([np.zeros(3), place])), stroke=SOFT, stroke_width=1.5)
        page.dot(panel(place), 6, fill=INK)
        panel.words(place, words, 26, -8, fill=INK)
    basis(panel, A, "A", COOL)
    basis(panel, B, "B", WARM)
    to_b = np.linalg.inv(B) @ A
    turn_b = sk.change_basis(TURN, A, B)
    before_b, after_b = ((to_b @ [*place, 1])[:3] for place in (POINT, moved))
    assert np.allclose(turn_b @ [*before_b, 1], [*after_b, 1])
    left, right, top, bottom = WIDTH + 105, 2 * WIDTH - 105, 130, 280
    box(page, left, top, "before, in A", told(POINT), COOL)
    box(page, right, top, "after, in A", told(moved), COOL)
    box(page, left, bottom, "before, in B", told(before_b), WARM)
    box(page, right, bottom, "after, in B", told(after_b), WARM)
    for y, words, colour in ((top, M_A, COOL), (bottom, M_B, WARM)):
        page.arrow(np.array([left + 58.0, y + 4.0]), np.array([right - 58.0, y + 4.0]), colour)
        page.text(((left + right) / 2, y - 8), words, 15, text_anchor="middle", fill=colour)
    for x in (left, right):
        page.arrow(np.array([x, top + 36.0]), np.array([x, bottom - 24.0]), SOFT)
        page.text((x + 12, (top + bottom) / 2 + 12), "X", 15, fill=SOFT)
    return page.finish()


if __name__ == "__main__":
    Path(__file__).with_name("change_basis.svg").write_text(figure(), encoding="utf-8")
