# SPDX-License-Identifier: GPL-3.0-or-later
"""What moves each bone of an armature besides its own keys: constraints and drivers, and what these look at."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import takewhile
from typing import Any, NamedTuple

from .. import checks, compat
from ..original import nla


class Turning(NamedTuple):
    """A constraint that moves a bone, and the pose bone that carries it."""

    owner: Any
    constraint: Any

    @property
    def path(self) -> str:
        """Data path of the influence."""
        return f"{self.constraint.path_from_id()}.influence"


class RigMap:
    """Constraints that act and drivers of one armature object, by the bones that they move."""

    def __init__(self, ob) -> None:
        self.ob = ob
        data = ob.animation_data
        self.drivers = {(c.data_path, c.array_index): c for c in data.drivers if not c.mute} if data is not None else {}
        curves = compat.fcurves(*compat.assigned(data)) if data is not None and data.action is not None else ()
        self.animated = {c.data_path for c in (*curves, *nla.curves(ob)) if not c.mute}
        self.animated |= {path for path, _ in self.drivers}
        self.turning: dict[str, list[Turning]] = defaultdict(list)
        for bone in ob.pose.bones:
            for constraint in bone.constraints:
                if self.may_act(constraint):
                    for name in checks.bones_turned(bone, constraint):
                        self.turning[name].append(Turning(bone, constraint))
        self.driven: dict[str, list[str]] = defaultdict(list)
        for path, _ in self.drivers:
            bone, channel = checks.bone_channel(path)
            if checks.is_motion(channel):
                self.driven[bone].append(channel)

    def may_act(self, constraint) -> bool:
        """Whether a constraint does something on some frame."""
        return checks.acts(constraint, self.animated)

    def is_free(self, name: str) -> bool:
        """Whether nothing but its parents and its own keys moves the bone."""
        return not (self.turning.get(name) or self.driven.get(name))

    def why_moved(self, name: str) -> str:
        """Return in words what moves the bone."""
        if self.driven.get(name):
            return f"{name} has a driver on {self.driven[name][0]}: remove or mute it"
        if self.turning.get(name):
            owner, constraint = self.turning[name][0]
            moved = f"{name} is moved by the constraint {constraint.name} of {owner.name}"
            return f"{moved}: mute it or set its influence to 0"
        return f"{name} cannot be moved by its own keys: use the control or the parent that moves it"

    def upstream(self, names: Iterable[str]) -> set[str]:
        """Return the bones that these depend on, by parents and by constraints, and these themselves."""
        found: set[str] = set()
        waiting = list(names)
        while waiting:
            name = waiting.pop()
            if name in found:
                continue
            found.add(name)
            bone = self.ob.pose.bones[name]
            if bone.parent is not None:
                waiting.append(bone.parent.name)
            for owner, constraint in self.turning.get(name, ()):
                waiting.append(owner.name)
                waiting += self.bones_targeted(constraint)
        return found

    def bones_targeted(self, constraint) -> list[str]:
        """Return the bones of this armature that a constraint looks at, also through objects that follow them."""
        bones = self.ob.pose.bones
        named = [name for target, name in targets(constraint) if target == self.ob]
        for target in self.objects_targeted(constraint):
            named += self._bones_carrying(target)
        return [name for name in named if name in bones]

    def objects_targeted(self, constraint) -> list[Any]:
        """Return the other objects that a constraint looks at."""
        return [target for target, _ in targets(constraint) if target != self.ob]

    def _bones_carrying(self, obj) -> list[str]:
        """Return the bones of this armature that an object follows, by parents or constraints."""
        found = []
        for link in takewhile(lambda link: link != self.ob, checks.with_parents(obj)):
            if link.parent == self.ob and link.parent_type == "BONE":
                found.append(link.parent_bone)
            found += [name for each in link.constraints for target, name in targets(each) if target == self.ob]
        return found


def target_objects(ob) -> list[Any]:
    """Return the other objects that constraints of the object's bones look at, and those that they follow."""
    found: list[Any] = []
    for constraint in (constraint for bone in ob.pose.bones for constraint in bone.constraints):
        for link, _ in targets(constraint):
            while link is not None and link != ob and link not in found:
                found.append(link)
                link = link.parent
    return found


def targets(constraint) -> Iterator[tuple[Any, str]]:
    """Return each object that a constraint looks at, and the bone of it."""
    pairs = [(constraint, "target", "subtarget"), (constraint, "pole_target", "pole_subtarget")]
    pairs += [(target, "target", "subtarget") for target in getattr(constraint, "targets", ())]
    for owner, target, subtarget in pairs:
        if getattr(owner, target, None) is not None:
            yield getattr(owner, target), getattr(owner, subtarget, "")
