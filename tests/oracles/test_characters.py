# SPDX-License-Identifier: MIT
"""Real characters and clips against UsdSkel and libigl, with the bounds of test_usd_points and test_libigl."""

from __future__ import annotations

from pathlib import Path

import igl
import numpy as np
import pytest
import usd_arrays
from characters import GLTF, MAKEHUMAN, Character, read_gltf, read_makehuman
from random_rigs import assert_close

import skelkin_py as sk

pytestmark = pytest.mark.data
CLIPS = ("cmu_12_01_walk", "fair1_jumping", "makehuman_walk1", "optitrack_louise", "rokoko_jesse_dance")
FLOAT32_ROUNDING = 5e-7  # UsdSkel's points are float32


@pytest.fixture(params=[*GLTF, *MAKEHUMAN])
def character(request: pytest.FixtureRequest, data_dir: Path) -> Character:
    path = data_dir / request.param
    return read_gltf(path) if path.parent.name == "gltf" else read_makehuman(path)


def skinning_matrices(character: Character) -> np.ndarray:
    return sk.skinning_matrices(character.skeleton, sk.forward_kinematics(character.skeleton, character.poses))


def close(found: np.ndarray, expected: np.ndarray, points: np.ndarray) -> None:
    """Compare with UsdSkel relative to the largest coordinate on the way in or out."""
    size = max(float(np.abs(expected).max()), float(np.abs(points).max()))
    np.testing.assert_allclose(found, expected, rtol=0, atol=FLOAT32_ROUNDING * size)


def test_global_matrices(character: Character) -> None:
    expected = np.stack([usd_arrays.global_matrices(character.skeleton.parents, pose) for pose in character.poses])
    assert_close(sk.forward_kinematics(character.skeleton, character.poses), expected)


def test_linear_skinning_in_usd(character: Character) -> None:
    points, weights = character.points.astype(np.float32), character.weights.astype(np.float32)
    skin = sk.SkinWeights(character.indices, weights, character.skeleton.num_joints)
    weighted = weights.any(axis=1)  # USD puts a vertex without influences at the origin
    for matrices in skinning_matrices(character):
        expected = usd_arrays.skin_points(points, character.indices, weights, matrices, usd_arrays.LINEAR)
        close(sk.skin_points(points, skin, matrices)[weighted], expected[weighted], points)


def test_linear_skinning_in_libigl(character: Character) -> None:
    joints = character.skeleton.num_joints
    dense = np.zeros((len(character.points), joints))
    np.add.at(dense, (np.arange(len(dense))[:, None], character.indices), character.weights)
    left = igl.lbs_matrix(character.points, dense)
    skin = sk.SkinWeights(character.indices, character.weights, joints)
    weighted = character.weights.any(axis=1)
    matrices = skinning_matrices(character)
    expected = left @ matrices[:, :, :3].transpose(1, 3, 0, 2).reshape(4 * joints, -1)
    expected = expected.reshape(len(dense), -1, 3).swapaxes(0, 1)
    assert_close(sk.skin_points(character.points, skin, matrices)[:, weighted], expected[:, weighted])


@pytest.mark.parametrize("name", CLIPS)
def test_global_matrices_of_a_clip(name: str, data_dir: Path) -> None:
    clip = sk.load(data_dir / "bvh" / f"{name}.bvh")
    frames = np.linspace(0, clip.num_frames - 1, 10).astype(int)
    found = clip.global_matrices()[frames]
    for frame, pose in zip(frames, found, strict=True):
        local = sk.compose(clip.translations[frame], clip.rotations[frame])
        assert_close(pose, usd_arrays.global_matrices(clip.skeleton.parents, local))
