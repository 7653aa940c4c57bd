# SPDX-License-Identifier: MIT
"""Every verb against the float64 reference over many sizes: 1e-12 in float64, 2e-6 of the largest number in float32."""

from __future__ import annotations

import numpy as np
import pytest
import reference
from random_rigs import TOLERANCE, calm_transforms, random_skeleton, random_transforms
from verbs import Verb, make_verbs

import skelkin_py as sk

POSES = [1, 2, 7, 8, 9, 17, 64, 1000]
JOINTS = [(1, 1), (2, 1), (2, 2), (7, 3), (24, 1), (65, 2)]  # and roots
MOST_JOINTS = 65_535
LABELS = [verb.name for verb in make_verbs()]
every_verb = pytest.mark.parametrize("label", LABELS)
skinning_verbs = pytest.mark.parametrize("label", [label for label in LABELS if label.startswith("skin_")])
both_dtypes = pytest.mark.parametrize("dtype", [np.float32, np.float64])


def verb_of(label: str, *sizes: int) -> Verb:
    return next(verb for verb in make_verbs(*sizes) if verb.name == label)


def assert_accurate(found, expected, given=(), depth=1, condition=1.0):
    """Compare results with what float64 makes of the very same numbers; rounding adds up along deep chains."""
    slack = condition * max(1.0, np.sqrt(depth / 100))
    for a, b in zip(found, expected, strict=True):
        size = max([1.0] + [float(np.abs(each).max(initial=0)) for each in (b, *given)])
        np.testing.assert_allclose(a, np.broadcast_to(b, a.shape), rtol=0, atol=slack * TOLERANCE[a.dtype] * size)


@pytest.mark.slow
@every_verb
@both_dtypes
def test_any_number_of_poses(label, dtype):
    verb = verb_of(label, 24, 9)
    for poses in POSES:
        given = verb.inputs((poses,), dtype)
        assert_accurate(verb.run(given), verb.expect(given), condition=verb.condition)


@pytest.mark.slow
@every_verb
@both_dtypes
def test_any_number_of_joints(label, dtype):
    for joints, roots in JOINTS:
        verb = verb_of(label, joints, 40, 4, roots)
        for lead in ((), (3,), (17,)):
            given = verb.inputs(lead, dtype)
            assert_accurate(verb.run(given), verb.expect(given), given.values(), condition=verb.condition)


@pytest.mark.slow
@skinning_verbs
@both_dtypes
def test_any_number_of_vertices(label, dtype):
    for vertices in (1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 33, 63, 64, 65, 255, 256, 257, 600):
        verb = verb_of(label, 12, vertices, 1 + vertices % 7)
        for lead in ((), (2,)):
            given = verb.inputs(lead, dtype)
            assert_accurate(verb.run(given), verb.expect(given), condition=verb.condition)


@pytest.mark.slow
@skinning_verbs
@both_dtypes
def test_any_number_of_influences(label, dtype):
    for influences in (1, 2, 3, 4, 5, 8, 9, 20):
        verb = verb_of(label, 30, 70, influences)
        for lead in ((), (9,)):
            given = verb.inputs(lead, dtype)
            assert_accurate(verb.run(given), verb.expect(given), condition=verb.condition)


def chain(joints):
    return list(range(-1, joints - 1))


def star(joints):
    return [-1] + [0] * (joints - 1)


def comb(joints):
    """A spine with a tooth at each joint, and a second root at the end."""
    return [-1, *(j - 1 - j % 2 for j in range(1, joints - 1)), -1]


@pytest.mark.parametrize("shape", [chain, star, comb])
@pytest.mark.parametrize("joints", [24, 1000])
@both_dtypes
def test_chains_stars_and_combs(shape, joints, dtype):
    skeleton = sk.Skeleton(shape(joints), random_transforms(1, joints, scaled=False))
    local = random_transforms(2, 9, joints, scaled=False).astype(dtype)
    q = np.random.default_rng(3).normal(size=(9, joints, 4)).astype(dtype)
    depth = joints if shape is chain else joints // 2 if shape is comb else 1
    global_ = reference.forward_kinematics(skeleton, local)
    assert_accurate([sk.forward_kinematics(skeleton, local)], [global_], depth=depth)
    assert_accurate([sk.forward_kinematics(skeleton, local[3])], [global_[3]], depth=depth)
    expected = reference.forward_kinematics_trs(skeleton, q)
    assert_accurate([sk.forward_kinematics_trs(skeleton, q)], [expected], depth=depth)
    assert_accurate([sk.forward_kinematics_trs(skeleton, q[3])], [expected[3]], depth=depth)


@pytest.mark.slow
@pytest.mark.parametrize("shape", [chain, star])
def test_as_many_joints_as_there_may_be(shape):
    """A star in float32, a chain in float64: rounding adds up along it."""
    dtype = np.float32 if shape is star else np.float64
    rest = np.tile(np.eye(4), (MOST_JOINTS, 1, 1))
    rest[1:, :3, 3] = np.random.default_rng(4).normal(size=(MOST_JOINTS - 1, 3)) * 0.1
    skeleton = sk.Skeleton(shape(MOST_JOINTS), rest)
    q = (np.random.default_rng(5).normal(size=(2, MOST_JOINTS, 4)) * 0.01 + [1, 0, 0, 0]).astype(dtype)
    expected = reference.forward_kinematics_trs(skeleton, q)
    global_ = sk.forward_kinematics_trs(skeleton, q)
    assert_accurate([global_], [expected])
    matrices = sk.skinning_matrices(skeleton, global_)
    assert_accurate([matrices], [reference.skinning_matrices(skeleton, global_)], [global_])
    # vertex v hangs on the v-th joint from the end, the last ones too
    indices = np.stack([MOST_JOINTS - 1 - np.arange(50), np.arange(50) * 1000], axis=1)
    skin = sk.SkinWeights(indices, np.full((50, 2), 0.5), MOST_JOINTS)
    points = np.random.default_rng(6).normal(size=(50, 3)).astype(dtype)
    found = sk.skin_points(points, skin, matrices)
    assert_accurate([found], [reference.skin_points(points, skin, matrices)], [matrices])


@both_dtypes
@pytest.mark.parametrize("kind", ["mirrored", "sheared", "flat", "large and small"])
def test_matrices_of_every_kind_go_down_the_chain(kind, dtype):
    skeleton = random_skeleton(7, 20, 2)
    local = calm_transforms(8, 33, 20)
    if kind == "mirrored":
        local[:, ::3, :3, 0] *= -1
    elif kind == "sheared":
        local[..., 0, 1] += 0.5
    elif kind == "flat":
        local[:, 5, :3, 2] = 0
    else:
        local[:, ::2, :3, :3] *= 100
        local[:, 1::2, :3, :3] *= 0.01
    local = local.astype(dtype)
    found = sk.forward_kinematics(skeleton, local)
    assert_accurate([found], [reference.forward_kinematics(skeleton, local)])
    assert_accurate([sk.forward_kinematics(skeleton, local[7])], [reference.forward_kinematics(skeleton, local[7])])


@both_dtypes
def test_the_way_back_from_global_matrices(dtype):
    for joints, roots in JOINTS:
        skeleton = random_skeleton(9, joints, roots)
        global_ = calm_transforms(10, 9, joints).astype(dtype)
        expected = reference.local_from_global(skeleton, global_)
        assert_accurate([sk.local_from_global(skeleton, global_)], [expected])
