# SPDX-License-Identifier: MIT
"""Writing arrays of positions: those that a clip was read from, with the numbers changed that have changed."""

from __future__ import annotations

import io
import os
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..._support.atomic import replacing
from ..._support.npz_files import NpzArrays
from ...motion.clip import Clip
from ..frame_rates import with_rate
from ..repacked_npz import repacked
from .source import PositionsSource

FloatArray = NDArray[np.float64]

_SAME = 1e-9  # of the body's size, and of a turn: a change this small is rounding


def write_positions(path: str | os.PathLike[str], clip: Clip) -> None:
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
        contents = _npy(clip.positions().astype(np.float32))
    elif packed:
        contents = _in_its_file(clip, source)
    else:
        first = np.load(io.BytesIO(source.data), allow_pickle=False)
        contents = _npy(_with_places(first, clip, source))
    with replacing(path) as file:
        file.write(contents)


def _npy(array: NDArray[Any]) -> bytes:
    stream = io.BytesIO()
    np.lib.format.write_array(stream, array, allow_pickle=False)
    return stream.getvalue()


def _in_its_file(clip: Clip, source: PositionsSource) -> bytes:
    """Return the packed file with new positions and rotations."""
    new: dict[str, NDArray[Any]] = {}
    with NpzArrays(io.BytesIO(source.data), max_bytes=max(2**30, 64 * len(source.data))) as arrays:
        if source.frames != (0, source.num_frames):
            for name in arrays.names:
                new.update(_cut(arrays, name, source))
        table = _with_places(arrays.read(source.positions_key, "f"), clip, source)
        new[source.positions_key] = table
        if source.turns_key:
            new[source.turns_key] = _with_turns(arrays.read(source.turns_key, "f"), clip, source)
        new.update(with_rate(arrays.names, clip.facts))
    return repacked(source.data, new)


def _cut(arrays: NpzArrays, name: str, source: PositionsSource) -> dict[str, NDArray[Any]]:
    """Return the frames of an array that the clip has left, where it has as many as the motion."""
    try:
        array = arrays.read(name)
    except ValueError:
        return {}  # no numbers: it stays as it is
    part = slice(*source.frames)
    if array.ndim > 1 and len(array) == source.num_frames:
        return {name: array[part]}
    if array.ndim > 2 and array.shape[:2] == (1, source.num_frames):
        return {name: array[:, part]}
    return {}


def _frames(array: NDArray[Any], dimensions: int, source: PositionsSource) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return a copy with the frames that the clip has left, and the same without a dimension of 1 in front."""
    part = slice(*source.frames)
    kept = array[:, part].copy() if array.ndim > dimensions else array[part].copy()
    return kept, kept[0] if array.ndim > dimensions else kept


def _with_places(array: NDArray[Any], clip: Clip, source: PositionsSource) -> NDArray[Any]:
    """Return the array of positions with those changed that have changed."""
    before = Clip(clip.skeleton, source.rotations, source.translations, fps=clip.fps).positions()
    after = clip.positions()
    size = float(np.ptp(before[0], axis=0).max(initial=0.0)) or 1.0
    moved = np.abs(after - before).max(axis=-1) > _SAME * size
    kept, view = _frames(array, 3, source)
    view[moved] = after[moved]
    return kept


def _with_turns(array: NDArray[Any], clip: Clip, source: PositionsSource) -> NDArray[Any]:
    """Return the array of global rotations with those changed that have changed."""
    before = Clip(clip.skeleton, source.rotations, fps=clip.fps).global_matrices()[..., :3, :3]
    after = Clip(clip.skeleton, clip.rotations, fps=clip.fps).global_matrices()[..., :3, :3]
    turned = np.abs(after - before).max(axis=(-1, -2)) > _SAME
    kept, view = _frames(array, 4, source)
    view[turned] = after[turned]
    return kept
