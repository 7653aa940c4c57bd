# SPDX-License-Identifier: GPL-3.0-or-later
"""The ways of feet that the 3-D view shows: where the feet are, before and after."""

from __future__ import annotations

import sys

import bpy
import numpy as np
import pytest
import rigs
import stepping
from control_rigs import walk_with_controls
from drawing import draw, sentences


@pytest.fixture
def overlay(addon):
    return sys.modules[f"{addon.__name__}.bridge.overlay"]


def paths(walk) -> np.ndarray:
    """Return where the feet are (F, 2, 3)."""
    return stepping.world_heads(walk.object, [leg[2] for leg in walk.legs.values()], walk.frames)


@pytest.mark.parametrize("maker", [rigs.mixamo_walk, walk_with_controls])
@pytest.mark.parametrize("keys", ["EVERY", "SPARSE"])
def test_lines_are_where_the_feet_are_and_were(overlay, maker, keys):
    walk = maker()
    before = paths(walk)
    assert bpy.ops.skelkin.leg_ik(keys=keys) == {"FINISHED"}
    after, found = paths(walk), overlay.lines_for(bpy.context)
    count = len(walk.frames) - 1
    for part, seen in ((found.before, before), (found.after, after)):
        for k in range(2):
            own = part[k * count : (k + 1) * count]
            assert np.abs(own[:, 0] - seen[:-1, k]).max() <= 1e-4 * walk.leg_length
            assert np.abs(own[:, 1] - seen[1:, k]).max() <= 1e-4 * walk.leg_length
    assert len(found.places) == len(bpy.context.object.animation_data.action.pose_markers) / 2


def test_off_shows_nothing_and_on_again_the_same(overlay):
    walk = rigs.mixamo_walk()
    assert overlay.lines_for(bpy.context) is None
    bpy.ops.skelkin.leg_ik()
    first = overlay.lines_for(bpy.context)
    bpy.ops.skelkin.leg_ik()
    assert overlay.lines_for(bpy.context) is None
    bpy.ops.skelkin.leg_ik()
    assert overlay.lines_for(bpy.context) is first
    assert walk.object == bpy.context.object


def test_the_ways_of_the_last_planted_actions_are_kept(overlay, monkeypatch):
    monkeypatch.setattr(overlay, "_MOST", 2)
    for _ in range(4):
        bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
        rigs.mixamo_walk()
        bpy.ops.skelkin.leg_ik()
        assert overlay.lines_for(bpy.context) is not None
    assert len(overlay._lines) == 2


def test_update_shows_the_new_ways(overlay):
    rigs.mixamo_walk()
    bpy.ops.skelkin.leg_ik()
    first = overlay.lines_for(bpy.context)
    bpy.ops.skelkin.update()
    assert overlay.lines_for(bpy.context) is not first
    assert np.allclose(overlay.lines_for(bpy.context).after, first.after, atol=1e-5)


def test_a_file_that_was_opened_says_what_to_press(overlay):
    rigs.mixamo_walk()
    bpy.ops.skelkin.leg_ik()
    bpy.context.window_manager.skelkin_foot_paths = True
    assert "Foot paths: press Update to see them" not in sentences(draw("SKELKIN_PT_leg_ik"))
    overlay.forget(bpy.context.object.animation_data.action.skelkin.pair)
    assert "Foot paths: press Update to see them" in sentences(draw("SKELKIN_PT_leg_ik"))
    bpy.context.window_manager.skelkin_foot_paths = False
    assert "Foot paths: press Update to see them" not in sentences(draw("SKELKIN_PT_leg_ik"))
