# SPDX-License-Identifier: MIT
"""What a clip keeps of the file it was read from, of any format."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar, TypeVar

import numpy as np

from .._support.array_types import Flags, Floats
from ..motion.clip import Clip
from ..motion.facts import ClipFacts, ClipSource

_Source = TypeVar("_Source", bound="FileSource")


def differ(new: Floats, old: Floats, least: float | Floats) -> Flags:
    """Return where (F, J) any of the last dimension's few numbers differ by more than `least`, one or (F, J)."""
    result = np.zeros(new.shape[:-1], bool)
    for k in range(new.shape[-1]) if new is not old else ():  # faster than a reduction over a dimension this short
        result |= np.abs(new[..., k] - old[..., k]) > least
    return result


@dataclass(frozen=True, eq=False, kw_only=True)
class FileSource(ClipSource):
    """What the reader found, and the clip's arrays as they were read; `per_frame` are the fields with a row a frame.

    `frames` are the first and the end of the file's `num_frames` that the clip has left.
    """

    rotations: Floats
    translations: Floats
    scales: Floats | None
    frames: tuple[int, int]
    num_frames: int
    per_frame: ClassVar[tuple[str, ...]] = ("rotations", "translations", "scales")

    @classmethod
    def of(cls: type[_Source], clip: Clip, facts: ClipFacts, **more: Any) -> _Source:
        """Return the source of a clip that has just been read."""
        more |= {"rotations": clip.rotations, "translations": clip.translations, "scales": clip.scales}
        return cls(facts=facts, frames=(0, clip.num_frames), num_frames=clip.num_frames, **more)

    @property
    def is_cut(self) -> bool:
        """Whether frames were left out since."""
        return self.frames != (0, self.num_frames)

    def slice(self: _Source, start: int, stop: int) -> _Source:
        """Return the source of the frames `start` to `stop`."""
        arrays = {name: getattr(self, name) for name in self.per_frame}
        parts = {name: array[start:stop] for name, array in arrays.items() if array is not None}
        return replace(self, frames=(self.frames[0] + start, self.frames[0] + stop), **parts)
