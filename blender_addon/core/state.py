# SPDX-License-Identifier: GPL-3.0-or-later
"""What the switch knows of a file: read once, as values that never change, before anything is done.

Objects, actions and slots stand for themselves: they are compared and passed on, never read. So plans need no
Blender, and their tests take names for them.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np

_NOTHING: Mapping = MappingProxyType({})
#: the transform channels of a pose bone or object, in the order they are kept in ``skelkin_kept_pose``
TRANSFORM_CHANNELS = (
    ("location", 3),
    ("rotation_quaternion", 4),
    ("rotation_euler", 3),
    ("rotation_axis_angle", 4),
    ("scale", 3),
)
NUM_TRANSFORM_CHANNELS = sum(size for _, size in TRANSFORM_CHANNELS)
#: property → first place in a row of the record, number of places
PLACES = {
    name: (sum(size for _, size in TRANSFORM_CHANNELS[:k]), size) for k, (name, size) in enumerate(TRANSFORM_CHANNELS)
}


class Refused(RuntimeError):  # noqa: N818 - what is refused is no error of the add-on's
    """The scene is in a state that cannot be planted; the text names what and where."""


class Played(NamedTuple):
    """An action and the slot of it that an object plays; None where it plays none, or where Blender has no slots."""

    action: Any
    slot: Any


class Record(NamedTuple):
    """Transform channels before the switch went on: the object's own in the first row, then those of its bones."""

    bones: list[str]
    values: np.ndarray  # (1 + bones, channels) float32
    use: Any  # how the action is laid over strips, None where there are none

    def value(self, bone: str, channel: str) -> list[float] | None:
        """Return one property of a bone, or of the object where none is named; None for bones that were not there."""
        if bone and bone not in self.bones:
            return None
        first, size = PLACES[channel]
        row = self.values[1 + self.bones.index(bone) if bone else 0]
        return [float(value) for value in row[first : first + size]]


class Action(NamedTuple):
    """An action, and what it remembers where it is a planted one."""

    name: str
    users: int  # but for a fake one
    is_local: bool = True
    has_fake_user: bool = False
    holds_fake_user: bool = False
    is_planted: bool = False
    over_strips: bool = False  # the original is what strips of the NLA play, without an action
    was_fake_user: bool = False
    pair: str = ""
    goes_with: str = ""
    source_digest: str = ""
    legs: str = ""
    summary: str = ""
    is_newer: bool = False
    own: Played | None = None  # itself, with the slot that was planted
    original: Played = Played(None, None)
    slot_is_gone: bool = False  # the original's
    settings: Mapping[str, Any] = _NOTHING


class ObjectState(NamedTuple):
    """An object that plays or points to actions; what stands from `waiting` on is read of those that a verb is for."""

    name: str
    plays: Played
    source: Any = None
    planted: Any = None  # the pair that the switch swaps
    held: tuple = ()  # planted actions besides
    in_strips: tuple = ()
    waiting: tuple = ()  # planted actions that belong to what it plays now, the last one that played first
    goals: tuple = ()  # objects whose planted actions go with those of this armature
    bones: frozenset = frozenset()
    record: Record | None = None
    # (path, index) → value before, of what else only the planted action animates
    kept: Mapping[tuple[str, int], Any] = _NOTHING
    digest: str = ""  # of what it plays, where a planted action waits for that
    legs: str = ""
    not_renamed: tuple = ()  # sentences: what of the original could not follow bones that were renamed


class State(NamedTuple):
    """All that plans go by: objects and actions that the add-on has marked, or that play or point to such."""

    objects: dict[Any, ObjectState]
    actions: dict[Any, Action]
    names: frozenset[str] = frozenset()  # of all actions
    # (path, index) → whether an original animates it
    curves: Mapping[Played, Mapping[tuple[str, int], bool]] = _NOTHING
    preferred: Mapping[str, Any] = _NOTHING  # settings of the preferences
    chosen: Mapping[str, Any] = _NOTHING  # the object's own settings

    def playing(self, ob) -> Action | None:
        """Return the action that an object plays."""
        return self.actions.get(self.objects[ob].plays.action)

    def is_on(self, ob) -> bool:
        """Whether an object plays a planted action."""
        playing = self.playing(ob)
        return playing is not None and playing.is_planted

    def wanted(self, stored: dict, chosen: dict) -> dict:
        """Return what to plant with: chosen now, else the object's own, else as planted before, else preferred."""
        return {**self.preferred, **stored, **self.chosen, **chosen}
