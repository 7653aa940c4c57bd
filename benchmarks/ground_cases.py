# SPDX-License-Identifier: MIT
"""The known walk on other grounds than a floor: an uneven mesh, and a ground that rises, turns and tips."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import skelkin_py as sk

TESTS = Path(__file__).resolve().parent.parent / "tests"
sys.path[:0] = [str(TESTS / "support"), str(TESTS)]

import known_motions  # noqa: E402
from known_steps import SIDES, SOLE, TO_BACK, Known, spans_of  # noqa: E402
from standing_truth import plane, riding, turned  # noqa: E402

__all__ = ["GROUNDS", "GroundCase", "ground_case", "stance_on"]

Array = NDArray[np.float64]
_FPS = 60.0
_TILE = 0.05  # metres


@dataclass(frozen=True)
class GroundCase:
    """A clip with known contacts, its ground, and the same ground as formulas.

    `height` and `normal` are those of places (N, 3) of the space that goes by the rigid transforms `motion`.
    """

    known: Known
    clip: sk.Clip
    ground: Any
    motion: Array
    height: Callable[[Array], Array]
    normal: Callable[[Array], Array]


def _waves(points: Array) -> Array:
    return np.asarray(0.03 * np.sin(1.9 * points[:, 0]) * np.cos(1.6 * points[:, 2]) + 0.03 * points[:, 2])


def _wave_normals(points: Array) -> Array:
    x, z = points[:, 0], points[:, 2]
    along = -0.057 * np.cos(1.9 * x) * np.cos(1.6 * z), 0.048 * np.sin(1.9 * x) * np.sin(1.6 * z) - 0.03
    normal = np.stack([along[0], np.ones(len(x)), along[1]], axis=-1)
    return np.asarray(normal / np.linalg.norm(normal, axis=1, keepdims=True))


def _uneven(known: Known) -> GroundCase:
    """Make a mesh of waves with tiles of 5 cm: the mesh is nowhere more than 0.04 mm off the formula."""
    x, z = np.meshgrid(np.arange(-40, 41) * _TILE, np.arange(-40, 181) * _TILE, indexing="ij")
    points = np.stack([x, np.zeros_like(x), z], axis=-1).reshape(-1, 3)
    points[:, 1] = _waves(points)
    rows, columns = x.shape
    corner = np.arange((rows - 1) * columns).reshape(rows - 1, columns)[:, :-1].ravel()
    faces = [np.stack([corner, corner + 1, corner + columns], axis=-1)]
    faces.append(np.stack([corner + 1, corner + columns + 1, corner + columns], axis=-1))
    still = np.tile(np.eye(4), (known.clip.num_frames, 1, 1))
    return GroundCase(known, known.clip, sk.MeshGround(points, np.concatenate(faces)), still, _waves, _wave_normals)


def _moving(known: Known) -> GroundCase:
    """Make a plate that rises, turns and tips, and carries the walker."""
    time = np.arange(known.clip.num_frames) / _FPS
    lift = np.tile(np.eye(4), (len(time), 1, 1))
    lift[:, 1, 3] = 0.3 * np.sin(1.5 * time)
    motion = lift @ turned((0, 1, 0), 0.3 * np.sin(time)) @ turned((1, 0, 0.5), 0.08 * np.sin(1.3 * time), (0, 0, 2.5))
    ground = sk.MeshGround(*plane(), transforms=motion)
    up = np.array([0.0, 1.0, 0.0])
    return GroundCase(
        known,
        riding(known.clip, motion),
        ground,
        motion,
        lambda points: np.zeros(len(points)),
        lambda points: np.broadcast_to(up, points.shape),
    )


GROUNDS: dict[str, Callable[[Known], GroundCase]] = {
    "walk on an uneven mesh, slide": _uneven,
    "walk on moving ground, slide": _moving,
}


def ground_case(name: str) -> GroundCase:
    """Return a case by its name."""
    return GROUNDS[name](known_motions.known(motion="walk", fps=_FPS, **known_motions.FAULTS["slide"]))


def stance_on(case: GroundCase, matrices: Array, found: NDArray[np.bool_]) -> dict[str, float]:
    """Slide, penetration and float of ball and heel where both truth and report say that they stand, in legs.

    `matrices` (F, J, 4, 4) are the planted globals, `found` (legs, F) the reported contacts. Slide is that over the
    ground, in its own level plane.
    """
    known, undo = case.known, np.linalg.inv(case.motion)
    slide, deepest, highest = [0.0], [0.0], [0.0]
    for k, side in enumerate(SIDES):
        foot, toe = (case.clip.skeleton.index(f"{side}_{part}") for part in ("foot", "toe"))
        heel, joint = (np.einsum("fij,fj->fi", undo, p) for p in (
            np.c_[matrices[:, foot, :3, 3] + matrices[:, foot, :3, :3] @ TO_BACK, np.ones(len(matrices))],
            matrices[:, toe, :, 3],
        ))  # fmt: skip
        back = heel[:, :3]
        ball = joint[:, :3] - SOLE * case.normal(joint[:, :3])
        for flag, point in ((known.ball[side], ball), (known.heel[side] & ~known.ball[side], back)):
            for first, last in spans_of(flag & found[k]):
                way = (point[first : last + 1] - point[first])[:, [0, 2]]
                slide.append(float(np.linalg.norm(way, axis=1).max()) / known.leg)
        above = np.stack([p[:, 1] - case.height(p) for p in (ball, back)])
        lowest = above.min(axis=0)[known.contact[side] & found[k]] / known.leg
        deepest.append(float(-lowest.min(initial=0.0)))
        highest.append(float(lowest.max(initial=0.0)))
    return {"slide": max(slide), "penetration": max(deepest), "float": max(highest)}
