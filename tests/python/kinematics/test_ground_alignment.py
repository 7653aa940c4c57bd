# SPDX-License-Identifier: MIT
"""Feet along the ground: the sole on its plane in every kind of rig, slopes up to a limit, headings, and flat toes."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

import skelkin_py as sk

UP = np.array([0.0, 1.0, 0.0])
FOOT, TOE = 3, 4


def leg(kind: str) -> sk.Skeleton:
    """Return a leg that stands on the ground; its parents are rigid, scaled evenly, mirrored, or scaled unevenly."""
    rest = np.tile(np.eye(4), (6, 1, 1))
    rest[:, :3, 3] = [0, 0.9, 0], [0.1, 0, 0], [0, -0.4, 0.02], [0, -0.4, -0.02], [0, -0.07, 0.13], [0, 0, 0.08]
    turn = sk.quaternion_from_axis_angle([1, 2, 3], 0.7)
    rest[FOOT] = rest[FOOT] @ sk.compose([0, 0, 0], turn)  # the foot's own axes lie anyhow
    rest[TOE] = sk.compose([0, 0, 0], turn * [1, -1, -1, -1]) @ rest[TOE]
    scale = {"rigid": [1, 1, 1], "scaled": [2, 2, 2], "mirrored": [-1, 1, 1], "sheared": [1, 1.4, 0.8]}[kind]
    rest[1] = rest[1] @ np.diag([*scale, 1])
    return sk.Skeleton([-1, 0, 1, 2, 3, 4], rest)


def poses(skeleton: sk.Skeleton, seed: int, *lead: int, size: float = 0.4) -> np.ndarray:
    rng = np.random.default_rng(seed)
    turns = rng.normal(size=(*lead, 6, 4)) * size / 2 + [1, 0, 0, 0]
    turns[..., TOE:, :] = [1, 0, 0, 0]
    return skeleton.rest_local @ sk.compose([0, 0, 0], turns)


def slopes(seed: int, *lead: int) -> np.ndarray:
    normal = np.random.default_rng(seed).normal(size=(*lead, 3)) * 0.5
    normal[..., 1] = 1
    return normal


def sole_normal(skeleton: sk.Skeleton, local: np.ndarray, joint: int) -> np.ndarray:
    """Return the normal across two lines of the joint that were level at rest, on the side of what was above."""
    edges = sk.forward_kinematics(skeleton, local.astype(np.float64))[..., joint, :3, :3]
    edges = edges @ np.linalg.inv(skeleton.rest_global[joint, :3, :3])
    normal = np.cross(edges[..., 2], edges[..., 0])
    return unit(normal) * np.sign(np.sum(normal * edges[..., 1], axis=-1, keepdims=True))


def unit(v: np.ndarray) -> np.ndarray:
    return v / np.linalg.norm(v, axis=-1, keepdims=True)


@pytest.mark.slow
@pytest.mark.parametrize("with_forward", [False, True])
@pytest.mark.parametrize("kind", ["rigid", "scaled", "mirrored", "sheared"])
@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 9999))
def test_the_sole_lies_on_the_ground(kind, with_forward, seed):
    skeleton = leg(kind)
    local, normal = poses(skeleton, seed, 5), slopes(seed, 5)
    toes = skeleton.rest_local[TOE, :3, 3] if with_forward else None
    found = sk.align_to_ground(skeleton, local, FOOT, normal, up=UP, forward=toes)
    np.testing.assert_allclose(sole_normal(skeleton, found, FOOT), unit(normal), atol=1e-12)
    others = [0, 1, 2, 4, 5]
    np.testing.assert_array_equal(found[:, others], local[:, others])
    narrow = sk.align_to_ground(skeleton, local.astype(np.float32), FOOT, normal.astype(np.float32), up=UP.tolist())
    assert narrow.dtype == np.float32
    np.testing.assert_allclose(sole_normal(skeleton, narrow, FOOT), unit(normal), atol=1e-5)


def test_the_turn_is_the_smallest_and_does_not_spin_about_the_normal():
    skeleton = leg("rigid")
    local, normal = poses(skeleton, 1, 50), slopes(2, 50)
    before, after = (
        sk.forward_kinematics(skeleton, each)[:, FOOT, :3, :3]
        for each in (local, sk.align_to_ground(skeleton, local, FOOT, normal, up=UP))
    )
    turn = sk.quaternion_from_matrix(after @ before.swapaxes(1, 2))
    arc = sk.quaternion_between(sole_normal(skeleton, local, FOOT), normal)
    np.testing.assert_allclose(turn, arc, atol=1e-12)


@pytest.mark.parametrize("kind", ["rigid", "scaled", "mirrored", "sheared"])
def test_with_forward_the_heading_seen_from_above_stays(kind):
    skeleton = leg(kind)
    local, normal = poses(skeleton, 3, 50), slopes(4, 50)
    toes = np.linalg.solve(skeleton.rest_global[FOOT, :3, :3], [0, 0, 1])  # level at rest: within the sole
    found = sk.align_to_ground(skeleton, local, FOOT, normal, up=UP, forward=toes)
    plain = sk.align_to_ground(skeleton, local, FOOT, normal, up=UP)
    before, after, without = (
        unit((sk.forward_kinematics(skeleton, each)[:, FOOT, :3, :3] @ toes) * [1, 0, 1])
        for each in (local, found, plain)
    )
    np.testing.assert_allclose(after, before, atol=1e-9)
    assert np.abs(without - before).max() > 1e-3


@pytest.mark.slow
@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 9999), most=st.floats(0, np.pi))
def test_limited_normals_are_the_nearest_within_the_cone(seed, most):
    rng = np.random.default_rng(seed)
    normal, up = unit(rng.normal(size=(20, 3))), unit(rng.normal(size=3))
    found = sk.limit_slope(normal, up, most)
    cosine = np.sum(found * up, axis=-1)
    assert (np.arccos(np.clip(cosine, -1, 1)) <= most + 1e-7).all()
    inside = np.arccos(np.clip(normal @ up, -1, 1)) < most - 1e-9
    np.testing.assert_allclose(found[inside], normal[inside], atol=1e-15)
    others = unit(rng.normal(size=(400, 3)))
    others = others[np.arccos(others @ up) <= most]
    if len(others):
        assert (np.sum(found * normal, axis=-1) >= (normal @ others.T).max(axis=1) - 1e-9).all()


def test_a_slope_limit_holds_the_foot():
    skeleton = leg("rigid")
    local = poses(skeleton, 5, 30)
    normal = slopes(6, 30)
    found = sk.align_to_ground(skeleton, local, FOOT, normal, up=UP, max_slope=0.2)
    np.testing.assert_allclose(sole_normal(skeleton, found, FOOT), sk.limit_slope(normal, UP, 0.2), atol=1e-12)
    flat = sk.align_to_ground(skeleton, local, FOOT, [1, 0, 0], up=UP, max_slope=np.zeros(30))
    np.testing.assert_allclose(sole_normal(skeleton, flat, FOOT), np.tile(UP, (30, 1)), atol=1e-12)
    np.testing.assert_array_equal(sk.limit_slope([0, -1, 0], UP, 0.3), UP)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["rigid", "scaled", "mirrored", "sheared"])
@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 9999))
def test_toes_roll_about_their_hinge_until_they_lie_along_the_ground(kind, seed):
    skeleton = leg(kind)
    local, normal = poses(skeleton, seed, 5), slopes(seed, 5)
    found = sk.roll_toe(skeleton, local, TOE, normal, up=UP)
    g = [sk.forward_kinematics(skeleton, each)[:, TOE] for each in (local, found)]
    rest = skeleton.rest_global[TOE, :3, :3]
    side = np.linalg.solve(rest, [1, 0, 0])
    np.testing.assert_allclose(g[0][:, :3, :3] @ side, g[1][:, :3, :3] @ side, atol=1e-12)
    # In the toe's own frame across the hinge, within the sole: that line must be level with the ground.
    own = sk.forward_kinematics(skeleton, found)[:, FOOT, :3, :3]
    toe = found[:, TOE, :3, :3]
    hinge, plane = toe @ side, np.linalg.inv(toe).swapaxes(1, 2) @ (rest.T @ UP)
    ahead = (own @ np.cross(hinge, plane)[..., None])[..., 0]
    np.testing.assert_allclose(np.sum(unit(ahead) * unit(normal), axis=-1), 0, atol=1e-12)


def test_toes_stay_flat_while_the_heel_rises_until_their_limit():
    skeleton = leg("rigid")
    angles = np.linspace(0, 1.2, 13)
    hinge = np.linalg.solve(skeleton.rest_global[TOE, :3, :3], [1, 0, 0])
    local = np.tile(skeleton.rest_local, (13, 1, 1, 1))
    foot = np.linalg.solve(skeleton.rest_global[FOOT, :3, :3], [1, 0, 0])
    local[:, FOOT] = local[:, FOOT] @ sk.compose([0, 0, 0], sk.quaternion_from_axis_angle(foot, angles))
    limits = sk.JointLimits({TOE: sk.hinge(hinge, -0.8, 0.0)})
    found = sk.roll_toe(skeleton, local, TOE, UP, up=UP, limits=limits)
    rise = sole_normal(skeleton, found, TOE)[:, 1]
    np.testing.assert_allclose(rise, np.cos(np.maximum(0, angles - 0.8)), atol=1e-12)
    assert limits.inside(skeleton, found).all()


@pytest.mark.parametrize("call", [sk.align_to_ground, sk.roll_toe])
def test_rows_that_tell_nothing_and_weight_0_keep_their_bits(call):
    skeleton = leg("rigid")
    local, normal = poses(skeleton, 7, 5), slopes(8, 5)
    normal[1], normal[2, 1] = 0, np.nan
    local[3, FOOT, 0, 0] = np.nan
    weight = np.array([1, 1, 1, 1, 0.0])
    found = call(skeleton, local, TOE if call is sk.roll_toe else FOOT, normal, up=UP, weight=weight)
    np.testing.assert_array_equal(found[1:], local[1:])
    assert not np.array_equal(found[0], local[0])
    alone = call(skeleton, local[0], TOE if call is sk.roll_toe else FOOT, normal[0], up=UP)
    np.testing.assert_array_equal(found[0], alone)


def test_bad_input_is_named():
    skeleton = leg("rigid")
    rest = skeleton.rest_local
    with pytest.raises(ValueError, match=r"^max_slope\[1\] is 4: it must lie within 0 .. pi$"):
        sk.align_to_ground(skeleton, rest, FOOT, UP, up=UP, max_slope=[1, 4])
    with pytest.raises(ValueError, match=r"^normal has shape \(2,\): expected \(\.\.\., 3\)$"):
        sk.align_to_ground(skeleton, rest, FOOT, [0, 1], up=UP)
    with pytest.raises(
        ValueError, match=r"^'joint_0' has no joint above, which would show the side of the foot: give hinge$"
    ):
        sk.roll_toe(skeleton, rest, 0, UP, up=UP)
    with pytest.raises(ValueError, match=r"^leading dimensions do not broadcast: "):
        sk.roll_toe(skeleton, np.stack([rest] * 3), TOE, slopes(1, 2), up=UP)
    with pytest.raises(ValueError, match=r"^toe is 9: there is no joint of this number$"):
        sk.roll_toe(skeleton, rest, 9, UP, up=UP)
