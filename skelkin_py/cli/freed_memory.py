# SPDX-License-Identifier: MIT
"""Memory that one clip gives back is kept for the next."""

from __future__ import annotations

import contextlib

_TRIM_THRESHOLD, _MMAP_THRESHOLD = -1, -3  # what glibc's malloc.h calls them
_MOST_KEPT = 256 << 20
_MOST_IN_HEAP = 32 << 20  # the most that glibc takes: larger arrays always go back to the system


def keep_freed_memory() -> None:
    """Let the C library keep what arrays leave behind; call it in processes of the command only.

    By default glibc returns it to the system at once, which has to clear it, page by page, before the next clip has it
    again: a fifth of the time in which a clip of some thousand frames is planted. Other C libraries are left as they
    are.
    """
    with contextlib.suppress(ImportError, OSError, AttributeError, TypeError):
        import ctypes

        mallopt = ctypes.CDLL(None).mallopt
        mallopt(_MMAP_THRESHOLD, _MOST_IN_HEAP)
        mallopt(_TRIM_THRESHOLD, _MOST_KEPT)
