# SPDX-License-Identifier: MIT
"""The command ``skelkin``: plant the feet of clips, or show what is understood of a file.

Results go to stdout and errors to stderr in one line; the exit code is 0, 1 for an error, 2 for wrong usage, 130 after
Ctrl-C, 141 where the reader of a pipe has gone, 143 after SIGTERM.
"""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["main"]


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line, as `entry.main` describes.

    The commands are imported here, so that a process which works for one of them loads what it needs and no more.
    """
    from . import entry

    return entry.main(argv)
