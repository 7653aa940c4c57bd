# SPDX-License-Identifier: MIT
"""The command ``skelkin``: plant the feet of clips, or tell what is understood of a file.

Answers go to stdout and errors to stderr in one line; the exit code is 0, 1 for an error, 2 for wrong usage, 130 after
Ctrl-C.
"""

from .entry import main as main

__all__ = ["main"]
