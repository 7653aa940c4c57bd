# SPDX-License-Identifier: MIT
"""What a case is: the same work by several candidates, compared with one float64 result."""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
from peers import find
from scene import PICK

sys.path.append(str(Path(__file__).resolve().parents[2] / "tests"))  # the float64 reference


@dataclass
class Candidate:
    """One way to do the work. `result` gives what the call left behind, poses first."""

    call: Callable[[], object]
    result: Callable[[], np.ndarray] | None = None
    before: Callable[[], object] | None = None  # run before each sample, outside the clock
    times: int = 1  # how often a call does the work: for what loops outside Python


@dataclass
class Case:
    """One row group of the tables; no two cases have the same name."""

    name: str
    unit: str
    work: float = 0.0  # items per call for a rate; 0 where the figure is a time
    scale: float = 1.0  # from items per second, or seconds, to the unit
    writes: float = 0.0  # bytes of result per call
    flops: float = 0.0  # additions and multiplications per call that the algorithm cannot do without
    max_rounds: int = 25
    alone: bool = True  # the work is done in this process on one core
    expected: np.ndarray | None = None  # of the poses scene.PICK
    tolerance: float = 1e-5
    candidates: dict[str, Candidate] = field(default_factory=dict)
    errors: dict[str, float] = field(default_factory=dict)  # greatest difference from `expected`
    facts: dict[str, float] = field(default_factory=dict)  # figures that are not times, already in the unit

    def add(
        self,
        name: str,
        call: Callable[[], object],
        result: Callable[[], np.ndarray] | None = None,
        before: Callable[[], object] | None = None,
        times: int = 1,
    ) -> None:
        self.candidates[name] = Candidate(call, result, before, times)

    def offer(self, name: str, peer: str, prepare: Callable[[ModuleType], tuple[Any, Any]], times: int = 1) -> None:
        """Add a peer's candidate, unless its library is missing."""
        module = find(peer)
        if module is not None:
            self.add(name, *prepare(module), times=times)

    def add_copies(self) -> None:
        """Add what memory allows: setting and copying as many bytes as a call of the case writes."""
        source, target = np.ones(int(self.writes), np.uint8), np.zeros(int(self.writes), np.uint8)
        self.add("memset", lambda: ctypes.memset(target.ctypes.data, 0, target.nbytes))
        self.add("memcpy", lambda: ctypes.memmove(target.ctypes.data, source.ctypes.data, target.nbytes))

    def figure(self, seconds: float) -> float:
        """Return what the tables show for one call's seconds."""
        return self.work / seconds * self.scale if self.work else seconds * self.scale

    def check(self, name: str) -> None:
        """Run a candidate once and note how far it is from what is expected."""
        candidate = self.candidates[name]
        if candidate.before:
            candidate.before()
        candidate.call()
        if candidate.result is None or self.expected is None:
            return
        result = np.asarray(candidate.result())[PICK].astype(np.float64)
        if result.shape != self.expected.shape:
            raise ValueError(f"{self.name}, {name}: result is {result.shape}, expected {self.expected.shape}")
        self.errors[name] = float(np.abs(result - self.expected).max())
