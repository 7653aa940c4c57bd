# SPDX-License-Identifier: MIT
"""What the feet do, measured: slide, penetration and float in contacts, knees that pop, figures of papers, bounds.

The same functions measure a clip before and after planting, each on its own joint positions.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .. import _core
from .._support.short_repr import short_repr
from .._support.values import Value, hold_read_only
from ..ground import Ground
from .foot import Foothold, FootModel, LegTrack, lowest_near
from .spans import Span

Array = NDArray[np.float64]

_POP = 8000.0  # °/s²: a knee whose speed changes faster pops


@dataclass(frozen=True)
class ContactMeasure:
    """One contact, measured; lengths in the clip's units.

    Parameters
    ----------
    slide : float
        Greatest horizontal distance of the pivot (rolling about heel and ball taken out) from where it touched down.
    slide_mean : float
        The same distance, mean over the contact's frames.
    travel : float
        Length of the pivot's horizontal path.
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


@dataclass(frozen=True, eq=False)
class FootCurves(Value):
    """One foot over all frames; its arrays are read-only.

    Parameters
    ----------
    height : (F,) float64
        Lowest point of the sole, the back of the heel included, above the ground, in the clip's units.
    speed : (F,) float64
        Horizontal speed of the pivot over the ground, in the clip's units per second.
    knee : (F,) float64
        Knee angle in degrees, 180 is straight.
    steps : (F − 1, 3) float64
        How far the pivot slips over the ground from each frame to the next.
    ball_height : (F,) float64
        The sole under the ball (the ankle, where there is no ball) above the ground, in the clip's units.
    ball_steps : (F − 1, 3) float64
        How far that point moves over the ground from each frame to the next, horizontally.
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

    def __post_init__(self) -> None:
        hold_read_only(self)

    def __repr__(self) -> str:
        return short_repr(self)

    def distances(self, contact: Span) -> Array:
        """(last − first + 1,) How far the pivot is from where it touched down, in every frame of a contact."""
        first, last = contact
        path = np.cumsum(self.steps[first:last], axis=0)
        return np.concatenate([[0.0], np.linalg.norm(path, axis=1)])


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

    With the ground under a foot where it slopes or moves, steps are those over the place that is carried along. Over a
    hole heights are above what is known of the ground around, and never below that.
    """
    curves = _core.foot_curves(track, model, ground, up, fps, ground_step, foothold)
    return FootCurves(**curves, flexion=track.flexion)


def measure_contacts(curves: FootCurves, contacts: Sequence[Span], rises: Sequence[float]) -> list[ContactMeasure]:
    """Measure every contact of one foot; each stands so far above the ground as `rises` say."""
    measures = _core.measure_contacts(curves.steps, curves.height, contacts, np.array(rises, dtype=np.float64))
    return [ContactMeasure(**measure) for measure in measures]


def deepest(curves: FootCurves, contacts: Sequence[Span], rises: Sequence[float], own: slice) -> float:
    """Return how far a sole is below the ground, or lower contacts beside it, at worst in the frames `own`; ≥ 0."""
    floor = lowest_near(contacts, rises, len(curves.height))
    return max(0.0, float((floor - curves.height)[own].max()))


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


@dataclass(frozen=True)
class LiteratureFigures:
    """What papers on motion synthesis would say of the feet of this clip, so that results compare with theirs.

    Parameters
    ----------
    skating_ratio : float
        Part of the frames, 0 … 1, in which a foot is lower than 5 cm in the frame and in the next, and moves faster
        than 0.5 m/s between them as well as in the mean of the quarter of a second around them.
    weighted_slide_cm : float
        Slide in which the lower a foot is, the more it counts: d · (2 − 2^(h/H)) with H = 2.5 cm, centimetres per frame
        and foot.
    penetration_mm : float
        How far the lowest point is below the ground, mean over frames, in millimetres; up to 5 mm count as none.
    float_mm : float
        How far the lowest point is above the ground, mean over frames, in millimetres; up to 5 mm count as none.
    contact_slide_mm : float
        How far feet that are no higher than 5 mm in two adjacent frames move between them, millimetres per frame.
    physical_error_mm : float
        The sum of the three before.

    Notes
    -----
    The papers measure the toe joints of a body whose lowest joint stands on the ground; here it is the point of the
    sole under that joint, and over a moving ground its path relative to the ground. Figures of a single frame are 0.
    Both slides fall as the frame rate rises: compare clips of one rate.

    Skating ratio: Karunratanakul, Preechakul, Suwajanakorn, Tang, *Guided Motion Diffusion for Controllable Human
    Motion Synthesis*, ICCV 2023, evaluation metrics, with the moving average of the published evaluation: the part of
    frames in which either foot skids more than 2.5 cm while it is lower than 5 cm, at their 20 frames per second, where
    the window is five frames long and nothing moves outside the clip. Given as a speed and a time it holds at any frame
    rate; the window is the nearest odd number of frames.

    Weighted slide: Zhang, Starke, Komura, Saito, *Mode-Adaptive Neural Networks for Quadruped Motion Control*, ACM
    Transactions on Graphics 37(4), 2018, evaluation of foot skating: d is the level displacement and h the height of a
    foot, which counts as long as it is lower than H. Chosen here: h is the mean of both frames' heights and at least
    0, and the figure is the mean over all feet and frames, those that count for nothing included.

    Penetration, float and slide in contact: Yuan, Song, Iqbal, Vahdat, Kautz, *PhysDiff: Physics-Guided Human Motion
    Diffusion Model*, ICCV 2023, evaluation metrics, the distance of the ground from the lowest vertex of the body's
    mesh below it and above it, where what is within 5 mm counts as none; a mean over all frames. Their *Skate* is the
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
    """Measure a clip as papers do, in frames both of which are included, at so many metres per unit."""
    part, between = slice(frames[0], frames[1] + 1), slice(frames[0], frames[1])
    lowest, ball = (np.stack(rows) for rows in zip(*((f.height[part], f.ball_height[part]) for f in feet), strict=True))
    steps = np.stack([foot.ball_steps[between] for foot in feet])
    return LiteratureFigures(**_core.literature_figures(lowest, ball, steps, fps, metres))
