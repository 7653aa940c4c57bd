# SPDX-License-Identifier: MIT
"""The switch on generated Rigify characters: which controls get the keys. `test_artists_table` has the rest."""

from __future__ import annotations

import animals
import bpy
import keys
import numpy as np
import pytest
import stepping
from control_rigs import worst_slide
from extent import WHOLE
from rigify_rigs import ANIMALS, rigify_animal, rigify_walk
from switching_checks import (
    assert_off_is_exact_and_on_again_the_same,
    values,
)

pytestmark = pytest.mark.usefixtures("addon")

SLIDE = 1e-3  # of the leg
DEFORMING = {"L": "DEF-foot.L", "R": "DEF-foot.R"}
WAYS = {"IK": True, "FK": False}


def switch(**options):
    """Click the switch."""
    return bpy.ops.skelkin.leg_ik(**options)


def planted_bones(walk) -> set[str]:
    """Return the bones that the planted action owns channels of."""
    return {item.bone for item in walk.object.animation_data.action.skelkin.channels}


@pytest.mark.parametrize("way", WAYS)
def test_feet_that_the_mesh_follows_do_not_slide(way):
    walk = rigify_walk(ik=WAYS[way])
    assert worst_slide(walk) > 10 * SLIDE
    assert switch() == {"FINISHED"}
    assert worst_slide(walk) <= SLIDE
    assert worst_slide(walk, DEFORMING) <= SLIDE


def test_an_ik_walk_gets_keys_on_its_ik_controls_only():
    walk = rigify_walk()
    assert switch(ground="HEIGHT", ground_height=-0.02) == {"FINISHED"}
    assert planted_bones(walk) == {"foot_ik.L", "foot_ik.R", "torso"}
    assert walk.object.pose.bones["thigh_parent.L"]["IK_FK"] == 0.0


def test_an_fk_walk_gets_keys_on_its_fk_controls_only():
    walk = rigify_walk(ik=False)
    assert switch() == {"FINISHED"}
    legs = {f"{bone}_fk.{side}" for bone in ("thigh", "shin", "foot") for side in "LR"}
    assert planted_bones(walk) <= {*legs, "torso"}


def switched_walk():
    """Return the IK walk with one leg that goes over to FK for its last third, posed as it is in IK."""
    walk = rigify_walk()
    path = keys.bone_path("thigh_parent.L", "")[:-1] + '["IK_FK"]'
    keys.write(walk.object, path, np.array([1, 40, 60]), np.array([0.0, 0.0, 1.0]), interpolation="CONSTANT")
    return walk


def test_a_leg_whose_ik_fk_changes_is_planted_by_its_fk_controls():
    walk = switched_walk()
    assert switch() == {"FINISHED"}
    bones = planted_bones(walk)
    assert {"thigh_fk.L", "shin_fk.L", "foot_fk.L", "thigh_parent.L", "foot_ik.R"} <= bones
    assert not {bone for bone in bones if bone.startswith(("ORG-", "DEF-", "MCH-"))}
    property_bone = walk.object.pose.bones["thigh_parent.L"]
    for frame in walk.frames:
        bpy.context.scene.frame_set(frame)
        assert property_bone["IK_FK"] == 1.0


def test_off_is_exact_where_ik_fk_was_held():
    assert_off_is_exact_and_on_again_the_same(switched_walk())


def rolled_walk():
    """Return the IK walk with feet that are rolled about heel and toes by their own control."""
    walk = rigify_walk()
    frames = np.array(walk.frames)
    for side in "LR":
        angles = np.zeros((len(frames), 3))
        angles[:, 0] = 0.15 * np.sin(frames / 15 * np.pi)
        keys.write(walk.object, keys.bone_path(f"foot_heel_ik.{side}", "rotation_euler"), frames, angles)
    bpy.context.scene.frame_set(1)
    return walk


def test_rolled_feet_are_planted_through_the_same_control_and_roll_as_before():
    walk = rolled_walk()
    before = {(c.data_path, c.array_index): c for c in keys.fcurves(walk.object) if "foot_heel_ik" in c.data_path}
    rolls = {key: [tuple(point.co) for point in curve.keyframe_points] for key, curve in before.items()}
    assert switch() == {"FINISHED"}
    assert planted_bones(walk) <= {"foot_ik.L", "foot_ik.R", "torso"}
    curves = {(c.data_path, c.array_index): c for c in keys.fcurves(walk.object)}
    assert {key: [tuple(point.co) for point in curves[key].keyframe_points] for key in rolls} == rolls


def test_feet_whose_controls_hang_on_the_torso_do_not_slide():
    walk = rigify_walk(ik_parent=2)
    assert switch(ground="HEIGHT", ground_height=-0.04, keys="EVERY") == {"FINISHED"}
    assert planted_bones(walk) == {"foot_ik.L", "foot_ik.R", "torso"}
    assert worst_slide(walk) <= SLIDE


#: generating a wolf takes a minute and a half
METARIGS = [name for name in ANIMALS if name != "wolf_metarig" or WHOLE]


@pytest.mark.parametrize("metarig", METARIGS)
def test_standing_feet_of_an_animal_do_not_slide_and_off_is_exact(metarig):
    animal = rigify_animal(metarig)
    before = stepping.pose_bits(animal.object, animal.frames), values(animal.object)
    assert animals.worst_slide(animal) > 10 * SLIDE * animal.leg_length
    assert switch() == {"FINISHED"}
    assert animals.worst_slide(animal) <= SLIDE * animal.leg_length
    bones = planted_bones(animal)
    assert {f"{ANIMALS[metarig][0][0]}.{side}" for side in "LR"} <= bones
    assert not {bone for bone in bones if bone.startswith(("ORG-", "DEF-", "MCH-"))}
    assert switch() == {"FINISHED"}
    assert (stepping.pose_bits(animal.object, animal.frames), values(animal.object)) == before


def test_a_torso_that_a_constraint_moves_is_refused_by_name():
    walk = rigify_walk(frames=40)
    constraint = walk.object.pose.bones["torso"].constraints.new("CHILD_OF")
    constraint.name, constraint.target = "Saddle", bpy.data.objects.new("Horse", None)
    bpy.context.scene.collection.objects.link(constraint.target)
    before = stepping.pose_bits(walk.object, walk.frames), values(walk.object)
    with pytest.raises(RuntimeError, match=r"torso is moved by the constraint Saddle of torso: mute it or set its"):
        switch()
    assert (stepping.pose_bits(walk.object, walk.frames), values(walk.object)) == before
