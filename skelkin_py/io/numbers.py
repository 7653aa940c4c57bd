# SPDX-License-Identifier: MIT
"""Tables of decimal numbers as text: reading and writing in bulk, without Python work per number.

The texts are those of motion files: some hundred thousand numbers of a few digits each. Those are read and written in
C, correctly rounded, as ``float()`` does; whatever is written in another way (exponents, very many digits) takes the
slow path.
"""

from __future__ import annotations

import re
from typing import NamedTuple

import numpy as np

from .. import _core
from .._support.array_types import Floats, Ints

_DECIMAL = re.compile(rb"[-+]?(\d+(\.\d*)?|\.\d+)([eE][-+]?\d+)?\Z")


class Words(NamedTuple):
    """Where the words of a text are, by byte offsets, and what those are that are plain decimals."""

    starts: Ints
    ends: Ints
    line_ends: Ints  # offset of every line feed, and the length of the text where the last line has none
    values: Floats  # NaN where a word has to be looked at
    odd: bool  # whether control characters that are no white space lie between words

    def per_line(self) -> Ints:
        """Return how many words each line has."""
        before = np.searchsorted(self.starts, self.line_ends)
        return np.diff(before, prepend=0).astype(np.int64)


def find_words(text: bytes) -> Words:
    """Return the words of `text`; a word is anything between white space and control characters."""
    return Words(*_core.scan_numbers(text))


def parse_words(text: bytes, words: Words) -> Floats | int:
    """Read every word as a number; where one is not, return its index instead.

    Parameters
    ----------
    text : bytes
        The text.
    words : Words
        Its words, from `find_words`.

    Returns
    -------
    (N,) float64 array or int
        The numbers, correctly rounded; or the index of the first word that is not a finite decimal number.

    Examples
    --------
    >>> text = b"1 -.5 2.50"
    >>> parse_words(text, find_words(text)).tolist()
    [1.0, -0.5, 2.5]
    >>> parse_words(b"1 x 3", find_words(b"1 x 3"))
    1
    """
    if words.odd:
        tokens = text.split()
        if len(tokens) == words.starts.size:  # then such a character is part of a word, which is not a number
            wrong = [index for index, token in enumerate(tokens) if not _DECIMAL.match(token)]
            if wrong:
                return wrong[0]
    values = words.values
    for index in np.flatnonzero(np.isnan(values)).tolist():
        value = number(text[words.starts[index] : words.ends[index]])
        if not np.isfinite(value):
            return int(index)
        values[index] = value
    return values


def number(word: bytes) -> float:
    """Return a decimal number, correctly rounded; NaN for any other word, such as those that only Python reads.

    Examples
    --------
    >>> number(b"-.5"), number(b"1_0"), number(b"1.#QNAN")
    (-0.5, nan, nan)
    """
    return float(word) if _DECIMAL.match(word) else float("nan")


def decimals_for(values: Floats, *, significant: int = 9, least: int = 6, most: int = 15) -> int:
    """Return how many decimals keep `significant` digits of the largest of `values`.

    Examples
    --------
    >>> decimals_for(np.array([120.0])), decimals_for(np.array([0.0012]))
    (6, 11)
    """
    largest = float(np.abs(values).max(initial=0.0))
    if largest == 0.0:
        return least
    return int(min(max(least, significant - 1 - int(np.floor(np.log10(largest)))), most))


class Rows(NamedTuple):
    """Rows of numbers as text, one behind the other."""

    text: bytes
    stops: Ints  # where each ends


def format_rows(values: Floats, decimals: Ints, *, before: bytes = b"", behind: bytes = b"") -> Rows:
    """Write a table as text.

    Parameters
    ----------
    values : (F, N) float64 array
        Finite numbers.
    decimals : (N,) integer array
        Decimals of each column, 0 to 15.
    before, behind : bytes, optional
        What each row begins and ends with.

    Returns
    -------
    Rows
        The rows; numbers have one space between them.

    Examples
    --------
    >>> format_rows(np.array([[1.5, -0.25], [0.0, 10.0]]), np.array([1, 2]), behind=b";").text
    b'1.5 -0.25;0.0 10.00;'
    """
    places = np.ascontiguousarray(decimals, np.int64)
    written = _core.format_numbers(np.ascontiguousarray(values, np.float64), places, before, behind)
    if written is not None:
        return Rows(*written)
    line = " ".join(f"%.{d}f" for d in decimals.tolist())
    rows = [before + (line % tuple(row)).encode("ascii") + behind for row in (values + 0.0).tolist()]
    return Rows(b"".join(rows), np.cumsum([len(row) for row in rows], dtype=np.int64))
