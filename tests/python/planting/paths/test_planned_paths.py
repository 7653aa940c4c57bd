# SPDX-License-Identifier: MIT
"""What clips see of planned paths: contacts out of reach left out, whole clips lowered, soles that graze the ground."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from known_motions import plain_walk
from known_steps import LEG_LENGTH, build

import skelkin_py as sk

GRAZE = 0.008  # of the leg


def plant(walk, contacts, **options):
    return sk.plant_feet(walk.clip, contacts=contacts, ground=0.0, **options).report


def slides(report):
    return {(contact.name, contact.first_frame): contact.after.slide / LEG_LENGTH for contact in report.contacts}


def test_one_contact_out_of_reach_is_left_out_and_the_others_stand(make_walk):
    walk = make_walk(slide=0.0, sway=0.0)
    last = walk.clip.num_frames - 1
    report = plant(walk, {"left": [(0, last)], "right": walk.spans["right"]})
    left, right = report.legs
    missed = np.concatenate([np.arange(a, b + 1) for a, b in left.unreachable])
    assert len(missed) > 0.9 * last
    assert right.unreachable == []
    assert max(slide for (name, _), slide in slides(report).items() if name == "right") <= 1e-12
    said = [message for message in report.messages if "cannot reach its foothold" in message]
    assert len(said) == 1
    assert said[0].startswith(f"the left leg cannot reach its foothold in {len(missed)} frames, first in ")
    # The foot goes its own way: nothing else of the walk is there to be mended.
    assert np.abs(left.after.knee - left.before.knee).max() <= 0.5


def test_of_two_contacts_that_exclude_each_other_the_one_further_from_its_way_goes(make_walk):
    walk = make_walk(slide=0.0, sway=0.0)
    left, right = walk.spans["left"], walk.spans["right"]
    long = (left[1][0], left[5][1])  # where its foot takes four more steps
    report = plant(walk, {"left": [left[0], long], "right": right})
    assert all(long[0] <= a <= b <= long[1] for a, b in report.legs[0].unreachable)
    assert report.legs[0].unreachable
    assert report.legs[1].unreachable == []
    kept = {key: slide for key, slide in slides(report).items() if key != ("left", long[0])}
    assert len(kept) == 1 + len(right)
    assert max(kept.values()) <= 1e-12


@pytest.mark.parametrize("height", [0.05, -0.05, 0.5])
def test_a_clip_at_another_height_is_moved_as_a_whole_with_its_knees_as_they_were(make_walk, height):
    walk = make_walk(slide=0.0, sway=0.0)
    moved = walk.clip.translations.copy()
    moved[:, 0, 1] += height
    clip = sk.Clip(walk.clip.skeleton, walk.clip.rotations, moved, fps=walk.clip.fps)
    report = sk.plant_feet(clip, ground=0.0).report
    np.testing.assert_allclose(report.body_shift, -height, rtol=0.0, atol=1e-3)
    for leg in report.legs:
        assert np.abs(leg.after.knee - leg.before.knee).max() <= 0.5


def test_a_range_of_a_clip_at_another_height_comes_down_inside_of_it(make_walk):
    walk = make_walk(slide=0.0, sway=0.0)
    moved = walk.clip.translations.copy()
    moved[:, 0, 1] += 0.05
    clip = sk.Clip(walk.clip.skeleton, walk.clip.rotations, moved, fps=walk.clip.fps)
    shift = sk.plant_feet(clip, ground=0.0, frames=(30, 150)).report.body_shift
    assert not shift[:31].any()
    assert not shift[150:].any()
    assert shift.min() < -0.03


@pytest.mark.parametrize("depth", [0.003, 0.02])
def test_swinging_soles_below_the_ground_stay_so_by_the_graze_at_most(depth):
    walk = build(replace(plain_walk(), swing=-depth), slide=0.0, sway=0.0)
    report = plant(walk, walk.spans)
    for leg in report.legs:
        before, after = leg.before.height / LEG_LENGTH, leg.after.height / LEG_LENGTH
        assert after.min() == pytest.approx(max(before.min(), -GRAZE), abs=1e-9)
        assert (after >= np.minimum(before, 0.0) - 1e-9).all()
        if depth < GRAZE * LEG_LENGTH:
            assert np.abs(after - before).max() <= 1e-9
