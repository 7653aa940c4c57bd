# SPDX-License-Identifier: MIT
"""Contacts and frames in which feet slide, sink or float more than they may; limits that nothing can be held to."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..planting import PlantReport
from ..planting.report.violations import find_violations

MEASURES = ("slide", "penetration", "float")


def measured(report: PlantReport, unit: float) -> dict[str, float]:
    """Return the worst slide, penetration and float of the original clip, in units so many of the clip's long.

    Slide and float are those of standing feet; a sole may not be below the ground at any time.
    """
    worst = {what: report.worst(what, "before") for what in MEASURES}
    worst["penetration"] = max(worst["penetration"], report.deepest("before"))
    return {what: value / unit for what, value in worst.items()}


def unjudged(report: PlantReport, limits: Mapping[str, float], ground_known: bool) -> list[str]:
    """Return the limits that nothing can be held to, since no foot ever stands.

    Parameters
    ----------
    report : PlantReport
        What was measured.
    limits : mapping from "slide", "penetration" or "float" to float
        The largest value that passes.
    ground_known : bool
        Whether the ground was given: then feet in the air can be judged by penetration all the same.

    Returns
    -------
    list of str
        Words of `limits`.
    """
    if report.contacts:
        return []
    return [what for what in limits if what != "penetration" or not ground_known]


def over_limits(report: PlantReport, limits: Mapping[str, float], unit: float) -> list[dict[str, Any]]:
    """Return what is over its limit in the original clip.

    Parameters
    ----------
    report : PlantReport
        What was measured.
    limits : mapping from "slide", "penetration" or "float" to float
        The largest value that passes.
    unit : float
        How many of the clip's units are one of the limits' units.

    Returns
    -------
    list of dict
        Per contact and measure that is over: ``leg``, ``first_frame`` and ``last_frame`` of the contact (None between
        contacts, where soles may not sink either), ``what``, ``value`` and ``limit``, and ``frames``, spans of frames
        over the limit, both ends included.

    Examples
    --------
    >>> report = sk.example("biped").clip.plant_feet().report
    >>> over = over_limits(report, {"slide": 0.01}, report.leg_length)
    >>> over[0]["leg"], over[0]["what"], over[0]["value"] > 0.01
    ('left', 'slide', True)
    """
    out = []
    for found in find_violations(report.legs, report.contacts, report.frames, limits, "before", unit):
        contact = None if found.contact is None else report.contacts[found.contact]
        out.append(
            {
                "leg": found.leg,
                "first_frame": None if contact is None else contact.first_frame,
                "last_frame": None if contact is None else contact.last_frame,
                "what": found.what,
                "value": found.value,
                "limit": found.bound,
                "frames": [list(span) for span in found.frames],
            }
        )
    return out
