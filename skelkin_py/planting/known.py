# SPDX-License-Identifier: MIT
"""Planting a part of a clip by what is known of the whole, so that parts fit together."""

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
from .core import read_motion
from .fade import Fade
from .foot import LegTrack, standing_feet
from .foot_paths import FootPaths, plan_paths
from .foot_signal import foot_signal
from .foothold import Foothold, level_tracks
from .held_foot import HeldFoot
from .leg_solve import solve_legs
from .leg_tracks import Subset, leg_tracks
from .levels import contact_rises, sole_heights, standing_high, whole_rise
from .remarks import about_contacts
from .scene import Scene
from .settings import Settings
from .stance import Hold, foot_spin, hold_flat
from .standable import read_footholds
from .toes import Toes, bend_toes, read_skins
from .turn_bounds import turn_bounds

__all__ = ["Known", "Part", "Solved", "learn", "read_part", "solve_part", "without_motion"]

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Known:
    """What a clip as a whole says about each of its parts.

    Parameters
    ----------
    scene : Scene
        Of the clip, or of a sample of it: its up, soles, velocity, settings, loop and messages.
    limits : ContactLimits
        What contacts are found by.
    level : float
        Height of the ground through the stance feet.
    along : list of (bool or None)
        Per leg, whether its feet lie along the ground already; None where the ground is level.
    stands : bool
        Whether a foot stands anywhere.
    toes : Toes or None
        The toes that may bend; None where none may.
    rise : float
        How far all of the motion is moved along up first, see `whole_rise`.
    turns : sequence of (float, float)
        Per leg, how fast hip and knee may turn, see `turn_bounds`.
    """

    scene: Scene
    limits: ContactLimits
    level: float
    along: list[bool | None]
    stands: bool
    toes: Toes | None = None
    rise: float = 0.0
    turns: Sequence[tuple[float, float]] = ()

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
    """

    first: int
    local: Array
    tracks: list[LegTrack]
    contacts: list[list[Span]]
    footholds: list[Foothold | None]
    ground: Ground

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
    """

    local: Array
    changed: dict[int, NDArray[np.intp]]
    errors: Array
    after: list[LegTrack]
    rises: list[list[float]]
    paths: FootPaths


def learn(subset: Subset, local: Array, fps: float, settings: Settings, *, sample: bool = False) -> Known:
    """Read from a clip, or from a sample of it, what planting a part has to know.

    Of a loop it is that of the unrolled motion, and its parts are parts of that.

    Parameters
    ----------
    subset : Subset
        The joints.
    local : (F, S, 4, 4) float64
        Their local matrices.
    fps : float
        Frames per second.
    settings : Settings
        The options.
    sample : bool, default False
        Whether this is a sample only, which does not tell of single contacts.

    Returns
    -------
    Known
        What is known.
    """
    scene, local = read_motion(subset, local, fps, settings)
    seen = _seen(scene, scene.tracks, scene.ground)
    signals = [foot_signal(t, m, scene.up, fps) for t, m in zip(seen, scene.first_models, strict=True)]
    level = 0.0
    if any(scene.contacts):
        level, _ = contact_rises(scene.tracks, scene.models, scene.contacts, scene.up)
    holds = scene.footholds or [None] * len(scene.tracks)
    along = [None if hold is None else hold.along for hold in holds]
    limits = contact_limits(signals, [t.length for t in seen], scene.relative_velocity)
    known = Known(scene, limits, level, along, any(scene.contacts))
    if not known.stands:
        return known
    scene.messages += about_contacts(scene)
    known = replace(known, turns=turn_bounds(subset, local, fps))
    whole = Part(0, local, scene.tracks, scene.contacts, holds, known.ground)
    feet = _held_feet(known, whole)
    stances = [foot.stance(known.ground, scene.up, scene.window) for foot in feet]
    if scene.frames == (0, len(local) - 1):
        known = replace(known, rise=whole_rise(feet, stances, known.ground, scene.up))
    if settings.toe_bend > 0.0:
        solved = solve_part(known, whole, len(local), scene.frames)
        below = forward_kinematics(subset.skeleton, solved.local)
        found = read_skins(subset, below, whole.contacts, solved.rises, solved.paths.held, known.ground, scene.up)
        known = replace(known, toes=Toes(float(np.radians(settings.toe_bend)), found))
    return known


def read_part(
    known: Known, local: Array, first: int, num: int, given: Sequence[Sequence[Span]] | None, frames: Span
) -> Part:
    """Read some frames of a clip.

    Parameters
    ----------
    known : Known
        What `learn` returned.
    local : (N, S, 4, 4) float64
        Local matrices of the frames.
    first : int
        The first of them.
    num : int
        Frames of the clip.
    given : sequence of sequence of (first, last), optional
        Contacts of the whole clip per leg, where they are not found.
    frames : (first, last)
        The range of the clip to work on.

    Returns
    -------
    Part
        The frames and their contacts; those at the part's ends may be other ones in the whole clip.
    """
    scene = known.scene
    subset, up, fps, window = scene.subset, scene.up, scene.fps, scene.window
    tracks = leg_tracks(subset, local, scene.tracks)
    ground = known.ground.at(first + np.arange(len(local)))
    end = first + len(local) - 1
    if given is None:
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
    footholds: list[Foothold | None] = [None] * len(tracks)
    if ground.level is None and any(contacts):
        feet = standing_feet(tracks, scene.first_models, contacts)
        contacts, footholds, _ = read_footholds(
            subset.legs, feet, ground, up, scene.alignment, pin=scene.pin, part=True
        )
        pairs = zip(footholds, known.along, strict=True)
        footholds = [None if hold is None else replace(hold, along=bool(along)) for hold, along in pairs]
    return Part(first, local, tracks, contacts, footholds, ground)


def _seen(scene: Scene, tracks: list[LegTrack], ground: Ground | None) -> list[LegTrack]:
    """Return the legs' motion in the space in which contacts are looked for."""
    if ground is None or not scene.on_ground:
        return tracks
    return tracks_on(tracks, ground, scene.up, level_too=True) or tracks


def solve_part(known: Known, part: Part, num: int, frames: Span) -> Solved:
    """Plant some frames of a clip.

    Parameters
    ----------
    known : Known
        What `learn` returned.
    part : Part
        What `read_part` returned.
    num : int
        Frames of the clip.
    frames : (first, last)
        The range of the clip to work on.

    Returns
    -------
    Solved
        The planted frames; those at the part's ends may be other ones in the whole clip.
    """
    scene, stretch = known.scene, known.scene.settings.leg_reach.stretch
    paths, feet = _plan(known, part, num, frames)
    planted, changed, errors = solve_legs(scene.subset, part.local, part.tracks, paths, stretch)
    after = leg_tracks(scene.subset, planted, part.tracks)
    if known.toes is not None:
        matrices = forward_kinematics(scene.subset.skeleton, planted)
        fade = Fade.within(frames, num, scene.window, part.frames)
        changed |= bend_toes(scene.subset, planted, matrices, feet, known.toes, part.ground, scene.up, fade)
    return Solved(planted, changed, errors, after, [list(foot.rises) for foot in feet], paths)


def _held_feet(known: Known, part: Part) -> list[HeldFoot]:
    """Return the feet of a part, and how they are held."""
    scene = known.scene
    ground, up, fps = part.ground, scene.up, scene.fps
    holds, rises = [], []
    level = level_tracks(part.tracks, part.footholds)
    for track, model, before, spans in zip(level, scene.models, scene.hold_models, part.contacts, strict=True):
        hold = Hold(np.zeros_like(track.ankle), [])
        if scene.pin:
            hold = hold_flat(track, before, foot_spin(track, fps), spans, up, fps, max(1, scene.window // 2))
        holds.append(hold)
        heights = sole_heights(track, model, up)
        high = [median(heights[a : b + 1]) - known.level for a, b in spans]
        rises.append([standing_high(x, track) if ground.level is not None else 0.0 for x in high])
    return scene.held_feet(part.tracks, part.contacts, rises, holds, part.footholds)


def _plan(known: Known, part: Part, num: int, frames: Span) -> tuple[FootPaths, list[HeldFoot]]:
    """Plan where ankles and body go in a part, and return its feet."""
    scene, feet = known.scene, _held_feet(known, part)
    body = replace(scene.body(part.local, part.frames), rise=known.rise)
    fade = Fade.within(frames, num, scene.window, part.frames)
    settings = scene.settings
    paths = plan_paths(
        feet, body, part.ground, scene.up, scene.fps, reach=settings.leg_reach, fade=fade, blend=settings.blend
    )
    return paths, feet


def without_motion(scene: Scene) -> Scene:
    """Return the scene with nothing that grows with the clip but what its settings hold."""
    tracks = [_still(track) for track in scene.tracks]
    return replace(scene, tracks=tracks, holds=[], contacts=[], found=[], rises=[], footholds=None)


def _still(track: LegTrack) -> LegTrack:
    empty = np.zeros((0, 3))
    return replace(track, hip=empty, knee=empty, ankle=empty, foot=np.zeros((0, 3, 3)), flexion=np.zeros(0))
