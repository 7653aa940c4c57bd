# SPDX-License-Identifier: MIT
"""How much of a clip has to be read for some of its frames to come out as they do from the whole."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from ..plant_options import PlantOptions
from ..planting.known import Known, Part, read_part
from ..planting.spans import Span

__all__ = ["edge_frames", "margin_frames", "needed_frames", "read_around", "sample_rows"]

Array = NDArray[np.float64]

_REACH = 4.0  # s: how far a foot's place makes itself felt: by then its part in others has faded to 1e-9
_EDGE = 2.2  # s: where a part is cut out, contacts in this much of its ends may be other ones in the whole
_SPARE = 2.0  # s: read beyond both, so that most contacts lie inside
_ALONE = 60.0  # s: further than this no contact is looked for
_CHUNKS = 16  # of a sample


def margin_frames(known: Known) -> int:
    """Frames around some others that decide about them."""
    scene = known.scene
    return int(np.ceil(_REACH * max(1.0, scene.settings.blend / PlantOptions.blend) * scene.fps)) + 2 * scene.window + 8


def edge_frames(fps: float) -> int:
    """Frames at the ends of a part in which contacts are not certain."""
    return int(np.ceil(_EDGE * fps)) + 4


def needed_frames(
    contacts: Sequence[Sequence[Span]], first: int, stop: int, last: int, margin: int, opens: bool = False
) -> Span:
    """Return which frames have to be right: those from `first` to `stop`, and all of the contacts that begin there.

    Where the block `opens` what is planted, contacts that go on into it count as if they began with it.
    """
    ends = [b for spans in contacts for a, b in spans if a < stop and (a >= first or (opens and b >= first))]
    return first - margin, min(max([stop - 1, *ends]) + margin, last)


def read_around(
    known: Known,
    read: Callable[[int, int], Array],
    block: Span,
    num: int,
    given: Sequence[Sequence[Span]] | None,
    frames: Span,
    opens: bool = False,
) -> Part:
    """Read a block of frames with as many around it as decide about it.

    Contacts are whole wherever the block needs them, and every leg that has one within a minute has one before and
    after the block. `read`: (start, stop) → local matrices; `given`: contacts of the whole clip, where they are not
    found; `frames`: the range to work on.
    """
    fps, margin = known.scene.fps, margin_frames(known)
    edge = edge_frames(fps)
    before = after = margin + edge + int(_SPARE * fps)
    while True:
        start, stop = max(0, block[0] - before), min(num, block[1] + after)
        part = read_part(known, read(start, stop), start, num, given, frames)
        contacts = [[(a + start, b + start) for a, b in spans] for spans in part.contacts]
        low, high = needed_frames(contacts, block[0], block[1], num - 1, margin, opens)
        far = int(_ALONE * fps)
        begins = [[a for a, _ in spans if a <= low] for spans in contacts]
        ends = [[b for _, b in spans if b >= high] for spans in contacts]
        more_before = start > 0 and any(own[-1] <= start + edge if own else before < far for own in begins)
        more_after = stop < num and any(own[0] >= stop - 1 - edge if own else after < far for own in ends)
        if not (more_before or more_after):
            return part
        before, after = before * (2 if more_before else 1), after * (2 if more_after else 1)


def sample_rows(frames: Span, most: int) -> list[Span]:
    """Return (start, stop) of evenly spread pieces of a range that are `most` frames together, or the whole range.

    Examples
    --------
    >>> sample_rows((0, 99), 100)
    [(0, 100)]
    >>> len(sample_rows((0, 999_999), 32_000)), sample_rows((0, 999_999), 32_000)[-1]
    (16, (998000, 1000000))
    """
    first, stop = frames[0], frames[1] + 1
    if stop - first <= most:
        return [(first, stop)]
    long = most // _CHUNKS
    return [(int(start), int(start) + long) for start in np.linspace(first, stop - long, _CHUNKS).round()]
