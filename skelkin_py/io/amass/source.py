# SPDX-License-Identifier: MIT
"""What a clip keeps of the AMASS file it was read from."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ...motion.facts import ClipFacts
from .layout import Part

FloatArray = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class AmassSource:
    """The packed file, which of its arrays are the motion, and the clip's arrays as they were read.

    `frames` are the first frame and the end of those that the clip has left of the file's; `pelvis` (3,) is where the
    pelvis of the body is at rest.
    """

    data: bytes
    facts: ClipFacts
    parts: tuple[Part, ...]
    trans: str | None
    frames: tuple[int, int]
    num_frames: int
    pelvis: FloatArray
    rotations: FloatArray
    translations: FloatArray
    leg_names: None = None

    def contact_labels(self) -> None:
        """None: such files have no labels of contacts."""

    def slice(self, start: int, stop: int) -> AmassSource:
        """Return the source of the frames `start` to `stop`."""
        first = self.frames[0]
        return replace(
            self,
            frames=(first + start, first + stop),
            rotations=self.rotations[start:stop],
            translations=self.translations[start:stop],
        )
