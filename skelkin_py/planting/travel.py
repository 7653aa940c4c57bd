# SPDX-License-Identifier: MIT
"""Root motion, taken out of a planted clip or put into it: its own, or that of the ground that its feet go with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from .foot import LegTrack
from .report.report import PlantReport
from .settings import Settings

Array = NDArray[np.float64]

_STAYS = 0.1  # leg: a body that ends this near to where it began, seen from above, has not travelled


def check_travel(settings: Settings, num: int) -> Settings:
    """Return the options by which a clip of `num` frames is planted before its root motion is changed.

    ValueError: it cannot be.
    """
    wanted = settings.travel
    if wanted == "keep":
        return settings
    if settings.frames != (0, num - 1):
        raise ValueError(
            f"travel={wanted!r} with frames={settings.frames}: travel changes every frame: leave out frames"
        )
    if settings.ground is not None and settings.ground.level is None:
        raise ValueError(
            f"travel={wanted!r} with a ground that is not level: another part of the ground would be below the feet"
        )
    if wanted == "travelling" and settings.ground_velocity is None:
        return replace(settings, ground_velocity="auto")
    return settings


def travelled(
    report: PlantReport, tracks: Sequence[LegTrack], settings: Settings, shown: NDArray[np.intp]
) -> tuple[PlantReport, Array | None]:
    """Return the report with the velocity that is added to a clip's roots, and how far they are moved (F, 3).

    `tracks`: the legs as planted. `shown` (F,): the frame in which what each frame shows began. The way is None where
    roots stay.
    """
    wanted = settings.travel
    if wanted == "keep":
        return report, None
    hips = np.mean([track.hip[[0, -1]] for track in tracks], axis=0)
    way = hips[1] - hips[0]
    way -= (way @ report.up) * report.up
    gone = float(np.linalg.norm(way)) / report.leg_length
    if wanted == "in_place":
        if not gone > _STAYS:
            raise ValueError(
                f"travel='in_place': the body ends {gone:.2g} leg lengths from where it began, so there is no travel "
                "to remove; leave travel at 'keep'"
            )
        added = -way * report.fps / int(shown[-1])
    else:
        if report.ground_velocity is None or not report.ground_velocity.any():
            raise ValueError(
                "travel='travelling': the feet do not move with the ground as those of a cycle in place do, so the "
                "speed of the root is not known; leave travel at 'keep', or give ground_velocity=(x, y, z) in the "
                "clip's units per second"
            )
        added = -report.ground_velocity
    speed = float(np.linalg.norm(added))
    told = f"{speed:.3g} units/s ({speed / report.leg_length:.3g} legs/s)"
    done = "is removed from the root" if wanted == "in_place" else "is added to the root"
    message = f"travel={wanted!r}: a travel of {told} {done}"
    steps = added / report.fps
    contacts = tuple(
        replace(
            each,
            stands_at=tuple((each.stands_at + steps * shown[each.first_frame : each.last_frame + 1].mean()).tolist()),
        )
        for each in report.contacts
    )
    report = replace(report, contacts=contacts, travel_added=added, messages=(*report.messages, message))
    return report, shown[:, None] * steps
