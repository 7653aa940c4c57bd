# SPDX-License-Identifier: MIT
"""A cycle in place, made to measure: feet that go back evenly while they are low tell how fast the ground goes."""

from __future__ import annotations

import numpy as np
import pytest

from skelkin_py import _core
from skelkin_py.planting.foot import LegTrack

UP, FPS, LENGTH, PERIOD = np.array([0.0, 1.0, 0.0]), 60.0, 0.9, 60


def leg(speed, stance, start, *, drift=0.0, cycles=4, spread=0.0):
    """A leg whose foot goes back at a speed (legs/s) in so many of 60 frames, and forward through the air.

    `drift`: of all of it; `spread`: by what part of it the speed is more, or less, for four frames by turns.
    """
    num = cycles * PERIOD
    when = (np.arange(num) + start) % PERIOD
    up = when >= stance
    swing = np.where(up, (when - stance + 1) / (PERIOD - stance + 1), 0.0)
    step = speed * LENGTH / FPS
    by_turns = np.where(np.arange(PERIOD) // 4 % 2, -1.0, 1.0)
    back = np.where(np.arange(PERIOD) < stance, -step * (1.0 + spread * by_turns), 0.0)
    back[stance:] = -back.sum() / (PERIOD - stance)
    z = np.cumsum(back)[when]
    ankle = np.stack([0 * z, 0.1 + 0.25 * np.sin(np.pi * swing), z + drift * LENGTH / FPS * np.arange(num)], axis=1)
    hip = np.stack([0 * z, np.full(num, 0.9), drift * LENGTH / FPS * np.arange(num)], axis=1)
    turns = np.tile(np.eye(3), (num, 1, 1))
    knee = 0.5 * (hip + ankle) + [0.0, 0.0, 0.1]
    return LegTrack(hip, knee, ankle, turns, np.array([0.0, -0.07, 0.15]), True, LENGTH, flexion=np.zeros(num))


def ground(*legs):
    """The velocity that is found (legs/s); None: the ground keeps still."""
    return _core.find_standing(list(legs), [None] * len(legs), UP, FPS, None, True)[2]


@pytest.mark.parametrize(("speed", "found"), [(0.36, False), (0.45, True), (2.0, True)])
def test_the_ground_goes_as_the_feet_that_are_low_do(speed, found):
    velocity = ground(leg(speed, 40, 0), leg(speed, 40, 30))
    if found:
        np.testing.assert_allclose(velocity, [0.0, 0.0, -speed], atol=1e-9)
    else:
        assert velocity is None


@pytest.mark.parametrize(("stance", "found"), [(5, False), (16, True)])
def test_feet_that_are_low_too_seldom_tell_nothing(stance, found):
    assert (ground(leg(1.5, stance, 0), leg(1.5, stance, 30)) is not None) == found


@pytest.mark.parametrize(("part", "found"), [(0.15, True), (0.25, False), (-0.3, True), (-0.4, False)])
def test_a_body_that_goes_itself_is_in_no_place(part, found):
    """More than a quarter of what the feet go, which is as much less, or more."""
    moving = [leg(1.0, 40, start, drift=part) for start in (0, 30)]
    assert (ground(*moving) is not None) == found


@pytest.mark.parametrize(("spread", "found"), [(0.25, True), (0.9, False)])
def test_feet_that_go_unevenly_are_on_no_belt(spread, found):
    moving = [leg(1.0, 40, start, spread=spread) for start in (0, 30)]
    assert (ground(*moving) is not None) == found
