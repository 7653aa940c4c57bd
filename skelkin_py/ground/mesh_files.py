# SPDX-License-Identifier: MIT
"""Triangles out of mesh files: Wavefront OBJ, STL (text and binary), Stanford PLY (text and binary)."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

__all__ = ["MESH_ENDINGS", "read_triangles"]

Array = NDArray[np.float64]
Ints = NDArray[np.intp]

MESH_ENDINGS = (".obj", ".ply", ".stl")
_PLY_TYPES = {
    "char": "i1", "int8": "i1", "uchar": "u1", "uint8": "u1", "short": "i2", "int16": "i2", "ushort": "u2",
    "uint16": "u2", "int": "i4", "int32": "i4", "uint": "u4", "uint32": "u4", "float": "f4", "float32": "f4",
    "double": "f8", "float64": "f8",
}  # fmt: skip
_PLY_ORDERS = {"ascii": "", "binary_little_endian": "<", "binary_big_endian": ">"}
_PLY_FACES = ("vertex_indices", "vertex_index")


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
    ValueError
        The file is not what its ending says, or has no faces.
    OSError
        It cannot be read.
    """
    data, ending = Path(path).read_bytes(), Path(path).suffix.lower()
    readers = {".obj": _read_obj, ".ply": _read_ply, ".stl": _read_stl}
    if ending not in readers:
        raise ValueError(f"{path}: the name must end in {', '.join(MESH_ENDINGS)}")
    try:
        points, faces = readers[ending](data)
    except (ValueError, IndexError, KeyError, OverflowError) as error:
        raise ValueError(f"{path}: cannot be read as {ending[1:].upper()}: {error}") from error
    if not len(faces):
        raise ValueError(f"{path}: there are no faces")
    return points, faces


def _fan(corners: list[int]) -> list[list[int]]:
    """Cut a face into triangles."""
    return [[corners[0], b, c] for b, c in pairwise(corners[1:])]


def _read_obj(data: bytes) -> tuple[Array, Ints]:
    points: list[list[float]] = []
    faces: list[list[int]] = []
    text = data.decode("utf-8", "replace").replace("\\\n", " ")
    for number, line in enumerate(text.splitlines(), start=1):
        kind, *rest = line.partition("#")[0].split() or [""]
        if kind == "v":
            points.append([float(x) for x in rest[:3]])
            if len(points[-1]) < 3:
                raise ValueError(f"line {number}: a point has 3 coordinates")
        elif kind == "f":
            corners = [int(word.partition("/")[0]) for word in rest]
            if len(corners) < 3 or 0 in corners:
                raise ValueError(f"line {number}: a face has 3 or more corners, counted from 1")
            faces += _fan([c - 1 if c > 0 else len(points) + c for c in corners])
    return np.array(points, dtype=np.float64).reshape(-1, 3), np.array(faces, dtype=np.intp).reshape(-1, 3)


def _read_stl(data: bytes) -> tuple[Array, Ints]:
    count = int.from_bytes(data[80:84], "little") if len(data) >= 84 else -1
    if len(data) == 84 + 50 * count:
        rows = np.frombuffer(data, dtype=np.dtype([("xyz", "<f4", (4, 3)), ("more", "<u2")]), offset=84, count=count)
        points = rows["xyz"][:, 1:].astype(np.float64)
    elif data.lstrip()[:5].lower() == b"solid":
        if b"endsolid" not in data.lower():
            raise ValueError("there is no endsolid: the file was cut off")
        lines = (line.split() for line in data.decode("utf-8", "replace").splitlines())
        corners = [[float(x) for x in words[1:4]] for words in lines if words[:1] == ["vertex"]]
        points = np.array(corners, dtype=np.float64).reshape(-1, 3, 3)
    else:
        raise ValueError(f"{len(data)} bytes are no whole number of triangles")
    return points.reshape(-1, 3), np.arange(3 * len(points), dtype=np.intp).reshape(-1, 3)


def _read_ply(data: bytes) -> tuple[Array, Ints]:
    header, found, body = data.partition(b"end_header")
    lines = [line.split() for line in header.decode("ascii").splitlines()]
    if not found or lines[0] != ["ply"]:
        raise ValueError("there is no header")
    body = body[body.index(b"\n") + 1 :]
    order, elements = "", list[tuple[str, int, list[list[str]]]]()
    for words in lines[1:]:
        if words[:1] == ["format"]:
            order = _PLY_ORDERS[words[1]]
        elif words[:1] == ["element"]:
            elements.append((words[1], int(words[2]), []))
        elif words[:1] == ["property"]:
            elements[-1][2].append(words[1:])
    points, faces = np.zeros((0, 3)), np.zeros((0, 3), dtype=np.intp)
    words_left = body.split() if not order else []
    at = 0
    for name, count, properties in elements:
        if any(each[0] == "list" for each in properties):
            if order:
                corners, at = _binary_lists(body, at, count, properties, order)
            else:
                corners, at = _text_lists(words_left, at, count, properties)
            if name == "face":
                faces = np.array([t for face in corners for t in _fan(face)], dtype=np.intp).reshape(-1, 3)
            continue
        wide = len(properties)
        columns = [each[1] for each in properties]
        if order:
            kind = np.dtype([(each[1], order + _PLY_TYPES[each[0]]) for each in properties])
            rows = np.frombuffer(body, dtype=kind, offset=at, count=count)
            at += count * kind.itemsize
            place = (rows[axis] for axis in "xyz") if name == "vertex" else ()
        else:
            table = np.array(words_left[at : at + wide * count], dtype=np.float64).reshape(count, wide)
            at += wide * count
            place = (table[:, columns.index(axis)] for axis in "xyz") if name == "vertex" else ()
        if name == "vertex":
            points = np.stack([np.asarray(each, dtype=np.float64) for each in place], axis=-1)
    return points, faces


def _binary_lists(
    body: bytes, at: int, count: int, properties: list[list[str]], order: str
) -> tuple[list[list[int]], int]:
    """Return the corners of `count` faces, and where the next element begins."""
    corners: list[list[int]] = []
    for _ in range(count):
        for kind, *rest in properties:
            if kind != "list":
                at += np.dtype(_PLY_TYPES[kind]).itemsize
                continue
            size, item = np.dtype(order + _PLY_TYPES[rest[0]]), np.dtype(order + _PLY_TYPES[rest[1]])
            num = int(np.frombuffer(body, dtype=size, offset=at, count=1)[0])
            at += size.itemsize
            values = np.frombuffer(body, dtype=item, offset=at, count=num)
            at += num * item.itemsize
            if rest[2] in _PLY_FACES:
                corners.append([int(v) for v in values])
    return corners, at


def _text_lists(words: list[bytes], at: int, count: int, properties: list[list[str]]) -> tuple[list[list[int]], int]:
    """Return the corners of `count` faces, and where the next element begins."""
    corners: list[list[int]] = []
    for _ in range(count):
        for kind, *rest in properties:
            if kind != "list":
                at += 1
                continue
            num = int(words[at])
            if rest[2] in _PLY_FACES:
                corners.append([int(v) for v in words[at + 1 : at + 1 + num]])
                if len(corners[-1]) < num:
                    raise ValueError("it ends within a face")
            at += 1 + num
    return corners, at
