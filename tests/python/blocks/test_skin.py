# SPDX-License-Identifier: MIT
"""Skinning from file to file: the bits of the call on arrays, in the memory of a block, whole or not at all."""

from __future__ import annotations

import numpy as np
import pytest
from peak_memory import peak_memory

import skelkin_py as sk
from skelkin_py.blocks.npy_rows import NpyRows, writing_npy

RNG = np.random.default_rng(5)
FRAMES, JOINTS, VERTICES = 23, 5, 40


@pytest.fixture
def rig():
    rest = np.tile(np.eye(4), (JOINTS, 1, 1))
    rest[1:, :3, 3] = RNG.normal(size=(JOINTS - 1, 3))
    weights = sk.SkinWeights(RNG.integers(0, JOINTS, (VERTICES, 2)), np.full((VERTICES, 2), 0.5), JOINTS)
    return sk.Skeleton([-1, 0, 1, 2, 1], rest), weights, RNG.normal(size=(VERTICES, 3))


@pytest.fixture
def poses(tmp_path):
    rotations, translations = RNG.normal(size=(FRAMES, JOINTS, 4)), RNG.normal(size=(FRAMES, JOINTS, 3))
    np.save(tmp_path / "rotations.npy", rotations)
    np.save(tmp_path / "translations.npy", translations)
    return rotations, translations


@pytest.mark.parametrize("block", [1, 7, 23, 1000, None])
@pytest.mark.parametrize("method", ["linear", "dual_quaternion"])
def test_points_have_the_bits_of_the_call_on_arrays(rig, poses, tmp_path, block, method):
    skeleton, weights, points = rig
    source, out = tmp_path / "rotations.npy", tmp_path / "points.npy"
    moves = tmp_path / "translations.npy"
    shape = sk.skin_file(source, out, points, weights, skeleton, moves, method=method, block=block)
    expected = sk.skin_poses(points, weights, skeleton, *poses, method=method)
    assert shape == expected.shape
    assert np.load(out).tobytes() == expected.tobytes()


def test_float32_stays_float32_and_scales_are_for_all_frames(rig, poses, tmp_path):
    skeleton, weights, points = rig
    rotations, points = poses[0].astype(np.float32), points.astype(np.float32)
    np.save(tmp_path / "r.npy", rotations)
    scales = np.full((JOINTS, 3), 2.0, np.float32)
    sk.skin_file(tmp_path / "r.npy", tmp_path / "p.npy", points, weights, skeleton, scales=scales, block=4)
    found = np.load(tmp_path / "p.npy")
    assert found.dtype == np.float32
    assert found.tobytes() == sk.skin_poses(points, weights, skeleton, rotations, scales=scales).tobytes()


def test_nothing_is_half_written(rig, poses, tmp_path):
    skeleton, weights, points = rig
    rotations = poses[0].copy()
    rotations[20, 3] = 0.0
    np.save(tmp_path / "bad.npy", rotations)
    out = tmp_path / "points.npy"
    out.write_bytes(b"as it was")
    before = sorted(path.name for path in tmp_path.iterdir())
    with pytest.raises(ValueError, match=r"block that begins with frame 16: rotations\[4, 3\]"):
        sk.skin_file(tmp_path / "bad.npy", out, points, weights, skeleton, block=8)
    assert out.read_bytes() == b"as it was"
    assert sorted(path.name for path in tmp_path.iterdir()) == before


@pytest.mark.parametrize(
    ("array", "words"),
    [
        (np.zeros((0, JOINTS, 4)), "F ≥ 1"),
        (np.zeros((3, JOINTS, 3)), "4\\) with"),
        (np.zeros((3, JOINTS, 4), complex), "real numbers"),
        (np.asfortranarray(np.zeros((3, JOINTS, 4))), "column order"),
    ],
)
def test_a_file_of_something_else_is_named(rig, tmp_path, array, words):
    skeleton, weights, points = rig
    np.save(tmp_path / "r.npy", array)
    with pytest.raises(ValueError, match=words) as caught:
        sk.skin_file(tmp_path / "r.npy", tmp_path / "p.npy", points, weights, skeleton)
    assert "r.npy" in str(caught.value)
    assert not (tmp_path / "p.npy").exists()


@pytest.mark.parametrize("content", [b"", b"not an array", "short"])
def test_what_is_no_whole_npy_file_is_a_format_error(tmp_path, content):
    path = tmp_path / "r.npy"
    if content == "short":
        np.save(path, np.zeros((4, 4)))
        content = path.read_bytes()[:-8]
    path.write_bytes(content)
    with pytest.raises(sk.FormatError):
        NpyRows(path)


def test_files_of_different_lengths_and_odd_blocks_are_errors(rig, poses, tmp_path):
    skeleton, weights, points = rig
    arguments = tmp_path / "rotations.npy", tmp_path / "p.npy", points, weights, skeleton
    np.save(tmp_path / "short.npy", np.zeros((3, JOINTS, 3)))
    with pytest.raises(ValueError, match=rf"short.npy .*\({FRAMES}, {JOINTS}, 3\) is needed"):
        sk.skin_file(*arguments, tmp_path / "short.npy")
    with pytest.raises(ValueError, match="translations has shape"):
        sk.skin_file(*arguments, np.zeros((2, 3)))
    with pytest.raises(ValueError, match="at least 1 frame"):
        sk.skin_file(*arguments, block=0)
    with pytest.raises(TypeError, match="whole number of frames"):
        sk.skin_file(*arguments, block=2.5)


def test_an_array_of_any_shape_goes_through_blocks(tmp_path):
    values = RNG.normal(size=(9, 2, 3)).astype(">f4")
    np.save(tmp_path / "a.npy", values)
    with (
        NpyRows(tmp_path / "a.npy") as rows,
        writing_npy(tmp_path / "b.npy", rows.shape, np.dtype(np.float64)) as target,
    ):
        for start in range(0, len(rows), 4):
            target.append(rows[start : start + 4])
    assert np.load(tmp_path / "b.npy").tolist() == values.tolist()


@pytest.mark.slow
def test_memory_is_that_of_a_block(tmp_path):
    """12 and 60 MB of points, of which blocks of 0.5 MB are in memory at a time."""
    script = """
import sys
import numpy as np, skelkin_py as sk
source, target = sys.argv[1:]
weights = sk.SkinWeights(np.zeros((1000, 1), int), np.ones((1000, 1)), 1)
skeleton, points = sk.Skeleton([-1], np.eye(4)[None]), np.zeros((1000, 3), np.float32)
sk.skin_file(source, target, points, weights, skeleton, block=40)
"""
    peaks = []
    for times in (1000, 5000):
        np.save(tmp_path / "r.npy", np.tile(np.float32([1, 0, 0, 0]), (times, 1, 1)))
        peaks.append(peak_memory(script, tmp_path / "r.npy", tmp_path / "points.npy"))
    assert peaks[1] - peaks[0] < 4.0
