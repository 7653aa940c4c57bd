# SPDX-License-Identifier: MIT
"""Files that Blender's glTF exporter writes of planted armatures: one animation for each motion, the planted one."""

from __future__ import annotations

import addon_utils
import bpy
import numpy as np
import pytest
import rigs
import stepping

import skelkin_py as sk

pytestmark = pytest.mark.usefixtures("addon")

EXACT = 2e-4  # of the leg
SLIDES = 0.01  # of the leg: what the walk does unplanted


@pytest.fixture(autouse=True)
def exporter(monkeypatch):
    if "bool" not in vars(np):  # the exporter of 3.4 uses this name, which its numpy has not
        monkeypatch.setitem(vars(np), "bool", bool)
    addon_utils.enable("io_scene_gltf2", default_set=True)


@pytest.fixture
def exported(tmp_path):
    """Export all armatures and return the animations of the file."""

    def export():
        path = tmp_path / "walk.glb"
        bpy.ops.export_scene.gltf(filepath=str(path))
        return sk.load_animations(path)

    return export


def feet_of(walk, clip):
    """Return places (F, 2, 3) of the ankles in a file, Z up, in legs."""
    joints = [clip.names.index(walk.legs[side][2]) for side in "LR"]
    return clip.positions()[:, joints] @ np.array([[1.0, 0, 0], [0, 0, 1], [0, -1, 0]]) / walk.leg_length


def shown_feet(walk):
    return stepping.world_heads(walk.object, [walk.legs[side][2] for side in "LR"], walk.frames) / walk.leg_length


def differs(walk, clip):
    """Return how far feet of a file are from what Blender shows, in legs."""
    return float(np.abs(feet_of(walk, clip) - shown_feet(walk)).max())


def test_a_file_has_the_planted_motion_alone_while_on_and_once_applied(exported):
    walk = rigs.mixamo_walk(slide=0.05)
    before = shown_feet(walk)
    assert bpy.ops.skelkin.leg_ik() == {"FINISHED"}
    assert np.abs(shown_feet(walk) - before).max() > SLIDES
    found = exported()
    assert list(found) == ["Walk planted"]
    assert differs(walk, found["Walk planted"]) <= EXACT
    assert bpy.ops.skelkin.apply() == {"FINISHED"}
    found = exported()
    assert list(found) == ["Walk"]
    assert differs(walk, found["Walk"]) <= EXACT
    assert walk.action.name == "Walk original"


def test_a_file_has_the_original_alone_while_off(exported):
    walk = rigs.mixamo_walk(slide=0.05)
    assert bpy.ops.skelkin.leg_ik() == {"FINISHED"}
    assert bpy.ops.skelkin.leg_ik() == {"FINISHED"}
    found = exported()
    assert list(found) == ["Walk"]
    assert differs(walk, found["Walk"]) <= EXACT


def test_an_original_that_plays_again_after_apply_is_in_the_file(exported):
    walk = rigs.mixamo_walk()
    assert bpy.ops.skelkin.leg_ik() == {"FINISHED"}
    assert bpy.ops.skelkin.apply() == {"FINISHED"}
    walk.object.animation_data.action = walk.action
    assert set(exported()) == {"Walk", "Walk original"}


def test_of_many_planted_actions_all_are_in_the_file_and_no_original(exported):
    walk = rigs.mixamo_walk()
    other = walk.action.copy()
    other.name, other.use_fake_user = "Other", True
    assert bpy.ops.skelkin.plant_actions() == {"FINISHED"}
    assert set(exported()) == {"Walk planted", "Other planted"}


def test_other_actions_are_exported_as_ever(exported):
    walk = rigs.mixamo_walk()
    other = walk.action.copy()
    other.name = "Other"
    assert bpy.ops.skelkin.leg_ik() == {"FINISHED"}
    assert set(exported()) == {"Walk planted", "Other"}
