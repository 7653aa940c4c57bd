# SPDX-License-Identifier: MIT
"""The optimum: against a general solver on a tiny problem, and what it must keep."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import made_legs
import numpy as np
import optimum
import pytest
from motion import dot, norm
from scipy.optimize import minimize

FRAMES, FPS = 8, 25.0
UP = np.array([0.0, 1.0, 0.0])


def problem(frames: int = FRAMES, moved: float = 0.03, **changed: Any) -> optimum.Problem:
    """Two legs, each of which stands in a part of the frames and slides there."""
    wave = np.linspace(0.0, 3.0, frames)
    hip = np.stack([0.3 * wave, 0.02 * np.sin(3.0 * wave), 0.1 * wave], axis=1)
    legs = [
        made_legs.leg(25.0 + 15.0 * np.sin(2.0 * wave + k), hip=hip + np.array([0.0, 0.0, 0.2 * k])) for k in range(2)
    ]
    pins = [np.arange(frames) < frames // 2, np.arange(frames) >= frames // 2]
    offsets = [moved * np.stack([np.cos(wave), 0.2 * np.sin(wave), wave - 1.5], axis=1) for _ in range(2)]
    lowest = [np.full(frames, -0.002)] * 2
    given = optimum.Problem(legs, [made_legs.HINGE] * 2, pins, offsets, lowest, UP, FPS)
    return replace(given, **changed)


def test_noise_costs_most_where_a_knee_is_nearly_straight_and_calm() -> None:
    def weights(bend: float, shakes: float) -> np.ndarray:
        hip = np.zeros((60, 3))
        hip[30, 0] = shakes
        leg = made_legs.leg(np.full(60, bend), hip=hip)
        return optimum.noise_weights(replace(leg, ankle=leg.ankle - hip), 120.0, False)

    np.testing.assert_allclose(weights(25.0, 0.0), 1.0)
    np.testing.assert_allclose(weights(2.0, 0.0), (np.sin(np.radians(4.0)) / np.sin(np.radians(2.0))) ** 2)
    assert 1.0 < weights(2.0, 0.01)[30] < 1.5 < weights(2.0, 0.01)[0]


def by_general_solver(given: optimum.Problem) -> float:
    """J* by SLSQP, from the formulas written out frame by frame; calm parts by their normal equations."""
    count, legs = len(given.legs[0].hip), given.legs
    bend = np.diff(np.eye(count), 2, axis=0) * given.fps**2
    split = 1e7 * (np.eye(count) - 1e7 * np.linalg.inv(0.1 * bend.T @ bend + 1e7 * np.eye(count)))
    bell = np.exp(-0.5 * ((np.arange(count)[:, None] - np.arange(count)) / given.fps / 0.02) ** 2)
    bell *= np.abs(np.arange(count)[:, None] - np.arange(count)) <= 0.08 * given.fps
    bell /= bell.sum(axis=1, keepdims=True)

    def parts(x: np.ndarray) -> tuple[np.ndarray, list[np.ndarray]]:
        values = x.reshape(3, count, 3)
        return values[0], [
            np.where(pins[:, None], known, own) for pins, known, own in zip(given.pins, given.offsets, values[1:])
        ]

    def cost(x: np.ndarray) -> float:
        body, ankles = parts(x)
        h = 1.0 / given.fps

        def second(values: np.ndarray) -> float:
            return float(np.sum(np.diff(values, 2, axis=0) ** 2)) / h**4

        total = 20.0 * (second(body) + 3000.0 * np.sum(body**2))
        for leg, own in zip(legs, ankles):
            towards = bell @ (leg.hip - leg.ankle)
            d = norm(towards)
            gain = 2.0 / np.maximum(np.sqrt(1.0 - d**2), np.sin(np.radians(4.0)))
            r = gain * dot(towards / d[:, None], body - own)
            total += second(own - body) + 3000.0 * np.sum((own - body) ** 2)
            total += 0.2 * (second(own) + 3000.0 * np.sum(own**2)) + r @ split @ r + 1000.0 * np.sum(r**2)
        return float(h * total)

    def inside(x: np.ndarray) -> np.ndarray:
        body, ankles = parts(x)
        room = [15.0**2 - np.sum((np.diff(body, 2, axis=0) * given.fps**2) ** 2, axis=1)]
        for leg, own, low, pins in zip(legs, ankles, given.lowest, given.pins):
            towards = leg.hip - leg.ankle
            room.append(np.maximum(norm(towards), 0.995) ** 2 - np.sum((towards + body - own) ** 2, axis=1))
            room.append((own @ UP - low)[~pins])
        return np.concatenate(room)

    start = np.concatenate([np.zeros(3 * count), *(offsets.ravel() for offsets in given.offsets)])
    scale = cost(start)
    found = minimize(
        lambda x: cost(x) / scale, start, method="SLSQP", constraints={"type": "ineq", "fun": inside},
        options={"maxiter": 2000, "ftol": 1e-12},
    )  # fmt: skip
    return cost(found.x)


@pytest.mark.parametrize("moved", [0.01, 0.03])
def test_cost_is_that_of_a_general_solver(moved: float) -> None:
    given = problem(moved=moved)
    assert optimum.solve(given, 1.0).cost == pytest.approx(by_general_solver(given), rel=2e-3)


def test_nothing_to_do_costs_nothing() -> None:
    found = optimum.solve(problem(moved=0.0, lowest=[np.full(FRAMES, -np.inf)] * 2), 0.01)
    assert found.cost < 1e-9
    assert max(np.abs(part).max() for part in (found.body, *found.ankles)) < 1e-6


def test_no_correction_that_keeps_the_rules_costs_less() -> None:
    given = problem(40, moved=0.02)
    found = optimum.solve(given)
    of = np.random.default_rng(0)
    free = [~pins[:, None] for pins in given.pins]
    for size in (1e-3, 1e-4):
        shift = [size * of.normal(size=(40, 3)) for _ in range(3)]
        other = [own + gone * more for own, gone, more in zip(found.ankles, free, shift[1:])]
        assert optimum.cost_of(given, found.body + shift[0], other) > found.cost


def test_ankles_in_contacts_are_where_they_are_asked_to_be() -> None:
    given = problem(40)
    for own, pins, asked in zip(optimum.solve(given).ankles, given.pins, given.offsets):
        np.testing.assert_array_equal(own[pins], asked[pins])


def test_reach_body_and_soles_keep_their_bounds() -> None:
    far = [np.tile([0.0, -0.08, 0.0], (40, 1))] * 2
    given = problem(40, offsets=far, lowest=[np.full(40, 0.01)] * 2)
    found = optimum.solve(given)
    assert (norm(np.diff(found.body, 2, axis=0)) * FPS**2).max() <= 15.0 + 1e-3
    for leg, own, pins in zip(given.legs, found.ankles, given.pins):
        reach = np.maximum(norm(leg.hip - leg.ankle), 0.995)
        assert (norm(leg.hip + found.body - leg.ankle - own) - reach).max() < 1e-5
        assert (own @ UP)[~pins].min() > 0.01 - 1e-5


def test_a_contact_that_no_leg_can_reach_is_let_go_and_the_other_kept() -> None:
    apart = [np.tile([0.0, -3.0, 0.0], (40, 1)), np.tile([0.0, 0.01, 0.0], (40, 1))]
    pins = [np.arange(40) < 10, np.arange(40) < 10]
    found = optimum.solve(problem(40, offsets=apart, pins=pins), 1.0)
    assert [int(gone.sum()) for gone in found.let_go] == [10, 0]


def test_a_loop_has_no_seam() -> None:
    """Where it begins makes no difference."""
    wave = np.linspace(0.0, 2.0 * np.pi, 31)
    offsets = [0.02 * np.stack([np.cos(wave), 0.0 * wave, np.sin(wave)], axis=1)] * 2

    def loop(start: int) -> optimum.Problem:
        at = np.r_[start : start + 31] % 30
        legs = [made_legs.leg((40.0 + 20.0 * np.sin(wave + k))[at]) for k in range(2)]
        pins = [((np.arange(31) % 30 // 8) % 2 == k)[at] for k in range(2)]
        return optimum.Problem(
            legs, [made_legs.HINGE] * 2, pins, [each[at] for each in offsets], [np.full(31, -np.inf)] * 2, UP, FPS, True
        )

    first, second = optimum.solve(loop(0)), optimum.solve(loop(11))
    assert first.cost == pytest.approx(second.cost, rel=1e-5)
    np.testing.assert_allclose(second.body[:-1], np.roll(first.body[:-1], -11, axis=0), atol=1e-5)
    np.testing.assert_array_equal(first.body[0], first.body[-1])


def test_legs_past_straight_are_asked_to_be_straight() -> None:
    leg = made_legs.leg(np.full(20, -15.0))
    none = [np.zeros(20, dtype=bool)]
    given = optimum.Problem([leg], [made_legs.HINGE], none, [np.zeros((20, 3))], [np.full(20, -np.inf)], UP, FPS)
    found = optimum.solve(given, 1.0)
    before = norm(leg.hip - leg.ankle)
    after = norm(leg.hip + found.body - leg.ankle - found.ankles[0])
    assert after.min() > before.max() + 1e-4
