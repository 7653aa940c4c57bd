# SPDX-License-Identifier: MIT
"""Names for the types of arrays, and of paths of files, for signatures."""

from __future__ import annotations

import os
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
Floats = NDArray[np.float64]
Float32 = NDArray[np.float32]
Ints = NDArray[np.int64]
Int32 = NDArray[np.int32]
Flags = NDArray[np.bool_]
FilePath = str | os.PathLike[str]
