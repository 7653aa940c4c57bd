# SPDX-License-Identifier: MIT
"""How far the envelopes of bones reach."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

Float32 = npt.NDArray[np.float32]
Flags = npt.NDArray[np.bool_]


class Envelopes(NamedTuple):
    """How far each bone's envelope reaches; arrays (B,), as of Blender's bones, in armature space at rest."""

    head_radius: Float32
    tail_radius: Float32
    distance: Float32
    weight: Float32
    multiply: Flags
