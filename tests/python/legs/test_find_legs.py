# SPDX-License-Identifier: MIT
"""Finding legs: by names in every naming world, by structure without names, on real skeletons, and refusals."""

from __future__ import annotations

import json
import random
from pathlib import Path

import numpy as np
import pytest

import skelkin_py as sk

CORPUS = Path(__file__).resolve().parents[2] / "corpus" / "legs"
WORLDS = [json.loads(path.read_text(encoding="utf-8")) for path in sorted(CORPUS.glob("*.json"))]


class World:
    """A skeleton of the corpus, which test_leg_corpus.py goes through whole."""

    def __init__(self, entry: dict) -> None:
        self.names: list[str] = entry["names"]
        self.parents: list[int] = entry["parents"]
        self.rest = np.array(entry["rest"], float)
        roles = ("hip", "knee", "ankle", "toe", "heel")
        self.expected = {
            ("hind", leg["side"]): {role: leg[role] for role in roles if leg[role]} for leg in entry["legs"]
        }


def found_names(names: list[str], leg: sk.Leg) -> dict[str, str]:
    roles = {"hip": leg.hip, "knee": leg.knee, "ankle": leg.ankle, "toe": leg.toe, "heel": leg.heel}
    return {role: names[joint] for role, joint in roles.items() if joint is not None}


def ancestors(parents: list[int], joint: int) -> list[int]:
    chain = []
    while joint >= 0:
        chain.append(joint)
        joint = parents[joint]
    return chain


@pytest.mark.parametrize("world", ["CMU BVH", "Mixamo", "Unreal 4", "wolf by names"])
def test_pelvis_is_where_the_hips_of_a_pair_meet(world: str) -> None:
    world = World(next(entry for entry in WORLDS if entry["world"] == world))
    legs = sk.find_legs(world.names, world.parents, world.rest)
    for left, right in zip(legs[::2], legs[1::2], strict=True):
        shared = [j for j in ancestors(world.parents, left.hip) if j in ancestors(world.parents, right.hip)]
        assert left.pelvis == right.pelvis == shared[0]


@pytest.mark.parametrize("entry", WORLDS, ids=lambda entry: entry["world"])
def test_order_of_the_joints_does_not_matter(entry: dict) -> None:
    world = World(entry)
    expected = [found_names(world.names, leg) for leg in sk.find_legs(world.names, world.parents, world.rest)]
    shuffled = list(range(len(world.names)))
    random.Random(entry["world"]).shuffle(shuffled)
    place_of = {old: new for new, old in enumerate(shuffled)}
    parents = [place_of[world.parents[old]] if world.parents[old] >= 0 else -1 for old in shuffled]
    order = sk.sort_joints(parents)
    joints = [shuffled[i] for i in order]
    new = {old: i for i, old in enumerate(joints)}
    names = [world.names[old] for old in joints]
    tree = [new[world.parents[old]] if world.parents[old] >= 0 else -1 for old in joints]
    legs = sk.find_legs(names, tree, world.rest[joints])
    assert {leg.hip for leg in legs} == {names.index(one["hip"]) for one in expected}
    assert all(found_names(names, leg) in expected for leg in legs)


def humanoid() -> World:
    return World(next(entry for entry in WORLDS if entry["world"] == "Mixamo"))


@pytest.mark.parametrize("scale", [1e-4, 1.0, 1e4])
@pytest.mark.parametrize("turn", range(4))
def test_without_names_the_structure_is_enough(scale: float, turn: int) -> None:
    world = humanoid()
    rotation = [
        np.eye(3),
        [[1, 0, 0], [0, 0, -1], [0, 1, 0]],
        [[0, 0, 1], [1, 0, 0], [0, 1, 0]],
        [[-1, 0, 0], [0, 1, 0], [0, 0, -1]],
    ]
    rest = world.rest @ np.array(rotation[turn], float).T * scale + 3 * scale
    names = [f"{random.Random(i).getrandbits(32):x}" for i in range(len(world.names))]
    legs = sk.find_legs(names, world.parents, rest)
    assert [(leg.side, found_names(world.names, leg)) for leg in legs] == [
        (side, leg) for (_, side), leg in world.expected.items()
    ]
    named = sk.find_legs(world.names, world.parents, world.rest)
    for leg, same in zip(legs, named, strict=True):
        assert 0.2 <= leg.confidence <= 0.6 < same.confidence
        assert any("structure" in reason for reason in leg.reasons)
        np.testing.assert_allclose(leg.bend, np.array(rotation[turn], float) @ same.bend, atol=1e-9)


@pytest.mark.parametrize(
    "name", ["cmu_01_01", "cmu_12_01_walk", "fair1_jumping", "makehuman_walk1", "optitrack_louise"]
)
def test_real_clips_with_names_taken_away(data_dir: Path, name: str) -> None:
    clip = sk.load(data_dir / "bvh" / f"{name}.bvh")
    named = clip.find_legs()
    names = [f"b{j}" for j in range(len(clip.names))]
    legs = sk.find_legs(names, clip.skeleton.parents, clip.skeleton.rest_global[:, :3, 3])
    assert sorted(leg.chain for leg in legs) == sorted(leg.chain for leg in named)
    assert max(leg.confidence for leg in legs) < min(leg.confidence for leg in named)


REAL = {
    "cmu_01_01": ("LeftUpLeg", "LeftLeg", "LeftFoot", "LeftToeBase", "Hips"),
    "cmu_12_01_walk": ("LeftUpLeg", "LeftLeg", "LeftFoot", "LeftToeBase", "Hips"),
    "fair1_jumping": ("LeftUpLeg", "LeftLeg", "LeftFoot", "LeftToeBase", "Hips"),
    "makehuman_walk1": ("UpLeg_L", "LoLeg_L", "Foot_L", "Toe_L", "Hips"),
    "optitrack_louise": ("LeftHip", "LeftKnee", "LeftAnkle", None, "Hips"),
    "rokoko_jesse_dance": ("LeftUpLeg", "LeftLeg", "LeftFoot", "LeftToeBase", "Hips"),
}


@pytest.mark.parametrize("name", REAL)
def test_real_clips(data_dir: Path, name: str) -> None:
    clip = sk.load(data_dir / "bvh" / f"{name}.bvh")
    left, right = clip.find_legs()
    names = [None if j is None else clip.names[j] for j in (*left.chain, left.toe, left.pelvis)]
    assert tuple(names) == REAL[name]
    swapped = [None if n is None else n.replace("Left", "Right").replace("_L", "_R") for n in names]
    assert [None if j is None else clip.names[j] for j in (*right.chain, right.toe, right.pelvis)] == swapped
    # The knee bends to the side to which it is where it is clearly bent (one clip overstretches its knees).
    matrices = clip.global_matrices()
    rest = clip.skeleton.rest_global
    for leg in (left, right):
        hip, knee, ankle = (matrices[:, j, :3, 3] for j in leg.chain)
        posed = np.einsum("fij,kj,k->fi", matrices[:, leg.hip, :3, :3], rest[leg.hip, :3, :3].T, leg.bend)
        line = (ankle - hip) / np.linalg.norm(ankle - hip, axis=1, keepdims=True)
        off = (knee - hip) - np.einsum("fi,fi->f", knee - hip, line)[:, None] * line
        bent = np.linalg.norm(off, axis=1) > 0.15 * np.linalg.norm(knee - hip, axis=1)
        assert np.mean(np.einsum("fi,fi->f", off, posed)[bent] > 0) > 0.9


@pytest.mark.parametrize("rig", ["default", "mixamo", "game_engine"])
def test_makehuman_rigs(data_dir: Path, rig: str) -> None:
    bones = json.loads((data_dir / "makehuman" / f"rig.{rig}.json").read_text(encoding="utf-8"))
    bones = bones.get("bones", bones)
    order = sk.sort_joints([list(bones).index(b["parent"]) if b["parent"] else -1 for b in bones.values()])
    names = [list(bones)[i] for i in order]
    parents = [names.index(bones[name]["parent"]) if bones[name]["parent"] else -1 for name in names]
    rest = [bones[name]["head"]["default_position"] for name in names]
    left, right = sk.find_legs(names, parents, rest)
    expected = {
        "default": ["upperleg01.L", "lowerleg01.L", "foot.L"],
        "mixamo": ["mixamorig:LeftUpLeg", "mixamorig:LeftLeg", "mixamorig:LeftFoot"],
        "game_engine": ["thigh_l", "calf_l", "foot_l"],
    }[rig]
    assert [names[j] for j in left.chain] == expected
    assert (left.side, right.side) == ("left", "right")
    assert left.bend[1] < -0.9  # forwards is -Y there
    if rig == "default":
        split = ["upperleg01.L", "upperleg02.L", "lowerleg01.L", "lowerleg02.L", "foot.L"]
        assert [names[j] for j in left.segments] == split


def test_leg_is_the_thigh_or_the_shin_by_its_place() -> None:
    for names, hip, knee in ((["Left leg", "Left knee"], 1, 2), (["LeftUpLeg", "LeftLeg"], 1, 2)):
        legs = sk.find_legs(["Hips", *names, "LeftFoot"], [-1, 0, 1, 2], [[0, 9, 0], [1, 9, 0], [1, 5, 0.1], [1, 1, 0]])
        assert [leg.chain for leg in legs] == [(hip, knee, 3)]
        assert legs[0].pelvis == 0


@pytest.mark.parametrize("case", [str.upper, str.lower], ids=["capitals", "small letters"])
def test_a_right_side_that_is_glued_to_the_toes_is_no_rear_toe(case) -> None:
    joints = ["Thigh", "Shin", "Foot", "Toe"]
    names = ["Hips", *(case(side + joint) for side in "LR" for joint in joints)]
    rest = [[0, 1, 0]] + [[x, y, z] for x in (0.1, -0.1) for y, z in ((0.9, 0), (0.5, 0.02), (0.1, 0), (0.02, 0.12))]
    legs = sk.find_legs(names, [-1, 0, 1, 2, 3, 0, 5, 6, 7], rest)
    assert [(leg.side, leg.chain, leg.toe) for leg in legs] == [("left", (1, 2, 3), 4), ("right", (5, 6, 7), 8)]


def test_insects_have_six_legs_by_their_words() -> None:
    names, parents, rest = ["Thorax", "Abdomen", "Head"], [-1, 0, 0], [[0, 5, 0], [0, 5.5, -5], [0, 5, 4]]
    expected = []
    for pair, z in enumerate((2.5, 0.0, -2.5)):
        for side, sign in (("L", 1), ("R", -1)):
            first = len(names)
            names += [f"{word}{pair + 1}_{side}" for word in ("Coxa", "Femur", "Tibia", "Tarsus", "Claw")]
            parents += [0, first, first + 1, first + 2, first + 3]
            places = ((1.2, 4.8, 1.0), (2.5, 5.5, 1.3), (5.5, 7.5, 1.8), (8.0, 1.0, 2.2), (8.8, 0.0, 2.4))
            rest += [[sign * x, y, z * part] for x, y, part in places]
            expected.append(({"L": "left", "R": "right"}[side], (first + 1, first + 2, first + 3), 0))
    legs = sk.find_legs(names, parents, rest)
    assert [(leg.side, leg.chain, leg.pelvis) for leg in legs] == expected


def test_a_straight_leg_bends_towards_the_toes_and_else_forwards() -> None:
    names = ["Hips", "LeftUpLeg", "LeftLeg", "LeftFoot", "RightUpLeg", "RightLeg", "RightFoot"]
    parents = [-1, 0, 1, 2, 0, 4, 5]
    rest = [[0, 9, 0], [1, 8, 0], [1, 4, 0], [1, 0, 0], [-1, 8, 0], [-1, 4, 0], [-1, 0, 0]]
    for leg in sk.find_legs(names, parents, rest):
        assert leg.bend == (0, 0, 1)
    toes = sk.find_legs([*names, "LeftToeBase", "RightToeBase"], [*parents, 3, 6], [*rest, [1, 0, -1], [-1, 0, -1]])
    for leg in toes:
        assert leg.bend == (0, 0, -1)


def test_a_rest_pose_without_offsets_lowers_the_confidence() -> None:
    world = humanoid()
    legs = sk.find_legs(world.names, world.parents, np.zeros_like(world.rest))
    assert [leg.side for leg in legs] == ["left", "right"]
    assert all(leg.confidence <= 0.3 for leg in legs)
    assert any("no length" in reason for reason in legs[0].reasons)


@pytest.mark.parametrize(
    "names",
    [
        ["root", "lid"],
        ["hips", "spine", "head", "upper_arm.L", "forearm.L", "hand.L", "finger.L"],
        ["a", "b", "c", "d", "e", "f", "g"],
        ["Legend", "Football", "Kneel", "Hipster", "Toenail", "Shinobi", "Calfskin"],
    ],
)
def test_no_legs_give_an_empty_list(names: list[str]) -> None:
    count = len(names)
    rest = [[0.0, float(j), 0.0] for j in range(count)]
    assert sk.find_legs(names, list(range(-1, count - 1)), rest) == []


def test_no_joints_give_an_empty_list() -> None:
    assert sk.find_legs([], [], np.zeros((0, 3))) == []


def test_a_hand_and_its_fingers_are_no_leg() -> None:
    world = humanoid()
    keep = [j for j, name in enumerate(world.names) if "Leg" not in name and "Foot" not in name and "Toe" not in name]
    names = [world.names[j] for j in keep]
    parents = [keep.index(world.parents[j]) if world.parents[j] >= 0 else -1 for j in keep]
    assert sk.find_legs(names, parents, world.rest[keep]) == []
    assert sk.find_legs([f"b{j}" for j in keep], parents, world.rest[keep]) == []


def test_hips_of_both_legs_are_of_one_kind() -> None:
    """Joints at the pelvis lead to both hips; one of them lies almost in line with its thigh."""
    names = ["Hips", "LHipJoint", "LeftHip", "LeftKnee", "LeftAnkle"]
    names += ["RHipJoint", "RightHip", "RightKnee", "RightAnkle"]
    offsets = [[0, 0, 0], [0, 0, 0], [1.62, -1.81, 0.67], [2.57, -7.06, 0], [2.52, -6.92, 0]]
    offsets += [[0, 0, 0], [-1.48, -1.81, 0.67], [-2.63, -7.23, 0], [-2.55, -7, 0]]
    parents, rest = [-1, 0, 1, 2, 3, 0, 5, 6, 7], np.array(offsets)
    for joint in range(1, len(names)):
        rest[joint] += rest[parents[joint]]
    assert [names[leg.hip] for leg in sk.find_legs(names, parents, rest)] == ["LeftHip", "RightHip"]


@pytest.mark.parametrize("toe", ["left_foot_index", "LeftToe_study", "l_5meta_study", "LFootIndex"])
def test_toes_are_told_by_what_they_are_called_below_a_foot(toe: str) -> None:
    names = ["hips", "left_hip", "left_knee", "left_ankle", "left_heel", toe]
    rest = [[0, 10, 0], [1, 10, 0], [1, 5, 0.2], [1, 1, 0], [1, 0.3, -0.5], [1, 0, 1.5]]
    (leg,) = sk.find_legs(names, [-1, 0, 1, 2, 3, 3], rest)
    assert (leg.ankle, leg.heel, leg.toe) == (3, 4, 5)


def test_a_foot_that_goes_with_the_lower_leg_is_its_own(data_dir: Path) -> None:
    clip = sk.load(data_dir / "gltf" / "RobotExpressive.glb", animation="Walking")
    chains = [[clip.names[joint] for joint in leg.chain] for leg in clip.find_legs()]
    assert chains == [[f"{part}{side}" for part in ("UpperLeg", "LowerLeg", "Foot")] for side in "LR"]
    rotations = np.array(clip.rotations)
    rotations[:, clip.names.index("LowerLegL")] = [1, 0, 0, 0]  # a foot that does not follow is none
    assert [leg.side for leg in clip.replace(rotations=rotations).find_legs()] == ["right"]


def test_wrong_arguments_are_named() -> None:
    with pytest.raises(ValueError, match=r"parents has shape \(1,\): must be \(2,\)"):
        sk.find_legs(["a", "b"], [-1], [[0, 0, 0], [0, 0, 0]])
    with pytest.raises(ValueError, match=r"rest_positions has shape \(1, 3\): must be \(2, 3\)"):
        sk.find_legs(["a", "b"], [-1, 0], [[0, 0, 0]])
    with pytest.raises(ValueError, match=r"parents\[0\] is 1: a parent must come before its child"):
        sk.find_legs(["a", "b"], [1, -1], [[0, 0, 0], [0, 0, 0]])
    with pytest.raises(ValueError, match=r"rest_positions\[1, 2\] is nan"):
        sk.find_legs(["a", "b"], [-1, 0], [[0, 0, 0], [0, 0, np.nan]])


@pytest.mark.parametrize(
    "words",
    [
        ("thigh_stretch.{}", "leg_stretch.{}", "foot.{}", "toes_01.{}"),  # Auto-Rig Pro
        ("NPC {0} Thigh [{0}Thg]", "NPC {0} Calf [{0}Clf]", "NPC {0} Foot [{0}ft ]", "NPC {0} Toe0 [{0}Toe]"),
        ("{}モモ", "{}スネ", "{}アシクビ", "{}ツマサキ"),
        ("{}もも", "{}ﾋｻﾞ", "{}あし", "{}つまさき"),
        ("thigh.{}_geo", "shin.{}_geo", "foot.{}_geo", "toe.{}_geo"),
        ("{0} Thigh Hero2", "{0} Calf Hero2", "{0} Foot Hero2", "{0} Toe0 Hero2"),
    ],
)
def test_affixes_short_forms_in_brackets_and_any_japanese_script_are_read(words: tuple[str, ...]) -> None:
    names, parents, rest = ["Hips"], [-1], [[0.0, 1.0, 0.0]]
    sides = ("左", "右") if words[0].startswith("{}") else ("L", "R")
    for side, x in zip(sides, (0.1, -0.1), strict=True):
        for k, (word, height) in enumerate(zip(words, (0.9, 0.5, 0.1, 0.02), strict=True)):
            parents.append(len(names) - 1 if k else 0)
            names.append(word.format(side))
            rest.append([x, height, 0.12 * (k == 3)])
    for leg, side in zip(sk.find_legs(names, parents, rest), sides, strict=True):
        found = [names[joint] for joint in (leg.hip, leg.knee, leg.ankle, leg.toe)]
        assert found == [word.format(side) for word in words]
        assert "by the word" in leg.reasons[0]
        assert leg.confidence > 0.85
