# SPDX-License-Identifier: MIT
"""What an animator would see, on legs where the answer is known by hand.

And the papers' skating ratio, by hand and as the product reports it."""

from __future__ import annotations

from pathlib import Path

import clips
import cost
import made_legs
import numpy as np
import pytest
import skating
from hinges import placed
from motion import LegMotion

import skelkin_py as sk

FPS = 100.0


def look(leg: LegMotion) -> cost.Seen:
    return cost.seen(leg, made_legs.HINGE, FPS)


def test_nothing_is_seen_in_a_leg_that_rests() -> None:
    seen = look(made_legs.leg(np.full(30, 40.0)))
    for values in (seen.overturned, seen.pop, seen.jerk, seen.jump, seen.turn):
        assert np.abs(values).max() < 1e-6


def test_a_knee_on_the_other_side_of_the_leg_is_backward() -> None:
    leg = made_legs.leg(np.full(10, 30.0))
    axis = (leg.ankle - leg.hip) / np.linalg.norm(leg.ankle - leg.hip, axis=1)[:, None]
    along = np.einsum("fi,fi->f", leg.knee - leg.hip, axis)[:, None] * axis
    mirrored = leg.moved(leg.hip, leg.hip + 2.0 * along - (leg.knee - leg.hip), leg.ankle)
    flexion = look(mirrored).flexion
    np.testing.assert_allclose(flexion, -30.0, atol=1e-9)
    assert cost.backward(flexion, look(leg).flexion).all()


def test_what_the_capture_bends_backward_is_no_fault() -> None:
    assert not cost.backward(np.array([-10.9]), np.array([-10.0])).any()
    assert cost.backward(np.array([-11.1]), np.array([-10.0])).all()


@pytest.mark.parametrize(("bend", "frames"), [(8.0, 1), (6.0, 0)])
def test_a_knee_is_overturned_where_it_is_bent_on_both_sides(bend: float, frames: int) -> None:
    flexion = np.r_[np.full(10, bend), np.full(10, -bend)]
    assert look(made_legs.leg(flexion)).overturned.sum() == frames


@pytest.mark.parametrize(("step", "frames"), [(0.85, 2), (0.75, 0)])
def test_a_pop_is_8000_degrees_per_second_squared(step: float, frames: int) -> None:
    flexion = np.r_[np.full(10, 40.0), np.full(10, 40.0 + step)]  # a step gives two second differences
    assert look(made_legs.leg(flexion)).pop.sum() == frames


def test_jerk_jump_and_turn_have_their_units() -> None:
    time = np.arange(50) / FPS
    jerked = look(made_legs.leg(30.0 + 600.0 * time**3))
    np.testing.assert_allclose(jerked.jerk[2:-1], 3600.0, rtol=1e-6)
    hip = np.zeros((50, 3))
    hip[:, 0] = 0.5 * 7.0 * time**2
    np.testing.assert_allclose(look(made_legs.leg(np.full(50, 30.0), hip=hip)).jump[1:-1], 7.0 / FPS**2)
    turning = made_legs.leg(np.full(50, 30.0), made_legs.about(0, np.radians(3.0 * np.arange(50))))
    np.testing.assert_allclose(look(turning).turn[1:], 3.0)


def test_small_flexions_count_as_one_another() -> None:
    assert not cost.changed(np.array([11.0, -40.0, 21.0]), np.array([0.0, 5.0, 0.0])).any()
    assert cost.changed(np.array([22.0, 60.0]), np.array([0.0, 71.0])).all()


def test_a_glitch_of_the_capture_hides_a_tenth_of_a_second_on_either_side() -> None:
    flexion = 40.0 + 0.1 * np.sin(np.arange(200) / 5.0)
    flexion[100:] += 30.0
    leg = made_legs.leg(flexion)
    found = np.flatnonzero(cost.glitches([leg], [flexion], FPS))
    assert found.min() == 99 - 10
    assert found.max() == 100 + 10


def test_fast_motion_is_no_glitch() -> None:
    flexion = 60.0 + 50.0 * np.sin(np.arange(200) / 4.0)
    assert not cost.glitches([made_legs.leg(flexion)], [flexion], FPS).any()


def test_added_acceleration_is_the_rms_of_vectors() -> None:
    time = np.arange(40) / FPS
    offsets = 0.5 * time[:, None] ** 2 * [3.0, 0.0, 4.0]
    assert cost.added(offsets, FPS) == pytest.approx(5.0)


def test_knees_are_where_they_were_where_nothing_is_moved() -> None:
    leg = made_legs.leg(np.linspace(1.0, 110.0, 60), made_legs.about(2, np.linspace(0.0, 1.0, 60)))
    np.testing.assert_allclose(placed(leg, made_legs.HINGE, leg.hip, leg.ankle).knee, leg.knee, atol=1e-9)


def test_knees_that_were_past_straight_are_placed_on_their_hinges_side() -> None:
    leg = made_legs.leg(np.linspace(-15.0, 15.0, 61))
    shorter = leg.ankle + 0.05 * (leg.hip - leg.ankle)
    flexion = look(placed(leg, made_legs.HINGE, leg.hip, shorter)).flexion
    assert flexion.min() > 30.0
    assert np.abs(np.diff(flexion)).max() < 1.0


def test_a_leg_that_cannot_reach_is_straight() -> None:
    leg = made_legs.leg(np.full(5, 30.0))
    there = placed(leg, made_legs.HINGE, leg.hip, leg.ankle + np.array([0.0, -0.4, 0.0]))

    assert np.linalg.norm(there.knee - there.hip, axis=1) == pytest.approx(0.5)
    axis = (there.ankle - there.hip) / np.linalg.norm(there.ankle - there.hip, axis=1)[:, None]
    np.testing.assert_allclose(there.knee - there.hip, 0.5 * axis, atol=1e-9)


def test_low_and_fast_steps_skate() -> None:
    steps = np.array([[0.02, 0.0, 0.0], [0.0, 0.0, 0.05], [0.05, 0.0, 0.0], [0.05, 0.0, 0.0]])
    foot = (np.array([0.0, 0.0, 0.0, 0.2, 0.2]), steps)
    assert skating.ratio([foot], 20.0) == pytest.approx(0.25)
    still = (np.zeros(5), np.zeros((4, 3)))
    assert skating.ratio([still], 20.0) == 0.0
    assert skating.ratio([still, foot], 20.0) == pytest.approx(0.25)


def test_a_single_frame_does_not_skate() -> None:
    assert skating.ratio([(np.zeros(1), np.zeros((0, 3)))], 30.0) == 0.0


@pytest.mark.parametrize("name", ["makehuman_walk1", "cmu_12_01_walk", "Knight Walking_A", "fair1_zombie"])
def test_the_product_reports_the_same(name: str, data_dir: Path) -> None:
    case = clips.all_cases(data_dir)[name]()
    report = sk.plant_feet(case.clip, **case.options).report
    for when in ("before", "after"):
        curves = [getattr(leg, when) for leg in report.legs]
        unit = report.metres_per_unit
        own = skating.ratio([(unit * each.ball_height, unit * each.ball_steps) for each in curves], report.fps)
        assert own == pytest.approx(report.literature(when).skating_ratio, abs=1e-12), when
