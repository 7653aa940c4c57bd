# SPDX-License-Identifier: MIT
"""Where the ankle of a standing foot is put: rolling in place without slipping, at the height of the ground.

The ankle follows from rolling without slipping (each frame the pivot stays where it is), put where the original
foot was on average, and from the ground below heel and ball.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .. import _core
from ..ground import Ground
from .blend import Span, hold_between, span_mask
from .foot import StandingFoot
from .stance import Hold, rolling_steps, turned_foot

__all__ = ["Stance", "place_stance", "rolled_path", "settle"]

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Stance:
    """Corrections of one foot inside its contacts.

    Parameters
    ----------
    offset : (F, 3) float64
        What to add to the ankle, valid inside the contacts.
    tilt : (F,) float64
        The part of its height that keeps the back of a heel above the ground while the toes are up.
    turn : (F, 3) float64
        Rotation vector that turns the foot in global space; zero where its own rotation is kept.
    held : list of (first, last)
        Where the foot is held flat.
    """

    offset: Array
    tilt: Array
    turn: Array
    held: list[Span]


def place_stance(
    foot: StandingFoot,
    hold: Hold,
    rises: Sequence[float],
    ground: Ground,
    up: Array,
    ground_step: Array | None = None,
    *,
    pin: bool,
    places: Sequence[Array | None] = (),
) -> Stance:
    """Compute where the ankle has to be inside the contacts.

    `hold`: what `hold_flat` returned. `rises`: per contact, how far above the ground it stands (something the ground
    does not show). `ground_step` (3,), optional: how far the ground goes per frame, in the level plane: standing feet
    go with it. `pin`: False leaves the foot where it is in the level plane and corrects heights only. `places` (3,):
    per contact, the point over which the ball stands in the mean; None where the original's ankle says it. Returns
    offsets of the ankle inside the contacts.
    """
    track = foot.track
    sole = foot.model.outline(turned_foot(track, hold.turn), up)
    near = track.ankle @ up
    ankle = track.ankle - near[:, None] * up
    if pin:
        ankle = rolled_path(ankle, sole[2], sole[1], foot.contacts, up, ground_step)
    for (first, last), place in zip(foot.contacts, places, strict=False):
        if place is not None:
            own = slice(first, last + 1)
            away = place - (ankle[own] + sole[1, own]).mean(axis=0)
            ankle[own] += away - (away @ up) * up
    return settle(foot, ankle, near, sole, hold, rises, ground, up)


def rolled_path(
    ankle: Array, back: Array, ball: Array, contacts: Sequence[Span], up: Array, ground_step: Array | None = None
) -> Array:
    """Return where ankles are, in the level plane, whose feet roll in their contacts without slipping.

    `ankle` (F, 3): where they are in the original; in the mean of a contact they stay there. `back`, `ball` (F, 3): the
    back of the heel and the sole under the ball, relative to the ankle. `contacts`: the foot's contacts. `ground_step`
    (3,), optional: how far the ground goes per frame. Returns (F, 3): the same, moved inside the contacts.
    """
    # The ankle moves against what the pivot moves relative to it.
    steps = rolling_steps(back, ball, up)
    if ground_step is not None:
        steps = steps - ground_step
    return _core.rolled_path(np.ascontiguousarray(ankle), np.ascontiguousarray(steps), contacts)


def settle(
    foot: StandingFoot,
    ankle: Array,
    near: Array,
    sole: Array,
    hold: Hold,
    rises: Sequence[float],
    ground: Ground,
    up: Array,
) -> Stance:
    """Bring standing feet to the height at which their sole touches the ground.

    `ankle` (F, 3): where the ankle stands in the level plane. `near` (F,): the height from which its ground is looked
    for: of several storeys, the foot stands on the one it is in. `sole` (P, F, 3): points of the sole relative to the
    ankle: under ankle and ball, then the others. `hold`: how the foot is turned. `rises`: per contact, how far above
    the ground it stands. Returns offsets of the ankle inside the contacts. Where there is no ground below the sole, the
    height is that of the frames of the contact around, and the original's where there is none in the whole contact.
    """
    track, contacts = foot.track, foot.contacts
    offset, tilt = np.zeros_like(track.ankle), np.zeros(len(track.ankle))
    inside = np.flatnonzero(span_mask(contacts, len(offset)))
    old, new = track.ankle[inside], ankle[inside]
    points = new + sole[:, inside]
    below = ground.heights(points + near[inside, None] * up, inside)
    needed = np.where(np.isnan(below), -np.inf, below) - points @ up
    height, lowest = needed.max(axis=0), needed[:2].max(axis=0)
    counts = [last - first + 1 for first, last in contacts]
    known = np.isfinite(height)
    if not known.all():
        for stop, count in zip(np.cumsum(counts), counts, strict=True):
            part = slice(stop - count, stop)
            if not known[part].all():
                own = old[part] @ up
                height[part] = hold_between(height[part], known[part]) if known[part].any() else own
    tilt[inside] = np.where(np.isfinite(lowest), height - lowest, 0.0)
    offset[inside] = new + (height + np.repeat(rises, counts))[:, None] * up - old
    return Stance(offset, tilt, hold.turn, hold.spans)
