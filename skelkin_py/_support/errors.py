# SPDX-License-Identifier: MIT
"""The exceptions that skelkin raises beyond the built-in ones."""

from __future__ import annotations

import inspect
import os
import warnings
from typing import Any

from .array_types import FilePath


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

    def __init__(self, path: FilePath, line: int | None, reason: str) -> None:
        self.path = os.fspath(path)
        self.line = line
        self.reason = reason
        where = self.path if line is None else f"{self.path}:{line}"
        super().__init__(f"{where}: {reason}")

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.path, self.line, self.reason)


class FormatWarning(UserWarning):
    """A file that breaks a rule of its format and was read all the same, or something in it that was left out.

    The text names the file, the line where there is one, the rule, and what was made of it. Under
    ``warnings.simplefilter("error", sk.FormatWarning)`` such files are refused.

    Examples
    --------
    >>> import warnings
    >>> with warnings.catch_warnings(record=True) as caught:
    ...     warnings.simplefilter("always")
    ...     warn_of_format("walk.bvh", 7, "expected OFFSET: taken to be 0 0 0")
    >>> str(caught[0].message)
    'walk.bvh:7: expected OFFSET: taken to be 0 0 0'
    """


def warn_of_format(path: FilePath, line: int | None, text: str) -> None:
    """Warn of a file that was read though something in it is not as it should be.

    The warning names the first caller outside of this package.

    Parameters
    ----------
    path : str or os.PathLike
        The file.
    line : int or None
        The line, counted from 1; None where the format has no lines.
    text : str
        What is wrong, and what was made of it.
    """
    warnings.warn(str(FormatError(path, line, text)), FormatWarning, stacklevel=_frames_of_ours())


def _frames_of_ours() -> int:
    """Return how many calls lie between `warn_of_format` and who called the package."""
    package = __name__.rsplit(".", 2)[0]
    level, frame = 1, inspect.currentframe()
    frame = frame and frame.f_back
    while frame is not None and f"{frame.f_globals.get('__name__', '')}.".startswith(f"{package}."):
        level, frame = level + 1, frame.f_back
    return level


class MissingExtraError(ImportError):
    """A function whose optional dependency is not installed.

    Parameters
    ----------
    function : str
        The public name that was called, with its parentheses.
    package : str
        The package it needs.
    extra : str
        The extra of skelkin-py that installs the package; no index has skelkin-py yet, so a clone is needed.

    Examples
    --------
    >>> str(MissingExtraError("plot()", "matplotlib", "view"))
    'plot() needs matplotlib: pip install ".[view]" in a clone of skelkin'
    """

    def __init__(self, function: str, package: str, extra: str) -> None:
        super().__init__(f'{function} needs {package}: pip install ".[{extra}]" in a clone of skelkin', name=package)
        self._given = (function, package, extra)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), self._given
