# SPDX-License-Identifier: MIT
"""Skin weights: which joints move a vertex, and how much; checked once and never changed."""

from __future__ import annotations

import operator
from typing import Any, NamedTuple, NoReturn

import numpy as np
import numpy.typing as npt

from . import _core
from .skeleton import _frozen


class WeightsReport(NamedTuple):
    """What `SkinWeights.check` found; empty arrays where all is well.

    Attributes
    ----------
    ok : bool
        True if no vertex has weights that are off, negative or missing. A joint named twice is allowed.
    not_normalized : ndarray of int64
        Vertices whose weights sum to something that is off 1 by more than 1e-5 (rows of zeros are not among them).
    negative : ndarray of int64
        Vertices with a negative weight.
    empty : ndarray of int64
        Vertices without any weight: they stay where they are.
    repeated : ndarray of int64
        Vertices that name a joint more than once; its weights add.
    worst_sum : float
        The sum that is farthest from 1, of the rows that are not empty.
    """

    ok: bool
    not_normalized: npt.NDArray[np.int64]
    negative: npt.NDArray[np.int64]
    empty: npt.NDArray[np.int64]
    repeated: npt.NDArray[np.int64]
    worst_sum: float

    def __str__(self) -> str:
        lines = []
        for name, rows in (
            ("sum is off 1", self.not_normalized),
            ("negative weight", self.negative),
            ("no weight, stays where it is", self.empty),
            ("joint named twice", self.repeated),
        ):
            if len(rows):
                shown = ", ".join(map(str, rows[:5])) + (", ..." if len(rows) > 5 else "")
                lines.append(f"{name}: {len(rows)} vertices ({shown})")
        return "\n".join(lines) or "weights: no findings"


def _float_array(values: npt.ArrayLike, name: str, ndim: int, shape: str) -> npt.NDArray[np.float64]:
    array = np.asarray(values)
    if array.dtype.kind not in "iuf":
        raise TypeError(f"{name} has dtype {array.dtype}: numbers are needed")
    if array.ndim != ndim:
        raise ValueError(f"{name} has shape {array.shape}: expected {shape}")
    return np.ascontiguousarray(array, np.float64)


def _index_array(values: npt.ArrayLike, name: str, ndim: int, shape: str) -> npt.NDArray[np.int64]:
    array = np.asarray(values)
    if array.dtype.kind not in "iu" and array.size:
        raise TypeError(f"{name} has dtype {array.dtype}: integers are needed")
    if array.ndim != ndim:
        raise ValueError(f"{name} has shape {array.shape}: expected {shape}")
    if array.dtype.kind == "u":  # beyond int64 it would wrap round to something that looks right
        array = np.minimum(array.astype(np.uint64), np.uint64(np.iinfo(np.int64).max))
    return np.ascontiguousarray(array, np.int64)


def _joint_count(num_joints: int) -> int:
    try:
        count = operator.index(num_joints)
    except TypeError:
        raise TypeError(f"num_joints is {num_joints!r}: an integer is needed") from None
    if not 1 <= count <= 65535:
        raise ValueError(f"num_joints is {count}: there are 1 to 65535 joints")
    return count


class SkinWeights(_core.SkinWeightsBase):
    """Which joints move each vertex, and how much; immutable, checked once, owner of its arrays.

    Rows are used as given and never renormalised silently: what is unusual is told by `check`. An influence of weight 0
    never touches its joint, so it may be used for padding; a row of zeros leaves its vertex where it is.

    Parameters
    ----------
    indices : array_like of int, (V, K)
        Joint of each influence, ``0 <= index < num_joints``.
    weights : array_like of float, (V, K)
        Weight of each influence; finite. A joint may appear more than once in a row: its weights add.
    num_joints : int
        Number of joints, 1 to 65535.

    Raises
    ------
    ValueError, TypeError
        What breaks a rule, with row and column: ``indices[3, 1] is 99: a joint index must be ...``.

    Examples
    --------
    >>> weights = sk.SkinWeights([[0, 1], [1, 0]], [[0.25, 0.75], [1, 0]], 2)
    >>> weights
    <SkinWeights: 2 vertices, 2 joints, up to 2 influences>
    >>> weights.check().ok
    True
    """

    __slots__ = ("_indices", "_weights")
    _indices: npt.NDArray[np.int32]
    _weights: npt.NDArray[np.float64]

    def __new__(cls, indices: npt.ArrayLike, weights: npt.ArrayLike, num_joints: int) -> SkinWeights:
        """Check everything and copy it."""
        index_array = _index_array(indices, "indices", 2, "(V, K)")
        weight_array = _float_array(weights, "weights", 2, "(V, K)")
        if index_array.shape != weight_array.shape:
            raise ValueError(
                f"indices has shape {index_array.shape} and weights {weight_array.shape}: both must be (V, K)"
            )
        num_joints = _joint_count(num_joints)
        self = super().__new__(cls, num_joints, index_array, weight_array)
        object.__setattr__(self, "_indices", _frozen(index_array.astype(np.int32)))
        object.__setattr__(self, "_weights", _frozen(weight_array))
        return self

    @classmethod
    def from_dense(cls, dense: npt.ArrayLike) -> SkinWeights:
        """Make weights from one number per vertex and joint.

        Parameters
        ----------
        dense : array_like of float, (V, J)
            Weight of each joint for each vertex; zeros are left out.

        Returns
        -------
        SkinWeights
            With influences in the order of the joints.

        Examples
        --------
        >>> sk.SkinWeights.from_dense([[0, 1, 0], [0.5, 0, 0.5]]).indices
        array([[1, 0],
               [0, 2]], dtype=int32)
        """
        array = _float_array(dense, "W", 2, "(V, J)")
        for v, j in np.argwhere(~np.isfinite(array))[:1]:
            raise ValueError(f"W[{v}, {j}] is {array[v, j]}: a weight must be finite")
        rows, columns = np.nonzero(array)
        indptr = np.concatenate([[0], np.cumsum(np.bincount(rows, minlength=len(array)))])
        return cls.from_csr(indptr, columns, array[rows, columns], array.shape[1])

    @classmethod
    def from_csr(
        cls, indptr: npt.ArrayLike, indices: npt.ArrayLike, data: npt.ArrayLike, num_joints: int
    ) -> SkinWeights:
        """Make weights from compressed rows, as `scipy.sparse.csr_matrix` keeps them.

        Parameters
        ----------
        indptr : array_like of int, (V + 1,)
            The influences of vertex v are the entries ``indptr[v] .. indptr[v + 1] - 1``.
        indices : array_like of int, (N,)
            Joint of each entry.
        data : array_like of float, (N,)
            Weight of each entry.
        num_joints : int
            Number of joints.

        Returns
        -------
        SkinWeights
            With rows padded by weight 0 to the longest one.

        Examples
        --------
        >>> sk.SkinWeights.from_csr([0, 1, 3], [1, 0, 1], [1, 0.5, 0.5], 2).weights
        array([[1. , 0. ],
               [0.5, 0.5]])
        """
        offsets = _index_array(indptr, "indptr", 1, "(V + 1,)")
        joints = _index_array(indices, "indices", 1, "(N,)")
        values = _float_array(data, "data", 1, "(N,)")
        num_joints = _joint_count(num_joints)
        # The core checks offsets, joints and values, and names entries as the caller knows them.
        _core.SkinWeightsBase(num_joints, joints, values, offsets)
        counts = np.diff(offsets)
        width = int(counts.max(initial=0))
        column = np.arange(len(joints)) - np.repeat(offsets[:-1], counts)
        row = np.repeat(np.arange(len(counts)), counts)
        index_rows = np.zeros((len(counts), width), np.int64)
        weight_rows = np.zeros((len(counts), width))
        index_rows[row, column] = joints
        weight_rows[row, column] = values
        return cls(index_rows, weight_rows, num_joints)

    @property
    def indices(self) -> npt.NDArray[np.int32]:
        """(V, K) int32, read-only: joint of each influence."""
        return self._indices

    @property
    def weights(self) -> npt.NDArray[np.float64]:
        """(V, K) float64, read-only: weight of each influence, as given."""
        return self._weights

    @property
    def max_influences(self) -> int:
        """K, the columns of `indices` and `weights`."""
        return int(self._indices.shape[1])

    def normalized(self) -> SkinWeights:
        """Return the same weights with every row divided by its sum.

        Returns
        -------
        SkinWeights
            Rows of zeros stay as they are.

        Raises
        ------
        ValueError
            A row with weights whose sum is 0 or too small to divide by; the message names it.

        Examples
        --------
        >>> sk.SkinWeights([[0, 1]], [[1, 3]], 2).normalized().weights
        array([[0.25, 0.75]])
        """
        largest = np.abs(self._weights).max(axis=1, initial=0, keepdims=True)
        scaled = self._weights / np.where(largest > 0, largest, 1)
        sums = scaled.sum(axis=1, keepdims=True)
        for v in np.flatnonzero((largest[:, 0] > 0) & (np.abs(sums[:, 0]) < 1e-12)):
            raise ValueError(f"weights[{v}] is {self._weights[v].tolist()}: a sum of 0 cannot be normalised")
        return type(self)(self._indices, scaled / np.where(largest > 0, sums, 1), self.num_joints)

    def pruned(self, max_influences: int = 4) -> SkinWeights:
        """Return the same weights with only the largest influences of each vertex, rescaled to the row's old sum.

        Parameters
        ----------
        max_influences : int
            How many influences a vertex keeps, 1 or more; those with the largest absolute weight, the first of equals.

        Returns
        -------
        SkinWeights
            Influences keep their order.

        Examples
        --------
        >>> sk.SkinWeights([[0, 1, 2]], [[0.4, 0.2, 0.4]], 3).pruned(2).weights
        array([[0.5, 0.5]])
        """
        if max_influences < 1:
            raise ValueError(f"max_influences is {max_influences}: it must be at least 1")
        keep = np.argsort(-np.abs(self._weights), axis=1, kind="stable")[:, :max_influences]
        keep.sort(axis=1)
        weights = np.take_along_axis(self._weights, keep, axis=1)
        left, whole = weights.sum(axis=1), self._weights.sum(axis=1)
        usable = np.abs(left) > 1e-12 * np.abs(weights).max(axis=1, initial=0)
        factor = np.where(usable, whole / np.where(usable, left, 1), 1)
        return type(self)(np.take_along_axis(self._indices, keep, axis=1), weights * factor[:, None], self.num_joints)

    def check(self) -> WeightsReport:
        """Report what is unusual, though no error.

        Returns
        -------
        WeightsReport
            Vertices whose weights do not sum to 1 (by more than 1e-5), are negative, are all zero, or name a joint
            twice.

        Examples
        --------
        >>> print(sk.SkinWeights([[0, 1], [0, 0]], [[0.5, 0.4], [0, 0]], 2).check())
        sum is off 1: 1 vertices (0)
        no weight, stays where it is: 1 vertices (1)
        """
        weights = self._weights
        used = weights != 0
        empty = ~used.any(axis=1)
        sums = weights.sum(axis=1)
        off = np.where(empty, 0, np.abs(sums - 1))
        order = np.argsort(np.where(used, self._indices, -1), axis=1, kind="stable")
        joints = np.take_along_axis(np.where(used, self._indices, -1), order, axis=1)
        twice = ((joints[:, 1:] == joints[:, :-1]) & (joints[:, 1:] >= 0)).any(axis=1)
        faults = (off > 1e-5, (weights < 0).any(axis=1), empty)
        not_normalized, negative, without, repeated = (np.flatnonzero(mask) for mask in (*faults, twice))
        worst = float(sums[np.argmax(off)]) if len(off) and not empty.all() else 1.0
        return WeightsReport(not any(mask.any() for mask in faults), not_normalized, negative, without, repeated, worst)

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"SkinWeights are immutable: cannot set {name}")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"SkinWeights are immutable: cannot delete {name}")

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, SkinWeights):
            return NotImplemented
        return (
            self.num_joints == other.num_joints
            and np.array_equal(self._indices, other._indices)
            and np.array_equal(self._weights, other._weights)
        )

    def __hash__(self) -> int:
        return hash((self.num_joints, self._indices.shape, self._indices[:16].tobytes()))

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self._indices, self._weights, self.num_joints)

    def __repr__(self) -> str:
        return (
            f"<{type(self).__name__}: {self.num_vertices} vertices, {self.num_joints} joints, "
            f"up to {self.max_influences} influences>"
        )
