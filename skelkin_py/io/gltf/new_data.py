# SPDX-License-Identifier: MIT
"""What is added to the binary data of a glTF file: arrays, with the accessors and buffer views that name them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from ..._support.array_types import Floats
from ...motion.clip import Clip
from .accessors import FLOAT

_NAMES = {1: "SCALAR", 3: "VEC3", 4: "VEC4", 16: "MAT4"}


class NewData:
    """Arrays that go behind what the first buffer has already.

    Parameters
    ----------
    start : int
        How many bytes the buffer has, a multiple of four.
    accessors, views : int
        How many of these there are.
    """

    def __init__(self, start: int = 0, accessors: int = 0, views: int = 0) -> None:
        self._at, self._first_accessor, self._first_view = start, accessors, views
        self.accessors: list[dict[str, Any]] = []
        self.views: list[dict[str, Any]] = []
        self.parts: list[bytes] = []

    def add(self, values: Floats, *, bounds: bool = False) -> int:
        """Add an array (n,) or (n, components) as float32 and return its accessor; `bounds` adds min and max."""
        table = np.ascontiguousarray(values, "<f4")
        table = table.reshape(len(table), -1)
        data = table.tobytes()
        self.views.append({"buffer": 0, "byteOffset": self._at, "byteLength": len(data)})
        accessor = {
            "bufferView": self._first_view + len(self.views) - 1,
            "componentType": FLOAT,
            "count": len(table),
            "type": _NAMES[table.shape[1]],
        }
        if bounds:
            accessor |= {"min": table.min(axis=0).tolist(), "max": table.max(axis=0).tolist()}
        self.accessors.append(accessor)
        self.parts.append(data)
        self._at += len(data)
        return self._first_accessor + len(self.accessors) - 1

    def add_curve(self, path: str, values: Floats) -> int:
        """Add the values of a rotation (F, 4), w first, translation or scale (F, 3) and return their accessor."""
        return self.add(_in_one_hemisphere(values)[:, [1, 2, 3, 0]] if path == "rotation" else values)

    def animation(self, name: str, clip: Clip, curves: Iterable[tuple[int, str, Floats]]) -> dict[str, Any]:
        """Add an animation with a value in each frame of a clip for each curve: its node, path and values."""
        times = self.add(np.arange(clip.num_frames) / clip.fps, bounds=True)
        samplers: list[dict[str, int]] = []
        channels: list[dict[str, Any]] = []
        for number, (node, path, values) in enumerate(curves):
            samplers.append({"input": times, "output": self.add_curve(path, values)})
            channels.append({"sampler": number, "target": {"node": node, "path": path}})
        return {"name": name, "samplers": samplers, "channels": channels}

    def data(self) -> bytes:
        """Return the bytes that were added."""
        return b"".join(self.parts)


def _in_one_hemisphere(quaternions: Floats) -> Floats:
    """Return quaternions (F, 4) of one curve, each on the side of the one before, as some programs expect."""
    dots = np.einsum("ij,ij->i", quaternions[1:], quaternions[:-1])
    signs = np.concatenate([[1.0], np.cumprod(np.where(dots < 0.0, -1.0, 1.0))])
    return np.asarray(quaternions * signs[:, None])
