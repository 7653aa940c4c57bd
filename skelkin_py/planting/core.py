# SPDX-License-Identifier: MIT
"""The steps of planting in order, on the joints that take part: read, detect, plan, solve, measure."""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from ..ground import Ground
from ..kinematics import forward_kinematics
from .blend import Span, frames_to_spans, smoothstep, span_mask
from .contacts import detect_contacts, find_treadmill, given_spans, limit_to_range
from .foot import FootModel, LegTrack, fit_foot
from .foot_paths import FootPaths, contact_rises, plan_paths, uneven_soles
from .foot_signal import foot_signal, standing_frames
from .foothold import Foothold, level_tracks, riding_tracks
from .leg_report import Contact, LegReport
from .leg_solve import solve_legs
from .leg_tracks import Subset, bone_remarks, leg_tracks
from .metrics import foot_curves, measure_contacts
from .report import LEG_METRES, Report
from .settings import Settings
from .stance import Hold, calmest, hold_flat, turned_foot
from .standable import read_footholds
from .toes import bend_toes
from .up_axis import axis_name, resolve_up

__all__ = ["Scene", "fade_in_range", "plant_subset", "read_scene"]

Array = NDArray[np.float64]

_FAR = 0.75  # leg: a body moved further than this did not stand on that ground
_REFITS = 4  # times at most that soles are fitted to what is held, and feet are held by their soles
_UNREACHED = 1e-4  # leg: an ankle further than this from its place has not reached it


@dataclass
class Scene:
    """What is known about a clip while it is planted.

    Parameters
    ----------
    subset, settings, fps
        What was given.
    tracks, models : list
        The legs' motion, and their soles.
    up : (3,) float64
        Unit vector.
    contacts : list of list of (first, last)
        Per leg.
    rises : list of list of float
        Per leg and contact, how far above the ground it stands.
    treadmill : (3,) float64 or None
        Velocity of the stance feet of an in-place cycle, leg lengths per second.
    ground : Ground or None
        The ground; None while unknown.
    holds : list of Hold
        Per leg, how it is held where it stands flat.
    first_models, hold_models : list of FootModel
        The soles by which contacts, and by which holds were found, before they were fitted to what is held.
    contacts_outside : bool
        Whether there are contacts, all of them outside the range that is worked on.
    footholds : list of (Foothold or None), optional
        Per leg, the ground under the foot where it slopes or moves; None where all of it is level.
    messages : list of str
        What to tell the user.
    """

    subset: Subset
    settings: Settings
    fps: float
    tracks: list[LegTrack]
    models: list[FootModel]
    up: Array
    contacts: list[list[Span]]
    rises: list[list[float]]
    treadmill: Array | None
    ground: Ground | None
    holds: list[Hold]
    first_models: list[FootModel] = field(default_factory=list)
    hold_models: list[FootModel] = field(default_factory=list)
    contacts_outside: bool = False
    footholds: list[Foothold | None] | None = None
    messages: list[str] = field(default_factory=list)

    @property
    def num_frames(self) -> int:
        """Length of the clip."""
        return len(self.tracks[0].hip)

    @property
    def pin(self) -> bool:
        """Whether feet are held in the level plane too."""
        return self.settings.contacts != "ground_only" and self.treadmill is None

    @property
    def window(self) -> int:
        """Frames over which corrections fade."""
        return max(1, round(self.settings.blend * self.fps))


def plant_subset(
    subset: Subset, local: Array, fps: float, settings: Settings, start: float
) -> tuple[Array, dict[int, NDArray[np.intp]], Report]:
    """Plant the feet of a subset's local matrices.

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
    start : float
        When the work began, by `time.perf_counter`.

    Returns
    -------
    local : (F, S, 4, 4) float64
        The planted local matrices.
    changed : dict joint → (n,) int
        Per changed joint the frames in which it differs.
    report : Report
        What was done.
    """
    matrices = forward_kinematics(subset.skeleton, local)
    scene = read_scene(subset, matrices, fps, settings)
    if not any(scene.contacts):
        scene.messages.append(_nothing_message(scene))
        return local, {}, _report(scene, scene.tracks, None, np.zeros((len(local), len(scene.tracks))), start)
    flat = scene.ground is None or scene.ground.level is not None
    level, scene.rises = contact_rises(scene.tracks, scene.models, scene.contacts, scene.up, flat)
    scene.ground = ground = Ground(level) if scene.ground is None else scene.ground
    scene.messages += _contact_messages(scene)
    ramp = fade_in_range(np.arange(len(local)), len(local), settings.frames, scene.window)
    stretch = settings.stretch if settings.reach == "stretch" else 1.0
    paths = plan_paths(
        scene.tracks,
        scene.models,
        scene.contacts,
        scene.rises,
        scene.holds,
        ground,
        scene.up,
        fps,
        pin=scene.pin,
        reach=settings.reach,
        stretch=stretch,
        window=scene.window,
        ramp=ramp,
        footholds=scene.footholds,
        body=None if subset.mover is None else matrices[:, subset.mover, :3, 3],
        most=settings.pelvis_acceleration * float(np.mean([t.length for t in scene.tracks])),
    )
    scene.messages += _distance_messages(scene, paths)
    planted, changed, errors = solve_legs(subset, local, matrices, scene.tracks, paths, fps, stretch)
    solved = forward_kinematics(subset.skeleton, planted)
    after = leg_tracks(subset, solved, scene.tracks)
    if settings.toe_bend > 0.0:
        limit = float(np.radians(settings.toe_bend))
        changed |= bend_toes(
            subset, planted, solved, after, scene.contacts, scene.rises, paths.held, ground, scene.up,
            limit=limit, window=scene.window, ramp=ramp,
        )  # fmt: skip
    return planted, changed, _report(scene, after, paths, errors, start)


def read_scene(subset: Subset, matrices: Array, fps: float, settings: Settings) -> Scene:
    """Read motion, up, soles and contacts."""
    tracks = leg_tracks(subset, matrices)
    hips = np.mean([t.hip for t in tracks], axis=0)
    top = hips if subset.head is None else matrices[:, subset.head, :3, 3]
    up, remark = resolve_up(settings.up, top, np.mean([t.ankle for t in tracks], axis=0))
    leg = float(np.mean([t.length for t in tracks]))
    ground = None if settings.ground is None else settings.ground.facing(up, leg, len(hips))
    soles = [
        leg.clearance if settings.sole is None else settings.sole / track.length
        for track, leg in zip(tracks, subset.legs, strict=True)
    ]
    found = _find_contacts(tracks, soles, up, fps, subset, settings)
    if ground is not None and ground.moves:
        # Was the motion made on the ground as it moves, or in a world that keeps still? There feet stand for longer.
        riding = _find_contacts(riding_tracks(tracks, ground, up), soles, up, fps, subset, settings)
        found = max(riding, found, key=lambda each: sum(b - a + 1 for spans in each[0] for a, b in spans))
    contacts, treadmill, still, models = found
    num = len(hips)
    scene = Scene(subset, settings, fps, tracks, models, up, contacts, [], treadmill, ground, [])
    first, last = settings.frames
    scene.contacts = limit_to_range(
        contacts, first + scene.window * (first > 0), last - scene.window * (last < num - 1)
    )
    scene.contacts_outside = any(contacts) and not any(scene.contacts)
    if ground is not None and ground.level is None and any(scene.contacts):
        options = (settings.align, settings.max_slope, scene.window, scene.pin)
        below = read_footholds(subset.legs, tracks, models, scene.contacts, ground, up, *options)
        scene.contacts, scene.footholds, remarks = below
        scene.messages += remarks
    scene.rises = [[0.0] * len(spans) for spans in scene.contacts]
    _hold_and_refit(scene, contacts, still, soles)
    scene.messages += [*([remark] if remark else []), *bone_remarks(subset, tracks)]
    return scene


def _find_contacts(
    tracks: list[LegTrack], soles: list[float | None], up: Array, fps: float, subset: Subset, settings: Settings
) -> tuple[list[list[Span]], Array | None, list[NDArray[np.bool_]], list[FootModel]]:
    """Return contacts, the velocity of an in-place cycle, frames in which feet are likely flat, and the soles."""
    still = [standing_frames(track, up, fps) for track in tracks]
    models = [fit_foot(t, up, s, c) for t, s, c in zip(tracks, still, soles, strict=True)]
    signals = [foot_signal(t, m, up, fps) for t, m in zip(tracks, models, strict=True)]
    lengths = [t.length for t in tracks]
    treadmill = find_treadmill(signals, np.mean([t.hip for t in tracks], axis=0), float(np.mean(lengths)), fps)
    num, mode = len(tracks[0].hip), settings.contacts
    if not isinstance(mode, str):
        contacts = given_spans(mode, [leg.name for leg in subset.legs], num)
    elif mode in ("always", "never"):
        contacts = [[(0, num - 1)] if mode == "always" else [] for _ in tracks]
    else:
        contacts = detect_contacts(signals, lengths, fps, treadmill)
    return contacts, treadmill, still, models


def _hold_and_refit(
    scene: Scene, contacts: list[list[Span]], still: list[NDArray[np.bool_]], soles: list[float | None]
) -> None:
    """Find where feet are held flat, and fit the soles once more to these moments.

    The soles that come of it are those that the planted clip gives too: planting it again changes nothing.
    """
    up, window = scene.up, max(1, scene.window // 2)
    scene.first_models = scene.hold_models = scene.models
    tracks = level_tracks(scene.tracks, scene.footholds)
    turned, holds = tracks, list[Hold]()
    for _ in range(_REFITS):
        pairs = zip(tracks, scene.models, scene.contacts, strict=True)
        known = [hold.spans for hold in holds]
        holds = [hold_flat(track, model, own, up, scene.fps, window) for track, model, own in pairs]
        if known == [hold.spans for hold in holds]:
            break
        for k, (track, hold) in enumerate(zip(tracks, holds, strict=True)):
            if scene.contacts[k]:
                still[k] = span_mask(hold.spans or calmest(track, scene.contacts[k]), scene.num_frames)
        scene.hold_models = scene.models
        scene.holds = holds if scene.pin else [Hold(np.zeros_like(hold.turn), []) for hold in holds]
        turned = [
            replace(track, foot=turned_foot(track, hold.turn)) for track, hold in zip(tracks, scene.holds, strict=True)
        ]
        scene.models = [fit_foot(t, up, s, c) for t, s, c in zip(turned, still, soles, strict=True)]
    high = uneven_soles(tracks, scene.models, contacts, up)
    if any(high):
        scene.models = [fit_foot(t, up, s, c, h) for t, s, c, h in zip(turned, still, soles, high, strict=True)]


def fade_in_range(index: NDArray[np.intp], num: int, frames: tuple[int, int], window: int) -> Array:
    """Return how much of a correction is allowed: 0 outside a range and 1 inside.

    Parameters
    ----------
    index : (N,) int
        The frames that are asked for.
    num : int
        Frames of the clip.
    frames : (first, last)
        The range.
    window : int
        Frames in which it goes from 0 to 1, at those of the range's ends that are not the clip's.

    Returns
    -------
    (N,) float64
        0 … 1.
    """
    first, last = frames
    ramp = np.ones(len(index))
    if first > 0:
        ramp *= smoothstep((index - first) / window)
    if last < num - 1:
        ramp *= smoothstep((last - index) / window)
    return ramp


def _nothing_message(scene: Scene) -> str:
    """Say why nothing changed."""
    num = scene.num_frames
    if scene.settings.contacts == "never":
        return "contacts='never': nothing changed"
    if not isinstance(scene.settings.contacts, str) and not scene.contacts_outside:
        return "contacts has no span for any leg: nothing changed"
    if num < 2 or num / scene.fps < 0.1:
        return f"a clip of {num} frame{'s' * (num != 1)} is shorter than a contact: nothing changed"
    if scene.contacts_outside:
        return (
            f"no contact lies inside frames {scene.settings.frames} less the {scene.window} frames in which "
            "corrections fade at its ends: nothing changed"
        )
    return "no foot ever stands on the ground: nothing changed"


def _distance_messages(scene: Scene, paths: FootPaths) -> list[str]:
    """Say so where the ground is so far from the feet that it, the axis or the unit is hardly what was meant."""
    far = float(np.abs(paths.body).max()) / float(np.mean([t.length for t in scene.tracks]))
    if far <= _FAR:
        return []
    return [
        f"the feet never come near the ground: the body is moved by {far:.3g} leg lengths to stand on it; "
        "are ground= and up= in the clip's unit and axes?"
    ]


def _contact_messages(scene: Scene) -> list[str]:
    """Say what is particular about the contacts."""
    messages = []
    if scene.treadmill is not None:
        messages.append(
            "in-place cycle: the stance feet move back at one steady velocity, so only heights are fixed; slide is "
            "measured relative to that velocity"
        )
    high = sum(rise > 0.0 for own in scene.rises for rise in own)
    if high:
        messages.append(
            f"{high} contact{'s stand' if high > 1 else ' stands'} far above the ground, on something that is not "
            "given: kept at the original height"
        )
    if scene.subset.mover is None:
        messages.append("the legs hang from no common joint: the body is not raised or lowered")
    if scene.settings.reach == "stretch":
        messages.append("bones of stretched legs change their length: formats without joint translations lose that")
    return messages


def _report(scene: Scene, after: list[LegTrack], paths: FootPaths | None, errors: Array, start: float) -> Report:
    """Measure both versions and put the report together."""
    num, settings, treadmill = scene.num_frames, scene.settings, scene.treadmill
    length = float(np.mean([t.length for t in scene.tracks]))
    metres = settings.metres_per_unit
    if metres is None:
        scene.messages.append(f"the unit is not known: a leg counts as {LEG_METRES} m in centimetre figures")
    records: list[Contact] = []
    legs: list[LegReport] = []
    ground = scene.ground or _lowest_ground(scene)
    for k in range(len(after)):
        leg, contacts = _leg_report(scene, ground, k, after[k], paths, errors[:, k])
        legs.append(leg)
        records += contacts
    return Report(
        contacts=tuple(records),
        legs=tuple(legs),
        num_frames=num,
        frames=settings.frames,
        fps=scene.fps,
        up=scene.up,
        up_name=axis_name(scene.up),
        ground=None if scene.ground is None else scene.ground.level,
        ground_estimated=settings.ground is None and scene.ground is not None,
        ground_velocity=None if treadmill is None else treadmill * length,
        metres_per_unit=LEG_METRES / length if metres is None else float(metres),
        unit_known=metres is not None,
        body_path=np.zeros((num, 3)) if paths is None else paths.body,
        added_acceleration=0.0 if paths is None else paths.acceleration,
        seconds=time.perf_counter() - start,
        messages=tuple(scene.messages),
    )


def _lowest_ground(scene: Scene) -> Ground:
    """Return the plane through the lowest point of all soles: with no foot standing, nothing tells of another."""
    pairs = zip(scene.tracks, scene.models, strict=True)
    return Ground(min(float(((t.ankle + m.outline(t.foot, scene.up)) @ scene.up).min()) for t, m in pairs))


def _leg_report(
    scene: Scene, ground: Ground, k: int, after: LegTrack, paths: FootPaths | None, errors: Array
) -> tuple[LegReport, list[Contact]]:
    """Measure leg k."""
    track, model, spans, rises = scene.tracks[k], scene.models[k], scene.contacts[k], scene.rises[k]
    step = None if scene.treadmill is None else scene.treadmill * (track.length / scene.fps)
    foothold = None if scene.footholds is None else scene.footholds[k]
    before_curves = foot_curves(track, model, ground, scene.up, scene.fps, step, foothold)
    after_curves = foot_curves(after, model, ground, scene.up, scene.fps, step, foothold)
    before = measure_contacts(before_curves, spans, rises)
    now = measure_contacts(after_curves, spans, rises)
    name = scene.subset.legs[k].name
    contacts = [
        Contact(k, name, first, last, old, new, rise)
        for (first, last), rise, old, new in zip(spans, rises, before, now, strict=True)
    ]
    missed = (errors > _UNREACHED * track.length) & span_mask(spans, len(errors))
    report = LegReport(
        name=name,
        contacts=spans,
        held=[] if paths is None else paths.held[k],
        length=track.length,
        sole=model.clearance * track.length,
        sole_source=model.source if scene.settings.sole is None else "given",
        before=before_curves,
        after=after_curves,
        unreachable=frames_to_spans(missed),
    )
    if missed.any():
        first, last = report.unreachable[0]
        scene.messages.append(
            f"the {name} leg cannot reach its place in {int(missed.sum())} frames, first in {first}–{last}: "
            + report.why_unreachable((first, last))
        )
    return report, contacts
