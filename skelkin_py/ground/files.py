# SPDX-License-Identifier: MIT
"""Ground out of files: grids of heights (.npy) and triangle meshes."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from .._support.errors import FormatError
from .._support.npy_files import read_npy
from .height_grid import HeightGrid
from .mesh_files import MESH_ENDINGS, read_triangles
from .mesh_ground import MeshGround

GROUND_ENDINGS = (".npy", *MESH_ENDINGS)


def load_ground(path: str | Path, extent: Sequence[float] | None = None) -> HeightGrid | MeshGround:
    """Read ground from a file.

    Parameters
    ----------
    path : str or Path
        A height grid, ``.npy`` of shape (M, N), NaN where there is no ground; or a mesh, ``.obj``, ``.ply`` or
        ``.stl``, in the clip's axes and units.
    extent : (first row, last row, first column, last column), optional
        Where a grid's outermost rows and columns are, along the two level axes in the order X, Y, Z; where None the
        first ones are at 0 and neighbours 1 apart.

    Returns
    -------
    HeightGrid or MeshGround
        The ground.

    Raises
    ------
    FormatError
        The file is not what its ending says, or its content is no ground.
    ValueError
        Another ending; an extent without a grid, or one whose last place does not lie behind its first.
    OSError
        It cannot be read.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "hill.npy"
    >>> np.save(path, np.zeros((3, 5)))
    >>> load_ground(path, extent=(-1, 1, 0, 8)).spacing.tolist()
    [1.0, 2.0]
    """
    ending = Path(path).suffix.lower()
    if ending not in GROUND_ENDINGS:
        raise ValueError(f"{path}: the name of a ground must end in {', '.join(GROUND_ENDINGS)}")
    if ending != ".npy":
        if extent is not None:
            raise ValueError(f"{path}: a mesh has its own positions: give an extent only for .npy")
        points, faces = read_triangles(path)
        try:
            return MeshGround(points, faces)
        except ValueError as error:
            raise FormatError(path, None, str(error)) from error
    try:
        heights = read_npy(path)
    except FormatError as error:
        reason = f"cannot be read as an array of numbers, as numpy.save writes it: {error.reason}"
        raise FormatError(path, None, reason) from error
    spacing, origin = np.ones(2), np.zeros(2)
    if extent is not None:
        origin, last = np.array(extent, dtype=np.float64).reshape(2, 2).T
        if not (np.isfinite(last - origin).all() and (last > origin).all()):
            raise ValueError(f"{path}: the extent is {list(extent)}: each last position must be above its first")
        if heights.ndim == 2:
            spacing = (last - origin) / np.maximum(np.array(heights.shape) - 1.0, 1.0)
    try:
        return HeightGrid(heights, spacing=spacing, origin=origin, axes="auto")
    except ValueError as error:
        raise FormatError(path, None, str(error)) from error
