# SPDX-License-Identifier: MIT
"""A terrain below a walk."""

from __future__ import annotations

import bpy
import numpy as np
import stepping


def hills(x, y) -> np.ndarray:
    """Return the height of the terrain, in metres."""
    return 0.08 * np.sin(1.3 * np.asarray(x)) + 0.05 * np.cos(1.7 * np.asarray(y))


def terrain(walk, height=hills, *, size: int = 120, name: str = "Terrain"):
    """Return a mesh below the walk, in the scale of the walk's legs."""
    heads = stepping.world_heads(walk.object, [leg[2] for leg in walk.legs.values()], walk.frames)
    low, high = heads.reshape(-1, 3).min(axis=0) - walk.leg_length, heads.reshape(-1, 3).max(axis=0) + walk.leg_length
    unit = walk.leg_length / 0.9
    x, y = (np.linspace(low[axis], high[axis], size) for axis in (0, 1))
    grid = np.stack(np.meshgrid(x, y, indexing="ij"), axis=-1)
    z = unit * height(grid[..., 0] / unit, grid[..., 1] / unit)
    points = np.concatenate([grid, z[..., None]], axis=-1).reshape(-1, 3)
    corners = np.arange(size * size).reshape(size, size)
    quads = np.stack([corners[:-1, :-1], corners[1:, :-1], corners[1:, 1:], corners[:-1, 1:]], axis=-1).reshape(-1, 4)
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(points.tolist(), [], quads.tolist())
    thing = bpy.data.objects.new(name, mesh)
    bpy.context.scene.collection.objects.link(thing)
    bpy.context.view_layer.update()
    return thing
