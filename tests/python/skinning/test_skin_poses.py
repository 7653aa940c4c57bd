# SPDX-License-Identifier: MIT
"""skin_poses: the bits of its three steps, whatever the layout, in memory that does not grow with the poses."""

from __future__ import annotations

import os
import subprocess
import sys

import numpy as np
import pytest

import skelkin_py as sk

RNG = np.random.default_rng(11)
both_dtypes = pytest.mark.parametrize("dtype", [np.float32, np.float64])


@pytest.fixture(autouse=True)
def the_same_numbers_in_any_order_of_tests() -> None:
    global RNG
    RNG = np.random.default_rng(11)


def make_rig(joints: int, vertices: int, influences: int = 3) -> tuple[sk.Skeleton, sk.SkinWeights, np.ndarray]:
    rest = np.tile(np.eye(4), (joints, 1, 1))
    rest[:, :3] += RNG.normal(size=(joints, 3, 4)) * [0.1, 0.1, 0.1, 1]
    skeleton = sk.Skeleton([-1, *(int(RNG.integers(-1, j)) for j in range(1, joints))], rest)
    weights = RNG.uniform(size=(vertices, influences)) * (RNG.uniform(size=(vertices, influences)) < 0.7)
    indices = RNG.integers(0, joints, (vertices, influences))
    return skeleton, sk.SkinWeights(indices, weights, joints), RNG.normal(size=(vertices, 3))


def in_three_steps(points, weights, skeleton, rotations, translations=None, scales=None):
    global_ = sk.forward_kinematics_trs(skeleton, rotations, translations, scales)
    return sk.skin_points(points, weights, sk.skinning_matrices(skeleton, global_))


def mesh_in_three_steps(points, weights, skeleton, rotations, translations=None, scales=None, **options):
    global_ = sk.forward_kinematics_trs(skeleton, rotations, translations, scales)
    return sk.skin_mesh(points, weights, sk.skinning_matrices(skeleton, global_), **options)


def draw(dtype, *shape):
    return RNG.normal(size=shape).astype(dtype)


@both_dtypes
@pytest.mark.parametrize("lead", [(), (1,), (2,), (3,), (7,), (8,), (9,), (37,), (3, 5), (0,)])
@pytest.mark.parametrize("given", ["rotations", "translations", "scales", "all"])
def test_bits_are_those_of_the_three_steps(lead, given, dtype):
    skeleton, weights, points = make_rig(9, 150)
    rotations = draw(dtype, *lead, 9, 4)
    translations = draw(dtype, *lead, 9, 3) if given in ("translations", "all") else None
    scales = draw(dtype, 9, 3) if given in ("scales", "all") else None
    arguments = (points.astype(dtype), weights, skeleton, rotations, translations, scales)
    found, expected = sk.skin_poses(*arguments), in_three_steps(*arguments)
    assert found.dtype == dtype
    assert found.shape == (*lead, 150, 3)
    assert found.tobytes() == expected.tobytes()


@both_dtypes
@pytest.mark.parametrize(("joints", "vertices"), [(1, 1), (2, 64), (40, 65), (3000, 20), (5, 9000)])
def test_size_of_the_rig_does_not_show(joints, vertices, dtype):
    """Large skeletons leave the tiles, many vertices are cut into chunks."""
    skeleton, weights, points = make_rig(joints, vertices)
    arguments = (points.astype(dtype), weights, skeleton, draw(dtype, 11, joints, 4))
    assert sk.skin_poses(*arguments).tobytes() == in_three_steps(*arguments).tobytes()


@both_dtypes
def test_rest_points_may_differ_from_pose_to_pose(dtype):
    skeleton, weights, _ = make_rig(6, 130)
    arguments = (draw(dtype, 4, 1, 130, 3), weights, skeleton, draw(dtype, 19, 6, 4))
    found = sk.skin_poses(*arguments)
    assert found.shape == (4, 19, 130, 3)
    assert found.tobytes() == in_three_steps(*arguments).tobytes()


@both_dtypes
@pytest.mark.parametrize("method", ["linear", "dual_quaternion"])
@pytest.mark.parametrize("lead", [(), (2,), (21,), (2, 9)])
def test_bits_with_normals_are_those_of_the_three_steps(lead, method, dtype):
    skeleton, weights, points = make_rig(9, 150)
    arguments = (points.astype(dtype), weights, skeleton, draw(dtype, *lead, 9, 4), None, 1 + draw(dtype, 9, 3) / 9)
    options = {"normals": draw(dtype, 150, 3), "method": method}
    found, expected = sk.skin_poses(*arguments, **options), mesh_in_three_steps(*arguments, **options)
    assert isinstance(found, sk.SkinnedMesh)
    assert found.tangents is None
    assert found.points.tobytes() == expected.points.tobytes()
    assert found.normals.tobytes() == expected.normals.tobytes()
    assert sk.skin_poses(*arguments, method=method).tobytes() == expected.points.tobytes()


def test_normals_go_where_they_are_told():
    skeleton, weights, points = make_rig(5, 20)
    normals, rotations = RNG.normal(size=(20, 3)), RNG.normal(size=(4, 5, 4))
    expected = sk.skin_poses(points, weights, skeleton, rotations, normals=normals)
    out = (np.empty((4, 20, 3)), np.empty((4, 20, 3)), None)
    found = sk.skin_poses(points, weights, skeleton, rotations, normals=normals, out=out)
    assert found.points is out[0]
    assert found.normals is out[1]
    assert np.array_equal(out[0], expected.points)
    assert np.array_equal(out[1], expected.normals)
    with pytest.raises(ValueError, match=r"out\.tangents is given: there are no tangents"):
        sk.skin_poses(points, weights, skeleton, rotations, normals=normals, out=(*out[:2], out[0]))


def test_normals_of_what_is_scaled_to_nothing_are_0():
    """Only where it moves something: here joint 1 is above joint 2, which does; joint 3 moves nothing."""
    skeleton = sk.Skeleton([-1, 0, 1, 1], np.tile(np.eye(4), (4, 1, 1)))
    weights = sk.SkinWeights([[2, 3]], [[1.0, 0.0]], 4)
    scales, rotations, up = np.ones((6, 4, 3)), np.ones((6, 4, 4)), np.ones((1, 3))
    scales[4, 3] = 0
    whole = sk.skin_poses(up, weights, skeleton, rotations, None, scales, normals=up)
    np.testing.assert_allclose(np.linalg.norm(whole.normals, axis=-1), 1.0)
    scales[5, 1] = 0
    found = sk.skin_poses(up, weights, skeleton, rotations, None, scales, normals=up)
    assert (found.normals[5] == 0).all()
    assert np.array_equal(found.normals[:5], whole.normals[:5])
    none = sk.Skeleton(skeleton.parents, skeleton.rest_local, inverse_bind=np.tile(np.diag([0.0, 0, 0, 1]), (4, 1, 1)))
    assert (sk.skin_poses(up, weights, none, rotations, normals=up).normals == 0).all()


@pytest.mark.parametrize("size", [1e-150, 1e-110, 1e110, 1e150])
def test_normals_of_scales_and_bind_poses_of_any_size(size):
    """Products of three such numbers are 0, or infinite."""
    skeleton = sk.Skeleton([-1], np.eye(4)[None])
    weights = sk.SkinWeights([[0]], [[1.0]], 1)
    point, normal, turn = [[1.0, 2, 3]], [[0.0, 0, 1]], [[1.0, 1, 0, 0]]
    found = sk.skin_poses(point, weights, skeleton, turn, None, np.full((1, 3), size), normals=normal)
    np.testing.assert_allclose(found.normals, [[0, -1, 0]], atol=1e-15)
    scaled = sk.Skeleton([-1], np.eye(4)[None], inverse_bind=np.diag([size, size, size, 1])[None])
    found = sk.skin_poses(point, weights, scaled, turn, normals=normal)
    np.testing.assert_allclose(found.normals, [[0, -1, 0]], atol=1e-15)


def test_any_strides_do():
    skeleton, weights, points = make_rig(6, 50)
    rotations, out = draw(np.float32, 6, 3, 40, 4), np.zeros((50, 20, 3), np.float32)
    turned, rest = rotations.transpose(2, 1, 0, 3)[::-2, 1], np.repeat(points.astype(np.float32), 2, axis=0)[::2]
    result = sk.skin_poses(rest, weights, skeleton, turned, out=out.transpose(1, 0, 2))
    assert np.shares_memory(result, out)
    expected = in_three_steps(np.ascontiguousarray(rest), weights, skeleton, np.ascontiguousarray(turned))
    assert np.array_equal(result, expected)


def test_skeleton_and_weights_must_have_the_same_joints():
    skeleton, _, points = make_rig(6, 50)
    _, weights, _ = make_rig(7, 50)
    with pytest.raises(ValueError, match=r"weights\.num_joints is 7: it must be the number of joints of the skeleton"):
        sk.skin_poses(points, weights, skeleton, np.ones((6, 4)))


def test_bad_quaternion_is_named_and_nothing_is_written():
    skeleton, weights, points = make_rig(6, 50)
    rotations, out = np.ones((30, 6, 4)), np.full((30, 50, 3), 7.0)
    rotations[12, 3] = 0
    with pytest.raises(ValueError, match=r"rotations\[12, 3\] is \[0, 0, 0, 0\]: a quaternion must be"):
        sk.skin_poses(points, weights, skeleton, rotations, out=out)
    assert (out == 7).all()


def test_what_is_no_number_reaches_only_what_depends_on_it():
    skeleton, _, points = make_rig(4, 3)
    weights = sk.SkinWeights([[0, 3], [1, 3], [3, 0]], [[1, 0], [1, 0], [1, 0]], 4)
    translations = np.zeros((4, 3))
    translations[3] = np.nan
    result = sk.skin_poses(points, weights, skeleton, np.ones((4, 4)), translations)
    assert np.isfinite(result[:2]).all()
    assert np.isnan(result[2]).any()


def test_other_methods_are_refused():
    skeleton, weights, points = make_rig(4, 3)
    with pytest.raises(ValueError, match="method is 'cubic'"):
        sk.skin_poses(points, weights, skeleton, np.ones((4, 4)), method="cubic")


@pytest.mark.slow
def test_memory_stays_flat_and_the_output_may_be_a_file(tmp_path, require):
    """24 MB of matrices and 60 MB of points go by; what is not the file grows by much less."""
    require(os.path.exists("/proc/self/status"), "/proc, to read the memory in use")
    code = f"""
import re, sys, numpy as np, skelkin_py as sk
def own_memory():
    return int(re.search(r"RssAnon:\\s+(\\d+)", open("/proc/self/status").read())[1]) / 1024
F, J, V = 5000, 75, 1000
rng = np.random.default_rng(1)
skeleton = sk.Skeleton([-1, *range(J - 1)], np.tile(np.eye(4), (J, 1, 1)))
weights = sk.SkinWeights(rng.integers(0, J, (V, 2)), np.full((V, 2), 0.5), J)
points, rotations = rng.normal(size=(V, 3)).astype("f4"), rng.normal(size=(F, J, 4)).astype("f4")
sk.skin_poses(points, weights, skeleton, rotations[:100])
out = np.memmap({str(tmp_path / "points.bin")!r}, np.float32, "w+", shape=(F, V, 3))
sk.set_num_threads(2)
before = own_memory()
result = sk.skin_poses(points, weights, skeleton, rotations, out=out)
assert result is out
assert own_memory() - before < 4, (before, own_memory())
out.flush()
for f in (0, 1234, F - 1):
    expected = sk.skin_poses(points, weights, skeleton, rotations[f])
    again = np.memmap({str(tmp_path / "points.bin")!r}, np.float32, "r", shape=(F, V, 3))
    assert np.array_equal(again[f], expected)
"""
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=300)
    assert run.returncode == 0, run.stderr


@pytest.mark.posix
def test_part_of_a_file_larger_than_the_memory_may_be_written(tmp_path, require):
    """A sparse file of 240 GB: only the poses that are asked for take space."""
    skeleton, weights, points = make_rig(5, 1000)
    rotations = draw(np.float32, 30, 5, 4)
    try:
        big = np.memmap(tmp_path / "sparse.bin", np.float32, "w+", shape=(20_000_000, 1000, 3))
    except OSError:
        require(False, "a file system with large sparse files")
    part = big[12_345_678:12_345_708]
    result = sk.skin_poses(points.astype(np.float32), weights, skeleton, rotations, out=part)
    assert result is part
    assert np.array_equal(part, in_three_steps(points.astype(np.float32), weights, skeleton, rotations))
    assert os.stat(tmp_path / "sparse.bin").st_blocks * 512 < 10_000_000
