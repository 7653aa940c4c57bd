# SPDX-License-Identifier: MIT
"""What the reader of a file leaves in a clip, so that its writer keeps what did not change."""

from __future__ import annotations

from typing import Protocol


class ClipSource(Protocol):
    """One class per format, known to its reader and its writer alone."""

    def slice(self, start: int, stop: int) -> ClipSource:
        """Return the same for a part of the frames."""
        ...
