# SPDX-License-Identifier: MIT
"""Loops that come back to another place, and ground that carries on under them: made here, and closed or left open."""

from __future__ import annotations

import known_motions
import numpy as np
import reference
from known_steps import SIDES, Motion, Step, build
from standing_truth import UP, turned

import skelkin_py as sk

FPS = 60.0
FAULT = {"slide": 0.05, "sway": 0.01, "lift": 0.02, "bump": 0.03}
DEGREES = 5.0


def walk_loop(**faults):
    return known_motions.known("walk loop", fps=FPS, **faults)


def places(clip):
    return np.asarray(reference.forward_kinematics(clip.skeleton, clip.local_matrices()), float)


def way(clip, rise=0.0):
    """The displacement and turn from the first pose to the last, from the root alone, and so much further up."""
    root = places(clip)[:, 0]
    out = root[-1] @ np.linalg.inv(root[0])
    out[1, 3] += rise
    return out


def assert_closed(case, planted, travel):
    """The last pose is the first carried by `travel`, with no jump of the speed at the seam."""
    assert planted.report.loop
    at = places(planted.clip)[..., :3, 3]
    on = at[:3] @ travel[:3, :3].T + travel[:3, 3]
    inside = np.linalg.norm(np.diff(at[:-1], 2, axis=0), axis=-1).max()
    assert np.linalg.norm(on[0] - at[-1], axis=-1).max() <= 1e-6 * case.leg
    across = np.concatenate([at[-3:], on[1:]])
    assert np.linalg.norm(np.diff(across, 2, axis=0), axis=-1).max() <= 1.2 * inside


def assert_open(planted, words):
    assert not planted.report.loop
    told = [message for message in planted.report.messages if "not closed" in message]
    assert len(told) == 1
    assert words in told[0]


def ramp(num, degrees=DEGREES):
    """A plane that goes up along +z: the transform that leans a level one, and its heights."""
    motion = turned([1.0, 0.0, 0.0], np.full(num, -np.radians(degrees)))
    return motion, lambda points: np.tan(np.radians(degrees)) * points[:, 2]


TREAD, RISER = 0.28, 0.17


def endless_stair(points):
    return np.floor((points[..., 2] + 0.08) / TREAD) * RISER


def stair_loop(**faults):
    """Four steps up an endless stair, one foot per step."""
    steps = {side: [] for side in SIDES}
    for side, x, start in (("left", 0.1, 0), ("right", -0.1, 1)):
        for n in range(start - 4, 14, 2):
            down = 0.5 * n + 0.1
            step = Step((x, RISER * (n - 1), TREAD * (n - 1) + 0.12), down, down, down + 0.42, down + 0.64, push=0.5)
            steps[side].append(step)
    motion = Motion(
        steps, 2.0, swing=0.07, height=0.83, bounce=(0.012, 1.0), ground=endless_stair, closed=2.0
    )  # fmt: skip
    return build(motion, fps=FPS, **faults)


def carrier(num, across=0.0, rise=0.0, turn=0.0):
    """A plane that goes at one velocity, units per second along x and y, and turns, radians per second."""
    time = np.arange(num) / FPS
    motion = turned(UP, turn * time, (0.5, 0.0, 1.0))
    motion[:, 0, 3] += across * time
    motion[:, 1, 3] += rise * time
    return motion


CARRIERS = {"belt": {"across": 0.3}, "lift": {"rise": 0.2}, "escalator": {"across": -0.2, "rise": 0.15}}


def swinging(num, seconds, height=0.1):
    """A plane that goes up and down and to and fro once in so many seconds."""
    phase = 2.0 * np.pi * np.arange(num) / FPS / seconds + 0.7
    motion = turned([1.0, 0.0, 0.0], 0.03 * np.cos(phase))
    motion[:, 0, 3], motion[:, 1, 3] = 0.1 * np.cos(phase), height * np.sin(phase)
    return motion


def standing_still(sway=0.02):
    """A figure that shifts its weight and never lifts a foot."""
    case = known_motions.known("side-step loop", fps=FPS)
    rotations, translations = (np.repeat(x[40:41], 121, axis=0) for x in (case.clip.rotations, case.clip.translations))
    translations[:, 0, 0] += sway * np.sin(np.linspace(0.0, 2.0 * np.pi, 121))
    return case, sk.Clip(case.clip.skeleton, rotations, translations, fps=FPS)
