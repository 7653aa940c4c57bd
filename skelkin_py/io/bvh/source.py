# SPDX-License-Identifier: MIT
"""What a clip keeps of the BVH file it was read from."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...motion.facts import ClipFacts
from ...skeleton import Skeleton
from ..numbers import find_words, parse_words
from .layout import BvhJoint

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]


BLOCK = 2**16  # numbers that are worked on at a time


class Numbers(NamedTuple):
    """Numbers of a motion section, (F, columns) each: what they are, and by byte offsets where they begin and end."""

    starts: IntArray
    ends: IntArray
    values: FloatArray


@dataclass(frozen=True)
class BvhSource:
    """What a clip keeps of the file it was read from, so that saving changes nothing that was not changed.

    `body` is the text behind the frame time; `rows` (F,) and `row_ends` are where the frames' lines begin and end.
    Where their numbers are is not kept, since that is as large as the clip itself: `numbers` looks for them again.
    `rotations`, `translations` and `scales` are the clip's arrays as they were read; `added` is what was added to the
    position channels of the root; `frame_time` is empty where the rate is another than the file says. `notes` say what
    was found that is not as it should be.
    """

    joints: tuple[BvhJoint, ...]
    header: bytes
    encoding: str
    newline: str
    frame_time: str
    fps: float
    fps_source: str
    body: bytes
    rows: IntArray
    row_ends: IntArray
    skeleton: Skeleton
    rotations: FloatArray
    translations: FloatArray
    scales: FloatArray | None = None
    added: FloatArray | None = None
    notes: tuple[str, ...] = ()

    @property
    def facts(self) -> ClipFacts:
        """What the file says: its frame rate, neither axes nor unit."""
        return ClipFacts(format="BVH", fps=self.fps, fps_source=self.fps_source, notes=self.notes)

    @property
    def leg_names(self) -> None:
        """None: legs are found by the joints' own names."""

    def contact_labels(self) -> None:
        """None: such files have no labels of contacts."""

    def slice(self, start: int, stop: int) -> BvhSource:
        """Return the source of the frames `start` to `stop`."""
        part = slice(start, stop)
        return replace(
            self,
            rows=self.rows[part],
            row_ends=self.row_ends[part],
            rotations=self.rotations[part],
            translations=self.translations[part],
            scales=None if self.scales is None else self.scales[part],
        )

    def first_columns(self) -> list[int]:
        """Return the column of each joint's first channel."""
        return [0, *np.cumsum([len(joint.channels) for joint in self.joints]).tolist()][:-1]

    def numbers(self, columns: IntArray) -> Numbers:
        """Return the numbers of these frames in some columns; they are known to be some."""
        frames = len(self.rows)
        shape = (frames, len(columns))
        found = Numbers(np.empty(shape, np.int64), np.empty(shape, np.int64), np.empty(shape))
        width = sum(len(joint.channels) for joint in self.joints)
        step = max(BLOCK // width, 1)
        for first in range(0, frames, step):
            part = slice(first, first + step)
            start = int(self.rows[first])
            text = self.body[start : int(self.row_ends[part][-1])]
            words = find_words(text)
            values = np.asarray(parse_words(text, words))
            found.starts[part] = words.starts.reshape(-1, width)[:, columns] + start
            found.ends[part] = words.ends.reshape(-1, width)[:, columns] + start
            found.values[part] = values.reshape(-1, width)[:, columns]
        return found
