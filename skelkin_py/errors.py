# SPDX-License-Identifier: MIT
"""The exceptions that skelkin raises beyond the built-in ones."""

from __future__ import annotations

import os
from typing import Any


def quoted(text: str | bytes, most: int = 40) -> str:
    """Return what a file says as messages show it: its beginning where it is long.

    Examples
    --------
    >>> quoted("a b"), quoted(b"9" * 5000, most=5)
    ("'a b'", "'99999…'")
    """
    begin = text[: most + 1]
    shown = begin.decode("utf-8", "replace") if isinstance(begin, bytes) else begin
    return repr(shown if len(shown) <= most else shown[:most] + "…")


class FormatError(ValueError):
    """A file that cannot be read as what it claims to be.

    Parameters
    ----------
    path : str or os.PathLike
        The file.
    line : int or None
        The line where reading stopped, counted from 1; None where the format has no lines.
    reason : str
        What is wrong, in words.

    Examples
    --------
    >>> str(FormatError("walk.bvh", 7, "expected OFFSET"))
    'walk.bvh:7: expected OFFSET'
    """

    def __init__(self, path: str | os.PathLike[str], line: int | None, reason: str) -> None:
        self.path = os.fspath(path)
        self.line = line
        self.reason = reason
        where = self.path if line is None else f"{self.path}:{line}"
        super().__init__(f"{where}: {reason}")

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.path, self.line, self.reason)


class MissingExtraError(ImportError):
    """A function whose optional dependency is not installed.

    Parameters
    ----------
    function : str
        The public name that was called, with its parentheses.
    package : str
        The package it needs.
    extra : str
        The extra of skelkin-py that installs the package.

    Examples
    --------
    >>> str(MissingExtraError("plot()", "matplotlib", "view"))
    'plot() needs matplotlib: pip install "skelkin-py[view]"'
    """

    def __init__(self, function: str, package: str, extra: str) -> None:
        super().__init__(f'{function} needs {package}: pip install "skelkin-py[{extra}]"', name=package)
        self._given = (function, package, extra)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), self._given
