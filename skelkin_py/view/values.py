# SPDX-License-Identifier: MIT
"""Values that figures are coloured by: one per joint or vertex, still or of every frame."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._support.arguments import numbers_of
from .colors import color_map
from .scene_data import pack


def checked_values(values: Any, name: str, clip: Any, mesh: Any) -> NDArray[np.float64] | None:
    """Return the values of a clip (1 or F, N), N its joints or the vertices of its skin.

    Parameters
    ----------
    values : array_like or None
        (J,), (F, J), (V,) or (F, V); NaN where there is none.
    name : str
        Of the argument.
    clip, mesh
        What they belong to.

    Returns
    -------
    ndarray or None
        With an axis of frames, which has length 1 where the values do not change.

    Raises
    ------
    TypeError, ValueError
        No real numbers, or another shape.
    """
    if values is None:
        return None
    array = np.asarray(numbers_of(values, name), float)
    counts = {"joints": len(clip.names)} | ({} if mesh is None else {"vertices": mesh.weights.num_vertices})
    told = " or ".join(f"({n},), ({clip.num_frames}, {n})" for n in counts.values())
    if array.ndim not in (1, 2) or array.shape[-1] not in counts.values():
        raise ValueError(f"{name} has shape {array.shape}: expected {told}, for frames and {' or '.join(counts)}")
    if array.ndim == 2 and len(array) != clip.num_frames:
        raise ValueError(f"{name} has shape {array.shape}: the clip has {clip.num_frames} frames, expected {told}")
    if np.isinf(array).any():
        where = ", ".join(str(k) for k in np.argwhere(np.isinf(array))[0])
        raise ValueError(f"{name}[{where}] is infinite: values are finite, or NaN where there is none")
    return array.reshape(-1, array.shape[-1])


def range_of(values: Sequence[NDArray[np.float64] | None], given: Any) -> tuple[float, float]:
    """Return the lowest and the highest value of the colours: what is given, else those there are."""
    if given is not None:
        pair = numbers_of(given, "color_range")
        if pair.shape != (2,) or not (np.isfinite(pair).all() and pair[0] < pair[1]):
            raise ValueError(f"color_range is {given!r}: two numbers, the lower one first, are needed")
        return float(pair[0]), float(pair[1])
    known = [v[np.isfinite(v)] for v in values if v is not None]
    every = np.concatenate([*known, np.zeros(0)])
    return (float(every.min()), float(every.max())) if every.size else (0.0, 1.0)


def packed_values(values: NDArray[np.float64] | None, joints: int, limits: tuple[float, float]) -> Any:
    """Return values as the page reads them: steps 1 to 255 from the lowest to the highest, 0 for none."""
    if values is None:
        return None
    low, high = limits
    share = np.clip((values - low) / ((high - low) or 1.0), 0.0, 1.0)
    steps = np.where(np.isnan(values), 0.0, 1.0 + np.round(254.0 * np.nan_to_num(share)))
    return {"ofJoints": values.shape[1] == joints, "frames": len(values), "steps": pack(steps, "u1")}


def legend(limits: tuple[float, float], label: str | None) -> dict[str, Any]:
    """Return what the page's legend says: the map's colours, its ends and what is shown."""
    colors = ["#" + bytes(c).hex() for c in color_map(17)]
    texts = [np.format_float_positional(v, precision=3, unique=True, fractional=False, trim="-") for v in limits]
    return {"label": label or "", "low": texts[0], "high": texts[1], "colors": colors, "map": pack(color_map(), "u1")}
