# SPDX-License-Identifier: MIT
"""What readers and writers of files of arrays share: the whole file in the memory, and arrays of it changed."""

from __future__ import annotations

import functools
import io
import os
import zipfile
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from .._support.array_types import Array, FilePath
from .._support.errors import FormatError
from .._support.npz_files import NpzArrays
from ..motion.clip import Clip
from ..skeleton import Skeleton
from .frame_rates import Arrays, with_rate
from .source import FileSource

MOST_LISTED = 12
_LEAST_BYTES, _SWELLS = 2**27, 32  # what all arrays may take: either, or times the size of the file


@dataclass(frozen=True, eq=False, kw_only=True)
class ArraySource(FileSource):
    """The file as it lay on the disk."""

    data: bytes

    def arrays(self) -> NpzArrays:
        """Return the arrays of the file, which has been read before."""
        return NpzArrays(io.BytesIO(self.data), max_bytes=max(2**30, 64 * len(self.data)))

    def changed(self, arrays: NpzArrays, clip: Clip, motion: Collection[str | None] = ()) -> dict[str, Array]:
        """Return what is different in all files of a clip: arrays cut as it was, `motion` always, and its rate."""
        new: dict[str, Array] = {}
        for name in arrays.names if self.is_cut else ():
            try:
                array = arrays.read(name)
            except ValueError:
                continue  # not numeric: it stays as it is
            if name in motion or (array.ndim > 1 and len(array) == self.num_frames):
                new[name] = array[slice(*self.frames)]
            elif array.ndim > 2 and array.shape[:2] == (1, self.num_frames):
                new[name] = array[:, slice(*self.frames)]
        return new | with_rate(arrays.names, clip.facts)


def whole_file(path: FilePath) -> io.BytesIO:
    """Read a file; what is returned bears its name."""
    with open(path, "rb") as file:
        whole = io.BytesIO(file.read())
    whole.name = os.fspath(path)
    return whole


def unpacked(file: io.BytesIO) -> Arrays:
    """Return the arrays of a file, each unpacked once; they may not be much larger than that."""
    arrays = NpzArrays(file, max_bytes=max(_LEAST_BYTES, _SWELLS * len(file.getvalue())))
    return Arrays(arrays.path, arrays.names, functools.cache(arrays.read))


def names_listed(names: Iterable[Any]) -> str:
    """Return names of arrays in words."""
    return ", ".join(sorted(map(str, names))[:MOST_LISTED]) or "none"


def check_finite(path: FilePath, name: str, values: Array, most: float) -> None:
    """Refuse what is not a number, or larger than lengths and turns are; of values (F, J, n)."""
    if float(values.max(initial=0.0)) < most and float(values.min(initial=0.0)) > -most:  # neither where one is NaN
        return
    for frame, joint, _ in np.argwhere(~(np.abs(values) < most))[:1].tolist():
        raise FormatError(path, None, f"{name} of joint {joint} in frame {frame} is {values[frame, joint].tolist()}")


def skeleton_of(given: Any) -> Skeleton | None:
    """Return the argument `skeleton`, or that of a clip; None where there is none."""
    skeleton = given.skeleton if isinstance(given, Clip) else given
    if skeleton is not None and not isinstance(skeleton, Skeleton):
        raise TypeError(f"skeleton is a {type(skeleton).__name__}: a Skeleton or a Clip is needed")
    return skeleton


def npy(array: Array) -> bytes:
    """Return an array as an `.npy` file."""
    stream = io.BytesIO()
    np.lib.format.write_array(stream, array, allow_pickle=False)
    return stream.getvalue()


def repacked(data: bytes, new: Mapping[str, Array]) -> bytes:
    """Return a packed `.npz` file with other arrays in the place of some.

    Parameters
    ----------
    data : bytes
        The file.
    new : mapping of str to array
        What takes the place of the arrays of these names.

    Returns
    -------
    bytes
        The same members in the same order, packed as they were; what stays has the bytes it had.

    Examples
    --------
    >>> file = io.BytesIO()
    >>> np.savez(file, a=np.zeros(2), b=np.ones(2))
    >>> np.load(io.BytesIO(repacked(file.getvalue(), {"a": np.full(2, 5.0)})))["a"].tolist()
    [5.0, 5.0]
    """
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(out, "w", allowZip64=True) as packed:
        for info in old.infolist():
            name = info.filename.removesuffix(".npy")
            contents = npy(new[name]) if name in new else old.read(info)
            again = zipfile.ZipInfo(info.filename, info.date_time)
            again.compress_type, again.external_attr = info.compress_type, info.external_attr
            packed.writestr(again, contents)
    return out.getvalue()
