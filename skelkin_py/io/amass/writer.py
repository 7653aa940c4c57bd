# SPDX-License-Identifier: MIT
"""Writing AMASS files: the file that a clip was read from, with the numbers changed that have changed."""

from __future__ import annotations

import numpy as np

from ..._support.array_types import FilePath, Floats
from ..._support.atomic import write_whole
from ...motion.clip import Clip
from ...transforms import quaternion_to_rotation_vector
from ..array_files import repacked
from .layout import AmassSource

_SAME = 1e-12  # a change this small is rounding


def write_amass(path: FilePath, clip: Clip) -> None:
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
    first, last = source.frames
    turned = np.abs(clip.rotations - source.rotations).max(axis=-1) > _SAME
    moved = np.abs(clip.translations[:, 0] - source.translations[:, 0]).max(axis=-1) > _SAME
    with source.arrays() as arrays:
        new = source.changed(arrays, clip, {part.key for part in source.parts} | {source.trans})
        for part in source.parts:
            rows = turned[:, part.joints]
            if rows.any():
                table = (new[part.key] if part.key in new else arrays.read(part.key, "f")[first:last]).copy()
                view = table.reshape(len(table), len(part.joints), 3)
                view[rows] = _vectors(clip.rotations[:, part.joints][rows], np.asarray(view[rows], np.float64))
                new[part.key] = table
        if moved.any():
            key = source.trans
            assert key is not None
            table = arrays.read(key, "f")[first:last].copy()
            table[moved] = clip.translations[moved, 0] - source.pelvis
            new[key] = table
    contents = repacked(source.data, new)
    write_whole(path, contents)


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


def _vectors(rotations: Floats, before: Floats) -> Floats:
    """Return rotation vectors (n, 3) of quaternions, each of those that mean the same the nearest to what was there."""
    vectors = np.asarray(quaternion_to_rotation_vector(rotations))
    angle = np.linalg.norm(vectors, axis=1, keepdims=True)
    axis = vectors / np.where(angle > 0.0, angle, 1.0)
    none = angle[:, 0] <= 0.0
    length = np.linalg.norm(before, axis=1, keepdims=True)
    axis[none] = (before / np.where(length > 0.0, length, 1.0))[none]
    turns = np.round((np.einsum("ij,ij->i", before, axis)[:, None] - angle) / (2.0 * np.pi))
    return np.asarray(vectors + 2.0 * np.pi * turns * axis)
