# SPDX-License-Identifier: MIT
"""The error for options and names that do not fit together, whatever is in the files."""

from __future__ import annotations


class WrongUsageError(ValueError):
    """Arguments that no clip could make right: the command ends with exit code 2, as after an unknown option."""
