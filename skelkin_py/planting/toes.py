# SPDX-License-Identifier: MIT
"""Toes that bend: as the heel rises from a standing foot, the tip of its toes stays on the ground with the ball."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..ground import Ground
from .blend import Span, fill_between, median, span_mask
from .fade import Fade
from .foothold import HeldFoot
from .leg_tracks import Subset
from .stance import turn_matrices

__all__ = ["Toes", "bend_toes", "read_skins"]

Array = NDArray[np.float64]

_TRIES = 4  # the ground under a tip is another one when it has come up
_DEEP = 1e-4  # leg: a tip that is less below the ground lies on it


@dataclass(frozen=True)
class Toes:
    """The toes of a clip, where they may bend."""

    limit: float  # largest angle in radians by which they are bent
    skins: Sequence[float | None]  # what `read_skins` returned


def read_skins(
    subset: Subset,
    matrices: Array,
    contacts: Sequence[Sequence[Span]],
    rises: Sequence[Sequence[float]],
    held: Sequence[Sequence[Span]],
    ground: Ground,
    up: Array,
) -> list[float | None]:
    """Read how much is below the tips of the toes: skin, or a sole, as where the planted foot stands flat.

    `matrices` (F, S, 4, 4): planted global matrices. `contacts`, `rises`, `held`: per leg, its contacts, how far above
    the ground each stands, and where it is held flat. Returns per leg, in the clip's units; None where there are no
    toes that could be bent.
    """
    out: list[float | None] = []
    for k, leg in enumerate(subset.legs):
        clear = np.zeros(0)
        if leg.toe is not None and leg.tip is not None and contacts[k]:
            toe = matrices[:, leg.toe]
            tip = toe[:, :3, :3] @ leg.tip
            frames = _flat_frames(held[k], contacts[k], tip, up)
            rise = _rise(rises[k], contacts[k], len(toe))
            clear = ground.above((toe[:, :3, 3] + tip)[frames], up, frames) - rise[frames]
            clear = clear[np.isfinite(clear)]
        out.append(max(0.0, median(clear)) if len(clear) else None)
    return out


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
    changed = {}
    for leg, foot, skin in zip(subset.legs, feet, toes.skins, strict=True):
        if leg.toe is None or leg.tip is None or skin is None or not foot.contacts:
            continue
        toe = matrices[:, leg.toe]
        tip = toe[:, :3, :3] @ leg.tip
        angle = np.zeros(len(toe))
        inside = np.flatnonzero(span_mask(foot.contacts, len(toe)))
        rise = _rise(foot.rises, foot.contacts, len(toe))
        side = np.cross(tip, up)
        side /= np.maximum(np.linalg.norm(side, axis=1, keepdims=True), 1e-300)
        for _ in range(_TRIES):
            bent = np.einsum("fij,fj->fi", turn_matrices(angle[inside, None] * side[inside]), tip[inside])
            more = _needed(toe[inside, :3, 3], bent, skin + rise[inside], ground, up, inside, foot.track.length)
            if not more.any():
                break
            angle[inside] += more
        angle = np.minimum(angle, toes.limit)
        if not angle.any():
            continue
        eased = fill_between(angle[:, None], foot.contacts, fade.window)[:, 0]
        angle = fade.ramp * np.clip(eased, 0.0, toes.limit)
        rows = np.flatnonzero(angle)
        turned = turn_matrices(angle[rows, None] * side[rows]) @ toe[rows, :3, :3]
        above = matrices[rows, int(subset.skeleton.parents[leg.toe]), :3, :3]
        local[rows, leg.toe, :3, :3] = np.linalg.solve(above, turned)
        changed[int(leg.toe)] = rows
    return changed


def _rise(rises: Sequence[float], contacts: Sequence[Span], num: int) -> Array:
    """Return how far above the ground the foot stands in each frame of its contacts."""
    out = np.zeros(num)
    for (first, last), rise in zip(contacts, rises, strict=True):
        out[first : last + 1] = rise
    return out


def _flat_frames(held: Sequence[Span], contacts: Sequence[Span], tip: Array, up: Array) -> NDArray[np.intp]:
    """Return frames in which the foot stands flat: where it is held, else those in which its toes point down least."""
    inside = span_mask(contacts, len(tip))
    flat = span_mask(held, len(tip)) & inside
    if flat.any():
        return np.flatnonzero(flat)
    rise = tip @ up
    return np.flatnonzero(inside & (rise >= np.quantile(rise[inside], 0.5)))


def _needed(
    ball: Array, tip: Array, skin: Array, ground: Ground, up: Array, frames: NDArray[np.intp], leg: float
) -> Array:
    """Return the angles by which tips have to come up to lie on the ground, ≥ 0."""
    sunk = skin - ground.above(ball + tip, up, frames)
    rise, long = tip @ up, np.linalg.norm(tip, axis=1)
    low = np.isfinite(sunk) & (sunk > _DEEP * leg) & (long > 0.0)
    ratio = np.divide(np.stack([rise, rise + np.where(low, sunk, 0.0)]), long, out=np.zeros((2, len(rise))), where=low)
    now, there = np.arcsin(np.clip(ratio, -1.0, 1.0))
    return np.asarray(there - now)
