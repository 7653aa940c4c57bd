# SPDX-License-Identifier: MIT
"""What a case is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field


@dataclass
class Case:
    """One row group of the tables: the same work by several candidates."""

    theme: str
    name: str
    unit: str
    candidates: dict[str, Callable[[], object]]
    work: float = 0.0  # items per call for a rate; 0 where the figure is a time
    scale: float = 1.0  # from items per second, or seconds, to the unit
    max_rounds: int = 1000
    errors: dict[str, float] = field(default_factory=dict)  # greatest difference from the float64 reference

    def figure(self, seconds: float) -> float:
        """Return what the tables show for one call's seconds."""
        return self.work / seconds * self.scale if self.work else seconds * self.scale
