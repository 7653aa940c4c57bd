# SPDX-License-Identifier: MIT
"""The figure of docs/kinematics.md: an elbow's turn written along the axes of the pose, and along those of the rest.

`python docs/figures/axes.py` writes docs/figures/axes.svg.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from svg import COOL, INK, LIGHT, SOFT, WARM, Camera, Page

import skelkin_py as sk

REST = np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.9, 0.0, 0.0]])  # shoulder, elbow, hand
RAISED = sk.quaternion_from_axis_angle([0.0, 0.0, 1.0], np.radians(50.0))
AXIS = np.array([0.0, 1.0, 0.0])  # the elbow's, as it is written
SWING = np.radians(np.linspace(0.0, -100.0, 51))
CAMERA = Camera(-32.0, 20.0, 108.0)
PANEL, HEIGHT = 300, 360


def skeleton() -> sk.Skeleton:
    rest = np.tile(np.eye(4), (3, 1, 1))
    rest[:, :3, 3] = REST - np.vstack([REST[:1], REST[:-1]])
    return sk.Skeleton([-1, 0, 1], rest, ["shoulder", "elbow", "hand"])


def arm(shoulder: np.ndarray, angles: np.ndarray, axes: str) -> np.ndarray:
    """Return (angles, 3, 3): shoulder, elbow and hand while the elbow turns about AXIS."""
    q = np.tile([1.0, 0.0, 0.0, 0.0], (len(angles), 3, 1))
    q[:, 0] = shoulder
    q[:, 1] = sk.quaternion_from_axis_angle(AXIS, angles)
    rotations, translations = sk.rest_relative(skeleton(), q, axes=axes)
    return sk.quaternion_rotate(rotations, REST) + translations


def panel(page: Page, left: float, title: str, formula: str, poses: np.ndarray, axis: np.ndarray, colour: str) -> None:
    origin = (left + 72.0, 268.0)
    ground = np.array([[-0.25, 0, -0.55], [1.6, 0, -0.55], [1.6, 0, 0.75], [-0.25, 0, 0.75]])
    page.shape(CAMERA(ground, origin), closed=True, fill="#f4f6f8", stroke=LIGHT, stroke_width=1)
    page.text((left + PANEL / 2, 28), title, 15, text_anchor="middle", font_weight="bold")
    page.text((left + PANEL / 2, 49), formula, 13, text_anchor="middle", fill=SOFT)
    at = CAMERA(poses, origin)
    page.shape(np.vstack([at[0, 1], at[:, 2]]), closed=True, fill=colour, fill_opacity=0.13)
    page.shape(at[:, 2], stroke=colour, stroke_width=1.5, stroke_dasharray="4 4")
    for ghost in range(10, len(at) - 1, 10):
        page.shape(at[ghost, 1:], stroke=colour, stroke_width=3, stroke_opacity=0.3)
    page.shape(at[0], stroke=SOFT, stroke_width=3, stroke_dasharray="1 6")
    elbow = poses[0, 1]
    page.shape(
        CAMERA(np.stack([elbow, elbow - 0.35 * axis]), origin), stroke=colour, stroke_width=2, stroke_opacity=0.5
    )
    page.arrow(CAMERA(elbow, origin), CAMERA(elbow + 0.72 * axis, origin), colour)
    page.shape(at[-1, :2], stroke=INK, stroke_width=9)
    page.shape(at[-1, 1:], stroke=INK, stroke_width=6)
    for place, radius in ((at[-1, 0], 8), (at[-1, 1], 6.5), (at[-1, 2], 5)):
        page.dot(place, radius, fill="#ffffff", stroke=INK, stroke_width=2.5)
    tip = CAMERA(elbow + 0.72 * axis, origin)
    page.text((tip[0] - 8, tip[1] + 2), "axis of the elbow", 12, fill=colour, text_anchor="end")


def figure() -> str:
    page = Page(3 * PANEL, HEIGHT, "One elbow turn, along the axes of the pose and along those of the rest pose")
    still, tilted = np.array([1.0, 0, 0, 0]), sk.quaternion_rotate(RAISED, AXIS)
    panel(page, 0, "shoulder at rest", "both mean the same", arm(still, SWING, "posed"), AXIS, SOFT)
    for x, y, words in ((72, 290, "shoulder"), (200, 301, "hand")):
        page.text((x, y), words, 12, fill=SOFT, text_anchor="middle")
    posed, rest = (arm(RAISED, SWING, axes) for axes in ("posed", "rest"))
    panel(page, PANEL, 'axes="posed"', "Q = q · Q of the parent", posed, AXIS, WARM)
    panel(page, 2 * PANEL, 'axes="rest"', "Q = Q of the parent · q", rest, tilted, COOL)
    notes = (
        "the elbow turns about y, towards you",
        "y stays the vertical: the forearm sweeps a cone",
        "y is carried by the upper arm: a hinge",
    )
    for k, words in enumerate(notes):
        page.text((k * PANEL + PANEL / 2, HEIGHT - 16), words, 12, text_anchor="middle")
    return page.finish()


if __name__ == "__main__":
    Path(__file__).with_name("axes.svg").write_text(figure(), encoding="utf-8")
