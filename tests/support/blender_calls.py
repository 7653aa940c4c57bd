# SPDX-License-Identifier: MIT
"""One good call of everything in `skelkin_py.blender` that takes arrays."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
from public_calls import FRAMES, Call, named, normal, of

from skelkin_py import blender
from skelkin_py.blender import Armature, BBones, BBoneShape, Envelopes, IKGoal, IKJoints, VertexGroups

BONES, VERTICES = 3, 4
FLAGS = np.array([False, True, True])


@functools.cache
def armature() -> Armature:
    """Return a chain of bones, the last of which bends."""
    rest = np.tile(np.eye(4), (BONES, 1, 1))
    rest[1:, 1, 3] = 1, 2
    return Armature([-1, 0, 1], rest, names=["a", "b", "c"], bbones=BBones([1, 1, 4]))


def armature_calls() -> list[Call]:
    arm = armature()
    heads, parents = arm.heads.copy(), np.array(arm.parents)
    tails = np.add(heads, (0, 1, 0))
    options = {
        "lengths": np.ones(BONES), "axes": np.tile(np.eye(3), (BONES, 1, 1)), "offsets": np.zeros((BONES, 3)),
        "connected": FLAGS, "inherit_rotation": FLAGS, "local_location": FLAGS, "deform": FLAGS,
    }  # fmt: skip
    edited = {"parents": parents, "heads": heads, "tails": tails, "rolls": np.zeros(BONES)}
    envelopes = Envelopes(*np.ones((4, BONES)), FLAGS)

    def enveloped(**fields: Any) -> Armature:
        return Armature(parents, arm.rest, envelopes=Envelopes(**fields))

    return [
        of(Armature, f"parents rest heads tails {' '.join(options)}",
           parents=parents, rest=arm.rest.copy(), heads=heads, tails=tails, **options),
        Call("Armature with envelopes", enveloped, envelopes._asdict(), Envelopes._fields),
        of(Armature.from_edit_bones, "parents heads tails rolls", **edited),
        of(arm.pose, "location rotation scale",
           location=normal(1, FRAMES, BONES, 3), rotation=normal(2, FRAMES, BONES, 4), scale=np.ones((BONES, 3))),
        of(arm.local_from_pose, "pose", pose=np.tile(arm.rest, (FRAMES, 1, 1, 1)).astype(float)),
        of(blender.pole_angle, "first tip pole", first=np.eye(4), tip=np.array([0.0, 2, 0]), pole=np.ones(3)),
        of(blender.frame_from_roll, "direction roll", direction=normal(3, 2, 3), roll=np.ones(2)),
        of(blender.roll_from_frame, "axes direction", axes=np.eye(3), direction=normal(3, 3)),
    ]  # fmt: skip


def bendy_calls() -> list[Call]:
    arm, shape = armature(), BBoneShape.default(BONES, of_pose=True)
    pose = np.tile(arm.rest, (FRAMES, 1, 1, 1)).astype(float)
    ends = (BONES, 2)
    options = {
        "segments": np.array([1, 2, 3]), "handle_types": np.zeros(ends, int), "handles": np.full(ends, -1),
        "handle_scale": np.zeros((*ends, 3), bool), "handle_ease": np.zeros(ends, bool),
        "endroll_as_inroll": FLAGS, "scale_easing": FLAGS, "curved": FLAGS,
    }  # fmt: skip

    def shaped(**fields: Any) -> Any:
        return blender.segment_palette(arm, pose, BBoneShape(**fields))

    return [
        of(BBones, " ".join(options), **options),
        Call("segment_palette with a shape", shaped, shape._asdict(), BBoneShape._fields),
        of(blender.segment_palette, "pose", armature=arm, pose=pose),
        of(blender.segment_frames, "pose", armature=arm, bone=2, pose=pose),
        of(blender.segment_weights, "points", armature=arm, points=normal(4, VERTICES, 3), bone=2),
    ]


def mesh_calls() -> list[Call]:
    arm = armature()
    groups = VertexGroups(["a", "c"], np.arange(VERTICES + 1), np.array([0, 1, 1, 0]), np.ones(VERTICES))
    pose = np.tile(arm.rest, (FRAMES, 1, 1, 1)).astype(float)
    given = {"pose": pose, "points": normal(5, VERTICES, 3), "mesh_world": np.eye(4), "armature_world": np.eye(4)}
    entries = {"offsets": np.array([0, 1, 2]), "groups": np.array([0, 0]), "weights": np.ones(2)}
    return [
        of(blender.deform, " ".join(given), True, armature=arm, groups=groups, **given),
        of(arm.deform, "pose points", True, pose=pose, points=given["points"], groups=groups),
        of(VertexGroups, "offsets groups weights", names=["a"], **entries),
    ]


def ik_calls() -> list[Call]:
    arm = armature()
    pose, three = np.tile(arm.rest, (FRAMES, 1, 1, 1)).astype(float), np.zeros((BONES, 3))
    rules = IKJoints(three, three > 0, three > 0, three - 1, three + 1, np.zeros(BONES))

    def aimed(**fields: Any) -> Any:
        return arm.solve_ik(pose, [IKGoal(bone=2, **fields)])

    def ruled(**fields: Any) -> Any:
        return arm.solve_ik(pose, [IKGoal(2, [1.0, 1, 0])], IKJoints(**fields))

    goal = {"target": np.array([1.0, 1, 0]), "pole": np.ones(3), "rotation": np.eye(3)}
    return [
        of(arm.solve_ik, "pose", pose=pose, goals=[IKGoal(2, [1.0, 1, 0])]),
        Call("solve_ik of a goal", aimed, goal, tuple(goal)),
        Call("solve_ik with joints", ruled, rules._asdict(), IKJoints._fields),
    ]


def curve_calls() -> list[Call]:
    keys = {"keys": np.array([[0.0, 0], [9, 1]])}
    handles = {"left": keys["keys"] - [1, 0], "right": keys["keys"] + [1, 0]}
    numbers = {name: np.ones(2) for name in ("back", "amplitude", "period")}
    kinds = {"interpolation": np.array([2, 2]), "easing": np.array([0, 0])}
    names = [('pose.bones["a"].location', 0)]
    curves = blender.Curves(names, [0, 2], keys["keys"])
    still = {"location": np.zeros((BONES, 3)), "scale": np.ones((BONES, 3)), "rotation": np.ones((BONES, 4))}

    def resting(**fields: Any) -> Any:
        return curves.channels(armature(), [0.0], still={"rotation_mode": ["QUATERNION"] * BONES, **fields})

    made = of(
        blender.Curves, f"starts keys left right {' '.join(numbers)}",
        names=names, starts=np.array([0, 2]), **keys, **handles, **numbers,
    )  # fmt: skip
    return [
        made,
        named(made._replace(arguments=made.arguments | kinds, arrays=tuple(kinds)), "Curves of several kinds"),
        of(curves.evaluate, "frames", frames=np.array([0.0, 3])),
        of(curves.channels, "frames", armature=armature(), frames=np.array([0.0, 3])),
        Call("channels that stand still", resting, still, tuple(still)),
    ]


@functools.cache
def blender_calls() -> tuple[Call, ...]:
    """Return the calls of the Blender part."""
    return (*armature_calls(), *bendy_calls(), *mesh_calls(), *ik_calls(), *curve_calls())
