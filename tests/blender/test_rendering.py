# SPDX-License-Identifier: MIT
"""The switch in a render without a window: frames that scripts switch in come out whole; `tests/gui` has the other."""

from __future__ import annotations

from contextlib import contextmanager

import bpy
import pytest
import rigs
import stepping
from rendering import ready_to_render

pytestmark = pytest.mark.usefixtures("addon")


@contextmanager
def handled(kind: str, function):
    """Let Blender call a function for a while."""
    listed = getattr(bpy.app.handlers, kind)
    listed.append(function)
    try:
        yield
    finally:
        listed.remove(function)


@pytest.mark.parametrize("kind", ["render_pre", "render_post", "render_write"])
def test_switched_by_a_script_between_rendered_frames(kind, tmp_path):
    walk = rigs.mixamo_walk(frames=24)
    off = stepping.pose_bits(walk.object, walk.frames)
    assert bpy.ops.skelkin.leg_ik() == {"FINISHED"}
    on = stepping.pose_bits(walk.object, walk.frames)
    assert bpy.ops.skelkin.remove() == {"FINISHED"}
    ready_to_render(tmp_path, frames=3)
    frames = []

    def click(*_):
        frames.append(bpy.context.scene.frame_current)
        assert bpy.ops.skelkin.leg_ik() == {"FINISHED"}
        assert bpy.context.scene.frame_current == frames[-1]

    with handled(kind, click):
        bpy.ops.render.render(animation=True)
    assert frames == [1, 2, 3]
    assert len(list(tmp_path.iterdir())) == 3
    assert stepping.pose_bits(walk.object, walk.frames) == on
    assert bpy.ops.skelkin.remove() == {"FINISHED"}
    assert stepping.pose_bits(walk.object, walk.frames) == off
