# SPDX-License-Identifier: MIT
"""Arrays in `.npz` files, of which nothing is trusted: each is unpacked when it is requested, within bounds."""

from __future__ import annotations

import contextlib
import errno
import io
import os
import struct
import zipfile
import zlib
from collections.abc import Collection, Iterator
from typing import IO

import numpy as np

from .array_types import Array, FilePath
from .errors import FormatError
from .nearest_name import did_you_mean
from .npy_files import read_npy_header

File = FilePath | IO[bytes]

MAX_BYTES = 2**30  # what a file may unpack to where nothing else is said

_LOCAL_HEADER = 30  # bytes before a member's name; the lengths of that and of what is behind it are the last four
_LONGEST_HEADER = 2**16  # bytes of an array's header and more

# What `zipfile` raises for damaged files, beside an OSError where it seeks before the beginning.
_DAMAGED = (
    zipfile.BadZipFile, zlib.error, struct.error, EOFError, RuntimeError, ValueError, LookupError, OverflowError
)  # fmt: skip


class _Stored(io.BytesIO):
    """A member that is read without a copy of its items."""

    def __init__(self, items: memoryview) -> None:
        super().__init__(items[:_LONGEST_HEADER])
        self._items = items

    def rest(self) -> memoryview:
        """Return what has not been read, as it lies in the memory."""
        return self._items[self.tell() :]


class NpzArrays:
    """The arrays of a `.npz` file; each is unpacked when it is requested, and the others stay packed.

    Parameters
    ----------
    file : str, os.PathLike or binary file
        The file.
    max_bytes : int
        How many bytes all requested arrays may take unpacked.

    Raises
    ------
    FormatError
        No `.npz` file.
    OSError
        If it cannot be read.

    Examples
    --------
    >>> np.savez_compressed("rig.npz", parents=[-1, 0], names=["hips", "spine"])
    >>> with NpzArrays("rig.npz", max_bytes=1000) as arrays:
    ...     sorted(arrays.names), arrays.read("parents").tolist()
    (['names', 'parents'], [-1, 0])
    """

    def __init__(self, file: File, *, max_bytes: int = MAX_BYTES) -> None:
        named = file if isinstance(file, (str, os.PathLike)) else getattr(file, "name", None)
        self.path: FilePath = named if isinstance(named, (str, os.PathLike)) else "<file>"
        self._max_bytes = self._left = max_bytes
        with self._refusals():
            self._zip = zipfile.ZipFile(file)
        self._members = {info.filename.removesuffix(".npy"): info for info in self._zip.infolist()}
        self._memory = memoryview(file.getvalue()) if isinstance(file, io.BytesIO) else None

    @property
    def names(self) -> Collection[str]:
        """What the arrays are called."""
        return self._members.keys()

    def read(self, name: str, kinds: str = "biuf") -> Array:
        """Unpack an array.

        Parameters
        ----------
        name : str
            One of `names`.
        kinds : str
            The kinds of dtypes that can be used.

        Returns
        -------
        array
            Read-only.

        Raises
        ------
        FormatError
            No such array, a broken one, one of other things, one that takes more than `max_bytes`, or text with a
            code which is not a Unicode character.
        """
        info = self._members.get(name)
        if info is None:
            raise FormatError(self.path, None, f"there is no array {name!r} in it{did_you_mean(name, self._members)}")
        if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            rule = "is compressed by a method that numpy does not use: write it with numpy.savez"
            raise FormatError(self.path, None, f"the array {name!r} {rule}")
        with self._refusals(name), self._opened(info) as member:
            header = read_npy_header(member, self.path, info.file_size, kinds)
            if header.num_bytes != info.file_size - header.start:
                there = info.file_size - header.start
                raise FormatError(self.path, None, f"{header.num_bytes} bytes of numbers were announced, {there} found")
            if header.num_bytes > self._left:
                rule = f"unpacks to more than max_bytes={self._max_bytes} allows, and is not read further"
                raise FormatError(self.path, None, rule)
            self._left -= header.num_bytes
            items = member.rest() if isinstance(member, _Stored) else member.read(header.num_bytes)
            if len(items) != header.num_bytes:
                raise FormatError(self.path, None, "unpacks to fewer bytes than were announced")
        array = np.frombuffer(items, header.dtype)
        if array.dtype.kind == "U":
            self._check_letters(name, array)
        return array.reshape(header.shape, order="F" if header.in_columns else "C")

    def _check_letters(self, name: str, texts: Array) -> None:
        """Refuse codes that Python cannot write: numpy reads them, and the interpreter fails where they are used."""
        code = np.dtype(np.uint32).newbyteorder(texts.dtype.byteorder)
        letters = texts.view(code).reshape(texts.size, texts.dtype.itemsize // 4)
        wrong = (letters > 0x10FFFF) | ((letters >= 0xD800) & (letters <= 0xDFFF))
        for item, place in np.argwhere(wrong)[:1].tolist():
            found = f"{name}[{item}] has {letters[item, place]:#x} at {place}"
            raise FormatError(self.path, None, f"{found}: which is not a Unicode character")

    def _opened(self, info: zipfile.ZipInfo) -> contextlib.AbstractContextManager[IO[bytes]]:
        """Return a member to be read; where a file in the memory has it as it is, without a copy."""
        member = self._zip.open(info)  # checks what stands before it
        if self._memory is None or info.compress_type != zipfile.ZIP_STORED or info.flag_bits & 1:
            return member
        member.close()
        start = info.header_offset + _LOCAL_HEADER
        start += sum(struct.unpack_from("<HH", self._memory, start - 4))
        items = self._memory[start : start + info.file_size]
        if zlib.crc32(items) != info.CRC:
            raise zipfile.BadZipFile(f"Bad CRC-32 for file {info.filename!r}")
        return _Stored(items)

    @contextlib.contextmanager
    def _refusals(self, name: str | None = None) -> Iterator[None]:
        """Turn what `zipfile` raises for a damaged file into a FormatError."""
        where = "" if name is None else f"the array {name!r}: "
        try:
            yield
        except FormatError as error:
            raise FormatError(error.path, error.line, where + error.reason) from None
        except OSError as error:
            if error.errno != errno.EINVAL:  # that is a place before the file's beginning
                raise
            raise FormatError(self.path, None, f"{where}not a complete .npz file: {error}") from None
        except _DAMAGED as error:  # some show what they found in place of a name
            raise FormatError(self.path, None, f"{where}not a complete .npz file: {str(error)[:200]}") from None

    def __enter__(self) -> NpzArrays:
        return self

    def __exit__(self, *_: object) -> None:
        self._zip.close()
