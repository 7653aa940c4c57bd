# SPDX-License-Identifier: MIT
"""Toes that bend: as the heel rises from a standing foot, the tip of its toes stays on the ground with the ball."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import _core
from ..ground import Ground
from .blend import Span
from .fade import Fade
from .foothold import HeldFoot
from .leg_tracks import Subset

__all__ = ["Toes", "bend_toes", "read_toes"]

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Toes:
    """The toes of a clip, where they may bend."""

    limit: float  # largest angle in radians by which they are bent
    skins: Sequence[float | None]  # how much is below their tips, in the clip's units; None where they cannot be bent


def read_toes(
    subset: Subset,
    local: Array,
    matrices: Array,
    feet: Sequence[HeldFoot],
    held: Sequence[Sequence[Span]],
    limit: float,
    ground: Ground,
    up: Array,
    fade: Fade,
) -> Toes:
    """Read how much is below the tips of the toes: skin, or a sole, as where the planted foot stands flat.

    `local`, `matrices` (F, S, 4, 4): planted local matrices, and global ones. `held`: where each foot is held flat.
    """
    toes = _toes(subset, feet, held, Toes(limit, [None] * len(feet)))
    skins = iter(_core.read_skins(local, matrices, toes, ground, up, fade.ramp, fade.window, limit))
    return Toes(limit, [next(skins) if _bends(leg) else None for leg in subset.legs])


def bend_toes(
    subset: Subset,
    local: Array,
    matrices: Array,
    feet: Sequence[HeldFoot],
    toes: Toes,
    ground: Ground,
    up: Array,
    fade: Fade,
) -> dict[int, NDArray[np.intp]]:
    """Bend toes upwards, in place, where their tips would sink into the ground that the ball stands on.

    `local`, `matrices` (F, S, 4, 4): planted local matrices, which are changed, and their global ones. `toes`: what is
    below the toes, and how far they may bend. `fade`: where toes straighten again. Returns the rows that differ now.
    """
    told = _toes(subset, feet, [[]] * len(feet), toes)
    bent = _core.bend_toes(local, matrices, told, ground, up, fade.ramp, fade.window, toes.limit)
    joints = [int(leg.toe) for leg in subset.legs if _bends(leg) and leg.toe is not None]
    return {joint: np.flatnonzero(rows) for joint, rows in zip(joints, bent, strict=True) if rows.any()}


def _bends(leg: Any) -> bool:
    return leg.toe is not None and leg.tip is not None


def _toes(subset: Subset, feet: Sequence[HeldFoot], held: Sequence[Sequence[Span]], toes: Toes) -> list[Any]:
    """Return what is told of each toe that could bend."""
    return [
        (
            int(leg.toe), int(subset.skeleton.parents[leg.toe]), leg.tip, foot.track.length, foot.contacts,
            np.array(foot.rises, dtype=np.float64), flat, skin,
        )
        for leg, foot, flat, skin in zip(subset.legs, feet, held, toes.skins, strict=True)
        if leg.toe is not None and leg.tip is not None
    ]  # fmt: skip
