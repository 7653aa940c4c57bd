# SPDX-License-Identifier: MIT
"""`solve_two_bone` on both sides of every boundary between its cases: the answers on them are the same."""

from __future__ import annotations

import numpy as np
import pytest
from limb_problems import across, bent_limbs, directions, dot, multiply, norm

import skelkin_py as sk

COUNT = 3000
STEP = 1e-9
CONE = np.radians(15)


@pytest.fixture
def rng():
    return np.random.default_rng(31415)


def limbs(rng):
    """Limbs, and directions of targets that keep off the opposite of their ankles."""
    a, b, c, leg = bent_limbs(rng, COUNT, np.exp(rng.uniform(-1, 1, COUNT)))
    n = directions(rng, COUNT)
    return a, b, c, leg, np.where((dot(n, c) < -0.5 * norm(c))[:, None], -n, n)


def assert_no_jump(one, two, leg, allowed):
    """Knee, end and both rotations differ by less than the step makes them."""
    assert (norm(one.b - two.b) <= allowed * leg).all()
    assert (norm(one.c - two.c) <= allowed * leg).all()
    upper, lower = multiply(one.upper, two.upper * [1, -1, -1, -1]), multiply(one.lower, two.lower * [1, -1, -1, -1])
    for difference in (upper, lower):
        assert (norm(difference[:, 1:]) <= allowed * 50).all()


DISTANCES = {
    "softening begins": ({"soften": 0.2}, 0.8),
    "stretching begins at the reach": ({"stretch": 1.3}, 1.0),
    "stretching begins early": ({"stretch": 1.3, "stretch_start": 0.7}, 0.7),
    "stretching ends": ({"stretch": 1.3}, 1.3),
    "stretching ends early": ({"stretch": 1.3, "stretch_start": 0.7}, 0.91),
    "stretching begins where softening does": ({"stretch": 1.3, "stretch_start": 0.8, "soften": 0.2}, 0.8),
    "stretching of a softened limb begins": ({"stretch": 1.2, "soften": 0.3}, 0.7),
    "the reach ends": ({}, 1.0),
}


@pytest.mark.parametrize("boundary", DISTANCES)
@pytest.mark.parametrize("roll", ["hinge", "minimal"])
def test_nothing_jumps_where(rng, boundary, roll):
    options, part = DISTANCES[boundary]
    a, b, c, leg, n = limbs(rng)
    clear = part * leg > np.abs(norm(b) - norm(c - b)) * 1.05
    d = part * leg
    one, two = (
        sk.solve_two_bone(a, b, c, (d * (1 + side * STEP))[:, None] * n, roll=roll, **options) for side in (-1, 1)
    )
    straight = 2 * np.sqrt(2 * STEP) if part >= 0.91 else 1e-7  # the root, where it is stretched out
    assert_no_jump(*(type(x)(*(field[clear] for field in x)) for x in (one, two)), leg[clear], straight)


def test_nothing_jumps_where_a_target_becomes_too_close(rng):
    a, b, c, leg, n = limbs(rng)
    least = np.abs(norm(b) - norm(c - b))
    clear = least > leg / 8
    one, two = (sk.solve_two_bone(a, b, c, (least * (1 + side * STEP))[:, None] * n) for side in (-1, 1))
    assert_no_jump(*(type(x)(*(field[clear] for field in x)) for x in (one, two)), leg[clear], 2 * np.sqrt(2 * STEP))


@pytest.mark.parametrize("degrees", [7.5, 15.0])
def test_nothing_jumps_where_the_cone_around_the_poles_line_begins(rng, degrees):
    a, b, c, leg, n = limbs(rng)
    side = across(directions(rng, COUNT), n)
    angles = (np.radians(degrees) - STEP, np.radians(degrees) + STEP)
    poles = [np.cos(angle) * n + np.sin(angle) * side for angle in angles]
    d = np.maximum(0.8 * leg, np.abs(norm(b) - norm(c - b)) * 1.05)[:, None] * n
    for sign in (1.0, -1.0):
        one, two = (sk.solve_two_bone(a, b, c, d, pole_direction=sign * pole) for pole in poles)
        assert (norm(one.b - two.b) < 1e-5 * leg).all()
        assert (norm(one.c - two.c) < 1e-8 * leg).all()


def test_nothing_jumps_where_the_knee_comes_near_the_line_to_the_target(rng):
    """Where the knee lies on that line or the line crosses to the other side of it, the bend side takes over."""
    a, b, c, leg, _ = limbs(rng)
    u = b / norm(b)[:, None]
    side = across(directions(rng, COUNT), u)
    for angle in (0.0, 1e-7, CONE, np.pi / 2):
        rows = []
        for change in (-STEP, STEP):
            n = np.cos(angle + change) * u + np.sin(angle + change) * side
            d = np.maximum(0.8 * leg, np.abs(norm(b) - norm(c - b)) * 1.05)
            rows.append(sk.solve_two_bone(a, b, c, d[:, None] * n))
        back = dot(n, c) < -0.8 * norm(c)
        assert (norm(rows[0].b - rows[1].b)[~back] < 1e-7 * leg[~back]).all()
        assert (norm(rows[0].c - rows[1].c) < 1e-8 * leg).all()


@pytest.mark.parametrize(("dtype", "straight"), [(np.float64, 1e-6), (np.float32, 1e-3)])
@pytest.mark.parametrize("part", [0.1, 1.0])
def test_nothing_jumps_where_a_knee_begins_to_tell_its_side_or_is_told_it(rng, dtype, straight, part):
    """At a tenth of the sine that counts as straight the knee begins to tell, at that sine `bend` is not asked."""
    u, bend = directions(rng, COUNT), directions(rng, COUNT)
    side, n = across(directions(rng, COUNT), u), directions(rng, COUNT)
    n = np.where((dot(n, u) < -0.5)[:, None], -n, n)
    out = []
    for change in (-1e-3, 1e-3):
        sine = part * straight * (1 + change)
        c = u + np.sqrt(1 - sine**2) * u + sine * side
        points = [x.astype(dtype) for x in (0 * u, u, c, 1.3 * n, bend)]
        out.append(sk.solve_two_bone(*points[:4], bend=points[4]))
    clear = (dot(bend, side) > -0.9) & (norm(np.cross(bend, u)) > 0.2 * norm(bend))
    assert (norm(np.float64(out[0].b) - out[1].b)[clear] < 0.02).all()
