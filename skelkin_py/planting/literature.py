# SPDX-License-Identifier: MIT
"""Figures that papers on motion synthesis give for feet, so that results compare with theirs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .blend import Span
from .metrics import FootCurves

__all__ = ["LiteratureFigures", "literature_figures", "skating_ratio", "weighted_slide"]

Array = NDArray[np.float64]

_SKATING_HEIGHT = 0.05  # metres
_SKATING_SPEED = 0.5  # metres per second
_SLIDE_HEIGHT = 0.025  # metres


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
        How far the lowest point is below the ground, mean over frames, in millimetres.
    float_mm : float
        How far the lowest point is above the ground, mean over frames, in millimetres.
    """

    skating_ratio: float
    weighted_slide_cm: float
    penetration_mm: float
    float_mm: float


def skating_ratio(heights: Sequence[Array], steps: Sequence[Array], fps: float) -> float:
    """Return the part of the frames in which a foot moves although it is near the ground.

    A frame counts where any foot is lower than 5 cm in it and in the next, and moves faster than 0.5 m/s between them.

    Parameters
    ----------
    heights : sequence of (F,) float64
        Per foot, height above the ground in metres.
    steps : sequence of (F − 1,) float64
        Per foot, how far it moves from each frame to the next in the level plane, in metres.
    fps : float
        Frames per second.

    Returns
    -------
    float
        0 … 1; 0 for a single frame.

    Notes
    -----
    Karunratanakul, Preechakul, Suwajanakorn, Tang, *Guided Motion Diffusion for Controllable Human Motion
    Synthesis*, ICCV 2023, evaluation metrics: the part of frames in which either foot skids more than 2.5 cm (at their
    20 frames per second) while it is lower than 5 cm. Given as a speed it holds at any frame rate. The speed is that
    from one frame to the next, without a moving average.

    Examples
    --------
    A foot on the ground that moves 2 cm, 3 cm and 3 cm in frames of 1/20 s; then it is lifted:

    >>> import numpy as np
    >>> round(skating_ratio([np.array([0.0, 0.0, 0.0, 0.2])], [np.array([0.02, 0.03, 0.03])], 20.0), 3)
    0.333
    """
    skates = [
        (np.maximum(height[:-1], height[1:]) < _SKATING_HEIGHT) & (step * fps > _SKATING_SPEED)
        for height, step in zip(heights, steps, strict=True)
    ]
    return float(np.any(skates, axis=0).mean()) if np.size(skates) else 0.0


def weighted_slide(heights: Sequence[Array], steps: Sequence[Array]) -> float:
    """Return the slide in which the lower a foot is, the more it counts: d · (2 − 2^(h/H)) with H = 2.5 cm.

    Parameters
    ----------
    heights : sequence of (F,) float64
        Per foot, height above the ground in metres.
    steps : sequence of (F − 1,) float64
        Per foot, how far it moves from each frame to the next in the level plane, in metres.

    Returns
    -------
    float
        Metres per frame and foot; 0 for a single frame.

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


def literature_figures(feet: Sequence[FootCurves], frames: Span, fps: float, metres: float) -> LiteratureFigures:
    """Measure a clip as papers do.

    Parameters
    ----------
    feet : sequence of FootCurves
        What `foot_curves` returned, one per leg.
    frames : (first, last)
        The frames to look at, both included.
    fps : float
        Frames per second.
    metres : float
        Metres per unit of the clip.

    Returns
    -------
    LiteratureFigures
        The figures.

    Notes
    -----
    The papers measure the toe joints of a body whose lowest joint stands on the ground; here it is the point of the
    sole under that joint, and over a moving ground its way relative to the ground.

    Penetration and float: Yuan, Song, Iqbal, Vahdat, Kautz, *PhysDiff: Physics-Guided Human Motion Diffusion Model*,
    ICCV 2023, evaluation metrics, the distance of the ground from the lowest vertex of the body's mesh below it and
    above it. Chosen here: the lowest point of all soles (a skeleton has no mesh), the mean over all frames, and no
    tolerance taken off.
    """
    part, between = slice(frames[0], frames[1] + 1), slice(frames[0], frames[1])
    heights = [metres * foot.ball_height[part] for foot in feet]
    steps = [metres * np.linalg.norm(foot.ball_steps[between], axis=1) for foot in feet]
    lowest = 1000.0 * metres * np.min([foot.height[part] for foot in feet], axis=0)
    return LiteratureFigures(
        skating_ratio=skating_ratio(heights, steps, fps),
        weighted_slide_cm=100.0 * weighted_slide(heights, steps),
        penetration_mm=float(np.maximum(-lowest, 0.0).mean()),
        float_mm=float(np.maximum(lowest, 0.0).mean()),
    )
