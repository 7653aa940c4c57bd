# SPDX-License-Identifier: MIT
"""The entry point: arguments in, exit code out."""

from __future__ import annotations

import argparse
import contextlib
import importlib
import os
import re
import signal
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NoReturn

from .._support.errors import MissingExtraError
from .._support.nearest_name import did_you_mean
from .._support.startup import end_loading
from .._support.version import __version__
from .printing import explained, print_error, say
from .workers import keep_freed_memory
from .wrong_usage import HelpFormatter, Parser, WrongUsageError

DESCRIPTION = """\
Find when the feet of a character stand on the ground, and hold them there.

  skelkin plant walk.bvh -o planted.bvh
  skelkin view planted.bvh --compare walk.bvh -o walk.html
"""

_COMMANDS = {
    "plant": "plant the feet of clips on the ground",
    "check": "measure how feet slide, sink and float, and fail over a limit",
    "info": "show the joints, legs, frames and units of clips",
    "view": "show a clip: write a page with a 3-D player, a film or a picture",
    "convert": "convert a clip to another format",
    "blender-check": "compare skelkin's poses of a .blend file with Blender's",
    "completion": "print a script that completes commands and options in bash, zsh or fish",
    "manual": "print the man page",
}


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line.

    Parameters
    ----------
    argv : sequence of str, optional
        The arguments without the program's name; those of the process where None.

    Returns
    -------
    int
        0; 1 after an error, or where something did not pass; 2 where arguments do not fit together; 130 after Ctrl-C;
        141 where the reader of its output has gone.

    Raises
    ------
    SystemExit
        With 2 for arguments that cannot be read, with 0 for ``--help`` and ``--version``.

    Examples
    --------
    >>> main(["info", "none.bvh"])
    1
    """
    if argv is None:  # else the process is somebody else's
        keep_freed_memory()
    try:
        end_loading()
        for stream in (sys.stdout, sys.stderr):
            if hasattr(stream, "reconfigure"):
                stream.reconfigure(errors="replace")  # a name in any script must not stop a terminal that lacks it
        given = sys.argv[1:] if argv is None else argv
        parser, commands = _parser(given)
        if not given:
            parser.print_help(sys.stderr)
            parser.exit(2)
        options, unknown = parser.parse_known_args(given)
        if unknown:
            _refuse(unknown[0].partition("=")[0], commands[options.command])
        with _terminated_by_exception():
            code = options.run(options) or 0
        sys.stdout.flush()
    except BrokenPipeError:  # the reader of a pipe has seen enough: the code of a program that this ends
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 141
    except KeyboardInterrupt:
        if sys.stderr.isatty():
            say(stream=sys.stderr)  # behind the ^C that the terminal shows
        print_error("interrupted: no half-written file is left; run the command again to start over")
        return 130
    except WrongUsageError as error:
        print_error(explained(error))
        return 2
    except (OSError, ValueError, MissingExtraError) as error:
        print_error(explained(error))
        return 1
    return int(code)


def _refuse(word: str, command: argparse.ArgumentParser) -> NoReturn:
    """Leave with 2 for a word that a command does not know."""
    if not word.startswith("-"):
        command.error(f"unexpected argument {word}: remove it, or quote names that contain spaces")
    options = re.findall(r"(?<![\w-])--\w[\w-]*", command.format_help())
    meant = did_you_mean(word, options) or f": see {command.prog} --help"
    command.error(f"there is no option {word}{meant}")


@contextlib.contextmanager
def _terminated_by_exception() -> Iterator[None]:
    """Let SIGTERM leave by an exception, so that temporary files are removed and other processes stopped."""
    if threading.current_thread() is not threading.main_thread() or signal.getsignal(signal.SIGTERM) != signal.SIG_DFL:
        yield
        return
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)


def _parser(given: Sequence[str]) -> tuple[argparse.ArgumentParser, Mapping[str, argparse.ArgumentParser]]:
    """Return the parser and those of the commands, of which only those that are given have been imported."""
    parser = Parser(
        prog="skelkin",
        usage="skelkin COMMAND ... [--help | --version]",
        description=DESCRIPTION,
        epilog="Run skelkin COMMAND --help to list the options of a command.",
        formatter_class=HelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"skelkin {__version__}")
    if given and not given[0].startswith("-") and given[0] not in _COMMANDS:
        meant = did_you_mean(given[0], _COMMANDS) or f": the commands are {', '.join(_COMMANDS)}"
        parser.error(f"there is no command {given[0]}{meant}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", prog="skelkin", required=True, dest="command")
    for name, meaning in _COMMANDS.items():
        if name in given:
            _add_command(commands, name)
        else:
            commands.add_parser(name, help=meaning)
    return parser, commands.choices


def whole_parser() -> tuple[Mapping[str, str], Mapping[str, argparse.ArgumentParser]]:
    """Return what each command is for, and its parser."""
    return _COMMANDS, _parser(list(_COMMANDS))[1]


def _add_command(commands: argparse._SubParsersAction[Parser], name: str) -> None:
    """Import the module of a command and add its parser; docstrings are no help, for `python -OO` leaves them out."""
    module: Any = importlib.import_module(f".{name.replace('-', '_')}", __package__)
    command = commands.add_parser(
        name,
        help=_COMMANDS[name],
        usage=f"skelkin {name} {module.USAGE}".rstrip(),
        description=module.DESCRIPTION,
        epilog=getattr(module, "EPILOG", None),
        formatter_class=HelpFormatter,
    )
    module.add_arguments(command)
    command.set_defaults(run=module.run)
