# SPDX-License-Identifier: MIT
"""A report as plain numbers, lists and strings with stable keys, ready for JSON and for gates on it."""

from __future__ import annotations

import math
import platform
from collections.abc import Callable
from dataclasses import asdict
from typing import Any

import numpy as np

from .._version import __version__
from .leg_report import Contact, LegReport
from .report import Report

__all__ = ["SCHEMA", "contact_dict", "finite", "pair", "report_dict", "versions"]

SCHEMA = 1  # goes up when a key changes its meaning or goes away, not when one is added


def pair(function: Callable[[str], Any]) -> dict[str, Any]:
    """Return what a function gives for the original and for the planted clip."""
    return {when: function(when) for when in ("before", "after")}


def finite(value: Any) -> Any:
    """Return the same with None for numbers that JSON does not know."""
    if isinstance(value, dict):
        return {key: finite(part) for key, part in value.items()}
    if isinstance(value, (list, tuple)):
        return [finite(part) for part in value]
    if isinstance(value, np.generic):
        value = value.item()
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _leg(leg: LegReport, report: Report) -> dict[str, Any]:
    return {
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
        "knee_degrees": pair(lambda when: [getattr(leg, when).knee.min(), getattr(leg, when).knee.max()]),
        "knee_pops": pair(lambda when: leg.knee_pops(report.fps, report.frames, when)),
    }


def versions() -> dict[str, str]:
    """Return the versions of what made a report."""
    return {"skelkin_py": __version__, "numpy": np.__version__, "python": platform.python_version()}


def contact_dict(contact: Contact) -> dict[str, Any]:
    """Return a contact as plain numbers and strings."""
    return {
        "leg": contact.name,
        "leg_index": contact.leg,
        "first_frame": contact.first_frame,
        "last_frame": contact.last_frame,
        "rise": contact.rise,
        "before": asdict(contact.before),
        "after": asdict(contact.after),
    }


def report_dict(report: Report) -> dict[str, Any]:
    """Return a report as plain numbers, lists and strings; `Report.to_dict` says what the keys mean.

    Parameters
    ----------
    report : Report
        The report.

    Returns
    -------
    dict
        Only what JSON knows; what is not a finite number is None.
    """
    body = report.body_shift[report.frames[0] : report.frames[1] + 1]
    velocity = report.ground_velocity
    told = {
        "schema": SCHEMA,
        "versions": versions(),
        "num_frames": report.num_frames,
        "frames": report.frames,
        "fps": report.fps,
        "up": report.up_name,
        "ground": report.ground,
        "ground_estimated": report.ground_estimated,
        "ground_velocity": None if velocity is None else velocity.tolist(),
        "pinned": report.pinned,
        "loop": report.loop,
        "leg_length": report.leg_length,
        "metres_per_unit": report.metres_per_unit,
        "unit_known": report.unit_known,
        "slide_mean": pair(lambda when: report.slide(when)[0]),
        "slide_worst": pair(lambda when: report.slide(when)[1]),
        "slide_before_cm": report.centimetres(report.slide("before")[0]),
        "slide_after_cm": report.centimetres(report.slide("after")[0]),
        "penetration_worst": pair(lambda when: report.worst("penetration", when)),
        "float_worst": pair(lambda when: report.worst("float", when)),
        "below_ground_worst": pair(report.deepest),
        "literature": pair(lambda when: asdict(report.literature(when))),
        "knee_degrees": pair(report.knee_range),
        "knee_pops": pair(lambda when: len(report.knee_pops(when))),
        "body_shift": [body.min(), body.max()],
        "body_moved": np.linalg.norm(report.body_path, axis=1).max(),
        "body_added_acceleration": report.added_acceleration / report.leg_length,
        "seconds": report.seconds,
        "frames_per_second": report.frames_per_second,
        "legs": [_leg(leg, report) for leg in report.legs],
        "contacts": [contact_dict(contact) for contact in report.contacts],
        "messages": report.messages,
    }
    plain: dict[str, Any] = finite(told)
    return plain
