# SPDX-License-Identifier: MIT
"""Armatures in files of numpy, so that they can be evaluated where no Blender is."""

from __future__ import annotations

from typing import Any, TypeVar

import numpy as np

from ..._support.arguments import plain
from ..._support.errors import FormatError
from ..._support.npz_files import File, NpzArrays
from ..rest.arguments import Envelopes
from ..rest.bbones import BBONE_ARRAYS, BBones
from ..rest.bones import Bones

_Armature = TypeVar("_Armature", bound=Bones)

# What the argument of `Armature` is called, and its attribute.
_FIELDS = {
    "parents": "parents",
    "rest": "rest",
    "heads": "heads",
    "tails": "tails",
    "lengths": "lengths",
    "axes": "axes",
    "offsets": "offsets",
    "connected": "connected",
    "inherit_rotation": "inherit_rotation",
    "local_location": "local_location",
    "deform": "deforming",
    "inherit_scale": "inherit_scale",
}


def write_armature(armature: Bones, file: File) -> None:
    """Write all of an armature; see `Armature.to_npz`."""
    arrays = {name: getattr(armature, attribute) for name, attribute in _FIELDS.items()}
    if armature.envelopes is not None:
        arrays |= {f"envelopes.{name}": value for name, value in armature.envelopes._asdict().items()}
    if armature.bbones is not None:
        arrays |= {f"bbones.{name}": value for name, value in armature.bbones.to_arrays().items()}
    np.savez_compressed(file, names=np.array(armature.names, np.str_), **arrays)


def read_armature(kind: type[_Armature], file: File, max_bytes: int) -> _Armature:
    """Return what `write_armature` has written; see `Armature.from_npz`."""
    limit = plain(max_bytes)
    if isinstance(limit, bool) or not isinstance(limit, int):
        raise TypeError(f"max_bytes is {max_bytes!r}: a whole number of bytes is needed")
    try:
        with NpzArrays(file, max_bytes=limit) as arrays:
            try:
                return kind(**_fields(arrays))
            except FormatError:
                raise
            except (ValueError, TypeError) as error:
                raise FormatError(arrays.path, None, str(error)) from None
    except FormatError as error:
        raise FormatError(error.path, None, f"file holds no armature: {error.reason}") from None


def _fields(arrays: NpzArrays) -> dict[str, Any]:
    """Return the arguments of `Armature`."""
    found: dict[str, Any] = {name: arrays.read(name) for name in _FIELDS}
    found["names"] = _names(arrays)
    envelopes = [f"envelopes.{name}" for name in Envelopes._fields]
    if all(name in arrays.names for name in envelopes):
        found["envelopes"] = Envelopes(*(arrays.read(name) for name in envelopes))
    if any(name.startswith("bbones.") for name in arrays.names):
        found["bbones"] = BBones.from_arrays({name: arrays.read(f"bbones.{name}") for name in BBONE_ARRAYS})
    return found


def _names(arrays: NpzArrays) -> list[str]:
    """Return the names of the bones."""
    names = arrays.read("names", "U")
    if names.ndim != 1:
        raise ValueError(f"names has shape {names.shape}: one name per bone is needed")
    found: list[str] = names.tolist()
    return found
