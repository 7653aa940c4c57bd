# SPDX-License-Identifier: MIT
"""A leg at rest and posed, and which matrix leads from where to where.

`python docs/figures/spaces.py` writes docs/figures/spaces.svg.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from panels import Panel, heading
from svg import COOL, INK, LEAF, SOFT, WARM, Page

import skelkin_py as sk

WIDTH, HEIGHT, SCALE = 450, 400, 250.0
NAMES = ("hip", "knee", "ankle")


def leg() -> sk.Skeleton:
    rest = np.tile(np.eye(4), (3, 1, 1))
    rest[:, :3, 3] = [0.6, 1.06, 0], [0, -0.5, 0], [0, -0.5, 0]
    return sk.Skeleton([-1, 0, 1], rest, NAMES)


def frame(panel: Panel, matrix: np.ndarray, size: float, *, opacity: float = 1.0) -> None:
    """Draw the axes of a joint."""
    at = matrix[:3, 3]
    for axis, colour in ((0, WARM), (1, LEAF)):
        ends = panel(np.stack([at, at + size * matrix[:3, axis]]))
        panel.page.shape(ends, stroke=colour, stroke_width=3, stroke_opacity=opacity)


def leads(
    panel: Panel,
    start: np.ndarray,
    end: np.ndarray,
    words: str,
    side: float,
    colour: str,
    place: float = 0.5,
    anchor: str = "start",
) -> None:
    """Draw a bowed arrow from one place to another, with its name."""
    a, b = panel(start), panel(end)
    along = b - a
    aside = np.array([-along[1], along[0]]) * side
    part = np.linspace(0.06, 0.94, 25)[:, None]
    line = a + part * along + 4 * part * (1 - part) * aside
    panel.page.shape(line[:-3], stroke=colour, stroke_width=2)
    panel.page.arrow(line[-4], line[-1], colour)
    x, y = a + place * along + 4 * place * (1 - place) * aside * 1.12
    panel.page.text((x + (8 if anchor == "start" else -8), y), words, 13, fill=colour, text_anchor=anchor)


def figure() -> str:
    page = Page(2 * WIDTH, HEIGHT, "A leg at rest and posed, and which matrix leads from where to where")
    skeleton = leg()
    turns = sk.quaternion_from_axis_angle([0, 0, 1], np.radians([52.0, -70, 30]))
    pose = sk.forward_kinematics_trs(skeleton, turns)
    left, right = (Panel(page, (x, 352.0), SCALE) for x in (60.0, WIDTH + 50.0))
    heading(page, WIDTH / 2, "local and global", "global[knee] = global[hip] @ local[knee]")
    heading(page, 1.5 * WIDTH, "rest, and skinning", "skinning[knee] = global[knee] @ inverse_bind[knee]")
    origin = np.zeros(3)
    left.limb(pose[:, :3, 3])
    for matrix in pose:
        frame(left, matrix, 0.13)
    leads(left, pose[0, :3, 3], pose[1, :3, 3], "local[knee]", -0.28, COOL)
    leads(left, pose[1, :3, 3], pose[2, :3, 3], "local[ankle]", -0.28, COOL)
    leads(left, origin, pose[1, :3, 3], "global[knee]", 0.12, SOFT, 0.3)
    for matrix, name, dx, dy in zip(pose, NAMES, (-30, -32, -34), (12, 12, 4)):
        left.words(matrix[:3, 3], name, dx, dy, fill=INK)
    right.limb(skeleton.rest_global[:, :3, 3], colour=SOFT, opacity=0.5)
    right.limb(pose[:, :3, 3])
    frame(right, skeleton.rest_global[1], 0.13, opacity=0.5)
    frame(right, pose[1], 0.13)
    point = skeleton.rest_global[1, :3, 3] + [0.07, -0.3, 0]
    moved = (sk.skinning_matrices(skeleton, pose)[1] @ [*point, 1])[:3]
    leads(right, skeleton.rest_global[1, :3, 3], origin, "inverse_bind[knee]", 0.14, SOFT, 0.5, "end")
    leads(right, origin, pose[1, :3, 3], "global[knee]", 0.16, SOFT, 0.4)
    leads(right, point, moved, "skinning[knee]", 0.25, COOL, 0.5)
    for place in (point, moved):
        page.dot(right(place), 5, fill=COOL)
    right.words(skeleton.rest_global[0, :3, 3], "rest", -30, 40, fill=SOFT)
    for panel in (left, right):
        frame(panel, np.eye(4), 0.2)
        panel.words(origin, "the model's origin", 44, 22, fill=SOFT)
    return page.finish()


if __name__ == "__main__":
    Path(__file__).with_name("spaces.svg").write_text(figure(), encoding="utf-8")
