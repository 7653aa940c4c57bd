# SPDX-License-Identifier: MIT
"""Writing BVH files: exact round trips, changes in some joints and frames, new channels, and nothing half-written."""

from __future__ import annotations

import os
from itertools import permutations
from pathlib import Path

import numpy as np
import pytest
from real_clips import PLAIN

import skelkin_py as sk
from skelkin_py.io.bvh.angles import channels_from_rotations


def words(path: Path) -> list[bytes]:
    return path.read_bytes().split()


def rows(path: Path) -> list[list[bytes]]:
    """The words of each frame's line."""
    lines = path.read_bytes().replace(b"\r", b"").split(b"\n")
    start = next(i for i, line in enumerate(lines) if line.lower().startswith(b"frame time"))
    return [line.split() for line in lines[start + 1 :] if line.strip()]


def chain_clip(frames: int = 5, seed: int = 0, joints: int = 4) -> sk.Clip:
    """A clip that comes from no file: a chain with random rotations."""
    rng = np.random.default_rng(seed)
    rest = np.tile(np.eye(4), (joints, 1, 1))
    rest[1:, :3, 3] = rng.uniform(-1, 1, (joints - 1, 3))
    skeleton = sk.Skeleton(
        range(-1, joints - 1), rest, [f"j{i}" for i in range(joints)], end_sites={joints - 1: [0, 1, 0]}
    )
    translations = np.array(np.broadcast_to(rest[:, :3, 3], (frames, joints, 3)))
    translations[:, 0] = rng.uniform(-2, 2, (frames, 3))
    return sk.Clip(skeleton, rng.normal(size=(frames, joints, 4)), translations, fps=60)


def same_rotations(a: np.ndarray, b: np.ndarray, degrees: float) -> None:
    """The angle between quaternions is below a bound, whatever their signs."""
    sine_half = np.minimum(np.linalg.norm(a - b, axis=-1), np.linalg.norm(a + b, axis=-1))
    assert sine_half.max() < np.radians(degrees)


@pytest.mark.slow
@pytest.mark.parametrize("name", PLAIN)
def test_a_clip_that_was_not_changed_gives_the_same_file(data_dir: Path, tmp_path: Path, name: str) -> None:
    path, copy = data_dir / "bvh" / f"{name}.bvh", tmp_path / "copy.bvh"
    clip = sk.load(path)
    clip.save(copy)
    assert words(copy) == words(path)
    assert (b"\r\n" in copy.read_bytes()) == (b"\r\n" in path.read_bytes())
    assert sk.load(copy) == clip


@pytest.mark.slow
@pytest.mark.parametrize("name", PLAIN)
def test_only_changed_joints_and_frames_get_new_numbers(data_dir: Path, tmp_path: Path, name: str) -> None:
    path, copy = data_dir / "bvh" / f"{name}.bvh", tmp_path / "copy.bvh"
    clip = sk.load(path)
    first, last = clip.num_frames // 3, clip.num_frames // 2
    joint = clip.find_legs()[0].knee
    rotations = np.array(clip.rotations)
    turn = sk.quaternion_from_axis_angle([1.0, 2.0, 3.0], 0.3)
    rotations[first:last, joint] = sk.quaternion_multiply(rotations[first:last, joint], turn)
    changed = clip.replace(rotations=rotations)
    changed.save(copy)
    old, new = rows(path), rows(copy)
    column = 3 + 3 * joint  # six channels on the root, three on every other joint
    for frame, (before, after) in enumerate(zip(old, new, strict=True)):
        inside = first <= frame < last
        assert (before[column : column + 3] != after[column : column + 3]) == inside
        assert before[:column] == after[:column]
        assert before[column + 3 :] == after[column + 3 :]
    again = sk.load(copy)
    same_rotations(again.rotations[:, joint], changed.rotations[:, joint], 2e-6)
    # Angles run on from frame to frame wherever the rotations do.
    angles = np.array([[float(word) for word in row[column : column + 3]] for row in new[first - 1 : last]])
    steps = 2 * np.arccos(
        np.minimum(1, np.abs((rotations[first:last] * rotations[first - 1 : last - 1])[:, joint].sum(-1)))
    )
    near_lock = np.abs(np.cos(np.radians(angles[1:, 1]))) < 0.2
    jumps = np.abs(np.diff(angles, axis=0)).max(axis=1)[1:]
    assert (jumps < np.degrees(steps[1:]) * 6 + 1e-3)[~near_lock[1:]].all()


def test_saving_twice_changes_nothing_more(data_dir: Path, tmp_path: Path) -> None:
    clip = sk.load(data_dir / "bvh" / "cmu_12_01_walk.bvh")
    rotations = np.array(clip.rotations)
    rotations[:, 3] = sk.quaternion_multiply(rotations[:, 3], [1.0, 0.1, 0.0, 0.0])
    clip.replace(rotations=rotations).save(tmp_path / "a.bvh")
    sk.load(tmp_path / "a.bvh").save(tmp_path / "b.bvh")
    assert (tmp_path / "a.bvh").read_bytes() == (tmp_path / "b.bvh").read_bytes()


def test_a_slice_keeps_its_lines(data_dir: Path, tmp_path: Path) -> None:
    path = data_dir / "bvh" / "optitrack_louise.bvh"
    part = sk.load(path).slice(100, 160).slice(10, -20)
    part.save(tmp_path / "part.bvh")
    assert rows(tmp_path / "part.bvh") == rows(path)[110:140]
    assert sk.load(tmp_path / "part.bvh") == part
    moved = part.replace(translations=part.translations + np.eye(18)[0][:, None] * [0, 1, 0])
    moved.save(tmp_path / "part.bvh")
    assert [row[3:] for row in rows(tmp_path / "part.bvh")] == [row[3:] for row in rows(path)[110:140]]
    np.testing.assert_allclose(sk.load(tmp_path / "part.bvh").translations, moved.translations, atol=1e-6)


@pytest.fixture
def load_text(tmp_path: Path):
    def load(text: str | bytes, name: str = "clip.bvh") -> sk.Clip:
        path = tmp_path / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode("utf-8"))
        return sk.load(path)

    return load


def bvh(channels: str, motion: str, frames: int = 2) -> str:
    return (
        f"HIERARCHY\nROOT hips\n{{\n\tOFFSET 1 2 3\n\tCHANNELS {channels}\n\tJOINT head\n\t{{\n\t\tOFFSET 0 1 0\n"
        "\t\tCHANNELS 1 Xrotation\n\t\tEnd Site\n\t\t{\n\t\t\tOFFSET 0 5 0\n\t\t}\n\t}\n}\n"
        f"MOTION\nFrames: {frames}\nFrame Time: .0416667\n{motion}"
    )


@pytest.mark.parametrize("axes", list(permutations("XYZ")))
def test_channel_orders_are_kept(load_text, tmp_path: Path, axes: tuple[str, ...]) -> None:
    channels = "3 " + " ".join(f"{axis}rotation" for axis in axes)
    clip = load_text(bvh(channels, "10 20 30 40\n11 21 31 41\n"))
    rotations = np.array(clip.rotations)
    rotations[1, 0] = sk.quaternion_multiply(rotations[1, 0], sk.quaternion_from_axis_angle([0, 1, 0], 1.0))
    clip.replace(rotations=rotations).save(tmp_path / "new.bvh")
    text = (tmp_path / "new.bvh").read_text()
    assert channels in text
    assert "Frame Time: .0416667\n10 20 30 40\n" in text
    assert text.endswith(" 41\n")
    same_rotations(sk.load(tmp_path / "new.bvh").rotations, rotations, 2e-6)


def test_positions_between_rotations_are_written_in_place(load_text, tmp_path: Path) -> None:
    clip = load_text(bvh("5 Xrotation Yposition Zrotation Xposition Yrotation", "10 2 30 4 50 60\n10 2 30 4 50 60\n"))
    rotations = np.array(clip.rotations)
    rotations[1, 0] = sk.quaternion_from_axis_angle([0, 0, 1], 0.5)
    translations = np.array(clip.translations)
    translations[0, 0, 1] = 7
    changed = clip.replace(rotations=rotations, translations=translations)
    changed.save(tmp_path / "new.bvh")
    first, second = rows(tmp_path / "new.bvh")
    assert [float(word) for word in first] == [10, 7, 30, 4, 50, 60]
    assert second[1::2] == [b"2", b"4", b"60"]
    again = sk.load(tmp_path / "new.bvh")
    same_rotations(again.rotations, rotations, 2e-6)
    np.testing.assert_allclose(again.translations, translations, atol=1e-6)


def test_channels_are_added_where_a_change_cannot_be_said_without(load_text, tmp_path: Path) -> None:
    clip = load_text(bvh("2 Xposition Zrotation", "1 10 60\r\n1 10 60\r\n").replace("}\n", "}\r\n"))
    rotations = np.array(clip.rotations)
    rotations[1, 1] = sk.quaternion_from_axis_angle([1, 2, 3], 0.5)
    translations = np.array(clip.translations)
    translations[1] += [[0, 0.5, 0], [0.25, 0, 0]]
    changed = clip.replace(rotations=rotations, translations=translations)
    changed.save(tmp_path / "new.bvh")
    again = sk.load(tmp_path / "new.bvh")
    same_rotations(again.rotations, rotations, 2e-6)
    np.testing.assert_allclose(again.translations, translations, atol=1e-6)
    first, _ = rows(tmp_path / "new.bvh")
    assert first[:2] == [b"1", b"10"]
    assert again.skeleton == clip.skeleton
    text = (tmp_path / "new.bvh").read_text()
    assert "CHANNELS 3 Xposition Zrotation Yposition" in text
    assert "CHANNELS 4 Xrotation Zrotation Yrotation Xposition" in text


def test_a_joint_without_channels_can_be_turned(load_text, tmp_path: Path) -> None:
    text = bvh("3 Zrotation Xrotation Yrotation", "1 2 3\n4 5 6\n").replace("\t\tCHANNELS 1 Xrotation\n", "")
    clip = load_text(text)
    rotations = np.array(clip.rotations)
    rotations[:, 1] = sk.quaternion_from_axis_angle([1, 2, 3], [0.5, 0.6])
    clip.replace(rotations=rotations).save(tmp_path / "new.bvh")
    again = sk.load(tmp_path / "new.bvh")
    same_rotations(again.rotations, rotations, 2e-6)
    assert [row[:3] for row in rows(tmp_path / "new.bvh")] == [[b"1", b"2", b"3"], [b"4", b"5", b"6"]]
    text = bvh("0", "1\n4\n")  # and the first joint of a file, whose lines begin with another's values
    other = load_text(text)
    rotations = np.array(other.rotations)
    rotations[:, 0] = sk.quaternion_from_axis_angle([1, 2, 3], [0.5, 0.6])
    other.replace(rotations=rotations).save(tmp_path / "new.bvh")
    same_rotations(sk.load(tmp_path / "new.bvh").rotations, rotations, 2e-6)


def test_a_repeated_name_is_written_as_it_was(load_text, tmp_path: Path) -> None:
    text = bvh("3 Zrotation Xrotation Yrotation", "1 2 3 4\n4 5 6 7\n").replace("head", "hips")
    clip = load_text(text)
    assert clip.names == ("hips", "hips.001")
    clip.save(tmp_path / "new.bvh")
    assert (tmp_path / "new.bvh").read_text() == text


@pytest.mark.parametrize("name", ["左足", "Füße", "Bip001 L Thigh", "ساق"])
def test_names_in_any_script_are_kept(load_text, tmp_path: Path, name: str) -> None:
    clip = load_text(bvh("3 Zrotation Xrotation Yrotation", "1 2 3 4\n4 5 6 7\n").replace("head", name))
    clip.save(tmp_path / "a.bvh")
    sk.Clip(clip.skeleton, clip.rotations, clip.translations, fps=clip.fps).save(tmp_path / "b.bvh")
    assert sk.load(tmp_path / "a.bvh").names == sk.load(tmp_path / "b.bvh").names == ("hips", name)


def test_latin_1_stays_latin_1(load_text, tmp_path: Path) -> None:
    data = bvh("1 Zrotation", "1 4\n4 7\n").replace("head", "Füße").encode("latin-1")
    clip = load_text(data)
    clip.save(tmp_path / "new.bvh")
    assert (tmp_path / "new.bvh").read_bytes() == data
    rotations = np.array(clip.rotations)
    rotations[:, 0] = sk.quaternion_from_axis_angle([1, 2, 3], 0.5)  # needs new channels, so a new hierarchy
    clip.replace(rotations=rotations).save(tmp_path / "new.bvh")
    assert "Füße".encode("latin-1") in (tmp_path / "new.bvh").read_bytes()
    assert sk.load(tmp_path / "new.bvh").names == clip.names


@pytest.mark.parametrize("seed", range(5))
def test_a_clip_from_no_file_is_written_with_default_channels(tmp_path: Path, seed: int) -> None:
    clip = chain_clip(seed=seed)
    clip.save(tmp_path / "new.bvh")
    text = (tmp_path / "new.bvh").read_text()
    assert "CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\n" in text
    assert text.count("CHANNELS 3 Zrotation Xrotation Yrotation\n") == 3
    again = sk.load(tmp_path / "new.bvh")
    assert again.names == clip.names
    assert again.skeleton == clip.skeleton
    assert again.fps == clip.fps
    assert again.skeleton.end_sites[3].tolist() == [0, 1, 0]
    same_rotations(again.rotations, clip.rotations, 2e-6)
    np.testing.assert_allclose(again.translations, clip.translations, atol=1e-6)


def test_bones_that_change_length_get_positions(tmp_path: Path) -> None:
    clip = chain_clip()
    translations = clip.translations * np.linspace(1, 1.1, 5)[:, None, None]
    stretched = clip.replace(translations=translations)
    stretched.save(tmp_path / "new.bvh")
    np.testing.assert_allclose(sk.load(tmp_path / "new.bvh").translations, translations, atol=1e-6)


def test_joints_are_written_depth_first(tmp_path: Path) -> None:
    rest = np.tile(np.eye(4), (6, 1, 1))
    rest[:, 0, 3] = range(6)
    skeleton = sk.Skeleton([-1, 0, 0, 1, -1, 2], rest, list("abcdef"), end_sites={5: [0, 0, 1]})
    clip = sk.Clip(skeleton, np.random.default_rng(0).normal(size=(3, 6, 4)), fps=24)
    clip.save(tmp_path / "new.bvh")
    again = sk.load(tmp_path / "new.bvh")
    assert again.names == tuple("abdcfe")
    assert again.skeleton.parents.tolist() == [-1, 0, 1, 0, 3, -1]
    order = [clip.names.index(name) for name in again.names]
    np.testing.assert_allclose(again.positions(), clip.positions()[:, order], atol=1e-6)


@pytest.mark.parametrize("scale", [1e-4, 1.0, 1e4])
def test_no_unit_is_assumed(tmp_path: Path, scale: float) -> None:
    clip = chain_clip()
    rest = np.array(clip.skeleton.rest_local)
    rest[:, :3, 3] *= scale
    skeleton = sk.Skeleton(clip.skeleton.parents, rest, clip.names)
    scaled = sk.Clip(skeleton, clip.rotations, clip.translations * scale, fps=60)
    scaled.save(tmp_path / "new.bvh")
    np.testing.assert_allclose(sk.load(tmp_path / "new.bvh").positions(), clip.positions() * scale, atol=2e-7 * scale)


@pytest.mark.parametrize("value", [0.0, -0.0, 1e-9, -1e-9, 0.5, -0.4999999, 999999.5, 1e12, -1e17, 123.456])
def test_numbers_of_every_size(tmp_path: Path, value: float) -> None:
    skeleton = sk.Skeleton([-1], np.eye(4)[None], ["a"])
    clip = sk.Clip(skeleton, [[[1, 0, 0, 0]]], [[[value, 1, 0]]], fps=1)
    clip.save(tmp_path / "new.bvh")
    again = sk.load(tmp_path / "new.bvh").translations[0, 0, 0]
    assert again == pytest.approx(value, rel=1e-8, abs=1e-6)
    assert b"-0.000000 " not in (tmp_path / "new.bvh").read_bytes().split(b"MOTION")[1]


def test_angles_run_on_over_full_turns_and_across_the_poles() -> None:
    turns = np.linspace(0, 4 * np.pi, 200)
    for axes in permutations(range(3)):
        order = "".join("XYZ"[axis] for axis in reversed(axes))
        for moving in range(3):
            angles = np.full((200, 3), 0.3)
            angles[:, axes[moving]] += turns
            rotations = sk.quaternion_from_euler(angles, order)
            found = channels_from_rotations(rotations, axes)
            np.testing.assert_allclose(np.abs(np.diff(found, axis=0)).max(), np.degrees(turns[1]), rtol=1e-6)
            back = np.zeros((200, 3))
            back[:, list(axes)] = np.radians(found)
            same_rotations(sk.quaternion_from_euler(back, order), rotations, 1e-9)


def test_angles_start_at_the_known_ones() -> None:
    known = np.tile([370.0, 100.0, -190.0], (6, 1))  # a turn too far, and beyond the pole
    angles = np.zeros((6, 3))
    angles[:, [2, 0, 1]] = np.radians(known)
    rotations = sk.quaternion_from_euler(angles, "YXZ")
    changed = np.array([False, False, True, True, False, True])
    np.testing.assert_allclose(channels_from_rotations(rotations, (2, 0, 1), changed, known), known, atol=1e-9)


def test_scales_cannot_be_written(tmp_path: Path) -> None:
    clip = chain_clip()
    ones = np.ones((5, 4, 3))
    clip.replace(scales=ones).save(tmp_path / "new.bvh")
    ones[2, 1] = 1, 2, 1
    target = tmp_path / "none.bvh"
    with pytest.raises(
        ValueError, match=r"scales\[2, 1\] is \[1\.0, 2\.0, 1\.0\]: a BVH file can only hold 1 \('j1'\)"
    ):
        clip.replace(scales=ones).save(target)
    assert not target.exists()


@pytest.mark.parametrize("name", ["", "a{b", "a}", "a\nb", " a", "a\t"])
def test_names_that_would_break_the_file_are_refused(tmp_path: Path, name: str) -> None:
    skeleton = sk.Skeleton([-1, 0], np.tile(np.eye(4), (2, 1, 1)), ["root", name])
    with pytest.raises(ValueError, match=r"names\[1\] is"):
        sk.Clip(skeleton, np.tile([1, 0, 0, 0], (1, 2, 1)), fps=30).save(tmp_path / "new.bvh")
    assert list(tmp_path.iterdir()) == []


def test_the_target_is_replaced_in_one_step(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "clip.bvh"
    target.write_text("old")

    def fail(*_: object) -> None:
        raise OSError("disk full")

    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises(OSError, match="disk full"):
        chain_clip().save(target)
    assert target.read_text() == "old"
    assert list(tmp_path.iterdir()) == [target]


@pytest.mark.posix
def test_permissions_and_links_are_kept(tmp_path: Path) -> None:
    target, link = tmp_path / "clip.bvh", tmp_path / "link.bvh"
    target.write_text("old")
    target.chmod(0o640)
    link.symlink_to(target)
    chain_clip().save(link)
    assert link.is_symlink()
    assert sk.load(target).num_frames == 5
    assert target.stat().st_mode & 0o777 == 0o640
    mask = os.umask(0o027)
    try:
        chain_clip().save(tmp_path / "new.bvh")
    finally:
        os.umask(mask)
    assert (tmp_path / "new.bvh").stat().st_mode & 0o777 == 0o640


def test_wrong_targets_are_named(tmp_path: Path) -> None:
    clip = chain_clip()
    with pytest.raises(ValueError, match=r"must end in \.bvh"):
        clip.save(tmp_path / "clip.fbx")
    with pytest.raises(FileNotFoundError, match="there is no folder"):
        clip.save(tmp_path / "none" / "clip.bvh")
    (tmp_path / "folder.bvh").mkdir()
    with pytest.raises(IsADirectoryError, match="is a folder"):
        clip.save(tmp_path / "folder.bvh")
