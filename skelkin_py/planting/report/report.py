# SPDX-License-Identifier: MIT
"""What planting did, in numbers: per contact, per leg and for the whole clip."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..._support.nearest_name import did_you_mean
from ..._support.values import Value, hold_read_only
from ..cost import PlantCost
from ..metrics import LiteratureFigures, deepest, literature_figures
from ..spans import Span
from .forms import Report, Row, pair, signed
from .legs import Contact, LegReport
from .violations import Violation, find_violations

Array = NDArray[np.float64]

_WHEN = ("before", "after")
_SAME = 0.01  # part: figures of papers that rise by less have not
_OF_PAPERS = {
    "skating_ratio": "skating ratio (GMD)",
    "weighted_slide_cm": "weighted slide (MANN)",
    "penetration_mm": "penetration (PhysDiff)",
    "float_mm": "float (PhysDiff)",
    "contact_slide_mm": "skate (PhysDiff)",
}


@dataclass(frozen=True, eq=False)
class PlantReport(Value, Report):
    """What planting did; printed, it is five lines and what a viewer would mind.

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
        Unit vector; read-only.
    up_name : str
        The same as a word.
    ground : float or None
        Height of a level ground along up, in the clip's units; None for a function.
    ground_estimated : bool
        Whether that height was read from the stance feet.
    ground_velocity : (3,) float64 or None
        Velocity of a ground that moves below the body, as given or as the stance feet of an in-place cycle
        tell, in the clip's units per second; slide is measured relative to it. Read-only.
    metres_per_unit : float
        What was given, else 0.9 m divided by the leg length.
    unit_known : bool
        Whether it was given.
    body_path : (F, 3) float64
        How the pelvis was moved, in the clip's units; read-only.
    added_acceleration : float
        By how much that makes its acceleration greater at worst, in the clip's units per s².
    seconds : float
        Time taken; ``==`` does not look at it.
    messages : tuple of str
        What the user should know.
    pinned : bool
        Whether standing feet were held in the level plane too; else only heights were corrected.
    loop : bool
        Whether the last pose is the first, and was kept so.
    travel_added : (3,) float64 or None
        The velocity that was added to the roots by `travel`, in the clip's units per second; all else that the report
        says of movement is as seen from a body without it. Read-only.
    cost : PlantCost
        What planting cost: how knees, feet and body move beside the original.

    Notes
    -----
    Where a method takes `when`, "before" is the original clip and "after" the planted one; ValueError for other words.
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
    body_path: Array
    added_acceleration: float
    seconds: float = field(compare=False)
    cost: PlantCost
    messages: tuple[str, ...] = ()
    pinned: bool = True
    loop: bool = False
    travel_added: Array | None = None

    def __post_init__(self) -> None:
        hold_read_only(self)

    @property
    def frames_per_second(self) -> float:
        """Frames planted per second of computing time."""
        return (self.frames[1] - self.frames[0] + 1) / max(self.seconds, 1e-9)

    @property
    def body_shift(self) -> Array:
        """(F,) How far the pelvis was raised, in the clip's units."""
        return np.asarray(self.body_path @ self.up)

    @property
    def raised(self) -> tuple[float, float]:
        """The lowest and the highest of that in the frames that were worked on."""
        body = self.body_shift[self.frames[0] : self.frames[1] + 1]
        return float(body.min()), float(body.max())

    @property
    def leg_length(self) -> float:
        """Mean leg length in the clip's units."""
        return float(np.mean([leg.length for leg in self.legs]))

    def deepest(self, when: str = "after") -> float:
        """Return how far a sole is below the ground, or lower contacts beside it, at worst in any frame of the range.

        Parameters
        ----------
        when : "before" or "after", default "after"
            The original clip or the planted one.

        Returns
        -------
        float
            In the clip's units, ≥ 0.
        """
        part = slice(self.frames[0], self.frames[1] + 1)
        found = 0.0
        for k, leg in enumerate(self.legs):
            own = [contact for contact in self.contacts if contact.leg == k]
            spans = [(contact.first_frame, contact.last_frame) for contact in own]
            found = max(found, deepest(leg.curves(when), spans, [contact.rise for contact in own], part))
        return found

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
        knees = [leg.curves(when).knee for leg in self.legs]
        return min(float(k.min()) for k in knees), max(float(k.max()) for k in knees)

    def knee_pops(self, when: str = "after") -> list[tuple[str, int]]:
        """Return the frames in which a knee pops, see `skelkin_py.planting.metrics.knee_pops`.

        Parameters
        ----------
        when : "before" or "after", default "after"
            The original clip or the planted one.

        Returns
        -------
        list of (leg, frame)
            In the order of legs and frames.
        """
        return [(leg.name, frame) for leg in self.legs for frame in leg.knee_pops(self.fps, self.frames, when)]

    def literature(self, when: str = "after") -> LiteratureFigures:
        """Return the figures that papers give, see `LiteratureFigures`.

        Parameters
        ----------
        when : "before" or "after", default "after"
            The original clip or the planted one.

        Returns
        -------
        LiteratureFigures
            Of the frames that were worked on; with an unknown unit legs are taken to be 0.9 m long.
        """
        feet = [leg.curves(when) for leg in self.legs]
        return literature_figures(feet, self.frames, self.fps, self.metres_per_unit)

    def _more_rows(self) -> list[Row]:
        told = {when: self.literature(when) for when in _WHEN}
        pelvis = signed(self.added_acceleration / self.leg_length)
        return [
            ("pelvis acceleration (legs/s²)", "", pelvis),
            pair("skating ratio (GMD)", lambda when: told[when].skating_ratio, ".3f"),
            pair("weighted slide (MANN, cm/frame)", lambda when: told[when].weighted_slide_cm, ".3f"),
            pair("penetration (PhysDiff, mm)", lambda when: told[when].penetration_mm),
            pair("float (PhysDiff, mm)", lambda when: told[when].float_mm),
            pair("skate (PhysDiff, mm/frame)", lambda when: told[when].contact_slide_mm),
        ]

    def _risen(self) -> list[str]:
        told = {when: asdict(self.literature(when)) for when in _WHEN}
        risen = [title for key, title in _OF_PAPERS.items() if told["after"][key] > (1.0 + _SAME) * told["before"][key]]
        return [f"higher than before: {', '.join(risen)}"] * bool(risen)

    def __repr__(self) -> str:
        before, after = self.slide("before")[0], self.slide("after")[0]
        return (
            f"<PlantReport: {len(self.contacts)} contacts, slide {self.centimetres(before):.2f} → "
            f"{self.centimetres(after):.2f} cm>"
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the report as plain numbers, lists and strings, ready for JSON; without the curves.

        Returns
        -------
        dict
            Lengths in the clip's units where the name does not say cm or mm; frames count from 0, both included;
            "before" and "after" are the original and the planted clip. What is no finite number is None. Keys stay;
            where one changes its meaning, "schema" goes up.

            - "schema", "versions": of this layout; of skelkin_py, numpy and Python.
            - "num_frames", "frames", "fps", "up", "ground", "ground_estimated", "ground_velocity", "pace", "pinned",
              "loop", "leg_length", "travel_added",
              "metres_per_unit", "unit_known", "seconds", "frames_per_second", "messages": as the attributes.
            - "pace_legs": `pace` in leg lengths per second.
            - "slide_mean", "slide_worst", "penetration_worst", "float_worst": over all contacts, before and after;
              "slide_before_cm", "slide_after_cm": the means; "below_ground_worst": in any frame.
            - "literature": before and after, the fields of `LiteratureFigures`.
            - "cost": the fields of `PlantCost` and, by leg, of `LegCost`; "rows": those of `ViewerRow`, with "bar",
              "grade" and "text". "minded": in words, what a viewer would mind, worst first.
            - "knee_degrees": [smallest, largest] angle before and after; "knee_pops": their number.
            - "body_shift": [lowest, highest] shift of the pelvis; "body_moved": how far it is moved at most;
              "body_added_acceleration": by how much its acceleration becomes greater at worst, in leg lengths per s².
            - "legs": per leg "name", "length", "sole", "sole_source", "contacts", "heel_contacts" and "ball_contacts"
              (where each of the two stands), "held_flat" and "unreachable" as lists of [first, last],
              "unreachable_why" in words, "knee_degrees", "knee_pops" as frames.
            - "contacts": "leg" and "leg_index", "first_frame", "last_frame", "rise", "stands_at" [x, y, z], and
              before and after "slide" (worst), "slide_mean", "travel", "penetration", "float".
        """
        return self._told(
            [
                {
                    "name": leg.name,
                    "length": leg.length,
                    "sole": leg.sole,
                    "sole_source": leg.sole_source,
                    "contacts": leg.contacts,
                    "heel_contacts": leg.heel_contacts,
                    "ball_contacts": leg.ball_contacts,
                    "held_flat": leg.held,
                    "unreachable": leg.unreachable,
                    "unreachable_why": [leg.why_unreachable(span) for span in leg.unreachable],
                    "knee_degrees": {w: [leg.curves(w).knee.min(), leg.curves(w).knee.max()] for w in _WHEN},
                    "knee_pops": {when: leg.knee_pops(self.fps, self.frames, when) for when in _WHEN},
                }
                for leg in self.legs
            ],
            frames=self.frames,
            ground_estimated=self.ground_estimated,
            travel_added=None if self.travel_added is None else self.travel_added.tolist(),
            literature={when: asdict(self.literature(when)) for when in _WHEN},
            knee_degrees={when: self.knee_range(when) for when in _WHEN},
            knee_pops={when: len(self.knee_pops(when)) for when in _WHEN},
            body_moved=np.linalg.norm(self.body_path, axis=1).max(),
            body_added_acceleration=self.added_acceleration / self.leg_length,
        )

    def violations(
        self,
        max_slide: float | None = None,
        max_penetration: float | None = None,
        max_float: float | None = None,
        when: str = "after",
    ) -> list[Violation]:
        """Return what goes beyond bounds, for gates; penetration counts between contacts too.

        Parameters
        ----------
        max_slide, max_penetration, max_float : float or None, default None
            What is allowed; None allows all. In metres where `metres_per_unit` was given, else in the clip's units.
        when : "before" or "after", default "after"
            The original clip or the planted one.

        Returns
        -------
        list of Violation
            Tuples (leg, contact, frames, what, value, bound, unit) in the order of legs; frames are spans.

        Raises
        ------
        ValueError
            A bound that is negative or not a number; another `when`.

        Examples
        --------
        >>> import skelkin_py as sk
        >>> report = sk.example("biped").clip.plant_feet(metres_per_unit=1.0).report
        >>> report.violations(max_slide=0.01)
        []
        >>> sorted({v.what for v in report.violations(max_slide=0.01, when="before")})
        ['slide']
        """
        bounds = {"slide": max_slide, "penetration": max_penetration, "float": max_float}
        told = self.legs, self.contacts, self.frames
        if self.unit_known:
            return find_violations(*told, bounds, when, 1.0 / self.metres_per_unit, "m")
        return find_violations(*told, bounds, when)

    def plot(self, what: str = "feet", **options: Any) -> Any:
        """Draw what planting did, see `skelkin_py.plot`; a notebook shows the figure.

        Parameters
        ----------
        what : "feet", "slide", "knees" or "literature", default "feet"
            Height and speed of the soles with poses; how far standing feet slide; knee angles and where they pop;
            the figures of papers. Contacts are shaded where time is drawn.
        **options
            The keyword arguments of `plot_report`, `plot_slide`, `plot_knees` or `plot_literature`, such as
            ``path="figure.png"``.

        Returns
        -------
        matplotlib.figure.Figure
            The figure.

        Raises
        ------
        ValueError
            Another word than these.
        MissingExtraError
            If matplotlib is not installed.

        Examples
        --------
        >>> import skelkin_py as sk
        >>> report = sk.example("biped").clip.plant_feet().report
        >>> figure = report.plot("knees", path="knees.png")
        """
        from ...plot import plot_knees, plot_literature, plot_report, plot_slide

        figures: dict[str, Callable[..., Any]] = {
            "feet": plot_report,
            "slide": plot_slide,
            "knees": plot_knees,
            "literature": plot_literature,
        }
        if what not in figures:
            raise ValueError(f"what is {what!r}: one of {', '.join(figures)}{did_you_mean(str(what), figures)}")
        return figures[what](self, **options)
