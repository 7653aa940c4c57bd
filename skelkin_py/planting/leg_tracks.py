# SPDX-License-Identifier: MIT
"""The part of a skeleton that planting works on: the legs, the joints above them, and the head."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from .. import _core
from .._support.array_types import Flags, Floats
from ..ik import rest_bend
from ..kinematics.forward import forward_kinematics
from ..legs import Leg, leg_names, listed_legs
from ..legs.limbs import ancestors
from ..legs.standing_leg import standing_leg
from ..skeleton import Skeleton
from .foot import LegTrack
from .remark import FRAME, Remark
from .settings import Settings
from .up_axis import axis_name

# Names of heads that are not called so in English.
_HEADS = frozenset(["頭", "j_kao", "Atama", "Kopf"])
# How fast hips and knees may turn: 1.5 times the original's fastest, plus 60°/s.
_FASTER = 1.5
_MORE = np.radians(60.0)  # rad/s
_SETTLED = 3  # frames: files often begin with a jump out of another pose
_NO_LOOP = "loop=True, but the clip is not a loop"
_WHAT = {  # what breaks the rule, by the argument that the extension names
    "global": "{joint} of the {leg} leg is at {value} in frame {frame}",
    "length": "legs[{k}] ({leg}) has a length of {value[0]:.3g}",
    "no_bones": "legs[{k}] ({leg}) has a bone of length zero: {bone} lie at one place in {value[0]:.0f} of {num} "
    "frames",
    "foot": "the {leg} foot is scaled to nothing at frame {frame}",
    "ankle": "ground: the {leg} ankle is at ({value[0]:.6g}, {value[1]:.6g}, {value[2]:.6g}) in frame {frame}",
    "given": "contacts[{leg!r}] in frame {frame}",
    "up": "ground_velocity is {velocity} and up {axis}",
    "working": "loop=True with frames={frames}",
    "gap": _NO_LOOP + ": the legs of its last pose are {value[0]:.3g} leg lengths off",
    "loop": _NO_LOOP,
}


@dataclass(frozen=True)
class LegPart:
    """One leg inside a Subset; joints are counted there."""

    chain: tuple[int, int, int]  # upper, lower and end joint
    toe: int | None  # the toe joint
    end_site: Floats | None  # (3,) end site of the foot, where there is no toe joint
    name: str  # as `leg_names` calls it
    side: str | None
    clearance: float | None  # sole thickness in leg lengths by the rest pose, where that shows it
    marker: Floats | None  # (3,) a joint that marks the heel, in the foot joint's frame at rest
    # (3,) up in the foot joint's frame at rest, where the rest pose stands on the origin's plane
    rest_up: Floats | None = None
    tip: Floats | None = None  # (3,) the tip of the toes in the toe joint's frame
    # (3,) the side to which the rest pose bends in the upper joint's frame; zeros where it is unknown
    bend: Floats = field(default_factory=lambda: np.zeros(3))


@dataclass(frozen=True)
class Subset:
    """Some joints of a skeleton, closed towards the root."""

    joints: NDArray[np.intp]  # (S,) the joints in the full skeleton, rising
    skeleton: Skeleton  # the same joints as a skeleton of their own
    legs: list[LegPart]
    # the joint that carries the body (counted in the subset); None where the legs have no common ancestor
    mover: int | None
    head: int | None


def _body_joint(parents: Sequence[int], legs: Sequence[Leg], head: int | None) -> int | None:
    """Return the joint that carries the body: the pelvis that the legs name, else the nearest joint above all of them.

    In rigs with a pelvis of the legs beside the trunk it is the joint that carries both, found by the head.
    """
    lines = [ancestors(parents, leg.chain[0])[1:] for leg in legs]
    common = [j for j in lines[0] if all(j in line for line in lines)] if lines else []
    named = {leg.pelvis for leg in legs}
    pelvis = common[0] if common else None
    if len(named) == 1 and (only := named.pop()) is not None and only in common:
        pelvis = only
    if pelvis is None or head is None:
        return pelvis
    over = ancestors(parents, head)
    return next((j for j in ancestors(parents, pelvis) if j in over), pelvis)


def check_legs(skeleton: Skeleton, legs: Sequence[Leg]) -> None:
    """Check that legs fit a skeleton.

    ValueError: there is no leg, one is there twice, a joint is out of range or not below the one before it, or a leg is
    too long at rest. TypeError: `legs` is not a sequence of Leg.
    """
    if not listed_legs(legs):
        raise ValueError(
            "legs: no leg was found in this skeleton, or none was given; "
            "give their joints: legs=[Leg(hip, knee, ankle), ...]"
        )
    num, parents = skeleton.num_joints, [int(p) for p in skeleton.parents]

    def called(joint: int) -> str:
        return f"joint {joint} {skeleton.names[joint]!r}"

    for k, leg in enumerate(legs):
        if leg.chain in [other.chain for other in legs[:k]]:
            raise ValueError(f"legs[{k}] is the same leg as an earlier one: give every leg once")
        places = [*zip(("upper", "lower", "end"), leg.chain, strict=True)]
        for place, joint in places:
            if not 0 <= joint < num:
                raise ValueError(f"legs[{k}] {place} joint is {joint}: it must be one of the {num} joints")
        for (high, above), (low, end) in pairwise(places):
            if above not in ancestors(parents, end)[1:]:
                raise ValueError(f"legs[{k}]: {called(end)} ({low}) is not below {called(above)} ({high})")
        if leg.toe is not None and (not 0 <= leg.toe < num or end not in ancestors(parents, leg.toe)):
            raise ValueError(f"legs[{k}] toe joint is {leg.toe}: it must be below {called(end)} (end)")
        if leg.heel is not None and not 0 <= leg.heel < num:
            raise ValueError(f"legs[{k}] heel joint is {leg.heel}: it must be one of the {num} joints")
        size = float(np.abs(np.diff(skeleton.rest_global[list(leg.chain), :3, 3], axis=0)).max())
        if size > _core.LONGEST_LEG:
            raise ValueError(f"legs[{k}] at rest has a length of {size:.3g}: {_core.LEG_SIZE}")


def subset_of(skeleton: Skeleton, legs: Sequence[Leg], mover: int | None, translations: Floats | None = None) -> Subset:
    """Pick the joints that planting needs.

    `skeleton`: the full skeleton. `legs`: its legs, checked. `mover`: the joint that raises and lowers the body; None
    picks it. `translations` (F, J, 3), optional: local translations; the body is then moved by the nearest joint above
    the legs whose translation changes, else by the root. ValueError: `mover` is not above all legs. TypeError: `mover`
    is not an index.
    """
    parents = [int(p) for p in skeleton.parents]
    names = list(skeleton.names)
    titles = leg_names(legs, names)
    legs = [standing_leg(parents, np.asarray(skeleton.rest_global, dtype=np.float64), leg) for leg in legs]
    heads = [j for j, name in enumerate(names) if "head" in str(name).lower() or str(name) in _HEADS]
    head = min(heads, key=lambda j: len(ancestors(parents, j))) if heads and len(legs) == 2 else None
    if mover is None:
        mover = _body_joint(parents, legs, head)
        if mover is not None and translations is not None:
            line = ancestors(parents, mover)
            mover = next((j for j in line if np.ptp(translations[:, j], axis=0).any()), line[-1])
    elif isinstance(mover, (bool, np.bool_)) or not isinstance(mover, (int, np.integer)):
        raise TypeError(f"pelvis is {mover!r}: the index of a joint is needed")
    elif not all(mover in ancestors(parents, leg.chain[0])[1:] for leg in legs):
        raise ValueError(f"pelvis is {mover}: it must be above all legs")
    wanted = {j for leg in legs for j in (*ancestors(parents, leg.chain[2]), *ancestors(parents, leg.toe or 0))}
    if head is not None:
        wanted.update(ancestors(parents, head))
    joints = np.array(sorted(wanted), dtype=np.intp)
    place = {int(j): k for k, j in enumerate(joints)}
    part = Skeleton(
        [place[parents[j]] if parents[j] >= 0 else -1 for j in place],
        np.ascontiguousarray(skeleton.rest_local[joints]),
        [names[j] for j in place],
        np.ascontiguousarray(skeleton.inverse_bind[joints]),  # given where a rest pose has no inverses
    )
    parts = [_leg_part(skeleton, part, leg, title, place) for leg, title in zip(legs, titles, strict=True)]
    return Subset(joints, part, parts, *(None if j is None else place[j] for j in (mover, head)))


def _leg_part(skeleton: Skeleton, part: Skeleton, leg: Leg, name: str, place: dict[int, int]) -> LegPart:
    """Describe one leg in the joints of the subset."""
    end, foot = leg.chain[2], leg.chain[2] if leg.toe is None else leg.toe
    site = skeleton.end_sites.get(foot)
    tip = None if site is None else np.array(site, np.float64)
    try:
        fields = _core.rest_leg(skeleton, leg.chain, leg.toe, leg.heel, tip)
    except _core.RefusalError as error:
        what = f"skeleton.rest_global[{end}] ({skeleton.names[end]}) has no inverse"
        raise ValueError(f"{what}: {error.rule}") from None
    upper, lower, end = (place[joint] for joint in leg.chain)
    chain, toe = (upper, lower, end), None if leg.toe is None else place[leg.toe]
    return LegPart(chain=chain, toe=toe, name=name, side=leg.side, bend=rest_bend(part, chain), **fields)


def read_tracks(subset: Subset, local: Floats) -> list[LegTrack]:
    """Read the legs' motion from local matrices (F, S, 4, 4).

    ValueError: a bone of a leg has no length, a joint is beyond all measure, or a foot's matrix has no inverse.
    """
    try:
        return [LegTrack(**leg) for leg in _core.read_tracks(subset, local, None)]
    except _core.RefusalError as error:
        raise refused(error, subset, len(local)) from None


def refused(error: _core.RefusalError, subset: Subset, num: int, settings: Settings | None = None) -> ValueError:
    """Return the error to raise for a motion of `num` frames that the extension refuses with these settings."""
    legs, names, value, (first, second, *_) = subset.legs, subset.skeleton.names, error.value, (*error.index, 0, 0)
    if error.argument not in _WHAT:
        return error
    what = "up='auto'" if error.argument == "up" and not value else _WHAT[error.argument]
    k, frame = first, second
    if error.argument == "global":
        k, frame = next(k for k, leg in enumerate(legs) if second in leg.chain), first
    text = what.format(
        k=k,
        leg=legs[k].name,
        frame=FRAME,
        num=num,
        value=value,
        joint=names[second] if error.argument == "global" else None,
        bone=" and ".join(names[joint] for joint in legs[k].chain[second : second + 2]),
        axis=axis_name(np.array(value)) if error.argument == "up" and value else None,
        velocity=settings and np.array(settings.ground_velocity).tolist(),
        frames=settings and settings.frames,
    )
    return ValueError(Remark(f"{text}: {error.rule}", *([frame] if FRAME in text else [])))


def leg_tracks(subset: Subset, local: Floats, like: Sequence[LegTrack]) -> list[LegTrack]:
    """Read other motion of the same legs, whose lengths, balls and hinges are those of `like`."""
    return [LegTrack(**leg) for leg in _core.read_tracks(subset, local, like)]


def flat_frames(subset: Subset, local: Floats) -> Flags:
    """Tell in which frames (F,) a foot is scaled to nothing: to less than a thousandth of its largest scale."""
    feet = np.asarray(forward_kinematics(subset.skeleton, local))[:, [leg.chain[2] for leg in subset.legs], :3, :3]
    volumes = np.abs(np.linalg.det(feet))
    return np.asarray((volumes <= 1e-9 * volumes.max(axis=0)).any(axis=1))


def without_lone(local: Floats, alone: Flags) -> Floats:
    """Return local matrices (F, S, 4, 4) in which isolated frames have the pose of the nearest frame of the motion."""
    real = np.flatnonzero(~alone)
    nearest = np.interp(np.arange(len(alone)), real, np.arange(len(real))).round().astype(np.intp)
    return np.asarray(local[real[nearest]])


def turn_bounds(subset: Subset, local: Floats, fps: float) -> list[tuple[float, float]]:
    """Return by how many radians hip and knee of each leg may turn from frame to frame.

    `local` (F, S, 4, 4): local matrices of the original.
    """
    bounds = []
    for leg in subset.legs:
        turns = (_core.joint_turns(local, joint)[_SETTLED:] for joint in leg.chain[:2])
        hip, knee = (_FASTER * float(own.max(initial=0.0)) + float(_MORE / fps) for own in turns)
        bounds.append((hip, knee))
    return bounds


def turns_used(subset: Subset, local: Floats, bounds: Sequence[tuple[float, float]]) -> list[Floats]:
    """Return, per leg, the turn of hip or knee to each frame (F,) as a multiple of its bound, the larger of both.

    `bounds`: as `turn_bounds` returns them. Above 1 is too fast.
    """
    out = []
    for leg, limits in zip(subset.legs, bounds, strict=True):
        used = np.zeros(len(local))
        for joint, limit in zip(leg.chain[:2], limits, strict=True):
            np.maximum(used[1:], _core.joint_turns(local, joint) / limit, out=used[1:])
        used[1 : _SETTLED + 1] = 0.0
        out.append(used)
    return out
