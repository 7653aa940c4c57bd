# SPDX-License-Identifier: MIT
"""What a terminal shows: colours where they are wanted, tables, errors in one line, JSON.

Names out of files may hold anything, so that all that the commands print goes through `say` and `say_json`, which
escape what a terminal would obey. What is `Shown` has been escaped, and has since got colours or ends of lines.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
import textwrap
import time
import unicodedata
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import IO, Any

from .._support.nearest_name import files_like
from .._support.printable import escaped, is_harmless

BOLD, RED = "1", "1;31"

_LEAST = 12  # places that a name keeps in however narrow a terminal


class Shown(str):
    """What a terminal can be given as it is."""


def shown(text: str) -> Shown:
    """Return a line in which nothing is left that a terminal would obey but what was put there since it was escaped."""
    return text if isinstance(text, Shown) else Shown(escaped(text))


def in_lines(lines: Iterable[str]) -> Shown:
    """Return lines below each other."""
    return Shown("\n".join(map(shown, lines)))


def say(text: str = "", stream: IO[str] | None = None, *, flush: bool = False) -> None:
    """Print a line, to stdout if no other stream is given."""
    print(shown(text), file=stream, flush=flush)


def say_json(value: Any, indent: int | None = None) -> None:
    """Print a value as JSON: in ASCII where the stream is not UTF-8, which is what whoever reads JSON takes it for."""
    encoding = (getattr(sys.stdout, "encoding", None) or "ascii").lower().replace("-", "")
    print(json_text(value, indent) if encoding == "utf8" else json.dumps(value, indent=indent), flush=True)


def json_text(value: Any, indent: int | None = None) -> str:
    """Return a value as JSON, with names as they are but for what a terminal would obey, which JSON spells."""
    text = json.dumps(value, ensure_ascii=False, indent=indent)
    if text.replace("\n", "").isprintable():
        return text
    return "".join(c if c == "\n" or is_harmless(c) else json.dumps(c)[1:-1] for c in text)


def can_write(text: str, stream: IO[str]) -> bool:
    """Tell whether a stream has all characters of a text."""
    try:
        text.encode(getattr(stream, "encoding", None) or "ascii")
    except UnicodeEncodeError:
        return False
    return True


def explained(error: BaseException) -> str:
    """Return an error with the file it is about."""
    if isinstance(error, OSError) and error.filename is not None and error.strerror:
        meant = files_like(os.fspath(error.filename)) if isinstance(error, FileNotFoundError) else ""
        return f"{os.fspath(error.filename)}: {error.strerror}{meant}"
    return str(error)


def about(path: str, error: str) -> str:
    """Return an error with the file it is about in front, unless it names it already."""
    return error if path in error else f"{path}: {error}"


def failed(error: str) -> str:
    """Return how a table shows a failure: with the reason, unless the same terminal has already shown it."""
    return "failed" if on_terminal(sys.stdout) and on_terminal(sys.stderr) else f"failed: {error}"


def some_of(names: Sequence[str], most: int = 5) -> str:
    """Return the first of some names, and how many there are beside them."""
    return ", ".join(names[:most]) + (f" and {len(names) - most} more" if len(names) > most else "")


def print_warning(message: str) -> None:
    """Print what is wrong and was no obstacle, to stderr."""
    print_error(f"warning: {message}")


def print_error(message: str) -> None:
    """Print an error to stderr in one line, after the program's name."""
    say(Shown(f"{painted('skelkin:', RED, sys.stderr)} {shown(message)}"), sys.stderr)


def painted(text: str, code: str, stream: IO[str]) -> Shown:
    """Return a line in a colour where a terminal shows it and NO_COLOR does not forbid it."""
    line = shown(text)
    return Shown(f"\033[{code}m{line}\033[0m") if on_terminal(stream) and not os.environ.get("NO_COLOR") else line


def on_terminal(stream: IO[str]) -> bool:
    """Tell whether a stream ends at a terminal that understands more than lines."""
    return stream.isatty() and os.environ.get("TERM") != "dumb"


def wrapped(text: str, indent: str, stream: IO[str]) -> Shown:
    """Return a line, on a terminal in lines that fit it, of which all but the first are indented."""
    line, width = shown(text), room(stream)
    if width is None:
        return line
    return Shown(textwrap.fill(line, width, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False))


def room(stream: IO[str]) -> int | None:
    """Return how many places a line has on the terminal that a stream ends at; None where it ends elsewhere."""
    # CPython 3.10 says 0 of a terminal that does not know its width.
    return shutil.get_terminal_size().columns or 80 if on_terminal(stream) else None


def columns(rows: Sequence[Sequence[str]], right: Collection[int] = (), width: int | None = None) -> list[Shown]:
    """Return rows as lines with their cells below each other.

    Parameters
    ----------
    rows : sequence of sequence of str
        The cells. A row may be shorter than others: its cells stand at the left, and all but the first may be wide.
    right : collection of int
        The columns whose cells stand at the right.
    width : int, optional
        How many places a line has. Where that is too few, first cells lose some of their middle, and the last ones of
        shorter rows their end.

    Returns
    -------
    list of Shown
        One line per row.

    Examples
    --------
    >>> columns([("clip", "contacts"), ("walk", "8")], right=[1])
    ['clip  contacts', 'walk         8']
    >>> columns([("clip", "contacts"), ("walking up the stairs", "8")], right=[1], width=24)
    ['clip            contacts', 'walking…stairs         8']
    """
    rows = [[shown(text) for text in row] for row in rows]
    most = max(len(row) for row in rows)
    full = [row for row in rows if len(row) == most]
    widths = [max(_width(row[k]) for row in full) for k in range(most)]
    widths[0] = max(_width(row[0]) for row in rows)
    if width is not None:
        widths[0] = min(widths[0], max(width - sum(widths[1:]) - 2 * (most - 1), _LEAST))

    def cell(row: Sequence[str], text: str, k: int) -> str:
        if k == 0:
            text = shortened(text, widths[0])
        elif width is not None and len(row) < most and k == len(row) - 1:
            text = shortened(text, max(width - sum(widths[:k]) - 2 * k, _LEAST), behind=0)
        gap = " " * (widths[k] - _width(text))
        return gap + text if k in right and len(row) == most else text + gap

    return [Shown("  ".join(cell(row, text, k) for k, text in enumerate(row)).rstrip()) for row in rows]


def shortened(text: str, width: int, behind: float = 0.5) -> str:
    """Return a text in no more places of a terminal than given, with … where something was left out.

    Parameters
    ----------
    text : str
        Any text.
    width : int
        How many places there are.
    behind : float, default 0.5
        The part of them that goes to the end of the text: 0 leaves out the end, 0.5 the middle.

    Examples
    --------
    >>> shortened("walking up the stairs.bvh", 13)
    'walkin…rs.bvh'
    """
    if _width(text) <= width:
        return text
    tail = int(behind * (width - 1))
    return _fitting(text, width - 1 - tail) + "…" + _fitting(text[::-1], tail)[::-1]


def _fitting(text: str, width: int) -> str:
    """Return as much of the start of a text as fits."""
    stop = next((k for k in range(len(text)) if _width(text[: k + 1]) > width), len(text))
    return text[:stop]


def _width(text: str) -> int:
    """Return how many places of a terminal a text takes."""
    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


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
