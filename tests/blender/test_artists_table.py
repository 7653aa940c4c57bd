# SPDX-License-Identifier: MIT
"""The artist's table: every situation of a character, and whether the switch plants it or says what to do instead."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial

import bpy
import keys
import numpy as np
import pytest
import rigs
import scene_digest
import stepping
from control_rigs import drive, drop_keys, slide_of, walk_with_controls, walk_with_three_chains
from linking import overridden
from makehuman_rigs import makehuman_walk
from rigify_rigs import rigify_walk
from switching_checks import assert_remove_leaves_nothing, nudge, state, switch_on_undo_and_redo

pytestmark = pytest.mark.usefixtures("addon")

SLIDE = 1e-3  # of the leg
STRAY = 0.05  # of the leg: how far hips, knees and ankles may leave their old way
SHORT = 40  # frames


@dataclass
class Planted:
    """A situation in which the feet are planted; ``make(folder)`` builds it.

    ``options`` are of the operator ``by`` which it is switched on; ``edited`` is the bone whose keys are moved to see
    whether *Update* follows, the pelvis if empty. On the frames ``kept`` nothing may move.
    """

    make: Callable
    options: dict = field(default_factory=dict)
    by: str = "leg_ik"
    edited: str = ""
    kept: tuple[int, ...] = ()


def empty(name: str) -> bpy.types.Object:
    thing = bpy.data.objects.new(name, None)
    bpy.context.scene.collection.objects.link(thing)
    return thing


def plain(_folder=None, **options):
    return rigs.mixamo_walk(frames=SHORT, **options)


def metarig(_folder):
    return rigs.human_metarig_walk(frames=SHORT)


def mirrored(_folder):
    walk = plain()
    walk.object.scale[0] *= -1
    return walk


def scaled_unevenly(_folder):
    walk = plain(imported=False)
    walk.object.scale = (1.1, 1.1, 0.9)
    return walk


def below_a_turned_parent(_folder):
    walk = plain(root_motion="parent")
    world = empty("World")
    world.rotation_euler = (0.0, 0.0, 0.7)
    walk.object.parent.parent = world
    return walk


def with_another_slot(_folder):
    walk = plain()
    other = empty("Prop")
    other.animation_data_create().action = walk.action
    other.animation_data.action_slot = walk.action.slots.new(id_type="OBJECT", name="Prop")
    keys.write(other, "location", np.array([1, SHORT]), np.array([[0, 0, 0], [1, 0, 0]]))
    return walk


def strip(walk):
    track = walk.object.animation_data.nla_tracks.new()
    track.strips.new("Walk", 1, walk.action)


def strip_alone(_folder):
    walk = plain()
    strip(walk)
    walk.object.animation_data.action = None
    return walk


def strip_below_an_action(_folder):
    walk = plain()
    strip(walk)
    return walk


def copying_another_armature(_folder=None):
    """A walk whose legs copy the rotations of another armature, as retargeting leaves them."""
    walk = plain()
    source = walk.object.copy()
    source.animation_data.action = walk.action.copy()
    if keys.SLOTS:
        source.animation_data.action_slot = source.animation_data.action.slots[0]
    bpy.context.scene.collection.objects.link(source)
    for bone in (bone for leg in walk.legs.values() for bone in leg):
        copy = walk.object.pose.bones[bone].constraints.new("COPY_ROTATION")
        copy.target, copy.subtarget, copy.target_space, copy.owner_space = source, bone, "LOCAL", "LOCAL"
    drop_keys(walk.object, [bone for leg in walk.legs.values() for bone in leg])
    return walk


def copying_without_an_action(_folder):
    walk = copying_another_armature()
    bpy.data.actions.remove(walk.action)
    return walk


def carried_by_a_child_of(_folder):
    """A walk whose object is carried by another one, which has its keys."""
    walk = plain(root_motion="object")
    horse = empty("Horse")
    keys.new_action(horse, "Ride")
    curves = [curve for curve in keys.fcurves(walk.object) if curve.data_path == "location"]
    way = np.array([[curve.evaluate(frame) for curve in curves] for frame in walk.frames])
    keys.write(horse, "location", np.array(walk.frames), way)
    drop_keys(walk.object, [], ["location"])
    walk.object.constraints.new("CHILD_OF").target = horse
    return walk


def saddled(_folder):
    walk = plain()
    constraint = walk.object.pose.bones[walk.pelvis].constraints.new("CHILD_OF")
    constraint.name, constraint.target = "Saddle", empty("Horse")
    return walk


def driven(_folder):
    walk = plain()
    walk.object.pose.bones[walk.legs["L"][0]].driver_add("rotation_quaternion", 1).driver.expression = "0.1"
    return walk


def driven_head(_folder):
    walk = plain()
    drop_keys(walk.object, ["mixamorig:Head"])
    walk.object.pose.bones["mixamorig:Head"].driver_add("rotation_quaternion", 1).driver.expression = "0.1"
    return walk


def ik_behind_a_property(_folder):
    walk = walk_with_controls(turns_foot=False, frames=SHORT)
    walk.object["ik"] = 1.0
    for leg in walk.legs.values():
        drive(walk.object, walk.object.pose.bones[leg[1]].constraints["IK"], "ik")
    walk.object.update_tag()
    bpy.context.view_layer.update()
    return walk


def linked(folder):
    walk = plain()
    bpy.ops.wm.save_as_mainfile(filepath=str(folder / "character.blend"), check_existing=False)
    name = walk.object.name
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    with bpy.data.libraries.load(str(folder / "character.blend"), link=True) as (_, target):
        target.objects = [name]
    walk.object = target.objects[0]
    bpy.context.scene.collection.objects.link(walk.object)
    bpy.context.view_layer.objects.active = walk.object
    return walk


def overridden_and_animated(folder):
    """A character that is linked and overridden, animated by an action of the shot."""
    walk = plain()
    bpy.ops.wm.save_as_mainfile(filepath=str(folder / "character.blend"), check_existing=False)
    walk.object = overridden(folder / "character.blend", walk.object.name)
    data = walk.object.animation_data
    walk.action = data.action.copy()
    walk.action.name = "Shot"
    data.action = walk.action
    if keys.SLOTS:
        data.action_slot = walk.action.slots[0]
    return walk


def overridden_by_the_system(folder):
    walk = overridden_and_animated(folder)
    walk.object.override_library.is_system_override = True
    return walk


def with_another(_folder):
    other = rigs.human_metarig_walk(frames=SHORT).object
    walk = plain()
    for ob in (other, walk.object):
        ob.select_set(True)
    bpy.context.view_layer.objects.active = walk.object
    return walk


def partly_muted(_folder):
    walk = plain()
    for curve in keys.fcurves(walk.object):
        curve.mute = "Spine" in curve.data_path or "ToeBase" in curve.data_path
    keys.write(walk.object, "location", np.array([1, SHORT]), np.array([[0, 0, 0], [0, 0, 3]]))
    for curve in keys.fcurves(walk.object):
        curve.mute |= curve.data_path == "location"
    return walk


def previewed(_folder):
    walk = rigs.mixamo_walk(frames=60)
    scene = bpy.context.scene
    scene.use_preview_range, scene.frame_preview_start, scene.frame_preview_end = True, 8, 56
    for spans in walk.stance.values():
        spans[:] = [span for span in spans if span[0] > 8 and span[1] < 56]
    return walk


def hidden_in_the_outliner(_folder):
    walk = plain()
    walk.object.hide_set(True)
    bpy.context.view_layer.objects.active = walk.object
    return walk


def hidden_bones(_folder):
    walk = plain()
    for leg in walk.legs.values():
        for bone in leg:
            walk.object.data.bones[bone].hide = True
            if hasattr(walk.object.pose.bones[bone], "hide"):
                walk.object.pose.bones[bone].hide = True
    return walk


def hidden_bone_collections(_folder):
    walk = plain()
    data = walk.object.data
    if hasattr(data, "collections"):
        legs = data.collections.new("Legs")
        for bone in walk.leg_bones:
            legs.assign(data.bones[bone])
        legs.is_visible = False
    else:
        for bone in walk.leg_bones:
            data.bones[bone].layers = [k == 31 for k in range(32)]
    return walk


def disabled_in_viewports(_folder):
    walk = plain()
    walk.object.hide_viewport = True
    return walk


def ten_thousand_frames(_folder):
    walk = rigs.mixamo_walk(frames=61)
    rigs.repeat_walk(walk, 167)
    walk.frames = range(5001, 5061)
    for spans in walk.stance.values():
        spans[:] = [span for span in spans if span[0] >= 5001 and span[1] <= 5060]
    return walk


def controls(_folder, **options):
    return walk_with_controls(frames=SHORT, **options)


PLANTED = {
    "plain": Planted(plain),
    "plain metarig": Planted(metarig),
    "scaled to a hundredth, unconnected": Planted(partial(plain, imported=True)),
    "scaled unevenly": Planted(scaled_unevenly),
    "parented to an animated empty, scaled": Planted(partial(plain, root_motion="parent")),
    "mirrored": Planted(mirrored),
    "parented to one below a turned one": Planted(below_a_turned_parent),
    "IK": Planted(controls),
    "IK that leaves the foot alone": Planted(partial(controls, turns_foot=False)),
    "IK on reverse feet": Planted(partial(controls, reverse=True)),
    "IK to empties": Planted(partial(controls, goal="object")),
    "Copy Rotation": Planted(lambda _: walk_with_three_chains(0, "COPY_ROTATION", frames=SHORT)),
    "Copy Rotation of another armature": Planted(copying_another_armature),
    "Child Of on the controls' parents": Planted(partial(controls, holder="CHILD_OF", influence=0.5)),
    "Child Of on the object": Planted(carried_by_a_child_of),
    "driver on another bone": Planted(driven_head),
    "driver behind IK": Planted(ik_behind_a_property),
    "Rigify IK": Planted(lambda _: rigify_walk(frames=30), edited="torso"),
    "Rigify FK": Planted(lambda _: rigify_walk(ik=False, frames=30), edited="torso"),
    "MakeHuman's default rig": Planted(lambda _: makehuman_walk("default", SHORT)),
    "MakeHuman's game engine rig": Planted(lambda _: makehuman_walk("game_engine", SHORT)),
    "MakeHuman's Mixamo rig": Planted(lambda _: makehuman_walk("mixamo", SHORT)),
    "overridden": Planted(overridden_and_animated),
    "several at once": Planted(with_another, by="plant_selected"),
    "muted curves": Planted(partly_muted),
    "preview range": Planted(previewed, {"frames": "SCENE"}, kept=(1, 4, 7, 8, 56, 57, 60)),
    "hidden in the outliner": Planted(hidden_in_the_outliner),
    "hidden bones": Planted(hidden_bones),
    "hidden bone collection": Planted(hidden_bone_collections),
    "10 000 frames": Planted(ten_thousand_frames),
    "NLA strip alone": Planted(strip_alone),
    "NLA strip below an action": Planted(strip_below_an_action),
}
if keys.SLOTS:
    PLANTED["two slots"] = Planted(with_another_slot)

REFUSED = {
    "Copy Rotation without an action": (copying_without_an_action, "has no action: give it one, or bake what moves it"),
    "Child Of on the pelvis": (saddled, r"Hips is moved by the constraint Saddle of .*Hips: mute it or set its"),
    "driver on a leg": (driven, r"LeftUpLeg has a driver on rotation_quaternion: remove or mute it"),
    "linked": (linked, "Armature is linked: make a library override of it first"),
    "overridden by the system": (overridden_by_the_system, "an override that is not editable: make it editable first"),
    "disabled in viewports": (disabled_in_viewports, "its collection is disabled in viewports.*: enable it"),
}


def joints(walk) -> np.ndarray:
    """Return hips, knees and ankles (F, 6, 3) in the world, in leg lengths."""
    names = [bone for leg in walk.legs.values() for bone in leg[:3]]
    return stepping.world_heads(walk.object, names, walk.frames) / walk.leg_length


def assert_planted(walk, row: Planted) -> None:
    """Switch on, undo, do it again, off, edit, on, Update, off, on, Remove: each owes what it owes."""
    ways, off, curves = joints(walk), state(walk), curves_of(walk.action)
    assert slide_of(walk, ways[:, 2::3]) > 10 * SLIDE
    switch_on_undo_and_redo(walk, getattr(bpy.ops.skelkin, row.by), **row.options)
    assert_stands(walk, ways, row.kept)
    assert bpy.ops.skelkin.leg_ik(state="OFF") == {"FINISHED"}
    assert state(walk) == off
    assert curves_of(walk.action) == curves
    nudge(walk, row.edited or walk.pelvis)
    ways, off = joints(walk), state(walk)
    assert bpy.ops.skelkin.leg_ik(state="ON") == {"FINISHED"}
    assert walk.object.animation_data.action.skelkin.source_changed
    assert bpy.ops.skelkin.update() == {"FINISHED"}
    assert_stands(walk, ways)
    on = stepping.pose_bits(walk.object, walk.frames)
    assert bpy.ops.skelkin.leg_ik(state="OFF") == {"FINISHED"}
    assert state(walk) == off
    assert bpy.ops.skelkin.leg_ik(state="ON") == {"FINISHED"}
    assert stepping.pose_bits(walk.object, walk.frames) == on
    assert_remove_leaves_nothing(walk, off)


def curves_of(action) -> list:
    """Return the curves of all slots of an action, to be compared bit for bit."""
    return scene_digest.action_of(action)["curves"]


def assert_stands(walk, ways: np.ndarray, kept: tuple[int, ...] = ()) -> None:
    """Feet do not slide, and the legs keep the ``ways`` they went before, on the frames ``kept`` exactly."""
    found = joints(walk)
    assert slide_of(walk, found[:, 2::3]) <= SLIDE
    assert np.linalg.norm(found - ways, axis=2).max() <= STRAY
    rows = [walk.frames.index(frame) for frame in kept]
    np.testing.assert_allclose(found[rows], ways[rows], atol=1e-5)


def assert_refused(walk, sentence: str) -> None:
    """Click: the sentence is said, and the file is as it was."""
    bpy.context.view_layer.update()
    before = scene_digest.digest(walk.object)
    with pytest.raises(RuntimeError, match=sentence):
        bpy.ops.skelkin.leg_ik()
    assert scene_digest.digest(walk.object) == before


@pytest.mark.parametrize("situation", PLANTED)
def test_the_feet_are_planted(situation, tmp_path):
    row = PLANTED[situation]
    assert_planted(row.make(tmp_path), row)


@pytest.mark.parametrize("situation", REFUSED)
def test_it_is_refused_with_what_to_do(situation, tmp_path):
    make, sentence = REFUSED[situation]
    assert_refused(make(tmp_path), sentence)
