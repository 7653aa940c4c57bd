# SPDX-License-Identifier: MIT
"""Rows of (joint, weight) pairs, one row per vertex: all of one length, or of their own lengths behind each other."""

from __future__ import annotations

import operator
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from .._support.arguments import MAX_JOINTS, Floats, Ints

CHUNK = 65536  # rows that are looked at together, so that temporaries stay small beside the weights themselves


def joint_count(num_joints: int) -> int:
    """Return the number of joints, or raise an error that says what it may be."""
    try:
        count = operator.index(num_joints)
    except TypeError:
        raise TypeError(f"num_joints is {num_joints!r}: an integer is needed") from None
    if not 1 <= count <= MAX_JOINTS:
        raise ValueError(f"num_joints is {count}: there are 1 to {MAX_JOINTS} joints")
    return count


def influence_count(max_influences: int) -> int:
    """Return how many influences a row may keep, or raise an error that says what it may be."""
    try:
        count = operator.index(max_influences)
    except TypeError:
        raise TypeError(f"max_influences is {max_influences!r}: an integer is needed") from None
    if count < 1:
        raise ValueError(f"max_influences is {count}: it must be at least 1")
    return count


class Influences(NamedTuple):
    """The pairs of all rows: `joints` and `values` are (V, K); or (N,), cut into rows by `offsets` (V + 1,)."""

    joints: npt.NDArray[Any]
    values: Floats
    offsets: Ints | None = None

    @property
    def num_rows(self) -> int:
        """V."""
        return len(self.joints) if self.offsets is None else len(self.offsets) - 1

    @property
    def longest(self) -> int:
        """K, the pairs of the longest row."""
        if self.offsets is None:
            return int(self.joints.shape[1])
        return int(np.diff(self.offsets).max(initial=0))

    def row(self, number: int) -> tuple[npt.NDArray[Any], Floats]:
        """Return joints and weights of one row."""
        if self.offsets is None:
            return self.joints[number], self.values[number]
        part = slice(int(self.offsets[number]), int(self.offsets[number + 1]))
        return self.joints[part], self.values[part]

    def reduced(self, ufunc: np.ufunc, values: Floats) -> Floats:
        """Return one number per row: `values` of its pairs combined, 0 for a row without any."""
        if self.offsets is None:
            if self.joints.shape[1] == 0:
                return np.zeros(len(self.joints))
            result: Floats = values[:, 0].copy()  # column by column: numpy is slow along a short last dimension
            for k in range(1, values.shape[1]):
                ufunc(result, values[:, k], out=result)
            return result
        result = np.zeros(self.num_rows)
        filled = np.diff(self.offsets) > 0
        if filled.any():
            result[filled] = ufunc.reduceat(values, self.offsets[:-1][filled])
        return result

    def divided(self, divisors: Floats) -> Floats:
        """Return the values of each row divided by the row's number."""
        if self.offsets is None:
            return np.asarray(self.values / divisors[:, None])
        return np.asarray(self.values / np.repeat(divisors, np.diff(self.offsets)))

    def chunks(self) -> Iterator[tuple[int, npt.NDArray[Any], Floats]]:
        """Give the rows in pieces: number of the first row, joints and weights padded by weight 0 to one length."""
        lengths = np.full(self.num_rows, self.longest) if self.offsets is None else np.diff(self.offsets)
        start = 0
        while start < self.num_rows:
            count = min(CHUNK, self.num_rows - start)
            while count > 1 and count * int(lengths[start : start + count].max()) > 16 * CHUNK:
                count //= 2
            stop = start + count
            if self.offsets is None:
                yield start, self.joints[start:stop], self.values[start:stop]
            else:
                entries = slice(int(self.offsets[start]), int(self.offsets[stop]))
                offsets = self.offsets[start : stop + 1] - entries.start
                yield start, *Influences(self.joints[entries], self.values[entries], offsets).padded()
            start = stop

    def padded(self) -> tuple[npt.NDArray[Any], Floats]:
        """Return joints and weights as (V, K), short rows filled up by joint 0 and weight 0."""
        if self.offsets is None:
            return self.joints, self.values
        counts = np.diff(self.offsets)
        inside = np.arange(self.longest) < counts[:, None]
        joints, values = np.zeros(inside.shape, self.joints.dtype), np.zeros(inside.shape)
        joints[inside], values[inside] = self.joints, self.values
        return joints, values

    def taken(self, rows: Ints) -> Influences:
        """Return these rows in this order."""
        if self.offsets is None:
            return Influences(self.joints[rows], self.values[rows])
        counts = np.diff(self.offsets)[rows]
        offsets = np.concatenate([[0], np.cumsum(counts)])
        entries = np.arange(int(offsets[-1])) + np.repeat(self.offsets[rows] - offsets[:-1], counts)
        return Influences(self.joints[entries], self.values[entries], offsets)


def repeated_rows(joints: npt.NDArray[Any], values: Floats) -> npt.NDArray[np.bool_]:
    """Return which rows of (n, K) pairs name a joint more than once with a weight."""
    named = np.sort(np.where(values != 0, joints, -1), axis=1)
    return np.asarray(((named[:, 1:] == named[:, :-1]) & (named[:, 1:] >= 0)).any(axis=1))


def merged(joints: npt.NDArray[Any], values: Floats, again: npt.NDArray[np.bool_]) -> Floats:
    """Return the weights of (n, K) pairs with those of a joint named again added to its first one, and 0 there.

    `again` marks the rows in which there are such joints.
    """
    if not again.any():
        return values
    ids, parts = joints[again], values[again]
    order = np.argsort(ids, axis=1, kind="stable")
    in_order = np.take_along_axis(ids, order, axis=1)
    begins = np.ones(ids.shape, bool)
    begins[:, 1:] = in_order[:, 1:] != in_order[:, :-1]
    place = np.maximum.accumulate(np.where(begins, np.arange(ids.shape[1]), 0), axis=1)
    first = np.take_along_axis(order, place, axis=1)  # the column in which the joint is named first
    sums = np.zeros(parts.shape)
    np.add.at(sums, (np.arange(len(ids))[:, None], first), np.take_along_axis(parts, order, axis=1))
    result: Floats = values.copy()
    result[again] = sums
    return result


def largest_columns(values: Floats, count: int) -> npt.NDArray[np.intp]:
    """Return the columns, ascending, of the `count` largest absolute weights of each row, the first of equals."""
    columns = np.argsort(-np.abs(values), axis=1, kind="stable")[:, :count]
    return np.sort(columns, axis=1)
