# SPDX-License-Identifier: MIT
"""Renders of next to nothing."""

from __future__ import annotations

import addon_utils
import bpy


def ready_to_render(folder, frames: int, engine: str = "CYCLES") -> None:
    """Let the scene render frames of a few pixels; Cycles needs no graphics card, Workbench needs a window."""
    scene = bpy.context.scene
    if engine == "CYCLES":
        addon_utils.enable("cycles")
        scene.cycles.samples, scene.cycles.use_denoising = 1, False
    scene.render.engine = engine
    scene.camera = bpy.data.objects.new("Camera", bpy.data.cameras.new("Camera"))
    scene.collection.objects.link(scene.camera)
    scene.render.resolution_x = scene.render.resolution_y = 4
    scene.render.filepath = f"{folder}/"
    scene.frame_start, scene.frame_end = 1, frames
