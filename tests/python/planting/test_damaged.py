# SPDX-License-Identifier: MIT
"""Clips damaged at random: planting refuses them in words or gives a whole clip, never a broken one."""

from __future__ import annotations

import json

import numpy as np
import pytest

import skelkin_py as sk

JOINTS = ("thigh", "shin", "foot")


def bones_go_missing(random, rotations, translations, part) -> None:
    translations[part, random.integers(0, translations.shape[1])] = 0.0


def bones_grow(random, rotations, translations, part) -> None:
    translations[part, random.integers(0, translations.shape[1])] *= 10.0 ** random.uniform(-8.0, 8.0)


def joints_turn(random, rotations, translations, part) -> None:
    rotations[part, random.integers(0, rotations.shape[1])] = random.normal(size=4)


def every_joint_turns_in_every_frame(random, rotations, translations, part) -> None:
    rotations[:] = random.normal(size=rotations.shape)


def the_body_is_elsewhere(random, rotations, translations, part) -> None:
    translations[part, 0] += random.normal(size=3) * 10.0 ** random.uniform(-3.0, 6.0)


def nothing_moves(random, rotations, translations, part) -> None:
    rotations[:], translations[:] = rotations[:1], translations[:1]


def the_unit_is_another(random, rotations, translations, part) -> None:
    translations *= 10.0 ** random.uniform(-9.0, 9.0)


def signs_flip(random, rotations, translations, part) -> None:
    rotations[part] *= -1.0


def everything_shakes(random, rotations, translations, part) -> None:
    translations += random.normal(size=translations.shape) * 0.05


DAMAGES = (
    bones_go_missing, bones_grow, joints_turn, every_joint_turns_in_every_frame, the_body_is_elsewhere, nothing_moves,
    the_unit_is_another, signs_flip, everything_shakes,
)  # fmt: skip


def damaged(clip: sk.Clip, random: np.random.Generator) -> sk.Clip:
    first = int(random.integers(0, 140))
    clip = clip.slice(first, first + int(random.choice([1, 2, 3, 5, 15, 40])))
    rotations, translations = clip.rotations.copy(), clip.translations.copy()
    for damage in random.choice(DAMAGES, size=2):
        start = int(random.integers(0, clip.num_frames))
        damage(random, rotations, translations, slice(start, int(random.integers(start, clip.num_frames)) + 1))
    fps = float(random.choice([0.01, 5.0, 30.0, 1000.0]))
    return sk.Clip(clip.skeleton, rotations, translations, fps=fps)


def options(random: np.random.Generator, frames: int) -> dict:
    first = int(random.integers(0, frames))
    chosen = {
        "contacts": str(random.choice(["auto", "always", "ground_only"])),
        "reach": str(random.choice(["soften", "lower_pelvis"])),
        "blend": float(random.choice([0.0, 0.2, 1e6])),
        "frames": (first, int(random.integers(first, frames))),
        "up": str(random.choice(["auto", "Y", "-Z"])),
        "ground": lambda points: np.where(points[:, 2] > 1.0, 0.3, 0.0),
    }
    return {name: value for name, value in chosen.items() if random.random() < 0.4}


@pytest.mark.parametrize("seed", range(60))
def test_a_damaged_clip_is_refused_in_words_or_stays_whole(make_walk, seed: int) -> None:
    random = np.random.default_rng(seed)
    clip = damaged(make_walk().clip, random)
    chosen = options(random, clip.num_frames)
    try:
        planted, report = sk.plant_feet(clip, **chosen)
    except ValueError:
        with pytest.raises(ValueError, match="has a bone of length zero"):
            sk.plant_feet(clip, **chosen)
        return
    assert np.isfinite(planted.rotations).all()
    assert np.isfinite(planted.translations).all()
    json.dumps(report.to_dict(), allow_nan=False)
    assert str(report)
    changed = {"hips", *(f"{side}_{joint}" for side in ("left", "right") for joint in JOINTS)}
    others = [joint for joint, name in enumerate(clip.names) if name not in changed]
    assert np.array_equal(planted.rotations[:, others], clip.rotations[:, others])
    assert np.array_equal(planted.translations[:, 1:], clip.translations[:, 1:])  # bones keep their lengths
    if "frames" in chosen:
        first, last = chosen["frames"]
        outside = np.r_[0:first, last + 1 : clip.num_frames]
        assert np.array_equal(planted.rotations[outside], clip.rotations[outside])
        assert np.array_equal(planted.translations[outside], clip.translations[outside])
