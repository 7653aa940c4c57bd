# SPDX-License-Identifier: MIT
"""What planting a file begins with: what its clip says as a whole, and the motion of which blocks are read."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..planting.foot import LegTrack
from ..planting.given_contacts import given_parts, given_pins, given_spans
from ..planting.known import Known, Part, Solved, for_parts, learn, settle_part, solve_part, solve_settled
from ..planting.leg_tracks import Subset, leg_tracks
from ..planting.loops import LoopGround, find_loop, slips_away
from ..planting.read_scene import asked_of
from ..planting.remark import numbered
from ..planting.remarks import about_lone, about_loop
from ..planting.settings import Settings
from ..planting.spans import Span
from .npy_rows import block_spans
from .windows import read_around, sample_rows

__all__ = ["SAMPLE", "FileMotion", "read_motion"]

Array = NDArray[np.float64]
SAMPLE = 16_384  # frames at most from which the statistics of a clip are read


@dataclass(frozen=True)
class FileMotion:
    """The motion of which blocks are planted: the clip, or the endless motion of which it is a piece."""

    known: Known  # what is known of it
    read: Callable[[int, int], Array]  # (start, stop) → its local matrices
    num: int  # its frames
    given: list[list[Span]] | None  # its contacts, where they are not found block by block
    frames: Span  # the range to work on

    @property
    def margin(self) -> int:
        """Frames before the clip's first one."""
        return 0 if self.known.scene.loop is None else self.known.scene.loop.margin

    def around(self, start: int, stop: int) -> Part:
        """Return a block of the clip's frames with as many around it as decide about it."""
        block = (start + self.margin, stop + self.margin)
        opens = start == 0 < self.margin
        return read_around(self.known, self.read, block, self.num, self.given, self.frames, opens)

    def planted(self, start: int, stop: int) -> tuple[Part, Solved]:
        """Return a block of the clip's frames with as many around it as decide about it, and what it is planted as."""
        part = self.around(start, stop)
        return settle_part(self.known, part) if self.given is None else (part, solve_part(self.known, part))


def read_motion(
    subset: Subset,
    read: Callable[[int, int], Array],
    fps: float,
    chosen: Settings,
    num: int,
    block: int,
) -> FileMotion:
    """Read the clip's statistics, from all of its frames or from a sample of the range.

    `read`: (start, stop) → local matrices of the clip. `chosen`: the options for the whole clip. `block`: frames to
    read at a time. ValueError: as `plant_locals`.
    """
    given = _given(chosen.contacts, [leg.name for leg in subset.legs], num)
    whole = num <= SAMPLE
    known, found = _learn(subset, read, fps, chosen, given, num)
    if not isinstance(chosen.contacts, str):  # of all frames, also where a sample was read
        known.scene.pins = given_pins(chosen.contacts, [leg.name for leg in subset.legs], num)
        known.scene.check_pins(known.ground.level)
    if whole:
        loop = known.scene.loop
        return FileMotion(known, read, num, found, chosen.frames) if loop is None else _unrolled(known, read, found)

    def pieces() -> Iterator[Sequence[LegTrack]]:
        for start, stop in block_spans(num, block):
            yield leg_tracks(subset, read(max(start - 2, 0), stop), known.scene.tracks)

    ends = leg_tracks(subset, np.concatenate([read(0, 2), read(num - 2, num)]), known.scene.tracks)
    scene, up = known.scene, known.scene.up
    ground, length = chosen.ground, float(np.mean([track.length for track in ends]))
    faced = None if ground is None else ground.facing(up, length, num)
    loop, remark = find_loop(ends, num, pieces, up, fps, asked_of(subset, chosen, num)[1], faced, chosen)
    scene.messages += [remark] * bool(remark)
    plain = FileMotion(known, read, num, given, chosen.frames)
    if loop is None:
        return plain
    messages, below = [*scene.messages, about_loop(loop, up)], scene.ground
    if faced is not None and faced.level is None:
        below = LoopGround(faced, loop, up)
    scene = replace(scene, loop=loop, frames=(0, loop.num_frames - 1), messages=messages, ground=below)
    known = replace(known, scene=scene)
    if given is not None:
        always = isinstance(chosen.contacts, str)
        given = [[(0, loop.num_frames - 1)] * len(spans) if always else loop.unroll_spans(spans) for spans in given]
    going_on = _unrolled(known, read, given)
    never_lifts = not loop.rides and _never_lifts(going_on, min(block, num))
    slips, remark = slips_away(loop, never_lifts, up, num, chosen)
    plain.known.scene.messages += [remark] * bool(remark)
    return plain if slips else going_on


def _unrolled(known: Known, read: Callable[[int, int], Array], given: list[list[Span]] | None) -> FileMotion:
    """Return the endless motion of a loop."""
    loop = known.scene.loop
    assert loop is not None

    def read_on(start: int, stop: int) -> Array:
        turn, frame = loop.places(np.arange(start, stop))
        edges = [0, *(np.flatnonzero(np.diff(turn)) + 1).tolist(), len(turn)]
        pieces = [read(int(frame[a]), int(frame[b - 1]) + 1) for a, b in pairwise(edges)]
        return loop.carry_on(np.concatenate(pieces), turn, known.scene.subset.skeleton)

    return FileMotion(known, read_on, loop.num_frames, given, (0, loop.num_frames - 1))


def _never_lifts(motion: FileMotion, block: int) -> bool:
    """Whether a foot stands in every frame of the unrolled motion: then all of that is read for any block."""
    part = motion.around(0, block)
    return len(part.local) == motion.num and [(0, motion.num - 1)] in part.contacts


def _given(contacts: Any, names: list[str], num: int) -> list[list[Span]] | None:
    """Return the contacts of the whole clip, where they are not to be found."""
    if not isinstance(contacts, str):
        for leg, parts in enumerate(given_parts(contacts, names, num)):
            if parts is not None:
                raise ValueError(
                    f"contacts of leg {leg} ({names[leg]}) are given for heel and ball apart: that is for whole clips "
                    "(plant_feet, plant_locals); a file takes spans per foot"
                )
        return given_spans(contacts, names, num)
    if contacts == "cycle":
        raise ValueError(
            "contacts='cycle' is for whole clips (plant_feet, plant_locals): give a file's contacts as spans"
        )
    if contacts in ("always", "never"):
        return [[(0, num - 1)] if contacts == "always" else [] for _ in names]
    return None


def _learn(
    subset: Subset,
    read: Callable[[int, int], Array],
    fps: float,
    chosen: Settings,
    given: list[list[Span]] | None,
    num: int,
) -> tuple[Known, list[list[Span]]]:
    """Return the statistics of all frames, or of a sample of the range, and the contacts that were found there."""
    contacts, sampled = chosen.contacts, num > SAMPLE
    pieces = sample_rows(chosen.frames, SAMPLE) if sampled else [(0, num)]
    sample = np.concatenate([read(start, stop) for start, stop in pieces])
    if sampled:
        if given is not None and not isinstance(contacts, str):
            contacts, place = [[] for _ in given], 0
            for start, stop in pieces:
                for own, spans in zip(contacts, given, strict=True):
                    inside = [(max(a, start), min(b, stop - 1)) for a, b in spans if a < stop and b >= start]
                    own += [(a - start + place, b - start + place) for a, b in inside]
                place += stop - start
        # A sample of a loop is none.
        chosen = replace(chosen, contacts=contacts, frames=(0, len(sample) - 1), loop=False)
    index = np.concatenate([np.arange(start, stop) for start, stop in pieces])
    if chosen.ground is not None:
        chosen = replace(chosen, ground=chosen.ground.at(index))

    def number(frame: int) -> int:
        return int(index[frame])

    try:
        known, all_of_it = learn(subset, sample, fps, chosen)
        if known.stands and not sampled:  # of a sample, each block does so
            known, all_of_it, _ = solve_settled(known, all_of_it)
    except ValueError as error:
        raise ValueError(numbered(error.args[0], number)) from error
    if sampled:
        lone = about_lone(known.scene.alone)  # of the sample, whose pieces do not lead into each other
        known.scene.messages[:] = [numbered(text, number) for text in known.scene.messages if text != lone]
    return for_parts(known, all_of_it), known.scene.found
