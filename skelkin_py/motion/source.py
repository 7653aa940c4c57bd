# SPDX-License-Identifier: MIT
"""What the reader of a file leaves in a clip, so that its writer keeps what did not change."""

from __future__ import annotations

from typing import Protocol

from .facts import ClipFacts


class ClipSource(Protocol):
    """One class per format, known to its reader and its writer alone."""

    @property
    def facts(self) -> ClipFacts:
        """What the reader found, and what it had to assume."""
        ...

    @property
    def leg_names(self) -> tuple[str, ...] | None:
        """The names by which legs are found; None for the joints' own."""
        ...

    def contact_labels(self) -> dict[str, dict[str, list[tuple[int, int]]]] | None:
        """Return the first and last frames in which heels and balls stand by the file; None if it has no labels."""
        ...

    def slice(self, start: int, stop: int) -> ClipSource:
        """Return the same for a part of the frames."""
        ...
