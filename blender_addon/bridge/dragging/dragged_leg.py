# SPDX-License-Identifier: GPL-3.0-or-later
"""Which bones move when a foot is dragged: thigh, shin and foot, or the control that the foot follows."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...core.foot_drag import Limb, limb
from ...core.state import Refused
from .. import leg_data
from ..rig import detached_feet, goals
from ..rig.leg_joints import standing, upwards, written_bones
from ..rig.leg_methods import Chooser, LegMethod
from ..rig.rig_map import RigMap


class DraggedLeg(NamedTuple):
    """A leg as it is when a drag begins; matrices are in armature space."""

    place: int | None  # among the legs of the object that are switched on; None where it is none of them
    ankle: str  # the foot that the mesh shows
    names: list[str]  # of the bones of `limb`
    limb: Limb
    sole: np.ndarray  # (P, 3) heel and toes at rest, as seen from the foot
    rest_foot: np.ndarray  # (4, 4)
    control: str  # the bone or object that leads the foot, empty where the leg's own bones are turned
    is_object: bool  # whether that is an object
    offset: np.ndarray  # (4, 4) the foot as seen from it

    @property
    def turned(self) -> list[tuple[int, str]]:
        """The bones of the leg that are turned, with their places in `limb`."""
        return [] if self.control else [(joint, self.names[joint]) for joint in self.limb.chain]


def find(context, ob, package, active: str) -> DraggedLeg:
    """Return the leg of a bone: one of the legs found or picked, else the bone with the two above it.

    Raises
    ------
    Refused
        If no leg has this bone, or something but keys moves it and no control leads its foot.
    """
    _, bones = detached_feet.read(package, ob)
    known = any(leg.enabled for leg in ob.skelkin_legs)  # else legs are looked for, and not kept
    rest = leg_data.rest_of(ob, bones)
    legs = leg_data.load(ob, bones) if known else detached_feet.find_legs(package, bones, rest)
    rig = RigMap(ob)
    joint = bones.names.index(active)
    own = [k for k, leg in enumerate(legs) if joint in _joints(bones, leg)]
    for k in own or range(len(legs)):
        place = k if known else None
        keyed = written_bones(package, bones, legs[k])
        is_free = all(map(rig.is_free, keyed)) and bones.names[legs[k].ankle] not in bones.detached
        if is_free and own:
            return _made(package, ob, bones, standing(package, bones, legs[k]), place)
        method = None if is_free else Chooser(context, ob, package, bones, legs).led_now(k)
        if method is not None and (own or active in method.written):
            return _made(package, ob, bones, standing(package, bones, method.leg), place, method)
        if own:
            held = next((name for name in keyed if not rig.is_free(name)), keyed[-1])
            raise Refused(f"The leg cannot be dragged: {_why_object_is_fixed(rig, keyed) or rig.why_moved(held)}")
    above = upwards(bones, joint)
    if len(above) < 3:
        raise Refused(f"{active} has no two bones above it: choose the bone of a foot")
    held = next((bones.names[each] for each in above[:3] if not rig.is_free(bones.names[each])), None)
    if held is not None:
        raise Refused(f"The leg cannot be dragged: {rig.why_moved(held)}")
    leg = package.legs.Leg(hip=above[2], knee=above[1], ankle=above[0])
    return _made(package, ob, bones, leg)


def _why_object_is_fixed(rig: RigMap, names: list[str]) -> str:
    """Say why an object that constraints of these bones aim at cannot be dragged; empty where there is none such."""
    constraints = [turning.constraint for name in names for turning in rig.turning.get(name, ())]
    targets = (getattr(constraint, "target", None) for constraint in constraints)
    return next(filter(None, (goals.why_fixed(obj) for obj in targets if obj not in (None, rig.ob))), "")


def _joints(bones, leg) -> set[int]:
    """Return the joints from the thigh down to the toes, and the heel."""
    end = leg.ankle if leg.toe is None else leg.toe
    return {leg.hip, leg.knee, leg.ankle, end, leg.heel, *upwards(bones, end)} - set(upwards(bones, leg.hip)[1:])


def _made(package, ob, bones, leg, place: int | None = None, method: LegMethod | None = None) -> DraggedLeg:
    hip, knee, ankle = leg.chain
    path = upwards(bones, ankle)
    path = path[: path.index(hip) + 1][::-1]
    toes = leg.toe if leg.toe is not None else next(iter(np.flatnonzero(bones.parents == ankle)), None)
    ends = [toes] if toes is not None and bones.parents[toes] == ankle else []
    names = [bones.names[joint] for joint in (*path, *ends)]
    rest = bones.rest[[*path, *ends]].astype(np.float64)
    pose = np.array([ob.pose.bones[name].matrix for name in names], dtype=np.float64)
    made = limb(package, rest, pose, (0, path.index(knee), len(path) - 1), names)
    foot = bones.rest[ankle].astype(np.float64)
    points = [bones.rest[joint][:3, 3] for joint in (leg.heel, leg.toe) if joint is not None]
    if leg.toe is not None:
        points.append(ob.data.bones[bones.names[leg.toe]].tail_local)
    sole = (np.array(points, dtype=np.float64).reshape(-1, 3) - foot[:3, 3]) @ foot[:3, :3]
    lead, offset = ("", np.eye(4)) if method is None else ((method.written or method.goals)[0], method.offsets[0])
    control = (lead, False) if isinstance(lead, str) else (lead.name, True)
    return DraggedLeg(place, bones.names[ankle], names, made, sole, foot, *control, offset)
