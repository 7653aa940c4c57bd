# SPDX-License-Identifier: MIT
"""Arrays of where joints are, as text-to-motion and pose estimation write them."""

from __future__ import annotations

from .reader import has_positions, read_positions
from .source import PositionsSource
from .writer import write_positions

__all__ = ["PositionsSource", "has_positions", "read_positions", "write_positions"]
