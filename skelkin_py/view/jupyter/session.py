# SPDX-License-Identifier: MIT
"""The conversation between a page and an editor: one message in, one edit, one reply out.

A message is a mapping with "do", the verb, and what the verb needs. Those that edit have a "gesture" beside it, a
number that stays while the mouse is held: edits of one gesture are one for undo. Points are in the page's space, Y up.

=========  =================================  ===========================================================
do         needs                              what it does
=========  =================================  ===========================================================
open                                          tells everything to a page that has just been opened
foot       leg, frame, point                  the ankle goes there: with its contact on level ground, else in that frame
pole       leg, frame, point                  the knee looks there
clear      leg, frame, what: foot or pole     takes such an edit of that frame back
contact    leg, index, span or null           moves a contact, or takes it away
contacts   contacts: spans by leg             all of them
undo redo
figures                                       the side panel and the curves of the timeline as they are now
=========  =================================  ===========================================================

A reply repeats "view", "id" and "do", and holds what the page shows; "error" says why an edit was refused, which then
changed nothing. Beside it go buffers: the motion's change, and for "figures" a curve per foot.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from importlib import resources
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..._support.arguments import whole_number
from ...planting.editing import PlantEditor
from ...planting.given_contacts import checked_point
from .. import panel
from ..arguments import checked
from ..page import Page, assembled
from ..scene_data import to_y_up
from ..scene_page import scene_of

_UNSEEN = 1e-6
Array = NDArray[np.float64]
Message = Mapping[str, Any]
Key = tuple[Any, ...] | None  # what edits have in common that are one for undo; None where there is no gesture
_SCRIPTS = ("handles.js", "live.js")


class SentMotion:
    """The motion that a page has, and what it has to be told to have another one.

    Parameters
    ----------
    turn : (3, 3) ndarray
        From the clip's space to the page's, in which Y is up.
    size : float
        The figure's height: changes by less than a millionth of it are not sent.
    """

    def __init__(self, turn: NDArray[np.float64], size: float) -> None:
        self._turn = turn
        self._bounds = np.array([1.0, 1.0, 1.0, size]) * _UNSEEN
        self._sent: NDArray[np.float32] | None = None

    def patch(self, clip: Any, *, whole: bool = False) -> tuple[dict[str, Any], bytes]:
        """Return what is new in a clip, and keep in mind that it was sent.

        Parameters
        ----------
        clip : Clip
            The motion; always of the same skeleton and number of frames.
        whole : bool, default False
            Whether all of it is sent, as to a page that has just been opened.

        Returns
        -------
        dict
            "first", the first frame of the block; "frames", how many there are; "joints", which.
        bytes
            float32 (frames, joints, 3, 4), row by row: rotation and scale, then position.
        """
        now = np.empty((clip.num_frames, len(clip.names), 3, 4), np.float32)
        np.matmul(self._turn, clip.global_matrices()[..., :3, :], out=now, casting="same_kind")
        sent = self._sent
        if whole or sent is None:
            self._sent = now
            return {"first": 0, "frames": len(now), "joints": list(range(now.shape[1]))}, now.tobytes()
        changed = np.any(np.abs(now - sent) > self._bounds, axis=(2, 3))
        frames, joints = np.flatnonzero(np.any(changed, axis=1)), np.flatnonzero(np.any(changed, axis=0))
        if not len(frames):
            return {"first": 0, "frames": 0, "joints": []}, b""
        first, last = int(frames[0]), int(frames[-1])
        block = now[first : last + 1, joints]
        sent[first : last + 1, joints] = block
        return {"first": first, "frames": len(block), "joints": joints.tolist()}, block.tobytes()


class _Grip(NamedTuple):
    """What a foot that is dragged began from: its ankle, and where its contact stood, which is None in the air."""

    key: Key
    ankle: Array
    contact: int | None
    place: Array | None


class EditSession:
    """An editor that pages talk to.

    Parameters
    ----------
    editor : PlantEditor
        What is edited.
    mesh : Mesh, optional
        A skin.
    title : str, optional
        The heading.
    """

    def __init__(self, editor: PlantEditor, *, mesh: Any = None, title: str | None = None) -> None:
        self.editor = editor
        self._mesh, self._title = mesh, title or "Planting, by hand"
        report = editor.planted.report
        self._wanted = checked(
            editor.clip, editor.original, mesh, report, self._title, "side_by_side", None, None, None
        )
        self._scene = scene_of(self._wanted, report, editor.options.ground, "side_by_side", None, None)
        self._turn = to_y_up(report.up)
        self._legs = dict(zip(editor.leg_names, editor.legs, strict=True))
        self._sent = SentMotion(self._turn, self._scene["size"])
        self._last: Key = None
        self._grip: _Grip | None = None
        self._verbs: dict[str, Callable[[Message], None]] = {
            "open": lambda message: None,
            "figures": lambda message: None,
            "foot": self._foot,
            "pole": self._pole,
            "clear": self._clear,
            "contact": self._contact,
            "contacts": self._contacts,
            "undo": lambda message: self._travel(editor.undo),
            "redo": lambda message: self._travel(editor.redo),
        }

    def page(self) -> Page:
        """Return the player with its handles, as the motion was planted when the session began."""
        files = resources.files(__package__)
        script = "\n".join((files / name).read_text(encoding="utf-8") for name in _SCRIPTS)
        css = (files / "live.css").read_text(encoding="utf-8")
        report = self.editor.planted.report
        return assembled(self._title, self._wanted, report, self._scene, script=script, css=css)

    def still(self) -> Page:
        """Return the player without handles, as the motion is now: for where no Python answers."""
        editor, title = self.editor, self._title
        report = editor.planted.report
        wanted = checked(editor.clip, editor.original, self._mesh, report, title, "side_by_side", None, None, None)
        scene = scene_of(wanted, report, editor.options.ground, "side_by_side", None, None)
        return assembled(title, wanted, report, scene)

    def answer(self, message: Any) -> tuple[dict[str, Any], list[bytes]]:
        """Do what a message says, and return the reply with its buffers.

        Parameters
        ----------
        message : Any
            From outside: whatever is wrong with it is said in the reply, and changes nothing.

        Returns
        -------
        dict
            What goes as JSON.
        list of bytes
            The buffers beside it.
        """
        begun = time.perf_counter()
        told = message if isinstance(message, Mapping) else {}
        reply: dict[str, Any] = {name: told[name] for name in ("view", "id") if isinstance(told.get(name), (str, int))}
        try:
            if told is not message:
                raise TypeError(f"a message is a {type(message).__name__}: a mapping is needed")
            verb = told.get("do")
            if not (isinstance(verb, str) and verb in self._verbs):
                raise ValueError(f"do is {verb!r}: one of {', '.join(self._verbs)}")
            reply["do"] = verb
            self._verbs[verb](told)
        except (ValueError, TypeError, KeyError, IndexError) as error:
            reply["error"] = str(error.args[0]) if error.args else type(error).__name__
        reply |= self._state()
        reply["motion"], block = self._sent.patch(self.editor.clip, whole=reply.get("do") == "open")
        buffers = [block]
        if reply.get("do") in ("open", "figures"):
            reply |= self._figures(buffers)
        reply["took"] = 1e3 * (time.perf_counter() - begun)
        return reply, buffers

    # ---- what pages are told

    def _state(self) -> dict[str, Any]:
        """Return all that is edited, small."""
        editor = self.editor
        given = editor.contacts
        return {
            "contacts": {leg: [list(_span(contact)) for contact in contacts] for leg, contacts in given.items()},
            "given": given,
            "targets": {leg: list(points) for leg, points in editor.targets.items()},
            "poles": {leg: list(points) for leg, points in editor.poles.items()},
            "undo": editor.can_undo,
            "redo": editor.can_redo,
            "level": editor.planted.report.ground is not None,
        }

    def _figures(self, buffers: list[bytes]) -> dict[str, Any]:
        """Return the side panel, and add the heights of the feet to the buffers."""
        report = self.editor.planted.report
        buffers += [np.asarray(leg.after.height, np.float32).tobytes() for leg in report.legs]
        by_hand = any(map(bool, (*self.editor.targets.values(), *self.editor.poles.values())))
        html = panel.side_panel(self._title, self._wanted, report, self._scene)
        legs = [{"key": name, "chain": [int(j) for j in leg.chain]} for name, leg in self._legs.items()]
        return {"panel": html, "by_hand": by_hand, "legs": legs}

    # ---- what pages say

    def _foot(self, message: Message) -> None:
        leg, frame = self._leg(message), self._frame(message)
        point = self._point(message)
        key = _key(message, leg, frame)
        if key is None or self._grip is None or self._grip.key != key:
            self._grip = self._gripped(key, leg, frame)
        _, ankle, index, place = self._grip
        if index is None or place is None:
            self._edit(key, lambda merge: self.editor.set_target(leg, frame, point, merge=merge))
            return
        up = np.asarray(self.editor.planted.report.up)
        way = point - ankle
        place = place + way - up * (way @ up)
        height = _of(self.editor.contacts[leg][index], "height")
        self._edit(key, lambda merge: self.editor.place_contact(leg, index, place, height, merge=merge))

    def _gripped(self, key: Key, leg: str, frame: int) -> _Grip:
        """Return what a foot is held by: its contact where it stands on level ground, else its ankle."""
        ankle = np.array(self.editor.clip.global_matrices()[frame, self._legs[leg].chain[2], :3, 3])
        report = self.editor.planted.report
        index = self._standing(leg, frame)
        if index is None or report.ground is None:
            return _Grip(key, ankle, None, None)
        first, last = _span(self.editor.contacts[leg][index])
        place = _of(self.editor.contacts[leg][index], "place")
        if place is None:
            own = [c for c in report.contacts if c.name == leg and c.first_frame <= last and first <= c.last_frame]
            place = min(own, key=lambda c: abs(c.first_frame - first)).stands_at if own else None
        return _Grip(key, ankle, index, None if place is None else np.asarray(place, float))

    def _pole(self, message: Message) -> None:
        leg, frame = self._leg(message), self._frame(message)
        point = self._point(message)
        self._edit(_key(message, leg, frame), lambda merge: self.editor.set_pole(leg, frame, point, merge=merge))

    def _clear(self, message: Message) -> None:
        leg, frame, what = self._leg(message), self._frame(message), message.get("what")
        if what not in ("foot", "pole"):
            raise ValueError(f"what is {what!r}: 'foot' or 'pole'")
        self._last = self._grip = None
        if what == "pole":
            self.editor.set_pole(leg, frame, None)
        elif frame in self.editor.targets[leg]:
            self.editor.set_target(leg, frame, None)
        elif (index := self._standing(leg, frame)) is not None:
            self.editor.place_contact(leg, index, None)

    def _contact(self, message: Message) -> None:
        leg, span = self._leg(message), message.get("span")
        index = whole_number("index", message.get("index"), 0)
        if span is None:
            self.editor.remove_contact(leg, index)
            self._last = None
            return
        first, last = _pair(span)
        key = _key(message, leg, index)
        self._edit(key, lambda merge: self.editor.move_contact(leg, index, first, last, merge=merge))

    def _contacts(self, message: Message) -> None:
        given = message.get("contacts")
        if not isinstance(given, Mapping) or not all(isinstance(spans, list) for spans in given.values()):
            raise TypeError(f"contacts is {given!r}: lists of spans by the names of legs are needed")
        self._last = None
        self.editor.set_contacts({leg: [_pair(span) for span in spans] for leg, spans in given.items()})

    def _edit(self, key: Key, change: Callable[[bool], None]) -> None:
        """Change something, as one edit with the last one where both are of one gesture."""
        merge, before = key is not None and key == self._last, self.editor.num_edits
        change(merge)
        if merge or self.editor.num_edits != before:
            self._last = key

    def _travel(self, go: Callable[[], bool]) -> None:
        self._last = self._grip = None
        go()

    # ---- what is in a message

    def _leg(self, message: Message) -> str:
        leg = message.get("leg")
        if not (isinstance(leg, str) and leg in self._legs):
            raise KeyError(f"leg is {leg!r}: there are {', '.join(self._legs)}")
        return leg

    def _frame(self, message: Message) -> int:
        frame = whole_number("frame", message.get("frame"), 0)
        if frame >= self.editor.clip.num_frames:
            raise ValueError(f"frame is {frame}: there are {self.editor.clip.num_frames} frames, from 0 on")
        return frame

    def _point(self, message: Message) -> Array:
        """Return the point of a message in the clip's space."""
        return np.asarray(self._turn.T @ checked_point("point", message.get("point")))

    def _standing(self, leg: str, frame: int) -> int | None:
        """Return which contact of a leg a frame is in."""
        spans = [_span(contact) for contact in self.editor.contacts[leg]]
        return next((k for k, (first, last) in enumerate(spans) if first <= frame <= last), None)


def _key(message: Message, leg: str, which: int) -> Key:
    """Return what the edits of one gesture have in common."""
    gesture = message.get("gesture")
    return None if gesture is None else (message.get("view"), gesture, message["do"], leg, which)


def _span(contact: Any) -> tuple[int, int]:
    """Return the frames of a contact as `PlantEditor.contacts` has it."""
    if isinstance(contact, Mapping):
        return contact["first_frame"], contact["last_frame"]
    return int(contact[0]), int(contact[1])


def _of(contact: Any, name: str) -> Any:
    """Return the place or the height that a contact was given, or None."""
    return contact.get(name) if isinstance(contact, Mapping) else None


def _pair(span: Any) -> tuple[int, int]:
    """Return the two frames of a span from outside; the editor looks at their values."""
    if not (isinstance(span, (list, tuple)) and len(span) == 2):
        raise ValueError(f"span is {span!r}: [first_frame, last_frame] is needed")
    return span[0], span[1]
