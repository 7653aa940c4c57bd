# SPDX-License-Identifier: MIT
"""Results larger than the cache go around it in whole lines: the same bits as of small batches, and nothing beside."""

from __future__ import annotations

import numpy as np
import pytest
from random_rigs import calm_transforms, random_skeleton, random_weights

import skelkin_py as sk

BYTES = 17 * 2**20  # the way past the cache begins at 16 MiB
LINE = 64
JOINTS = 9
FILL = 123.0


def of_shape(shape: tuple[int, ...], dtype: type, shift: int, gap: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Return memory full of a number, and a view of this shape in it that starts `shift` numbers into a cache line."""
    poses, rest = shape[0], int(np.prod(shape[1:]))
    size = np.dtype(dtype).itemsize
    memory = np.full(poses * (rest + gap) + 3 * LINE, FILL, dtype)
    start = (-memory.ctypes.data % LINE) // size + shift
    strides = ((rest + gap) * size, *np.empty(shape[1:], dtype).strides)
    return memory, np.lib.stride_tricks.as_strided(memory[start:], shape, strides)


both_dtypes = pytest.mark.parametrize("dtype", [np.float32, np.float64])


@pytest.mark.slow
@both_dtypes
@pytest.mark.parametrize(
    ("vertices", "shift", "gap", "method"),
    [
        *((1600, 0, 0, method) for method in ("linear", "dual_quaternion")),
        (1600, 5, 0, "linear"),
        (1600, 1, 16, "linear"),
        (1607, 3, 1, "linear"),
        (24, 0, 0, "linear"),
        (70, 7, 0, "linear"),
    ],
)
def test_points_have_the_bits_of_poses_one_at_a_time(vertices, shift, gap, method, dtype):
    poses = BYTES // (vertices * 3 * np.dtype(dtype).itemsize) // 8 * 8 + 5
    skin = sk.SkinWeights(*random_weights(1, vertices, 4, JOINTS), JOINTS)
    matrices = np.tile(calm_transforms(2, 40, JOINTS).astype(dtype), (poses // 40 + 1, 1, 1, 1))[:poses]
    points = np.random.default_rng(3).normal(size=(vertices, 3)).astype(dtype)
    memory, out = of_shape((poses, vertices, 3), dtype, shift, gap)
    sk.skin_points(points, skin, matrices, method=method, out=out)
    expected = np.stack([sk.skin_points(points, skin, pose, method=method) for pose in matrices[:40]])
    for start in range(0, poses, 40):
        found = out[start : start + 40]
        np.testing.assert_array_equal(found, expected[: len(found)])
    out[...] = FILL
    assert (memory == FILL).all()


@both_dtypes
@pytest.mark.parametrize(("vertices", "shift"), [(1600, 0), (1603, 1)])
def test_normals_and_tangents_too(vertices, shift, dtype):
    poses = BYTES // (vertices * 10 * np.dtype(dtype).itemsize) + 3
    skin = sk.SkinWeights(*random_weights(1, vertices, 3, JOINTS), JOINTS)
    matrices = np.tile(calm_transforms(2, 40, JOINTS).astype(dtype), (poses // 40 + 1, 1, 1, 1))[:poses]
    random = np.random.default_rng(3)
    given = [random.normal(size=(vertices, size)).astype(dtype) for size in (3, 3, 4)]
    made = [of_shape((poses, vertices, size), dtype, shift) for size in (3, 3, 4)]
    sk.skin_mesh(given[0], skin, matrices, normals=given[1], tangents=given[2], out=tuple(out for _, out in made))
    for pose in (0, 7, 8, 39, 40, poses // 2, poses - 2, poses - 1):
        expected = sk.skin_mesh(given[0], skin, matrices[pose], normals=given[1], tangents=given[2])
        for (_, out), wanted in zip(made, expected, strict=True):
            np.testing.assert_array_equal(out[pose], wanted)
    for memory, out in made:
        out[...] = FILL
        assert (memory == FILL).all()


@pytest.mark.parametrize(("rows", "dtype"), [(3, np.float32), (4, np.float64)])
@pytest.mark.parametrize(
    ("joints", "bytes_into_a_line", "gap"),
    [
        *((joints, into, 0) for joints in (1, 2, 37) for into in (0, 8, 16, 32, 48)),
        *((joints, 16, 0) for joints in (3, 4, 64)),
        *((37, 16, gap) for gap in (1, 2, 12, 16)),
    ],
)
def test_matrices_have_the_bits_of_fewer_poses(joints, bytes_into_a_line, gap, rows, dtype):
    size = np.dtype(dtype).itemsize
    poses = BYTES // (joints * 4 * rows * size) + 3
    skeleton = random_skeleton(1, joints)
    quaternions = np.random.default_rng(2).normal(size=(300, joints, 4)).astype(dtype)
    memory, out = of_shape((poses, joints, rows, 4), dtype, bytes_into_a_line // size, gap)
    sk.forward_kinematics_trs(skeleton, np.tile(quaternions, (poses // 300 + 1, 1, 1))[:poses], out=out)
    expected = sk.forward_kinematics_trs(skeleton, quaternions)[..., :rows, :]
    for start in range(0, poses, 300):
        found = out[start : start + 300]
        np.testing.assert_array_equal(found, expected[: len(found)])
    out[...] = FILL
    assert (memory == FILL).all()


@both_dtypes
@pytest.mark.parametrize("rows", [3, 4])
def test_matrices_from_matrices_too(rows, dtype):
    joints, size = 37, np.dtype(dtype).itemsize
    poses = BYTES // (joints * 4 * rows * size) + 3
    skeleton = random_skeleton(1, joints)
    local = calm_transforms(2, 300, joints)[..., :rows, :].astype(dtype)
    memory, out = of_shape((poses, joints, rows, 4), dtype, 16 // size)
    sk.forward_kinematics(skeleton, np.tile(local, (poses // 300 + 1, 1, 1, 1))[:poses], out=out)
    expected = sk.forward_kinematics(skeleton, local)[..., :rows, :]
    for start in range(0, poses, 300):
        found = out[start : start + 300]
        np.testing.assert_array_equal(found, expected[: len(found)])
    out[...] = FILL
    assert (memory == FILL).all()


@both_dtypes
def test_the_first_three_rows_of_larger_matrices_leave_the_fourth(dtype):
    joints, size = 37, np.dtype(dtype).itemsize
    poses = BYTES // (joints * 12 * size) + 3
    skeleton = random_skeleton(1, joints)
    quaternions = np.random.default_rng(2).normal(size=(poses, joints, 4)).astype(dtype)
    _, whole = of_shape((poses, joints, 4, 4), dtype, 16 // size)
    sk.forward_kinematics_trs(skeleton, quaternions, out=whole[..., :3, :])
    assert (whole[..., 3, :] == FILL).all()
    expected = sk.forward_kinematics_trs(skeleton, quaternions[:300])[..., :3, :]
    np.testing.assert_array_equal(whole[:300, :, :3], expected)


def test_threads_give_the_same_bits():
    joints = 37
    poses = BYTES // (joints * 48) + 3
    skeleton = random_skeleton(1, joints)
    quaternions = np.random.default_rng(2).normal(size=(poses, joints, 4)).astype(np.float32)
    alone, shared = (of_shape((poses, joints, 3, 4), np.float32, 4)[1] for _ in range(2))
    before = sk.get_num_threads()
    try:
        sk.set_num_threads(1)
        sk.forward_kinematics_trs(skeleton, quaternions, out=alone)
        sk.set_num_threads(3)
        sk.forward_kinematics_trs(skeleton, quaternions, out=shared)
    finally:
        sk.set_num_threads(before)
    np.testing.assert_array_equal(alone, shared)
