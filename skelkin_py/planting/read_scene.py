# SPDX-License-Identifier: MIT
"""What a clip says as a whole: which way is up, when its feet stand, on which soles, how they are held."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import _core
from .foot import Foothold, FootModel, HeldFoot, LegTrack, Levels
from .given_contacts import GivenLeg, given_parts, given_pins, given_spans
from .leg_tracks import Subset, refused
from .loops import Loop, about_open
from .remarks import about_bones, about_lone
from .scene import Scene, Standing
from .settings import Asked, Settings
from .up_axis import about_up, given_up

Array = NDArray[np.float64]


def read_motion(subset: Subset, local: Array, fps: float, settings: Settings) -> tuple[Scene, Standing, Array]:
    """Return what is read, and the motion to plan in local matrices: the clip's, or that of its loop.

    ValueError: it cannot be planted.
    """
    given = _given_legs(subset, settings, len(local))
    try:
        told = _core.learn(subset, local, fps, _asked(settings, given), settings.ground)
    except _core.RefusalError as error:
        raise refused(error, subset, len(local), settings) from None
    tracks, up, loop = [LegTrack(**leg) for leg in told["tracks"]], told["up"], Loop(**told["loop"])
    about = about_lone(told["clip_alone"]), about_open(loop, up, told["why_open"])
    remarks = [*about_up(up, told["up_share"]), *about_bones(subset, told["no_bones"]), *filter(None, about)]
    scene = Scene(
        subset=subset,
        settings=settings,
        fps=fps,
        planting=told["planting"],
        tracks=tracks,
        up=up,
        frames=(0, len(tracks[0].hip) - 1) if told["loops"] else settings.frames,
        loop=loop if told["loops"] else None,
        ground=told["ground"],
        alone=told["alone"],
        velocity=told["velocity"],
        pins=[leg.pins for leg in given] or [[] for _ in tracks],
        remarks=remarks,
    )
    return scene, standing_of(told["standing"]), told["motion"]


def settled_motion(scene: Scene) -> tuple[Standing, dict[str, Any]]:
    """Plant all of the motion so that the contacts are those of the result, too; return these, and what is planted."""
    try:
        told = _core.settle(scene.planting)
    except _core.RefusalError as error:
        raise refused(error, scene.subset, len(scene.tracks[0].hip), scene.settings) from None
    return standing_of(told["standing"]), told["solved"]


def _given_legs(subset: Subset, settings: Settings, num: int) -> list[GivenLeg]:
    """Return the contacts that are given for each leg of a clip of `num` frames; nothing where they are found."""
    if isinstance(settings.contacts, str):
        return []
    out, given, names = [], settings.contacts, [leg.name for leg in subset.legs]
    spans, pins = given_spans(given, names, num), given_pins(given, names, num)
    for whole, apart, pinned in zip(spans, given_parts(given, names, num), pins, strict=True):
        heel, ball = apart or (None, None)
        out.append(GivenLeg(whole, heel, ball, pinned))
    return out


def _asked(settings: Settings, given: list[GivenLeg]) -> Asked:
    """Return the options of the extension."""
    velocity = settings.ground_velocity
    return Asked(
        mode=settings.contacts if isinstance(settings.contacts, str) else "given",
        given=given,
        first=settings.frames[0],
        last=settings.frames[1],
        up=given_up(settings.up),
        belt="unknown" if velocity is None else "given" if isinstance(velocity, np.ndarray) else "measured",
        belt_velocity=velocity if isinstance(velocity, np.ndarray) else np.zeros(3),
        sole=settings.sole,
        align=settings.align,
        max_slope=settings.max_slope,
        blend=settings.blend,
        reach=settings.reach,
        stretch=settings.stretch if settings.reach == "stretch" else 1.0,
        pelvis_acceleration=settings.pelvis_acceleration,
        toe_bend=float(np.radians(settings.toe_bend)),
        loop="auto" if isinstance(settings.loop, str) else "given" if settings.loop else "never",
    )


def standing_of(told: dict[str, Any]) -> Standing:
    """Return when feet stand and how they are held, as the extension tells it."""
    feet = [
        HeldFoot(foot["rises"], foot["held"], None if foot["foothold"] is None else Foothold(**foot["foothold"]))
        for foot in told["feet"]
    ]
    levels = None if told["levels"] is None else Levels(**told["levels"])
    models = [FootModel(**model) for model in told["models"]]
    return Standing(**{**told, "models": models, "feet": feet, "levels": levels})
