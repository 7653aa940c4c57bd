# SPDX-License-Identifier: MIT
"""Contacts that are given by a file: those of a report, edited or as they are."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from typing import Any

from .._support.errors import FormatError
from .._support.nearest_name import did_you_mean
from .._support.short_repr import shown
from ..planting.given_contacts import CONTACT_KEYS, given_contact, given_legs
from .reading import check_regular
from .wrong_usage import WrongUsageError

CONTACTS_ENDING = ".json"

_OF_REPORT = ("leg", "leg_index", *CONTACT_KEYS, "rise", "before", "after", "stands_at")  # keys of its contacts


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


def read_contacts(path: str, names: Sequence[str], num_frames: int, animation: str = "") -> dict[str, Any]:
    """Read the contacts of one clip.

    Parameters
    ----------
    path : str
        A file of JSON as ``skelkin plant --json`` writes it. Of its keys ``contacts`` counts, a list as in the report
        or a mapping as `plant_feet` takes it. Of a file with several animations it stands below ``animations`` and
        their names.
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
    {'left': [{'first_frame': 0, 'last_frame': 9}]}
    """
    root = _parsed(path)
    try:
        contacts = _contacts_in(_of_animation(root, animation) if animation else root, names, num_frames)
        given_legs(contacts, names, num_frames)
    except (ValueError, TypeError) as error:
        raise FormatError(path, None, str(error)) from None
    return contacts


def _parsed(path: str) -> Any:
    """Return what the JSON of a file says."""

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        out: dict[str, Any] = {}
        for key, value in pairs:
            if key in out:
                raise FormatError(path, None, f"the key {key!r} is twice in one object: remove one")
            out[key] = value
        return out

    check_regular(path)
    try:
        with open(path, encoding="utf-8-sig") as file:
            return json.loads(file.read(), object_pairs_hook=once)
    except UnicodeDecodeError:
        raise FormatError(path, None, "not valid JSON: it is not in UTF-8; save it as UTF-8") from None
    except json.JSONDecodeError as error:
        raise FormatError(path, error.lineno, f"not valid JSON: {error.msg} at column {error.colno}") from None
    except FormatError:
        raise
    except ValueError as error:  # such as a number of thousands of digits
        raise FormatError(path, None, f"not valid JSON: {error}") from None
    except RecursionError:
        raise FormatError(path, None, "not a file of contacts: its JSON is nested too deeply") from None


def _of_animation(root: Any, name: str) -> Any:
    """Return what a file says of one of several animations."""
    animations = root.get("animations") if isinstance(root, dict) else None
    if not isinstance(animations, dict):
        rule = "the clip's file has several, so the contacts must be under animations, by their names"
        raise ValueError(f"has no key animations: {rule}")
    if name not in animations:
        raise ValueError(f"animations is {shown(sorted(animations))}: {name!r} is missing")
    return animations[name]


def _contacts_in(root: Any, names: Sequence[str], num_frames: int) -> dict[str, Any]:
    """Return the contacts of a report as `plant_feet` takes them."""
    if not isinstance(root, dict) or "contacts" not in root:
        raise ValueError("has no contacts: give a report that `skelkin plant --json` printed")
    length = root.get("num_frames", num_frames)
    if length != num_frames:
        rule = f"the clip has {num_frames} frames, so the contacts are those of another clip"
        raise ValueError(f"num_frames is {shown(length)}: {rule}")
    given = root["contacts"]
    if isinstance(given, dict):
        return given
    if not isinstance(given, list):
        rule = "must be a list of contacts, or an object of legs and their spans"
        raise ValueError(f"contacts is {shown(given)}: {rule}")
    out: dict[str, Any] = {}
    for n, contact in enumerate(given):
        key = f"contacts[{n}]"
        if not isinstance(contact, dict):
            raise ValueError(f"{key} is {shown(contact)}: must be an object with leg, first_frame and last_frame")
        for word in contact:
            if word not in _OF_REPORT:
                raise ValueError(f"{key}[{word!r}]: not a key of a contact{did_you_mean(word, _OF_REPORT)}")
        leg = contact.get("leg")
        if not isinstance(leg, str) or leg not in names:
            meant = did_you_mean(leg, names) if isinstance(leg, str) else ""
            raise ValueError(f"{key}['leg'] is {shown(leg)}: there is no such leg, only {', '.join(names)}{meant}")
        own = {word: contact[word] for word in CONTACT_KEYS if contact.get(word) is not None}
        given_contact(key, own, num_frames)  # here, where the error can name its place in the list
        out.setdefault(leg, []).append(own)
    return out
