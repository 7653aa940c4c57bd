# SPDX-License-Identifier: MIT
"""Planting: what a clip says, all of it planted by that, and a loop cut out of the motion that it was unrolled to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import _core
from .foot import Foothold, lowest_sole
from .leg_tracks import Subset, leg_tracks, turn_bounds
from .parts import Known, Part, Solved
from .read_scene import read_motion, settled_motion
from .remarks import about_contacts, why_nothing
from .scene import Scene
from .settings import Settings

Array = NDArray[np.float64]


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
        alone = scene.alone[: len(local)]
        whole = Part(
            local=clip, tracks=tracks, contacts=[[] for _ in tracks], footholds=none, ground=known.ground,
            alone=alone,
        )  # fmt: skip
        return known, whole
    return _known_standing(scene, motion, turn_bounds(subset, motion, fps))


def _known_standing(scene: Scene, motion: Array, turns: Sequence[tuple[float, float]]) -> tuple[Known, Part]:
    """Return what is known of motion in which a foot stands, and all of it."""
    scene.messages += about_contacts(scene)
    level = 0.0 if scene.levels is None else scene.levels.ground
    known = Known(scene, True, level, turns)
    scene.check_pins(known.ground.level)
    whole = Part(
        local=motion, tracks=scene.tracks, contacts=scene.contacts,
        footholds=[foot.foothold for foot in scene.feet], ground=known.ground, alone=scene.alone, feet=scene.feet,
    )  # fmt: skip
    return known, whole


def solve_settled(known: Known, whole: Part) -> tuple[Known, Part, Solved]:
    """Plant the whole of a clip so that the contacts are those of the result, too.

    Feet that are held stand for longer, or for less, than they stood when they slid. Returns what is known with these
    contacts, all of the clip, and how it is planted.
    """
    scene, told = settled_motion(known.scene)
    known, whole = _known_standing(scene, whole.local, known.turns)
    return known, whole, _solved(whole, told)


def _solved(part: Part, told: Any) -> Solved:
    """Return what the extension told of a part that is planted."""
    planted, legs, body, errors, changed, added = told
    feet = part.feet
    assert feet is not None
    after = [
        replace(track, hip=hip, knee=knee, ankle=ankle, foot=foot, flexion=flexion)
        for track, (hip, knee, ankle, foot, flexion, _, _) in zip(part.tracks, legs, strict=True)
    ]
    return Solved(
        local=planted,
        changed={joint: np.flatnonzero(rows) for joint, rows in enumerate(changed & ~part.alone) if rows.any()},
        errors=errors,
        after=after,
        rises=[list(foot.rises) for foot in feet],
        held=[foot.hold.spans for foot in feet],
        targets=[leg[5] for leg in legs],
        body=body,
        acceleration=added,
    )


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
