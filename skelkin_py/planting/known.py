# SPDX-License-Identifier: MIT
"""Planting: what a clip says as a whole, and its parts, or all of it, planted by that."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ..ground import Ground
from ..kinematics import forward_kinematics
from .blend import Span, median
from .contact_search import tracks_on
from .contacts import ContactLimits, contact_limits, detect_contacts, limit_to_range
from .cost_tally import LegsMotion, glitch_limits
from .fade import Fade
from .foot import LegTrack, standing_feet
from .foot_paths import FootPaths, plan_paths
from .foot_signal import foot_signal
from .foothold import Foothold, level_tracks
from .held_foot import HeldFoot
from .leg_solve import solve_legs
from .leg_tracks import Subset, leg_tracks
from .levels import contact_rises, lowest_sole, sole_heights, whole_rise
from .lone_frames import cut_beside, lone_frames, without_lone
from .loop_ground import clip_ground
from .read_scene import read_motion
from .remarks import about_contacts, why_nothing
from .scene import Scene
from .settings import Settings
from .stance import Hold, foot_spin, hold_flat
from .standable import read_footholds
from .toes import Toes, bend_toes, read_skins
from .turn_bounds import turn_bounds

__all__ = ["Known", "Part", "Solved", "for_parts", "learn", "read_part", "solve_part", "unchanged"]

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Known:
    """What a clip as a whole says about each of its parts.

    Parameters
    ----------
    scene : Scene
        Of the clip, or of a sample of it: its up, soles, velocity, settings, loop and messages.
    stands : bool
        Whether a foot stands anywhere.
    level : float
        Height of the ground through the stance feet; where none stands, of the lowest point of all soles.
    turns : sequence of (float, float)
        Per leg, how fast hip and knee may turn, see `turn_bounds`.
    rise : float or None
        How far all of the motion is moved along up first, see `whole_rise`; None until it is known.
    limits : ContactLimits or None
        What contacts of parts are found by.
    along : list of (bool or None)
        Per leg, whether its feet lie along the ground already; None where the ground is level.
    toes : Toes or None
        The toes that may bend; None until they are known.
    glitches : sequence of (3,) float64 or None
        Per leg, beyond what the capture itself jumps, see `glitch_limits`; None until that is known.
    """

    scene: Scene
    stands: bool
    level: float
    turns: Sequence[tuple[float, float]]
    rise: float | None = None
    limits: ContactLimits | None = None
    along: Sequence[bool | None] = ()
    toes: Toes | None = None
    glitches: Sequence[Array] | None = None

    @property
    def ground(self) -> Ground:
        """The ground, given or estimated."""
        return Ground(self.level) if self.scene.ground is None else self.scene.ground


@dataclass(frozen=True)
class Part:
    """Some frames of a clip, read.

    Parameters
    ----------
    first : int
        The clip's frame that is the part's first.
    local : (N, S, 4, 4) float64
        Local matrices.
    tracks : list of LegTrack
        The legs' motion.
    contacts : list of list of (first, last)
        Per leg, in frames of the part.
    footholds : list of (Foothold or None)
        Per leg, the ground under the foot where it slopes or moves.
    ground : Ground
        The ground in these frames.
    num : int
        Frames of the clip.
    working : (first, last)
        The range of the clip to work on.
    alone : (N,) bool
        Lone frames; in `local` they have the pose of the motion beside them.
    feet : list of HeldFoot or None
        The feet as they are held; None where that follows from what is known of the clip.
    """

    first: int
    local: Array
    tracks: list[LegTrack]
    contacts: list[list[Span]]
    footholds: list[Foothold | None]
    ground: Ground
    num: int
    working: Span
    alone: NDArray[np.bool_]
    feet: list[HeldFoot] | None = None

    @property
    def frames(self) -> NDArray[np.intp]:
        """(N,) Which frames of the clip they are."""
        return self.first + np.arange(len(self.local))


@dataclass(frozen=True)
class Solved:
    """A part that is planted.

    Parameters
    ----------
    local : (N, S, 4, 4) float64
        Planted local matrices.
    changed : dict joint → (n,) int
        Per changed joint the rows in which it differs.
    errors : (N, C) float64
        Distance of every ankle from its target.
    after : list of LegTrack
        The legs' motion.
    rises : list of list of float
        Per leg and contact, how far above the ground it stands.
    paths : FootPaths
        What was planned.
    toes : Toes or None
        The toes that were bent.
    """

    local: Array
    changed: dict[int, NDArray[np.intp]]
    errors: Array
    after: list[LegTrack]
    rises: list[list[float]]
    paths: FootPaths
    toes: Toes | None = None


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
        return known, Part(0, clip, tracks, [[] for _ in tracks], none, ground, len(local), settings.frames, alone)
    level, given = 0.0, scene.ground is not None
    if scene.ground is None or scene.ground.level is not None:  # on any other, a foot stands where the ground is
        scene.levels, scene.rises = contact_rises(scene.tracks, scene.models, scene.contacts, scene.up, given=given)
        level = scene.levels.ground
    scene.messages += about_contacts(scene)
    known = Known(scene, True, level, turn_bounds(subset, motion, fps))
    footholds = scene.footholds or [None] * len(scene.tracks)
    scene.check_pins(known.ground.level)
    feet = scene.held_feet(scene.tracks, scene.contacts, scene.rises, scene.holds, footholds, known.ground.level)
    part = (scene.tracks, scene.contacts, footholds, known.ground, len(motion), scene.frames, scene.alone, feet)
    return known, Part(0, motion, *part)


def for_parts(known: Known, whole: Part) -> Known:
    """Return what is needed to plant parts of a clip one by one, with nothing that grows with it but its settings."""
    scene = known.scene
    seen = _seen(scene, whole.tracks, scene.ground)
    signals = [foot_signal(t, m, scene.up, scene.fps) for t, m in zip(seen, scene.first_models, strict=True)]
    limits = contact_limits(signals, [t.length for t in seen], scene.relative_velocity)
    along = [None if hold is None else hold.along for hold in whole.footholds]
    own = slice(None) if scene.loop is None or not known.stands else scene.loop.middle
    length = float(np.mean([t.length for t in seen]))
    glitches = glitch_limits(LegsMotion.of(whole.tracks).rows(own).jumps(), length)
    known = replace(known, limits=limits, along=along, glitches=glitches)
    if whole.feet is not None:
        if scene.frames == (0, whole.num - 1):
            stances = [foot.stance(known.ground, scene.up, scene.window) for foot in whole.feet]
            jumps = bool(whole.alone.any())
            known = replace(known, rise=whole_rise(whole.feet, stances, known.ground, scene.up, jumps=jumps))
        else:
            known = replace(known, rise=0.0)
        if scene.settings.toe_bend > 0.0:
            known = replace(known, toes=solve_part(known, whole).toes)
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
    subset, up, fps, window = scene.subset, scene.up, scene.fps, scene.window
    tracks = leg_tracks(subset, local, scene.tracks)
    alone = lone_frames(tracks, fps) & (scene.loop is None)
    if alone.any():
        local = without_lone(local, alone)
        tracks = leg_tracks(subset, local, scene.tracks)
    ground = known.ground.at(first + np.arange(len(local)))
    end = first + len(local) - 1
    if given is None:
        assert known.limits is not None
        seen = _seen(scene, tracks, ground)
        read = zip(seen, scene.first_models, known.limits.smoothing, strict=True)
        signals = [foot_signal(t, m, up, fps, smoothing) for t, m, smoothing in read]
        found = detect_contacts(signals, [t.length for t in tracks], fps, scene.relative_velocity, known.limits)
    else:
        found = [
            [(max(a, first) - first, min(b, end) - first) for a, b in own if a <= end and b >= first] for own in given
        ]
    low, high = frames[0] + window * (frames[0] > 0), frames[1] - window * (frames[1] < num - 1)
    contacts = (
        limit_to_range(found, max(low - first, 0), min(high, end) - first) if high >= first else [[] for _ in found]
    )
    contacts = cut_beside(contacts, alone, window)
    footholds: list[Foothold | None] = [None] * len(tracks)
    if ground.level is None and any(contacts):
        feet = standing_feet(tracks, scene.first_models, contacts)
        contacts, footholds, _ = read_footholds(
            subset.legs, feet, ground, up, scene.alignment, pin=scene.pin, part=True
        )
        pairs = zip(footholds, known.along, strict=True)
        footholds = [None if hold is None else replace(hold, along=bool(along)) for hold, along in pairs]
    return Part(first, local, tracks, contacts, footholds, ground, num, frames, alone)


def _seen(scene: Scene, tracks: list[LegTrack], ground: Ground | None) -> list[LegTrack]:
    """Return the legs' motion in the space in which contacts are looked for."""
    if ground is None or not scene.on_ground:
        return tracks
    return tracks_on(tracks, ground, scene.up, level_too=True) or tracks


def solve_part(known: Known, part: Part) -> Solved:
    """Plant some frames of a clip; those at the part's ends may be other ones in the whole clip."""
    scene, settings = known.scene, known.scene.settings
    feet = _held_feet(known, part) if part.feet is None else part.feet
    body = replace(scene.body(part.local, part.frames), rise=known.rise)
    fade = Fade.within(part.working, part.num, scene.window, part.frames, part.alone)
    paths = plan_paths(
        feet, body, part.ground, scene.up, scene.fps, reach=settings.leg_reach, fade=fade, blend=settings.blend
    )
    planted, changed, errors = solve_legs(scene.subset, part.local, part.tracks, paths, settings.leg_reach.stretch)
    after, toes = leg_tracks(scene.subset, planted, part.tracks), known.toes
    rises = [list(foot.rises) for foot in feet]
    if settings.toe_bend > 0.0:
        matrices = forward_kinematics(scene.subset.skeleton, planted)
        if toes is None:
            skins = read_skins(scene.subset, matrices, part.contacts, rises, paths.held, part.ground, scene.up)
            toes = Toes(float(np.radians(settings.toe_bend)), skins)
        changed |= bend_toes(scene.subset, planted, matrices, feet, toes, part.ground, scene.up, fade)
    return Solved(planted, changed, errors, after, rises, paths, toes)


def unchanged(known: Known, part: Part) -> Solved:
    """Return what planting makes of frames in which no foot stands: the same."""
    num, feet = len(part.local), len(part.tracks)
    none = [np.zeros((num, 3)) for _ in range(feet)]
    paths = FootPaths(
        [track.ankle for track in part.tracks], none, [[] for _ in range(feet)], np.zeros((num, 3)), 0.0,
        [np.zeros(num, dtype=np.bool_)] * feet, [np.zeros(num)] * feet,
    )  # fmt: skip
    return Solved(part.local, {}, np.zeros((num, feet)), part.tracks, [[] for _ in range(feet)], paths)


def _held_feet(known: Known, part: Part) -> list[HeldFoot]:
    """Return the feet of a part, and how they are held."""
    scene = known.scene
    up, fps = scene.up, scene.fps
    holds, rises = [], []
    level = level_tracks(part.tracks, part.footholds)
    for track, model, before, spans in zip(level, scene.models, scene.hold_models, part.contacts, strict=True):
        hold = Hold(np.zeros_like(track.ankle), [])
        if scene.pin:
            hold = hold_flat(track, before, foot_spin(track, fps), spans, up, fps, max(1, scene.window // 2))
        holds.append(hold)
        heights, levels = sole_heights(track, model, up), scene.levels
        rises.append([levels.rise(median(heights[a : b + 1])) if levels else 0.0 for a, b in spans])
    return scene.held_feet(part.tracks, part.contacts, rises, holds, part.footholds, part.ground.level, part.first)


def _without_motion(scene: Scene) -> Scene:
    """Return the scene with nothing that grows with the clip but what its settings hold."""
    tracks = [_still(track) for track in scene.tracks]
    none = np.zeros(0, dtype=np.bool_)
    return replace(scene, tracks=tracks, holds=[], contacts=[], found=[], rises=[], footholds=None, alone=none)


def _still(track: LegTrack) -> LegTrack:
    empty = np.zeros((0, 3))
    return replace(track, hip=empty, knee=empty, ankle=empty, foot=np.zeros((0, 3, 3)), flexion=np.zeros(0))
