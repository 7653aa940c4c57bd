# SPDX-License-Identifier: MIT
"""What a viewer would mind in a planted clip: twelve rows over fixed times, in legs, seconds and degrees.

Each row compares what was planted with the original; of clips made by formulas, with the motion that is true.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from cost import LEAST
from hinges import signed_flexion
from motion import Array, LegMotion, norm

Span = tuple[int, int]  # first and last frame

STEP = 1.0 / 30.0  # seconds of a difference
LIFTED, LIFT_SEEN, LIFT_PEAK = 0.03, 0.1, 0.05  # leg, seconds, leg
STANDS = 0.015  # leg above its ground
SLIDES = 0.02  # leg: less is not seen
FLIGHT = 0.04  # leg between the heights of two levels
BENDS = 10.0  # degrees
POP, CALM = 8000.0, 6000.0  # degrees per second squared


@dataclass(frozen=True)
class Rule:
    """A row: what it says, in which unit, and the bar that a viewer would mind to see passed."""

    meaning: str
    unit: str
    bar: float


RULES = {
    "throw": Rule("the body's shift changes within a half or a quarter of a second", "leg", 0.06),
    "lift": Rule("a lifted foot loses this part of its peak", "%", 60.0),
    "slide": Rule("a standing foot strays farther from the middle of its places, by", "leg", 0.05),
    "level": Rule("toes that stand on one level stand farther apart in height, by", "leg", 0.025),
    "float": Rule("a standing foot is held higher above its ground for 0.2 s, by", "leg", 0.025),
    "sink": Rule("feet are deeper below the original's ground for 0.1 s, by", "leg", 0.02),
    "knee": Rule(f"frames whose knee is bent otherwise by more than {BENDS:g}°, worse leg", "%", 20.0),
    "pops": Rule("jumps of a knee's angular speed that the original has not", "", 5.0),
    "jump": Rule("second difference of the ankle's shift over 1/30 s", "leg", 0.08),
    "swing": Rule("an ankle in the air is moved beyond what the body is, by", "leg", 0.15),
    "heel": Rule("a heel goes up and down more within a contact, by", "leg", 0.05),
    "jerk": Rule("third difference of a knee's angle over 1/30 s, where over twice the original's", "10³ °/s³", 150.0),
}


@dataclass(frozen=True)
class Seen:
    """The worst of a row: how much, in which leg (empty: the body) and around which frame."""

    row: str
    value: float
    leg: str = ""
    frame: int = 0

    @property
    def excess(self) -> float:
        """The value in parts of its bar."""
        return self.value / RULES[self.row].bar

    @property
    def minded(self) -> bool:
        return not self.excess <= 1.0


@dataclass(frozen=True)
class Compared:
    """Two versions of the legs of a clip in legs, and the contacts of each foot."""

    before: Sequence[LegMotion]
    after: Sequence[LegMotion]
    hinges: Sequence[Array]
    names: Sequence[str]
    contacts: Sequence[Sequence[Span]]
    up: Array
    fps: float

    def frames(self, seconds: float) -> int:
        """The least number of frames that lasts so long."""
        return max(1, math.ceil(seconds * self.fps - 1e-6))

    def heights(self, legs: Sequence[LegMotion]) -> list[Array]:
        """(F, 1 or 2) Of each foot's ankle, and toe where there is one."""
        return [np.stack([p @ self.up for p in (leg.ankle, leg.toe) if p is not None], axis=1) for leg in legs]

    def flexions(self, legs: Sequence[LegMotion]) -> list[Array]:
        return [signed_flexion(leg, hinge) for leg, hinge in zip(legs, self.hinges)]

    def shift(self) -> Array:
        """(F, 3) Of the body: the mean of the hips."""
        return np.mean([a.hip - b.hip for a, b in zip(self.after, self.before)], axis=0)

    def difference(self, values: Array, order: int) -> tuple[Array, float]:
        """(F, …) The difference of an order over fixed steps around each frame, 0 where it would reach past an end;
        and the step's seconds, 1/30 or that of frames where these are longer."""
        step = max(STEP, 1.0 / self.fps)
        count, at = len(values), np.arange(len(values), dtype=float)
        flat = values.reshape(count, -1)
        offsets = (np.arange(order + 1) - order / 2) * step * self.fps
        signs = [(-1) ** (order - k) * math.comb(order, k) for k in range(order + 1)]
        total = sum(
            sign * np.stack([np.interp(at + offset, at, column) for column in flat.T], axis=1)
            for sign, offset in zip(signs, offsets)
        )
        inside = (at + offsets[0] >= -1e-9) & (at + offsets[-1] <= count - 1 + 1e-9)
        return (np.asarray(total) * inside[:, None]).reshape(values.shape), step


def held(values: Array, count: int) -> Array:
    """For every run of `count` frames, the least of its values; of the whole where it is shorter."""
    count = min(count, len(values))
    return np.lib.stride_tricks.sliding_window_view(values, count).min(axis=1)


def runs(flags: Array) -> list[Span]:
    """First and last frames of runs of true flags."""
    edges = np.flatnonzero(np.diff(np.r_[0, flags.astype(int), 0]))
    return [(int(a), int(b) - 1) for a, b in zip(edges[::2], edges[1::2])]


def throw(clip: Compared) -> Iterator[Seen]:
    shift = clip.shift()
    for seconds in (0.5, 0.25):
        step = min(clip.frames(seconds), len(shift) - 1)
        if step > 0:
            moved = norm(shift[step:] - shift[:-step])
            yield Seen("throw", float(moved.max()), "", int(moved.argmax()) + step // 2)


def lift(clip: Compared) -> Iterator[Seen]:
    long = clip.frames(LIFT_SEEN)
    for name, *both in zip(clip.names, clip.heights(clip.before), clip.heights(clip.after)):
        was, now = (np.min(each - np.quantile(each, 0.05, axis=0), axis=1) for each in both)
        for first, last in runs(was > LIFTED):
            if last - first + 1 < long:
                continue
            peak, left = (float(held(each[first : last + 1], long).max()) for each in (was, now))
            if peak > LIFT_PEAK:
                yield Seen("lift", 100.0 * (1.0 - left / peak), name, first + int(was[first : last + 1].argmax()))


def slide(clip: Compared) -> Iterator[Seen]:
    level = np.eye(3) - np.outer(clip.up, clip.up)

    def strays(leg: LegMotion, first: int, last: int) -> float:
        found = []
        for points in (leg.ankle, leg.toe):
            if points is not None:
                own = points[first : last + 1] @ level
                found.append(float(norm(own - np.median(own, axis=0)).max()))
        return min(found)

    for name, before, after, spans in zip(clip.names, clip.before, clip.after, clip.contacts):
        for first, last in spans:
            was, now = strays(before, first, last), strays(after, first, last)
            if now > SLIDES:
                yield Seen("slide", now - was, name, (first + last) // 2)


def level(clip: Compared) -> Iterator[Seen]:
    """Contacts are on one level where no gap in height is between them."""
    found = []  # height before, height after, leg, frame
    for k, (before, after, spans) in enumerate(zip(clip.before, clip.after, clip.contacts)):
        for first, last in spans:
            heights = []
            for leg in (before, after):
                points = leg.ankle if leg.toe is None else leg.toe
                heights.append(float(np.median(points[first : last + 1] @ clip.up)))
            found.append((*heights, k, (first + last) // 2, last - first + 1))
    found.sort()
    edges = [0, *(n for n in range(1, len(found)) if found[n][0] - found[n - 1][0] > FLIGHT), len(found)]
    for start, stop in itertools.pairwise(edges):
        own = found[start:stop]
        middles = []
        for k in range(len(clip.before)):
            weights = [each[4] for each in own if each[2] == k]
            if weights:
                middles.append(
                    [float(np.median(np.repeat([each[v] for each in own if each[2] == k], weights))) for v in (0, 1)]
                )
        for a, first in enumerate(middles):
            for second in middles[a + 1 :]:
                was, now = (abs(x - y) for x, y in zip(first, second))
                yield Seen("level", now - was, "", own[0][3])


def float_(clip: Compared) -> Iterator[Seen]:
    def above(legs: Sequence[LegMotion]) -> list[Array]:
        """(F,) Each foot over the ground of all, which is where ankles and toes are at their lowest."""
        heights = clip.heights(legs)
        grounds = [
            np.quantile(np.concatenate([each[:, part] for each in heights if each.shape[1] > part]), 0.1)
            for part in range(max(each.shape[1] for each in heights))
        ]
        return [np.min(each - grounds[: each.shape[1]], axis=1) for each in heights]

    long = clip.frames(0.2)
    for name, was, now in zip(clip.names, above(clip.before), above(clip.after)):
        # A foot that was below its ground and is raised to it does not float.
        higher = held(np.where(was < STANDS, now - np.maximum(was, 0.0), -np.inf), long)
        if higher.max() > 0.0:
            yield Seen("float", float(higher.max()), name, int(higher.argmax()) + long // 2)


def sink(clip: Compared) -> Iterator[Seen]:
    lowest = [np.min([each.min(axis=1) for each in clip.heights(legs)], axis=0) for legs in (clip.before, clip.after)]
    ground = np.quantile(lowest[0], 0.05)
    was, now = (np.maximum(0.0, ground - each) for each in lowest)
    deeper = held(now - was, clip.frames(0.1))
    yield Seen("sink", float(deeper.max()), "", int(deeper.argmax()))


def knee(clip: Compared) -> Iterator[Seen]:
    for name, was, now in zip(clip.names, clip.flexions(clip.before), clip.flexions(clip.after)):
        changed = np.abs(np.maximum(now, LEAST) - np.maximum(was, LEAST))
        yield Seen("knee", 100.0 * float((changed > BENDS).mean()), name, int(changed.argmax()))


def pops(clip: Compared) -> Iterator[Seen]:
    apart = clip.frames(STEP)
    for name, was, now in zip(clip.names, clip.flexions(clip.before), clip.flexions(clip.after)):
        (old, step), (new, _) = clip.difference(was, 2), clip.difference(now, 2)
        found = runs((np.abs(new) > POP * step**2) & (np.abs(old) < CALM * step**2))
        events = [span for n, span in enumerate(found) if n == 0 or span[0] - found[n - 1][1] > apart]
        yield Seen("pops", float(len(events)), name, events[0][0] if events else 0)


def jump(clip: Compared) -> Iterator[Seen]:
    for name, before, after in zip(clip.names, clip.before, clip.after):
        bent, step = clip.difference(after.ankle - before.ankle, 2)
        far = norm(bent) * (STEP / step) ** 2
        yield Seen("jump", float(far.max()), name, int(far.argmax()))


def swing(clip: Compared) -> Iterator[Seen]:
    shift = clip.shift()
    for name, before, after, spans in zip(clip.names, clip.before, clip.after, clip.contacts):
        far = norm(after.ankle - before.ankle - shift)
        for first, last in spans:
            far[first : last + 1] = 0.0
        yield Seen("swing", float(far.max()), name, int(far.argmax()))


def heel(clip: Compared) -> Iterator[Seen]:
    for name, before, after, spans in zip(clip.names, clip.before, clip.after, clip.contacts):
        for first, last in spans:
            if last - first + 1 >= clip.frames(0.2):
                was, now = (float(np.ptp(leg.ankle[first : last + 1] @ clip.up)) for leg in (before, after))
                yield Seen("heel", now - was, name, (first + last) // 2)


def jerk(clip: Compared) -> Iterator[Seen]:
    for name, was, now in zip(clip.names, clip.flexions(clip.before), clip.flexions(clip.after)):
        (old, step), (new, _) = (clip.difference(np.maximum(each, LEAST), 3) for each in (was, now))
        most = float(np.abs(new).max())
        if most > 2.0 * float(np.abs(old).max()):
            yield Seen("jerk", 1e-3 * most / step**3, name, int(np.abs(new).argmax()))


ROWS: dict[str, Callable[[Compared], Iterator[Seen]]] = {
    "throw": throw, "lift": lift, "slide": slide, "level": level, "float": float_, "sink": sink, "knee": knee,
    "pops": pops, "jump": jump, "swing": swing, "heel": heel, "jerk": jerk,
}  # fmt: skip


def seen(clip: Compared) -> list[Seen]:
    """The worst of each row."""
    return [max(row(clip), key=lambda each: each.value, default=Seen(name, 0.0)) for name, row in ROWS.items()]
