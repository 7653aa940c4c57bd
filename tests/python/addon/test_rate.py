# SPDX-License-Identifier: MIT
"""Which real clips look slowed down: captures at the rate of a new scene, and none at its own."""

from __future__ import annotations

import pytest
from addon_modules import load

import skelkin_py as sk

rate = load("core.rate")

IMPORTED_AT = 24.0  # frames per second: what a new scene has
SLOWED = ("cmu_01_01", "cmu_12_01_walk", "optitrack_louise")
FILES = ("*/*.bvh", "gltf/*.glb", "gltf/cesium_man.gltf")


def is_in_slow_motion(clip: sk.Clip) -> bool:
    report, legs = sk.plant_feet(clip).report, clip.find_legs()
    places = clip.positions()
    hips, ankles = (places[:, [getattr(leg, joint) for leg in legs]] for joint in ("hip", "ankle"))
    spans = [[(c.first_frame, c.last_frame) for c in report.contacts if c.leg == k] for k in range(len(legs))]
    return rate.is_in_slow_motion(hips, ankles, spans, report.leg_length, clip.fps)


@pytest.mark.data
@pytest.mark.parametrize("name", SLOWED)
def test_a_capture_at_the_rate_of_the_scene_is_in_slow_motion(data_dir, name):
    clip = sk.load(data_dir / "bvh" / f"{name}.bvh")
    assert is_in_slow_motion(sk.Clip(clip.skeleton, clip.rotations, clip.translations, fps=IMPORTED_AT))


@pytest.mark.data
def test_no_clip_at_its_own_rate_is_in_slow_motion(data_dir):
    clips = [
        (path.name, name, clip)
        for path in sorted(path for pattern in FILES for path in data_dir.glob(pattern))
        for name, clip in sk.load_animations(path).items()
        if clip.num_frames > 1
    ]
    slow, planted = [], 0
    for file, name, clip in clips:
        try:
            is_slow = is_in_slow_motion(clip)
        except ValueError:  # branches of hands that might be legs, too unsure to plant
            continue
        planted += 1
        slow += [f"{file} {name}"] if is_slow else []
    assert planted >= 64
    assert slow == []
