# SPDX-License-Identifier: MIT
"""Options and names that do not fit together, whatever is in the files, and how such errors are printed."""

from __future__ import annotations

import argparse
import textwrap
from typing import Any, NoReturn

from .._support.nearest_name import did_you_mean
from .printing import shown


class WrongUsageError(ValueError):
    """Arguments that no clip could make right: the command ends with exit code 2, as after an unknown option."""


class Parser(argparse.ArgumentParser):
    """A parser of arguments that shows them as all else is shown: a pattern of a shell's may have put any name there.

    Examples
    --------
    >>> Parser("skelkin").parse_args(["walk.bvh"])
    Traceback (most recent call last):
    SystemExit: 2
    """

    def error(self, message: str) -> NoReturn:
        """Print the usage and what is wrong, and leave with 2."""
        super().error(shown(message))

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        """Refuse a value that is not among an option's choices, and suggest one."""
        if action.choices is not None and value not in action.choices:
            names = [str(choice) for choice in action.choices]
            known = f"{', '.join(names[:-1])} or {names[-1]}"
            raise argparse.ArgumentError(action, f"{value} must be {known}{did_you_mean(str(value), names, ';')}")


class HelpFormatter(argparse.HelpFormatter):
    r"""Wraps the paragraphs of a description one by one, and leaves lines that are indented as they are.

    Examples
    --------
    >>> text = "Words that go\non and on.\n\n  skelkin plant a.bvh\n\nMore."
    >>> print(HelpFormatter("skelkin", width=82)._fill_text(text, 80, ""))
    Words that go on and on.
    <BLANKLINE>
      skelkin plant a.bvh
    <BLANKLINE>
    More.
    """

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        paragraphs = text.strip("\n").split("\n\n")
        return "\n\n".join(
            textwrap.indent(each if each.startswith(" ") else textwrap.fill(each, width - len(indent)), indent)
            for each in paragraphs
        )
