# SPDX-License-Identifier: MIT
"""Rigs that stand in the way: planted as far as they allow, or refused for the true reason with one cure."""

from __future__ import annotations

import bpy
import keys
import numpy as np
import pytest
import rigs
from control_rigs import walk_with_controls, worst_slide
from rigify_rigs import rigify_walk
from scripted_bipeds import walk_on_world_feet
from switching_checks import assert_off_is_exact_and_on_again_the_same, state

pytestmark = pytest.mark.usefixtures("addon")

SHORT = 40  # frames
EVENLY = ("FULL", "FIX_SHEAR", "ALIGNED", "AVERAGE", "NONE", "NONE_LEGACY")


def switch(**options):
    """Click the switch."""
    return bpy.ops.skelkin.leg_ik(**options)


def assert_refused(walk, sentence: str) -> None:
    """Click the switch: refused with a sentence, and everything as it was."""
    before, actions = state(walk), sorted(bpy.data.actions.keys())
    with pytest.raises(RuntimeError, match=sentence):
        switch()
    assert state(walk) == before
    assert sorted(bpy.data.actions.keys()) == actions


def with_scaled_pelvis(walk, mode: str, scale) -> rigs.WalkingRig:
    """Key the pelvis from its own size to a scale; legs inherit scale in a mode."""
    for bone in (bone for leg in walk.legs.values() for bone in leg):
        walk.object.data.bones[bone].inherit_scale = mode
    grown = 1 + np.linspace(0, 1, len(walk.frames))[:, None] * (np.array(scale) - 1)
    keys.write(walk.object, keys.bone_path(walk.pelvis, "scale"), np.array(walk.frames), grown)
    bpy.context.scene.frame_set(2)
    bpy.context.scene.frame_set(1)
    return walk


def unevenly(walk) -> rigs.WalkingRig:
    """Scale the object unevenly."""
    walk.object.scale = (1.1, 1.1, 0.9)
    bpy.context.view_layer.update()
    return walk


UNEVEN = {
    "Rigify IK": (lambda: unevenly(rigify_walk(frames=30)), "rig"),
    "Rigify FK": (lambda: unevenly(rigify_walk(ik=False, frames=30)), "rig"),
    "reverse foot": (
        lambda: unevenly(walk_with_controls(imported=False, reverse=True, frames=SHORT)),
        "Armature",
    ),
    "feet in the world": (lambda: unevenly(walk_on_world_feet(reverse=True, frames=SHORT)), "Biped"),
    "pelvis": (
        lambda: with_scaled_pelvis(rigs.mixamo_walk(frames=SHORT), "FIX_SHEAR", (1.2, 0.9, 1.05)),
        "mixamorig:Hips",
    ),
}


@pytest.mark.parametrize("rig", UNEVEN)
def test_uneven_scale_is_named_once_with_its_cure_where_feet_cannot_follow(rig):
    make, name = UNEVEN[rig]
    assert_refused(make(), f": {name} is scaled unevenly, so that bones that turn are sheared: give it one scale")


@pytest.mark.parametrize("mode", EVENLY)
@pytest.mark.parametrize("turns_foot", [True, False], ids=["control", "released"])
def test_legs_below_a_pelvis_with_keyed_scale_are_planted_however_they_inherit_it(mode, turns_foot):
    walk = with_scaled_pelvis(walk_with_controls(turns_foot=turns_foot, frames=SHORT), mode, (1.1, 1.1, 1.1))
    before = worst_slide(walk)
    assert switch() == {"FINISHED"}
    assert worst_slide(walk) < 0.3 * before


@pytest.mark.parametrize("mode", ["ALIGNED", "NONE"])
def test_off_is_exact_where_the_pelvis_has_keyed_scale(mode):
    assert_off_is_exact_and_on_again_the_same(
        with_scaled_pelvis(walk_with_controls(turns_foot=False, frames=SHORT), mode, (1.1, 1.1, 1.1))
    )
