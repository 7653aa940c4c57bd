# SPDX-License-Identifier: MIT
"""Contacts that are given by a file: those of a report, edited or as they are."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Mapping, Sequence
from typing import Any

from .._support.errors import FormatError
from .._support.nearest_name import did_you_mean
from ..planting.given_contacts import CONTACT_KEYS, PARTS, WHOLE
from .reading import check_regular
from .wrong_usage import WrongUsageError

CONTACTS_ENDING = ".json"

Spans = list["tuple[int, int] | dict[str, Any]"]
GivenContacts = dict[str, "Spans | dict[str, Spans]"]

_CONTACT = (
    "leg", "leg_index", "first_frame", "last_frame", "rise", "before", "after", "stands_at", "place", "height",
)  # fmt: skip
_LEG_PARTS = {f"{part}_contacts": part for part in PARTS}


def contacts_files(given: str | Mapping[str, str], clips: Sequence[str]) -> list[str | None]:
    """Return, per clip, the file of its contacts: the one that is given, or the one of its name in a folder that is.

    Parameters
    ----------
    given : str or dict
        What ``--contacts`` says: a mode, or a dictionary with the "path" of a file or folder.
    clips : sequence of str
        Where the clips lie in their tree.

    Returns
    -------
    list of (str or None)
        Files, which may be missing; None where none is given.

    Raises
    ------
    WrongUsageError
        One file for several clips.

    Examples
    --------
    >>> contacts_files({"path": "edited.json"}, ["walk.bvh"])
    ['edited.json']
    >>> import os
    >>> os.mkdir("edited")
    >>> contacts_files({"path": "edited"}, ["walk.bvh", "run.bvh"])[1].replace(os.sep, "/")
    'edited/run.json'
    """
    if isinstance(given, str):
        return [None] * len(clips)
    path = given["path"]
    several = (
        f"--contacts {path} has the contacts of one clip, and there are {len(clips)} clips: give a folder with a "
        f"{CONTACTS_ENDING} file for each, of the same name in the same tree"
    )
    return one_each(path, [os.path.splitext(clip)[0] + CONTACTS_ENDING for clip in clips], several)


def one_each(path: str, names: Sequence[str], several: str) -> list[str | None]:
    """Return the files of these names in a folder; a single file is that of one clip, and refused for several."""
    if os.path.isdir(path):
        return [os.path.join(path, name) for name in names]
    if len(names) > 1:
        raise WrongUsageError(several)
    return [path] * len(names)


def read_contacts(path: str, names: Sequence[str], num_frames: int, animation: str = "") -> GivenContacts:
    """Read the contacts of one clip.

    Parameters
    ----------
    path : str
        A file of JSON as ``skelkin plant --json`` writes it. Of its keys the contacts count: ``contacts``, a list as in
        the report or a mapping as `plant_feet` takes it; where it is missing, ``legs`` with ``heel_contacts`` and
        ``ball_contacts``, else ``contacts``, of each. Of a file with several animations they stand below
        ``animations`` and their names.
    names : sequence of str
        What each leg of the clip is called.
    num_frames : int
        Length of the clip.
    animation : str, optional
        The name of the clip in its file, where that has several.

    Returns
    -------
    dict
        For `plant_feet`.

    Raises
    ------
    FormatError
        What is no such file, with the key, its value and what it has to be.
    OSError
        The file cannot be read.

    Examples
    --------
    >>> with open("edited.json", "w") as file:
    ...     _ = file.write('{"contacts": [{"leg": "left", "first_frame": 0, "last_frame": 9}]}')
    >>> read_contacts("edited.json", ["left", "right"], 30)
    {'left': [(0, 9)]}
    """
    return _Reader(path, names, num_frames, animation).read()


class _Reader:
    """One file, the legs it may name and the frames it may speak of."""

    def __init__(self, path: str, names: Sequence[str], num_frames: int, animation: str = "") -> None:
        self.path, self.names, self.num, self.animation = path, names, num_frames, animation

    def fail(self, key: str, value: Any, rule: str) -> FormatError:
        shown = json.dumps(value, ensure_ascii=False)
        shown = shown if len(shown) <= 60 else shown[:57] + "…"
        return FormatError(self.path, None, f"{key} is {shown}: {rule}")

    def read(self) -> GivenContacts:
        root = self._parsed()
        if self.animation:
            root = self._of_animation(root)
        if not isinstance(root, dict) or not ({"contacts", "legs"} & root.keys()):
            raise FormatError(self.path, None, "has no contacts: give a report that `skelkin plant --json` printed")
        length = root.get("num_frames", self.num)
        if length != self.num:
            rule = f"the clip has {self.num} frames, so the contacts are those of another clip"
            raise self.fail("num_frames", length, rule)
        if "contacts" not in root:
            return self._legs(root["legs"])
        given = root["contacts"]
        if isinstance(given, dict):
            return {name: self._foot(f"contacts.{self._leg('a key of contacts', name)}", given[name]) for name in given}
        return self._list(given)

    def _of_animation(self, root: Any) -> Any:
        """Return what the file says of one of several animations."""
        animations = root.get("animations") if isinstance(root, dict) else None
        if not isinstance(animations, dict):
            rule = "the clip's file has several, so the contacts must be under animations, by their names"
            raise FormatError(self.path, None, f"has no key animations: {rule}")
        if self.animation not in animations:
            raise self.fail("animations", sorted(animations), f"{self.animation!r} is missing")
        return animations[self.animation]

    def _parsed(self) -> Any:
        check_regular(self.path)
        try:
            with open(self.path, encoding="utf-8-sig") as file:
                return json.loads(file.read(), object_pairs_hook=self._once)
        except UnicodeDecodeError:
            raise FormatError(self.path, None, "not valid JSON: it is not in UTF-8; save it as UTF-8") from None
        except json.JSONDecodeError as error:
            what = f"not valid JSON: {error.msg} at column {error.colno}"
            raise FormatError(self.path, error.lineno, what) from None
        except FormatError:
            raise
        except ValueError as error:  # such as a number of thousands of digits
            raise FormatError(self.path, None, f"not valid JSON: {error}") from None
        except RecursionError:
            raise FormatError(self.path, None, "not a file of contacts: its JSON is nested too deeply") from None

    def _once(self, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        out: dict[str, Any] = {}
        for key, value in pairs:
            if key in out:
                raise FormatError(self.path, None, f"the key {key!r} is twice in one object: remove one")
            out[key] = value
        return out

    def _leg(self, key: str, name: Any) -> str:
        """Return the name of a leg."""
        if name not in self.names:
            meant = did_you_mean(name, self.names) if isinstance(name, str) else ""
            raise self.fail(key, name, f"there is no such leg, only {', '.join(self.names)}{meant}")
        return str(name)

    def _list(self, given: Any) -> GivenContacts:
        """Return contacts that are listed as in the report."""
        if not isinstance(given, list):
            raise self.fail("contacts", given, "must be a list of contacts, or an object of legs and their spans")
        out: dict[str, Spans] = {}
        for n, contact in enumerate(given):
            key = f"contacts[{n}]"
            if not isinstance(contact, dict):
                raise self.fail(key, contact, "must be an object with leg, first_frame and last_frame")
            for word in ("leg", "first_frame", "last_frame"):
                if word not in contact:
                    raise FormatError(self.path, None, f"{key} has no {word}: it needs leg, first_frame and last_frame")
            for word in contact:
                if word not in _CONTACT:
                    rule = f"not a key of a contact{did_you_mean(word, _CONTACT)}"
                    raise self.fail(f"{key}.{word}", contact[word], rule)
            name = self._leg(f"{key}.leg", contact["leg"])
            first = self._frame(f"{key}.first_frame", contact["first_frame"], 0)
            last = self._frame(f"{key}.last_frame", contact["last_frame"], first)
            out.setdefault(name, []).append(self._pinned(key, contact, first, last))
        return dict(out)

    def _legs(self, legs: Any) -> GivenContacts:
        """Return the contacts that stand in the report's legs, those of heel and ball apart where it has them."""
        if not isinstance(legs, list):
            raise self.fail("legs", legs, "must be a list of legs")
        out: GivenContacts = {}
        for n, leg in enumerate(legs):
            key = f"legs[{n}]"
            if not isinstance(leg, dict) or "name" not in leg:
                raise self.fail(key, leg, "must be an object with name and contacts")
            name = self._leg(f"{key}.name", leg["name"])
            if name in out:
                raise self.fail(f"{key}.name", name, "an earlier leg has the same name: remove one")
            parts = [word for word in _LEG_PARTS if word in leg]
            if parts:
                out[name] = {_LEG_PARTS[word]: self._spans(f"{key}.{word}", leg[word]) for word in parts}
            else:
                out[name] = self._spans(f"{key}.contacts", leg.get("contacts", []))
        return out

    def _foot(self, key: str, given: Any) -> Spans | dict[str, Spans]:
        """Return the spans of a foot, or those of its heel and its ball."""
        if not isinstance(given, dict):
            return self._spans(key, given)
        for part in given:
            if part not in (*PARTS, WHOLE):
                raise self.fail(f"{key}.{part}", given[part], f"the parts of a foot are {' and '.join(PARTS)}")
        return {part: self._spans(f"{key}.{part}", given[part]) for part in given}

    def _spans(self, key: str, given: Any) -> Spans:
        if not isinstance(given, list):
            raise self.fail(key, given, "must be a list of spans [first, last]")
        out: Spans = []
        for n, span in enumerate(given):
            if isinstance(span, dict):
                for word in span:
                    if word not in CONTACT_KEYS:
                        rule = f"the keys of a contact are {', '.join(CONTACT_KEYS)}"
                        raise self.fail(f"{key}[{n}].{word}", span[word], rule)
                first = self._frame(f"{key}[{n}].first_frame", span.get("first_frame"), 0)
                last = self._frame(f"{key}[{n}].last_frame", span.get("last_frame"), first)
                out.append(self._pinned(f"{key}[{n}]", span, first, last))
                continue
            if not (isinstance(span, list) and len(span) == 2):
                raise self.fail(f"{key}[{n}]", span, "must be [first, last], two whole frames")
            first = self._frame(f"{key}[{n}][0]", span[0], 0)
            out.append((first, self._frame(f"{key}[{n}][1]", span[1], first)))
        return out

    def _pinned(self, key: str, contact: dict[str, Any], first: int, last: int) -> tuple[int, int] | dict[str, Any]:
        """Return a span, or a contact with its place and height where it has any."""
        place, height = contact.get("place"), contact.get("height")
        numbers = place if isinstance(place, list) else [place]
        if place is not None and not (len(numbers) == 3 and all(_is_number(x) for x in numbers)):
            raise self.fail(f"{key}.place", place, "must be three numbers, [x, y, z]")
        if height is not None and not _is_number(height):
            raise self.fail(f"{key}.height", height, "must be a number")
        if place is None and height is None:
            return first, last
        more = {"place": place, "height": height}
        return {"first_frame": first, "last_frame": last, **{k: v for k, v in more.items() if v is not None}}

    def _frame(self, key: str, value: Any, least: int) -> int:
        if type(value) is not int:
            raise self.fail(key, value, "must be a whole frame")
        if not 0 <= value < self.num:
            raise self.fail(key, value, f"must be a frame of the clip, 0 to {self.num - 1}")
        if value < least:
            raise self.fail(key, value, f"must not be before the first frame, {least}")
        return value


def _is_number(value: Any) -> bool:
    return type(value) in (int, float) and math.isfinite(value)
