# SPDX-License-Identifier: MIT
"""The analysis of a clip, the planting of its whole motion, and a loop cut out of its unrolled motion."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from .. import _core
from .._support.array_types import Floats
from .foot import LegTrack, lowest_sole
from .leg_tracks import Subset, leg_tracks, turn_bounds
from .parts import Known, Part, Solved
from .read_scene import read_motion, settled_motion
from .remarks import about_contacts, about_standing, why_nothing
from .scene import Scene, Standing
from .settings import Settings


def learn(subset: Subset, local: Floats, fps: float, settings: Settings) -> tuple[Known, Part]:
    """Analyse a clip.

    Returns the analysis, and all frames; of a loop in which a foot stands, those of the unrolled motion.
    """
    scene, standing, motion = read_motion(subset, local, fps, settings)
    if any(standing.contacts):
        return _known_standing(scene, standing, motion, turn_bounds(subset, motion, fps))
    messages = [*about_standing(scene, standing), *scene.remarks, why_nothing(scene, standing.outside, len(local))]
    known = Known(scene, standing, lowest_sole(scene.tracks, standing.models, scene.up), (), messages)
    clip = motion if scene.loop is None else local
    return known, _all_frames(known, clip, leg_tracks(subset, clip, scene.tracks))


def _all_frames(known: Known, local: Floats, tracks: list[LegTrack]) -> Part:
    """Return all frames of a motion, or of the clip itself."""
    standing = known.standing
    return Part(
        local=local,
        tracks=tracks,
        contacts=standing.contacts,
        footholds=[foot.foothold for foot in standing.feet] or [None for _ in tracks],
        ground=known.ground,
        alone=known.scene.alone[: len(local)],
    )


def _known_standing(
    scene: Scene, standing: Standing, motion: Floats, turns: Sequence[tuple[float, float]]
) -> tuple[Known, Part]:
    """Return the analysis of a motion in which a foot stands, and all its frames."""
    messages = [*about_standing(scene, standing), *scene.remarks, *about_contacts(scene, standing)]
    known = Known(scene, standing, 0.0 if standing.levels is None else standing.levels.ground, turns, messages)
    scene.check_pins(known.ground.level)
    return known, _all_frames(known, motion, scene.tracks)


def solve_settled(known: Known, whole: Part) -> tuple[Known, Part, Solved]:
    """Plant a whole motion, with contacts that match the result too.

    Feet that are held stand for longer, or for less, than they stood when they slid. Returns the analysis with these
    contacts, all frames, and the planted motion.
    """
    standing, solution = settled_motion(known.scene)
    known, whole = _known_standing(known.scene, standing, whole.local, known.turns)
    changed = solution.pop("changed") & ~whole.alone
    solved = Solved(
        changed={joint: np.flatnonzero(rows) for joint, rows in enumerate(changed) if rows.any()},
        after=[LegTrack(**leg) for leg in solution.pop("after")],
        rises=[foot.rises for foot in standing.feet],
        held=[foot.held for foot in standing.feet],
        **solution,
    )
    return known, whole, solved


def unchanged(part: Part) -> Solved:
    """Return frames in which no foot stands as a planted motion: they do not change."""
    none: list[list[Any]] = [[] for _ in part.tracks]
    num, targets = len(part.local), [track.ankle for track in part.tracks]
    errors, body = np.zeros((num, len(targets))), np.zeros((num, 3))
    return Solved(part.local, {}, errors, part.tracks, none, none, targets, body, 0.0)


def cut_out(known: Known, part: Part, solved: Solved, last: Floats) -> tuple[Part, Solved]:
    """Return the clip's frames of an unrolled motion and of its planted version, whose last pose is its first.

    `last` (S, 4, 4): local matrices of the clip's last pose. A contact that crosses the seam ends there.
    """
    loop, subset = known.scene.loop, known.scene.subset
    assert loop is not None
    own = loop.middle
    before, after = part.local[own].copy(), solved.local[own].copy()
    before[-1] = last
    after[-1] = loop.closing_pose(subset, after[0].copy(), last, solved.changed, part.tracks[0].length)
    inside, flat = ([loop.roll_up(spans) for spans in each] for each in (part.contacts, solved.held))
    contacts, held = ([[span for span, _ in spans] for spans in each] for each in (inside, flat))
    rises = [[each[n] for _, n in spans] for spans, each in zip(inside, solved.rises, strict=True)]
    movers = [] if subset.mover is None else [subset.mover]
    closing = {*solved.changed, *movers, *(j for leg in subset.legs for j in leg.chain)}  # whose last pose may differ
    differs = [(j, np.flatnonzero(_core.changed_frames(before, after, j))) for j in closing]
    changed = {joint: rows for joint, rows in differs if rows.size}
    ground = known.ground.at(np.arange(loop.period + 1))
    part = part.at(own, subset, before, contacts=contacts, ground=ground)
    return part, solved.at(own, subset, after, changed=changed, rises=rises, held=held)
