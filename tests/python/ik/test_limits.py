# SPDX-License-Identifier: MIT
"""apply_two_bone inside of joint limits, against a search through everything that is allowed."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
import pytest
from reference import limits as reference

import skelkin_py as sk

Floats = np.ndarray[Any, np.dtype[np.float64]]
DTYPES = [np.float32, np.float64]
CHAIN = (1, 2, 3)
KNEE = sk.hinge([1, 0, 0], 0.0, np.radians(150))
HIP = sk.swing_twist([0, -1, 0], (1.1, 0.6), (-0.4, 0.5))
REACHED = {np.float32: 4e-6, np.float64: 1e-12}


def a_leg(turned: bool = False) -> sk.Skeleton:
    """Hip at the height 2, thigh and shin down, straight; the knee bends towards +z."""
    rest = np.tile(np.eye(4), (5, 1, 1))
    rest[:, :3, 3] = [[0.1, 2, 0.3], [0, 0, 0], [0, -1, 0], [0, -0.9, 0], [0, -0.1, 0.3]]
    if turned:
        rest[0, :3, :3] = sk.quaternion_to_matrix(sk.quaternion_from_euler([0.3, -0.7, 0.4], "XYZ"))
    return sk.Skeleton([-1, 0, 1, 2, 3], rest, ["pelvis", "thigh", "shin", "foot", "toe"])


def targets(skeleton: sk.Skeleton, seed: int, count: int, reach: float = 2.2) -> Floats:
    rng = np.random.default_rng(seed)
    way = rng.normal(size=(count, 3))
    return np.asarray(
        skeleton.rest_global[1, :3, 3]
        + way / np.linalg.norm(way, axis=1, keepdims=True) * rng.uniform(0.1, reach, (count, 1))
    )


def poses(skeleton: sk.Skeleton, count: int, dtype: type = np.float64) -> Any:
    return np.tile(skeleton.rest_local, (count, 1, 1, 1)).astype(dtype)


def nearest_by_search(skeleton: sk.Skeleton, limits: sk.JointLimits, target: Floats) -> float:
    """Return the least distance between the end and a target over a grid of all allowed poses, then ever finer ones."""
    rest = skeleton.rest_local
    into = np.linalg.inv(skeleton.rest_global[0])
    goal = into[:3, :3] @ target + into[:3, 3]
    knee, hip = limits.limits["shin"], limits.limits["thigh"]
    half, ends = reference.bounds(hip)
    low, high = reference.bounds(knee)[1]
    centre = np.array([0.5, np.pi, ends.mean(), (low + high) / 2])
    reach = np.array([0.5, np.pi, np.ptp(ends) / 2, (high - low) / 2])
    for step in range(26):
        count = (9, 17, 7, 17) if step == 0 else (5, 5, 5, 5)
        axes = [np.linspace(c - w, c + w, n) for c, w, n in zip(centre, reach, count, strict=True)]
        r, a, t, k = (x.ravel() for x in np.meshgrid(*axes, indexing="ij"))
        r, t, k = np.clip(r, 0, 1), np.clip(t, ends[0], ends[1]), np.clip(k, low, high)
        swing = np.stack([half[0] * r * np.cos(a), half[1] * r * np.sin(a)], axis=-1)
        shin = reference.rotation(skeleton, 2, knee, np.zeros((k.size, 2)), k) @ rest[3, :3, 3] + rest[2, :3, 3]
        end = np.einsum("nij,nj->ni", reference.rotation(skeleton, 1, hip, swing, t), shin) + rest[1, :3, 3]
        miss = np.linalg.norm(end - goal, axis=1)
        i = int(np.argmin(miss))
        centre, reach = np.array([r[i], a[i], t[i], k[i]]), reach * (0.3 if step == 0 else 0.65)
    return float(miss[i])


@functools.cache
def goals_and_least_misses(seed: int) -> tuple[Floats, Floats]:
    """Return targets for a leg and `nearest_by_search` of each, which takes seconds."""
    skeleton, limits = a_leg(seed == 2), sk.JointLimits({"thigh": HIP, "shin": KNEE})
    goals = targets(skeleton, seed, 4)
    return goals, np.array([nearest_by_search(skeleton, limits, goal) for goal in goals])


@pytest.mark.slow
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("seed", [1, 2])
def test_nothing_allowed_comes_nearer(dtype: type, seed: int) -> None:
    skeleton, limits = a_leg(seed == 2), sk.JointLimits({"thigh": HIP, "shin": KNEE})
    goals, best = goals_and_least_misses(seed)
    answer = sk.apply_two_bone(skeleton, poses(skeleton, 4, dtype), CHAIN, goals.astype(dtype), limits=limits)
    assert limits.inside(skeleton, answer.local, 2e-6 if dtype == np.float32 else 1e-13).all()
    assert (answer.error <= best + (4e-6 if dtype == np.float32 else 1e-8)).all()


@pytest.mark.parametrize("dtype", DTYPES)
def test_target_of_an_allowed_pose_is_reached(dtype: type) -> None:
    rng = np.random.default_rng(4)
    skeleton, limits, count = a_leg(), sk.JointLimits({"thigh": HIP, "shin": KNEE}), 400
    local = poses(skeleton, count, dtype)
    q = rng.normal(size=(count, 4, 4))
    local[:, 1:, :3, :3] = sk.quaternion_to_matrix(q / np.linalg.norm(q, axis=-1, keepdims=True))
    hip = sk.swing_twist([0, -1, 0], (1.05, 0.57), (-0.37, 0.47))
    tighter = sk.JointLimits({"thigh": hip, "shin": sk.hinge([1, 0, 0], 0.03, np.radians(148))})
    local = tighter.nearest(skeleton, local)
    goals = sk.forward_kinematics(skeleton, local)[:, 3, :3, 3]
    answer = sk.apply_two_bone(skeleton, poses(skeleton, count, dtype), CHAIN, goals, limits=limits)
    assert (answer.status == sk.IKStatus.REACHED).all()
    assert limits.inside(skeleton, answer.local, 2e-6 if dtype == np.float32 else 1e-13).all()


def test_free_answer_inside_is_taken_as_it_is() -> None:
    skeleton = a_leg()
    limits = sk.JointLimits({"thigh": sk.swing_twist([0, -1, 0], (2, 2), (-1, 1)), "shin": KNEE})
    goals = np.array([0.1, 0.4, 0.4]) + 0.2 * np.random.default_rng(1).normal(size=(40, 3))
    free = sk.apply_two_bone(skeleton, poses(skeleton, 40), CHAIN, goals)
    held = sk.apply_two_bone(skeleton, poses(skeleton, 40), CHAIN, goals, limits=limits)
    inside = limits.inside(skeleton, free.local, 1e-14).all(axis=-1)
    assert inside.sum() > 20
    np.testing.assert_array_equal(held.local[inside], free.local[inside])
    np.testing.assert_array_equal(held.status[inside], free.status[inside])


def test_swivelling_reaches_what_the_pole_would_not() -> None:
    """The pole asks for a knee outwards; the hip does not turn so far, and the target is reached all the same."""
    skeleton = a_leg()
    limits = sk.JointLimits({"thigh": sk.swing_twist([0, -1, 0], (1.5, 1.5), (-0.3, 0.3)), "shin": KNEE})
    target = skeleton.rest_global[1, :3, 3] + [0, -1.3, 0.2]
    sides = np.linspace(-2.5, 2.5, 41)
    pole = np.stack([np.sin(sides), 0 * sides, np.cos(sides)], axis=-1)
    answer = sk.apply_two_bone(skeleton, poses(skeleton, 41), CHAIN, target, pole_direction=pole, limits=limits)
    assert (answer.status == sk.IKStatus.REACHED).all()
    assert limits.inside(skeleton, answer.local, 1e-13).all()
    knee = sk.forward_kinematics(skeleton, answer.local)[:, 2, :3, 3] - skeleton.rest_global[1, :3, 3]
    turned = np.arctan2(knee[:, 0], knee[:, 2])
    free = np.abs(sides) < 0.25
    np.testing.assert_allclose(turned[free], sides[free], atol=0.05)
    assert (np.diff(turned) > -1e-9).all()  # with the pole as far as it goes, then no further, and without a jump
    assert np.abs(np.diff(turned)).max() < 0.2


@pytest.mark.parametrize("angle", [0.2, 0.6])
def test_knee_that_does_not_stretch_out_keeps_its_distance(angle: float) -> None:
    skeleton = a_leg()
    limits = sk.JointLimits({"shin": sk.hinge([1, 0, 0], angle, 2.0)})
    goals = skeleton.rest_global[1, :3, 3] + np.linspace(0.2, 2.5, 60)[:, None] * [0.3, -0.9, 0.1]
    answer = sk.apply_two_bone(skeleton, poses(skeleton, 60), CHAIN, goals, limits=limits)
    away = np.linalg.norm(goals - skeleton.rest_global[1, :3, 3], axis=1)
    most, least = (np.sqrt(1 + 0.81 + 1.8 * np.cos(x)) for x in (angle, 2.0))
    wanted = np.maximum(np.maximum(away - most, least - away), 0)
    np.testing.assert_allclose(answer.error, wanted, atol=2e-12)
    status = np.where(wanted > 0, sk.IKStatus.LIMITED, sk.IKStatus.REACHED)
    status[away > 1.9] = sk.IKStatus.LIMITED
    np.testing.assert_array_equal(answer.status, status)


def test_error_changes_no_faster_than_the_target_moves() -> None:
    """The distance to all that is allowed is such a function; a search that went astray would jump."""
    skeleton, limits = a_leg(), sk.JointLimits({"thigh": HIP, "shin": KNEE})
    s = np.linspace(0, 2 * np.pi, 601)[:, None]
    goals = skeleton.rest_global[1, :3, 3] + np.concatenate(
        [0.5 * np.sin(2 * s), -1.5 + 0.7 * np.cos(s), 0.9 * np.sin(s)], axis=1
    )
    answer = sk.apply_two_bone(skeleton, poses(skeleton, 601), CHAIN, goals, limits=limits)
    assert limits.inside(skeleton, answer.local, 1e-13).all()
    step = np.linalg.norm(np.diff(goals, axis=0), axis=-1)
    assert (np.abs(np.diff(answer.error)) <= step + 1e-6).all()
    points = sk.forward_kinematics(skeleton, answer.local)[:, 2:4, :3, 3]
    moved = np.linalg.norm(np.diff(points, axis=0), axis=-1).max(axis=-1)
    reached = (answer.status[1:] == sk.IKStatus.REACHED) & (answer.status[:-1] == sk.IKStatus.REACHED)
    assert (moved[reached] <= 2 * np.sqrt(1.9 * step[reached]) + 2 * step[reached]).all()


@pytest.mark.parametrize("weight", [0.0, 0.3, 0.7])
def test_weight_takes_the_turns_in_part(weight: float) -> None:
    skeleton, limits = a_leg(), sk.JointLimits({"thigh": HIP, "shin": KNEE, "foot": sk.hinge([1, 0, 0], -0.5, 0.5)})
    goals = targets(skeleton, 9, 50)
    local = poses(skeleton, 50)
    whole = sk.apply_two_bone(skeleton, local, CHAIN, goals, limits=limits).local
    part = sk.apply_two_bone(skeleton, local, CHAIN, goals, limits=limits, weight=weight).local
    for joint in (1, 2):
        q = sk.quaternion_slerp(
            sk.quaternion_from_matrix(local[:, joint, :3, :3]), sk.quaternion_from_matrix(whole[:, joint, :3, :3]),
            np.full(50, weight),
        )  # fmt: skip
        np.testing.assert_allclose(part[:, joint, :3, :3], sk.quaternion_to_matrix(q), atol=1e-7)
    if weight == 0:
        np.testing.assert_array_equal(part, local)


def test_end_joint_stays_inside_its_limit() -> None:
    skeleton = a_leg()
    limits = sk.JointLimits({"foot": sk.hinge([1, 0, 0], -0.4, 0.3)})
    goals = targets(skeleton, 3, 60)
    free = sk.apply_two_bone(skeleton, poses(skeleton, 60), CHAIN, goals)
    held = sk.apply_two_bone(skeleton, poses(skeleton, 60), CHAIN, goals, limits=limits)
    np.testing.assert_array_equal(held.local[:, :3], free.local[:, :3])
    np.testing.assert_array_equal(held.status, free.status)
    assert limits.inside(skeleton, held.local, 1e-13).all()
    np.testing.assert_allclose(held.local, limits.nearest(skeleton, free.local), atol=1e-14)


def test_soft_limits_stay_inside_and_slow_down() -> None:
    skeleton = a_leg()
    soft = sk.JointLimits({"shin": sk.hinge([1, 0, 0], 0.3, 2.2, soft=0.3)})
    goals = skeleton.rest_global[1, :3, 3] + np.linspace(0.3, 2.4, 400)[:, None] * [0.0, -1.0, 0.0]
    answer = sk.apply_two_bone(skeleton, poses(skeleton, 400), CHAIN, goals, limits=soft)
    assert soft.inside(skeleton, answer.local, 1e-13).all()
    knee = sk.quaternion_to_axis_angle(sk.quaternion_from_matrix(answer.local[:, 2, :3, :3]))[1]
    assert (np.diff(knee) <= 1e-9).all()
    assert (answer.status[170:210] == sk.IKStatus.REACHED).all()
    assert answer.status[-1] == sk.IKStatus.LIMITED


@pytest.mark.parametrize(
    ("seed", "many", "count"),
    [(44, 400, 10_000), *[pytest.param(n, 40, 60_000, marks=pytest.mark.slow) for n in range(4)]],
)
def test_no_sampled_pose_inside_comes_nearer(seed: int, many: int, count: int) -> None:
    """Limits of many shapes, with valleys next to each other; a net of allowed poses finds none that is deeper."""
    rng = np.random.default_rng(seed)
    skeleton, low, least = a_leg(), float(rng.uniform(-1.5, 0.3)), float(rng.uniform(-1.2, 0.3))
    hip = sk.swing_twist([0, -1, 0], tuple(rng.uniform(0.2, 2.2, 2)), (least, least + float(rng.uniform(0, 1.5))))
    knee = sk.hinge(rng.normal(size=3), low, low + float(rng.uniform(0.5, 2)))
    limits = sk.JointLimits({"thigh": hip, "shin": knee})
    goals = targets(skeleton, seed, many)
    answer = sk.apply_two_bone(skeleton, poses(skeleton, many), CHAIN, goals, limits=limits)
    assert limits.inside(skeleton, answer.local, 1e-13).all()
    half, ends = reference.bounds(hip)
    part, place = np.sqrt(rng.uniform(0, 1.3, count)).clip(0, 1), rng.uniform(0, 2 * np.pi, count)
    swing = half * np.stack([part * np.cos(place), part * np.sin(place)], axis=-1)
    twist = rng.uniform(-0.2, 1.2, count).clip(0, 1) * np.ptp(ends) + ends[0]
    bend = rng.uniform(-0.2, 1.2, count).clip(0, 1) * (knee.max - knee.min) + knee.min
    shin = reference.rotation(skeleton, 2, knee, np.zeros((count, 2)), bend) @ skeleton.rest_local[3, :3, 3]
    thigh = reference.rotation(skeleton, 1, hip, swing, twist)
    end = np.einsum("nij,nj->ni", thigh, shin + skeleton.rest_local[2, :3, 3]) + skeleton.rest_global[1, :3, 3]
    best = np.array([np.linalg.norm(end - goal, axis=1).min() for goal in goals])
    assert (answer.error <= best + 1e-12).all()


def test_knee_bends_the_other_way_where_only_that_reaches() -> None:
    skeleton = a_leg()
    limits = sk.JointLimits(
        {"thigh": sk.swing_twist([0, -1, 0], (0.3, 0.3), (-0.1, 0.1)), "shin": sk.hinge([1, 0, 0], -1.5, 1.5)}
    )
    bent = skeleton.rest_local.copy()
    goals = []
    for angle in (-1.0, 1.0):
        bent[2, :3, :3] = sk.quaternion_to_matrix(sk.quaternion_from_axis_angle([1.0, 0, 0], angle))
        goals.append(sk.forward_kinematics(skeleton, bent)[3, :3, 3])
    answer = sk.apply_two_bone(skeleton, poses(skeleton, 2), CHAIN, np.array(goals), limits=limits)
    assert (answer.status == sk.IKStatus.REACHED).all()


def test_of_two_poses_as_good_as_each_other_the_one_nearer_to_the_free_knee_is_taken() -> None:
    """A target straight above a hip that swings little: any side is as good, and the pole says which."""
    skeleton = a_leg()
    limits = sk.JointLimits(
        {"thigh": sk.swing_twist([0, -1, 0], (0.5, 0.5), (-3.2, 3.2)), "shin": sk.hinge([1, 0, 0], 0, 0.3)}
    )
    sides = np.linspace(0.1, 6.2, 30)
    pole = np.stack([np.sin(sides), 0 * sides, np.cos(sides)], axis=-1)
    answer = sk.apply_two_bone(
        skeleton,
        poses(skeleton, 30),
        CHAIN,
        skeleton.rest_global[1, :3, 3] + [0, 1.5, 0],
        pole_direction=pole,
        limits=limits,
    )
    assert (answer.status == sk.IKStatus.LIMITED).all()
    assert np.ptp(answer.error) < 1e-9
    knee = sk.forward_kinematics(skeleton, answer.local)[:, 2, :3, 3] - skeleton.rest_global[1, :3, 3]
    assert ((knee * pole).sum(axis=-1) > 0.3).all()


@pytest.mark.parametrize("ends", [(-np.pi, np.pi), (1 - np.pi, 1 + np.pi), (-4.0, 4.0)])
def test_a_twist_that_is_free_all_round_has_no_ends(ends: tuple[float, float]) -> None:
    """Round a cone of swings the end is wherever its angle to the axis is within the cone's of the bent leg's own."""
    skeleton, cone, bend = a_leg(), 0.5, np.linspace(0.3, 1.2, 3001)
    limits = sk.JointLimits(
        {"thigh": sk.swing_twist([0, -1, 0], (cone, cone), ends), "shin": sk.hinge([1, 0, 0], bend[0], bend[-1])}
    )
    goals = targets(skeleton, 12, 200)
    answer = sk.apply_two_bone(skeleton, poses(skeleton, 200), CHAIN, goals, limits=limits)
    assert limits.inside(skeleton, answer.local, 1e-13).all()
    away = goals - skeleton.rest_global[1, :3, 3]
    far = np.linalg.norm(away, axis=1)
    down, across = 1 + 0.9 * np.cos(bend), 0.9 * np.sin(bend)
    off = np.maximum(np.abs(np.arccos(-away[:, 1] / far)[:, None] - np.arctan2(across, down)) - cone, 0)
    reach = np.hypot(down, across)
    square = far[:, None] ** 2 + reach**2 - 2 * far[:, None] * reach * np.cos(off)
    least = np.sqrt(np.maximum(square, 0).min(axis=1))
    assert (least > 0.01).sum() > 100
    assert (answer.error <= least + 1e-7).all()
    np.testing.assert_allclose(answer.error, least, atol=np.diff(bend).max())
