# SPDX-License-Identifier: MIT
"""Ground from files: height grids (.npy), and meshes (Wavefront OBJ)."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from .._support.array_types import Floats
from .._support.errors import FormatError, quoted
from .._support.npy_files import read_npy
from .height_grid import HeightGrid
from .mesh_ground import MeshGround

Ints = NDArray[np.intp]
GROUND_ENDINGS = (".npy", ".obj")


def read_obj(path: str | Path) -> tuple[Floats, Ints]:
    """Read the triangles of an OBJ file; faces with more corners are cut into triangles from their first corner.

    Parameters
    ----------
    path : str or Path
        The file.

    Returns
    -------
    points : (V, 3) float64
        Positions as in the file; axes are not converted.
    faces : (T, 3) int
        Triangles.

    Raises
    ------
    FormatError
        A point or a face is not as OBJ has it, or there are no faces.
    OSError
        It cannot be read.
    """
    points, faces = array("d"), array("q")
    for number, line in _joined_lines(Path(path).read_bytes()):
        kind, *rest = line.partition(b"#")[0].split() or [b""]
        if kind == b"v":
            points.extend(_point(path, number, rest[:3]))
        elif kind == b"f":
            first, *others = _corners(path, number, rest, len(points) // 3)
            for second, third in pairwise(others):
                faces.extend((first, second, third))
    if not faces:
        raise FormatError(path, None, "there are no faces")
    return np.array(points, dtype=np.float64).reshape(-1, 3), np.array(faces, dtype=np.intp).reshape(-1, 3)


def _joined_lines(data: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield the lines with their numbers; those that end in a backslash together with the next."""
    begun: list[bytes] = []
    for number, line in enumerate(data.splitlines(), start=1):
        if line.endswith(b"\\"):
            begun.append(line[:-1])
        elif begun:
            yield number, b" ".join([*begun, line])
            begun = []
        else:
            yield number, line
    if begun:
        yield number, b" ".join(begun)


def _refused(path: str | Path, line: int, rule: str, words: list[bytes]) -> FormatError:
    shown = quoted(b" ".join(words))
    return FormatError(path, line, f"cannot be read as OBJ: {rule}, these are {shown}")


def _point(path: str | Path, line: int, words: list[bytes]) -> tuple[float, float, float]:
    """Return the coordinates of a point."""
    try:
        x, y, z = map(float, words)
    except ValueError:
        raise _refused(path, line, "a point has 3 coordinates", words) from None
    return x, y, z


def _corners(path: str | Path, line: int, words: list[bytes], num: int) -> list[int]:
    """Return the corners of a face, behind `num` points; negative ones count back from there."""
    try:
        corners = [int(word.partition(b"/")[0]) for word in words]
    except ValueError:
        corners = []
    if len(corners) < 3 or 0 in corners:
        raise _refused(path, line, "a face has 3 or more corners, counted from 1", words)
    for corner in corners:
        if not -num <= corner < 2**31:
            shown = quoted(str(corner))
            reason = f"cannot be read as OBJ: a face has the corner {shown}: there are {num} points before it"
            raise FormatError(path, line, reason)
    return [corner - 1 if corner > 0 else num + corner for corner in corners]


def load_ground(path: str | Path, extent: Sequence[float] | None = None) -> HeightGrid | MeshGround:
    """Read ground from a file.

    Parameters
    ----------
    path : str or Path
        A height grid, ``.npy`` of shape (M, N), NaN where there is no ground; or a mesh, ``.obj``, in the
        clip's axes and units.
    extent : (first row, last row, first column, last column), optional
        Positions of a grid's outermost rows and columns along the two horizontal axes, in the order X, Y, Z; by default
        the first ones are at 0, and the spacing is 1.

    Returns
    -------
    HeightGrid or MeshGround
        The ground.

    Raises
    ------
    FormatError
        The file is not what its ending says, or its content cannot be ground.
    ValueError
        The ending is another one; an extent is given for a mesh, or its last position is not above its first.
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
        points, faces = read_obj(path)
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
