# SPDX-License-Identifier: MIT
"""How well known feet stand on a plane that may lean and move, by plain numpy: no figure of planting's own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import reference
from known_steps import SIDES, SOLE, TO_BACK, Known, spans_of

import skelkin_py as sk

UP = np.array([0.0, 1.0, 0.0])


def plane(size: float = 20.0) -> tuple[np.ndarray, np.ndarray]:
    """Points and faces of a level square through the origin."""
    corners = np.array([[-1.0, 0, -1], [-1.0, 0, 1], [1.0, 0, -1], [1.0, 0, 1]]) * size
    return corners, np.array([[0, 1, 2], [1, 3, 2]])


def turned(axis: np.ndarray, angle: np.ndarray, about: Sequence[float] = (0.0, 0.0, 0.0)) -> np.ndarray:
    """(F, 4, 4) Turns by `angle` (F,) about an axis through a point."""
    turn = sk.quaternion_to_matrix(sk.quaternion_from_axis_angle(np.asarray(axis, float), np.asarray(angle, float)))
    out = np.tile(np.eye(4), (len(turn), 1, 1))
    out[:, :3, :3] = turn
    out[:, :3, 3] = about - turn @ np.asarray(about)
    return out


def riding(clip: sk.Clip, motion: np.ndarray) -> sk.Clip:
    """The clip as it is when the figure is carried by rigid transforms (F, 4, 4)."""
    local = np.array(clip.local_matrices())
    local[:, 0] = motion @ local[:, 0]
    translations, rotations, _ = sk.decompose(local)
    return clip.replace(rotations=rotations, translations=translations)


def standing(case: Known, planted: Any, motion: np.ndarray) -> dict[str, float]:
    """Slide over, penetration and float (in legs) of feet on the plane y = 0 of a space that goes by `motion`.

    Taken where a foot is known to stand and reported to.
    """
    clip = planted.clip
    matrices = reference.forward_kinematics(clip.skeleton, clip.local_matrices())
    back_to = np.linalg.inv(motion)
    slide, heights = [0.0], []
    for side, leg in zip(SIDES, planted.report.legs, strict=True):
        foot, toe = (clip.skeleton.index(f"{side}_{part}") for part in ("foot", "toe"))
        back = matrices[:, foot, :3, 3] + matrices[:, foot, :3, :3] @ TO_BACK
        ball = matrices[:, toe, :3, 3] - SOLE * motion[:, :3, 1]
        back, ball = (np.einsum("fij,fj->fi", back_to[:, :3, :3], p) + back_to[:, :3, 3] for p in (back, ball))
        found = np.zeros(clip.num_frames, bool)
        for first, last in leg.contacts:
            found[first : last + 1] = True
        for flag, point in ((case.ball[side], ball), (case.heel[side] & ~case.ball[side], back)):
            for first, last in spans_of(flag & found):
                way = (point[first : last + 1] - point[first])[:, [0, 2]]
                slide.append(float(np.linalg.norm(way, axis=1).max()))
        heights.append(np.minimum(ball[:, 1], back[:, 1])[found & case.contact[side]])
    lowest = np.concatenate(heights)
    assert len(lowest) > 100
    return {
        "slide": max(slide) / case.leg,
        "penetration": -min(lowest.min(), 0.0) / case.leg,
        "float": max(lowest.max(), 0.0) / case.leg,
    }
