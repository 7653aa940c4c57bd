# SPDX-License-Identifier: MIT
"""Edits by hand as values: the contacts of each leg, and the frames in which a foot or a knee has a target."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

import numpy as np

from ..._support.arguments import FARTHEST, array_of, whole_number
from ..._support.nearest_name import did_you_mean
from ..._support.short_repr import shown
from ..given_contacts import checked_point

Point = tuple[float, float, float]
T = TypeVar("T")


@dataclass(frozen=True)
class FootTarget:
    """The target of a foot in a frame.

    Parameters
    ----------
    point : (3,) tuple of float
        The target of the ankle, in the clip's space and units.
    rotation : (4,) tuple of float, optional
        The foot's global rotation, `w x y z`; by default the foot keeps its own.
    fade : (2,) tuple of float, optional
        Seconds over which the edit fades in before its frame, and out after it; twice `blend` by default.
    """

    point: Point
    rotation: tuple[float, float, float, float] | None = None
    fade: tuple[float, float] | None = None


@dataclass(frozen=True)
class EditedContact:
    """A contact of one foot.

    Parameters
    ----------
    first_frame, last_frame : int
        Its frames, both included.
    place : (3,) tuple of float, optional
        The point over which the ball of the foot stands, in the clip's space and units.
    height : float, optional
        The height of the sole along up, in the clip's units.
    """

    first_frame: int
    last_frame: int
    place: Point | None = None
    height: float | None = None

    def given(self) -> Any:
        """Return the contact as ``contacts=`` takes it: a span, or a mapping where it has a place or a height."""
        if self.place is None and self.height is None:
            return self.first_frame, self.last_frame
        fields = {**vars(self), "place": None if self.place is None else list(self.place)}
        return {name: value for name, value in fields.items() if value is not None}


@dataclass(frozen=True)
class LegEdits:
    """The edits of one leg: its contacts, and by frame the targets of its ankle and the poles of its knee."""

    contacts: tuple[EditedContact, ...] = ()
    targets: Mapping[int, FootTarget] = field(default_factory=dict)
    poles: Mapping[int, Point] = field(default_factory=dict)


@dataclass(frozen=True)
class Edits:
    """All edits by the names of legs; immutable.

    Parameters
    ----------
    legs : mapping of str to LegEdits
        Every leg is there.
    num_frames : int
        Number of frames of the clip.
    """

    legs: Mapping[str, LegEdits]
    num_frames: int

    def contacts(self) -> dict[str, list[Any]]:
        """Return the contacts as ``contacts=`` takes them."""
        return {name: [contact.given() for contact in leg.contacts] for name, leg in self.legs.items()}

    def with_contacts(self, leg: str, contacts: Sequence[EditedContact]) -> Edits:
        """Return the edits with other contacts of a leg."""
        for contact in contacts:
            first, last = whole_number("first_frame", contact.first_frame, 0), contact.last_frame
            self.check_frame("last_frame", last)
            if last < first:
                raise ValueError(f"last_frame is {last}: it must not come before first_frame, {first}")
        rising = sorted(contacts, key=lambda contact: (contact.first_frame, contact.last_frame))
        return self._with(leg, replace(self.of_leg(leg), contacts=tuple(rising)))

    def contact(self, leg: str, index: int) -> EditedContact:
        """Return a contact of a leg by its index, in the order of frames."""
        contacts = self.of_leg(leg).contacts
        if whole_number("index", index, 0) >= len(contacts):
            raise IndexError(f"index is {index}: the {leg} foot has {len(contacts)} contacts, from 0 on")
        return contacts[index]

    def with_contact(self, leg: str, index: int, contact: EditedContact | None) -> Edits:
        """Return the edits with a contact replaced, or removed where the new one is None."""
        self.contact(leg, index)
        contacts = list(self.of_leg(leg).contacts)
        contacts[index : index + 1] = [] if contact is None else [contact]
        return self.with_contacts(leg, contacts)

    def with_target(self, leg: str, frame: int, point: Any, rotation: Any = None, fade: Any = None) -> Edits:
        """Return the edits with the target of a foot in a frame, or without it where the point is None."""
        own = self.of_leg(leg)
        target = None
        if point is not None:
            target = FootTarget(checked_point("point", point), _checked_rotation(rotation), _checked_fade(fade))
        return self._with(leg, replace(own, targets=self._at(own.targets, frame, target)))

    def with_pole(self, leg: str, frame: int, point: Any) -> Edits:
        """Return the edits with the pole of a knee in a frame, or without it where the point is None."""
        own = self.of_leg(leg)
        pole = None if point is None else checked_point("point", point)
        return self._with(leg, replace(own, poles=self._at(own.poles, frame, pole)))

    def _at(self, edits: Mapping[int, T], frame: int, edit: T | None) -> dict[int, T]:
        self.check_frame("frame", frame)
        changed = {**edits, int(frame): edit}
        return {at: own for at, own in changed.items() if own is not None}

    def _with(self, leg: str, edited: LegEdits) -> Edits:
        return replace(self, legs={**self.legs, leg: edited})

    def of_leg(self, leg: str) -> LegEdits:
        """Return the edits of a leg; the KeyError for another name lists the legs."""
        if not isinstance(leg, str):
            raise TypeError(f"leg is {shown(leg)}: the name of a leg is needed, one of {', '.join(self.legs)}")
        if leg not in self.legs:
            raise KeyError(f"leg is {leg!r}: there are {', '.join(self.legs)}{did_you_mean(leg, self.legs, ';')}")
        return self.legs[leg]

    def check_frame(self, name: str, frame: Any) -> None:
        """Raise an error unless an argument is the number of a frame of the clip."""
        if whole_number(name, frame, 0) >= self.num_frames:
            raise ValueError(f"{name} is {frame}: there are {self.num_frames} frames, from 0 on")


def _checked_rotation(rotation: Any) -> tuple[float, float, float, float] | None:
    """Return a quaternion of length 1."""
    if rotation is None:
        return None
    found = array_of(rotation, "rotation")
    length = np.linalg.norm(found) if found.dtype.kind in "biuf" else np.nan
    if found.shape != (4,) or not np.isfinite(length) or length == 0.0:
        raise ValueError(f"rotation is {shown(rotation)}: a quaternion (w, x, y, z) is needed, finite and not zero")
    w, x, y, z = (float(v) for v in found / length)
    return w, x, y, z


def _checked_fade(fade: Any) -> tuple[float, float] | None:
    """Return the seconds before and after."""
    if fade is None:
        return None
    found = array_of(fade, "fade")
    fits = found.shape in ((), (2,)) and found.dtype.kind in "iuf"
    if not fits or not ((found >= 0.0) & (found < FARTHEST)).all():
        raise ValueError(f"fade is {shown(fade)}: seconds are needed, 0 or more: one number, or two, before and after")
    before, after = (float(v) for v in np.broadcast_to(found, 2))
    return before, after
