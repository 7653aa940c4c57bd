# SPDX-License-Identifier: MIT
"""`apply_two_bone` in rigs of every kind: whatever is above, between and below, with all options together."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
import reference
from limb_rigs import (
    FIRST,
    OTHERS,
    PARENT_KINDS,
    PARENTS,
    SECOND,
    forward,
    matrices,
    norm,
    points,
    reachable,
    scaled,
)

import skelkin_py as sk

COUNT = 24
WAYS = list(itertools.product(("keep_global", "keep_local", "goal"), (1.0, 0.4), ({}, {"soften": 0.1, "stretch": 1.3})))


@pytest.fixture
def rng():
    return np.random.default_rng(271828)


def random_affine(rng, count):
    """Turns, scales by factors up to 4, mirrors and shears."""
    m = np.tile(np.eye(4), (count, 1, 1))
    left, right = matrices(rng, 2, count)[..., :3, :3]
    scales = np.exp(rng.uniform(-0.7, 0.7, (count, 3, 1))) * rng.choice([-1.0, 1.0], (count, 3, 1))
    m[:, :3, :3] = left @ (scales * right)
    m[:, :3, 3] = rng.normal(size=(count, 3))
    return m


@pytest.mark.slow
@pytest.mark.parametrize("kind", PARENT_KINDS)
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_rigs_of_all_kinds_are_as_the_reference_and_forward_kinematics_say(rng, kind, dtype):
    skeleton = sk.Skeleton(PARENTS, matrices(rng, len(PARENTS)))
    bound = 2e-5 if dtype == np.float32 else 1e-9
    first, step = list(PARENT_KINDS).index(kind) % 3, 2 if dtype == np.float64 else 5
    for end_rotation, weight, options in WAYS[first::step]:
        local = matrices(rng, COUNT, len(PARENTS))
        PARENT_KINDS[kind](local)
        target = np.stack([reachable(rng, local, chain) for chain in (FIRST, SECOND)], -2)
        goal = rng.normal(size=(COUNT, 2, 4)).astype(dtype)
        given = {k: dtype(v) for k, v in options.items()} | {"weight": dtype(weight)}
        given["end_rotation"] = goal if end_rotation == "goal" else end_rotation
        args = (skeleton, local.astype(dtype), [FIRST, SECOND], target.astype(dtype))
        got, wanted = sk.apply_two_bone(*args, **given), reference.apply_two_bone(*args, dtype=dtype, **given)
        assert got.local.dtype == dtype
        far = np.abs(np.float64(got.local) - wanted.local).reshape(COUNT, -1).max(axis=1)
        assert np.mean(far < bound) > 0.9, (end_rotation, weight, options)  # else stretched out, to a root of rounding
        ends = np.stack([points(got.local, chain[2]) for chain in (FIRST, SECOND)], -2)
        size = np.abs(forward(np.float64(local))[..., :3, 3]).max() + 1
        np.testing.assert_allclose(got.error, norm(ends - target), atol=bound * size)
        assert got.local[:, OTHERS].tobytes() == args[1][:, OTHERS].tobytes()
        if weight == 1 and kind != "sheared above":
            assert (got.status == wanted.status).mean() > 0.95


@pytest.mark.parametrize("roll", ["hinge", "minimal"])
def test_nothing_above_the_limb_changes_how_its_joints_turn(rng, roll):
    """The solve takes place in the frame of the upper joint's parent: turned, mirrored, scaled, sheared alike."""
    skeleton = sk.Skeleton(PARENTS, matrices(rng, len(PARENTS)))
    local = matrices(rng, COUNT, len(PARENTS))
    target, pole = reachable(rng, local, FIRST, 0.05, 1.2), rng.normal(size=(COUNT, 3))
    options = {"roll": roll, "end_rotation": "keep_local", "soften": 0.1, "weight": 0.8}
    plain = sk.apply_two_bone(skeleton, local, FIRST, target, pole=pole, **options)
    g = random_affine(rng, COUNT)
    moved = local.copy()
    moved[:, 0] = g @ local[:, 0]

    def point(x):
        return (g[:, :3, :3] @ x[..., None])[..., 0] + g[:, :3, 3]

    out = sk.apply_two_bone(skeleton, moved, FIRST, point(target), pole=point(pole), **options)
    np.testing.assert_allclose(out.local[:, 1:], plain.local[:, 1:], atol=1e-9)
    np.testing.assert_allclose(points(out.local, FIRST[2]), point(points(plain.local, FIRST[2])), atol=1e-9)
    np.testing.assert_allclose(out.error, norm(points(out.local, FIRST[2]) - point(target)), atol=1e-9)


def test_joints_between_and_below_keep_their_place_on_their_bone(rng):
    """Twist joints and split bones: 3 between upper and lower joint, 5 between lower and end, 7 below the end."""
    skeleton = sk.Skeleton(PARENTS, matrices(rng, len(PARENTS)))
    local = matrices(rng, COUNT, len(PARENTS))
    scaled(local, 3, 1.5, 1.5, -1.5)
    out = sk.apply_two_bone(skeleton, local, FIRST, rng.normal(size=(COUNT, 3)), stretch=1.4)
    for upper, between in ((FIRST[0], 3), (FIRST[1], 5), (FIRST[2], 7)):
        before = np.linalg.inv(forward(local)[:, upper]) @ forward(local)[:, between]
        after = np.linalg.inv(forward(out.local)[:, upper]) @ forward(out.local)[:, between]
        np.testing.assert_allclose(after, before, atol=1e-12)
        assert out.local[:, between].tobytes() == local[:, between].tobytes()


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_matrices_without_their_last_row_give_the_same_bits(rng, dtype):
    skeleton = sk.Skeleton(PARENTS, matrices(rng, len(PARENTS)))
    local = matrices(rng, COUNT, len(PARENTS)).astype(dtype)
    target = rng.normal(size=(COUNT, 2, 3)).astype(dtype)
    options = {"weight": rng.random((COUNT, 2)).astype(dtype), "soften": dtype(0.1)}
    whole = sk.apply_two_bone(skeleton, local, [FIRST, SECOND], target, **options)
    rows = sk.apply_two_bone(skeleton, local[..., :3, :], [FIRST, SECOND], target, **options)
    assert rows.local[..., :3, :].tobytes() == whole.local[..., :3, :].tobytes()
    assert np.array_equal(rows.error, whole.error)
    assert np.array_equal(rows.status, whole.status)


def test_the_turns_of_the_joints_grow_with_the_weight(rng):
    skeleton = sk.Skeleton(PARENTS, matrices(rng, len(PARENTS)))
    local = matrices(rng, COUNT, len(PARENTS))
    target, goal = reachable(rng, local, FIRST), rng.normal(size=(COUNT, 4))
    last = np.zeros((COUNT, 2))
    for weight in np.linspace(0, 1, 9):
        out = sk.apply_two_bone(skeleton, local, FIRST, target, weight=weight, end_rotation=goal)
        if weight == 0:
            assert out.local.tobytes() == local.tobytes()
        before, after = (forward(x)[:, [FIRST[0], FIRST[1]], :3, :3] for x in (local, out.local))
        own = np.swapaxes(before[:, 0], -1, -2) @ after[:, 0]
        knee_before, knee_after = (np.swapaxes(x[:, 0], -1, -2) @ x[:, 1] for x in (before, after))
        knee = np.swapaxes(knee_before, -1, -2) @ knee_after
        cosines = np.stack([np.trace(m, axis1=-2, axis2=-1) for m in (own, knee)], -1) / 2 - 0.5
        angles = np.arccos(np.clip(cosines, -1, 1))
        assert (angles >= last - 1e-6).all()
        last = angles
    np.testing.assert_allclose(points(out.local, FIRST[2]), target, atol=1e-12)
