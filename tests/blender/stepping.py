# SPDX-License-Identifier: MIT
"""What Blender itself shows, frame by frame."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import bpy
import numpy as np


def world_heads(target: bpy.types.Object, bones: Sequence[str], frames: Iterable[int]) -> np.ndarray:
    """Step the scene; return the bones' heads (F,B,3) in the world, as float64."""
    scene = bpy.context.scene
    heads = []
    for frame in frames:
        scene.frame_set(frame)
        world = np.array(target.matrix_world, dtype=float)
        points = np.array([[*target.pose.bones[name].head, 1.0] for name in bones])
        heads.append((points @ world.T)[:, :3])
    return np.array(heads)


def pose_bits(target: bpy.types.Object, frames: Iterable[int]) -> list[bytes]:
    """Step the scene; return all of each frame's pose matrices as bytes, for bit-for-bit comparison."""
    buffer = np.empty(16 * len(target.pose.bones), np.float32)
    found = []
    for frame in frames:
        bpy.context.scene.frame_set(frame)
        target.pose.bones.foreach_get("matrix", buffer)
        found.append(buffer.tobytes())
    return found


def stance_slide(heads: np.ndarray, spans: Sequence[tuple[int, int]], first: int) -> list[float]:
    """Return, for each span of frames, how far (F,3) heads stray horizontally from where the span begins."""
    slides = []
    for start, stop in spans:
        points = heads[start - first : stop - first + 1, :2]
        slides.append(float(np.linalg.norm(points - points[0], axis=1).max()))
    return slides
