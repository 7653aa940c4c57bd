# SPDX-License-Identifier: MIT
"""What a clip keeps of the glTF file it was read from."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ...motion.facts import ClipFacts
from .container import Container

FloatArray = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class GltfSource:
    """The file as it lay on the disk, which of its animations this is, and the clip's arrays as they were read.

    `number` is that of the animation, None for the rest pose of a file without one; `joints` are the joints' nodes and
    `times` (F,) the seconds of the frames. `cut` tells whether frames were left out since.
    """

    container: Container
    facts: ClipFacts
    number: int | None
    joints: tuple[int, ...]
    times: FloatArray
    rotations: FloatArray
    translations: FloatArray
    scales: FloatArray | None
    leg_names: tuple[str, ...] | None = None
    cut: bool = False

    def contact_labels(self) -> None:
        """None: such files have no labels of contacts."""

    def slice(self, start: int, stop: int) -> GltfSource:
        """Return the source of the frames `start` to `stop`."""
        part = slice(start, stop)
        return replace(
            self,
            times=self.times[part],
            rotations=self.rotations[part],
            translations=self.translations[part],
            scales=None if self.scales is None else self.scales[part],
            cut=self.cut or len(self.times[part]) < len(self.times),
        )
