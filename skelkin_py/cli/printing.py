# SPDX-License-Identifier: MIT
"""What a terminal shows: colours where they are wanted, tables, and errors in one line."""

from __future__ import annotations

import os
import sys
from typing import IO

BOLD, RED = "1", "1;31"


def explained(error: BaseException) -> str:
    """Return an error in one line, with the file it is about."""
    if isinstance(error, OSError) and error.filename is not None and error.strerror:
        text = f"{os.fspath(error.filename)}: {error.strerror}"
    else:
        text = str(error)
    return " ".join(text.split())


def print_error(message: str) -> None:
    """Print an error to stderr in one line, after the program's name."""
    print(f"{painted('skelkin:', RED, sys.stderr)} {message}", file=sys.stderr)


def painted(text: str, code: str, stream: IO[str]) -> str:
    """Return the text in a colour where a terminal shows it and nobody has asked for none."""
    plain = not stream.isatty() or os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    return text if plain else f"\033[{code}m{text}\033[0m"


def split_table(text: str) -> list[str]:
    """Return the table and what stands below it."""
    lines = text.splitlines()
    cut = next((index for index, line in enumerate(lines) if line.startswith("- ")), len(lines))
    return ["\n".join(lines[:cut]), *lines[cut:]]
