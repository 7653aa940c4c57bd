# SPDX-License-Identifier: MIT
"""The main job end to end: read a BVH of 3 000 frames and 60 joints, plant both feet, write it."""

from __future__ import annotations

import tempfile
from pathlib import Path

from walk_clip import walking_clip

import skelkin_py as sk
from cases import Case

FRAMES = 3_000


def cases() -> list[Case]:
    folder = Path(tempfile.mkdtemp(prefix="skelkin-bench-"))
    source, target = folder / "walk.bvh", folder / "planted.bvh"
    walking_clip(FRAMES).save(source)
    clip = sk.load(source)
    planted = clip.plant_feet()

    def whole() -> None:
        sk.load(source).plant_feet().clip.save(target)

    case = Case("planting", "3 000 frames, 60 joints, 2 legs", "s", max_rounds=15)
    case.add("read, plant, write", whole)
    case.add("read", lambda: sk.load(source))
    case.add("plant", lambda: clip.plant_feet())
    case.add("write", lambda: planted.clip.save(target))
    return [case]
