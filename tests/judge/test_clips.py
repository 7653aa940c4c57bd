# SPDX-License-Identifier: MIT
"""Clips are what their files say, and the judge's kinematics agree with what others say about them."""

from __future__ import annotations

import json
from pathlib import Path

import clips
import numpy as np
import pytest
import reference
from bvh_text import joints_of_bvh
from motion import legs_of, pose_matrices, rotation_of
from real_clips import CLIPS

import skelkin_py as sk


def test_quaternions_come_back_from_matrices() -> None:
    quaternions = np.random.default_rng(0).normal(size=(500, 4))
    turns = rotation_of(quaternions)
    np.testing.assert_allclose(rotation_of(clips.quaternions_of(turns)), turns, atol=1e-12)


def test_every_kind_of_clip_has_its_place(data_dir: Path) -> None:
    names = list(clips.all_cases(data_dir))
    assert sum(name.startswith("Knight") and not name.endswith("30/s") for name in names) == 76
    assert sum(name.startswith("Fox") for name in names) == 3
    assert sum(name.startswith("known") for name in names) == 79
    assert sum(name.startswith("random") for name in names) == clips.RANDOM_COUNT
    assert {"cmu_12_01_walk x 1.15", "kimodo_slow_walk", "adelaide_milad"} < set(names)


@pytest.mark.parametrize("name", ["rokoko_jesse_dance", "Knight Walking_B", "cmu_12_01_walk amass"])
def test_joints_are_where_the_reference_has_them(name: str, data_dir: Path) -> None:
    clip = clips.all_cases(data_dir)[name]().clip.slice(0, 20)
    _, at = pose_matrices(clip)
    known = reference.forward_kinematics(clip.skeleton, clip.local_matrices())[..., :3, 3]
    np.testing.assert_allclose(at, known, atol=1e-9 * np.abs(known).max())


@pytest.mark.parametrize("name", CLIPS)
def test_joints_of_a_file_are_where_its_text_has_them(name: str, data_dir: Path, tmp_path: Path) -> None:
    """Before, and after it was planted and written."""
    clip = sk.load(data_dir / f"{name}.bvh", root="replace").slice(0, 40)
    planted = clip.plant_feet().clip
    planted.save(tmp_path / "planted.bvh")
    for path, read in ((data_dir / f"{name}.bvh", clip), (tmp_path / "planted.bvh", planted)):
        names, at = joints_of_bvh(path, 40)
        _, known = pose_matrices(read)
        size = np.ptp(known[0], axis=0).max()
        assert names == [each for each in read.names if each in set(names)]
        np.testing.assert_allclose(at, known[:, [read.names.index(each) for each in names]], atol=1e-5 * size)


def test_generated_walk_has_the_joints_of_its_file(data_dir: Path) -> None:
    path = data_dir / "npz" / "kimodo_soma30_slow_walk.npz"
    _, at = pose_matrices(clips.kimodo_clip(path))
    np.testing.assert_allclose(at, np.load(path)["posed_joints"], atol=2e-4)


def test_amass_walk_has_the_joints_of_its_file(data_dir: Path) -> None:
    path = data_dir / "npz" / "cmu_12_01_walk_amass_layout"
    _, at = pose_matrices(clips.amass_clip(path))
    known = json.loads(path.with_suffix(".skeleton.json").read_text())["joint_positions_every_20th_frame"]
    np.testing.assert_allclose(at[::20], known, atol=0.02)


def test_an_action_that_ends_between_frames_ends_before(data_dir: Path) -> None:
    path = data_dir / "gltf" / "kaykit_Knight.glb"
    coarse, exact = clips.gltf_clip(path, "Walking_A"), clips.gltf_clip(path, "Walking_A", clips.EXACT)
    assert (coarse.num_frames, exact.num_frames) == (26, 33)
    np.testing.assert_allclose(coarse.positions()[20], exact.positions()[25], atol=1e-6)


def test_way_is_longer_and_hips_are_as_high(data_dir: Path) -> None:
    clip = sk.load(data_dir / "bvh" / "cmu_12_01_walk.bvh").slice(0, 50)
    far = clips.farther(clip)
    before, after = (legs_of(each, clip.find_legs())[0].hip for each in (clip, far))
    np.testing.assert_allclose(after[:, 1], before[:, 1], atol=1e-9)
    moved = (after - before)[-1] / (clip.translations[-1, 0] - clip.translations[0, 0])
    np.testing.assert_allclose(moved[[0, 2]], 0.15)
