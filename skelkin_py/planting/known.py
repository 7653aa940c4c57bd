# SPDX-License-Identifier: MIT
"""Planting: what a clip says as a whole, and its parts, or all of it, planted by that."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import _core
from ..ground import Ground
from ..plant_options import REACHES
from .cost import LegsMotion
from .foot import Foothold, HeldFoot, LegTrack, lowest_sole, stances_of, whole_rise
from .leg_tracks import Subset, leg_tracks, turn_bounds, without_lone
from .loops import clip_ground
from .read_scene import held_feet, read_motion, settled_motion
from .remarks import about_contacts, why_nothing
from .scene import Scene
from .settings import Settings
from .spans import Span, joined_spans

__all__ = [
    "Known",
    "LoopCut",
    "Part",
    "Solved",
    "for_parts",
    "learn",
    "read_part",
    "settle_part",
    "solve_part",
    "solve_settled",
]
__all__ += ["unchanged"]

Array = NDArray[np.float64]

_SETTLES = 4  # times at most that contacts are looked for once more, in the result


@dataclass(frozen=True)
class Known:
    """What a clip as a whole says about each of its parts."""

    scene: Scene  # of the clip, or of a sample of it: its up, soles, velocity, settings, loop and messages
    stands: bool  # whether a foot stands anywhere
    level: float  # height of the ground through the stance feet; where none stands, of the lowest point of all soles
    turns: Sequence[tuple[float, float]]  # per leg, how fast hip and knee may turn, see `turn_bounds`
    # how far all of the motion is moved along up first, see `whole_rise`; None until it is known
    rise: float | None = None
    # per leg, whether its feet lie along the ground already; None where the ground is level
    along: Sequence[bool | None] = ()
    # per leg, how much is below the tips of its toes; None until that is known
    skins: Sequence[float | None] | None = None
    # (K, 3) per leg, beyond what the capture itself jumps, see `LegsMotion.glitches`; None until that is known
    glitches: Array | None = None

    @property
    def ground(self) -> Ground:
        """The ground, given or estimated."""
        return Ground(self.level) if self.scene.ground is None else self.scene.ground


@dataclass(frozen=True, kw_only=True)
class Part:
    """Some frames of a clip, read."""

    first: int  # the clip's frame that is the part's first
    local: Array  # (N, S, 4, 4) local matrices
    tracks: list[LegTrack]  # the legs' motion
    contacts: list[list[Span]]  # per leg, in frames of the part
    footholds: list[Foothold | None]  # per leg, the ground under the foot where it slopes or moves
    ground: Ground  # the ground in these frames
    num: int  # frames of the clip
    working: Span  # the range of the clip to work on
    alone: NDArray[np.bool_]  # (N,) lone frames; in `local` they have the pose of the motion beside them
    feet: list[HeldFoot] | None = None  # the feet as they are held; None where none stands anywhere


@dataclass(frozen=True)
class Solved:
    """A part that is planted."""

    local: Array  # (N, S, 4, 4) planted local matrices
    changed: dict[int, NDArray[np.intp]]  # per changed joint the rows in which it differs
    errors: Array  # (N, C) distance of every ankle from its target
    after: list[LegTrack]  # the legs' motion
    rises: list[list[float]]  # per leg and contact, how far above the ground it stands
    held: list[list[Span]]  # per leg, where the foot is held flat
    targets: list[Array]  # per leg, where the ankle had to go
    body: Array  # (N, 3) how the body is moved
    acceleration: float  # by how much that makes its acceleration greater at worst, in the clip's units per s²
    # per leg, how much is below the tips of its toes, in the clip's units; None where they cannot be bent
    skins: Sequence[float | None] = ()


def learn(subset: Subset, local: Array, fps: float, settings: Settings) -> tuple[Known, Part]:
    """Read a clip, or a sample of it.

    Returns `known`: what it says as a whole; `whole`: all of it; of a loop in which a foot stands, the unrolled motion.
    """
    scene, motion = read_motion(subset, local, fps, settings)
    if not any(scene.contacts):
        scene.messages.append(why_nothing(scene, len(local)))
        known = Known(scene, False, lowest_sole(scene.tracks, scene.models, scene.up), ())
        clip = motion if scene.loop is None else local
        tracks, none = leg_tracks(subset, clip, scene.tracks), list[Foothold | None]([None] * len(scene.tracks))
        ground = known.ground if scene.loop is None else clip_ground(known.ground)
        alone = scene.alone[: len(local)]
        whole = Part(
            first=0, local=clip, tracks=tracks, contacts=[[] for _ in tracks], footholds=none, ground=ground,
            num=len(local), working=settings.frames, alone=alone,
        )  # fmt: skip
        return known, whole
    return _known_standing(scene, motion, turn_bounds(subset, motion, fps))


def _known_standing(scene: Scene, motion: Array, turns: Sequence[tuple[float, float]]) -> tuple[Known, Part]:
    """Return what is known of motion in which a foot stands, and all of it."""
    scene.messages += about_contacts(scene)
    level = 0.0 if scene.levels is None else scene.levels.ground
    known = Known(scene, True, level, turns)
    scene.check_pins(known.ground.level)
    whole = Part(
        first=0, local=motion, tracks=scene.tracks, contacts=scene.contacts,
        footholds=[foot.foothold for foot in scene.feet], ground=known.ground, num=len(motion), working=scene.frames,
        alone=scene.alone, feet=scene.feet,
    )  # fmt: skip
    return known, whole


def solve_settled(known: Known, whole: Part) -> tuple[Known, Part, Solved]:
    """Plant the whole of a clip so that the contacts are those of the result, too.

    Feet that are held stand for longer, or for less, than they stood when they slid. Returns what is known with these
    contacts, all of the clip, and how it is planted.
    """
    scene, told = settled_motion(known.scene)
    known, whole = _known_standing(scene, whole.local, known.turns)
    return known, whole, _solved(whole, told)


def for_parts(known: Known, whole: Part) -> Known:
    """Return what is needed to plant parts of a clip one by one, with nothing that grows with it but its settings."""
    scene = known.scene
    along = [None if hold is None else hold.along for hold in whole.footholds]
    own = slice(None) if scene.loop is None or not known.stands else scene.loop.middle
    length = float(np.mean([t.length for t in whole.tracks]))
    glitches = LegsMotion.of(whole.tracks).rows(own).glitches(length)
    known = replace(known, along=along, glitches=glitches)
    if whole.feet is not None:
        if scene.frames == (0, whole.num - 1):
            stances = stances_of(whole.feet, known.ground, scene.up, scene.window)
            jumps = bool(whole.alone.any())
            known = replace(known, rise=whole_rise(whole.feet, stances, known.ground, scene.up, jumps=jumps))
        else:
            known = replace(known, rise=0.0)
        if scene.settings.toe_bend > 0.0:
            known = replace(known, skins=solve_part(known, whole).skins)
    return replace(known, scene=_without_motion(scene))


def read_part(
    known: Known, local: Array, first: int, num: int, given: Sequence[Sequence[Span]] | None, frames: Span
) -> Part:
    """Read some frames of a clip.

    `known`: what `learn` returned. `local` (N, S, 4, 4): local matrices of the frames. `first`: the first of them.
    `given`, optional: contacts of the whole clip per leg, where they are not found. `frames`: the range of the clip to
    work on. Returns the frames and their contacts; those at the part's ends may be other ones in the whole clip.
    """
    scene = known.scene
    subset, fps = scene.subset, scene.fps
    tracks = leg_tracks(subset, local, scene.tracks)
    alone = _core.lone_frames(tracks, fps) & (scene.loop is None)
    if alone.any() and not alone.all():
        local = without_lone(local, alone)
        tracks = leg_tracks(subset, local, scene.tracks)
    ground, num_own = known.ground.at(first + np.arange(len(local))), len(local)
    found: list[list[Span]] = [[] for _ in tracks]  # also of frames that are scaled to nothing, all of them
    if given is None and not alone.all():
        found = _core.contacts_in_part(scene.handle, tracks, ground if scene.on_ground else None)
    elif given is not None:
        end = first + num_own - 1
        found = [
            [(max(a, first) - first, min(b, end) - first) for a, b in own if a <= end and b >= first] for own in given
        ]
    part = Part(
        first=first, local=local, tracks=tracks, contacts=found, footholds=[None] * len(tracks), ground=ground, num=num,
        working=frames, alone=alone,
    )  # fmt: skip
    return _standing_part(known, part)


def _standing_part(known: Known, part: Part) -> Part:
    """Return a part in which feet stand in those of its contacts that may be worked on, on the ground below them."""
    scene, window = known.scene, known.scene.window
    end, frames = part.first + len(part.local) - 1, part.working
    low, high = frames[0] + window * (frames[0] > 0), frames[1] - window * (frames[1] < part.num - 1)
    inside = (max(low - part.first, 0), min(high, end) - part.first) if high >= part.first else (0, -1)
    contacts, told = _core.hold_part(
        scene.handle, part.tracks, part.contacts, part.alone, part.ground,
        (part.first, inside, known.along or None, scene.pins, scene.loop),
    )  # fmt: skip
    feet = held_feet(scene, part.tracks, contacts, told)
    return replace(part, contacts=contacts, footholds=[foot.foothold for foot in feet], feet=feet)


def settle_part(known: Known, part: Part) -> tuple[Part, Solved]:
    """Plant a part whose contacts were looked for, so that they are those of the result, too; see `solve_settled`."""
    solved = solve_part(known, part)
    if known.scene.settings.contacts not in ("auto", "ground_only"):
        return part, solved
    for _ in range(_SETTLES):
        ground = part.ground if part.ground.level is None else None
        found = _core.contacts_in_part(known.scene.handle, solved.after, ground)
        both = [joined_spans(own, more) for own, more in zip(part.contacts, found, strict=True)]
        again = _standing_part(known, replace(part, contacts=both))
        if again.contacts == part.contacts:
            break
        part, solved = again, solve_part(known, again)
    return part, solved


def solve_part(known: Known, part: Part) -> Solved:
    """Plant some frames of a clip; those at the part's ends may be other ones in the whole clip."""
    scene, settings = known.scene, known.scene.settings
    assert part.feet is not None
    rest = (
        part.first, part.num, part.working, part.alone, scene.window, scene.fps, settings.blend,
        REACHES.index(settings.reach), settings.bone_stretch, settings.pelvis_acceleration,
        settings.contacts == "ground_only", known.rise, scene.drift, float(np.radians(settings.toe_bend)), known.skins,
        scene.ground is None,
    )  # fmt: skip
    return _solved(part, _core.solve_part(scene.subset, part.local, part.feet, part.ground, scene.up, rest))


def _solved(part: Part, told: Any) -> Solved:
    """Return what the extension told of a part that is planted."""
    planted, legs, body, errors, changed, added = told
    feet = part.feet
    assert feet is not None
    after = [
        replace(track, hip=hip, knee=knee, ankle=ankle, foot=foot, flexion=flexion)
        for track, (hip, knee, ankle, foot, flexion, _, _) in zip(part.tracks, legs, strict=True)
    ]
    return Solved(
        local=planted,
        changed={joint: np.flatnonzero(rows) for joint, rows in enumerate(changed & ~part.alone) if rows.any()},
        errors=errors,
        after=after,
        rises=[list(foot.rises) for foot in feet],
        held=[foot.hold.spans for foot in feet],
        targets=[leg[5] for leg in legs],
        body=body,
        acceleration=added,
        skins=[leg[6] for leg in legs],
    )


def unchanged(part: Part) -> Solved:
    """Return what planting makes of frames in which no foot stands: the same."""
    num, feet = len(part.local), len(part.tracks)
    none: list[list[Any]] = [[] for _ in part.tracks]
    targets = [track.ankle for track in part.tracks]
    return Solved(part.local, {}, np.zeros((num, feet)), part.tracks, none, none, targets, np.zeros((num, 3)), 0.0)


def _without_motion(scene: Scene) -> Scene:
    """Return the scene with nothing that grows with the clip but what its settings hold."""
    tracks, none = [_still(track) for track in scene.tracks], np.zeros(0, dtype=np.bool_)
    return replace(
        scene, handle=_core.scene_of_parts(scene.handle), tracks=tracks, contacts=[], found=[], feet=[], alone=none
    )


def _still(track: LegTrack) -> LegTrack:
    empty = np.zeros((0, 3))
    return replace(track, hip=empty, knee=empty, ankle=empty, foot=np.zeros((0, 3, 3)), flexion=np.zeros(0))


class LoopCut:
    """What was planted of the unrolled motion, cut out part after part, from the clip's first frame to its last.

    `last` (S, 4, 4): local matrices of the clip's last pose.
    """

    def __init__(self, known: Known, last: Array) -> None:
        assert known.scene.loop is not None
        self._loop, self._known, self._last = known.scene.loop, known, last
        self._first: Array | None = None
        self._changed: set[int] = set()

    def cut_out(self, part: Part, solved: Solved) -> tuple[Part, Solved]:
        """Return the clip's frames of a part, counted as those of the clip; its last pose is the planted first.

        `part`, `solved`: some frames of the unrolled motion; those of the first call hold the clip's first one. Returns
        `part, solved`: the same, as of a clip that is no loop; a contact that crosses the seam ends there.
        """
        loop, subset = self._loop, self._known.scene.subset
        own = slice(max(loop.middle.start - part.first, 0), min(loop.middle.stop - part.first, len(part.local)))
        first, stop = own.start + part.first - loop.margin, own.stop + part.first - loop.margin
        before, after = part.local[own].copy(), solved.local[own].copy()
        if self._first is None:
            assert first == 0
            self._first = after[0].copy()
        self._changed |= set(solved.changed)
        if stop > loop.period:
            before[-1] = self._last
            length = part.tracks[0].length
            after[-1] = loop.closing_pose(subset, self._first, self._last, self._changed, length)
        inside = [loop.roll_up([(a + part.first, b + part.first) for a, b in spans]) for spans in part.contacts]
        held = [loop.roll_up([(a + part.first, b + part.first) for a, b in spans]) for spans in solved.held]
        closing = loop.closing_joints(subset, self._changed)
        differs = [(j, np.flatnonzero(_core.changed_frames(before, after, j))) for j in closing]
        return (
            Part(
                first=first,
                local=before,
                tracks=leg_tracks(subset, before, part.tracks),
                contacts=[[(a - first, b - first) for (a, b), _ in spans] for spans in inside],
                footholds=[None if hold is None else hold.part(own) for hold in part.footholds],
                ground=clip_ground(self._known.ground).at(np.arange(first, stop)),
                num=loop.period + 1,
                working=(0, loop.period),
                alone=part.alone[own],
            ),
            replace(
                solved,
                local=after,
                changed={joint: rows for joint, rows in differs if rows.size},
                errors=solved.errors[own],
                after=leg_tracks(subset, after, part.tracks),
                rises=[[own[n] for _, n in spans] for spans, own in zip(inside, solved.rises, strict=True)],
                held=[[(a - first, b - first) for (a, b), _ in spans] for spans in held],
                targets=[target[own] for target in solved.targets],
                body=solved.body[own],
            ),
        )
