# SPDX-License-Identifier: MIT
"""Accessors of glTF: typed arrays in buffers, strided, sparse or normalised; bounds are checked before reading."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...errors import quoted
from .container import Document

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]

COMPONENTS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}
TYPES = {5120: "<i1", 5121: "<u1", 5122: "<i2", 5123: "<u2", 5125: "<u4", 5126: "<f4"}
_FLOAT = 5126
_MOST_WITHOUT_DATA = 2**24  # bytes of an accessor that has no buffer view, and is zeros


class _Layout(NamedTuple):
    """Where the numbers of an accessor, or of its sparse part, are."""

    buffer: int
    offset: int  # bytes into the buffer
    stride: int
    kind: np.dtype[Any]


class Accessors:
    """The arrays of a document, each read when it is asked for."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._items = document.items("accessors")
        self._views = document.items("bufferViews")
        self._floats: dict[int, FloatArray] = {}
        self._table: IntArray | None = None
        self._words: list[NDArray[np.float32]] = []
        for data in document.buffers:
            whole = len(data) // 4 * 4
            self._words.append(np.frombuffer(data, "<f4", whole // 4))

    def __len__(self) -> int:
        return len(self._items)

    def count(self, index: Any, where: str) -> int:
        """Return how many elements an accessor has."""
        item = self._item(index, where)
        return self._whole(item, "count", f"accessors[{index}]")

    def floats(self, index: Any, where: str, types: tuple[str, ...]) -> FloatArray:
        """Return an accessor's elements as float64 (count, components), normalised integers as what they mean.

        `where` says who asks, `types` what it may be.
        """
        item = self._item(index, where)
        if item.get("type") not in types:
            self._document.fail(
                f"accessors[{index}].type", f"is {quoted(str(item.get('type')))}: {where} needs {' or '.join(types)}"
            )
        if index not in self._floats:
            raw = self._read(item, index)
            self._floats[index] = _meaning(raw, bool(item.get("normalized")))
        return self._floats[index]

    def integers(self, index: Any, where: str, kind: str) -> IntArray:
        """Return an accessor's elements as int64 (count, components)."""
        item = self._item(index, where)
        if item.get("type") != kind or item.get("componentType") == _FLOAT:
            self._document.fail(f"accessors[{index}]", f"{where} needs whole numbers of type {kind}")
        return self._read(item, index).astype(np.int64)

    def stacked(self, indices: list[Any], where: str, count: int, components: int) -> FloatArray | None:
        """Return accessors that are plain floats of one length, (n, count, components), in one step.

        None where one is anything else: `floats` reads it, or tells what is wrong with it.
        """
        table, words = self._plain(), self._words[0] if self._words else None
        places = np.array(indices, np.int64)
        if words is None or places.min() < 0 or places.max() >= len(table):
            return None
        starts = table[places]
        if (starts[:, 1] != count).any() or (starts[:, 2] != components).any():
            return None
        spots = starts[:, :1] + np.arange(count * components)
        return np.asarray(words[spots], np.float64).reshape(len(indices), count, components)

    def _plain(self) -> IntArray:
        """Return of all accessors where they begin in the first buffer, in words, their count and components, (n, 3).

        Only of those that are floats without gaps and lie in it; of all others the count is -1. A file may have
        thousands of accessors, one per curve: what is asked of each is asked here once.
        """
        if self._table is None:
            views = [_plain_view(view) for view in self._views]
            words = len(self._words[0]) if self._words else 0
            self._table = np.array([_plain_row(item, views, words) for item in self._items], np.int64).reshape(-1, 3)
        return self._table

    def _item(self, index: Any, where: str) -> dict[str, Any]:
        return self._items[self._document.index(index, len(self._items), where, "accessors")]

    def _whole(self, item: dict[str, Any], key: str, where: str, default: int | None = None) -> int:
        value = item.get(key, default)
        if type(value) is not int or not 0 <= value < 2**53:
            self._document.fail(f"{where}.{key}", f"is {quoted(str(value))}: a whole number from 0 up is needed")
        return value

    def _kind(self, item: dict[str, Any], where: str) -> np.dtype[Any]:
        kind = TYPES.get(item.get("componentType", 0)) if type(item.get("componentType")) is int else None
        if kind is None:
            self._document.fail(f"{where}.componentType", f"is {quoted(str(item.get('componentType')))}: no such type")
        return np.dtype(kind)

    def _read(self, item: dict[str, Any], index: int) -> NDArray[Any]:
        """Return the numbers of an accessor as they are stored, (count, components)."""
        where = f"accessors[{index}]"
        components = COMPONENTS.get(item.get("type", "")) if isinstance(item.get("type"), str) else None
        if components is None:
            self._document.fail(f"{where}.type", f"is {quoted(str(item.get('type')))}: no type that is known")
        kind, count = self._kind(item, where), self._whole(item, "count", where)
        if "bufferView" in item:
            result = self._of_view(item, where, kind, count, components)
        else:
            if count * components * kind.itemsize > max(_MOST_WITHOUT_DATA, self._document.size):
                self._document.fail(f"{where}.count", f"is {count}, and there is no data: that many zeros are refused")
            result = np.zeros((count, components), kind)
        if "sparse" in item:
            result = self._with_sparse(item["sparse"], f"{where}.sparse", result)
        return result

    def _of_view(
        self, item: dict[str, Any], where: str, kind: np.dtype[Any], count: int, components: int
    ) -> NDArray[Any]:
        """Return (count, components) numbers of a buffer view, which must have all of them."""
        number = self._document.index(item.get("bufferView"), len(self._views), f"{where}.bufferView", "bufferViews")
        view, there = self._views[number], f"bufferViews[{number}]"
        buffers = self._document.buffers
        data = buffers[self._document.index(view.get("buffer"), len(buffers), f"{there}.buffer", "buffers")]
        start, length = self._whole(view, "byteOffset", there, 0), self._whole(view, "byteLength", there)
        if start + length > len(data):
            self._document.fail(there, f"ends at byte {start + length}, and its buffer has {len(data)}")
        width = kind.itemsize * components
        stride = self._whole(view, "byteStride", there, width) or width
        if stride < width:
            self._document.fail(f"{there}.byteStride", f"is {stride}: {where} has elements of {width} bytes")
        inner = self._whole(item, "byteOffset", where, 0)
        if count and inner + stride * (count - 1) + width > length:
            self._document.fail(where, f"has {count} elements, and {there} is too short for them")
        if count == 0:
            return np.zeros((0, components), kind)
        # Rows may begin anywhere: as bytes first, so that a number need not lie where the machine would have it.
        raw = np.frombuffer(data, np.uint8, stride * (count - 1) + width, start + inner)
        rows = np.lib.stride_tricks.as_strided(raw, (count, width), (stride, 1), writeable=False)
        return np.ascontiguousarray(rows).view(kind)

    def _with_sparse(self, sparse: Any, where: str, dense: NDArray[Any]) -> NDArray[Any]:
        """Return the numbers with those replaced that a sparse accessor has."""
        indices, values = (sparse.get(key) if isinstance(sparse, dict) else None for key in ("indices", "values"))
        if not isinstance(indices, dict) or not isinstance(values, dict):
            self._document.fail(where, "must be an object with indices and values")
        count = self._whole(sparse, "count", where)
        kind = self._kind(indices, f"{where}.indices")
        if kind.kind != "u":
            self._document.fail(f"{where}.indices.componentType", "must be of unsigned whole numbers")
        rows = self._of_view(indices, f"{where}.indices", kind, count, 1)[:, 0].astype(np.int64)
        if rows.size and rows.max() >= len(dense):
            self._document.fail(f"{where}.indices", f"has {rows.max()}, there are {len(dense)} elements")
        result: NDArray[Any] = dense.copy()
        result[rows] = self._of_view(values, f"{where}.values", dense.dtype, count, dense.shape[1])
        return result


_NOT_PLAIN = (0, -1, 0)


def _plain_view(view: dict[str, Any]) -> tuple[int, int, int] | None:
    """Return where a view of the first buffer begins, how long it is and its stride (0: none); None of any other."""
    start, length, stride = view.get("byteOffset", 0), view.get("byteLength"), view.get("byteStride", 0)
    if type(start) is not int or type(length) is not int or type(stride) is not int:
        return None
    return (start, length, stride) if view.get("buffer") == 0 and start >= 0 else None


def _plain_row(item: dict[str, Any], views: list[tuple[int, int, int] | None], words: int) -> tuple[int, int, int]:
    """Return where a plain accessor begins, in words, its count and its components."""
    number, count, inner = item.get("bufferView"), item.get("count"), item.get("byteOffset", 0)
    if (
        item.get("componentType") != _FLOAT
        or type(number) is not int
        or not 0 <= number < len(views)
        or (view := views[number]) is None
        or type(count) is not int
        or type(inner) is not int
        or "sparse" in item
    ):
        return _NOT_PLAIN
    kind = item.get("type")
    components = COMPONENTS.get(kind, 0) if isinstance(kind, str) else 0
    start, length, stride = view
    size = 4 * components * count
    if inner < 0 or size <= 0 or inner + size > length or (start + inner) % 4 or stride not in (0, 4 * components):
        return _NOT_PLAIN
    first = (start + inner) // 4
    return (first, count, components) if first + size // 4 <= words else _NOT_PLAIN


def _meaning(raw: NDArray[Any], normalized: bool) -> FloatArray:
    """Return stored numbers as what they mean; see glTF 2.0, section 3.11 (quantized animation data)."""
    values = raw.astype(np.float64)
    if normalized and raw.dtype.kind in "iu":
        values = np.maximum(values / np.iinfo(raw.dtype).max, -1.0)
    return values
