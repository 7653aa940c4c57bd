# SPDX-License-Identifier: MIT
"""What a reader found in a clip's file, or had to assume, and what it leaves in a clip for the writer."""

from __future__ import annotations

from typing import NamedTuple, Protocol

from .._support.values import compared_by_values


@compared_by_values
class ClipFacts(NamedTuple):
    """What is known of where a clip comes from: found in its file, said by its format, or assumed.

    Attributes
    ----------
    format : str or None
        The name of the format and, where it has several, of the layout, such as "BVH", "glTF" or "AMASS"; None for a
        clip that was made by a program.
    animation : str or None
        Which animation of the file it is, where files of the format can hold several.
    up : str or None
        The axis that points up, such as "+Y", where format or file say so; None where they do not. Planting looks at
        the motion instead.
    metres_per_unit : float or None
        How many metres one unit of the clip's lengths is; None where format and file do not say.
    fps : float
        Frames per second.
    fps_source : str
        Where `fps` comes from: "file", "given", or in words what it was taken from, such as "assumed".
    notes : tuple of str
        What else was found or had to be assumed, a sentence each.

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
