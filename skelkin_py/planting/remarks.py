# SPDX-License-Identifier: MIT
"""What to tell the user about a clip, in sentences; where legs turn too fast, which contact asks too much of them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from .foot import LegTrack
from .given_contacts import cycle_spans
from .leg_tracks import Subset, turns_used
from .loops import Loop, way_of
from .parts import Known, Part, Solved
from .remark import FRAME, Remark, in_frames
from .scene import Scene, Standing
from .spans import Span, frames_to_spans

STILL = "the feet stand still on the ground as they are: nothing changed"

_FAR = 0.75  # leg: a body moved further than this did not stand on that ground
_NEAREST = 0.1  # in that part of the frames at least
_SKATES = 1.0  # leg/s: feet that are never slower do not stand on a ground that rests
_NEAR = 0.6  # s: a contact makes itself felt so far
_SAME = 1e-3  # leg: contacts whose heights differ by less are on one level, about which there is nothing to say


def why_nothing(scene: Scene, outside: bool, num: int) -> str:
    """Say why nothing changed in a clip of `num` frames; `outside`: its contacts are, of the range worked on."""
    if scene.settings.contacts == "never":
        return "contacts='never': nothing changed"
    if not isinstance(scene.settings.contacts, str) and not outside:
        return "contacts has no span for any leg: nothing changed"
    if num < 2 or num / scene.fps < 0.1:
        return f"a clip of {num} frame{'s' * (num != 1)} is shorter than a contact: nothing changed"
    if outside and scene.alone.any():
        return (
            f"no contact is further than the {scene.window} frames in which corrections fade from frames that are left "
            "as they are: nothing changed"
        )
    if outside:
        return (
            f"no contact lies inside frames {scene.settings.frames} less the {scene.window} frames in which "
            "corrections fade at its ends: nothing changed"
        )
    asked = scene.settings.ground_velocity
    if isinstance(asked, np.ndarray):
        told = ", ".join(f"{component + 0.0:.4g}" for component in asked)
        return (
            f"no foot ever moves with a ground at ({told}): nothing changed; check that it is in the clip's units per "
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
    """Return how fast feet go, in legs/s, where contacts of a cycle would be assumed."""
    speeds = [np.zeros(0)]
    for track in scene.tracks:
        steps = np.diff(track.ankle, axis=0) * scene.fps / track.length
        level = np.linalg.norm(steps - (steps @ scene.up)[:, None] * scene.up, axis=1)
        speeds += [level[first:last] for first, last in cycle_spans(track, scene.fps, scene.up)]
    told = np.concatenate(speeds)
    return float(np.median(told)) if told.size else 0.0


def about_distance(scene: Scene, body: NDArray[np.float64]) -> list[str]:
    """Say so where the ground is so far from the feet that it, the axis or the unit is hardly what was meant."""
    first, last = scene.frames
    moved = np.linalg.norm(body[first : last + 1], axis=1)
    # On a long slope feet that come near its foot are moved far at its top.
    far = float(np.quantile(moved, _NEAREST)) / float(np.mean([t.length for t in scene.tracks]))
    if far <= _FAR:
        return []
    return [
        f"the feet never come near the ground: the body is moved by {far:.3g} leg lengths to stand on it; "
        "check that ground= and up= are in the clip's unit and axes"
    ]


def about_contacts(scene: Scene, standing: Standing) -> list[str]:
    """Say what is particular about the contacts."""
    messages = [] if scene.loop is None else [about_loop(scene.loop, scene.up)]
    if scene.velocity is not None and scene.settings.ground_velocity is None:
        messages.append(
            "cycle in place: the standing feet move backwards at one steady velocity, so only their heights are "
            f"corrected; slide is measured relative to that velocity, {_pace(scene)}"
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
    """Say at which heights feet stand that are not those of a given ground."""
    levels, each = standing.levels, [rise for own in standing.rises for rise in own]
    if levels is None or not each:
        return []
    if levels.given:
        high = sum(rise > 0.0 for rise in each)
        stand = "s stand" if high > 1 else " stands"
        told = f"{high} contact{stand} far above the ground, on something that ground= does not include"
        return [f"{told}: kept at the original height"] * bool(high)
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
    """Say so where legs have no length in some frames: how many, and the first and last of the first such moment."""
    names = [f"{leg.name} {bone}" for leg in subset.legs for bone in ("thigh", "shin")]
    remarks: list[str] = []
    for name, bone in zip(names, bones, strict=True):
        if bone["count"]:
            when, frames = in_frames(**bone)
            remarks.append(Remark(f"the {name} has no length {when}: the foot cannot be moved there", *frames))
    return remarks


def about_standing(scene: Scene, standing: Standing) -> list[str]:
    """Say where feet do not stand as they would, for want of ground or against what is given."""
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


def about_lone(alone: NDArray[np.bool_]) -> str:
    """Say which frames are left alone as poses that no motion leads to, or that stand nowhere."""
    spans = frames_to_spans(alone)
    told = ", ".join(FRAME if a == b else f"{FRAME}–{FRAME}" for a, b in spans)
    what = "before or after a jump, or scaled to nothing: not part of the motion, and not changed"
    text = told and (f"frames {told} are {what}" if alone.sum() > 1 else f"frame {told} is {what}")
    return Remark(text, *(frame for a, b in spans for frame in ((a,) if a == b else (a, b))))


def about_loop(loop: Loop, up: NDArray[np.float64]) -> str:
    """Say what kind of loop it is."""
    return f"loop: the last pose is the first{way_of(loop, up)}; contacts continue across the seam, and it stays closed"


def _belt_message(scene: Scene) -> str:
    """Say which velocity was found where it was to be measured."""
    if scene.velocity is None:
        return "ground_velocity='auto': the standing feet do not move backwards at a steady velocity: the ground rests"
    least = 1e-4 * float(np.linalg.norm(scene.velocity))
    told = ", ".join(f"{part if abs(part) > least else 0.0:.4g}" for part in scene.velocity.tolist())
    planted = f"cycle in place: the feet are planted on a ground that moves at ({told}) units/s, as they do on average"
    return f"{planted}, {_pace(scene)}"


def _pace(scene: Scene) -> str:
    """Say how fast the root of the scene's cycle in place must go."""
    assert scene.velocity is not None
    length = float(np.mean([track.length for track in scene.tracks]))
    speed = float(np.linalg.norm(scene.velocity))
    return f"by which {pace_in_words(speed, length, scene.fps, scene.settings.metres_per_unit)}"


def pace_in_words(speed: float, length: float, fps: float, metres_per_unit: float | None) -> str:
    """Say how fast the root of a cycle in place must go, of which the feet go back at a speed."""
    metres = "" if metres_per_unit is None else f", {metres_per_unit * speed:.3g} m/s"
    told = f"{speed:.3g} units/s ({speed / length:.3g} legs/s{metres})"
    return f"at {fps:.6g} fps the root must move {told} for no foot to slide"


def fastest_turns(known: Known, part: Part, solved: Solved) -> list[str]:
    """Say of each leg whose hip or knee turns faster than it may where it does so most; a loop's motion is unrolled."""
    scene, out = known.scene, list[str]()
    for k, used in enumerate(turns_used(scene.subset, solved.local, known.turns)):
        frame = int(np.argmax(used))
        if used[frame] <= 1.0:
            continue
        why, named = _why(part.tracks[k], part.contacts[k], solved.targets[k], solved.body, frame, scene.fps)
        out.append(
            Remark(
                f"the {scene.subset.legs[k].name} hip or knee turns up to {used[frame]:.2f} times as fast as it may "
                f"(1.5 times the original's fastest and 60°/s), most to frame {FRAME}: {why}",
                *map(scene.number, (frame, *named)),
            )
        )
    return out


def _why(
    track: LegTrack,
    spans: Sequence[Span],
    target: NDArray[np.float64],
    body: NDArray[np.float64],
    frame: int,
    fps: float,
) -> tuple[str, Span | tuple[int, int, int, int] | tuple[()]]:
    """Say which contact asks too much of a leg in a frame, and the frames that this names."""
    before = [span for span in spans if span[1] < frame]
    after = [span for span in spans if span[0] >= frame]
    if before and after and after[0][0] - before[-1][1] <= _NEAR * fps:
        ends = target[[before[-1][1], after[0][0]]]
        apart = float(np.linalg.norm(ends[1] - ends[0])) / track.length
        gap = after[0][0] - before[-1][1] - 1
        two = f"contacts {FRAME}–{FRAME}, {FRAME}–{FRAME}"
        return f"between {two} it has {gap} frames for {apart:.2g} leg lengths", (*before[-1], *after[0])
    near = min(spans, key=lambda span: max(span[0] - frame, frame - span[1], 0), default=None)
    if near is None:
        return "it follows the body", ()
    part = slice(near[0], near[1] + 1)
    held = float(np.linalg.norm((target - track.ankle - body)[part], axis=1).max()) / track.length
    return f"contact {FRAME}–{FRAME} holds the foot up to {held:.2g} leg lengths away from its path", near
