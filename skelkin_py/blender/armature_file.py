# SPDX-License-Identifier: MIT
"""Armatures in files of numpy, so that they can be evaluated where no Blender is."""

from __future__ import annotations

import os
import zlib
from typing import IO, TYPE_CHECKING, Any, TypeAlias
from zipfile import BadZipFile

import numpy as np

from .bbones import BBones
from .envelopes import Envelopes

if TYPE_CHECKING:
    from .armature import Armature

File: TypeAlias = "str | os.PathLike[str] | IO[bytes]"

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


def write_armature(armature: Armature, file: File) -> None:
    """Write all of an armature; see `Armature.to_npz`."""
    arrays = {name: getattr(armature, attribute) for name, attribute in _FIELDS.items()}
    if armature.envelopes is not None:
        arrays |= {f"envelopes.{name}": value for name, value in armature.envelopes._asdict().items()}
    if armature.bbones is not None:
        arrays |= {f"bbones.{name}": value for name, value in armature.bbones.to_arrays().items()}
    np.savez_compressed(file, names=np.array(armature.names, np.str_), **arrays)


def read_fields(file: File) -> dict[str, Any]:
    """Return the arguments of `Armature` out of a file that `write_armature` has written."""
    try:
        return _fields(file)
    except (EOFError, BadZipFile, zlib.error) as error:
        raise ValueError(f"file holds no armature: {error}") from None


def _fields(file: File) -> dict[str, Any]:
    try:
        loaded = np.load(file, allow_pickle=False)
    except ValueError:
        raise ValueError("file holds no armature: it is no file of numpy") from None
    if not isinstance(loaded, np.lib.npyio.NpzFile):
        raise ValueError("file holds no armature: it is a single array of numpy")
    with loaded as arrays:
        missing = [name for name in ("names", *_FIELDS) if name not in arrays]
        if missing:
            raise ValueError(f"file holds no armature: there is no array {missing[0]!r} in it")
        found: dict[str, Any] = {name: arrays[name] for name in _FIELDS}
        found["names"] = arrays["names"].tolist()
        envelopes = [f"envelopes.{name}" for name in Envelopes._fields]
        if all(name in arrays for name in envelopes):
            found["envelopes"] = Envelopes(*(arrays[name] for name in envelopes))
        bendy = {name.split(".")[1]: arrays[name] for name in arrays.files if name.startswith("bbones.")}
        if bendy:
            found["bbones"] = BBones.from_arrays(bendy)
    return found
