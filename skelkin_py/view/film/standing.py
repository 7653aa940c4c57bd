# SPDX-License-Identifier: MIT
"""What standing feet do in the clips of a film: when they stand, and how they slide, float and sink meanwhile."""

from __future__ import annotations

from typing import Any, NamedTuple

from ...legs import sure_legs
from ...planting import FootCurves, PlantReport

_SEEN = 1.0  # cm: what floats or sinks by less is said to do neither


class Standing(NamedTuple):
    """Feet that stand, measured.

    Attributes
    ----------
    report : PlantReport
        Has the contacts.
    curves : tuple of tuples of FootCurves
        Of the clip shown (0) and of the one before (1), for each leg of the report.
    slides : tuple of float
        The mean slide of each of the two in centimetres.
    """

    report: PlantReport
    curves: tuple[tuple[FootCurves, ...], ...]
    slides: tuple[float, ...]

    def told(self, which: int, leg: int, frame: int, slid: float) -> str:
        """Return in words what a foot does that stands, and has slid so far, in the clip's unit."""
        report = self.report
        rise = next(c.rise for c in report.contacts if c.leg == leg and c.first_frame <= frame <= c.last_frame)
        above = report.centimetres(float(self.curves[which][leg].height[frame] - rise))
        words = f"slides {report.centimetres(slid):.1f} cm"
        if abs(above) >= _SEEN:
            words += f"\n{'floats' if above > 0.0 else 'sinks'} {abs(above):.1f} cm"
        return words


def standing_of(clip: Any, compare: Any, report: Any, ground: Any) -> Standing | None:
    """Return what standing feet do: as a report has it, else as it is measured; None where that cannot be told."""
    if report is not None:
        return _put_together((report, "after"), (report, "before"))
    if not sure_legs(clip.find_legs()):
        return None
    try:
        shown = clip.plant_feet(ground=ground).report
        if compare is None:
            return _put_together((shown, "before"))
        parts = {leg.name: {"heel": leg.heel_contacts, "ball": leg.ball_contacts} for leg in shown.legs}
        level = shown.ground if ground is None else ground
        before = compare.plant_feet(ground=level, up=shown.up, contacts=parts).report
    except ValueError:  # a motion that cannot be planted can be looked at
        return None
    return _put_together((shown, "before"), (before, "before"))


def _put_together(*measured: tuple[PlantReport, str]) -> Standing:
    curves = tuple(tuple(leg.curves(when) for leg in report.legs) for report, when in measured)
    return Standing(measured[0][0], curves, tuple(r.centimetres(r.slide(when)[0]) for r, when in measured))
