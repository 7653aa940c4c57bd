# SPDX-License-Identifier: MIT
"""What a reader found in a clip's file or assumed, and what it keeps in the clip for the writer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from .._support.values import compared_by_values

ContactLabels = dict[str, dict[str, list[tuple[int, int]]]]


@compared_by_values
class ClipFacts(NamedTuple):
    """Facts about the source of a clip: found in its file, fixed by its format, or assumed.

    Attributes
    ----------
    format : str or None
        The name of the format or layout, such as "BVH", "glTF" or "AMASS"; None for a clip made by a program.
    animation : str or None
        The name of the animation, for formats that can hold several.
    up : str or None
        The up axis, such as "+Y", if the format or the file states it; else None, and planting finds it from the
        motion.
    metres_per_unit : float or None
        The unit of length in metres, if the format or the file states it.
    fps : float
        Frames per second.
    fps_source : str
        The source of `fps`: "file", "given" or another in words, such as "assumed".
    notes : tuple of str
        What else was found or assumed, a sentence each.

    Examples
    --------
    >>> import skelkin_py as sk
    >>> sk.example("biped").clip.save("walk.bvh")
    >>> facts = sk.load("walk.bvh").facts
    >>> facts.format, facts.up, facts.fps, facts.fps_source
    ('BVH', None, 30.0, 'file')
    """

    format: str | None = None
    animation: str | None = None
    up: str | None = None
    metres_per_unit: float | None = None
    fps: float = 1.0
    fps_source: str = "given"
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False, kw_only=True)
class ClipSource:
    """Where a clip comes from: this for one that a program made; each format has its own class, with more to keep.

    `leg_names` are the names by which to find legs; None for the joints' own.
    """

    facts: ClipFacts
    leg_names: tuple[str, ...] | None = None

    def contact_labels(self) -> ContactLabels | None:
        """Return the labelled spans in which heels and balls stand; None if the file has no labels."""
        return None

    def slice(self, start: int, stop: int) -> ClipSource:
        """Return the source of the frames `start` to `stop`."""
        return self
