# SPDX-License-Identifier: MIT
"""Names of parametrised tests that are the same in every process."""

from __future__ import annotations

import re


def readable_id(value: object) -> str:
    """Return `str(value)` without the addresses of functions and objects in it."""
    return re.sub(r" at 0x[0-9a-fA-F]+", "", str(value))
