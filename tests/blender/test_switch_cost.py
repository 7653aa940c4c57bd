# SPDX-License-Identifier: MIT
"""What a viewer would mind is told by the switch, in frames of the scene."""

from __future__ import annotations

import re

import bpy
import keys
import pytest
import rigs

pytestmark = pytest.mark.usefixtures("addon")


def late(walk, frames):
    """Move all keys, and the scene's range."""
    for curve in keys.fcurves(walk.object):
        for key in curve.keyframe_points:
            for point in (key.co, key.handle_left, key.handle_right):
                point.x += frames
    scene = bpy.context.scene
    scene.frame_end, scene.frame_start = scene.frame_end + frames, scene.frame_start + frames


def minded(walk):
    return [warning.text for warning in walk.object.animation_data.action.skelkin.warnings if warning.minded]


def test_what_would_be_minded_is_kept_with_the_planted_action_by_frames_of_the_scene():
    walk = rigs.human_metarig_walk()
    late(walk, 1000)
    assert bpy.ops.skelkin.leg_ik() == {"FINISHED"}
    assert minded(walk) == []
    # Feet that are held all the time while the body walks on cannot keep their knees.
    assert bpy.ops.skelkin.update(contacts="ALWAYS") == {"FINISHED"}
    told = minded(walk)
    assert told
    for line in told:
        assert line.split(": ")[0] in ("look at", "fault")
        frames = [int(frame) for frame in re.findall(r"frames? (\d+)", line)]
        assert frames
        assert all(1001 <= frame <= 1000 + walk.frames[-1] for frame in frames)
