# SPDX-License-Identifier: MIT
"""Bad ids, bad weights, bad hierarchies and nothing at all: each rule names its index, and nothing is written."""

from __future__ import annotations

import numpy as np
import pytest
from random_rigs import random_skeleton, random_transforms, random_weights
from verbs import make_verbs

import skelkin_py as sk

MOST = 65_535
NOT_JOINTS = [-1, MOST, MOST + 1, 2**16 + 1, 2**31, 2**32, 2**32 + 1, 2**40, -(2**40)]
every_verb = pytest.mark.parametrize("verb", make_verbs(), ids=lambda verb: verb.name)
both_dtypes = pytest.mark.parametrize("dtype", [np.float32, np.float64])


# ---- weights ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("bad", NOT_JOINTS)
def test_an_id_that_wraps_round_in_16_or_32_bits_is_named(bad):
    indices = np.tile(np.arange(4), (300, 1))
    indices[257, 2] = bad
    with pytest.raises(ValueError, match=rf"^indices\[257, 2\] is {bad}: a joint index must be"):
        sk.SkinWeights(indices, np.full((300, 4), 0.25), MOST)


@pytest.mark.parametrize("bad", NOT_JOINTS)
def test_an_id_in_compressed_rows_is_named_by_its_place(bad):
    with pytest.raises(ValueError, match=rf"^indices\[2\] is {bad}: a joint index must be"):
        sk.SkinWeights.from_csr([0, 1, 3], [0, 1, bad], [1, 0.5, 0.5], MOST)


def test_an_id_is_checked_also_where_its_weight_is_zero():
    with pytest.raises(ValueError, match=r"^indices\[0, 1\] is 9: "):
        sk.SkinWeights([[0, 9]], [[1.0, 0.0]], 2)


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_a_weight_that_is_not_finite_is_named_in_every_form(bad):
    with pytest.raises(ValueError, match=r"^weights\[1, 0\] is -?(nan|inf): a weight must be finite"):
        sk.SkinWeights([[0], [0]], [[1.0], [bad]], 1)
    with pytest.raises(ValueError, match=r"^data\[1\] is -?(nan|inf): a weight must be finite"):
        sk.SkinWeights.from_csr([0, 2], [0, 0], [1.0, bad], 1)
    with pytest.raises(ValueError, match=r"^dense\[1, 0\] is -?(nan|inf): a weight must be finite"):
        sk.SkinWeights.from_dense([[1.0], [bad]])


@pytest.mark.parametrize("count", [0, -1, MOST + 1, 2**40, 10**30])
def test_a_number_of_joints_that_cannot_be_is_named(count):
    with pytest.raises(ValueError, match=rf"^num_joints is {count}: it must be at (least 1|most 65535)$"):
        sk.SkinWeights([[0]], [[1.0]], count)


@pytest.mark.parametrize(
    ("offsets", "words"),
    [
        ([0, 3, 2, 4], r"^indptr\[2\] is 2: offsets must not fall"),
        ([0, -1, 2, 4], r"^indptr\[1\] is -1: offsets must not fall"),
        ([1, 2, 3, 4], r"^indptr\[0\] is 1: the first offset must be 0"),
        ([0, 2, 3, 5], r"^indptr\[3\] is .*: the last offset must be the number of indices, 4$"),
        ([0, 2, 3, 2**40], r"^indptr\[3\] is .*: the last offset must be the number of indices, 4$"),
        ([0, 2**40, 3, 4], r"^indptr\[2\] is 3: offsets must not fall"),
    ],
)
def test_offsets_that_are_no_rows_are_named(offsets, words):
    with pytest.raises(ValueError, match=words):
        sk.SkinWeights.from_csr(offsets, [0, 0, 0, 0], [1.0, 1, 1, 1], 1)


def test_check_names_what_skinning_will_not():
    report = sk.SkinWeights(
        [[0, 1], [0, 1], [0, 1], [0, 0]], [[0.5, 0.5], [0.0, 0.0], [0.5, 0.4], [-1.0, 2.0]], 2
    ).check()
    assert not report.ok
    assert report.empty.tolist() == [1]
    assert report.not_normalized.tolist() == [2]
    assert report.negative.tolist() == [3]
    assert report.repeated.tolist() == [3]


@pytest.mark.parametrize("bad", [4, -1, 2**40])
def test_a_vertex_of_a_subset_that_is_not_there_is_named(bad):
    skin = sk.SkinWeights(*random_weights(1, 4, 2, 3), 3)
    with pytest.raises(ValueError, match=rf"^vertices\[1\] is {bad}: there are 4 vertices"):
        skin.subset([0, bad])


# ---- hierarchies -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("parents", "words"),
    [
        ([-1, 2, 0], r"^parents\[1\] is 2: a parent must come before its child"),
        ([-1, 1, 0], r"^parents\[1\] is 1: a joint cannot be its own parent"),
        ([-1, 0, -2], r"^parents\[2\] is -2: a parent is an earlier joint, or -1 for a root"),
        ([-1, 0, 3], r"^parents\[2\] is 3: there is no joint of this number"),
        ([-1, 0, 2**40], rf"^parents\[2\] is {2**40}: there is no joint of this number"),
        ([-1, 0, 2**32], rf"^parents\[2\] is {2**32}: there is no joint of this number"),
        ([-1, 0, -(2**32)], rf"^parents\[2\] is -{2**32}: a parent is an earlier joint"),
    ],
)
def test_a_parent_that_cannot_be_is_named(parents, words):
    with pytest.raises(ValueError, match=words):
        sk.Skeleton(parents, np.tile(np.eye(4), (3, 1, 1)))


@pytest.mark.parametrize("parents", [[1, 2, 0], [0, -1, 1], [-1, 2, 1]])
def test_a_cycle_is_named_by_a_joint_of_it(parents):
    with pytest.raises(ValueError, match=r"^parents\[\d\] is \d: joint \d is its own ancestor"):
        sk.sort_joints(parents)


def test_a_skeleton_of_too_many_joints_is_refused():
    joints = MOST + 1
    with pytest.raises(ValueError, match=r"^parents: a skeleton has 1 to 65535 joints"):
        sk.Skeleton(np.arange(-1, joints - 1), np.broadcast_to(np.eye(4), (joints, 4, 4)))


# ---- values that a verb cannot work with -----------------------------------------------------------------------------

ROTATED = [verb for verb in make_verbs() if "rotations" in verb.arguments]


@pytest.mark.parametrize("verb", ROTATED, ids=lambda verb: verb.name)
@pytest.mark.parametrize("bad", [(0, 0, 0, 0), (np.nan, 0, 0, 1), (1, 0, -np.inf, 0)])
@both_dtypes
@pytest.mark.parametrize("poses", [1, 7, 9, 70])
def test_a_quaternion_without_direction_is_named_and_nothing_is_written(verb, bad, dtype, poses):
    given = verb.inputs((poses,), dtype)
    given["rotations"][poses - 1, 7] = bad
    out = verb.empty((poses,), dtype, 7.0)
    with pytest.raises(ValueError, match=rf"^rotations\[{poses - 1}, 7\] is \[.*\]: .*finite and not zero"):
        verb.run(given, out)
    assert all((each == 7).all() for each in out)


WITH_NORMALS = [verb for verb in make_verbs() if verb.function == "skin_mesh"]


@pytest.mark.parametrize("verb", WITH_NORMALS, ids=lambda verb: verb.name)
@both_dtypes
@pytest.mark.parametrize("poses", [1, 9, 33])
def test_normals_after_a_matrix_without_inverse_have_length_1_or_0(verb, dtype, poses):
    given = verb.inputs((poses,), dtype)
    before = verb.run(given)[1].copy()
    for last in (1, slice(None)):
        given["matrices"][poses - 1, :, :3, last] = 0
        found = verb.run(given)[1]
        length = np.linalg.norm(found[poses - 1], axis=-1)
        assert ((length == 0) | (np.abs(length - 1) < 1e-5)).all()
        assert np.array_equal(found[: poses - 1], before[: poses - 1])


@pytest.mark.parametrize("verb", WITH_NORMALS, ids=lambda verb: verb.name)
def test_a_flat_matrix_that_no_vertex_uses_is_no_error(verb):
    skin = sk.SkinWeights([[0, 2]], [[1.0, 0.0]], 3)
    matrices = np.stack([np.eye(4), np.zeros((4, 4)), np.zeros((4, 4))])
    method = "dual_quaternion" if "dual" in verb.name else "linear"
    found = sk.skin_mesh([[1.0, 2, 3]], skin, matrices, normals=[[0.0, 0, 1]], method=method)
    np.testing.assert_allclose(found.normals, [[0, 0, 1]], atol=1e-12)


def test_a_parent_without_inverse_is_named():
    skeleton, global_ = random_skeleton(2, 9), random_transforms(3, 40, 9)
    parent = int(skeleton.parents[8])
    global_[31, parent, :3, :3] = 0
    out = np.full((40, 9, 4, 4), 7.0)
    with pytest.raises(ValueError, match=rf"^global_\[31, {parent}\]: .*inverse"):
        sk.local_from_global(skeleton, global_, out=out)
    assert (out == 7).all()


# ---- nothing at all --------------------------------------------------------------------------------------------------


@every_verb
@both_dtypes
def test_no_poses(verb, dtype):
    for lead in ((0,), (0, 3), (4, 0)):
        out = verb.empty(lead, dtype)
        assert all(a is b for a, b in zip(verb.run(verb.inputs(lead, dtype), out), out, strict=True))


@pytest.mark.parametrize("index", [k for k, verb in enumerate(make_verbs()) if verb.function.startswith("skin_")])
@both_dtypes
def test_no_vertices_and_no_influences(index, dtype):
    without_vertices = make_verbs(5, 0)[index]
    for lead in ((), (3,), (0,)):
        found = without_vertices.run(without_vertices.inputs(lead, dtype))
        assert [each.shape for each in found] == [lead + core for core in without_vertices.outs]


@both_dtypes
def test_no_influences_leave_every_point(dtype):
    skin = sk.SkinWeights(np.zeros((40, 0), int), np.zeros((40, 0)), 3)
    points, matrices = np.random.default_rng(4).normal(size=(40, 3)).astype(dtype), np.full((9, 3, 4, 4), np.nan, dtype)
    found = sk.skin_points(points, skin, matrices)
    np.testing.assert_array_equal(found, np.broadcast_to(points, (9, 40, 3)))
