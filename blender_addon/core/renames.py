# SPDX-License-Identifier: GPL-3.0-or-later
"""Which bones were renamed: their order stays."""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import SequenceMatcher

_BONE_CHANNEL = re.compile(r'^pose\.bones\["((?:[^"\\]|\\.)*)"\]\.(.+)$')
_BONE = re.compile(r'^pose\.bones\["((?:[^"\\]|\\.)*)"\]')


def renamed(before: Sequence[str], after: Sequence[str]) -> dict[str, str]:
    """Return old name → new name of what stands at the same place under another one.

    Bones that were removed, added or moved are none: theirs stands between others, or is known in both lists.

    >>> renamed(["hips", "thigh", "shin", "foot"], ["hips", "upper", "shin", "foot", "toe"])
    {'thigh': 'upper'}
    >>> renamed(["hips", "thigh", "shin"], ["hips", "shin"]), renamed(["hips", "a", "b"], ["hips", "b", "a"])
    ({}, {})
    """
    known, now = set(before), set(after)
    found = {}
    for kind, first, last, start, stop in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if kind == "replace" and last - first == stop - start:
            pairs = zip(before[first:last], after[start:stop], strict=True)
            found.update((old, new) for old, new in pairs if old not in now and new not in known)
    return found


def with_names(path: str, names: dict[str, str]) -> str:
    """Return a data path with a bone's name exchanged; names are as paths spell them, escaped.

    >>> with_names('pose.bones["thigh"].location', {"thigh": "upper"})
    'pose.bones["upper"].location'
    """
    found = _BONE.match(path)
    if found is None or found.group(1) not in names:
        return path
    return f'pose.bones["{names[found.group(1)]}"]{path[found.end() :]}'


def bone_channel(path: str) -> tuple[str, str]:
    """Return the bone's name and the rest of a data path, both empty where it is not a pose bone's."""
    found = _BONE_CHANNEL.match(path)
    return (re.sub(r"\\(.)", r"\1", found.group(1)), found.group(2)) if found else ("", "")
