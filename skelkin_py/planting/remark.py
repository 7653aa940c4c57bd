# SPDX-License-Identifier: MIT
"""Sentences that name frames, which can be renumbered, as Blender does by the frames of the scene."""

from __future__ import annotations

from collections.abc import Callable

FRAME = "\0"  # where a frame goes


class Remark(str):
    """A sentence that names frames."""

    _text: str  # with FRAME for each of the frames
    _frames: tuple[int, ...]

    def __new__(cls, text: str, *frames: int) -> Remark:
        """Make one of a text in which FRAME stands for each of the frames."""
        first, *pieces = text.split(FRAME) if frames else (text,)
        numbered = (f"{frame}{piece}" for frame, piece in zip(frames, pieces, strict=True))
        self = super().__new__(cls, first + "".join(numbered))
        self._text, self._frames = text, frames
        return self


def in_frames(count: int, first: int, last: int) -> tuple[str, tuple[int, ...]]:
    """Return words for `count` frames, of which `first` to `last` are the first run, and the arguments of a Remark.

    Examples
    --------
    >>> text, frames = in_frames(12, 5, 8)
    >>> Remark(f"the knee pops {text}", *frames)
    'the knee pops in 12 frames, first in 5–8'
    """
    if count == 1:
        return f"in frame {FRAME}", (first,)
    text, frames = span_in_words(first, last)
    return f"in {count} frames, first in {text}", frames


def span_in_words(first: int, last: int) -> tuple[str, tuple[int, ...]]:
    """Return one frame, or two with a dash, and the arguments of a Remark."""
    return (FRAME, (first,)) if first == last else (f"{FRAME}–{FRAME}", (first, last))


def renumbered(text: str, number: Callable[[int], int]) -> str:
    """Return a sentence with other numbers for its frames; a sentence that names none stays as it is."""
    if not isinstance(text, Remark):
        return text
    return Remark(text._text, *map(number, text._frames))


def frames_of(text: str) -> tuple[int, ...]:
    """Return the frames that a sentence names."""
    return text._frames if isinstance(text, Remark) else ()


def together(between: str, *texts: str) -> str:
    """Return sentences joined into one that names the frames of all; empty ones are left out."""
    kept = [text for text in texts if text]
    frames = [frame for text in kept for frame in frames_of(text)]
    return Remark(between.join(text._text if isinstance(text, Remark) else text for text in kept), *frames)
