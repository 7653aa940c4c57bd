# SPDX-License-Identifier: MIT
"""trimesh: files read into a scene."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import trimesh


def read(path: Path) -> tuple[Callable[[], object], None]:
    """Read a file; nothing of its animations is kept."""
    return lambda: trimesh.load(path, force="scene"), None
