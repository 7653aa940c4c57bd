# SPDX-License-Identifier: MIT
"""From contacts to the path of every ankle and of the body over the whole clip: one convex problem, solved in C."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from .. import _core
from ..ground import Ground
from ..plant_options import PlantOptions
from .blend import Span, lengths
from .fade import Fade
from .foothold import HeldFoot
from .settings import LegReach

__all__ = ["Body", "FootPaths", "acceleration", "plan_paths"]

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Body:
    """The body, and how it may be moved.

    Parameters
    ----------
    path : (F, 3) float64 or None
        The original path of the joint that carries it; None where there is none.
    most : float
        By how much its acceleration may become greater, in the clip's units per s².
    drift : (F,) float64
        How far the ground goes up, or down, beyond the motion.
    heights_only : bool
        Whether feet, and with them the body, are moved along up alone.
    rise : float or None
        What `whole_rise` said of the clip of which this is a part; None where all of it is there.
    """

    path: Array | None
    most: float
    drift: Array
    heights_only: bool
    rise: float | None = None


@dataclass(frozen=True)
class FootPaths:
    """Where ankles and body have to go.

    Parameters
    ----------
    targets : list of (F, 3) float64
        Per leg, the ankle.
    turns : list of (F, 3) float64
        Per leg, rotation vectors that turn the foot in global space.
    held : list of list of (first, last)
        Per leg, where the foot is held flat.
    body : (F, 3) float64
        How the body is moved.
    acceleration : float
        By how much that makes its acceleration greater at worst, in the clip's units per s².
    changed : list of (F,) bool
        Per leg, the frames in which its joints have to move.
    missed : list of (F,) float64
        Per leg, how far its ankle is from its place in contacts that were left out, out of reach; else 0.
    """

    targets: list[Array]
    turns: list[Array]
    held: list[list[Span]]
    body: Array
    acceleration: float
    changed: list[NDArray[np.bool_]]
    missed: list[Array]

    def part(self, own: slice, held: list[list[Span]]) -> FootPaths:
        """Return those of some of the frames, in which feet are held in these spans."""
        targets, turns = ([path[own] for path in paths] for paths in (self.targets, self.turns))
        changed, missed = [flags[own] for flags in self.changed], [far[own] for far in self.missed]
        return replace(
            self, targets=targets, turns=turns, held=held, body=self.body[own], changed=changed, missed=missed
        )


def acceleration(path: Array, fps: float) -> Array:
    """(F,) Size of the second difference per s² of heights (F,) or places (F, 3); 0 in the first and the last frame."""
    out = np.zeros(len(path))
    if len(path) > 2:
        change = np.diff(path, 2, axis=0)
        out[1:-1] = (np.abs(change) if change.ndim == 1 else lengths(change)) * fps**2
    return out


def plan_paths(
    feet: Sequence[HeldFoot],
    body: Body,
    ground: Ground,
    up: Array,
    fps: float,
    *,
    reach: LegReach,
    fade: Fade,
    blend: float = PlantOptions.blend,
) -> FootPaths:
    """Plan the ankles and the body.

    `reach`: what happens to a leg that is too short. `fade`: where corrections fade. `blend`: how long that takes, in
    seconds.
    """
    ways = ("soften", "lower_pelvis", "stretch")
    tracks, window = [foot.track for foot in feet], fade.window
    rest = (
        fade.ramp, fade.alone, fade.whole, body.drift, body.rise, body.path is not None, body.heights_only, body.most,
        fps, blend, ways.index(reach.way), reach.stretch,
    )  # fmt: skip
    offsets, turns, shift, moved, missed = _core.plan_paths(feet, ground, up, window, rest)
    added = 0.0
    if body.path is not None:
        added = float((acceleration(body.path + shift, fps) - acceleration(body.path, fps)).max(initial=0.0))
    targets = [track.ankle + offset for track, offset in zip(tracks, offsets, strict=True)]
    return FootPaths(targets, [*turns], [foot.hold.spans for foot in feet], shift, added, [*moved], [*missed])
