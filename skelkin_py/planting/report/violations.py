# SPDX-License-Identifier: MIT
"""Bounds for gates: where contacts, and what is between them, go beyond these."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..._support.arguments import real_number
from ..._support.values import compared_by_values
from ..metrics import FootCurves
from ..spans import Span, frames_to_spans, span_mask
from .legs import Contact, LegReport

Array = NDArray[np.float64]


@compared_by_values
class Violation(NamedTuple):
    """One bound that one foot goes beyond; printed, it is a sentence.

    Parameters
    ----------
    leg : str
        Its name.
    contact : int or None
        Which of `PlantReport.contacts`; None between contacts.
    frames : tuple of (first, last)
        The frames beyond the bound as spans, both ends included.
    what : "slide", "penetration" or "float"
        What is too much.
    value : float
        The worst of it.
    bound : float
        What was allowed.
    unit : str
        What both are in: "m", or "units" for the clip's units.
    """

    leg: str
    contact: int | None
    frames: tuple[Span, ...]
    what: str
    value: float
    bound: float
    unit: str

    def __str__(self) -> str:
        spans = ", ".join(f"{first}" if first == last else f"{first}–{last}" for first, last in self.frames)
        return (
            f"{self.leg} foot, frame{'s' * (not spans.isdigit())} {spans}: {self.what} "
            f"{self.value:.4g} {self.unit} > {self.bound:.4g} {self.unit}"
        )


def find_violations(
    legs: Sequence[LegReport], contacts: Sequence[Contact], frames: Span, bounds: Mapping[str, float | None], when: str,
    unit: float = 1.0, unit_name: str = "units",
) -> list[Violation]:  # fmt: skip
    """Compare every contact with bounds on "slide", "penetration" and "float", and penetration between contacts too.

    `frames`: those that were worked on. None is no bound; `unit` is how many of the clip's units are one of the
    bounds', which are called `unit_name`.
    """
    for what, bound in bounds.items():
        if bound is not None and not real_number(f"max_{what}", bound) >= 0.0:
            raise ValueError(f"max_{what} is {bound!r}: a length, 0 or more")
    found: list[Violation] = []
    for k, leg in enumerate(legs):
        curves = leg.curves(when)
        own = [(index, contact) for index, contact in enumerate(contacts) if contact.leg == k]
        places: list[tuple[int | None, int, dict[str, Array]]] = [
            (index, c.first_frame, _by_frame(curves, c.first_frame, c.last_frame, c.rise)) for index, c in own
        ]
        between = ~span_mask(leg.contacts, len(curves.height))
        between[: frames[0]] = between[frames[1] + 1 :] = False
        for first, last in frames_to_spans(between):
            places.append((None, first, {"penetration": -curves.height[first : last + 1]}))
        for index, start, measured in places:
            for what, values in measured.items():
                bound = bounds.get(what)
                if bound is None:
                    continue
                beyond = values / unit > bound
                if beyond.any():
                    spans = tuple((start + first, start + last) for first, last in frames_to_spans(beyond))
                    worst = float(values.max()) / unit
                    found.append(Violation(leg.name, index, spans, what, worst, bound, unit_name))
    return found


def _by_frame(curves: FootCurves, first: int, last: int, rise: float) -> dict[str, Array]:
    """Return what `measure_contacts` takes the worst of, frame by frame."""
    height = curves.height[first : last + 1] - rise
    return {
        "slide": curves.distances((first, last)),
        "penetration": -height,
        "float": height,
    }
