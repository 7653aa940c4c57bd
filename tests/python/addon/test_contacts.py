# SPDX-License-Identifier: MIT
"""Contacts that artists edit: list and markers read together, what cannot be planted, and the form planting takes."""

from __future__ import annotations

import numpy as np
import pytest
from addon_modules import load

from skelkin_py.planting.given_contacts import given_legs

core = load("core.contacts")
Contact, Foot, Marker = core.Contact, core.Foot, core.Marker
FEET = [Foot("left", "foot.L"), Foot("right", "foot.R")]


def ends(contact, first=None, last=None):
    """Return the markers of a contact, moved to other frames."""
    frames = (contact.first if first is None else first, contact.last if last is None else last)
    return [Marker(core.marker_name(contact, up), frame, contact.key, up) for up, frame in zip((False, True), frames)]


def read(contacts, markers):
    return core.read_together(contacts, markers, FEET)


def spans(contacts):
    return [(one.foot, one.first, one.last) for one in contacts]


LEFT = Contact(1, "left", 3, 9)
RIGHT = Contact(2, "right", 12, 20)


def test_a_contact_goes_where_its_markers_are_and_keeps_the_rest():
    pinned = RIGHT._replace(place=(1.0, 2.0, 0.0), part="FLAT", is_used=False)
    found = read([LEFT, pinned], [*ends(LEFT, last=30), *ends(pinned, 11, 22)])
    assert found == ([LEFT._replace(last=30), pinned._replace(first=11, last=22)], [], [])


@pytest.mark.parametrize("gone", [0, 1])
def test_a_contact_without_one_of_its_markers_is_gone_and_that_is_said(gone):
    markers = ends(LEFT)
    del markers[gone]
    found = read([LEFT, RIGHT], [*markers, *ends(RIGHT)])
    assert spans(found.contacts) == [("right", 12, 20)]
    assert [str(note) for note in found.notes] == ["left: the contact 3–9 is gone with its marker"]


@pytest.mark.parametrize("names", [("left down", "left up"), ("Left  DOWN", "foot.L up")])
def test_two_free_markers_of_a_foot_are_a_new_contact(names):
    found = read([LEFT], [*ends(LEFT), Marker(names[1], 40, 0, False), Marker(names[0], 33, 0, False)])
    assert spans(found.contacts) == [("left", 3, 9), ("left", 33, 40)]
    assert found.contacts[1].by_hand
    assert found.contacts[1].key == 2


def test_free_markers_without_partner_are_told_by_name_and_frame_and_change_nothing():
    free = [Marker(name, frame, 0, False) for name, frame in (("left up", 1), ("left down", 30), ("right down", 31))]
    found = read([LEFT], [*ends(LEFT), *free, Marker("left down", 34, 0, False), Marker("left up", 36, 0, False)])
    assert spans(found.contacts) == [("left", 3, 9), ("left", 34, 36)]
    assert [str(said) for said in found.warnings] == [
        "left up in frame 1 has no partner: add a marker left down before it, or remove this one",
        "left down in frame 30 has no partner: add a marker left up after it, or remove this one",
        "right down in frame 31 has no partner: add a marker right up after it, or remove this one",
    ]


def test_other_markers_and_those_of_the_original_are_none_of_contacts():
    others = [Marker(name, 5, 0, False) for name in ("thumbs up", "left", "down", "left downwards")]
    others += [Marker("left down", 5, -1, False), Marker("left up", 6, -1, False), Marker("left up", 7, 77, True)]
    assert read([], others) == ([], [], [])


def test_a_marker_that_was_duplicated_is_a_free_one_and_the_moved_one_the_copy():
    copies = [marker._replace(frame=marker.frame + 50) for marker in ends(LEFT)]
    found = read([LEFT], [*copies, *ends(LEFT)])
    assert spans(found.contacts) == [("left", 3, 9), ("left", 53, 59)]
    assert found.warnings == []


def test_owners_give_each_end_one_marker():
    copy = Marker("left down", 53, 1, False)
    free = Marker("right up", 20, 0, False)
    markers = [copy, *ends(LEFT), free, Marker("right down", 12, -1, False)]
    assert core.owners([LEFT, RIGHT], markers) == [None, (1, False), (1, True), (2, True), None]


def test_contacts_are_the_same_whatever_their_order_and_keys():
    assert core.described([LEFT, RIGHT]) == core.described([RIGHT._replace(key=9), LEFT])
    assert core.described([LEFT, RIGHT]) != core.described([LEFT, RIGHT._replace(height=0.0)])
    assert core.described([]) != ""


@pytest.mark.parametrize(
    ("contact", "kept", "said"),
    [
        (LEFT, [(3, 9)], ""),
        (LEFT._replace(is_used=False), [], ""),
        (LEFT._replace(foot="tail"), [], "tail: the contact 3–9 is left out: find the legs again"),
        (LEFT._replace(first=10), [], "left: the contact 10–9 is left out: it ends before it begins"),
        (LEFT._replace(first=-4), [(1, 9)], "left: the contact -4–9 is cut to the frames of the motion, 1–60"),
        (LEFT._replace(last=99), [(3, 60)], "left: the contact 3–99 is cut"),
        (
            LEFT._replace(first=61, last=70),
            [],
            "left: the contact 61–70 is left out: move it into the frames of the motion, 1–60",
        ),
    ],
)
def test_contacts_that_cannot_be_planted_are_left_out_or_cut_and_told(contact, kept, said):
    (left, right), warnings = core.usable([contact], FEET, 1, 60)
    assert [(one.first, one.last) for one in left] == kept
    assert right == []
    assert len(warnings) == bool(said)
    assert all(str(warning).startswith(said) for warning in warnings)


@pytest.mark.parametrize(
    ("second", "kept", "said"),
    [
        ({}, [(3, 9), (7, 20)], "they count as one"),
        ({"height": 0.0}, [(3, 9), (10, 20)], "the later one begins after the earlier one"),
        ({"height": 0.0, "last": 8}, [(3, 9)], "the later one is left out"),
        ({"first": 10}, [(3, 9), (10, 20)], ""),
    ],
)
def test_overlapping_contacts_of_a_foot_are_told_and_planted(second, kept, said):
    other = Contact(5, "left", 7, 20)._replace(**second)
    (left, _), warnings = core.usable([other, LEFT], FEET, 1, 60)
    assert [(one.first, one.last) for one in left] == kept
    assert [said in str(warning) for warning in warnings] == [True] * bool(said)
    names = [foot.name for foot in FEET]
    given_legs(core.as_given([left, []], 1), names, 60)


def test_heel_and_ball_may_stand_at_once():
    heel, ball = LEFT._replace(part="HEEL"), Contact(5, "left", 7, 20, "BALL")
    (left, _), warnings = core.usable([heel, ball], FEET, 1, 60)
    assert warnings == []
    assert core.as_given([left], 1) == [{"heel": [(2, 8)], "ball": [(6, 19)], "foot": []}]


ROLLING = Contact(1, "left", 10, 30, heel=((10, 20),), ball=((15, 30),))


@pytest.mark.parametrize(
    ("moved", "heel", "ball"),
    [
        ({}, [(10, 20)], [(15, 30)]),
        ({"first": 6, "last": 33}, [(6, 20)], [(15, 33)]),
        ({"first": 17, "last": 18}, [(17, 18)], [(17, 18)]),
        ({"first": 40, "last": 50}, [(40, 50)], [(40, 50)]),
        ({"heel": (), "ball": ()}, [(10, 30)], [(10, 30)]),
    ],
)
def test_beside_a_contact_of_one_part_others_roll_as_they_did(moved, heel, ball):
    flat = Contact(2, "left", 55, 58, "FLAT")
    (given,) = core.as_given([[ROLLING._replace(**moved), flat]], 0)
    assert given == {"heel": [*heel, (55, 58)], "ball": [*ball, (55, 58)], "foot": []}


def test_places_and_heights_are_given_with_their_frames():
    pinned = LEFT._replace(place=(1.0, 2.0, 0.0))
    high = RIGHT._replace(height=0.5)
    assert core.as_given([[pinned], [high]], 2) == [
        [{"first_frame": 1, "last_frame": 7, "place": (1.0, 2.0, 0.0)}],
        [{"first_frame": 10, "last_frame": 18, "height": 0.5}],
    ]


# Rows of bars.

contact_rows = load("core.contact_rows")
STRIP = contact_rows.Strip(0.0, 100.0, 1000.0)
BARS = [contact_rows.Bar(one.foot, one.first, one.last) for one in (LEFT, RIGHT)]


def boxes(found):
    """Return left, bottom, right, top and colour of each box."""
    out = []
    for k in range(0, len(found.corners), 6):
        x, y = zip(*found.corners[k : k + 6], strict=True)
        assert len(set(found.colours[k : k + 6])) == 1
        out.append((min(x), min(y), max(x), max(y), found.colours[k]))
    return out


def test_rows_that_begin_beside_something_stay_right_of_it():
    strip = STRIP._replace(left=300.0, width=500.0)
    assert [strip.x(0.0), strip.x(100.0), strip.frame(strip.x(40.0))] == [300.0, 800.0, 40.0]
    found = contact_rows.rows([BARS[0]._replace(first=-9, last=200)], FEET, strip)
    assert (boxes(found)[0][0], boxes(found)[0][2]) == (300.0, 800.0)
    assert found.names[0][1] > 300.0


def test_each_foot_has_a_row_the_first_on_top_and_bars_from_first_to_after_the_last_frame():
    found = contact_rows.rows(BARS, FEET, STRIP._replace(bottom=20.0))
    left, right = boxes(found)
    assert left[:4] == (
        30.0,
        20.0 + contact_rows.ROW + contact_rows.GAP,
        100.0,
        20.0 + 2 * contact_rows.ROW + contact_rows.GAP,
    )
    assert right[:4] == (120.0, 20.0, 210.0, 20.0 + contact_rows.ROW)
    assert [name for name, _, _ in found.names] == ["left", "right"]


def test_diamonds_are_over_the_bars_of_their_foot_as_long_as_their_frames():
    held = contact_rows.Diamond("right", 5, 9)
    gone = [contact_rows.Diamond("tail", 5, 9), contact_rows.Diamond("left", 500, 500)]
    bars = contact_rows.rows(BARS, FEET, STRIP)
    found = contact_rows.rows(BARS, FEET, STRIP, [held, *gone])
    assert found.corners[: len(bars.corners)] == bars.corners
    more = np.array(found.corners[len(bars.corners) :])
    half = contact_rows.ROW / 2
    assert more[:, 0].min() == STRIP.x(5) - half
    assert more[:, 0].max() == STRIP.x(9) + half
    assert {more[:, 1].min(), more[:, 1].max()} == {STRIP.bottom, STRIP.bottom + 2 * half}
    assert set(found.colours[len(bars.corners) :]) == {contact_rows.BY_HAND}


def test_bars_are_cut_at_the_region_and_those_outside_left_out():
    outside = [
        BARS[0]._replace(first=-30, last=-10),
        BARS[0]._replace(first=200, last=300),
        BARS[0]._replace(foot="tail"),
    ]
    wide = BARS[0]._replace(first=-5, last=500)
    found = contact_rows.rows([*outside, wide], FEET, STRIP._replace(scale=2.0))
    assert [box[::2][:2] for box in boxes(found)] == [(0.0, 1000.0)]
    assert boxes(contact_rows.rows([BARS[0]._replace(first=9, last=3)], FEET, STRIP)) == []


def test_colours_tell_the_part_what_is_off_and_what_is_pinned():
    contacts = [
        BARS[0],
        BARS[0]._replace(part="HEEL"),
        BARS[0]._replace(is_used=False),
        BARS[0]._replace(is_pinned=True),
    ]
    colours = [box[4] for box in boxes(contact_rows.rows(contacts, FEET, STRIP))]
    whole, heel = contact_rows.COLOURS["FOOT"], contact_rows.COLOURS["HEEL"]
    assert colours == [whole, heel, contact_rows.OFF, whole, contact_rows.PIN]
    assert set(contact_rows.COLOURS) == set(core.PARTS)
