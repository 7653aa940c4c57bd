# SPDX-License-Identifier: MIT
"""What a viewer would mind: twelve rows that compare planted legs with the original, their bars, and their words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from .. import _core
from .._support.array_types import Floats
from .._support.values import compared_by_values
from .foot import LegTrack
from .remark import FRAME, Remark, span_in_words, together
from .spans import Span

NOTHING_MINDED = "Nothing that a viewer would mind."

_FAULT = 2.5  # times the bar
_PARTS = ("foot", "knee", "heel")  # of a leg, in words
_PIECE = 4096  # frames of a long clip that are compared at once
_SHARED = 1.0  # s of overlap between such pieces
_NEAR = 0.3  # s: how far the effect of a contact extends
_SEEN = 0.01  # leg: a contact that demands less is not the reason
_NOTHING = 1e-9  # of any unit: rounding
_ALIKE = 1e-7  # part: of values that differ by less, the first is reported
_LEVEL_ONLY = ("throw", "lift", "level", "float", "sink", "knee", "swing")  # rows that only level ground is judged by

_IN_CONTACT = ("slide", "lift", "heel")  # rows about a foot in its own contact

# The option to change, by the cause of the row, in the words of Python, of the shell and of Blender's panel.
_WITHOUT = {
    "python": "contacts= without it",
    "shell": "--contacts without it",
    "blender": "remove it in the Contacts panel and press Update",
}

_LOWER = {
    "python": "contacts= with lower heights for this foot",
    "shell": "--contacts with lower heights for this foot",
    "blender": "lower heights for this foot in the Contacts panel",
}
WORDS = tuple(_WITHOUT)


def foot_called(leg: str, what: str = "foot") -> str:
    """Return the name of a part of a leg in a sentence.

    >>> foot_called("left"), foot_called("Bip01 L Foot", "knee")
    ('left foot', 'knee of Bip01 L Foot')
    """
    return (
        f"{leg} {what}" if leg in ("left", "right") or leg.split()[-1:] in (["left"], ["right"]) else f"{what} of {leg}"
    )


class Rule(NamedTuple):
    """A row: its bar, the unit of that ("leg", or what follows the number), and the row in words."""

    bar: float
    unit: str
    words: str  # a format of the value and of the names of leg parts


RULES: Mapping[str, Rule] = {  # by the keys of csrc/python/planting/planting_rows.c
    "throw": Rule(0.06, "leg", "the body is moved by {value} within half a second"),
    "lift": Rule(60.0, " %", "the {foot} is lifted {value} less"),
    "slide": Rule(0.05, "leg", "the {foot} slides {value} farther while it stands"),
    "level": Rule(0.025, "leg", "the {foot} stands {value} higher relative to the other feet"),
    "float": Rule(0.025, "leg", "the {foot} stands {value} higher above the ground"),
    "sink": Rule(0.02, "leg", "the {foot} sinks {value} deeper into the ground"),
    "knee": Rule(20.0, " %", "the {knee} bends differently, by over 10°, in {value} of frames"),
    "pops": Rule(5.0, "", "the {knee} snaps {value} times"),
    "jump": Rule(0.08, "leg", "the {foot} is jolted by {value} within 1/30 s"),
    "swing": Rule(0.15, "leg", "the {foot} swings {value} beside its own path"),
    "heel": Rule(0.05, "leg", "the {heel} goes up and down by {value} more while it stands"),
    "jerk": Rule(150.0, " 000 °/s³", "the {knee} jerks by {value}, more than twice the original"),
}


@compared_by_values
class ContactDemand(NamedTuple):
    """What a contact demands of its leg: how far it moves the leg from the original, in leg lengths.

    Parameters
    ----------
    leg : str
        The leg's name.
    number : int
        The contact's number among those of the leg, from 1.
    first_frame, last_frame : int
        Its frames, both included.
    beyond : float
        By how much the foothold is beyond the leg's reach from the original hip, at most; below 0 it is within reach.
    away : float
        Largest distance of the ankle from its original position.
    raised : float
        Median height of the ankle above its original position.
    """

    leg: str
    number: int
    first_frame: int
    last_frame: int
    beyond: float
    away: float
    raised: float

    @property
    def weight(self) -> float:
        """The larger of `away` and `beyond`."""
        return max(self.away, self.beyond)


@compared_by_values
class ViewerRow(NamedTuple):
    """The worst value of one row of what a viewer would mind; printed, it is a sentence.

    Parameters
    ----------
    row : str
        A key of the table in docs/planting.md, such as "throw".
    leg : str
        The leg's name; empty for the body.
    value : float
        In leg lengths; for "lift" and "knee" in percent, for "pops" a count, for "jerk" thousands of degrees per s³.
    frame : int
        The frame to look at.
    frames : (int, int)
        The range that the value is about, both included.
    demand : ContactDemand or None
        The contact nearby that moves a leg furthest.
    """

    row: str
    leg: str
    value: float
    frame: int
    frames: Span
    demand: ContactDemand | None = None

    @property
    def bar(self) -> float:
        """The value above which a viewer would mind."""
        return RULES[self.row].bar

    @property
    def excess(self) -> float:
        """The value as a multiple of its bar."""
        return self.value / self.bar

    @property
    def grade(self) -> str:
        """The grade: "fault" above 2.5 times the bar, "look at" above the bar, else empty."""
        return "" if self.excess <= 1.0 else "look at" if self.excess <= _FAULT else "fault"

    def words(self, centimetres: float | None = None) -> str:
        """Return what is seen and in which frames; `centimetres`: the leg length, to give lengths in centimetres."""
        if not self.value > 0.0:
            return ""
        rule = RULES[self.row]
        value = _length(self.value, centimetres) if rule.unit == "leg" else f"{self.value:.0f}{rule.unit}"
        what = rule.words.format(value=value, **{part: foot_called(self.leg, part) for part in _PARTS})
        span, frames = span_in_words(*self.frames)
        return Remark(f"{what}, frame{'s' * (len(frames) > 1)} {span}", *frames)

    def why(self, centimetres: float | None = None) -> str:
        """Return the contact that causes it, in words; empty where none does."""
        demand = self.demand
        if demand is None or demand.weight < _SEEN:
            return ""
        if demand.beyond > 0.5 * _SEEN:
            how = f"lies {_length(demand.beyond, centimetres)} beyond reach"
        elif abs(demand.raised) > 0.5 * demand.away:
            height = "higher" if demand.raised > 0.0 else "lower"
            how = f"is {_length(abs(demand.raised), centimetres)} {height} than the foot was"
        else:
            how = f"is up to {_length(demand.away, centimetres)} from where the foot was"
        frames = demand.first_frame, demand.last_frame
        return Remark(f"contact {demand.number} of the {foot_called(demand.leg)} ({FRAME}–{FRAME}) {how}", *frames)

    def sentence(self, centimetres: float | None = None) -> str:
        """Return `words` and `why` as one sentence."""
        return together(": ", self.words(centimetres), self.why(centimetres))

    def advice(self, words: str = "python") -> str:
        """Return which option to change, in the words of "python", "shell" or "blender"; empty where none surely helps.

        A foot that slides, rocks or loses its lift inside a contact is better off without that contact; one that stands
        higher than the others needs lower contacts. Where contacts affect the body, the knees or other feet, no option
        is sure to help without other effects.
        """
        if self.row == "level":
            return _LOWER[words]
        demand = self.demand
        inside = demand is not None and self.why() and demand.first_frame <= self.frame <= demand.last_frame
        return _WITHOUT[words] if inside and self.row in _IN_CONTACT else ""

    @property
    def text(self) -> str:
        """The sentence with lengths in percent of the leg."""
        return self.sentence()

    def __str__(self) -> str:
        return self.text

    def to_dict(self) -> dict[str, Any]:
        """Return plain numbers, lists and strings, ready for JSON."""
        demand = None if self.demand is None else self.demand._asdict()
        return {**self._asdict(), "demand": demand, "bar": self.bar, "grade": self.grade, "text": self.text}


def _length(value: float, centimetres: float | None) -> str:
    if centimetres is None:
        return f"{100.0 * value:.1f} % of the leg"
    return f"{value * centimetres:.1f} cm"


def viewer_rows(
    before: Sequence[LegTrack], after: Sequence[LegTrack], contacts: Sequence[Sequence[Span]], names: Sequence[str],
    fps: float, length: float, frames: Span, *, up: Floats, step: Floats | None = None,
    given: bool = False, level: bool = True,
) -> tuple[ViewerRow, ...]:  # fmt: skip
    """Return the worst of each row in a range of frames, both included; a long clip is compared piece by piece.

    `names`: those of the legs. `length`: leg length. `up` (3,). `step` (3,): how far a moving ground moves per frame.
    `given`: whether the ground is given. `level`: whether it is level; other ground itself moves body and knees, so
    that only the other rows are judged there.
    """
    about = up, np.zeros(3) if step is None else step, given, length, fps
    counted = [list(enumerate(_inside(own, frames), start=1)) for own in contacts]
    start = frames[0]
    found = {row: ViewerRow(row, "", 0.0, start, (start, start)) for row in RULES if level or row not in _LEVEL_ONLY}
    for first, last in _pieces(frames, fps):
        inside = [
            (name, n, span)
            for name, own in zip(names, counted, strict=True)
            for n, span in own
            if span[0] <= last and span[1] >= first
        ]
        spans = [[(a - first, b - first) for a, b in _inside(own, (first, last))] for own in contacts]
        old, new = ([_cut(track, slice(first, last + 1)) for track in tracks] for tracks in (before, after))
        rows, fields = _core.viewer_rows(old, new, spans, *about)
        demands = [ContactDemand(name, n, *span, **own) for (name, n, span), own in zip(inside, fields, strict=True)]
        for row, worst in rows.items():
            if row in found and worst["value"] > max(_NOTHING, (1.0 + _ALIKE) * found[row].value):
                name = names[worst["leg"]] if worst["leg"] >= 0 else ""
                at = [worst[frame] + first for frame in ("frame", "first", "last")]
                found[row] = _row(row, name, worst["value"], at, demands, round(_NEAR * fps))
    return tuple(found.values())


def _pieces(frames: Span, fps: float) -> list[Span]:
    """Return the pieces in which frames are compared: one, or for a long clip several that overlap by a second."""
    first, last = frames
    if last + 1 - first < 2 * _PIECE:
        return [frames]
    shared = min(round(_SHARED * fps), _PIECE // 2)
    return [(at, min(at + _PIECE - 1, last)) for at in range(first, last + 1 - shared, _PIECE - shared)]


def _inside(spans: Sequence[Span], frames: Span) -> list[Span]:
    """Return the part of spans that lies inside frames."""
    first, last = frames
    return [(max(a, first), min(b, last)) for a, b in spans if a <= last and b >= first]


def _row(row: str, leg: str, value: float, at: Sequence[int], demands: Sequence[ContactDemand], near: int) -> ViewerRow:
    """Return a row with the contact that moves its leg furthest, at most `near` frames away; `leg` may be ""."""
    frame, first, last = at
    own = [
        demand
        for demand in demands
        if leg in ("", demand.leg) and demand.first_frame <= last + near and demand.last_frame >= first - near
    ]
    itself = [demand for demand in own if (demand.first_frame, demand.last_frame) == (first, last)]
    heaviest = max(itself or own, key=lambda demand: demand.weight, default=None)
    return ViewerRow(row, leg, value, frame, (first, last), heaviest)


def _cut(track: LegTrack, own: slice) -> LegTrack:
    """Return some frames of a track."""
    return replace(
        track, hip=track.hip[own], knee=track.knee[own], ankle=track.ankle[own], foot=track.foot[own],
        flexion=track.flexion[own],
    )  # fmt: skip
