# SPDX-License-Identifier: MIT
"""Writing AMASS files: the file that a clip was read from, with the numbers changed that have changed."""

from __future__ import annotations

import io
import os
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..._support.atomic import replacing
from ..._support.npz_files import NpzArrays
from ...motion.clip import Clip
from ...transforms import quaternion_to_rotation_vector
from ..frame_rates import with_rate
from ..repacked_npz import repacked
from .source import AmassSource

FloatArray = NDArray[np.float64]

_SAME = 1e-12  # a change this small is rounding


def write_amass(path: str | os.PathLike[str], clip: Clip) -> None:
    """Write a clip into the arrays of the AMASS file that it was read from.

    Parameters
    ----------
    path : str or os.PathLike
        The file, replaced in one step. It has the same arrays in the same order, of the same types.
    clip : Clip
        The clip; only rotations, and the translation of the pelvis, have a place in such a file.

    Raises
    ------
    ValueError
        If the clip was not read from such a file, or something has changed that has no place in it; names the joint.
    OSError
        If the file cannot be written.
    """
    source = clip._source
    if not isinstance(source, AmassSource):
        raise ValueError(
            "the clip was not read from an .npz file of the SMPL family, which has fixed joints: write .glb or .bvh"
        )
    _check_places(clip, source)
    turned = np.abs(clip.rotations - source.rotations).max(axis=-1) > _SAME
    moved = np.abs(clip.translations[:, 0] - source.translations[:, 0]).max(axis=-1) > _SAME
    new: dict[str, NDArray[Any]] = {}
    whole = source.frames == (0, source.num_frames)
    with NpzArrays(io.BytesIO(source.data), max_bytes=max(2**30, 64 * len(source.data))) as arrays:
        first, last = source.frames
        for name in arrays.names if not whole else ():
            new.update(_cut(arrays, name, source))
        for part in source.parts:
            rows = turned[:, part.joints]
            if rows.any():
                table = new.get(part.key)
                table = arrays.read(part.key, "f")[first:last].copy() if table is None else table.copy()
                view = table.reshape(len(table), len(part.joints), 3)
                view[rows] = _vectors(clip.rotations[:, part.joints][rows], np.asarray(view[rows], np.float64))
                new[part.key] = table
        if moved.any():
            key = source.trans
            assert key is not None
            table = arrays.read(key, "f")[first:last].copy()
            table[moved] = clip.translations[moved, 0] - source.pelvis
            new[key] = table
        new.update(with_rate(arrays.names, clip.facts))
    contents = repacked(source.data, new)
    with replacing(path) as file:
        file.write(contents)


def _check_places(clip: Clip, source: AmassSource) -> None:
    """Refuse scales and moved joints; the pelvis may move where the file says where it is."""
    if clip.scales is not None and (np.abs(clip.scales - 1.0) > 1e-6).any():
        raise ValueError("the clip has scales: an .npz file of the SMPL family holds rotations only")
    apart = np.abs(clip.translations - source.translations).max(axis=-1)
    if source.trans is not None:
        apart[:, 0] = 0.0
    size = float(np.abs(source.translations[:, 1:]).max(initial=1e-30))
    for frame, joint in np.argwhere(apart > 1e-9 * size)[:1].tolist():
        raise ValueError(
            f"translations[{frame}, {joint}] has changed ({clip.names[joint]!r}): an .npz file of the SMPL family "
            "holds rotations only"
        )


def _vectors(rotations: FloatArray, before: FloatArray) -> FloatArray:
    """Return rotation vectors (n, 3) of quaternions, each of those that mean the same the nearest to what was there."""
    vectors = np.asarray(quaternion_to_rotation_vector(rotations))
    angle = np.linalg.norm(vectors, axis=1, keepdims=True)
    axis = vectors / np.where(angle > 0.0, angle, 1.0)
    none = angle[:, 0] <= 0.0
    length = np.linalg.norm(before, axis=1, keepdims=True)
    axis[none] = (before / np.where(length > 0.0, length, 1.0))[none]
    turns = np.round((np.einsum("ij,ij->i", before, axis)[:, None] - angle) / (2.0 * np.pi))
    return np.asarray(vectors + 2.0 * np.pi * turns * axis)


def _cut(arrays: NpzArrays, name: str, source: AmassSource) -> dict[str, NDArray[Any]]:
    """Return the frames of an array that the clip has left, where it has as many as the motion."""
    try:
        array = arrays.read(name)
    except ValueError:
        return {}  # no numbers: it stays as it is
    own = {part.key for part in source.parts} | {source.trans}
    per_frame = array.ndim > 0 and len(array) == source.num_frames
    if name in own or (per_frame and array.ndim > 1):
        return {name: array[source.frames[0] : source.frames[1]]}
    return {}
