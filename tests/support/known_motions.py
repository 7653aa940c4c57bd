# SPDX-License-Identifier: MIT
"""The set of clips with known contacts: walk, run, stairs, dance, crawl, cycles and loops, each with every fault."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
from known_steps import SIDES, Known, Motion, Step, build


def _gait(
    seconds: float, period: float, stance: float, stride: float, *, strike: float, push: float, rise: float = 0.0
) -> dict[str, list[Step]]:
    """Regular steps of two feet along z, each `stance` of a period long."""
    steps: dict[str, list[Step]] = {side: [] for side in SIDES}
    for side, x, start in (("left", 0.1, 0.0), ("right", -0.1, 0.5)):
        for n in range(-2, int(seconds / period) + 3):
            down = (n + start) * period
            long = stance * period
            place = (x, rise * (n + start), stride * (n + start))
            roll = 0.12 * long if strike else 0.0
            steps[side].append(Step(place, down, down + roll, down + 0.6 * long, down + long, strike=strike, push=push))
    return steps


def walk(seconds: float = 5.0) -> Motion:
    """Heel strike, flat, heel off: 1 m/s."""
    return Motion(_gait(seconds, 1.1, 0.6, 1.1, strike=0.2, push=0.6), seconds)


def plain_walk(seconds: float = 6.0) -> Motion:
    """The same without heel strike: feet come down flat."""
    return Motion(_gait(seconds, 1.1, 0.6, 1.1, strike=0.0, push=0.66), seconds)


def run(seconds: float = 4.0) -> Motion:
    """Flight phases: each foot is down for a third of the time; 2.6 m/s."""
    steps = _gait(seconds, 0.72, 0.34, 1.9, strike=0.1, push=0.7)
    return Motion(steps, seconds, swing=0.2, height=0.84, bounce=(0.03, 0.72))


_TREAD, _RISER = 0.28, 0.17


def _stair(points: np.ndarray) -> np.ndarray:
    return np.clip(np.floor((points[..., 2] + 0.08) / _TREAD), 0, 20) * _RISER


def stairs(seconds: float = 5.5) -> Motion:
    """From level ground up a stair, one foot per step."""
    steps: dict[str, list[Step]] = {side: [] for side in SIDES}
    for side, x, start in (("left", 0.1, 0), ("right", -0.1, 1)):
        for n in range(start - 2, 16, 2):
            down = 0.5 * n
            z = _TREAD * (n - 1) + 0.12 + 1e-9
            y = float(_stair(np.array([0.0, 0.0, z])))
            steps[side].append(Step((x, y, z), down, down, down + 0.42, down + 0.64, push=0.5))
    return Motion(steps, seconds, swing=0.07, height=0.83, ground=_stair)


def dance(seconds: float = 6.0) -> Motion:
    """Steps on a beat round a circle; the standing foot turns on its ball before it leaves."""
    steps: dict[str, list[Step]] = {side: [] for side in SIDES}
    for n in range(-3, int(seconds / 0.5) + 3):
        side, sign = SIDES[n % 2], 1.0 - 2.0 * (n % 2)
        yaw, down = 0.35 * n, 0.5 * n
        x, z = 0.2 * np.cos(1.1 * n) + 0.13 * sign * np.cos(yaw), 0.2 * np.sin(1.1 * n) - 0.13 * sign * np.sin(yaw)
        steps[side].append(Step((x, 0.0, z), down, down, down + 0.5, down + 0.66, yaw, 0.5, push=0.4))
    return Motion(steps, seconds, swing=0.1, height=0.82, bounce=(0.01, 1.0))


def in_place(seconds: float = 5.0) -> Motion:
    """The walk on the spot: the ground goes back at 1 m/s."""
    return replace(walk(seconds), velocity=(0.0, 0.0, -1.0))


def in_place_loop() -> Motion:
    """Two cycles of the walk on the spot; the last pose is the first."""
    return replace(in_place(2.2), closed=2.2)


def side_steps() -> Motion:
    """Left, together, right, together, on the spot; the last pose is the first."""
    steps: dict[str, list[Step]] = {side: [] for side in SIDES}
    for n in range(-2, 4):
        t = 2.4 * n
        for side, x, times in (("left", 0.1, (0.3, 1.5)), ("right", -0.1, (0.9, 2.1))):
            out = 0.25 if side == "left" else 0.0
            there, back = (x + out, 0.0, 0.0), (x + 0.25 - out, 0.0, 0.0)
            first, second = (t + x for x in times)
            steps[side].append(Step(there, first, first, second - 0.5, second - 0.4, push=0.35))
            steps[side].append(Step(back, second, second, first + 1.9, first + 2.0, push=0.35))
    return Motion(steps, 4.8, swing=0.08, height=0.84, bounce=(0.0, 1.2), closed=4.8)


def walk_loop() -> Motion:
    """Two cycles of the walk; the last pose is the first, 2.2 m further on."""
    return replace(walk(2.2), closed=2.2)


def crawl(seconds: float = 6.0) -> Motion:
    """On hands and knees: low and slow, heels up, feet that drag and stand on their balls alone; 0.22 m/s."""
    steps: dict[str, list[Step]] = {side: [] for side in SIDES}
    period, stride, tip = 1.8, 0.4, 1.0
    for side, x, start in (("left", 0.1, 0.0), ("right", -0.1, 0.5)):
        for n in range(-2, int(seconds / period) + 3):
            down = (n + start) * period
            up = down + 0.62 * period
            steps[side].append(Step((x, 0.0, stride * (n + start)), down, down, up, up, push=0.0, tip=tip))
    return Motion(steps, seconds, swing=0.015, height=0.46, ahead=0.33, bounce=(0.008, 1.8))


MOTIONS: dict[str, Callable[[], Motion]] = {
    "walk": walk,
    "run": run,
    "stairs": stairs,
    "dance": dance,
    "in place": in_place,
    "in-place loop": in_place_loop,
    "side-step loop": side_steps,
    "walk loop": walk_loop,
    "crawl": crawl,
}
# Faults of the strength met in real clips: what two walks of a mocap take or a retargeted library differ by.
FAULTS: dict[str, dict[str, float]] = {
    "clean": {},
    "slide": {"slide": 0.08, "sway": 0.02},
    "float": {"lift": 0.04, "bump": 0.03},
    "sink": {"lift": -0.05, "bump": 0.05},
    "noise": {"noise": 0.004},
    "retarget": {"legs": 1.06},
    "all": {"slide": 0.05, "sway": 0.01, "lift": 0.02, "bump": 0.03, "noise": 0.002, "legs": 0.96},
}
# Frame rate, axis and unit take turns, so that each motion and each fault meets several of them.
_FORMS = [(30.0, "Y", 1.0), (120.0, "Z", 1.0), (60.0, "Y", 100.0), (24.0, "Z", 100.0)]


def cases() -> dict[str, dict[str, Any]]:
    """Return the set: name → arguments of `known`; every motion with every fault."""
    out = {}
    for m, motion in enumerate(MOTIONS):
        for f, fault in enumerate(FAULTS):
            fps, up, unit = _FORMS[(m + f) % len(_FORMS)]
            faults = dict(FAULTS[fault])
            if motion == "stairs" and "slide" in faults:  # further, and feet come down on other steps of the stair
                faults["slide"] = 0.01
            out[f"{motion}, {fault}"] = {"motion": motion, "fps": fps, "up": up, "unit": unit, **faults}
    return out


@functools.cache
def known(motion: str, **options: Any) -> Known:
    """Return the clip of a motion by name; the same arguments give the same object."""
    return build(MOTIONS[motion](), **options)
