# SPDX-License-Identifier: MIT
"""The ground of films: squares of two tones around the body, finer where it is steep."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..stage import Stage

Array = NDArray[np.float64]

_LIGHT, _DARK = np.array([0.925, 0.937, 0.95]), np.array([0.86, 0.882, 0.905])
_RADIUS, _CELL, _FADED = 1.9, 6.0, 0.7  # of the size; cells in it; the part of the radius that is opaque
_SEEN_THROUGH = 0.86


def ground_squares(stage: Stage, middle: Array) -> tuple[Array, Array]:
    """Return the ground about a point as quads (N, 4, 3) and their colours (N, 4), fading out with the distance."""
    cell = _round(stage.size / _CELL)
    radius = _RADIUS * stage.size
    fine = callable(stage.ground)
    step = cell / 2.0 if fine else cell
    lines = [
        step * np.arange(np.floor((middle[k] - radius) / step), np.ceil((middle[k] + radius) / step) + 1)
        for k in (0, 2)
    ]
    heights = _sampled(stage, *lines)
    for _ in range(4 if fine else 0):
        for axis in (0, 1):
            gap = np.diff(lines[axis])
            jump = np.abs(np.diff(heights, axis=axis)).max(1 - axis)
            split = (jump > 0.3 * gap) & (gap > step / 12.0)
            halves = (lines[axis][:-1] + lines[axis][1:])[split] / 2.0
            lines[axis] = np.sort(np.concatenate([lines[axis], halves]))
        heights = _sampled(stage, *lines)
    points = np.stack(np.broadcast_arrays(lines[0][:, None], heights, lines[1][None, :]), -1)
    quads = np.stack([points[:-1, :-1], points[:-1, 1:], points[1:, 1:], points[1:, :-1]], axis=2).reshape(-1, 4, 3)
    centre = quads.mean(1)
    far = np.hypot(*(centre - middle)[:, [0, 2]].T) / radius
    kept = far < 1.0
    quads, centre, far = quads[kept], centre[kept], far[kept]
    odd = (np.floor(centre[:, 0] / cell) + np.floor(centre[:, 2] / cell)) % 2 == 1
    normal = np.cross(quads[:, 1] - quads[:, 0], quads[:, 3] - quads[:, 0])
    upright = np.abs(normal[:, 1]) / np.maximum(np.linalg.norm(normal, axis=1), 1e-30)
    tone = np.where(odd[:, None], _DARK, _LIGHT) * (0.62 + 0.38 * upright)[:, None]
    opaque = _SEEN_THROUGH * np.clip((1.0 - far) / (1.0 - _FADED), 0.0, 1.0)
    return quads, np.concatenate([tone, opaque[:, None]], axis=1)


def _sampled(stage: Stage, xs: Array, zs: Array) -> Array:
    flat = np.stack(np.broadcast_arrays(xs[:, None], 0.0, zs[None, :]), -1).reshape(-1, 3)
    return stage.heights(flat).reshape(len(xs), len(zs))


def _round(value: float) -> float:
    """Return the power of ten, or two or five times one, below the value."""
    unit = 10.0 ** np.floor(np.log10(value))
    return float(unit * max(m for m in (1.0, 2.0, 5.0) if m * unit <= value * (1 + 1e-9)))
