# SPDX-License-Identifier: MIT
"""What a caller passed, as an array or a number of a certain kind; errors name the argument."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from .. import _core
from .array_types import Array, Floats, Ints
from .nearest_name import did_you_mean
from .short_repr import shown

_T = TypeVar("_T")

MAX_JOINTS = 65_535  # of a skeleton: SKL_MAX_JOINTS of the core
LEAST_FPS, MOST_FPS = 1e-12, 1e12  # a frame in 30 000 years, and one in the time in which light goes 0.3 mm

FARTHEST = 1e75  # lengths of options and heights of grounds: beyond, their fourth powers overflow
_MOST_DIMENSIONS = 32
_NO_NUMBERS = (bool, np.bool_, np.timedelta64)  # though Python and numpy derive them from integers


def array_of(values: npt.ArrayLike, name: str) -> Array:
    """Return `values` as a plain array of any dtype and shape, its numbers aligned and in this machine's byte order.

    What numpy says of ragged lists gets the argument's name. A masked array is refused, also inside of a list: what its
    mask hides would count.
    """
    if type(values) is not np.ndarray:
        if hasattr(values, "tocsr"):  # numpy would make one object of it
            raise TypeError(
                f"{name} is a sparse {type(values).__name__}: a full array is needed, as its toarray() gives"
            )
        _core.check_unmasked(values, name)
    try:
        array = np.asarray(values)
    except (ValueError, TypeError, RuntimeError) as error:  # the last is torch's, of what has gradients
        kind = ValueError if isinstance(error, ValueError) else TypeError
        own = "" if isinstance(values, (list, tuple)) else f" a {type(values).__name__},"
        raise kind(f"{name} is{own} not an array of numbers: {error}") from None
    check_dimensions(name, array.ndim)
    return array if array.dtype.isnative and array.flags.aligned else array.astype(array.dtype.newbyteorder("="))


def check_dimensions(name: str, ndim: int) -> None:
    """Raise a ValueError for an argument, or a result, of more dimensions than C and numpy's broadcasting take."""
    if ndim > _MOST_DIMENSIONS:
        raise ValueError(f"{name} has {ndim} dimensions: at most {_MOST_DIMENSIONS} are supported")


def numbers_of(values: npt.ArrayLike, name: str) -> Array:
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


def listed(name: str, values: Any, what: str) -> list[Any]:
    """Return what can be gone through as a list; text, which can be too, and anything else is a TypeError."""
    try:
        if not isinstance(values, (str, bytes)):
            return list(values)
    except TypeError:  # of an array without dimensions too, which says that it can
        pass
    raise TypeError(f"{name} is {shown(values)}: {what}")


def check_kind(name: str, value: Any, kind: type) -> None:
    """Raise a TypeError that names the argument unless it is an instance of a class."""
    if not isinstance(value, kind):
        raise TypeError(f"{name} is a {type(value).__name__}: a {kind.__name__} is needed")


def check_word(name: str, value: Any, known: Collection[str]) -> None:
    """Raise a ValueError that names the argument and the words it may be, unless it is one of them."""
    if not isinstance(value, str) or value not in known:
        raise _unknown_word(name, value, known)


def meaning_of(name: str, value: Any, meanings: Mapping[str, _T]) -> _T:
    """Return what a word means, or raise the ValueError of check_word."""
    try:
        return meanings[value]
    except (KeyError, TypeError):
        raise _unknown_word(name, value, meanings) from None


def _unknown_word(name: str, value: Any, known: Collection[str]) -> ValueError:
    *words, last = map(repr, known)
    expected = f"{', '.join(words)} or {last}" if words else last
    meant = did_you_mean(value, known, ";") if isinstance(value, str) else ""
    return ValueError(f"{name} is {shown(value)}: expected {expected}{meant}")


def real_number(name: str, value: Any) -> float:
    """Return one real number as a float, or raise a TypeError that names the argument."""
    if isinstance(value, _NO_NUMBERS) or not isinstance(value, (int, float, np.integer, np.floating)):
        raise TypeError(f"{name} is {value!r}: a number is needed")
    try:
        return float(value)
    except OverflowError:
        bits = int(value).bit_length()  # its digits may be too many for Python to write
        raise ValueError(f"{name} is an integer of {bits} bits: it must fit into float64") from None


def whole_number(name: str, value: Any, least: int) -> int:
    """Return an integer of at least `least`, or raise an error that names the argument."""
    if isinstance(value, _NO_NUMBERS) or not isinstance(value, (int, np.integer)):
        raise TypeError(f"{name} is {value!r}: an integer is needed")
    if value < least:
        raise ValueError(f"{name} is {value}: it must be at least {least}")
    return int(value)


def check_bound(name: str, value: Any) -> None:
    """Raise a TypeError if a value cannot be the end of a slice."""
    if not (value is None or isinstance(value, (int, np.integer))):
        raise TypeError(f"{name} is {value!r}: a whole number or None is needed")


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


def frame_rate(fps: Any) -> float:
    """Return frames per second, or raise an error: beyond these bounds seconds are no number of frames any more."""
    rate = positive_number("fps", fps)
    if not LEAST_FPS <= rate <= MOST_FPS:
        raise ValueError(f"fps is {rate}: it must lie within {LEAST_FPS:g} … {MOST_FPS:g} frames per second")
    return rate


def frame_range(frames: Any, num: int) -> tuple[int, int]:
    """Return the range (first, last), both included, which lies inside a clip of `num` frames."""
    pair = array_of(frames, "frames")
    if pair.shape != (2,) or pair.dtype.kind not in "iu" or any(isinstance(end, _NO_NUMBERS) for end in frames):
        raise TypeError(f"frames is {shown(frames)}: (first, last) is needed, two whole frames")
    first, last = int(pair[0]), int(pair[1])
    if not 0 <= first <= last < num:
        raise ValueError(f"frames is ({first}, {last}): 0 ≤ first ≤ last < {num} is needed")
    return first, last


def file_path(name: str, path: Any) -> str:
    """Return the path of a file as text, or raise a TypeError that names the argument."""
    text = os.fspath(path) if isinstance(path, (str, os.PathLike)) else None
    if not isinstance(text, str):
        raise TypeError(f"{name} is {shown(path)}: the path of a file is needed, a str or a Path")
    return text


def check_tree(parents: Ints) -> None:
    """Raise a ValueError for the first joint whose parent does not come before it."""
    for j in np.flatnonzero((parents < -1) | (parents >= np.arange(len(parents))))[:1].tolist():
        parent = int(parents[j])
        rule = "a parent must come before its child: sort_joints(parents) gives the order in which it does"
        if parent < -1:
            rule = "a parent is an earlier joint, or -1 for a root"
        elif parent == j:
            rule = "a joint cannot be its own parent"
        elif parent >= len(parents):
            rule = "there is no joint of this number"
        raise ValueError(f"parents[{j}] is {parent}: {rule}")


def float_array(values: npt.ArrayLike, name: str, ndim: int, shape: str) -> Floats:
    """Return `values` as float64 in C order, or raise an error that names the argument."""
    array = number_array(values, name, ndim, shape)
    return np.ascontiguousarray(array, np.float64)


def number_array(values: npt.ArrayLike, name: str, ndim: int, shape: str) -> Array:
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
