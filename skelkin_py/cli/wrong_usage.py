# SPDX-License-Identifier: MIT
"""Options and names that do not fit together, whatever is in the files, and how that is told."""

from __future__ import annotations

import argparse
from typing import NoReturn

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
