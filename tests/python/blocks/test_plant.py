# SPDX-License-Identifier: MIT
"""Planting from file to file: what `plant_locals` gives, whatever the block; in flat memory; whole or not at all."""

from __future__ import annotations

import functools
from importlib import import_module

import numpy as np
import pytest
from known_motions import in_place, plain_walk
from known_steps import build
from peak_memory import peak_memory
from planted_files import assert_same, plant_both
from readable_ids import readable_id
from rigid_plate import Plate
from standing_truth import UP, riding, turned

import skelkin_py as sk
from skelkin_py.blocks.file_motion import SAMPLE
from skelkin_py.blocks.windows import sample_rows
from skelkin_py.planting import plant_locals


def walk(seconds):
    """Return a walk that slides, at 30 frames per second."""
    return build(plain_walk(seconds), slide=0.08, sway=0.02).clip


@pytest.fixture
def both(tmp_path):
    """Plant from file to file and in memory; return both."""
    return functools.partial(plant_both, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("block", [20, 100, 10_000])
def test_the_result_is_that_of_the_whole_clip_whatever_the_block(both, block):
    clip = walk(24.0)
    assert_same(*both(clip, block))


@pytest.mark.slow
@pytest.mark.parametrize(
    "options",
    [
        {"ground": lambda points: 0.1 * np.sin(points[:, 2])},
        {"reach": "stretch", "ground": 0.1},
        {"reach": "lower_pelvis", "ground": -0.1, "blend": 0.4},
        {"frames": (61, 171)},
        {"contacts": [[(20, 40), (90, 130)], [(60, 70)]]},
        {"contacts": {"left": [(20, 40), (90, 130)], "right": [(60, 70)]}},
        {"contacts": "ground_only"},
        {"ground": lambda points: 0.2 * np.sin(3.0 * points[:, 2]), "pelvis_acceleration": 5.0},
        {"contacts": "never"},
        {"up": "Y", "sole": 0.01},
    ],
    ids=readable_id,
)
def test_options_mean_the_same(both, options):
    assert_same(*both(walk(24.0), 60, **options))


@pytest.mark.slow
@pytest.mark.parametrize(
    "options",
    [
        {"toe_bend": 40.0},
        {"toe_bend": 40.0, "ground": lambda points: 0.1 * np.sin(points[:, 2]), "frames": (61, 171)},
        {"toe_bend": 40.0, "contacts": {"left": [(20, 40), (90, 130)], "right": [(60, 80)]}},
        {"toe_bend": 3.0},
    ],
    ids=readable_id,
)
def test_toes_bend_block_by_block_as_in_the_whole_clip(both, options):
    clip = walk(12.0)
    toes = [joint for joint, name in enumerate(clip.names) if name.endswith("_toe")]
    tips = {key: [0.0, -0.01, 0.07] for key in toes}  # straight toes, whose tips sink as the heel rises
    skeleton = sk.Skeleton(clip.skeleton.parents, clip.skeleton.rest_local, list(clip.names), end_sites=tips)
    rotations = clip.rotations.copy()
    rotations[:, toes] = [1.0, 0.0, 0.0, 0.0]
    clip = sk.Clip(skeleton, rotations, clip.translations, fps=clip.fps)
    for block in (25, 90):
        planted, found, expected = both(clip, block, **options)
        assert_same(planted, found, expected)
        assert set(toes) <= set(planted.changed)


@pytest.mark.slow
@pytest.mark.parametrize("options", [{}, {"ground_velocity": "auto"}], ids=readable_id)
def test_a_cycle_in_place_is_known_in_every_block(both, options):
    clip = build(in_place(16.0), slide=0.0, sway=0.02).clip
    local = clip.local_matrices()
    local[-1, 0, 0, 3] += 0.05  # no loop
    assert_same(*both(clip, 60, local, **options))


def rests(clip, frame, count):
    """Return the clip with one of its poses held for a while."""
    rows = np.concatenate([np.arange(frame), np.full(count, frame), np.arange(frame, clip.num_frames)])
    return sk.Clip(clip.skeleton, clip.rotations[rows], clip.translations[rows], fps=clip.fps)


@pytest.mark.slow
def test_a_stance_longer_than_many_blocks_stays_where_it_is(both):
    """A foot that stands for 40 s and creeps: its place is the mean of all of it."""
    clip = rests(walk(20.0), 70, 1200)
    local = clip.local_matrices()
    creep = np.clip(np.arange(len(local)) - 70, 0, 1200) * 1e-5
    local[:, 0, 2, 3] += creep
    assert_same(*both(clip, 200, local))


@pytest.mark.slow
def test_a_long_time_in_the_air_is_bridged(both):
    """Between two stances 20 s apart the body's height goes over from one to the other."""
    clip = walk(20.0)
    clip = rests(clip, 70, 600)
    local = clip.local_matrices()
    local[70:670, 0, 1, 3] += 1.0
    # The pace of the body is chosen for the whole clip where its acceleration is bounded.
    assert_same(*both(clip, 200, local, ground=lambda points: 0.05 * points[:, 2]))


@pytest.mark.slow
@pytest.mark.parametrize("shape", [(4, 4), (3, 4)])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_shape_and_dtype_of_the_file_are_kept(both, shape, dtype):
    clip = walk(10.0)
    local = clip.local_matrices()[:, :, : shape[0]].astype(dtype)
    _, found, expected = both(clip, 33, local)
    assert found.dtype == dtype
    assert found.shape == local.shape
    assert np.abs(found - expected.local[:, :, : shape[0]]).max() <= (1e-12 if dtype == np.float64 else 1e-6)


@pytest.mark.slow
def test_of_a_long_clip_a_sample_decides_the_same_for_every_block(both, monkeypatch):
    monkeypatch.setattr(import_module("skelkin_py.blocks.file_motion"), "SAMPLE", 300)
    clip = walk(30.0)
    outs = [both(clip, block)[1] for block in (110, 5000)]
    assert np.abs(outs[0] - outs[1]).max() <= 1e-12
    report = both(clip, 100)[0].report
    assert report.worst("slide") <= 1e-6


def swaying(clip, turns=1.0):
    """Return transforms of a ground that goes up and down, to and fro, and turns."""
    time = np.arange(clip.num_frames) / clip.fps
    lift = np.tile(np.eye(4), (len(time), 1, 1))
    lift[:, 0, 3], lift[:, 1, 3] = 0.1 * np.sin(2.0 * time), 0.3 * np.sin(1.5 * time)
    return lift @ turned(UP, turns * 0.2 * np.sin(time)) @ turned([1.0, 0.0, 0.5], turns * 0.1 * np.sin(time))


@pytest.mark.slow
@pytest.mark.parametrize("carried", [False, True], ids=["made in a still world", "made on it"])
def test_ground_that_moves_carries_feet_block_by_block_as_in_the_whole_clip(both, carried):
    clip = walk(36.0)
    # Far from what the ground turns about, more of it would throw off whoever was not made on it.
    motion = swaying(clip, 1.0 if carried else 0.01)
    clip = riding(clip, motion) if carried else clip
    planted, found, expected = both(clip, 150, ground=Plate(motion), up="Y")
    assert_same(planted, found, expected)
    if carried:
        assert planted.report.worst("slide", "before") > 0.01
        assert planted.report.worst("slide") <= 1e-6


@pytest.mark.slow
def test_ground_that_moves_is_asked_in_the_frames_of_the_sample(both, monkeypatch):
    monkeypatch.setattr(import_module("skelkin_py.blocks.file_motion"), "SAMPLE", 500)
    clip = walk(36.0)
    motion = swaying(clip)
    clip = riding(clip, motion)
    outs = [both(clip, block, ground=Plate(motion), up="Y") for block in (110, 5000)]
    assert np.abs(outs[0][1] - outs[1][1]).max() <= 1e-12
    assert outs[0][0].report.worst("slide") <= 1e-6


def test_ground_that_moves_for_fewer_frames_is_refused(tmp_path):
    clip = walk(6.0)
    np.save(tmp_path / "in.npy", clip.local_matrices())
    ground = sk.MeshGround(np.zeros((clip.num_frames - 1, 3, 3)) + np.eye(3), [[0, 1, 2]])
    with pytest.raises(ValueError, match=f"ground moves for {clip.num_frames - 1} frames: the clip has"):
        sk.plant_file(tmp_path / "in.npy", tmp_path / "out.npy", clip.skeleton, fps=30.0, ground=ground)
    assert not (tmp_path / "out.npy").exists()


@pytest.mark.slow
def test_a_clip_may_leave_its_ground_for_longer_than_a_block(both):
    clip = walk(36.0)
    end = float(clip.positions()[clip.num_frames // 3, 0, 2])
    assert_same(*both(clip, 60, ground=lambda points: np.where(points[:, 2] > end, np.nan, 0.0)))


def test_progress_is_told_block_by_block(tmp_path):
    clip, told = walk(6.0), []
    np.save(tmp_path / "in.npy", clip.local_matrices())
    files = tmp_path / "in.npy", tmp_path / "out.npy"
    sk.plant_file(*files, clip.skeleton, fps=30.0, block=100, progress=lambda *p: told.append(p))
    num = clip.num_frames
    assert told == [(0, num), (100, num), (num, num)]


@pytest.mark.slow
def test_the_report_says_what_that_of_the_whole_clip_does(both):
    """Every key of its `to_dict` has the value that the clip's report gives, but time and what legs tell."""
    clip = build(in_place(16.0), slide=0.0, sway=0.02).clip
    local = clip.local_matrices()
    local[-1, 0, 0, 3] += 0.05  # no loop
    for options in ({"metres_per_unit": 1.0}, {}, {"ground_velocity": "auto"}):
        planted, _, expected = both(clip, 60, local, **options)
        ours, theirs = planted.report.to_dict(), expected.report.to_dict()
        for key in ours.keys() - {"seconds", "frames_per_second", "legs", "contacts", "messages", "versions", "cost"}:
            assert ours[key] == pytest.approx(theirs[key], abs=1e-9), key
        spans = [[list(span) for span in leg.contacts] for leg in expected.report.legs]
        assert [leg["contacts"] for leg in ours["legs"]] == spans
        assert len(ours["contacts"]) == len(theirs["contacts"])
        assert set(ours["messages"]) == set(theirs["messages"])
        ours, theirs = (
            [
                line.split()
                for line in report.as_table().splitlines()
                if line.startswith(("contacts", "slide", "pelvis r"))
            ]
            for report in (planted.report, expected.report)
        )
        assert ours == theirs


def test_samples_are_spread_over_the_range():
    pieces = sample_rows((100, 100_099), 1600)
    assert sum(stop - start for start, stop in pieces) == 1600
    assert (pieces[0][0], pieces[-1][1]) == (100, 100_100)


def test_nothing_is_half_written(tmp_path):
    clip = walk(10.0)
    local = clip.local_matrices()
    local[50, 0, 0, 0] = np.nan
    np.save(tmp_path / "in.npy", local)
    content = (tmp_path / "in.npy").read_bytes()
    with pytest.raises(ValueError, match=r"local\[50, 0\] .* not finite"):
        sk.plant_file(tmp_path / "in.npy", tmp_path / "out.npy", clip.skeleton, fps=clip.fps, block=10)
    assert (tmp_path / "in.npy").read_bytes() == content
    assert [path.name for path in tmp_path.iterdir()] == ["in.npy"]


def test_an_older_result_is_replaced(tmp_path):
    clip = walk(10.0)
    np.save(tmp_path / "in.npy", clip.local_matrices())
    (tmp_path / "out.npy").write_bytes(b"an older one")
    sk.plant_file(tmp_path / "in.npy", tmp_path / "out.npy", clip.skeleton, fps=clip.fps, block=10)
    expected = plant_locals(clip.skeleton, clip.local_matrices(), fps=clip.fps).local
    assert np.abs(np.load(tmp_path / "out.npy") - expected).max() <= 1e-12


def test_what_cannot_be_is_said_before_anything_is_written(tmp_path):
    clip = walk(6.0)
    source, target = tmp_path / "in.npy", tmp_path / "out.npy"
    np.save(source, clip.local_matrices()[:, :3])
    with pytest.raises(ValueError, match=r"in\.npy holds .* is needed"):
        sk.plant_file(source, target, clip.skeleton, fps=30.0)
    np.save(source, clip.local_matrices())
    with pytest.raises(ValueError, match="fps is 0"):
        sk.plant_file(source, target, clip.skeleton, fps=0.0)
    with pytest.raises(ValueError, match="at least 1 frame"):
        sk.plant_file(source, target, clip.skeleton, fps=30.0, block=0)
    with pytest.raises(TypeError, match="a Skeleton is needed"):
        sk.plant_file(source, target, clip, fps=30.0)
    with pytest.raises(ValueError, match="frames is"):
        sk.plant_file(source, target, clip.skeleton, fps=30.0, frames=(0, 10_000))
    assert not target.exists()


@pytest.mark.slow
def test_memory_does_not_grow_with_the_clip(tmp_path):
    clip = walk(6.0)
    local = clip.local_matrices().astype(np.float32)[:, :, :3]
    script = """
import sys
import skelkin_py as sk
source, target, walk = sys.argv[1:]
sk.plant_file(source, target, sk.load(walk).skeleton, fps=30.0, block=1000)
"""
    clip.save(tmp_path / "walk.bvh")
    peaks, sizes = [], []
    for name, times in (("short.npy", 17_000), ("long.npy", 37_000)):
        np.save(tmp_path / name, local[np.arange(times) % len(local)])
        peaks.append(peak_memory(script, tmp_path / name, tmp_path / "out.npy", tmp_path / "walk.bvh"))
        sizes.append((tmp_path / name).stat().st_size / 2**20)
    assert peaks[1] - peaks[0] < 0.5 * (sizes[1] - sizes[0])  # less than any copy would take


def test_a_leg_that_turns_too_fast_is_told_as_of_the_whole_clip(both):
    clip = walk(10.0)
    spans = {"left": [(0, 40), (43, 80)], "right": [(100, 120)]}
    planted, _, expected = both(clip, 37, contacts=spans)
    told = [[text for text in report.messages if "turns up to" in text] for report in (planted.report, expected.report)]
    assert told[0] == told[1] != []


@pytest.mark.slow
def test_frames_of_a_sampled_file_are_the_clips_own(tmp_path):
    clip = walk(10.0)
    num = SAMPLE + 4000
    local = clip.local_matrices()[np.arange(num) % clip.num_frames]
    shin = clip.names.index("left_shin")
    flat = local.copy()
    flat[num - 7 : num - 4, shin, :3, 3] = 0.0
    np.save(tmp_path / "flat.npy", flat)
    report = sk.plant_file(tmp_path / "flat.npy", tmp_path / "out.npy", clip.skeleton, fps=clip.fps).report
    (told,) = (message for message in report.messages if "has no length" in message)
    assert f"in 3 frames, first in {num - 7}–{num - 5}: " in told
    local[num - 3, shin, 0, 3] = 1e200
    np.save(tmp_path / "far.npy", local)
    with pytest.raises(ValueError, match=f"in frame {num - 3}: coordinates must be finite and below"):
        sk.plant_file(tmp_path / "far.npy", tmp_path / "out.npy", clip.skeleton, fps=clip.fps)


def test_feet_that_stand_still_already_are_left_and_it_is_said(tmp_path):
    skeleton = walk(1.0).skeleton
    local = np.repeat(np.asarray(skeleton.rest_local)[None], 40, axis=0)
    np.save(tmp_path / "still.npy", local)
    inside = plant_locals(skeleton, local, fps=30.0)
    outside = sk.plant_file(tmp_path / "still.npy", tmp_path / "planted.npy", skeleton, fps=30.0)
    assert np.array_equal(inside.local, local)
    assert np.array_equal(np.load(tmp_path / "planted.npy"), local)
    for planted in (inside, outside):
        assert planted.changed == ()
        assert len(planted.report.contacts) == 2
        told = [message for message in planted.report.messages if "unit" not in message]
        assert told == ["the feet stand still on the ground as they are: nothing changed"]
