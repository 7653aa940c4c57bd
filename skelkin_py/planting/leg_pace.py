# SPDX-License-Identifier: MIT
"""What to say where a hip or knee turns faster than it may: which contact asks too much of its leg."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from .blend import Span, lengths
from .foot_paths import FootPaths
from .scene import Scene
from .turn_bounds import turn_bounds, turns_used

__all__ = ["about_pace"]

Array = NDArray[np.float64]

_NAMED = 4  # contacts that a message names
_NEAR = 0.6  # s: a contact makes itself felt so far


def about_pace(scene: Scene, local: Array, planted: Array, paths: FootPaths) -> list[str]:
    """Say where hips or knees of the planted local matrices (F, S, 4, 4) turn too fast, and why."""
    used = turns_used(scene.subset, planted, turn_bounds(scene.subset, local, scene.fps))
    out = []
    for k, fast in enumerate(used):
        if not (fast > 1.0).any():
            continue
        frame = int(np.argmax(fast))
        out.append(
            f"the {scene.subset.legs[k].name} hip or knee turns up to {fast[frame]:.2f} times as fast as it may (1.5 "
            f"times the original's fastest and 60°/s), most to frame {_own_frame(scene, frame)}: "
            f"{_why(scene, paths, k, frame)}"
        )
    return out


def _own_frame(scene: Scene, frame: int) -> int:
    """Return a frame of the clip: of a loop that is planned unrolled, the one in its middle."""
    return frame if scene.loop is None else (frame - scene.loop.margin) % scene.loop.period


def _named(scene: Scene, spans: Sequence[Span]) -> str:
    if (loop := scene.loop) is not None:  # each of its contacts once
        spans = [span for span in spans if loop.margin <= span[0] < loop.margin + loop.period] or spans
    own = list(dict.fromkeys(f"{_own_frame(scene, a)}–{_own_frame(scene, b)}" for a, b in spans))
    more = f" and {len(own) - _NAMED} more" * (len(own) > _NAMED)
    return f"contact{'s' * (len(own) > 1)} {', '.join(own[:_NAMED])}{more}"


def _why(scene: Scene, paths: FootPaths, k: int, frame: int) -> str:
    """Say which contact asks too much of a leg in a frame."""
    track, spans, target = scene.tracks[k], scene.contacts[k], paths.targets[k]
    before = [span for span in spans if span[1] < frame]
    after = [span for span in spans if span[0] >= frame]
    if before and after and after[0][0] - before[-1][1] <= _NEAR * scene.fps:
        ends = target[[before[-1][1], after[0][0]]]
        apart = float(lengths(np.diff(ends, axis=0))[0]) / track.length
        gap = after[0][0] - before[-1][1] - 1
        return f"between {_named(scene, [before[-1], after[0]])} it has {gap} frames for {apart:.2g} leg lengths"
    near = min(spans, key=lambda span: max(span[0] - frame, frame - span[1], 0), default=None)
    if near is None:
        return "it follows the body"
    part = slice(near[0], near[1] + 1)
    held = float(lengths((target - track.ankle - paths.body)[part]).max()) / track.length
    return f"{_named(scene, [near])} holds the foot up to {held:.2g} leg lengths away from its path"
