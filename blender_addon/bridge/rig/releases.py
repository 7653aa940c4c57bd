# SPDX-License-Identifier: GPL-3.0-or-later
"""Release bones from constraints: find the influences and properties of a rig that hide their keys, and their values.

Nothing is muted: values are found that the planted action holds by keys, so that off has them back.
"""

from __future__ import annotations

import re
from itertools import product
from typing import NamedTuple

import numpy as np

from .. import checks, values
from ..checks import Refused
from .rig_map import RigMap, Turning
from .trials import Trial

_BONE_PROPERTY = re.compile(r'^pose\.bones\["((?:[^"\\]|\\.)*)"\](\[.+\])$')
_INFLUENCE = re.compile(r'constraints\["(.+)"\]\.influence$')
#: influences that differ by less are one
_SAME = 1e-6
#: what changes by less than this part of the largest entry stays
_STAYS = 1e-4
#: more switches than this behind the influences of one leg are not tried in all combinations
_MOST_SWITCHES = 4
#: constraints that keep a bone within bounds do not hide its keys, where it is a copy of the bone with the keys
_BOUNDS = ("LIMIT_", "MAINTAIN_VOLUME", "COPY_SCALE")


class Hold(NamedTuple):
    """A value that is kept over the range: the bone that has the property (empty for the object) and its path there."""

    bone: str
    channel: str
    value: float

    def __str__(self) -> str:
        """Return in words what is held: a constraint by its name, a property by its path."""
        found = _INFLUENCE.match(self.channel)
        what = f"{found.group(1)} of {self.bone}" if found else f"{self.bone} {self.channel}".strip()
        return f"{what} held at {self.value:g}"


def check_drivers(rig: RigMap, keyed: list[str], copies: dict[str, str]) -> None:
    """Refuse bones whose transforms are driven: nothing sets these free. The arguments are those of `release`."""
    for name in (*keyed, *copies):
        if rig.driven.get(name):
            raise Refused(rig.why_moved(name))


def release(tried: Trial, ob, rig: RigMap, keyed: list[str], copies: dict[str, str], others: list[str]) -> list[Hold]:
    """Return what has to be held for bones to follow their keys, on the frame at hand; empty where they do already.

    Parameters
    ----------
    keyed : list of str
        The bones with the keys.
    copies : dict
        Bone that the mesh follows → the one of ``keyed`` that it copies.
    others : list of str
        Bones of the mesh besides the legs, which have to stay.

    Raises
    ------
    Refused
        If a driver moves one of the bones, or if nothing that was tried sets them and no others free.
    """
    check_drivers(rig, keyed, copies)
    wanted = _wanted_influences(ob, rig, keyed, copies)
    held, driven = [], []
    for turning, influence in wanted:
        if (turning.path, 0) in rig.drivers:
            driven.append((turning, influence))
        else:
            held.append(Hold(*checks.bone_channel(turning.path), influence))
    return held + _switched(tried, ob, rig, driven, others)


def _wanted_influences(ob, rig: RigMap, keyed: list[str], copies: dict[str, str]) -> list[tuple[Turning, float]]:
    wanted: dict[str, tuple[Turning, float]] = {}
    for name in keyed:
        for turning in rig.turning.get(name, ()):
            wanted[turning.path] = turning, 0.0
    for copy, keys in copies.items():
        bone = ob.pose.bones[copy]
        for turning in (*rig.turning.get(copy, ()), *(Turning(bone, constraint) for constraint in bone.constraints)):
            copied = keys in rig.bones_targeted(turning.constraint)
            if turning.path in wanted or turning.constraint.type.startswith(_BOUNDS):
                continue
            if copied or rig.may_act(turning.constraint):
                wanted[turning.path] = turning, 1.0 if copied else 0.0
    return [
        (turning, influence)
        for turning, influence in wanted.values()
        if turning.path in rig.animated or abs(turning.constraint.influence - influence) > _SAME
    ]


def _switched(tried: Trial, ob, rig: RigMap, driven: list[tuple[Turning, float]], others: list[str]) -> list[Hold]:
    """Return the properties behind driven influences with the values that give these, found by trying 0 and 1."""
    if not driven:
        return []
    turning = driven[0][0]
    before = tried.matrices(others)
    paths = list(dict.fromkeys(path for each, _ in driven for path in _properties_behind(ob, rig, each)))
    for settings in product((0, 1), repeat=min(len(paths), _MOST_SWITCHES)):
        for path, value in zip(paths, settings, strict=False):
            tried.set(path, value)
        if paths and all(abs(tried.influence(each) - influence) <= _SAME for each, influence in driven):
            after = tried.matrices(others)
            tried.back()
            holds = [_hold(path, value) for path, value in zip(paths, settings, strict=False)]
            _check_stay(others, before, after, holds)
            return holds
    tried.back()
    raise Refused(
        f"{turning.owner.name} is moved by the constraint {turning.constraint.name}, whose influence has a driver that "
        f"no custom property of {ob.name} switches: remove the driver, or mute the constraint"
    )


def _check_stay(names: list[str], before: np.ndarray, after: np.ndarray, holds: list[Hold]) -> None:
    """Refuse properties that move other bones of the mesh as well."""
    if not names:
        return
    size = np.abs(before).max(axis=0)
    size[:3, 3] = size[:3, 3].max()
    moved = (np.abs(after - before) > _STAYS * size).any(axis=(1, 2))
    if moved.any():
        named = ", ".join(f"{hold.bone} {hold.channel}".strip() for hold in holds)
        other = names[int(moved.argmax())]
        raise Refused(f"{named} sets the legs free and moves {other} too: give the legs a property of their own")


def _properties_behind(ob, rig: RigMap, turning: Turning) -> list[str]:
    """Return the data paths of the object's custom properties that the driver of an influence reads."""
    return [
        target.data_path
        for variable in rig.drivers[turning.path, 0].driver.variables
        for target in variable.targets
        if variable.type == "SINGLE_PROP"
        and target.id == ob
        and target.data_path.endswith('"]')
        and (target.data_path, 0) not in rig.drivers
        and isinstance(values.get_value(ob, target.data_path, 0), (bool, int, float))
    ]


def _hold(path: str, value: float) -> Hold:
    found = _BONE_PROPERTY.match(path)
    return Hold(re.sub(r"\\(.)", r"\1", found.group(1)), found.group(2), value) if found else Hold("", path, value)
