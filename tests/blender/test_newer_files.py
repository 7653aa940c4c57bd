# SPDX-License-Identifier: MIT
"""Files of a newer add-on: what it knows besides is kept, what cannot be read is told and never touched."""

from __future__ import annotations

import json
import sys
from contextlib import contextmanager

import addon_utils
import bpy
import pytest
import rigs
import scene_digest
import stepping
from drawing import draw, sentences
from linking import current, reload
from switching_checks import nudge

VERBS = ("find_legs", "leg_ik", "update", "apply", "remove", "clean_up", "plant_selected", "plant_actions")


@contextmanager
def newer_addon(addon):
    """Run as an add-on whose planted actions remember something more."""
    remembered = sys.modules[f"{addon.__name__}.properties"].SKELKIN_action.__annotations__
    addon_utils.disable(addon.__name__)
    remembered["terrain"] = bpy.props.StringProperty()
    addon_utils.enable(addon.__name__)
    yield
    addon_utils.disable(addon.__name__)
    del remembered["terrain"]
    addon_utils.enable(addon.__name__)


def terrain(name: str) -> str:
    """Return what only the newer add-on knows of the planted action that an object holds."""
    return current(name).skelkin_planted.skelkin.terrain


def test_what_a_newer_addon_remembers_besides_is_kept(addon, tmp_path):
    walk = rigs.mixamo_walk(frames=40)
    name, frames, file = walk.object.name, walk.frames, tmp_path / "newer.blend"
    off = stepping.pose_bits(walk.object, frames)
    with newer_addon(addon):
        assert bpy.ops.skelkin.leg_ik() == {"FINISHED"}
        on = stepping.pose_bits(walk.object, frames)
        mark = walk.object.animation_data.action.skelkin
        mark.terrain = "hills"
        mark.settings = json.dumps({**json.loads(mark.settings), "terrain": "hills"})
        walk.object.skelkin_kept_pose = json.dumps({**json.loads(walk.object.skelkin_kept_pose), "terrain": "hills"})
        bpy.ops.wm.save_as_mainfile(filepath=str(file), check_existing=False)
    bpy.ops.wm.open_mainfile(filepath=str(file))
    assert not hasattr(current(name).skelkin_planted.skelkin, "terrain")
    assert bpy.ops.skelkin.leg_ik() == {"FINISHED"}
    assert stepping.pose_bits(current(name), frames) == off
    assert bpy.ops.skelkin.leg_ik() == {"FINISHED"}
    assert stepping.pose_bits(current(name), frames) == on
    reload(file)
    with newer_addon(addon):
        bpy.ops.wm.open_mainfile(filepath=str(file))
        assert terrain(name) == "hills"
    assert json.loads(current(name).skelkin_planted.skelkin.settings)["terrain"] == "hills"


@pytest.mark.usefixtures("addon")
@pytest.mark.parametrize("switched", ["ON", "OFF"])
def test_what_cannot_be_read_is_told_and_not_touched(tmp_path, switched):
    walk = rigs.mixamo_walk(frames=40)
    name = walk.object.name
    assert bpy.ops.skelkin.leg_ik() == {"FINISHED"}
    planted = walk.object.animation_data.action
    if switched == "OFF":
        assert bpy.ops.skelkin.leg_ik() == {"FINISHED"}
    planted.skelkin.format += 1
    planted.skelkin.settings = "of a kind that is not known here"
    reload(tmp_path / "newer.blend")
    ob = current(name)
    before, bits = scene_digest.digest(ob), stepping.pose_bits(ob, walk.frames)
    said = "planted by a newer version of Skelkin: update the add-on first"
    assert said in sentences(draw("SKELKIN_PT_leg_ik"))
    for verb in VERBS:
        with pytest.raises(RuntimeError, match="nothing to clean up" if verb == "clean_up" else said):
            getattr(bpy.ops.skelkin, verb)()
    assert stepping.pose_bits(ob, walk.frames) == bits
    bpy.context.scene.frame_set(before["frame"][0])
    assert scene_digest.digest(ob) == before


@pytest.mark.usefixtures("addon")
def test_clean_up_leaves_what_a_newer_addon_planted():
    walk = rigs.mixamo_walk(frames=40)
    assert bpy.ops.skelkin.leg_ik() == {"FINISHED"}
    planted, original = walk.object.animation_data.action, walk.action
    planted.skelkin.format += 1
    bpy.data.objects.remove(walk.object)
    with pytest.raises(RuntimeError, match="nothing to clean up"):
        bpy.ops.skelkin.clean_up()
    assert planted.skelkin.source == original
    assert original.use_fake_user
    assert planted.use_fake_user


def test_an_edit_of_the_original_leaves_the_mark_of_a_newer_addon(addon):
    walk = rigs.mixamo_walk(frames=40)
    assert bpy.ops.skelkin.leg_ik() == {"FINISHED"}
    mark = walk.object.animation_data.action.skelkin
    mark.format += 1
    bpy.context.view_layer.update()
    nudge(walk, walk.pelvis)
    bpy.context.view_layer.update()
    assert sys.modules[f"{addon.__name__}.bridge.noticing"].compare() == 0
    assert not mark.source_changed
