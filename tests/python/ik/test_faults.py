# SPDX-License-Identifier: MIT
"""Faults that other two-bone solvers have, each pinned down as not ours, on positions and on skeletons."""

from __future__ import annotations

import numpy as np
import pytest
from limb_problems import cross, directions, multiply, norm, rotate, tiny

import skelkin_py as sk

DTYPES = (np.float32, np.float64)
HIP, ANKLE = np.array([0.0, 2.0, 0.0]), np.array([0.0, 0.0, 0.0])


@pytest.fixture
def rng():
    return np.random.default_rng(16)


def turned_by(q):
    return 2 * np.arctan2(norm(q[:, 1:]), np.abs(q[:, 0]))


def leg_skeleton(bend=0.0, scale=1.0):
    rest = np.tile(np.eye(4), (5, 1, 1))
    rest[:, :3, 3] = scale * np.array([[0, 2, 0], [0, 0, 0], [0, -1, bend], [0, -1, -bend], [0, 0, 0.3]])
    return sk.Skeleton([-1, 0, 1, 2, 3], rest, ["pelvis", "thigh", "shin", "foot", "toe"])


LEG = ("thigh", "shin", "foot")


def joint(local, skeleton, name):
    return sk.forward_kinematics(skeleton, local)[..., skeleton.index(name), :3, 3]


def test_softening_never_lets_the_end_overshoot_its_target(rng):
    """Others overshoot by 2.8 % of the leg; ours never goes beyond the target or the reach."""
    a, b, c = rng.normal(size=(3, 20_000, 3))
    leg = norm(b - a) + norm(c - b)
    d = leg * rng.uniform(0.5, 2.0, 20_000)
    t = a + d[:, None] * directions(rng, 20_000)
    for soften in (0.02, 0.1, 0.5, 0.97, 0.999):
        out = sk.solve_two_bone(a, b, c, t, soften=soften)
        least = np.abs(norm(b - a) - norm(c - b))
        got = norm(out.c - a)
        assert (got <= np.maximum(d, least) + 1e-13 * leg).all()
        assert (got <= leg * (1 + 1e-14)).all()
    skeleton = leg_skeleton(0.2)
    down = HIP - np.linspace(1.0, 2.5, 200)[:, None] * [0, 1, 0]
    out = sk.apply_two_bone(skeleton, skeleton.rest_local, LEG, down, soften=0.1)
    assert (joint(out.local, skeleton, "foot")[:, 1] >= down[:, 1] - 1e-14).all()


@pytest.mark.parametrize("dtype", DTYPES)
def test_reached_is_never_said_of_a_miss(rng, dtype):
    """Where the hinge axis is not at right angles to the limb, others miss by a quarter of the chain and say reached.

    Here the side is given as anything: along the limb, across it, slanted, as pole or as bend.
    """
    a, b, c = rng.normal(size=(3, 20_000, 3)).astype(dtype)
    t = (a + directions(rng, 20_000) * rng.uniform(0, 3, (20_000, 1))).astype(dtype)
    slanted = np.where(rng.random((20_000, 1)) < 0.5, c - a, c - a + 0.3 * rng.normal(size=(20_000, 3))).astype(dtype)
    leg = norm(np.float64(b) - a) + norm(np.float64(c) - b)
    bound = (4e-6 if dtype == np.float32 else 1e-12) * leg + 2 * np.spacing(dtype(8))
    for options in ({"bend": slanted}, {"pole_direction": slanted}, {"bend": slanted, "soften": dtype(0.2)}):
        out = sk.solve_two_bone(a, b, c, t, **options)
        miss = norm(np.float64(out.c) - t)
        knee = rotate(np.float64(out.upper), np.float64(b) - a)
        turned = norm(knee + rotate(np.float64(out.lower), np.float64(c) - b) - (np.float64(t) - a))
        reached = out.status == sk.IKStatus.REACHED
        assert reached.any()
        assert not reached.all()
        assert (miss <= bound)[reached].all()
        assert (turned <= 2 * bound)[reached].all()  # the rotations alone get there too
        assert (miss > bound)[~reached].all()


@pytest.mark.parametrize("scale", [1e-5, 1e-9, 1e-20])
@pytest.mark.parametrize("dtype", DTYPES)
def test_chains_far_shorter_than_a_ten_thousandth_are_solved(dtype, scale):
    a, b, c, t = np.array([[0, 2.0, 0], [0, 1, 0.2], [0, 0, 0], [0.3, 0.7, 0.2]]) * scale
    out = sk.solve_two_bone(*(x.astype(dtype) for x in (a, b, c, t)))
    assert out.status == sk.IKStatus.REACHED
    assert norm(np.float64(out.c - t)[None])[0] < 1e-6 * scale
    assert norm(np.float64(out.c - c)[None])[0] > 0.7 * scale
    skeleton = leg_skeleton(0.2, scale)
    posed = sk.apply_two_bone(skeleton, skeleton.rest_local.astype(dtype), LEG, t.astype(dtype))
    assert posed.status == sk.IKStatus.REACHED
    assert np.abs(joint(posed.local, skeleton, "foot") - t).max() < 1e-6 * scale


@pytest.mark.parametrize("value", [np.nan, np.inf])
@pytest.mark.parametrize("which", ["pole", "pole_direction", "bend"])
def test_a_pole_that_is_no_number_is_refused_row_by_row(which, value):
    guide = np.array([[0, 0, 1.0], [0, value, 1.0], [1.0, 0, 0]])
    args = (HIP, [0, 1, 0.2], ANKLE, [0, 0.5, 0])
    out = sk.solve_two_bone(*args, **{which: guide})
    assert out.status.tolist() == [sk.IKStatus.REACHED, sk.IKStatus.BAD_INPUT, sk.IKStatus.REACHED]
    assert np.array_equal(out.b[1], [0, 1, 0.2])
    for row in (0, 2):
        assert np.array_equal(out.b[row], sk.solve_two_bone(*args, **{which: guide[row]}).b)
    skeleton = leg_skeleton(0.2)
    posed = sk.apply_two_bone(skeleton, skeleton.rest_local, LEG, [0, 0.5, 0], **{which: guide})
    assert posed.status[1] == sk.IKStatus.BAD_INPUT
    assert posed.local[1].tobytes() == skeleton.rest_local.tobytes()


@pytest.mark.slow
@pytest.mark.parametrize("dtype", DTYPES)
def test_half_the_weight_never_turns_a_bone_further_than_the_whole(rng, dtype):
    """Blending quaternions of unlike sign goes the long way round; the angle grows with the weight, to the whole."""
    a, b, c, t = rng.normal(size=(4, 5000, 3)).astype(dtype)
    t[:500] = a[:500] - (b - a)[:500]  # half turns among them
    t[500:1000] = a[500:1000] - (c - a)[500:1000]
    pole = rng.normal(size=(5000, 3)).astype(dtype)
    slack = 4e-6 if dtype == np.float32 else 1e-11  # a half turn's own angle is known to half of the digits
    for options in ({}, {"roll": "minimal"}, {"pole": pole}, {"twist": dtype(2.5)}):
        last = [np.zeros(5000)] * 2
        for weight in np.linspace(0, 1, 9).astype(dtype):
            out = sk.solve_two_bone(a, b, c, t, weight=weight, **options)
            upper, lower = np.float64(out.upper), np.float64(out.lower)
            knee = multiply(lower, upper * [1, -1, -1, -1])
            angles = [turned_by(upper), turned_by(knee)]
            for now, before in zip(angles, last, strict=True):
                assert (now >= before - slack).all()
            last = angles
        assert last[0].max() > 3


def test_the_knee_stays_where_it_is_when_its_pole_comes_into_line(rng):
    """With the pole dead in line others have no side left and jump; ours goes over to the limb's own bend side."""
    knee = np.array([0, 1.1, 0.5])
    target = np.array([0, 0.6, 0])
    alone = sk.solve_two_bone(HIP, knee, ANKLE, target)
    size = np.concatenate([[0.0], tiny(rng, 500, -300, -3)[:, 0]])
    around = np.exp(1j * rng.uniform(0, 2 * np.pi, 501))
    off = np.stack([around.real, 0 * size, around.imag], -1) * size[:, None]
    for ahead in (-1.0, 1.0):
        out = sk.solve_two_bone(HIP, knee, ANKLE, target, pole_direction=off + np.array([0, ahead, 0]))
        assert (out.status == sk.IKStatus.REACHED).all()
        assert (norm(out.b - alone.b) <= 50 * size).all()


def test_a_mirrored_leg_is_solved_to_the_mirrored_side():
    """A parent that mirrors turns the sense of rotations over: elsewhere knees of one side then bend backwards."""
    skeleton = leg_skeleton(0.2)
    target = np.array([[0.1, 0.6, 0.2], [0.4, 0.5, -0.3], [0, -0.5, 0]])
    plain = sk.apply_two_bone(skeleton, skeleton.rest_local, LEG, target)
    for axis in range(3):
        flip = np.ones(3)
        flip[axis] = -1
        pose = skeleton.rest_local.copy()
        pose[0] = np.diag([*flip, 1.0]) @ pose[0]
        out = sk.apply_two_bone(skeleton, pose, LEG, target * flip)
        assert np.array_equal(out.status, plain.status)
        for name in LEG:
            expected = joint(plain.local, skeleton, name) * flip
            np.testing.assert_allclose(joint(out.local, skeleton, name), expected, atol=1e-13)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("bend", [0.0, 1e-9, 1e-5, 0.01])
def test_straight_legs_bend_and_forward(dtype, bend):
    """A straight leg gives closed forms no plane and iterations no slope: it stays straight in both."""
    skeleton = leg_skeleton(bend)
    down = np.linspace(0.05, 1.9, 60)
    target = np.stack([0 * down, 2 - down, 0 * down], -1)
    out = sk.apply_two_bone(skeleton, skeleton.rest_local.astype(dtype), LEG, target.astype(dtype))
    assert (out.status == sk.IKStatus.REACHED).all()
    knee = np.float64(joint(out.local, skeleton, "shin"))
    np.testing.assert_allclose(knee[:, 2], np.sqrt(1 + bend**2 - (down / 2) ** 2), atol=2e-6)  # forward is +z
    np.testing.assert_allclose(knee[:, 0], 0, atol=2e-6)


@pytest.mark.parametrize("dtype", DTYPES)
def test_turns_of_nearly_a_half_do_not_miss(rng, dtype):
    """The shortest arc from u to v as (1 + u·v, u x v) is rounding near 180 degrees: two of them miss by 3 %."""
    count = 20_000
    u = directions(rng, count)
    v = cross(u, directions(rng, count)) + 0.2 * u
    a, b, c = (x.astype(dtype) for x in (0 * u, u, u + v))
    ankle = np.float64(c)
    along = np.where(rng.random((count, 1)) < 0.5, u, ankle / norm(ankle)[:, None])
    away = directions(rng, count)
    n = -along + tiny(rng, count, -18, -2) * away
    reach = norm(np.float64(b)) + norm(np.float64(c) - b)
    t = (n / norm(n)[:, None] * (reach * rng.uniform(0.3, 1.0, count))[:, None]).astype(dtype)
    least = np.abs(norm(np.float64(b)) - norm(np.float64(c) - b))
    inside = (norm(np.float64(t)) > least) & (norm(np.float64(t)) < reach)
    bound = 2e-6 if dtype == np.float32 else 1e-13
    for options in ({}, {"roll": "minimal"}, {"pole_direction": away.astype(dtype)}):
        out = sk.solve_two_bone(a, b, c, t, **options)
        upper, lower = np.float64(out.upper), np.float64(out.lower)
        end = rotate(upper, np.float64(b)) + rotate(lower, np.float64(c) - b)
        assert (norm(end - t) <= bound * reach)[inside].all()
        half = (turned_by(upper) > np.pi - 1e-3) & (turned_by(upper) < np.pi)
        if not options:
            assert half[inside].sum() > 100
