# SPDX-License-Identifier: MIT
"""Ground from files: height grids (.npy), and triangles of Wavefront OBJ, STL (text, binary) and PLY (`ply_file`)."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from .._support.array_types import Floats
from .._support.errors import FormatError, quoted
from .._support.npy_files import read_npy
from .height_grid import HeightGrid
from .mesh_ground import MeshGround
from .ply_file import add_fan, read_ply

Ints = NDArray[np.intp]
MESH_ENDINGS = (".obj", ".ply", ".stl")
GROUND_ENDINGS = (".npy", *MESH_ENDINGS)


def read_triangles(path: str | Path) -> tuple[Floats, Ints]:
    """Read the triangles of a mesh file; faces with more corners are cut into triangles from their first corner.

    Parameters
    ----------
    path : str or Path
        The file; its ending says what it is.

    Returns
    -------
    points : (V, 3) float64
        Positions as in the file; axes are not converted.
    faces : (T, 3) int
        Triangles.

    Raises
    ------
    FormatError
        The file is not what its ending says, or has no faces.
    ValueError
        Its name has another ending.
    OSError
        It cannot be read.
    """
    data, ending = Path(path).read_bytes(), Path(path).suffix.lower()
    readers = {".obj": _read_obj, ".ply": read_ply, ".stl": _read_stl}
    if ending not in readers:
        raise ValueError(f"{path}: the name must end in {', '.join(MESH_ENDINGS)}")
    try:
        points, faces = readers[ending](path, data)
    except FormatError as error:
        reason = f"cannot be read as {ending[1:].upper()}: {error.reason}"
        raise FormatError(path, error.line, reason) from error
    if not len(faces):
        raise FormatError(path, None, "there are no faces")
    return points, faces


def _read_obj(path: str | Path, data: bytes) -> tuple[Floats, Ints]:
    points, faces = array("d"), array("q")
    for number, line in _joined_lines(data):
        kind, *rest = line.partition(b"#")[0].split() or [b""]
        if kind == b"v":
            _add_point(points, path, number, rest)
        elif kind == b"f":
            add_fan(faces, _corners(path, number, rest, len(points) // 3))
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


def _add_point(points: array[float], path: str | Path, line: int, words: list[bytes]) -> None:
    """Add the coordinates of a point."""
    try:
        x, y, z = map(float, words[:3])
    except ValueError:
        shown = quoted(b" ".join(words[:3]))
        raise FormatError(path, line, f"a point has 3 coordinates, these are {shown}") from None
    points.extend((x, y, z))


def _corners(path: str | Path, line: int, words: list[bytes], num: int) -> list[int]:
    """Return the corners of a face, behind `num` points; negative ones count back from there."""
    try:
        corners = [int(word.partition(b"/")[0]) for word in words]
    except ValueError:
        corners = []
    if len(corners) < 3 or 0 in corners:
        shown = quoted(b" ".join(words))
        raise FormatError(path, line, f"a face has 3 or more corners, counted from 1, these are {shown}")
    for corner in corners:
        if not -num <= corner < 2**31:
            shown = quoted(str(corner))
            raise FormatError(path, line, f"a face has the corner {shown}: there are {num} points before it")
    return [corner - 1 if corner > 0 else num + corner for corner in corners]


def _read_stl(path: str | Path, data: bytes) -> tuple[Floats, Ints]:
    count = int.from_bytes(data[80:84], "little") if len(data) >= 84 else -1
    if count >= 0 and len(data) == 84 + 50 * count:
        rows = np.frombuffer(data, dtype=np.dtype([("xyz", "<f4", (4, 3)), ("more", "<u2")]), offset=84, count=count)
        with np.errstate(invalid="ignore"):  # of a signalling NaN, which is refused like any other
            points = rows["xyz"][:, 1:].astype(np.float64)
    elif data.lstrip()[:5].lower() == b"solid":
        if b"endsolid" not in data.lower():
            raise FormatError(path, None, "there is no endsolid: the file was cut off")
        points = _stl_corners(path, data)
    else:
        raise FormatError(path, None, f"{len(data)} bytes are not a whole number of triangles")
    return points.reshape(-1, 3), np.arange(3 * len(points), dtype=np.intp).reshape(-1, 3)


def _stl_corners(path: str | Path, data: bytes) -> Floats:
    """Return the triangles (T, 3, 3) of text."""
    corners = array("d")
    for number, line in enumerate(data.splitlines(), start=1):
        kind, *rest = line.split() or [b""]
        if kind == b"vertex":
            _add_point(corners, path, number, rest)
    if len(corners) % 9:
        raise FormatError(path, None, f"there are {len(corners) // 3} corners: every triangle has 3")
    return np.array(corners, dtype=np.float64).reshape(-1, 3, 3)


def load_ground(path: str | Path, extent: Sequence[float] | None = None) -> HeightGrid | MeshGround:
    """Read ground from a file.

    Parameters
    ----------
    path : str or Path
        A height grid, ``.npy`` of shape (M, N), NaN where there is no ground; or a mesh, ``.obj``, ``.ply`` or
        ``.stl``, in the clip's axes and units.
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
