# SPDX-License-Identifier: MIT
"""Clips with known contacts by the number: motions of any pace and size, faults of any strength up to that of the set.

A seed gives the same clips for ever. Those of `HELD_OUT` are measured, and nothing is chosen by looking at them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import known_motions as known
import numpy as np
from known_steps import Known, Motion, build

TUNING, HELD_OUT = 1, 3
_RATES = (24.0, 25.0, 30.0, 48.0, 50.0, 60.0, 90.0, 100.0, 120.0)
_FAULTS = {"slide": 0.08, "sway": 0.02, "lift": 0.04, "sink": 0.05, "bump": 0.05, "noise": 0.004, "legs": 0.06}


@dataclass(frozen=True)
class Variant:
    """What one clip is made from: a motion, and the options of `build`."""

    name: str
    motion: Motion
    options: dict[str, Any]

    def clip(self) -> Known:
        return build(self.motion, **self.options)


def _walk(of: np.random.Generator) -> dict[str, float]:
    period = of.uniform(0.9, 1.5)
    return {
        "period": period,
        "stance": of.uniform(0.57, 0.66),
        "stride": of.uniform(0.7, 1.2) * period,
        "strike": of.uniform(0.1, 0.3),
        "push": of.uniform(0.4, 0.7),
    }


def _run(of: np.random.Generator) -> dict[str, float]:
    period = of.uniform(0.64, 0.8)
    return {"period": period, "stance": of.uniform(0.3, 0.4), "stride": of.uniform(2.0, 3.2) * period}


def _stairs(of: np.random.Generator) -> dict[str, float]:
    return {"beat": of.uniform(0.45, 0.7)}


def _dance(of: np.random.Generator) -> dict[str, float]:
    return {"beat": of.uniform(0.42, 0.7), "turn": of.uniform(-0.4, 0.4), "radius": of.uniform(0.1, 0.3)}


def _side_steps(of: np.random.Generator) -> dict[str, float]:
    return {"pace": of.uniform(0.8, 1.3), "way": of.uniform(0.15, 0.35)}


def _crawl(of: np.random.Generator) -> dict[str, float]:
    return {"period": of.uniform(1.4, 2.2), "stride": of.uniform(0.3, 0.5), "tip": of.uniform(0.7, 1.2)}


_MOTIONS: dict[str, tuple[Callable[..., Motion], Callable[[np.random.Generator], dict[str, float]]]] = {
    "walk": (known.walk, _walk),
    "run": (known.run, _run),
    "stairs": (known.stairs, _stairs),
    "dance": (known.dance, _dance),
    "in place": (known.in_place, _walk),
    "in-place loop": (known.in_place_loop, _walk),
    "side-step loop": (known.side_steps, _side_steps),
    "walk loop": (known.walk_loop, _walk),
    "crawl": (known.crawl, _crawl),
}
_SETS = [(), ("slide", "sway"), ("lift", "bump"), ("sink", "bump"), ("noise",), ("legs",), tuple(_FAULTS)]


def _faults(of: np.random.Generator, which: tuple[str, ...], motion: str) -> dict[str, float]:
    """Faults of 0.3 to 1 times the strengths of the set; all of them together of half."""
    most = 1.0 if len(which) < 3 else 0.5
    size = {fault: float(most * _FAULTS[fault] * of.uniform(0.3, 1.0)) for fault in which}
    if "sink" in size:
        size["lift"] = size.get("lift", 0.0) - size.pop("sink")
    if "legs" in size:
        size["legs"] = 1.0 + size["legs"] * float(of.choice([-1.0, 1.0]))
    if motion == "stairs" and "slide" in size:  # further, and feet come down on other steps of the stair
        size["slide"] = min(size["slide"], 0.01)
    return size


def variants(seed: int, count: int) -> Iterator[Variant]:
    """Yield random clips: motions and faults take turns, so that each motion meets each fault; all else is drawn."""
    for number in range(count):
        of = np.random.default_rng([seed, number])
        motion = list(_MOTIONS)[number % len(_MOTIONS)]
        which = _SETS[(number // len(_MOTIONS) + number) % len(_SETS)]
        make, draw = _MOTIONS[motion]
        faults = _faults(of, which, motion)
        options = {
            "fps": float(of.choice(_RATES)),
            "up": str(of.choice(["Y", "Z"])),
            "unit": float(10.0 ** of.uniform(-0.5, 2.2)),
            "seed": int(of.integers(1 << 30)),
            **faults,
        }
        name = f"{number}: {motion}, {' '.join(which) or 'clean'} at {options['fps']:g} frames/s"
        yield Variant(name, make(**draw(of)), options)
