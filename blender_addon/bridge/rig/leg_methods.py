# SPDX-License-Identifier: GPL-3.0-or-later
"""By which keys each leg is planted: its own, its foot control's, or its own once it is released from constraints."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, NamedTuple

import numpy as np

from .. import checks
from ..checks import Refused
from ..poses import stepping
from . import carrier, controls, followers, goals, releases
from .leg_joints import standing, upwards, written_bones
from .releases import Hold
from .rig_map import RigMap
from .trials import Trial, trial

#: its own keys alone; its own keys, which other bones copy; those of a control, of an object; its own once released
KEYS, COPIED, CONTROL, GOAL, RELEASED = "keys", "copied", "control", "goal", "released"
#: what follows a control or an object
LED = (CONTROL, GOAL)
#: what was tried on some frames only, and another method is left to try
UNSURE = (COPIED, CONTROL, GOAL)
#: number of frames on which it is tried what follows what
_TRIED = 5
#: bones copy others where they are no further apart than this, of the leg and in radians
_SAME_PLACE, _SAME_TURN = 1e-3, 1.75e-3


class LegMethod(NamedTuple):
    """How one leg is planted."""

    name: str
    kind: str
    leg: Any  # the joints that are planted: those with the keys, or what the mesh follows
    ankle: str  # the bone that the mesh follows, which has to be where it was planned
    written: list[str]  # bones that get keys
    holds: list[Hold]
    pairs: list[tuple[str, str]]  # released: bone with keys → the one whose rotation it takes over, from hip to toes
    chain: list[str]  # released: hip, knee and ankle of those with keys
    carried: list[tuple[str, str]]  # bone with keys → the planted one that it goes as far as
    suspect: str  # what besides keys moves a bone above the leg
    offsets: list[np.ndarray]  # control: where the ankle is (4, 4) as seen from it, on the frames that were tried
    goals: list[Any]  # objects that moved the leg and get no keys, or the one that does

    def summary(self) -> str:
        """Return in words whose keys are written; empty where these are the leg's own and nothing else."""
        if self.kind == CONTROL:
            return f"the control {self.written[0]} gets the keys"
        if self.kind == GOAL:
            return f"the object {self.goals[0].name} gets the keys"
        held = [*map(str, self.holds), *(f"its goal {goal.name} is an object, which gets none" for goal in self.goals)]
        return f"its own bones get the keys, {', '.join(held)}" if held else ""


class Chooser:
    """Chooses a method for each leg of a rig."""

    def __init__(self, context, ob, package, bones, legs: list) -> None:
        self.context, self.ob, self.package, self.bones, self.legs = context, ob, package, bones, legs
        self.rig = RigMap(ob)
        self.shown = followers.shown_legs(package, ob, bones, legs)
        self.carrier = carrier.carrier(package, bones, self.rig, legs, self.shown)
        self.names = package.legs.leg.leg_names(legs, bones.names)

    def methods(self, frames: tuple[int, int], failed: Collection[tuple[str, str]]) -> list[LegMethod]:
        """Return the first method that fits for each leg, but for those of ``failed``, pairs of leg and method.

        Raises
        ------
        Refused
            If a leg has none, with bone and constraint and what to do.
        """
        found = [self._plain(k) for k in range(len(self.legs))]
        if all(found):
            return found
        leads = [[] if method is not None else self._candidates(k) for k, method in enumerate(found)]
        for k, method in enumerate(found):
            if method is None and not leads[k]:
                releases.check_drivers(self.rig, self._keyed(k), self._copies_of(k))
        picked = np.unique(np.linspace(*frames, _TRIED).round().astype(int)).tolist()
        with stepping(self.context) as frame_set, trial(self.context, self.ob) as tried:
            for k, method in enumerate(found):
                if method is None:
                    found[k] = self._even(k, leads[k], _Frames(frame_set, picked), tried, failed)
        return found

    def led_now(self, k: int) -> LegMethod | None:
        """Return the method of a leg whose foot a bone or an object leads on the frame at hand, None where none does.

        Raises
        ------
        Refused
            If the armature's uneven scale may be why.
        """
        leads = self._candidates(k, with_keys=False)
        with trial(self.context, self.ob) as tried:
            here = _Frames(lambda frame: None, [0])
            for lead in leads:
                if offsets := self._offsets(k, lead, here, tried):
                    return self._led(k, lead, offsets)
        if leads and (uneven := checks.uneven_scale(self.ob)):
            raise Refused(f"The foot follows no control: {uneven}")
        return None

    def _led(self, k: int, lead, offsets: list[np.ndarray]) -> LegMethod:
        """Return the method of a leg whose foot is led."""
        if isinstance(lead, str):
            return self._method(k, CONTROL, [lead], carried=[(lead, self._ankle(k))])._replace(offsets=offsets)
        return self._method(k, GOAL, [], goals=[lead])._replace(offsets=offsets)

    def _plain(self, k: int) -> LegMethod | None:
        if self._is_copied(k) or self._is_detached(k) or not self._is_free(k):
            return None
        return self._method(k, KEYS, self._keyed(k))

    def _keyed(self, k: int) -> list[str]:
        return written_bones(self.package, self.bones, self.legs[k])

    def _is_copied(self, k: int) -> bool:
        return self.shown[k] is not self.legs[k]

    def _is_detached(self, k: int) -> bool:
        """Whether the foot follows a control in the world, and the shin goes to it."""
        return self._ankle(k) in self.bones.detached

    def _is_free(self, k: int) -> bool:
        return all(map(self.rig.is_free, self._keyed(k)))

    def _method(self, k: int, kind: str, written: list[str], holds=(), pairs=(), carried=(), goals=()) -> LegMethod:
        planted = self.shown[k] if carried or goals else self.legs[k]
        chain = [self.bones.names[joint] for joint in standing(self.package, self.bones, self.legs[k]).chain]
        above = [self.bones.names[joint] for joint in upwards(self.bones, self.legs[k].hip)[1:]]
        suspect = next((self.rig.why_moved(name) for name in above if not self.rig.is_free(name)), "")
        turning = [turning for name in written if holds for turning in self.rig.turning.get(name, ())]
        left = [obj for _, constraint in turning for obj in self.rig.objects_targeted(constraint)]
        head = self.names[k], kind, planted, self._ankle(k), written
        return LegMethod(*head, [*holds], [*pairs], chain, [*carried], suspect, [], [*goals, *dict.fromkeys(left)])

    def _even(self, k: int, leads: list[Any], *given) -> LegMethod:
        """Return the method of a leg; where it has none, uneven scale may be why its controls do not lead it."""
        try:
            return self._tried(k, leads, *given)
        except Refused as refused:
            uneven = checks.uneven_scale(self.ob) if leads else ""
            if not uneven:
                raise
            raise Refused(f"{self.names[k]} leg: no control leads its foot: {uneven}") from refused

    def _tried(
        self, k: int, leads: list[Any], frames: _Frames, tried: Trial, failed: Collection[tuple[str, str]]
    ) -> LegMethod:
        name, keyed, pairs = self.names[k], self._keyed(k), self._pairs(k)
        if (name, COPIED) not in failed and self._is_free(k) and self._copies(pairs, frames, tried):
            has_toes_elsewhere = self.legs[k].toe is None and self.shown[k].toe is not None
            return self._method(k, COPIED, keyed, carried=pairs if has_toes_elsewhere else ())
        for lead in leads:
            kind = CONTROL if isinstance(lead, str) else GOAL
            if (name, kind) not in failed and (offsets := self._offsets(k, lead, frames, tried)):
                return self._led(k, lead, offsets)
        if self._is_detached(k):
            chain = [self.bones.names[joint] for joint in self.legs[k].segments]
            raise Refused(
                f"{name} leg: {chain[-1]} is not a child of {chain[-2]}, and no control moves both: let an IK "
                f"constraint of {chain[-2]} aim at the foot or at a bone above it that can move freely, and see that "
                f"the leg reaches it"
            )
        frames.middle()
        holds = releases.release(tried, self.ob, self.rig, keyed, self._copies_of(k), self._besides())
        toes = [bone for bone, _ in pairs if bone not in keyed]
        return self._method(k, RELEASED, [*keyed, *toes], holds, pairs, pairs if self._is_copied(k) else ())

    def _copies_of(self, k: int) -> dict[str, str]:
        """Return the bones that copy those with keys, and which each copies."""
        return {copy: keyed for keyed, copy in self._pairs(k)} if self._is_copied(k) else {}

    def _besides(self) -> list[str]:
        """Return the bones of the mesh that depend on no leg."""
        joints = {joint for leg in (*self.legs, *self.shown) for joint in (leg.hip, leg.knee, leg.ankle)}
        legs = {self.bones.names[joint] for joint in joints}
        deforming = (bone.name for bone in self.ob.pose.bones if bone.bone.use_deform)
        return [name for name in deforming if legs.isdisjoint(self.rig.upstream([name]))]

    def _pairs(self, k: int) -> list[tuple[str, str]]:
        """Return each bone with keys and the one that shows it: from hip to toes its copies, or itself."""
        leg, shown, names = self.legs[k], self.shown[k], self.bones.names
        if not self._is_copied(k):
            return [(name, name) for name in self._keyed(k)]
        joints = [(getattr(leg, joint), getattr(shown, joint)) for joint in ("hip", "knee", "ankle", "toe")]
        return [(names[one], names[other]) for one, other in joints if one is not None and other is not None]

    def _copies(self, pairs: list[tuple[str, str]], frames: _Frames, tried: Trial) -> bool:
        keyed, copies = zip(*pairs[:3], strict=True)
        rest = self.bones.rest[[[self.bones.names.index(name) for name in names] for names in (keyed, copies)]]
        offset = np.linalg.inv(rest[0]) @ rest[1]
        for _ in frames:
            wanted, found = tried.matrices(keyed) @ offset, tried.matrices(copies)
            length = np.linalg.norm(np.diff(found[:, :3, 3], axis=0), axis=1).sum()
            if np.linalg.norm((wanted - found)[:, :3, 3], axis=1).max() > _SAME_PLACE * length:
                return False
            if max(map(controls.apart, wanted, found)) > _SAME_TURN:
                return False
        return True

    def _candidates(self, k: int, *, with_keys: bool = True) -> list[Any]:
        """Return the bones, by name, and then the objects (``with_keys`` of their own) that may lead the foot."""
        names, parents = self.bones.names, self.bones.parents
        others = {names[int(parents[leg.hip])] for leg in (*self.legs, *self.shown)} | {names[self.carrier]}
        others |= {self._ankle(i) for i in range(len(self.legs)) if i != k}
        own = {
            names[joint]
            for leg in (self.legs[k], self.shown[k])
            for joint in set(upwards(self.bones, leg.ankle)) - set(upwards(self.bones, leg.hip)) | {leg.hip}
        }
        found = controls.candidates(self.package, self.ob, self.rig, self._ankle(k), others)
        upstream = sorted(self.rig.upstream([self._ankle(k)]))
        found = [name for name in found if name not in own]
        if self._is_detached(k):
            return [*found, *([self._ankle(k)] if controls.can_lead(self.ob, self.rig, self._ankle(k)) else [])]
        return [*found, *goals.candidates(self.rig, upstream, with_keys=with_keys)]

    def _ankle(self, k: int) -> str:
        return self.bones.names[standing(self.package, self.bones, self.shown[k]).ankle]

    def _offsets(self, k: int, control, frames: _Frames, tried: Trial) -> list[np.ndarray]:
        """Return where the ankle is as seen from the control that leads it, frame by frame; empty if that does not."""
        names, own = self.bones.names, standing(self.package, self.bones, self.shown[k])
        still = [names[self.carrier], *(names[leg.hip] for leg in self.shown)]
        still += [self._ankle(i) for i in range(len(self.legs)) if i != k]
        chain, offsets = [names[joint] for joint in own.chain], []
        limits = controls.limits(self.ob.pose.bones[control]) if isinstance(control, str) else []
        for _ in frames:
            for limit in limits:  # which may stop the control on its way
                tried.set(f"{limit.path_from_id()}.influence", 0.0)
            offset = controls.follows(tried, control, chain, still, is_detached=self._is_detached(k))
            if offset is None:
                return []
            offsets.append(offset)
        return offsets


class _Frames:
    """Frames to look at, one after the other; ``middle`` is one of them."""

    def __init__(self, frame_set, frames: list[int]) -> None:
        self._frame_set, self._frames = frame_set, frames

    def __iter__(self):
        for frame in self._frames:
            self._frame_set(frame)
            yield frame

    def middle(self) -> None:
        """Go to the frame in the middle."""
        self._frame_set(self._frames[len(self._frames) // 2])
