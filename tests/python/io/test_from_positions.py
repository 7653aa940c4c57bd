# SPDX-License-Identifier: MIT
"""Clips made of positions: they are there again, planted too, and what positions do not tell is said."""

from __future__ import annotations

import copy
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, strategies as st

import skelkin_py as sk

# The 22 joints of text-to-motion, in the order in which data sets of it have them.
PARENTS = [-1, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 9, 9, 12, 13, 14, 16, 17, 18, 19]
NAMES = [
    "pelvis", "left_hip", "right_hip", "spine1", "left_knee", "right_knee", "spine2", "left_ankle", "right_ankle",
    "spine3", "left_foot", "right_foot", "neck", "left_collar", "right_collar", "head", "left_shoulder",
    "right_shoulder", "left_elbow", "right_elbow", "left_wrist", "right_wrist",
]  # fmt: skip
OF_CMU = [
    "Hips", "LeftUpLeg", "RightUpLeg", "LowerBack", "LeftLeg", "RightLeg", "Spine", "LeftFoot", "RightFoot", "Spine1",
    "LeftToeBase", "RightToeBase", "Neck1", "LeftShoulder", "RightShoulder", "Head", "LeftArm", "RightArm",
    "LeftForeArm", "RightForeArm", "LeftHand", "RightHand",
]  # fmt: skip


@pytest.fixture
def walk(data_dir: Path) -> np.ndarray:
    """A captured walk as (F, 22, 3) positions in metres, at 30 frames per second."""
    clip = sk.load(data_dir / "bvh" / "cmu_12_01_walk.bvh")
    joints = [clip.skeleton.index(name) for name in OF_CMU]
    return 0.056444 * clip.positions()[::4, joints]


def test_positions_come_out_as_they_were_given(walk: np.ndarray) -> None:
    clip = sk.Clip.from_positions(walk, PARENTS, NAMES, fps=30)
    np.testing.assert_allclose(clip.positions(), walk, atol=1e-9)
    assert clip.names == tuple(NAMES)


def test_a_captured_walk_is_planted_and_its_positions_come_back(walk: np.ndarray) -> None:
    clip = sk.Clip.from_positions(walk, PARENTS, NAMES, fps=30)
    assert [leg.side for leg in clip.find_legs()] == ["left", "right"]
    planted = clip.plant_feet(metres_per_unit=1.0)
    before, after = planted.report.slide("before")[0], planted.report.slide("after")[0]
    assert len(planted.report.contacts) >= 6
    assert after < 1e-6 < before
    changed = planted.clip.positions()
    above = [NAMES.index(name) for name in ("left_shoulder", "right_shoulder", "head")]
    assert np.abs(changed[:, above] - walk[:, above]).max() < 0.05
    assert np.abs(np.diff(changed, n=2, axis=0)).max() < 1.5 * np.abs(np.diff(walk, n=2, axis=0)).max()


def test_a_body_that_is_turned_as_a_whole_has_its_rotations_turned(walk: np.ndarray) -> None:
    turn = np.sqrt(0.5) * np.array([1.0, 1.0, 0.0, 0.0])  # from Y up to Z up
    clip = sk.Clip.from_positions(walk, PARENTS, NAMES, fps=30)
    other = sk.Clip.from_positions(sk.quaternion_rotate(turn, walk), PARENTS, NAMES, fps=30)
    back = turn * [1, -1, -1, -1]
    wanted = sk.quaternion_multiply(sk.quaternion_multiply(turn, clip.rotations), back)
    np.testing.assert_allclose(np.abs(np.einsum("fji,fji->fj", wanted, other.rotations)), 1.0, atol=1e-9)


def test_rotations_that_positions_tell_are_found_again() -> None:
    """A joint with three children that are not in line: its rotation is in the positions, whatever it is."""
    rng = np.random.default_rng(5)
    rest = np.tile(np.eye(4), (4, 1, 1))
    rest[1:, :3, 3] = rng.normal(size=(3, 3))
    turns = rng.normal(size=(20, 4, 4))
    turns[0] = 1, 0, 0, 0
    clip = sk.Clip(sk.Skeleton([-1, 0, 0, 0], rest), turns, fps=30)
    found = sk.Clip.from_positions(clip.positions(), [-1, 0, 0, 0], fps=30)
    # How the rest pose lies is open: all rotations differ from those of the clip by one and the same.
    back = clip.rotations[:, 0] * [1, -1, -1, -1]
    apart = sk.quaternion_multiply(back, found.rotations[:, 0])
    np.testing.assert_allclose(np.abs(apart @ apart[0]), 1.0, atol=1e-9)


def test_what_positions_do_not_tell_is_said(walk: np.ndarray) -> None:
    clip = sk.Clip.from_positions(walk, PARENTS, NAMES, fps=30)
    notes = " ".join(clip.facts.notes)
    assert "bones are as long as their medians, and the body stands" in notes
    # Those of the spine, neck, collars and feet: planes of legs and arms are told, the pelvis by hips and spine.
    assert "how 8 joints turn about the bone's own axis: as little as possible" in notes
    longer = walk.copy()
    longer[5:, 20] += longer[5:, 20] - longer[5:, 18]
    told = " ".join(sk.Clip.from_positions(longer, PARENTS, NAMES, fps=30).facts.notes)
    assert "that to 'left_wrist' by 50.0%" in told
    assert copy.copy(clip).facts == clip[2:9].facts._replace() == clip.facts


def test_changing_lengths_are_in_the_translations(walk: np.ndarray) -> None:
    stretched = walk * np.linspace(1.0, 1.3, len(walk))[:, None, None]
    clip = sk.Clip.from_positions(stretched, PARENTS, NAMES, fps=30)
    np.testing.assert_allclose(clip.positions(), stretched, atol=1e-9)


def of_cmu(data_dir: Path, name: str) -> tuple[np.ndarray, list[int], list[str]]:
    """Return positions in heights, parents and names of a capture whose LHipJoint and others lie on the hips."""
    clip = sk.load(data_dir / "bvh" / name)[:200]
    places = clip.positions()
    return places / np.ptp(places[0], axis=0).max(), [int(p) for p in clip.skeleton.parents], list(clip.names)


@pytest.mark.parametrize("name", ["cmu_01_01.bvh", "cmu_12_01_walk.bvh"])
def test_bones_of_no_length_have_no_say_in_how_legs_are_turned(data_dir: Path, name: str) -> None:
    places, parents, names = of_cmu(data_dir, name)
    noise = 1e-6 * np.random.default_rng(1).normal(size=places.shape)
    clean, noisy = (sk.Clip.from_positions(p, parents, names, fps=120).plant_feet() for p in (places, places + noise))
    assert np.abs(noisy.clip.positions() - clean.clip.positions()).max() < 1e-3
    assert not any("turn over" in message for message in noisy.report.messages)


@pytest.mark.parametrize("name", ["cmu_12_01_walk.bvh", "makehuman_walk1.bvh"])
def test_joints_that_swing_below_the_hips_move_no_leg(data_dir: Path, name: str) -> None:
    places, parents, names = of_cmu(data_dir, name)
    time = np.arange(len(places)) / 30.0
    skirt = places[:, 0] + 0.2 * np.stack([np.sin(3 * time), -np.ones_like(time), np.cos(4 * time)], axis=1)
    tail = skirt + 0.1 * np.stack([np.sin(5 * time), -np.ones_like(time), np.cos(7 * time)], axis=1)
    more = np.concatenate([places, skirt[:, None], tail[:, None]], axis=1)
    plain = sk.Clip.from_positions(places, parents, names, fps=30).plant_feet()
    dressed = sk.Clip.from_positions(more, [*parents, 0, len(names)], [*names, "skirt", "end"], fps=30).plant_feet()
    assert len(plain.report.contacts) > 0
    np.testing.assert_allclose(dressed.clip.positions()[:, : len(names)], plain.clip.positions(), atol=1e-6)


def test_the_rest_pose_is_made_of_all_frames_and_changes_no_more_than_they_do() -> None:
    walk = sk.example("biped").clip
    places = walk.positions()
    noise = 1e-12 * np.random.default_rng(3).normal(size=places.shape)
    first, second = (
        sk.Clip.from_positions(p, walk.skeleton.parents, walk.names, fps=30) for p in (places, places + noise)
    )
    np.testing.assert_allclose(second.skeleton.rest_global, first.skeleton.rest_global, atol=1e-7)
    soles = [[leg.sole for leg in clip.plant_feet().report.legs] for clip in (walk, first)]
    np.testing.assert_allclose(soles[1], soles[0], atol=2e-3)


def test_a_body_that_crawls_stands_in_its_rest_pose(data_dir: Path) -> None:
    crawl = sk.load(data_dir / "bvh_hard" / "accad_crawl.bvh")[:400]
    clip = sk.Clip.from_positions(crawl.positions(), crawl.skeleton.parents, crawl.names, fps=crawl.fps)
    heights = dict(zip(clip.names, clip.skeleton.rest_global[:, 1, 3], strict=True))
    assert heights["Head"] > heights["Hips"] > heights["LeftLeg"] > heights["LeftFoot"] > heights["LeftToeBase"]
    assert clip.plant_feet().report.up.tolist() == [0.0, 1.0, 0.0]


def test_knees_are_hinges_also_where_legs_are_straight_for_a_while() -> None:
    """A leg that bends, is straight while the body turns once around, and bends again: its knee never turns over."""
    turn, bend = np.linspace(0, 2 * np.pi, 91), np.maximum(0.0, np.cos(np.linspace(0, 2 * np.pi, 91))) * 0.6
    local = np.zeros((91, 9, 3))
    names = ["Hips", "Spine", "Head", "LeftUpLeg", "LeftLeg", "LeftFoot", "RightUpLeg", "RightLeg", "RightFoot"]
    local[:, 1], local[:, 2] = (0, 0.2, 0), (0, 0.7, 0)
    for hip, side in ((3, 0.1), (6, -0.1)):
        local[:, hip] = local[:, hip + 1] = local[:, hip + 2] = (side, 0, 0)
        local[:, hip + 1] += 0.45 * np.stack([0 * bend, -np.cos(bend), np.sin(bend)], axis=1)
        local[:, hip + 2, 1] = -0.9 * np.cos(bend)
    parents = [-1, 0, 1, 0, 3, 4, 0, 6, 7]
    about = sk.quaternion_from_axis_angle([0.0, 1.0, 0.0], turn)
    places = sk.quaternion_rotate(about[:, None], local) + np.array([0, 1, 0])
    clip = sk.Clip.from_positions(places, parents, names, fps=30)
    sideways = clip.global_matrices()[:, [3, 4, 6, 7]][..., :3, 0].swapaxes(0, 1)
    wanted = np.stack([np.cos(turn), 0 * turn, -np.sin(turn)], axis=1)
    assert (sideways * wanted).sum(axis=-1).min() > 0.999


@given(st.integers(0, 2**32 - 1))
def test_any_positions_come_out_again(seed: int) -> None:
    rng = np.random.default_rng(seed)
    joints = int(rng.integers(1, 9))
    parents = [-1, *(int(rng.integers(-1, joint)) for joint in range(1, joints))]
    places = rng.normal(size=(int(rng.integers(1, 6)), joints, 3))
    for joint in range(1, joints):
        if rng.random() < 0.3:  # joints that coincide, in one frame or in all
            places[int(rng.integers(-len(places), len(places))) :, joint] = places[0, max(parents[joint], 0)]
    clip = sk.Clip.from_positions(places, parents, fps=30)
    np.testing.assert_allclose(clip.positions(), places, atol=1e-9)


@pytest.mark.parametrize(
    ("positions", "parents", "words"),
    [
        (np.zeros((3, 2)), [-1, 0], r"positions has the shape \(3, 2\): \(frames, joints, 3\) is needed"),
        (np.zeros((0, 2, 3)), [-1, 0], "is needed"),
        (np.zeros((1, 2, 3)), [-1], r"parents has 1 entries: positions has 2 joints"),
        (np.full((1, 2, 3), np.nan), [-1, 0], r"positions\[0, 0\] is \[nan, nan, nan\]: must be finite"),
        (np.zeros((1, 2, 3)), [1, -1], r"parents\[0\] is 1: a parent must come before its child"),
        (np.zeros((1, 2, 3)), [-1, 7], r"parents\[1\] is 7"),
    ],
)
def test_what_does_not_fit_is_named(positions: np.ndarray, parents: list[int], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        sk.Clip.from_positions(positions, parents, fps=30)
