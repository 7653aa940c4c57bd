# SPDX-License-Identifier: MIT
"""Figures that papers on motion synthesis give for feet, so that results compare with theirs.

Feet are given by heights (F,) above the ground and steps (F − 1,) in the level plane, in metres, one of each per
foot; figures of a single frame are 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .blend import Span
from .metrics import FootCurves

__all__ = ["LiteratureFigures", "contact_slide", "literature_figures", "skating_ratio", "weighted_slide"]

Array = NDArray[np.float64]

_SKATING_HEIGHT = 0.05  # metres
_SKATING_SPEED = 0.5  # metres per second
_SKATING_WINDOW = 0.25  # seconds: five frames at 20 frames per second
_SLIDE_HEIGHT = 0.025  # metres
_TOLERANCE = 0.005  # metres


@dataclass(frozen=True)
class LiteratureFigures:
    """What papers would say of this clip.

    Parameters
    ----------
    skating_ratio : float
        Part of the frames in which a foot skates, 0 … 1, see `skating_ratio`.
    weighted_slide_cm : float
        Slide weighted by height, centimetres per frame and foot, see `weighted_slide`.
    penetration_mm : float
        How far the lowest point is below the ground, mean over frames, in millimetres; up to 5 mm count as none.
    float_mm : float
        How far the lowest point is above the ground, mean over frames, in millimetres; up to 5 mm count as none.
    contact_slide_mm : float
        How far feet on the ground move, millimetres per frame, see `contact_slide`.
    physical_error_mm : float
        The sum of the three before.
    """

    skating_ratio: float
    weighted_slide_cm: float
    penetration_mm: float
    float_mm: float
    contact_slide_mm: float
    physical_error_mm: float


def skating_ratio(heights: Sequence[Array], steps: Sequence[Array], fps: float) -> float:
    """Return the part of the frames in which a foot moves although it is near the ground.

    A frame counts where any foot is lower than 5 cm in it and in the next, and moves faster than 0.5 m/s between them
    as well as in the mean of the quarter of a second around them.

    Notes
    -----
    Karunratanakul, Preechakul, Suwajanakorn, Tang, *Guided Motion Diffusion for Controllable Human Motion
    Synthesis*, ICCV 2023, evaluation metrics, with the moving average of the published evaluation: the part of frames
    in which either foot skids more than 2.5 cm while it is lower than 5 cm, at their 20 frames per second, where the
    window is five frames long and nothing moves outside the clip. Given as a speed and a time it holds at any frame
    rate; the window is the nearest odd number of frames.

    Examples
    --------
    A foot on the ground that moves 2 cm, 5 cm and 5 cm in frames of 1/20 s; then it is lifted:

    >>> import numpy as np
    >>> round(skating_ratio([np.array([0.0, 0.0, 0.0, 0.2, 0.2])], [np.array([0.02, 0.05, 0.05, 0.05])], 20.0), 3)
    0.25
    """
    if not np.size(steps):
        return 0.0
    if not np.isfinite(fps):
        return float("nan")
    half = max(0, round((_SKATING_WINDOW * fps - 1.0) / 2.0))
    skates = []
    for height, step in zip(heights, steps, strict=True):
        speed, low = step * fps, np.maximum(height[:-1], height[1:]) < _SKATING_HEIGHT
        near = min(half, len(speed))  # further out there is nothing, and a wild frame rate must not cost memory
        around = np.convolve(speed, np.ones(2 * near + 1) / (2 * half + 1))[near : near + len(speed)]
        skates.append(low & (speed > _SKATING_SPEED) & (around > _SKATING_SPEED))
    return float(np.any(skates, axis=0).mean())


def weighted_slide(heights: Sequence[Array], steps: Sequence[Array]) -> float:
    """Return the slide in which the lower a foot is, the more it counts: d · (2 − 2^(h/H)) with H = 2.5 cm.

    Notes
    -----
    Zhang, Starke, Komura, Saito, *Mode-Adaptive Neural Networks for Quadruped Motion Control*, ACM Transactions on
    Graphics 37(4), 2018, evaluation of foot skating: d is the level displacement and h the height of a foot, which
    counts as long as it is lower than H. Chosen here: h is the mean of both frames' heights and at least 0, and
    the figure is the mean over all feet and frames, those that count for nothing included. It falls as the frame
    rate rises: compare clips of one rate.

    Examples
    --------
    >>> import numpy as np
    >>> weighted_slide([np.array([0.0, 0.0, 0.05])], [np.array([0.01, 0.02])])
    0.005
    """
    parts = []
    for height, step in zip(heights, steps, strict=True):
        low = np.clip(0.5 * (height[:-1] + height[1:]) / _SLIDE_HEIGHT, 0.0, 1.0)
        parts.append(step * (2.0 - np.exp2(low)))
    return float(np.mean(parts)) if np.size(parts) else 0.0


def contact_slide(heights: Sequence[Array], steps: Sequence[Array]) -> float:
    """Return how far feet that are on the ground in two adjacent frames move between them.

    Notes
    -----
    Yuan, Song, Iqbal, Vahdat, Kautz, *PhysDiff: Physics-Guided Human Motion Diffusion Model*, ICCV 2023, evaluation
    metrics, *Skate*. On the ground is what is no higher than the 5 mm that the paper allows for penetration and float.
    It falls as the frame rate rises: compare clips of one rate.

    Examples
    --------
    >>> import numpy as np
    >>> contact_slide([np.array([0.0, 0.0, 0.05])], [np.array([0.01, 0.02])])
    0.005
    """
    if not np.size(steps):
        return 0.0
    low = np.array([np.maximum(height[:-1], height[1:]) <= _TOLERANCE for height in heights])
    sums, counts = np.where(low, np.asarray(steps), 0.0).sum(axis=0), low.sum(axis=0)
    return float((sums / np.maximum(counts, 1)).mean())


def literature_figures(feet: Sequence[FootCurves], frames: Span, fps: float, metres: float) -> LiteratureFigures:
    """Measure a clip as papers do, in frames both of which are included, at so many metres per unit.

    Notes
    -----
    The papers measure the toe joints of a body whose lowest joint stands on the ground; here it is the point of the
    sole under that joint, and over a moving ground its way relative to the ground.

    Penetration and float: Yuan, Song, Iqbal, Vahdat, Kautz, *PhysDiff: Physics-Guided Human Motion Diffusion Model*,
    ICCV 2023, evaluation metrics, the distance of the ground from the lowest vertex of the body's mesh below it and
    above it, where what is within 5 mm counts as none; a mean over all frames. Chosen here: the lowest point of all
    soles, since a skeleton has no mesh.
    """
    part, between = slice(frames[0], frames[1] + 1), slice(frames[0], frames[1])
    heights = [metres * foot.ball_height[part] for foot in feet]
    steps = [metres * np.linalg.norm(foot.ball_steps[between], axis=1) for foot in feet]
    lowest = metres * np.min([foot.height[part] for foot in feet], axis=0)
    below = float(np.where(lowest < -_TOLERANCE, -lowest, 0.0).mean())
    above = float(np.where(lowest > _TOLERANCE, lowest, 0.0).mean())
    slide = contact_slide(heights, steps)
    return LiteratureFigures(
        skating_ratio=skating_ratio(heights, steps, fps),
        weighted_slide_cm=100.0 * weighted_slide(heights, steps),
        penetration_mm=1000.0 * below,
        float_mm=1000.0 * above,
        contact_slide_mm=1000.0 * slide,
        physical_error_mm=1000.0 * (below + above + slide),
    )
