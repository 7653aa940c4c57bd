# SPDX-License-Identifier: MIT
"""The comparison that `skelkin blender-check` runs: every part of a scene, within its bound, or the reason why not."""

import bpy
import numpy as np
import pytest
from random_rigs import random_rig
from rigs import mixamo_walk
from test_parity_fk_skin import skinned_mesh

from skelkin_py.blender import check
from skelkin_py.blender.check import check_scene, table


def rig_with_keys(count=6, seed=2):
    """Return a random armature whose second bone turns from frame 1 to 9."""
    rig = random_rig(np.random.default_rng(seed), count)
    bone = rig.pose.bones[1]
    bone.rotation_mode = "XYZ"
    for frame, angle in ((1, 0.2), (9, 1.0)):
        bone.rotation_euler = angle, 0.1, -angle
        bone.keyframe_insert("rotation_euler", frame=frame)
    bpy.context.scene.frame_set(4)
    return rig


def skinned(seed=1, count=15):
    """Return a random armature and a mesh that it deforms."""
    rng = np.random.default_rng(seed)
    rig = random_rig(rng, count)
    return rig, skinned_mesh(rig, rng)[0]


def reason(part):
    """Return why the only row of that part was not compared."""
    bpy.context.view_layer.update()
    (row,) = (each for each in check_scene() if each.part == part)
    assert row.error is None
    return row.why


def test_armatures_actions_and_meshes_are_compared():
    mixamo_walk()
    skinned()
    rows = check_scene()
    assert [row.part.split(",")[0] for row in rows] == ["pose", "action", "pose", "points of the mesh"]
    assert all(row.error <= row.bound for row in rows), rows
    assert "20 frames from" in rows[1].part
    assert rows[0].bones == rows[0].equal == 65


def test_differences_are_seen(monkeypatch):
    skinned()
    read = check.read_channels
    monkeypatch.setattr(check, "read_channels", lambda ob: {**read(ob), "scale": 1.1 * read(ob)["scale"]})
    pose, mesh = check_scene()
    assert pose.error > pose.bound
    assert pose.equal < pose.bones
    assert mesh.error <= mesh.bound
    text = table("9.9", [pose, mesh])
    assert "ABOVE its bound; with exact=True" in text
    assert "1 of 2 comparisons are within their bounds." in text


def test_constraints_beside_ik_are_named():
    walk = mixamo_walk()
    bone = walk.object.pose.bones[3]
    shift = bone.constraints.new("LIMIT_LOCATION")
    shift.use_min_x, shift.min_x = True, 10.0
    for part in ("pose", "action"):
        assert reason(part) == f"bone {bone.name!r} has a constraint of type LIMIT_LOCATION: only IK is modelled"


def test_constraints_that_do_nothing_are_passed_over():
    rig = rig_with_keys()
    muted, weak, aimless = (rig.pose.bones[3].constraints.new("COPY_LOCATION") for _ in range(3))
    for each in (muted, weak):
        each.target, each.subtarget = rig, rig.pose.bones[0].name
    muted.mute, weak.influence = True, 0.0
    assert aimless.target is None
    bpy.context.view_layer.update()
    assert [row.error <= row.bound for row in check_scene()] == [True, True]


def test_legs_with_the_constraint_are_compared_on_every_frame():
    rig = rig_with_keys()
    goal = bpy.data.objects.new("Goal", None)
    bpy.context.scene.collection.objects.link(goal)
    for frame, place in ((1, (1, 0, 1)), (9, (0, 1, 2))):
        goal.location = place
        goal.keyframe_insert("location", frame=frame)
    for bone in rig.pose.bones:
        bone.scale = 1, 1, 1
    chain = next(bone for bone in rig.pose.bones if bone.parent)
    constraint = chain.constraints.new("IK")
    constraint.target, constraint.chain_count = goal, 2
    bpy.context.view_layer.update()
    rows = check_scene()
    assert [row.part for row in rows] == [
        "pose with its IK constraints",
        "action with its IK constraints, 9 frames from 1 to 9",
    ]
    assert all(row.error <= row.bound for row in rows), rows


def test_the_frame_is_as_before():
    rig_with_keys()
    bpy.context.scene.frame_set(3, subframe=0.25)
    check_scene()
    assert (bpy.context.scene.frame_current, bpy.context.scene.frame_subframe) == (3, 0.25)


def test_muted_tracks_leave_the_action_alone():
    rig = rig_with_keys()
    data = rig.animation_data
    track = data.nla_tracks.new()
    track.strips.new("walk", 1, data.action)
    track.mute = True
    assert [row.error <= row.bound for row in check_scene()] == [True, True]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda data: setattr(data.nla_tracks[0], "mute", False), "it plays tracks of the NLA"),
        (lambda data: setattr(data, "action_influence", 0.5), "its action is mixed in: REPLACE, influence 0.5"),
        (lambda data: setattr(data, "action_blend_type", "ADD"), "its action is mixed in: ADD, influence 1"),
    ],
)
def test_what_is_played_beside_the_action_is_named(change, said):
    data = rig_with_keys().animation_data
    data.nla_tracks.new().strips.new("walk", 1, data.action)
    data.nla_tracks[0].mute = True
    change(data)
    assert reason("action") == said


def test_drivers_of_bones_are_named():
    rig = rig_with_keys()
    name = rig.pose.bones[2].name
    rig.driver_add(f'pose.bones["{name}"].location', 0).driver.expression = "0.3"
    assert reason("action") == f"bone {name!r} has a driver on location"


def test_other_modifiers_of_curves_are_named_and_the_pose_is_compared():
    rig = rig_with_keys()
    action = rig.animation_data.action
    curves = action.layers[0].strips[0].channelbags[0].fcurves if hasattr(action, "layers") else action.fcurves
    curves[0].modifiers.new("NOISE")
    pose, action = check_scene()
    assert pose.error <= pose.bound
    assert "has the modifier NOISE" in action.why


def test_what_blender_does_not_evaluate_is_not_compared():
    rig, mesh = skinned()
    rig.hide_viewport = mesh.hide_viewport = True
    for part in ("pose", "points of the mesh"):
        assert reason(part).startswith("Blender does not evaluate it: it is disabled in the viewport")


def test_armatures_shown_at_rest_are_named():
    rig, _ = skinned()
    rig.data.pose_position = "REST"
    assert reason("pose") == "it is shown in its rest position"
    (mesh,) = (row for row in check_scene() if row.part == "points of the mesh")
    assert mesh.error <= mesh.bound


def test_other_modifiers_are_off_while_the_mesh_is_compared():
    _, mesh = skinned()
    smooth = mesh.modifiers.new("Smooth", "SUBSURF")
    row = check_scene()[-1]
    assert row.part == "points of the mesh, without SUBSURF"
    assert row.error <= row.bound
    assert smooth.show_viewport


@pytest.mark.parametrize("multi", [None, False, True])
def test_parents_that_deform_count_as_a_modifier(multi):
    rig, mesh = skinned()
    mesh.modifiers.clear()
    for vertex in range(5):
        for group in mesh.vertex_groups:
            group.remove([vertex])  # envelopes would bind these
    mesh.parent, mesh.parent_type = rig, "ARMATURE"
    if multi is not None:
        modifier = mesh.modifiers.new("Armature", "ARMATURE")
        modifier.object, modifier.use_multi_modifier, modifier.use_deform_preserve_volume = rig, multi, True
    bpy.context.view_layer.update()
    row = check_scene()[-1]
    assert row.part == "points of the mesh"
    assert row.error <= row.bound


def test_a_modifier_without_armature_is_named():
    _, mesh = skinned()
    mesh.modifiers[0].object = None
    assert reason("points of the mesh") == "its modifier has no armature"


def test_an_armature_without_bones_is_compared():
    data = bpy.data.armatures.new("Empty")
    bpy.context.scene.collection.objects.link(bpy.data.objects.new("Empty", data))
    (row,) = check_scene()
    assert (row.error, row.equal, row.bones) == (0.0, 0, 0)
