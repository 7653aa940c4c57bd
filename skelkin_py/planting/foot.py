# SPDX-License-Identifier: MIT
"""The foot as planting sees it: points of the sole under ankle and ball, at the back of the heel and at the toe tip.

Joints lie inside the body; what touches the ground is the sole. The points under ankle and ball are fixed to
the foot joint and at the same level when the foot stands flat, so that "heel up", "flat" and "toe up" follow
from their heights alone, whatever way the joint's own axes point. The foot rolls about these two; the back of
the heel and the tip of the toes only have to stay above the ground.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from .. import _core
from .spans import Span

__all__ = ["FootModel", "LegTrack", "StandingFoot"]

Array = NDArray[np.float64]


@dataclass(frozen=True)
class LegTrack:
    """Global motion of one leg.

    Parameters
    ----------
    hip, knee, ankle : (F, 3) float64
        Joint positions.
    foot : (F, 3, 3) float64
        Linear part of the foot joint's global matrix.
    ball : (3,) float64 or None
        Ball of the foot (toe joint, else end site) in the foot joint's frame.
    bends : bool
        Whether the ball is a joint.
    length : float
        Thigh and shin together: the median over the clip.
    marker : (3,) float64 or None
        A joint that marks the heel, in the foot joint's frame.
    rest_up : (3,) float64 or None
        Up in the foot joint's frame in a rest pose that stands.
    hinge : (3,) float64
        The knee's axis in the axes of the thigh: a positive turn of the shin about it is flexion; zeros where neither
        the clip nor the rest pose tells.
    flexion : (F,) float64
        The knee's flexion about it in degrees, negative where the knee is bent backward.
    """

    hip: Array
    knee: Array
    ankle: Array
    foot: Array
    ball: Array | None
    bends: bool
    length: float
    marker: Array | None = None
    rest_up: Array | None = None
    hinge: Array = field(default_factory=lambda: np.zeros(3))
    flexion: Array = field(default_factory=lambda: np.zeros(0))

    @property
    def extension(self) -> Array:
        """(F,) Distance from hip to ankle in leg lengths."""
        return np.asarray(np.linalg.norm(self.ankle - self.hip, axis=1) / self.length)

    @property
    def knee_angle(self) -> Array:
        """(F,) Angle at the knee in degrees; 180 is a straight leg."""
        return _core.knee_angles(self.hip, self.knee, self.ankle)


@dataclass(frozen=True)
class FootModel:
    """Where the sole is, in the foot joint's frame.

    Parameters
    ----------
    heel : (3,) float64
        The sole under the ankle.
    ball : (3,) float64
        The ball joint where the toes bend there, else the sole under the end site; the heel where there is neither.
    drop : float
        How far below `ball` the sole is, in the clip's units: straight below, as bent toes stay level under a rising
        foot; where the toes are up, square to the sole.
    clearance : float
        Distance of the ball joint (of the ankle, where there is no ball) above the sole, in leg lengths.
    source : str
        Where `clearance` comes from, in words.
    back : (3,) float64
        The back of the heel, level with `heel`: the same where it is not known which way the foot points. With its
        toes up the foot rolls about it.
    along : (3,) float64
        From `heel` to the sole under the ball of a flat foot.
    raised : float
        How much further down all of it is, in the clip's units: straight below, whichever way the foot points.
    """

    heel: Array
    ball: Array
    drop: float
    clearance: float
    source: str
    back: Array
    along: Array
    raised: float = 0.0

    def points(self, foot: Array, up: Array) -> tuple[Array, Array]:
        """Return the sole under heel and ball, relative to the ankle.

        Returns `heel, ball` (F, 3): the two points.
        """
        heel, ball, _ = self.outline(foot, up)
        return heel, ball

    def outline(self, foot: Array, up: Array) -> Array:
        """Return all points that can touch the ground, relative to the ankle.

        Returns (P, F, 3): the sole under ankle and ball, and the back of the heel.
        """
        foot = np.ascontiguousarray(foot)
        return _core.sole_outline(foot, self.heel, self.ball, self.back, self.along, self.drop, self.raised, up)


@dataclass(frozen=True)
class StandingFoot:
    """A foot and when it stands.

    Parameters
    ----------
    track : LegTrack
        The motion of its leg.
    model : FootModel
        Its sole.
    contacts : sequence of (first, last)
        Rising.
    """

    track: LegTrack
    model: FootModel
    contacts: Sequence[Span]
