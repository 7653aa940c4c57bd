# SPDX-License-Identifier: MIT
"""An uneven ground of 100 000 triangles along the way of the benchmarks' walk."""

from __future__ import annotations

import numpy as np

import skelkin_py as sk

ROWS, COLUMNS = 1_001, 51  # 1 000 × 50 squares of two triangles
WIDTH, MARGIN = 200.0, 300.0  # centimetres


def uneven_ground(length: float) -> sk.MeshGround:
    """Return hills of up to 12 cm, Y up, from z = −MARGIN to length + MARGIN."""
    z, x = np.meshgrid(
        np.linspace(-MARGIN, length + MARGIN, ROWS), np.linspace(-WIDTH / 2, WIDTH / 2, COLUMNS), indexing="ij"
    )
    height = 7.0 * np.sin(z / 90.0) + 3.0 * np.sin(x / 37.0 + 1.0) + 2.0 * np.sin((x + z) / 23.0)
    first = (np.arange(ROWS - 1)[:, None] * COLUMNS + np.arange(COLUMNS - 1)).ravel()
    right, below, across = first + 1, first + COLUMNS, first + COLUMNS + 1
    faces = np.concatenate([np.stack([first, below, right], axis=1), np.stack([right, below, across], axis=1)])
    return sk.MeshGround(np.stack([x, height, z], axis=-1).reshape(-1, 3), faces)
