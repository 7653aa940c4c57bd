# SPDX-License-Identifier: MIT
"""Triangles out of Stanford PLY files, text and binary; no count is believed that the file has no room for."""

from __future__ import annotations

import os
import struct
from array import array
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple, NoReturn

import numpy as np
from numpy.typing import NDArray

from .._support.errors import FormatError, quoted

Path = str | os.PathLike[str]
Array = NDArray[np.float64]
Ints = NDArray[np.intp]

_TYPES = {
    "char": "b", "int8": "b", "uchar": "B", "uint8": "B", "short": "h", "int16": "h", "ushort": "H", "uint16": "H",
    "int": "i", "int32": "i", "uint": "I", "uint32": "I", "float": "f", "float32": "f", "double": "d", "float64": "d",
}  # fmt: skip
_ORDERS = {"ascii": "", "binary_little_endian": "<", "binary_big_endian": ">"}
_FACES = ("vertex_indices", "vertex_index")


class _Property(NamedTuple):
    """A column: its type as `struct` writes it, and that of the length in front where it is a list."""

    name: str
    item: str
    length: str = ""


class _Element(NamedTuple):
    """A table of the file, and where its header stands."""

    name: str
    num: int
    line: int
    properties: list[_Property]

    @property
    def has_lists(self) -> bool:
        return any(each.length for each in self.properties)


def add_fan(faces: array[int], corners: Sequence[int]) -> None:
    """Add the triangles of a face, cut from its first corner."""
    for second, third in pairwise(corners[1:]):
        faces.extend((corners[0], second, third))


def read_ply(path: Path, data: bytes) -> tuple[Array, Ints]:
    r"""Return the points (V, 3) and triangles (T, 3) of a file.

    Parameters
    ----------
    path : str or os.PathLike
        The file, for messages.
    data : bytes
        Its content.

    Returns
    -------
    points : (V, 3) float64
    faces : (T, 3) int

    Raises
    ------
    FormatError
        It is no PLY file, was cut off, or counts more than it has room for.

    Examples
    --------
    >>> header = b"ply\nformat ascii 1.0\nelement face -1\nproperty list uchar int vertex_indices\nend_header\n"
    >>> read_ply("hill.ply", header)
    Traceback (most recent call last):
    skelkin_py._support.errors.FormatError: hill.ply:3: the number of face elements is '-1': a whole number ...
    """
    header, found, body = data.partition(b"end_header")
    lines = header.decode("utf-8", "replace").splitlines()
    if not found or not lines or lines[0].split() != ["ply"]:
        raise FormatError(path, None, "there is no header")
    order, elements = _parse_header(path, lines)
    body = body.partition(b"\n")[2]
    reader = _Binary(path, body, order) if order else _Text(path, body, len(lines) + 1)
    points, faces = np.zeros((0, 3)), np.zeros((0, 3), dtype=np.intp)
    for element in elements:
        reader.check_room(element)
        if element.has_lists:
            corners = reader.corners(element)
            if element.name == "face":
                faces = np.array(corners, dtype=np.intp).reshape(-1, 3)
        elif element.name == "vertex":
            columns = [each.name for each in element.properties]
            if len(missing := [axis for axis in "xyz" if axis not in columns]):
                raise FormatError(path, element.line, f"the vertices have no {missing[0]}")
            points = np.stack(reader.columns(element, [columns.index(axis) for axis in "xyz"]), axis=-1)
        else:
            reader.columns(element, [])
    return points, faces


def _parse_header(path: Path, lines: list[str]) -> tuple[str, list[_Element]]:
    """Return the order of bytes, "" for text, and the tables."""
    order: str | None = None
    elements: list[_Element] = []
    for number, line in enumerate(lines, start=1):
        words = line.split()
        if words[:1] == ["format"]:
            order = _ORDERS.get(" ".join(words[1:2]))
            if order is None:
                raise FormatError(path, number, f"the format is {quoted(' '.join(words[1:]))}: {', '.join(_ORDERS)}")
        elif words[:1] == ["element"]:
            elements.append(_parse_element(path, number, words[1:]))
        elif words[:1] == ["property"]:
            if not elements:
                raise FormatError(path, number, "a property stands before the first element")
            elements[-1].properties.append(_parse_property(path, number, words[1:]))
    if order is None:
        raise FormatError(path, None, "the header has no format")
    return order, elements


def _parse_element(path: Path, line: int, words: list[str]) -> _Element:
    if len(words) != 2:
        raise FormatError(path, line, "an element has a name and a number")
    name, count = words
    if not (count.isascii() and count.isdigit() and len(count) < 19):
        reason = f"the number of {name[:40]} elements is {quoted(count)}: a whole number of up to 18 digits is needed"
        raise FormatError(path, line, reason)
    return _Element(name, int(count), line, [])


def _parse_property(path: Path, line: int, words: list[str]) -> _Property:
    types = words[1:-1] if words[:1] == ["list"] else words[:-1]
    if len(types) != (2 if words[:1] == ["list"] else 1):
        raise FormatError(path, line, "a property has a type and a name, a list two types and a name")
    for word in types:
        if word not in _TYPES:
            raise FormatError(path, line, f"{quoted(word)} is not a type of PLY")
    codes = [_TYPES[word] for word in types]
    whole = codes if words[-1] in _FACES else codes[:1]
    if len(codes) == 2 and any(code in "fd" for code in whole):
        raise FormatError(path, line, f"the list {quoted(words[-1])} needs whole numbers")
    return _Property(words[-1], codes[-1], codes[0] if len(codes) == 2 else "")


class _Binary:
    """The tables behind the header of a binary file, from the first to the last."""

    def __init__(self, path: Path, body: bytes, order: str) -> None:
        self.path, self.body, self.order, self.at = path, body, order, 0

    def check_room(self, element: _Element) -> None:
        """Check that the rest of the file can hold an element's rows with empty lists."""
        row = struct.calcsize(self.order + "".join(each.length or each.item for each in element.properties))
        left = len(self.body) - self.at
        if row * element.num > left:
            reason = f"there are {element.num} {element.name[:40]} elements of {row} bytes or more, and {left} bytes"
            raise FormatError(self.path, element.line, reason)

    def columns(self, element: _Element, places: list[int]) -> list[Array]:
        """Return some columns of an element without lists."""
        types = [self.order + each.item for each in element.properties]
        sizes = [struct.calcsize(each) for each in types]
        starts = np.cumsum([0, *sizes]).tolist()
        start, row = self.at, starts.pop()
        self.at += row * element.num
        if not (places and element.num):
            return [np.zeros(0) for _ in places]
        rows = np.frombuffer(self.body, np.uint8, row * element.num, start).reshape(element.num, row)
        columns = [rows[:, starts[k] : starts[k] + sizes[k]].copy().view(types[k]) for k in places]
        with np.errstate(invalid="ignore"):  # a NaN that signals; it is refused as every other
            return [column[:, 0].astype(np.float64) for column in columns]

    def corners(self, element: _Element) -> array[int]:
        """Return the corners of all triangles of an element with lists."""
        faces, body, at = array("q"), self.body, self.at
        types = [
            (each.name in _FACES, each.item, struct.calcsize(self.order + each.item), each.length)
            for each in element.properties
        ]
        counts = {each.length: struct.Struct(self.order + each.length) for each in element.properties}
        for row in range(element.num):
            for is_face, item, size, count in types:
                num = 1
                if count:
                    head = counts[count]
                    (num,) = head.unpack_from(body, at) if at + head.size <= len(body) else (-1,)
                    at += head.size
                if num < 0 or num * size > len(body) - at:
                    self._fail(element, row, num)
                if count and is_face:
                    add_fan(faces, struct.unpack_from(f"{self.order}{num}{item}", body, at))
                at += num * size
        self.at = at
        return faces

    def _fail(self, element: _Element, row: int, num: int) -> NoReturn:
        raise FormatError(self.path, None, f"{element.name[:40]} {row} has {num} numbers: the file ends before them")


class _Text:
    """The tables behind the header of a text file, from the first to the last."""

    def __init__(self, path: Path, body: bytes, lines: int) -> None:
        self.path, self.body, self.lines, self.at = path, body, lines, 0
        self.words = body.split()

    def fail(self, at: int, reason: str) -> NoReturn:
        """Raise the error of a word, with its line."""
        number, seen = self.lines, 0
        for line in self.body.splitlines():
            number, seen = number + 1, seen + len(line.split())
            if seen > at:
                break
        raise FormatError(self.path, number, reason)

    def whole(self, at: int, what: str) -> int:
        """Return a word as a whole number from 0 up."""
        word = self.words[at] if at < len(self.words) else b""
        if not (word.isdigit() and len(word) < 19):
            self.fail(at, f"{what} is {quoted(word)}: a whole number of up to 18 digits is needed")
        return int(word)

    def check_room(self, element: _Element) -> None:
        """Check that the rest of the file can hold an element's rows with empty lists."""
        left = len(self.words) - self.at
        if len(element.properties) * element.num > left:
            reason = f"there are {element.num} {element.name[:40]} elements, and {left} numbers for them"
            raise FormatError(self.path, element.line, reason)

    def columns(self, element: _Element, places: list[int]) -> list[Array]:
        """Return some columns of an element without lists."""
        start, wide = self.at, len(element.properties)
        self.at += wide * element.num
        if not (places and element.num):
            return [np.zeros(0) for _ in places]
        return [self._numbers(range(start + k, self.at, wide)) for k in places]

    def _numbers(self, places: range) -> Array:
        words = self.words[places.start : places.stop : places.step]
        numbers = array("d")
        try:
            numbers.extend(map(float, words))
        except ValueError:
            wrong = len(numbers)  # those before it were taken
            self.fail(places[wrong], f"{quoted(words[wrong])} is not a number")
        return np.array(numbers, dtype=np.float64)

    def corners(self, element: _Element) -> array[int]:
        """Return the corners of all triangles of an element with lists."""
        faces, at = array("q"), self.at
        for row in range(element.num):
            for each in element.properties:
                if not each.length:
                    at += 1
                    continue
                num = self.whole(at, f"the length of a list of {element.name[:40]} {row}")
                if num > len(self.words) - at - 1:
                    self.fail(at, f"{element.name[:40]} {row} has {num} numbers: the file ends before them")
                if each.name in _FACES:
                    self._add_face(faces, at + 1, num)
                at += 1 + num
        self.at = at
        return faces

    def _add_face(self, faces: array[int], at: int, num: int) -> None:
        """Add the triangles of a face whose `num` corners stand from a word on."""
        try:
            add_fan(faces, list(map(int, self.words[at : at + num])))
        except (ValueError, OverflowError):
            for k in range(at, at + num):
                self.whole(k, "a corner")
