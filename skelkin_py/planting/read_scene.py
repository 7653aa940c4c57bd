# SPDX-License-Identifier: MIT
"""What is read from a whole clip: which way is up, when its feet stand, on which soles, how they are held."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import _core
from .._support.array_types import Floats
from .foot import Foothold, FootModel, HeldFoot, LegTrack, Levels
from .given_contacts import GivenLeg, given_legs
from .leg_tracks import Subset, refused
from .loops import Loop, about_open
from .remarks import about_bones, about_lone
from .scene import Scene, Standing
from .settings import EngineOptions, Settings
from .up_axis import about_up, given_up

_SAME_OPTIONS = ("sole", "align", "max_slope", "blend", "reach", "pelvis_acceleration")  # of the extension


def read_motion(subset: Subset, local: Floats, fps: float, settings: Settings) -> tuple[Scene, Standing, Floats]:
    """Return what is read, and the motion to plan in local matrices: the clip's, or that of its loop.

    ValueError: it cannot be planted.
    """
    names, found = [leg.name for leg in subset.legs], isinstance(settings.contacts, str)
    given = [] if found else given_legs(settings.contacts, names, len(local))
    try:
        learned = _core.learn(subset, local, fps, _engine_options(settings, given), settings.ground)
    except _core.RefusalError as error:
        raise refused(error, subset, len(local), settings) from None
    tracks, up, loop = [LegTrack(**leg) for leg in learned["tracks"]], learned["up"], Loop(**learned["loop"])
    about = about_lone(learned["clip_alone"]), about_open(loop, up, learned["why_open"])
    remarks = [*about_up(up, learned["up_share"]), *about_bones(subset, learned["no_bones"]), *filter(None, about)]
    scene = Scene(
        subset=subset,
        settings=settings,
        fps=fps,
        tracks=tracks,
        frames=(0, len(tracks[0].hip) - 1) if learned["loops"] else settings.frames,
        loop=loop if learned["loops"] else None,
        **{name: learned[name] for name in ("planting", "up", "ground", "alone", "velocity")},
        pins=[leg.pins for leg in given] or [[] for _ in tracks],
        remarks=remarks,
    )
    return scene, _standing(learned["standing"]), learned["motion"]


def settled_motion(scene: Scene) -> tuple[Standing, dict[str, Any]]:
    """Plant all of the motion, with contacts that match the result too; return these and the planted motion."""
    try:
        settled = _core.settle(scene.planting)
    except _core.RefusalError as error:
        raise refused(error, scene.subset, len(scene.tracks[0].hip), scene.settings) from None
    return _standing(settled["standing"]), settled["solved"]


def _engine_options(settings: Settings, given: list[GivenLeg]) -> EngineOptions:
    velocity = settings.ground_velocity
    return EngineOptions(
        mode=settings.contacts if isinstance(settings.contacts, str) else "given",
        given=given,
        first=settings.frames[0],
        last=settings.frames[1],
        up=given_up(settings.up),
        belt="unknown" if velocity is None else "given" if isinstance(velocity, np.ndarray) else "measured",
        belt_velocity=velocity if isinstance(velocity, np.ndarray) else np.zeros(3),
        stretch=settings.stretch if settings.reach == "stretch" else 1.0,
        toe_bend=float(np.radians(settings.toe_bend)),
        loop="auto" if isinstance(settings.loop, str) else "given" if settings.loop else "never",
        **{name: getattr(settings, name) for name in _SAME_OPTIONS},
    )


def _standing(fields: dict[str, Any]) -> Standing:
    """Return when feet stand and how they are held, from what the extension returns."""
    feet = [
        HeldFoot(foot["rises"], foot["held"], None if foot["foothold"] is None else Foothold(**foot["foothold"]))
        for foot in fields["feet"]
    ]
    levels = None if fields["levels"] is None else Levels(**fields["levels"])
    models = [FootModel(**model) for model in fields["models"]]
    return Standing(**{**fields, "models": models, "feet": feet, "levels": levels})
