# SPDX-License-Identifier: MIT
"""Reading motion from files: 76 animations of a game character, ten minutes of AMASS."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from time import perf_counter

import numpy as np

import skelkin_py as sk
from cases import Case

DATA = Path(os.environ.get("SKELKIN_DATA", Path(__file__).resolve().parents[3] / "shared" / "data"))
KNIGHT = DATA / "gltf" / "kaykit_Knight.glb"  # a user's clone has none
ANIMATIONS, FRAMES, POSES = 76, 72_000, 156


def cases() -> Iterator[Case]:
    folder = Path(tempfile.mkdtemp(prefix="skelkin-bench-"))
    clip = sk.example("biped").clip
    sk.save_animations({f"action {k}": clip[k : k + 60] for k in range(ANIMATIONS)}, folder / "character.glb")
    yield _glb(folder / "character.glb", f"a GLB with {ANIMATIONS} animations of {clip.skeleton.num_joints} joints")
    if KNIGHT.is_file():
        yield _glb(KNIGHT, "the Knight's GLB, 76 animations with three curves a joint")
    yield _amass(folder / "poses.npz")


def _glb(path: Path, name: str) -> Case:
    """Read all animations of a file; trimesh reads the file and its meshes, and leaves animations out."""
    case = Case(name, "ms", scale=1e3)
    case.add("skelkin, all animations", lambda: sk.load_animations(path))
    case.offer("trimesh, no animation", "trimesh_files", lambda module: module.read(path))
    return case


def _amass(path: Path) -> Case:
    """Read ten minutes of poses at 120 frames per second, beside numpy that unpacks the arrays and stops there."""
    rng = np.random.default_rng(7)
    np.savez(
        path, poses=rng.normal(0.0, 0.3, (FRAMES, POSES)), trans=rng.normal(size=(FRAMES, 3)), mocap_framerate=120.0
    )
    case = Case(f"AMASS, {FRAMES} frames × {POSES // 3} joints", "s", max_rounds=15)

    def arrays() -> dict[str, np.ndarray]:
        with np.load(path) as packed:
            return dict(packed)

    case.add("skelkin", lambda: sk.load(path))
    case.add("numpy, the arrays alone", arrays)
    case.facts["skelkin, beyond numpy"] = median(_taken(lambda: sk.load(path)) - _taken(arrays) for _ in range(9))
    return case


def _taken(call) -> float:
    start = perf_counter()
    call()
    return perf_counter() - start
