# SPDX-License-Identifier: MIT
"""A foot that is dragged: the limb that follows, locked channels, numbers that are typed."""

from __future__ import annotations

import numpy as np
import pytest
from addon_modules import load

import skelkin_py as sk

drag = load("core.foot_drag")

NAMES = ("thigh", "shin", "foot", "toe")
HEADS = np.array([[0.1, 0.0, 0.9], [0.1, -0.03, 0.5], [0.1, 0.0, 0.1], [0.1, -0.12, 0.0]])
LENGTH = np.linalg.norm(np.diff(HEADS[:3], axis=0), axis=1).sum()
STILL = np.array([1.0, 0.0, 0.0, 0.0])


def posed(seed=0):
    """Return a limb in a random pose."""
    rng = np.random.default_rng(seed)
    rest = np.tile(np.eye(4), (4, 1, 1))
    rest[:, :3, 3] = HEADS
    skeleton = sk.Skeleton.from_global([-1, 0, 1, 2], rest, NAMES)
    local = np.array(sk.local_from_global(skeleton, rest))
    turns = sk.quaternion_from_rotation_vector(rng.normal(0.0, 0.2, (4, 3)))
    local[:, :3, :3] = local[:, :3, :3] @ sk.quaternion_to_matrix(turns)
    pose = sk.forward_kinematics(skeleton, local)
    return drag.limb(sk, rest, pose, (0, 1, 2), NAMES)


@pytest.mark.parametrize("seed", range(8))
def test_the_ankle_is_where_it_is_dragged_and_the_foot_turned_as_told(seed):
    limb = posed(seed)
    hip, ankle = limb.pose[0, :3, 3], limb.ankle
    target = hip + (ankle - hip) * 0.8 + [0.03, -0.05, 0.01]
    turn = sk.quaternion_from_rotation_vector([0.1, 0.4, -0.2])
    found = drag.solved(sk, limb, target, turn, 0.0)
    np.testing.assert_allclose(found[2, :3, 3], target, atol=1e-12)
    np.testing.assert_allclose(found[2, :3, :3], sk.quaternion_to_matrix(turn) @ limb.pose[2, :3, :3], atol=1e-12)
    np.testing.assert_array_equal(found[0, :3, 3], hip)
    np.testing.assert_allclose(np.linalg.norm(np.diff(found[:, :3, 3], axis=0), axis=1),
                               np.linalg.norm(np.diff(HEADS, axis=0), axis=1), atol=1e-12)  # fmt: skip


def test_a_drag_of_nothing_changes_nothing():
    limb = posed()
    np.testing.assert_allclose(drag.solved(sk, limb, limb.ankle, STILL, 0.0), limb.pose, atol=1e-12)


def test_the_knee_swivels_about_the_line_from_hip_to_ankle_and_the_foot_keeps_still():
    limb = posed()
    found = drag.solved(sk, limb, limb.ankle, STILL, 0.5)
    np.testing.assert_allclose(found[2], limb.pose[2], atol=1e-12)
    hip, ankle = limb.pose[0, :3, 3], limb.ankle
    axis = (ankle - hip) / np.linalg.norm(ankle - hip)
    turn = sk.quaternion_to_matrix(sk.quaternion_from_rotation_vector(0.5 * axis))
    np.testing.assert_allclose(found[1, :3, 3], hip + turn @ (limb.pose[1, :3, 3] - hip), atol=1e-12)


def test_beyond_the_reach_the_ankle_slows_down_and_the_leg_never_straightens_wholly():
    limb = posed()
    hip = limb.pose[0, :3, 3]
    line = (limb.ankle - hip) / np.linalg.norm(limb.ankle - hip)
    asked = np.linspace(0.9, 2.0, 400) * LENGTH
    reached = np.array([np.linalg.norm(drag.within_reach(limb, hip + d * line) - hip) for d in asked])
    own = np.linalg.norm(limb.ankle - hip)
    unsoftened = asked <= max(0.975 * LENGTH, own)
    np.testing.assert_allclose(reached[unsoftened], asked[unsoftened], rtol=1e-12)
    assert (np.diff(reached) >= -1e-14).all()
    assert (np.diff(reached) <= np.diff(asked) * (1 + 1e-9)).all()
    assert reached[-1] <= max(0.995 * LENGTH, own) + 1e-12


def test_a_leg_that_is_straight_when_a_drag_begins_does_not_jump():
    rest = np.tile(np.eye(4), (3, 1, 1))
    rest[:, 2, 3] = [0.9, 0.5, 0.1]
    limb = drag.limb(sk, rest, rest, (0, 1, 2), NAMES[:3])
    np.testing.assert_array_equal(drag.within_reach(limb, limb.ankle), limb.ankle)
    further = drag.within_reach(limb, limb.ankle - [0.0, 0.0, 0.3])
    np.testing.assert_allclose(further, limb.ankle, atol=1e-15)


@pytest.mark.parametrize(("locks", "open_channels"), [((False,) * 3, [0, 1, 2]), ((True, False, True), [1])])
def test_a_locked_euler_angle_stays(locks, open_channels):
    locks = drag.Locks(locks, False, False)
    before, after = np.array([0.1, 0.2, 0.3]), np.array([1.0, 2.0, 3.0])
    found = drag.unlocked(sk, "XYZ", before, after, locks)
    assert locks.open_channels("XYZ") == open_channels
    assert [k for k in range(3) if found[k] == after[k]] == open_channels
    assert all(found[k] == before[k] for k in set(range(3)) - set(open_channels))


@pytest.mark.parametrize("mode", ["QUATERNION", "AXIS_ANGLE"])
def test_locks_of_four_channels_hold_components_or_axes(mode):
    rng = np.random.default_rng(1)
    before, after = rng.normal(size=(2, 4))
    before, after = before / np.linalg.norm(before), after / np.linalg.norm(after)
    by_component = drag.Locks((False, True, False), True, True)
    assert by_component.open_channels(mode) == [1, 3]
    np.testing.assert_array_equal(drag.unlocked(sk, mode, before, after, by_component),
                                  [before[0], after[1], before[2], after[3]])  # fmt: skip
    by_axis = drag.Locks((False, True, False), True, False)
    assert by_axis.open_channels(mode) == [0, 1, 2, 3]
    found = drag.unlocked(sk, mode, before, after, by_axis)

    def angles(values):
        if mode == "AXIS_ANGLE":
            values = sk.quaternion_from_rotation_vector(values[0] * values[1:] / np.linalg.norm(values[1:]))
        return sk.quaternion_to_euler(values, "XYZ")

    np.testing.assert_allclose(angles(found), [angles(after)[0], angles(before)[1], angles(after)[2]], atol=1e-9)
    all_axes = drag.Locks((True, True, True), False, False)
    assert all_axes.open_channels(mode) == []
    np.testing.assert_array_equal(drag.unlocked(sk, mode, before, after, all_axes), before)


def typed(keys, mode):
    now = drag.Typed()
    for key in keys:
        now = now.after(key, mode) or now
    return now.values


@pytest.mark.parametrize(
    ("keys", "mode", "values"),
    [
        (["1", ".", "5"], drag.HEIGHT, [1.5]),
        (["2", "-"], drag.HEIGHT, [-2.0]),
        (["-", "2", "-"], drag.HEIGHT, [2.0]),
        (["-"], drag.HEIGHT, [0.0]),
        (["1", ".", ".", "5", "x"], drag.HEIGHT, [1.5]),
        (["1", "TAB", "2", "TAB", "3"], drag.FREE, [1.0, 2.0, 3.0]),
        (["1", "TAB", "TAB", "4"], drag.GROUND, [14.0, 0.0]),
        (["1", "2", "BACK_SPACE"], drag.KNEE, [1.0]),
        (["1", "BACK_SPACE"], drag.TURN, []),
        (["TAB", "BACK_SPACE"], drag.FREE, []),
    ],
)
def test_numbers_are_typed_field_by_field(keys, mode, values):
    assert typed(keys, mode) == values


def test_the_sole_is_as_far_below_the_ankle_as_its_lowest_point():
    foot = np.eye(4)
    sole = np.array([[0.0, 0.05, -0.1], [0.0, -0.2, -0.08]])
    assert drag.height_of_sole(foot, sole) == pytest.approx(0.1)
    foot[:3, :3] = sk.quaternion_to_matrix(sk.quaternion_from_rotation_vector([np.pi / 2, 0.0, 0.0]))
    assert drag.height_of_sole(foot, sole) == pytest.approx(0.2)
    assert drag.height_of_sole(foot, np.zeros((0, 3))) == 0.0
