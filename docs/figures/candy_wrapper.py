# SPDX-License-Identifier: MIT
"""The figure of docs/skinning.md: a tube that is twisted and one that is bent, linear and by dual quaternions.

`python docs/figures/candy_wrapper.py` writes docs/figures/candy_wrapper.svg.
"""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import numpy as np
from svg import COOL, SOFT, WARM, Camera, Page

import skelkin_py as sk

RINGS, SIDES, RADIUS, HALF = 41, 30, 0.42, 1.5
CAMERA = Camera(20.0, 22.0, 92.0)
LIGHT = np.array([0.3, 0.8, 0.52])


def tube() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return points (V, 3), normals (V, 3) and quads (N, 4) of a tube along x whose joint is in the middle."""
    even = np.linspace(-1, 1, RINGS)
    along = np.repeat(HALF * (0.35 * even + 0.65 * even**3), SIDES)  # closer in the middle
    angle = np.tile(np.arange(SIDES) * 2 * np.pi / SIDES, RINGS)
    normals = np.stack([0 * angle, np.cos(angle), np.sin(angle)], axis=1)
    ring, side = np.divmod(np.arange((RINGS - 1) * SIDES), SIDES)
    after = (side + 1) % SIDES
    quads = np.stack(
        [ring * SIDES + side, ring * SIDES + after, (ring + 1) * SIDES + after, (ring + 1) * SIDES + side], 1
    )
    return np.stack([along, 0 * angle, 0 * angle], axis=1) + RADIUS * normals, normals, quads


def weights(points: np.ndarray) -> sk.SkinWeights:
    """Let the second joint take over smoothly around the middle."""
    x = np.clip(0.5 + points[:, 0] / 1.3, 0.0, 1.0)
    second = x * x * (3 - 2 * x)
    return sk.SkinWeights(np.tile([0, 1], (len(points), 1)), np.stack([1 - second, second], axis=1), 2)


def colours(quads: np.ndarray, light: np.ndarray) -> list[str]:
    """Return a colour for each quad: two stripes along the tube, so that twist shows."""
    stripe = (quads[:, 0] % SIDES) // (SIDES // 6) % 2 == 1
    base = np.where(stripe[:, None], [200.0, 120, 88], [236.0, 214, 190])
    shade = np.clip(0.45 + 0.6 * light, 0.3, 1.08)[:, None]
    return [f"#{r:02x}{g:02x}{b:02x}" for r, g, b in np.clip(base * shade, 0, 255).astype(int).tolist()]


def draw(
    page: Page, origin: tuple[float, float], move: np.ndarray, method: Literal["linear", "dual_quaternion"]
) -> float:
    """Draw the tube whose right half is moved by `move`; return its smallest radius about the middle ring's centre."""
    points, normals, quads = tube()
    matrices = np.stack([np.eye(4), move])
    moved = sk.skin_mesh(points, weights(points), matrices, normals=normals, method=method)
    at = CAMERA(moved.points, origin)[quads]
    edge, other = at[:, 2] - at[:, 0], at[:, 3] - at[:, 1]
    seen = np.flatnonzero(edge[:, 0] * other[:, 1] - edge[:, 1] * other[:, 0] < 0)
    paint = colours(quads, moved.normals[quads].mean(axis=1) @ LIGHT)
    for k in seen[np.argsort(CAMERA.depth(moved.points[quads[seen]].mean(axis=1)))]:
        page.patch(at[k], paint[k])
    page.patch(CAMERA(moved.points[-SIDES:], origin), "#8a5a45")
    rings = moved.points.reshape(RINGS, SIDES, 3)
    return float(np.linalg.norm(rings - rings.mean(axis=1, keepdims=True), axis=-1).mean(axis=1).min())


def figure() -> str:
    page = Page(860, 560, "A tube twisted and bent: linear skinning and dual quaternions")
    page.text((250, 34), 'method="linear"', 16, text_anchor="middle", font_weight="bold", fill=WARM)
    page.text((640, 34), 'method="dual_quaternion"', 16, text_anchor="middle", font_weight="bold", fill=COOL)
    twist = sk.compose([0, 0, 0], sk.quaternion_from_axis_angle([1.0, 0, 0], np.radians(170.0)))
    bend = sk.compose([0, 0, 0], sk.quaternion_from_axis_angle([0, 0, 1.0], np.radians(110.0)))
    for row, (name, move) in enumerate((("twisted by 170°", twist), ("bent by 110°", bend))):
        for column, method in enumerate(("linear", "dual_quaternion")):
            x, y = 250 + 390 * column + 40 * row, 150 + 290 * row
            smallest = draw(page, (x, y), move, method)
            words = f"narrowest ring: {smallest / RADIUS:.0%} of its radius"
            page.text((250 + 390 * column, 248 + 290 * row), words, 13, text_anchor="middle", fill=SOFT)
        page.text((30, 60 + 290 * row), name, 14, font_weight="bold")
    return page.finish()


if __name__ == "__main__":
    Path(__file__).with_name("candy_wrapper.svg").write_text(figure(), encoding="utf-8")
