# SPDX-License-Identifier: MIT
"""Skinning from a file of rotations into a file of points."""

from __future__ import annotations

import contextlib
import os
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..arguments import numbers_of
from ..io.same_file import check_target
from ..skeleton import Skeleton, checked_skeleton
from ..skin_poses import skin_poses
from ..skinning import Method
from ..weights import SkinWeights
from .npy_rows import NpyRows, block_spans, writing_npy

__all__ = ["skin_file"]

_BYTES = 16_000_000  # of points in a block, where nothing else is asked for
_Path = str | os.PathLike[str]


def skin_file(
    rotations: _Path,
    target: _Path,
    points: ArrayLike,
    weights: SkinWeights,
    skeleton: Skeleton,
    translations: _Path | ArrayLike | None = None,
    scales: _Path | ArrayLike | None = None,
    *,
    method: Method = "linear",
    block: int | None = None,
) -> tuple[int, ...]:
    """Move points by poses in a `.npy` file that may be larger than the memory, into another one.

    The result has the bits of `skin_poses`, whatever the block; memory is that of a block.

    Parameters
    ----------
    rotations : str or os.PathLike
        A `.npy` file of local rotations, (F, J, 4), quaternions ``w x y z``.
    target : str or os.PathLike
        The `.npy` file to write, (F, V, 3); none of those that are read, by links neither. One that is there is
        replaced at the end; if something fails it stays as it was.
    points : (V, 3) array_like
        Rest points in global space.
    weights : SkinWeights
        Which joints move each vertex, and how much.
    skeleton : Skeleton
        J joints.
    translations, scales : str, os.PathLike or array_like, optional
        Local translations and scales: a `.npy` file of (F, J, 3), or an array (J, 3) for all frames; by default those
        of the rest pose.
    method : {"linear", "dual_quaternion"}
        As for `skin_points`.
    block : int, optional
        Frames at a time; by default as many as give 16 MB of points.

    Returns
    -------
    tuple of int
        Shape of the array in the target: (F, V, 3).

    Raises
    ------
    FormatError
        A source that is no `.npy` file in row order.
    ValueError, TypeError
        As `skin_poses`, with the block in which it was; files of different lengths; a block that is no whole number
        above 0; a target that is one of the files that are read.
    OSError
        A file that cannot be read or written.

    See Also
    --------
    skin_poses : The same for arrays.

    Examples
    --------
    >>> skeleton = sk.Skeleton([-1, 0], np.tile(np.eye(4), (2, 1, 1)))
    >>> weights = sk.SkinWeights([[1]], [[1.0]], 2)
    >>> np.save("turns.npy", np.tile([[1.0, 0, 0, 0], [0, 0, 0, 1]], (1000, 1, 1)))
    >>> sk.skin_file("turns.npy", "points.npy", [[1, 2, 3]], weights, skeleton)
    (1000, 1, 3)
    >>> np.load("points.npy", mmap_mode="r")[999].tolist()
    [[-1.0, -2.0, 3.0]]
    """
    checked_skeleton(skeleton)
    if block is not None:
        block = checked_block(block)
    check_target(target, {"rotations": rotations, "translations": translations, "scales": scales})
    if not isinstance(weights, SkinWeights):
        raise TypeError(f"weights is a {type(weights).__name__}: SkinWeights are needed")
    if (shape := numbers_of(points, "points").shape) != (weights.num_vertices, 3):
        raise ValueError(f"points has shape {shape}: expected ({weights.num_vertices}, 3)")
    with contextlib.ExitStack() as files:
        poses = files.enter_context(NpyRows(rotations))
        if len(poses.shape) != 3 or poses.shape[1:] != (skeleton.num_joints, 4) or not len(poses):
            wanted = f"(F, {skeleton.num_joints}, 4) with F ≥ 1"
            raise ValueError(f"rotations in {poses.path} have shape {poses.shape}: {wanted} is needed")
        channels = [
            _channel(files, name, given, len(poses), skeleton.num_joints)
            for name, given in (("translations", translations), ("scales", scales))
        ]

        def points_of(start: int, stop: int) -> NDArray[Any]:
            others = [rows[start:stop] if isinstance(rows, NpyRows) else rows for rows in channels]
            try:
                return skin_poses(points, weights, skeleton, poses[start:stop], *others, method=method)
            except ValueError as error:
                raise ValueError(f"in the block that begins with frame {start}: {error}") from error

        begin = points_of(0, 1)
        shape = (len(poses), *begin.shape[1:])
        block = max(1, _BYTES // max(1, begin.nbytes)) if block is None else block
        with writing_npy(target, shape, begin.dtype) as out:
            for start, stop in block_spans(len(poses), block):
                out.append(points_of(start, stop))
    return shape


def checked_block(block: Any) -> int:
    """Return the number of frames in a block, which is a whole number above 0."""
    if isinstance(block, (bool, np.bool_)) or not isinstance(block, (int, np.integer)):
        raise TypeError(f"block is {block!r}: a whole number of frames is needed")
    if block < 1:
        raise ValueError(f"block is {block}: at least 1 frame is needed")
    return int(block)


def _channel(files: contextlib.ExitStack, name: str, given: Any, num: int, joints: int) -> Any:
    """Return rows of a file, or what is given for all frames."""
    if not isinstance(given, (str, os.PathLike)):
        if given is None:
            return None
        array = numbers_of(given, name)
        if array.shape != (joints, 3):
            raise ValueError(f"{name} has shape {array.shape}: a file, or ({joints}, 3) for all frames, is needed")
        return array if isinstance(given, np.ndarray) else given
    rows = files.enter_context(NpyRows(given))
    if rows.shape != (num, joints, 3):
        raise ValueError(f"{name} in {rows.path} have shape {rows.shape}: ({num}, {joints}, 3) is needed")
    return rows
