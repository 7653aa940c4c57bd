# SPDX-License-Identifier: MIT
"""Objects whose attributes and items are made anew whenever they are read, and are spoilt once nobody keeps them."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

import numpy as np

import skelkin_py as sk

_MEMORY: list[np.ndarray] = []  # of the arrays, which outlives them, so that spoilt numbers are there to be read


class _Fleeting(np.ndarray):
    """An array of other numbers once its last reference has gone."""

    memory: np.ndarray | None = None  # its bytes; None of a view that numpy makes

    def __del__(self) -> None:
        if self.memory is not None:
            self.memory[:] = 255 if self.dtype.kind == "f" else ~self.memory


def _array(array: np.ndarray) -> np.ndarray:
    memory = np.frombuffer(bytearray(array.tobytes()), np.uint8)
    made = _Fleeting(array.shape, array.dtype, memory)
    made.memory = memory
    _MEMORY.append(memory)
    return made


class _Computed:
    """Attributes of an object, each computed when it is read."""

    def __init__(self, of: Any) -> None:
        self._of = of

    def __getattr__(self, name: str) -> Any:
        return fleeting(getattr(self._of, name))


class _Items(Sequence[Any]):
    """Items of a list, each computed when it is read."""

    def __init__(self, of: list[Any]) -> None:
        self._of = of

    def __len__(self) -> int:
        return len(self._of)

    def __getitem__(self, k: Any) -> Any:
        return fleeting(self._of[k])


def fleeting(value: Any) -> Any:
    """Return what stands for arrays, skeletons, dataclasses and lists of these; other values as they are."""
    if isinstance(value, np.ndarray):
        return _array(value)
    if isinstance(value, sk.Skeleton):
        return sk.Skeleton(value.parents, value.rest_local, value.names, value.inverse_bind)
    if dataclasses.is_dataclass(value):
        return _Computed(value)
    return _Items(value) if holds_objects(value) else value


def holds_objects(value: Any) -> bool:
    """Whether it is read by attributes, or by items that are more than numbers."""
    if isinstance(value, list):
        return any(isinstance(each, np.ndarray) or holds_objects(each) for each in value)
    return dataclasses.is_dataclass(value)


def forget() -> None:
    """Give back the memory of all arrays."""
    _MEMORY.clear()
