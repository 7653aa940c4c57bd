# SPDX-License-Identifier: MIT
"""What planting from file to file did: figures that do not grow with the frames."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..planting.blend import span_mask
from ..planting.cost import PlantCost
from ..planting.known import Known, Part, Solved
from ..planting.leg_report import Contact, checked_when
from ..planting.levels import lowest_near
from ..planting.measure import stands_at
from ..planting.metrics import foot_curves, measure_contacts
from ..planting.report_forms import Report, report_dict

__all__ = ["FileReport", "note_block"]

_UNREACHED = 1e-4  # leg: an ankle further than this from its place has not reached it


@dataclass
class FileReport(Report):
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
        Time taken.
    legs : list of str
        What each leg is called.
    fps : float
        Frames per second.
    metres_per_unit : float
        For figures in centimetres.
    unit_known : bool
        Whether that was given; else a leg counts as 0.9 m.
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
    seconds: float = 0.0
    legs: list[str] = field(default_factory=list)
    fps: float = 0.0
    metres_per_unit: float = 1.0
    unit_known: bool = False
    ground_velocity: NDArray[np.float64] | None = None
    pinned: bool = True
    loop: bool = False
    cost: PlantCost = field(default_factory=lambda: PlantCost((), 0, True, 0.0, 0.0, 0, 0.0, 0.0, 0.0))

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
        return report_dict(self, told)

    def __repr__(self) -> str:
        before, after = (self.centimetres(self.slide(when)[0]) for when in ("before", "after"))
        return f"<FileReport: {len(self.contacts)} contacts, slide {before:.2f} → {after:.2f} cm>"


def note_block(report: FileReport, known: Known, part: Part, solved: Solved, start: int, stop: int) -> None:
    """Add to a report the frames from `start` to `stop` − 1 of the clip, and the contacts that begin among them."""
    scene, ground = known.scene, part.ground
    own = slice(start - part.first, stop - part.first)
    shift = solved.paths.body[own] @ scene.up
    report.body_shift = [min(report.body_shift[0], shift.min()), max(report.body_shift[1], shift.max())]
    found = []
    for k, (track, after, model) in enumerate(zip(part.tracks, solved.after, scene.models, strict=True)):
        step = scene.ground_step
        hold = part.footholds[k]
        curves = [foot_curves(t, model, ground, scene.up, scene.fps, step, hold) for t in (track, after)]
        floor = lowest_near(part.contacts[k], solved.rises[k], len(track.hip))
        for when, curve in enumerate(curves):
            report.below_ground[when] = max(report.below_ground[when], float((floor - curve.height)[own].max()))
        number = [n for n, (a, _) in enumerate(part.contacts[k]) if start <= a + part.first < stop]
        spans, rises = [part.contacts[k][n] for n in number], [solved.rises[k][n] for n in number]
        measures = [measure_contacts(curve, spans, rises) for curve in curves]
        for (a, b), rise, old, new in zip(spans, rises, *measures, strict=True):
            at = stands_at(after, model, scene.up, (a, b))
            found.append(Contact(k, scene.subset.legs[k].name, a + part.first, b + part.first, old, new, rise, at))
        missed = (solved.errors[:, k] > _UNREACHED * track.length) & span_mask(part.contacts[k], len(track.hip))
        report.unreached[k] += int(missed[own].sum())
    report.contacts += sorted(found, key=lambda contact: (contact.first_frame, contact.leg))
