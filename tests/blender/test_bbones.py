# SPDX-License-Identifier: MIT
"""Bendy bones bend and move points as in Blender, to 5e-5."""

import bpy
import numpy as np
import pytest
from bendy_rigs import bendy_rig, live_frames
from parity import note
from random_rigs import live_pose
from test_parity_fk_skin import evaluated_points, skinned_mesh

import skelkin_py as sk

BOUND = 5e-5
CASES = ("", "handles", "shape", "shape easing", "shape easing endroll", "handles shape easing endroll")


def worst_of_frames(rig):
    """Return the largest difference of segments, at rest and posed."""
    armature, channels = sk.blender.Armature.from_bpy(rig), sk.blender.read_bbone_channels(rig)
    if armature.bbones is None:
        return 0.0
    worst = 0.0
    for bone in armature.bbones.bendy:
        posed = sk.blender.segment_frames(armature, live_pose(rig), bone, channels)
        worst = max(worst, np.abs(posed - live_frames(rig, bone, False)).max())
        rest = sk.blender.segment_frames(armature, armature.rest, bone)
        worst = max(worst, np.abs(rest - live_frames(rig, bone, True)).max())
    return worst


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("options", CASES)
def test_segments_are_where_blender_has_them(options, seed):
    rng = np.random.default_rng(seed)
    note("B-bone segments", worst_of_frames(bendy_rig(rng, options)), BOUND)


def bent_points(rig, points, weights):
    """Deform points (N, 3) by weights (N, B) of bones, bendy or not."""
    armature = sk.blender.Armature.from_bpy(rig)
    pose = live_pose(rig)
    palette = sk.blender.segment_palette(armature, pose, sk.blender.read_bbone_channels(rig))
    whole = pose @ np.linalg.inv(armature.rest.astype(float))
    found = np.zeros((len(points), 4, 4))
    for bone in range(armature.num_bones):
        weight = weights[:, bone, None, None]
        if palette.rows[bone] == 0:
            found += weight * whole[bone]
            continue
        index, blend = sk.blender.segment_weights(armature, points, bone)
        row, blend = palette.first[bone] + index, blend[:, None, None]
        found += weight * ((1 - blend) * palette.matrices[row] + blend * palette.matrices[row + 1])
    return np.einsum("nij,nj->ni", found[:, :3, :3], points) + found[:, :3, 3]


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("mapping", ["straight", "curved"])
def test_points_move_as_the_modifier_moves_them(mapping, seed):
    if mapping == "curved" and bpy.app.version < (4, 0):
        pytest.skip("Blender maps points along curves from 4.0 on")
    rng = np.random.default_rng(100 + seed)
    rig = bendy_rig(rng, f"handles shape easing {mapping}", 5)
    target, points, skin = skinned_mesh(rig, rng)
    weights = np.zeros((len(points), len(rig.pose.bones)))
    np.add.at(weights, (np.arange(len(points))[:, None], skin.indices), skin.weights)
    found = bent_points(rig, points.astype(float), weights)
    note(f"B-bone deformation, {mapping}", np.abs(found - evaluated_points(target)).max(), BOUND)
