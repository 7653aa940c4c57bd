# SPDX-License-Identifier: MIT
"""Loops planted from file to file: recognised and closed as `plant_locals` does, whatever the block; in flat memory."""

from __future__ import annotations

import functools
from dataclasses import replace
from importlib import import_module

import known_motions
import numpy as np
import pytest
from known_steps import build
from peak_memory import peak_memory
from planted_files import assert_same, plant_both
from readable_ids import readable_id
from rigid_plate import Plate

import skelkin_py as sk

FAULT = {"slide": 0.05, "sway": 0.01, "lift": 0.02, "bump": 0.03, "legs": 0.96}


@pytest.fixture
def both(tmp_path):
    """Plant from file to file and in memory; return both."""
    return functools.partial(plant_both, tmp_path)


def long_loop(cycles, fps=30.0, **faults):
    """A walk of so many cycles of 1.1 s that slides, whose last pose is the first, further on."""
    seconds = 1.1 * cycles
    return build(replace(known_motions.walk(seconds), closed=seconds), fps=fps, **faults).clip


def repeated(clip, times):
    """A loop in place, so many times."""
    rows = np.arange(times * (clip.num_frames - 1) + 1) % (clip.num_frames - 1)
    return sk.Clip(clip.skeleton, clip.rotations[rows], clip.translations[rows], fps=clip.fps)


def belt(frames):
    """A plane that goes aside at 0.2 units per second."""
    motion = np.tile(np.eye(4), (frames, 1, 1))
    motion[:, 0, 3] = 0.2 * np.arange(frames) / 30.0
    return motion


def hills(points):
    return 0.1 * np.sin(3.0 * points[:, 0])


@pytest.mark.slow
@pytest.mark.parametrize("block", [7, 40, 10_000])
@pytest.mark.parametrize("motion", ["in-place loop", "side-step loop", "walk loop"])
def test_a_loop_in_a_file_is_closed_as_in_memory(both, motion, block):
    clip = known_motions.known(motion, fps=30.0, **FAULT, noise=0.004).clip
    planted, found, expected = both(clip, block)
    assert planted.report.loop
    assert set(planted.report.messages) == set(expected.report.messages)
    assert_same(planted, found, expected)


@pytest.mark.slow
@pytest.mark.parametrize("block", [50, 200])
def test_a_loop_of_many_contacts_is_the_same_in_blocks(both, block):
    assert_same(*both(long_loop(20, slide=0.05, sway=0.02), block))


@pytest.mark.slow
@pytest.mark.parametrize(
    "options",
    [
        {"loop": False},
        {"loop": True},
        {"ground": -0.05, "blend": 0.4, "reach": "lower_pelvis"},
        {"reach": "stretch"},
        {"contacts": "ground_only"},
        {"contacts": "always"},
        {"contacts": "never"},
        {"contacts": "never", "loop": True},
        {"contacts": [[(0, 10), (25, 40), (55, 66)], [(14, 30), (50, 61)]]},
        {"frames": (5, 60)},
        {"toe_bend": 30.0},
        {"pelvis_acceleration": 3.0, "ground": 0.1},
    ],
    ids=readable_id,
)
def test_options_mean_the_same_for_loops(both, options):
    planted, found, expected = both(known_motions.known("walk loop", fps=30.0, **FAULT).clip, 25, **options)
    assert_same(planted, found, expected)


@pytest.mark.slow
def test_uneven_ground_under_a_loop_in_place(both):
    clip = known_motions.known("side-step loop", fps=30.0, **FAULT).clip
    planted, found, expected = both(clip, 30, ground=hills, toe_bend=20.0)
    assert planted.report.loop
    assert_same(planted, found, expected)


@pytest.mark.slow
def test_the_ground_velocity_of_a_loop(both):
    clip = known_motions.known("in-place loop", fps=30.0, **FAULT).clip
    planted, found, expected = both(clip, 20, ground_velocity="auto")
    assert planted.report.loop
    assert_same(planted, found, expected)


def swaying(case, frames=61):
    """A figure that shifts its weight and never lifts a foot."""
    rotations = np.repeat(case.clip.rotations[20:21], frames, axis=0)
    translations = np.repeat(case.clip.translations[20:21], frames, axis=0)
    translations[:, 0, 0] += 0.02 * np.sin(np.linspace(0.0, 2.0 * np.pi, frames))
    return sk.Clip(case.clip.skeleton, rotations, translations, fps=30.0)


def test_a_figure_that_never_lifts_a_foot_stays_where_it_is(both):
    clip = swaying(known_motions.known("side-step loop", fps=30.0))
    planted, found, expected = both(clip, 20, contacts="always")
    assert planted.report.loop
    assert_same(planted, found, expected)


def sliding_away(case):
    clip = swaying(case)
    translations = clip.translations.copy()
    translations[:, 0, 2] += np.linspace(0.0, 0.2, clip.num_frames)
    return clip.replace(translations=translations)


@pytest.mark.slow
def test_a_standing_figure_that_slides_away_is_no_loop_in_a_file_either(both):
    clip = sliding_away(known_motions.known("side-step loop", fps=30.0))
    planted, found, expected = both(clip, 20)
    assert not planted.report.loop
    assert_same(planted, found, expected)


@pytest.mark.slow
def test_a_gap_that_was_called_none_is_closed(both):
    case = known_motions.known("in-place loop", fps=30.0, **FAULT)
    local = case.clip.local_matrices()
    local[-1, 0, :3, 3] += [0.008, 0.004, 0.002]
    for loop in ("auto", True):
        planted, found, expected = both(case.clip, 30, local, loop=loop)
        assert planted.report.loop is (loop is True)
        assert_same(planted, found, expected)
    np.testing.assert_allclose(found[-1, 0], found[0, 0], atol=1e-12)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"motion": "walk"}, "the legs of its last pose are .* leg lengths from those of its first"),
        ({"motion": "walk loop", "frames": (0, 30)}, "only the whole clip, \\(0, 66\\), is closed"),
    ],
)
@pytest.mark.parametrize("sample", [16_384, 40])
def test_what_cannot_be_a_loop_is_refused(tmp_path, monkeypatch, options, words, sample):
    monkeypatch.setattr(import_module("skelkin_py.blocks.file_motion"), "SAMPLE", sample)
    options = dict(options)
    clip = known_motions.known(options.pop("motion"), fps=30.0).clip
    np.save(tmp_path / "in.npy", clip.local_matrices())
    with pytest.raises(ValueError, match=words):
        sk.plant_file(tmp_path / "in.npy", tmp_path / "out.npy", clip.skeleton, fps=30.0, loop=True, **options)
    assert not (tmp_path / "out.npy").exists()


@pytest.fixture
def sampled(monkeypatch):
    """Take a clip of more than 400 frames for one that is too long to be read as a whole."""
    monkeypatch.setattr(import_module("skelkin_py.blocks.file_motion"), "SAMPLE", 400)


@pytest.mark.slow
@pytest.mark.usefixtures("sampled")
@pytest.mark.parametrize(
    ("clip", "options"),
    [
        (long_loop(30, slide=0.05, sway=0.02), {}),
        (repeated(known_motions.known("side-step loop", fps=30.0, **FAULT).clip, 5), {"ground": hills}),
        (long_loop(30, slide=0.05), {"ground": lambda points: 0.05 * points[:, 2], "up": "Y"}),
        (long_loop(30, slide=0.05), {"ground": Plate(belt(991)), "up": "Y"}),
    ],
    ids=["walk", "side steps on hills", "walk up a ramp", "walk on a belt"],
)
def test_a_loop_longer_than_its_sample_is_closed_the_same_in_all_blocks(both, clip, options):
    outs = [both(clip, block, **options) for block in (110, 5000)]
    assert np.abs(outs[0][1] - outs[1][1]).max() <= 1e-11
    for planted, found, expected in outs:
        assert planted.report.loop
        assert any(message.startswith("loop:") for message in planted.report.messages)
        spans = [[(c.first_frame, c.last_frame) for c in planted.report.contacts if c.leg == k] for k in range(2)]
        assert [len(own) for own in spans] == [len(leg.contacts) for leg in expected.report.legs]
        matrices = sk.forward_kinematics(clip.skeleton, found[[0, -1]])
        way = matrices[1, 0] @ np.linalg.inv(matrices[0, 0])
        assert np.abs(way @ matrices[0] - matrices[1]).max() <= 1e-9
        np.testing.assert_allclose(found[-1, 1:], found[0, 1:], atol=1e-9)


@pytest.mark.slow
@pytest.mark.usefixtures("sampled")
def test_given_contacts_of_a_loop_longer_than_its_sample_go_on_across_the_seam(both):
    clip = long_loop(30, slide=0.05)
    spans = sk.plant_feet(clip).report
    planted, _, _ = both(clip, 150, contacts=[leg.contacts for leg in spans.legs])
    told = [[(c.first_frame, c.last_frame) for c in planted.report.contacts if c.leg == k] for k in range(2)]
    assert told == [leg.contacts for leg in spans.legs]


@pytest.mark.slow
@pytest.mark.usefixtures("sampled")
def test_a_longer_clip_is_a_loop_where_it_is_one_in_memory(both):
    case = known_motions.known("side-step loop", fps=30.0)
    clips = [swaying(case, 901), sk.Clip(*_still(case), fps=30.0), long_loop(30), build(known_motions.walk(30.0)).clip]
    clips.append(_jerking(case))
    told = []
    for clip in clips:
        planted, _, expected = both(clip, 200)
        assert planted.report.loop is expected.report.loop
        told.append(planted.report.loop)
    assert told == [True, False, True, False, False]


def _still(case):
    """A picture of 900 frames."""
    rotations, translations = (np.repeat(x[20:21], 900, axis=0) for x in (case.clip.rotations, case.clip.translations))
    return case.clip.skeleton, rotations, translations


def _jerking(case):
    """A motion that comes back with the opposite of the speed it sets out with."""
    skeleton, rotations, translations = _still(case)
    translations[:, 0, 0] += 3.0 * np.sin(np.linspace(0.0, np.pi, 900))
    return sk.Clip(skeleton, rotations, translations, fps=30.0)


@pytest.mark.slow
@pytest.mark.usefixtures("sampled")
def test_a_standing_figure_that_slides_away_for_long_is_no_loop(both):
    case = known_motions.known("side-step loop", fps=30.0)
    clip = swaying(case, 901)
    translations = clip.translations.copy()
    translations[:, 0, 2] += np.linspace(0.0, 0.5, 901)
    planted, _, expected = both(clip.replace(translations=translations), 200)
    assert planted.report.loop is expected.report.loop is False


@pytest.mark.slow
def test_memory_does_not_grow_with_a_loop(tmp_path):
    clip = known_motions.known("side-step loop", fps=30.0, slide=0.02).clip
    local = clip.local_matrices().astype(np.float32)[:-1, :, :3]
    script = """
import sys
import skelkin_py as sk
source, target, steps = sys.argv[1:]
assert sk.plant_file(source, target, sk.load(steps).skeleton, fps=30.0, block=1000).report.loop
"""
    clip.save(tmp_path / "steps.bvh")
    peaks, sizes = [], []
    for name, times in (("short.npy", 17_280), ("long.npy", 37_440)):
        np.save(tmp_path / name, local[np.arange(times + 1) % len(local)])
        peaks.append(peak_memory(script, tmp_path / name, tmp_path / "out.npy", tmp_path / "steps.bvh"))
        sizes.append((tmp_path / name).stat().st_size / 2**20)
    assert peaks[1] - peaks[0] < 0.5 * (sizes[1] - sizes[0])  # less than any copy would take
