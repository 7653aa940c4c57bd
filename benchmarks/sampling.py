# SPDX-License-Identifier: MIT
"""How candidates are timed: in rounds, each round in an order of its own, every candidate with caches of its own.

A candidate that comes right after a slow one finds its arrays thrown out of the caches, and one that always comes
first after another finds the same ones each time. So the order is drawn anew for every round, from a seed that the
results name, and each sample follows upon a few calls that are not timed.
"""

from __future__ import annotations

import gc
import random
import statistics
import time
from collections.abc import Callable, Iterable

SAMPLE_SECONDS = 2e-3  # shorter calls are repeated within a sample, so that the clock's own cost vanishes
WARM_SECONDS, WARM_CALLS = 1e-3, 3  # before a sample: as many calls, unless they take longer; one in any case
SHARE_SECONDS = 1.2  # a candidate that has had this much of a case's time sits out, once it has its least samples
LEAST_SAMPLES = 5
DISTURBED = 1.1  # a sample that took this much longer than the processor worked was shared with other processes
TRIES, LONGEST_TRY = 3, 0.05  # such a sample is taken again, unless it takes long and would be disturbed anyhow

Quartiles = tuple[float, float, float]
clock, processor_clock = time.perf_counter, time.process_time


class Timer:
    """One candidate: its call, how often a sample repeats it, and the seconds per work of each round it took part in.

    `times` is how often a call does the work. `alone` says that it is done in this process on one core, so that the
    turns of other processes can be told apart.
    """

    def __init__(
        self,
        call: Callable[[], object],
        before: Callable[[], object] | None = None,
        times: int = 1,
        alone: bool = True,
    ) -> None:
        self.call, self.before, self.times, self.alone = call, before, times, alone
        self.seconds: dict[int, float] = {}
        self.spent = 0.0
        self.disturbed = 0
        if before:
            before()
        call()  # compiles, and touches the memory
        began = clock()
        call()
        self.repeats = max(1, int(SAMPLE_SECONDS / max(clock() - began, 1e-7)))

    def warm(self) -> None:
        """Bring the candidate's own code and arrays into the caches."""
        if self.before:
            self.before()
        began = clock()
        for _ in range(max(WARM_CALLS, self.repeats // 2)):
            self.call()
            if clock() - began > WARM_SECONDS:
                return

    def once(self) -> tuple[float, float]:
        """Return the seconds of one sample, and for how many of them the processor was at work on it."""
        call = self.call
        processor_began, began = processor_clock(), clock()
        for _ in range(self.repeats):
            call()
        spent = clock() - began
        return spent, processor_clock() - processor_began

    def sample(self, number: int) -> None:
        """Take the sample of a round, unless the candidate has had its time.

        What stays disturbed counts as long as the processor was at work on it: other processes make a call wait, and
        cost it a little of its caches.
        """
        if self.spent > SHARE_SECONDS and len(self.seconds) >= LEAST_SAMPLES:
            return
        began, least = clock(), float("inf")
        for _ in range(TRIES):
            self.warm()
            spent, worked = self.once()
            disturbed = self.alone and spent > DISTURBED * worked
            least = min(least, worked) if disturbed else spent
            if not disturbed or spent > LONGEST_TRY:
                break
        self.seconds[number] = least / (self.repeats * self.times)
        self.disturbed += disturbed
        self.spent += clock() - began


def run_rounds(timers: dict[str, Timer], rounds: int, seed: str) -> None:
    """Let the candidates take turns, every round in another order, which follows from the seed alone."""
    drawn, names = random.Random(seed), list(timers)
    gc.collect()
    gc.disable()
    try:
        for number in range(rounds):
            for name in drawn.sample(names, len(names)):
                timers[name].sample(number)
    finally:
        gc.enable()


def quartiles(values: Iterable[float]) -> Quartiles:
    """Return the first quartile, the median and the third."""
    ordered = sorted(values)
    if len(ordered) == 1:
        return (ordered[0],) * 3
    low, middle, high = statistics.quantiles(ordered, n=4, method="inclusive")
    return low, middle, high


def paired(own: Timer, other: Timer) -> Quartiles | None:
    """Return how many times as fast as the other a candidate was, round by round; None where they never met."""
    both = own.seconds.keys() & other.seconds.keys()
    return quartiles(other.seconds[number] / own.seconds[number] for number in both) if both else None
