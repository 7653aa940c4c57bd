# SPDX-License-Identifier: MIT
"""What a clip keeps of the array of positions it was read from."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..._support.array_types import Flags
from ...motion.facts import ContactLabels
from ..array_files import ArraySource


@dataclass(frozen=True, eq=False, kw_only=True)
class PositionsSource(ArraySource):
    """A file of which some arrays are the motion.

    `positions_key` and `turns_key` name arrays of an `.npz` file; the first is empty where the file is an `.npy` array,
    the second where it has no rotations. `labels` (F, 4) say when left heel, left toe, right heel and right toe stand,
    None where nothing does.
    """

    positions_key: str
    turns_key: str
    labels: Flags | None
    per_frame = (*ArraySource.per_frame, "labels")

    def contact_labels(self) -> ContactLabels | None:
        """Return the first and last frames in which heels and balls stand by the file; None if it has no labels."""
        if self.labels is None:
            return None
        left, right = ({"heel": _spans(self.labels[:, k]), "ball": _spans(self.labels[:, k + 1])} for k in (0, 2))
        return {"left": left, "right": right}


def _spans(stands: Flags) -> list[tuple[int, int]]:
    change = np.diff(stands.astype(np.int8), prepend=0, append=0)
    return list(zip(np.flatnonzero(change == 1).tolist(), (np.flatnonzero(change == -1) - 1).tolist(), strict=True))
