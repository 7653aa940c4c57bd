# SPDX-License-Identifier: MIT
"""`solve_two_bone` near the line of its pole: how fast the knee moves where the pole gives way to the bend side."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from limb_problems import across, bent_limbs, directions, dot, norm

import skelkin_py as sk

ENDS = {"towards the pole": 1.0, "away from it": -1.0}


@pytest.fixture
def rng():
    return np.random.default_rng(4)


def knee_direction(a, b, c, n, d, **options):
    """The direction from the line to the target to the knee."""
    return across(sk.solve_two_bone(a, b, c, d[:, None] * n, **options).b, n)


def vanishing(a, b, c, d, pole, end):
    """The direction near an end of the pole's line for which pole and bend side cancel out, found from answers only.

    Outwards to the side on which they oppose each other, the knee is on the bend side first and on the pole's last.
    """
    low, high = np.zeros(len(a)), np.full(len(a), np.radians(15.0))
    base = n = end * pole
    side = end * across(knee_direction(a, b, c, n, d), base)
    for _ in range(40):
        angle = ((low + high) / 2)[:, None]
        for _ in range(4):
            n = np.cos(angle) * base + np.sin(angle) * side
            own = knee_direction(a, b, c, n, d)
            side = end * across(own, base)
        bends = dot(knee_direction(a, b, c, n, d, pole_direction=pole), own) > 0
        low, high = np.where(bends, angle[:, 0], low), np.where(bends, high, angle[:, 0])
    return n


def frame(n):
    """Two directions across `n` and across each other."""
    first = across(np.roll(n, 1, axis=1) + np.array([0.1, 0.2, 0.3]), n)
    return first, np.cross(n, first)


def around(n, degrees, turn):
    """Directions so many degrees from `n`, at a part of the turn about it."""
    first, second = frame(n)
    side = np.cos(2 * np.pi * turn) * first + np.sin(2 * np.pi * turn) * second
    return np.cos(np.radians(degrees)) * n + np.sin(np.radians(degrees)) * side


def speed_of_knee(a, b, c, n, d, **options):
    """The greatest speed of the knee over all ways in which the target can turn around the hip."""
    columns = []
    for e in frame(n):
        ahead, back = (n + sign * 1e-6 * e for sign in (1, -1))
        knees = [sk.solve_two_bone(a, b, c, d[:, None] * x, **options).b for x in (ahead, back)]
        columns.append((knees[0] - knees[1]) / (2e-6 * d)[:, None])
    return np.linalg.svd(np.stack(columns, -1), compute_uv=False)[:, 0]


def poled_limbs(rng, count):
    """Limbs and directions of poles that keep 35 degrees from the line from hip to ankle."""
    a, b, c, leg = bent_limbs(rng, count, np.exp(rng.uniform(-0.7, 0.7, count)))
    pole, line = directions(rng, count), c / norm(c)[:, None]
    keep = np.abs(dot(pole, line)) < np.cos(np.radians(35))
    return [x[keep] for x in (a, b, c, leg, pole)]


def offset_of_knee(a, b, c, d):
    """Distance of the knee from the line to a target at distance d."""
    l1, l2 = norm(b - a), norm(c - b)
    x = (l1**2 - l2**2 + d**2) / (2 * d)
    return np.sqrt(l1**2 - x**2)


@pytest.mark.parametrize("end", ENDS)
def test_pole_and_bend_side_cancel_out_five_degrees_from_the_poles_line(rng, end):
    """Such a direction exists for every solver: the knee goes round once while the target goes around it.

    Two degrees off it that makes a mean speed of offset / (distance * sin 2 degrees): 28.6 times the part of the
    distance that the knee is off the line.
    """
    a, b, c, leg, pole = poled_limbs(rng, 300)
    d = 0.8 * leg
    centre = vanishing(a, b, c, d, pole, ENDS[end])
    angle = np.degrees(np.arccos(np.abs(dot(centre, pole))))
    assert np.median(angle) == pytest.approx(5, abs=0.01)
    assert np.percentile(angle, [1, 99]) == pytest.approx([5, 5], abs=0.01)
    knees = [knee_direction(a, b, c, around(centre, 2, k / 64), d, pole_direction=pole) for k in range(65)]
    first, second = frame(centre)
    plane = [dot(k, first) + 1j * dot(k, second) for k in knees]
    turns = sum(np.angle(after / before) for before, after in pairwise(plane)) / (2 * np.pi)
    assert np.mean(np.abs(np.abs(turns) - 1) < 0.01) > 0.98


@pytest.mark.slow
@pytest.mark.parametrize("end", ENDS)
def test_two_degrees_off_that_direction_the_knee_is_at_most_twenty_times_as_fast(rng, end):
    """For targets from three quarters of the leg on, wherever the bend side alone turns at most 3 times as fast."""
    a, b, c, leg, pole = poled_limbs(rng, 500)
    for part in (0.75, 0.85, 0.95):
        d = part * leg
        centre = vanishing(a, b, c, d, pole, ENDS[end])
        near = [around(centre, degrees, k / 12) for degrees in (2, 3, 5, 9) for k in range(12)]
        alone = np.max([speed_of_knee(a, b, c, n, d) for n in near], axis=0)
        calm = alone < 1 + 3 * offset_of_knee(a, b, c, d) / d
        assert calm.mean() > 0.5
        for n in near:
            assert speed_of_knee(a, b, c, n, d, pole_direction=pole)[calm].max() < 20


@pytest.mark.parametrize("end", ENDS)
def test_on_the_poles_line_itself_the_knee_is_slow_and_on_its_bend_side(rng, end):
    a, b, c, leg, pole = poled_limbs(rng, 2000)
    for part in (0.7, 0.9, 0.97):
        d = part * leg
        n = ENDS[end] * pole
        poled, own = (knee_direction(a, b, c, n, d, **o) for o in ({"pole_direction": pole}, {}))
        assert np.abs(poled - own).max() < 1e-9
        near = around(n, 0.05, 0.3)
        assert speed_of_knee(a, b, c, near, d, pole_direction=pole).max() < 20
