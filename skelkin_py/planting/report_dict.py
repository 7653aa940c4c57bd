# SPDX-License-Identifier: MIT
"""A report as plain numbers, lists and strings with stable keys, ready for JSON and for gates on it."""

from __future__ import annotations

import math
import platform
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import numpy as np

from .._version import __version__
from .leg_report import Contact, LegReport

if TYPE_CHECKING:
    from .report import PlantReport

__all__ = ["report_dict", "told_dict"]

_SCHEMA = 1  # goes up when a key changes its meaning or goes away, not when one is added


def told_dict(
    report: Any, body_shift: Sequence[float], legs: Sequence[Mapping[str, Any]], **more: Any
) -> dict[str, Any]:
    """Return the keys that all reports have, with those of one of them, as plain numbers, lists and strings.

    Parameters
    ----------
    report : PlantReport or FileReport
        The report, of a clip in memory or in a file.
    body_shift : (lowest, highest)
        Shift of the pelvis.
    legs : sequence of dict
        What is told of each leg.
    **more
        Further keys.

    Returns
    -------
    dict
        Only what JSON knows; what is not a finite number is None.
    """
    told = {
        "schema": _SCHEMA,
        "versions": _versions(),
        "num_frames": report.num_frames,
        "fps": report.fps,
        "up": report.up_name,
        "ground": report.ground,
        "ground_velocity": None if report.ground_velocity is None else report.ground_velocity.tolist(),
        "pinned": report.pinned,
        "loop": report.loop,
        "leg_length": report.leg_length,
        "metres_per_unit": report.metres_per_unit,
        "unit_known": report.unit_known,
        "slide_mean": _pair(lambda when: report.slide(when)[0]),
        "slide_worst": _pair(lambda when: report.slide(when)[1]),
        "slide_before_cm": report.centimetres(report.slide("before")[0]),
        "slide_after_cm": report.centimetres(report.slide("after")[0]),
        "penetration_worst": _pair(lambda when: report.worst("penetration", when)),
        "float_worst": _pair(lambda when: report.worst("float", when)),
        "below_ground_worst": _pair(report.deepest),
        "body_shift": body_shift,
        "seconds": report.seconds,
        "frames_per_second": report.frames_per_second,
        **more,
        "legs": legs,
        "contacts": [_contact(contact) for contact in report.contacts],
        "messages": report.messages,
    }
    plain: dict[str, Any] = _finite(told)
    return plain


def _pair(function: Callable[[str], Any]) -> dict[str, Any]:
    """Return what a function gives for the original and for the planted clip."""
    return {when: function(when) for when in ("before", "after")}


def _finite(value: Any) -> Any:
    """Return the same with None for numbers that JSON does not know."""
    if isinstance(value, dict):
        return {key: _finite(part) for key, part in value.items()}
    if isinstance(value, (list, tuple)):
        return [_finite(part) for part in value]
    if isinstance(value, np.generic):
        value = value.item()
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _leg(leg: LegReport, report: PlantReport) -> dict[str, Any]:
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
        "knee_degrees": _pair(lambda when: [getattr(leg, when).knee.min(), getattr(leg, when).knee.max()]),
        "knee_pops": _pair(lambda when: leg.knee_pops(report.fps, report.frames, when)),
    }


def _versions() -> dict[str, str]:
    """Return the versions of what made a report."""
    return {"skelkin_py": __version__, "numpy": np.__version__, "python": platform.python_version()}


def _contact(contact: Contact) -> dict[str, Any]:
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


def report_dict(report: PlantReport) -> dict[str, Any]:
    """Return a report as plain numbers, lists and strings; `PlantReport.to_dict` says what the keys mean.

    Parameters
    ----------
    report : PlantReport
        The report.

    Returns
    -------
    dict
        Only what JSON knows; what is not a finite number is None.
    """
    body = report.body_shift[report.frames[0] : report.frames[1] + 1]
    return told_dict(
        report,
        (body.min(), body.max()),
        [_leg(leg, report) for leg in report.legs],
        frames=report.frames,
        ground_estimated=report.ground_estimated,
        literature=_pair(lambda when: asdict(report.literature(when))),
        knee_degrees=_pair(report.knee_range),
        knee_pops=_pair(lambda when: len(report.knee_pops(when))),
        body_moved=np.linalg.norm(report.body_path, axis=1).max(),
        body_added_acceleration=report.added_acceleration / report.leg_length,
    )
