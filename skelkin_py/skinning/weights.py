# SPDX-License-Identifier: MIT
"""Skin weights: which joints move a vertex, and how much; checked once and never changed."""

from __future__ import annotations

from typing import Any, NoReturn

import numpy as np
import numpy.typing as npt

from .. import _core
from .._support.arguments import array_of, float_array, index_array, number_array
from .._support.html_table import html_list, html_table
from ..skeleton import _frozen
from .influences import Influences, influence_count, joint_count, largest_columns, merged, repeated_rows
from .weights_report import WeightsReport, make_report


def _pairs(indices: npt.ArrayLike, weights: npt.ArrayLike) -> Influences:
    """Return (V, K) joints and weights whose shapes fit; values are not looked at."""
    joints = index_array(indices, "indices", 2, "(V, K)")
    values = float_array(weights, "weights", 2, "(V, K)")
    if joints.shape != values.shape:
        raise ValueError(f"indices has shape {joints.shape} and weights {values.shape}: both must be (V, K)")
    return Influences(joints, values)


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

    __slots__ = ("_influences", "_padded")
    _influences: Influences
    _padded: tuple[npt.NDArray[np.int32], npt.NDArray[np.float64]]

    def __new__(cls, indices: npt.ArrayLike, weights: npt.ArrayLike, num_joints: int) -> SkinWeights:
        """Check everything and copy it."""
        return cls._made(_pairs(indices, weights), joint_count(num_joints))

    @classmethod
    def _made(cls, influences: Influences, num_joints: int) -> SkinWeights:
        """Return weights with a copy of these pairs; the core checks them and names what breaks a rule.

        The copy is made first: another thread may write into the caller's arrays while they are being checked.
        """
        joints, values = influences.joints.copy(), _frozen(influences.values)
        if influences.offsets is None:
            offsets = None
            self = super().__new__(cls, num_joints, joints, values)
        else:
            offsets = _frozen(influences.offsets)
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
            Another shape, or a weight that is not finite, named with row and column; more than 65535 joints.

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
            Kept in these rows; `indices` and `weights` show them padded by weight 0 to the longest one. Entries of a
            row may come in any order, and a joint more than once.

        Raises
        ------
        ValueError, TypeError
            Offsets that do not begin at 0, fall, or do not end at N; an index that is no joint, a weight that is not
            finite; each named with its place in the array: ``indptr[2] is 1: offsets must not fall``.

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

    def _rows(self) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.float64]]:
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
    def weights(self) -> npt.NDArray[np.float64]:
        """(V, K) float64, read-only: weight of each influence, as given."""
        return self._rows()[1]

    @property
    def max_influences(self) -> int:
        """K, the columns of `indices` and `weights`."""
        return self._influences.longest

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
        pairs = self._influences
        largest = pairs.reduced(np.maximum, np.abs(pairs.values))
        if largest.max(initial=1.0) > 1e100 or largest.min(initial=1.0) < 1e-100:
            pairs = pairs._replace(values=pairs.divided(np.where(largest > 0, largest, 1)))
            largest = np.minimum(largest, 1)
        sums = pairs.reduced(np.add, pairs.values)
        for v in np.flatnonzero(np.abs(sums) < 1e-12 * largest):
            row = self._influences.row(int(v))[1].tolist()
            raise ValueError(f"weights[{v}] is {row}: a sum of 0 cannot be normalised")
        return self._made(pairs._replace(values=pairs.divided(np.where(largest > 0, sums, 1))), self.num_joints)

    def pruned(self, max_influences: int = 4) -> SkinWeights:
        """Return the same weights with only the largest influences of each vertex, rescaled to the row's old sum.

        Parameters
        ----------
        max_influences : int
            How many influences a vertex keeps, 1 or more; those with the largest absolute weight, the first of equals.

        Returns
        -------
        SkinWeights
            Influences keep their order; a joint that a row names twice is one influence, where it is named first.

        Raises
        ------
        ValueError, TypeError
            A number of influences that is no integer, or less than 1.

        Examples
        --------
        >>> sk.SkinWeights([[0, 1, 2]], [[0.4, 0.2, 0.4]], 3).pruned(2).weights
        array([[0.5, 0.5]])
        """
        count = influence_count(max_influences)
        width = min(count, self.max_influences)
        joints = np.zeros((self.num_vertices, width), np.int32)
        weights = np.zeros((self.num_vertices, width))
        for start, ids, values in self._influences.chunks():
            whole = merged(ids, values, repeated_rows(ids, values))
            columns = largest_columns(whole, width)
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
            Which vertices, in this order; one may come more than once. Or a mask over all of them.

        Returns
        -------
        SkinWeights
            Row i is that of ``vertices[i]``; skinning ``points[vertices]`` with them gives the bits of skinning all.

        Raises
        ------
        ValueError, TypeError
            A vertex that is not there, named with its place.

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
        """Report what is unusual, though no error.

        Parameters
        ----------
        max_influences : int, optional
            Report also which vertices lose weight when `pruned` to so many influences.

        Returns
        -------
        WeightsReport
            Vertices whose weights do not sum to 1 (by more than 1e-5), are negative, are all zero, or name a joint
            twice; and those that pruning takes weight from. As text it shows the first few of each.

        Raises
        ------
        ValueError, TypeError
            A number of influences that is no integer, or less than 1.

        Examples
        --------
        >>> print(sk.SkinWeights([[0, 1], [0, 0]], [[0.5, 0.4], [0, 0]], 2).check(max_influences=1))
        sum is off 1, at worst 0.9: 1 vertices (0)
        no weight, stays where it is: 1 vertices (1)
        loses weight when pruned, at most 0.4: 1 vertices (0)
        """
        count = None if max_influences is None else influence_count(max_influences)
        return make_report(self._influences, max_influences=count)

    @staticmethod
    def inspect(indices: npt.ArrayLike, weights: npt.ArrayLike, num_joints: int) -> WeightsReport:
        """Report on arrays that may be too bad to become SkinWeights; no value in them raises.

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
            As `check` gives it, and every bad id and every weight that is not finite with row and column.

        Raises
        ------
        ValueError, TypeError
            Shapes or dtypes that do not fit, or a number of joints that cannot be.

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
            and self.num_vertices == other.num_vertices
            and self.max_influences == other.max_influences
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
