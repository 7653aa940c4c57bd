# SPDX-License-Identifier: MIT
"""Contacts by hand on legs that foot controls and objects move, in late frames, and on a chosen range."""

from __future__ import annotations

import bpy
import keys
import pytest
import rigs
import stepping
from control_rigs import walk_with_controls
from planted_contacts import assert_ends_have_their_markers, item_of, listed, mark_of, markers_of, update

pytestmark = pytest.mark.usefixtures("addon")

#: how far, in metres, the joint above the ball of a foot that is held goes while its heel lifts
HELD = 5e-3


def slide(walk, side, first, last):
    heads = stepping.world_heads(walk.object, [walk.legs[side][3]], range(first, last + 1))[:, 0]
    return float(abs(heads - heads[0]).max())


def assert_a_moved_marker_is_planted_and_off_is_exact(walk) -> None:
    frames = range(walk.frames[0], walk.frames[-1] + 1)
    before = stepping.pose_bits(walk.object, frames)
    assert bpy.ops.skelkin.leg_ik() == {"FINISHED"}
    item = item_of(walk, "left", 0)
    first, last = item.first, item.last + 4
    markers_of(walk, item)[True].frame = last
    assert slide(walk, "L", first + 1, last) > 4 * HELD
    for _ in range(2):
        update()
        item = item_of(walk, "left", 0)
        assert (item.first, item.last) == (first, last)
        assert mark_of(walk).contacts_given
        assert slide(walk, "L", first + 1, last) < HELD
        assert_ends_have_their_markers(walk)
    assert bpy.ops.skelkin.leg_ik() == {"FINISHED"}
    assert stepping.pose_bits(walk.object, frames) == before


@pytest.mark.parametrize("options", [{}, {"reverse": True}, {"goal": "object"}], ids=str)
def test_on_legs_that_controls_move(options):
    assert_a_moved_marker_is_planted_and_off_is_exact(walk_with_controls(**options))


def test_in_frames_far_from_the_first():
    walk = rigs.mixamo_walk()
    for curve in keys.fcurves(walk.object):
        for key in curve.keyframe_points:
            for point in (key.co, key.handle_left, key.handle_right):
                point.x += 1000
    scene = bpy.context.scene
    scene.frame_end, scene.frame_start = scene.frame_end + 1000, scene.frame_start + 1000
    walk.frames = range(1001, 1061)
    assert_a_moved_marker_is_planted_and_off_is_exact(walk)


def test_in_a_range_contacts_outside_it_are_told_and_change_nothing_there(capfd):
    walk = rigs.mixamo_walk(frames=90)
    bpy.context.scene.frame_start, bpy.context.scene.frame_end = 30, 60
    before = stepping.pose_bits(walk.object, walk.frames)
    assert bpy.ops.skelkin.leg_ik(frames="SCENE") == {"FINISHED"}
    assert all(30 <= first <= last <= 60 for _, first, last in listed(walk))
    assert bpy.ops.skelkin.contact_add(foot="left", first=70, last=80) == {"FINISHED"}
    capfd.readouterr()
    update()
    assert "1 contact outside the planted frames 30–60" in capfd.readouterr().out
    assert ("left", 70, 80) in listed(walk)
    after = stepping.pose_bits(walk.object, walk.frames)
    assert after[64:] == before[64:]
    assert after[35:55] != before[35:55]
