# SPDX-License-Identifier: MIT
"""Travel of the root bone: taken out of a walk, put into a cycle in place; and how fast the ground goes below it."""

from __future__ import annotations

import bpy
import control_rigs
import numpy as np
import pytest
import rigs
import stepping
import terrain
from drawing import draw
from test_switch_loops import PERIOD, SPEED, looping_walk

pytestmark = pytest.mark.usefixtures("addon")

FPS = 30.0
SLIDE = 5e-4  # of the leg
SAME = 2e-5  # of the leg: Blender's poses are in single precision


def heads(walk, names):
    """Return places (F, B, 3) in the world, in legs."""
    return stepping.world_heads(walk.object, names, walk.frames) / walk.leg_length


def turns(walk):
    """Return the rotations (F, B, 3, 3) of all bones in the armature's space."""
    found = np.array([np.frombuffer(bits, np.float32) for bits in stepping.pose_bits(walk.object, walk.frames)])
    return found.reshape(len(found), -1, 4, 4)[..., :3, :3]


def worst_slide(walk):
    """Return how far an ankle goes in the contacts that were planted, in legs."""
    feet, worst = {"left": walk.legs["L"][2], "right": walk.legs["R"][2]}, 0.0
    for contact in walk.object.animation_data.action.skelkin.contacts:
        rows = slice(contact.first - walk.frames[0], contact.last - walk.frames[0] + 1)
        stood = heads(walk, [feet[contact.foot]])[rows, 0, :2]
        worst = max(worst, float(np.linalg.norm(stood - stood[0], axis=1).max()))
    return worst


def ground_speed(walk):
    """Return what the panel shows, in legs per second."""
    mark = walk.object.animation_data.action.skelkin
    shown = any(item[0] == "prop" and item[2] == "ground_speed" for item in draw("SKELKIN_PT_leg_ik"))
    assert shown == (mark.ground_speed > 0)
    return mark.ground_speed / walk.leg_length


def test_a_cycle_in_place_says_how_fast_the_ground_goes_and_travels_as_its_feet_do(capfd):
    walk = looping_walk()
    before = stepping.pose_bits(walk.object, walk.frames)
    assert bpy.ops.skelkin.leg_ik() == {"FINISHED"}
    assert ground_speed(walk) == pytest.approx(SPEED, rel=0.1)  # the drift is part of what feet do
    assert bpy.ops.skelkin.update(travel="TRAVELLING") == {"FINISHED"}
    assert capfd.readouterr().out.count("Ground Motion: From Feet holds the feet") == 1
    assert worst_slide(walk) <= SLIDE
    way = np.ptp(heads(walk, [walk.pelvis])[[0, -1], 0, :2], axis=0)
    assert np.linalg.norm(way) == pytest.approx(ground_speed(walk) * PERIOD / FPS, rel=1e-4)
    assert bpy.ops.skelkin.leg_ik() == {"FINISHED"}
    assert stepping.pose_bits(walk.object, walk.frames) == before


@pytest.mark.parametrize(("keys", "tolerance"), [("EVERY", SAME), ("SPARSE", 0.005)], ids=["every frame", "sparse"])
def test_a_walk_stays_in_place_and_its_bones_turn_as_before(keys, tolerance):
    walk = rigs.mixamo_walk()
    before = stepping.pose_bits(walk.object, walk.frames)
    assert bpy.ops.skelkin.leg_ik() == {"FINISHED"}
    assert not ground_speed(walk)
    names = [walk.pelvis, *(bone for bones in walk.legs.values() for bone in bones[:3])]
    went, turned = heads(walk, names), turns(walk)
    assert bpy.ops.skelkin.update(travel="IN_PLACE", keys=keys) == {"FINISHED"}
    stays = heads(walk, names)
    hips = heads(walk, [bones[0] for bones in walk.legs.values()]).mean(axis=1)
    assert np.linalg.norm((hips[-1] - hips[0])[:2]) <= 2e-4 + tolerance
    times = (np.array(walk.frames) - walk.frames[0])[:, None, None] / FPS
    velocity = (went - stays)[-1].mean(axis=0) / times[-1]
    assert np.abs(went - stays - times * velocity).max() <= 4 * tolerance
    assert ground_speed(walk) == pytest.approx(np.linalg.norm(velocity), abs=tolerance)
    if keys == "EVERY":
        assert np.abs(turns(walk) - turned).max() <= 1e-5
    assert bpy.ops.skelkin.leg_ik() == {"FINISHED"}
    assert stepping.pose_bits(walk.object, walk.frames) == before


def test_feet_on_controls_below_the_root_go_with_it():
    walk = control_rigs.walk_with_controls()
    with control_rigs.edit_bones(walk.object) as bones:
        free = [bone for bone in bones if bone.parent is None]
        root = bones.new("Root")
        root.tail = (0.0, 0.1, 0.0)
        for bone in free:
            bone.parent = root
    assert bpy.ops.skelkin.leg_ik() == {"FINISHED"}
    names = [walk.pelvis, *(bone for bones in walk.legs.values() for bone in bones[:3])]
    went = heads(walk, names)
    assert bpy.ops.skelkin.update(travel="IN_PLACE") == {"FINISHED"}
    stays = heads(walk, names)
    steps = np.diff(went - stays, axis=0)
    assert np.abs(steps - steps.mean(axis=(0, 1))).max() <= 1e-4
    assert np.linalg.norm(steps.mean(axis=(0, 1))) > 0.01


def refused(words, **options):
    """Be refused for this reason by a switch that leaves all as it was."""
    walk = bpy.context.object
    with pytest.raises(RuntimeError, match=f"Travel can only be kept: {words}"):
        bpy.ops.skelkin.leg_ik(**options)
    assert not walk.animation_data.action.skelkin.is_planted
    assert len(bpy.data.actions) == 1


def test_travel_that_cannot_be_changed_is_refused_by_name():
    walk = rigs.mixamo_walk()
    bpy.context.scene.frame_end = 40
    refused("it changes all frames with keys, 1–", travel="IN_PLACE", frames="SCENE")
    refused("the feet do not move back at one speed", travel="TRAVELLING")
    terrain.terrain(walk, name="Ground")
    refused("other ground would be below", travel="IN_PLACE", ground="OBJECTS", ground_object="Ground")
    with control_rigs.edit_bones(walk.object) as bones:
        bones.new("Prop").tail = (0.0, 0.1, 0.0)
    refused(".* has 2 bones without a parent", travel="IN_PLACE")


def test_a_cycle_in_place_has_no_travel_to_remove():
    looping_walk()
    refused("the body ends where it began", travel="IN_PLACE")


def test_a_contact_that_is_pinned_to_a_place_keeps_the_travel():
    walk = rigs.mixamo_walk()
    assert bpy.ops.skelkin.leg_ik() == {"FINISHED"}
    mark = walk.object.animation_data.action.skelkin
    mark.contacts[1].use_place = True
    before = stepping.pose_bits(walk.object, walk.frames)
    with pytest.raises(RuntimeError, match="a contact is pinned to a place in the world"):
        bpy.ops.skelkin.update(travel="IN_PLACE")
    assert stepping.pose_bits(walk.object, walk.frames) == before
