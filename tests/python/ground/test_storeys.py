# SPDX-License-Identifier: MIT
"""Buildings of several storeys: feet stand on the floor that they walk on, whatever lies below and above it."""

from __future__ import annotations

from importlib.util import find_spec

import known_motions
import numpy as np
import pytest
from standing_truth import UP, plane, riding, standing

import skelkin_py as sk

FAULT = {"slide": 0.05, "sway": 0.01, "lift": 0.02, "bump": 0.03}


def house(floors, transforms=None):
    """A mesh with a level floor at each of these heights."""
    points, faces = plane()
    corners = np.concatenate([points + height * UP for height in floors])
    triangles = np.concatenate([faces + len(points) * k for k in range(len(floors))])
    return sk.MeshGround(corners, triangles, transforms=transforms)


class Floors:
    """The same by a formula."""

    def __init__(self, floors):
        self.floors = np.array(floors)

    def cast(self, origins, directions, frames):
        distance = (self.floors - origins[:, 1:2]) / directions[:, 1:2]
        nearest = np.where(distance >= 0.0, distance, np.inf).min(axis=1)
        return nearest, np.tile(UP, (len(origins), 1)), np.isfinite(nearest), np.zeros(len(origins), int)


def nearest_floor(floors):
    """The same as a function that looks at how high its points are."""
    floors = np.array(floors)
    return lambda points: floors[np.abs(floors - points[:, 1:2]).argmin(axis=1)]


GROUNDS = {"mesh": house, "rays": Floors, "function": nearest_floor}


def shift(num, height):
    """(num, 4, 4) Up by a height, or by one per frame."""
    motion = np.tile(np.eye(4), (num, 1, 1))
    motion[:, 1, 3] = height
    return motion


def assert_stands(case, planted, motion):
    figures = standing(case, planted, motion)
    assert figures["slide"] <= 1e-4
    assert max(figures["penetration"], figures["float"]) <= 1e-3


@pytest.mark.slow
@pytest.mark.parametrize("kind", GROUNDS)
@pytest.mark.parametrize("name", ["walk", "walk loop"])
@pytest.mark.parametrize(
    ("floors", "own"),
    [((0.0, 3.0), 3.0), ((0.0, 3.0), 0.0), ((-3.0, 0.0), -3.0), ((0.0, 3.0, 6.0), 3.0), ((-9.0, 3.0), 3.0)],
    ids=["upstairs", "below a ceiling", "in the cellar", "between two", "on a solid block"],
)
def test_feet_stand_on_the_floor_they_walk_on(floors, own, name, kind, require):
    if kind == "mesh":
        require(find_spec("embreex"), "the extra 'ground'")
    case = known_motions.known(name, fps=60.0, **FAULT)
    motion = shift(case.clip.num_frames, own)
    planted = sk.plant_feet(riding(case.clip, motion), ground=GROUNDS[kind](floors), up="Y")
    assert_stands(case, planted, motion)


@pytest.mark.parametrize("speed", [0.8, -0.8], ids=["up", "down"])
def test_feet_stay_on_the_floor_of_a_cabin_that_goes_by_the_storeys(speed, require):
    """Floor and ceiling go together; where the world's origin is says nothing about the cabin."""
    require(find_spec("embreex"), "the extra 'ground'")
    case = known_motions.known("walk", fps=60.0, **FAULT)
    num = case.clip.num_frames
    motion = shift(num, speed * np.arange(num) / 60.0)
    planted = sk.plant_feet(riding(case.clip, motion), ground=house((0.0, 2.5), motion), up="Y")
    assert_stands(case, planted, motion)
