# SPDX-License-Identifier: MIT
"""What the transforms with sines and cosines share: dtype rule, broadcasting, arithmetic component by component.

The other ones are kernels of the core. A transform here is written once as a kernel on components (`w, x, y, z`: one
contiguous row of numbers each). `apply` cuts the batch into blocks that stay in the cache, hands the kernel its rows
and puts what it returns in place, so that temporaries are as large as a block and never as the batch.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
Rows = tuple[Array, ...]

BLOCK = 4096  # elements per block: rows of 16 or 32 KB, so that a kernel's working set stays in the second cache
_FLOAT32, _FLOAT64 = np.dtype(np.float32), np.dtype(np.float64)


# Beyond this range a square has lost digits or overflowed although the vector itself is well defined.
_SQUARES = {
    dtype: (float(np.finfo(dtype).tiny / np.finfo(dtype).eps), float(np.finfo(dtype).max / 16))
    for dtype in (_FLOAT32, _FLOAT64)
}


class DegenerateError(Exception):
    """Raised by a kernel that met a row it cannot normalise; `apply` says which."""


class Operand(NamedTuple):
    """One input: its name in messages, its values, its core shape and the rule that its rows obey."""

    name: str
    values: Array
    core: tuple[int, ...]
    rule: str = ""  # "quaternion" or "direction": finite and not zero

    @property
    def lead(self) -> tuple[int, ...]:
        """The batch dimensions."""
        return self.values.shape[: self.values.ndim - len(self.core)]


def is_array(value: object) -> bool:
    """Whether `value` takes part in the choice of the dtype: arrays do, scalars and lists do not."""
    return isinstance(value, np.ndarray) or (
        not isinstance(value, np.generic) and hasattr(type(value), "__array_interface__")
    )


def result_dtype(**arguments: object) -> np.dtype[Any]:
    """Return float32 or float64 by numpy's promotion of the arrays among the arguments; float64 without any."""
    chosen: np.dtype[Any] | None = None
    for name, value in arguments.items():
        if not is_array(value):
            continue
        dtype = np.asarray(value).dtype
        if dtype.kind in "iub":
            dtype = _FLOAT64
        elif dtype == np.float16:
            dtype = _FLOAT32
        if dtype not in (_FLOAT32, _FLOAT64):
            raise TypeError(f"{name} has dtype {dtype}: float32, float64 or an integer type is needed")
        chosen = dtype if chosen is None else np.promote_types(chosen, dtype)
    return _FLOAT64 if chosen is None else chosen


def as_numbers(name: str, value: object) -> Array:
    """Return `value` as an array of real numbers, or raise a TypeError that names the argument."""
    try:
        array = np.asarray(value)
    except ValueError as error:
        raise ValueError(f"{name} is not a regular array: {error}") from None
    if array.dtype.kind not in "iubf":
        raise TypeError(f"{name} has dtype {array.dtype}: float32, float64 or an integer type is needed")
    return array


def vectors(name: str, value: object, width: int, rule: str = "") -> Operand:
    """Return an operand of shape (..., width)."""
    array = as_numbers(name, value)
    if array.ndim < 1 or array.shape[-1] != width:
        raise ValueError(f"{name} has shape {array.shape}: expected (..., {width})")
    return Operand(name, array, (width,), rule)


def scalars(name: str, value: object) -> Operand:
    """Return an operand of shape (...)."""
    return Operand(name, as_numbers(name, value), ())


def broadcast_lead(operands: Sequence[Operand]) -> tuple[int, ...]:
    """Return the batch shape of all operands together, or raise a ValueError that names each of them."""
    try:
        return np.broadcast_shapes(*(operand.lead for operand in operands))
    except ValueError:
        shapes = ", ".join(f"{operand.name} has {operand.lead}" for operand in operands)
        raise ValueError(f"leading dimensions do not broadcast: {shapes}") from None


def apply(
    kernel: Callable[..., Sequence[Array]], operands: Sequence[Operand], cores: Sequence[tuple[int, ...]], dtype: Any
) -> list[Array]:
    """Run `kernel` over the batch and return one array of shape lead + core for each of `cores`.

    The kernel takes the components of all operands in C order as rows and returns the components of all results.
    """
    lead = broadcast_lead(operands)
    total = math.prod(lead)
    flats = [_flat(operand, lead) for operand in operands]
    results = [np.empty((total, *core), dtype) for core in cores]
    views = [result.reshape(total, math.prod(core)) for result, core in zip(results, cores)]
    try:
        for start in range(0, total, BLOCK):
            rows: list[Array] = []
            for flat in flats:
                rows.extend(_rows(flat[start : start + BLOCK] if len(flat) == total else flat, dtype))
            components = iter(kernel(*rows))
            for view in views:
                target = view[start : start + BLOCK]
                for i in range(target.shape[1]):
                    target[:, i] = next(components)
    except DegenerateError:
        _explain(operands, dtype)
        raise
    return [result.reshape(lead + core) for result, core in zip(results, cores)]


def _flat(operand: Operand, lead: tuple[int, ...]) -> Array:
    """Return the operand as (N,) + core, or as (1,) + core where one element serves the whole batch."""
    values = operand.values
    if operand.lead != lead and any(n != 1 for n in operand.lead):
        values = np.broadcast_to(values, lead + operand.core)
    count = math.prod(values.shape[: values.ndim - len(operand.core)])
    return values.reshape(count, *operand.core)


def _rows(block: Array, dtype: Any) -> list[Array]:
    """Return the components of a block as contiguous rows of the dtype."""
    turned = np.array(block.transpose(*range(1, block.ndim), 0), dtype, order="C", copy=True)
    return list(turned.reshape(-1, len(block)))


def _explain(operands: Sequence[Operand], dtype: Any) -> None:
    """Raise the ValueError that names the first row that breaks its operand's rule, as the kernel saw it."""
    for operand in operands:
        if not operand.rule:
            continue
        with np.errstate(over="ignore", under="ignore"):
            values = operand.values.astype(dtype)
        good = np.isfinite(values).all(axis=-1) & (values != 0).any(axis=-1)
        if not good.all():
            index = np.unravel_index(int(np.argmin(good)), good.shape)
            where = f"[{', '.join(str(int(i)) for i in index)}]" if index else ""
            numbers = ", ".join(f"{float(number):.9g}" for number in operand.values[index])
            raise ValueError(f"{operand.name}{where} is [{numbers}]: a {operand.rule} must be finite and not zero")


def unit(*components: Array) -> Rows:
    """Return the components of a vector divided by its length; zero or non-finite raises DegenerateError."""
    squared = _squared(components)
    low, high = _SQUARES[squared.dtype]
    if not (len(squared) == 0 or (float(squared.min()) > low and float(squared.max()) < high)):
        largest = np.abs(components[0])
        for component in components[1:]:
            largest = np.maximum(largest, np.abs(component))
        if not (np.isfinite(largest).all() and (largest > 0).all()):
            raise DegenerateError
        # A power of two, so that scaling rounds nothing.
        exponent = np.frexp(largest)[1]
        components = tuple(np.ldexp(component, -exponent) for component in components)
        squared = _squared(components)
    inverse = 1.0 / np.sqrt(squared)
    return tuple(component * inverse for component in components)


def _squared(components: Rows) -> Array:
    """Return the sum of squares; one that overflows is the caller's to see."""
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        total = components[0] * components[0]
        for component in components[1:]:
            total = total + component * component
    return total
