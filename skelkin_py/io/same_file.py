# SPDX-License-Identifier: MIT
"""Whether writing a file would replace one that is read."""

from __future__ import annotations

import os
from collections.abc import Mapping

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


def check_target(target: FilePath, inputs: Mapping[str, object]) -> None:
    """Check that writing the argument `target` replaces none of the files that are read.

    Parameters
    ----------
    target : str or os.PathLike
        The file to write.
    inputs : mapping from str to object
        What was given for each argument that may name a file to read; arrays and None are none.

    Raises
    ------
    ValueError
        If the target is one of them; names both arguments.

    Examples
    --------
    >>> check_target("b.npy", {"source": "a.npy"})
    >>> check_target("a.npy", {"source": "./a.npy"})
    Traceback (most recent call last):
    ValueError: target is 'a.npy', the same file as source './a.npy', which is never overwritten: give another name
    """
    for name, path in inputs.items():
        if isinstance(path, (str, os.PathLike)) and same_file(path, target):
            raise ValueError(
                f"target is {os.fspath(target)!r}, the same file as {name} {os.fspath(path)!r}, "
                "which is never overwritten: give another name"
            )
