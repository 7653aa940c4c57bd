# SPDX-License-Identifier: MIT
"""How much of what is random or repeated runs: a part for every change, all of it for a release."""

from __future__ import annotations

import os

WHOLE = bool(os.environ.get("SKELKIN_TEST_WHOLE"))


def seeds(count: int) -> range:
    """Return the seeds of a random test, where not all are wanted a third of them."""
    return range(count if WHOLE else -(-count // 3))
