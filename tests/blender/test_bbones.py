# SPDX-License-Identifier: MIT
"""Bendy bones bend and move points as in Blender, to 5e-5."""

import bpy
import numpy as np
import pytest
from bendy_rigs import bendy_rig, live_frames
from parity import note
from random_rigs import build, live_pose
from test_parity_fk_skin import evaluated_points, skinned_mesh

import skelkin_py as sk

MAPPINGS = ["straight", "curved"] if bpy.app.version >= (4, 0) else ["straight"]
BOUND = 5e-5
CASES = (
    "",
    "handles",
    "shape",
    "shape easing",
    "shape easing endroll",
    "handles shape easing endroll",
    "handles sizes",
    "handles shape easing sizes",
)


def worst_of_frames(rig):
    """Return the largest difference of segments, at rest and posed."""
    armature, channels = sk.blender.Armature.from_bpy(rig), sk.blender.read_bbone_channels(rig)
    if armature.bbones is None:
        return 0.0
    worst = 0.0
    for bone in armature.bbones.bendy:
        posed = sk.blender.segment_frames(armature, bone, live_pose(rig), channels)
        worst = max(worst, np.abs(posed - live_frames(rig, bone, False)).max())
        rest = sk.blender.segment_frames(armature, bone)
        worst = max(worst, np.abs(rest - live_frames(rig, bone, True)).max())
    return worst


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("options", CASES)
def test_segments_are_where_blender_has_them(options, seed):
    rng = np.random.default_rng(seed)
    note("B-bone segments", worst_of_frames(bendy_rig(rng, options)), BOUND)


HARD = [
    ("shape", 48),  # handles point nearly the same way: the lengths of tangents hang on the last bits
    ("shape", 50),
    ("shape easing endroll", 50),
    ("handles shape easing endroll", 28),
    ("shape", 54),  # cusps, or nearly along -Y: the frames do
    ("handles shape easing sizes", 3),
    ("handles shape easing sizes", 27),
    ("handles shape easing sizes", 39),
]


@pytest.mark.parametrize(("options", "seed"), HARD)
def test_segments_that_hang_on_the_last_bits(options, seed):
    rng = np.random.default_rng(seed)
    note("B-bone segments", worst_of_frames(bendy_rig(rng, options)), BOUND)


def chain(rng):
    """Make four connected bendy bones with a bent pose."""
    bones, head = [], np.zeros(3)
    for index in range(4):
        tail = head + rng.normal(size=3) * 0.3 + [0, 0, 0.6]
        parent = f"bone{index - 1}" if index else None
        bones.append((f"bone{index}", parent, head, tail, 0.3 * index, index > 0))
        head = tail
    rig = build(bones)
    for bone in rig.pose.bones:
        bone.bone.bbone_segments = 5
        bone.rotation_mode, bone.rotation_euler = "XYZ", rng.uniform(-0.5, 0.5, 3)
    return rig


def settings(bone):
    """Return ways to set a bone, or its pose, at the edge of what makes sense."""
    return {
        "all scales 0": lambda: setattr(bone, "scale", (0, 0, 0)),
        "negative scale": lambda: setattr(bone, "scale", (-1, 1.2, 0.7)),
        "no easing": lambda: [setattr(bone.bone, f"bbone_ease{end}", 0) for end in ("in", "out")],
        "negative easing": lambda: setattr(bone.bone, "bbone_easein", -2),
        "size 0 at the start": lambda: setattr(bone.bone, "bbone_scalein", (0, 0, 0)),
        "negative size": lambda: setattr(bone, "bbone_scaleout", (-1, -1, -1)),
        "rest position": lambda: setattr(bone.id_data.data, "pose_position", "REST"),
        "itself as handle": lambda: follow(bone, bone),
        "its child as handle, which has it as handle": lambda: [
            follow(bone, bone.children[0]),
            follow(bone.children[0], bone),
        ],
    }


def follow(bone, handle):
    """Let a bone start towards a handle."""
    bone.bone.bbone_handle_type_start, bone.bone.bbone_custom_handle_start = "ABSOLUTE", handle.bone


@pytest.mark.parametrize("setting", list(settings(None)))
def test_odd_settings_give_blenders_own_answer(setting):
    rig = chain(np.random.default_rng(7))
    settings(rig.pose.bones[1])[setting]()
    bpy.context.view_layer.update()
    note("B-bone segments, odd settings", worst_of_frames(rig), BOUND)


def test_armatures_without_bendy_bones_have_none():
    rig = chain(np.random.default_rng(1))
    for bone in rig.pose.bones:
        bone.bone.bbone_segments = 1
    assert sk.blender.read_bbones(rig) is None
    assert sk.blender.Armature.from_bpy(rig).bbones is None


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
@pytest.mark.parametrize("mapping", MAPPINGS)
def test_points_move_as_the_modifier_moves_them(mapping, seed):
    rng = np.random.default_rng(100 + seed)
    rig = bendy_rig(rng, f"handles shape easing {mapping}", 5)
    target, points, skin = skinned_mesh(rig, rng)
    weights = np.zeros((len(points), len(rig.pose.bones)))
    np.add.at(weights, (np.arange(len(points))[:, None], skin.indices), skin.weights)
    found = bent_points(rig, points.astype(float), weights)
    note(f"B-bone deformation, {mapping}", np.abs(found - evaluated_points(target)).max(), BOUND)
