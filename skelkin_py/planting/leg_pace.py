# SPDX-License-Identifier: MIT
"""Legs solved so that hips and knees keep to their pace.

A contact may hold a foot where its leg is about to be straight, or far from where it goes next, such as one that a user
moved. There the foot takes longer to come back to its path, and the body is lowered further, as long as that helps.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from .blend import Span, lengths, running_max, span_mask
from .easing import longer_windows
from .foot_paths import FootPaths
from .leg_solve import solve_legs
from .scene import Scene
from .turn_bounds import turn_bounds, turns_used

__all__ = ["about_pace", "solve_at_pace"]

Array = NDArray[np.float64]
Ints = NDArray[np.intp]
Solution = tuple[Array, dict[int, NDArray[np.intp]], Array]

_TRIES = 6  # times at most that windows are made longer and reaches shorter
_REACHES = (0.98, 0.965, 0.95, 0.93, 0.91)  # leg: how far it may reach, where its hip or knee turns too fast
_AROUND = 0.1  # s: and so long around
_NAMED = 4  # contacts that a message names


def solve_at_pace(
    scene: Scene, local: Array, paths: FootPaths, stretch: float
) -> tuple[FootPaths, Solution, list[Array]]:
    """Solve the legs; where hips or knees turn too fast, plan again, and keep what is best.

    Parameters
    ----------
    scene : Scene
        What is known about the clip.
    local : (F, S, 4, 4) float64
        Its local matrices.
    paths : FootPaths
        What was planned first.
    stretch : float
        Largest factor by which bones may lengthen.

    Returns
    -------
    paths : FootPaths
        What it came to.
    solution : tuple
        What `solve_legs` returned for it.
    used : list of (F,) float64
        Per leg what `turns_used` returned for it.
    """
    solution = solve_legs(scene.subset, local, scene.tracks, paths, scene.fps, stretch)
    bounds = turn_bounds(scene.subset, local, scene.fps)
    used = turns_used(scene.subset, solution[0], bounds)
    best, levels = (paths, solution, used), [np.zeros(len(local), dtype=np.intp) for _ in scene.tracks]
    for _ in range(_TRIES):
        if _excess(used) == 0.0:
            break
        fast = [each > 1.0 for each in used]
        legs = zip(fast, scene.contacts, paths.windows, strict=True)
        windows = [longer_windows(own, spans, known, scene.window) for own, spans, known in legs]
        around = max(1, round(_AROUND * scene.fps))
        legs = zip(fast, scene.contacts, levels, strict=True)
        shorter = [_shortened(own, spans, level, around) for own, spans, level in legs]
        known, new = [*paths.windows, *levels], [*windows, *shorter]
        if all(np.array_equal(a, b) for a, b in zip(known, new, strict=True)):
            break
        levels = shorter
        reaches = [np.array([np.inf, *_REACHES])[level] if level.any() else None for level in levels]
        paths = paths.planned(windows, reaches)
        solution = solve_legs(scene.subset, local, scene.tracks, paths, scene.fps, stretch)
        used = turns_used(scene.subset, solution[0], bounds)
        if _excess(used) < _excess(best[2]):
            best = paths, solution, used
    return best


def _excess(used: list[Array]) -> float:
    return sum(float(np.maximum(each - 1.0, 0.0).sum()) for each in used)


def _shortened(fast: NDArray[np.bool_], spans: Sequence[Span], level: Ints, around: int) -> Ints:
    """Let a leg reach less far, by a level, around the frames in which it stands, or just left, and turns too fast."""
    stands = span_mask(spans, len(fast))
    stands[1:] |= stands[:-1]
    near = running_max((fast & stands).astype(np.float64), around) > 0.0
    return np.minimum(level + near, len(_REACHES))


def about_pace(scene: Scene, paths: FootPaths, used: list[Array]) -> list[str]:
    """Say beside which contacts it took longer, or a lower body, to keep to the pace, and where that was not enough.

    Parameters
    ----------
    scene : Scene
        The scene whose contacts were planned.
    paths, used
        What `solve_at_pace` returned.

    Returns
    -------
    list of str
        Sentences; none where nothing turns too fast at first.
    """
    out = []
    for k, fast in enumerate(used):
        name, spans = scene.subset.legs[k].name, scene.contacts[k]
        windows, reach = paths.windows[k].max(axis=1, initial=0), paths.reaches[k]
        longer = [span for span, window in zip(spans, windows, strict=True) if window > scene.window]
        if longer:
            out.append(
                f"the {name} foot takes up to {int(windows.max())} frames instead of {scene.window} to come back to "
                f"its path beside {_named(scene, longer)}, so that hip and knee turn no faster than they may"
            )
        low = [] if reach is None else [(a, b) for a, b in spans if np.isfinite(reach[a : b + 1]).any()]
        if low:
            out.append(f"the {name} leg is given a lower body in {_named(scene, low)} for the same reason")
        if not (fast > 1.0).any():
            continue
        frame = int(np.argmax(fast))
        out.append(
            f"the {name} hip or knee turns up to {fast[frame]:.2f} times as fast as it may (1.5 times the original's "
            f"fastest and 60°/s), most to frame {_own_frame(scene, frame)}: {_why(scene, paths, k, frame)}"
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
    if before and after and after[0][0] - before[-1][1] <= int(paths.windows[k].max()):
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
