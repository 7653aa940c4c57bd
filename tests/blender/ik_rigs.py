# SPDX-License-Identifier: MIT
"""Random armatures with IK constraints: chains and trees of bones, with what a test asks for."""

from __future__ import annotations

import bpy
import numpy as np
from mixed_rigs import INHERIT_SCALE
from random_rigs import build, live_pose

ITERATIONS = (1, 5, 12, 500)


def unit(vector):
    return vector / np.linalg.norm(vector)


def empty_at(point):
    thing = bpy.data.objects.new("Point", None)
    bpy.context.scene.collection.objects.link(thing)
    thing.location = point
    return thing


def chain(rng, count, *, scale=0.0):
    """Make a pelvis, a chain b0, b1 ... of bones, and a bone at its end, in a random pose."""
    head = rng.uniform(-0.5, 0.5, 3)
    bones = [("pelvis", None, head, head + rng.normal(size=3), float(rng.uniform(-3, 3)), False)]
    for index in range(count):
        start = bones[-1][3]
        connected = index > 0 and rng.random() < 0.6
        start = start if connected else start + 0.1 * rng.normal(size=3)
        tail = start + unit(rng.normal(size=3)) * rng.uniform(0.3, 1.0)
        bones.append((f"b{index}", bones[-1][0], start, tail, float(rng.uniform(-3, 3)), connected))
    end = bones[-1][3]
    bones.append(("end", bones[-1][0], end, end + 0.4 * unit(rng.normal(size=3)), 0.3, True))
    return in_random_pose(build(bones), rng, scale)


def leg(rng, *, scale=0.0):
    """Make a pelvis, a chain b0, b1 with a foot and a toe behind it, and a twig with a leaf on b0.

    What is behind the chain inherits scale, rotation and the axes of its location in random ways.
    """
    head = rng.uniform(-0.5, 0.5, 3)
    bones = [("pelvis", None, head, head + rng.normal(size=3), float(rng.uniform(-3, 3)), False)]
    tails = {"pelvis": bones[0][3]}
    hang = (("b0", "pelvis"), ("b1", "b0"), ("foot", "b1"), ("toe", "foot"), ("twig", "b0"), ("leaf", "twig"))
    for name, parent in hang:
        connected = bool(rng.random() < 0.5)
        start = tails[parent] + (0 if connected else 0.1 * rng.normal(size=3))
        tails[name] = start + unit(rng.normal(size=3)) * rng.uniform(0.3, 1.0)
        bones.append((name, parent, start, tails[name], float(rng.uniform(-3, 3)), connected))
    rig = build(bones)
    for name in ("foot", "toe", "twig", "leaf"):
        bone = rig.data.bones[name]
        bone.inherit_scale = INHERIT_SCALE[rng.integers(6)]
        bone.use_inherit_rotation, bone.use_local_location = (bool(rng.random() < 0.6) for _ in range(2))
    return in_random_pose(rig, rng, scale)


def spider(rng):
    """Make a spine s0, s1 with two limbs l0, l1 and r0, r1."""
    head = rng.uniform(-0.5, 0.5, 3)
    bones = [("pelvis", None, head, head + rng.normal(size=3), float(rng.uniform(-3, 3)), False)]
    tails = {"pelvis": bones[0][3]}
    for name, parent in (("s0", "pelvis"), ("s1", "s0"), ("l0", "s1"), ("l1", "l0"), ("r0", "s1"), ("r1", "r0")):
        tails[name] = tails[parent] + unit(rng.normal(size=3)) * rng.uniform(0.3, 0.8)
        bones.append((name, parent, tails[parent], tails[name], float(rng.uniform(-3, 3)), True))
    return in_random_pose(build(bones), rng, 0.0)


def folded(rng):
    """Make a pelvis, and a bone b0 whose child b1 brings the tip back to 5 to 30 % of its length."""
    head = rng.uniform(-0.5, 0.5, 3)
    bones = [("pelvis", None, head, head + rng.normal(size=3), float(rng.uniform(-3, 3)), False)]
    start = bones[0][3] + 0.1 * rng.normal(size=3)
    middle = start + unit(rng.normal(size=3))
    tip = start + unit(rng.normal(size=3)) * rng.uniform(0.05, 0.3)
    bones.append(("b0", "pelvis", start, middle, float(rng.uniform(-3, 3)), False))
    bones.append(("b1", "b0", middle, tip, float(rng.uniform(-3, 3)), True))
    rig = build(bones)
    for name in ("pelvis", "b0"):
        rig.pose.bones[name].rotation_quaternion = unit(np.r_[1, 0.6 * rng.normal(size=3)])
    bpy.context.view_layer.update()
    return rig


def in_random_pose(rig, rng, scale):
    for bone in rig.pose.bones:
        bone.rotation_quaternion = unit(np.r_[1, 0.6 * rng.normal(size=3)])
        bone.location = 0.1 * rng.normal(size=3)
        if scale:
            bone.scale = rng.uniform(1 - scale, 1 + scale, 3)
    bpy.context.view_layer.update()
    return rig


def constrain(rig, bone, goal, *, pole=None, **options):
    constraint = rig.pose.bones[bone].constraints.new("IK")
    constraint.target = empty_at(goal)
    if pole is not None:
        constraint.pole_target = empty_at(pole)
    for name, value in options.items():
        setattr(constraint, name, value)
    return constraint


def goal_for(rig, rng, count, reach=1.2):
    """Return a point at 10 % of the chain's length or more; above 1 some are out of reach."""
    bones = [rig.pose.bones[f"b{index}"] for index in range(count)]
    length = sum(bone.bone.length for bone in bones)
    return np.array(bones[0].matrix.translation) + unit(rng.normal(size=3)) * length * rng.uniform(0.1, reach)


def restrict(bone, rng, lock="", limit="", stiff=False):
    for axis in "xyz":
        setattr(bone, f"lock_ik_{axis}", axis in lock)
        setattr(bone, f"use_ik_limit_{axis}", axis in limit)
        setattr(bone, f"ik_min_{axis}", -float(rng.uniform(0.02, 0.5)))
        setattr(bone, f"ik_max_{axis}", float(rng.uniform(0.02, 0.5)))
        if stiff:
            setattr(bone, f"ik_stiffness_{axis}", float(rng.uniform(0, 0.9)))


def solved_live(rig, before):
    """Return the pose that the constraints make, which must be another one.

    It is evaluated twice: where one of two goals asks for nothing (neither place nor rotation), the first answer of
    Blender 5.2 is now and then another one than all that follow.
    """
    bpy.context.view_layer.update()
    rig.update_tag()
    bpy.context.view_layer.update()
    live = live_pose(rig)
    assert np.abs(live - before).max() > 1e-4
    return live
