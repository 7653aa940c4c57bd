# SPDX-License-Identifier: MIT
"""What was edited by hand, as values: contacts of each leg, and frames in which a foot or a knee has a target."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import numpy as np

from ..._support.arguments import FARTHEST, array_of, whole_number
from ..._support.nearest_name import did_you_mean
from ..._support.short_repr import shown

Point = tuple[float, float, float]


T = TypeVar("T")


@dataclass(frozen=True)
class FootTarget:
    """Where a foot is brought in a frame.

    Parameters
    ----------
    point : (3,) tuple of float
        Of the ankle, in the clip's space and units.
    rotation : (4,) tuple of float, optional
        Of the foot, global, `w x y z`; None keeps the foot's own.
    fade : (2,) tuple of float, optional
        Seconds over which the edit fades in before its frame, and out after it; None is twice `blend`.
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
        The height along up at which the sole stands.
    """

    first_frame: int
    last_frame: int
    place: Point | None = None
    height: float | None = None

    def given(self) -> Any:
        """Return the contact as ``contacts=`` takes it: a span, or a mapping where there is more to say."""
        if self.place is None and self.height is None:
            return self.first_frame, self.last_frame
        told: dict[str, Any] = {"first_frame": self.first_frame, "last_frame": self.last_frame}
        if self.place is not None:
            told["place"] = list(self.place)
        if self.height is not None:
            told["height"] = self.height
        return told


@dataclass(frozen=True)
class LegEdits:
    """What was edited of one leg: contacts, and by frame the ankle's targets and the points that the knee looks at."""

    contacts: tuple[EditedContact, ...] = ()
    targets: Mapping[int, FootTarget] | None = None
    poles: Mapping[int, Point] | None = None


@dataclass(frozen=True)
class Edits:
    """Everything that was edited, by the names of legs. A change returns another one.

    Parameters
    ----------
    legs : mapping of str to LegEdits
        Every leg is there.
    num_frames : int
        Frames of the clip.
    """

    legs: Mapping[str, LegEdits]
    num_frames: int

    def contacts(self) -> dict[str, list[Any]]:
        """Return the contacts as ``contacts=`` takes them."""
        return {name: [contact.given() for contact in leg.contacts] for name, leg in self.legs.items()}

    def with_contacts(self, leg: str, contacts: Sequence[EditedContact]) -> Edits:
        """Return the edits with other contacts of a leg, in the order of their frames."""
        for contact in contacts:
            self._check_span(contact.first_frame, contact.last_frame)
        rising = sorted(contacts, key=lambda contact: (contact.first_frame, contact.last_frame))
        return self._with(leg, replace(self.of_leg(leg), contacts=tuple(rising)))

    def contact(self, leg: str, index: int) -> EditedContact:
        """Return a contact of a leg by its place among them."""
        contacts = self.of_leg(leg).contacts
        if whole_number("index", index, 0) >= len(contacts):
            raise IndexError(f"index is {index}: the {leg} foot has {len(contacts)} contacts, from 0 on")
        return contacts[index]

    def with_contact(self, leg: str, index: int, contact: EditedContact | None) -> Edits:
        """Return the edits with another contact in place of one, or without it."""
        self.contact(leg, index)
        contacts = list(self.of_leg(leg).contacts)
        contacts[index : index + 1] = [] if contact is None else [contact]
        return self.with_contacts(leg, contacts)

    def with_target(self, leg: str, frame: int, point: Any, rotation: Any = None, fade: Any = None) -> Edits:
        """Return the edits with a target of the foot in a frame, or without it where the point is None."""
        own = self.of_leg(leg)
        target = None
        if point is not None:
            target = FootTarget(checked_point("point", point), _checked_rotation(rotation), _checked_fade(fade))
        return self._with(leg, replace(own, targets=self._at(own.targets, frame, target)))

    def with_pole(self, leg: str, frame: int, point: Any) -> Edits:
        """Return the edits with a point that the knee looks at in a frame, or without it where the point is None."""
        own = self.of_leg(leg)
        pole = None if point is None else checked_point("point", point)
        return self._with(leg, replace(own, poles=self._at(own.poles, frame, pole)))

    def _at(self, edits: Mapping[int, T] | None, frame: int, edit: T | None) -> dict[int, T]:
        if whole_number("frame", frame, 0) >= self.num_frames:
            raise ValueError(f"frame is {frame}: there are {self.num_frames} frames, from 0 on")
        changed = {**(edits or {})}
        changed.pop(int(frame), None)
        if edit is not None:
            changed[int(frame)] = edit
        return changed

    def _with(self, leg: str, edited: LegEdits) -> Edits:
        return replace(self, legs={**self.legs, leg: edited})

    def of_leg(self, leg: str) -> LegEdits:
        """Return what was edited of a leg; a KeyError names those there are."""
        if not isinstance(leg, str):
            raise TypeError(f"leg is {shown(leg)}: the name of a leg is needed, one of {', '.join(self.legs)}")
        if leg not in self.legs:
            raise KeyError(f"leg is {leg!r}: there are {', '.join(self.legs)}{did_you_mean(leg, self.legs)}")
        return self.legs[leg]

    def _check_span(self, first: int, last: int) -> None:
        for name, frame in (("first_frame", first), ("last_frame", last)):
            whole_number(name, frame, 0)
        if last < first:
            raise ValueError(f"last_frame is {last}: it must not come before first_frame, {first}")
        if last >= self.num_frames:
            raise ValueError(f"last_frame is {last}: there are {self.num_frames} frames, from 0 on")


def checked_point(name: str, point: Any) -> Point:
    """Return a point as three floats, finite."""
    found = array_of(point, name)
    if found.shape != (3,) or found.dtype.kind not in "biuf" or not (abs(found) < FARTHEST).all():
        raise ValueError(f"{name} is {point!r}: (x, y, z) is needed, finite, in the clip's units")
    x, y, z = (float(v) for v in found)
    return x, y, z


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
    if (
        found.shape not in ((), (2,))
        or found.dtype.kind not in "iuf"
        or not ((found >= 0.0) & (found < FARTHEST)).all()
    ):
        raise ValueError(f"fade is {shown(fade)}: seconds are needed, 0 or more: one number, or two, before and after")
    before, after = (float(v) for v in np.broadcast_to(found, 2))
    return before, after
