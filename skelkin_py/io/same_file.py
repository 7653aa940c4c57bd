# SPDX-License-Identifier: MIT
"""Whether writing a file would replace one that is read."""

from __future__ import annotations

import os

from .._support.array_types import FilePath


def file_key(path: FilePath) -> object:
    """Return what is equal for two names exactly where they lead to one file, by links of any kind too.

    Examples
    --------
    >>> open("walk.npy", "w").close()
    >>> os.link("walk.npy", "same.npy")
    >>> file_key("walk.npy") == file_key("./same.npy"), file_key("walk.npy") == file_key("none.npy")
    (True, False)
    """
    try:
        found = os.stat(path)
    except OSError:
        return os.path.realpath(path)
    # A file system that counts no files has 0 for all of them.
    return (found.st_dev, found.st_ino) if found.st_ino else os.path.realpath(path)


def same_file(first: FilePath, second: FilePath) -> bool:
    """Tell whether two names lead to one file, by links of any kind too."""
    return file_key(first) == file_key(second)
