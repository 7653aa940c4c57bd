# SPDX-License-Identifier: MIT
"""The comparison that `skelkin blender-check` runs: every part of a scene, within its bound, or the reason why not."""

import bpy
import numpy as np
from random_rigs import random_rig
from rigs import mixamo_walk
from test_parity_fk_skin import skinned_mesh

from skelkin_py.blender.check import check_scene


def test_armatures_actions_and_meshes_are_compared():
    rng = np.random.default_rng(1)
    mixamo_walk()
    skinned_mesh(random_rig(rng, 15), rng)
    rows = check_scene()
    assert [row.part.split(",")[0] for row in rows] == ["pose", "action", "pose", "points of the mesh"]
    assert all(row.error <= row.bound for row in rows), rows


def test_a_wrong_pose_would_be_seen():
    walk = mixamo_walk()
    bone = walk.object.pose.bones[3]
    shift = bone.constraints.new("LIMIT_LOCATION")
    shift.use_min_x, shift.min_x = True, 10.0
    bpy.context.view_layer.update()
    (row,) = check_scene()
    assert row.error is None
    assert bone.name in row.why
    assert "LIMIT_LOCATION" in row.why


def test_legs_with_the_constraint_are_compared():
    rng = np.random.default_rng(2)
    rig = random_rig(rng, 6)
    goal = bpy.data.objects.new("Goal", None)
    bpy.context.scene.collection.objects.link(goal)
    goal.location = rng.normal(size=3)
    for bone in rig.pose.bones:
        bone.scale = 1, 1, 1
    chain = next(bone for bone in rig.pose.bones if bone.parent)
    constraint = chain.constraints.new("IK")
    constraint.target, constraint.chain_count = goal, 2
    bpy.context.view_layer.update()
    (row,) = check_scene()
    assert row.part == "pose with its IK constraints"
    assert row.error <= row.bound
