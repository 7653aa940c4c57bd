# SPDX-License-Identifier: MIT
"""The frames of a loop, cut out of the unrolled motion in which they were planted."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from .. import _core
from .known import Known, Part, Solved
from .leg_tracks import leg_tracks
from .loops import clip_ground

__all__ = ["LoopCut"]

Array = NDArray[np.float64]


class LoopCut:
    """What was planted of the unrolled motion, cut out part after part, from the clip's first frame to its last.

    `last` (S, 4, 4): local matrices of the clip's last pose.
    """

    def __init__(self, known: Known, last: Array) -> None:
        assert known.scene.loop is not None
        self._loop, self._known, self._last = known.scene.loop, known, last
        self._first: Array | None = None
        self._changed: set[int] = set()

    def cut_out(self, part: Part, solved: Solved) -> tuple[Part, Solved]:
        """Return the clip's frames of a part, counted as those of the clip; its last pose is the planted first.

        `part`, `solved`: some frames of the unrolled motion; those of the first call hold the clip's first one. Returns
        `part, solved`: the same, as of a clip that is no loop; a contact that crosses the seam ends there.
        """
        loop, subset = self._loop, self._known.scene.subset
        own = slice(max(loop.middle.start - part.first, 0), min(loop.middle.stop - part.first, len(part.local)))
        first, stop = own.start + part.first - loop.margin, own.stop + part.first - loop.margin
        before, after = part.local[own].copy(), solved.local[own].copy()
        if self._first is None:
            assert first == 0
            self._first = after[0].copy()
        self._changed |= set(solved.changed)
        if stop > loop.period:
            before[-1] = self._last
            length = part.tracks[0].length
            after[-1] = loop.closing_pose(subset, self._first, self._last, self._changed, length)
        inside = [loop.roll_up([(a + part.first, b + part.first) for a, b in spans]) for spans in part.contacts]
        held = [loop.roll_up([(a + part.first, b + part.first) for a, b in spans]) for spans in solved.held]
        closing = loop.closing_joints(subset, self._changed)
        differs = [(j, np.flatnonzero(_core.changed_frames(before, after, j))) for j in closing]
        return (
            Part(
                first=first,
                local=before,
                tracks=leg_tracks(subset, before, part.tracks),
                contacts=[[(a - first, b - first) for (a, b), _ in spans] for spans in inside],
                footholds=[None if hold is None else hold.part(own) for hold in part.footholds],
                ground=clip_ground(self._known.ground).at(np.arange(first, stop)),
                num=loop.period + 1,
                working=(0, loop.period),
                alone=part.alone[own],
            ),
            replace(
                solved,
                local=after,
                changed={joint: rows for joint, rows in differs if rows.size},
                errors=solved.errors[own],
                after=leg_tracks(subset, after, part.tracks),
                rises=[[own[n] for _, n in spans] for spans, own in zip(inside, solved.rises, strict=True)],
                held=[[(a - first, b - first) for (a, b), _ in spans] for spans in held],
                targets=[target[own] for target in solved.targets],
                body=solved.body[own],
            ),
        )
