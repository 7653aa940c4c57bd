# SPDX-License-Identifier: MIT
"""What planting from file to file did: figures that do not grow with the frames."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..arguments import real_number
from ..planting.blend import span_mask
from ..planting.known import Known, Part, Solved
from ..planting.leg_report import Contact, checked_when
from ..planting.metrics import foot_curves, measure_contacts
from ..planting.report_dict import told_dict
from ..planting.report_table import signed, speed_line, table_text
from ..printable import escaped

__all__ = ["FileReport", "note_block"]

_UNREACHED = 1e-4  # leg: an ankle further than this from its place has not reached it


@dataclass
class FileReport:
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

    @property
    def frames_per_second(self) -> float:
        """Frames planted per second of computing time."""
        return self.num_frames / max(self.seconds, 1e-9)

    def slide(self, when: str = "after") -> tuple[float, float]:
        """Return the mean and the worst slide of all contacts, "before" or "after"."""
        slides = [contact.measure(when).slide for contact in self.contacts]
        return (float(np.mean(slides)), max(slides)) if slides else (0.0, 0.0)

    def worst(self, what: str, when: str = "after") -> float:
        """Return the worst "slide", "travel", "penetration" or "float" of all contacts, "before" or "after"."""
        return max((float(getattr(contact.measure(when), what)) for contact in self.contacts), default=0.0)

    def deepest(self, when: str = "after") -> float:
        """Return how far a sole is below the ground at worst, in any frame, "before" or "after"."""
        return self.below_ground[("before", "after").index(checked_when(when))]

    def centimetres(self, length: float) -> float:
        """Turn a length in the clip's units into centimetres; with an unknown unit a leg counts as 0.9 m."""
        return 100.0 * self.metres_per_unit * real_number("length", length)

    def as_table(self) -> str:
        """Return the figures as lines (what, before, after) in centimetres, with the messages below."""
        cm = self.centimetres
        (mean0, worst0), (mean1, worst1) = self.slide("before"), self.slide()
        low, high = self.body_shift
        pairs = [
            ("slide, mean (cm)", mean0, mean1),
            ("slide, worst (cm)", worst0, worst1),
            ("float in contact, worst (cm)", self.worst("float", "before"), self.worst("float")),
            ("below ground, worst (cm)", self.deepest("before"), self.deepest()),
        ]
        counts = [sum(contact.leg == k for contact in self.contacts) for k in range(len(self.legs))]
        rows = [(f"contacts, {name}", "", f"{count:,}") for name, count in zip(self.legs, counts, strict=True)]
        rows += [(what, f"{cm(old):.2f}", f"{cm(new):.2f}") for what, old, new in pairs]
        rows.append(("pelvis raised (cm)", "", f"{signed(cm(low))} … {signed(cm(high))}"))
        return table_text(rows, speed_line(self), self.messages)

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
        return told_dict(self, self.body_shift, told)

    def __repr__(self) -> str:
        before, after = (self.centimetres(self.slide(when)[0]) for when in ("before", "after"))
        return f"<FileReport: {len(self.contacts)} contacts, slide {before:.2f} → {after:.2f} cm>"

    def __str__(self) -> str:
        leg = self.leg_length
        lines = [
            f"{len(self.contacts)} contacts in {self.num_frames} frames, {self.seconds:.1f} s; in leg lengths:",
            f"slide, worst {self.worst('slide', 'before') / leg:.2g} → {self.worst('slide') / leg:.2g}",
            f"float, worst {self.worst('float', 'before') / leg:.2g} → {self.worst('float') / leg:.2g}",
            f"below ground, worst {self.below_ground[0] / leg:.2g} → {self.below_ground[1] / leg:.2g}",
        ]
        return "\n".join([*lines, *(f"- {escaped(message)}" for message in self.messages)])


def note_block(report: FileReport, known: Known, part: Part, solved: Solved, start: int, stop: int) -> None:
    """Add to a report the frames of a block, and the contacts that begin in it.

    Parameters
    ----------
    report : FileReport
        What is added to.
    known, part, solved
        What `learn`, `read_part` and `solve_part` returned.
    start, stop : int
        The block, in frames of the clip.
    """
    scene, ground = known.scene, part.ground
    own = slice(start - part.first, stop - part.first)
    shift = solved.paths.body[own] @ scene.up
    report.body_shift = [min(report.body_shift[0], shift.min()), max(report.body_shift[1], shift.max())]
    found = []
    for k, (track, after, model) in enumerate(zip(part.tracks, solved.after, scene.models, strict=True)):
        step = scene.ground_step
        hold = part.footholds[k]
        curves = [foot_curves(t, model, ground, scene.up, scene.fps, step, hold) for t in (track, after)]
        for when, curve in enumerate(curves):
            report.below_ground[when] = max(report.below_ground[when], -float(curve.height[own].min()))
        number = [n for n, (a, _) in enumerate(part.contacts[k]) if start <= a + part.first < stop]
        spans, rises = [part.contacts[k][n] for n in number], [solved.rises[k][n] for n in number]
        measures = [measure_contacts(curve, spans, rises) for curve in curves]
        for (a, b), rise, old, new in zip(spans, rises, *measures, strict=True):
            found.append(Contact(k, scene.subset.legs[k].name, a + part.first, b + part.first, old, new, rise))
        missed = (solved.errors[:, k] > _UNREACHED * track.length) & span_mask(part.contacts[k], len(track.hip))
        report.unreached[k] += int(missed[own].sum())
    report.contacts += sorted(found, key=lambda contact: (contact.first_frame, contact.leg))
