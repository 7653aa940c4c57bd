# SPDX-License-Identifier: MIT
"""A few frames of another pose before a jump of the capture, after one or between two, are left as they are."""

from __future__ import annotations

import re

import numpy as np
import pytest
from known_motions import MOTIONS, known, plain_walk
from known_steps import build

import skelkin_py as sk

RATES = (24.0, 30.0, *(pytest.param(fps, marks=pytest.mark.slow) for fps in (60.0, 120.0, 240.0)))


def walk(fps, seconds=6.0):
    return build(plain_walk(seconds), fps=fps, slide=0.06, sway=0.02)


def rest_at(clip, frames):
    """The clip with these frames in its rest pose: legs straight, where the figure was modelled."""
    rotations, translations = np.array(clip.rotations), np.array(clip.translations)
    rotations[frames] = [1.0, 0.0, 0.0, 0.0]
    translations[frames] = clip.skeleton.rest_local[:, :3, 3]
    return clip.replace(rotations=rotations, translations=translations)


def same(planted, clip, frames):
    pairs = ((planted.clip.rotations, clip.rotations), (planted.clip.translations, clip.translations))
    return all(np.array_equal(new[frames], old[frames]) for new, old in pairs)


@pytest.mark.parametrize("fps", RATES)
@pytest.mark.parametrize("where", ["first", "three first", "last", "inside"])
def test_lone_frames_come_out_as_they_went_in(fps, where):
    clean = walk(fps)
    num = clean.clip.num_frames
    middle = round(1.13 * fps)
    lone = {"first": [0], "three first": [0, 1, 2], "last": [num - 1], "inside": [middle, middle + 1]}[where]
    clip = rest_at(clean.clip, lone)
    planted = sk.plant_feet(clip, ground=0.0)
    beside = sorted({f for n in lone for f in (n - 1, n, n + 1) if 0 <= f < num})
    assert same(planted, clip, beside)
    told = {"first": "frame 0 is", "three first": "frames 0–2 are", "last": f"frame {num - 1} is"}.get(where, "frames")
    assert any(re.match(f"{told} .*not part of the motion", message) for message in planted.report.messages)
    assert not any(c.first_frame <= f <= c.last_frame for c in planted.report.contacts for f in beside)
    expected = sk.plant_feet(clean.clip, ground=0.0)
    far = np.abs(np.arange(num)[:, None] - lone).min(axis=1) > 2.5 * fps
    apart = np.abs(np.asarray(planted.clip.positions()) - np.asarray(expected.clip.positions()))[far]
    assert apart.max() <= 1e-3 * clean.leg
    assert planted.report.slide()[1] <= 1e-4 * clean.leg


@pytest.mark.slow
@pytest.mark.parametrize("fps", RATES)
@pytest.mark.parametrize("motion", sorted(MOTIONS))
def test_no_frame_of_a_motion_is_a_lone_one(motion, fps):
    report = sk.plant_feet(known(motion, fps=fps, noise=0.004).clip).report
    assert not any("not part of the motion" in message for message in report.messages)


def test_a_kick_or_a_hop_within_few_frames_is_motion():
    clip = walk(24.0).clip
    rotations, translations = np.array(clip.rotations), np.array(clip.translations)
    thigh = clip.names.index("left_thigh")
    turn = sk.quaternion_from_axis_angle([1.0, 0.0, 0.0], -1.2)
    rotations[60] = np.where(np.arange(len(clip.names))[:, None] == thigh, turn, rotations[60])
    translations[30:33, 0, 1] += [0.06, 0.1, 0.06]
    report = sk.plant_feet(clip.replace(rotations=rotations, translations=translations)).report
    assert not any("not part of the motion" in message for message in report.messages)


def test_knees_stay_where_the_ground_is_far_below_all_of_a_motion_with_a_lone_frame():
    clean = walk(60.0)
    clip = rest_at(clean.clip, [0])
    low = sk.plant_feet(clip, ground=-1.0)
    assert same(low, clip, [0])
    high = sk.plant_feet(clip, ground=0.0)
    moved = np.asarray(low.clip.positions()) - np.asarray(high.clip.positions()) - [0.0, -1.0, 0.0]
    assert np.abs(moved[1:]).max() <= 1e-6 * clean.leg
