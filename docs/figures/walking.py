# SPDX-License-Identifier: MIT
"""What figures of walks share: a clip from its side, walking to the right, and the ground below it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from svg import INK, LEAF, LIGHT, SOFT, Page

import skelkin_py as sk

Points = NDArray[np.float64]
LINES = (
    ("Hips", "Spine", "Spine1", "Spine2", "Neck", "Head"),
    ("Neck", "RightShoulder", "RightArm", "RightForeArm", "RightHand"),
    ("Neck", "LeftShoulder", "LeftArm", "LeftForeArm", "LeftHand"),
    ("Hips", "RightUpLeg", "RightLeg", "RightFoot", "RightToeBase"),
    ("Hips", "LeftUpLeg", "LeftLeg", "LeftFoot", "LeftToeBase"),
)


class Side:
    """A window onto the plane of Z (to the right) and Y (up): `origin` is where 0, 0 lands, `scale` in pixels."""

    def __init__(self, page: Page, origin: tuple[float, float], scale: float) -> None:
        self.page, self.origin, self.scale = page, np.array(origin, float), scale

    def __call__(self, points: Points) -> Points:
        """Return places on the page of (..., 3) points."""
        return np.asarray(points, float)[..., [2, 1]] * [self.scale, -self.scale] + self.origin

    def figure(
        self, clip: sk.Clip, frame: int, colour: str = INK, *, opacity: float = 1.0, legs_only: bool = False
    ) -> None:
        """Draw the body in one frame; what is on its right side is paler."""
        at = self(clip.positions()[frame])
        for line in LINES[3:] if legs_only else LINES:
            strength = opacity * (0.45 if "Right" in line[1] else 1.0)
            points = at[[clip.names.index(name) for name in line]]
            if line[-1].endswith("ToeBase"):
                outline = np.vstack([self(_sole(clip, frame, line[-1].removesuffix("ToeBase"))), points[:-3:-1]])
                self.page.shape(outline, closed=True, fill=colour, fill_opacity=strength)
                points = points[:-1]
            self.page.shape(points, stroke=colour, stroke_width=4, stroke_opacity=strength)
        if not legs_only:
            head = at[clip.names.index("Head")]
            self.page.dot(head - [0, 0.09 * self.scale], 0.1 * self.scale, fill=colour, fill_opacity=opacity)

    def path(self, points: Points, colour: str, width: float = 2.0, **style: object) -> None:
        """Draw the way of a point."""
        self.page.shape(self(points), stroke=colour, stroke_width=width, **style)

    def ground(self, height: object, first: float, last: float, colour: str = LEAF) -> None:
        """Draw a ground, a function or a number, from one Z to another."""
        z = np.unique(np.concatenate([np.linspace(first, last, 60), [2.19, 2.2, 3.7, 5.3]]))
        z = z[(z >= first) & (z <= last)]
        points = np.stack([np.zeros_like(z), np.zeros_like(z), z], axis=-1)
        points[:, 1] = height(points) if callable(height) else float(height)
        below = np.vstack([points, points[[-1, 0]] - [0, 0.09, 0]])
        below[-2:, 1] = points[:, 1].min() - 0.09
        self.page.shape(self(below), closed=True, fill=colour, fill_opacity=0.16)
        self.path(points, colour, 2.5)


def _sole(clip: sk.Clip, frame: int, side: str) -> Points:
    """Return heel, ball and tip of a foot at the height of the sole, as the example's rest pose has them."""
    pose = clip.global_matrices()[frame]
    rest = clip.skeleton.rest_global
    ankle, toe = (clip.names.index(side + name) for name in ("Foot", "ToeBase"))
    heel, ball = rest[ankle, :3, 3] * [1, 0, 1] - [0, 0, 0.05], rest[toe, :3, 3] * [1, 0, 1]
    tip = ball + np.array([0, 0, 0.07])
    places = []
    for joint, point in ((ankle, heel), (ankle, ball), (toe, tip)):
        places.append((pose[joint] @ clip.skeleton.inverse_bind[joint] @ [*point, 1])[:3])
    return np.array(places)


def sole(clip: sk.Clip, side: str) -> Points:
    """Return heel, ball and tip (F, 3, 3) of a foot in every frame."""
    return np.stack([_sole(clip, frame, side) for frame in range(clip.num_frames)])


def title(page: Page, x: float, y: float, words: str, below: str = "") -> None:
    """Write a heading with a line below it, in the middle about x."""
    page.text((x, y), words, 15, text_anchor="middle", font_weight="bold")
    if below:
        page.text((x, y + 20), below, 12.5, text_anchor="middle", fill=SOFT)


__all__ = ["LIGHT", "LINES", "Points", "Side", "sole", "title"]
