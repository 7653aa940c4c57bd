# SPDX-License-Identifier: MIT
"""`solve_two_bone`: the cases of reach, the knee's place, the rotations, the options."""

from __future__ import annotations

import numpy as np
import pytest
import reference

import skelkin_py as sk

HIP, KNEE, ANKLE = np.array([0.0, 2.0, 0.0]), np.array([0.0, 1.0, 0.2]), np.array([0.0, 0.0, 0.0])
ROLLS = ("hinge", "minimal")


@pytest.fixture
def rng():
    return np.random.default_rng(20240611)


def rotate(q, v):
    """Turn vectors by quaternions through the sandwich product, which the library does not use."""
    w, x = q[..., :1], q[..., 1:]
    return (
        2 * np.sum(x * v, -1, keepdims=True) * x
        + (w * w - np.sum(x * x, -1, keepdims=True)) * v
        + 2 * w * np.cross(x, v)
    )


def multiply(p, q):
    w = p[..., :1] * q[..., :1] - np.sum(p[..., 1:] * q[..., 1:], -1, keepdims=True)
    return np.concatenate([w, p[..., :1] * q[..., 1:] + q[..., :1] * p[..., 1:] + np.cross(p[..., 1:], q[..., 1:])], -1)


def norm(v):
    return np.linalg.norm(v, axis=-1)


def turn_angle(q):
    return 2 * np.arctan2(norm(q[..., 1:]), np.abs(q[..., 0]))


def problems(rng, count, dtype=np.float64):
    """Limbs of every kind with targets of every kind: hard corners are a good part of them."""
    a = rng.normal(size=(count, 3))
    l1, l2 = 10.0 ** rng.uniform(-4, 0, (2, count, 1))
    same = rng.random((count, 1)) < 0.3
    l2 = np.where(same, l1, l2)
    directions = rng.normal(size=(3, count, 3))
    u, v, n = directions / np.linalg.norm(directions, axis=-1, keepdims=True)
    kind = rng.integers(0, 6, (count, 1))
    v = np.where(kind == 0, u, np.where(kind == 1, -u, v))  # straight and folded
    v = np.where(kind == 2, u + 10.0 ** rng.uniform(-9, -1, (count, 1)) * v, v)
    b = a + l1 * u
    c = b + l2 * v / np.linalg.norm(v, axis=-1, keepdims=True)
    reach, least = l1 + l2, np.abs(l1 - l2)
    where = rng.integers(0, 6, (count, 1))
    tiny = 10.0 ** rng.uniform(-16, -1, (count, 1)) * rng.choice([-1.0, 1.0], (count, 1))
    d = least + (reach - least) * rng.random((count, 1))
    d = np.select([where == 0, where == 1, where == 2, where == 3], [reach * (1 + tiny), least + reach * tiny,
                  reach * np.abs(tiny), reach * 10.0 ** rng.uniform(0, 2, (count, 1))], d)  # fmt: skip
    aim = rng.integers(0, 5, (count, 1))
    n = np.select([aim == 0, aim == 1, aim == 2], [u, -u, (c - a) / np.maximum(reach, 1e-30)], n)
    return [x.astype(dtype) for x in (a, b, c, a + d * n)]


def miss_of_reach(a, b, c, target):
    """How far the target is from what the limb can reach, in float64."""
    a, b, c, target = (np.asarray(x, np.float64) for x in (a, b, c, target))
    l1, l2, d = norm(b - a), norm(c - b), norm(target - a)
    return np.maximum(0, d - (l1 + l2)) + np.maximum(0, np.abs(l1 - l2) - d)


def tolerance(dtype, leg, *points):
    ulp = 2 * np.spacing(np.max(np.abs(np.stack(points)), axis=(0, -1)).astype(dtype)).astype(np.float64)
    return (4e-6 if dtype == np.float32 else 1e-12) * leg + ulp


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("scale", [1e-4, 1.0, 1e4])
def test_the_end_misses_only_by_what_the_limb_cannot_reach(rng, dtype, scale):
    a, b, c, t = (x * dtype(scale) for x in problems(rng, 20_000, dtype))
    leg = norm(np.float64(b) - a) + norm(np.float64(c) - b)
    allowed = tolerance(dtype, leg, a, b, c, t)
    unreachable = miss_of_reach(a, b, c, t)
    for roll in ROLLS:
        out = sk.solve_two_bone(a, b, c, t, roll=roll)
        measured = norm(np.float64(out.c) - t)
        np.testing.assert_array_less(np.abs(measured - unreachable), allowed + 1e-300)
        np.testing.assert_allclose(out.error, measured, rtol=1e-5, atol=1e-300)
        assert np.array_equal(out.status == sk.IKStatus.REACHED, measured <= allowed)
        far = norm(np.float64(t) - a) > leg
        missed = out.status != sk.IKStatus.REACHED
        assert set(out.status[missed & far]) <= {sk.IKStatus.TOO_FAR}
        assert set(out.status[missed & ~far]) <= {sk.IKStatus.TOO_CLOSE}


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("roll", ROLLS)
def test_rotations_take_the_old_bones_to_the_new_ones(rng, dtype, roll):
    a, b, c, t = problems(rng, 20_000, dtype)
    out = sk.solve_two_bone(a, b, c, t, roll=roll, bend=rng.normal(size=(20_000, 3)).astype(dtype))
    a, b, c, b2, c2, upper, lower = (np.float64(x) for x in (a, b, c, out.b, out.c, out.upper, out.lower))
    leg = norm(b - a) + norm(c - b)
    allowed = 2e-6 * leg + 1e-6 if dtype == np.float32 else 1e-14 * leg + 2e-15
    np.testing.assert_array_less(np.abs(norm(upper) - 1), 1e-6 if dtype == np.float32 else 1e-14)
    np.testing.assert_array_less(norm(rotate(upper, b - a) - (b2 - a)), allowed)
    np.testing.assert_array_less(norm(rotate(lower, c - b) - (c2 - b2)), allowed)
    np.testing.assert_array_less(np.abs(norm(b2 - a) - norm(b - a)), allowed)
    np.testing.assert_array_less(np.abs(norm(c2 - b2) - norm(c - b)), allowed)


def test_too_close_folds_the_longer_bone_towards_the_target_and_the_other_away():
    target = HIP + np.array([0, 0, 0.1])
    long_thigh = sk.solve_two_bone(HIP, HIP - [0, 1.5, 0], HIP - [0, 2, 0], target, bend=[1, 0, 0])
    assert long_thigh.status == sk.IKStatus.TOO_CLOSE
    np.testing.assert_allclose([long_thigh.b, long_thigh.c], HIP + np.array([[0, 0, 1.5], [0, 0, 1.0]]), atol=1e-14)
    long_shin = sk.solve_two_bone(HIP, HIP - [0, 0.5, 0], HIP - [0, 2, 0], target, bend=[1, 0, 0])
    assert long_shin.status == sk.IKStatus.TOO_CLOSE
    np.testing.assert_allclose([long_shin.b, long_shin.c], HIP + np.array([[0, 0, -0.5], [0, 0, 1.0]]), atol=1e-14)


def test_too_far_is_straight_towards_the_target():
    out = sk.solve_two_bone(HIP, KNEE, ANKLE, HIP + np.array([3, 0, 4]))
    assert out.status == sk.IKStatus.TOO_FAR
    assert np.cross(out.b - HIP, [3, 0, 4]) == pytest.approx(0, abs=1e-14)
    assert np.cross(out.c - HIP, [3, 0, 4]) == pytest.approx(0, abs=1e-14)
    assert out.error == pytest.approx(5 - 2 * np.hypot(1, 0.2), rel=1e-14)


def test_a_target_where_the_ankle_is_changes_nothing(rng):
    a, b, c = rng.normal(size=(3, 500, 3))
    for roll in ROLLS:
        out = sk.solve_two_bone(a, b, c, c, roll=roll)
        np.testing.assert_allclose(out.b, b, atol=1e-12)
        np.testing.assert_allclose(np.abs(out.upper[:, 0]), 1, atol=1e-12)
        np.testing.assert_allclose(np.abs(out.lower[:, 0]), 1, atol=1e-12)


def test_the_knee_goes_to_the_point_of_its_circle_nearest_to_where_it_is(rng):
    a, b, c = rng.normal(size=(3, 400, 3))
    t = a + (c - a) * rng.uniform(0.8, 1.2, (400, 1)) + 0.2 * rng.normal(size=(400, 3))
    out = sk.solve_two_bone(a, b, c, t)
    n = (t - a) / norm(t - a)[:, None]
    side, old = b - a, (c - a) / norm(c - a)[:, None]
    offset = side - np.sum(side * n, -1, keepdims=True) * n
    bulge = side - np.sum(side * old, -1, keepdims=True) * old
    clear = (out.status == 0) & (norm(offset) > 0.5 * norm(side)) & (norm(bulge) > 0.5 * norm(side))
    clear &= np.sum(n * old, -1) > 0.8
    assert clear.sum() > 50
    centre = a + np.sum((out.b - a) * n, -1, keepdims=True) * n
    radius = norm(out.b - centre)[:, None]
    nearest = centre + radius * offset / norm(offset)[:, None]
    np.testing.assert_allclose(out.b[clear], nearest[clear], atol=1e-12)


def test_a_slightly_bent_knee_never_turns_over():
    """A target in front of a nearly straight leg: the nearest knee would be the one that bends backwards."""
    knee = [0, 1, 0.02]
    angle = np.radians(np.linspace(-80, 80, 161))
    for length in (1.2, 1.7, 1.95):
        target = HIP + length * np.stack([np.zeros_like(angle), -np.cos(angle), np.sin(angle)], -1)
        out = sk.solve_two_bone(HIP, knee, ANKLE, target)
        forward = np.stack([np.zeros_like(angle), np.sin(angle), np.cos(angle)], -1)
        assert (np.sum((out.b - HIP) * forward, -1) > 0.1).all()


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_a_straight_leg_bends_to_the_side_that_it_is_told(dtype):
    hip, knee, ankle = (np.array(x, dtype) for x in ([0, 2, 0], [0, 1, 0], [0, 0, 0]))
    heights = np.linspace(-0.5, 1.9, 40)
    targets = np.zeros((40, 3), dtype)
    targets[:, 1] = heights
    out = sk.solve_two_bone(hip, knee, ankle, targets, bend=np.array([0, 0, 1], dtype))
    assert (out.b[:, 2] >= 0).all()
    assert (out.b[heights > 0.01, 2] > 0.05).all()
    np.testing.assert_allclose(out.b[:, 0], 0, atol=1e-12)


def test_bend_fades_in_over_a_decade_of_the_knees_sine():
    target = [0, 0.5, 0]
    sines = np.geomspace(3e-8, 3e-6, 201)
    knee = np.stack([sines, np.ones(201), np.zeros(201)], -1)  # bends to +x, and is told +z
    out = sk.solve_two_bone(HIP, knee, ANKLE, target, bend=[0, 0, 1])
    angle = np.degrees(np.arctan2(out.b[:, 2], out.b[:, 0]))
    assert angle[0] == pytest.approx(90, abs=0.1)
    assert angle[-1] == pytest.approx(0, abs=0.1)
    assert (np.diff(angle) < 0.01).all()
    assert np.abs(np.diff(angle)).max() < 5


def test_without_any_hint_a_straight_leg_still_bends():
    out = sk.solve_two_bone(HIP, [0, 1, 0], ANKLE, [0, 0.5, 0])
    assert out.status == sk.IKStatus.REACHED
    assert norm(out.b - [0, 1.25, 0]) == pytest.approx(np.sqrt(1 - 0.75**2), rel=1e-12)


@pytest.mark.parametrize("l2", [1.0, 0.5, 2.0])
def test_a_target_on_the_hip_is_answered_in_the_direction_of_the_ankle(l2):
    knee = HIP - [0, 1, 0]
    out = sk.solve_two_bone(HIP, knee, knee + np.array([0, 0, l2]), HIP)
    if l2 == 1.0:
        assert out.status == sk.IKStatus.REACHED
        np.testing.assert_allclose(out.c, HIP, atol=1e-14)
    else:
        assert out.status == sk.IKStatus.TOO_CLOSE
        line = np.array([0, -1, l2]) / np.hypot(1, l2)
        np.testing.assert_allclose(out.c, HIP + abs(1 - l2) * line, atol=1e-14)


def test_a_target_in_the_line_of_the_thigh_and_opposite_ones_are_reached(rng):
    a, b, c = rng.normal(size=(3, 1000, 3))
    for direction in (b - a, a - b, a - c, c - a):
        l1, l2 = norm(b - a), norm(c - b)
        d = np.abs(l1 - l2) + (l1 + l2 - np.abs(l1 - l2)) * rng.uniform(0.01, 0.99, 1000)
        t = a + direction / norm(direction)[:, None] * d[:, None]
        for roll in ROLLS:
            out = sk.solve_two_bone(a, b, c, t, roll=roll)
            assert (out.status == sk.IKStatus.REACHED).all()
            assert norm(rotate(out.upper, b - a) - (out.b - a)).max() < 1e-13 * norm(t).max() * 10


def test_bones_of_length_zero_are_named_only_where_they_make_the_target_unreachable():
    a, c = HIP, ANKLE
    for b in (a, c):
        out = sk.solve_two_bone(a, b, c, [[2, 2, 0], [0, 2, 1], [0, 5, 0]])
        assert out.status.tolist() == [sk.IKStatus.REACHED, sk.IKStatus.DEGENERATE, sk.IKStatus.DEGENERATE]
        assert np.isfinite(out.upper).all()
        assert np.isfinite(out.lower).all()
    out = sk.solve_two_bone(a, a, a, [a, a + 1])
    assert out.status.tolist() == [sk.IKStatus.REACHED, sk.IKStatus.DEGENERATE]


def test_hinge_knees_turn_about_the_normal_of_the_bend_plane_alone(rng):
    a, b, c, t, pole = rng.normal(size=(5, 2000, 3))
    out = sk.solve_two_bone(a, b, c, t, pole=pole)
    old = np.cross(b - a, c - b)
    straightness = norm(old) / (norm(b - a) * norm(c - b))
    new = rotate(out.upper, old)
    bends = np.cross(out.b - a, out.c - out.b)
    clear = (straightness > 0.05) & (norm(bends) > 0.05 * norm(b - a) * norm(c - b))
    cosine = np.sum(new * bends, -1) / (norm(new) * norm(bends) + 1e-300)
    np.testing.assert_allclose(cosine[clear], 1, atol=1e-10)  # the plane is carried, its side too
    knee = multiply(out.lower, out.upper * [1, -1, -1, -1])
    across = knee[:, 1:] - np.sum(knee[:, 1:] * new, -1, keepdims=True) * new / norm(new)[:, None] ** 2
    np.testing.assert_allclose(across[clear], 0, atol=1e-10)


def test_minimal_roll_takes_the_shortest_arcs(rng):
    a, b, c, t = rng.normal(size=(4, 2000, 3))
    out = sk.solve_two_bone(a, b, c, t, roll="minimal")
    knee = multiply(out.lower, out.upper * [1, -1, -1, -1])

    def between(u, v):
        return np.arctan2(norm(np.cross(u, v)), np.sum(u * v, -1))

    np.testing.assert_allclose(turn_angle(out.upper), between(b - a, out.b - a), atol=1e-9)
    carried = rotate(out.upper, c - b)
    np.testing.assert_allclose(turn_angle(knee), between(carried, out.c - out.b), atol=1e-7)


def test_a_pole_point_and_direction_say_where_the_knee_goes(rng):
    a, b, c, t, pole = rng.normal(size=(5, 500, 3))
    by_point = sk.solve_two_bone(a, b, c, t, pole=pole)
    by_direction = sk.solve_two_bone(a, b, c, t, pole_direction=pole - a)
    np.testing.assert_allclose(by_point.b, by_direction.b, atol=1e-9)
    n = (t - a) / norm(t - a)[:, None]
    pull = (pole - a) - np.sum((pole - a) * n, -1, keepdims=True) * n
    knee = (by_point.b - a) - np.sum((by_point.b - a) * n, -1, keepdims=True) * n
    clear = (norm(pull) > 0.3 * norm(pole - a)) & (norm(knee) > 1e-3)
    cosine = np.sum(pull * knee, -1) / (norm(pull) * norm(knee) + 1e-300)
    np.testing.assert_allclose(cosine[clear], 1, atol=1e-9)


def test_a_pole_in_the_line_to_the_target_leaves_the_bend_side():
    out = sk.solve_two_bone(HIP, KNEE, ANKLE, [0, 0.5, 0], pole=[0, -3, 0])
    np.testing.assert_allclose(out.b, sk.solve_two_bone(HIP, KNEE, ANKLE, [0, 0.5, 0]).b, atol=1e-14)
    assert sk.solve_two_bone(HIP, KNEE, ANKLE, [0, 0.5, 0], pole=HIP).status == sk.IKStatus.REACHED


@pytest.mark.parametrize("soften", [0.02, 0.1, 0.5])
def test_softening_follows_its_formula_and_never_overshoots(soften):
    reach = 2 * np.hypot(1, 0.2)
    d = np.linspace(0.01, 2 * reach, 2001)
    out = sk.solve_two_bone(HIP, KNEE, ANKLE, HIP - np.stack([0 * d, d, 0 * d], -1), soften=soften)
    got = norm(out.c - HIP)
    start = (1 - soften) * reach
    wanted = np.where(d <= start, d, start + soften * reach * (1 - np.exp(-(d - start) / (soften * reach))))
    np.testing.assert_allclose(got, wanted, atol=1e-12)
    assert (got <= d + 1e-12).all()
    assert (got <= reach + 1e-12).all()
    slope = np.diff(got) / np.diff(d)
    assert np.abs(np.diff(slope)).max() < 1.5 * (d[1] - d[0]) / (soften * reach)
    assert set(out.status[d > start + 0.05]) == {sk.IKStatus.TOO_FAR}
    assert set(out.status[d < start]) == {sk.IKStatus.REACHED}


def test_stretching_lengthens_both_bones_up_to_its_limit():
    reach, l1 = 2 * np.hypot(1, 0.2), np.hypot(1, 0.2)
    d = np.linspace(0.1, 2 * reach, 500)
    target = HIP - np.stack([0 * d, d, 0 * d], -1)
    out = sk.solve_two_bone(HIP, KNEE, ANKLE, target, stretch=1.3)
    np.testing.assert_allclose(out.stretch, np.clip(d / reach, 1, 1.3), rtol=1e-12)
    np.testing.assert_allclose(norm(out.b - HIP), l1 * out.stretch, rtol=1e-12)
    np.testing.assert_allclose(norm(out.c - out.b), l1 * out.stretch, rtol=1e-12)
    np.testing.assert_allclose(norm(out.c - HIP), np.minimum(d, 1.3 * reach), rtol=1e-12)
    assert np.array_equal(out.status == sk.IKStatus.TOO_FAR, d > 1.3 * reach * (1 + 1e-12))
    early = sk.solve_two_bone(HIP, KNEE, ANKLE, target, stretch=1.3, stretch_start=0.8)
    np.testing.assert_allclose(early.stretch, np.clip(d / (0.8 * reach), 1, 1.3), rtol=1e-12)
    np.testing.assert_allclose(norm(early.c - HIP), np.minimum(d, 1.3 * reach), rtol=1e-12)
    soft = sk.solve_two_bone(HIP, KNEE, ANKLE, target, stretch=1.3, soften=0.1)
    start, zone = 0.9 * reach, 0.1 * reach
    eased = np.where(d <= start, d, start + zone * (1 - np.exp(-(d - start) / zone)))
    np.testing.assert_allclose(soft.stretch, np.clip(d / eased, 1, 1.3), rtol=1e-12)
    np.testing.assert_allclose(norm(soft.c - HIP), np.minimum(d, 1.3 * eased), rtol=1e-12)


def test_twist_turns_the_solved_limb_about_the_line_from_hip_to_end(rng):
    a, b, c, t = rng.normal(size=(4, 300, 3))
    angle = rng.uniform(-3, 3, 300)
    for roll in ROLLS:
        plain = sk.solve_two_bone(a, b, c, t, roll=roll)
        out = sk.solve_two_bone(a, b, c, t, roll=roll, twist=angle)
        axis = (out.c - a) / norm(out.c - a)[:, None]
        q = np.concatenate([np.cos(angle / 2)[:, None], np.sin(angle / 2)[:, None] * axis], -1)
        np.testing.assert_allclose(out.c, plain.c, atol=1e-12)
        np.testing.assert_allclose(out.b - a, rotate(q, plain.b - a), atol=1e-12)
        for got, before in ((out.upper, plain.upper), (out.lower, plain.lower)):
            np.testing.assert_allclose(np.abs(np.sum(got * multiply(q, before), -1)), 1, atol=1e-12)


def test_weight_takes_part_of_both_rotations(rng):
    a, b, c, t = rng.normal(size=(4, 300, 3))
    whole = sk.solve_two_bone(a, b, c, t)
    knee = multiply(whole.lower, whole.upper * [1, -1, -1, -1])
    for weight in (0.25, 0.5, 0.9):
        out = sk.solve_two_bone(a, b, c, t, weight=weight)
        np.testing.assert_allclose(turn_angle(out.upper), weight * turn_angle(whole.upper), atol=1e-9)
        partial = multiply(out.lower, out.upper * [1, -1, -1, -1])
        np.testing.assert_allclose(turn_angle(partial), weight * turn_angle(knee), atol=1e-9)
        np.testing.assert_allclose(out.b - a, rotate(out.upper, b - a), atol=1e-12)
        np.testing.assert_allclose(out.c - out.b, rotate(out.lower, c - b), atol=1e-12)
        np.testing.assert_allclose(out.error, norm(out.c - t), rtol=1e-12)
        assert np.array_equal(out.status, whole.status)


OPTIONS = [
    {},
    {"roll": "minimal"},
    {"bend": "v"},
    {"pole": "v"},
    {"pole_direction": "v", "roll": "minimal"},
    {"soften": "n", "stretch": 1.2},
    {"stretch": 1.5, "stretch_start": "n"},
    {"twist": "n", "weight": "n"},
]


def options(rng, which, count, dtype=np.float64):
    """Random arrays for "v" (vectors) and "n" (numbers between 0.1 and 0.9)."""
    made = {
        "v": lambda: rng.normal(size=(count, 3)).astype(dtype),
        "n": lambda: rng.uniform(0.1, 0.9, count).astype(dtype),
    }
    return {k: made[v]() if v in ("v", "n") else v for k, v in which.items()}


def ordinary(rng, count, dtype=np.float64):
    """Limbs well bent before and after, so that every answer is well conditioned."""
    a, b, c = rng.normal(size=(3, count * 4, 3))
    sine = norm(np.cross(b - a, c - b)) / (norm(b - a) * norm(c - b))
    l1, l2 = norm(b - a), norm(c - b)
    n = rng.normal(size=(count * 4, 3))
    d = np.abs(l1 - l2) + (l1 + l2 - np.abs(l1 - l2)) * rng.uniform(0.1, 0.9, count * 4)
    t = a + n / norm(n)[:, None] * d[:, None]
    good = (
        (sine > 0.2)
        & (np.minimum(l1, l2) > 0.2 * (l1 + l2))
        & (np.abs(np.sum(n * (c - a), -1)) < 0.95 * norm(n) * norm(c - a))
    )
    return [x[good][:count].astype(dtype) for x in (a, b, c, t)]


@pytest.mark.parametrize("which", OPTIONS, ids=str)
def test_it_agrees_with_the_reference(rng, which):
    for dtype, bound in ((np.float64, 1e-12), (np.float32, 2e-6)):
        a, b, c, t = ordinary(rng, 1500, dtype)
        given = options(rng, which, len(a), dtype)
        got = sk.solve_two_bone(a, b, c, t, **given)
        wanted = reference.solve_two_bone(a, b, c, t, dtype=dtype, **given)
        assert np.array_equal(got.status, wanted.status)
        leg = (norm(np.float64(b) - a) + norm(np.float64(c) - b))[:, None]
        boundary = np.abs(norm(wanted.c - a)[:, None] - leg) < 1e-3 * leg  # a square root lies there
        for field in ("b", "c", "upper", "lower", "stretch", "error"):
            x, y = (np.float64(getattr(r, field)).reshape(len(a), -1) for r in (got, wanted))
            unit = leg if field in ("b", "c", "error") else 1.0
            assert np.max(np.where(boundary, 0, np.abs(x - y) / unit)) < bound, field
