# SPDX-License-Identifier: MIT
"""What to say where a hip or knee turns faster than it may: how fast, when, and which contact asks too much."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .blend import Span, lengths
from .foot import LegTrack
from .foot_paths import FootPaths
from .scene import Scene
from .turn_bounds import turns_used

__all__ = ["FastTurn", "fastest_turns"]

Array = NDArray[np.float64]

_NEAR = 0.6  # s: a contact makes itself felt so far


class FastTurn(NamedTuple):
    """The fastest turn of a leg's hip or knee, in parts of what it may be, and what to say of it."""

    used: float
    remark: str


def fastest_turns(
    scene: Scene,
    tracks: Sequence[LegTrack],
    contacts: Sequence[Sequence[Span]],
    planted: Array,
    bounds: Sequence[tuple[float, float]],
    paths: FootPaths,
    number: Callable[[int], int],
    own: slice = slice(None),
) -> list[FastTurn]:
    """Return that of every leg in the frames `own` of a part of a motion; `number` gives the clip's own of a frame."""
    out = []
    for k, used in enumerate(turns_used(scene.subset, planted, bounds)):
        start, stop, _ = own.indices(len(used))
        frame = start + int(np.argmax(used[start:stop]))
        remark = ""
        if used[frame] > 1.0:
            why = _why(tracks[k], contacts[k], paths.targets[k], paths.body, frame, scene.fps, number)
            remark = (
                f"the {scene.subset.legs[k].name} hip or knee turns up to {used[frame]:.2f} times as fast as it may "
                f"(1.5 times the original's fastest and 60°/s), most to frame {number(frame)}: {why}"
            )
        out.append(FastTurn(float(used[frame]), remark))
    return out


def _named(spans: Sequence[Span], number: Callable[[int], int]) -> str:
    """Name contacts by the clip's frames, each once."""
    own = list(dict.fromkeys(f"{number(a)}–{number(b)}" for a, b in spans))
    return f"contact{'s' * (len(own) > 1)} {', '.join(own)}"


def _why(
    track: LegTrack,
    spans: Sequence[Span],
    target: Array,
    body: Array,
    frame: int,
    fps: float,
    number: Callable[[int], int],
) -> str:
    """Say which contact asks too much of a leg in a frame."""
    before = [span for span in spans if span[1] < frame]
    after = [span for span in spans if span[0] >= frame]
    if before and after and after[0][0] - before[-1][1] <= _NEAR * fps:
        ends = target[[before[-1][1], after[0][0]]]
        apart = float(lengths(np.diff(ends, axis=0))[0]) / track.length
        gap = after[0][0] - before[-1][1] - 1
        return f"between {_named([before[-1], after[0]], number)} it has {gap} frames for {apart:.2g} leg lengths"
    near = min(spans, key=lambda span: max(span[0] - frame, frame - span[1], 0), default=None)
    if near is None:
        return "it follows the body"
    part = slice(near[0], near[1] + 1)
    held = float(lengths((target - track.ankle - body)[part]).max()) / track.length
    return f"{_named([near], number)} holds the foot up to {held:.2g} leg lengths away from its path"
