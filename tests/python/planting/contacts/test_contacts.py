# SPDX-License-Identifier: MIT
"""Contact detection, and the curves it is built on."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, strategies as st

import skelkin_py as sk
from skelkin_py.planting import spans as frame_spans
from skelkin_py.planting.given_contacts import given_legs
from skelkin_py.planting.up_axis import about_up, find_up, given_up


def spans_of(clip):
    return [leg.contacts for leg in sk.plant_feet(clip).report.legs]


def test_contacts_do_not_depend_on_the_frame_rate(make_walk):
    for slow, fast in zip(spans_of(make_walk(fps=30.0).clip), spans_of(make_walk(fps=120.0).clip), strict=True):
        assert len(slow) == len(fast)
        assert np.abs(np.array(slow) / 30.0 - np.array(fast) / 120.0).max() <= 0.05


def test_contacts_do_not_depend_on_unit_or_axis(make_walk):
    assert spans_of(make_walk().clip) == spans_of(make_walk(up="Z", unit=100.0).clip)


@pytest.mark.parametrize("axis", range(3))
def test_contacts_do_not_depend_on_where_the_clip_is(make_walk, axis):
    walk = make_walk().clip
    here = walk.translations.copy()
    here[:, walk.skeleton.index("right_shin")] *= 1.02  # legs are hardly ever of one length
    there = here.copy()
    there[:, 0, axis] += 1000.0
    near, far = (sk.Clip(walk.skeleton, walk.rotations, t, fps=walk.fps) for t in (here, there))
    assert any(spans_of(near))
    assert spans_of(far) == spans_of(near)


def test_a_foot_held_still_in_the_air_is_no_contact(make_walk):
    walk = make_walk(slide=0.0, sway=0.0)
    pose = 10  # the left foot stands
    rotations = np.repeat(walk.clip.rotations[pose : pose + 1], 60, axis=0)
    translations = np.repeat(walk.clip.translations[pose : pose + 1], 60, axis=0)
    shin = walk.clip.skeleton.index("right_shin")
    rotations[:, shin] = sk.quaternion_from_axis_angle([1.0, 0.0, 0.0], 1.6)
    report = sk.plant_feet(sk.Clip(walk.clip.skeleton, rotations, translations, fps=30.0)).report
    assert [len(leg.contacts) for leg in report.legs] == [1, 0]


def test_a_floating_phase_does_not_hide_contacts(make_walk):
    walk = make_walk(bump=0.07)
    assert [len(s) for s in spans_of(walk.clip)] == [len(walk.spans[side]) for side in ("left", "right")]


def test_a_walk_that_slides_forward_is_no_in_place_cycle(make_walk):
    assert sk.plant_feet(make_walk(slide=0.3).clip).report.ground_velocity is None


def test_spans_are_sorted_and_overlapping_ones_joined():
    legs = given_legs([[(4, 9), (0, 2), (8, 12)], []], ["a", "b"], 20)
    assert [leg.contacts for leg in legs] == [[(0, 2), (4, 12)], []]


def test_up_is_found_and_given_in_every_form():
    top = np.array([[0.1, 0.0, -1.0]])
    up, share = find_up(top, np.zeros((1, 3)))
    assert up.tolist() == [0.0, 0.0, -1.0]
    assert share > 0.9
    assert given_up("-z").tolist() == [0.0, 0.0, -1.0]
    assert given_up((0, 3, 4)).tolist() == [0.0, 0.6, 0.8]
    assert given_up("auto") is None
    assert "guess" in about_up(*find_up(np.array([[1.0, 1.1, 0.0]]), np.zeros((1, 3))))[0]
    with pytest.raises(ValueError, match="no direction leads"):
        find_up(np.zeros((2, 3)), np.zeros((2, 3)))


def test_nothing_is_said_about_an_up_that_is_given():
    biped = sk.example("biped").clip
    assert not [text for text in sk.plant_feet(biped, up="Y").report.messages if "up" in text.split()]


def body_that_turns(*degrees):
    """Feet at the origin, and a top that lies so far off Y, toward Z, in each frame."""
    angle = np.radians(np.array(degrees, float))
    return np.stack([np.zeros_like(angle), np.cos(angle), np.sin(angle)], axis=1), np.zeros((len(degrees), 3))


def test_a_clip_that_lies_down_has_the_up_that_it_begins_with():
    falls = body_that_turns(*[0] * 10, *[90] * 50)
    assert find_up(*falls)[0].tolist() == [0.0, 0.0, 1.0]
    assert find_up(*falls, rest=np.array([0.0, 1.6, 0.1]), fps=30.0)[0].tolist() == [0.0, 1.0, 0.0]
    assert "guess" in about_up(*find_up(*falls, np.array([0.0, 1.6, 0.1]), 30.0))[0]


def test_a_crawl_has_the_up_of_its_rest_pose():
    crawls = body_that_turns(*[50] * 60)
    assert find_up(*crawls, rest=np.array([0.0, 1.6, 0.1]))[0].tolist() == [0.0, 1.0, 0.0]


def test_a_clip_that_stands_otherwise_than_its_rest_pose_has_its_own_up():
    assert find_up(*body_that_turns(*[90] * 60), rest=np.array([0.0, 1.6, 0.1]))[0].tolist() == [0.0, 0.0, 1.0]
    no_pose = np.array([0.0, 1.0, 1.0])  # a rest pose that does not stand along an axis tells nothing
    assert find_up(*body_that_turns(*[50] * 60), rest=no_pose)[0].tolist() == [0.0, 0.0, 1.0]


@pytest.mark.parametrize("steps", [0.0, 0.05])
def test_a_body_on_four_legs_has_the_up_along_which_its_feet_keep_still(steps):
    along = steps * np.arange(60.0)[:, None] * [1.0, 0.0, 0.0]
    sway = 0.002 * np.sin(np.arange(60.0))[:, None]
    head, hips, feet = (along + np.array(place) for place in ([-0.9, 0.5, 0.0], [0.1, 0.45, 0.0], [0.1, 0.05, 0.0]))
    positions = np.stack([head, hips, feet + sway * [1.0, 0.1, 1.0], feet - [0.6, 0.0, 0.0]], axis=1)
    collapsed = np.array([0.2, 0.05, 0.0])  # a rest pose whose bones all point one way
    assert find_up(head, feet, rest=collapsed)[0].tolist() == [-1.0, 0.0, 0.0]
    assert find_up(head, feet, rest=collapsed, hips=hips, positions=positions)[0].tolist() == [0.0, 1.0, 0.0]


def test_a_body_that_sits_with_its_legs_ahead_keeps_the_up_of_its_rest_pose():
    head, hips, feet = (np.tile(place, (60, 1)) for place in ([0.0, 0.9, 0.1], [0.0, 0.1, 0.0], [0.0, 0.1, 0.8]))
    positions = np.stack([head, hips, feet], axis=1)
    up, _ = find_up(head, feet, rest=np.array([0.0, 1.6, 0.0]), hips=hips, positions=positions)
    assert up.tolist() == [0.0, 1.0, 0.0]


@given(st.lists(st.booleans(), max_size=40))
def test_spans_and_flags_say_the_same(flags):
    mask = np.array(flags, bool)
    assert frame_spans.span_mask(frame_spans.frames_to_spans(mask), len(mask)).tolist() == mask.tolist()
