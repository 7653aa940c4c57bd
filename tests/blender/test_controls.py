# SPDX-License-Identifier: MIT
"""The switch on legs that do not follow their own keys: foot controls are keyed, or constraints let go of the bones."""

from __future__ import annotations

import sys

import bpy
import keys
import numpy as np
import pytest
import rigs
import stepping
from control_rigs import (
    CONTROLS,
    copied,
    drive,
    edit_bones,
    walk_that_leaves_ik,
    walk_with_controls,
    walk_with_three_chains,
    worst_slide,
)
from switching_checks import (
    assert_off_is_exact_and_on_again_the_same,
    assert_update_follows_an_edit_of_the_original,
    state,
    switch_on_undo_and_redo,
)

pytestmark = pytest.mark.usefixtures("addon")

SLIDE = 1e-3  # of the leg


def switch(**options):
    """Click the switch."""
    return bpy.ops.skelkin.leg_ik(**options)


def planted_channels(walk):
    """Return the bones and channels that the planted action owns."""
    return {(item.bone, item.channel) for item in walk.object.animation_data.action.skelkin.channels}


RIGS = {
    "control without parent": {},
    "control below the pelvis": {"parent": "mixamorig:Hips"},
    "reverse foot": {"reverse": True},
    "Euler angles": {"rotation_mode": "ZXY"},
    "root motion on a scaled parent": {"root_motion": "parent"},
    "goal that hangs on the control": {"goal": "hanging object"},
    "controls out of reach": {"beyond": 0.1},
}


def goals():
    """Return the objects that feet go for."""
    return [bpy.data.objects[f"Goal.{side}"] for side in "LR"]


def goal_state():
    """Return what the goals play, where they are and what their actions hold."""
    found = []
    for frame in (1, 20, 45, 200, -5, 1):
        bpy.context.scene.frame_set(frame)
        found.append([tuple(map(tuple, goal.matrix_world)) for goal in goals()])
    played = [goal.animation_data.action for goal in goals()]
    return found, [action.name for action in played], [keys.digest(*pair) for pair in zip(goals(), played, strict=True)]


@pytest.mark.parametrize("rig", RIGS)
def test_feet_are_planted_through_their_controls(rig):
    walk = walk_with_controls(**RIGS[rig])
    before = worst_slide(walk)
    assert before > 10 * SLIDE
    assert switch(keys="EVERY") == {"FINISHED"}
    assert worst_slide(walk) <= SLIDE
    bones = {bone for bone, _ in planted_channels(walk)}
    assert {CONTROLS["L"], CONTROLS["R"]} <= bones
    assert not bones & {bone for leg in walk.legs.values() for bone in leg}


@pytest.mark.parametrize("rig", RIGS)
def test_off_is_exact_and_on_again_the_same_with_controls(rig):
    assert_off_is_exact_and_on_again_the_same(walk_with_controls(**RIGS[rig]))


def test_update_follows_an_edit_of_a_control():
    walk = walk_with_controls()
    assert_update_follows_an_edit_of_the_original(walk, CONTROLS["L"])


def test_undo_takes_back_keys_of_controls():
    switch_on_undo_and_redo(walk_with_controls())


def test_a_roll_below_the_control_keeps_its_keys():
    walk = walk_with_controls(reverse=True)
    rolls = [c for c in keys.fcurves(walk.object) if '"Heel' in c.data_path or '"Ball' in c.data_path]
    before = [[tuple(point.co) for point in curve.keyframe_points] for curve in rolls]
    assert switch() == {"FINISHED"}
    paths = [(curve.data_path, curve.array_index) for curve in rolls]
    curves = {(c.data_path, c.array_index): c for c in keys.fcurves(walk.object)}
    assert [[tuple(point.co) for point in curves[path].keyframe_points] for path in paths] == before


def walk_with_goals(**options):
    """Return the walk whose feet follow empties with keys of their own, of which the location is not all keyed."""
    walk = walk_with_controls(goal="object", **options)
    for goal in goals():
        keys.fcurves(goal).remove(
            next(c for c in keys.fcurves(goal) if c.data_path == "location" and c.array_index == 0)
        )
        goal.location[0] = 0.1 if goal.name.endswith("L") else -0.1
    bpy.context.scene.frame_set(1)
    return walk


def test_feet_are_planted_through_goals_that_are_objects():
    walk = walk_with_goals()
    before, original = worst_slide(walk), goal_state()
    assert before > 10 * SLIDE
    assert switch() == {"FINISHED"}
    assert worst_slide(walk) <= SLIDE
    assert {bone for bone, _ in planted_channels(walk)} <= {walk.pelvis}
    assert all(goal.animation_data.action.skelkin.is_planted for goal in goals())
    assert goal_state()[0] != original[0]
    assert switch() == {"FINISHED"}
    assert goal_state() == original


def test_off_is_exact_and_on_again_the_same_with_goals():
    walk = walk_with_goals()
    original = goal_state()
    assert_off_is_exact_and_on_again_the_same(walk)
    assert goal_state() == original
    assert sorted(action.name for action in bpy.data.actions) == ["Goal.L", "Goal.R", "Walk"]
    assert not any(action.use_fake_user for action in bpy.data.actions)


def test_update_follows_an_edit_of_a_goal_and_of_its_planted_action():
    walk = walk_with_goals()
    assert switch(keys="EVERY") == {"FINISHED"}
    on = stepping.pose_bits(walk.object, walk.frames)
    assert switch() == {"FINISHED"}
    nudge(goals()[0])
    original = goal_state()
    assert switch() == {"FINISHED"}
    assert walk.object.animation_data.action.skelkin.source_changed
    assert bpy.ops.skelkin.update() == {"FINISHED"}
    new = stepping.pose_bits(walk.object, walk.frames)
    assert new != on
    assert len(bpy.data.actions) == 6
    nudge(goals()[0])
    feet = [leg[2] for leg in walk.legs.values()]
    by_hand = stepping.world_heads(walk.object, feet, walk.frames)
    assert bpy.ops.skelkin.update() == {"FINISHED"}
    assert goals()[0].animation_data.action.name == "Goal.L planted"
    assert np.abs(stepping.world_heads(walk.object, feet, walk.frames) - by_hand).max() <= 1e-4 * walk.leg_length
    assert len(bpy.data.actions) == 6
    assert switch() == {"FINISHED"}
    assert goal_state() == original


def nudge(thing) -> None:
    """Move all keys of an object's location."""
    for curve in [curve for curve in keys.fcurves(thing) if curve.data_path == "location"]:
        for point in curve.keyframe_points:
            point.co[1] += 0.02
        curve.update()


def test_a_goal_that_plays_another_action_is_said_and_update_plants_that():
    walk = walk_with_goals()
    assert switch() == {"FINISHED"}
    assert switch() == {"FINISHED"}
    goal = goals()[0]
    other = goal.animation_data.action.copy()
    goal.animation_data.action = other
    if keys.SLOTS:
        goal.animation_data.action_slot = other.slots[0]
    nudge(goal)
    original = goal_state()
    assert switch() == {"FINISHED"}
    assert walk.object.animation_data.action.skelkin.source_changed
    assert bpy.ops.skelkin.update() == {"FINISHED"}
    assert worst_slide(walk) <= SLIDE
    assert goal.animation_data.action.skelkin.source == other
    assert switch() == {"FINISHED"}
    assert goal_state() == original


def test_apply_leaves_goals_with_ordinary_actions():
    walk = walk_with_goals()
    assert switch() == {"FINISHED"}
    on = stepping.pose_bits(walk.object, walk.frames)
    assert bpy.ops.skelkin.apply() == {"FINISHED"}
    assert not any(action.skelkin.is_planted or action.use_fake_user for action in bpy.data.actions)
    assert stepping.pose_bits(walk.object, walk.frames) == on


def test_undo_takes_back_keys_of_goals():
    walk = walk_with_goals()
    original = goal_state()
    bpy.ops.ed.undo_push(message="first")
    switch_on_undo_and_redo(walk)
    assert switch(state="OFF") == {"FINISHED"}
    assert goal_state() == original


def test_a_duplicate_with_its_goals_goes_its_own_way():
    walk = walk_with_goals()
    original = goal_state()
    assert switch() == {"FINISHED"}
    on = goal_state()
    for thing in (*goals(), walk.object):
        thing.select_set(True)
    assert bpy.ops.object.duplicate() == {"FINISHED"}
    assert bpy.context.view_layer.objects.active != walk.object
    assert switch(state="OFF") == {"FINISHED"}
    assert goal_state() == on
    bpy.context.view_layer.objects.active = walk.object
    assert switch(state="OFF") == {"FINISHED"}
    assert goal_state() == original


@pytest.mark.parametrize("call", ["leg_ik", "update"])
def test_a_failure_while_feet_are_checked_leaves_goals_as_they_were(addon, monkeypatch, call):
    walk = walk_with_goals()
    if call == "update":
        assert switch() == {"FINISHED"}
    before, names = (goal_state(), state(walk, planted=call == "update")), sorted(a.name for a in bpy.data.actions)
    switching = sys.modules[f"{addon.__name__}.bridge.switching"]

    def broken(*_):
        raise ValueError("no measure")

    monkeypatch.setattr(switching, "measure", broken)
    with pytest.raises(RuntimeError, match="no measure"):
        getattr(bpy.ops.skelkin, call)()
    assert (goal_state(), state(walk, planted=call == "update")) == before
    assert sorted(a.name for a in bpy.data.actions) == names


def test_the_report_names_the_control_and_the_worst_miss_of_all_frames(capfd):
    walk_with_controls()
    assert switch(keys="EVERY") == {"FINISHED"}
    said = capfd.readouterr().out
    assert "left leg: the control Foot control.L gets the keys" in said
    assert "All frames checked: feet are within 0.0" in said


def released(**options):
    """Return a walk whose feet turn with the shins, so that no control moves them."""
    return walk_with_controls(turns_foot=False, **options)


@pytest.mark.parametrize("goal", ["bone", "object"])
def test_without_a_control_that_the_foot_follows_its_own_bones_get_the_keys(goal):
    walk = released(goal=goal)
    before = worst_slide(walk)
    assert before > 10 * SLIDE
    assert switch() == {"FINISHED"}
    assert worst_slide(walk) <= SLIDE
    for thigh, shin, foot, _ in walk.legs.values():
        assert planted_channels(walk) >= {
            (shin, 'constraints["IK"].influence'),
            *((bone, "rotation_quaternion") for bone in (thigh, shin, foot)),
        }
        constraint = walk.object.pose.bones[shin].constraints["IK"]
        assert (constraint.influence, constraint.mute) == (0.0, False)


@pytest.mark.parametrize("goal", ["bone", "object"])
def test_off_is_exact_and_on_again_the_same_with_released_legs(goal):
    assert_off_is_exact_and_on_again_the_same(released(goal=goal))


def test_update_follows_an_edit_of_the_pelvis_with_released_legs():
    walk = released()
    assert_update_follows_an_edit_of_the_original(walk, walk.pelvis)


def test_a_goal_that_is_an_object_is_named(capfd):
    released(goal="object")
    assert switch() == {"FINISHED"}
    said = capfd.readouterr().out
    assert "IK of mixamorig:LeftLeg held at 0, its goal Goal.L is an object, which gets none" in said


def test_undo_gives_influences_back():
    switch_on_undo_and_redo(released())


def test_an_influence_keyed_before_is_held_over_the_range_only():
    walk = released(frames=90)
    path = walk.object.pose.bones[walk.legs["L"][1]].constraints["IK"].path_from_id() + ".influence"
    keys.write(walk.object, path, np.array([1, 90]), np.array([1.0, 0.8]))
    before = next(c for c in keys.fcurves(walk.object) if c.data_path == path)
    outside = [1, 10, 29, 61, 75, 90]
    old = [before.evaluate(frame) for frame in outside]
    bpy.context.scene.frame_start, bpy.context.scene.frame_end = 30, 60
    assert switch(frames="SCENE") == {"FINISHED"}
    curve = next(c for c in keys.fcurves(walk.object) if c.data_path == path)
    np.testing.assert_allclose([curve.evaluate(frame) for frame in outside], old, atol=1e-5)
    assert {curve.evaluate(frame) for frame in range(30, 61)} == {0.0}


def test_an_update_that_is_refused_after_trials_leaves_the_planted_action_as_it_was():
    walk = released()
    assert switch() == {"FINISHED"}
    planted, on = walk.object.animation_data.action, state(walk, planted=True)
    thigh = walk.object.pose.bones[walk.legs["L"][0]]
    thigh.driver_add("rotation_quaternion", 1).driver.expression = "0.1"
    with pytest.raises(RuntimeError, match=r"LeftUpLeg has a driver on rotation_quaternion: remove or mute it"):
        bpy.ops.skelkin.update()
    thigh.driver_remove("rotation_quaternion", 1)
    assert walk.object.animation_data.action == planted
    assert state(walk, planted=True) == on


def test_a_control_whose_parent_follows_the_pelvis_in_part_brings_the_foot_where_it_was_planned():
    walk = walk_with_controls(holder="CHILD_OF", influence=0.5)
    assert switch(ground="HEIGHT", ground_height=-0.05) == {"FINISHED"}
    assert worst_slide(walk) <= SLIDE
    assert (walk.pelvis, "location") in planted_channels(walk)
    assert (CONTROLS["L"], "location") in planted_channels(walk)


@pytest.mark.parametrize("kind", ["CHILD_OF", "COPY_LOCATION"])
def test_a_constraint_on_the_control_itself_leaves_the_keys_to_the_legs_own_bones(kind):
    walk = walk_with_controls()
    hips = walk.object.pose.bones[walk.pelvis]
    constraint = walk.object.pose.bones[CONTROLS["L"]].constraints.new(kind)
    constraint.target, constraint.subtarget, constraint.influence = walk.object, hips.name, 0.1
    assert switch() == {"FINISHED"}
    bones = {bone for bone, _ in planted_channels(walk)}
    assert CONTROLS["L"] not in bones
    assert {*walk.legs["L"][:3], CONTROLS["R"]} <= bones


@pytest.mark.parametrize("count", [1, 2])
@pytest.mark.parametrize("value", [1, True, 1.0])
def test_a_property_behind_driven_influences_is_held_where_that_frees_the_leg(count, value):
    walk = released()
    switches = drive_influences(walk, count, value)
    before = state(walk)
    assert switch() == {"FINISHED"}
    assert worst_slide(walk) <= SLIDE
    assert {("", f'["{name}"]') for name in switches} <= planted_channels(walk)
    bpy.context.scene.frame_set(20)
    assert [walk.object[name] for name in switches] == [0] * count
    assert switch() == {"FINISHED"}
    assert state(walk) == before


def drive_influences(walk, count: int, value) -> list[str]:
    """Give the object properties that drive the influences of the IK constraints, one for both legs or one each."""
    names = [f"leg ik {k}" for k in range(count)]
    for k, leg in enumerate(walk.legs.values()):
        name = names[min(k, count - 1)]
        walk.object[name] = value
        drive(walk.object, walk.object.pose.bones[leg[1]].constraints["IK"], name)
    walk.object.update_tag()
    bpy.context.view_layer.update()
    return names


def test_an_influence_that_no_property_switches_is_refused_by_bone_and_constraint():
    walk = released()
    curve = walk.object.pose.bones[walk.legs["L"][1]].constraints["IK"].driver_add("influence")
    curve.driver.expression = "1.0"
    before = state(walk)
    with pytest.raises(RuntimeError, match=r"LeftLeg is moved by the constraint IK.*remove the driver, or mute"):
        switch()
    assert state(walk) == before
    assert len(bpy.data.actions) == 1


@pytest.mark.parametrize("kind", ["COPY_TRANSFORMS", "COPY_ROTATION"])
@pytest.mark.parametrize("ik", [0, 1])
def test_of_three_chains_the_one_that_the_mesh_follows_is_planted(kind, ik):
    walk = walk_with_three_chains(ik, kind)
    assert worst_slide(walk) > 10 * SLIDE
    assert switch() == {"FINISHED"}
    assert worst_slide(walk) <= SLIDE
    bones = {bone for bone, _ in planted_channels(walk)} - {walk.pelvis}
    if ik:
        assert bones == set(CONTROLS.values())
    else:
        assert bones == {f"{bone}_FK" for leg in walk.legs.values() for bone in leg[:3]}


def test_where_the_property_of_three_chains_changes_it_is_held_and_feet_stay_near_where_they_were():
    walk = walk_that_leaves_ik()
    feet = [walk.legs["L"][2], walk.legs["R"][2]]
    before = stepping.world_heads(walk.object, feet, walk.frames)
    assert switch() == {"FINISHED"}
    after = stepping.world_heads(walk.object, feet, walk.frames)
    assert ("", '["ik"]') in planted_channels(walk)
    assert np.linalg.norm(after - before, axis=2)[:36].max() <= 0.05 * walk.leg_length
    assert walk.object["ik"] == 0.0


def test_a_property_that_moves_other_bones_of_the_mesh_too_is_refused_by_both_names():
    walk = walk_that_leaves_ik()
    rig = walk.object
    copy = rig.pose.bones["LeftArm"].constraints.new("COPY_ROTATION")
    copy.target, copy.subtarget = rig, "RightArm"
    drive(rig, copy, "ik")
    before = state(walk)
    with pytest.raises(RuntimeError, match=r'\["ik"\] sets the legs free and moves LeftArm too: give the legs a prop'):
        switch()
    assert state(walk) == before


def test_off_is_exact_where_the_property_of_three_chains_was_held():
    assert_off_is_exact_and_on_again_the_same(walk_that_leaves_ik())


def test_a_constrained_pelvis_with_nothing_above_is_refused_by_bone_and_constraint():
    walk = walk_with_controls()
    constraint = walk.object.pose.bones[walk.pelvis].constraints.new("LIMIT_LOCATION")
    constraint.name = "Fence"
    before = state(walk)
    with pytest.raises(RuntimeError, match=r"Hips is moved by the constraint Fence of mixamorig:Hips: mute it or set"):
        switch()
    assert state(walk) == before
    assert len(bpy.data.actions) == 1


def test_a_helper_chain_that_copies_legs_in_part_changes_nothing():
    walk = walk_with_three_chains(0)
    rig = walk.object
    del rig["ik"]
    for curve in keys.fcurves(rig):
        curve.data_path = curve.data_path.replace("_FK", "")
    for bone in (bone for leg in walk.legs.values() for bone in leg[:3]):
        rig.pose.bones[bone].constraints["_IK"].driver_remove("influence")
        for constraint in list(rig.pose.bones[bone].constraints):
            rig.pose.bones[bone].constraints.remove(constraint)
        copy = rig.pose.bones[f"{bone}_IK"].constraints.new("COPY_ROTATION")
        copy.target, copy.subtarget, copy.influence = rig, bone, 0.5
        rig.data.bones[f"{bone}_IK"].use_deform = False
        rig.data.bones[f"{bone}_FK"].name = f"Spare {bone}"
    assert switch() == {"FINISHED"}
    assert worst_slide(walk) <= SLIDE
    assert {bone for bone, _ in planted_channels(walk)} <= {
        walk.pelvis,
        *(bone for leg in walk.legs.values() for bone in leg),
    }


def test_feet_that_do_not_follow_are_named_with_what_moves_bones_above_them():
    walk = rigs.mixamo_walk(imported=False)
    rig = walk.object
    with edit_bones(rig) as bones:
        for side, leg in walk.legs.items():
            thigh = bones[leg[0]]
            thigh.parent = copied(bones, f"Holder.{side}", thigh, thigh.head, thigh.parent)
    lowest = stepping.world_heads(rig, ["Holder.L", "Holder.R"], walk.frames)[..., 2].min()
    for side in "LR":
        fence = rig.pose.bones[f"Holder.{side}"].constraints.new("LIMIT_LOCATION")
        fence.name, fence.use_min_z, fence.min_z = "Fence", True, lowest
    before = state(walk)
    with pytest.raises(RuntimeError, match=r"Foot is off by .* in frame .*Holder.* is moved by the constraint Fence"):
        switch(ground="HEIGHT", ground_height=-0.08)
    assert state(walk) == before
    assert len(bpy.data.actions) == 1
