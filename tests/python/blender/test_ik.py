# SPDX-License-Identifier: MIT
"""Blender's IK without Blender: recorded answers, what must hold for any chain, and what bad input says."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import skelkin_py as sk
from skelkin_py.blender import Armature, IKGoal, IKJoints, pole_angle

GOLDEN = Path(__file__).parents[2] / "golden"
VERSIONS = ("3.4", "4.2", "4.5", "5.0", "5.2")
CASES = ("plain", "pole", "scale", "influence", "stretch", "locks", "limits", "goals")


@pytest.fixture(scope="module", params=VERSIONS)
def golden(request):
    with np.load(GOLDEN / f"blender_ik_{request.param}.npz") as file:
        assert str(file["version"]).startswith(request.param)
        return dict(file)


def recorded(golden, case):
    """Return the armature, the pose before and the keyword arguments of a recorded case."""
    arm = Armature(**{name: golden[f"{case}/{name}"] for name in ("parents", "rest", "lengths", "axes")})
    goals = [
        IKGoal(
            int(row[0]),
            target,
            int(row[1]),
            golden.get(f"{case}/pole"),
            *row[2:3],
            int(row[3]),
            *row[4:6],
            *map(bool, row[6:]),
        )
        for row, target in zip(golden[f"{case}/goals"], golden[f"{case}/targets"], strict=True)
    ]
    joints = IKJoints(*(golden[f"{case}/joints/{name}"] for name in IKJoints._fields))
    return arm, golden[f"{case}/before"], {"goals": goals, "joints": joints}


@pytest.mark.parametrize("case", CASES)
def test_recorded_answers(golden, case):
    arm, before, ik = recorded(golden, case)
    found = arm.solve_ik(before, **ik)
    assert found.dtype == np.float32
    assert np.abs(found - golden[f"{case}/after"]).max() <= 1e-5
    assert np.abs(found - before).max() > 1e-2


def leg():
    """Return a leg of three bones, the last one a foot, and a bent pose."""
    rest = np.tile(np.eye(4), (3, 1, 1))
    rest[:, 1, 3] = [0, 1, 2]
    arm = Armature([-1, 0, 1], rest, lengths=[1, 1, 0.5])
    pose = arm.pose(rotation=[[0.2, 0, 0], [-0.8, 0, 0], [0.5, 0.2, 0]], rotation_mode="XYZ")[0]
    return arm, pose


def tip(pose):
    return pose[..., 1, :3, 3] + pose[..., 1, :3, 1]


def test_reaches_and_keeps_lengths_and_the_foot():
    arm, pose = leg()
    goal = np.array([0.3, 1.3, 0.6])
    found = arm.solve_ik(pose, [IKGoal(1, goal)])
    assert np.linalg.norm(tip(found) - goal) < 1e-3
    assert np.allclose(np.linalg.norm(found[:2, :3, 1], axis=-1), 1)
    assert np.allclose(np.linalg.inv(found[1]) @ found[2], np.linalg.inv(pose[1]) @ pose[2])


@pytest.mark.parametrize("scale", ["FULL", "FIX_SHEAR", "ALIGNED", "AVERAGE", "NONE", "NONE_LEGACY"])
@pytest.mark.parametrize("turns", [False, True])
@pytest.mark.parametrize("place", [False, True])
def test_the_foot_keeps_its_channels_however_it_inherits(scale, turns, place):
    rest = np.tile(np.eye(4), (4, 1, 1))
    rest[:, 1, 3] = [0, 1, 2, 2.5]
    rng = np.random.default_rng(3)
    arm = Armature(
        [-1, 0, 1, 2],
        rest,
        lengths=[1, 1, 0.5, 0.3],
        inherit_scale=["FULL", "FULL", scale, "FULL"],
        inherit_rotation=[True, True, turns, True],
        local_location=[True, True, place, True],
    )
    rotation = rng.normal(size=(20, 4, 3)) * 0.5
    pose = arm.pose(0.1 * rng.normal(size=(20, 4, 3)), rotation, "XYZ", rng.uniform(0.8, 1.2, (20, 4, 3)))
    found = arm.solve_ik(pose, [IKGoal(1, [0.3, 1.3, 0.6], chain_count=2)])
    assert np.abs(found[:, 1] - pose[:, 1]).max() > 0.1
    assert np.allclose(arm.local_from_pose(found)[:, 2:], arm.local_from_pose(pose)[:, 2:], atol=1e-9)
    whole = found[:, 1] @ np.linalg.inv(pose[:, 1]) @ pose[:, 2]
    assert np.allclose(found[:, 2], whole) == (scale == "FULL" and turns)


def test_turns_like_its_target():
    rest = np.tile(np.eye(4), (5, 1, 1))
    rest[:, 1, 3] = range(5)
    arm = Armature([-1, 0, 1, 2, 3], rest, lengths=[1] * 5)
    pose = arm.pose(rotation=0.4 * np.random.default_rng(0).normal(size=(5, 3)), rotation_mode="XYZ")[0]
    turn = sk.quaternion_to_matrix(np.array([[0.8, 0, 0.6, 0], [0.6, 0, 0, 0.8]]))
    poses, goal = np.stack([pose, pose]), [0.5, 3.0, 1.0]
    found = arm.solve_ik(poses, [IKGoal(4, goal, rotation=turn)])
    assert np.allclose(found[:, 4, :3, :3], turn, atol=2e-3)
    assert np.allclose(found[:, 4, :3, 3] + found[:, 4, :3, 1], goal, atol=2e-3)
    alone = arm.solve_ik(poses, [IKGoal(4, goal, rotation=turn, use_location=False)])
    assert np.allclose(alone[:, 4, :3, :3], turn, atol=2e-3)
    assert np.linalg.norm(alone[:, 4, :3, 3] + alone[:, 4, :3, 1] - goal, axis=-1).min() > 0.1
    assert np.allclose(arm.solve_ik(poses, [IKGoal(4, goal, use_location=False)]), poses, atol=1e-12)


@pytest.mark.parametrize(
    ("rotation", "message"),
    [
        (np.eye(4), r"goals\[0\].rotation has shape \(4, 4\)"),
        (np.full((3, 3), np.nan), r"goals\[0\].rotation at \(0, 0\) is nan"),
        (np.zeros((7, 3, 3)), r"goals\[0\].rotation has shape \(7, 3, 3\): it does not broadcast"),
    ],
)
def test_rotations_that_are_none(rotation, message):
    arm, pose = leg()
    with pytest.raises(ValueError, match=message):
        arm.solve_ik(pose, [IKGoal(1, [0, 1, 0], rotation=rotation)])


def test_leading_dimensions_and_threads():
    arm, pose = leg()
    goals = np.random.default_rng(0).uniform([-1, 0, -1], [1, 2, 1], (4, 25, 3))
    poses = np.broadcast_to(pose, (4, 25, 3, 4, 4))
    found = arm.solve_ik(poses, [IKGoal(1, goals, pole=[0, 1, 5])])
    assert found.shape == poses.shape
    assert np.array_equal(found[2, 7], arm.solve_ik(pose, [IKGoal(1, goals[2, 7], pole=[0, 1, 5])]))
    before = sk.get_num_threads()
    try:
        sk.set_num_threads(2)
        assert np.array_equal(found, arm.solve_ik(poses, [IKGoal(1, goals, pole=[0, 1, 5])]))
    finally:
        sk.set_num_threads(before)
    assert arm.solve_ik(poses[:0], [IKGoal(1, [0, 1, 0])]).shape == (0, 25, 3, 4, 4)


def test_moves_with_the_whole():
    arm, pose = leg()
    turn = np.eye(4)
    turn[:3, :3] = sk.quaternion_to_matrix([0.5, 0.5, -0.5, 0.5])
    turn[:3, 3] = [3, -2, 1]
    goal = np.array([0.3, 1.3, 0.6])
    arms = [Armature([-1, 0, 1], at @ arm.rest, lengths=arm.lengths) for at in (np.eye(4), turn)]
    still = arms[0].solve_ik(pose, [IKGoal(1, goal)])
    moved = arms[1].solve_ik(turn @ pose, [IKGoal(1, turn[:3, :3] @ goal + turn[:3, 3])])
    assert np.allclose(moved, turn @ still, atol=1e-5)


def test_a_straight_leg_stays_straight():
    arm, _ = leg()
    pose = arm.rest.astype(float)
    assert np.allclose(arm.solve_ik(pose, [IKGoal(1, [0, 1.2, 0])]), pose, atol=1e-6)


def test_no_influence_and_no_goals_change_nothing():
    arm, pose = leg()
    assert np.allclose(arm.solve_ik(pose, [IKGoal(1, [0.3, 1.3, 0.6], influence=0)]), pose, atol=1e-12)
    assert np.array_equal(arm.solve_ik(pose, []), pose)


def test_beside_a_pole_influence_is_a_part_of_the_turn():
    arm, pose = leg()
    ways = [IKGoal(0, [0.5, 0.2, 0.7], pole=[1, 1, 3], influence=influence) for influence in (0.25, 1)]
    turns = [arm.solve_ik(pose, [way])[0, :3, :3] @ pose[0, :3, :3].T for way in ways]
    (axis, other), (part, whole) = sk.quaternion_to_axis_angle(sk.quaternion_from_matrix(np.array(turns)))
    assert whole > 0.5
    assert np.isclose(part, whole / 4, atol=1e-5)
    assert np.allclose(axis, other, atol=1e-5)


def test_without_a_pole_influence_is_a_part_of_the_way_and_of_the_turn_of_the_target():
    arm, pose = leg()
    goal, turn = np.array([0.3, 1.3, 0.6]), np.array([0.6, 0, 0.8, 0])
    now = sk.quaternion_from_matrix(pose[1, :3, :3].astype(float))
    there = sk.quaternion_to_matrix(sk.quaternion_slerp(now, turn, 0.25))
    part = IKGoal(1, goal, rotation=sk.quaternion_to_matrix(turn), influence=0.25)
    whole = IKGoal(1, 0.75 * tip(pose) + 0.25 * goal, rotation=there)
    found = [arm.solve_ik(pose, [way]) for way in (part, whole)]
    assert np.allclose(*found, atol=1e-4)
    assert np.abs(found[0] - pose).max() > 1e-2


def test_bones_that_may_not_twist_only_swing():
    arm, _ = leg()
    pose = arm.pose(rotation=[[0.2, 0.4, 0], [-0.8, -0.3, 0.1], [0, 0, 0]], rotation_mode="XYZ")[0]
    locked = FREE._replace(lock=np.tile([False, True, False], (3, 1)))
    goal = np.array([0.3, 1.3, 0.6])
    found = arm.solve_ik(pose, [IKGoal(1, goal)], locked)
    assert np.linalg.norm(tip(found) - goal) < 1e-3
    for turned in (found[0], np.linalg.inv(found[0]) @ found[1]):
        assert abs(turned[0, 2] - turned[2, 0]) <= 1e-5
    assert np.abs(found - pose).max() > 0.1


def test_the_pole_angle_leaves_the_leg():
    arm, pose = leg()
    pole = [1.0, 1.0, 3.0]
    angle = float(pole_angle(pose[0], tip(pose), pole))
    found = arm.solve_ik(pose, [IKGoal(1, tip(pose), pole=pole, pole_angle=angle)])
    assert np.allclose(found, pose, atol=1e-4)


def test_bones_without_scale_and_poses_without_numbers_come_back():
    arm, pose = leg()
    flat, lost = pose.copy(), pose.copy()
    flat[1, :3, :3] = 0
    lost[1, 0, 0] = np.nan
    assert arm.solve_ik(np.array([flat, lost, pose]), [IKGoal(1, [0.3, 1.3, 0.6])]).shape == (3, 3, 4, 4)


FREE = IKJoints(*np.zeros((5, 3, 3)), np.zeros(3))


@pytest.mark.parametrize(
    ("goal", "joints", "message"),
    [
        (IKGoal(3, [0, 1, 0]), None, r"goals\[0\].bone = 3: expected 0 to 2"),
        (IKGoal(0, [0, 1, 0], use_tail=False), None, "bone 0 has no parent"),
        (IKGoal(1, [0, 1, 0], iterations=0), None, r"goals\[0\].iterations is 0: it must be at least 1"),
        (IKGoal(1, [0, 1, 0], chain_count=-1), None, r"goals\[0\].chain_count is -1: it must be at least 0"),
        (IKGoal("shin", [0, 1, 0]), None, r"goals\[0\].bone = 'shin': the armature has no bone of that name"),
        (IKGoal(1, [0, 1, 0], pole_angle=np.float64("nan")), None, r"goals\[0\].pole_angle is nan: a finite number"),
        (IKGoal(1, [0, 1, 0], weight=1.5), None, r"goals\[0\].weight is 1.5: it must be 0 to 1"),
        (IKGoal(1, [0, 1]), None, r"goals\[0\].target has shape \(2,\)"),
        (IKGoal(1, np.zeros((2, 3))), None, "does not broadcast"),
        (IKGoal(1, [0, np.nan, 0]), None, r"goals\[0\].target at \(1,\) is nan"),
        (IKGoal(1, [0, 1, 0], pole=[np.inf, 0, 0]), None, r"goals\[0\].pole at \(0,\) is inf"),
        (IKGoal(1, [0, 1, 0]), FREE._replace(stretch=np.zeros(2)), r"joints.stretch has shape \(2,\)"),
        (IKGoal(1, [0, 1, 0]), FREE._replace(limit_min=np.ones((3, 3))), r"limit_min at \(0, 0\) is above limit_max"),
        (IKGoal(1, [0, 1, 0]), FREE._replace(limit_max=np.full((3, 3), np.nan)), "is not finite"),
    ],
)
def test_bad_input_is_named(goal, joints, message):
    arm, pose = leg()
    with pytest.raises(ValueError, match=message):
        arm.solve_ik(pose, [goal], joints)


@pytest.mark.parametrize(
    ("goals", "message"),
    [
        ([IKGoal(np.float64(1.5), [0, 1, 0])], r"goals\[0\].bone = 1.5: expected the index or the name of a bone"),
        ([IKGoal(None, [0, 1, 0])], r"goals\[0\].bone = None: expected"),
        ([IKGoal(1, [0, 1, 0]), (1, [0, 1, 0])], r"goals\[1\] is tuple: expected an IKGoal"),
        ([IKGoal(1, [0, 1, 0], iterations=2.5)], r"goals\[0\].iterations is 2.5: an integer is needed"),
        ([IKGoal(1, [0, 1, 0], chain_count=1.5)], r"goals\[0\].chain_count is 1.5: an integer is needed"),
        ([IKGoal(1, [0, 1, 0], weight="1")], r"goals\[0\].weight is '1': a number is needed"),
        ([IKGoal(1, [0, 1, 0], use_tail="no")], r"goals\[0\].use_tail is 'no': True or False is needed"),
        (IKGoal(1, [0, 1, 0]), r"goals is IKGoal: expected a sequence of IKGoal"),
        (None, r"goals is NoneType: expected a sequence"),
    ],
)
def test_what_is_no_goal_is_named(goals, message):
    arm, pose = leg()
    with pytest.raises(TypeError, match=message):
        arm.solve_ik(pose, goals)
    with pytest.raises(TypeError, match="joints is tuple: expected IKJoints or None"):
        arm.solve_ik(pose, [], tuple(FREE))


def test_a_goal_names_its_bone():
    arm, pose = leg()
    by_name = arm.solve_ik(pose, [IKGoal(arm.names[1], [0.3, 1.3, 0.6])])
    assert np.array_equal(by_name, arm.solve_ik(pose, [IKGoal(np.int64(1), [0.3, 1.3, 0.6], chain_count=10**12)]))


def test_an_armature_without_bones_has_no_goals():
    none = Armature([], np.zeros((0, 4, 4)))
    assert none.solve_ik(np.zeros((2, 0, 4, 4)), []).shape == (2, 0, 4, 4)
    with pytest.raises(ValueError, match=r"goals\[0\]: the armature has no bones"):
        none.solve_ik(np.zeros((0, 4, 4)), [IKGoal(0, [0, 1, 0])])


def test_bad_poses_and_poles_are_named():
    arm, pose = leg()
    with pytest.raises(ValueError, match=r"pose has shape \(2, 4, 4\)"):
        arm.solve_ik(pose[:2], [])
    with pytest.raises(ValueError, match="no angle is right"):
        pole_angle(np.eye(4), [0, 1, 0], [0, 2, 0])
    with pytest.raises(ValueError, match=r"tip has shape \(2,\)"):
        pole_angle(np.eye(4), [0, 1], [0, 2, 0])
