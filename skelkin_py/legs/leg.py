# SPDX-License-Identifier: MIT
"""What a leg is, and what it is called."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ..html_table import html_table


@dataclass(frozen=True)
class Leg:
    """One leg of a skeleton, as joint indices; hip, knee and ankle are enough to make one by hand.

    Attributes
    ----------
    hip, knee, ankle : int
        The joints at those places; the thigh reaches from hip to knee, the shin from knee to ankle.
    toe, heel : int or None
        The joint of the toes (or ball), and a heel marker, where there are such.
    pelvis : int or None
        The lowest common ancestor of the hips of this pair of legs; the parent of the hip of a single leg.
    side : str or None
        "left", "right", or None where nothing tells.
    chain : tuple of int
        (upper, lower, end) as `apply_two_bone` takes it: hip, knee, ankle, where left out.
    segments : tuple of int
        Every joint from hip to ankle, those of split thighs and shins included; the chain, where left out.
    bend : (3,) tuple of float
        Unit vector from the line hip–ankle towards the knee's side, in the rest pose's global space; zeros where it
        is left out.
    confidence : float
        0 to 1: above 0.65 by names, below by structure alone.
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
        # Frozen for others: the two follow from the joints unless the leg is split or has three segments.
        if not self.chain:
            object.__setattr__(self, "chain", (self.hip, self.knee, self.ankle))
        if not self.segments:
            object.__setattr__(self, "segments", self.chain)

    def _repr_html_(self) -> str:
        """Show the leg as a table, joints by their numbers."""
        return _legs_table([self], None)


class LegList(list[Leg]):
    """The legs that were found: a list that a notebook shows as a table.

    Attributes
    ----------
    names : tuple of str
        Names of the joints that the legs count.

    Examples
    --------
    >>> legs = sk.example("biped").clip.find_legs()
    >>> len(legs), legs.names[legs[0].hip]
    (2, 'LeftUpLeg')
    """

    def __init__(self, legs: Iterable[Leg] = (), names: Iterable[str] = ()) -> None:
        super().__init__(legs)
        self.names = tuple(names)

    def _repr_html_(self) -> str:
        """Show the legs as a table, joints by their names."""
        return _legs_table(self, self.names) if self else "<p>no legs</p>"


def _legs_table(legs: Sequence[Leg], names: Sequence[str] | None) -> str:
    """Return a table with a row for each leg: side, joints, how sure that is, and why."""

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
    sides = [leg.side for leg in legs]
    return [
        leg.side if leg.side is not None and sides.count(leg.side) == 1 else str(names[leg.chain[2]]) for leg in legs
    ]
