# SPDX-License-Identifier: MIT
"""What a viewer would mind: twelve rows of planted legs beside the original ones, their bars, and each in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .. import _core
from .._support.values import compared_by_values
from .foot import LegTrack
from .remark import FRAME, Remark, together
from .spans import Span

NOTHING_MINDED = "Nothing that a viewer would mind."

_FAULT = 2.5  # times the bar
_PARTS = ("foot", "knee", "heel")  # of a leg, in words
_PIECE = 4096  # frames of a long clip that are looked at together
_SHARED = 1.0  # s that pieces have in common
_NEAR = 0.3  # s: a contact makes itself felt so far
_SEEN = 0.01  # leg: what a contact asks less than is no reason
_NOTHING = 1e-9  # of any unit: rounding
_ALIKE = 1e-7  # part: of values that differ by less the first is told
_LEVEL_ONLY = ("throw", "lift", "level", "float", "sink", "knee", "swing")  # other ground asks for these itself

_IN_CONTACT = ("slide", "lift", "heel")  # rows that a contact shows itself

# What to turn, by what caused the row, in the words of Python, of the shell and of Blender's panel.
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
    """Return what a sentence calls a part of a leg.

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
    words: str  # with places for the value and for parts of the leg


RULES: Mapping[str, Rule] = {  # as csrc/python/planting/planting_rows.c calls them
    "throw": Rule(0.06, "leg", "the body is moved by {value} within half a second"),
    "lift": Rule(60.0, " %", "a lift of the {foot} loses {value} of its height"),
    "slide": Rule(0.05, "leg", "the {foot} slides {value} farther while it stands"),
    "level": Rule(0.025, "leg", "the {foot} stands {value} higher beside the others"),
    "float": Rule(0.025, "leg", "the {foot} stands {value} higher above its ground"),
    "sink": Rule(0.02, "leg", "the {foot} sinks {value} deeper into its ground"),
    "knee": Rule(20.0, " %", "the {knee} bends differently, by over 10°, in {value} of frames"),
    "pops": Rule(5.0, "", "the {knee} snaps {value} times"),
    "jump": Rule(0.08, "leg", "the {foot} is jolted by {value} within 1/30 s"),
    "swing": Rule(0.15, "leg", "the {foot} swings {value} beside its own path"),
    "heel": Rule(0.05, "leg", "the {heel} goes up and down by {value} more while it stands"),
    "jerk": Rule(150.0, " 000 °/s³", "the {knee} jerks by {value}, over twice as in the original"),
}


@compared_by_values
class ContactAsk(NamedTuple):
    """What a contact asks of its leg, in leg lengths.

    Parameters
    ----------
    leg : str
        Its name.
    number : int
        Which of that leg's contacts, from 1.
    first_frame, last_frame : int
        Both included.
    beyond : float
        How far its place is beyond the leg's reach from where the hip was, at most; below 0 it is within reach.
    away : float
        How far the ankle is from where it was, at most.
    raised : float
        How much higher it is than it was, in the middle.
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
        """How much it asks."""
        return max(self.away, self.beyond)


@compared_by_values
class ViewerRow(NamedTuple):
    """The worst of one row of what a viewer would mind; printed, it is a sentence.

    Parameters
    ----------
    row : str
        A key of the table in docs/planting.md, such as "throw".
    leg : str
        Its name; empty for the body.
    value : float
        In leg lengths; of "lift" and "knee" in percent, of "pops" a count, of "jerk" thousands of degrees per s³.
    frame : int
        Where to look.
    frames : (int, int)
        First and last frame that it is about, both included.
    ask : ContactAsk or None
        The contact nearby that asks most of a leg.
    """

    row: str
    leg: str
    value: float
    frame: int
    frames: Span
    ask: ContactAsk | None = None

    @property
    def bar(self) -> float:
        """What the value may be."""
        return RULES[self.row].bar

    @property
    def excess(self) -> float:
        """The value in parts of its bar."""
        return self.value / self.bar

    @property
    def grade(self) -> str:
        """What it is called: "fault" over 2.5 times the bar, "look at" over the bar, else empty."""
        return "" if self.excess <= 1.0 else "look at" if self.excess <= _FAULT else "fault"

    def words(self, centimetres: float | None = None) -> str:
        """Return what is seen and in which frames; with the centimetres of a leg, lengths in these."""
        if not self.value > 0.0:
            return ""
        rule = RULES[self.row]
        value = _length(self.value, centimetres) if rule.unit == "leg" else f"{self.value:.0f}{rule.unit}"
        told = rule.words.format(value=value, **{part: foot_called(self.leg, part) for part in _PARTS})
        first, last = self.frames
        where = f"frame {FRAME}" if first == last else f"frames {FRAME}–{FRAME}"
        return Remark(f"{told}, {where}", *((first,) if first == last else (first, last)))

    def why(self, centimetres: float | None = None) -> str:
        """Return which contact asks for it, and how much; empty where none does."""
        ask = self.ask
        if ask is None or ask.weight < _SEEN:
            return ""
        if ask.beyond > 0.5 * _SEEN:
            told = f"lies {_length(ask.beyond, centimetres)} beyond reach"
        elif abs(ask.raised) > 0.5 * ask.away:
            height = "higher" if ask.raised > 0.0 else "lower"
            told = f"is {_length(abs(ask.raised), centimetres)} {height} than the foot was"
        else:
            told = f"is up to {_length(ask.away, centimetres)} from where the foot was"
        frames = ask.first_frame, ask.last_frame
        return Remark(f"contact {ask.number} of the {foot_called(ask.leg)} ({FRAME}–{FRAME}) {told}", *frames)

    def sentence(self, centimetres: float | None = None) -> str:
        """Return both."""
        return together(": ", self.words(centimetres), self.why(centimetres))

    def advice(self, words: str = "python") -> str:
        """Return which option to turn, in the words of "python", "shell" or "blender"; empty where no one surely helps.

        A foot that slides, rocks or loses its lift inside a contact is better off without that contact, and one that
        stands too high beside the others with lower contacts. Where body, knees or feet elsewhere pay for contacts, no
        option is sure to leave all else as it is.
        """
        if self.row == "level":
            return _LOWER[words]
        ask = self.ask
        inside = ask is not None and self.why() and ask.first_frame <= self.frame <= ask.last_frame
        return _WITHOUT[words] if inside and self.row in _IN_CONTACT else ""

    @property
    def text(self) -> str:
        """What is seen, where and why; lengths in parts of the leg."""
        return self.sentence()

    def __str__(self) -> str:
        return self.text

    def to_dict(self) -> dict[str, Any]:
        """Return all of it as plain numbers, lists and strings, ready for JSON."""
        told = {**self._asdict(), "ask": None if self.ask is None else self.ask._asdict()}
        return {**told, "bar": self.bar, "grade": self.grade, "text": self.text}


def _length(value: float, centimetres: float | None) -> str:
    if centimetres is None:
        return f"{100.0 * value:.1f} % of the leg"
    return f"{value * centimetres:.1f} cm"


def viewer_rows(
    before: Sequence[LegTrack], after: Sequence[LegTrack], contacts: Sequence[Sequence[Span]], names: Sequence[str],
    fps: float, length: float, frames: Span, *, up: NDArray[np.float64], step: NDArray[np.float64] | None = None,
    given: bool = False, level: bool = True,
) -> tuple[ViewerRow, ...]:  # fmt: skip
    """Return the worst of each row in the frames to look at, both included; a long clip is looked at piece by piece.

    `names`: of the legs. `length`: of a leg. `up`, `step` (3,): how far a moving ground goes per frame. `given`:
    whether the ground is. `level`: whether it is level: what any other asks of body and knees is no fault, and only the
    other rows are looked at.
    """
    about = up, np.zeros(3) if step is None else step, given, length, fps
    numbered = [list(enumerate(_inside(own, frames), start=1)) for own in contacts]
    start = frames[0]
    found = {row: ViewerRow(row, "", 0.0, start, (start, start)) for row in RULES if level or row not in _LEVEL_ONLY}
    for first, last in _pieces(frames, fps):
        inside = [
            (name, n, span)
            for name, own in zip(names, numbered, strict=True)
            for n, span in own
            if span[0] <= last and span[1] >= first
        ]
        spans = [[(a - first, b - first) for a, b in _inside(own, (first, last))] for own in contacts]
        old, new = ([_cut(track, slice(first, last + 1)) for track in tracks] for tracks in (before, after))
        seen, asked = _core.viewer_rows(old, new, spans, *about)
        asks = [ContactAsk(name, n, *span, **ask) for (name, n, span), ask in zip(inside, asked, strict=True)]
        for row, worst in seen.items():
            if row in found and worst["value"] > max(_NOTHING, (1.0 + _ALIKE) * found[row].value):
                name = names[worst["leg"]] if worst["leg"] >= 0 else ""
                at = [worst[frame] + first for frame in ("frame", "first", "last")]
                found[row] = _row(row, name, worst["value"], at, asks, round(_NEAR * fps))
    return tuple(found.values())


def _pieces(frames: Span, fps: float) -> list[Span]:
    """Return the pieces in which frames are looked at: one, or of a long clip several, which share a second."""
    first, last = frames
    if last + 1 - first < 2 * _PIECE:
        return [frames]
    shared = min(round(_SHARED * fps), _PIECE // 2)
    return [(at, min(at + _PIECE - 1, last)) for at in range(first, last + 1 - shared, _PIECE - shared)]


def _inside(spans: Sequence[Span], frames: Span) -> list[Span]:
    """Return the part of spans that lies inside frames."""
    first, last = frames
    return [(max(a, first), min(b, last)) for a, b in spans if a <= last and b >= first]


def _row(row: str, leg: str, value: float, at: Sequence[int], asks: Sequence[ContactAsk], near: int) -> ViewerRow:
    """Return a row with the contact that asks most of that leg, or of any, up to so many frames around its own."""
    frame, first, last = at
    own = [
        ask
        for ask in asks
        if leg in ("", ask.leg) and ask.first_frame <= last + near and ask.last_frame >= first - near
    ]
    itself = [ask for ask in own if (ask.first_frame, ask.last_frame) == (first, last)]
    return ViewerRow(
        row, leg, value, frame, (first, last), max(itself or own, key=lambda ask: ask.weight, default=None)
    )


def _cut(track: LegTrack, own: slice) -> LegTrack:
    """Return some frames of a track."""
    return replace(
        track, hip=track.hip[own], knee=track.knee[own], ankle=track.ankle[own], foot=track.foot[own],
        flexion=track.flexion[own],
    )  # fmt: skip
