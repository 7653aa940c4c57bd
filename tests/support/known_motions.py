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


def walk(
    seconds: float = 5.0,
    period: float = 1.1,
    stance: float = 0.6,
    stride: float = 1.1,
    strike: float = 0.2,
    push: float = 0.6,
) -> Motion:
    """Heel strike, flat, heel off: 1 m/s. A stride is the way of a period, in which each foot steps once."""
    return Motion(_gait(seconds, period, stance, stride, strike=strike, push=push), seconds, bounce=(0.012, period))


def plain_walk(seconds: float = 6.0) -> Motion:
    """The same without heel strike: feet come down flat."""
    return walk(seconds, strike=0.0, push=0.66)


def run(seconds: float = 4.0, period: float = 0.72, stance: float = 0.34, stride: float = 1.9) -> Motion:
    """Flight phases: each foot is down for a third of the time; 2.6 m/s."""
    steps = _gait(seconds, period, stance, stride, strike=0.1, push=0.7)
    return Motion(steps, seconds, swing=0.2, height=0.84, bounce=(0.03, period))


_TREAD, _RISER = 0.28, 0.17


def _stair(points: np.ndarray) -> np.ndarray:
    return np.clip(np.floor((points[..., 2] + 0.08) / _TREAD), 0, 20) * _RISER


def stairs(seconds: float = 5.5, beat: float = 0.5) -> Motion:
    """From level ground up a stair, one foot per step."""
    steps: dict[str, list[Step]] = {side: [] for side in SIDES}
    for side, x, start in (("left", 0.1, 0), ("right", -0.1, 1)):
        for n in range(start - 2, 16, 2):
            down = beat * n
            z = _TREAD * (n - 1) + 0.12 + 1e-9
            y = float(_stair(np.array([0.0, 0.0, z])))
            steps[side].append(Step((x, y, z), down, down, down + 0.84 * beat, down + 1.28 * beat, push=0.5))
    return Motion(steps, seconds, swing=0.07, height=0.83, ground=_stair)


def dance(seconds: float = 6.0, beat: float = 0.5, turn: float = 0.35, radius: float = 0.2) -> Motion:
    """Steps on a beat round a circle; the standing foot turns on its ball before it leaves."""
    steps: dict[str, list[Step]] = {side: [] for side in SIDES}
    for n in range(-3, int(seconds / beat) + 3):
        side, sign = SIDES[n % 2], 1.0 - 2.0 * (n % 2)
        yaw, down = turn * n, beat * n
        x, z = (
            radius * np.cos(1.1 * n) + 0.13 * sign * np.cos(yaw),
            radius * np.sin(1.1 * n) - 0.13 * sign * np.sin(yaw),
        )
        off, up = down + beat, down + 1.32 * beat
        steps[side].append(Step((x, 0.0, z), down, down, off, up, yaw, 0.5, push=0.4))
    return Motion(steps, seconds, swing=0.1, height=0.82, bounce=(0.01, 2.0 * beat))


def in_place(seconds: float = 5.0, **gait: float) -> Motion:
    """The walk on the spot: the ground goes back at 1 m/s."""
    speed = gait.get("stride", 1.1) / gait.get("period", 1.1)
    return replace(walk(seconds, **gait), velocity=(0.0, 0.0, -speed))


def in_place_loop(**gait: float) -> Motion:
    """Two cycles of the walk on the spot; the last pose is the first."""
    seconds = 2.0 * gait.get("period", 1.1)
    return replace(in_place(seconds, **gait), closed=seconds)


def side_steps(pace: float = 1.0, way: float = 0.25) -> Motion:
    """Left, together, right, together, on the spot; the last pose is the first."""
    steps: dict[str, list[Step]] = {side: [] for side in SIDES}
    for n in range(-2, 4):
        for side, x, times in (("left", 0.1, (0.3, 1.5)), ("right", -0.1, (0.9, 2.1))):
            out = way if side == "left" else 0.0
            there, back = (x + out, 0.0, 0.0), (x + way - out, 0.0, 0.0)
            first, second = (2.4 * n + x for x in times)
            for place, *at in (
                (there, first, first, second - 0.5, second - 0.4),
                (back, second, second, first + 1.9, first + 2.0),
            ):
                down, flat, off, up = (pace * t for t in at)
                steps[side].append(Step(place, down, flat, off, up, push=0.35))
    return Motion(steps, 4.8 * pace, swing=0.08, height=0.84, bounce=(0.0, 1.2 * pace), closed=4.8 * pace)


def walk_loop(**gait: float) -> Motion:
    """Two cycles of the walk; the last pose is the first, 2.2 m further on."""
    seconds = 2.0 * gait.get("period", 1.1)
    return replace(walk(seconds, **gait), closed=seconds)


def crawl(seconds: float = 6.0, period: float = 1.8, stride: float = 0.4, tip: float = 1.0) -> Motion:
    """On hands and knees: low and slow, heels up, feet that drag and stand on their balls alone; 0.22 m/s."""
    steps: dict[str, list[Step]] = {side: [] for side in SIDES}
    for side, x, start in (("left", 0.1, 0.0), ("right", -0.1, 0.5)):
        for n in range(-2, int(seconds / period) + 3):
            down = (n + start) * period
            up = down + 0.62 * period
            steps[side].append(Step((x, 0.0, stride * (n + start)), down, down, up, up, push=0.0, tip=tip))
    return Motion(steps, seconds, swing=0.015, height=0.46, ahead=0.33, bounce=(0.008, period))


MOTIONS: dict[str, Callable[..., Motion]] = {
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
