# SPDX-License-Identifier: MIT
"""One object, or several, of every public class: what tests of copies, pickles, `==`, hashes and arrays go through."""

from __future__ import annotations

from functools import cache
from types import ModuleType
from typing import Any

import numpy as np

import skelkin_py as sk

MODULES: tuple[ModuleType, ...] = (sk, sk.blender, sk.view)
LIMB = ([0.0, 0, 0], [0, 0.5, 0.1], [0, 1.0, 0])
STILL = np.tile(np.eye(4), (3, 1, 1))


def public_classes() -> set[type]:
    """Return the classes that users meet by name; those of errors too."""
    found = {getattr(module, name) for module in MODULES for name in getattr(module, "__all__", dir(module))}
    return {each for each in found if isinstance(each, type)}


def _planted() -> list[Any]:
    clip = sk.example("biped").clip[:60]
    planted = clip.plant_feet(metres_per_unit=1.0)
    report = planted.report
    leg = report.legs[0]
    rows = report.cost.rows
    ask = sk.ContactDemand("left", 1, 3, 9, 0.01, 0.02, -0.01)
    local = sk.plant_locals(clip.skeleton, clip.local_matrices(), fps=clip.fps)
    gone = report.violations(max_slide=1e-3, when="before")
    parts = [leg, leg.after, leg.cost, report.contacts[0], report.contacts[0].after, report.cost, rows[0], ask, gone[0]]
    return [clip, planted, report, *parts, report.literature(), local]


def _solved() -> list[Any]:
    chain = sk.Skeleton([-1, 0, 1], STILL, end_sites={2: [0.0, 1, 0]})
    limb = [*map(np.asarray, LIMB), np.array([0.0, 0.7, 0])]
    straight = STILL.copy()
    straight[1:, 1, 3] = 1.0
    weights = sk.SkinWeights([[0, 1], [2, 0]], [[0.5, 0.5], [1.0, 0.0]], 3)
    csr = sk.SkinWeights.from_csr([0, 1, 3], [0, 1, 2], [1.0, 0.4, 0.6], 3)
    return [
        chain,
        weights,
        csr,
        weights.check(),
        sk.solve_two_bone(*limb),
        sk.apply_two_bone(chain, straight, (0, 1, 2), [0, 1.2, 0.2]),
        sk.solve_fabrik(np.stack(limb[:3]), [0, 0.7, 0]),
        sk.apply_fabrik(chain, straight, [0, 1, 2], [0, 1, 0]),
        sk.rest_relative(chain, np.tile([1.0, 0, 0, 0], (3, 1))),
        sk.skin_mesh(np.zeros((2, 3)), weights, straight),
        sk.quaternion_swing_twist([1.0, 0, 0, 0], [0, 0, 1]),
        sk.hinge([1, 0, 0], 0.0, 2.0),
        sk.swing_twist([0, 1, 0], (1.0, 0.5), (-0.3, 0.3)),
        sk.JointLimits({"shin": sk.hinge([1, 0, 0], 0.0, 2.0), 2: sk.swing_twist([0, 1, 0], (1, 1), (-1, 1))}),
    ]


def _grounds() -> list[Any]:
    lift = np.tile(np.eye(4), (3, 1, 1))
    lift[:, 1, 3] = [0.0, 0.1, 0.3]
    corners, faces = [[0.0, 0, 0], [0, 0, 4], [4, 1, 0]], [[0, 1, 2]]
    return [
        sk.HeightGrid([[0.0, np.nan], [1.0, 2.0]], spacing=(2.0, 1.0), origin=(1.0, 0.0)),
        sk.MeshGround(corners, faces, transforms=lift),
        sk.MeshGround([corners, corners], faces, outside=-1.0),
        sk.example("biped").ground,
    ]


def _of_blender() -> list[Any]:
    blender = sk.blender
    shape = blender.BBoneShape.default(2)
    bendy = blender.BBones([1, 4], shape, handles=[[-1, 0], [0, -1]])
    radii = np.ones(2)
    reach = blender.Envelopes(radii, radii, radii, radii, np.array([True, False]))
    rest = STILL[:2].copy()
    rest[1, 1, 3] = 1.0
    armature = blender.Armature([-1, 0], rest, names=["hips", "head"], lengths=[1, 2], envelopes=reach, bbones=bendy)
    cycles = blender.Cycles("NONE", "MIRROR")
    keys = blender.fit_keys([0, 1, 2, 3], [[0.0], [1.0], [2.0], [3.0]], tolerance=1e-6)
    names = [("location", 0), ("scale", 1)]
    curves = blender.Curves(names, [0, 2, 3], [[0, 0], [10, 4], [1, 1]], interpolation="QUAD", cycles=[cycles, None])
    free = np.zeros((2, 3))
    return [
        shape,
        bendy,
        reach,
        armature,
        cycles,
        curves,
        keys,
        blender.KeyedBone(STILL, STILL, np.ones((3, 3)), "XYZ", 0, None, np.zeros((3, 1, 3))),
        blender.ArmatureModifier(vertex_group="mask"),
        blender.VertexGroups(["a", "b"], [0, 2, 2], [1, 0], [0.25, 0.75]),
        blender.IKGoal("head", np.array([0.0, 1.2, 0.5])),
        blender.IKJoints(free, free, free, free, free, np.zeros(2)),
        blender.segment_palette(armature, armature.rest.astype(float)[None]),
    ]


@cache
def public_objects() -> tuple[Any, ...]:
    """Return objects of all of them."""
    biped = sk.example("biped")
    mesh = biped.mesh
    edited = sk.PlantEditor(biped.clip[:30])
    edited.set_target("left", 12, [0.1, 0.2, 0.3])
    target = edited.targets["left"][12]
    edited.undo()
    others = [
        target,
        biped,
        mesh,
        biped.clip.replace(scales=np.ones((biped.clip.num_frames, biped.clip.skeleton.num_joints, 3))),
        biped.clip.find_legs(),
        biped.clip.find_legs()[0],
        sk.PlantOptions(align=0.5, up=[0.0, 1.0, 0.0], ground=0.1, ground_velocity=(0, 0, 1), contacts=[[(0, 3)], []]),
        edited,
        sk.IKStatus.TOO_FAR,
        sk.build_info(),
        sk.FormatError("walk.bvh", 7, "expected OFFSET"),
        sk.FormatWarning("walk.bvh:7: expected OFFSET: taken to be 0 0 0"),
        biped.clip.facts,
        sk.MissingExtraError("plot()", "matplotlib", "view"),
        sk.view.show(biped.clip[:3]),
    ]
    return (*_planted(), *_solved(), *_grounds(), *_of_blender(), *others)


def name_of(value: Any) -> str:
    """Return what a test about an object is called after."""
    return type(value).__name__
