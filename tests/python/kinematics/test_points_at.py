# SPDX-License-Identifier: MIT
"""A joint that points at something: exactly, by the smallest turn, in every kind of rig, and what leaves it alone."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from random_rigs import random_transforms
from reference import _algebra as algebra

import skelkin_py as sk

PARENTS = [-1, 0, 1, 2, 3, 1, 5, 6]
NAMES = ["root", "hips", "left hip", "left knee", "left ankle", "right hip", "right knee", "right ankle"]
seeds = st.integers(0, 9999)


def calm_rest() -> np.ndarray:
    rest = np.tile(np.eye(4), (8, 1, 1))
    rest[1, :3, 3] = [0, 1, 0]
    rest[[2, 5], 0, 3] = 0.1, -0.1
    rest[[3, 4, 6, 7], 1, 3] = -0.5
    return rest


SKELETON = sk.Skeleton(PARENTS, calm_rest(), NAMES)


def poses(seed: int, *lead: int, kind: str = "rigid") -> np.ndarray:
    """Return poses whose parents are rigid, scaled evenly, mirrored, or scaled unevenly and so sheared."""
    local = random_transforms(seed, *lead, 8, scaled=kind == "sheared")
    if kind == "scaled":
        local[..., :3, :3] *= np.random.default_rng(seed).uniform(0.3, 3, (*lead, 8, 1, 1))
    if kind == "mirrored":
        local[..., 1, :3, 0] *= -1
    return local


def miss(local: np.ndarray, joint: int, tip: np.ndarray, target: np.ndarray) -> np.ndarray:
    """Return the sine of the angle between joint -> tip and joint -> target, and 2 where they look away."""
    g = sk.forward_kinematics(SKELETON, local.astype(np.float64))[..., joint, :, :]
    line = (g[..., :3, :3] @ tip[..., None])[..., 0]
    aim = target - g[..., :3, 3]
    sine = np.linalg.norm(np.cross(algebra.unit(line), algebra.unit(aim)), axis=-1)
    return np.where(np.sum(line * aim, axis=-1) > 0, sine, 2.0)


@pytest.mark.slow
@pytest.mark.parametrize("frame", ["object", "world"])
@pytest.mark.parametrize("kind", ["rigid", "scaled", "mirrored", "sheared"])
@settings(max_examples=25, deadline=None)
@given(seed=seeds)
def test_an_offset_tip_points_exactly(kind, frame, seed):
    rng = np.random.default_rng(seed)
    local, tip, target = poses(seed, 5, kind=kind), rng.normal(size=(5, 3)), rng.normal(size=(5, 3))
    found = sk.points_at(SKELETON, local, 2, target, tip=tip, frame=frame)
    assert miss(found, 2, tip, target).max() < 1e-12
    narrow = sk.points_at(
        SKELETON, local.astype(np.float32), 2, target.astype(np.float32), tip=tip.astype(np.float32), frame=frame
    )
    assert narrow.dtype == np.float32
    assert miss(narrow, 2, tip.astype(np.float32), target.astype(np.float32)).max() < 1e-4
    others = [0, 1, 3, 4, 5, 6, 7]
    np.testing.assert_array_equal(found[:, others], local[:, others])
    np.testing.assert_array_equal(found[:, 2, :3, 3], local[:, 2, :3, 3])


@pytest.mark.slow
@pytest.mark.parametrize("with_up", [False, True])
@pytest.mark.parametrize("kind", ["rigid", "scaled", "mirrored"])
@settings(max_examples=25, deadline=None)
@given(seed=seeds)
def test_both_frames_give_one_pose(kind, with_up, seed):
    rng = np.random.default_rng(seed)
    local, target = poses(seed, 4, kind=kind), rng.normal(size=(4, 3))
    up = ([0.3, 1, 0.2], rng.normal(size=(4, 3))) if with_up else None
    weight = rng.uniform(size=4)
    both = [sk.points_at(SKELETON, local, 3, target, frame=f, up=up, weight=weight) for f in ("object", "world")]
    np.testing.assert_allclose(both[0], both[1], atol=1e-11)


@settings(max_examples=25, deadline=None)
@given(seed=seeds)
def test_the_turn_is_the_smallest(seed):
    rng = np.random.default_rng(seed)
    local, target = poses(seed, 6), rng.normal(size=(6, 3))
    g = sk.forward_kinematics(SKELETON, local)
    after = sk.forward_kinematics(SKELETON, sk.points_at(SKELETON, local, 2, target, frame="world"))
    turn = after[:, 2, :3, :3] @ np.linalg.inv(g[:, 2, :3, :3])
    u, v = (algebra.unit(x - g[:, 2, :3, 3]) for x in (g[:, 3, :3, 3], target))
    np.testing.assert_allclose(turn, algebra.to_matrix(algebra.shortest_arc(u, v, np.eye(3)[0])), atol=1e-11)


def test_the_left_calf_points_at_the_right_ankle_and_shared_ancestors_cancel():
    local = poses(5, 3)
    found = sk.points_at(SKELETON, local, "left knee", target_joint="right ankle", tip="left ankle")
    ankle = sk.forward_kinematics(SKELETON, local)[:, 7, :3, 3]
    tip = sk.relative_transform(SKELETON, local, 4, 3)[:, :3, 3]
    assert miss(found, 3, tip, ankle).max() < 1e-12
    far = local.copy()
    far[:, :2, :3, 3] = 1e12
    again = sk.points_at(SKELETON, far, "left knee", target_joint="right ankle", tip="left ankle")
    np.testing.assert_array_equal(again[:, 3], found[:, 3])


@settings(max_examples=25, deadline=None)
@given(seed=seeds, kind=st.sampled_from(["rigid", "mirrored", "sheared"]), frame=st.sampled_from(["object", "world"]))
def test_up_lies_in_the_half_plane_of_line_and_up(seed, kind, frame):
    rng = np.random.default_rng(seed)
    local, target, own_up, up = (poses(seed, 4, kind=kind), *rng.normal(size=(3, 4, 3)))
    found = sk.points_at(SKELETON, local, 2, target, axis=[0, 1, 0.2], up=(own_up, up), frame=frame)
    g = sk.forward_kinematics(SKELETON, found)[:, 2]
    assert miss(found, 2, np.array([0, 1, 0.2]), target).max() < 1e-12
    line = algebra.unit(target - g[:, :3, 3])
    is_up = (g[:, :3, :3] @ own_up[..., None])[..., 0]
    a, b = (algebra.perpendicular_unit(v, line) for v in (is_up, up))
    np.testing.assert_allclose(a, b, atol=1e-9)


def test_up_alone_means_what_is_up_in_the_rest_pose():
    camera = sk.Skeleton([-1], np.eye(4)[None], ["camera"])
    found = sk.points_at(camera, np.eye(4)[None], 0, [3, 1, 2], axis=[0, 0, 1], up=[0, 1, 0])
    z = np.array([3, 1, 2]) / np.sqrt(14)
    x = np.cross([0, 1, 0], z) / np.linalg.norm(np.cross([0, 1, 0], z))
    np.testing.assert_allclose(found[0, :3, :3], np.stack([x, np.cross(z, x), z], axis=1), atol=1e-14)
    along = sk.points_at(camera, np.eye(4)[None], 0, [0, 5, 0], axis=[0, 0, 1], up=[0, 1, 0])
    np.testing.assert_allclose(along[0, :3, :3] @ [0, 0, 1], [0, 1, 0], atol=1e-15)


@pytest.mark.parametrize("frame", ["object", "world"])
def test_opposite_directions_are_half_a_turn(frame):
    local = poses(8, 40)
    g = sk.forward_kinematics(SKELETON, local)
    behind = 2 * g[:, 2, :3, 3] - g[:, 3, :3, 3]
    found = sk.points_at(SKELETON, local, 2, behind, frame=frame)
    assert miss(found, 2, local[:, 3, :3, 3], behind).max() < 1e-12
    nearly = behind + np.random.default_rng(1).normal(size=(40, 3)) * 1e-9
    assert miss(sk.points_at(SKELETON, local, 2, nearly, frame=frame), 2, local[:, 3, :3, 3], nearly).max() < 1e-12


@pytest.mark.parametrize("frame", ["object", "world"])
@pytest.mark.parametrize("up", [None, [0, 1, 0]])
def test_what_tells_nothing_leaves_its_row_alone(frame, up):
    local = np.tile(SKELETON.rest_local, (6, 1, 1, 1))
    target = np.tile([1.0, 2, 3], (6, 1))
    pivot = SKELETON.rest_global[2, :3, 3]
    axis = np.tile([0.0, -1, 0], (6, 1))
    target[1], target[2], target[3, 0] = pivot, np.nan, np.inf
    axis[4] = 0
    local[5, 1, 0, 0] = np.nan
    found = sk.points_at(SKELETON, local, 2, target, axis=axis, frame=frame, up=up)
    np.testing.assert_array_equal(found[1:], local[1:])
    alone = sk.points_at(SKELETON, local[0], 2, target[0], axis=axis[0], frame=frame, up=up)
    np.testing.assert_array_equal(found[0], alone)
    assert not np.array_equal(found[0], local[0])


def test_weight_goes_the_shorter_way_at_constant_speed():
    local = poses(11, 5)
    weights = np.linspace(0, 1, 9)[:, None]
    target = np.random.default_rng(3).normal(size=(5, 3))
    found = sk.points_at(SKELETON, local, 2, target, weight=weights)
    np.testing.assert_array_equal(found[0], local)
    np.testing.assert_array_equal(found[-1], sk.points_at(SKELETON, local, 2, target))
    turn = sk.quaternion_from_matrix(found[:, :, 2] @ np.linalg.inv(local[:, 2]))
    angle = sk.quaternion_to_axis_angle(turn)[1]
    np.testing.assert_allclose(angle, weights * angle[-1], atol=1e-12)


@pytest.mark.parametrize("frame", ["object", "world"])
def test_limits_hold_and_weight_counts_after_them(frame):
    limits = sk.JointLimits({"left knee": sk.hinge([1, 0, 0], 0, 1.0)})
    local = np.tile(SKELETON.rest_local, (20, 1, 1, 1))
    target = np.random.default_rng(4).normal(size=(20, 3))
    free = sk.points_at(SKELETON, local, "left knee", target, frame=frame)
    found = sk.points_at(SKELETON, local, "left knee", target, limits=limits, frame=frame)
    assert limits.inside(SKELETON, found).all()
    np.testing.assert_allclose(found, limits.nearest(SKELETON, free), atol=1e-12)
    half = sk.points_at(SKELETON, local, "left knee", target, limits=limits, weight=0.5, frame=frame)
    angle = [sk.quaternion_to_axis_angle(sk.quaternion_from_matrix(each[:, 3]))[1] for each in (half, found)]
    np.testing.assert_allclose(2 * angle[0], angle[1], atol=1e-12)
    still = sk.points_at(SKELETON, local, 3, target, limits=limits, weight=0, frame=frame)
    np.testing.assert_array_equal(still, local)


def test_dtypes_rows_and_a_batch_is_its_loop():
    local, target = poses(12, 3, 4), np.random.default_rng(5).normal(size=(4, 3))
    whole = sk.points_at(SKELETON, local, 2, target)
    for i in range(3):
        for k in range(4):
            np.testing.assert_array_equal(whole[i, k], sk.points_at(SKELETON, local[i, k], 2, target[k]))
    np.testing.assert_array_equal(sk.points_at(SKELETON, local[..., :3, :], 2, target), whole[..., :3, :])
    narrow = local.astype(np.float32)
    assert sk.points_at(SKELETON, narrow, 2, [1, 2, 3]).dtype == np.float32
    assert sk.points_at(SKELETON, narrow, 2, target).dtype == np.float64


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({}, ValueError, "^neither target nor target_joint is given: give either target or target_joint$"),
        ({"target": [0, 0, 0], "target_joint": 1}, ValueError, "^target and target_joint are both given: give either"),
        ({"target_joint": "left ankle"}, ValueError, "^target_joint: 'left ankle' moves with 'left hip'"),
        ({"target_joint": 2}, ValueError, "^target_joint: 'left hip' moves with 'left hip'"),
        ({"target": [0, 0]}, ValueError, r"^target has shape \(2,\): expected \(\.\.\., 3\)$"),
        ({"target": [0, 0, 0], "tip": "right knee"}, ValueError, "^tip: 'right knee' does not lie below 'left hip'$"),
        ({"target": [0, 0, 0], "tip": 3, "axis": [1, 0, 0]}, ValueError, "^tip and axis exclude each other"),
        ({"target": [0, 0, 0], "frame": "local"}, ValueError, "^frame is 'local': expected 'object' or 'world'$"),
        ({"target": [0, 0, 0], "weight": [0.5, 1.5]}, ValueError, r"^weight\[1\] is 1.5: it must lie within 0 .. 1$"),
        ({"target": [[0, 0, 0]] * 2, "weight": [1, 1, 1]}, ValueError, "^leading dimensions do not broadcast"),
        ({"target": ["a", "b", "c"]}, TypeError, "^target has dtype "),
    ],
)
def test_bad_input_is_named(arguments, error, message):
    with pytest.raises(error, match=message):
        sk.points_at(SKELETON, SKELETON.rest_local, "left hip", **arguments)


def test_a_joint_with_nothing_below_needs_a_tip():
    with pytest.raises(ValueError, match=r"^'left ankle' has no child and no end site: give tip or axis$"):
        sk.points_at(SKELETON, SKELETON.rest_local, 4, [0, 0, 0])
