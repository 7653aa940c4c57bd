# SPDX-License-Identifier: MIT
"""Arrays in `.npy` files, of which nothing is trusted.

What a header says is compared with what is there before anything is allocated, and nothing of it is evaluated.
"""

from __future__ import annotations

import math
import os
import re
from typing import IO, Any, NamedTuple

import numpy as np

from .array_types import Array, FilePath
from .errors import FormatError, quoted

_MAGIC = b"\x93NUMPY"
_LONGEST = 10_000  # bytes of a header; as in numpy
_MOST_DIMENSIONS = 32
_WANTED = {"U": "text is", "fiu": "real numbers are", "f": "floating-point numbers are", "iu": "whole numbers are"}
_ENTRY = re.compile(
    r"""\s*(['"])(\w+)\1\s*:\s*(?:(['"])([^'"]*)\3|(True|False)|\(([\d\s,L]*)\))\s*(?:,|(?=\}))""", re.ASCII
)
_NUMBERS = re.compile(r"[<>=|]?[biufcSU]\d{1,9}", re.ASCII)


class NpyHeader(NamedTuple):
    """What a `.npy` file begins with.

    Attributes
    ----------
    shape : tuple of int
        Of the array.
    in_columns : bool
        Whether the first index runs fastest.
    dtype : dtype
        Of its items, none of which are objects.
    start : int
        Bytes before the first item.
    """

    shape: tuple[int, ...]
    in_columns: bool
    dtype: np.dtype[Any]
    start: int

    @property
    def num_bytes(self) -> int:
        """How many bytes the items take."""
        return math.prod(self.shape) * self.dtype.itemsize


def read_npy_header(file: IO[bytes], path: FilePath, size: int, kinds: str = "fiu") -> NpyHeader:
    """Read the header of an array, and check that the file has room for what it promises.

    Parameters
    ----------
    file : binary file
        At the beginning of the array; afterwards at its first item.
    path : str or os.PathLike
        The file, for messages.
    size : int
        Bytes from there to the end.
    kinds : str
        The kinds of dtypes (as in `numpy.dtype.kind`) that can be used.

    Returns
    -------
    NpyHeader
        Its content.

    Raises
    ------
    FormatError
        No `.npy` file, a shorter one than it says, or one of other things.

    Examples
    --------
    >>> import io
    >>> file = io.BytesIO()
    >>> np.save(file, np.zeros((2, 3)))
    >>> read_npy_header(io.BytesIO(file.getvalue()), "a.npy", len(file.getvalue()))[:3]
    ((2, 3), False, dtype('float64'))
    """
    begin = file.read(len(_MAGIC) + 2)
    if begin[:-2] != _MAGIC:
        raise FormatError(path, None, "not a .npy file: it does not begin with numpy's signature")
    major, wide = begin[-2], 2 if begin[-2] == 1 else 4
    if major not in (1, 2, 3):
        raise FormatError(path, None, f"not a .npy file that can be read: version {major} of the format is unknown")
    counted = file.read(wide)
    length = int.from_bytes(counted, "little")
    text = file.read(min(length, _LONGEST)) if len(counted) == wide else b""
    if length > _LONGEST or not text or len(text) < length:
        raise FormatError(
            path, None, f"not a complete .npy file: a header of {length} bytes was announced, {len(text)} were read"
        )
    shape, in_columns, dtype = _parse_header(path, text.decode("latin-1"), kinds)
    header = NpyHeader(shape, in_columns, dtype, len(begin) + wide + length)
    left = size - header.start
    if header.num_bytes > left:
        raise FormatError(path, None, f"{header.num_bytes} bytes of numbers were announced, {left} found")
    return header


def _parse_header(path: FilePath, text: str, kinds: str) -> tuple[tuple[int, ...], bool, np.dtype[Any]]:
    """Return shape, order and dtype of a header, which is a dictionary in the notation of Python."""
    entries: dict[str, re.Match[str]] = {}
    at, stop = text.find("{") + 1, text.rfind("}")
    if not text[: at - 1].strip() and not text[stop + 1 :].strip():
        while (match := _ENTRY.match(text, at)) is not None:
            entries[match.group(2)], at = match, match.end()
    descr, order, shape = (entries.get(name) for name in ("descr", "fortran_order", "shape"))
    whole = at > 0 and not text[at:stop].strip() and len(entries) == 3
    if not (whole and descr and order and shape and descr.group(4) and order.group(5) and shape.group(6) is not None):
        raise FormatError(path, None, f"not a .npy file of numbers: its header is {quoted(text.strip(), 100)}")
    sizes = _parse_shape(path, shape.group(6))
    dtype = _parse_dtype(path, descr.group(4), kinds)
    # numpy counts the bytes of an empty array as if none of its dimensions were 0.
    if len(sizes) > _MOST_DIMENSIONS or math.prod(max(n, 1) for n in sizes) * dtype.itemsize >= 2**63:
        raise FormatError(path, None, f"its shape is {quoted(shape.group(6), 60)}: too large for an array")
    return sizes, order.group(5) == "True", dtype


def _parse_shape(path: FilePath, text: str) -> tuple[int, ...]:
    """Return the numbers of a tuple in the notation of Python, which may be 2's with an L behind a number."""
    *parts, last = (part.strip().removesuffix("L") for part in text.split(","))
    if last and parts:
        parts.append(last)
    if (last and not parts) or not all(part.isdigit() and len(part) < 20 for part in parts):
        raise FormatError(path, None, f"not a .npy file: its shape is {quoted('(' + text + ')', 60)}")
    return tuple(map(int, parts))


def _parse_dtype(path: FilePath, text: str, kinds: str) -> np.dtype[Any]:
    wanted = _WANTED.get(kinds, "numbers are")
    try:
        dtype = np.dtype(text) if _NUMBERS.fullmatch(text) else None
    except (TypeError, ValueError, OverflowError):
        dtype = None
    if dtype is None or dtype.kind not in kinds:
        shown = {"U": f"text ({dtype})", "S": f"bytes ({dtype})"}
        words = quoted(text) if dtype is None else shown.get(dtype.kind, str(dtype))
        raise FormatError(path, None, f"holds {words}: {wanted} needed")
    if not dtype.itemsize:
        raise FormatError(path, None, f"holds {dtype}, items of size zero: {wanted} needed")
    return dtype


def read_npy(path: FilePath) -> Array:
    """Read an array of real numbers.

    Parameters
    ----------
    path : str or os.PathLike
        The file.

    Returns
    -------
    array
        In the file's shape and dtype.

    Raises
    ------
    FormatError
        No `.npy` file, a shorter one than it says, or one of other things than real numbers.
    OSError
        If it cannot be read.

    Examples
    --------
    >>> np.save("hill.npy", np.arange(6.0).reshape(2, 3))
    >>> read_npy("hill.npy").tolist()
    [[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]]
    """
    with open(path, "rb") as file:
        header = read_npy_header(file, path, os.fstat(file.fileno()).st_size)
        items = np.fromfile(file, header.dtype, math.prod(header.shape))
    if items.nbytes != header.num_bytes:
        raise FormatError(path, None, "became shorter while it was read")
    return items.reshape(header.shape, order="F" if header.in_columns else "C")
