# SPDX-License-Identifier: MIT
"""Each row of what a viewer would mind, on legs that were moved by hand."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import viewer
from hinges import hinge_of
from motion import LegMotion

FPS = 60.0
FRAMES = 240
UP = np.array([0.0, 1.0, 0.0])
STANDING = (60, 180)


def leg(side: float) -> LegMotion:
    """A leg of length 1 whose knee bends by 40 degrees and whose foot stands all the time."""
    still = np.ones((FRAMES, 1))
    bend = np.radians(20.0)
    hip = still * [side, 0.05 + np.cos(bend), 0.0]
    knee = still * [side, 0.05 + 0.5 * np.cos(bend), 0.5 * np.sin(bend)]
    turn = np.tile(np.eye(3), (FRAMES, 1, 1))
    toe = still * [side, 0.0, 0.15]
    return LegMotion(hip, knee, still * [side, 0.05, 0.0], toe, turn, turn, np.zeros(3), np.array([1.0, 0.0, 0.0]))


@pytest.fixture
def same() -> viewer.Compared:
    legs = [leg(0.1), leg(-0.1)]
    names, contacts = ["left", "right"], [[STANDING], [STANDING]]
    return viewer.Compared(legs, legs, [hinge_of(each) for each in legs], names, contacts, UP, FPS)


def shifted(clip: viewer.Compared, which: int, *parts: str, by: np.ndarray) -> viewer.Compared:
    """The planted version with joints of one leg moved."""
    legs = list(clip.after)
    legs[which] = replace(legs[which], **{part: getattr(legs[which], part) + by for part in parts})
    return replace(clip, after=legs)


def bump(first: int, last: int, much: float, axis: int = 1) -> np.ndarray:
    """(F, 3) A shift along an axis in some frames alone."""
    moved = np.zeros((FRAMES, 3))
    moved[first : last + 1, axis] = much
    return moved


def of(clip: viewer.Compared, row: str) -> viewer.Seen:
    return next(each for each in viewer.seen(clip) if each.row == row)


def test_nothing_is_minded_where_nothing_changed(same: viewer.Compared) -> None:
    assert [each.row for each in viewer.seen(same)] == list(viewer.RULES)
    assert not any(each.minded for each in viewer.seen(same))


@pytest.mark.parametrize(("much", "minded"), [(0.05, False), (0.07, True)])
def test_a_body_that_is_thrown(same: viewer.Compared, much: float, minded: bool) -> None:
    for k in (0, 1):
        same = shifted(same, k, "hip", "knee", by=bump(100, FRAMES, much, axis=0))
    found = of(same, "throw")
    assert found.value == pytest.approx(much)
    assert found.minded is minded


def test_a_shift_of_the_whole_clip_throws_nobody(same: viewer.Compared) -> None:
    for k in (0, 1):
        same = shifted(same, k, "hip", by=bump(0, FRAMES, 0.3))
    assert of(same, "throw").value == pytest.approx(0.0)


@pytest.mark.parametrize(("left", "minded"), [(0.05, False), (0.03, True), (0.0, True)])
def test_a_lift_that_is_stamped_flat(same: viewer.Compared, left: float, minded: bool) -> None:
    lifted = replace(same, before=shifted(same, 0, "ankle", "toe", by=bump(20, 40, 0.1)).after)
    lifted = shifted(lifted, 0, "ankle", "toe", by=bump(20, 40, left))
    assert of(lifted, "lift").value == pytest.approx(100.0 - 1000.0 * left)
    assert of(lifted, "lift").minded is minded


def test_a_foot_that_slides_more_than_it_did(same: viewer.Compared) -> None:
    slid = shifted(same, 1, "ankle", "toe", by=bump(150, 160, 0.06, axis=2))
    assert (of(slid, "slide").value, of(slid, "slide").leg) == (pytest.approx(0.06), "right")
    assert of(slid, "slide").minded
    rolled = shifted(same, 1, "ankle", by=bump(150, 160, 0.06, axis=2))  # about the ball
    assert not of(rolled, "slide").minded


def test_a_foot_that_is_set_above_the_other(same: viewer.Compared) -> None:
    raised = shifted(same, 0, "ankle", "toe", by=bump(*STANDING, 0.03))
    assert of(raised, "level").value == pytest.approx(0.03)
    assert of(raised, "level").minded
    step = replace(raised, before=raised.after)  # as it was in the original
    assert not of(step, "level").minded


def test_a_foot_that_is_held_above_its_ground(same: viewer.Compared) -> None:
    assert of(shifted(same, 0, "ankle", "toe", by=bump(100, 115, 0.03)), "float").minded
    assert not of(shifted(same, 0, "ankle", "toe", by=bump(100, 109, 0.03)), "float").minded  # shorter than is seen


def test_a_foot_that_sank_and_is_raised_to_its_ground_does_not_float(same: viewer.Compared) -> None:
    sunk = shifted(same, 0, "ankle", "toe", by=bump(100, 115, -0.04))
    mended = replace(same, before=sunk.after)  # planted, it stands as the others do
    assert of(mended, "float").value == pytest.approx(0.0)


def test_feet_that_sink(same: viewer.Compared) -> None:
    found = of(shifted(same, 0, "ankle", "toe", by=bump(100, 110, -0.03)), "sink")
    assert found.value == pytest.approx(0.03)
    assert found.minded


def test_a_knee_that_is_bent_otherwise(same: viewer.Compared) -> None:
    legs = list(same.after)
    straight = 0.5 * (legs[0].hip + legs[0].ankle)
    part = (np.arange(FRAMES) % 40 < 10)[:, None]
    legs[0] = replace(legs[0], knee=np.where(part, straight, legs[0].knee))
    bent = replace(same, after=legs)
    assert (of(bent, "knee").value, of(bent, "pops").value) == (25.0, 11.0)  # it begins straight
    assert all(of(bent, row).minded for row in ("knee", "pops", "jerk"))
    assert not of(replace(bent, before=legs), "pops").minded  # as in the original


@pytest.mark.parametrize("fps", [24.0, 30.0, 60.0, 240.0])
def test_differences_are_over_fixed_times(same: viewer.Compared, fps: float) -> None:
    """Of a parabola and a cubic, whose differences do not depend on the rate."""
    clip = replace(same, fps=fps)
    seconds = np.arange(60) / fps
    for order, power, constant in ((2, seconds**2, 2.0), (3, seconds**3, 6.0)):
        found, step = clip.difference(power, order)
        middle = found[len(found) // 2 : len(found) // 2 + 3] / step**order
        np.testing.assert_allclose(middle, constant, rtol=0.05)


def test_an_ankle_that_jumps_and_one_that_swings_elsewhere(same: viewer.Compared) -> None:
    thrown = shifted(same, 0, "ankle", by=bump(20, 20, 0.2, axis=2))
    assert of(thrown, "jump").value == pytest.approx(0.4)
    assert of(thrown, "swing").value == pytest.approx(0.2)
    in_contact = shifted(same, 0, "ankle", by=bump(100, 100, 0.2, axis=2))
    assert of(in_contact, "swing").value == pytest.approx(0.0)


def test_a_heel_that_is_lifted_within_a_contact(same: viewer.Compared) -> None:
    assert of(shifted(same, 0, "ankle", by=bump(120, 140, 0.06)), "heel").value == pytest.approx(0.06)
