# SPDX-License-Identifier: MIT
"""Times of frames that cannot be meant as they are written: in another unit, or rates in their place."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["Likely", "likely_rate"]

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
