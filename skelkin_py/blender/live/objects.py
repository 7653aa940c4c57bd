# SPDX-License-Identifier: MIT
"""Whether something passed is an object of Blender's from which bones or points can be read."""

from __future__ import annotations

from typing import Any

_NEEDED = {"ARMATURE": "an armature object", "MESH": "a mesh"}
_PARTS = {"ARMATURE": "bones", "MESH": "points"}


def check_object(ob: Any, kind: str, name: str = "ob") -> None:
    """Raise an error that names the argument unless it is an object of this type outside Edit Mode."""
    if getattr(ob, "type", None) != kind:
        found = getattr(ob, "type", type(ob).__name__)
        raise TypeError(f"{name} is {getattr(ob, 'name', ob)!r} of type {found}: {_NEEDED[kind]} is needed")
    if ob.mode == "EDIT":
        raise ValueError(f"{name} is {ob.name!r} in Edit Mode: its {_PARTS[kind]} are read after leaving it")
    if kind == "ARMATURE" and ob.pose is None:
        raise ValueError(f"{name} is {ob.name!r}, which has no pose before the view layer's next update")
