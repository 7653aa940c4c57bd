# SPDX-License-Identifier: MIT
"""What to say where a hip or knee turns faster than it may: how fast, when, and which contact asks too much."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .blend import Span, lengths
from .foot import LegTrack
from .known import Known, Part, Solved
from .remark import FRAME, Remark
from .turn_bounds import turns_used

__all__ = ["FastTurn", "fastest_turns"]

Array = NDArray[np.float64]

_NEAR = 0.6  # s: a contact makes itself felt so far


class FastTurn(NamedTuple):
    """The fastest turn of a leg's hip or knee, in parts of what it may be, and what to say of it."""

    used: float
    remark: str


def fastest_turns(known: Known, part: Part, solved: Solved, own: slice = slice(None)) -> list[FastTurn]:
    """Return that of every leg in the frames `own` of a part of a motion, which may be that of a loop unrolled."""
    scene, paths, out = known.scene, solved.paths, []

    def number(frame: int) -> int:
        return scene.number(part.first + frame)

    for k, used in enumerate(turns_used(scene.subset, solved.local, known.turns)):
        start, stop, _ = own.indices(len(used))
        frame = start + int(np.argmax(used[start:stop]))
        remark = ""
        if used[frame] > 1.0:
            why, named = _why(part.tracks[k], part.contacts[k], paths.targets[k], paths.body, frame, scene.fps)
            remark = Remark(
                f"the {scene.subset.legs[k].name} hip or knee turns up to {used[frame]:.2f} times as fast as it may "
                f"(1.5 times the original's fastest and 60°/s), most to frame {FRAME}: {why}",
                *map(number, (frame, *named)),
            )
        out.append(FastTurn(float(used[frame]), remark))
    return out


def _why(
    track: LegTrack,
    spans: Sequence[Span],
    target: Array,
    body: Array,
    frame: int,
    fps: float,
) -> tuple[str, Span | tuple[int, int, int, int] | tuple[()]]:
    """Say which contact asks too much of a leg in a frame, and the frames that this names."""
    before = [span for span in spans if span[1] < frame]
    after = [span for span in spans if span[0] >= frame]
    if before and after and after[0][0] - before[-1][1] <= _NEAR * fps:
        ends = target[[before[-1][1], after[0][0]]]
        apart = float(lengths(np.diff(ends, axis=0))[0]) / track.length
        gap = after[0][0] - before[-1][1] - 1
        two = f"contacts {FRAME}–{FRAME}, {FRAME}–{FRAME}"
        return f"between {two} it has {gap} frames for {apart:.2g} leg lengths", (*before[-1], *after[0])
    near = min(spans, key=lambda span: max(span[0] - frame, frame - span[1], 0), default=None)
    if near is None:
        return "it follows the body", ()
    part = slice(near[0], near[1] + 1)
    held = float(lengths((target - track.ankle - body)[part]).max()) / track.length
    return f"contact {FRAME}–{FRAME} holds the foot up to {held:.2g} leg lengths away from its path", near
