# SPDX-License-Identifier: MIT
"""What of a contact the mouse holds at a place of the rows, what room it has, and where it is dragged."""

from __future__ import annotations

import random

import pytest
from addon_modules import load

core = load("core.contacts")
rows = load("core.contact_rows")
grips = load("core.contact_grips")
Bar, FIRST, LAST, BOTH = rows.Bar, grips.FIRST, grips.LAST, grips.BOTH
FEET = [core.Foot("left", "foot.L"), core.Foot("right", "foot.R")]
LEFT, NEXT, RIGHT = Bar("left", 3, 9, key=1), Bar("left", 30, 39, key=2), Bar("right", 12, 20, key=3)
BARS = [LEFT, NEXT, RIGHT]
STRIP = rows.Strip(0.0, 100.0, 1000.0, bottom=20.0)  # ten pixels a frame


def middle(leg, strip=STRIP):
    """Return the height of the middle of a leg's row."""
    return rows.height_of(leg, FEET, strip) + rows.ROW * strip.scale / 2


def held(x, y, bars=BARS, strip=STRIP):
    grip = grips.grip_at(bars, FEET, strip, x, y)
    return None if grip is None else (grip.bar.key, grip.part)


@pytest.mark.parametrize(
    ("x", "leg", "expected"),
    [
        (30.0, 0, (1, FIRST)),
        (24.0, 0, (1, FIRST)),  # outside by what the mouse may be off
        (36.0, 0, (1, FIRST)),
        (37.0, 0, (1, BOTH)),
        (93.0, 0, (1, BOTH)),
        (94.0, 0, (1, LAST)),
        (106.0, 0, (1, LAST)),
        (350.0, 0, (2, BOTH)),
        (120.0, 1, (3, FIRST)),
        (23.0, 0, None),
        (107.0, 0, None),
        (200.0, 0, None),
        (30.0, 1, None),  # in the row of the other foot
    ],
)
def test_an_end_is_held_a_few_pixels_around_it_and_all_of_a_contact_between(x, leg, expected):
    assert held(x, middle(leg)) == expected


def test_nothing_is_held_below_and_above_the_rows():
    assert held(60.0, STRIP.bottom - 2.0) is None
    assert held(60.0, rows.height_of(0, FEET, STRIP) + rows.ROW + 2.0) is None
    assert held(60.0, rows.height_of(0, FEET, STRIP) + rows.ROW) == (1, BOTH)


def test_what_is_held_is_as_large_as_the_interface():
    large = STRIP._replace(scale=2.0)
    assert held(19.0, middle(0), strip=STRIP) is None
    assert held(19.0, middle(0, large), strip=large) == (1, FIRST)
    assert held(41.0, middle(0, large), strip=large) == (1, FIRST)
    assert held(60.0, middle(1, large) + rows.ROW, strip=large) is None  # still the row of the other foot
    assert held(60.0, middle(0, large) + rows.ROW, strip=large) == (1, BOTH)


def test_a_contact_of_one_frame_can_be_held_at_either_end_and_as_a_whole():
    short = [Bar("left", 50, 50, key=7)]
    assert [held(x, middle(0), short) for x in (500.0, 505.0, 510.0)] == [(7, FIRST), (7, BOTH), (7, LAST)]


def test_between_contacts_that_touch_the_one_that_the_mouse_is_in_is_held():
    touching = [Bar("left", 10, 19, key=1), Bar("left", 20, 29, key=2)]
    assert held(198.0, middle(0), touching) == (1, LAST)
    assert held(202.0, middle(0), touching) == (2, FIRST)


def test_of_contacts_above_each_other_the_shortest_is_held():
    assert held(250.0, middle(0), [Bar("left", 20, 30, key=1), Bar("left", 0, 60, key=2)]) == (1, BOTH)


def test_contacts_of_no_leg_and_those_that_end_before_they_begin_are_not_held():
    assert held(60.0, middle(0), [LEFT._replace(foot="tail"), LEFT._replace(first=9, last=3)]) is None


def room(bar, bars, frames=(1, 60)):
    return grips.room_of(bar, bars, FEET, frames)


def test_a_contact_has_room_up_to_its_neighbours_of_the_same_foot_and_to_the_ends_of_the_motion():
    assert room(LEFT, BARS) == (1, 29)
    assert room(NEXT, BARS) == (10, 60)
    assert room(RIGHT, BARS) == (1, 60)
    assert room(NEXT, [LEFT._replace(foot="foot.L"), NEXT]) == (10, 60)  # called by its bone


@pytest.mark.parametrize(
    ("mine", "other", "low"),
    [
        ({"part": "BALL"}, {"part": "HEEL"}, 1),
        ({"part": "BALL", "is_pinned": True}, {"part": "HEEL", "is_pinned": True}, 10),
        ({"part": "BALL"}, {"part": "FOOT"}, 10),
        ({}, {"is_used": False}, 1),
        ({"is_used": False}, {}, 1),
    ],
)
def test_only_what_could_not_stand_at_once_is_in_the_way(mine, other, low):
    assert room(NEXT._replace(**mine), [LEFT._replace(**other), NEXT._replace(**mine)])[0] == low


def test_dragged_contacts_never_cross_their_ends_nor_their_neighbours_and_come_back():
    rng = random.Random(0)
    for _ in range(2000):
        ends = sorted(rng.sample(range(1, 61), 6))
        bars = [Bar("left", first, last, key=k) for k, (first, last) in enumerate(zip(ends[::2], ends[1::2]))]
        bar, part = rng.choice(bars), rng.choice((FIRST, LAST, BOTH))
        span = bar.first, bar.last
        first, last = grips.dragged(span, part, rng.randint(-80, 80), room(bar, bars))
        frames = set(range(first, last + 1))
        assert frames
        assert 1 <= first <= last <= 60
        assert all(frames.isdisjoint(range(one.first, one.last + 1)) for one in bars if one is not bar)
        assert (part != BOTH) or last - first == span[1] - span[0]
        assert (part != FIRST) or last == span[1]
        assert (part != LAST) or first == span[0]
        assert grips.dragged(span, part, 0, room(bar, bars)) == span


def test_a_contact_beyond_the_motion_is_not_drawn_in_by_a_drag():
    assert grips.dragged((-5, 70), BOTH, 3, (1, 60)) == (-5, 70)
    assert grips.dragged((-5, 9), FIRST, -2, (1, 60)) == (-5, 9)
    assert grips.dragged((-5, 9), FIRST, 4, (1, 60)) == (-1, 9)
