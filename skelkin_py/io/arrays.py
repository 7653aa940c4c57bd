# SPDX-License-Identifier: MIT
"""Files of arrays, `.npz` and `.npy`: poses of the SMPL family, or positions of joints, by what is in them."""

from __future__ import annotations

import os

import numpy as np

from .._support.array_types import FilePath
from .._support.errors import FormatError
from .._support.npz_files import NpzArrays
from ..motion.clip import Clip
from ..skeleton import Skeleton
from .amass.layout import AmassSource, is_amass
from .amass.reader import read_amass
from .amass.writer import write_amass
from .array_files import names_listed
from .joint_positions.reader import has_positions, read_positions
from .joint_positions.source import PositionsSource
from .joint_positions.writer import write_positions


def read(path: FilePath, fps: float | None = None, skeleton: Clip | Skeleton | None = None) -> Clip:
    """Read an array file: see `amass.reader.read_amass` and `joint_positions.reader.read_positions`."""
    if os.fspath(path).lower().endswith(".npy"):
        return read_positions(path, fps, skeleton)
    with NpzArrays(path) as arrays:
        names = list(arrays.names)
    if is_amass(names):
        return read_amass(path, fps, skeleton)
    if has_positions(names):
        return read_positions(path, fps, skeleton)
    reason = f"has neither poses of the SMPL family nor positions of joints, its arrays are {names_listed(names)}"
    raise FormatError(path, None, reason)


def holds_motion(path: FilePath) -> bool:
    """Tell whether an `.npz` file has motion by the names of its arrays; of a broken one whoever reads it tells."""
    try:
        with NpzArrays(path) as arrays:
            names = list(arrays.names)
    except (OSError, FormatError):
        return True
    return is_amass(names) or has_positions(names)


def write(path: FilePath, clip: Clip) -> None:
    """Write an array file: the one that the clip was read from with what has changed, or an `.npy` of positions."""
    if os.fspath(path).lower().endswith(".npz") and isinstance(clip._source, AmassSource):
        write_amass(path, clip)
    else:
        write_positions(path, clip)


def what_is_lost(clip: Clip) -> tuple[str, ...]:
    """Return what an array of positions cannot hold; what an `.npz` file has no place for, `write` refuses."""
    if isinstance(clip._source, (AmassSource, PositionsSource)):
        return ()
    scaled = clip.scales is not None and (np.abs(clip.scales - 1.0) > 1e-6).any()
    return ("rotations", *(("scales",) if scaled else ()))
