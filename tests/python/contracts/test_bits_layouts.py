# SPDX-License-Identifier: MIT
"""How an array lies in memory does not show: the same numbers give the same bits, in every function that takes some."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from array_functions import CASES, FRAMES

import skelkin_py as sk


def padded(value: np.ndarray) -> np.ndarray:
    """Return the array amid a larger one, with gaps along every dimension."""
    buffer = np.full([2 * n + 3 for n in value.shape], np.nan, value.dtype)
    view = buffer[tuple(slice(1, 1 + 2 * n, 2) for n in value.shape)]
    view[...] = value
    return view


def rows_padded(value: np.ndarray) -> np.ndarray:
    """Return the array with gaps behind its last dimension only, which itself has none."""
    buffer = np.full((*value.shape[:-1], value.shape[-1] + 3), np.nan, value.dtype)
    buffer[..., 1 : 1 + value.shape[-1]] = value
    return buffer[..., 1 : 1 + value.shape[-1]]


def backwards(value: np.ndarray) -> np.ndarray:
    every = tuple(slice(None, None, -1) for _ in value.shape)
    return np.ascontiguousarray(value[every])[every]


def unaligned(value: np.ndarray) -> np.ndarray:
    view = np.zeros(value.nbytes + 1, np.uint8)[1:].view(value.dtype).reshape(value.shape)
    view[...] = value
    return view


LAYOUTS: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "Fortran order": np.asfortranarray,
    "first dimension last": lambda v: np.moveaxis(np.ascontiguousarray(np.moveaxis(v, 0, -1)), -1, 0),
    "core transposed": lambda v: np.ascontiguousarray(v.swapaxes(-1, max(-2, -v.ndim))).swapaxes(-1, max(-2, -v.ndim)),
    "backwards": backwards,
    "padded": padded,
    "rows padded": rows_padded,
    "frames backwards": lambda v: np.ascontiguousarray(v[::-1])[::-1],
    "unaligned": unaligned,
    "swapped bytes": lambda v: v.astype(v.dtype.newbyteorder()),
}


def bits(result: Any) -> list[bytes]:
    """Return the bytes of all arrays of a result, whatever it is; of other things what they print."""
    if isinstance(result, (tuple, list)):
        return [each for part in result for each in bits(part)]
    return [
        np.ascontiguousarray(result).tobytes()
        if isinstance(result, (np.ndarray, np.generic))
        else repr(result).encode()
    ]


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("name", CASES)
def test_the_same_numbers_give_the_same_bits_however_they_lie_in_memory(name, dtype):
    run, arrays = CASES[name]
    given = {key: np.ascontiguousarray(value, dtype) for key, value in arrays.items()}
    expected = bits(run(**given))
    for label, lay in LAYOUTS.items():
        laid = {key: lay(value) for key, value in given.items()}
        assert all((laid[key] == given[key]).all() for key in given)
        assert bits(run(**laid)) == expected, label


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize(
    "name", [name for name, case in CASES.items() if all(len(v) == FRAMES for v in case[1].values())]
)
def test_one_row_broadcast_gives_the_bits_of_as_many_rows(name, dtype):
    run, arrays = CASES[name]
    one = {key: np.ascontiguousarray(value[3], dtype) for key, value in arrays.items()}
    many = {key: np.tile(value, (FRAMES, *[1] * value.ndim)) for key, value in one.items()}
    broadcast = {key: np.broadcast_to(value, many[key].shape) for key, value in one.items()}
    assert bits(run(**broadcast)) == bits(run(**many))


def test_layouts_lie_otherwise_in_memory():
    value = np.arange(2.0 * 3 * 4 * 4).reshape(2, 3, 4, 4)
    for label, lay in LAYOUTS.items():
        same = lay(value)
        np.testing.assert_array_equal(same, value, err_msg=label)
        assert same.strides != value.strides or label in ("unaligned", "swapped bytes")


def test_every_function_that_takes_arrays_is_in_the_table():
    """What is made from numbers of one joint, names or files has no layout to speak of."""
    others = {
        "build_info", "example", "get_num_threads", "set_num_threads", "isa", "load", "load_animations", "load_mesh",
        "save_animations", "hinge", "swing_twist",
        "sort_joints", "measure_cost",
    }  # fmt: skip
    functions = {
        name for name in dir(sk) if callable(getattr(sk, name)) and name[0].islower() and not name.startswith("_")
    }
    named = {name.partition(",")[0] for name in CASES}
    assert functions - others - named == set()
