# SPDX-License-Identifier: MIT
"""What the feet do, measured: slide, penetration and float in contacts, knee angles.

The same functions measure a clip before and after planting, each on its own joint positions.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .. import _core
from ..ground import Ground
from ..short_repr import short_repr
from .blend import Span, hold_between
from .foot import FootModel, LegTrack
from .foothold import Foothold, carried_steps, outline_on, roll_on
from .stance import rolling_steps

__all__ = ["ContactMeasure", "FootCurves", "contact_distances", "foot_curves", "knee_pops", "measure_contacts"]

Array = NDArray[np.float64]

_POP = 8000.0  # °/s²: a knee whose speed changes faster pops


@dataclass(frozen=True)
class ContactMeasure:
    """One contact, measured; lengths in the clip's units.

    Parameters
    ----------
    slide : float
        Greatest level distance of the pivot (rolling about heel and ball taken out) from where it touched down.
    slide_mean : float
        The same distance, mean over the contact's frames.
    travel : float
        Length of the pivot's level path.
    penetration : float
        Deepest point of the sole below the ground, ≥ 0.
    float : float
        Greatest height of the sole above the ground, ≥ 0.
    """

    slide: float
    slide_mean: float
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
    ball_height : (F,) float64
        The sole under the ball (the ankle, where there is no ball) above the ground, in the clip's units.
    ball_steps : (F − 1, 3) float64
        How far that point goes over the ground from each frame to the next, in the level plane.
    roll : (F,) int8
        1 where the toes are up, as on the heel; −1 where the heel is up, as on the ball; 0 where the foot is flat.
    flexion : (F,) float64
        Signed flexion about the knee's hinge in degrees: 0 is straight, below 0 it is bent backward.
    """

    height: Array
    speed: Array
    knee: Array
    steps: Array
    ball_height: Array
    ball_steps: Array
    roll: NDArray[np.int8]
    flexion: Array

    def __repr__(self) -> str:
        return short_repr(self)


def foot_curves(
    track: LegTrack,
    model: FootModel,
    ground: Ground,
    up: Array,
    fps: float,
    ground_step: Array | None,
    foothold: Foothold | None = None,
) -> FootCurves:
    """Measure one foot in every frame; `ground_step` (3,) is what a moving ground goes per frame.

    With the ground under a foot where it slopes or moves, steps are those over the place that is carried along.
    """
    sole = track.ankle + outline_on(model, track.foot, up, foothold)
    _, ball, back = sole
    above = _heights_above(ground, sole, up)
    height = above.min(axis=0)
    ball_steps = np.diff(ball, axis=0)
    roll = roll_on(sole, up, foothold)
    if foothold is None:
        steps = rolling_steps(back, ball, up)
    else:
        went = carried_steps(ground, sole[1:], up)
        ball_steps = ball_steps - went[0]
        heel = roll > 0
        steps = np.where((heel[1:] | heel[:-1])[:, None], np.diff(back, axis=0) - went[1], ball_steps)
        steps -= (steps @ up)[:, None] * up
    ball_steps -= (ball_steps @ up)[:, None] * up
    if ground_step is not None:
        steps = steps - ground_step
        ball_steps = ball_steps - ground_step
    speed = np.zeros(len(height))
    if len(steps):
        speed[1:] = np.linalg.norm(steps, axis=1) * fps
        speed[0] = speed[1]
    return FootCurves(height, speed, track.knee_angle, steps, above[1], ball_steps, roll, track.flexion)


def _heights_above(ground: Ground, points: Array, up: Array) -> Array:
    """Return heights (P, F) above the ground; over a hole above what is known of it around, and never below that.

    Where there is no ground, nothing can sink into it.
    """
    frames = np.arange(points.shape[1])
    above = ground.above(points, up, frames)
    missing = np.isinf(above)
    if not missing.any():
        return above
    heights = np.asarray(points @ up)
    level = np.where(missing, np.nan, heights - above)
    known = np.asarray(~missing.all(axis=0), dtype=np.bool_)
    if not known.any():
        return np.asarray(heights - heights.min())
    highest = np.zeros(len(frames))
    highest[known] = np.nanmax(level[:, known], axis=0)
    return np.asarray(np.where(missing, np.maximum(heights - hold_between(highest, known), 0.0), above))


def contact_distances(curves: FootCurves, contact: Span) -> Array:
    """(last − first + 1,) How far the pivot is from where it touched down, in every frame of a contact."""
    first, last = contact
    path = np.cumsum(curves.steps[first:last], axis=0)
    return np.concatenate([[0.0], np.linalg.norm(path, axis=1)])


def measure_contacts(curves: FootCurves, contacts: Sequence[Span], rises: Sequence[float]) -> list[ContactMeasure]:
    """Measure every contact of one foot; each stands so far above the ground as `rises` say."""
    measures = _core.measure_contacts(curves.steps, curves.height, contacts, np.array(rises, dtype=np.float64))
    return [ContactMeasure(*row) for row in measures.tolist()]


def knee_pops(knee: Array, fps: float, frames: Span) -> list[int]:
    """Return the frames in which a knee pops: its angular speed changes faster than by 8 000°/s².

    The angle (F,), or the flexion, is in degrees; `frames` are those to look at, both ends included.

    Notes
    -----
    Kovar, Schreiner and Gleicher, *Footskate Cleanup for Motion Capture Editing*, 2002, describe knees that pop where
    a leg comes near its full length; the measure and its bound are chosen here.

    Examples
    --------
    A knee that opens evenly, but for one frame:

    >>> import numpy as np
    >>> knee = np.linspace(120.0, 150.0, 31)
    >>> knee[12] += 10.0
    >>> knee_pops(knee, 30.0, (0, 30))
    [11, 12, 13]
    """
    jumps = np.abs(np.diff(knee[frames[0] : frames[1] + 1], 2)) * fps**2
    return [frames[0] + 1 + int(i) for i in np.flatnonzero(jumps > _POP)]
