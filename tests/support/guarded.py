# SPDX-License-Identifier: MIT
"""Arrays with memory that must not be touched right behind, or right before, their numbers."""

from __future__ import annotations

import ctypes
import mmap
import sys

import numpy as np

AVAILABLE = sys.platform == "linux"


def guarded_numbers(count: int, dtype: type, side: str) -> np.ndarray:
    """Return `count` numbers that end where a page without access begins (`side` "end"), or begin behind one ("start").

    Reading or writing one byte too many stops the process; pytest then names the test by the traceback of its
    fault handler. Numbers at the end of a page are aligned to their own size only.
    """
    page = mmap.PAGESIZE
    size = count * np.dtype(dtype).itemsize
    inside = max(1, -(-size // page)) * page
    memory = mmap.mmap(-1, inside + 2 * page)
    whole = np.frombuffer(memory, np.uint8)
    address = whole.ctypes.data
    libc = ctypes.CDLL(None, use_errno=True)
    for at in (address, address + page + inside):
        if libc.mprotect(ctypes.c_void_p(at), ctypes.c_size_t(page), 0) != 0:
            raise OSError(ctypes.get_errno(), "mprotect")
    first = page if side == "start" else page + inside - size
    return whole[first : first + size].view(dtype)


def guarded(array: np.ndarray, side: str) -> np.ndarray:
    """Return a copy of `array`, contiguous, with untouchable memory on that side."""
    copy = guarded_numbers(array.size, array.dtype, side).reshape(array.shape)
    copy[...] = array
    return copy


def guarded_wide(array: np.ndarray, side: str, core: int, width: int) -> np.ndarray:
    """Return a copy whose last `core` dimensions take `width` numbers each, of which the last one has none to spare.

    Points (V, 3) kept as every three of four numbers, or matrices (J, 3, 4) as all but the last row of 4 x 4: what
    lies between is there, but nothing lies behind the last number.
    """
    used = int(np.prod(array.shape[array.ndim - core :]))
    count = int(np.prod(array.shape[: array.ndim - core]))
    numbers = guarded_numbers(max(0, count * width - (width - used)) if count else 0, array.dtype, side)
    numbers[...] = np.nan
    item = array.dtype.itemsize
    strides = [0] * array.ndim
    step = item
    for axis in reversed(range(array.ndim)):
        if axis == array.ndim - core - 1:
            step = width * item
        strides[axis] = step
        step *= array.shape[axis]
    view = np.lib.stride_tricks.as_strided(numbers, array.shape, strides)
    view[...] = array
    return view
