# SPDX-License-Identifier: MIT
"""Triangles from Stanford PLY files, text and binary; counts that exceed the size of the file are refused."""

from __future__ import annotations

import os
import struct
from array import array
from collections.abc import Sequence
from itertools import accumulate, pairwise
from typing import NamedTuple, NoReturn

import numpy as np
from numpy.typing import NDArray

from .._support.array_types import Floats
from .._support.errors import FormatError, quoted

Path = str | os.PathLike[str]
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


def read_ply(path: Path, data: bytes) -> tuple[Floats, Ints]:
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
    reader = _Body(path, body, order, len(lines) + 1)
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


class _Body:
    """The tables behind the header, from the first to the last: bytes, or the words of a text."""

    def __init__(self, path: Path, body: bytes, order: str, lines: int) -> None:
        self.path, self.body, self.order, self.lines, self.at = path, body, order, lines, 0
        self.words = [] if order else body.split()
        self.end, self.unit = (len(body), "bytes") if order else (len(self.words), "numbers")

    def size(self, code: str) -> int:
        """Return how many bytes, or words, a number takes."""
        return struct.calcsize(self.order + code) if self.order else 1

    def check_room(self, element: _Element) -> int:
        """Return the size of an element's row with empty lists; the rest of the file must hold as many as it has."""
        row = sum(self.size(each.length or each.item) for each in element.properties)
        if row * element.num > self.end - self.at:
            reason = f"there are {element.num} {element.name[:40]} elements of {row} {self.unit} or more, and "
            raise FormatError(self.path, element.line, f"{reason}{self.end - self.at} {self.unit}")
        return row

    def columns(self, element: _Element, places: Sequence[int]) -> list[Floats]:
        """Return some columns of an element without lists."""
        start, row = self.at, self.check_room(element)
        self.at += row * element.num
        if not (places and element.num):
            return [np.zeros(0) for _ in places]
        if not self.order:
            return [self._numbers(range(start + k, self.at, row)) for k in places]
        kinds = np.dtype([(str(k), self.order + each.item) for k, each in enumerate(element.properties)])
        rows = np.frombuffer(self.body, kinds, element.num, start)
        with np.errstate(invalid="ignore"):  # of a signalling NaN, which is refused like any other
            return [rows[str(k)].astype(np.float64) for k in places]

    def corners(self, element: _Element) -> array[int]:
        """Return the corners of all triangles of an element with lists."""
        faces = array("q")
        for row in range(element.num):
            for each in element.properties:
                num = 1
                if each.length:
                    (num,) = self._whole(each.length, 1, f"the length of a list of {element.name[:40]} {row}")
                size = num * self.size(each.item)
                if num < 0 or size > self.end - self.at:
                    self._fail(self.at - 1, f"{element.name[:40]} {row} has {num} numbers: the file ends before them")
                if each.length and each.name in _FACES:
                    add_fan(faces, self._whole(each.item, num, "a corner"))
                else:
                    self.at += size
        return faces

    def _whole(self, code: str, num: int, what: str) -> Sequence[int]:
        """Return the next whole numbers; in a text they are 0 or more."""
        start, self.at = self.at, self.at + num * self.size(code)
        if self.at > self.end:
            self._fail(start, f"{what} is missing: the file ends before it")
        if self.order:
            return struct.unpack_from(f"{self.order}{num}{code}", self.body, start)
        words = self.words[start : self.at]
        for k, word in enumerate(words, start=start):
            if not (word.isdigit() and len(word) < 19):
                self._fail(k, f"{what} is {quoted(word)}: a whole number of up to 18 digits is needed")
        return list(map(int, words))

    def _numbers(self, places: range) -> Floats:
        """Return the words at some places as numbers."""
        words, numbers = self.words[places.start : places.stop : places.step], array("d")
        try:
            numbers.extend(map(float, words))
        except ValueError:
            wrong = len(numbers)  # those before it were added
            self._fail(places[wrong], f"{quoted(words[wrong])} is not a number")
        return np.array(numbers, dtype=np.float64)

    def _fail(self, at: int, reason: str) -> NoReturn:
        """Raise an error, of a word with its line."""
        ends = accumulate((len(line.split()) for line in self.body.splitlines()), initial=0)
        line = None if self.order else self.lines + next((n for n, end in enumerate(ends) if end > at), 1)
        raise FormatError(self.path, line, reason)
