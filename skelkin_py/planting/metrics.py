# SPDX-License-Identifier: MIT
"""What the feet do, measured: slide, penetration and float in contacts, knee angles.

The same functions measure a clip before and after planting, each on its own joint positions.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..ground import Ground
from .blend import Span
from .foot import FootModel, LegTrack
from .stance import rolling_steps

__all__ = ["ContactMeasure", "FootCurves", "foot_curves", "measure_contacts"]

Array = NDArray[np.float64]


@dataclass(frozen=True)
class ContactMeasure:
    """One contact, measured; lengths in the clip's units.

    Parameters
    ----------
    slide : float
        Greatest level distance of the pivot (rolling about heel and ball taken out) from where it touched down.
    travel : float
        Length of the pivot's level path.
    penetration : float
        Deepest point of the sole below the ground, ≥ 0.
    float : float
        Greatest height of the sole above the ground, ≥ 0.
    """

    slide: float
    travel: float
    penetration: float
    float: float


@dataclass(frozen=True)
class FootCurves:
    """One foot over all frames.

    Parameters
    ----------
    height : (F,) float64
        Lowest point of the sole, the back of the heel included, above the ground, in the clip's units.
    speed : (F,) float64
        Level speed of the pivot over the ground, in the clip's units per second.
    knee : (F,) float64
        Knee angle in degrees, 180 is straight.
    steps : (F − 1, 3) float64
        How far the pivot slips over the ground from each frame to the next.
    """

    height: Array
    speed: Array
    knee: Array
    steps: Array


def foot_curves(
    track: LegTrack, model: FootModel, ground: Ground, up: Array, fps: float, ground_step: Array | None
) -> FootCurves:
    """Measure one foot in every frame.

    Parameters
    ----------
    track, model : LegTrack, FootModel
        The leg's motion and sole.
    ground : Ground
        Where heights are counted from.
    up : (3,) float64
        Unit vector.
    fps : float
        Frames per second.
    ground_step : (3,) float64 or None
        How far a moving ground goes per frame.

    Returns
    -------
    FootCurves
        Height, speed and knee angle.
    """
    sole = track.ankle + model.outline(track.foot, up)
    _, ball, back = sole
    height = ground.above(sole, up).min(axis=0)
    steps = rolling_steps(back, ball, up)
    if ground_step is not None:
        steps = steps - ground_step
    speed = np.zeros(len(height))
    if len(steps):
        speed[1:] = np.linalg.norm(steps, axis=1) * fps
        speed[0] = speed[1]
    return FootCurves(height, speed, track.knee_angle, steps)


def measure_contacts(curves: FootCurves, contacts: Sequence[Span], rises: Sequence[float]) -> list[ContactMeasure]:
    """Measure every contact of one foot.

    Parameters
    ----------
    curves : FootCurves
        What `foot_curves` returned.
    contacts : sequence of (first, last)
        The contacts.
    rises : sequence of float
        Per contact, how far above the ground it stands.

    Returns
    -------
    list of ContactMeasure
        One per contact.
    """
    out = []
    for (first, last), rise in zip(contacts, rises, strict=True):
        steps = curves.steps[first:last]
        path = np.cumsum(steps, axis=0)
        height = curves.height[first : last + 1] - rise
        out.append(
            ContactMeasure(
                float(np.linalg.norm(path, axis=1).max(initial=0.0)),
                float(np.linalg.norm(steps, axis=1).sum()),
                float(max(0.0, -height.min())),
                float(max(0.0, height.max())),
            )
        )
    return out
