# SPDX-License-Identifier: MIT
"""Root motion removed from a planted clip, or added to a cycle in place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from .._support.array_types import Floats
from .foot import LegTrack
from .report.report import PlantReport
from .settings import Settings

_STAYS = 0.1  # leg: a body that ends this near to where it began, seen from above, has not travelled


def check_travel(settings: Settings, num: int) -> Settings:
    """Return the options for planting a clip of `num` frames before its root motion is changed.

    ValueError: `travel` does not fit the other options.
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
) -> tuple[PlantReport, Floats | None]:
    """Return the report with the velocity that is added to a clip's roots, and their travel (F, 3), None for "keep".

    `tracks`: the planted legs. `shown` (F,): the frame in which the pose of each frame began.
    """
    wanted = settings.travel
    if wanted == "keep":
        return report, None
    hips = np.mean([track.hip[[0, -1]] for track in tracks], axis=0)
    path = hips[1] - hips[0]
    path -= (path @ report.up) * report.up
    distance = float(np.linalg.norm(path)) / report.leg_length
    if wanted == "in_place":
        if not distance > _STAYS:
            raise ValueError(
                f"travel='in_place': the body ends {distance:.2g} leg lengths from where it began, so there is no "
                "travel to remove; leave travel at 'keep'"
            )
        added = -path * report.fps / int(shown[-1])
    else:
        if report.ground_velocity is None or not report.ground_velocity.any():
            raise ValueError(
                "travel='travelling': the feet do not move with the ground as those of a cycle in place do, so the "
                "speed of the root is not known; leave travel at 'keep', or give ground_velocity=(x, y, z) in the "
                "clip's units per second"
            )
        added = -report.ground_velocity
    speed = float(np.linalg.norm(added))
    pace = f"{speed:.3g} units/s ({speed / report.leg_length:.3g} legs/s)"
    done = "is removed from the root" if wanted == "in_place" else "is added to the root"
    message = f"travel={wanted!r}: a travel of {pace} {done}"
    steps = added / report.fps
    contacts = []
    for each in report.contacts:
        place = each.stands_at + steps * shown[each.first_frame : each.last_frame + 1].mean()
        contacts.append(replace(each, stands_at=tuple(place.tolist())))
    report = replace(report, contacts=tuple(contacts), travel_added=added, messages=(*report.messages, message))
    return report, shown[:, None] * steps
