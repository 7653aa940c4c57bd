# SPDX-License-Identifier: MIT
"""`solve_two_bone`: how far and how fast the knee may move, across the boundaries of its reach."""

from __future__ import annotations

import numpy as np
import pytest
from limb_problems import bent_limbs, directions, dot, norm, tiny

import skelkin_py as sk

COUNT = 4000


@pytest.fixture
def rng():
    return np.random.default_rng(2024)


def root_bound(leg, step):
    return 2 * np.sqrt(leg * step) + 2 * step


def steps(a, b, c, first, second, **options):
    """How far knee and end move while the target goes from the first point to the second, and it."""
    one, two = (sk.solve_two_bone(a, b, c, t, **options) for t in (first, second))
    return norm(one.b - two.b), norm(one.c - two.c), norm(first - second)


def around(rng, boundary, count):
    """Pairs of distances of which most have the boundary between them, at all orders of magnitude."""
    near, far = (boundary * (1 + sign * tiny(rng, count, -14, -0.3)[:, 0]) for sign in (-1, 1))
    return near, np.where(rng.random(count) < 0.2, boundary, far)


@pytest.mark.parametrize("options", [{}, {"soften": 0.03}, {"soften": 0.3}, {"roll": "minimal"}], ids=str)
def test_the_knee_moves_by_a_root_at_most_where_the_target_leaves_the_reach(rng, options):
    a, b, c, leg = bent_limbs(rng, COUNT, tiny(rng, COUNT, -4, 4))
    n = directions(rng, COUNT)
    near, far = around(rng, leg, COUNT)
    near, far = np.maximum(near, 0.75 * leg), np.minimum(far, 1.5 * leg)
    knee, end, step = steps(a, b, c, near[:, None] * n, far[:, None] * n, **options)
    assert (knee <= root_bound(leg, step) + 1e-14 * leg).all()
    assert (end <= step * (1 + 1e-12) + 1e-14 * leg).all()


def test_the_same_holds_for_steps_in_any_direction_that_keep_off_the_opposite_of_the_ankle(rng):
    a, b, c, leg = bent_limbs(rng, COUNT, tiny(rng, COUNT, -1, 1))
    line = c / norm(c)[:, None]
    n = directions(rng, COUNT)
    n = np.where((dot(n, line) < -0.5)[:, None], -n, n)
    first = (leg * rng.choice([1.0, 0.999, 0.95], COUNT))[:, None] * n
    second = first + leg[:, None] * tiny(rng, COUNT, -14, -1) * directions(rng, COUNT)
    knee, _, step = steps(a, b, c, first, second)
    assert (knee <= root_bound(leg, step) + 1e-14 * leg).all()


def test_the_same_holds_where_the_target_comes_too_close_for_bones_that_differ_by_an_eighth_of_the_leg(rng):
    ratio = 1 / rng.uniform(1e-3, 7 / 9, COUNT)  # 1 : 7/9 differ by an eighth of what they are together
    ratio = np.where(rng.random(COUNT) < 0.5, ratio, 1 / ratio)
    a, b, c, leg = bent_limbs(rng, COUNT, ratio)
    least = np.abs(norm(b) - norm(c - b))
    n = directions(rng, COUNT)
    near, far = around(rng, least, COUNT)
    knee, _, step = steps(a, b, c, near[:, None] * n, np.minimum(far, leg)[:, None] * n)
    assert (knee <= root_bound(leg, step) + 1e-14 * leg).all()


def test_bones_nearer_to_each_other_in_length_follow_from_the_triangle_alone(rng):
    """Excluded from the bound for every solver: lengths that stay leave the knee no other place on a radial path."""
    a, b, c, leg = bent_limbs(rng, COUNT, 1 + tiny(rng, COUNT, -4, -1))
    l1, l2 = norm(b), norm(c - b)
    least = l2 - l1
    n = directions(rng, COUNT)
    step = tiny(rng, COUNT, -6, -1)[:, 0] * leg
    knee, _, _ = steps(a, b, c, least[:, None] * n, (least + step)[:, None] * n)
    forced = np.sqrt(l1 * step * (leg + least + step) / (least + step))  # law of cosines: the angle at the hip
    np.testing.assert_allclose(knee, forced, rtol=1e-6, atol=1e-5)
    assert (forced > root_bound(leg, step)).mean() > 0.5
    factor = np.maximum(1, np.sqrt(leg / (8 * least)))  # what the bound grows by
    assert (knee <= 2 * np.sqrt(leg * step) * factor + 2 * step + 1e-13 * leg).all()


def test_bones_of_one_length_pass_through_the_hip_where_a_pole_tells_their_side(rng):
    b = np.round(directions(rng, COUNT) * 2**20) / 2**20
    a, c = 0 * b, b + np.roll(b, 1, axis=1) * [1.0, -1.0, 1.0]  # of one length to the bit
    leg = 2 * norm(b)
    n, pole = directions(rng, COUNT), directions(rng, COUNT)
    keep = np.abs(dot(n, pole)) < np.cos(np.radians(15))
    size = leg * tiny(rng, COUNT, -13, -1)[:, 0]
    other = leg * tiny(rng, COUNT, -13, -1)[:, 0] * rng.choice([-1.0, 1.0], COUNT)  # on the hip no direction is left
    knee, end, step = steps(a, b, c, size[:, None] * n, other[:, None] * n, pole_direction=pole)
    assert (knee <= root_bound(leg, step) + 1e-13 * leg)[keep].all()
    assert (end <= step + 1e-13 * leg).all()


@pytest.mark.parametrize("soften", [0.02, 0.05, 0.2, 0.5])
@pytest.mark.parametrize("stretch", [1.0, 1.3])
def test_softening_makes_the_speed_of_the_knee_finite(rng, soften, stretch):
    """At most 0.45 / sqrt(soften) of the target's along its line, from a right angle in the knee on."""
    count, along = 60, 4001
    a, b, c, leg = (np.repeat(x, along, 0) for x in bent_limbs(rng, count, tiny(rng, count, -2, 2)))
    n = np.repeat(directions(rng, count), along, 0)
    right = np.hypot(norm(b), norm(c - b))
    d = right + (1.6 * leg - right) * np.tile(np.linspace(0, 1, along), count)
    out = sk.solve_two_bone(a, b, c, d[:, None] * n, soften=soften, stretch=stretch)
    moved = norm(np.diff(out.b.reshape(count, along, 3), axis=1).reshape(-1, 3)).reshape(count, -1)
    speed = moved / np.diff(d.reshape(count, along), axis=1)
    open_knee = (norm(out.c) / out.stretch > right).reshape(count, along)[:, :-1]
    assert open_knee.mean() > 0.3
    assert speed[open_knee].max() <= 0.45 / np.sqrt(soften) * stretch + (stretch > 1)
    if stretch == 1:
        equal = [np.repeat(x, along, 0) for x in bent_limbs(rng, 1, 1.0)]
        d = np.linspace(0.9 * (1 - soften), 1.6, along) * equal[3]
        out = sk.solve_two_bone(*equal[:3], d[:, None] * n[0], soften=soften)
        speed = norm(np.diff(out.b, axis=0)) / np.diff(d)
        assert speed.max() == pytest.approx(1 / (2 * np.sqrt(soften * (2 - soften))), rel=0.02)
