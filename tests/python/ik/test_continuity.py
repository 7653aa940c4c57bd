# SPDX-License-Identifier: MIT
"""`solve_two_bone` along paths: nothing jumps, whatever boundary the target crosses."""

from __future__ import annotations

import numpy as np
import pytest

import skelkin_py as sk

HIP, ANKLE = np.array([0.0, 2.0, 0.0]), np.array([0.0, 0.0, 0.0])
LIMBS = {
    "bent": ([0.0, 1.1, 0.5], ANKLE),
    "nearly straight": ([0.0, 1.0, 0.02], ANKLE),
    "straight": ([0.0, 1.0, 0.0], ANKLE),
    "short shin": ([0.0, 0.7, 0.3], [0.0, 0.2, 0.0]),
    "short thigh": ([0.0, 1.6, 0.2], ANKLE),
}
OPTIONS = [
    {},
    {"soften": 0.05},
    {"stretch": 1.2},
    {"stretch": 1.2, "stretch_start": 0.9, "soften": 0.1},
    {"roll": "minimal"},
]


def norm(v):
    return np.linalg.norm(v, axis=-1)


def solve(limb, target, **options):
    knee, ankle = LIMBS[limb]
    return sk.solve_two_bone(HIP, knee, ankle, target, bend=[0, 0, 1], **options)


def leg_of(limb):
    knee, ankle = (np.asarray(x) for x in LIMBS[limb])
    return norm(knee - HIP) + norm(ankle - knee)


def turn_between(p, q):
    return 2 * np.arccos(np.clip(np.abs(np.sum(p * q, -1)), 0, 1))


@pytest.mark.parametrize("limb", LIMBS)
@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_the_knee_does_not_pop_where_the_target_leaves_the_reach(limb, options):
    leg = leg_of(limb)
    for direction in ([0, -1, 0], [0, -0.9, 0.4], [0.3, -0.9, -0.3]):
        n = np.array(direction) / norm(direction)
        near = np.sort(
            np.concatenate(
                [np.linspace(0.02, 1.6, 4001), 1 + np.geomspace(1e-12, 0.1, 400), 1 - np.geomspace(1e-12, 0.1, 400)]
            )
        )
        target = HIP + leg * near[:, None] * n
        out = solve(limb, target, **options)
        step, moved = norm(np.diff(target, axis=0)), norm(np.diff(out.b, axis=0))
        assert (moved <= 2 * np.sqrt(leg * step) + 2 * step).all()
        assert (norm(np.diff(out.c, axis=0)) <= 2 * np.sqrt(leg * step) + 2 * step).all()
        for q in (out.upper, out.lower):
            assert (turn_between(q[1:], q[:-1]) <= 8 * np.sqrt(step / leg) + 8 * step / leg + 1e-7).all()


@pytest.mark.parametrize("limb", LIMBS)
def test_softening_bounds_the_speed_of_the_knee(limb):
    leg = leg_of(limb)
    for soften in (0.02, 0.1):
        d = np.linspace(0.7, 1.5, 16_001) * leg  # it acts on the far side only
        target = HIP - np.stack([0 * d, d, 0 * d], -1)
        out = solve(limb, target, soften=soften)
        speed = norm(np.diff(out.b, axis=0)) / norm(np.diff(target, axis=0))
        assert speed.max() < 1 / np.sqrt(soften)


@pytest.mark.parametrize("limb", LIMBS)
def test_swinging_the_target_around_the_hip_moves_the_knee_along(limb):
    """No path through a half sphere of directions, wherever the knee or the bend side lies on it."""
    leg = leg_of(limb)
    angle = np.linspace(-1.5, 1.5, 1501)
    for tilt in np.linspace(0, np.pi, 13):
        for length in (0.6, 0.9, 0.99):
            across = np.array([np.cos(tilt), 0, np.sin(tilt)])
            n = np.cos(angle)[:, None] * [0, -1, 0] + np.sin(angle)[:, None] * across
            target = HIP + length * leg * n
            out = solve(limb, target)
            speed = norm(np.diff(out.b, axis=0)) / norm(np.diff(target, axis=0))
            assert speed.max() < 20, (tilt, length)


def test_near_the_line_of_its_pole_the_knee_stays_slow():
    knee, ankle = LIMBS["bent"]
    pole = np.array([0.0, 1.0, 2.0])
    line = (pole - HIP) / norm(pole - HIP)
    side = np.cross(line, [1.0, 0, 0])
    for offset in np.radians([0.0, 1.0, 3.0, 10.0]):
        angle = np.linspace(-0.6, 0.6, 4001)
        n = np.cos(angle)[:, None] * (np.cos(offset) * line + np.sin(offset) * side) + np.sin(angle)[:, None] * [
            1,
            0,
            0,
        ]
        target = HIP + 1.4 * n
        out = sk.solve_two_bone(HIP, knee, ankle, target, pole=pole)
        speed = norm(np.diff(out.b, axis=0)) / norm(np.diff(target, axis=0))
        assert speed.max() < 20, offset


def test_the_answer_is_continuous_in_weight_twist_and_pose():
    knee, ankle = LIMBS["bent"]
    target = [0.2, 0.7, 0.4]
    weight = np.linspace(0, 1, 2001)
    out = sk.solve_two_bone(HIP, knee, ankle, target, weight=weight)
    assert norm(np.diff(out.b, axis=0)).max() < 2e-3
    assert norm(np.diff(out.c, axis=0)).max() < 4e-3
    out = sk.solve_two_bone(HIP, knee, ankle, target, twist=np.linspace(-3, 3, 2001))
    assert norm(np.diff(out.b, axis=0)).max() < 5e-3
    sines = np.concatenate(
        [-np.geomspace(0.3, 1e-5, 200), np.linspace(-1e-5, 1e-5, 4001), np.geomspace(1e-5, 0.3, 200)]
    )
    knees = np.stack([0 * sines, np.ones_like(sines), sines], -1)
    forward = knees[sines > -1e-8]
    out = sk.solve_two_bone(HIP, forward, ankle, target, bend=[0, 0, 1])
    assert (norm(np.diff(out.b, axis=0)) < 1e-6 + 3 * norm(np.diff(forward, axis=0))).all()


def test_no_bone_turns_further_at_part_weight_than_at_the_whole():
    rng = np.random.default_rng(5)
    a, b, c, t = rng.normal(size=(4, 500, 3))
    whole = sk.solve_two_bone(a, b, c, t)
    for weight in np.linspace(0, 1, 11):
        part = sk.solve_two_bone(a, b, c, t, weight=weight)
        upper = np.abs(np.arccos(np.clip(np.abs(part.upper[:, 0]), 0, 1)))
        assert (upper <= np.arccos(np.clip(np.abs(whole.upper[:, 0]), 0, 1)) + 1e-7).all()
