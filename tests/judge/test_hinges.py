# SPDX-License-Identifier: MIT
"""Hinges: axis and side are found, and flexion has a sign."""

from __future__ import annotations

from dataclasses import replace

import made_legs
import numpy as np
import pytest
from hinges import hinge_of, signed_flexion
from motion import smallest_turn, unit

WALK = 30.0 - 25.0 * np.cos(np.linspace(0.0, 20.0, 200))


def degrees_between(a: np.ndarray, b: np.ndarray) -> float:
    return float(np.degrees(np.arccos(np.clip(unit(a) @ unit(b), -1.0, 1.0))))


@pytest.mark.parametrize("sideways", [0.0, 20.0, -35.0])
def test_axis_is_that_of_the_bends_whatever_the_thigh_does(sideways: float) -> None:
    thigh = made_legs.about(0, np.linspace(-1.0, 1.0, 200)) @ made_legs.about(2, np.linspace(0.5, -0.5, 200))
    found = hinge_of(made_legs.leg(WALK, thigh, sideways=sideways))
    known = made_legs.about(1, np.radians([sideways]))[0] @ made_legs.HINGE
    assert degrees_between(found, known) < 1e-6


def test_axis_holds_under_noise() -> None:
    leg, of = made_legs.leg(WALK), np.random.default_rng(0)
    noisy = replace(leg, ankle=leg.ankle + of.normal(size=leg.ankle.shape) * 0.005)
    assert degrees_between(hinge_of(noisy), made_legs.HINGE) < 2.0


def test_side_is_that_of_the_deep_bends_though_most_frames_are_past_straight() -> None:
    flexion = np.where(np.arange(200) % 5 < 2, 50.0, -12.0)
    assert degrees_between(hinge_of(made_legs.leg(flexion)), made_legs.HINGE) < 1e-6


def test_side_is_that_of_the_toes_where_legs_hardly_bend() -> None:
    assert degrees_between(hinge_of(made_legs.leg(np.full(100, -9.0))), made_legs.HINGE) < 1e-6


def test_axis_is_that_of_the_rest_pose_where_legs_never_bend_and_have_no_toes() -> None:
    rest = np.sin(np.radians(5.0)) * np.array([0.6, 0.0, 0.8])
    leg = replace(made_legs.leg(np.zeros(50)), toe=None, rest_bend=rest, toes_bend=np.zeros(3))
    assert degrees_between(hinge_of(leg), rest) < 1e-6


def test_flexion_is_what_the_leg_was_made_with() -> None:
    flexion = np.linspace(-20.0, 120.0, 141)
    np.testing.assert_allclose(signed_flexion(made_legs.leg(flexion), made_legs.HINGE), flexion, atol=1e-9)


def test_flexion_goes_from_side_to_side_without_a_jump() -> None:
    around = [float(signed_flexion(made_legs.leg([30.0], sideways=a), made_legs.HINGE)[0]) for a in range(0, 181, 2)]
    assert around[0] == pytest.approx(30.0)
    assert around[-1] == pytest.approx(-30.0)
    assert np.abs(np.diff(around)).max() < 2.5


def test_a_turn_takes_one_direction_to_the_other() -> None:
    a, b = np.random.default_rng(1).normal(size=(2, 100, 3))
    turned = np.einsum("fij,fj->fi", smallest_turn(a, b), unit(a))
    np.testing.assert_allclose(turned, unit(b), atol=1e-12)
