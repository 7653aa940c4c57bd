# SPDX-License-Identifier: MIT
"""Tables of decimal numbers as text: reading and writing in bulk, without Python work per number.

The texts are those of motion files: some hundred thousand numbers of a few digits each. Reading takes the digits
of all numbers as integers in one go and divides by the power of ten that the decimal point stands for; as integer
and power are both exact in float64 (below 2**53, at most 10**22) the quotient is the correctly rounded number, the
one that ``float()`` gives. Whatever is written in another way (exponents, very many digits) goes the slow way.
"""

from __future__ import annotations

import re
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]

_SPACES = b" \t\r\n\v\f"
_PLAIN = b"0123456789.+-" + _SPACES
_NUMBER = re.compile(rb"[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?\Z")
_MAX_PLAIN_LENGTH = 18  # characters of a number whose digits are sure to fit an int64
_EXACT = 1 << 53
_POWERS = np.array([float(10**k) for k in range(_MAX_PLAIN_LENGTH + 1)])  # exact; np.power is not everywhere


class Words(NamedTuple):
    """Where the words of a text are: byte offsets, and the line (from 0) each one stands on."""

    starts: IntArray
    ends: IntArray
    line_ends: IntArray  # offset of every line feed, and the length of the text where the last line has none

    def per_line(self) -> IntArray:
        """Return how many words each line has."""
        before = np.searchsorted(self.starts, self.line_ends)
        return np.diff(before, prepend=0).astype(np.int64)


def find_words(text: bytes) -> Words:
    """Return the places of the words of `text`; a word is anything between white space."""
    data = np.frombuffer(text, np.uint8)
    inside = np.zeros(data.size + 2, bool)
    np.greater(data, 32, out=inside[1:-1])
    edges = np.flatnonzero(inside[1:] != inside[:-1])
    line_ends = np.flatnonzero(data == 10)
    if data.size and (not line_ends.size or line_ends[-1] != data.size - 1):
        line_ends = np.append(line_ends, data.size)
    return Words(edges[::2], edges[1::2], line_ends)


def parse_words(text: bytes, words: Words) -> FloatArray | int:
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
    fast = _parse_plain(text, words)
    if fast is not None:
        return fast
    tokens = text.split()
    if len(tokens) != words.starts.size:  # control characters that are no white space, inside or beside a word
        tokens = [text[a:b] for a, b in zip(words.starts.tolist(), words.ends.tolist(), strict=True)]
    for index, token in enumerate(tokens):
        if not _NUMBER.match(token):
            return index
    values = np.array([float(token) for token in tokens])
    bad = np.flatnonzero(~np.isfinite(values))
    return int(bad[0]) if bad.size else values


def _parse_plain(text: bytes, words: Words) -> FloatArray | None:
    """Return the numbers of a text of plain decimals, None where a word is anything else."""
    if text.translate(None, _PLAIN):
        return None
    data = np.frombuffer(text, np.uint8)
    starts, ends = words.starts, words.ends
    lengths = ends - starts
    if not starts.size:
        return np.empty(0)
    if lengths.max() > _MAX_PLAIN_LENGTH:
        return None
    first = data[starts]
    signed = (first == 45) | (first == 43)
    if np.count_nonzero(signed) != text.count(b"-") + text.count(b"+"):
        return None  # a sign inside a word
    dots = np.flatnonzero(data == 46)
    owner = np.searchsorted(starts, dots, side="right") - 1 if dots.size != starts.size else np.arange(starts.size)
    if dots.size == starts.size and not ((dots >= starts) & (dots < ends)).all():
        owner = np.searchsorted(starts, dots, side="right") - 1
    if dots.size > 1 and (owner[1:] == owner[:-1]).any():
        return None  # two points in a word
    digits = lengths - signed
    digits[owner] -= 1
    if digits.min() < 1:
        return None  # a sign or a point without digits
    whole = np.fromstring(text.replace(b".", b"") if dots.size else text, dtype=np.int64, sep=" ")
    if whole.size != starts.size:
        return None
    values = whole.astype(np.float64)
    places = ends[owner] - dots - 1
    values[owner] /= _POWERS[places]
    # A number that an int64 holds and a float64 does not is rounded by the division a second time.
    for index in np.flatnonzero((whole >= _EXACT) | (whole <= -_EXACT)).tolist():
        values[index] = float(text[starts[index] : ends[index]])
    if signed.any():
        zero = np.flatnonzero((whole == 0) & (first == 45))
        values[zero] = -0.0
    return values


def decimals_for(values: FloatArray, *, significant: int = 9, least: int = 6, most: int = 15) -> int:
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


_QUADS = np.frombuffer("".join(f"{i:04d}" for i in range(10000)).encode(), np.uint8).reshape(10000, 4)


def format_rows(values: FloatArray, decimals: IntArray) -> list[bytes]:
    """Write a table as text, one row a line.

    Parameters
    ----------
    values : (F, N) float64 array
        Finite numbers.
    decimals : (N,) integer array
        Decimals of each column.

    Returns
    -------
    list of bytes
        The rows, without line ends; numbers have one space between them.

    Examples
    --------
    >>> format_rows(np.array([[1.5, -0.25], [0.0, 10.0]]), np.array([1, 2]))
    [b'1.5 -0.25', b'0.0 10.00']
    """
    count, width = values.shape
    if not count or not width:
        return [b""] * count
    scaled = np.abs(values) * 10.0**decimals
    if not (scaled.max(initial=0.0) < 1e15):
        line = " ".join(f"%.{d}f" for d in decimals.tolist())
        return [(line % tuple(row)).encode("ascii") for row in (values + 0.0).tolist()]
    whole = np.rint(scaled).astype(np.int64)
    negative = (values < 0) & (whole > 0)  # no minus before a number that rounds to zero
    return _rows_from_digits(whole, negative, np.asarray(decimals, np.int64))


def _rows_from_digits(whole: IntArray, negative: NDArray[np.bool_], decimals: IntArray) -> list[bytes]:
    """Lay the digits of all numbers side by side in columns of one width, then drop the padding."""
    count, width = whole.shape
    size = max(len(str(int(whole.max()))), int(decimals.max()) + 1)
    blocks = -(-size // 4)
    digits = np.empty((count, width, blocks * 4), np.uint8)
    rest = whole
    for block in range(blocks - 1, -1, -1):
        rest, low = np.divmod(rest, 10000)
        digits[:, :, 4 * block : 4 * block + 4] = _QUADS[low]
    places = blocks * 4
    # One column each for the separating space, the sign and the point beside the digits.
    cells = np.empty((count, width, places + 3), np.uint8)
    cells[:, :, 0] = 32
    cells[:, 0, 0] = 0
    cells[:, :, 1] = np.where(negative, 45, 0)
    for decimal in sorted(set(decimals.tolist())):
        columns = np.flatnonzero(decimals == decimal)
        group = digits[:, columns]
        before = places - decimal
        # Zeros in front of the last digit before the point are padding.
        used = np.ones((count, len(columns)), np.int8)
        for power in range(decimal + 1, places):
            used += whole[:, columns] >= 10**power
        group[:, :, :before][np.arange(before, dtype=np.int8) < (before - used)[..., None]] = 0
        cells[:, columns, 2 : 2 + before] = group[:, :, :before]
        cells[:, columns, 2 + before] = 46 if decimal else 0
        cells[:, columns, 3 + before :] = group[:, :, before:]
    flat = cells.reshape(count, -1)
    keep = flat != 0
    text = flat[keep].tobytes()
    stops = np.cumsum(np.count_nonzero(keep, axis=1)).tolist()
    return [text[a:b] for a, b in zip([0, *stops[:-1]], stops, strict=True)]
