# SPDX-License-Identifier: MIT
"""AMASS files: poses of the SMPL family read onto a body, planted, and written back with only what changed."""

from __future__ import annotations

import json
import pickle
import random
import tracemalloc
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from npz_arrays import read_npz

import skelkin_py as sk
from skelkin_py.cli import main


@pytest.fixture
def walk(data_dir: Path) -> Path:
    return data_dir / "npz" / "cmu_12_01_walk_amass_layout.npz"


@pytest.fixture
def told(walk: Path) -> dict[str, Any]:
    """The body that the walk was made with, and where its joints are in some frames."""
    return json.loads(walk.with_suffix(".skeleton.json").read_text())


@pytest.fixture
def body(told: dict[str, Any]) -> sk.Skeleton:
    rest = np.tile(np.eye(4), (22, 1, 1))
    rest[:, :3, 3] = told["rest_offsets"]
    return sk.Skeleton(told["parents"], rest, told["joint_names"])


def rotated(vectors: np.ndarray) -> np.ndarray:
    """Return matrices of rotation vectors by Rodrigues' formula, one after the other."""
    out = []
    for x, y, z in vectors.reshape(-1, 3):
        cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
        angle = np.sqrt(x * x + y * y + z * z)
        first, second = (1.0, 0.5) if angle == 0 else (np.sin(angle) / angle, (1 - np.cos(angle)) / angle**2)
        out.append(np.eye(3) + first * cross + second * cross @ cross)
    return np.array(out)


def test_a_walk_is_where_its_makers_say(walk: Path, told: dict[str, Any], body: sk.Skeleton) -> None:
    clip = sk.load(walk, skeleton=body)
    places = np.array(told["joint_positions_every_20th_frame"])
    joints = [clip.skeleton.index(name) for name in told["joint_names"]]
    head = told["joint_names"].index("head")
    off = np.abs(clip.positions()[::20][: len(places), joints] - places)
    assert np.delete(off, head, axis=1).max() < 2e-5
    assert off[:, head].max() < 0.016  # one joint of the neck is left out in the file
    assert clip.facts[:6] == ("AMASS (SMPL-H)", None, "+Z", 1.0, 120.0, "file")
    assert "that was given" in clip.facts.notes[0]
    assert "average body" in clip.facts.notes[1]


@pytest.mark.parametrize("count", [22, 24, 52, 55])
def test_poses_turn_joints_as_rotation_vectors_say(count: int, tmp_path: Path) -> None:
    rng = np.random.default_rng(count)
    poses = rng.normal(size=(3, count * 3))
    poses[0] = 0.0
    np.savez(tmp_path / "a.npz", poses=poses, trans=rng.normal(size=(3, 3)), mocap_frame_rate=60)
    clip = sk.load(tmp_path / "a.npz")
    assert (clip.skeleton.num_joints, clip.fps) == (count, 60.0)
    found = np.asarray(sk.quaternion_to_matrix(clip.rotations[1]))
    np.testing.assert_allclose(found, rotated(poses[1]), atol=1e-12)
    places = clip.skeleton.rest_global[:, :3, 3]
    left = [k for k, name in enumerate(clip.names) if name.startswith("left_")]
    right = [clip.names.index(clip.names[k].replace("left_", "right_")) for k in left]
    np.testing.assert_allclose(places[left], places[right] * [-1, 1, 1], atol=1e-12)
    assert [leg.side for leg in clip.find_legs()] == ["left", "right"]


def test_parts_of_poses_are_put_together(tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    parts = {"root_orient": 3, "pose_body": 63, "pose_hand": 90, "pose_jaw": 3, "pose_eye": 6}
    arrays = {key: rng.normal(size=(2, size)).astype(np.float32) for key, size in parts.items()}
    np.savez(tmp_path / "parts.npz", trans=np.zeros((2, 3)), **arrays)
    order = ("root_orient", "pose_body", "pose_jaw", "pose_eye", "pose_hand")
    np.savez(tmp_path / "whole.npz", trans=np.zeros((2, 3)), poses=np.concatenate([arrays[k] for k in order], axis=1))
    assert sk.load(tmp_path / "parts.npz") == sk.load(tmp_path / "whole.npz")
    of_smpl = {"global_orient": arrays["root_orient"], "body_pose": arrays["pose_body"], "transl": np.ones((2, 3))}
    np.savez(tmp_path / "smpl.npz", **of_smpl)
    clip = sk.load(tmp_path / "smpl.npz", fps=25)
    assert (clip.skeleton.num_joints, clip.fps, clip.facts.fps_source) == (22, 25.0, "given")
    assert clip.translations[0, 0].tolist() == [1, 1, 1]


def test_the_rest_of_the_file_stays_bit_for_bit(walk: Path, body: sk.Skeleton, tmp_path: Path) -> None:
    clip = sk.load(walk, skeleton=body)
    planted = clip.plant_feet()
    planted.save(tmp_path / "planted.npz")
    old, new = read_npz(walk), read_npz(tmp_path / "planted.npz")
    assert list(new) == list(old)
    legs = {joint for leg in clip.find_legs() for joint in (*leg.chain, leg.toe)}
    for key in old:
        assert (new[key].dtype, new[key].shape) == (old[key].dtype, old[key].shape)
        if key not in ("poses", "trans"):
            np.testing.assert_array_equal(new[key], old[key])
    differs = (new["poses"] != old["poses"]).reshape(len(new["poses"]), 52, 3).any(axis=(0, 2))
    assert set(np.flatnonzero(differs).tolist()) <= legs
    assert differs.any()
    again = sk.load(tmp_path / "planted.npz", skeleton=body)
    np.testing.assert_allclose(again.positions(), planted.clip.positions(), atol=1e-9)
    with zipfile.ZipFile(walk) as a, zipfile.ZipFile(tmp_path / "planted.npz") as b:
        assert [each.compress_type for each in a.infolist()] == [each.compress_type for each in b.infolist()]


def test_parts_that_say_the_same_again_are_kept_in_step(tmp_path: Path) -> None:
    rng = np.random.default_rng(2)
    poses = rng.normal(size=(4, 156))
    arrays = {"poses": poses, "root_orient": poses[:, :3], "pose_body": poses[:, 3:66], "pose_hand": poses[:, 66:]}
    np.savez(tmp_path / "a.npz", trans=np.zeros((4, 3)), **arrays)
    clip = sk.load(tmp_path / "a.npz")
    turned = clip.rotations.copy()
    turned[2, 4] = sk.quaternion_multiply(turned[2, 4], [0.9, 0.1, 0.3, 0.0])
    clip.replace(rotations=turned).save(tmp_path / "b.npz")
    new = read_npz(tmp_path / "b.npz")
    np.testing.assert_array_equal(new["pose_body"], new["poses"][:, 3:66])
    changed = np.argwhere((new["poses"] != poses).reshape(4, 52, 3).any(axis=2))
    assert changed.tolist() == [[2, 4]]


def test_vectors_beyond_a_half_turn_stay_beside_what_they_were(tmp_path: Path) -> None:
    poses = np.zeros((5, 66))
    poses[:, 12] = np.linspace(3.0, 5.0, 5)  # radians about X: the same turns have shorter vectors too
    np.savez(tmp_path / "a.npz", poses=poses, trans=np.zeros((5, 3)))
    clip = sk.load(tmp_path / "a.npz")
    turn = [np.cos(0.01), np.sin(0.01), 0, 0]
    turned = clip.rotations.copy()
    turned[:, 4] = sk.quaternion_multiply(turned[:, 4], turn)
    clip.replace(rotations=turned).save(tmp_path / "b.npz")
    np.testing.assert_allclose(read_npz(tmp_path / "b.npz")["poses"][:, 12], poses[:, 12] + 0.02, atol=1e-9)


def test_some_frames_are_written_alone(walk: Path, tmp_path: Path) -> None:
    clip = sk.load(walk)[100:160]
    clip.save(tmp_path / "part.npz")
    old, new = read_npz(walk), read_npz(tmp_path / "part.npz")
    for key in ("poses", "trans", "dmpls"):
        np.testing.assert_array_equal(new[key], old[key][100:160])
    np.testing.assert_array_equal(new["betas"], old["betas"])
    assert sk.load(tmp_path / "part.npz") == clip


def test_what_has_no_place_in_such_a_file_is_refused(walk: Path, tmp_path: Path) -> None:
    clip = sk.load(walk)
    moved = clip.translations.copy()
    moved[7, 4] += 0.1
    with pytest.raises(ValueError, match=r"translations\[7, 4\] has changed \('left_knee'\)"):
        clip.replace(translations=moved).save(tmp_path / "a.npz")
    with pytest.raises(ValueError, match=r"was not read from an \.npz file"):
        sk.example("biped").clip.save(tmp_path / "a.npz")
    with pytest.raises(ValueError, match="has scales"):
        clip.replace(scales=np.full(clip.translations.shape, 2.0)).save(tmp_path / "a.npz")
    assert list(tmp_path.iterdir()) == []


def test_clips_of_amass_are_pickled_with_their_file(walk: Path, tmp_path: Path) -> None:
    again = pickle.loads(pickle.dumps(sk.load(walk)))
    again.save(tmp_path / "a.npz")
    np.testing.assert_array_equal(read_npz(tmp_path / "a.npz")["poses"], read_npz(walk)["poses"])


def test_from_the_shell_they_are_planted_shown_and_converted(walk: Path, tmp_path: Path, capsys) -> None:
    out = tmp_path / "planted.npz"
    assert main(["plant", str(walk), "-o", str(out)]) == 0
    assert main(["info", str(out)]) == 0
    printed = capsys.readouterr().out
    assert "format  AMASS (SMPL-H), +Z is up, 1 unit is 1 m" in printed
    assert "Drillis" in printed
    assert main(["convert", str(walk), str(tmp_path / "walk.bvh")]) == 0
    clip = sk.load(walk)
    again = sk.load(tmp_path / "walk.bvh")
    order = [again.skeleton.index(name) for name in clip.names]
    np.testing.assert_allclose(again.positions()[:, order], clip.positions(), atol=1e-5)
    assert main(["convert", str(tmp_path / "walk.bvh"), str(tmp_path / "other.npz")]) == 1
    assert "was not read from an .npz file" in capsys.readouterr().err


def test_bodies_that_do_not_fit_are_named(walk: Path, body: sk.Skeleton) -> None:
    with pytest.raises(ValueError, match=r"skeleton has 22 joints, and no 'pelvis'"):
        sk.load(walk, skeleton=sk.example("biped").clip)
    with pytest.raises(TypeError, match="skeleton is a list"):
        sk.load(walk, skeleton=["body"])
    with pytest.raises(ValueError, match="it is for array files, not for BVH"):
        sk.load("walk.bvh", skeleton=body)


GOOD = {"poses": np.zeros((4, 156)), "trans": np.zeros((4, 3)), "mocap_framerate": np.array(120.0)}


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"poses": np.zeros((4, 157))}, "poses has 157 values a frame"),
        ({"poses": np.zeros((4, 30))}, "poses of 10 joints"),
        ({"poses": np.zeros((0, 156)), "trans": np.zeros((0, 3))}, "poses has no frames"),
        ({"poses": np.zeros(156)}, "poses has -1 values a frame|a frame"),
        ({"trans": np.zeros((5, 3))}, r"trans has the shape \(5, 3\)"),
        ({"poses": np.full((4, 156), np.nan)}, "poses of joint 0 in frame 0 is"),
        ({"poses": np.full((4, 156), 1e40)}, "poses of joint 0 in frame 0 is"),
        ({"mocap_framerate": np.array(0.0)}, "mocap_framerate is 0.0"),
        ({"mocap_framerate": np.array([1.0, 2.0])}, "mocap_framerate is"),
        ({"poses": np.array([{"a": 1}], object)}, "poses"),
        ({"poses": np.array(["a", "b"])}, "poses"),
    ],
    ids=str,
)
def test_what_is_broken_is_named(change: dict[str, Any], words: str, tmp_path: Path) -> None:
    path = tmp_path / "broken.npz"
    np.savez(path, **{**GOOD, **change})
    with pytest.raises(sk.FormatError, match=words):
        sk.load(path)


def test_other_arrays_are_no_motion(tmp_path: Path) -> None:
    np.savez(tmp_path / "rig.npz", parents=[-1, 0], names=["a", "b"])
    with pytest.raises(
        sk.FormatError,
        match="has neither poses of the SMPL family nor positions of joints, its arrays are names, parents",
    ):
        sk.load(tmp_path / "rig.npz")
    (tmp_path / "none.npz").write_bytes(b"\x80\x04\x95 a pickle")
    with pytest.raises(sk.FormatError, match=r"not a complete \.npz file"):
        sk.load(tmp_path / "none.npz")


@pytest.mark.slow
def test_a_bomb_is_not_unpacked(tmp_path: Path) -> None:
    path = tmp_path / "bomb.npz"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as packed, packed.open("poses.npy", "w") as member:
        head = np.lib.format
        head.write_array_header_1_0(member, {"descr": "<f8", "fortran_order": False, "shape": (10**6, 156)})
        for _ in range(1248):
            member.write(bytes(10**6))
    tracemalloc.start()
    try:
        with pytest.raises(sk.FormatError, match="max_bytes"):
            sk.load(path)
        assert tracemalloc.get_traced_memory()[1] < 200e6
    finally:
        tracemalloc.stop()


@pytest.mark.slow
def test_damaged_files_are_read_or_refused_and_nothing_else(tmp_path: Path) -> None:
    rng = random.Random(22)
    path = tmp_path / "good.npz"
    np.savez(path, poses=np.ones((2, 66)), trans=np.zeros((2, 3)), mocap_framerate=120.0, gender="neutral")
    data = path.read_bytes()
    outcomes = {"read": 0, "refused": 0}
    path = tmp_path / "damaged.npz"
    for _ in range(2000):
        at, size = rng.randrange(len(data)), rng.randrange(1, 40)
        kind = rng.randrange(4)
        changed = {
            0: data[:at] + bytes([data[at] ^ (1 << rng.randrange(8))]) + data[at + 1 :],
            1: data[:at] + data[at + size :],
            2: data[:at] + rng.randbytes(size) + data[at:],
            3: data[:at],
        }[kind]
        path.write_bytes(changed)
        try:
            sk.load(path)
            outcomes["read"] += 1
        except sk.FormatError:
            outcomes["refused"] += 1
    assert outcomes["refused"] > 1000
    assert outcomes["read"] > 20


@pytest.mark.slow
def test_a_folder_as_it_is_downloaded_is_planted_and_files_without_motion_are_left_alone(tmp_path, capsys) -> None:
    folder = tmp_path / "ACCAD" / "s001"
    folder.mkdir(parents=True)
    np.savez(folder / "walk_poses.npz", **GOOD)
    np.savez(folder / "shape.npz", gender="male", betas=np.zeros(16))
    np.savez(
        folder / "neutral_stagei.npz", gender="neutral", betas=np.zeros(16), latent_labels=np.array(["C7", "CLAV"])
    )
    np.savez_compressed(folder / "objects.npz", gender=np.array({"any": "object"}, dtype=object))
    for command in (["plant", "-o", str(tmp_path / "out")], ["info"]):
        for named in (tmp_path / "ACCAD", folder / "*.npz", tmp_path / "ACCAD" / "**" / "*.npz"):
            assert main([command[0], str(named), *command[1:]]) == 0
            said = capsys.readouterr()
            assert said.err == ""
            assert "walk_poses.npz" in said.out
            assert "shape" not in said.out
    (folder / "broken.npz").write_bytes((folder / "walk_poses.npz").read_bytes()[:300])
    assert main(["info", str(folder)]) == 1
    assert "broken.npz: not a complete .npz file" in capsys.readouterr().err
    assert main(["info", str(folder / "shape.npz")]) == 1
    assert "has neither poses of the SMPL family nor positions of joints" in capsys.readouterr().err
