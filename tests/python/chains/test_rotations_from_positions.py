# SPDX-License-Identifier: MIT
"""`rotations_from_positions` and `apply_fabrik`: chains of joints, by positions and to targets."""

from __future__ import annotations

import numpy as np
import pytest
from limb_rigs import matrices, norm

import skelkin_py as sk

PARENTS = [-1, 0, 1, 2, 3, 4, 2, 5, 7]
CHAIN = [1, 2, 4, 5, 8]  # with a joint between 2 and 4, one between 5 and 8, and one beside


@pytest.fixture
def rng():
    return np.random.default_rng(73)


@pytest.fixture
def skeleton(rng):
    return sk.Skeleton(PARENTS, matrices(rng, len(PARENTS)))


def points(skeleton, local, chain=CHAIN):
    return sk.forward_kinematics(skeleton, np.asarray(local, np.float64))[..., :3, 3][..., chain, :]


@pytest.mark.parametrize("frame", ["object", "world"])
def test_bones_point_as_positions_say_and_keep_their_lengths(rng, skeleton, frame):
    local, wanted = matrices(rng, 40, len(PARENTS)), rng.normal(size=(40, 5, 3)) * 3
    turned = sk.rotations_from_positions(skeleton, local, CHAIN, wanted, frame=frame)
    before, after = points(skeleton, local), points(skeleton, turned)
    assert np.allclose(after[:, 0], before[:, 0], atol=1e-13)
    assert np.allclose(norm(np.diff(after, axis=1)), norm(np.diff(before, axis=1)), atol=1e-12)
    bones, directions = np.diff(after, axis=1), np.diff(wanted, axis=1)
    assert np.allclose(bones / norm(bones)[..., None], directions / norm(directions)[..., None], atol=1e-12)
    others = [j for j in range(len(PARENTS)) if j not in CHAIN[:-1]]
    assert np.array_equal(turned[:, others], local[:, others])


def test_both_frames_give_the_same_pose(rng, skeleton):
    local, wanted = matrices(rng, 40, len(PARENTS)), rng.normal(size=(40, 5, 3))
    local[:, 0, :3, :3] *= 0.3
    local[:, 2, :3, :3] *= -1.7
    one, other = (
        sk.rotations_from_positions(skeleton, local, CHAIN, wanted, frame=frame) for frame in ("object", "world")
    )
    assert np.allclose(one, other, atol=1e-11)


def test_positions_of_a_clip_come_back(rng, skeleton):
    clip = np.broadcast_to(skeleton.rest_local, (30, len(PARENTS), 4, 4)).copy()
    clip[..., :3, :3] = matrices(rng, 30, len(PARENTS))[..., :3, :3]
    clip[:, :2] = skeleton.rest_local[:2]
    wanted = points(skeleton, clip, [1, 2, 3, 4, 5, 7, 8])
    found = sk.rotations_from_positions(skeleton, skeleton.rest_local, [1, 2, 3, 4, 5, 7, 8], wanted)
    assert np.allclose(points(skeleton, found, [1, 2, 3, 4, 5, 7, 8]), wanted, atol=1e-12)


def test_rows_that_tell_nothing_keep_their_rotations(rng, skeleton):
    local, wanted = matrices(rng, 4, len(PARENTS)), rng.normal(size=(4, 5, 3))
    wanted[1, 2] = np.nan
    wanted[2, 3] = wanted[2, 2]
    turned = sk.rotations_from_positions(skeleton, local, CHAIN, wanted)
    assert np.isfinite(turned).all()
    assert np.array_equal(turned[1, [2, 4]], local[1, [2, 4]])
    assert np.array_equal(turned[2, 4], local[2, 4])
    assert np.array_equal(turned[[0, 3]], sk.rotations_from_positions(skeleton, local, CHAIN, wanted)[[0, 3]])


def test_a_bone_that_points_the_other_way_takes_half_a_turn(rng, skeleton):
    local = matrices(rng, 4, len(PARENTS))
    before = points(skeleton, local)
    wanted = np.stack([before[:, 0], 2 * before[:, 0] - before[:, 1]], axis=1)
    after = points(skeleton, sk.rotations_from_positions(skeleton, local, CHAIN[:2], wanted))
    assert np.allclose(after[:, :2], wanted, atol=1e-12)


def test_precision_follows_the_arrays(rng, skeleton):
    local, wanted = matrices(rng, 2, len(PARENTS)).astype(np.float32), rng.normal(size=(3, 1, 5, 3)).astype(np.float32)
    turned = sk.rotations_from_positions(skeleton, local, CHAIN, wanted)
    assert turned.dtype == np.float32
    assert turned.shape == (3, 2, len(PARENTS), 4, 4)
    assert sk.rotations_from_positions(skeleton, local, CHAIN, wanted.astype(np.float64)).dtype == np.float64


@pytest.mark.parametrize(
    ("chain", "words"),
    [
        ([1], "at least two"),
        ([2, 1], "not an ancestor"),
        ([1, 1], "not an ancestor"),
        ([1, 6, 8], "not an ancestor"),
        ([1, 9], r"chain\[1\]"),
    ],
)
def test_what_is_no_chain_is_refused(skeleton, chain, words):
    with pytest.raises(ValueError, match=words):
        sk.rotations_from_positions(skeleton, skeleton.rest_local, chain, np.zeros((len(chain), 3)))
    with pytest.raises(ValueError, match=words):
        sk.apply_fabrik(skeleton, skeleton.rest_local, chain, [0, 0, 1])


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("frame", ["object", "world"])
def test_the_last_joint_of_a_chain_gets_to_its_target(rng, skeleton, dtype, frame):
    local = matrices(rng, 60, len(PARENTS)).astype(dtype)
    places = points(skeleton, local)
    bones = norm(np.diff(places, axis=1))
    n = rng.normal(size=(60, 3))
    reach = rng.uniform(0.05, 1.4, 60) * bones.sum(axis=1)
    target = (places[:, 0] + n / norm(n)[:, None] * reach[:, None]).astype(dtype)
    solved = sk.apply_fabrik(skeleton, local, CHAIN, target, frame=frame)
    assert solved.local.dtype == solved.error.dtype == dtype
    ends = points(skeleton, solved.local)[:, -1]
    assert np.allclose(norm(ends - target), solved.error, atol=1e-5 if dtype == np.float32 else 1e-12)
    size = bones.sum(axis=1)
    far, close = reach > 1.0001 * size, 2 * bones.max(axis=1) > size + 1.0001 * reach
    assert np.array_equal(solved.status == sk.IKStatus.TOO_FAR, far)
    assert (solved.status[close] == sk.IKStatus.TOO_CLOSE).all()
    assert (solved.status[~far & ~close] == 0).mean() > 0.97
    reached = solved.status == sk.IKStatus.REACHED
    assert (solved.error <= (1.2e-4 if dtype == np.float32 else 1.01e-6) * size)[reached].all()


def test_weight_turns_every_joint_in_part(rng, skeleton):
    local = matrices(rng, 5, len(PARENTS))
    target = points(skeleton, local)[:, 0] + rng.normal(size=(5, 3))
    whole = sk.apply_fabrik(skeleton, local, CHAIN, target)
    none = sk.apply_fabrik(skeleton, local, CHAIN, target, weight=0)
    half = sk.apply_fabrik(skeleton, local, CHAIN, target, weight=0.5)
    assert np.array_equal(none.local, local)
    assert np.array_equal(none.status, whole.status)
    assert np.allclose(none.error, norm(points(skeleton, local)[:, -1] - target))
    assert np.allclose(half.error, norm(points(skeleton, half.local)[:, -1] - target))
    for joint in CHAIN[:-1]:
        start, middle, end = (sk.quaternion_from_matrix(x[:, joint, :3, :3]) for x in (local, half.local, whole.local))
        wanted = sk.quaternion_slerp(start, end, 0.5)
        assert np.allclose(np.abs((wanted * middle).sum(axis=-1)), 1, atol=1e-12)


def test_a_bad_row_harms_only_itself_and_a_pose_at_its_target_keeps_its_bits(rng, skeleton):
    local = matrices(rng, 6, len(PARENTS))
    target = points(skeleton, local)[:, 0] + rng.normal(size=(6, 3))
    good = sk.apply_fabrik(skeleton, local, CHAIN, target)
    target[2, 1] = np.nan
    solved = sk.apply_fabrik(skeleton, local, CHAIN, target)
    rest = [0, 1, 3, 4, 5]
    assert solved.status[2] == sk.IKStatus.BAD_INPUT
    assert np.isnan(solved.error[2])
    assert np.array_equal(solved.local[2], local[2])
    assert np.array_equal(solved.local[rest], good.local[rest])
    there = sk.apply_fabrik(skeleton, local, CHAIN, points(skeleton, local)[:, -1])
    assert np.array_equal(there.local, local)
    assert (there.status == sk.IKStatus.REACHED).all()


def tail(count):
    rest = np.tile(np.eye(4), (count, 1, 1))
    rest[1:, 1, 3] = 1
    return sk.Skeleton(np.arange(-1, count - 1), rest)


@pytest.mark.slow
def test_limits_hold_and_what_they_hold_back_is_told(rng):
    skeleton = tail(6)
    target = rng.normal(size=(40, 3)) * 2
    narrow = sk.JointLimits({j: sk.swing_twist([0, 1, 0], swing=(0.3, 0.3), twist=(-0.2, 0.2)) for j in range(6)})
    wide = sk.JointLimits({j: sk.swing_twist([0, 1, 0], swing=(3.1, 3.1), twist=(-3.1, 3.1)) for j in range(6)})
    held = sk.apply_fabrik(skeleton, skeleton.rest_local, range(6), target, limits=narrow)
    free = sk.apply_fabrik(skeleton, skeleton.rest_local, range(6), target, limits=wide)
    assert narrow.inside(skeleton, held.local, 1e-9).all()
    assert wide.inside(skeleton, free.local, 1e-9).all()
    ends = points(skeleton, held.local, [5])[:, 0]
    assert np.allclose(norm(ends - target), held.error)
    assert np.isin(held.status, [sk.IKStatus.REACHED, sk.IKStatus.LIMITED]).all()
    assert (held.status[target[:, 1] < 0] == sk.IKStatus.LIMITED).all()
    assert np.array_equal(free.status == sk.IKStatus.REACHED, norm(target) < 5)
    possible = narrow.nearest(skeleton, matrices(rng, 40, 6))
    possible[..., :3, 3] = skeleton.rest_local[:, :3, 3]
    near = points(skeleton, possible, [5])[:, 0]
    found = sk.apply_fabrik(skeleton, skeleton.rest_local, range(6), near, limits=narrow)
    assert (found.status == sk.IKStatus.REACHED).mean() > 0.9
