# SPDX-License-Identifier: MIT
"""Joint limits: the nearest rotation inside, against brute force, and in sweeps."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from reference import limits as reference

import skelkin_py as sk
from skelkin_py.limits import Hinge, JointLimits, SwingTwist

Floats = np.ndarray[Any, np.dtype[np.float64]]
DTYPES = [np.float32, np.float64]


def one_joint(rest: Floats | None = None) -> sk.Skeleton:
    return sk.Skeleton([-1], np.eye(4)[None] if rest is None else rest[None], ["joint"])


def some_rest(rng: np.random.Generator) -> Floats:
    q = rng.normal(size=4)
    return np.asarray(sk.compose(rng.normal(size=3), q / np.linalg.norm(q), rng.uniform(0.5, 2, 3)))


def rotations(rng: np.random.Generator, count: int) -> Floats:
    q = rng.normal(size=(count, 4))
    return np.asarray(q / np.linalg.norm(q, axis=1, keepdims=True))


def poses(q: Floats) -> Floats:
    return np.asarray(sk.compose(np.zeros(3), q)[..., None, :, :])


def angle(p: Floats, q: Floats) -> Floats:
    """Return the angle between rotations (..., 3, 3)."""
    turn = np.swapaxes(p, -1, -2) @ q
    sine = np.linalg.norm(turn - np.swapaxes(turn, -1, -2), axis=(-1, -2)) / np.sqrt(8)
    return np.asarray(np.arctan2(sine, (np.trace(turn, axis1=-2, axis2=-1) - 1) / 2))


def some_limits(rng: np.random.Generator, kind: str) -> Hinge | SwingTwist:
    least = rng.uniform(-2, 1)
    twist = (least, least + rng.uniform(0, 2.5))
    x, y = rng.uniform(0.05, 2.5, 2)
    swing = {"hinge": (0.0, 0.0), "circle": (x, x), "ellipse": (x, y), "line": (0.0, y)}[kind]
    if kind == "hinge":
        return sk.hinge(rng.normal(size=3), *twist)
    return sk.swing_twist(rng.normal(size=3), swing, twist)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["hinge", "circle", "ellipse", "line"])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_no_rotation_inside_is_nearer_than_the_answer(kind: str, seed: int) -> None:
    rng = np.random.default_rng(seed)
    limit, skeleton, q = some_limits(rng, kind), one_joint(some_rest(rng)), rotations(rng, 30)
    answer = JointLimits({0: limit}).nearest(skeleton, poses(q))
    candidates = reference.grid(skeleton, 0, limit, 15, 61, 41)
    given = poses(q)[:, 0, :3, :3]
    got = angle(given, answer[:, 0, :3, :3])
    best = np.array([angle(m, candidates).min() for m in given])
    assert (got <= best + 1e-7).all()
    assert JointLimits({0: limit}).inside(skeleton, answer, 1e-12).all()


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["hinge", "circle", "ellipse", "line"])
def test_agrees_with_the_reference(kind: str) -> None:
    rng = np.random.default_rng(5)
    limit, skeleton, q = some_limits(rng, kind), one_joint(some_rest(rng)), rotations(rng, 6)
    answer = JointLimits({0: limit}).nearest(skeleton, poses(q))[:, 0, :3, :3]
    wanted = reference.nearest(skeleton, 0, limit, poses(q)[:, 0, :3, :3])
    given = poses(q)[:, 0, :3, :3]
    np.testing.assert_allclose(angle(given, answer), angle(given, wanted), atol=1e-7)


@pytest.mark.parametrize("about", [0, 1])
@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_a_twist_that_is_too_large_ends_at_its_bound_beside_a_wide_swing(about: int, sign: float) -> None:
    limit, skeleton = sk.swing_twist([0.0, 0.0, 1.0], (3.0, 3.0), (-0.2, 0.2)), one_joint()
    swing = sk.quaternion_from_axis_angle(np.eye(3)[about], 2.8)
    q = sk.quaternion_multiply(swing, sk.quaternion_from_axis_angle([0.0, 0.0, 1.0], sign))
    given = poses(np.asarray(q)[None])
    answer = JointLimits({0: limit}).nearest(skeleton, given)
    turns = given[:, 0, :3, :3]
    candidates = reference.grid(skeleton, 0, limit, 31, 121, 3)
    assert JointLimits({0: limit}).inside(skeleton, answer, 1e-12).all()
    assert angle(turns, answer[:, 0, :3, :3])[0] <= angle(turns[0], candidates).min() + 1e-7


@pytest.mark.parametrize("dtype", DTYPES)
def test_what_is_inside_and_all_else_keeps_its_bits(dtype: type) -> None:
    rng = np.random.default_rng(3)
    skeleton = sk.Skeleton([-1, 0, 1], np.tile(np.eye(4), (3, 1, 1)), ["a", "b", "c"])
    local = sk.compose(rng.normal(size=(50, 3, 3)), rotations(rng, 150).reshape(50, 3, 4)).astype(dtype)
    limits = JointLimits({"b": sk.swing_twist([0, 1, 0], (1.2, 0.7), (-0.9, 1.4))})
    once = limits.nearest(skeleton, local)
    moved = ~limits.inside(skeleton, local)[:, 0]
    assert once.dtype == dtype
    assert moved.any()
    assert not moved.all()
    np.testing.assert_array_equal(once[:, [0, 2]], local[:, [0, 2]])
    np.testing.assert_array_equal(once[:, 1, :3, 3], local[:, 1, :3, 3])
    np.testing.assert_array_equal(once[~moved], local[~moved])
    np.testing.assert_array_equal(limits.nearest(skeleton, once), once)


@pytest.mark.parametrize("mirrored", [False, True])
def test_scale_and_shear_stay(mirrored: bool) -> None:
    rng = np.random.default_rng(4)
    rest = some_rest(rng)
    if mirrored:
        rest[:3, 0] *= -1
    skeleton = one_joint(rest)
    stretch = np.eye(3) + 0.2 * rng.normal(size=(3, 3))
    stretch = stretch @ stretch.T * (-1 if mirrored else 1)
    local = np.tile(np.eye(4), (20, 1, 1, 1))
    q = sk.quaternion_to_matrix(rotations(rng, 20))
    local[:, 0, :3, :3] = q @ stretch
    out = JointLimits({0: sk.hinge([1, 2, 0], -0.2, 0.9)}).nearest(skeleton, local)[:, 0, :3, :3]
    np.testing.assert_allclose(np.swapaxes(out, -1, -2) @ out, np.tile(stretch @ stretch, (20, 1, 1)), atol=1e-12)
    assert JointLimits({0: sk.hinge([1, 2, 0], -0.2, 0.9)}).inside(skeleton, out_pose(local, out), 1e-12).all()


def out_pose(local: Floats, linear: Floats) -> Floats:
    out = local.copy()
    out[:, 0, :3, :3] = linear
    return out


def test_hinge_past_its_bound_goes_back_to_the_bound() -> None:
    skeleton, limits = one_joint(), JointLimits({0: sk.hinge([1, 0, 0], 0.0, 2.6)})
    for given, wanted in [(-0.3, 0.0), (0.4, 0.4), (2.6, 2.6), (3.0, 2.6), (-1.6, 0.0), (4.4, 2.6), (4.5, 0.0)]:
        q = sk.quaternion_from_axis_angle([1.0, 0, 0], given)
        out = limits.nearest(skeleton, poses(q))[0]
        expected = sk.compose([0.0, 0, 0], sk.quaternion_from_axis_angle([1.0, 0, 0], wanted))
        np.testing.assert_allclose(out, expected, atol=1e-15)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["hinge", "circle", "ellipse"])
@pytest.mark.parametrize("seed", [1, 2])
def test_answer_is_continuous_up_to_where_two_are_equally_near(kind: str, seed: int) -> None:
    """A path through all rotations; steps may be large only where the given one is far outside."""
    rng = np.random.default_rng(seed)
    limit = some_limits(rng, kind)
    skeleton, limits = one_joint(), JointLimits({0: limit})
    knots = rotations(rng, 8)
    s = np.linspace(0, 1, 4000)[:, None]
    q = np.concatenate([p + s * ((1 if p @ r > 0 else -1) * r - p) for p, r in itertools.pairwise(knots)])
    given = poses(q / np.linalg.norm(q, axis=1, keepdims=True))
    out = limits.nearest(skeleton, given)[:, 0, :3, :3]
    moved = angle(given[:-1, 0, :3, :3], given[1:, 0, :3, :3])
    step, outside = angle(out[:-1], out[1:]), angle(given[1:, 0, :3, :3], out[1:])
    jumps = step > 60 * moved
    assert (outside[jumps] > 0.9).all()  # no jump within 50 degrees of the limits
    assert jumps.sum() <= 40


@pytest.mark.parametrize("soft", [0.05, 0.3, 0.9])
def test_soft_hinge_is_smooth_monotonous_and_never_beyond(soft: float) -> None:
    skeleton, limits = one_joint(), JointLimits({0: sk.hinge([0, 1, 0], -0.5, 1.5, soft=soft)})
    x = np.linspace(-1.5, 2.5, 4001)
    out = limits.nearest(skeleton, poses(sk.quaternion_from_axis_angle([0.0, 1, 0], x)))[:, 0]
    y = np.arctan2(out[:, 0, 2], out[:, 0, 0])
    assert y.max() <= 1.5 + 1e-15
    assert y.min() >= -0.5 - 1e-15
    slope = np.diff(y) / np.diff(x)
    assert (slope >= -1e-9).all()
    assert (slope <= 1 + 1e-9).all()
    assert np.abs(np.diff(slope)).max() <= 1e-3 / soft
    middle = np.abs(x - 0.5) < 1 - soft
    np.testing.assert_allclose(y[middle], x[middle], atol=1e-12)


def test_swing_is_about_the_axes_that_are_documented() -> None:
    skeleton = one_joint()
    for axis, first, second in [((1, 0, 0), (0, 1, 0), (0, 0, 1)), ((0, 1, 0), (0, 0, 1), (1, 0, 0)),
                                ((0, 0, 1), (1, 0, 0), (0, 1, 0)), ((-1, 0, 0), (0, 1, 0), (0, 0, -1)),
                                ((0, -1, 0), (0, 0, 1), (-1, 0, 0))]:  # fmt: skip
        limits = JointLimits({0: sk.swing_twist(axis, (1.0, 0.4), (-0.2, 0.3))})
        q = sk.quaternion_from_axis_angle(np.array([first, second, axis], float), np.array([2.0, 2.0, 2.0]))
        wanted = sk.quaternion_from_axis_angle(np.array([first, second, axis], float), np.array([1.0, 0.4, 0.3]))
        out = limits.nearest(skeleton, poses(q))[:, 0, :3, :3]
        np.testing.assert_allclose(out, sk.quaternion_to_matrix(wanted), atol=1e-12)


def test_row_that_is_not_finite_harms_only_itself() -> None:
    local = poses(rotations(np.random.default_rng(6), 5))
    local[2, 0, 1, 1] = np.nan
    limits = JointLimits({0: sk.hinge([1, 0, 0], 0.1, 0.2)})
    out = limits.nearest(one_joint(), local)
    np.testing.assert_array_equal(out[2], local[2])
    good = [0, 1, 3, 4]
    np.testing.assert_array_equal(out[good], limits.nearest(one_joint(), local[good]))
    np.testing.assert_array_equal(limits.inside(one_joint(), out)[:, 0], [True, True, False, True, True])


def test_only_the_joints_asked_for_are_moved() -> None:
    skeleton = sk.Skeleton([-1, 0], np.tile(np.eye(4), (2, 1, 1)), ["a", "b"])
    limits = JointLimits({"a": sk.hinge([1, 0, 0], 0.1, 0.2), 1: sk.hinge([1, 0, 0], 0.1, 0.2)})
    local = np.tile(np.eye(4), (2, 1, 1))
    out = limits.nearest(skeleton, local, ["b"])
    np.testing.assert_array_equal(limits.inside(skeleton, out), [False, True])
    np.testing.assert_array_equal(out[0], local[0])


def test_knees_bend_one_way_from_straight_to_150_degrees() -> None:
    biped = sk.example("biped")
    skeleton, legs = biped.clip.skeleton, biped.clip.find_legs()
    limits = JointLimits.knees(skeleton, legs)
    assert sorted(limits.limits) == sorted(leg.chain[1] for leg in legs)
    for leg in legs:
        upper, lower, end = leg.chain
        limit = limits.limits[lower]
        assert isinstance(limit, Hinge)
        for given, bent in [(-0.5, 0.0), (0.7, 0.7), (3.0, np.radians(150))]:
            q = sk.quaternion_from_axis_angle(list(limit.axis), given + limit.min)
            local = skeleton.rest_local.copy()
            local[lower, :3, :3] = local[lower, :3, :3] @ sk.quaternion_to_matrix(q)
            at = sk.forward_kinematics(skeleton, limits.nearest(skeleton, local))[:, :3, 3]
            u, v = at[lower] - at[upper], at[end] - at[lower]
            np.testing.assert_allclose(np.arctan2(np.linalg.norm(np.cross(u, v)), u @ v), bent, atol=1e-7)


def test_errors_name_what_is_wrong() -> None:
    for make, message in [
        (lambda: sk.hinge([0, 0, 0], 0, 1), "axis"),
        (lambda: sk.hinge([0, 0, 1], 1, 0), "min, max is"),
        (lambda: sk.hinge([0, 0, 1], 0, np.nan), "min, max"),
        (lambda: sk.hinge([0, 0, 1], 0, 1, soft=1.0), "soft is 1.0"),
        (lambda: sk.swing_twist([0, 0, 1], (4.0, 1.0), (0, 1)), "swing is"),
        (lambda: JointLimits({2: sk.hinge([0, 0, 1], 0, 1)}).nearest(one_joint(), np.eye(4)[None]), "limits is 2"),
        (lambda: JointLimits({"x": sk.hinge([0, 0, 1], 0, 1)}).nearest(one_joint(), np.eye(4)[None]), "limits: "),
    ]:
        with pytest.raises(ValueError, match=message):
            make()
    with pytest.raises(TypeError, match="hinge\\(\\)"):
        JointLimits({0: 3})
    with pytest.raises(AttributeError, match="immutable"):
        JointLimits({}).limits = {}


def test_what_is_given_as_limits_must_be_joint_limits() -> None:
    skeleton = sk.Skeleton([-1, 0, 1], np.tile(np.eye(4), (3, 1, 1)) + np.eye(4, k=3) * [[1], [0], [0], [0]])
    rest, wrong = skeleton.rest_local, {1: sk.hinge([0, 0, 1], 0, 1)}
    for verb in (
        lambda: sk.apply_two_bone(skeleton, rest, (0, 1, 2), [1, 1, 0], limits=wrong),
        lambda: sk.points_at(skeleton, rest, 1, [1, 1, 0], limits=wrong),
        lambda: sk.apply_fabrik(skeleton, rest, [0, 1, 2], [1, 1, 0], limits=wrong),
        lambda: sk.rotations_from_positions(skeleton, rest, [0, 1, 2], np.eye(3), limits=wrong),
    ):
        with pytest.raises(TypeError, match=r"limits is \{1: .*expected JointLimits"):
            verb()
