# SPDX-License-Identifier: MIT
"""What a terminal shows: colours where they are wanted, tables, and errors in one line."""

from __future__ import annotations

import os
import shutil
import sys
import textwrap
import unicodedata
from collections.abc import Collection, Sequence
from typing import IO

BOLD, RED = "1", "1;31"


def explained(error: BaseException) -> str:
    """Return an error in one line, with the file it is about."""
    if isinstance(error, OSError) and error.filename is not None and error.strerror:
        text = f"{os.fspath(error.filename)}: {error.strerror}"
    else:
        text = str(error)
    return " ".join(text.split())


def about(path: str, error: str) -> str:
    """Return an error with the file it is about in front, unless it names it already."""
    return error if path in error else f"{path}: {error}"


def print_error(message: str) -> None:
    """Print an error to stderr in one line, after the program's name."""
    print(f"{painted('skelkin:', RED, sys.stderr)} {message}", file=sys.stderr)


def painted(text: str, code: str, stream: IO[str]) -> str:
    """Return the text in a colour where a terminal shows it and nobody has asked for none."""
    return f"\033[{code}m{text}\033[0m" if on_terminal(stream) and not os.environ.get("NO_COLOR") else text


def on_terminal(stream: IO[str]) -> bool:
    """Tell whether a stream ends at a terminal that understands more than lines."""
    return stream.isatty() and os.environ.get("TERM") != "dumb"


def wrapped(text: str, indent: str, stream: IO[str]) -> str:
    """Return a line, on a terminal in lines that fit it, of which all but the first are indented."""
    if not on_terminal(stream):
        return text
    width = shutil.get_terminal_size().columns
    return textwrap.fill(text, width, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)


def columns(rows: Sequence[Sequence[str]], right: Collection[int] = ()) -> list[str]:
    """Return rows as lines with their cells below each other.

    Parameters
    ----------
    rows : sequence of sequence of str
        The cells. A row may be shorter than others: its cells stand at the left, and all but the first may be wide.
    right : collection of int
        The columns whose cells stand at the right.

    Returns
    -------
    list of str
        One line per row.

    Examples
    --------
    >>> columns([("clip", "contacts"), ("walk", "8")], right=[1])
    ['clip  contacts', 'walk         8']
    """
    most = max(len(row) for row in rows)
    full = [row for row in rows if len(row) == most]
    widths = [max(_width(row[k]) for row in full) for k in range(most)]
    widths[0] = max(_width(row[0]) for row in rows)

    def cell(row: Sequence[str], text: str, k: int) -> str:
        gap = " " * (widths[k] - _width(text))
        return gap + text if k in right and len(row) == most else text + gap

    return ["  ".join(cell(row, text, k) for k, text in enumerate(row)).rstrip() for row in rows]


def _width(text: str) -> int:
    """Return how many places of a terminal a text takes."""
    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


def split_table(text: str) -> list[str]:
    """Return the table and what stands below it."""
    lines = text.splitlines()
    cut = next((index for index, line in enumerate(lines) if line.startswith("- ")), len(lines))
    return ["\n".join(lines[:cut]), *lines[cut:]]
