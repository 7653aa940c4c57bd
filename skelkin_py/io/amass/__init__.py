# SPDX-License-Identifier: MIT
"""AMASS files and other `.npz` files with poses of the SMPL family."""

from __future__ import annotations

from .layout import AmassSource, is_amass
from .reader import clip_from_arrays, read_amass
from .writer import write_amass

__all__ = ["AmassSource", "clip_from_arrays", "is_amass", "read_amass", "write_amass"]
