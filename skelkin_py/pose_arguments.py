# SPDX-License-Identifier: MIT
"""Poses, vectors and weights of verbs that are put together in Python: read as arrays, their precision, their shape."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._support.arguments import check_dimensions, numbers_of
from .skeleton import Skeleton

Floats = NDArray[np.float64]


def pose_array(skeleton: Skeleton, local: ArrayLike) -> NDArray[Any]:
    """Return the pose as an array of the dtype that it counts as."""
    array = numbers(local, "local")
    joints = skeleton.num_joints
    if array.ndim < 3 or array.shape[-3] != joints or array.shape[-2:] not in ((4, 4), (3, 4)):
        raise ValueError(f"local has shape {array.shape}: expected (..., {joints}, 4, 4)")
    return array


def numbers(values: ArrayLike, name: str) -> NDArray[Any]:
    """Return real numbers as float32 or float64; whole ones as float64."""
    array = numbers_of(values, name)
    return array if array.dtype in (np.float32, np.float64) else array.astype(np.float64)


def vectors(values: ArrayLike, name: str) -> Floats:
    """Return (..., 3) in float64, in C order: what numpy makes of them must not depend on how they lay in memory."""
    array = numbers(values, name)
    if array.shape[-1:] != (3,):
        raise ValueError(f"{name} has shape {array.shape}: expected (..., 3)")
    return array.astype(np.float64, order="C")


def bounded(values: ArrayLike, name: str, most: float, most_in_words: str) -> Floats:
    """Return numbers of 0 .. most in float64, or name the first that is out of these bounds."""
    array = numbers(values, name).astype(np.float64, order="C")
    bad = ~((array >= 0) & (array <= most))
    if bad.any():
        index = tuple(int(i) for i in np.argwhere(bad)[0])
        where = f"{name}[{', '.join(map(str, index))}]" if index else name
        raise ValueError(f"{where} is {array[index]:g}: it must lie within 0 .. {most_in_words}")
    return array


def weights(values: ArrayLike) -> Floats:
    """Return weights in float64."""
    return bounded(values, "weight", 1.0, "1")


def common_dtype(*given: Any) -> np.dtype[Any]:
    """Return numpy's promotion of the arrays among what was given; lists, numbers and None take no part."""
    arrays = [
        each.dtype if each.dtype.kind == "f" else np.dtype(np.float64)
        for each in given
        if isinstance(each, (np.ndarray, np.generic))
    ]
    return np.result_type(*arrays) if arrays else np.dtype(np.float64)


def leading_shape(core: int = 3, /, **shapes: tuple[int, ...]) -> tuple[int, ...]:
    """Return the leading dimensions of all together, or say which do not fit, or that the result would have too many.

    `core` are the dimensions of one item of the result: those of a pose.
    """
    try:
        lead = np.broadcast_shapes(*shapes.values())
    except ValueError:
        listed = ", ".join(f"{name} {shape}" for name, shape in shapes.items() if shape)
        raise ValueError(f"leading dimensions do not broadcast: {listed}") from None
    check_dimensions("the result", len(lead) + core)
    return lead
