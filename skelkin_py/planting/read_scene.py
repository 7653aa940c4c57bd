# SPDX-License-Identifier: MIT
"""What a clip says as a whole: which way is up, when its feet stand, on which soles, how they are held."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import _core
from ..motion.plant_options import CONTACT_MODES, GIVEN_CONTACTS, REACHES
from .foot import Foothold, FootModel, HeldFoot, Hold, LegTrack, Levels
from .given_contacts import given_parts, given_pins, given_spans
from .leg_tracks import Subset, about_bones, leg_trouble, tracks_of
from .loops import Loop, about_open, no_loop
from .remarks import about_lone
from .scene import Scene
from .settings import Settings
from .spans import Span
from .up_axis import NO_UP, about_up, axis_name, given_up

Array = NDArray[np.float64]


def read_motion(subset: Subset, local: Array, fps: float, settings: Settings) -> tuple[Scene, Array]:
    """Return the scene, and the motion to plan in local matrices: the clip's, or that of its loop.

    ValueError: it cannot be planted.
    """
    pins, options = asked_of(subset, settings, len(local))
    stopped, told = _core.learn(subset, local, fps, options, settings.ground)
    if stopped:
        raise ValueError(_fault(subset, settings, len(local), stopped, told))
    handle, motion, tracks, bones, lone, alone, up, share, faced, loops, around, left_open, *rest = told
    found, velocity, on_ground, feet = rest
    candidate = Loop(*around)
    loop = candidate if loops else None
    remarks = [*about_up(up, share), *about_bones(subset, bones)]
    remarks += [remark for remark in (about_lone(lone), about_open(candidate, up, left_open)) if remark]
    scene = Scene(
        subset, settings, fps, handle, tracks_of(subset, tracks), up, settings.frames, loop, faced, alone, found,
        velocity, on_ground, pins, remarks=remarks,
    )  # fmt: skip
    if loop is not None:
        scene.frames = (0, scene.num_frames - 1)
    return _standing(scene, feet), motion


def settled_motion(scene: Scene) -> tuple[Scene, Any]:
    """Plant all of the motion so that the contacts are those of the result, too.

    Returns the scene with these contacts, and what was planted, as `_core.solve_part` tells it.
    """
    stopped, told = _core.settle(scene.handle)
    if stopped:
        raise ValueError(_fault(scene.subset, scene.settings, scene.num_frames, stopped, told))
    found, feet, solved = told
    return _standing(replace(scene, found=found, messages=[]), feet), solved


def asked_of(subset: Subset, settings: Settings, num: int) -> tuple[list[list[Any]], tuple[Any, ...]]:
    """Return the contacts of a clip of `num` frames that are given with more than a span, and what is requested.

    The latter as the extension takes it, see csrc/python/planting/engine/planting_options.h.
    """
    given, mode, names = None, GIVEN_CONTACTS, [leg.name for leg in subset.legs]
    pins: list[list[Any]] = [[] for _ in names]
    if isinstance(settings.contacts, str):
        mode = CONTACT_MODES.index(settings.contacts)
    else:
        spans, pins = given_spans(settings.contacts, names, num), given_pins(settings.contacts, names, num)
        parts = [part or (None, None) for part in given_parts(settings.contacts, names, num)]
        given = [(own, *part, pin) for own, part, pin in zip(spans, parts, pins, strict=True)]
    asked = settings.ground_velocity
    belt, velocity = (2, asked) if isinstance(asked, np.ndarray) else (int(asked is not None), None)
    loop = 1 + settings.loop if isinstance(settings.loop, bool) else 0
    return pins, (
        mode, given, settings.frames, given_up(settings.up), belt, velocity, settings.sole, settings.align,
        settings.max_slope, settings.blend, REACHES.index(settings.reach), settings.bone_stretch,
        settings.pelvis_acceleration, float(np.radians(settings.toe_bend)), loop,
    )  # fmt: skip


def _standing(scene: Scene, told: Any) -> Scene:
    """Return the scene with what was told of its feet."""
    scene.contacts, scene.contacts_outside, models, feet, levels, holes, steep, left = told
    scene.models = [FootModel(*fields) for fields in models]
    scene.feet = held_feet(scene, scene.tracks, scene.contacts, feet)
    if levels is not None:
        scene.levels, scene.rises = Levels(*levels[0]), levels[1]
    scene.messages += [
        f"the ground {why} where feet would stand in {num} frame{'s' * (num > 1)}: they have no contact there, and "
        "keep their height relative to the body"
        for num, why in ((holes, "has a hole"), (steep, f"is steeper than {scene.settings.max_slope:g}°"))
        if num
    ]
    scene.messages += [
        f"the {leg.name} foot stands differently from its given heel and ball in {num} frames"
        for leg, num in zip(scene.subset.legs, left, strict=True)
        if num
    ]
    scene.messages += scene.remarks
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


def _fault(subset: Subset, settings: Settings, num: int, stopped: int, told: Any) -> str:
    """Say what stands in the way of planting: stops are those of csrc/python/planting/engine/planting_learn.c."""
    if stopped == 1:
        return leg_trouble(subset, num, *told)
    if stopped == 2:
        return NO_UP
    if stopped == 3:
        fault, gap = told
        return no_loop(fault, gap, settings, num)
    return _scene_fault(subset, settings, *told)


def _scene_fault(
    subset: Subset, settings: Settings, fault: int, leg: int, frame: int, up: Array, ankle: tuple[float, float, float]
) -> str:
    """Say why feet cannot be held; faults are those of csrc/planting/engine/scene.h."""
    name = subset.legs[leg].name
    if fault == 1:
        asked = settings.ground_velocity
        assert isinstance(asked, np.ndarray)
        told = f"ground_velocity is {asked.tolist()}: it must be horizontal, at right angles to up"
        return f"{told} ({axis_name(up)})"
    if fault == 2:
        return (
            f"contacts[{name!r}]: the clip is a loop, frame {frame} is frame 0 again, and heel and ball stand "
            "differently there: give both the same, or loop=False"
        )
    if fault == 3:
        place = ", ".join(f"{x:.6g}" for x in ankle)
        return (
            f"ground: there is none below or above any foot in any frame, such as at ({place}) in frame 0: check that "
            "it is in the clip's space, unit and axes"
        )
    if fault == 4:
        return (
            f"contacts[{name!r}]: from frame {frame} on heel and ball stand differently from the foot, and in a "
            "cycle in place only heights are corrected: give ground_velocity, or spans per foot"
        )
    return (
        f"contacts[{name!r}]: heel and ball differ in frame {frame}, and this foot has no toe or end site to "
        "distinguish them: give spans per foot"
    )
