# SPDX-License-Identifier: MIT
"""A skeleton out of a file that has no motion: names, parents and offsets of joints, as JSON or arrays."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from typing import Any

import numpy as np

from .._support.array_types import FilePath
from .._support.errors import FormatError, quoted
from .._support.npz_files import NpzArrays
from ..skeleton import Skeleton

_NAMES = ("joint_names", "names")
_OFFSETS = ("rest_offsets", "offsets")
_LARGEST = 2**26  # bytes: a thousand times what any skeleton takes


def read_skeleton(path: FilePath) -> Skeleton | None:
    """Read the names, parents and offsets of joints.

    Parameters
    ----------
    path : str or os.PathLike
        A ``.json`` file with the keys "parents", "joint_names" (or "names") and "rest_offsets" (or "offsets"), or an
        ``.npz`` file with arrays of these names. Offsets, each from the joint's parent, may be left out: they are 0.

    Returns
    -------
    Skeleton or None
        None for an ``.npz`` file without "parents".

    Raises
    ------
    FormatError
        If the file is broken, or does not say what it should.
    OSError
        If it cannot be opened.

    Examples
    --------
    >>> from pathlib import Path
    >>> size = Path("two.json").write_text('{"parents": [-1, 0], "joint_names": ["hips", "spine"]}')
    >>> read_skeleton("two.json").names
    ('hips', 'spine')
    """
    given = _json(path) if os.fspath(path).lower().endswith(".json") else _arrays(path)
    if given is None:
        return None
    parents = given.get("parents")
    names = next((given[key] for key in _NAMES if key in given), None)
    offsets = next((given[key] for key in _OFFSETS if key in given), None)
    if parents is None:
        raise FormatError(path, None, "has no 'parents': add a list with the parent of each joint, -1 for a root")
    try:
        above = np.asarray(parents)
        if above.dtype.kind not in "iu" or above.ndim != 1 or not len(above):
            raise ValueError("'parents' must be a list of whole numbers")
        local = np.tile(np.eye(4), (len(above), 1, 1))
        if offsets is not None:
            local[:, :3, 3] = np.asarray(offsets, np.float64)
        listed = None if names is None else [str(each) for each in names]
        return Skeleton(above, local, listed)
    except (TypeError, ValueError) as error:
        raise FormatError(path, None, str(error)) from None


def _json(path: FilePath) -> Mapping[str, Any]:
    with open(path, "rb") as file:
        data = file.read(_LARGEST + 1)
    if len(data) > _LARGEST:
        raise FormatError(path, None, f"is larger than {_LARGEST} bytes: too large for a skeleton")
    try:
        given = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise FormatError(path, getattr(error, "lineno", None), f"not valid JSON: {str(error)[:100]}") from None
    if not isinstance(given, Mapping):
        raise FormatError(path, None, f'not a skeleton: it must be an object with "parents", not {quoted(str(given))}')
    return given


def _arrays(path: FilePath) -> Mapping[str, Any] | None:
    with NpzArrays(path, max_bytes=_LARGEST) as arrays:
        if "parents" not in arrays.names:
            return None
        keys = [key for key in ("parents", *_NAMES, *_OFFSETS) if key in arrays.names]
        return {key: arrays.read(key, "U" if key in _NAMES else "biuf") for key in keys}
