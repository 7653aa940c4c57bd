# SPDX-License-Identifier: MIT
"""What planting answers where it can change little or nothing: it says so, and the clip stays whole."""

from __future__ import annotations

import numpy as np
import pytest

import skelkin_py as sk
from skelkin_py.planting import plant_locals
from skelkin_py.planting.remark import frames_of


@pytest.mark.parametrize("frames", [1, 2, 3, 4, 5])
@pytest.mark.parametrize("contacts", ["auto", "always", "never", "ground_only"])
def test_clips_of_few_frames_get_an_answer_in_every_mode(make_walk, frames, contacts):
    planted = sk.plant_feet(make_walk().clip.slice(8, 8 + frames), contacts=contacts)
    assert planted.clip.num_frames == frames
    assert np.isfinite(planted.clip.rotations).all()
    assert planted.report.deepest() <= 1e-9
    assert contacts != "always" or len(planted.report.contacts) == 2
    assert contacts != "never" or planted.clip == make_walk().clip.slice(8, 8 + frames)
    planted.report.to_dict()
    str(planted.report)


@pytest.mark.parametrize("frames", [1, 2])
def test_a_clip_shorter_than_a_contact_is_returned_as_it_is(make_walk, frames):
    clip = make_walk().clip.slice(0, frames)
    planted = sk.plant_feet(clip)
    assert planted.clip == clip
    assert any("shorter than a contact" in message for message in planted.report.messages)


@pytest.mark.parametrize("contacts", ["always", {"left": [(0, 0)], "right": [(0, 0)]}])
def test_one_frame_that_always_stands_is_put_on_the_ground(make_walk, contacts):
    walk = make_walk(slide=0.0, sway=0.0, lift=0.1)
    planted = sk.plant_feet(walk.clip.slice(4, 5), contacts=contacts, ground=0.0)
    assert [(c.first_frame, c.last_frame) for c in planted.report.contacts] == [(0, 0), (0, 0)]
    assert planted.report.worst("float", "before") > 0.05
    assert planted.report.worst("float") <= 1e-9
    assert planted.report.worst("penetration") <= 1e-9


def test_a_clip_that_never_touches_the_ground_is_returned_with_a_message(make_walk):
    walk = make_walk()
    flight = walk.clip.translations.copy()
    flight[:, 0, 2] += 30.0 * np.arange(len(flight)) / walk.clip.fps  # carried through the air
    flight[:, 0, 1] += 5.0 * np.sin(np.arange(len(flight)))
    clip = walk.clip.replace(translations=flight)
    planted = sk.plant_feet(clip)
    assert planted.clip == clip
    assert any("no foot ever stands" in message for message in planted.report.messages)
    # With no ground known, none is invented to be below of.
    assert planted.report.ground is None
    assert planted.report.deepest("before") == planted.report.deepest() == pytest.approx(0.0, abs=1e-12)


@pytest.mark.parametrize("ground", [-50.0, 50.0, lambda p: np.full(len(p), -50.0)])
def test_a_ground_far_from_the_feet_is_said(make_walk, ground):
    planted = sk.plant_feet(make_walk().clip, ground=ground)
    assert any("the feet never come near the ground" in message for message in planted.report.messages)
    near = sk.plant_feet(make_walk().clip, ground=-0.2)
    assert not any("never come near" in message for message in near.report.messages)


def test_a_range_without_room_for_a_contact_is_said(make_walk):
    clip = make_walk().clip
    planted = sk.plant_feet(clip, frames=(10, 11))
    assert planted.clip == clip
    told = next(
        message for message in planted.report.messages if message.startswith("no contact lies inside frames 10–11")
    )
    assert frames_of(told) == (10, 11)


def test_a_wild_frame_rate_costs_no_memory(make_walk):
    clip = make_walk().clip
    planted = plant_locals(clip.skeleton, clip.local_matrices(), fps=1e12)
    assert planted.changed == ()
    assert any("shorter than a contact" in message for message in planted.report.messages)


def test_a_place_no_leg_can_reach_is_said_and_nothing_breaks(make_walk):
    walk = make_walk(slide=0.0, sway=0.0)
    planted = sk.plant_feet(walk.clip, contacts={"left": [(0, walk.clip.num_frames - 1)], "right": walk.spans["right"]})
    assert np.isfinite(planted.clip.rotations).all()
    assert any("cannot reach" in message for message in planted.report.messages)
    assert [bool(leg.unreachable) for leg in planted.report.legs] == [True, False]


@pytest.mark.parametrize("contacts", [{}, {"left": []}, [[], []]], ids=str)
def test_spans_that_name_no_frame_change_nothing_and_are_said(make_walk, contacts):
    walk = make_walk()
    planted = sk.plant_feet(walk.clip, contacts=contacts)
    assert planted.clip == walk.clip
    assert planted.report.messages[0] == "contacts has no span for any leg: nothing changed"


@pytest.mark.parametrize(
    ("part", "bone", "last", "when"),
    [
        ("shin", "thigh", 29, "in 10 frames, first in 20–29"),
        ("foot", "shin", 29, "in 10 frames, first in 20–29"),
        ("foot", "shin", 20, "in frame 20:"),
    ],
)
def test_a_bone_without_length_in_some_frames_is_said_and_the_rest_is_planted(make_walk, part, bone, last, when):
    walk = make_walk()
    flat = walk.clip.translations.copy()
    flat[20 : last + 1, walk.clip.skeleton.index(f"left_{part}")] = 0.0
    planted = sk.plant_feet(walk.clip.replace(translations=flat))
    start = f"the left {bone} has no length {when}"
    assert any(message.startswith(start) for message in planted.report.messages)
    assert np.isfinite(planted.clip.rotations).all()
    assert planted.report.slide()[1] <= 1e-4 * walk.leg


def test_a_nan_in_a_joint_that_takes_no_part_stays_where_it_is(make_walk):
    walk = make_walk()
    local = walk.clip.local_matrices()
    arm = walk.clip.skeleton.index("left_arm")
    local[3, arm] = np.nan
    planted = plant_locals(walk.clip.skeleton, local, fps=30.0)
    assert np.isnan(planted.local[3, arm]).all()
    assert np.isfinite(np.delete(planted.local, arm, axis=1)).all()


@pytest.mark.parametrize("frames", [(31, 120), (20, 100), (60, 90)])
def test_feet_that_roll_at_the_ends_of_a_range_change_nothing_outside(frames):
    clip = sk.example("biped").clip
    planted = sk.plant_feet(clip, frames=frames).clip
    changed = (planted.rotations != clip.rotations).any(axis=(1, 2)) | (planted.translations != clip.translations).any(
        axis=(1, 2)
    )
    assert changed.any()
    assert not changed[: frames[0]].any()
    assert not changed[frames[1] + 1 :].any()
