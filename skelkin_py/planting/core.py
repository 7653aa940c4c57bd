# SPDX-License-Identifier: MIT
"""The steps of planting in order, on the joints that take part: read, detect, plan, solve, measure."""

from __future__ import annotations

import time
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ..ground import Ground
from ..kinematics import forward_kinematics
from .blend import Span, frames_to_spans, span_mask
from .contact_search import find_standing
from .contacts import limit_to_range
from .fade import Fade
from .foot import LegTrack, fit_foot, standing_feet
from .foot_paths import FootPaths, plan_paths
from .foothold import level_tracks
from .heel_and_ball import GivenRoll, standing_flat
from .joint_motion import joint_places
from .leg_report import Contact, LegReport
from .leg_solve import changed_rows, solve_legs
from .leg_tracks import Subset, bone_remarks, leg_tracks
from .levels import contact_rises
from .loop_ground import LoopGround, clip_ground
from .loop_search import end_poses, loop_of, slips_away
from .loops import Loop
from .metrics import foot_curves, measure_contacts
from .remarks import about_contacts, about_distance, why_nothing
from .report import LEG_METRES, UNIT_UNKNOWN, PlantReport
from .scene import Scene
from .settings import Settings
from .stance import Hold, calmest, foot_spin, hold_flat, turned_foot
from .standable import read_footholds
from .toes import Toes, bend_toes, read_skins
from .turn_bounds import turn_bounds
from .turn_remarks import fastest_turns
from .uneven_soles import uneven_soles
from .up_axis import axis_name, resolve_up

__all__ = ["Scene", "plant_subset", "read_motion"]

Array = NDArray[np.float64]

_REFITS = 4  # times at most that soles are fitted to what is held, and feet are held by their soles
_UNREACHED = 1e-4  # leg: an ankle further than this from its place has not reached it


def plant_subset(
    subset: Subset, local: Array, fps: float, settings: Settings, start: float
) -> tuple[Array, dict[int, NDArray[np.intp]], PlantReport]:
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
    report : PlantReport
        What was done.
    """
    scene, motion = read_motion(subset, local, fps, settings)
    if not any(scene.contacts):
        scene = _cut_out(scene, local)
        scene.messages.append(why_nothing(scene))
        return local, {}, _report(scene, scene.tracks, None, np.zeros((len(local), len(scene.tracks))), start)
    ground = scene.ground
    if ground is None or ground.level is not None:  # on any other, a foot stands where the ground is
        level, scene.rises = contact_rises(scene.tracks, scene.models, scene.contacts, scene.up)
        ground = Ground(level) if ground is None else ground
    scene.ground = ground
    scene.messages += about_contacts(scene)
    frames = np.arange(len(motion))
    fade = Fade.within(scene.frames, len(motion), scene.window, frames)
    feet = scene.held_feet(scene.tracks, scene.contacts, scene.rises, scene.holds, scene.footholds)
    reach = settings.leg_reach
    body = scene.body(motion, frames)
    paths = plan_paths(
        feet, body, ground, scene.up, fps, reach=reach, fade=fade, blend=settings.blend
    )  # fmt: skip
    scene.messages += about_distance(scene, paths)
    planted, changed, errors = solve_legs(subset, motion, scene.tracks, paths, reach.stretch)
    bounds = turn_bounds(subset, motion, fps)
    turns = fastest_turns(scene, scene.tracks, scene.contacts, planted, bounds, paths, scene.number)
    scene.messages += [turn.remark for turn in turns if turn.remark]
    after = leg_tracks(subset, planted, scene.tracks)
    if settings.toe_bend > 0.0:
        solved = forward_kinematics(subset.skeleton, planted)
        skins = read_skins(subset, solved, scene.contacts, scene.rises, paths.held, ground, scene.up)
        toes = Toes(float(np.radians(settings.toe_bend)), skins)
        changed |= bend_toes(subset, planted, solved, feet, toes, ground, scene.up, fade)
    if (loop := scene.loop) is not None:
        planted = loop.roll_up_motion(subset, local, planted, changed, scene.tracks[0].length)
        changed = changed_rows(local, planted, loop.closing_joints(subset, changed))
        held = [[span for span, _ in loop.roll_up(spans)] for spans in paths.held]
        paths, errors = paths.part(loop.middle, held), errors[loop.middle]
        scene = _cut_out(scene, local)
        after = leg_tracks(subset, planted, scene.tracks)
    return planted, changed, _report(scene, after, paths, errors, start)


def _up_of(subset: Subset, local: Array, tracks: list[LegTrack], settings: Settings) -> tuple[Array, list[str]]:
    """Return which way is up, and what to say about it and about the bones."""
    feet = np.mean([t.ankle for t in tracks], axis=0)
    if subset.head is None:
        top = np.asarray(np.mean([t.hip for t in tracks], axis=0))
    else:
        top = joint_places(subset.skeleton, local, subset.head)
    up, remark = resolve_up(settings.up, top, feet)
    return up, [*([remark] if remark else []), *bone_remarks(subset, tracks)]


def read_motion(subset: Subset, local: Array, fps: float, settings: Settings) -> tuple[Scene, Array]:
    """Return the scene, and the motion to plan in local matrices: the clip's, or that of its loop."""
    tracks = leg_tracks(subset, local)
    up, remarks = _up_of(subset, local, tracks, settings)
    loop, remark = loop_of(end_poses(tracks), len(local), lambda: [tracks], up, fps, settings)
    remarks += [remark] * bool(remark)
    if loop is not None:
        motion = loop.unroll(local, subset.roots)
        scene = _read_tracks(subset, leg_tracks(subset, motion), up, loop, fps, settings)
        slips, remark = slips_away(loop, scene.never_lifts, up, settings)
        remarks += [remark] * bool(remark)
        if not slips:
            scene.messages += remarks
            return scene, motion
    scene = _read_tracks(subset, tracks, up, None, fps, settings)
    scene.messages += remarks
    return scene, local


def _cut_out(scene: Scene, local: Array) -> Scene:
    """Return the scene of a clip that was unrolled: its own frames, and what is known about them."""
    loop = scene.loop
    if loop is None:
        return scene
    tracks = leg_tracks(scene.subset, local, scene.tracks)
    inside = [loop.roll_up(spans) for spans in scene.contacts]
    contacts = [[span for span, _ in own] for own in inside]
    rises = [[known[number] for _, number in own] for own, known in zip(inside, scene.rises, strict=True)]
    footholds = scene.footholds
    if footholds is not None:
        footholds = [None if each is None else each.part(loop.middle) for each in footholds]
    return replace(
        scene, tracks=tracks, contacts=contacts, rises=rises, frames=(0, loop.period), footholds=footholds,
        ground=None if scene.ground is None else clip_ground(scene.ground),
    )  # fmt: skip


def _read_tracks(
    subset: Subset, tracks: list[LegTrack], up: Array, loop: Loop | None, fps: float, settings: Settings
) -> Scene:
    """Read soles, contacts and the ground below them."""
    leg, num = float(np.mean([t.length for t in tracks])), len(tracks[0].hip)
    ground = settings.ground
    if ground is not None:
        ground = ground.facing(up, leg, num if loop is None else loop.period + 1)
        if loop is not None and ground.level is None and (loop.travels or ground.moves):
            ground = LoopGround(ground, loop, up)
    soles = [
        leg.clearance if settings.sole is None else settings.sole / track.length
        for track, leg in zip(tracks, subset.legs, strict=True)
    ]
    found = find_standing(tracks, soles, ground, up, fps, subset, settings, loop)
    contacts, velocity, still, models, on_ground, rolls = found
    frames = settings.frames if loop is None else (0, num - 1)
    scene = Scene(
        subset, settings, fps, tracks, models, up, frames, loop, contacts, [], velocity, ground, [],
        on_ground=on_ground, rolls=rolls,
    )  # fmt: skip
    scene.found = contacts
    first, last = frames
    scene.contacts = limit_to_range(
        contacts, first + scene.window * (first > 0), last - scene.window * (last < num - 1)
    )
    scene.contacts_outside = any(contacts) and not any(scene.contacts)
    if ground is not None and ground.level is None and any(scene.contacts):
        feet = standing_feet(tracks, models, scene.contacts)
        below = read_footholds(subset.legs, feet, ground, up, scene.alignment, pin=scene.pin)
        scene.contacts, scene.footholds, remarks = below
        scene.messages += remarks
    scene.rises = [[0.0] * len(spans) for spans in scene.contacts]
    _hold_and_refit(scene, contacts, still, soles)
    return scene


def _hold_and_refit(
    scene: Scene, contacts: list[list[Span]], still: list[NDArray[np.bool_]], soles: list[float | None]
) -> None:
    """Find where feet are held flat, and fit the soles once more to these moments.

    The soles that come of it are those that the planted clip gives too: planting it again changes nothing.
    """
    up, window = scene.up, max(1, scene.window // 2)
    scene.first_models = scene.hold_models = scene.models
    tracks = level_tracks(scene.tracks, scene.footholds)
    spins = [foot_spin(track, scene.fps) for track in tracks]
    turned, holds, own = tracks, list[Hold](), scene.own_frames
    for _ in range(_REFITS):
        legs = zip(tracks, scene.models, spins, standing_flat(scene.contacts, scene.rolls), strict=True)
        known = [hold.spans for hold in holds]
        holds = [hold_flat(track, model, spin, spans, up, scene.fps, window) for track, model, spin, spans in legs]
        if known == [hold.spans for hold in holds]:
            break
        for k, (spin, hold) in enumerate(zip(spins, holds, strict=True)):
            if scene.contacts[k]:
                flat = span_mask(hold.spans or calmest(spin, scene.contacts[k]), scene.num_frames)
                still[k] = flat & own if (flat & own).any() else flat
        scene.hold_models = scene.models
        scene.holds = holds if scene.pin else [Hold(np.zeros_like(hold.turn), []) for hold in holds]
        turned = [
            replace(track, foot=turned_foot(track, hold.turn)) for track, hold in zip(tracks, scene.holds, strict=True)
        ]
        scene.models = [fit_foot(t, up, s, c) for t, s, c in zip(turned, still, soles, strict=True)]
    high = uneven_soles(tracks, scene.models, scene.contacts, up, scene.ground, scene.footholds)
    if any(high):
        fits = zip(scene.models, turned, still, soles, high, strict=True)
        scene.models = [fit_foot(t, up, s, c, h) if h and c is None else m for m, t, s, c, h in fits]
    if scene.rolls is not None:
        _hold_as_given(scene, tracks, soles)


def _hold_as_given(scene: Scene, tracks: list[LegTrack], soles: list[float | None]) -> None:
    """Turn the feet whose heel and ball are given to stand so, and fit their soles to that."""
    own = list(scene.holds)
    for k, given in enumerate(scene.rolls or []):
        if given is None or not scene.contacts[k]:
            continue
        name, foothold = scene.subset.legs[k].name, None if scene.footholds is None else scene.footholds[k]
        windows = (max(1, scene.window // 2), scene.window)
        inside, rest_up = span_mask(scene.contacts[k], scene.num_frames), scene.subset.legs[k].rest_up
        if rest_up is not None and not (given[inside] == 0).any():
            # Nothing in the motion shows this sole flat.
            scene.models[k] = fit_foot(tracks[k], scene.up, inside, soles[k], rest_up=rest_up)
        roll = GivenRoll(scene.tracks[k], foothold, scene.contacts[k], given, scene.up, scene.fps, windows)
        wrong = roll.wrong(scene.models[k], own[k].turn)
        if not wrong.any():
            continue
        frame = int(np.flatnonzero(wrong)[0])
        if not scene.pin:
            raise ValueError(
                f"contacts[{name!r}]: from frame {frame} on heel and ball stand otherwise than the foot does, and in a "
                "cycle in place only heights are corrected: give ground_velocity, or spans per foot"
            )
        if roll.points_alike(scene.models[k]):
            raise ValueError(
                f"contacts[{name!r}]: heel and ball differ in frame {frame}, and this foot has neither toe nor end "
                "site that tells them apart: give spans per foot"
            )
        for _ in range(_REFITS):
            known, scene.holds[k] = scene.holds[k].spans, roll.hold(scene.models[k], own[k])
            if known == scene.holds[k].spans:
                break
            flat = span_mask(scene.holds[k].spans, scene.num_frames)
            flat = flat & scene.own_frames if (flat & scene.own_frames).any() else flat
            if not flat.any():
                break
            turned = replace(tracks[k], foot=turned_foot(tracks[k], scene.holds[k].turn))
            scene.models[k] = fit_foot(turned, scene.up, flat, soles[k])
        left = int(roll.wrong(scene.models[k], scene.holds[k].turn).sum())
        if left:
            scene.messages.append(f"the {name} foot stands otherwise than given for its heel and ball in {left} frames")


def _report(scene: Scene, after: list[LegTrack], paths: FootPaths | None, errors: Array, start: float) -> PlantReport:
    """Measure both versions and put the report together."""
    num, settings = scene.num_frames, scene.settings
    length = float(np.mean([t.length for t in scene.tracks]))
    metres = settings.metres_per_unit
    if metres is None:
        scene.messages.append(UNIT_UNKNOWN)
    records: list[Contact] = []
    legs: list[LegReport] = []
    ground = scene.ground or _lowest_ground(scene)
    for k in range(len(after)):
        leg, contacts = _leg_report(scene, ground, k, after[k], paths, errors[:, k])
        legs.append(leg)
        records += contacts
    return PlantReport(
        contacts=tuple(records),
        legs=tuple(legs),
        num_frames=num,
        frames=settings.frames,
        fps=scene.fps,
        up=scene.up,
        up_name=axis_name(scene.up),
        ground=None if scene.ground is None else scene.ground.level,
        ground_estimated=settings.ground is None and scene.ground is not None,
        ground_velocity=scene.velocity,
        pinned=scene.pin,
        metres_per_unit=LEG_METRES / length if metres is None else float(metres),
        unit_known=metres is not None,
        body_path=np.zeros((num, 3)) if paths is None else paths.body,
        added_acceleration=0.0 if paths is None else paths.acceleration,
        seconds=time.perf_counter() - start,
        messages=tuple(scene.messages),
        loop=scene.loop is not None,
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
    step = scene.ground_step
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
