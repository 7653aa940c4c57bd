# SPDX-License-Identifier: MIT
"""Colours of the player: one for each of several clips, and a map for values of joints or vertices."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._support.arguments import numbers_of
from .._support.array_types import Floats
from .scene_data import pack

# Distinguishable with any kind of colour blindness, on light and dark backgrounds: they differ in lightness too.
CLIP_COLORS = ("#3b82d6", "#e8871e", "#2fa678", "#c35fa8", "#8a6fd1", "#b8a11f", "#5bb5d5", "#9a5b32")
# The map goes through these points of OKLab: dark violet, blue, teal, green, yellow. Lightness rises by equal steps.
_KNOTS = np.array(
    [
        [0.30, 0.060, -0.110],
        [0.46, -0.005, -0.110],
        [0.62, -0.085, -0.010],
        [0.78, -0.110, 0.100],
        [0.93, -0.040, 0.170],
    ]
)
_TO_LMS = np.array(
    [[1.0, 0.3963377774, 0.2158037573], [1.0, -0.1055613458, -0.0638541728], [1.0, -0.0894841775, -1.2914855480]]
)
_TO_RGB = np.array(
    [
        [4.0767416621, -3.3077115913, 0.2309699292],
        [-1.2684380046, 2.6097574011, -0.3413193965],
        [-0.0041960863, -0.7034186147, 1.7076147010],
    ]
)


def color_map(count: int = 256) -> NDArray[np.uint8]:
    """Return the colours (count, 3) of values from the lowest to the highest, in sRGB.

    The map is perceptually uniform: neighbours are equally far apart in OKLab. Its lightness only rises, so that it can
    be read without seeing colours, and printed in grey.

    Parameters
    ----------
    count : int, default 256
        How many.

    Returns
    -------
    (count, 3) ndarray of uint8
        Red, green and blue.

    Examples
    --------
    >>> color_map(2).tolist()
    [[56, 22, 98], [253, 236, 72]]
    """
    fine = _through_knots(np.linspace(0.0, 1.0, 2000))
    length = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(fine, axis=0), axis=1))])
    at = np.linspace(0.0, length[-1], count)
    lab = np.stack([np.interp(at, length, fine[:, k]) for k in range(3)], axis=1)
    linear = np.clip((lab @ _TO_LMS.T) ** 3 @ _TO_RGB.T, 0.0, 1.0)
    srgb = np.where(linear <= 0.0031308, 12.92 * linear, 1.055 * linear ** (1 / 2.4) - 0.055)
    return np.asarray(np.round(255.0 * srgb), np.uint8)


def _through_knots(t: Floats) -> Floats:
    """Return the smooth curve through the knots (Catmull-Rom, ends held) at t in 0 … 1."""
    padded = np.concatenate([2 * _KNOTS[:1] - _KNOTS[1:2], _KNOTS, 2 * _KNOTS[-1:] - _KNOTS[-2:-1]])
    u = t * (len(_KNOTS) - 1)
    k = np.minimum(u.astype(int), len(_KNOTS) - 2)
    u = (u - k)[:, None]
    a, b, c, d = (padded[k + i] for i in range(4))
    return np.asarray(b + 0.5 * u * (c - a + u * (2 * a - 5 * b + 4 * c - d + u * (3 * (b - c) + d - a))))


def checked_color(name: str, value: Any) -> str:
    """Return a colour that is written as #rrggbb, in small letters.

    Parameters
    ----------
    name : str
        Of the argument, for the message.
    value : str
        The colour.

    Returns
    -------
    str
        The colour.

    Raises
    ------
    TypeError, ValueError
        The value is not such text.

    Examples
    --------
    >>> checked_color("colors[0]", "#FF8800")
    '#ff8800'
    """
    if not isinstance(value, str):
        raise TypeError(f"{name} is a {type(value).__name__}: text such as '#3b82d6' is needed")
    if not re.fullmatch("#[0-9a-fA-F]{6}", value):
        raise ValueError(f"{name} is {value!r}: a colour is written as '#rrggbb'")
    return value.lower()


def checked_values(values: Any, name: str, clip: Any, mesh: Any) -> Floats | None:
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
    shapes = " or ".join(f"({n},), ({clip.num_frames}, {n})" for n in counts.values())
    if array.ndim not in (1, 2) or array.shape[-1] not in counts.values():
        raise ValueError(f"{name} has shape {array.shape}: expected {shapes}, for frames and {' or '.join(counts)}")
    if array.ndim == 2 and len(array) != clip.num_frames:
        raise ValueError(f"{name} has shape {array.shape}: the clip has {clip.num_frames} frames, expected {shapes}")
    if np.isinf(array).any():
        where = ", ".join(str(k) for k in np.argwhere(np.isinf(array))[0])
        raise ValueError(f"{name}[{where}] is infinite: values are finite, or NaN where there is none")
    return array.reshape(-1, array.shape[-1])


def range_of(values: Sequence[Floats | None], given: Any) -> tuple[float, float]:
    """Return the values at the ends of the colour map: the given ones, else the lowest and the highest value."""
    if given is not None:
        pair = numbers_of(given, "color_range")
        if pair.shape != (2,) or not (np.isfinite(pair).all() and pair[0] < pair[1]):
            raise ValueError(f"color_range is {given!r}: two numbers, the lower one first, are needed")
        return float(pair[0]), float(pair[1])
    known = [v[np.isfinite(v)] for v in values if v is not None]
    every = np.concatenate([*known, np.zeros(0)])
    return (float(every.min()), float(every.max())) if every.size else (0.0, 1.0)


def packed_values(values: Floats | None, joints: int, limits: tuple[float, float]) -> Any:
    """Return values as the page reads them: steps 1 to 255 from the lowest to the highest, 0 for none."""
    if values is None:
        return None
    low, high = limits
    share = np.clip((values - low) / ((high - low) or 1.0), 0.0, 1.0)
    steps = np.where(np.isnan(values), 0.0, 1.0 + np.round(254.0 * np.nan_to_num(share)))
    return {"ofJoints": values.shape[1] == joints, "frames": len(values), "steps": pack(steps, "u1")}


def legend(limits: tuple[float, float], label: str | None) -> dict[str, Any]:
    """Return the data of the page's legend: the map's colours, the values at its ends and the label."""
    colors = ["#" + bytes(c).hex() for c in color_map(17)]
    texts = [np.format_float_positional(v, precision=3, unique=True, fractional=False, trim="-") for v in limits]
    return {"label": label or "", "low": texts[0], "high": texts[1], "colors": colors, "map": pack(color_map(), "u1")}
