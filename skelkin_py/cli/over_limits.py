# SPDX-License-Identifier: MIT
"""Contacts and frames in which feet slide, sink or float more than they may."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..planting import Report
from ..planting.blend import frames_to_spans
from ..planting.leg_report import Contact

MEASURES = ("slide", "penetration", "float")


def measured(report: Report, unit: float) -> dict[str, float]:
    """Return the worst slide, penetration and float of the original clip, in units so many of the clip's long."""
    return {what: report.worst(what, "before") / unit for what in MEASURES}


def over_limits(report: Report, limits: Mapping[str, float], unit: float) -> list[dict[str, Any]]:
    """Return what is over its limit in the original clip.

    Parameters
    ----------
    report : Report
        What was measured.
    limits : mapping from "slide", "penetration" or "float" to float
        The largest value that passes.
    unit : float
        How many of the clip's units are one of the limits' units.

    Returns
    -------
    list of dict
        Per contact and measure that is over: ``leg``, ``first_frame`` and ``last_frame`` of the contact, ``what``,
        ``value`` and ``limit``, and ``frames``, spans of frames over the limit, both ends included.

    Examples
    --------
    >>> report = sk.example("biped").clip.plant_feet().report
    >>> over = over_limits(report, {"slide": 0.01}, report.leg_length)
    >>> over[0]["leg"], over[0]["what"], over[0]["value"] > 0.01
    ('left', 'slide', True)
    """
    out = []
    for contact in report.contacts:
        for what, limit in limits.items():
            value = float(getattr(contact.before, what)) / unit
            if value <= limit:
                continue
            frames = np.flatnonzero(_curve(report, contact, what) > limit * unit)
            mask = np.zeros(contact.last_frame - contact.first_frame + 1, bool)
            mask[frames] = True
            spans = [[first + contact.first_frame, last + contact.first_frame] for first, last in frames_to_spans(mask)]
            out.append(
                {
                    "leg": contact.name,
                    "first_frame": contact.first_frame,
                    "last_frame": contact.last_frame,
                    "what": what,
                    "value": value,
                    "limit": limit,
                    "frames": spans,
                }
            )
    return out


def _curve(report: Report, contact: Contact, what: str) -> NDArray[np.float64]:
    """Return the measure in each frame of the contact, in the clip's units."""
    curves = report.legs[contact.leg].before
    first, last = contact.first_frame, contact.last_frame
    if what == "slide":  # how far from where the foot touched down
        path = np.cumsum(curves.steps[first:last], axis=0)
        return np.concatenate([[0.0], np.linalg.norm(path, axis=1)])
    height = curves.height[first : last + 1] - contact.rise
    return height if what == "float" else -height
