# SPDX-License-Identifier: MIT
"""Legs of the corpus: one skeleton per naming world and per real file, right in every field, and with names lost."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from make_legs import made_worlds

import skelkin_py as sk

CORPUS = Path(__file__).resolve().parents[2] / "corpus"
FILES = sorted((CORPUS / "legs").glob("*.json"))
WORLDS = {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in FILES}
NAMELESS = {"real_gltf_cesium_man_gltf"}  # its joints have no names: structure is all there is
ROLES = ("hip", "knee", "ankle", "toe", "heel", "pelvis")


def bends(leg: sk.Leg, forward: list[float]) -> str:
    along = float(np.dot(leg.bend, forward))
    return "forwards" if along > 0.6 else "backwards" if along < -0.6 else "aside"


def found(world: dict[str, Any], legs: list[sk.Leg]) -> list[dict[str, Any]]:
    """Return legs as the corpus writes them."""
    names = world["names"]
    return [
        {
            "side": leg.side,
            **{role: None if (j := getattr(leg, role)) is None else names[j] for role in ROLES},
            "segments": [names[j] for j in leg.segments],
            "bends": bends(leg, world["forward"]),
        }
        for leg in legs
    ]


def by_hip(legs: list[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    return {leg["hip"]: leg for leg in legs}


def expected(world: dict[str, Any], legs: list[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """Return what must be found; where the rest pose cannot tell how a knee bends, anything goes."""
    truth = by_hip(world["legs"])
    told = by_hip(legs)
    return {hip: {**leg, "bends": leg["bends"] or told.get(hip, {}).get("bends")} for hip, leg in truth.items()}


@pytest.mark.parametrize("name", WORLDS)
def test_every_field_of_every_leg_is_right(name: str) -> None:
    world = WORLDS[name]
    legs = sk.find_legs(world["names"], world["parents"], world["rest"])
    told = found(world, legs)
    assert by_hip(told) == expected(world, told)
    assert [leg.side for leg in legs] == ["left", "right"] * (len(legs) // 2)
    for leg in legs:
        assert leg.chain == (leg.hip, leg.knee, leg.ankle)
        assert len(leg.reasons) >= 3
        assert (leg.confidence > 0.6) == (name not in NAMELESS)


def test_the_corpus_is_large_and_says_where_it_is_from() -> None:
    assert len(WORLDS) >= 80
    assert all(len(world["source"].split()) >= 5 and world["legs"] for world in WORLDS.values())


def test_made_skeletons_are_those_of_the_table() -> None:
    for file, text in made_worlds().items():
        assert (CORPUS / "legs" / file).read_text(encoding="utf-8") == text, f"{file}: run make_legs.py"


def test_the_control_that_moves_the_body_is_told_with_its_reason() -> None:
    world = WORLDS["rigify_generated_human_metarig"]
    for leg in sk.find_legs(world["names"], world["parents"], world["rest"]):
        assert world["names"][leg.pelvis] == "torso"
        assert "pelvis: 'torso', the control that moves 'ORG-spine'" in leg.reasons


def renamed(world: dict[str, Any], kind: str) -> list[str]:
    """Return names that tell nothing: random letters, or the world's own names dealt out anew."""
    chance = random.Random(f"{kind} {world['world']}")
    if kind == "letters":
        return ["".join(chance.choices("bcdfghjkmnpqstvwxz", k=8)) for _ in world["names"]]
    return chance.sample([f"bone{k:03d}" for k in range(len(world["names"]))], len(world["names"]))


# What rest pose and hierarchy do not tell.
OUT_OF_REACH = {
    "real_bvh_optitrack_louise_bvh",  # straight legs without feet: found, but not which side is the left one
    "real_bvh_rokoko_jesse_dance_bvh",  # a rest pose whose bones all lie along one axis
    "real_npz_kimodo_soma30_slow_walk",  # a rest pose in the middle of a step
    "rigify_generated_by_names",  # copies of one leg: not which of them is the control
    "rigify_generated_human_metarig",
}


def right_without_names(kind: str) -> list[str]:
    """Return the worlds whose legs are all found, hip, knee, ankle and side, with none too many."""
    right = []
    for name, world in WORLDS.items():
        legs = sk.find_legs(renamed(world, kind), world["parents"], world["rest"])
        told = {(leg["side"], leg["hip"], leg["knee"], leg["ankle"]) for leg in found(world, legs)}
        if told == {(leg["side"], leg["hip"], leg["knee"], leg["ankle"]) for leg in world["legs"]}:
            right.append(name)
        for leg in legs:
            assert leg.confidence <= 0.6
            assert any("structure" in reason for reason in leg.reasons)
    return right


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["letters", "numbers"])
def test_without_names_most_worlds_are_found_by_structure(kind: str) -> None:
    right = right_without_names(kind)
    print(f"{len(right)} of {len(WORLDS)} found without names")
    assert set(WORLDS) - set(right) == OUT_OF_REACH


@pytest.mark.slow
def test_without_names_no_arm_tail_hair_or_skirt_is_taken_for_a_leg() -> None:
    for name, world in WORLDS.items():
        if name.startswith("rigify_generated"):
            continue  # copies of one leg in a rig: structure cannot tell which of them is the control
        joints = {joint for leg in world["legs"] for joint in leg["segments"]}
        for leg in sk.find_legs(renamed(world, "letters"), world["parents"], world["rest"]):
            assert joints & {world["names"][j] for j in leg.segments}, name
