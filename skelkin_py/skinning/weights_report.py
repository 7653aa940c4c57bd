# SPDX-License-Identifier: MIT
"""What is unusual or wrong in skin weights, told with row numbers."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from .._support.short_repr import short_repr
from .._support.values import compared_by_values
from .influences import Influences, merged, repeated_rows

SHOWN = 5  # row numbers that a line of the text shows
SLACK = 1e-5  # how far a sum may be off 1

Rows = npt.NDArray[np.int64]
_NONE = np.zeros(0, np.int64)
_NO_ENTRIES = np.zeros((0, 2), np.int64)


@compared_by_values
class WeightsReport(NamedTuple):
    """What `SkinWeights.check` and `SkinWeights.inspect` found; empty arrays where all is well.

    Attributes
    ----------
    ok : bool
        True if no vertex has weights that are off, negative or missing, and every id and weight can be used. A joint
        named twice is allowed, and so is what pruning would drop.
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
    dropped : ndarray of int64
        Vertices that lose weight when pruned to `max_influences`; empty where that was not asked for.
    worst_dropped : float
        The most that one of them loses: the sum of the absolute weights that are dropped.
    bad_indices : ndarray of int64, (n, 2)
        Row and column of each joint id that is negative or not below the number of joints.
    not_finite : ndarray of int64, (n, 2)
        Row and column of each weight that is infinite or not a number. Sums leave such rows out.
    """

    ok: bool
    not_normalized: Rows
    negative: Rows
    empty: Rows
    repeated: Rows
    worst_sum: float
    dropped: Rows = _NONE
    worst_dropped: float = 0.0
    bad_indices: Rows = _NO_ENTRIES
    not_finite: Rows = _NO_ENTRIES

    def __repr__(self) -> str:
        return short_repr(self)

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


def _line(finding: str, rows: Rows, unit: str) -> str:
    """Return one line of the text, or nothing; of many rows the first few are shown."""
    if not len(rows):
        return ""
    shown = ", ".join(str(row.tolist()) if row.ndim else str(row) for row in rows[:SHOWN])
    more = ", ..." if len(rows) > SHOWN else ""
    return f"{finding}: {len(rows)} {unit} ({shown}{more})"


def make_report(
    influences: Influences, num_joints: int | None = None, max_influences: int | None = None
) -> WeightsReport:
    """Look at every row; ids and weights are checked where `num_joints` is given."""
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


def _by_chunks(influences: Influences, max_influences: int | None) -> tuple[Rows, Rows, float]:
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
