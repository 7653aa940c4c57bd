# SPDX-License-Identifier: MIT
"""A clip whose planting is edited by hand, with undo."""

from __future__ import annotations

import dataclasses
import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..._support.arguments import check_kind, file_path, flag, listed, real_number
from ..._support.atomic import replacing
from ..._support.values import same_values
from ...legs import Leg, leg_names, sure_legs
from ...motion.clip import Clip
from ...motion.plant_options import PlantKeywords, PlantOptions, chosen_options, takes_plant_options
from .. import Planted, plant_feet
from ..given_contacts import Pin, checked_point, given_legs
from ..spans import Span
from .edits import EditedContact, Edits, FootTarget, LegEdits
from .handles import with_handles

if TYPE_CHECKING:
    from numpy.typing import ArrayLike
    from typing_extensions import Unpack

_SPANS = "a list of spans (first, last) is needed"


class PlantEditor:
    """A clip whose planting is edited by hand: each edit is planted at once, and can be undone.

    The first contacts are those that planting finds, or those of `contacts`. They are contacts of whole feet: where
    heel and ball are given separately, the foot stands where either does, and rolls by itself. Dragged feet
    (`set_target`) and turned knees (`set_pole`) are added after planting: `planted` is without them, `clip` with them.

    Parameters
    ----------
    clip : Clip
        The original motion.
    options : PlantOptions, optional
        All options below in one object; keywords replace its fields.
    **changes
        The fields of `PlantOptions`.

    Raises
    ------
    ValueError, TypeError
        As in `plant_feet`; `contacts` is "ground_only", or `travel` is not "keep". An edit that planting refuses, such
        as a place on ground that is not level, raises the error of planting and changes nothing.

    Notes
    -----
    Any thread may read an editor while another one edits it; only one thread may edit at a time. A copy has its own
    undo and redo; a pickle includes both. Editors are equal where their clips, options and edits are, undone edits
    included. They are mutable and have no hash.

    Examples
    --------
    >>> import skelkin_py as sk
    >>> biped = sk.example("biped")
    >>> editor = sk.PlantEditor(biped.clip, ground=biped.ground)
    >>> editor.contacts["left"][:2]
    [(0, 16), (30, 52)]
    >>> editor.move_contact("left", 0, 0, 8)
    >>> editor.contacts["left"][0], editor.planted.report.legs[0].contacts[0]
    ((0, 8), (0, 8))
    >>> editor.undo()
    True
    >>> editor.contacts["left"][0]
    (0, 16)
    """

    @takes_plant_options
    def __init__(self, clip: Clip, *, options: PlantOptions | None = None, **changes: Unpack[PlantKeywords]) -> None:
        check_kind("clip", clip, Clip)
        chosen = chosen_options("PlantEditor", options, changes)
        if chosen.contacts == "ground_only":
            raise ValueError("contacts is 'ground_only': contacts that are edited hold the feet; leave it at 'auto'")
        if chosen.travel != "keep":
            raise ValueError(f"travel is {chosen.travel!r}: give the edited contacts to plant_feet with it")
        legs = list(chosen.legs or sure_legs(clip.find_legs()))
        self._original = clip
        self._options = dataclasses.replace(chosen, legs=legs)
        self._names = leg_names(legs, clip.names)
        planted = plant_feet(clip, options=self._options)
        pins: list[list[Pin]] = [[] for _ in self._names]
        if not isinstance(chosen.contacts, str):
            pins = [leg.pins for leg in given_legs(chosen.contacts, self._names, clip.num_frames)]
        first = {
            leg.name: LegEdits(tuple(_edited(span, own) for span in leg.contacts))
            for leg, own in zip(planted.report.legs, pins, strict=True)
        }
        self._options = dataclasses.replace(self._options, contacts="auto")
        self._states: list[tuple[Edits, Planted, Clip]] = [(Edits(first, clip.num_frames), planted, planted.clip)]
        self._go(0)

    # ---- current state

    @property
    def original(self) -> Clip:
        """The original clip."""
        return self._original

    @property
    def options(self) -> PlantOptions:
        """The options of planting without the contacts; `legs` are those found where none were given."""
        return self._options

    @property
    def legs(self) -> tuple[Leg, ...]:
        """The legs, in the order of `leg_names`."""
        return tuple(self._options.legs or ())

    @property
    def _edits(self) -> Edits:
        return self._state[0]

    @property
    def planted(self) -> Planted:
        """The clip planted with the contacts, and its report; without dragged feet and turned knees."""
        return self._state[1]

    @property
    def clip(self) -> Clip:
        """The planted clip with dragged feet and turned knees."""
        return self._state[2]

    @property
    def contacts(self) -> dict[str, list[Any]]:
        """The contacts by the names of legs, as ``contacts=`` takes them."""
        return self._edits.contacts()

    @property
    def targets(self) -> dict[str, dict[int, FootTarget]]:
        """The targets of feet, by the names of legs and by frame."""
        return {name: dict(leg.targets) for name, leg in self._edits.legs.items()}

    @property
    def poles(self) -> dict[str, dict[int, tuple[float, float, float]]]:
        """The poles (x, y, z) of knees, by the names of legs and by frame."""
        return {name: dict(leg.poles) for name, leg in self._edits.legs.items()}

    @property
    def leg_names(self) -> tuple[str, ...]:
        """The names of the legs, as all methods take them."""
        return tuple(self._names)

    @property
    def num_edits(self) -> int:
        """Number of edits that can be undone."""
        return self._now

    @property
    def can_undo(self) -> bool:
        """Whether there is an edit to undo."""
        return self._now > 0

    @property
    def can_redo(self) -> bool:
        """Whether there is an edit to redo."""
        return self._now + 1 < len(self._states)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, PlantEditor):
            return NotImplemented
        return same_values(vars(self), vars(other))

    __hash__ = None  # type: ignore[assignment]  # mutable

    def __copy__(self) -> PlantEditor:
        again = object.__new__(type(self))
        vars(again).update(vars(self), _states=list(self._states))
        return again

    def __repr__(self) -> str:
        return f"<PlantEditor of {self._original!r}: {self._now} edit{'s' * (self._now != 1)}, {self.planted.report!r}>"

    # ---- contacts

    def move_contact(self, leg: str, index: int, first_frame: int, last_frame: int, *, merge: bool = False) -> None:
        """Move the beginning and the end of a contact.

        Parameters
        ----------
        leg : str
            The leg's name.
        index : int
            The contact's index, from 0, in the order of frames.
        first_frame, last_frame : int
            The new frames, both included.
        merge : bool, default False
            Whether this and the edit before it count as one for `undo`, as during a drag.
        """
        was = self._edits.contact(leg, index)
        moved = dataclasses.replace(was, first_frame=first_frame, last_frame=last_frame)
        self._change(self._edits.with_contact(leg, index, moved), merge)

    def add_contact(self, leg: str, first_frame: int, last_frame: int, *, merge: bool = False) -> None:
        """Add a contact in these frames, both included."""
        contacts = [*self._edits.of_leg(leg).contacts, EditedContact(first_frame, last_frame)]
        self._change(self._edits.with_contacts(leg, contacts), merge)

    def remove_contact(self, leg: str, index: int, *, merge: bool = False) -> None:
        """Remove a contact; the foot is then free in its frames."""
        self._change(self._edits.with_contact(leg, index, None), merge)

    def place_contact(
        self, leg: str, index: int, place: ArrayLike | None = None, height: float | None = None, *, merge: bool = False
    ) -> None:
        """Set the place and the height of a contact on level ground; planting finds what is None.

        Parameters
        ----------
        leg, index, merge
            As in `move_contact`.
        place : (3,) array_like, optional
            The point over which the ball of the foot stands, in the clip's space and units.
        height : float, optional
            The height of the sole along up, in the clip's units.
        """
        was = self._edits.contact(leg, index)
        height = None if height is None else real_number("height", height)
        point = None if place is None else checked_point("place", place)
        self._change(self._edits.with_contact(leg, index, dataclasses.replace(was, place=point, height=height)), merge)

    def set_contacts(self, contacts: dict[str, list[tuple[int, int]]], *, merge: bool = False) -> None:
        """Replace the contacts of the legs that are named, by spans (first, last)."""
        if not isinstance(contacts, Mapping):
            raise TypeError(f"contacts is a {type(contacts).__name__}: a mapping from names of legs to spans is needed")
        edits = self._edits
        for leg, given in contacts.items():
            name = f"contacts[{leg!r}]"
            spans = [two_frames(f"{name}[{n}]", span) for n, span in enumerate(listed(name, given, _SPANS))]
            known = {(c.first_frame, c.last_frame): c for c in edits.of_leg(leg).contacts}
            edits = edits.with_contacts(leg, [known.get(span) or EditedContact(*span) for span in spans])
        self._change(edits, merge)

    # ---- feet and knees

    def set_target(
        self,
        leg: str,
        frame: int,
        point: ArrayLike | None,
        *,
        rotation: ArrayLike | None = None,
        fade: float | tuple[float, float] | None = None,
        merge: bool = False,
    ) -> None:
        """Move the ankle of a leg to a point in a frame, and turn its foot.

        The edit fades over the frames around it, up to the next contact. A standing foot moves only by an edit in its
        own contact, and then throughout the contact.

        Parameters
        ----------
        leg : str
            The leg's name.
        frame : int
            The frame.
        point : (3,) array_like or None
            The target in the clip's space and units; None removes the target of that frame.
        rotation : (4,) array_like, optional
            The foot's global rotation, `w x y z`; by default the foot keeps its own.
        fade : float or (2,) tuple of float, optional
            Seconds over which the edit fades, before and after its frame; twice `blend` by default.
        merge : bool, default False
            As in `move_contact`.
        """
        self._change(self._edits.with_target(leg, frame, point, rotation, fade), merge)

    def set_pole(self, leg: str, frame: int, point: ArrayLike | None, *, merge: bool = False) -> None:
        """Turn a leg about the line hip–ankle until its knee points at a pole; arguments as in `set_target`."""
        self._change(self._edits.with_pole(leg, frame, point), merge)

    # ---- time

    def undo(self) -> bool:
        """Undo the last edit; return whether there was one."""
        undone = self.can_undo
        self._go(self._now - undone)
        return undone

    def redo(self) -> bool:
        """Redo the last edit that was undone; return whether there was one."""
        redone = self.can_redo
        self._go(self._now + redone)
        return redone

    def save_contacts(self, path: str | os.PathLike[str]) -> None:
        """Write the contacts to a JSON file for ``skelkin plant --contacts``; the file is replaced in one step."""
        text = json.dumps({"contacts": self.contacts}, indent=2) + "\n"
        with replacing(Path(file_path("path", path))) as file:
            file.write(text.encode())

    def _change(self, edits: Edits, merge: bool) -> None:
        """Plant with other edits and add the result to the states; an error of planting changes nothing."""
        merge = flag("merge", merge)
        before, planted, _ = self._state
        if edits == before:
            return
        if edits.contacts() != before.contacts():
            planted = plant_feet(self._original, options=dataclasses.replace(self._options, contacts=edits.contacts()))
        legs = self._options.legs or ()
        standing = [leg.contacts for leg in planted.report.legs]
        edited = [edits.legs[name] for name in self._names]
        clip = with_handles(planted.clip, legs, edited, standing, self._options.blend)
        keep = self._now + (not (merge and self.can_undo))
        self._states[keep:] = [(edits, planted, clip)]
        self._go(keep)

    def _go(self, number: int) -> None:
        """Make one of the states current, in one step, since other threads may be reading."""
        self._now, self._state = number, self._states[number]


def two_frames(name: str, span: Any) -> Span:
    """Return the first and last frame of a span."""
    if not isinstance(span, Sequence) or len(span) != 2:
        raise ValueError(f"{name} is {span!r}: a span is (first, last), two whole frames")
    return span[0], span[1]


def _edited(span: Span, pins: Sequence[Pin]) -> EditedContact:
    """Return a contact of a report, with the place and height that were given for it."""
    first, last = (int(frame) for frame in span)
    pin = next((pin for pin in pins if pin.first <= first and last <= pin.last), Pin(first, last, None, None))
    place = None if pin.place is None else checked_point("place", pin.place)
    return EditedContact(first, last, place, pin.height)
