# SPDX-License-Identifier: MIT
"""Motion of others through the switch: Blender's poses are rounded, and legs are turned as if they were not."""

from __future__ import annotations

import bpy
import numpy as np
import pytest
from captured import (
    CHARACTERS,
    Captured,
    data_folder,
    degrees_between,
    import_character,
    import_clip,
    in_double,
    load_clip,
    unscaled,
)
from extent import WHOLE
from real_clips import CLIPS

pytestmark = pytest.mark.usefixtures("addon")

BOUND = 0.1  # degrees, of every thigh, shin and foot in every frame
PLACES = 1e-3  # of the leg, of hips, knees and ankles: near straight, knees move by the root of a rounding


@pytest.fixture
def stepped(addon):
    """Poses are read as Blender evaluates them, in single precision."""
    preferences = bpy.context.preferences.addons[addon.__name__].preferences
    preferences.read = "STEP"
    yield
    preferences.read = "AUTO"


LONG = {"bvh/cmu_01_01", "bvh/optitrack_louise", "bvh/rokoko_jesse_dance"}  # two thirds of the time of all clips
TRIED = [name for name in CLIPS if WHOLE or name not in LONG]
LEFT_ALONE = {"bvh_hard/makehuman_zombieWalk1"}  # its only contact lies beside frames that are no part of the motion


def check_turns(motion: Captured) -> bool:
    """Switch on and compare with the library's own planting in float64; return whether there was something to plant."""
    try:
        refused = ""
        assert bpy.ops.skelkin.leg_ik() == {"FINISHED"}
    except RuntimeError as error:
        refused = str(error)
    if "The range has 1 frame" in refused:
        return False
    if refused:
        assert "nothing changed" in refused
        assert not motion.planted_exactly().changed
        return False
    planted = motion.planted_exactly()
    assert planted.changed
    shown, wanted = motion.shown_legs(), motion.legs_of(planted.local)
    assert bpy.ops.skelkin.remove() == {"FINISHED"}
    assert degrees_between(unscaled(shown), unscaled(wanted)).max() <= BOUND
    away = np.linalg.norm(shown[..., :3, 3] - wanted[..., :3, 3], axis=-1)
    assert away.max() <= PLACES * planted.report.leg_length
    return True


def test_all_clips_at_hand_are_tried():
    assert {f"{p.parent.name}/{p.stem}" for p in data_folder().glob("bvh*/*.bvh")} == set(CLIPS)


@pytest.mark.parametrize("name", TRIED)
def test_keyed_clips_are_turned_as_by_the_library(name):
    assert check_turns(load_clip(name)) == (name not in LEFT_ALONE)


@pytest.mark.usefixtures("stepped")
@pytest.mark.parametrize("name", TRIED)
def test_imported_clips_are_turned_as_in_double(name):
    # Debian's Blender cannot read BVH: its importer opens files as Python 3.11 no longer does.
    motion = import_clip(name) if bpy.app.version >= (3, 5) else load_clip(name)
    assert check_turns(motion) == (name not in LEFT_ALONE)


@pytest.mark.usefixtures("stepped")
@pytest.mark.parametrize("character", CHARACTERS)
def test_a_game_character_s_actions_are_turned_as_in_double(character):
    ob = import_character(character)
    step, count, planted = CHARACTERS[character]
    done = []
    for action in list(bpy.data.actions)[::step]:
        ob.animation_data.action = action
        if hasattr(action, "slots"):
            ob.animation_data.action_slot = action.slots[0]
        done.append(check_turns(in_double(ob)))
    assert (len(done), sum(done)) == (count, planted)


@pytest.mark.parametrize("stride", [1.05, 1.15])
@pytest.mark.parametrize("read", ["AUTO", "STEP"])
def test_a_walk_whose_feet_slide_far_comes_out_the_same_read_from_curves_and_by_stepping(addon, stride, read):
    preferences = bpy.context.preferences.addons[addon.__name__].preferences
    preferences.read = read
    try:
        assert check_turns(load_clip("bvh/cmu_12_01_walk", stride=stride))
    finally:
        preferences.read = "AUTO"
