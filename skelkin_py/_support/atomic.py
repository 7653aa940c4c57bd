# SPDX-License-Identifier: MIT
"""Writing files so that a reader sees the old content or the whole new one, never half of it."""

from __future__ import annotations

import contextlib
import errno
import os
import stat
import time
from collections.abc import Iterable, Iterator
from typing import BinaryIO

from .array_types import FilePath

_SUFFIX = ".part"


def _prefix(target: str) -> str:
    return f".{os.path.basename(target)[:40]}."


def remove_leftovers(paths: Iterable[FilePath]) -> list[str]:
    """Remove the temporary files that processes left which were killed while they wrote.

    Only call this where nobody is writing these files.

    Parameters
    ----------
    paths : iterable of (str or os.PathLike)
        The files that were to be written.

    Returns
    -------
    list of str
        What was removed.

    Examples
    --------
    >>> open(".walk.bvh.x1_y2z3a.part", "w").close()
    >>> [os.path.basename(path) for path in remove_leftovers(["walk.bvh"])]
    ['.walk.bvh.x1_y2z3a.part']
    """
    prefixes: dict[str, set[str]] = {}
    for path in paths:
        target = os.path.realpath(os.fspath(path))
        prefixes.setdefault(os.path.dirname(target), set()).add(_prefix(target))
    removed = []
    for folder, own in prefixes.items():
        names: list[str] = []
        with contextlib.suppress(OSError):  # it is not there, or closed: whoever writes into it reports it
            names = os.listdir(folder)
        for name in names:
            stem = name[: -len(_SUFFIX)]
            if name.endswith(_SUFFIX) and stem[: stem.rfind(".") + 1] in own:
                with contextlib.suppress(OSError):
                    os.unlink(os.path.join(folder, name))
                    removed.append(os.path.join(folder, name))
    return removed


def _mode_for(target: str) -> int:
    """Return the permissions of the file that is replaced, else those the umask leaves a new one."""
    if os.name == "nt" and len(os.path.basename(target)) > 255:  # which Windows reports in several ways
        raise OSError(errno.ENAMETOOLONG, os.strerror(errno.ENAMETOOLONG), target)
    try:
        return stat.S_IMODE(os.stat(target).st_mode)
    except OSError as error:
        # Now, rather than when all is written and is to get its name; EINVAL: signs that Windows has in no name.
        if error.errno in (errno.ENAMETOOLONG, errno.EINVAL):
            raise
        mask = os.umask(0)
        os.umask(mask)
        return 0o666 & ~mask


def _for_the_owner(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


# Windows has no such modes, and removes no file that is open: as one is whose number Ctrl-C finds on its way to `open`.
_OPENER = None if os.name == "nt" else _for_the_owner


def _rename(temporary: str, target: str) -> None:
    """Give a file its name; on Windows, who has one of the two open is in the way, as scanners are for a moment."""
    if os.name != "nt":
        return os.replace(temporary, target)
    for wait in (0.01, 0.04, 0.2, 0.5):
        try:
            return os.replace(temporary, target)
        except PermissionError:
            time.sleep(wait)
    try:
        return os.replace(temporary, target)
    except PermissionError as error:
        error.strerror = f"it cannot be replaced: close it where it is open ({error.strerror})"
        raise


@contextlib.contextmanager
def no_folders_left_for(path: FilePath) -> Iterator[None]:
    """Remove after an error the folders on the way to a file that were not there before, where nothing lies in them.

    Parameters
    ----------
    path : str or os.PathLike
        The file that the block writes, and whose folders it makes.

    Examples
    --------
    >>> with no_folders_left_for("one/two/note.txt"):
    ...     os.makedirs("one/two")
    ...     raise OSError("the disk is full")
    Traceback (most recent call last):
    OSError: the disk is full
    >>> os.path.exists("one")
    False
    """
    missing = []
    folder = os.path.dirname(os.path.abspath(path))
    while not os.path.lexists(folder):
        missing.append(folder)
        folder = os.path.dirname(folder)
    try:
        yield
    except BaseException:
        with contextlib.suppress(OSError):
            for folder in missing:
                os.rmdir(folder)
        raise


@contextlib.contextmanager
def replacing(path: FilePath) -> Iterator[BinaryIO]:
    """Open a temporary file beside `path` that takes its place when the block ends without an error.

    After an error the target is as it was and the temporary file is gone. A symbolic link is followed, so that the
    link stays and the file behind it is replaced.

    Parameters
    ----------
    path : str or os.PathLike
        The file to write.

    Yields
    ------
    BinaryIO
        The temporary file, opened for writing bytes.

    Raises
    ------
    OSError
        If the folder does not exist or cannot be written to.

    Examples
    --------
    >>> from pathlib import Path
    >>> with replacing("note.txt") as file:
    ...     size = file.write(b"whole")
    >>> Path("note.txt").read_text()
    'whole'
    """
    target = os.path.realpath(os.fspath(path))
    if os.path.isdir(target):
        raise IsADirectoryError(f"{os.fspath(path)} is a folder, not a file")
    if os.path.exists(target) and not os.path.isfile(target):
        # A pipe or a device cannot be replaced by a rename, and nobody reads a half of it later.
        with open(target, "wb") as stream:
            yield stream
        return
    folder = os.path.dirname(target)
    if not os.path.isdir(folder):
        raise FileNotFoundError(f"cannot write {os.fspath(path)}: there is no folder {folder}")
    mode = _mode_for(target)
    # Named before it exists, and made inside the block: a signal may arrive between any two of these lines.
    temporary = os.path.join(folder, f"{_prefix(target)}{os.urandom(8).hex()}{_SUFFIX}")
    file: BinaryIO | None = None
    try:
        with open(temporary, "xb", opener=_OPENER) as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.chmod(temporary, mode)
        _rename(temporary, target)
    except BaseException as error:
        if file is not None:  # a signal may also arrive before its block closes it
            with contextlib.suppress(OSError):
                file.close()
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        if isinstance(error, OSError) and error.filename == temporary:  # whoever reads this knows the target alone
            error.filename, error.filename2 = os.fspath(path), None
        raise


def write_whole(path: FilePath, contents: bytes) -> None:
    """Write a file as `replacing` does."""
    with replacing(path) as file:
        file.write(contents)
