# SPDX-License-Identifier: MIT
"""A clip whose planting is edited by hand, with undo."""

from __future__ import annotations

import dataclasses
import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..._support.arguments import file_path, flag, listed, real_number
from ..._support.atomic import replacing
from ..._support.values import same_values
from ...legs import Leg, leg_names, sure_legs
from ...motion.clip import Clip
from ...motion.plant_options import PlantKeywords, PlantOptions, chosen_options, takes_plant_options
from .. import Planted, plant_feet
from ..given_contacts import Pin, given_pins
from ..spans import Span
from .edits import EditedContact, Edits, FootTarget, LegEdits, checked_point
from .handles import with_handles

if TYPE_CHECKING:
    from numpy.typing import ArrayLike
    from typing_extensions import Unpack

_SPANS = "a list of spans (first, last) is needed"


class PlantEditor:
    """A clip whose planting is edited by hand: each edit is planted at once, and can be undone.

    Contacts begin as planting finds them, or as `contacts` gives them, and are those of whole feet: where heel and ball
    were given apart, the foot stands where either does, and rolls as it does by itself. Feet dragged (`set_target`) and
    knees turned (`set_pole`) come on top of what is planted: `planted` is without them, `clip` with them.

    Parameters
    ----------
    clip : Clip
        The motion as it was.
    options : PlantOptions, optional
        All options below together; those that are also given as keywords replace them.
    **changes
        The fields of `PlantOptions`.

    Raises
    ------
    ValueError, TypeError
        As in `plant_feet`; contacts that are "ground_only", or another `travel` than "keep". An edit that planting
        refuses (a place on ground that is not level, say) raises its error and changes nothing.

    Notes
    -----
    Any thread may read an editor while another one edits it; edits are for one thread at a time. A copy has undo and
    redo of its own, a pickle holds both. Editors are equal where the clips, the options and all edits are, those too
    that were undone. They change, so they have no hash.

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
        if not isinstance(clip, Clip):
            raise TypeError(f"clip is a {type(clip).__name__}: a Clip is needed")
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
        begun = {
            leg.name: LegEdits(tuple(_begun(span, own) for span in leg.contacts))
            for leg, own in zip(planted.report.legs, self._pins(chosen.contacts), strict=True)
        }
        self._options = dataclasses.replace(self._options, contacts="auto")
        self._states: list[tuple[Edits, Planted, Clip]] = [(Edits(begun, clip.num_frames), planted, planted.clip)]
        self._go(0)

    def _pins(self, given: Any) -> list[list[Pin]]:
        """Return the places and heights that contacts were given with, per leg."""
        if isinstance(given, str):
            return [[] for _ in self._names]
        return given_pins(given, self._names, self._original.num_frames)

    # ---- what there is

    @property
    def original(self) -> Clip:
        """The clip as it was given."""
        return self._original

    @property
    def options(self) -> PlantOptions:
        """What is planted with, the contacts aside; `legs` are those of the clip where none were given."""
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
        """The clip as it is planted with the contacts, and the report; feet dragged and knees turned not counted."""
        return self._state[1]

    @property
    def clip(self) -> Clip:
        """The planted clip with feet dragged and knees turned."""
        return self._state[2]

    @property
    def contacts(self) -> dict[str, list[Any]]:
        """The contacts as ``contacts=`` takes them, by the names of legs."""
        return self._edits.contacts()

    @property
    def targets(self) -> dict[str, dict[int, FootTarget]]:
        """The targets of feet by frame, by the names of legs: point, rotation and fade, as `set_target` takes them."""
        return {name: dict(leg.targets or {}) for name, leg in self._edits.legs.items()}

    @property
    def poles(self) -> dict[str, dict[int, tuple[float, float, float]]]:
        """The points that knees look at, by frame, likewise."""
        return {name: dict(leg.poles or {}) for name, leg in self._edits.legs.items()}

    @property
    def leg_names(self) -> tuple[str, ...]:
        """The names of the legs in all calls."""
        return tuple(self._names)

    @property
    def num_edits(self) -> int:
        """How many edits can be undone."""
        return self._now

    @property
    def can_undo(self) -> bool:
        """Whether there is an edit to undo."""
        return self._now > 0

    @property
    def can_redo(self) -> bool:
        """Whether there is an edit to do again."""
        return self._now + 1 < len(self._states)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, PlantEditor):
            return NotImplemented
        return same_values(vars(self), vars(other))

    __hash__ = None  # type: ignore[assignment]  # it changes

    def __copy__(self) -> PlantEditor:
        again = object.__new__(type(self))
        vars(again).update(vars(self), _states=list(self._states))
        return again

    def __repr__(self) -> str:
        return f"<PlantEditor of {self._original!r}: {self._now} edit{'s' * (self._now != 1)}, {self.planted.report!r}>"

    # ---- contacts

    def move_contact(self, leg: str, index: int, first_frame: int, last_frame: int, *, merge: bool = False) -> None:
        """Let a contact begin and end in other frames.

        Parameters
        ----------
        leg : str
            The leg's name.
        index : int
            Which of its contacts, in the order of their frames, from 0 on.
        first_frame, last_frame : int
            Its frames, both included.
        merge : bool, default False
            Whether this counts as one edit with the one before it, as while something is dragged.
        """
        was = self._edits.contact(leg, index)
        moved = dataclasses.replace(was, first_frame=first_frame, last_frame=last_frame)
        self._change(self._edits.with_contact(leg, index, moved), merge)

    def add_contact(self, leg: str, first_frame: int, last_frame: int, *, merge: bool = False) -> None:
        """Let a foot stand in some frames, both included."""
        contacts = [*self._edits.of_leg(leg).contacts, EditedContact(first_frame, last_frame)]
        self._change(self._edits.with_contacts(leg, contacts), merge)

    def remove_contact(self, leg: str, index: int, *, merge: bool = False) -> None:
        """Remove a contact, so that the foot is free."""
        self._change(self._edits.with_contact(leg, index, None), merge)

    def place_contact(
        self,
        leg: str,
        index: int,
        place: ArrayLike | None = None,
        height: float | None = None,
        *,
        merge: bool = False,
    ) -> None:
        """Let a contact stand somewhere else, on level ground; None leaves it to planting.

        Parameters
        ----------
        leg, index, merge
            As in `move_contact`.
        place : (3,) array_like, optional
            The point over which the ball of the foot stands, in the clip's space and units.
        height : float, optional
            The height along up at which the sole stands.
        """
        was = self._edits.contact(leg, index)
        height = None if height is None else real_number("height", height)
        point = None if place is None else checked_point("place", place)
        self._change(self._edits.with_contact(leg, index, dataclasses.replace(was, place=point, height=height)), merge)

    def set_contacts(self, contacts: dict[str, list[tuple[int, int]]], *, merge: bool = False) -> None:
        """Let the feet stand in other spans, by the names of legs; those of legs that are not named stay."""
        if not isinstance(contacts, Mapping):
            raise TypeError(f"contacts is a {type(contacts).__name__}: a mapping from names of legs to spans is needed")
        edits = self._edits
        for leg, given in contacts.items():
            spans = [_two_frames(leg, n, span) for n, span in enumerate(listed(f"contacts[{leg!r}]", given, _SPANS))]
            known = {(c.first_frame, c.last_frame): c for c in edits.of_leg(leg).contacts}
            edits = edits.with_contacts(
                leg, [known.get((first, last)) or EditedContact(first, last) for first, last in spans]
            )
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
        """Bring the ankle of a leg to a point in a frame, and turn its foot.

        The frames around it follow, up to the next stance: a foot that stands is moved only by an edit in its own
        contact, and then throughout it.

        Parameters
        ----------
        leg : str
            The leg's name.
        frame : int
            Which frame.
        point : (3,) array_like or None
            In the clip's space and units; None takes the target of that frame away.
        rotation : (4,) array_like, optional
            The foot's rotation, global, `w x y z`; it keeps its own by default.
        fade : float or (2,) tuple of float, optional
            Seconds over which the edit fades before and after its frame; twice `blend` by default.
        merge : bool, default False
            As in `move_contact`.
        """
        self._change(self._edits.with_target(leg, frame, point, rotation, fade), merge)

    def set_pole(self, leg: str, frame: int, point: ArrayLike | None, *, merge: bool = False) -> None:
        """Turn a leg about hip → ankle until its knee looks at a point; arguments as in `set_target`."""
        self._change(self._edits.with_pole(leg, frame, point), merge)

    # ---- time

    def undo(self) -> bool:
        """Undo the last edit; return whether there was one."""
        could = self.can_undo
        self._go(self._now - could)
        return could

    def redo(self) -> bool:
        """Redo the last edit that was undone; return whether there was one."""
        could = self.can_redo
        self._go(self._now + could)
        return could

    def save_contacts(self, path: str | os.PathLike[str]) -> None:
        """Write the contacts to a file that ``skelkin plant --contacts`` reads; replaced in one step."""
        text = json.dumps({"contacts": self.contacts}, indent=2) + "\n"
        with replacing(Path(file_path("path", path))) as file:
            file.write(text.encode())

    def _change(self, edits: Edits, merge: bool) -> None:
        """Plant with other edits and keep what comes of it; nothing changes where planting refuses."""
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
        """Make one of the states the one that is read: in one step, for other threads that read."""
        self._now, self._state = number, self._states[number]


def _two_frames(leg: str, number: int, span: Any) -> Span:
    """Return a contact's first and last frame."""
    if not isinstance(span, Sequence) or len(span) != 2:
        raise ValueError(f"contacts[{leg!r}][{number}] is {span!r}: a span is (first, last), two whole frames")
    return span[0], span[1]


def _begun(span: Span, pins: Sequence[Pin]) -> EditedContact:
    """Return a contact of a report, with the place and height that it was given with."""
    first, last = (int(frame) for frame in span)
    pin = next((pin for pin in pins if pin.first <= first and last <= pin.last), None)
    if pin is None:
        return EditedContact(first, last)
    place = None if pin.place is None else checked_point("place", pin.place)
    return EditedContact(first, last, place, pin.height)
