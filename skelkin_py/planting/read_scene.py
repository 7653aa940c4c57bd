# SPDX-License-Identifier: MIT
"""What a clip says as a whole: which way is up, when its feet stand, on which soles, how they are held."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from .. import _core
from ..ground import Ground
from .blend import Span, span_mask
from .contact_search import Standing, find_standing
from .contacts import joined_spans, limit_to_range
from .foot import FootModel, LegTrack, fit_foot, standing_feet
from .foothold import level_tracks
from .given_contacts import given_pins
from .heel_and_ball import GivenRoll, standing_flat
from .joint_motion import joint_places
from .leg_tracks import Subset, bone_remarks, leg_tracks
from .lone_frames import cut_beside, lone_frames, without_lone
from .loop_ground import LoopGround
from .loop_search import end_poses, loop_of, slips_away
from .loops import Loop
from .remarks import about_lone
from .scene import Scene
from .settings import Settings
from .slopes import read_footholds
from .stance import Hold, turned_foot
from .up_axis import resolve_up

__all__ = ["contacts_again", "read_motion", "with_contacts"]

Array = NDArray[np.float64]

_REFITS = 4  # times at most that soles are fitted to what is held, and feet are held by their soles


def _up_of(
    subset: Subset, local: Array, tracks: list[LegTrack], fps: float, settings: Settings
) -> tuple[Array, list[str]]:
    """Return which way is up, and what to say about it and about the bones."""
    feet = np.mean([t.ankle for t in tracks], axis=0)
    if subset.head is None:
        top = np.asarray(np.mean([t.hip for t in tracks], axis=0))
    else:
        top = joint_places(subset.skeleton, local, subset.head)
    places = np.asarray(subset.skeleton.rest_global, dtype=np.float64)[:, :3, 3]
    tops = [leg.chain[0] for leg in subset.legs] if subset.head is None else [subset.head]
    rest = places[tops].mean(axis=0) - places[[leg.chain[2] for leg in subset.legs]].mean(axis=0)
    up, remark = resolve_up(settings.up, top, feet, rest, fps)
    return up, [*([remark] if remark else []), *bone_remarks(subset, tracks)]


def read_motion(subset: Subset, local: Array, fps: float, settings: Settings) -> tuple[Scene, Array]:
    """Return the scene, and the motion to plan in local matrices: the clip's, or that of its loop."""
    tracks = leg_tracks(subset, local)
    alone = lone_frames(tracks, fps) & (settings.loop is not True)
    if alone.any():
        local = without_lone(local, alone)
        tracks = leg_tracks(subset, local)
    up, remarks = _up_of(subset, local, tracks, fps, settings)
    loop, remark = None, about_lone(alone)
    if not alone.any():
        loop, remark = loop_of(end_poses(tracks), len(local), lambda: [tracks], up, fps, settings)
    remarks += [remark] * bool(remark)
    if loop is not None:
        motion = loop.unroll(local, subset.roots)
        unrolled = leg_tracks(subset, motion)
        scene = _read_tracks(subset, unrolled, np.zeros(len(motion), dtype=np.bool_), up, loop, fps, settings)
        slips, remark = slips_away(loop, scene.never_lifts, up, settings)
        remarks += [remark] * bool(remark)
        if not slips:
            scene.remarks = remarks
            scene.messages += remarks
            return scene, motion
    scene = _read_tracks(subset, tracks, alone, up, None, fps, settings)
    scene.remarks = remarks
    scene.messages += remarks
    return scene, local


def contacts_again(scene: Scene, after: list[LegTrack]) -> list[list[Span]] | None:
    """Look in planted motion for contacts that go on for longer, or are new; None where there are no such."""
    if scene.settings.contacts not in ("auto", "ground_only"):
        return None
    soles, ground = _soles_of(scene.subset, after, scene.settings), scene.ground
    again = find_standing(after, soles, ground, scene.up, scene.fps, scene.subset, scene.settings, scene.loop)
    both = [joined_spans(own, more) for own, more in zip(scene.found, again.contacts, strict=True)]
    return None if both == scene.found else both


def with_contacts(scene: Scene, contacts: list[list[Span]]) -> Scene:
    """Return what the motion says where these are its contacts."""
    assert scene.standing is not None
    again = _stand(
        scene.subset, scene.tracks, scene.alone, scene.up, scene.loop, scene.fps, scene.settings,
        scene.standing._replace(contacts=contacts), scene.ground,
    )  # fmt: skip
    again.remarks = scene.remarks
    again.messages += scene.remarks
    return again


def _read_tracks(
    subset: Subset,
    tracks: list[LegTrack],
    alone: NDArray[np.bool_],
    up: Array,
    loop: Loop | None,
    fps: float,
    settings: Settings,
) -> Scene:
    """Read soles, contacts and the ground below them."""
    ground = _ground_of(tracks, up, loop, settings)
    found = find_standing(tracks, _soles_of(subset, tracks, settings), ground, up, fps, subset, settings, loop)
    return _stand(subset, tracks, alone, up, loop, fps, settings, found, ground)


def _ground_of(tracks: list[LegTrack], up: Array, loop: Loop | None, settings: Settings) -> Ground | None:
    """Return the ground that is given, of a loop as it goes on below the unrolled motion."""
    if settings.ground is None:
        return None
    leg, num = float(np.mean([t.length for t in tracks])), len(tracks[0].hip)
    ground = settings.ground.facing(up, leg, num if loop is None else loop.period + 1)
    if loop is not None and ground.level is None and (loop.travels or ground.moves):
        return LoopGround(ground, loop, up)
    return ground


def _soles_of(subset: Subset, tracks: list[LegTrack], settings: Settings) -> list[float | None]:
    """Return how thick soles are in leg lengths, where that is known."""
    return [
        leg.clearance if settings.sole is None else settings.sole / track.length
        for track, leg in zip(tracks, subset.legs, strict=True)
    ]


def _stand(
    subset: Subset,
    tracks: list[LegTrack],
    alone: NDArray[np.bool_],
    up: Array,
    loop: Loop | None,
    fps: float,
    settings: Settings,
    standing: Standing,
    ground: Ground | None,
) -> Scene:
    """Read the ground below contacts, and how feet are held in them."""
    num, contacts = len(tracks[0].hip), standing.contacts
    frames = settings.frames if loop is None else (0, num - 1)
    scene = Scene(
        subset, settings, fps, tracks, list(standing.models), up, frames, loop, contacts, [], standing.velocity, ground,
        [], on_ground=standing.on_ground, rolls=standing.rolls, alone=alone,
    )  # fmt: skip
    scene.standing, scene.found = standing, contacts
    if not isinstance(settings.contacts, str):
        names = [leg.name for leg in subset.legs]
        scene.pins = given_pins(settings.contacts, names, num if loop is None else loop.period + 1)
    first, last = frames
    scene.contacts = limit_to_range(
        contacts, first + scene.window * (first > 0), last - scene.window * (last < num - 1)
    )
    scene.contacts = cut_beside(scene.contacts, alone, scene.window)
    scene.contacts_outside = any(contacts) and not any(scene.contacts)
    if ground is not None and ground.level is None and any(scene.contacts):
        feet = standing_feet(tracks, scene.models, scene.contacts)
        below = read_footholds(feet, ground, up, scene.alignment, pin=scene.pin)
        scene.contacts, scene.footholds, remarks = below
        scene.messages += remarks
    scene.rises = [[0.0] * len(spans) for spans in scene.contacts]
    _hold_and_refit(scene, list(standing.still), _soles_of(subset, tracks, settings))
    return scene


def _hold_and_refit(scene: Scene, still: list[NDArray[np.bool_]], soles: list[float | None]) -> None:
    """Find where feet are held flat, and fit the soles once more to these moments.

    The soles that come of it are those that the planted clip gives too: planting it again changes nothing.
    """
    up, window = scene.up, max(1, scene.window // 2)
    scene.first_models = scene.hold_models = scene.models
    tracks = level_tracks(scene.tracks, scene.footholds)
    flat = standing_flat(scene.contacts, scene.rolls)
    models, by, holds, still = _core.hold_and_refit(
        tracks, scene.models, still, soles, scene.contacts, flat, scene.own_frames, up, scene.fps, window, scene.pin
    )
    scene.models = [FootModel(*fields) for fields in models]
    scene.hold_models = [FootModel(*fields) for fields in by]
    scene.holds = [Hold(*fields) for fields in holds]
    high = _core.uneven_soles(tracks, scene.models, scene.contacts, up, scene.ground, scene.footholds)
    for k, raised in enumerate(high):
        if raised and soles[k] is None:
            turned = replace(tracks[k], foot=turned_foot(tracks[k], scene.holds[k].turn))
            scene.models[k] = fit_foot(turned, up, still[k], None, raised)
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
        frame = scene.number(int(np.flatnonzero(wrong)[0]))
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
