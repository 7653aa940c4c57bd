# SPDX-License-Identifier: MIT
"""The closed form of two bones agrees with Blender's IK constraint with a pole and a bent knee, to 5e-4 of the leg.

The constraint iterates and stops near the solution (up to 2e-4 of the leg away), so that the bound is Blender's.
"""

import bpy
import numpy as np
import pytest
from extent import seeds
from parity import note
from random_rigs import build, live_pose, parents, rest

import skelkin_py as sk

CASES = seeds(40)


def unit(vector):
    return vector / np.linalg.norm(vector)


def perpendicular(rng, direction):
    other = rng.normal(size=3)
    return unit(other - direction * (other @ direction))


def random_leg(rng):
    """Make thigh, shin and foot with a knee bent by 10 to 100 degrees, below a turned pelvis."""
    hip = rng.uniform(-1, 1, 3)
    along = unit(rng.normal(size=3))
    forward = perpendicular(rng, along)
    upper, lower = rng.uniform(0.3, 0.6, 2)
    bend = np.radians(rng.uniform(10, 100))
    knee = hip + upper * (along * np.cos(bend / 2) + forward * np.sin(bend / 2))
    ankle = knee + lower * (along * np.cos(bend / 2) - forward * np.sin(bend / 2))
    roll = float(rng.uniform(-3, 3))
    rig = build([
        ("pelvis", None, hip + rng.normal(size=3), hip, 0.5, False),
        ("thigh", "pelvis", hip, knee, roll, True),
        ("shin", "thigh", knee, ankle, -roll, True),
        ("foot", "shin", ankle, ankle + 0.2 * forward, 0.0, True),
    ])  # fmt: skip
    rig.pose.bones["pelvis"].rotation_quaternion = rng.normal(size=4)
    bpy.context.view_layer.update()
    return rig


def empty_at(point):
    thing = bpy.data.objects.new("Point", None)
    bpy.context.scene.collection.objects.link(thing)
    thing.location = point
    return thing


def pole_angle(thigh, tip, pole):
    """Return the angle at which the constraint's plane holds the leg as it is (thigh: its pose matrix)."""
    x, z, hip = thigh[:3, 0], thigh[:3, 2], thigh[:3, 3]
    along, to_pole = tip - hip, pole - hip
    normal = np.cross(along, to_pole)
    angle = np.arctan2(-x @ normal, z @ normal)
    up = x * np.cos(angle) + z * np.sin(angle)
    across = np.eye(3) - np.outer(unit(along), unit(along))
    return angle + (np.pi if (across @ up) @ (across @ to_pole) < 0 else 0.0)


def constrained(rng):
    """Put the constraint on a random leg, aim it at a goal within 5 to 97 % of the reach; return all that matters."""
    rig = random_leg(rng)
    pose = live_pose(rig)
    hip, knee, ankle = pose[1, :3, 3], pose[2, :3, 3], pose[3, :3, 3]
    upper, lower = np.linalg.norm(knee - hip), np.linalg.norm(ankle - knee)
    along = unit(ankle - hip)
    forward = unit((knee - hip) - along * ((knee - hip) @ along))
    angle = pole_angle(pose[1], ankle, knee + forward)
    low = max(0.05 * (upper + lower), abs(upper - lower) * 1.02)
    goal = hip + unit(along + 0.8 * rng.normal(size=3)) * rng.uniform(low, 0.97 * (upper + lower))
    pole = hip + 0.5 * (goal - hip) + perpendicular(rng, unit(goal - hip)) * rng.uniform(0.5, 2)
    constraint = rig.pose.bones["shin"].constraints.new("IK")
    constraint.target, constraint.pole_target = empty_at(goal), empty_at(pole)
    constraint.chain_count, constraint.pole_angle = 2, float((angle + np.pi) % (2 * np.pi) - np.pi)
    bpy.context.view_layer.update()
    return rig, pose, goal, pole, upper + lower


@pytest.mark.parametrize("seed", CASES)
def test_positions_agree_with_the_constraint(seed):
    rig, pose, goal, pole, leg = constrained(np.random.default_rng(seed))
    solved = sk.solve_two_bone(*pose[1:4, :3, 3], goal, pole=pole)
    live = live_pose(rig)
    assert solved.status == sk.IKStatus.REACHED
    assert np.linalg.norm(solved.c - goal) <= 1e-6 * leg
    note(
        "library: two bones and the constraint with a pole, of the leg",
        np.linalg.norm(solved.c - live[3, :3, 3]) / leg,
        5e-4,
    )
    assert np.linalg.norm(solved.b - live[2, :3, 3]) <= 2e-3 * leg


@pytest.mark.parametrize("seed", CASES[:20])
def test_bones_carry_the_leg_where_the_constraint_does(seed):
    rig, pose, goal, pole, leg = constrained(np.random.default_rng(1000 + seed))
    skeleton = sk.Skeleton.from_global(parents(rig), rest(rig), [bone.name for bone in rig.pose.bones])
    # Blender's matrices are float32 and orthogonal to that only: the solve is asked for no more than they hold.
    local, target, aim = (np.asarray(x, np.float32) for x in (local_of(skeleton, pose), goal, pole))
    solved, status, _ = sk.apply_two_bone(skeleton, local, ("thigh", "shin", "foot"), target, pole=aim)
    found = sk.forward_kinematics(skeleton, solved)
    assert status == sk.IKStatus.REACHED
    assert np.linalg.norm(found[3, :3, 3] - live_pose(rig)[3, :3, 3]) <= 5e-4 * leg
    assert np.abs(found[3, :3, :3] - pose[3, :3, :3]).max() <= 4e-6  # the foot keeps its place in the world


def local_of(skeleton, pose):
    above = [np.eye(4) if parent < 0 else pose[parent] for parent in skeleton.parents]
    return np.linalg.inv(np.array(above)) @ pose
