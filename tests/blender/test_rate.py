# SPDX-License-Identifier: MIT
"""The rate of the motion, where it is not the scene's: given as a number, or read from the BVH file."""

from __future__ import annotations

import json

import bpy
import keys
import numpy as np
import pytest
import stepping
from captured import data_folder, load_clip
from drawing import draw, operators, sentences

pytestmark = pytest.mark.usefixtures("addon")

NAME = "bvh/cmu_12_01_walk"
BUTTON = "skelkin.rate_from_bvh"


@pytest.fixture
def file():
    return str(data_folder() / f"{NAME}.bvh")


@pytest.fixture
def walk():
    """A capture of 120 frames per second in a scene of 24, as Blender's import leaves it."""
    walk = load_clip(NAME)
    bpy.context.scene.render.fps, bpy.context.scene.render.fps_base = 24, 1.0
    return walk


def state(walk):
    """Return poses, and the keys of what plays."""
    return stepping.pose_bits(walk.object, walk.frames), keys.digest(walk.object, walk.object.animation_data.action)


def planted(walk):
    """Return the contacts that were planted, and all keys."""
    mark = walk.object.animation_data.action.skelkin
    curves = {(curve.data_path, curve.array_index): curve for curve in keys.fcurves(walk.object)}
    values = {key: [point.co[1] for point in curve.keyframe_points] for key, curve in curves.items()}
    return [(contact.foot, contact.first, contact.last) for contact in mark.contacts], values


def at_own_rate(walk):
    """Plant in a scene of 120 frames per second and leave no trace."""
    render = bpy.context.scene.render
    render.fps = 120
    assert bpy.ops.skelkin.leg_ik() == {"FINISHED"}
    assert not offers_file(walk)
    found = planted(walk)
    assert bpy.ops.skelkin.remove() == {"FINISHED"}
    render.fps = 24
    return found


def offers_file(walk):
    """Whether the panel says that the motion is slow, and offers to take the rate from its file."""
    says = "slow motion" in sentences(draw("SKELKIN_PT_leg_ik"))
    assert says == (BUTTON in operators(draw("SKELKIN_PT_leg_ik")))
    return says


def same(found, wanted):
    assert found[0] == wanted[0]
    assert found[1].keys() == wanted[1].keys()
    return max(np.abs(np.subtract(found[1][key], wanted[1][key])).max() for key in wanted[1])


def test_a_motion_slower_than_it_was_made_is_said_and_its_file_gives_the_rate(walk, file):
    before = state(walk)
    wanted = at_own_rate(walk)
    assert bpy.ops.skelkin.leg_ik() == {"FINISHED"}
    assert offers_file(walk)
    assert planted(walk)[0] != wanted[0]
    assert "Update keeps" not in sentences(draw("SKELKIN_PT_settings"))
    assert bpy.ops.skelkin.rate_from_bvh(filepath=file) == {"FINISHED"}
    assert "Update still uses the old: Rate, BVH File" in sentences(draw("SKELKIN_PT_settings"))
    assert not offers_file(walk)
    assert same(planted(walk), wanted) <= 1e-6
    assert bpy.ops.skelkin.update() == {"FINISHED"}  # the action remembers it
    assert same(planted(walk), wanted) <= 1e-6
    assert bpy.ops.skelkin.leg_ik() == {"FINISHED"}
    assert state(walk) == before


def test_the_rate_can_be_a_number(walk):
    wanted = at_own_rate(walk)
    assert bpy.ops.skelkin.leg_ik(rate="NUMBER", rate_fps=120.0) == {"FINISHED"}
    assert same(planted(walk), wanted) <= 1e-6
    assert not offers_file(walk)
    assert bpy.ops.skelkin.update(rate_fps=24.0) == {"FINISHED"}
    assert offers_file(walk)


def test_the_rate_of_an_armature_of_its_own_comes_with_its_settings(walk, file):
    wanted = at_own_rate(walk)
    walk.object.skelkin_own_settings = True
    walk.object.skelkin_rate, walk.object.skelkin_rate_file = "BVH", file
    assert bpy.ops.skelkin.leg_ik() == {"FINISHED"}
    assert same(planted(walk), wanted) <= 1e-6
    assert json.loads(walk.object.animation_data.action.skelkin.settings)["rate_file"] == file


@pytest.mark.parametrize("name", ["", "gone.bvh", "no_motion.bvh"])
def test_a_file_without_a_rate_is_refused_and_nothing_changes(walk, tmp_path, name):
    (tmp_path / "no_motion.bvh").write_text("HIERARCHY\n")
    assert bpy.ops.skelkin.leg_ik() == {"FINISHED"}
    before, found = state(walk), planted(walk)
    with pytest.raises(RuntimeError, match="The BVH file for Rate cannot be read"):
        bpy.ops.skelkin.rate_from_bvh(filepath=str(tmp_path / name) if name else "")
    assert state(walk) == before
    assert planted(walk) == found
