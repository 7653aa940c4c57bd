# SPDX-License-Identifier: MIT
"""Planting legs of three segments: a horse's walk whose contacts are known exactly."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from horse_steps import HorseWalk, horse_walk
from known_steps import spans_of

import skelkin_py as sk


@pytest.fixture(scope="module")
def walk() -> HorseWalk:
    return horse_walk()


def legs_of(walk: HorseWalk) -> dict[str, sk.Leg]:
    """Return the found legs by the names that the walk gives them."""
    hips = {chain[0]: name for name, chain in walk.joints.items()}
    return {hips[leg.hip]: leg for leg in walk.clip.find_legs()}


def planted(walk: HorseWalk, contacts: str, legs: dict[str, sk.Leg] | None = None, **options: object) -> sk.Planted:
    legs = legs_of(walk) if legs is None else legs
    spans = [spans_of(walk.stands[name]) for name in legs] if contacts == "given" else contacts
    return walk.clip.plant_feet(legs=list(legs.values()), contacts=spans, **options)


def leg_length(walk: HorseWalk, chain: list[int]) -> float:
    rest = walk.clip.skeleton.rest_global[chain, :3, 3]
    return float(np.linalg.norm(rest[1] - rest[0]) + np.linalg.norm(rest[3] - rest[1]))


def knee_side(places: np.ndarray, chain: list[int]) -> np.ndarray:
    """Return on which side of the line from hip to fetlock the knee is, in the plane of the leg."""
    thigh, line = (places[:, chain[k], 1:] - places[:, chain[0], 1:] for k in (1, 3))
    return np.asarray(thigh[:, 0] * line[:, 1] - thigh[:, 1] * line[:, 0])


def test_the_clean_walk_stands_still_and_the_damaged_one_slides(walk: HorseWalk) -> None:
    for name, chain in walk.joints.items():
        stands = walk.stands[name][1:] & walk.stands[name][:-1]
        still = np.linalg.norm(np.diff(walk.clean.positions()[:, chain[4]], axis=0), axis=1)[stands]
        slides = np.linalg.norm(np.diff(walk.clip.positions()[:, chain[4]], axis=0), axis=1)[stands]
        assert still.max() < 1e-12
        assert slides.mean() > 1e-3


@pytest.mark.parametrize("contacts", ["given", "auto"])
def test_hoofs_stand_still_and_the_joints_between_keep_their_angles(walk: HorseWalk, contacts: str) -> None:
    result = planted(walk, contacts)
    places, before = result.clip.positions(), walk.clip.positions()
    for name, chain in walk.joints.items():
        length = leg_length(walk, chain)
        stands = walk.stands[name][1:] & walk.stands[name][:-1]
        for joint in chain[3:]:
            assert np.linalg.norm(np.diff(places[:, joint], axis=0), axis=1)[stands].max() <= 1e-4 * length
        assert np.ptp(places[walk.stands[name], chain[4], 1]) <= 1e-3 * length
        # The hock keeps its angle to the bit, the knee its side; no bone changes its length.
        np.testing.assert_array_equal(result.clip.rotations[:, chain[2]], walk.clip.rotations[:, chain[2]])
        np.testing.assert_array_equal(result.clip.translations[:, chain], walk.clip.translations[:, chain])
        assert (knee_side(places, chain) * knee_side(before, chain) > 0).all()
    assert all(not leg.unreachable for leg in result.report.legs)


def turning(clip: sk.Clip, joint: int) -> np.ndarray:
    """Return how fast a joint turns, degrees a second."""
    turns = clip.rotations[:, joint]
    cosine = np.abs(np.einsum("fi,fi->f", turns[1:], turns[:-1]))
    return np.asarray(np.degrees(2.0 * np.arccos(np.minimum(cosine, 1.0))) * clip.fps)


def test_no_joint_turns_much_faster_than_in_the_original(walk: HorseWalk) -> None:
    result = planted(walk, "given")
    for chain in walk.joints.values():
        for joint in chain[:2]:
            assert turning(result.clip, joint).max() <= 1.5 * turning(walk.clip, joint).max() + 60.0


def test_a_leg_given_whole_is_solved_the_same_way(walk: HorseWalk) -> None:
    """As rigs name it whose ankle is below a third segment: the joints between are listed in segments."""
    found = legs_of(walk)
    given = {}
    for name, leg in found.items():
        hip, knee, hock, fetlock, hoof = walk.joints[name]
        whole = (hip, knee, hock, fetlock)
        given[name] = sk.Leg(hip, knee, fetlock, toe=hoof, side=leg.side, segments=whole, bend=leg.bend)
    first, second = planted(walk, "given", found), planted(walk, "given", given)
    np.testing.assert_array_equal(first.clip.rotations, second.clip.rotations)


def test_two_hind_legs_alone_are_planted_too(walk: HorseWalk) -> None:
    legs = {name: leg for name, leg in legs_of(walk).items() if name.startswith("hind")}
    result = planted(walk, "given", legs)
    for name in legs:
        chain, stands = walk.joints[name], walk.stands[name][1:] & walk.stands[name][:-1]
        steps = np.linalg.norm(np.diff(result.clip.positions()[:, chain[4]], axis=0), axis=1)[stands]
        assert steps.max() <= 1e-4 * leg_length(walk, chain)


def test_a_chain_given_by_hand_is_left_as_it_is(walk: HorseWalk) -> None:
    """Whoever says that the hock stands gets the hock solved: the fetlock below it is turned by nothing."""
    name, chain = next(iter(walk.joints.items()))
    leg = dataclasses.replace(legs_of(walk)[name], chain=(chain[0], chain[1], chain[3]))
    by_hand = planted(walk, "given", {name: leg})
    found = planted(walk, "given", {name: legs_of(walk)[name]})
    stands = walk.stands[name][1:] & walk.stands[name][:-1]
    for result in (by_hand, found):
        steps = np.linalg.norm(np.diff(result.clip.positions()[:, chain[3]], axis=0), axis=1)[stands]
        assert steps.max() <= 1e-4 * leg_length(walk, chain)


def test_a_human_foot_is_no_segment_of_the_leg() -> None:
    from skelkin_py.legs.standing_leg import standing_leg

    rest = np.tile(np.eye(4), (5, 1, 1))
    rest[:, :3, 3] = [[0, 1, 0], [0, 0.55, 0.02], [0, 0.1, 0], [0, 0.02, 0.13], [0, 0.01, 0.2]]
    leg = sk.Leg(0, 1, 2, toe=3)
    assert standing_leg([-1, 0, 1, 2, 3], rest, leg) is leg
    # Nor one that points straight down in a rest pose without rotations.
    rest[3, :3, 3], rest[4, :3, 3] = [0, -0.05, 0], [0, -0.1, 0]
    assert standing_leg([-1, 0, 1, 2, 3], rest, leg) is leg


def test_the_boot_of_a_figure_with_short_legs_is_no_segment_of_the_leg() -> None:
    from skelkin_py.legs.standing_leg import standing_leg

    rest = np.tile(np.eye(4), (4, 1, 1))
    rest[:, :3, 3] = [[0, 0.52, 0], [0, 0.29, 0.01], [0, 0.145, -0.02], [0, 0.025, 0.095]]  # long, and steeply down
    leg = sk.Leg(0, 1, 2, toe=3)
    assert standing_leg([-1, 0, 1, 2], rest, leg) is leg


WOLF = [[0.34, 0.74], [0.27, 0.47], [0.48, 0.25], [0.41, 0.04]]  # hind leg, forward and up


def test_the_foot_of_a_wolf_is_one() -> None:
    from skelkin_py.legs.standing_leg import standing_leg

    rest = np.tile(np.eye(4), (4, 1, 1))
    rest[:, 1:3, 3] = WOLF
    assert standing_leg([-1, 0, 1, 2], rest, sk.Leg(0, 1, 2, toe=3)).chain == (0, 1, 3)
