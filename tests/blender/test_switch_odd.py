# SPDX-License-Identifier: MIT
"""The switch with what animators do besides: ranges, modifiers, renaming, duplicating and keying while it is on."""

from __future__ import annotations

import bpy
import keys
import numpy as np
import pytest
import rigs
import stepping

pytestmark = pytest.mark.usefixtures("addon")


def switch(**options):
    """Click the switch."""
    return bpy.ops.skelkin.leg_ik(**options)


def values(ob, action, frames):
    """Every curve's values on the frames."""
    curves = keys.fcurves(ob, action)
    return {(c.data_path, c.array_index): np.array([c.evaluate(frame) for frame in frames]) for c in curves}


def assert_outside_stays(walk, first, last, end, **options):
    """Switch on; no curve changes outside of the range."""
    outside = [*range(1, first), *range(last + 1, end + 1)]
    old = values(walk.object, walk.action, outside)
    assert switch(**options) == {"FINISHED"}
    new = values(walk.object, walk.object.animation_data.action, outside)
    for key, before in old.items():
        np.testing.assert_allclose(new[key], before, atol=2e-5 * max(1.0, np.abs(before).max()), err_msg=str(key))


def mute_group_of(walk, bone):
    """Put the bone's curves into a group that is muted."""
    data = walk.object.animation_data
    owner = walk.action.layers[0].strips[0].channelbag(data.action_slot) if keys.SLOTS else walk.action
    group = owner.groups.new(bone)
    for curve in keys.fcurves(walk.object):
        if f'"{bone}"' in curve.data_path:
            curve.group = group
    group.mute = True


def linked_duplicate(walk):
    """Return a second object that plays the same action."""
    second = walk.object.copy()
    bpy.context.scene.collection.objects.link(second)
    if keys.SLOTS:
        second.animation_data.action_slot = walk.object.animation_data.action_slot
    bpy.context.view_layer.objects.active = second
    return second


def test_keys_outside_of_a_manual_frame_range_stay():
    walk = rigs.mixamo_walk(frames=90)
    walk.action.use_frame_range = True
    walk.action.frame_start, walk.action.frame_end = 30, 60
    assert_outside_stays(walk, 30, 60, 90)


@pytest.mark.parametrize("kind", ["NOISE", "GENERATOR", "CYCLES", "LINEAR", "BEZIER"])
def test_modified_and_extrapolated_curves_keep_their_values_outside_of_the_range(kind):
    walk = rigs.mixamo_walk(frames=90)
    bpy.context.scene.frame_start, bpy.context.scene.frame_end = 30, 60
    for curve in keys.fcurves(walk.object):
        if "UpLeg" not in curve.data_path and "Hips" not in curve.data_path:
            continue
        if kind not in ("NOISE", "GENERATOR"):
            for point in [p for p in curve.keyframe_points if not 35 <= p.co[0] <= 55][::-1]:
                curve.keyframe_points.remove(point, fast=True)
        if kind in ("LINEAR", "BEZIER"):
            curve.extrapolation = "LINEAR"
            for point in curve.keyframe_points:
                point.interpolation = kind
        else:
            modifier = curve.modifiers.new(kind)
            if kind == "GENERATOR":
                modifier.use_additive, modifier.coefficients = True, (0.01, 0.0)
            elif kind == "NOISE":
                modifier.strength = 0.02
        curve.update()
    assert_outside_stays(walk, 30, 60, 90, frames="SCENE")


def test_a_curve_without_keys_does_not_widen_the_range():
    walk = rigs.mixamo_walk()
    for curve in keys.fcurves(walk.object):
        for point in curve.keyframe_points:
            point.co[0] += 100
        curve.update()
    keys.fcurves(walk.object).new(keys.bone_path("mixamorig:Neck", "scale"), index=0).modifiers.new("NOISE")
    assert switch() == {"FINISHED"}
    curve = next(c for c in keys.fcurves(walk.object) if "UpLeg" in c.data_path)
    assert curve.keyframe_points[0].co[0] == 101


def test_a_leg_in_a_muted_group_of_curves_is_planted_and_off_is_exact():
    walk = rigs.mixamo_walk()
    mute_group_of(walk, walk.legs["L"][0])
    before = stepping.pose_bits(walk.object, walk.frames)
    assert switch() == {"FINISHED"}
    on = stepping.world_heads(walk.object, [walk.legs["L"][2]], walk.frames)
    assert bpy.ops.skelkin.update() == {"FINISHED"}
    again = stepping.world_heads(walk.object, [walk.legs["L"][2]], walk.frames)
    np.testing.assert_allclose(again, on, atol=1e-5)
    assert switch() == {"FINISHED"}
    assert stepping.pose_bits(walk.object, walk.frames) == before


def test_renaming_object_actions_and_slot_while_on_changes_nothing():
    walk = rigs.mixamo_walk()
    before = stepping.pose_bits(walk.object, walk.frames)
    assert switch() == {"FINISHED"}
    walk.object.name, walk.action.name, walk.object.animation_data.action.name = "Hero", "Stroll", "Other"
    for renamed in ("First", "Second"):
        if keys.SLOTS:
            walk.action.slots[0].name_display = renamed
        assert switch(state="OFF") == {"FINISHED"}
        assert stepping.pose_bits(walk.object, walk.frames) == before
        assert switch(state="ON") == {"FINISHED"}
        assert len(bpy.data.actions) == 2


def test_a_file_of_a_blender_without_slots_switches_off_where_there_are_slots():
    walk = rigs.mixamo_walk()
    before = stepping.pose_bits(walk.object, walk.frames)
    assert switch() == {"FINISHED"}
    mark = walk.object.animation_data.action.skelkin
    mark.slot = mark.source_slot = ""
    assert switch(state="OFF") == {"FINISHED"}
    assert stepping.pose_bits(walk.object, walk.frames) == before
    assert switch(state="ON") == {"FINISHED"}
    assert len(bpy.data.actions) == 2


def test_apply_on_one_of_two_objects_leaves_the_other_switched_on():
    walk = rigs.mixamo_walk()
    before = stepping.pose_bits(walk.object, walk.frames)
    assert switch() == {"FINISHED"}
    on = stepping.pose_bits(walk.object, walk.frames)
    second = linked_duplicate(walk)
    assert bpy.ops.skelkin.apply() == {"FINISHED"}
    assert not second.animation_data.action.skelkin.is_planted
    assert stepping.pose_bits(second, walk.frames) == on
    bpy.context.view_layer.objects.active = walk.object
    assert switch(state="OFF") == {"FINISHED"}
    assert stepping.pose_bits(walk.object, walk.frames) == before


@pytest.mark.parametrize("verb", ["leg_ik", "remove", "update"])
def test_a_duplicate_that_is_on_goes_its_own_way(verb):
    walk = rigs.mixamo_walk()
    before = stepping.pose_bits(walk.object, walk.frames)
    assert switch() == {"FINISHED"}
    on = stepping.pose_bits(walk.object, walk.frames)
    second = linked_duplicate(walk)
    assert getattr(bpy.ops.skelkin, verb)() == {"FINISHED"}
    assert stepping.pose_bits(walk.object, walk.frames) == on
    if verb == "update":
        assert switch(state="OFF") == {"FINISHED"}
    assert stepping.pose_bits(second, walk.frames) == before
    bpy.context.view_layer.objects.active = walk.object
    assert switch(state="OFF") == {"FINISHED"}
    assert stepping.pose_bits(walk.object, walk.frames) == before


def test_custom_properties_and_influences_keyed_while_on_come_back():
    walk = rigs.mixamo_walk()
    ob, head = walk.object, walk.object.pose.bones["mixamorig:Head"]
    ob["mood"], head['a "b"'] = 0.25, [3.0, 2.0]
    constraint = head.constraints.new("LIMIT_ROTATION")
    constraint.influence = 0.125
    assert switch() == {"FINISHED"}
    paths = ('["mood"]', f"{constraint.path_from_id()}.influence", f'{head.path_from_id()}["a \\"b\\""]')
    for path in paths:
        keys.write(ob, path, np.array([1, 60]), np.array([0.0, 1.0]))
    bpy.context.scene.frame_set(60)
    assert ob["mood"] == constraint.influence == head['a "b"'][0] == 1.0
    assert switch() == {"FINISHED"}
    bpy.context.scene.frame_set(3)
    assert (ob["mood"], constraint.influence, *head['a "b"']) == (0.25, 0.125, 3.0, 2.0)


@pytest.mark.parametrize("how", ["object", "collection"])
def test_an_object_that_blender_does_not_evaluate_is_refused_with_the_reason(how):
    walk = rigs.mixamo_walk()
    collection = bpy.data.collections.new("Cast")
    bpy.context.scene.collection.children.link(collection)
    collection.objects.link(walk.object)
    bpy.context.scene.collection.objects.unlink(walk.object)
    hidden = walk.object if how == "object" else collection
    hidden.hide_viewport = True
    with pytest.raises(RuntimeError, match="disabled in viewports"):
        switch()
    assert len(bpy.data.actions) == 1
    hidden.hide_viewport = False
    walk.object.hide_set(True)
    bpy.context.view_layer.objects.active = walk.object
    assert switch() == {"FINISHED"}


def test_a_cycle_is_planted_over_a_longer_scene_range_and_off_is_exact():
    walk = rigs.mixamo_walk(in_place=True)
    for curve in keys.fcurves(walk.object):
        curve.modifiers.new("CYCLES")
    walk.action.update_tag()
    bpy.context.scene.frame_end = 180
    before = stepping.pose_bits(walk.object, range(1, 181))
    assert switch(frames="SCENE") == {"FINISHED"}
    assert stepping.pose_bits(walk.object, range(1, 181)) != before
    assert switch() == {"FINISHED"}
    assert stepping.pose_bits(walk.object, range(1, 181)) == before


def test_switching_on_again_with_other_settings_plants_again_from_the_original():
    walk = rigs.mixamo_walk()
    before = stepping.pose_bits(walk.object, walk.frames)
    assert switch(ground="HEIGHT", ground_height=0.02) == {"FINISHED"}
    low = stepping.pose_bits(walk.object, walk.frames)
    assert switch() == {"FINISHED"}
    assert switch() == {"FINISHED"}  # nothing chosen: the copy that is there
    assert stepping.pose_bits(walk.object, walk.frames) == low
    assert switch() == {"FINISHED"}
    assert switch(ground_height=0.06) == {"FINISHED"}
    assert stepping.pose_bits(walk.object, walk.frames) != low
    assert '"ground": "HEIGHT"' in walk.object.animation_data.action.skelkin.settings
    assert len(bpy.data.actions) == 2
    assert switch() == {"FINISHED"}
    bpy.context.scene.frame_end = 1
    with pytest.raises(RuntimeError, match="planting needs at least 2"):
        switch(frames="SCENE")
    assert walk.object.animation_data.action == walk.action
    assert len(bpy.data.actions) == 2
    assert stepping.pose_bits(walk.object, walk.frames) == before


def test_bones_chosen_by_hand_are_planted_if_they_hang_below_each_other_else_named():
    walk = rigs.mixamo_walk()
    assert bpy.ops.skelkin.find_legs() == {"FINISHED"}
    first, second = walk.object.skelkin_legs
    for joint in ("hip", "knee", "ankle", "toe"):
        mine, other = getattr(first, joint), getattr(second, joint)
        setattr(first, joint, other)
        setattr(second, joint, mine)
    assert switch() == {"FINISHED"}
    assert {c.bone for c in walk.object.animation_data.action.skelkin.channels} >= {
        walk.legs["L"][0],
        walk.legs["R"][0],
    }
    assert bpy.ops.skelkin.remove() == {"FINISHED"}
    assert bpy.ops.skelkin.find_legs() == {"FINISHED"}
    walk.object.skelkin_legs[0].knee = "mixamorig:Head"
    with pytest.raises(RuntimeError, match=r"the knee 'mixamorig:Head' is not below the hip"):
        switch()
    assert len(bpy.data.actions) == 1
