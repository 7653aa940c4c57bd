# SPDX-License-Identifier: MIT
"""Poses that carry the rounding of float32, as all from Blender do, are solved with the rotations of exact ones."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from real_clips import CLIPS, degrees_between

import skelkin_py as sk

Floats = np.ndarray[Any, np.dtype[np.float64]]
FRAMES = 500  # of a clip at most, evenly spread


def rounded(local: Floats, _chain: tuple[int, int, int]) -> Floats:
    """As a pose is that went through float32."""
    return local.astype(np.float32).astype(np.float64)


def uneven(local: Floats, chain: tuple[int, int, int]) -> Floats:
    """Thigh and shin scaled along their axes by factors that differ by up to a millionth."""
    out = local.copy()
    factors = 1 + 1e-6 * np.random.default_rng(5).uniform(-0.5, 0.5, (len(local), 2, 1, 3))
    out[:, list(chain[:2]), :3, :3] *= factors
    return out


def places(skeleton: sk.Skeleton, local: Floats, chain: tuple[int, int, int]) -> list[Floats]:
    at = sk.forward_kinematics(skeleton, local)
    return [at[:, joint, :3, 3] for joint in chain]


def bent(skeleton: sk.Skeleton, local: Floats, chain: tuple[int, int, int]) -> Floats:
    """Return the knee's angle in degrees, 0 where the leg is straight or folded."""
    hip, knee, ankle = places(skeleton, local, chain)
    thigh, shin = knee - hip, ankle - knee
    sizes = np.linalg.norm(thigh, axis=1) * np.linalg.norm(shin, axis=1)
    return np.degrees(np.arcsin(np.minimum(np.linalg.norm(np.cross(thigh, shin), axis=1) / sizes, 1)))


def turned(skeleton: sk.Skeleton, local: Floats, chain: tuple[int, int, int]) -> Floats:
    return sk.forward_kinematics(skeleton, local)[:, list(chain), :3, :3]


@pytest.mark.data
def test_all_clips_at_hand_are_tried(data_dir):
    assert {f"{p.parent.name}/{p.stem}" for p in data_dir.glob("bvh*/*.bvh")} == set(CLIPS)


@pytest.mark.slow
@pytest.mark.data
@pytest.mark.parametrize("roll", ["minimal", "hinge"])
@pytest.mark.parametrize("spoil", [rounded, uneven])
@pytest.mark.parametrize("name", CLIPS)
def test_rounding_turns_no_bone(data_dir, name, spoil, roll):
    clip = sk.load(data_dir / f"{name}.bvh")
    skeleton, rng = clip.skeleton, np.random.default_rng(11)
    local = clip.local_matrices()[:: -(-clip.num_frames // FRAMES)]
    tried = 0
    for leg in clip.find_legs():
        hip, knee, ankle = places(skeleton, local, leg.chain)
        length = np.linalg.norm(knee - hip, axis=1) + np.linalg.norm(ankle - knee, axis=1)
        side = knee - 0.5 * (hip + ankle) + 0.1 * length[:, None] * rng.normal(size=hip.shape)
        for size in (0.01, 0.1, 0.3):
            goal = ankle + size * length[:, None] * rng.normal(size=ankle.shape)
            for options in ({}, {"pole_direction": side}, {"pole_direction": side, "soften": 0.05}):
                # A knee that hardly bends before has no side but the one that rounding gives it.
                given = {} if options else {"bend": side}
                ways = (local, spoil(local, leg.chain))
                exact, other = (
                    sk.apply_two_bone(skeleton, each, leg.chain, goal, roll=roll, **options, **given).local
                    for each in ways
                )
                clear = bent(skeleton, local, leg.chain) > 1
                off = degrees_between(*(turned(skeleton, each, leg.chain) for each in (exact, other))).max(axis=1)
                # Near straight the root of a length's rounding is what a knee opens by.
                assert off[clear].max(initial=0) <= 0.15
                clear &= bent(skeleton, exact, leg.chain) > 10
                assert off[clear].max(initial=0) <= 1e-3
                tried += int(clear.sum())
    assert tried > 50
