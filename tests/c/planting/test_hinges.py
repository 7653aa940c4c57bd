# SPDX-License-Identifier: MIT
"""Knees as hinges: the axis found in motion that was made about a known one, and knees placed on its side."""

from __future__ import annotations

import engine
import numpy as np
import pytest

FRAMES, THIGH, SHIN = 400, 0.45, 0.42
AXIS = np.array([0.96, 0.0, 0.28])
NO_HINT = np.zeros(3)


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(18)


def turn(axis, degrees):
    """(..., 3, 3) by Rodrigues' formula, about unit vectors."""
    axis, angle = np.asarray(axis, float), np.radians(degrees)[..., None, None]
    x, y, z = np.moveaxis(np.broadcast_to(axis, (*np.shape(degrees), 3)), -1, 0)
    o = np.zeros_like(x)
    skew = np.stack([np.stack(row, -1) for row in ((o, -z, y), (z, o, -x), (-y, x, o))], -2)
    return np.eye(3) + np.sin(angle) * skew + (1 - np.cos(angle)) * skew @ skew


def unit(v):
    return v / np.linalg.norm(v, axis=-1, keepdims=True)


def any_axes(rng, count):
    return turn(unit(rng.normal(size=(count, 3))), rng.uniform(0.0, 180.0, count))


class Motion:
    """A leg whose shin turns about `axis` in the thigh's axes, so many degrees a frame, with noise; toes ahead."""

    def __init__(self, rng, flexion, axis=AXIS, noise=0.0, toes_off=0.0):
        count = len(flexion)
        turns = any_axes(rng, count)
        shaken = turn(unit(rng.normal(size=(count, 3))), rng.normal(size=count) * noise)
        bend = turn(axis, np.asarray(flexion, float))
        down = np.array([0.0, -1.0, 0.0])
        self.hip = rng.normal(size=(count, 3))
        self.knee = self.hip + THIGH * turns @ down
        shin = np.einsum("fij,fjk,fkl,l->fi", turns, shaken, bend, SHIN * down)
        self.ankle = self.knee + shin
        ahead = turn(down, np.full(1, toes_off))[0] @ np.cross(down, axis)
        self.toes = np.einsum("fij,fjk,k->fi", turns, bend, ahead - 0.3 * down)
        self.upper = turns
        self.wanted = axis

    @property
    def joints(self):
        return self.hip, self.knee, self.ankle, np.ascontiguousarray(self.upper)

    def hinge(self, toes=True, rest=NO_HINT):
        return engine.find_hinge(*self.joints, self.toes if toes else None, rest)


def degrees_between(a, b):
    return float(np.degrees(np.arctan2(np.linalg.norm(np.cross(a, b)), a @ b)))


def walk(count=FRAMES, least=2.0, most=65.0):
    return least + (most - least) * np.sin(np.arange(count) / 11.0) ** 2


def test_the_hinge_of_a_noisy_motion_is_found(rng):
    motion = Motion(rng, walk(), noise=1.0)
    axis, most = motion.hinge()
    assert degrees_between(axis, AXIS) < 0.3
    assert most == pytest.approx(65.0, abs=3.0)


def test_frames_that_bend_about_another_axis_turn_the_hinge_little(rng):
    motion = Motion(rng, walk(), noise=1.0)
    wrong = Motion(rng, np.full(40, 60.0), axis=turn([0.0, 1.0, 0.0], np.full(1, 70.0))[0] @ AXIS)
    for name in ("hip", "knee", "ankle", "toes", "upper"):
        getattr(motion, name)[:40] = getattr(wrong, name)
    assert degrees_between(motion.hinge()[0], AXIS) < 2.0


@pytest.mark.parametrize("mirror", [1.0, -1.0])
def test_scale_and_mirrors_of_the_thigh_do_not_change_what_is_flexion(rng, mirror):
    flexion = walk() - 5.0
    motion = Motion(rng, flexion)
    motion.upper = motion.upper @ np.diag([mirror, 1.0, 1.0]) * 0.01
    axis, _ = motion.hinge()
    assert engine.knee_flexions(*motion.joints, axis) == pytest.approx(flexion, abs=1e-9)


@pytest.mark.parametrize("hint", ["toes", "rest"])
def test_a_leg_that_never_bends_leans_on_its_hints(rng, hint):
    motion = Motion(rng, np.zeros(FRAMES), noise=1.0)
    axis = motion.hinge()[0] if hint == "toes" else motion.hinge(False, AXIS * np.sin(np.radians(8.0)))[0]
    assert degrees_between(axis, AXIS) < 1.0


def test_a_leg_without_bend_or_hints_has_no_hinge():
    count = 5
    hip, knee, ankle = (np.tile([0.0, height, 0.0], (count, 1)) for height in (2.0, 1.0, 0.0))
    axis, most = engine.find_hinge(hip, knee, ankle, np.tile(np.eye(3), (count, 1, 1)), None, NO_HINT)
    assert (axis.tolist(), most) == ([0.0, 0.0, 0.0], 0.0)


def test_the_less_a_leg_bends_the_more_its_hints_count(rng):
    off = [degrees_between(Motion(rng, walk(most=most), toes_off=30.0).hinge()[0], AXIS) for most in (8.0, 27.0, 60.0)]
    assert off[0] == pytest.approx(30.0, abs=0.5)
    assert 3.0 < off[1] < 20.0
    assert off[2] == pytest.approx(0.0, abs=0.01)


@pytest.mark.parametrize("hint", ["toes", "rest"])
def test_many_frames_past_straight_do_not_turn_the_hinge_over(rng, hint):
    flexion = np.where(rng.random(FRAMES) < 0.4, -10.0, rng.uniform(5.0, 14.0, FRAMES))
    motion = Motion(rng, flexion, noise=1.0)
    axis = motion.hinge()[0] if hint == "toes" else motion.hinge(False, AXIS * np.sin(np.radians(8.0)))[0]
    assert degrees_between(axis, AXIS) < 3.0


def test_a_leg_only_ever_past_straight_keeps_the_side_of_its_toes(rng):
    assert degrees_between(Motion(rng, rng.uniform(-17.0, -1.0, FRAMES)).hinge()[0], AXIS) < 3.0


def test_a_leg_that_bends_backward_by_nature_does_so(rng):
    motion = Motion(rng, -walk())
    assert degrees_between(motion.hinge()[0], -AXIS) < 0.1


@pytest.mark.parametrize("angle", np.arange(0.0, 360.0, 22.5))
def test_the_side_is_the_same_for_any_axis(rng, angle):
    axis = turn([0.0, 1.0, 0.0], np.full(1, angle))[0] @ [1.0, 0.0, 0.0]
    motion = Motion(rng, walk(), axis=axis)
    motion.upper[:] = np.eye(3)  # no rounding, as in figures that were set up by hand
    motion.hip[:], motion.knee[:] = 0.0, [0.0, -THIGH, 0.0]
    motion.ankle = motion.knee + SHIN * turn(axis, walk()) @ [0.0, -1.0, 0.0]
    assert degrees_between(motion.hinge(False)[0], axis) < 1e-6


def test_without_toes_the_side_is_that_of_most_bends(rng):
    flexion = np.where(np.arange(FRAMES) % 3 == 0, -12.0, 45.0)
    assert degrees_between(Motion(rng, flexion).hinge(False)[0], AXIS) < 0.1


def test_the_hinge_depends_smoothly_on_the_motion(rng):
    for most in (12.0, 30.0, 60.0):
        motion = Motion(rng, walk(most=most), noise=1.0, toes_off=20.0)
        before, _ = motion.hinge()
        motion.ankle += 1e-6 * rng.normal(size=motion.ankle.shape)
        assert degrees_between(before, motion.hinge()[0]) < 1e-3
