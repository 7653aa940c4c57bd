# SPDX-License-Identifier: MIT
"""Reading what was named on the command line: regular files, also behind links.

Who opens a pipe waits for somebody who writes into it, without a word and perhaps for ever; a device may never end.
"""

from __future__ import annotations

import os
import stat

from ..clip import Clip
from ..io import load as load_clip

__all__ = ["check_regular", "kind_of", "load"]

_KINDS = {
    stat.S_IFIFO: "a pipe",
    stat.S_IFSOCK: "a socket",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
}


def kind_of(status: os.stat_result) -> str:
    """Return what a file is that is neither a regular one nor a folder; empty where it is one of these."""
    return _KINDS.get(stat.S_IFMT(status.st_mode), "")


def check_regular(path: str) -> None:
    """Refuse to read what is no regular file; who opens it tells of one that is missing, or a folder.

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
    ValueError: /dev/null is a device: only regular files are read
    """
    try:
        kind = kind_of(os.stat(path))
    except OSError:
        return
    if kind:
        raise ValueError(f"{path} is {kind}: only regular files are read")


def load(path: str) -> Clip:
    """Read a clip from a regular file, as `io.load` does.

    Parameters
    ----------
    path : str
        The file.

    Returns
    -------
    Clip
        The clip.

    Raises
    ------
    OSError, ValueError
        If it cannot be read, or is no regular file.
    """
    check_regular(path)
    return load_clip(path)
