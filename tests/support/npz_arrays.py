# SPDX-License-Identifier: MIT
"""The arrays of an `.npz` file, which is closed again: a file left open would be told in some later test."""

from __future__ import annotations

from pathlib import Path

import numpy as np


def read_npz(path: Path) -> dict[str, np.ndarray]:
    """Return the arrays by name, in the file's order."""
    with np.load(path) as file:
        return dict(file)
