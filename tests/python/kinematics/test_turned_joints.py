# SPDX-License-Identifier: MIT
"""`points_at`, `align_to_ground`, `roll_toe` and `rotations_from_positions`: against the reference, and their `out`."""

from __future__ import annotations

import numpy as np
import pytest
import reference
from random_rigs import calm_transforms, random_skeleton

import skelkin_py as sk

JOINTS, POSES = 9, 70  # more than two tiles
SKELETON = sk.Skeleton([-1, 0, 1, 2, 3, 4, 2, 6, 7], calm_transforms(1, JOINTS))
VERBS = ["points_at", "align_to_ground", "roll_toe", "rotations_from_positions"]


def poses(dtype=np.float64):
    return calm_transforms(2, POSES, JOINTS).astype(dtype)


def vectors(seed, *lead):
    return np.random.default_rng(seed).normal(size=(*lead, 3))


def call(verb, local, package=sk, **out):
    """Call one of the verbs, in parts where it has a weight, with arrays of the dtype of the poses."""
    first, second, marks = (
        vectors(k, *lead).astype(local.dtype) for k, lead in enumerate([(POSES,)] * 2 + [(POSES, 3)])
    )
    part = {"weight": np.linspace(0, 1, POSES).astype(local.dtype), **out}
    if verb == "points_at":
        own = vectors(7).astype(local.dtype)
        return package.points_at(SKELETON, local, 3, first, tip=second, up=(own, first[0]), **part)
    if verb == "align_to_ground":
        return package.align_to_ground(SKELETON, local, 4, first, up=second, **part)
    if verb == "roll_toe":
        return package.roll_toe(SKELETON, local, 5, first, up=second, hinge=first[0], **part)
    return package.rotations_from_positions(SKELETON, local, [1, 2, 4], marks, **out)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("verb", VERBS)
def test_results_are_those_of_the_reference(verb, dtype):
    local = poses(dtype)
    found = call(verb, local)
    assert found.dtype == dtype
    np.testing.assert_allclose(found, call(verb, local, reference), rtol=0, atol=4e-12 if dtype == np.float64 else 2e-6)


@pytest.mark.parametrize("frame", ["object", "world"])
def test_chains_of_any_hierarchy_are_those_of_the_reference(frame):
    for seed in range(20):
        skeleton = random_skeleton(seed, 14, 1)
        chain = [13]
        while (above := int(skeleton.parents[chain[0]])) >= 0:
            chain.insert(0, above)
        chain = chain[:: 1 + seed % 2] if len(chain) > 2 else chain
        if len(chain) < 2:
            continue
        local, marks = calm_transforms(seed, 5, 14), vectors(seed, 5, len(chain))
        found = sk.rotations_from_positions(skeleton, local, chain, marks, frame=frame)
        wanted = reference.rotations_from_positions(skeleton, local, chain, marks, frame=frame)
        np.testing.assert_allclose(found, wanted, rtol=0, atol=1e-11)


@pytest.mark.parametrize("verb", VERBS)
def test_turned_rotations_stay_rotations(verb):
    rng = np.random.default_rng(5)
    local = sk.compose(rng.normal(size=(POSES, JOINTS, 3)), rng.normal(size=(POSES, JOINTS, 4)))
    turned = call(verb, local)[..., :3, :3]
    np.testing.assert_allclose(
        np.swapaxes(turned, -1, -2) @ turned, np.broadcast_to(np.eye(3), turned.shape), atol=1e-14
    )
    assert (np.linalg.det(turned) > 0).all()


@pytest.mark.parametrize("rows", [3, 4])
@pytest.mark.parametrize("verb", VERBS)
def test_poses_may_be_their_own_output(verb, rows):
    local = poses()
    wanted, own = call(verb, local)[..., :rows, :], np.ascontiguousarray(local[..., :rows, :])
    assert call(verb, own, out=own) is own
    np.testing.assert_array_equal(own, wanted)


@pytest.mark.parametrize("verb", VERBS)
def test_an_output_that_lies_across_the_poses_is_as_if_it_did_not(verb):
    local = poses()
    wanted, memory = call(verb, local), np.empty((POSES + 1, JOINTS, 4, 4))
    memory[1:] = local
    found = call(verb, memory[1:], out=memory[:-1])
    np.testing.assert_array_equal(found, wanted)
    strided = np.empty((JOINTS, POSES, 4, 5))[..., :4].swapaxes(0, 1)
    np.testing.assert_array_equal(call(verb, local, out=strided), wanted)


def test_a_target_inside_of_the_output_is_read_first():
    local = poses()
    target = local[:, 5, :3, 3]
    wanted = sk.points_at(SKELETON, local.copy(), 3, target.copy())
    np.testing.assert_array_equal(sk.points_at(SKELETON, local, 3, target, out=local), wanted)


@pytest.mark.parametrize("verb", VERBS)
def test_nothing_is_written_where_a_matrix_cannot_be_undone(verb):
    local, out = poses(), np.full((POSES, JOINTS, 4, 4), 7.0)
    joint = {"points_at": 1, "align_to_ground": 4, "roll_toe": 5, "rotations_from_positions": 0}[verb]
    local[66, joint, :3, 2] = local[66, joint, :3, 1]
    with pytest.raises(ValueError, match=rf"^local\[66, {joint}\] is .*: a singular matrix has no inverse$"):
        call(verb, local, out=out)
    assert (out == 7).all()
    with pytest.raises(ValueError, match=rf"^local\[66, {joint}\] is .*: a singular matrix has no inverse$"):
        call(verb, local)  # seen on the way


@pytest.mark.parametrize("verb", VERBS)
def test_threads_do_not_change_bits(verb):
    local = poses()
    many = np.concatenate([local] * 40).reshape(40, POSES, JOINTS, 4, 4)
    alone = call(verb, local)
    try:
        sk.set_num_threads(3)
        found = call(verb, many)
    finally:
        sk.set_num_threads(1)
    np.testing.assert_array_equal(found, np.broadcast_to(alone, found.shape))


def test_only_ancestors_of_the_joint_are_read():
    local = poses()
    wanted = sk.points_at(SKELETON, local, 3, [1, 2, 3], axis=[1, 0, 0])
    local[:, [4, 5, 6, 7, 8]] = np.nan
    found = sk.points_at(SKELETON, local, 3, [1, 2, 3], axis=[1, 0, 0])
    np.testing.assert_array_equal(found[:, :4], wanted[:, :4])


def test_slopes_are_those_of_the_reference_and_go_into_out():
    normal, up, most = vectors(1, 50), vectors(2, 50), np.linspace(0, 3, 50)
    out = np.empty((50, 3))
    assert sk.limit_slope(normal, up, most, out=out) is out
    np.testing.assert_allclose(out, reference.limit_slope(normal, up, most), atol=1e-14)
    assert sk.limit_slope(normal.astype(np.float32), up.astype(np.float32), np.pi).dtype == np.float32
