# SPDX-License-Identifier: MIT
"""Writing arrays of positions: those that a clip was read from, with the numbers changed that have changed."""

from __future__ import annotations

import io
import os

import numpy as np

from ..._support.array_types import Array, FilePath
from ..._support.atomic import write_whole
from ...motion.clip import Clip
from ..array_files import npy, repacked
from .source import PositionsSource

_SAME = 1e-9  # of the body's size, and of a turn: a change this small is rounding


def write_positions(path: FilePath, clip: Clip) -> None:
    """Write a clip as the arrays of positions that it was read from, or as an `.npy` array of positions.

    Parameters
    ----------
    path : str or os.PathLike
        The file, replaced in one step. Of a clip that was read from such a file it has the same arrays in the same
        order, of the same types and shapes; positions and global rotations of joints that stayed where they were are
        bit for bit those of the file.
    clip : Clip
        The clip.

    Raises
    ------
    ValueError
        If the name ends in ``.npz`` and the clip was not read from such a file.
    OSError
        If the file cannot be written.
    """
    source = clip._source
    packed = os.fspath(path).lower().endswith(".npz")
    if not isinstance(source, PositionsSource) or packed != bool(source.positions_key):
        if packed:
            raise ValueError("the clip was not read from an .npz file of positions: write .npy, .glb or .bvh")
        contents = npy(clip.positions().astype(np.float32))
    elif packed:
        with source.arrays() as arrays:
            new = source.changed(arrays, clip)
            new[source.positions_key] = _with_places(arrays.read(source.positions_key, "f"), clip, source)
            if source.turns_key:
                new[source.turns_key] = _with_turns(arrays.read(source.turns_key, "f"), clip, source)
        contents = repacked(source.data, new)
    else:
        first = np.load(io.BytesIO(source.data), allow_pickle=False)
        contents = npy(_with_places(first, clip, source))
    write_whole(path, contents)


def _frames(array: Array, dimensions: int, source: PositionsSource) -> tuple[Array, Array]:
    """Return a copy with the frames that the clip has left, and the same without a dimension of 1 in front."""
    part = slice(*source.frames)
    kept = array[:, part].copy() if array.ndim > dimensions else array[part].copy()
    return kept, kept[0] if array.ndim > dimensions else kept


def _with_places(array: Array, clip: Clip, source: PositionsSource) -> Array:
    """Return the array of positions with those changed that have changed."""
    before = Clip(clip.skeleton, source.rotations, source.translations, fps=clip.fps).positions()
    after = clip.positions()
    size = float(np.ptp(before[0], axis=0).max(initial=0.0)) or 1.0
    moved = np.abs(after - before).max(axis=-1) > _SAME * size
    kept, view = _frames(array, 3, source)
    view[moved] = after[moved]
    return kept


def _with_turns(array: Array, clip: Clip, source: PositionsSource) -> Array:
    """Return the array of global rotations with those changed that have changed."""
    before = Clip(clip.skeleton, source.rotations, fps=clip.fps).global_matrices()[..., :3, :3]
    after = Clip(clip.skeleton, clip.rotations, fps=clip.fps).global_matrices()[..., :3, :3]
    turned = np.abs(after - before).max(axis=(-1, -2)) > _SAME
    kept, view = _frames(array, 4, source)
    view[turned] = after[turned]
    return kept
