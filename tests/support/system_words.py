# SPDX-License-Identifier: MIT
"""What the operating system says of an error, in its own words, for the tests of messages that hold them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


def told_of(call: Callable[..., Any], *arguments: Any) -> str:
    """Return the system's words for why a call fails.

    Examples
    --------
    >>> import os
    >>> told_of(os.stat, "no such file") == os.strerror(2)
    True
    """
    try:
        call(*arguments)
    except OSError as error:
        return str(error.strerror)
    raise AssertionError("the call did not fail")
