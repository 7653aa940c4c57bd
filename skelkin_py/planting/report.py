# SPDX-License-Identifier: MIT
"""What planting did, in numbers: per contact, per leg and for the whole clip."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .blend import Span
from .metrics import ContactMeasure, FootCurves

__all__ = ["Contact", "LegReport", "Report"]

Array = NDArray[np.float64]

# What a leg counts as where the clip's unit is not known.
LEG_METRES = 0.9


@dataclass(frozen=True)
class Contact:
    """One span in which a foot stands.

    Parameters
    ----------
    leg : int
        Which leg.
    name : str
        That leg's name: its side, else (no side, or several legs share it) its foot joint.
    first_frame, last_frame : int
        Frames, both included.
    before, after : ContactMeasure
        Slide, penetration and float of the original and of the planted clip, in the clip's units.
    rise : float
        How far above the ground the foot stands, on something the ground does not show; else 0.
    """

    leg: int
    name: str
    first_frame: int
    last_frame: int
    before: ContactMeasure
    after: ContactMeasure
    rise: float = 0.0

    @property
    def slide_before(self) -> float:
        """Slide of the original clip, in its units."""
        return self.before.slide

    @property
    def slide_after(self) -> float:
        """Slide of the planted clip, in its units."""
        return self.after.slide


@dataclass(frozen=True)
class LegReport:
    """One leg over the whole clip.

    Parameters
    ----------
    name : str
        Its side, else (no side, or several legs share it) its foot joint.
    contacts : list of (first, last)
        Its contacts.
    held : list of (first, last)
        Where its foot stands flat and is held still.
    length : float
        Leg length in the clip's units.
    sole : float
        Clearance of the ball (or ankle) joint above the sole in the clip's units.
    sole_source : str
        Where the clearance comes from.
    before, after : FootCurves
        Height, speed and knee angle per frame.
    unreachable : list of (first, last)
        Frames of contacts in which the leg could not reach its place.
    """

    name: str
    contacts: list[Span]
    held: list[Span]
    length: float
    sole: float
    sole_source: str
    before: FootCurves
    after: FootCurves
    unreachable: list[Span] = field(default_factory=list)


def _check_when(when: str) -> None:
    if when not in ("before", "after"):
        raise ValueError(f"when is {when!r}: 'before' or 'after'")


@dataclass(frozen=True)
class Report:
    """What planting did; printed, it is a short table.

    Parameters
    ----------
    contacts : tuple of Contact
        In the order of legs and frames.
    legs : tuple of LegReport
        One per leg.
    num_frames : int
        Length of the clip.
    frames : (int, int)
        The range that was worked on, both included.
    fps : float
        Frames per second.
    up : (3,) float64
        Unit vector.
    up_name : str
        The same as a word.
    ground : float or None
        Height of a level ground along up, in the clip's units; None for a function.
    ground_estimated : bool
        Whether that height was read from the stance feet.
    ground_velocity : (3,) float64 or None
        Velocity of the stance feet of an in-place cycle, in the clip's units per second; slide is then
        measured relative to it.
    metres_per_unit : float
        What was given, else 0.9 m divided by the leg length.
    unit_known : bool
        Whether it was given.
    body_shift : (F,) float64
        How far the pelvis was raised, in the clip's units.
    seconds : float
        Time taken.
    messages : tuple of str
        What the user should know.
    """

    contacts: tuple[Contact, ...]
    legs: tuple[LegReport, ...]
    num_frames: int
    frames: Span
    fps: float
    up: Array
    up_name: str
    ground: float | None
    ground_estimated: bool
    ground_velocity: Array | None
    metres_per_unit: float
    unit_known: bool
    body_shift: Array
    seconds: float
    messages: tuple[str, ...] = ()

    @property
    def frames_per_second(self) -> float:
        """Frames planted per second of computing time."""
        return (self.frames[1] - self.frames[0] + 1) / max(self.seconds, 1e-9)

    @property
    def leg_length(self) -> float:
        """Mean leg length in the clip's units."""
        return float(np.mean([leg.length for leg in self.legs]))

    def slide(self, when: str = "after") -> tuple[float, float]:
        """Return the mean and the worst slide of all contacts.

        Parameters
        ----------
        when : "before" or "after", default "after"
            The original clip or the planted one.

        Returns
        -------
        mean, worst : float
            In the clip's units; 0 without contacts.
        """
        slides = [m.slide for m in self._measures(when)]
        return (float(np.mean(slides)), max(slides)) if slides else (0.0, 0.0)

    def worst(self, what: str, when: str = "after") -> float:
        """Return the worst penetration or float of all contacts.

        Parameters
        ----------
        what : "penetration", "float", "slide" or "travel"
            What was measured.
        when : "before" or "after", default "after"
            The original clip or the planted one.

        Returns
        -------
        float
            In the clip's units; 0 without contacts.

        Raises
        ------
        ValueError
            Another word than these.
        """
        known = [field.name for field in fields(ContactMeasure)]
        if what not in known:
            raise ValueError(f"what is {what!r}: one of {', '.join(known)}")
        return max((float(getattr(m, what)) for m in self._measures(when)), default=0.0)

    def deepest(self, when: str = "after") -> float:
        """Return how far a sole is below the ground at worst, in any frame of the range.

        Parameters
        ----------
        when : "before" or "after", default "after"
            The original clip or the planted one.

        Returns
        -------
        float
            In the clip's units, ≥ 0.
        """
        _check_when(when)
        part = slice(self.frames[0], self.frames[1] + 1)
        lowest = min(float(getattr(leg, when).height[part].min()) for leg in self.legs)
        return max(0.0, -lowest)

    def knee_range(self, when: str = "after") -> tuple[float, float]:
        """Return the smallest and largest knee angle in degrees; 180 is a straight leg.

        Parameters
        ----------
        when : "before" or "after", default "after"
            The original clip or the planted one.

        Returns
        -------
        smallest, largest : float
            Degrees.
        """
        _check_when(when)
        knees = [getattr(leg, when).knee for leg in self.legs]
        return min(float(k.min()) for k in knees), max(float(k.max()) for k in knees)

    def _measures(self, when: str) -> Sequence[ContactMeasure]:
        _check_when(when)
        return [getattr(contact, when) for contact in self.contacts]

    def centimetres(self, length: float) -> float:
        """Turn a length in the clip's units into centimetres.

        Parameters
        ----------
        length : float
            In the clip's units.

        Returns
        -------
        float
            Centimetres; with an unknown unit a leg counts as 0.9 m.
        """
        return 100.0 * self.metres_per_unit * length

    def as_rows(self) -> list[tuple[str, str, str]]:
        """Return the table as rows (what, before, after).

        Returns
        -------
        list of (str, str, str)
            Without a heading; the middle is empty where there is no before.
        """
        cm = self.centimetres
        mean0, worst0 = self.slide("before")
        mean1, worst1 = self.slide("after")
        float0, float1 = self.worst("float", "before"), self.worst("float")
        k0, k1 = self.knee_range("before"), self.knee_range("after")
        body = self.body_shift[self.frames[0] : self.frames[1] + 1]
        rows = [(f"contacts, {leg.name}", "", str(len(leg.contacts))) for leg in self.legs]
        rows += [
            ("slide, mean (cm)", f"{cm(mean0):.2f}", f"{cm(mean1):.2f}"),
            ("slide, worst (cm)", f"{cm(worst0):.2f}", f"{cm(worst1):.2f}"),
            ("float in contact, worst (cm)", f"{cm(float0):.2f}", f"{cm(float1):.2f}"),
            ("below ground, worst (cm)", f"{cm(self.deepest('before')):.2f}", f"{cm(self.deepest()):.2f}"),
            ("knee angle (degrees)", f"{k0[0]:.0f} … {k0[1]:.0f}", f"{k1[0]:.0f} … {k1[1]:.0f}"),
            ("pelvis raised (cm)", "", f"{cm(body.min()):+.1f} … {cm(body.max()):+.1f}"),
            ("frames/s", "", f"{self.frames_per_second:,.0f}"),
        ]
        return rows

    def as_table(self) -> str:
        """Return the report as a short table.

        Returns
        -------
        str
            Lines; messages below the table.
        """
        rows = [("", "before", "after"), *self.as_rows()]
        wide = [max(len(row[k]) for row in rows) for k in range(3)]
        lines = [f"{a:<{wide[0]}}  {b:>{wide[1]}}  {c:>{wide[2]}}".rstrip() for a, b, c in rows]
        return "\n".join([*lines, *(f"- {m}" for m in self.messages)])

    def __str__(self) -> str:
        return self.as_table()

    def __repr__(self) -> str:
        before, after = self.slide("before")[0], self.slide("after")[0]
        return (
            f"<Report: {len(self.contacts)} contacts, slide {self.centimetres(before):.2f} → "
            f"{self.centimetres(after):.2f} cm>"
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the report as plain numbers, lists and strings, ready for JSON; without the curves.

        Returns
        -------
        dict
            Lengths in the clip's units where the name does not say cm (those two are means), frames both included.
        """

        def pair(function: Any, *args: Any) -> dict[str, Any]:
            return {when: function(*args, when) for when in ("before", "after")}

        def measures(m: ContactMeasure) -> dict[str, float]:
            return {"slide": m.slide, "travel": m.travel, "penetration": m.penetration, "float": m.float}

        slides = pair(self.slide)
        body = self.body_shift[self.frames[0] : self.frames[1] + 1]
        return {
            "num_frames": self.num_frames,
            "frames": list(self.frames),
            "fps": self.fps,
            "up": self.up_name,
            "ground": self.ground,
            "ground_estimated": self.ground_estimated,
            "ground_velocity": None if self.ground_velocity is None else self.ground_velocity.tolist(),
            "leg_length": self.leg_length,
            "metres_per_unit": self.metres_per_unit,
            "unit_known": self.unit_known,
            "slide_mean": {when: s[0] for when, s in slides.items()},
            "slide_worst": {when: s[1] for when, s in slides.items()},
            "slide_before_cm": self.centimetres(slides["before"][0]),
            "slide_after_cm": self.centimetres(slides["after"][0]),
            "penetration_worst": pair(self.worst, "penetration"),
            "float_worst": pair(self.worst, "float"),
            "below_ground_worst": pair(self.deepest),
            "knee_degrees": {when: list(self.knee_range(when)) for when in ("before", "after")},
            "body_shift": [float(body.min()), float(body.max())],
            "seconds": self.seconds,
            "frames_per_second": self.frames_per_second,
            "legs": [
                {
                    "name": leg.name,
                    "length": leg.length,
                    "sole": leg.sole,
                    "sole_source": leg.sole_source,
                    "contacts": [list(s) for s in leg.contacts],
                    "held_flat": [list(s) for s in leg.held],
                    "unreachable": [list(s) for s in leg.unreachable],
                }
                for leg in self.legs
            ],
            "contacts": [
                {
                    "leg": c.name,
                    "first_frame": c.first_frame,
                    "last_frame": c.last_frame,
                    "rise": c.rise,
                    "before": measures(c.before),
                    "after": measures(c.after),
                }
                for c in self.contacts
            ],
            "messages": list(self.messages),
        }

    def plot(self, **options: Any) -> Any:
        """Draw foot height and speed over time with the contacts shaded, see `skelkin_py.plot`.

        Parameters
        ----------
        **options
            The keyword arguments of `skelkin_py.plot.plot_report`.

        Returns
        -------
        matplotlib.figure.Figure
            The figure.
        """
        from ..plot import plot_report

        return plot_report(self, **options)
