# SPDX-License-Identifier: MIT
"""What a clip keeps of the glTF file it was read from."""

from __future__ import annotations

from dataclasses import dataclass

from ..._support.array_types import Floats
from ..source import FileSource
from .container import Container


@dataclass(frozen=True, eq=False, kw_only=True)
class GltfSource(FileSource):
    """The file as it lay on the disk, and which of its animations this is.

    `number` is that of the animation, None for the rest pose of a file without one; `joints` are the joints' nodes and
    `times` (F,) the seconds of the frames.
    """

    container: Container
    number: int | None
    joints: tuple[int, ...]
    times: Floats
    per_frame = (*FileSource.per_frame, "times")
