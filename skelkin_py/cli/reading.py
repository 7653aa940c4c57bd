# SPDX-License-Identifier: MIT
"""Reading what was named on the command line: regular files, also behind links.

Opening a pipe blocks until another process writes into it, perhaps for ever; a device may never end.
"""

from __future__ import annotations

import argparse
import os
import stat
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from .._support.errors import FormatWarning
from ..io import load as load_clip, load_animations
from ..io.formats import FORMATS, Format, format_of
from ..motion.clip import Clip
from .printing import print_warning
from .wrong_usage import WrongUsageError

# Keyword arguments of `io.load`, and where options have them.
READING = {"animation": "animation", "fps": "read_fps", "skeleton": "skeleton", "strict": "strict", "root": "root"}

_KINDS = {stat.S_IFIFO: "a pipe", stat.S_IFSOCK: "a socket", stat.S_IFCHR: "a device", stat.S_IFBLK: "a device"}


def kind_of(status: os.stat_result) -> str:
    """Return what a file is that is neither a regular one nor a folder; empty where it is one of these."""
    return _KINDS.get(stat.S_IFMT(status.st_mode), "")


def check_regular(path: str) -> None:
    """Refuse to read what is not a regular file; a missing file and a folder are left to whoever opens them.

    Parameters
    ----------
    path : str
        The file.

    Raises
    ------
    ValueError
        If it is a pipe, a socket or a device.

    Examples
    --------
    >>> check_regular(os.devnull)
    Traceback (most recent call last):
    ValueError: /dev/null is a device: give a regular file
    """
    try:
        kind = kind_of(os.stat(path))
    except OSError:
        return
    if kind:
        raise ValueError(f"{path} is {kind}: give a regular file")


def load(path: str, reading: Mapping[str, Any] | None = None) -> Clip:
    """Read a clip from a regular file, as `io.load` does; what is wrong with it goes to stderr, a line each.

    Parameters
    ----------
    path : str
        The file.
    reading : mapping, optional
        What `reading_options` returned.

    Returns
    -------
    Clip
        The clip.

    Raises
    ------
    OSError, ValueError
        If it cannot be read, or is not a regular file, or has several animations and none is named.
    """
    clips = load_all(path, reading)
    if len(clips) > 1:
        names = ", ".join(clips) if len(clips) < 8 else f"{', '.join(list(clips)[:6])} and {len(clips) - 6} more"
        raise ValueError(f"{path} has {len(clips)} animations: {names}; choose one with --animation NAME")
    return next(iter(clips.values()))


def load_all(path: str, reading: Mapping[str, Any] | None = None) -> dict[str, Clip]:
    """Read all animations of a regular file, or the one that is named.

    Parameters
    ----------
    path : str
        The file.
    reading : mapping, optional
        What `reading_options` returned.

    Returns
    -------
    dict of str to Clip
        By name; the name is empty where files of this format hold one, where one was chosen, and where there is
        none: that is the rest pose.

    Raises
    ------
    OSError, ValueError
        If it cannot be read, or is not a regular file.
    """
    check_regular(path)
    options = _of_its_format(path, reading or {})
    animation = options.pop("animation", None)
    with _warnings_printed():
        if animation is None and format_of(path).several:
            return load_animations(path, **options) or {"": load_clip(path, **options)}
        if animation is not None and animation.isdecimal() and animation not in load_animations(path, **options):
            animation = int(animation)
        return {"": load_clip(path, animation=animation, **options)}


def load_moving(path: str, reading: Mapping[str, Any] | None = None) -> dict[str, Clip]:
    """Read all animations of a regular file, as `load_all` does, and refuse a file that has none by a ValueError."""
    clips = load_all(path, reading)
    if format_of(path).several and all(clip.facts.animation is None for clip in clips.values()):
        raise ValueError(f"{path} has no animation, only a rest pose: give a file with motion")
    return clips


@contextmanager
def _warnings_printed() -> Iterator[None]:
    """Print warnings of files as errors are printed: in a line of their own, without the place in the code."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", FormatWarning)
        yield
    for each in caught:
        if issubclass(each.category, FormatWarning):
            print_warning(str(each.message))
        else:
            warnings.warn_explicit(each.message, each.category, each.filename, each.lineno)


def reading_options(options: argparse.Namespace, names: Sequence[str]) -> dict[str, Any]:
    """Return the options that say how files are read, as keyword arguments of `io.load` and JSON values.

    Parameters
    ----------
    options : argparse.Namespace
        What `option_types.add_reading` added.
    names : sequence of str
        The files, folders and patterns that are to be read.

    Returns
    -------
    dict
        Those that were given; of those, each file takes what its format knows.

    Raises
    ------
    WrongUsageError
        If only files are named, and an option is for none of them.
    """
    given = {name: getattr(options, dest, None) for name, dest in READING.items()}
    reading = {name: value for name, value in given.items() if value not in (None, False)}
    if all(os.path.isfile(name) for name in names):
        rows = {row.name: row for row in FORMATS for name in names if name.lower().endswith(row.endings)}
        for option in reading if rows else ():
            if not any(_knows(row, option) for row in rows.values()):
                takers = " and ".join(row.name for row in FORMATS if _knows(row, option)) or "no"
                raise WrongUsageError(
                    f"--{option} is for {takers} files, and {names[0]} is {' or '.join(rows)}: leave it out"
                )
    return reading


def _knows(row: Format, option: str) -> bool:
    return row.several if option == "animation" else option in row.options


def _of_its_format(path: str, reading: Mapping[str, Any]) -> dict[str, Any]:
    try:
        row = format_of(path)
    except ValueError as error:  # which names the argument of a function
        raise ValueError(str(error).removeprefix("path is ")) from error
    return {option: value for option, value in reading.items() if _knows(row, option)}
