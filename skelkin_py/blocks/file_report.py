# SPDX-License-Identifier: MIT
"""What planting from file to file did: figures that do not grow with the frames."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..planting.cost import PlantCost
from ..planting.known import Known, Part, Solved
from ..planting.leg_report import Contact, checked_when
from ..planting.measure import measure_leg
from ..planting.metrics import deepest
from ..planting.report_forms import Report
from ..values import Value

__all__ = ["FileReport", "note_block"]


@dataclass(eq=False)
class FileReport(Value, Report):
    """What was done; lengths in the clip's units.

    Parameters
    ----------
    num_frames : int
        Length of the clip.
    up_name : str
        Which way is up.
    ground : float or None
        Height of a level ground; None for another one.
    leg_length : float
        Mean length of the legs.
    contacts : list of Contact
        In the order of their first frames.
    below_ground : [float, float]
        How far a sole is below the ground at worst, in any frame, before and after.
    body_shift : [float, float]
        The lowest and the highest shift of the body.
    unreached : list of int
        Per leg, frames of contacts in which it could not reach its place.
    messages : list of str
        What the user should know.
    seconds : float
        Time taken; ``==`` does not look at it.
    legs : list of str
        What each leg is called.
    fps : float
        Frames per second.
    metres_per_unit : float
        For figures in centimetres.
    unit_known : bool
        Whether that was given; else legs are taken to be 0.9 m long.
    ground_velocity : (3,) ndarray or None
        Velocity of a ground that moves below a body in place, in the clip's units per second.
    pinned : bool
        Whether feet are held in the level plane too.
    loop : bool
        Whether the last pose is the first, and was kept so.
    cost : PlantCost
        What planting cost: how knees, feet and body move beside the original.
    """

    num_frames: int
    up_name: str
    ground: float | None
    leg_length: float
    contacts: list[Contact] = field(default_factory=list)
    below_ground: list[float] = field(default_factory=lambda: [0.0, 0.0])
    body_shift: list[float] = field(default_factory=lambda: [0.0, 0.0])
    unreached: list[int] = field(default_factory=list)
    messages: list[str] = field(default_factory=list)
    seconds: float = field(default=0.0, compare=False)
    legs: list[str] = field(default_factory=list)
    fps: float = 0.0
    metres_per_unit: float = 1.0
    unit_known: bool = False
    ground_velocity: NDArray[np.float64] | None = None
    pinned: bool = True
    loop: bool = False
    cost: PlantCost = field(default_factory=lambda: PlantCost((), 0, 0.0, 0.0, 0, 0.0, 0.0))

    @property
    def raised(self) -> tuple[float, float]:
        """The lowest and the highest shift of the body, as in `PlantReport`."""
        return float(self.body_shift[0]), float(self.body_shift[1])

    @property
    def frames_per_second(self) -> float:
        """Frames planted per second of computing time."""
        return self.num_frames / max(self.seconds, 1e-9)

    def deepest(self, when: str = "after") -> float:
        """Return how far a sole is below the ground at worst, in any frame, "before" or "after"."""
        return self.below_ground[("before", "after").index(checked_when(when))]

    def to_dict(self) -> dict[str, Any]:
        """Return the report as plain numbers, lists and strings, ready for JSON.

        Returns
        -------
        dict
            Keys mean what they do in `PlantReport.to_dict`; those that need the curves are not there. Per leg "name",
            "contacts" as lists of [first, last], and "unreached_frames".
        """
        spans: list[list[list[int]]] = [[] for _ in self.legs]
        for contact in self.contacts:
            spans[contact.leg].append([contact.first_frame, contact.last_frame])
        legs = zip(self.legs, spans, self.unreached, strict=True)
        told = [{"name": name, "contacts": own, "unreached_frames": missed} for name, own, missed in legs]
        return self._told(told)

    def __repr__(self) -> str:
        before, after = (self.centimetres(self.slide(when)[0]) for when in ("before", "after"))
        return f"<FileReport: {len(self.contacts)} contacts, slide {before:.2f} → {after:.2f} cm>"


def note_block(report: FileReport, known: Known, part: Part, solved: Solved, start: int, stop: int) -> None:
    """Add to a report the frames from `start` to `stop` − 1 of the clip, and the contacts that begin among them."""
    own = slice(start - part.first, stop - part.first)
    shift = solved.body[own] @ known.scene.up
    report.body_shift = [min(report.body_shift[0], shift.min()), max(report.body_shift[1], shift.max())]
    found: list[Contact] = []
    for k, (spans, rises) in enumerate(zip(part.contacts, solved.rises, strict=True)):
        leg = measure_leg(known, part, solved, k)
        found += [contact for contact in leg.contacts if start <= contact.first_frame < stop]
        sunk = [deepest(curves, spans, rises, own) for curves in (leg.before, leg.after)]
        report.below_ground = [max(pair) for pair in zip(report.below_ground, sunk, strict=True)]
        report.unreached[k] += int(leg.missed[own].sum())
    report.contacts += sorted(found, key=lambda contact: (contact.first_frame, contact.leg))
