# SPDX-License-Identifier: MIT
"""What a clip keeps of the file it was read from, of any format."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar, TypeVar

from .._support.array_types import Floats
from ..motion.clip import Clip
from ..motion.facts import ClipFacts

_Source = TypeVar("_Source", bound="FileSource")


@dataclass(frozen=True, eq=False, kw_only=True)
class FileSource:
    """What the reader found, and the clip's arrays as they were read; `per_frame` are the fields with a row a frame."""

    facts: ClipFacts
    rotations: Floats
    translations: Floats
    scales: Floats | None = None
    leg_names: tuple[str, ...] | None = None
    per_frame: ClassVar[tuple[str, ...]] = ("rotations", "translations", "scales")

    @classmethod
    def of(cls: type[_Source], clip: Clip, facts: ClipFacts, **more: Any) -> _Source:
        """Return the source of a clip that has just been read."""
        return cls(facts=facts, rotations=clip.rotations, translations=clip.translations, scales=clip.scales, **more)

    def contact_labels(self) -> dict[str, dict[str, list[tuple[int, int]]]] | None:
        """Return the first and last frames in which heels and balls stand by the file; None if it has no labels."""
        return None

    def slice(self: _Source, start: int, stop: int) -> _Source:
        """Return the source of the frames `start` to `stop`."""
        return replace(self, **self._of_frames(start, stop))

    def _of_frames(self, start: int, stop: int) -> dict[str, Any]:
        """Return the fields that differ in the source of some frames."""
        arrays = {name: getattr(self, name) for name in self.per_frame}
        return {name: None if array is None else array[start:stop] for name, array in arrays.items()}
