# SPDX-License-Identifier: MIT
"""What is said about the way poses were read, from F-curves or by stepping the scene, and that both plant the same."""

from __future__ import annotations

import bpy
import keys
import numpy as np
import pytest
import rigs
import stepping

pytestmark = pytest.mark.usefixtures("addon")

WALKS = {"metarig": rigs.human_metarig_walk, "mixamo": rigs.mixamo_walk}


def plant(capfd, **options):
    """Switch on; return world heads of all bones on every frame, and what was said."""
    capfd.readouterr()
    assert bpy.ops.skelkin.leg_ik(**options) == {"FINISHED"}
    ob = bpy.context.object
    heads = stepping.world_heads(ob, [b.name for b in ob.pose.bones], range(1, 61))
    assert bpy.ops.skelkin.remove() == {"FINISHED"}
    return heads, capfd.readouterr().out


@pytest.mark.parametrize("rig", WALKS)
@pytest.mark.parametrize("mode", [None, "YZX", "AXIS_ANGLE"])
def test_both_ways_to_read_give_the_same_planted_bones(rig, mode, capfd):
    walk = WALKS[rig](rotation_mode=mode)
    fast, said = plant(capfd)
    assert "60 frames read from F-curves" in said
    slow, said = plant(capfd, read="STEP")
    assert "60 frames read by stepping the scene (as chosen)" in said
    np.testing.assert_allclose(fast, slow, atol=1e-5 * walk.leg_length)


def test_curved_sparse_and_cyclic_curves_are_read_as_blender_evaluates_them(capfd):
    walk = rigs.mixamo_walk()
    for curve in keys.fcurves(walk.object):
        for point in [k for i, k in enumerate(curve.keyframe_points) if i % 5][::-1]:
            curve.keyframe_points.remove(point, fast=True)
        for point in curve.keyframe_points:
            point.interpolation = "BEZIER"
        curve.update()
        curve.modifiers.new("CYCLES")
    fast, said = plant(capfd)
    assert "F-curves" in said
    slow, _ = plant(capfd, read="STEP")
    np.testing.assert_allclose(fast, slow, atol=1e-5 * walk.leg_length)


@pytest.mark.parametrize("why", ["object keys", "parent", "object constraint", "driven object"])
def test_the_scene_is_stepped_where_curves_are_not_all(why, capfd):
    walk = rigs.mixamo_walk(root_motion={"object keys": "object", "parent": "parent"}.get(why, "bone"))
    ob = walk.object
    if why == "object constraint":
        ob.constraints.new("LIMIT_LOCATION")
    elif why == "driven object":
        ob.driver_add("scale", 0).driver.expression = str(ob.scale[0])
    capfd.readouterr()
    assert bpy.ops.skelkin.leg_ik() == {"FINISHED"}
    assert "stepping the scene" in capfd.readouterr().out
    assert ob.animation_data.action != walk.action


def test_stepping_puts_the_frame_back_even_on_an_error():
    walk = rigs.mixamo_walk()
    path = keys.bone_path(walk.pelvis, "location")
    curve = next(c for c in keys.fcurves(walk.object) if c.data_path == path)
    curve.keyframe_points[30].co[1] = float("nan")
    curve.update()
    bpy.context.scene.frame_set(11, subframe=0.5)
    with pytest.raises(RuntimeError, match="finite"):
        bpy.ops.skelkin.leg_ik(read="STEP")
    assert (bpy.context.scene.frame_current, bpy.context.scene.frame_subframe) == (11, 0.5)
