# SPDX-License-Identifier: MIT
"""The report of one contact and of one leg, and where they exceed bounds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from ..._support.arguments import check_word, real_number
from ..._support.array_types import Flags, Floats
from ..._support.short_repr import short_repr
from ..._support.values import Value, compared_by_values
from ..cost import LegCost
from ..metrics import ContactMeasure, FootCurves, knee_pops
from ..spans import Span, frames_to_spans, span_mask

_STRAIGHT, _FOLDED = 160.0, 40.0  # degrees: a knee counts as straight above the first, as folded below the second


WHEN = ("before", "after")


@dataclass(frozen=True)
class Contact:
    """A span of frames in which a foot stands.

    Parameters
    ----------
    leg : int
        The leg's index in `PlantReport.legs`.
    name : str
        The leg's name: its side, else (no side, or several legs share it) its foot joint.
    first_frame, last_frame : int
        Its frames, both included.
    before, after : ContactMeasure
        Slide, penetration and float of the original and of the planted clip, in the clip's units.
    rise : float
        Height of the foot above the ground, where it stands on something that the ground does not include, or above or
        below an estimated ground; else 0.
    stands_at : (float, float, float)
        Mean position of the sole under the ball in the planted contact.
    """

    leg: int
    name: str
    first_frame: int
    last_frame: int
    before: ContactMeasure
    after: ContactMeasure
    rise: float = 0.0
    stands_at: tuple[float, ...] = ()

    def measure(self, when: str) -> ContactMeasure:
        """Return `before` or `after` by its name."""
        check_word("when", when, WHEN)
        return self.before if when == "before" else self.after


@dataclass(frozen=True, eq=False)
class LegReport(Value):
    """The report of one leg over the whole clip.

    Parameters
    ----------
    name : str
        The leg's side, else (no side, or several legs share it) its foot joint.
    contacts : list of (first, last)
        Its contacts.
    held : list of (first, last)
        When its foot is held flat and still.
    length : float
        Leg length in the clip's units.
    sole : float
        Height of the ball joint (without one, of the ankle) above the sole, in the clip's units.
    sole_source : str
        Where that height comes from.
    before, after : FootCurves
        Height, speed, knee angle and flexion per frame.
    cost : LegCost
        What planting cost this leg.
    unreachable : list of (first, last)
        Frames of contacts in which the leg could not reach its foothold.
    """

    name: str
    contacts: list[Span]
    held: list[Span]
    length: float
    sole: float
    sole_source: str
    before: FootCurves
    after: FootCurves
    cost: LegCost
    unreachable: list[Span] = field(default_factory=list)

    def __repr__(self) -> str:
        return short_repr(self)

    @property
    def heel_contacts(self) -> list[Span]:
        """When its heel stands: in its contacts, except while the foot is up on its ball."""
        return self._standing(self.after.roll >= 0)

    @property
    def ball_contacts(self) -> list[Span]:
        """When its ball stands: in its contacts, except while the foot stands on its heel."""
        return self._standing(self.after.roll <= 0)

    def _standing(self, down: Flags) -> list[Span]:
        pieces = ((first, frames_to_spans(down[first : last + 1])) for first, last in self.contacts)
        return [(first + a, first + b) for first, spans in pieces for a, b in spans]

    def curves(self, when: str) -> FootCurves:
        """Return `before` or `after` by its name."""
        check_word("when", when, WHEN)
        return self.before if when == "before" else self.after

    def knee_pops(self, fps: float, frames: Span, when: str = "after") -> list[int]:
        """Return the frames in which the knee pops, see `metrics.knee_pops`."""
        return knee_pops(self.curves(when).flexion, fps, frames)

    def why_unreachable(self, span: Span) -> str:
        """Return in words why the leg could not reach its foothold in these frames."""
        knee = self.after.knee[span[0] : span[1] + 1]
        if knee.max() >= _STRAIGHT:
            return f"too far away for a leg of length {self.length:.4g}: the knee opens to {knee.max():.0f}°"
        if knee.min() <= _FOLDED:
            return f"too near the hip: the knee folds to {knee.min():.0f}°"
        return (
            f"too far away for a leg of length {self.length:.4g} while the body stays with the other feet: the foot is "
            f"left to its way, at a knee angle of {knee.min():.0f}° … {knee.max():.0f}°"
        )


@compared_by_values
class Violation(NamedTuple):
    """A bound that a foot exceeds; printed, it is a sentence.

    Parameters
    ----------
    leg : str
        The leg's name.
    contact : int or None
        The index in `PlantReport.contacts`; None between contacts.
    frames : tuple of (first, last)
        The frames beyond the bound as spans, both ends included.
    what : "slide", "penetration" or "float"
        The measure.
    value : float
        Its worst value.
    bound : float
        The bound.
    unit : str
        The unit of both: "m", or "units" for the clip's units.
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

    `frames`: the range to check. `bounds`: None allows all. `unit`: the unit of the bounds, called `unit_name`, in the
    clip's units.
    """
    for what, bound in bounds.items():
        if bound is not None and not real_number(f"max_{what}", bound) >= 0.0:
            raise ValueError(f"max_{what} is {bound!r}: a length, 0 or more")
    found: list[Violation] = []
    for k, leg in enumerate(legs):
        curves = leg.curves(when)
        places: list[tuple[int | None, int, dict[str, Floats]]] = [
            (index, contact.first_frame, _by_frame(curves, contact))
            for index, contact in enumerate(contacts)
            if contact.leg == k
        ]
        between = ~span_mask(leg.contacts, len(curves.height))
        between[: frames[0]] = between[frames[1] + 1 :] = False
        for first, last in frames_to_spans(between):
            places.append((None, first, {"penetration": -curves.height[first : last + 1]}))
        for index, start, measured in places:
            for what, values in measured.items():
                bound = bounds.get(what)
                if bound is not None and (beyond := values / unit > bound).any():
                    spans = tuple((start + first, start + last) for first, last in frames_to_spans(beyond))
                    worst = float(values.max()) / unit
                    found.append(Violation(leg.name, index, spans, what, worst, bound, unit_name))
    return found


def _by_frame(curves: FootCurves, contact: Contact) -> dict[str, Floats]:
    """Return the values whose maxima `measure_contacts` returns, by frame."""
    first, last = contact.first_frame, contact.last_frame
    height = curves.height[first : last + 1] - contact.rise
    return {"slide": curves.distances((first, last)), "penetration": -height, "float": height}
