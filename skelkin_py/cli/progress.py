# SPDX-License-Identifier: MIT
"""How far the work is: a line that is drawn anew on a terminal, and nothing elsewhere."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from typing import IO

from .printing import can_write, on_terminal

_WIDTH = 24
_PAUSE = 0.1  # s between two drawings


class Progress:
    """The progress of a number of things.

    Parameters
    ----------
    total : int
        How many there are.
    what : str
        What they are, such as "clips".
    stream : file, optional
        Where to draw; stderr if not given.
    clock : callable, optional
        Returns seconds.

    Examples
    --------
    >>> import io
    >>> with Progress(2, "clips", io.StringIO()) as progress:
    ...     progress.step()
    >>> progress.line(60)
    '1/2 ############------------  ...'
    """

    def __init__(
        self, total: int, what: str, stream: IO[str] | None = None, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._total, self._what = total, what
        self._stream = sys.stderr if stream is None else stream
        self._clock = clock
        self._start = clock()
        self._drawn = -1.0
        self._done = self._failed = 0
        self._shown = on_terminal(self._stream)

    def __enter__(self) -> Progress:
        self.draw()
        return self

    def __exit__(self, *error: object) -> None:
        self._wipe()

    def step(self, failed: bool = False) -> None:
        """Count one thing as done, well or not."""
        self._done += 1
        self._failed += failed
        self.draw()

    def reach(self, done: int, total: int) -> None:
        """Note that so many of so many things are done."""
        self._done, self._total = done, total
        self.draw()

    def above(self, say: Callable[[], None]) -> None:
        """Let something be printed without the line in its way."""
        self._wipe()
        say()
        self._drawn = -1.0
        self.draw()

    def draw(self) -> None:
        """Draw the line, if it is time to."""
        now = self._clock()
        if not self._shown or (self._drawn >= 0.0 and now - self._drawn < _PAUSE and self._done < self._total):
            return
        self._drawn = now
        try:
            width = os.get_terminal_size(self._stream.fileno()).columns
        except OSError:
            width = 80
        self._stream.write("\r" + self.line(width or 80) + "\033[K")
        self._stream.flush()

    def line(self, width: int) -> str:
        """Return the line in less than a width in characters; where it is narrow, the bar is the first to give way."""
        full, empty = ("━", "─") if can_write("━─", self._stream) else ("#", "-")
        seconds = self._clock() - self._start
        parts = []
        if self._done:
            rate = self._done / max(seconds, 1e-9)
            often = f"{rate:,.0f}" if rate >= 100.0 else f"{rate:.3g}"
            parts.append(f"{often} {self._what}/s" if rate >= 1.0 else f"{1.0 / rate:.3g} s each")
            parts.append(f"{duration((self._total - self._done) / rate)} left")
        else:
            parts.append(duration(seconds))
        if self._failed:
            parts.append(f"{self._failed} failed")
        counts, rest = f"{self._done}/{self._total} ", "".join(f"  {part}" for part in parts)
        long = min(_WIDTH, max(width - 1 - len(counts) - len(rest), 0))
        filled = round(long * self._done / max(self._total, 1))
        return f"{counts}{full * filled}{empty * (long - filled)}{rest}"[: max(width - 1, 0)]

    def _wipe(self) -> None:
        if self._shown:
            self._stream.write("\r\033[K")
            self._stream.flush()


def duration(seconds: float) -> str:
    """Return a time as people say it.

    Examples
    --------
    >>> duration(9.4), duration(125), duration(7500)
    ('9 s', '2 min 05 s', '2 h 05 min')
    """
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60:02d} s"
    return f"{whole // 3600} h {whole % 3600 // 60:02d} min"
