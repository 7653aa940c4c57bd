# SPDX-License-Identifier: MIT
"""AMASS files and other `.npz` files with poses of the SMPL family."""

from __future__ import annotations

import os

from ...clip import Clip
from ...skeleton import Skeleton
from .reader import read_amass
from .writer import write_amass

__all__ = ["read", "what_is_lost", "write"]


def read(path: str | os.PathLike[str], fps: float | None = None, skeleton: Clip | Skeleton | None = None) -> Clip:
    """Read poses of the SMPL family, see `reader.read_amass`."""
    return read_amass(path, fps, skeleton)


def write(path: str | os.PathLike[str], clip: Clip) -> None:
    """Write a clip that was read from such a file, see `writer.write_amass`."""
    write_amass(path, clip)


def what_is_lost(clip: Clip) -> tuple[str, ...]:
    """Return nothing: what such a file has no place for, `write` refuses."""
    return ()
