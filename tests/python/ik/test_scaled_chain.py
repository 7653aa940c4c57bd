# SPDX-License-Identifier: MIT
"""Chains with scale inside that differs between the axes: what can be reached is reached."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from real_clips import degrees_between

import skelkin_py as sk

Floats = np.ndarray[Any, np.dtype[np.float64]]
CHAIN = (1, 3, 4)


def a_leg() -> sk.Skeleton:
    rest = np.tile(np.eye(4), (6, 1, 1))
    rest[:, :3, 3] = [[0.1, 2, 0.3], [0, 0, 0], [0, -0.5, 0.05], [0, -0.5, 0.05], [0, -0.9, -0.1], [0, -0.1, 0.3]]
    return sk.Skeleton([-1, 0, 1, 2, 3, 4], rest, ["pelvis", "thigh", "split", "shin", "foot", "toe"])


def some_poses(kind: str, count: int, dtype: type) -> Any:
    """Poses with scale or shear inside of the chain: of the upper joint, of a joint between, of the lower one."""
    rng = np.random.default_rng(8)
    local = np.tile(a_leg().rest_local, (count, 1, 1, 1))
    q = np.concatenate([np.ones((count, 6, 1)), 0.4 * rng.normal(size=(count, 6, 3))], axis=-1)
    turns = sk.quaternion_to_matrix(q / np.linalg.norm(q, axis=-1, keepdims=True))
    local[:, :, :3, :3] = turns
    factors = rng.uniform(0.6, 1.6, (count, 3))
    if kind in ("upper", "all"):
        local[:, 1, :3, :3] *= factors[:, None]
    if kind in ("lower", "all"):
        local[:, 3, :3, :3] *= rng.uniform(0.6, 1.6, (count, 1, 3))
    if kind in ("shear", "all"):
        local[:, 2, :3, :3] += 0.25 * rng.normal(size=(count, 3, 3))
    return local.astype(dtype)


def reach_of(skeleton: sk.Skeleton, local: Floats) -> tuple[Floats, Floats]:
    """Return the least and largest distance of the end from the hip, from a straight knee to a folded one."""
    before = sk.forward_kinematics(skeleton, local)
    above = before[:, 2, :3, :3]
    thigh_at = before[:, 3, :3, 3] - before[:, 1, :3, 3]
    thigh = np.linalg.solve(above, thigh_at[..., None])[..., 0]
    shin = np.einsum("fij,fj->fi", local[:, 3, :3, :3], local[:, 4, :3, 3])
    along = thigh / np.linalg.norm(thigh, axis=-1, keepdims=True)
    side = shin - (shin * along).sum(axis=-1, keepdims=True) * along
    side = side / np.linalg.norm(side, axis=-1, keepdims=True)
    angle = np.linspace(0, np.pi, 4001)[:, None]
    size = np.linalg.norm(shin, axis=-1)[:, None, None]
    turned = size * (np.cos(angle) * along[:, None] + np.sin(angle) * side[:, None])
    away = np.linalg.norm(thigh_at[:, None] + turned @ np.swapaxes(above, -1, -2), axis=-1)
    return away.min(axis=1), away.max(axis=1)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["upper", "lower", "shear", "all"])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_what_can_be_reached_is_reached(kind: str, dtype: type) -> None:
    skeleton, local, rng = a_leg(), some_poses(kind, 300, dtype), np.random.default_rng(2)
    hip = sk.forward_kinematics(skeleton, local)[:, 1, :3, 3]
    way = rng.normal(size=(300, 3))
    goals = (hip + way / np.linalg.norm(way, axis=1, keepdims=True) * rng.uniform(0.3, 2.6, (300, 1))).astype(dtype)
    answer = sk.apply_two_bone(skeleton, local, CHAIN, goals)
    least, most = reach_of(skeleton, local.astype(float))
    away = np.linalg.norm(goals - hip, axis=1)
    reachable = (away > least * 1.001) & (away < most * 0.999)
    assert reachable.sum() > 100
    assert (answer.status[reachable] == sk.IKStatus.REACHED).all()
    assert (answer.status != sk.IKStatus.NOT_CONVERGED).all()
    far = away > most * 1.001
    assert (answer.status[far] == sk.IKStatus.TOO_FAR).all()
    np.testing.assert_allclose(answer.error[far], (away - most)[far], atol=2e-5)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["upper", "lower", "shear", "all"])
def test_minimal_turns_reach_no_less(kind: str) -> None:
    """They bend in the closed form's plane, in which scale may let the limb reach farther than in the knee's own."""
    skeleton, local, rng = a_leg(), some_poses(kind, 300, np.float64), np.random.default_rng(2)
    hip = sk.forward_kinematics(skeleton, local)[:, 1, :3, 3]
    way = rng.normal(size=(300, 3))
    goals = hip + way / np.linalg.norm(way, axis=1, keepdims=True) * rng.uniform(0.3, 2.6, (300, 1))
    answer = sk.apply_two_bone(skeleton, local, CHAIN, goals, roll="minimal")
    least, most = reach_of(skeleton, local)
    away = np.linalg.norm(goals - hip, axis=1)
    reachable = (away > least * 1.001) & (away < most * 0.999)
    assert (answer.status[reachable] == sk.IKStatus.REACHED).all()
    far = away > most
    assert far.sum() > 30
    assert (answer.error[far] <= (away - most)[far] + 1e-3).all()


@pytest.mark.parametrize("roll", ["hinge", "minimal"])
@pytest.mark.parametrize("pole", [False, True])
def test_turns_change_in_proportion_to_what_scale_differs_by(roll: str, pole: bool) -> None:
    """From none, where the closed form answers, on: twice as uneven, twice as far from it, and no jump."""
    skeleton, local, rng = a_leg(), some_poses("none", 300, np.float64), np.random.default_rng(2)
    hip = sk.forward_kinematics(skeleton, local)[:, 1, :3, 3]
    way = rng.normal(size=(300, 3))
    goals = hip + way / np.linalg.norm(way, axis=1, keepdims=True) * rng.uniform(0.3, 1.8, (300, 1))
    options: dict[str, Any] = {"roll": roll, **({"pole_direction": rng.normal(size=(300, 3))} if pole else {})}
    even = sk.apply_two_bone(skeleton, local, CHAIN, goals, **options).local[:, [1, 3], :3, :3]
    differ = rng.uniform(-1, 1, (300, 1, 3))
    for size in (1e-9, 1e-6, 1e-4):
        factors = 1 + size * differ
        uneven = local.copy()
        uneven[:, 1, :3, :3] *= factors[:, 0, None]
        answer = sk.apply_two_bone(skeleton, uneven, CHAIN, goals, **options).local[:, [1, 3], :3, :3]
        answer[:, 0] /= factors
        assert degrees_between(even, answer).max() <= 3000 * size


def test_bones_of_the_pose_keep_their_axes() -> None:
    skeleton, local = a_leg(), some_poses("all", 50, np.float64)
    answer = sk.apply_two_bone(skeleton, local, CHAIN, [0.2, 0.9, 0.5]).local
    for joint in (1, 3):
        turn = answer[:, joint, :3, :3] @ np.linalg.inv(local[:, joint, :3, :3])
        np.testing.assert_allclose(turn @ np.swapaxes(turn, -1, -2), np.tile(np.eye(3), (50, 1, 1)), atol=1e-12)
    np.testing.assert_array_equal(answer[..., 3], local[..., 3])


def test_stretch_reaches_farther() -> None:
    skeleton, local = a_leg(), some_poses("upper", 60, np.float64)
    hip = sk.forward_kinematics(skeleton, local)[:, 1, :3, 3]
    answer = sk.apply_two_bone(skeleton, local, CHAIN, hip + np.array([0.0, -3.4, 0.4]), stretch=4.0)
    assert (answer.status == sk.IKStatus.REACHED).all()


def test_weight_takes_part_of_the_turns() -> None:
    skeleton, local = a_leg(), some_poses("all", 40, np.float64)
    whole = sk.apply_two_bone(skeleton, local, CHAIN, [0.2, 0.9, 0.5])
    half = sk.apply_two_bone(skeleton, local, CHAIN, [0.2, 0.9, 0.5], weight=0.5)
    np.testing.assert_array_equal(half.status, whole.status)
    for joint in (1, 3):
        turns = [x.local[:, joint, :3, :3] @ np.linalg.inv(local[:, joint, :3, :3]) for x in (half, whole)]
        np.testing.assert_allclose(turns[0] @ turns[0], turns[1], atol=1e-11)


def test_limits_hold_in_scaled_chains() -> None:
    skeleton, local = a_leg(), some_poses("all", 80, np.float64)
    limits = sk.JointLimits(
        {"shin": sk.hinge([1, 0, 0], -0.2, 1.5), "thigh": sk.swing_twist([0, -1, 0], (1, 1), (-1, 1))}
    )
    answer = sk.apply_two_bone(skeleton, local, CHAIN, [0.2, 0.9, 0.5], limits=limits)
    assert limits.inside(skeleton, answer.local, 1e-12)[:, [0, 1]].all()


def test_uniform_scale_keeps_the_closed_form() -> None:
    skeleton = a_leg()
    local = some_poses("none", 40, np.float64)
    scaled = local.copy()
    scaled[:, 1, :3, :3] *= 2.0
    scaled[:, 3, :3, :3] *= 0.5
    answer = sk.apply_two_bone(skeleton, scaled, CHAIN, [0.2, 0.9, 0.5])
    assert np.isin(answer.status, [sk.IKStatus.REACHED, sk.IKStatus.TOO_FAR, sk.IKStatus.TOO_CLOSE]).all()
