# SPDX-License-Identifier: MIT
"""Clips: what they hold, that they never change, and what they refuse."""

from __future__ import annotations

import inspect
import pickle
from pathlib import Path

import numpy as np
import pytest

import skelkin_py as sk
from skelkin_py.motion.clip import with_moved_joints


def skeleton(joints: int = 3) -> sk.Skeleton:
    rest = np.tile(np.eye(4), (joints, 1, 1))
    rest[1:, 1, 3] = 1
    return sk.Skeleton(range(-1, joints - 1), rest, [f"j{i}" for i in range(joints)])


def random_clip(frames: int = 4, seed: int = 0) -> sk.Clip:
    rng = np.random.default_rng(seed)
    return sk.Clip(skeleton(), rng.normal(size=(frames, 3, 4)), rng.normal(size=(frames, 3, 3)), fps=30)


def test_global_matrices_are_products_of_the_local_ones() -> None:
    rng = np.random.default_rng(1)
    clip = sk.Clip(
        skeleton(), rng.normal(size=(4, 3, 4)), rng.normal(size=(4, 3, 3)), rng.uniform(1, 2, (4, 3, 3)), fps=30
    )
    local = clip.local_matrices()
    assert local.shape == (4, 3, 4, 4)
    for frame in range(4):
        expected = np.eye(4)
        for joint in range(3):
            c = np.eye(4)
            rotation = sk.quaternion_to_matrix(clip.rotations[frame, joint])
            c[:3, :3] = rotation @ np.diag(clip.scales[frame, joint])
            c[:3, 3] = clip.translations[frame, joint]
            np.testing.assert_allclose(local[frame, joint], c, atol=1e-14)
            expected = expected @ c
            np.testing.assert_allclose(clip.global_matrices()[frame, joint], expected, atol=1e-12)
            np.testing.assert_allclose(clip.positions()[frame, joint], expected[:3, 3], atol=1e-12)


def test_joints_stay_at_their_rest_offsets_without_translations() -> None:
    clip = sk.Clip(skeleton(), np.tile([1, 0, 0, 0], (2, 3, 1)), fps=24)
    assert clip.positions()[1].tolist() == [[0, 0, 0], [0, 1, 0], [0, 2, 0]]
    assert clip.scales is None
    assert (clip.num_frames, len(clip), clip.fps, clip.names) == (2, 2, 24.0, ("j0", "j1", "j2"))


def test_quaternions_are_normalised_and_unit_ones_keep_their_bits() -> None:
    rng = np.random.default_rng(2)
    clip = sk.Clip(skeleton(), rng.normal(size=(50, 3, 4)) * 10.0 ** rng.integers(-200, 200, (50, 3, 1)), fps=30)
    np.testing.assert_allclose(np.linalg.norm(clip.rotations, axis=-1), 1, atol=1e-15)
    again = sk.Clip(skeleton(), np.array(clip.rotations), fps=30)
    assert again.rotations.tobytes() == clip.rotations.tobytes()


def test_a_clip_does_not_change_with_the_arrays_it_was_made_from() -> None:
    rotations, translations = np.tile([1.0, 0, 0, 0], (2, 3, 1)), np.zeros((2, 3, 3))
    clip = sk.Clip(skeleton(), rotations, translations, fps=30)
    rotations[:], translations[:] = [0, 1, 0, 0], 7
    assert clip.rotations.tolist() == np.tile([1.0, 0, 0, 0], (2, 3, 1)).tolist()
    assert not clip.translations.any()
    view = np.zeros((2, 3, 3))
    locked = view.view()
    locked.flags.writeable = False
    clip = clip.replace(translations=locked)
    view[:] = 7
    assert not clip.translations.any()


@pytest.mark.parametrize("name", ["rotations", "translations"])
def test_arrays_of_a_clip_are_read_only(name: str) -> None:
    array = getattr(random_clip(), name)
    with pytest.raises(ValueError, match="read-only"):
        array[0] = 1


def test_attributes_cannot_be_set() -> None:
    clip = random_clip()
    for name in ("fps", "rotations", "skeleton", "anything"):
        with pytest.raises(AttributeError):
            setattr(clip, name, 1)


def test_replace_keeps_everything_else() -> None:
    clip = random_clip()
    moved = clip.replace(translations=clip.translations + 1)
    assert moved.rotations is clip.rotations
    assert (moved.fps, moved.skeleton) == (clip.fps, clip.skeleton)
    np.testing.assert_array_equal(moved.translations, clip.translations + 1)
    assert clip.replace() == clip
    assert moved != clip


def test_joints_that_move_otherwise_leave_all_else_as_it_is() -> None:
    clip = random_clip()
    frames, turned = np.array([1, 3]), np.array([[0.0, 1.0, 0.0, 0.0], [0.6, 0.0, 0.8, 0.0]])
    moved = with_moved_joints(clip, {2: (frames, turned)}, {})
    wanted = clip.rotations.copy()
    wanted[frames, 2] = turned
    assert np.array_equal(moved.rotations, wanted)
    assert moved.translations is clip.translations
    assert not moved.rotations.flags.writeable
    assert (moved.fps, moved.skeleton, moved.scales) == (clip.fps, clip.skeleton, clip.scales)


def test_joints_cannot_move_to_where_no_number_is() -> None:
    place = np.array([[0.0, np.nan, 0.0]])
    with pytest.raises(ValueError, match=r"translations\[3, 1, 1\] is nan: must be finite"):
        with_moved_joints(random_clip(), {}, {1: (np.array([3]), place)})


def test_slices_are_as_of_a_list() -> None:
    clip = random_clip(10)
    for start, stop in ((0, 10), (2, 5), (None, 3), (-3, None), (3, -2), (0, 99)):
        part = clip.slice(start, stop)
        np.testing.assert_array_equal(part.rotations, clip.rotations[start:stop])
        np.testing.assert_array_equal(part.translations, clip.translations[start:stop])
    with pytest.raises(ValueError, match="start is 5 and stop is 5: no frame of 10 is between them"):
        clip.slice(5, 5)


def test_clips_are_equal_by_value_and_survive_pickling() -> None:
    clip = random_clip()
    assert clip == random_clip()
    assert clip != random_clip(seed=1)
    assert clip != clip.replace(scales=np.ones((4, 3, 3)))
    assert clip != "clip"
    again = pickle.loads(pickle.dumps(clip))
    assert again == clip
    assert not again.rotations.flags.writeable
    with pytest.raises(TypeError, match="unhashable"):
        hash(clip)


def test_a_pickled_clip_is_still_saved_in_its_files_layout(data_dir, tmp_path) -> None:
    path = data_dir / "bvh" / "makehuman_walk1.bvh"
    pickle.loads(pickle.dumps(sk.load(path))).save(tmp_path / "copy.bvh")
    assert (tmp_path / "copy.bvh").read_bytes().split() == path.read_bytes().split()


def test_repr_tells_the_size() -> None:
    assert repr(random_clip()) == "Clip(4 frames at 30 fps, 3 joints)"


@pytest.mark.parametrize(
    ("arguments", "error", "words"),
    [
        ({"rotations": np.zeros((2, 3, 3))}, ValueError, r"rotations has shape \(2, 3, 3\): must be \(F, 3, 4\)"),
        ({"rotations": np.ones((2, 2, 4))}, ValueError, r"rotations has shape \(2, 2, 4\): must be \(F, 3, 4\)"),
        ({"rotations": 1.0}, ValueError, r"rotations has shape \(\): must be \(F, 3, 4\)"),
        ({"rotations": np.ones((0, 3, 4))}, ValueError, "rotations has no frames"),
        ({"rotations": np.zeros((2, 3, 4))}, ValueError, r"rotations\[0, 0\] is zero"),
        ({"rotations": np.full((2, 3, 4), np.nan)}, ValueError, r"rotations\[0, 0, 0\] is nan: must be finite"),
        ({"rotations": [["a"]]}, TypeError, "rotations has dtype"),
        ({"translations": np.zeros((1, 3, 3))}, ValueError, r"translations has shape \(1, 3, 3\): must be \(2, 3, 3\)"),
        ({"translations": np.full((2, 3, 3), np.inf)}, ValueError, r"translations\[0, 0, 0\] is inf"),
        ({"scales": np.ones((2, 3))}, ValueError, r"scales has shape \(2, 3\): must be \(2, 3, 3\)"),
        ({"fps": 0}, ValueError, "fps is 0.0: it must be positive and finite"),
        ({"fps": float("nan")}, ValueError, "fps is nan"),
        ({"skeleton": [-1]}, TypeError, "skeleton is a list: must be a Skeleton"),
    ],
)
def test_bad_arguments_are_named(arguments: dict, error: type, words: str) -> None:
    good = {"skeleton": skeleton(), "rotations": np.ones((2, 3, 4)), "fps": 30}
    with pytest.raises(error, match=words):
        sk.Clip(**{**good, **arguments})


def test_wrong_frames_in_replace_are_named() -> None:
    with pytest.raises(ValueError, match=r"rotations has shape \(3, 3, 4\): must be \(4, 3, 4\)"):
        random_clip().replace(rotations=np.ones((3, 3, 4)))


def test_the_motion_tells_where_knees_bend_that_are_straight_at_rest() -> None:
    names = ["hips", "LeftUpLeg", "LeftLeg", "LeftFoot", "RightUpLeg", "RightLeg", "RightFoot"]
    rest = np.tile(np.eye(4), (7, 1, 1))
    rest[[1, 4], 0, 3] = 1, -1
    rest[[2, 3, 5, 6], 1, 3] = -4
    body = sk.Skeleton([-1, 0, 1, 2, 0, 4, 5], rest, names)
    # By the sides of the legs the knees would bend towards +Z; this one walks backwards on purpose.
    rotations = np.tile([1.0, 0, 0, 0], (20, 7, 1))
    angles = np.linspace(0, 1, 20)
    rotations[:, [1, 4]] = sk.quaternion_from_axis_angle([1, 0, 0], angles / 2)[:, None]
    rotations[:, [2, 5]] = sk.quaternion_from_axis_angle([1, 0, 0], -angles)[:, None]
    moving, still = (sk.Clip(body, r, fps=30).find_legs() for r in (rotations, np.tile([1.0, 0, 0, 0], (20, 7, 1))))
    for leg in moving:
        np.testing.assert_allclose(leg.bend, (0, 0, -1), atol=1e-12)
        assert "bend: from the motion, the leg is straight in the rest pose" in leg.reasons
    for leg in still:
        np.testing.assert_allclose(leg.bend, (0, 0, 1), atol=1e-12)


def test_legs_need_names_or_structure() -> None:
    assert random_clip().find_legs() == []
    with pytest.raises(ValueError, match="leg"):
        random_clip().plant_feet()


@pytest.mark.parametrize(("method", "function"), [("plant_feet", sk.plant_feet), ("show", sk.view.show)])
def test_a_convenience_method_shows_the_signature_of_its_function(method, function) -> None:
    own = list(inspect.signature(getattr(sk.Clip, method)).parameters.values())[1:]
    whole = list(inspect.signature(function).parameters.values())[1:]
    assert [(p.name, p.kind, p.default) for p in own] == [(p.name, p.kind, p.default) for p in whole]


def test_planting_a_clip_passes_every_option_on(monkeypatch):
    monkeypatch.setattr("skelkin_py.planting.plant_feet", lambda clip, **options: options)
    options = {name: object() for name in inspect.signature(sk.Clip.plant_feet).parameters if name != "self"}
    assert sk.example("biped").clip.plant_feet(**options) == options


def test_brackets_are_ranges_of_frames() -> None:
    clip = sk.example("biped").clip
    for frames in (slice(5, 10), slice(-3, None), slice(None, 4), slice(2, 8, 1)):
        assert clip[frames] == clip.slice(frames.start, frames.stop)
    assert clip[5:10].num_frames == 5
    with pytest.raises(TypeError, match=r"frames is 5: expected a range, as in clip\[5:10\]; one frame is clip\[5:6\]"):
        clip[5]
    with pytest.raises(ValueError, match="frames has the step 2"):
        clip[::2]
    with pytest.raises(ValueError, match="no frame of"):
        clip[5:5]


def test_facts_say_where_a_clip_comes_from(tmp_path: Path) -> None:
    made = sk.example("biped").clip
    assert made.facts == sk.ClipFacts(fps=made.fps)
    made.save(tmp_path / "walk.bvh")
    read = sk.load(tmp_path / "walk.bvh")
    assert read.facts == sk.ClipFacts(format="BVH", fps=made.fps, fps_source="file")
    assert read[3:9].replace(rotations=read.rotations[3:9]).facts == read.facts
