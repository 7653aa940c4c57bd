# SPDX-License-Identifier: MIT
"""The Leg IK switch on Rigify's animals: legs of three segments stand on their toes, and off is the old animation."""

from __future__ import annotations

import animals
import bpy
import keys
import numpy as np
import pytest
import stepping

pytestmark = pytest.mark.usefixtures("addon")

SLIDE = 5e-4  # of the leg
PELVES = {  # of the hind legs, then of the fore legs
    "horse": ["spine.002", "spine.005"],
    "cat": ["spine", "spine.003"],
    "wolf": ["spine.005", "spine.008"],
    "bird": ["spine.004"],
}


@pytest.mark.parametrize("kind", PELVES)
def test_the_feet_of_an_animal_stand_and_off_gives_its_old_animation(kind):
    animal = animals.pushed_animal(kind)
    rig = animal.object
    before, digest = stepping.pose_bits(rig, animal.frames), keys.digest(rig, animal.action)
    assert animals.worst_slide(animal) > 0.5 * animal.push
    assert bpy.ops.skelkin.leg_ik() == {"FINISHED"}
    assert animals.worst_slide(animal) <= SLIDE * animal.leg_length
    assert stepping.pose_bits(rig, animal.frames) != before
    assert bpy.ops.skelkin.leg_ik() == {"FINISHED"}
    assert stepping.pose_bits(rig, animal.frames) == before
    assert keys.digest(rig, animal.action) == digest


@pytest.mark.parametrize("kind", PELVES)
def test_the_legs_of_an_animal_end_in_their_toes_and_hang_from_its_spine(kind):
    animal = animals.pushed_animal(kind)
    assert bpy.ops.skelkin.find_legs() == {"FINISHED"}
    found = {leg.toe: (leg.hip, leg.side, leg.pelvis) for leg in animal.object.skelkin_legs}
    hips = [hip.replace(".L", side) for hip, _ in animals.LEGS[kind] for side in (".L", ".R")]
    pelves = [pelvis for pelvis in PELVES[kind] for _ in "LR"]
    sides = ["left", "right"] * (len(hips) // 2)
    assert found == dict(zip(animal.feet, zip(hips, sides, pelves)))


def test_only_legs_and_what_carries_them_are_keyed_anew():
    animal = animals.pushed_animal("wolf")
    rig = animal.object
    old = {curve.data_path for curve in keys.fcurves(rig)}
    assert bpy.ops.skelkin.leg_ik() == {"FINISHED"}
    new = {curve.data_path.split('"')[1] for curve in keys.fcurves(rig) if curve.data_path not in old}
    hind, fore = ("thigh", "shin", "toe"), ("front_thigh", "front_shin", "front_foot")
    assert new <= {f"{part}.{side}" for part in hind + fore for side in "LR"} | {"spine"}  # no hock: it keeps its angle
    assert {f"{part}.{side}" for part in hind[1:] + fore[1:] for side in "LR"} <= new


def test_a_lifted_foot_is_still_lifted():
    animal = animals.pushed_animal("horse")
    before = stepping.world_heads(animal.object, animal.feet, animal.frames)[..., 2]
    assert bpy.ops.skelkin.leg_ik() == {"FINISHED"}
    after = stepping.world_heads(animal.object, animal.feet, animal.frames)[..., 2]
    # Feet that were pushed a quarter of the leg in each stance have that to make up for in the air.
    assert np.ptp(after, axis=0) == pytest.approx(np.ptp(before, axis=0), abs=0.03 * animal.leg_length)
