# SPDX-License-Identifier: MIT
"""What is said of files that are read though something in them is not as it should be."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ..._support.array_types import FilePath
from ..._support.errors import warn_of_format


class Remark(NamedTuple):
    """What was wrong in a line, counted from 1, and what was made of it."""

    line: int
    text: str


def warn(path: FilePath, remarks: Sequence[Remark]) -> None:
    """Warn of each of them.

    Parameters
    ----------
    path : str or os.PathLike
        The file.
    remarks : sequence of Remark
        In order of their lines.
    """
    for remark in remarks:
        warn_of_format(path, remark.line, remark.text)


def notes_of(remarks: Sequence[Remark]) -> tuple[str, ...]:
    """Return them as notes of a clip.

    Parameters
    ----------
    remarks : sequence of Remark
        In order of their lines.

    Returns
    -------
    tuple of str
        One for each.

    Examples
    --------
    >>> notes_of([Remark(3, "a comment is ignored")])
    ('line 3: a comment is ignored',)
    """
    return tuple(f"line {remark.line}: {remark.text}" for remark in remarks)
