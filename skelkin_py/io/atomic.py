# SPDX-License-Identifier: MIT
"""Writing files so that a reader sees the old content or the whole new one, never half of it."""

from __future__ import annotations

import contextlib
import os
import stat
import tempfile
from collections.abc import Iterator
from typing import BinaryIO


def _mode_for(target: str) -> int:
    """Return the permissions of the file that is replaced, else those the umask leaves a new one."""
    try:
        return stat.S_IMODE(os.stat(target).st_mode)
    except OSError:
        mask = os.umask(0)
        os.umask(mask)
        return 0o666 & ~mask


@contextlib.contextmanager
def replacing(path: str | os.PathLike[str]) -> Iterator[BinaryIO]:
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
    handle, temporary = tempfile.mkstemp(prefix=f".{os.path.basename(target)[:40]}.", suffix=".part", dir=folder)
    try:
        with os.fdopen(handle, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.chmod(temporary, mode)
        os.replace(temporary, target)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise
