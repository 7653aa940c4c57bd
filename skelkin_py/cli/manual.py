# SPDX-License-Identifier: MIT
"""Print the man page, made from the help of all commands."""

from __future__ import annotations

import argparse
import re
import textwrap
from collections.abc import Iterator

from .._support.version import __version__
from .entry import DESCRIPTION as PROGRAM, whole_parser
from .printing import in_lines, say

USAGE = ""
DESCRIPTION = """\
Print the man page.

  skelkin manual | man -l -
  skelkin manual > ~/.local/share/man/man1/skelkin.1
"""


def add_arguments(manual: argparse.ArgumentParser) -> None:
    """Add the arguments and options of the command."""


def run(options: argparse.Namespace) -> None:
    """Print the page."""
    say(in_lines(page()))


def page() -> Iterator[str]:
    """Yield the lines of the page in the man macros of roff."""
    meanings, commands = whole_parser()
    yield f'.TH SKELKIN 1 "" "skelkin {__version__}" "User Commands"'
    yield from (".SH NAME", "skelkin \\- plant the feet of animated characters on the ground", ".SH SYNOPSIS")
    for command in commands.values():
        yield from (".nf", _roff(command.format_usage().partition(":")[2].strip()), ".fi")
    yield from (".SH DESCRIPTION", *_paragraphs(PROGRAM))
    for name, command in commands.items():
        yield from (f".SH {_roff(name).upper()}", *_paragraphs(command.description or meanings[name]))
        for group in command._action_groups:
            if group._group_actions:
                yield f".SS {_roff((group.title or '').removeprefix('positional ').capitalize())}"
            for action in group._group_actions:
                yield from (".TP", _called(action), *_lines(action.help or ""))
        if command.epilog:
            yield from (".PP", *_paragraphs(command.epilog))


def _called(action: argparse.Action) -> str:
    """Return an argument, or the names and values of an option."""
    choices = action.dest.upper() if action.choices is None else "{" + ",".join(map(str, action.choices)) + "}"
    names = (action.metavar,) if isinstance(action.metavar, str) else action.metavar or (choices,)
    values = " ".join(f"\\fI{_roff(name)}\\fR" for name in names)
    if not action.option_strings:
        return values
    flags = ", ".join(f"\\fB{_roff(flag)}\\fR" for flag in action.option_strings)
    return f"{flags} {values}" if action.nargs != 0 else flags


def _paragraphs(text: str) -> Iterator[str]:
    """Yield paragraphs; those that are indented are examples, and keep their lines."""
    for k, paragraph in enumerate(text.strip("\n").split("\n\n")):
        yield from [".PP"] * (k > 0)
        if paragraph.startswith(" "):
            yield from (".nf", ".RS", *(_roff(line.strip()) for line in paragraph.split("\n")), ".RE", ".fi")
        else:
            yield from _lines(paragraph)


def _lines(text: str) -> Iterator[str]:
    """Yield a paragraph in lines of a source."""
    yield from map(_roff, textwrap.wrap(" ".join(text.split()), 70, break_on_hyphens=False, break_long_words=False))


def _roff(text: str) -> str:
    """Return a line of text in which nothing is left that roff would obey."""
    escaped = re.sub(r"[^\x20-\x7e]", lambda sign: f"\\[u{ord(sign[0]):04X}]", text.replace("\\", "\\e"))
    escaped = escaped.replace("-", "\\-")
    return f"\\&{escaped}" if escaped.startswith((".", "'")) else escaped
