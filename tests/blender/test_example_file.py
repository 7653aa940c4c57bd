# SPDX-License-Identifier: MIT
"""The example file that a script makes: it slides and floats, and is planted on its ground."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import bpy
import numpy as np
import pytest
import stepping

import skelkin_py as sk

pytestmark = pytest.mark.usefixtures("addon")

SCRIPT = Path(__file__).resolve().parent.parent.parent / "examples" / "blender" / "sliding_walk.py"
STAND = np.array([[1.0, 0, 0], [0, 0, -1], [0, 1, 0]])


def made() -> bpy.types.Object:
    """Run the script's own function in the open file."""
    spec = importlib.util.spec_from_file_location("sliding_walk", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.make()


def test_the_armature_moves_as_the_clip_does_and_its_skin_with_it():
    ob, biped = made(), sk.example("biped")
    names, frames = biped.clip.names, [1, 60, 180]
    heads = stepping.world_heads(ob, list(names), frames)
    pose = sk.forward_kinematics(biped.clip.skeleton, biped.clip.local_matrices())
    assert np.abs(heads - pose[[0, 59, 179], :, :3, 3] @ STAND.T).max() <= 1e-4
    bpy.context.scene.frame_set(60)
    body = bpy.data.objects["Body"].evaluated_get(bpy.context.evaluated_depsgraph_get())
    points = np.array([vertex.co for vertex in body.data.vertices])
    matrices = sk.skinning_matrices(biped.clip.skeleton, pose[59])
    wanted = sk.skin_points(biped.mesh.points, biped.mesh.weights, matrices) @ STAND.T
    assert np.abs(points - wanted).max() <= 1e-4


def test_it_is_planted_on_its_ground():
    ob = made()
    assert bpy.ops.skelkin.find_legs() == {"FINISHED"}
    assert bpy.ops.skelkin.leg_ik(ground="OBJECTS", ground_object="Ground") == {"FINISHED"}
    assert len(ob.animation_data.action.skelkin.contacts) >= 8
    assert ob.animation_data.action.skelkin.summary.endswith("→ 0.00)")
