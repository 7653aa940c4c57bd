# SPDX-License-Identifier: MIT
"""What a caller passed, as an array or a number of a certain kind; errors name the argument."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from . import _core

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

MAX_JOINTS = 65_535  # of a skeleton: SKL_MAX_JOINTS of the core


def array_of(values: npt.ArrayLike, name: str) -> npt.NDArray[Any]:
    """Return `values` as a plain array of any dtype and shape, its numbers aligned and in this machine's byte order.

    What numpy says of ragged lists gets the argument's name. A masked array is refused, also inside of a list: what its
    mask hides would count.
    """
    if type(values) is not np.ndarray:
        _core.check_unmasked(values, name)
    try:
        array = np.asarray(values)
        return array if array.dtype.isnative and array.flags.aligned else array.astype(array.dtype.newbyteorder("="))
    except (ValueError, TypeError) as error:
        kind = ValueError if isinstance(error, ValueError) else TypeError
        raise kind(f"{name} is no array of numbers: {error}") from None


def numbers_of(values: npt.ArrayLike, name: str) -> npt.NDArray[Any]:
    """Return `values` as an array of real numbers of any shape and of its own dtype.

    One rule for all arrays of numbers: float16, float32, float64, integers and, as 0 and 1, booleans.
    """
    array = array_of(values, name)
    if array.dtype.kind not in "biuf":
        raise TypeError(f"{name} has dtype {array.dtype}: numbers are needed")
    if array.dtype.char == "g":
        raise TypeError(f"{name} has dtype {array.dtype}: at most float64 is kept, convert it first")
    return array


def plain(value: Any) -> Any:
    """Return a scalar of numpy, or an array of no dimensions, as Python's own; anything else as it is."""
    return value.item() if isinstance(value, (np.generic, np.ndarray)) and value.ndim == 0 else value


def real_number(name: str, value: Any) -> float:
    """Return one real number as a float, or raise a TypeError that names the argument."""
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, (int, float, np.integer, np.floating)):
        raise TypeError(f"{name} is {value!r}: a number is needed")
    try:
        return float(value)
    except OverflowError:
        raise ValueError(f"{name} is an integer of {len(str(abs(value)))} digits: it must fit into float64") from None


def flag(name: str, value: Any) -> bool:
    """Return True or False; anything else, "no" among it, is a TypeError that names the argument."""
    if not isinstance(value, (bool, np.bool_)):
        raise TypeError(f"{name} is {value!r}: True or False is needed")
    return bool(value)


def positive_number(name: str, value: Any) -> float:
    """Return one positive, finite number as a float, or raise an error that names the argument."""
    number = real_number(name, value)
    if not 0.0 < number < np.inf:
        raise ValueError(f"{name} is {number}: it must be positive and finite")
    return number


def float_array(values: npt.ArrayLike, name: str, ndim: int, shape: str) -> Floats:
    """Return `values` as float64 in C order, or raise an error that names the argument."""
    array = number_array(values, name, ndim, shape)
    return np.ascontiguousarray(array, np.float64)


def number_array(values: npt.ArrayLike, name: str, ndim: int, shape: str) -> npt.NDArray[Any]:
    """Return `values` as an array of real numbers of its own dtype, or raise an error that names the argument."""
    array = numbers_of(values, name)
    if array.ndim != ndim:
        raise ValueError(f"{name} has shape {array.shape}: expected {shape}")
    return array


def index_array(values: npt.ArrayLike, name: str, ndim: int, shape: str) -> Ints:
    """Return `values` as int64 in C order, or raise an error that names the argument."""
    array = array_of(values, name)
    if array.dtype.kind not in "iu" and (array.size or array.dtype.kind != "f"):  # an empty list is of floats
        raise TypeError(f"{name} has dtype {array.dtype}: integers are needed")
    if array.ndim != ndim:
        raise ValueError(f"{name} has shape {array.shape}: expected {shape}")
    if array.dtype.kind == "u":  # beyond int64 it would wrap round to something that looks right
        array = np.minimum(array.astype(np.uint64), np.uint64(np.iinfo(np.int64).max))
    return np.ascontiguousarray(array, np.int64)
