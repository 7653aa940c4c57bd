# SPDX-License-Identifier: MIT
"""What a clip keeps of the BVH file it was read from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ..._support.array_types import Floats, Ints
from ..numbers import find_words, parse_words
from ..source import FileSource
from .layout import BvhJoint, Remark

BLOCK = 2**16  # numbers that are worked on at a time


class Numbers(NamedTuple):
    """Numbers of a motion section, (F, columns) each: what they are, and by byte offsets where they begin and end."""

    starts: Ints
    ends: Ints
    values: Floats


class Rate(NamedTuple):
    """Frames per second, where they come from, the frame time as it is printed where it says so, and what is odd."""

    fps: float
    source: str
    printed: str = ""
    doubts: tuple[Remark, ...] = ()


class Head(NamedTuple):
    """What stands before the numbers of a file, and where in it."""

    joints: list[BvhJoint]
    header: bytes
    encoding: str
    newline: str
    num_frames: int
    frames_line: int
    rate: Rate
    begin: int  # offset of the line behind the frame time
    first_line: int


@dataclass(frozen=True, eq=False, kw_only=True)
class BvhSource(FileSource):
    """What a clip keeps of the file it was read from, so that saving changes nothing that was not changed.

    `body` is the text behind the frame time; `rows` (F,) and `row_ends` are where the frames' lines begin and end.
    Where their numbers are is not kept, since that is as large as the clip itself: `numbers` looks for them again.
    `added` is what was added to the position channels of the root.
    """

    head: Head
    body: bytes
    rows: Ints
    row_ends: Ints
    added: Floats | None = None
    per_frame = (*FileSource.per_frame, "rows", "row_ends")

    def first_columns(self) -> list[int]:
        """Return the column of each joint's first channel."""
        return [0, *np.cumsum([len(joint.channels) for joint in self.head.joints]).tolist()][:-1]

    def numbers(self, columns: Ints) -> Numbers:
        """Return the numbers of these frames in some columns; they are known to be some."""
        frames = len(self.rows)
        shape = (frames, len(columns))
        found = Numbers(np.empty(shape, np.int64), np.empty(shape, np.int64), np.empty(shape))
        width = sum(len(joint.channels) for joint in self.head.joints)
        step = max(BLOCK // width, 1)
        for first in range(0, frames, step) if len(columns) else ():
            part = slice(first, first + step)
            start = int(self.rows[first])
            text = self.body[start : int(self.row_ends[part][-1])]
            words = find_words(text)
            values = np.asarray(parse_words(text, words))
            found.starts[part] = words.starts.reshape(-1, width)[:, columns] + start
            found.ends[part] = words.ends.reshape(-1, width)[:, columns] + start
            found.values[part] = values.reshape(-1, width)[:, columns]
        return found
