# SPDX-License-Identifier: MIT
"""What planting computes of legs and contacts over all frames, against the same in plain numpy."""

from __future__ import annotations

import engine
import numpy as np
import pytest

FRAMES = 40


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(7)


@pytest.fixture
def leg(rng) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Hip, knee and ankle, near a leg that hangs down."""
    return tuple(np.array([0.0, height, 0.0]) + rng.normal(size=(FRAMES, 3)) * 0.2 for height in (2.0, 1.0, 0.0))


def random_frames(rng, count: int = FRAMES) -> np.ndarray:
    """(count, 3, 3) Rotations with scale."""
    turns = np.linalg.qr(rng.normal(size=(count, 3, 3)))[0]
    return np.ascontiguousarray(turns * rng.uniform(0.5, 2.0, size=(count, 1, 1)))


def test_knee_angles_are_those_between_thigh_and_shin(leg):
    hip, knee, ankle = leg
    thigh, shin = hip - knee, ankle - knee
    cosine = (thigh * shin).sum(axis=1) / np.linalg.norm(thigh, axis=1) / np.linalg.norm(shin, axis=1)
    assert engine.knee_angles(hip, knee, ankle) == pytest.approx(np.degrees(np.arccos(cosine)), abs=1e-9)


def test_a_straight_leg_has_a_knee_of_180_degrees():
    hip, knee, ankle = (np.array([[0.3, height, 0.1]]) for height in (2.0, 1.2, 0.1))
    assert engine.knee_angles(hip, knee, ankle).tolist() == [180.0]


def test_points_are_seen_from_moving_frames(rng):
    axes, origins, points = random_frames(rng), rng.normal(size=(FRAMES, 3)), rng.normal(size=(FRAMES, 3))
    seen, flat = engine.seen_from(axes, origins, points)
    assert flat == FRAMES
    assert np.allclose(seen, np.linalg.solve(axes, (points - origins)[..., None])[..., 0], rtol=1e-11)


@pytest.mark.parametrize("number", [0.0, np.nan])
def test_the_first_frame_without_volume_is_named(rng, number):
    axes = random_frames(rng)
    axes[[11, 30], :, 1] = number
    assert engine.seen_from(axes, np.zeros((FRAMES, 3)), np.ones((FRAMES, 3)))[1] == 11


def test_jumps_are_differences_of_the_joints():
    rng = np.random.default_rng(3)
    hip, knee, ankle = rng.normal(size=(3, 40, 3))
    flexion = rng.normal(size=40)
    overturned, of_hip, of_ankle, second, third = engine.leg_jumps(hip, knee, ankle, flexion)
    line = (ankle - hip) / np.linalg.norm(ankle - hip, axis=1)[:, None]
    bend = (knee - hip) - np.sum((knee - hip) * line, axis=1)[:, None] * line
    cosine = np.sum((knee - hip) * (ankle - knee), axis=1) / np.linalg.norm(knee - hip, axis=1)
    bent = np.degrees(np.arccos(cosine / np.linalg.norm(ankle - knee, axis=1))) > 7.0
    assert overturned[0] == 0.0
    np.testing.assert_array_equal(overturned[1:], (np.sum(bend[1:] * bend[:-1], axis=1) < 0.0) & bent[1:] & bent[:-1])
    for found, points in ((of_hip, hip), (of_ankle, ankle)):
        np.testing.assert_allclose(found[1:-1], np.linalg.norm(np.diff(points, 2, axis=0), axis=1))
    np.testing.assert_allclose(second[1:-1], np.abs(np.diff(flexion, 2)))
    np.testing.assert_allclose(third[2:-1], np.abs(np.diff(flexion, 3)))
    assert not any(row[[0, -1]].any() for row in (of_hip, of_ankle, second, third))


def test_a_foot_that_is_held_with_its_toes_a_little_up_does_not_roll_on_its_heel():
    rise = np.array([0.2, 0.1, 0.03, 0.03, 0.03, 0.01, -0.1])
    ball = np.stack([np.zeros(7), rise, np.sqrt(1.0 - rise * rise)], axis=1)
    assert engine.rolls_on_heel(np.zeros((7, 3)), ball, np.array([0.0, 1.0, 0.0])).tolist() == [True] * 2 + [False] * 5


LIMITS = {"shortest_core": 4, "shortest_rest": 4, "shortest": 6, "steady": 0.35, "stay": 0.03, "quiet": 0.15}


LIMITS |= {
    "lift": 0.0037,
    "noise": 3.0,
    "sets_off": 0.033,
    "rises_off": 0.00006,
    "departing": 2,
    "brief": 6,
    "gap": 4.8,
    "same_place": 0.05,
}


@pytest.mark.parametrize(("first", "last"), [(300, 2700), (0, 2999), (1480, 1530)])
def test_a_contact_is_found_whole_however_long_it_is(first, last):
    """It begins where the foot rests, in the middle, and creeps too fast for that on both sides."""
    frames = np.arange(3000)
    inside = (frames >= first) & (frames <= last)
    speed = np.where(inside, np.where(np.abs(frames - 1500) < 10, 0.0, 0.1), 3.0)
    velocity = np.stack([speed, np.zeros(3000), np.zeros(3000)], axis=1)
    limits = np.zeros(1, engine.CONTACT_LIMITS)
    for name, limit in LIMITS.items():
        limits[name] = limit
    found = engine.find_contacts(
        speed == 0.0, inside, np.zeros(3000, bool), np.where(inside, 0.0, 0.3), velocity,
        np.cumsum(velocity, axis=0) / 60.0, velocity[1:], np.zeros(2999), limits,
    )  # fmt: skip
    assert found == [(first, last)]
