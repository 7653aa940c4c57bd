# SPDX-License-Identifier: MIT
"""What a clip says as a whole: which way is up, when its feet stand, on which soles, how they are held."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import _core
from ..ground import Ground
from ..kinematics import forward_kinematics
from ..plant_options import CONTACT_MODES
from .foot import FootModel, LegTrack
from .foothold import Foothold, HeldFoot, Hold
from .given_contacts import given_parts, given_pins, given_spans
from .leg_tracks import Subset, read_tracks, without_lone
from .levels import Levels
from .loop_ground import LoopGround
from .loop_search import end_poses, loop_of, slips_away
from .loops import Loop
from .remarks import about_lone
from .scene import Scene
from .settings import Settings
from .spans import Span, joined_spans
from .up_axis import axis_name, resolve_up

__all__ = ["contacts_again", "held_feet", "read_motion", "with_contacts"]

Array = NDArray[np.float64]


def _up_of(
    subset: Subset, local: Array, tracks: list[LegTrack], fps: float, settings: Settings
) -> tuple[Array, list[str]]:
    """Return which way is up, and what to say about it."""
    feet = np.mean([t.ankle for t in tracks], axis=0)
    if subset.head is None:
        top = np.asarray(np.mean([t.hip for t in tracks], axis=0))
    else:
        top = forward_kinematics(subset.skeleton, local, joints=[subset.head])[:, 0, :3, 3]
    places = np.asarray(subset.skeleton.rest_global, dtype=np.float64)[:, :3, 3]
    tops = [leg.chain[0] for leg in subset.legs] if subset.head is None else [subset.head]
    rest = places[tops].mean(axis=0) - places[[leg.chain[2] for leg in subset.legs]].mean(axis=0)
    up, remark = resolve_up(settings.up, top, feet, rest, fps)
    return up, [remark] if remark else []


def read_motion(subset: Subset, local: Array, fps: float, settings: Settings) -> tuple[Scene, Array]:
    """Return the scene, and the motion to plan in local matrices: the clip's, or that of its loop."""
    tracks, bones = read_tracks(subset, local)
    alone = _core.lone_frames(tracks, fps) & (settings.loop is not True)
    if alone.any():
        local = without_lone(local, alone)
        tracks, bones = read_tracks(subset, local)
    up, remarks = _up_of(subset, local, tracks, fps, settings)
    remarks += bones
    loop, remark = None, about_lone(alone)
    if not alone.any():
        loop, remark = loop_of(end_poses(tracks), len(local), lambda: [tracks], up, fps, settings)
    remarks += [remark] * bool(remark)
    if loop is not None:
        motion = loop.unroll(local, subset.skeleton)
        unrolled, _ = read_tracks(subset, motion)
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
    again = _core.contacts_again(scene.handle, after)
    both = [joined_spans(own, more) for own, more in zip(scene.found, again, strict=True)]
    return None if both == scene.found else both


def with_contacts(scene: Scene, contacts: list[list[Span]]) -> Scene:
    """Return what the motion says where these are its contacts."""
    told = _core.stand_again(scene.handle, contacts)
    return _standing(replace(scene, found=contacts, messages=[]), told, scene.remarks)


def _read_tracks(
    subset: Subset,
    tracks: list[LegTrack],
    alone: NDArray[np.bool_],
    up: Array,
    loop: Loop | None,
    fps: float,
    settings: Settings,
) -> Scene:
    """Read soles, contacts, the ground below them, and how feet are held in them."""
    ground, num = _ground_of(tracks, up, loop, settings), len(tracks[0].hip)
    pins, wishes = _wishes(subset, settings, num if loop is None else loop.period + 1)
    told = _core.read_scene(subset, tracks, alone, up, fps, loop, wishes, ground)
    frames = settings.frames if loop is None else (0, num - 1)
    if len(told) == 3:
        none = Scene(subset, settings, fps, None, tracks, up, frames, loop, ground, alone, [], None, False, pins)
        raise ValueError(_fault(none, *told))
    handle, found, velocity, on_ground, stands = told
    scene = Scene(
        subset, settings, fps, handle, tracks, up, frames, loop, ground, alone, found, velocity, on_ground, pins
    )
    return _standing(scene, stands, [])


def _wishes(subset: Subset, settings: Settings, num: int) -> tuple[list[list[Any]], tuple[Any, ...]]:
    """Return the contacts of a clip of `num` frames that are given with more than a span, and what is asked for."""
    given, mode, names = None, len(CONTACT_MODES), [leg.name for leg in subset.legs]
    pins: list[list[Any]] = [[] for _ in names]
    if isinstance(settings.contacts, str):
        mode = CONTACT_MODES.index(settings.contacts)
    else:
        spans, pins = given_spans(settings.contacts, names, num), given_pins(settings.contacts, names, num)
        parts = [part or (None, None) for part in given_parts(settings.contacts, names, num)]
        given = [(own, *part, pin) for own, part, pin in zip(spans, parts, pins, strict=True)]
    asked = settings.ground_velocity
    belt, velocity = (2, asked) if isinstance(asked, np.ndarray) else (int(asked is not None), None)
    sole, slope = settings.sole, settings.max_slope
    return pins, (mode, given, settings.frames, belt, velocity, sole, settings.align, slope, settings.blend)


def _standing(scene: Scene, told: Any, remarks: list[str]) -> Scene:
    """Return the scene with what was told of its feet."""
    if len(told) == 3:
        raise ValueError(_fault(scene, *told))
    scene.contacts, scene.contacts_outside, models, feet, levels, holes, steep, left = told
    scene.models = [FootModel(*fields) for fields in models]
    scene.feet = held_feet(scene, scene.tracks, scene.contacts, feet)
    scene.remarks = remarks
    if levels is not None:
        scene.levels, scene.rises = Levels(*levels[0]), levels[1]
    scene.messages += [
        f"the ground {why} where feet would stand in {num} frame{'s' * (num > 1)}: there they are in no contact, and "
        "keep their own height above the body"
        for num, why in ((holes, "has a hole"), (steep, f"is steeper than {scene.settings.max_slope:g}°"))
        if num
    ]
    scene.messages += [
        f"the {leg.name} foot stands otherwise than given for its heel and ball in {num} frames"
        for leg, num in zip(scene.subset.legs, left, strict=True)
        if num
    ]
    scene.messages += remarks
    return scene


def held_feet(
    scene: Scene, tracks: Sequence[LegTrack], contacts: Sequence[Sequence[Span]], told: Sequence[Any]
) -> list[HeldFoot]:
    """Return feet as they are held, in all of the motion or in a part of it."""
    return [
        HeldFoot(
            track, model, spans, rises, Hold(turn, held), None if ground is None else Foothold(*ground), step,
            scene.pin, places,
        )
        for track, model, spans, (turn, held, ground, rises, step, places) in zip(
            tracks, scene.models, contacts, told, strict=bool(told)
        )
    ]  # fmt: skip


def _fault(scene: Scene, fault: int, leg: int, frame: int) -> str:
    """Say what stands in the way of planting; faults are those of csrc/planting/engine/scene.h."""
    name = scene.subset.legs[leg].name
    if fault == 1:
        asked = scene.settings.ground_velocity
        assert isinstance(asked, np.ndarray)
        told = f"ground_velocity is {asked.tolist()}: it must lie in the ground's plane, square to up"
        return f"{told} ({axis_name(scene.up)})"
    if fault == 2:
        return (
            f"contacts[{name!r}]: the clip is a loop, frame {frame} is frame 0 once more, and heel and ball stand "
            "otherwise there: give both alike, or loop=False"
        )
    if fault == 3:
        place = ", ".join(f"{x:.6g}" for x in scene.tracks[0].ankle[0])
        return (
            f"ground: there is none below or above any foot in any frame, such as at ({place}) in frame 0: is it in "
            "the clip's space, unit and axes?"
        )
    if fault == 4:
        return (
            f"contacts[{name!r}]: from frame {frame} on heel and ball stand otherwise than the foot does, and in a "
            "cycle in place only heights are corrected: give ground_velocity, or spans per foot"
        )
    return (
        f"contacts[{name!r}]: heel and ball differ in frame {frame}, and this foot has neither toe nor end site that "
        "tells them apart: give spans per foot"
    )


def _ground_of(tracks: list[LegTrack], up: Array, loop: Loop | None, settings: Settings) -> Ground | None:
    """Return the ground that is given, of a loop as it goes on below the unrolled motion."""
    if settings.ground is None:
        return None
    leg, num = float(np.mean([t.length for t in tracks])), len(tracks[0].hip)
    ground = settings.ground.facing(up, leg, num if loop is None else loop.period + 1)
    if loop is not None and ground.level is None and (loop.travels or ground.moves):
        return LoopGround(ground, loop, up)
    return ground
