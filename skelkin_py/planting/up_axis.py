# SPDX-License-Identifier: MIT
"""Which way is up: given by the caller, or read from the motion itself."""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from .. import _core
from .._support.arguments import numbers_of
from .._support.array_types import Floats
from ..motion.normalized import axis_vector

_CLEAR = 0.8  # where less of the body's direction lies along the axis, "up" is a guess, and the report says so


def axis_name(up: Floats) -> str:
    """Return the name of a direction: ``+Y``, ``-Z`` …, or its three numbers where it is no axis.

    `up` (3,): a unit vector.

    Examples
    --------
    >>> axis_name(np.array([0.0, 1.0, 0.0]))
    '+Y'
    """
    k = int(np.argmax(np.abs(up)))
    if abs(up[k]) > 1.0 - 1e-9:
        return ("+" if up[k] > 0 else "-") + "XYZ"[k]
    return f"({up[0]:.4g}, {up[1]:.4g}, {up[2]:.4g})"


def find_up(
    top: Floats,
    feet: Floats,
    rest: Floats | None = None,
    fps: float = 30.0,
    *,
    hips: Floats | None = None,
    positions: Floats | None = None,
) -> tuple[Floats, float]:
    """Find the axis that points up: the one nearest to the mean direction from the feet to the top of the body.

    `top` (F, 3): global positions of the head, or of the hips where there is no head. `feet` (F, 3): mean global
    positions of the ankles. `rest` (3,), optional: from feet to top in the rest pose, for clips that do not stand all
    the time. With it, `hips` (F, 3), their mean, and `positions` (F, J, 3) of all joints show the floor below a body
    that leans far or goes on four legs. Returns `up` (3,): a unit vector along one axis; `share`: how much of the mean
    direction lies along that axis, −1 … 1, and 1 where a floor decided. ValueError: the two coincide on average.

    Examples
    --------
    >>> up, share = find_up(np.array([[0.1, 1.7, 0.0]]), np.zeros((1, 3)))
    >>> up.tolist(), share > 0.99
    ([0.0, 1.0, 0.0], True)
    >>> falls = np.array([[0.0, 1.7, 0.0], *[[0.0, 0.2, 1.7]] * 20])  # stands, and lies for the rest of the clip
    >>> find_up(falls, np.zeros((21, 3)), rest=np.array([0.0, 1.6, 0.0]), fps=4.0)[0].tolist()
    [0.0, 1.0, 0.0]
    """
    top, feet, hips = (
        np.ascontiguousarray(path, dtype=np.float64) for path in (top, feet, top if hips is None else hips)
    )
    rest = None if rest is None else np.ascontiguousarray(rest, dtype=np.float64)
    lowest = None if positions is None else np.concatenate([positions.min(axis=1).T, -positions.max(axis=1).T]).ravel()
    return _core.body_up(top, hips, feet, rest, lowest, fps)


def given_up(up: ArrayLike | Literal["auto"]) -> Floats | None:
    """Return the given unit up vector (3,); None for "auto".

    ValueError: `up` is neither a known word nor a finite direction.

    Examples
    --------
    >>> given_up("Z").tolist()
    [0.0, 0.0, 1.0]
    """
    if isinstance(up, str):
        if up == "auto":
            return None
        axis = axis_vector(up)
        if axis is None:
            raise ValueError(f"up is {up!r}: it must be 'auto', an axis such as 'Y' or '-Z', or three numbers")
        return axis
    given = numbers_of(up, "up").astype(np.float64)
    largest = float(np.abs(given).max()) if given.shape == (3,) else float("nan")
    if not (np.isfinite(largest) and largest > 0.0):
        raise ValueError(f"up is {up!r}: it must be three finite numbers, not all zero")
    if not 1e-100 < largest < 1e100:  # its square would overflow or vanish
        given /= largest
    return given / float(np.linalg.norm(given))


def about_up(up: Floats, share: float) -> list[str]:
    """Warn where up was found on weak evidence: only `share` of the body's direction lies along it."""
    if share >= _CLEAR:
        return []
    part = f"{max(share, 0.0):.0%} of the body's direction"
    return [f"up {axis_name(up)} is a guess ({part}): give up= to be sure"]
