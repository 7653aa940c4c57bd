# SPDX-License-Identifier: MIT
"""Where a knee can be while hip and ankle stay: a circle, of which a pole picks one point.

`python docs/figures/two_bone_circle.py` writes docs/figures/two_bone_circle.svg.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from panels import heading
from svg import COOL, INK, LIGHT, SOFT, WARM, Camera, Page

import skelkin_py as sk

WIDTH, HEIGHT = 450, 400
CAMERA = Camera(-42.0, 16.0, 155.0)
HIP, KNEE, ANKLE = np.array([0.0, 1.72, 0]), np.array([0.1, 0.8, 0.35]), np.array([0.0, 0.0, 0])
TARGET = np.array([0.25, 0.28, 0.35])
ORIGIN = (190.0, 372.0)


def leg(page: Page, joints: np.ndarray, colour: str, opacity: float = 1.0) -> None:
    """Draw hip, knee and ankle."""
    at = CAMERA(joints, ORIGIN)
    page.shape(at[:2], stroke=colour, stroke_width=8, stroke_opacity=opacity)
    page.shape(at[1:], stroke=colour, stroke_width=6, stroke_opacity=opacity)


def knees(num: int) -> np.ndarray:
    """Return knees (num, 3) for poles all around the line from hip to target."""
    along = TARGET - HIP
    along /= np.linalg.norm(along)
    u = np.cross(along, [0.0, 0, 1])
    u /= np.linalg.norm(u)
    v = np.cross(along, u)
    angles = np.linspace(0, 2 * np.pi, num)[:, None]
    directions = np.cos(angles) * u + np.sin(angles) * v
    return sk.solve_two_bone(HIP, KNEE, ANKLE, TARGET, pole_direction=directions).b


def figure() -> str:
    page = Page(2 * WIDTH, HEIGHT, "The circle on which a knee can be, and the triangle that gives its radius")
    heading(page, WIDTH / 2, "the circle of the knee", "hip and target stay: all these legs have the same bones")
    circle = CAMERA(knees(73), ORIGIN)
    page.shape(CAMERA(np.stack([HIP, TARGET]), ORIGIN), stroke=SOFT, stroke_width=1.5, stroke_dasharray="5 4")
    page.shape(circle, closed=True, stroke=COOL, stroke_width=2, fill=COOL, fill_opacity=0.08)
    for knee in knees(10)[:-1]:
        leg(page, np.stack([HIP, knee, TARGET]), LIGHT, 0.6)
    pole = np.array([0.5, 1.25, 1.45])
    chosen = sk.solve_two_bone(HIP, KNEE, ANKLE, TARGET, pole=pole)
    leg(page, np.stack([HIP, chosen.b, TARGET]), INK)
    page.arrow(CAMERA(chosen.b, ORIGIN), CAMERA(pole, ORIGIN), WARM, 1.6)
    page.dot(CAMERA(pole, ORIGIN), 5, fill=WARM)
    x, y = CAMERA(pole, ORIGIN)
    page.text((x - 8, y - 10), "pole", 13, fill=WARM)
    for place, words in ((HIP, "hip"), (TARGET, "target")):
        x, y = CAMERA(place, ORIGIN)
        page.dot(np.array([x, y]), 6, fill="#ffffff", stroke=INK, stroke_width=2.5)
        page.text((x - 14, y + 4), words, 13, text_anchor="end")
    x, y = CAMERA(chosen.b, ORIGIN)
    page.dot(np.array([x, y]), 6, fill="#ffffff", stroke=INK, stroke_width=2.5)
    page.text((x + 4, y + 24), "knee", 13)

    heading(
        page,
        1.5 * WIDTH,
        "its radius r, and its place x on the line",
        "two right-angled triangles with one side in common",
    )
    upper, lower = np.linalg.norm(KNEE - HIP), np.linalg.norm(ANKLE - KNEE)
    distance = np.linalg.norm(TARGET - HIP)
    along = (distance**2 + upper**2 - lower**2) / (2 * distance)
    aside = np.sqrt(upper**2 - along**2)
    hip, scale = np.array([1.5 * WIDTH - 100.0, 92.0]), 190.0
    target, foot = hip + np.array([0, distance * scale]), hip + np.array([0, along * scale])
    knee = foot + np.array([aside * scale, 0])
    page.shape(np.stack([hip, target]), stroke=SOFT, stroke_width=1.5, stroke_dasharray="5 4")
    page.shape(np.stack([foot, knee]), stroke=COOL, stroke_width=3)
    page.shape(np.stack([hip, knee]), stroke=INK, stroke_width=8)
    page.shape(np.stack([knee, target]), stroke=INK, stroke_width=6)
    for place in (hip, knee, target):
        page.dot(place, 6, fill="#ffffff", stroke=INK, stroke_width=2.5)
    page.text(tuple((hip + foot) / 2 + [-12, 4]), "x", 15, text_anchor="end", fill=COOL)
    page.text(tuple((foot + target) / 2 + [-12, 4]), "d − x", 15, text_anchor="end", fill=COOL)
    page.text(tuple((foot + knee) / 2 + [-4, -8]), "r", 15, text_anchor="middle", fill=COOL)
    page.text(tuple((hip + knee) / 2 + [14, -4]), "l₁", 15)
    page.text(tuple((knee + target) / 2 + [14, 12]), "l₂", 15)
    page.text((1.5 * WIDTH + 60, 150), "l₁² − x² = r²", 15)
    page.text((1.5 * WIDTH + 60, 176), "l₂² − (d − x)² = r²", 15)
    return page.finish()


if __name__ == "__main__":
    Path(__file__).with_name("two_bone_circle.svg").write_text(figure(), encoding="utf-8")
