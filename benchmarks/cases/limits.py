# SPDX-License-Identifier: MIT
"""What memory allows for arrays of the sizes that skinning writes: filling them, and copying them."""

from __future__ import annotations

import ctypes

import numpy as np

from cases import Case

VERTICES = 100_000


def cases() -> list[Case]:
    found = []
    for poses in (1, 64):
        source = np.zeros((poses, VERTICES, 3), np.float32)
        target = np.ones_like(source)
        candidates = {
            "memset": lambda t=target: ctypes.memset(t.ctypes.data, 0, t.nbytes),
            "memcpy": lambda t=target, s=source: ctypes.memmove(t.ctypes.data, s.ctypes.data, t.nbytes),
        }
        work = poses * VERTICES
        found.append(Case("limits", f"memory, {poses} poses", "Mverts/s", candidates, work, 1e-6))
    return found
