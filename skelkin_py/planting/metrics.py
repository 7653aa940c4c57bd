# SPDX-License-Identifier: MIT
"""Measures of feet: slide, penetration and float in contacts, knees that pop, figures of papers.

The same functions measure a clip before and after planting, each by its own joint positions.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .. import _core
from .._support.array_types import Floats
from .._support.short_repr import short_repr
from .._support.values import Value
from ..ground import Ground
from .foot import Foothold, FootModel, LegTrack, lowest_near
from .spans import Span

_POP = 8000.0  # °/s²: a knee whose speed changes faster pops


@dataclass(frozen=True)
class ContactMeasure:
    """The measures of one contact, in the clip's units.

    Parameters
    ----------
    slide : float
        Largest horizontal distance of the pivot from where it touched down. The pivot is the point about which the foot
        rolls, so that rolling over heel and ball is not slide.
    slide_mean : float
        Mean of the same distance over the contact's frames.
    travel : float
        Length of the pivot's horizontal path.
    penetration : float
        Largest depth of the sole below the ground, ≥ 0.
    float : float
        Largest height of the sole above the ground, ≥ 0.
    """

    slide: float
    slide_mean: float
    travel: float
    penetration: float
    float: float


@dataclass(frozen=True, eq=False)
class FootCurves(Value):
    """The curves of one foot over all F frames; its arrays are read-only.

    Parameters
    ----------
    height : (F,) float64
        Lowest point of the sole, the back of the heel included, above the ground, in the clip's units.
    speed : (F,) float64
        Horizontal speed of the pivot over the ground, in the clip's units per second.
    knee : (F,) float64
        Knee angle in degrees, 180 is straight.
    steps : (F − 1, 3) float64
        Displacement of the pivot over the ground from each frame to the next.
    ball_height : (F,) float64
        The sole under the ball (the ankle, where there is no ball) above the ground, in the clip's units.
    ball_steps : (F − 1, 3) float64
        Horizontal displacement of that point over the ground from each frame to the next.
    roll : (F,) int8
        1 where the foot is on its heel with the toes up, −1 where it is on its ball with the heel up, 0 where flat.
    flexion : (F,) float64
        Signed flexion about the knee's hinge in degrees: 0 is straight, below 0 it is bent backward.
    """

    height: Floats
    speed: Floats
    knee: Floats
    steps: Floats
    ball_height: Floats
    ball_steps: Floats
    roll: NDArray[np.int8]
    flexion: Floats

    def __repr__(self) -> str:
        return short_repr(self)

    def distances(self, contact: Span) -> Floats:
        """Return how far the pivot is from where it touched down, in each frame of a contact (first, last).

        Returns (last − first + 1,) float64, in the clip's units.
        """
        first, last = contact
        path = np.cumsum(self.steps[first:last], axis=0)
        return np.concatenate([[0.0], np.linalg.norm(path, axis=1)])


def foot_curves(
    track: LegTrack,
    model: FootModel,
    ground: Ground,
    up: Floats,
    fps: float,
    ground_step: Floats | None,
    foothold: Foothold | None = None,
) -> FootCurves:
    """Measure one foot in every frame; `ground_step` (3,): how far a moving ground moves per frame.

    On ground that slopes or moves (`foothold`), steps are relative to the point that the ground carries along. Over a
    hole, heights are above the ground around it, and never negative.
    """
    curves = _core.foot_curves(track, model, ground, up, fps, ground_step, foothold)
    return FootCurves(**curves, flexion=track.flexion)


def measure_contacts(curves: FootCurves, contacts: Sequence[Span], rises: Sequence[float]) -> list[ContactMeasure]:
    """Measure every contact of one foot; `rises`: how far above the ground each stands."""
    measures = _core.measure_contacts(curves.steps, curves.height, contacts, np.array(rises, dtype=np.float64))
    return [ContactMeasure(**measure) for measure in measures]


def deepest(curves: FootCurves, contacts: Sequence[Span], rises: Sequence[float], own: slice) -> float:
    """Return how far a sole is below the ground, or below lower contacts nearby, at worst in the frames `own`; ≥ 0."""
    floor = lowest_near(contacts, rises, len(curves.height))
    return max(0.0, float((floor - curves.height)[own].max()))


def knee_pops(knee: Floats, fps: float, frames: Span) -> list[int]:
    """Return the frames in which a knee pops: its angular acceleration is above 8 000°/s².

    `knee` (F,): the angle or the flexion in degrees. `frames`: those to look at, both included.

    Notes
    -----
    Kovar, Schreiner and Gleicher, *Footskate Cleanup for Motion Capture Editing*, 2002, describe knees that pop where
    a leg comes near its full length; the measure and its bound are our own.

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


@dataclass(frozen=True)
class LiteratureFigures:
    """The figures by which papers on motion synthesis measure feet, for comparison with their results.

    Parameters
    ----------
    skating_ratio : float
        Part of the frames, 0 … 1, in which a foot is lower than 5 cm in the frame and in the next, and moves faster
        than 0.5 m/s between them as well as in the mean of the quarter of a second around them.
    weighted_slide_cm : float
        Slide weighted by height, so that lower feet count more: d · (2 − 2^(h/H)) with H = 2.5 cm, in centimetres per
        frame and foot.
    penetration_mm : float
        Depth of the lowest point below the ground, mean over frames, in millimetres; up to 5 mm count as 0.
    float_mm : float
        Height of the lowest point above the ground, mean over frames, in millimetres; up to 5 mm count as 0.
    contact_slide_mm : float
        How far feet that are at most 5 mm high in two adjacent frames move between them, in millimetres per frame.
    physical_error_mm : float
        The sum of `penetration_mm`, `float_mm` and `contact_slide_mm`.

    Notes
    -----
    The papers measure the toe joints of a body whose lowest joint stands on the ground. Here the point of the sole
    under that joint is measured, over a moving ground relative to the ground. Figures of a single frame are 0. Both
    slides fall as the frame rate rises: compare only clips of the same rate.

    Skating ratio: Karunratanakul, Preechakul, Suwajanakorn, Tang, *Guided Motion Diffusion for Controllable Human
    Motion Synthesis*, ICCV 2023, evaluation metrics, with the moving average of the published evaluation: the part of
    frames in which either foot skids more than 2.5 cm while it is lower than 5 cm, at their 20 frames per second, where
    the window is five frames long and nothing moves outside the clip. Expressed as a speed and a time, it applies to
    any frame rate; the window is the nearest odd number of frames.

    Weighted slide: Zhang, Starke, Komura, Saito, *Mode-Adaptive Neural Networks for Quadruped Motion Control*, ACM
    Transactions on Graphics 37(4), 2018, evaluation of foot skating: d is the horizontal displacement and h the height
    of a foot, which counts as long as it is lower than H. Chosen here: h is the mean of both frames' heights and at
    least 0, and the figure is the mean over all feet and frames, those of weight 0 included.

    Penetration, float and slide in contact: Yuan, Song, Iqbal, Vahdat, Kautz, *PhysDiff: Physics-Guided Human Motion
    Diffusion Model*, ICCV 2023, evaluation metrics, the distance of the ground from the lowest vertex of the body's
    mesh below it and above it, where distances up to 5 mm count as 0; a mean over all frames. Their *Skate* is the
    slide of feet on the ground, which are those within the same 5 mm. Chosen here: the lowest point of all soles, since
    a skeleton has no mesh.
    """

    skating_ratio: float
    weighted_slide_cm: float
    penetration_mm: float
    float_mm: float
    contact_slide_mm: float
    physical_error_mm: float


def literature_figures(feet: Sequence[FootCurves], frames: Span, fps: float, metres: float) -> LiteratureFigures:
    """Measure a clip as papers do, in a range of frames, both included; `metres`: those of a unit."""
    part, between = slice(frames[0], frames[1] + 1), slice(frames[0], frames[1])
    lowest, ball = (np.stack(rows) for rows in zip(*((f.height[part], f.ball_height[part]) for f in feet), strict=True))
    steps = np.stack([foot.ball_steps[between] for foot in feet])
    return LiteratureFigures(**_core.literature_figures(lowest, ball, steps, fps, metres))
