# SPDX-License-Identifier: MIT
"""Planting: what a clip says, all of it planted by that, and a loop cut out of the motion that it was unrolled to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import _core
from .foot import lowest_sole
from .leg_tracks import Subset, leg_tracks, turn_bounds
from .parts import Known, Part, Solved
from .read_scene import read_motion, settled_motion
from .remarks import about_contacts, about_standing, why_nothing
from .scene import Scene, Standing
from .settings import Settings

Array = NDArray[np.float64]


def learn(subset: Subset, local: Array, fps: float, settings: Settings) -> tuple[Known, Part]:
    """Read a clip, or a sample of it.

    Returns `known`: what it says as a whole; `whole`: all of it; of a loop in which a foot stands, the unrolled motion.
    """
    scene, standing, motion = read_motion(subset, local, fps, settings)
    if any(standing.contacts):
        return _known_standing(scene, standing, motion, turn_bounds(subset, motion, fps))
    messages = [*about_standing(scene, standing), *scene.remarks, why_nothing(scene, standing.outside, len(local))]
    known = Known(scene, standing, lowest_sole(scene.tracks, standing.models, scene.up), (), messages)
    clip = motion if scene.loop is None else local
    tracks = leg_tracks(subset, clip, scene.tracks)
    whole = Part(
        local=clip,
        tracks=tracks,
        contacts=[[] for _ in tracks],
        footholds=[None for _ in tracks],
        ground=known.ground,
        alone=scene.alone[: len(local)],
    )
    return known, whole


def _known_standing(
    scene: Scene, standing: Standing, motion: Array, turns: Sequence[tuple[float, float]]
) -> tuple[Known, Part]:
    """Return what is known of motion in which a foot stands, and all of it."""
    messages = [*about_standing(scene, standing), *scene.remarks, *about_contacts(scene, standing)]
    known = Known(scene, standing, 0.0 if standing.levels is None else standing.levels.ground, turns, messages)
    scene.check_pins(known.ground.level)
    whole = Part(
        local=motion,
        tracks=scene.tracks,
        contacts=standing.contacts,
        footholds=[foot.foothold for foot in standing.feet],
        ground=known.ground,
        alone=scene.alone,
    )
    return known, whole


def solve_settled(known: Known, whole: Part) -> tuple[Known, Part, Solved]:
    """Plant the whole of a clip so that the contacts are those of the result, too.

    Feet that are held stand for longer, or for less, than they stood when they slid. Returns what is known with these
    contacts, all of the clip, and how it is planted.
    """
    standing, told = settled_motion(known.scene)
    known, whole = _known_standing(known.scene, standing, whole.local, known.turns)
    changed = told["changed"] & ~whole.alone
    solved = Solved(
        local=told["local"],
        changed={joint: np.flatnonzero(rows) for joint, rows in enumerate(changed) if rows.any()},
        errors=told["errors"],
        after=[replace(track, **leg) for track, leg in zip(whole.tracks, told["legs"], strict=True)],
        rises=[foot.rises for foot in standing.feet],
        held=[foot.held for foot in standing.feet],
        targets=told["targets"],
        body=told["body"],
        acceleration=told["acceleration"],
    )
    return known, whole, solved


def unchanged(part: Part) -> Solved:
    """Return what planting makes of frames in which no foot stands: the same."""
    num, feet = len(part.local), len(part.tracks)
    none: list[list[Any]] = [[] for _ in part.tracks]
    targets = [track.ankle for track in part.tracks]
    return Solved(part.local, {}, np.zeros((num, feet)), part.tracks, none, none, targets, np.zeros((num, 3)), 0.0)


def cut_out(known: Known, part: Part, solved: Solved, last: Array) -> tuple[Part, Solved]:
    """Return what was planted of the unrolled motion as that of the clip; its last pose is the planted first.

    `last` (S, 4, 4): local matrices of the clip's last pose. A contact that crosses the seam ends there.
    """
    loop, subset = known.scene.loop, known.scene.subset
    assert loop is not None
    own = loop.middle
    before, after = part.local[own].copy(), solved.local[own].copy()
    before[-1] = last
    after[-1] = loop.closing_pose(subset, after[0].copy(), last, solved.changed, part.tracks[0].length)
    inside, held = ([loop.roll_up(spans) for spans in each] for each in (part.contacts, solved.held))
    closing = loop.closing_joints(subset, solved.changed)
    differs = [(j, np.flatnonzero(_core.changed_frames(before, after, j))) for j in closing]
    return (
        Part(
            local=before,
            tracks=leg_tracks(subset, before, part.tracks),
            contacts=[[span for span, _ in spans] for spans in inside],
            footholds=[None if hold is None else hold.part(own) for hold in part.footholds],
            ground=known.ground.at(np.arange(loop.period + 1)),
            alone=part.alone[own],
        ),
        replace(
            solved,
            local=after,
            changed={joint: rows for joint, rows in differs if rows.size},
            errors=solved.errors[own],
            after=leg_tracks(subset, after, part.tracks),
            rises=[[own[n] for _, n in spans] for spans, own in zip(inside, solved.rises, strict=True)],
            held=[[span for span, _ in spans] for spans in held],
            targets=[target[own] for target in solved.targets],
            body=solved.body[own],
        ),
    )
