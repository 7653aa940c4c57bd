# SPDX-License-Identifier: MIT
"""A floor as a mesh file."""

from __future__ import annotations

import numpy as np

POINTS = np.array([[-5.0, 0.25, -5.0], [-5.0, 0.25, 9.0], [5.0, 0.25, 9.0], [5.0, 0.25, -5.0]])
CORNERS = POINTS[[0, 1, 2, 0, 2, 3]].reshape(2, 3, 3)
LINES = ["# a floor", "o floor", *(f"v {x} {y} {z} 1.0" for x, y, z in POINTS), "vn 0 1 0", "f 1//1 2//1 3//1 -1//1"]
OBJ = "\n".join(LINES).encode()
