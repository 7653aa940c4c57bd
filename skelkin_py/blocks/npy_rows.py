# SPDX-License-Identifier: MIT
"""Rows of `.npy` files, read and written a block at a time: what is done with leaves the memory."""

from __future__ import annotations

import contextlib
import math
import os
from collections.abc import Iterator
from typing import Any, BinaryIO

import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray

from ..errors import FormatError
from ..io.atomic import replacing
from ..npy_files import read_npy_header

__all__ = ["NpyRows", "NpyWriter", "block_spans", "writing_npy"]


class NpyRows:
    """An array in a `.npy` file, whose rows are read where they are asked for.

    It is read, not mapped: pages of a mapped file count as memory of the process until the system takes them away.

    Parameters
    ----------
    path : str or os.PathLike
        The file.

    Raises
    ------
    FormatError
        No `.npy` file, a shorter one than it says, one in column order, or with other things than real numbers.
    OSError
        If it cannot be read.

    Examples
    --------
    >>> np.save("poses.npy", np.arange(12.0).reshape(4, 3))
    >>> with NpyRows("poses.npy") as rows:
    ...     rows.shape, rows[1:3].tolist()
    ((4, 3), [[3.0, 4.0, 5.0], [6.0, 7.0, 8.0]])
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = os.fspath(path)
        self._file: BinaryIO = open(self.path, "rb")  # noqa: SIM115 - closed by close()
        try:
            self.shape, self.dtype, self._start = self._header()
        except BaseException:
            self._file.close()
            raise
        self._items = math.prod(self.shape[1:])  # of a row

    def _header(self) -> tuple[tuple[int, ...], np.dtype[Any], int]:
        header = read_npy_header(self._file, self.path, os.fstat(self._file.fileno()).st_size)
        if header.in_columns and len(header.shape) > 1:
            raise FormatError(self.path, None, "is in column order: save it by np.ascontiguousarray first")
        if not header.shape:
            raise FormatError(self.path, None, "holds a single number: rows are needed")
        return header.shape, header.dtype, header.start

    def __len__(self) -> int:
        return self.shape[0]

    def __getitem__(self, rows: slice) -> NDArray[Any]:
        """Return the rows of a slice without a step as a new array."""
        first, stop, _ = rows.indices(len(self))
        count = max(0, stop - first)
        self._file.seek(self._start + first * self._items * self.dtype.itemsize)
        numbers = np.fromfile(self._file, self.dtype, count * self._items)
        if numbers.size != count * self._items:
            raise FormatError(self.path, None, "became shorter while it was read")
        return numbers.reshape(count, *self.shape[1:])

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def __enter__(self) -> NpyRows:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class NpyWriter:
    """A `.npy` file that is being written; see `writing_npy`."""

    def __init__(self, file: BinaryIO, shape: tuple[int, ...], dtype: np.dtype[Any]) -> None:
        self._file, self._dtype = file, dtype
        self._left = shape[0]
        header = {"descr": npy.dtype_to_descr(dtype), "fortran_order": False, "shape": shape}
        npy.write_array_header_1_0(file, header)

    def append(self, rows: NDArray[Any]) -> None:
        """Write the next rows."""
        self._left -= len(rows)
        self._file.write(np.ascontiguousarray(rows, self._dtype).data)

    def close(self) -> None:
        """Check that all rows are there."""
        if self._left:
            raise AssertionError(f"{self._left} rows are missing")


@contextlib.contextmanager
def writing_npy(path: str | os.PathLike[str], shape: tuple[int, ...], dtype: np.dtype[Any]) -> Iterator[NpyWriter]:
    """Write a `.npy` file block by block; it is there as a whole when the block ends without an error, or not at all.

    `path`: the file; one that is there is replaced at the end. `shape`: of the whole array. `dtype`: its numbers.
    OSError: if the folder does not exist or cannot be written to.

    Yields
    ------
    NpyWriter
        Its `append` takes the rows in their order.

    Examples
    --------
    >>> with writing_npy("ones.npy", (3, 2), np.dtype(float)) as target:
    ...     target.append(np.ones((2, 2)))
    ...     target.append(np.ones((1, 2)))
    >>> np.load("ones.npy").shape
    (3, 2)
    """
    with replacing(path) as file:
        writer = NpyWriter(file, shape, dtype)
        yield writer
        writer.close()


def block_spans(num: int, block: int) -> Iterator[tuple[int, int]]:
    """Yield (start, stop) of blocks of that many rows, the last one shorter.

    Examples
    --------
    >>> list(block_spans(7, 3))
    [(0, 3), (3, 6), (6, 7)]
    """
    for start in range(0, num, block):
        yield start, min(start + block, num)
