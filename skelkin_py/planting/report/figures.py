# SPDX-License-Identifier: MIT
"""Figures of a report that its lines, rows and dictionaries share."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import fields
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ..._support.arguments import real_number
from ..._support.nearest_name import did_you_mean
from ..cost import PlantCost
from ..metrics import ContactMeasure
from .legs import Contact


class Figures(ABC):
    """What a report tells about, and the figures that all of its forms begin with."""

    contacts: Sequence[Contact]
    num_frames: int
    fps: float
    up_name: str
    ground: float | None
    ground_velocity: NDArray[np.float64] | None
    pinned: bool
    loop: bool
    metres_per_unit: float
    unit_known: bool
    seconds: float
    cost: PlantCost
    messages: Sequence[str]

    if TYPE_CHECKING:  # what is worked out in one of them and a field in the other

        @property
        def leg_length(self) -> float:
            """Mean leg length in the clip's units."""

    @property
    @abstractmethod
    def raised(self) -> tuple[float, float]:
        """The lowest and the highest shift of the body."""

    @property
    @abstractmethod
    def frames_per_second(self) -> float:
        """Frames planted per second of computing time."""

    @abstractmethod
    def deepest(self, when: str = "after") -> float:
        """Return how far a sole is below the ground at worst, "before" or "after"."""

    def slide(self, when: str = "after") -> tuple[float, float]:
        """Return the mean and the worst slide of all contacts.

        Parameters
        ----------
        when : "before" or "after", default "after"
            The original clip or the planted one.

        Returns
        -------
        mean, worst : float
            In the clip's units; 0 without contacts.
        """
        slides = [m.slide for m in (contact.measure(when) for contact in self.contacts)]
        return (float(np.mean(slides)), max(slides)) if slides else (0.0, 0.0)

    def worst(self, what: str, when: str = "after") -> float:
        """Return the worst penetration or float of all contacts.

        Parameters
        ----------
        what : "penetration", "float", "slide" or "travel"
            What was measured.
        when : "before" or "after", default "after"
            The original clip or the planted one.

        Returns
        -------
        float
            In the clip's units; 0 without contacts.

        Raises
        ------
        ValueError
            Another word than these.
        """
        known = [field.name for field in fields(ContactMeasure)]
        if what not in known:
            raise ValueError(f"what is {what!r}: one of {', '.join(known)}{did_you_mean(str(what), known)}")
        return max((float(getattr(m, what)) for m in (contact.measure(when) for contact in self.contacts)), default=0.0)

    @property
    def pace(self) -> float | None:
        """How fast the root of a cycle in place must go for no foot to slide, in the clip's units per second."""
        return None if self.ground_velocity is None else float(np.linalg.norm(self.ground_velocity))

    def centimetres(self, length: float) -> float:
        """Turn a length in the clip's units into centimetres.

        Parameters
        ----------
        length : float
            In the clip's units.

        Returns
        -------
        float
            Centimetres; with an unknown unit legs are taken to be 0.9 m long.
        """
        return 100.0 * self.metres_per_unit * real_number("length", length)
