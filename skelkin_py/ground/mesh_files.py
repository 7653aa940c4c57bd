# SPDX-License-Identifier: MIT
"""Triangles out of mesh files: Wavefront OBJ, STL (text and binary), Stanford PLY (over `ply_file`)."""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from .._support.errors import FormatError, quoted
from .ply_file import add_fan, read_ply

Array = NDArray[np.float64]
Ints = NDArray[np.intp]

MESH_ENDINGS = (".obj", ".ply", ".stl")


def read_triangles(path: str | Path) -> tuple[Array, Ints]:
    """Read the triangles of a mesh file; faces with more corners are cut into triangles from their first corner.

    Parameters
    ----------
    path : str or Path
        The file; its ending says what it is.

    Returns
    -------
    points : (V, 3) float64
        Positions as they stand in the file: no axes are exchanged.
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


def _read_obj(path: str | Path, data: bytes) -> tuple[Array, Ints]:
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


def _read_stl(path: str | Path, data: bytes) -> tuple[Array, Ints]:
    count = int.from_bytes(data[80:84], "little") if len(data) >= 84 else -1
    if count >= 0 and len(data) == 84 + 50 * count:
        rows = np.frombuffer(data, dtype=np.dtype([("xyz", "<f4", (4, 3)), ("more", "<u2")]), offset=84, count=count)
        with np.errstate(invalid="ignore"):  # a NaN that signals; it is refused as every other
            points = rows["xyz"][:, 1:].astype(np.float64)
    elif data.lstrip()[:5].lower() == b"solid":
        if b"endsolid" not in data.lower():
            raise FormatError(path, None, "there is no endsolid: the file was cut off")
        points = _stl_corners(path, data)
    else:
        raise FormatError(path, None, f"{len(data)} bytes are not a whole number of triangles")
    return points.reshape(-1, 3), np.arange(3 * len(points), dtype=np.intp).reshape(-1, 3)


def _stl_corners(path: str | Path, data: bytes) -> Array:
    """Return the triangles (T, 3, 3) of text."""
    corners = array("d")
    for number, line in enumerate(data.splitlines(), start=1):
        kind, *rest = line.split() or [b""]
        if kind == b"vertex":
            _add_point(corners, path, number, rest)
    if len(corners) % 9:
        raise FormatError(path, None, f"there are {len(corners) // 3} corners: every triangle has 3")
    return np.array(corners, dtype=np.float64).reshape(-1, 3, 3)
