# SPDX-License-Identifier: MIT
"""Accessors of glTF: typed arrays in buffers, strided, sparse or normalised; bounds are checked before reading."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from ..._support.array_types import Array, Float32, Floats, Ints
from ..._support.errors import quoted
from .container import Document

COMPONENTS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}
TYPES = {5120: "<i1", 5121: "<u1", 5122: "<i2", 5123: "<u2", 5125: "<u4", 5126: "<f4"}
FLOAT = 5126
_LARGEST = 2**53  # that a count or a place may be
_MOST_WITHOUT_DATA = 2**24  # bytes of an accessor that has no buffer view, and is zeros


class Accessors:
    """The arrays of a document, each read when it is requested."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._items = document.items("accessors")
        self._views = document.items("bufferViews")
        self._floats: dict[int, Floats] = {}
        first = document.buffers[0] if document.buffers else b""
        self._words: Float32 = np.frombuffer(first, "<f4", len(first) // 4)

    def __len__(self) -> int:
        return len(self._items)

    def count(self, index: Any, where: str) -> int:
        """Return how many elements an accessor has."""
        item = self._item(index, where)
        return self._whole(item, "count", f"accessors[{index}]")

    def floats(self, index: Any, where: str, kind: str) -> Floats:
        """Return an accessor's elements as float64 (count, components), normalised integers as what they mean.

        `where` says who asks, `kind` which type it has to be.
        """
        item = self._item(index, where)
        if item.get("type") != kind:
            found = quoted(str(item.get("type")))
            self._document.fail(f"accessors[{index}].type", f"is {found}: {where} needs {kind}")
        if index not in self._floats:
            self._floats[index] = _meaning(self._read(item, index), bool(item.get("normalized")))
        return self._floats[index]

    def integers(self, index: Any, where: str, kind: str) -> Ints:
        """Return an accessor's elements as int64 (count, components)."""
        item = self._item(index, where)
        if item.get("type") != kind or item.get("componentType") == FLOAT:
            self._document.fail(f"accessors[{index}]", f"{where} needs whole numbers of type {kind}")
        return self._read(item, index).astype(np.int64)

    def stacked(self, indices: list[Any], where: str, count: int, components: int) -> Floats | None:
        """Return accessors that are plain floats of one length, (n, count, components), in one step.

        None where one is anything else: `floats` reads it, or says what is wrong with it.
        """
        places = np.array(indices, np.int64)
        if places.min() < 0 or places.max() >= len(self._plain):
            return None
        starts = self._plain[places]
        if (starts[:, 1] != count).any() or (starts[:, 2] != components).any():
            return None
        spots = starts[:, :1] + np.arange(count * components)
        return np.asarray(self._words[spots], np.float64).reshape(len(indices), count, components)

    @functools.cached_property
    def _plain(self) -> Ints:
        """Return of all accessors where they begin in the first buffer, in words, their count and components, (n, 3).

        Only of those that are floats without gaps and lie in it; of all others the count is -1. A file may have
        thousands of accessors, one per curve: what is needed of each is read here once.
        """
        return _plain_rows(self._items, self._views, len(self._words))

    def _item(self, index: Any, where: str) -> dict[str, Any]:
        return self._items[self._document.index(index, len(self._items), where, "accessors")]

    def _whole(self, item: dict[str, Any], key: str, where: str, default: int | None = None) -> int:
        value = item.get(key, default)
        if type(value) is not int or not 0 <= value < _LARGEST:
            self._document.fail(f"{where}.{key}", f"is {quoted(str(value))}: a whole number from 0 up is needed")
        return value

    def _kind(self, item: dict[str, Any], where: str) -> np.dtype[Any]:
        kind = TYPES.get(item.get("componentType", 0)) if type(item.get("componentType")) is int else None
        if kind is None:
            self._document.fail(f"{where}.componentType", f"is {quoted(str(item.get('componentType')))}: no such type")
        return np.dtype(kind)

    def _read(self, item: dict[str, Any], index: int) -> Array:
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
                self._document.fail(f"{where}.count", f"is {count}, but there is no data: this many zeros are refused")
            result = np.zeros((count, components), kind)
        if "sparse" in item:
            result = self._with_sparse(item["sparse"], f"{where}.sparse", result)
        return result

    def _of_view(self, item: dict[str, Any], where: str, kind: np.dtype[Any], count: int, components: int) -> Array:
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

    def _with_sparse(self, sparse: Any, where: str, dense: Array) -> Array:
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
        result: Array = dense.copy()
        result[rows] = self._of_view(values, f"{where}.values", dense.dtype, count, dense.shape[1])
        return result


def _plain_rows(items: list[dict[str, Any]], views: list[dict[str, Any]], words: int) -> Ints:
    """Return of each accessor where it begins, in words, its count (-1 if it is not plain) and its components, (n, 3).

    A column at a time: a file may have tens of thousands.
    """
    view, count, inner = (_whole_numbers(items, *each) for each in (("bufferView",), ("count",), ("byteOffset", 0)))
    buffer, length = (_whole_numbers(views, key) for key in ("buffer", "byteLength"))
    start, stride = (_whole_numbers(views, key, 0) for key in ("byteOffset", "byteStride"))
    kinds = [item.get("type") for item in items]
    components = np.array([COMPONENTS.get(kind, 0) if isinstance(kind, str) else 0 for kind in kinds], np.int64)
    dense = np.array([item.get("componentType") == FLOAT and "sparse" not in item for item in items], bool)
    dense &= (view >= 0) & (view < len(views))
    found = np.flatnonzero(dense & (count > 0) & (inner >= 0) & (components > 0))
    rows = np.zeros((len(items), 3), np.int64)
    rows[:, 1] = -1
    view, count, inner, components = view[found], count[found], inner[found], components[found]
    width = 4 * components
    first = start[view] + inner
    plain = (buffer[view] == 0) & (start[view] >= 0) & (inner <= length[view]) & (first % 4 == 0)
    plain &= (stride[view] == 0) | (stride[view] == width)
    plain &= (count <= (length[view] - inner) // width) & (count <= (4 * words - first) // width)
    rows[found[plain]] = np.column_stack([first // 4, count, components])[plain]
    return rows


def _whole_numbers(items: list[dict[str, Any]], key: str, default: int = -1) -> Ints:
    """Return what objects have under a key, -1 where it is no whole number from 0 up."""
    values = [item.get(key, default) for item in items]
    return np.array([each if type(each) is int and 0 <= each < _LARGEST else -1 for each in values], np.int64)


def _meaning(raw: Array, normalized: bool) -> Floats:
    """Return stored numbers as what they mean; see glTF 2.0, section 3.11 (quantized animation data)."""
    values = raw.astype(np.float64)
    if normalized and raw.dtype.kind in "iu":
        values = np.maximum(values / np.iinfo(raw.dtype).max, -1.0)
    return values
