# SPDX-License-Identifier: MIT
"""What was changed by hand in a pose is found, and made to the same pose or to another one."""

from __future__ import annotations

import numpy as np
import pytest

import skelkin_py as sk
from skelkin_py.planting.editing import touch_ups

NEAR = 1e-9
CLIP = sk.example("biped").clip
LEGS = CLIP.find_legs()
CHAINS = [leg.chain for leg in LEGS]
CARRIER = int(CLIP.skeleton.parents[LEGS[0].hip])
REST = np.asarray(CLIP.skeleton.rest_global)
BEFORE = CLIP.local_matrices()


def pose(local):
    return sk.forward_kinematics(CLIP.skeleton, local)


def turned(local, joint, vectors):
    """Return the pose with a joint turned in its own frame."""
    out = np.array(local)
    out[:, joint, :3, :3] = out[:, joint, :3, :3] @ sk.transforms.quaternion_to_matrix(
        sk.transforms.quaternion_from_rotation_vector(vectors)
    )
    return out


def by_hand(seed, joints=None, size=0.2):
    """Return the pose with joints of the left leg and the pelvis turned by hand, differently in each frame."""
    rng, local = np.random.default_rng(seed), BEFORE
    for joint in (CARRIER, *CHAINS[0]) if joints is None else joints:
        local = turned(local, joint, rng.uniform(-size, size, (len(local), 3)))
    return local


def found(before, after):
    return touch_ups.changes(REST, pose(before), pose(after), CARRIER, CHAINS)


def laid(local, change):
    return touch_ups.with_changes(CLIP.skeleton, local, change, CARRIER, CHAINS)


def apart(one, other):
    """Return by how much two poses differ: places of joints, and turns of pelvis and feet."""
    ends, off = [CARRIER, *(chain[2] for chain in CHAINS)], np.abs(pose(one) - pose(other))
    return max(off[:, ends].max(), off[:, [joint for chain in CHAINS for joint in chain], :3, 3].max())


def test_changes_of_the_same_pose_give_the_pose_they_were_found_in():
    after = by_hand(0)
    assert apart(laid(BEFORE, found(BEFORE, after)), after) <= NEAR


def test_changes_found_one_after_the_other_are_made_together():
    first, last = by_hand(1), by_hand(2)
    change = touch_ups.together(found(BEFORE, first), found(first, last))
    assert apart(laid(BEFORE, change), last) <= NEAR


def test_a_change_taken_back_is_none():
    change = found(BEFORE, by_hand(3))
    assert np.abs(touch_ups.together(touch_ups.undone(change), change)).max() <= NEAR


def test_where_nothing_was_changed_the_pose_keeps_its_bits():
    change = found(BEFORE, by_hand(4, CHAINS[0][:1]))
    change[::2] = 0.0
    after = laid(BEFORE, change)
    assert (after[::2] == BEFORE[::2]).all()
    others = [joint for joint in range(BEFORE.shape[1]) if joint not in CHAINS[0]]
    assert (after[:, others] == BEFORE[:, others]).all()


def test_on_another_pose_the_ankle_is_shifted_and_the_foot_turned_as_much():
    change = found(BEFORE, by_hand(5, CHAINS[0], size=0.1))
    other = turned(BEFORE, CHAINS[0][0], np.tile([0.1, 0.0, 0.05], (len(BEFORE), 1)))
    after = laid(other, change)
    ankle = CHAINS[0][2]
    shift = (pose(after) - pose(other))[:, ankle, :3, 3]
    within = np.linalg.norm(shift - change[:, 1, :3], axis=1) <= NEAR
    assert within.mean() > 0.9  # elsewhere the leg is too short
    again = found(other, after)
    np.testing.assert_allclose(again[:, 1, 3:6], change[:, 1, 3:6], atol=1e-7)
    np.testing.assert_allclose(again[within, 1, 6], change[within, 1, 6], atol=1e-6)


@pytest.mark.parametrize("row", [0, 1])
def test_a_joint_that_stays_has_no_change(row):
    joints = CHAINS[1][:1] if row else [CHAINS[0][0]]
    change = found(BEFORE, by_hand(6, joints))
    assert not change[:, 0].any()
    assert not change[:, 2 - row].any()
