# SPDX-License-Identifier: MIT
"""Nothing that the report says stays hidden: it is kept with the planted action, in frames of the scene."""

from __future__ import annotations

import re

import bpy
import keys
import pytest
import rigs

pytestmark = pytest.mark.usefixtures("addon")

LATER = 1000


@pytest.fixture
def walk():
    """A walk that begins late, so that frames of the scene are not those of a clip."""
    walk = rigs.human_metarig_walk()
    for curve in keys.fcurves(walk.object):
        for key in curve.keyframe_points:
            for point in (key.co, key.handle_left, key.handle_right):
                point.x += LATER
    scene = bpy.context.scene
    scene.frame_end, scene.frame_start = scene.frame_end + LATER, scene.frame_start + LATER
    return walk


def warnings(walk):
    return list(walk.object.animation_data.action.skelkin.warnings)


def test_what_the_report_says_is_kept_with_the_frames_that_it_names(walk):
    # Feet that are held all the time while the body walks on cannot keep their knees.
    assert bpy.ops.skelkin.leg_ik(contacts="ALWAYS") == {"FINISHED"}
    told = warnings(walk)
    assert any(warning.names_frame for warning in told)
    for warning in told:
        if warning.names_frame:
            assert re.search(rf"\b{warning.frame}\b", warning.text), warning.text
            assert LATER < warning.frame <= LATER + walk.frames[-1]


def test_an_update_keeps_what_the_new_report_says_alone(walk):
    assert bpy.ops.skelkin.leg_ik(contacts="ALWAYS") == {"FINISHED"}
    before = [warning.text for warning in warnings(walk)]
    assert bpy.ops.skelkin.update(contacts="AUTO") == {"FINISHED"}
    after = [warning.text for warning in warnings(walk)]
    assert any("over 10°" in text for text in before)
    assert not any("over 10°" in text for text in after)


def test_warnings_come_back_with_the_action_that_waited(walk):
    assert bpy.ops.skelkin.leg_ik(contacts="ALWAYS") == {"FINISHED"}
    told = [(warning.text, warning.frame) for warning in warnings(walk)]
    assert bpy.ops.skelkin.leg_ik() == {"FINISHED"}
    assert bpy.ops.skelkin.leg_ik() == {"FINISHED"}
    assert [(warning.text, warning.frame) for warning in warnings(walk)] == told


def test_a_button_shows_the_frame_that_a_warning_names(walk):
    assert bpy.ops.skelkin.leg_ik(contacts="ALWAYS") == {"FINISHED"}
    frame = next(warning.frame for warning in warnings(walk) if warning.names_frame)
    bpy.context.scene.frame_set(LATER + 1)
    assert bpy.ops.skelkin.go_to_frame(frame=frame) == {"FINISHED"}
    assert bpy.context.scene.frame_current == frame


def test_a_refusal_names_the_frame_of_the_scene(walk):
    foot = walk.object.pose.bones["foot.L"]
    for frame, size in ((LATER + 1, 1.0), (LATER + 9, 1.0), (LATER + 10, 0.0), (LATER + 11, 1.0)):
        foot.scale = (size, size, size)
        foot.keyframe_insert("scale", frame=frame)
    with pytest.raises(RuntimeError, match=rf"foot\.L is scaled to nothing in frame {LATER + 10}:"):
        bpy.ops.skelkin.leg_ik()
    assert not walk.object.animation_data.action.skelkin.is_planted
