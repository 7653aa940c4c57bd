# SPDX-License-Identifier: MIT
"""Legs picked by hand: what follows from hip, knee and ankle, and why none were found."""

from __future__ import annotations

import numpy as np
import pytest

import skelkin_py as sk
from skelkin_py.legs import Leg, completed_legs, why_no_legs


def picked(leg: Leg) -> Leg:
    """Return what a user picks of a leg."""
    return Leg(leg.hip, leg.knee, leg.ankle, leg.toe)


def test_picked_legs_are_those_that_are_found():
    skeleton = sk.example("biped").clip.skeleton
    rest = skeleton.rest_global[:, :3, 3]
    found = sk.find_legs(skeleton.names, skeleton.parents, rest)
    made = completed_legs([picked(leg) for leg in found], skeleton.names, skeleton.parents, rest)
    for one, other in zip(found, made, strict=True):
        assert (one.side, one.heel, one.pelvis, one.chain, one.segments) == (
            other.side,
            other.heel,
            other.pelvis,
            other.chain,
            other.segments,
        )
        np.testing.assert_allclose(one.bend, other.bend)


def test_they_stay_in_the_order_given_and_keep_what_is_given():
    skeleton = sk.example("biped").clip.skeleton
    rest = skeleton.rest_global[:, :3, 3]
    left, right = sk.find_legs(skeleton.names, skeleton.parents, rest)
    given = Leg(right.hip, right.knee, right.ankle, heel=right.ankle, pelvis=0, side="left")
    made = completed_legs([given, picked(left)], skeleton.names, skeleton.parents, rest)
    assert [leg.hip for leg in made] == [right.hip, left.hip]
    assert (made[0].heel, made[0].pelvis, made[0].side) == (right.ankle, 0, "left")


def test_a_leg_in_other_joints_bends_as_those_do():
    rest = np.array([[0, 3, 0], [0, 2, 0], [0, 1, -0.2], [0, 0, 0]], float)
    (leg,) = completed_legs([Leg(1, 2, 3)], list("abcd"), [-1, 0, 1, 2], rest)
    np.testing.assert_allclose(leg.bend, [0, 0, -1], atol=1e-12)
    assert leg.pelvis == 0
    assert leg.side is None


def test_split_bones_are_listed_whole():
    rest = np.array([[0, 4, 0], [0, 3, 0.1], [0, 2, 0.2], [0, 1, 0.1], [0, 0, 0]], float)
    (leg,) = completed_legs([Leg(0, 2, 4)], list("abcde"), [-1, 0, 1, 2, 3], rest)
    assert leg.segments == (0, 1, 2, 3, 4)
    assert leg.chain == (0, 2, 4)


@pytest.mark.parametrize(
    ("leg", "said"),
    [
        (Leg(0, 3, 2), r"the ankle 'c' is not below the knee 'd'"),
        (Leg(2, 1, 3), r"the knee 'b' is not below the hip 'c'"),
        (Leg(1, 1, 2), r"the knee 'b' is not below the hip 'b'"),
    ],
)
def test_joints_that_do_not_hang_below_each_other_are_named(leg, said):
    with pytest.raises(ValueError, match=said):
        completed_legs([leg], list("abcd"), [-1, 0, 1, 2], np.zeros((4, 3)))


def test_feet_that_stand_in_the_world_are_the_reason_why_no_legs_are_found():
    names = ["root", "hips", "thigh.L", "shin.L", "thigh.R", "shin.R", "foot_ik.L", "foot_ik.R"]
    parents = [-1, 0, 1, 2, 1, 4, 0, 0]
    rest = [[0, 0, 0], [0, 0, 2], [1, 0, 2], [1, 0, 1], [-1, 0, 2], [-1, 0, 1], [1, 0, 0], [-1, 0, 0]]
    assert sk.find_legs(names, parents, rest) == []
    told = why_no_legs(names, parents, rest)
    assert told[0] == "left: thigh 'thigh.L', shin 'shin.L'; 'foot_ik.L' is not below 'shin.L'"
    assert told[1].startswith("right: ")


def test_names_that_tell_nothing_are_the_reason():
    assert "none of the 3 names" in why_no_legs(["a", "b", "c"], [-1, 0, 1], np.zeros((3, 3)))[0]


def test_a_part_that_is_missing_is_named():
    assert "no foot" in why_no_legs(["thigh.L", "shin.L"], [-1, 0], np.zeros((2, 3)))[0]
