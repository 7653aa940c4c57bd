# SPDX-License-Identifier: MIT
"""Rates of files: those of arrays, and what is meant by times of frames that none can be."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import NamedTuple

import numpy as np

from .._support.arguments import LEAST_FPS, MOST_FPS, frame_rate
from .._support.array_types import Array, FilePath
from .._support.errors import FormatError, warn_of_format
from ..motion.facts import ClipFacts

_RATES = ("mocap_framerate", "mocap_frame_rate", "framerate", "frame_rate", "fps")

_LONGEST, _SHORTEST = 1.0, 1e-3  # seconds of a frame of motion that somebody captured or animated
_USUAL = (12, 15, 20, 24, 25, 30, 48, 50, 60, 72, 90, 100, 120, 240)
_NEAR = 2e-3  # of a number: 29.97 is near 30
_UNITS = ((1e3, "milliseconds"), (1e6, "microseconds"), (1e-3, "thousands of seconds"))


class Likely(NamedTuple):
    """The rate that is meant, and what the number is in place of seconds."""

    fps: float
    unit: str


def likely_rate(seconds: float, step: float = 0.0) -> Likely | None:
    """Return what is meant by a time of a frame that no frame takes.

    Parameters
    ----------
    seconds : float
        What is written.
    step : float, default 0
        The last digit that is printed: 33 has a step of 1.

    Returns
    -------
    Likely or None
        The rate, a usual one or near it; None where frames may take that time, or nothing usual is like it.

    Examples
    --------
    >>> likely_rate(33.33, 0.01), likely_rate(60.0), likely_rate(7.0)
    (Likely(fps=30.0, unit='milliseconds'), Likely(fps=60.0, unit='frames per second'), None)
    """
    if _SHORTEST <= seconds <= _LONGEST:
        return None
    if min(abs(seconds - rate) for rate in _USUAL) <= _NEAR * seconds:
        return Likely(seconds, "frames per second")
    for scale, unit in _UNITS:
        rate = min(_USUAL, key=lambda rate: abs(scale / rate - seconds))
        apart = abs(scale / rate - seconds)
        if apart <= max(step, _NEAR * seconds):
            return Likely(float(rate) if apart <= max(step, 1e-6 * seconds) else scale / seconds, unit)
    return None


class Arrays(NamedTuple):
    """Arrays, read by their names and the kinds of dtypes that can be used; of the file of this path, for messages."""

    path: FilePath
    names: Collection[str]
    read: Callable[[str, str], Array]


def rate_of_arrays(arrays: Arrays, given: float | None) -> tuple[float, str] | None:
    """Return the rate that was given, else that of the arrays, and where it comes from; None where nobody says it.

    Less than one that is the time of a frame at a usual rate is taken for that, with a warning.

    Parameters
    ----------
    arrays : Arrays
        Those of a file.
    given : float or None
        The rate that counts whatever they say.

    Raises
    ------
    FormatError
        If they say something that is none.
    ValueError, TypeError
        If what was given is none.
    """
    if given is not None:
        return frame_rate(given), "given"
    key = next((key for key in _RATES if key in arrays.names), None)
    if key is None:
        return None
    named = "the rate" if key == "fps" else key  # "fps is" would be about the argument
    value = arrays.read(key, "biufU")
    rate = float(value.reshape(-1)[0]) if value.size == 1 and value.dtype.kind != "U" else float("nan")
    if not LEAST_FPS <= rate <= MOST_FPS:
        rule = "a number of frames per second is needed; give it with fps= (--fps)"
        raise FormatError(arrays.path, None, f"{named} is {value.tolist()!r}: {rule}")
    if rate < _LONGEST and (likely := likely_rate(1.0 / rate)) is not None and likely.unit == "frames per second":
        what = f"{named} is {rate:g}, taken for the seconds of a frame: {likely.fps:g} frames per second"
        warn_of_format(arrays.path, None, f"{what}; give the rate with fps= (--fps)")
        return likely.fps, f"{key} taken for the seconds of a frame"
    return rate, "file"


def with_rate(names: Collection[str], facts: ClipFacts) -> dict[str, Array]:
    """Return those of the arrays that say a rate which is not the clip's, with that of the clip."""
    if facts.fps_source == "file":
        return {}
    return {key: np.array(facts.fps) for key in _RATES if key in names}
