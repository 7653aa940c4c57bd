# SPDX-License-Identifier: MIT
"""Grounds that are files: read where the work is done, once per process."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import Any

from ..ground import HeightGrid, MeshGround, load_ground


def with_ground(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the keyword arguments of `plant_feet` with the ground itself in place of the file's name.

    Parameters
    ----------
    options : dict
        What `clip_options` returned, and more.

    Returns
    -------
    dict
        The same, with a ground that was read.

    Raises
    ------
    OSError, ValueError
        The ground cannot be read.
    """
    ground = options.get("ground")
    if not isinstance(ground, Mapping):
        return dict(options)
    extent = None if ground["extent"] is None else tuple(ground["extent"])
    return {**options, "ground": _read(ground["file"], tuple(ground["stamp"]), extent)}


@functools.lru_cache(maxsize=2)
def _read(path: str, stamp: tuple[int, ...], extent: tuple[float, ...] | None) -> HeightGrid | MeshGround:
    """Read a ground; the same file is read once."""
    return load_ground(path, extent)
