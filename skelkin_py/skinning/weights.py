# SPDX-License-Identifier: MIT
"""Skin weights: which joints move a vertex, and how much; and a report of unusual weights."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple, NoReturn

import numpy as np
import numpy.typing as npt

from .. import _core
from .._support.arguments import MAX_JOINTS, array_of, float_array, index_array, number_array, whole_number
from .._support.array_types import Array, Flags, Floats, Ints
from .._support.html_table import html_list, html_table
from .._support.values import tuple_of_arrays
from ..skeleton import _frozen

CHUNK = 65536  # rows that are processed at once, so that temporaries stay smaller than the weights
SHOWN = 5  # row numbers that a line of the text shows
SLACK = 1e-5  # how far a sum may be off 1
_NONE = np.zeros(0, np.int64)
_NO_ENTRIES = np.zeros((0, 2), np.int64)


def joint_count(num_joints: int) -> int:
    """Return the number of joints, or raise an error that says what it may be."""
    count = whole_number("num_joints", num_joints, 1)
    if count > MAX_JOINTS:
        raise ValueError(f"num_joints is {count}: it must be at most {MAX_JOINTS}")
    return count


class Influences(NamedTuple):
    """The pairs of all rows: `joints` and `values` are (V, K); or (N,), cut into rows by `offsets` (V + 1,)."""

    joints: Array
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

    def chunks(self) -> Iterator[tuple[int, Array, Floats]]:
        """Give the rows in pieces: number of the first row, joints and weights padded by weight 0 to one length."""
        lengths = np.full(self.num_rows, self.longest) if self.offsets is None else np.diff(self.offsets)
        start = 0
        while start < self.num_rows:
            count = min(CHUNK, self.num_rows - start)
            while count > 1 and count * int(lengths[start : start + count].max()) > 16 * CHUNK:
                count //= 2
            yield start, *self.taken(slice(start, start + count)).padded()
            start += count

    def padded(self) -> tuple[Array, Floats]:
        """Return joints and weights as (V, K), short rows filled up by joint 0 and weight 0."""
        if self.offsets is None:
            return self.joints, self.values
        counts = np.diff(self.offsets)
        inside = np.arange(self.longest) < counts[:, None]
        joints, values = np.zeros(inside.shape, self.joints.dtype), np.zeros(inside.shape)
        joints[inside], values[inside] = self.joints, self.values
        return joints, values

    def taken(self, rows: Ints | slice) -> Influences:
        """Return these rows in this order."""
        if self.offsets is None:
            return Influences(self.joints[rows], self.values[rows])
        counts = np.diff(self.offsets)[rows]
        offsets = np.concatenate([[0], np.cumsum(counts)])
        entries = np.arange(int(offsets[-1])) + np.repeat(self.offsets[:-1][rows] - offsets[:-1], counts)
        return Influences(self.joints[entries], self.values[entries], offsets)


def repeated_rows(joints: Array, values: Floats) -> Flags:
    """Return which rows of (n, K) pairs name a joint more than once with a weight."""
    named = np.sort(np.where(values != 0, joints, -1), axis=1)
    return np.asarray(((named[:, 1:] == named[:, :-1]) & (named[:, 1:] >= 0)).any(axis=1))


def merged(joints: Array, values: Floats, again: Flags) -> Floats:
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


@tuple_of_arrays
class WeightsReport(NamedTuple):
    """The findings of `SkinWeights.check` and `SkinWeights.inspect`; arrays are empty where nothing was found.

    Attributes
    ----------
    ok : bool
        True if every vertex has weights with a sum of 1, none negative, and every id and weight is valid. Repeated
        joints, and weights that pruning would drop, are allowed.
    not_normalized : ndarray of int64
        Vertices whose weights have a sum that differs from 1 by more than 1e-5, rows of zeros excepted.
    negative : ndarray of int64
        Vertices with a negative weight.
    empty : ndarray of int64
        Vertices without any weight: they stay where they are.
    repeated : ndarray of int64
        Vertices that name a joint more than once; its weights are added.
    worst_sum : float
        The sum farthest from 1, of rows that are not empty.
    dropped : ndarray of int64
        Vertices that lose weight when pruned to `max_influences`; empty where that was not given.
    worst_dropped : float
        The largest loss of a vertex: the sum of the absolute weights that are dropped.
    bad_indices : ndarray of int64, (n, 2)
        Row and column of each joint id that is negative or not below the number of joints.
    not_finite : ndarray of int64, (n, 2)
        Row and column of each weight that is infinite or not a number. Sums leave such rows out.
    """

    ok: bool
    not_normalized: Ints
    negative: Ints
    empty: Ints
    repeated: Ints
    worst_sum: float
    dropped: Ints = _NONE
    worst_dropped: float = 0.0
    bad_indices: Ints = _NO_ENTRIES
    not_finite: Ints = _NO_ENTRIES

    def __str__(self) -> str:
        lines = [
            _line(f"sum is off 1, at worst {self.worst_sum:.6g}", self.not_normalized, "vertices"),
            _line("negative weight", self.negative, "vertices"),
            _line("no weight, stays where it is", self.empty, "vertices"),
            _line("joint named twice", self.repeated, "vertices"),
            _line(f"loses weight when pruned, at most {self.worst_dropped:.6g}", self.dropped, "vertices"),
            _line("joint id out of range", self.bad_indices, "entries"),
            _line("weight not finite", self.not_finite, "entries"),
        ]
        return "\n".join(filter(None, lines)) or "weights: no findings"


def _line(finding: str, rows: Ints, unit: str) -> str:
    """Return one line of the text, or nothing; of many rows the first few are shown."""
    if not len(rows):
        return ""
    shown = ", ".join(str(row.tolist()) if row.ndim else str(row) for row in rows[:SHOWN])
    more = ", ..." if len(rows) > SHOWN else ""
    return f"{finding}: {len(rows)} {unit} ({shown}{more})"


def make_report(
    influences: Influences, num_joints: int | None = None, max_influences: int | None = None
) -> WeightsReport:
    """Return a report on every row; ids and weights are checked where `num_joints` is given."""
    bad_indices = not_finite = _NO_ENTRIES
    if num_joints is not None:
        bad_indices = np.argwhere((influences.joints < 0) | (influences.joints >= num_joints)).astype(np.int64)
        not_finite = np.argwhere(~np.isfinite(influences.values)).astype(np.int64)
        if len(not_finite):
            influences = influences._replace(values=np.where(np.isfinite(influences.values), influences.values, 0.0))
    spoiled = np.zeros(influences.num_rows, bool)
    spoiled[not_finite[:, 0]] = True
    values = influences.values
    empty = (influences.reduced(np.maximum, np.abs(values)) == 0) & ~spoiled
    negative = influences.reduced(np.minimum, values) < 0
    with np.errstate(over="ignore", invalid="ignore"):  # the sum of weights near the largest number may be infinite
        sums = influences.reduced(np.add, values)
        off = np.where(empty | spoiled, 0, np.abs(sums - 1))
    worst = float(sums[np.argmax(off)]) if len(off) and not (empty | spoiled).all() else 1.0
    repeated, dropped, worst_dropped = _by_chunks(influences, max_influences)
    not_normalized, below, without = (np.flatnonzero(mask) for mask in (~(off <= SLACK), negative, empty))
    ok = not any(map(len, (not_normalized, below, without, bad_indices, not_finite)))
    return WeightsReport(
        ok, not_normalized, below, without, repeated, worst, dropped, worst_dropped, bad_indices, not_finite
    )


def _by_chunks(influences: Influences, max_influences: int | None) -> tuple[Ints, Ints, float]:
    """Return the rows that name a joint twice, those that lose weight when pruned, and the most that one loses."""
    repeated, dropped, worst = [_NONE], [_NONE], 0.0
    for start, joints, values in influences.chunks():
        again = repeated_rows(joints, values)
        repeated.append(np.flatnonzero(again) + start)
        if max_influences is None or max_influences >= joints.shape[1]:
            continue
        sizes = np.abs(merged(joints, values, again))
        sizes.sort(axis=1)
        lost = sizes[:, :-max_influences].sum(axis=1)
        dropped.append(np.flatnonzero(lost > 0) + start)
        worst = max(worst, float(lost.max(initial=0.0)))
    return np.concatenate(repeated), np.concatenate(dropped), worst


def _pairs(indices: npt.ArrayLike, weights: npt.ArrayLike) -> Influences:
    """Return (V, K) joints and weights whose shapes fit; values are not checked."""
    joints = index_array(indices, "indices", 2, "(V, K)")
    values = float_array(weights, "weights", 2, "(V, K)")
    if joints.shape != values.shape:
        raise ValueError(f"indices has shape {joints.shape} and weights {values.shape}: both must be (V, K)")
    return Influences(joints, values)


class SkinWeights(_core.SkinWeightsBase):
    """Which joints move each vertex, and how much. Immutable; it copies and checks its arguments.

    Weights are used as given and never renormalised silently; `check` reports unusual ones. The joint of an influence
    of weight 0 is not read, so such influences may be padding. A row of zeros leaves its vertex where it is.

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
        A value breaks a rule; the message names row and column: ``indices[3, 1] is 99: a joint index must be ...``.

    Examples
    --------
    >>> weights = sk.SkinWeights([[0, 1], [1, 0]], [[0.25, 0.75], [1, 0]], 2)
    >>> weights
    <SkinWeights: 2 vertices, 2 joints, up to 2 influences>
    >>> weights.check().ok
    True
    """

    __slots__ = ("_influences", "_padded")
    _influences: Influences
    _padded: tuple[npt.NDArray[np.int32], Floats]

    def __new__(cls, indices: npt.ArrayLike, weights: npt.ArrayLike, num_joints: int) -> SkinWeights:
        """Check everything and copy it."""
        return cls._made(_pairs(indices, weights), joint_count(num_joints))

    @classmethod
    def _made(cls, influences: Influences, num_joints: int) -> SkinWeights:
        """Return weights with a copy of these pairs; the core checks them and names what breaks a rule.

        The copy is made first: another thread may write into the caller's arrays while they are being checked.
        """
        joints, values = influences.joints.copy(), _frozen(influences.values)
        offsets = None if influences.offsets is None else _frozen(influences.offsets)
        self = super().__new__(cls, num_joints, joints, values, offsets)
        own = Influences(_frozen(joints.astype(np.int32)), values, offsets)
        object.__setattr__(self, "_influences", own)
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

        Raises
        ------
        ValueError, TypeError
            The shape is wrong, a weight is not finite (the message names row and column), or there are more than 65535
            joints.

        Examples
        --------
        >>> sk.SkinWeights.from_dense([[0, 1, 0], [0.5, 0, 0.5]]).indices
        array([[1, 0],
               [0, 2]], dtype=int32)
        """
        if hasattr(dense, "tocsr"):
            call = "m = dense.tocsr(); SkinWeights.from_csr(m.indptr, m.indices, m.data, m.shape[1])"
            raise TypeError(f"dense is a sparse {type(dense).__name__}: from_csr takes its rows as they are: {call}")
        array = number_array(dense, "dense", 2, "(V, J)")
        if not np.isfinite(array).all():
            v, j = np.argwhere(~np.isfinite(array))[0]
            raise ValueError(f"dense[{v}, {j}] is {array[v, j]}: a weight must be finite")
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
            Number of joints, 1 to 65535.

        Returns
        -------
        SkinWeights
            Stored in compressed rows; `indices` and `weights` return them padded with weight 0 to the longest row.
            Entries of a row may come in any order, and a joint more than once.

        Raises
        ------
        ValueError, TypeError
            Offsets do not begin at 0, decrease, or do not end at N; an index is not a joint, or a weight is not finite.
            The message names the place in the array: ``indptr[2] is 1: offsets must not fall``.

        Examples
        --------
        >>> sk.SkinWeights.from_csr([0, 1, 3], [1, 0, 1], [1, 0.5, 0.5], 2).weights
        array([[1. , 0. ],
               [0.5, 0.5]])
        """
        offsets = index_array(indptr, "indptr", 1, "(V + 1,)")
        joints = index_array(indices, "indices", 1, "(N,)")
        values = float_array(data, "data", 1, "(N,)")
        if joints.shape != values.shape:
            raise ValueError(f"indices has shape {joints.shape} and data {values.shape}: both must be (N,)")
        return cls._made(Influences(joints, values, offsets), joint_count(num_joints))

    def _rows(self) -> tuple[npt.NDArray[np.int32], Floats]:
        """Return joints and weights as (V, K); rows of their own lengths are filled up once."""
        try:
            return self._padded
        except AttributeError:
            padded = joints, values = self._influences.padded()
            if self._influences.offsets is not None:
                padded = _frozen(joints), _frozen(values)
            object.__setattr__(self, "_padded", padded)
            return padded

    @property
    def indices(self) -> npt.NDArray[np.int32]:
        """(V, K) int32, read-only: joint of each influence."""
        return self._rows()[0]

    @property
    def weights(self) -> Floats:
        """(V, K) float64, read-only: weight of each influence, as given."""
        return self._rows()[1]

    @property
    def max_influences(self) -> int:
        """K, the columns of `indices` and `weights`."""
        return self._influences.longest

    def normalized(self) -> SkinWeights:
        """Return the weights with every row divided by its sum.

        Returns
        -------
        SkinWeights
            Rows of zeros stay as they are.

        Raises
        ------
        ValueError
            The weights of a row have a sum of 0, or one too small to divide by; the message names the row.

        Examples
        --------
        >>> sk.SkinWeights([[0, 1]], [[1, 3]], 2).normalized().weights
        array([[0.25, 0.75]])
        """
        pairs = self._influences
        largest = pairs.reduced(np.maximum, np.abs(pairs.values))
        if largest.max(initial=1.0) > 1e100 or largest.min(initial=1.0) < 1e-100:
            pairs = pairs._replace(values=pairs.divided(np.where(largest > 0, largest, 1)))
            largest = np.minimum(largest, 1)
        sums = pairs.reduced(np.add, pairs.values)
        for v in np.flatnonzero(np.abs(sums) < 1e-12 * largest):
            row = self._influences.taken(slice(v, v + 1)).values.ravel().tolist()
            raise ValueError(f"weights[{v}] is {row}: a sum of 0 cannot be normalised")
        return self._made(pairs._replace(values=pairs.divided(np.where(largest > 0, sums, 1))), self.num_joints)

    def pruned(self, max_influences: int = 4) -> SkinWeights:
        """Return the weights with only the largest influences of each vertex, rescaled to the row's old sum.

        Parameters
        ----------
        max_influences : int
            Number of influences that a vertex keeps, 1 or more: those with the largest absolute weight, the first of
            equals.

        Returns
        -------
        SkinWeights
            Influences keep their order; a joint that a row names twice becomes one influence at its first place.

        Raises
        ------
        ValueError, TypeError
            `max_influences` is not an integer, or less than 1.

        Examples
        --------
        >>> sk.SkinWeights([[0, 1, 2]], [[0.4, 0.2, 0.4]], 3).pruned(2).weights
        array([[0.5, 0.5]])
        """
        count = whole_number("max_influences", max_influences, 1)
        width = min(count, self.max_influences)
        joints = np.zeros((self.num_vertices, width), np.int32)
        weights = np.zeros((self.num_vertices, width))
        for start, ids, values in self._influences.chunks():
            whole = merged(ids, values, repeated_rows(ids, values))
            # The first of equals are kept, in their order.
            columns = np.sort(np.argsort(-np.abs(whole), axis=1, kind="stable")[:, :width], axis=1)
            kept = np.take_along_axis(whole, columns, axis=1)
            left, total = kept.sum(axis=1), whole.sum(axis=1)
            usable = np.abs(left) > 1e-12 * np.abs(kept).max(axis=1, initial=0)
            factor = np.where(usable, total / np.where(usable, left, 1), 1)
            part = slice(start, start + len(ids)), slice(0, columns.shape[1])
            joints[part], weights[part] = np.take_along_axis(ids, columns, axis=1), kept * factor[:, None]
        return type(self)(joints, weights, self.num_joints)

    def subset(self, vertices: npt.ArrayLike) -> SkinWeights:
        """Return the weights of some vertices.

        Parameters
        ----------
        vertices : array_like of int, (N,), or of bool, (V,)
            Vertices in any order, repeats allowed; or a mask over all vertices.

        Returns
        -------
        SkinWeights
            Row i is that of ``vertices[i]``; skinning ``points[vertices]`` with them gives the bits of skinning all.

        Raises
        ------
        ValueError, TypeError
            There is no such vertex; the message names its place.

        Examples
        --------
        >>> sk.SkinWeights([[0], [1], [2]], [[1], [1], [1]], 3).subset([2, 0]).indices.tolist()
        [[2], [0]]
        """
        array = array_of(vertices, "vertices")
        if array.dtype == bool:
            if array.shape != (self.num_vertices,):
                raise ValueError(f"vertices has shape {array.shape}: a mask must be ({self.num_vertices},)")
            array = np.flatnonzero(array)
        rows = index_array(array, "vertices", 1, "(N,)")
        for i in np.flatnonzero((rows < 0) | (rows >= self.num_vertices)):
            raise ValueError(f"vertices[{i}] is {rows[i]}: there are {self.num_vertices} vertices")
        return self._made(self._influences.taken(rows), self.num_joints)

    def check(self, max_influences: int | None = None) -> WeightsReport:
        """Report weights that are unusual but valid.

        Parameters
        ----------
        max_influences : int, optional
            If given, also report the vertices that lose weight when `pruned` to this number of influences.

        Returns
        -------
        WeightsReport
            Vertices whose weights have a sum that differs from 1 by more than 1e-5, are negative, are all zero, or
            name a joint twice; and those that lose weight by pruning. As text it shows the first few of each.

        Raises
        ------
        ValueError, TypeError
            `max_influences` is not an integer, or less than 1.

        Examples
        --------
        >>> print(sk.SkinWeights([[0, 1], [0, 0]], [[0.5, 0.4], [0, 0]], 2).check(max_influences=1))
        sum is off 1, at worst 0.9: 1 vertices (0)
        no weight, stays where it is: 1 vertices (1)
        loses weight when pruned, at most 0.4: 1 vertices (0)
        """
        count = None if max_influences is None else whole_number("max_influences", max_influences, 1)
        return make_report(self._influences, max_influences=count)

    @staticmethod
    def inspect(indices: npt.ArrayLike, weights: npt.ArrayLike, num_joints: int) -> WeightsReport:
        """Report on arrays that may not be valid SkinWeights; invalid values are findings, not errors.

        Parameters
        ----------
        indices : array_like of int, (V, K)
            Joint of each influence.
        weights : array_like of float, (V, K)
            Weight of each influence.
        num_joints : int
            Number of joints.

        Returns
        -------
        WeightsReport
            The findings of `check`, and row and column of every invalid id and every weight that is not finite.

        Raises
        ------
        ValueError, TypeError
            Shapes or dtypes do not fit, or `num_joints` is out of range.

        Examples
        --------
        >>> print(sk.SkinWeights.inspect([[0, 7], [1, 0]], [[0.5, 0.5], [1, float("nan")]], 2))
        joint id out of range: 1 entries ([0, 1])
        weight not finite: 1 entries ([1, 1])
        """
        return make_report(_pairs(indices, weights), joint_count(num_joints))

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"SkinWeights are immutable: cannot set {name}")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"SkinWeights are immutable: cannot delete {name}")

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, SkinWeights):
            return NotImplemented
        return (
            self.num_joints == other.num_joints
            and np.array_equal(self.indices, other.indices)
            and np.array_equal(self.weights, other.weights)
        )

    def __hash__(self) -> int:
        return hash((self.num_joints, self.num_vertices, self.max_influences))

    def __reduce__(self) -> tuple[Any, ...]:
        joints, values, offsets = self._influences
        if offsets is None:
            return type(self), (joints, values, self.num_joints)
        return type(self).from_csr, (offsets, joints, values, self.num_joints)

    def _repr_html_(self) -> str:
        """Show counts and what is unusual."""
        return html_table([], weights_rows(self)) + html_list(str(self.check()).splitlines())

    def __repr__(self) -> str:
        return (
            f"<{type(self).__name__}: {self.num_vertices} vertices, {self.num_joints} joints, "
            f"up to {self.max_influences} influences>"
        )


def weights_rows(weights: SkinWeights) -> list[tuple[str, str]]:
    """Return rows for a table: how many vertices, joints, and joints per vertex."""
    used = weights._influences.reduced(np.add, (weights._influences.values != 0).astype(np.float64))
    shares = ", ".join(
        f"{int(count)}: {100.0 * part / len(used):.3g} %" for count, part in zip(*np.unique(used, return_counts=True))
    )
    return [
        ("vertices", f"{weights.num_vertices:,}"),
        ("joints", f"{weights.num_joints:,}"),
        ("joints per vertex", shares or "–"),
    ]
