# SPDX-License-Identifier: MIT
"""The standing feet of the clips of a film: their contacts, and how far they slide, float and sink."""

from __future__ import annotations

from typing import Any, NamedTuple

from ...legs import sure_legs
from ...planting import FootCurves, PlantReport

_SEEN = 1.0  # cm: less float or penetration is not mentioned


class Standing(NamedTuple):
    """The measures of standing feet.

    Attributes
    ----------
    report : PlantReport
        The report with the contacts.
    curves : tuple of tuples of FootCurves
        Those of the clip (0) and of the one to compare (1), for each leg of the report.
    slides : tuple of float
        The mean slide of each of the two, in centimetres.
    """

    report: PlantReport
    curves: tuple[tuple[FootCurves, ...], ...]
    slides: tuple[float, ...]

    def in_words(self, which: int, leg: int, frame: int, slide: float) -> str:
        """Return in words what a standing foot does; `slide`: how far it has slid, in the clip's units."""
        report = self.report
        rise = next(c.rise for c in report.contacts if c.leg == leg and c.first_frame <= frame <= c.last_frame)
        above = report.centimetres(float(self.curves[which][leg].height[frame] - rise))
        words = f"slides {report.centimetres(slide):.1f} cm"
        if abs(above) >= _SEEN:
            words += f"\n{'floats' if above > 0.0 else 'sinks'} {abs(above):.1f} cm"
        return words


def standing_of(clip: Any, compare: Any, report: Any, ground: Any) -> Standing | None:
    """Return the measures of standing feet, from a report or by planting; None where legs cannot be planted."""
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
        velocity = shown.ground_velocity
        before = compare.plant_feet(ground=level, up=shown.up, contacts=parts, ground_velocity=velocity).report
    except ValueError:  # a motion that cannot be planted can still be shown
        return None
    return _put_together((shown, "before"), (before, "before"))


def _put_together(*measured: tuple[PlantReport, str]) -> Standing:
    curves = tuple(tuple(leg.curves(when) for leg in report.legs) for report, when in measured)
    return Standing(measured[0][0], curves, tuple(r.centimetres(r.slide(when)[0]) for r, when in measured))
