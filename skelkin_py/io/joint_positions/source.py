# SPDX-License-Identifier: MIT
"""What a clip keeps of the array of positions it was read from."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ...motion.facts import ClipFacts

FloatArray = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class PositionsSource:
    """The file, which of its arrays are the motion, and the clip's arrays as they were read.

    `positions_key` and `turns_key` name arrays of an `.npz` file; the first is empty where the file is an `.npy` array,
    the second where it has no rotations. `frames` are the first frame and the end of those that the clip has left of
    the file's. `labels` (F, 4) say when left heel, left toe, right heel and right toe stand, None where nothing does.
    """

    data: bytes
    facts: ClipFacts
    positions_key: str
    turns_key: str
    frames: tuple[int, int]
    num_frames: int
    rotations: FloatArray
    translations: FloatArray
    labels: NDArray[np.bool_] | None
    leg_names: None = None

    def slice(self, start: int, stop: int) -> PositionsSource:
        """Return the source of the frames `start` to `stop`."""
        first = self.frames[0]
        return replace(
            self,
            frames=(first + start, first + stop),
            rotations=self.rotations[start:stop],
            translations=self.translations[start:stop],
            labels=None if self.labels is None else self.labels[start:stop],
        )

    def contact_labels(self) -> dict[str, dict[str, list[tuple[int, int]]]] | None:
        """Return the first and last frames in which heels and balls stand by the file; None if it has no labels."""
        if self.labels is None:
            return None
        left, right = ({"heel": _spans(self.labels[:, k]), "ball": _spans(self.labels[:, k + 1])} for k in (0, 2))
        return {"left": left, "right": right}


def _spans(stands: NDArray[np.bool_]) -> list[tuple[int, int]]:
    change = np.diff(stands.astype(np.int8), prepend=0, append=0)
    return list(zip(np.flatnonzero(change == 1).tolist(), (np.flatnonzero(change == -1) - 1).tolist(), strict=True))
