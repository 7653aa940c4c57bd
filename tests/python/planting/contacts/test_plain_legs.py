# SPDX-License-Identifier: MIT
"""Contact detection on legs that move in one plane, made by formulas that share nothing with the other known clips."""

from __future__ import annotations

import numpy as np
import pytest

import skelkin_py as sk

THIGH, SHIN, ANKLE, HEEL, BALL = 0.44, 0.42, 0.08, 0.06, 0.13  # m; heel and ball from below the ankle, along the sole
NAMES = ["Hips", *(side + part for side in ("Left", "Right") for part in ("UpLeg", "Leg", "Foot", "Toe"))]
PARENTS = [-1, 0, 1, 2, 3, 0, 5, 6, 7]


def about_x(angle):
    return np.stack([np.cos(angle / 2), np.sin(angle / 2), 0 * angle, 0 * angle], axis=-1)


def legs(hips, ankles, tips, fps, jitter=0.0, seed=0):
    """A clip from hips (F, 2) and per side ankles (F, 2), up and ahead, and how far the toes point down (F,)."""
    rest = np.tile(np.eye(4), (9, 1, 1))
    for first, x in ((1, 0.1), (5, -0.1)):
        rest[first : first + 4, :3, 3] = (x, 0, 0), (0, -THIGH, 0), (0, -SHIN, 0), (0, -ANKLE, BALL)
    angles = np.zeros((len(hips), 9))
    for first, ankle, tip in zip((1, 5), ankles, tips, strict=True):
        up, ahead = (ankle - hips).T
        far = np.clip(np.hypot(up, ahead), 0.3, THIGH + SHIN - 1e-6)
        at_hip = np.arccos((THIGH**2 + far**2 - SHIN**2) / (2 * THIGH * far))
        at_ankle = np.arccos((SHIN**2 + far**2 - THIGH**2) / (2 * SHIN * far))
        way = np.arctan2(-ahead, -up)
        angles[:, first] = way - at_hip
        angles[:, first + 1] = at_hip + at_ankle
        angles[:, first + 2] = tip - way - at_ankle
    rng = np.random.default_rng(seed)
    moved = np.tile(rest[:, :3, 3], (len(hips), 1, 1))
    moved[:, 0, 1:] = hips
    moved[:, 0] += rng.normal(0.0, jitter, (len(hips), 3))
    # As many radians as the root has metres: half a degree with 9 mm.
    turned = about_x(angles + rng.normal(0.0, jitter, angles.shape))
    return sk.Clip(sk.Skeleton(np.array(PARENTS), rest, NAMES), turned, moved, fps=fps)


def minimum_jerk(part):
    return part**3 * (10 - 15 * part + 6 * part**2)


def walk(fps, strike=0.0, push=0.0, stride=1.2, period=1.1, duty=0.6, **noise):
    """Steps from heel to toe: the clip and when its feet stand; a foot that stands never slips."""
    time = np.arange(round(6.0 * fps) + 1) / fps
    hips = np.stack([np.full(len(time), 0.85), stride * time / period], axis=1)
    ankles, tips, truth = [], [], []
    for phase in (0.0, 0.5):
        cycle = time / period - phase
        step, part = np.floor(cycle), cycle - np.floor(cycle)
        stand = part <= duty
        swing = minimum_jerk(np.clip((part - duty) / (1 - duty), 0, 1))
        tip = np.where(part < 0.12, -strike * (1 - part / 0.12), push * np.clip((part - 0.4) / (duty - 0.4), 0, 1) ** 2)
        tip = np.where(stand, tip, push - (push + strike) * swing)
        # The point it rolls about is on the ground in stance; in the air the ball goes from one place to the next.
        place = stride * (step + phase + duty / 2)
        pivot = np.where(tip < 0, -HEEL, BALL)
        ahead, height = place + pivot, 0 * time
        touch = np.array([-HEEL * (1 - np.cos(strike)) + BALL * (np.cos(strike) - 1), (HEEL + BALL) * np.sin(strike)])
        ahead = np.where(stand, ahead, place + BALL + swing * (stride + touch[0]))
        height = np.where(stand, height, swing * touch[1] + 0.1 * np.sin(np.pi * swing) ** 2)
        pivot = np.where(stand, pivot, BALL)
        sine, cosine = np.sin(tip), np.cos(tip)
        ankles.append(np.stack([height + ANKLE * cosine + pivot * sine, ahead + ANKLE * sine - pivot * cosine], axis=1))
        tips.append(tip)
        truth.append(stand)
    return legs(hips, ankles, tips, fps, **noise), np.array(truth)


def agreement(clip, truth):
    """Frame F1 of both feet."""
    found = np.zeros_like(truth)
    for own, leg in zip(found, sk.plant_feet(clip).report.legs, strict=True):
        for first, last in leg.contacts:
            own[first : last + 1] = True
    return 2 * (found & truth).sum() / (found.sum() + truth.sum())


@pytest.mark.parametrize("fps", [24.0, 30.0, 60.0, 120.0])
def test_feet_that_step_on_the_spot_are_in_the_air_in_between(fps):
    """They go straight up and down: their pivots rest to rounding in the level plane, and yet they do not stand."""
    time = np.arange(round(5.0 * fps) + 1) / fps
    parts = [np.mod(time + phase, 1.0) for phase in (0.0, 0.5)]
    lifts = [0.15 * np.sin(np.pi * np.clip((part - 0.6) / 0.4, 0, 1)) for part in parts]
    ankles = [np.stack([ANKLE + lift, np.zeros(len(time))], axis=1) for lift in lifts]
    hips = np.stack([np.full(len(time), 0.9), 0.01 * np.sin(2 * np.pi * time)], axis=1)
    clip = legs(hips, ankles, np.zeros((2, len(time))), fps)
    assert agreement(clip, np.array([part <= 0.6 for part in parts])) >= 0.97


@pytest.mark.parametrize("fps", [24.0, 30.0, 60.0, 120.0])
def test_a_jump_straight_up_is_a_flight(fps):
    time = np.arange(round(4.0 * fps) + 1) / fps
    since = np.mod(time, 1.3) - 0.9
    lift = np.where(since > 0, 4.905 * since * (0.4 - since), 0.0)
    ankles = [np.stack([ANKLE + lift, np.zeros(len(time))], axis=1)] * 2
    hips = np.stack([0.9 + lift, np.zeros(len(time))], axis=1)
    truth = np.array([since <= 0] * 2)
    assert agreement(legs(hips, ankles, np.zeros((2, len(time))), fps), truth) >= 0.97


@pytest.mark.parametrize("fps", [30.0, 60.0, 120.0])
def test_feet_stand_while_they_roll_about_a_heel_of_which_nothing_is_known(fps):
    """Their flat moments rest to rounding; a heel that is elsewhere than is typical does not, and stands too."""
    clip, truth = walk(fps, strike=np.radians(20), push=np.radians(35))
    assert agreement(clip, truth) >= 0.97


@pytest.mark.slow
@pytest.mark.parametrize(("jitter", "bar"), [(0.003, 0.96), (0.006, 0.94), (0.012, 0.9)])
def test_feet_stand_in_noise_on_every_joint_and_the_root(jitter, bar):
    """White noise of 3 to 12 mm on the root and 0.2 to 0.7 degrees on every joint of every frame."""
    scores = [agreement(*walk(fps, jitter=jitter, seed=seed)) for fps in (24.0, 30.0, 60.0, 120.0) for seed in (1, 2)]
    assert np.mean(scores) >= bar
