# SPDX-License-Identifier: MIT
"""Forward kinematics of upc-pymotion."""

from __future__ import annotations

import numpy as np
from pymotion.ops import skeleton


def from_rotations(parents, offsets, rotations):
    above = np.maximum(parents, 0)  # its root is its own parent
    start = np.broadcast_to(offsets[0], (len(rotations), 3)).copy()

    def call():
        return skeleton.fk(rotations, start, offsets, above)

    return call, lambda: call()[0]
