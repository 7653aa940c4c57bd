# SPDX-License-Identifier: MIT
"""What a leg is, and what it is called."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from .._support.arguments import float_array, listed, real_number, whole_number
from .._support.html_table import html_table
from .._support.short_repr import shown


@dataclass(frozen=True)
class Leg:
    """One leg of a skeleton, as joint indices; hip, knee and ankle are enough to make one by hand.

    Attributes
    ----------
    hip, knee, ankle : int
        The joints; the thigh reaches from hip to knee, the shin from knee to ankle.
    toe, heel : int or None
        The joint of the toes (or ball) and a heel marker, where there are any.
    pelvis : int or None
        The lowest common ancestor of the hips of this pair of legs; the parent of the hip of a single leg.
    side : str or None
        "left" or "right"; None if unknown.
    chain : tuple of int
        (upper, lower, end) for `apply_two_bone`; hip, knee and ankle by default.
    segments : tuple of int
        Every joint from hip to ankle, those of split thighs and shins included; the chain by default.
    bend : (3,) tuple of float
        Unit vector from the line hip–ankle towards the side to which the knee bends, in the rest pose's global space;
        zeros by default.
    confidence : float
        0 to 1: above 0.65 for legs found by names, below for legs found by structure alone.
    reasons : tuple of str
        How each place was found, in words.

    Examples
    --------
    >>> Leg(hip=1, knee=2, ankle=3, toe=4, side="left").chain
    (1, 2, 3)
    """

    hip: int
    knee: int
    ankle: int
    toe: int | None = None
    heel: int | None = None
    pelvis: int | None = None
    side: str | None = None
    chain: tuple[int, int, int] = ()  # type: ignore[assignment]  # __post_init__ fills it in
    segments: tuple[int, ...] = ()
    bend: tuple[float, float, float] = (0.0, 0.0, 0.0)
    confidence: float = 1.0
    reasons: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for name in ("hip", "knee", "ankle"):
            self._set(name, whole_number(name, getattr(self, name), 0))
        for name in ("toe", "heel", "pelvis"):
            if getattr(self, name) is not None:
                self._set(name, whole_number(name, getattr(self, name), 0))
        if not (self.side is None or isinstance(self.side, str)):
            raise TypeError(f"side is {self.side!r}: 'left', 'right' or None is needed")
        # The two follow from the joints unless the leg is split or has three segments.
        self._set("chain", self._joints("chain") or (self.hip, self.knee, self.ankle))
        if len(self.chain) != 3:
            raise ValueError(f"chain is {self.chain}: three joints are needed, (upper, lower, end)")
        self._set("segments", self._joints("segments") or self.chain)
        bend = float_array(self.bend, "bend", 1, "(3,)")
        if bend.shape != (3,) or not np.isfinite(bend).all():
            raise ValueError(f"bend is {self.bend!r}: three finite numbers are needed")
        self._set("bend", tuple(bend.tolist()))
        self._set("confidence", real_number("confidence", self.confidence))
        self._set("reasons", tuple(listed("reasons", self.reasons, "a sequence of texts is needed")))

    def _set(self, name: str, value: Any) -> None:
        object.__setattr__(self, name, value)  # frozen for others

    def _joints(self, name: str) -> tuple[int, ...]:
        given = listed(name, getattr(self, name), "a sequence of joints is needed")
        return tuple(whole_number(f"{name}[{k}]", joint, 0) for k, joint in enumerate(given))

    def _repr_html_(self) -> str:
        """Show the leg as a table, joints by their numbers."""
        return _legs_table([self], None)


class LegList(list[Leg]):
    """The legs that were found: a list that a notebook shows as a table.

    Attributes
    ----------
    names : tuple of str
        Names of the joints, by index.

    Examples
    --------
    >>> legs = sk.example("biped").clip.find_legs()
    >>> len(legs), legs.names[legs[0].hip]
    (2, 'LeftUpLeg')
    """

    def __init__(self, legs: Iterable[Leg] = (), names: Iterable[str] = ()) -> None:
        super().__init__(listed_legs(legs))
        self.names = tuple(listed("names", names, "the names of the joints are needed"))

    def _repr_html_(self) -> str:
        """Show the legs as a table, joints by their names."""
        return _legs_table(self, self.names) if self else "<p>no legs</p>"


def _legs_table(legs: Sequence[Leg], names: Sequence[str] | None) -> str:
    """Return a table with a row for each leg: side, joints, confidence and reasons."""

    def name(joint: int | None) -> str:
        if joint is None:
            return "–"
        return names[joint] if names is not None and 0 <= joint < len(names) else str(joint)

    head = ("side", "hip", "knee", "ankle", "toe", "heel", "pelvis", "chain", "sure", "why")
    rows = [
        (
            leg.side or "–",
            *map(name, (leg.hip, leg.knee, leg.ankle, leg.toe, leg.heel, leg.pelvis)),
            " › ".join(map(name, leg.segments)),
            f"{leg.confidence:.0%}",
            "; ".join(leg.reasons),
        )
        for leg in legs
    ]
    return html_table(head, rows, left=len(head))


def listed_legs(legs: Any) -> list[Leg]:
    """Return legs as a list; a TypeError says where there is something else."""
    given = listed("legs", legs, "a sequence of Leg is needed, as find_legs returns it")
    for k, leg in enumerate(given):
        if not isinstance(leg, Leg):
            raise TypeError(f"legs[{k}] is {shown(leg)}: a Leg is needed, as find_legs returns it")
    return given


def leg_names(legs: Sequence[Leg], names: Sequence[str]) -> list[str]:
    """Return a name for each leg: its side, else (no side, or several legs share it) that of its ankle joint.

    Parameters
    ----------
    legs : sequence of Leg
        The legs.
    names : sequence of str
        Names of the joints.

    Returns
    -------
    list of str
        One per leg.

    Examples
    --------
    >>> names = ["body", "hip", "knee", "ankle"]
    >>> leg_names([Leg(1, 2, 3, side="left")], names), leg_names([Leg(1, 2, 3)], names)
    (['left'], ['ankle'])
    """
    legs = listed_legs(legs)
    sides = [leg.side for leg in legs]
    return [
        leg.side if leg.side is not None and sides.count(leg.side) == 1 else str(names[leg.chain[2]]) for leg in legs
    ]
