# SPDX-License-Identifier: GPL-3.0-or-later
"""Arrays as text, to be kept in properties."""

from __future__ import annotations

import base64
import zlib

import numpy as np


def packed(values: np.ndarray) -> str:
    """Return numbers as text, in single precision."""
    return base64.b64encode(zlib.compress(np.asarray(values, "<f4").tobytes())).decode("ascii")


def unpacked(text: str, *shape: int) -> np.ndarray:
    """Return the numbers of a text, rows of this ``shape``.

    >>> unpacked(packed(np.ones((2, 3))), 3).shape, unpacked("", 3).shape
    ((2, 3), (0, 3))
    """
    return np.frombuffer(zlib.decompress(base64.b64decode(text)) if text else b"", "<f4").reshape(-1, *shape)
