# SPDX-License-Identifier: MIT
"""Messages about a clip, and about legs that turn too fast and the contact that makes them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from .._support.array_types import Flags, Floats
from .foot import LegTrack
from .given_contacts import cycle_spans
from .leg_tracks import Subset, turns_used
from .loops import Loop, displacement_in_words
from .parts import Known, Part, Solved
from .remark import FRAME, Remark, in_frames, span_in_words
from .scene import Scene, Standing
from .spans import Span, frames_to_spans

STILL = "the feet stand still on the ground as they are: nothing changed"

_FAR = 0.75  # leg: a body that is moved further did not stand on that ground
_NEAREST = 0.1  # the part of the frames, those moved least, that must be moved that far
_SKATES = 1.0  # leg/s: feet that are never slower do not stand on ground that rests
_FEWEST = 5.0  # 1/s: with fewer frames, a foot that stands looks like one that steps
_NEAR = 0.6  # s: how far the effect of a contact extends
_SAME = 1e-3  # leg: contacts whose heights differ by less are on one level, and need no message


def why_nothing(scene: Scene, outside: bool, num: int) -> str:
    """Say why nothing changed in a clip of `num` frames; `outside`: all contacts lie outside the range to work on."""
    if scene.settings.contacts == "never":
        return "contacts='never': nothing changed"
    if not isinstance(scene.settings.contacts, str) and not outside:
        return "contacts has no span for any leg: nothing changed"
    if num < 2 or num / scene.fps < 0.1:
        return f"a clip of {num} frame{'s' * (num != 1)} is shorter than a contact: nothing changed"
    if outside and scene.alone.any():
        return (
            f"every contact is within {scene.window} frames, in which corrections fade, of frames that are left as "
            "they are: nothing changed"
        )
    if outside:
        return Remark(
            f"no contact lies inside frames {FRAME}–{FRAME} less the {scene.window} frames in which corrections fade "
            "at its ends: nothing changed",
            *scene.settings.frames,
        )
    velocity = scene.settings.ground_velocity
    if isinstance(velocity, np.ndarray):
        moves = ", ".join(f"{component + 0.0:.4g}" for component in velocity)
        return (
            f"no foot ever moves with a ground at ({moves}): nothing changed; check that it is in the clip's units per "
            "second and its sign is right. ground_velocity='auto' measures it, and contacts= sets when feet stand"
        )
    speed = _slowest(scene)
    if speed > _SKATES:
        return (
            "no foot ever stands on the ground, or moves evenly with moving ground: where feet are lowest and slowest "
            f"they move at {speed:.2g} legs/s; nothing changed"
        )
    return (
        "no foot ever stands on the ground: nothing changed; contacts='cycle' assumes that each foot stands where it "
        "is lowest and slowest"
    )


def _slowest(scene: Scene) -> float:
    """Return the median speed of feet, in legs/s, where contacts of a cycle would be assumed."""
    speeds = [np.zeros(0)]
    for track in scene.tracks:
        steps = np.diff(track.ankle, axis=0) * scene.fps / track.length
        horizontal = np.linalg.norm(steps - (steps @ scene.up)[:, None] * scene.up, axis=1)
        speeds += [horizontal[first:last] for first, last in cycle_spans(track, scene.fps, scene.up)]
    slowest = np.concatenate(speeds)
    return float(np.median(slowest)) if slowest.size else 0.0


def about_distance(scene: Scene, body: Floats) -> list[str]:
    """Warn where the ground is so far from the feet that it, the axis or the unit must be wrong."""
    first, last = scene.frames
    moved = np.linalg.norm(body[first : last + 1], axis=1)
    # On a long slope the whole clip may be moved far except at one end: the frames moved least decide.
    far = float(np.quantile(moved, _NEAREST)) / float(np.mean([t.length for t in scene.tracks]))
    if far <= _FAR:
        return []
    return [
        f"the feet never come near the ground: the body is moved by {far:.3g} leg lengths to stand on it; "
        "check that ground= and up= are in the clip's unit and axes"
    ]


def about_contacts(scene: Scene, standing: Standing) -> list[str]:
    """Return messages about the contacts."""
    messages = [] if scene.loop is None else [_about_loop(scene.loop, scene.up)]
    if scene.fps < _FEWEST and isinstance(scene.settings.contacts, str):
        when = f"{scene.fps:.3g} fps is too slow to show when feet stand"
        messages.append(f"{when}: if the motion was recorded at a higher rate, load it at that rate")
    if scene.velocity is not None and scene.settings.ground_velocity is None:
        messages.append(
            "cycle in place: the standing feet move backwards at one steady velocity, so only their heights are "
            f"corrected; slide is measured relative to that velocity; {_pace(scene)}"
        )
    elif isinstance(scene.settings.ground_velocity, str):
        messages.append(_belt_message(scene))
    messages += _about_heights(standing)
    if scene.subset.mover is None:
        messages.append("no joint is above all legs: the body is not raised or lowered")
    if scene.settings.reach == "stretch":
        messages.append("stretched bones change their length, which formats without joint translations cannot store")
    return messages


def _about_heights(standing: Standing) -> list[str]:
    """Return a message about contacts that are not at the height of the ground."""
    levels, each = standing.levels, [rise for own in standing.rises for rise in own]
    if levels is None or not each:
        return []
    if levels.given:
        high = sum(rise > 0.0 for rise in each)
        stand = "s stand" if high > 1 else " stands"
        where = "far above the ground, on something that ground= does not include"
        return [f"{high} contact{stand} {where}: kept at the original height"] * bool(high)
    apart = round(levels.spread / levels.length, 4)
    spread = f"no ground is given, and the heights of contacts differ by {apart:.2g} leg lengths"
    least = 1e-9 * levels.length
    off = sum(abs(levels.ground + rise - levels.level) > least for rise in each)
    if not off and levels.spread < _SAME * levels.length:
        return []
    if levels.uneven > 0.5:
        return [f"{spread}: no height is common, and each contact is kept at the original height"]
    kept = f", but {off} contact{'s' * (off > 1)} kept at the original height" * bool(off)
    return [f"{spread}: one level is assumed{kept}"]


def about_bones(subset: Subset, bones: Sequence[dict[str, int]]) -> list[str]:
    """Name the bones that have no length in some frames, with the number of frames and the first run of them."""
    names = [f"{leg.name} {bone}" for leg in subset.legs for bone in ("thigh", "shin")]
    remarks: list[str] = []
    for name, bone in zip(names, bones, strict=True):
        if bone["count"]:
            when, frames = in_frames(**bone)
            remarks.append(Remark(f"the {name} has no length {when}: the foot cannot be moved there", *frames))
    return remarks


def about_standing(scene: Scene, standing: Standing) -> list[str]:
    """Name frames in which feet do not stand as they should: there is no ground, or given heel and ball do not fit."""
    lost = ((standing.holes, "has a hole"), (standing.steep, f"is steeper than {scene.settings.max_slope:g}°"))
    return [
        *(
            f"the ground {why} where feet would stand in {num} frame{'s' * (num > 1)}: they have no contact there, "
            "and keep their height relative to the body"
            for num, why in lost
            if num
        ),
        *(
            f"the {leg.name} foot stands differently from its given heel and ball in {num} frame{'s' * (num > 1)}"
            for leg, num in zip(scene.subset.legs, standing.rolls_left, strict=True)
            if num
        ),
    ]


def about_lone(alone: Flags) -> str:
    """Name isolated frames, which stay as they are: poses that no motion leads to, or that are scaled to nothing."""
    spans = [span_in_words(*span) for span in frames_to_spans(alone)]
    named = ", ".join(text for text, _ in spans)
    why = "before or after a jump, or scaled to nothing: not part of the motion, and not changed"
    text = named and (f"frames {named} are {why}" if alone.sum() > 1 else f"frame {named} is {why}")
    return Remark(text, *(frame for _, frames in spans for frame in frames))


def _about_loop(loop: Loop, up: Floats) -> str:
    """Say what kind of loop it is."""
    moved = displacement_in_words(loop, up)
    return f"loop: the last pose is the first{moved}; contacts continue across the seam, and it stays closed"


def _belt_message(scene: Scene) -> str:
    """Return a message about the velocity that was measured."""
    if scene.velocity is None:
        why = "the standing feet do not move backwards at a steady velocity"
        return f"ground_velocity='auto': {why}, so the ground is taken to be still"
    least = 1e-4 * float(np.linalg.norm(scene.velocity))
    velocity = ", ".join(f"{part if abs(part) > least else 0.0:.4g}" for part in scene.velocity.tolist())
    moves = f"moves at ({velocity}) units/s, as they do on average"
    planted = f"cycle in place: the feet are planted on a ground that {moves}"
    return f"{planted}; {_pace(scene)}"


def _pace(scene: Scene) -> str:
    """Return how fast the root of the scene's cycle in place must move, in words."""
    assert scene.velocity is not None
    length = float(np.mean([track.length for track in scene.tracks]))
    speed = float(np.linalg.norm(scene.velocity))
    return pace_in_words(speed, length, scene.fps, scene.settings.metres_per_unit)


def pace_in_words(speed: float, length: float, fps: float, metres_per_unit: float | None) -> str:
    """Return how fast the root must move, in words, where the feet of a cycle in place move backwards at a speed."""
    metres = "" if metres_per_unit is None else f", {metres_per_unit * speed:.3g} m/s"
    pace = f"{speed:.3g} units/s ({speed / length:.3g} legs/s{metres})"
    return f"at {fps:.6g} fps the root must move {pace} so that no foot slides"


def fastest_turns(known: Known, part: Part, solved: Solved) -> list[str]:
    """Return a message for each leg whose hip or knee turns faster than it may; the motion of a loop is unrolled."""
    scene, out = known.scene, list[str]()
    for k, used in enumerate(turns_used(scene.subset, solved.local, known.turns)):
        frame = int(np.argmax(used))
        if used[frame] <= 1.0:
            continue
        why, named = _why(part.tracks[k], part.contacts[k], solved.targets[k], solved.body, frame, scene.fps)
        text = (
            f"the {scene.subset.legs[k].name} hip or knee turns up to {used[frame]:.2f} times as fast as it may "
            f"(1.5 times the original's fastest turn plus 60°/s), most to frame {FRAME}: {why}"
        )
        out.append(Remark(text, *map(scene.number, (frame, *named))))
    return out


def _why(
    track: LegTrack, spans: Sequence[Span], target: Floats, body: Floats, frame: int, fps: float
) -> tuple[str, Span | tuple[int, int, int, int] | tuple[()]]:
    """Return which contact makes a leg turn too fast in a frame, in words, and the frames that these name."""
    before = [span for span in spans if span[1] < frame]
    after = [span for span in spans if span[0] >= frame]
    if before and after and after[0][0] - before[-1][1] <= _NEAR * fps:
        ends = target[[before[-1][1], after[0][0]]]
        apart = float(np.linalg.norm(ends[1] - ends[0])) / track.length
        gap = after[0][0] - before[-1][1] - 1
        text = f"between contacts {FRAME}–{FRAME}, {FRAME}–{FRAME} it has {gap} frames for {apart:.2g} leg lengths"
        return text, (*before[-1], *after[0])
    near = min(spans, key=lambda span: max(span[0] - frame, frame - span[1], 0), default=None)
    if near is None:
        return "it follows the body", ()
    part = slice(near[0], near[1] + 1)
    held = float(np.linalg.norm((target - track.ankle - body)[part], axis=1).max()) / track.length
    return f"contact {FRAME}–{FRAME} holds the foot up to {held:.2g} leg lengths away from its path", near
