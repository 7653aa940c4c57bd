# SPDX-License-Identifier: MIT
"""A foot that is lifted in place and put down again does not stand meanwhile."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from skelkin_py import _core
from skelkin_py.planting.foot import FootModel, LegTrack

UP, FPS, NUM, LENGTH = np.array([0.0, 1.0, 0.0]), 60.0, 240, 0.9
BALL = np.array([0.0, -0.07, 0.15])
LIFTED = 0.025  # of the leg


def leg(side):
    """A leg that stands all the time."""
    ankle = np.tile([0.1 * side, 0.1, 0.0], (NUM, 1))
    hip, knee = ankle + 0.8 * UP, ankle + np.array([0.0, 0.4, 0.1])
    turns = np.tile(np.eye(3), (NUM, 1, 1))
    return LegTrack(hip, knee, ankle, turns, BALL, True, LENGTH, flexion=np.zeros(NUM))


def raised(track, first, last, height):
    """The leg with its foot moved in these frames, hip and all else where they were; it gets there in no time."""
    by = np.zeros((NUM, 3))
    by[first : last + 1] = height * UP
    return replace(track, ankle=track.ankle + by)


def limits_of(tracks):
    """What a search in feet that stand learns."""
    _, fields, _, limits, _ = _core.find_standing(tracks, [None] * len(tracks), UP, FPS, None, True)
    return [FootModel(*each) for each in fields], limits


@pytest.fixture(scope="module")
def standing():
    tracks = [leg(-1.0), leg(1.0)]
    return tracks, *limits_of(tracks)


def found(standing, changed):
    """The contacts of the left leg."""
    tracks, models, limits = standing
    return _core.find_again([changed, tracks[1]], models, *limits, None, UP, FPS)[0]


def frames_of(spans):
    flags = np.zeros(NUM, bool)
    for first, last in spans:
        flags[first : last + 1] = True
    return flags


@pytest.mark.parametrize(("part", "breaks"), [(0.9, False), (1.1, True), (1.9, True)])
@pytest.mark.parametrize("lasts", [7, 40])
def test_a_foot_that_is_held_up_in_place_does_not_stand(standing, part, breaks, lasts):
    lifted = raised(standing[0][0], 100, 100 + lasts - 1, part * LIFTED * LENGTH)
    stands = frames_of(found(standing, lifted))
    assert stands[:98].all()
    assert stands[102 + lasts :].all()
    assert stands[101 : 99 + lasts].any() == (not breaks)


def test_a_lift_that_nobody_sees_is_none(standing):
    lifted = raised(standing[0][0], 100, 104, 1.5 * LIFTED * LENGTH)  # a twelfth of a second
    assert found(standing, lifted)[0][0] == 0
    assert frames_of(found(standing, lifted))[[90, 110]].all()


def test_a_foot_that_rolls_on_its_toes_stands(standing):
    """The ankle goes up and the ball stays: the foot turns about it."""
    track = standing[0][0]
    turn = np.array([[1.0, 0.0, 0.0], [0.0, np.cos(0.3), -np.sin(0.3)], [0.0, np.sin(0.3), np.cos(0.3)]])
    turns, ankle = track.foot.copy(), track.ankle.copy()
    turns[100:140] = turn
    ankle[100:140] += BALL - turn @ BALL
    assert (ankle - track.ankle)[110] @ UP > 1.5 * LIFTED * LENGTH
    rolled = replace(track, foot=turns, ankle=ankle)
    assert frames_of(found(standing, rolled))[103:137].all()


def test_a_body_that_rises_with_its_foot_lifts_none(standing):
    """A clip that floats."""
    tracks, models, limits = standing
    by = np.zeros((NUM, 3))
    by[100:140] = 1.5 * LIFTED * LENGTH * UP
    floats = [replace(each, hip=each.hip + by, knee=each.knee + by, ankle=each.ankle + by) for each in tracks]
    for spans in _core.find_again(floats, models, *limits, None, UP, FPS):
        assert frames_of(spans)[103:137].all()
