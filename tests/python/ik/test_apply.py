# SPDX-License-Identifier: MIT
"""`apply_two_bone`: limbs inside of skeletons, with everything that hangs above, between and below."""

from __future__ import annotations

import numpy as np
import pytest
import reference
from limb_rigs import (
    FIRST,
    LEG,
    OTHERS,
    PARENT_KINDS,
    PARENTS,
    SECOND,
    forward,
    leg_skeleton,
    matrices,
    norm,
    points,
    reachable,
    scaled,
)

import skelkin_py as sk


@pytest.fixture
def rng():
    return np.random.default_rng(4242)


@pytest.mark.parametrize("kind", PARENT_KINDS)
@pytest.mark.parametrize("roll", ["hinge", "minimal"])
def test_the_end_joint_gets_to_its_target(rng, kind, roll):
    skeleton = sk.Skeleton(PARENTS, matrices(rng, len(PARENTS)))
    local = matrices(rng, 80, len(PARENTS))
    PARENT_KINDS[kind](local)
    for chain in (FIRST, SECOND):
        # chosen where the limb can go: solved in the frame of its own parent, carried out of it
        above = forward(local)[:, PARENTS[chain[0]]]
        inner = np.linalg.inv(above)[:, None] @ forward(local)
        a, b, c = (inner[:, j, :3, 3] for j in chain)
        n = rng.normal(size=a.shape)
        d = np.abs(norm(b - a) - norm(c - b)) + 2 * np.minimum(norm(b - a), norm(c - b)) * rng.uniform(0.05, 0.95, 80)
        inside = a + n / norm(n)[:, None] * d[:, None]
        target = (above[:, :3, :3] @ inside[..., None])[..., 0] + above[:, :3, 3]
        out = sk.apply_two_bone(skeleton, local, chain, target, roll=roll)
        assert (out.status == sk.IKStatus.REACHED).all()
        got = points(out.local, chain[2])
        leg = norm(points(local, chain[1]) - points(local, chain[0])) + norm(
            points(local, chain[2]) - points(local, chain[1])
        )
        assert (norm(got - target) / leg).max() < 1e-12
        np.testing.assert_allclose(out.error, norm(got - target), atol=1e-13)
        changes = out.local[..., :3, :3] @ np.linalg.inv(local[..., :3, :3])  # only rotations were put on top
        np.testing.assert_allclose(
            changes @ np.swapaxes(changes, -1, -2), np.broadcast_to(np.eye(3), changes.shape), atol=1e-11
        )
        assert np.array_equal(out.local[..., :3, 3], local[..., :3, 3])


def test_it_says_the_true_error_where_scale_inside_the_chain_bends_the_way(rng):
    skeleton = sk.Skeleton(PARENTS, matrices(rng, len(PARENTS)))
    local = matrices(rng, 50, len(PARENTS))
    scaled(local, 3, 1, 1.5, 1)
    target = points(local, 6) + 0.3
    out = sk.apply_two_bone(skeleton, local, FIRST, target)
    np.testing.assert_allclose(out.error, norm(points(out.local, 6) - target), rtol=1e-9, atol=1e-14)
    assert not (out.status == sk.IKStatus.REACHED)[out.error > 1e-3].any()


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_all_joints_but_the_three_keep_their_bits(rng, dtype):
    skeleton = sk.Skeleton(PARENTS, matrices(rng, len(PARENTS)))
    local = matrices(rng, 40, len(PARENTS)).astype(dtype)
    out = sk.apply_two_bone(
        skeleton, local, [FIRST, SECOND], rng.normal(size=(40, 2, 3)).astype(dtype), stretch=dtype(1.5)
    )
    assert out.local.dtype == dtype
    assert out.local[:, OTHERS].tobytes() == local[:, OTHERS].tobytes()
    assert (out.local[:, FIRST + SECOND] != local[:, FIRST + SECOND]).any(axis=(0, 2, 3)).all()
    weight = (np.arange(40) % 2).astype(dtype)[:, None]
    half = sk.apply_two_bone(skeleton, local, [FIRST, SECOND], rng.normal(size=(40, 2, 3)).astype(dtype), weight=weight)
    assert half.local[::2].tobytes() == local[::2].tobytes()
    assert (half.local[1::2] != local[1::2]).any(axis=(1, 2, 3)).all()


def test_it_is_solve_two_bone_on_the_joints_positions(rng):
    skeleton = sk.Skeleton(PARENTS, matrices(rng, len(PARENTS)))
    local = matrices(rng, 60, len(PARENTS))
    target, pole = reachable(rng, local, FIRST), rng.normal(size=(60, 3))
    a, b, c = (points(local, j) for j in FIRST)
    for options in ({}, {"pole": pole}, {"soften": 0.2, "stretch": 1.2}, {"twist": 0.7}, {"weight": 0.4}):
        out = sk.apply_two_bone(skeleton, local, FIRST, target, **options)
        plain = sk.solve_two_bone(a, b, c, target, **options)
        np.testing.assert_allclose(points(out.local, FIRST[1]), plain.b, atol=1e-10)
        np.testing.assert_allclose(points(out.local, FIRST[2]), plain.c, atol=1e-10)
        np.testing.assert_allclose(out.error, plain.error, atol=1e-10)
        assert np.array_equal(out.status, plain.status)


def test_the_end_keeps_its_global_rotation_or_its_local_one(rng):
    skeleton = sk.Skeleton(PARENTS, matrices(rng, len(PARENTS)))
    local = matrices(rng, 40, len(PARENTS))
    scaled(local, 1, -2, 2, 2)
    scaled(local, 4, 1.5, 1.5, -1.5)
    target = reachable(rng, local, FIRST)
    for weight in (0.3, 1.0):
        kept = sk.apply_two_bone(skeleton, local, FIRST, target, weight=weight)
        np.testing.assert_allclose(forward(kept.local)[:, 6, :3, :3], forward(local)[:, 6, :3, :3], atol=1e-12)
        rigid = sk.apply_two_bone(skeleton, local, FIRST, target, weight=weight, end_rotation="keep_local")
        assert rigid.local[:, 6].tobytes() == local[:, 6].tobytes()
        np.testing.assert_allclose(points(rigid.local, 6), points(kept.local, 6), atol=1e-13)


def test_the_end_takes_a_rotation_in_model_space(rng):
    skeleton = sk.Skeleton(PARENTS, matrices(rng, len(PARENTS)))
    local = matrices(rng, 40, len(PARENTS))
    scaled(local, 1, 2, 2, 2)
    goal = rng.normal(size=(40, 4))
    target = reachable(rng, local, FIRST)
    out = sk.apply_two_bone(skeleton, local, FIRST, target, end_rotation=goal)
    np.testing.assert_allclose(forward(out.local)[:, 6, :3, :3], 2 * sk.quaternion_to_matrix(goal), atol=1e-12)
    assert (out.status == sk.IKStatus.REACHED).all()
    near = sk.apply_two_bone(skeleton, local, FIRST, target, end_rotation=goal, weight=1e-6)
    np.testing.assert_allclose(forward(near.local)[:, 6, :3, :3], forward(local)[:, 6, :3, :3], atol=2e-5)


def test_several_limbs_are_solved_in_order_each_on_the_result_of_the_last(rng):
    skeleton = sk.Skeleton(PARENTS, matrices(rng, len(PARENTS)))
    local, target = matrices(rng, 33, len(PARENTS)), rng.normal(size=(33, 2, 3))
    soften, goal = rng.uniform(0, 0.3, (33, 2)), rng.normal(size=(33, 2, 4))
    for chains in ((FIRST, SECOND), (FIRST, (4, 5, 7))):  # the second one hangs inside of the first
        both = sk.apply_two_bone(skeleton, local, chains, target, soften=soften, end_rotation=goal)
        one = sk.apply_two_bone(skeleton, local, chains[0], target[:, 0], soften=soften[:, 0], end_rotation=goal[:, 0])
        two = sk.apply_two_bone(
            skeleton, one.local, chains[1], target[:, 1], soften=soften[:, 1], end_rotation=goal[:, 1]
        )
        assert both.local.tobytes() == two.local.tobytes()
        assert both.status.shape == both.error.shape == (33, 2)
        assert np.array_equal(both.status[:, 1], two.status)
        assert np.array_equal(both.error[:, 1], two.error)
    single = sk.apply_two_bone(skeleton, local, [FIRST], target[:, :1])
    assert single.status.shape == (33, 1)


@pytest.mark.parametrize("first", [FIRST, (3, 4, 5)])
def test_status_and_error_tell_what_a_later_limb_has_left_of_an_earlier_one(rng, first):
    skeleton = sk.Skeleton(PARENTS, matrices(rng, len(PARENTS)))
    local, later = matrices(rng, 40, len(PARENTS)), (1, 2, 3)
    targets = np.stack([reachable(rng, local, first), reachable(rng, local, later)], axis=-2)
    weight = np.ones((40, 2))
    weight[30:, 0], targets[7, 0] = 0.5, np.nan
    weight[:10, 1] = 0  # these leave the earlier limb alone
    out = sk.apply_two_bone(skeleton, local, [first, later], targets, weight=weight)
    ends = np.stack([points(out.local, chain[2]) for chain in (first, later)], axis=-2)
    np.testing.assert_allclose(out.error, norm(ends - targets), rtol=1e-12, atol=1e-13)
    assert (out.status[:10, 0] == np.where(np.arange(10) == 7, sk.IKStatus.BAD_INPUT, sk.IKStatus.REACHED)).all()
    assert (out.status[10:30, 0] == sk.IKStatus.NOT_CONVERGED).all()
    assert (out.status[30:, 0] == sk.IKStatus.REACHED).all()  # of the whole solve
    expected = reference.apply_two_bone(skeleton, local, [first, later], targets, weight=weight)
    assert np.array_equal(out.status, expected.status)
    np.testing.assert_allclose(out.error, expected.error, rtol=1e-9, atol=1e-12)


def test_stretching_touches_the_translations_of_lower_and_end_joint_only(rng):
    skeleton = sk.Skeleton(PARENTS, matrices(rng, len(PARENTS)))
    local = matrices(rng, 30, len(PARENTS))
    scaled(local, 3, 2, 2, -2)
    a, b, c = (points(local, j) for j in FIRST)
    leg = norm(b - a) + norm(c - b)
    n = rng.normal(size=(30, 3))
    target = a + 1.2 * leg[:, None] * n / norm(n)[:, None]
    out = sk.apply_two_bone(skeleton, local, FIRST, target, stretch=1.5)
    assert (out.status == sk.IKStatus.REACHED).all()
    np.testing.assert_allclose(norm(points(out.local, 4) - a), 1.2 * norm(b - a), rtol=1e-12)
    moved = (out.local[..., :3, 3] != local[..., :3, 3]).any(axis=(0, 2))
    assert np.flatnonzero(moved).tolist() == [4, 6]


@pytest.mark.parametrize("turned", [False, True])
def test_a_straight_leg_bends_as_the_rest_pose_does_else_towards_the_toes(rng, turned):
    turn = matrices(rng)[:3, :3] if turned else None
    legs = ((0.1, 0.3, 1), (-0.1, 0.3, -1), (0, 0.3, 1), (0, -0.3, -1))  # bend of the rest pose, toes, expected side
    for bend, toe, side in legs:
        skeleton = leg_skeleton(bend, (0, 0, toe), turn=turn)
        straight = leg_skeleton(0, turn=turn).rest_local
        for dtype in (np.float32, np.float64):
            heading = matrices(rng)
            pose = straight.copy()
            pose[0] = heading @ pose[0]
            target = heading @ np.array([[0, 0.6, 0, 1], [0, 0.3, 0.5, 1], [0, 0.3, -0.5, 1], [0.3, 0.4, 0.2, 1]]).T
            out = sk.apply_two_bone(skeleton, pose.astype(dtype), LEG, target[:3].T.astype(dtype))
            globals_ = sk.forward_kinematics(skeleton, out.local)
            knee = np.linalg.inv(heading) @ np.concatenate([globals_[:, 2, :3, 3], np.ones((4, 1))], -1).T
            hip, aim = np.array([0, 2.0, 0]), (np.linalg.inv(heading) @ target)[:3].T
            n = (aim - hip) / norm(aim - hip)[:, None]
            off = (knee[:3].T - hip) - np.sum((knee[:3].T - hip) * n, -1, keepdims=True) * n
            assert (side * off[:, 2] > 0.1).all()


def test_a_leg_with_nothing_to_tell_its_side_still_reaches():
    rest = np.tile(np.eye(4), (3, 1, 1))
    rest[:, 1, 3] = [0, -1, -1]
    skeleton = sk.Skeleton([-1, 0, 1], rest)
    assert sk.apply_two_bone(skeleton, rest, (0, 1, 2), [0, -1, 0]).status == sk.IKStatus.REACHED


def test_end_sites_count_as_toes():
    rest = np.tile(np.eye(4), (3, 1, 1))
    rest[:, 1, 3] = [0, -1, -1]
    skeleton = sk.Skeleton([-1, 0, 1], rest, end_sites={2: [0.2, 0, 0]})
    out = sk.apply_two_bone(skeleton, rest, (0, 1, 2), [0, -1, 0])
    assert sk.forward_kinematics(skeleton, out.local)[1, 0, 3] > 0.5


@pytest.mark.parametrize(
    "options",
    [{}, {"end_rotation": "keep_local"}, {"end_rotation": "q"}, {"roll": "minimal", "stretch": 2.0}, {"pole": "v"},
     {"weight": "n", "end_rotation": "q"}, {"bend": "v"}, {"pole_direction": "v", "soften": 0.2, "twist": "n"}],
    ids=str,
)  # fmt: skip
def test_it_agrees_with_the_reference(rng, options):
    skeleton = sk.Skeleton(PARENTS, matrices(rng, len(PARENTS)))
    local = matrices(rng, 60, len(PARENTS))
    for joint, scale in ((0, (1, 2, -3)), (1, (2, 2, 2)), (3, (1.5, 1.5, 1.5)), (4, (-1, -1, -1))):
        scaled(local, joint, *scale)
    made = {
        "v": lambda: rng.normal(size=(60, 2, 3)),
        "q": lambda: rng.normal(size=(60, 2, 4)),
        "n": lambda: rng.random((60, 2)),
    }
    given = {k: made[v]() if v in made else v for k, v in options.items()}
    target = rng.normal(size=(60, 2, 3)) * 3
    for dtype, bound in ((np.float64, 1e-10), (np.float32, 5e-6)):
        typed = {k: v.astype(dtype) if isinstance(v, np.ndarray) else v for k, v in given.items()}
        args = (skeleton, local.astype(dtype), [FIRST, SECOND], target.astype(dtype))
        got, wanted = sk.apply_two_bone(*args, **typed), reference.apply_two_bone(*args, dtype=dtype, **typed)
        assert np.mean(got.status == wanted.status) > 0.99
        off = np.abs(np.float64(got.local) - wanted.local).max(axis=(1, 2, 3))
        assert np.mean(off < bound) > 0.97
        assert off.max() < 1e-3
