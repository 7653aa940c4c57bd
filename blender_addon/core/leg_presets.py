# SPDX-License-Identifier: GPL-3.0-or-later
"""Legs as a data file: bones by name, in JSON; what is read is checked before anything is done with it."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence

FORMAT, VERSION = "skelkin legs", 1
JOINTS = ("hip", "knee", "ankle", "toe", "heel", "pelvis")
_NEEDED = ("hip", "knee", "ankle")
_SIDES = ("left", "right", "")

Legs = list[dict[str, str]]


def written(legs: Sequence[dict[str, str]]) -> str:
    """Return the text of a file; legs are bones' names by joint, and the side."""
    kept = [{key: leg.get(key, "") for key in ("side", *JOINTS)} for leg in legs]
    return json.dumps({"format": FORMAT, "version": VERSION, "legs": kept}, ensure_ascii=False, indent=1) + "\n"


def read(text: str) -> Legs:
    """Return the legs of a file.

    Raises
    ------
    ValueError
        If it is no such file, or something in it is not what it has to be; the message says what and where.

    >>> read(written([{"side": "left", "hip": "a", "knee": "b", "ankle": "c"}]))[0]["knee"]
    'b'
    """
    try:
        data = json.loads(text)
    except json.JSONDecodeError as error:
        raise ValueError(f"line {error.lineno} is not JSON: {error.msg}") from error
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise ValueError(f'"format" must be "{FORMAT}": this is not a file of legs')
    if data.get("version") != VERSION:
        raise ValueError(f'"version" is {data.get("version")!r}: this add-on reads {VERSION}')
    legs = data.get("legs")
    if not isinstance(legs, list) or not legs:
        raise ValueError('"legs" must be a list of one leg or more')
    return [_checked(k, leg) for k, leg in enumerate(legs)]


def _checked(k: int, leg: object) -> dict[str, str]:
    if not isinstance(leg, dict):
        raise ValueError(f"legs[{k}] is {leg!r}: it must hold bones by joint")
    found = {key: leg.get(key, "") for key in ("side", *JOINTS)}
    for key, value in found.items():
        if not isinstance(value, str):
            raise ValueError(f"legs[{k}].{key} is {value!r}: it must be text")
        if key in _NEEDED and not value:
            raise ValueError(f"legs[{k}].{key} is missing: hip, knee and ankle are needed")
    if found["side"] not in _SIDES:
        raise ValueError(f'legs[{k}].side is {found["side"]!r}: it must be "left", "right" or empty')
    return found


def fitted(legs: Legs, bones: Collection[str]) -> Legs:
    """Return the legs with the names that these bones have; namespaces (``mixamorig1:``) may be other ones.

    Raises
    ------
    ValueError
        If there is no such bone, or several.

    >>> fitted([{"hip": "a:Thigh", "toe": ""}], ["b:Thigh", "b:Shin"])
    [{'hip': 'b:Thigh', 'toe': ''}]
    """
    plain: dict[str, list[str]] = {}
    for bone in bones:
        plain.setdefault(_plain(bone), []).append(bone)
    return [{key: _fitted(key, name, bones, plain) for key, name in leg.items()} for leg in legs]


def _fitted(key: str, name: str, bones: Collection[str], plain: dict[str, list[str]]) -> str:
    if key == "side" or not name or name in bones:
        return name
    same = plain.get(_plain(name), [])
    if len(same) != 1:
        raise ValueError(f"{key} is {name!r}: the armature has {'no' if not same else 'more than one'} such bone")
    return same[0]


def _plain(name: str) -> str:
    return name.rsplit(":", 1)[-1]
