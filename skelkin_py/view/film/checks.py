# SPDX-License-Identifier: MIT
"""The arguments of films and pictures, checked: endings, sizes, frames, rates."""

from __future__ import annotations

import os
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..._support.arguments import file_path, listed, real_number

MOST = 8192  # pixels
_LEAST = 64
_FASTEST = {".gif": 50.0, ".mp4": 240.0}  # a GIF counts hundredths of a second, and players want two of them
_USUAL = {".gif": 15.0, ".mp4": 30.0}
_STRIP = 5


def checked_ending(path: Any, known: tuple[str, ...]) -> str:
    """Return the ending of a name in small letters, if it is one of those known."""
    name = file_path("path", path)
    ending = os.path.splitext(name)[1].lower()
    if ending not in known:
        raise ValueError(f"path is {name!r}: the name must end in {' or '.join(known)}")
    return ending


def checked_size(size: Any, usual: tuple[int, int], *, even: bool = False) -> tuple[int, int]:
    """Return width and height."""
    pair = usual if size is None else size
    if not isinstance(pair, (tuple, list)) or len(pair) != 2:
        raise TypeError(f"size is {size!r}: (width, height) is needed")
    for k, value in enumerate(pair):
        if isinstance(value, bool) or not hasattr(value, "__index__"):
            raise TypeError(f"size[{k}] is {value!r}: a whole number of pixels is needed")
        if not _LEAST <= int(value) <= MOST:
            raise ValueError(f"size[{k}] is {int(value)}: {_LEAST} to {MOST} pixels are needed")
        if even and int(value) % 2:
            raise ValueError(f"size[{k}] is {int(value)}: an MP4 needs even numbers")
    return int(pair[0]), int(pair[1])


def checked_range(frames: Any, count: int) -> tuple[int, int]:
    """Return the first and the last frame."""
    if frames is None:
        return 0, count - 1
    if not isinstance(frames, (tuple, list)) or len(frames) != 2:
        raise TypeError(f"frames is {frames!r}: (first, last) is needed")
    first, last = checked_frames(frames, count)
    if first > last:
        raise ValueError(f"frames is ({first}, {last}): the first must not come after the last")
    return first, last


def checked_frames(frames: Any, count: int) -> list[int]:
    """Return the frames of a picture, some spread over the clip where none are given."""
    if frames is None:
        spread = np.linspace(0.06 * (count - 1), 0.94 * (count - 1), _STRIP).round().astype(int)
        return [int(f) for f in np.unique(spread)]
    alone = hasattr(frames, "__index__")
    given = [frames] if alone else listed("frames", frames, "a frame, or a sequence of frames, is needed")
    if not given:
        raise ValueError("frames is empty: at least one is needed")
    for k, frame in enumerate(given):
        name = "frames" if alone else f"frames[{k}]"
        if isinstance(frame, (bool, np.bool_)) or not hasattr(frame, "__index__"):
            raise TypeError(f"{name} is {frame!r}: a whole number is needed")
        if not 0 <= int(frame) < count:
            raise ValueError(f"{name} is {int(frame)}: the clip has frames 0 to {count - 1}")
    return [int(frame) for frame in given]


def moments_of(
    span: tuple[int, int], clip_fps: float, fps: Any, speed: Any, ending: str
) -> tuple[NDArray[np.float64], float]:
    """Return the moments (P,) that pictures of a film show, in frames of the clip, and how many go by per second."""
    pace = real_number("speed", speed)
    rate = min(float(clip_fps), _USUAL[ending]) if fps is None else real_number("fps", fps)
    if not 0.0 < rate <= _FASTEST[ending]:
        raise ValueError(f"fps is {rate:g}: above 0 and up to {_FASTEST[ending]:g} is needed for {ending}")
    if not 0.0 < pace < np.inf:
        raise ValueError(f"speed is {pace:g}: a number above 0 is needed")
    first, last = span
    count = max(1, round((last - first + 1) / clip_fps / pace * rate))
    return np.minimum(first + np.arange(count) * (clip_fps * pace / rate), float(last)), rate
