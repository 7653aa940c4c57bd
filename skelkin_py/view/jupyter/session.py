# SPDX-License-Identifier: MIT
"""The conversation between a page and an editor: one message in, one edit, one reply out.

A message is a mapping with "do", the verb, and the values that the verb needs. Messages that edit also have a
"gesture", a number that stays the same while the mouse is held: the edits of one gesture count as one for undo. Points
are in the page's space, Y up.

=========  =================================  ===========================================================
do         needs                              what it does
=========  =================================  ===========================================================
open                                          sends everything to a page that has just been opened
foot       leg, frame, point                  the ankle goes there: with its contact on level ground, else in that frame
pole       leg, frame, point                  the knee points there
clear      leg, frame, what: foot or pole     removes such an edit of that frame
contact    leg, index, span or null           moves a contact, or removes it
contacts   contacts: spans by leg             replaces all contacts
undo redo
figures                                       the side panel and the curves of the timeline as they are now
=========  =================================  ===========================================================

A reply repeats "view", "id" and "do", and holds what the page shows; "error" says why an edit was refused, which then
changed nothing. It comes with buffers: the change of the motion, and for "figures" a curve per foot.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from importlib import resources
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..._support.arguments import check_word, whole_number
from ..._support.array_types import Floats
from ...planting.editing import PlantEditor
from ...planting.editing.editor import two_frames
from ...planting.given_contacts import checked_point
from .. import panel
from ..arguments import PageContent, checked
from ..page import Page, assembled
from ..scene_data import to_y_up
from ..scene_page import scene_of

_UNSEEN = 1e-6
Message = Mapping[str, Any]
Key = tuple[Any, ...] | None  # the same for edits that count as one for undo; None without a gesture
_SCRIPTS = ("handles.js", "live.js")


class SentMotion:
    """The motion that a page has, and the changes to send.

    Parameters
    ----------
    turn : (3, 3) ndarray
        Rotation from the clip's space to the page's, in which Y is up.
    size : float
        The figure's height: changes by less than a millionth of it are not sent.
    """

    def __init__(self, turn: Floats, size: float) -> None:
        self._turn = turn
        self._bounds = np.array([1.0, 1.0, 1.0, size]) * _UNSEEN
        self._sent: NDArray[np.float32] | None = None

    def patch(self, clip: Any, *, whole: bool = False) -> tuple[dict[str, Any], bytes]:
        """Return what changed in a clip since the last call.

        Parameters
        ----------
        clip : Clip
            The motion; always of the same skeleton and number of frames.
        whole : bool, default False
            Whether to return all of it, for a page that has just been opened.

        Returns
        -------
        dict
            "first", the first frame of the block; "frames", their number; "joints", the joints.
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
    """The start of dragging a foot: its ankle, and its contact and where that stood, None in the air."""

    key: Key
    ankle: Floats
    contact: int | None
    place: Floats | None


class EditSession:
    """An editor that pages control by messages.

    Parameters
    ----------
    editor : PlantEditor
        The editor.
    mesh : Mesh, optional
        A skin.
    title : str, optional
        The heading.
    """

    def __init__(self, editor: PlantEditor, *, mesh: Any = None, title: str | None = None) -> None:
        self.editor = editor
        self._mesh, self._title = mesh, title or "Planting, by hand"
        self._content, self._scene = self._current()
        self._turn = to_y_up(editor.planted.report.up)
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
            "undo": lambda message: self._step(editor.undo),
            "redo": lambda message: self._step(editor.redo),
        }

    def page(self) -> Page:
        """Return the player with handles, showing the motion as planted at the start of the session."""
        files = resources.files(__package__)
        script = "\n".join((files / name).read_text(encoding="utf-8") for name in _SCRIPTS)
        css = (files / "live.css").read_text(encoding="utf-8")
        given = self._title, self._content, self.editor.planted.report, self._scene
        return assembled(*given, script=script, css=css)

    def still(self) -> Page:
        """Return the player without handles, showing the current motion, for viewers without Python."""
        content, scene = self._current()
        return assembled(self._title, content, self.editor.planted.report, scene)

    def _current(self) -> tuple[PageContent, dict[str, Any]]:
        """Return the content of a page of the current motion, and its scene."""
        editor, report = self.editor, self.editor.planted.report
        given = editor.clip, editor.original, self._mesh, report, self._title
        content = checked(*given, "side_by_side", None, None, None)
        return content, scene_of(content, report, editor.options.ground, "side_by_side", None, None)

    def reply(self, message: Any) -> tuple[dict[str, Any], list[bytes]]:
        """Execute a message, and return the reply with its buffers.

        Parameters
        ----------
        message : Any
            A message from a page, not trusted: the reply names any error in it, and nothing changes then.

        Returns
        -------
        dict
            The reply, for JSON.
        list of bytes
            Its buffers.
        """
        start = time.perf_counter()
        fields = message if isinstance(message, Mapping) else {}
        reply: dict[str, Any] = {
            name: fields[name] for name in ("view", "id") if isinstance(fields.get(name), (str, int))
        }
        try:
            if fields is not message:
                raise TypeError(f"a message is a {type(message).__name__}: a mapping is needed")
            verb: Any = fields.get("do")
            check_word("do", verb, self._verbs)
            reply["do"] = verb
            self._verbs[verb](fields)
        except (ValueError, TypeError, KeyError, IndexError) as error:
            reply["error"] = str(error.args[0]) if error.args else type(error).__name__
        reply |= self._state()
        reply["motion"], block = self._sent.patch(self.editor.clip, whole=reply.get("do") == "open")
        buffers = [block]
        if reply.get("do") in ("open", "figures"):
            reply |= self._figures(buffers)
        reply["took"] = 1e3 * (time.perf_counter() - start)
        return reply, buffers

    # ---- replies

    def _state(self) -> dict[str, Any]:
        """Return the state of the edits."""
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
        html = panel.side_panel(self._title, self._content, report, self._scene)
        legs = [{"key": name, "chain": [int(j) for j in leg.chain]} for name, leg in self._legs.items()]
        return {"panel": html, "by_hand": by_hand, "legs": legs}

    # ---- messages

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
        moved = point - ankle
        place = place + moved - up * (moved @ up)
        height = _of(self.editor.contacts[leg][index], "height")
        self._edit(key, lambda merge: self.editor.place_contact(leg, index, place, height, merge=merge))

    def _gripped(self, key: Key, leg: str, frame: int) -> _Grip:
        """Return the start of dragging a foot: by its contact where it stands on level ground, else by its ankle."""
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
        check_word("what", what, ("foot", "pole"))
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
        first, last = two_frames("span", span)
        key = _key(message, leg, index)
        self._edit(key, lambda merge: self.editor.move_contact(leg, index, first, last, merge=merge))

    def _contacts(self, message: Message) -> None:
        given = message.get("contacts")
        if not isinstance(given, Mapping) or not all(isinstance(spans, list) for spans in given.values()):
            raise TypeError(f"contacts is {given!r}: lists of spans by the names of legs are needed")
        self._last = None
        self.editor.set_contacts({leg: [two_frames("span", span) for span in spans] for leg, spans in given.items()})

    def _edit(self, key: Key, change: Callable[[bool], None]) -> None:
        """Make an edit that counts as one with the last edit of the same gesture."""
        merge, before = key is not None and key == self._last, self.editor.num_edits
        change(merge)
        if merge or self.editor.num_edits != before:
            self._last = key

    def _step(self, step: Callable[[], bool]) -> None:
        self._last = self._grip = None
        step()

    # ---- fields of messages

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

    def _point(self, message: Message) -> Floats:
        """Return the point of a message in the clip's space."""
        return np.asarray(self._turn.T @ checked_point("point", message.get("point")))

    def _standing(self, leg: str, frame: int) -> int | None:
        """Return which contact of a leg a frame is in."""
        spans = [_span(contact) for contact in self.editor.contacts[leg]]
        return next((k for k, (first, last) in enumerate(spans) if first <= frame <= last), None)


def _key(message: Message, leg: str, which: int) -> Key:
    """Return the key of the edits of one gesture."""
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
