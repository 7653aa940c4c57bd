# SPDX-License-Identifier: GPL-3.0-or-later
"""Which settings an object is planted with: its own where it has some, else those of the preferences.

They are plain values, as JSON keeps them with the planted action.
"""

from __future__ import annotations

import json

import bpy

from ..core.state import Refused
from ..properties import OBJECT_PREFIX, SETTING_NAMES, PlantSettings
from . import checks
from .playback import is_on, playing

_ROOT = __package__.rsplit(".", 1)[0]


def frame_rate(context, package, settings: dict) -> float:
    """Return how many frames of the motion make a second."""
    if settings["rate"] == "NUMBER":
        return settings["rate_fps"]
    if settings["rate"] == "SCENE":
        return context.scene.render.fps / context.scene.render.fps_base
    path = bpy.path.abspath(settings["rate_file"])
    try:
        return package.load(path).fps
    except (OSError, ValueError) as error:
        raise Refused(
            f"The BVH file for Rate cannot be read ({error}): choose another, or set Rate to Scene"
        ) from error


def values_of(owner, prefix: str = "") -> dict:
    """Return the settings that an operator, the preferences or (with its prefix) an object holds."""
    values = {name: getattr(owner, prefix + name) for name in SETTING_NAMES}
    return {**values, "ground_velocity": list(values["ground_velocity"])}


def preferred() -> dict:
    """Return the settings of the preferences."""
    addon = bpy.context.preferences.addons.get(_ROOT)
    if addon is not None and addon.preferences is not None:
        return values_of(addon.preferences)
    values = {name: prop.keywords.get("default") for name, prop in PlantSettings.__annotations__.items()}
    return {**values, "ground_velocity": [0.0, 0.0, 0.0]}


def are_preferred(ob) -> bool:
    """Whether the settings that an object holds are those of the preferences."""
    return values_of(ob, OBJECT_PREFIX) == preferred()


def own(ob) -> dict:
    """Return the object's own settings, empty where it uses the preferences."""
    return values_of(ob, OBJECT_PREFIX) if ob.skelkin_own_settings else {}


def wanted(ob, stored: dict, chosen: dict) -> dict:
    """Return what to plant with: chosen now, else the object's own, else as planted before, else the preferences'."""
    return {**preferred(), **stored, **own(ob), **chosen}


def kept_by_update(ob) -> list[str]:
    """Return the labels of settings that Update takes from the planted action, and that are otherwise now."""
    if not is_on(ob) or checks.is_newer(playing(ob).action):
        return []
    now, kept = wanted(ob, {}, {}), wanted(ob, json.loads(playing(ob).action.skelkin.settings or "{}"), {})
    return [PlantSettings.__annotations__[name].keywords["name"] for name in now if now[name] != kept[name]]


def give(owner, values: dict, prefix: str = "") -> None:
    """Set the settings that an operator or (with its prefix) an object holds; unknown names are ignored."""
    for name, value in values.items():
        if name in SETTING_NAMES:
            setattr(owner, prefix + name, value)


def remember(ob, values: dict) -> None:
    """Make what the object was planted with its own settings, if it has some: what F9 changed stays."""
    if ob.skelkin_own_settings:
        give(ob, values, OBJECT_PREFIX)
