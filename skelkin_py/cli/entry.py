# SPDX-License-Identifier: MIT
"""The entry point: arguments in, exit code out."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence

from .._version import __version__
from . import blender_check, info, plant
from .printing import explained, print_error

_COMMANDS = (plant, info, blender_check)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line.

    Parameters
    ----------
    argv : sequence of str, optional
        The arguments without the program's name; those of the process where None.

    Returns
    -------
    int
        0, or 1 after an error.

    Raises
    ------
    SystemExit
        With 2 for wrong usage, with 0 for ``--help`` and ``--version``.

    Examples
    --------
    >>> main(["info", "none.bvh"])
    1
    """
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")  # a name in any script must not stop a terminal that lacks it
    options = _parser().parse_args(argv)
    try:
        options.run(options)
        sys.stdout.flush()
    except BrokenPipeError:  # the reader of a pipe has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except KeyboardInterrupt:
        print(file=sys.stderr)
        return 130
    except (OSError, ValueError) as error:
        print_error(explained(error))
        return 1
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="skelkin", description="Feet that stay on the ground.", allow_abbrev=False)
    parser.add_argument("--version", action="version", version=f"skelkin {__version__}")
    commands = parser.add_subparsers(metavar="command", required=True)
    for command in _COMMANDS:
        command.add_parser(commands)
    return parser
