# SPDX-License-Identifier: GPL-3.0-or-later
"""Single values of an object by data path and index: transforms, settings of constraints, custom properties."""

from __future__ import annotations

import bpy


def get_value(ob, path: str, index: int):
    """Return the value, None where there is no such property."""
    try:
        value = ob.path_resolve(path)
    except ValueError:
        return None
    try:
        return value[index]
    except (TypeError, IndexError):
        return value


def all_values(ob, path: str) -> list[float] | None:
    """Return all values of a property, one where it is no array; None where these are no numbers."""
    try:
        value = ob.path_resolve(path)
        return [float(each) for each in (value if hasattr(value, "__len__") else (value,))]
    except (ValueError, TypeError):
        return None


def set_value(ob, path: str, index: int, value: bool | int | float) -> None:
    """Set the value; where the property is gone nothing is done."""
    try:
        owner_path, _, name = path.rpartition(".")
        if path.endswith("]"):  # a custom property: owner["name"]
            owner_path, _, key = path.rpartition('["')
            owner = ob.path_resolve(owner_path) if owner_path else ob
            name = bpy.utils.unescape_identifier(key[:-2])
            if hasattr(owner[name], "__len__"):
                owner[name][index] = value
            else:
                owner[name] = value
            return
        owner = ob.path_resolve(owner_path) if owner_path else ob
        if getattr(owner.bl_rna.properties[name], "is_array", False):
            getattr(owner, name)[index] = value
        else:
            setattr(owner, name, value)
    except (ValueError, KeyError, TypeError, AttributeError):
        return
