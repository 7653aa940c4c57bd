# SPDX-License-Identifier: MIT
"""Show the joints, frames and unit of clips, the axis that points up, and the legs with the reasons for them."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ..legs import Leg
from ..legs.sure import SURE_ENOUGH
from ..motion.clip import Clip
from ..planting import PlantReport, plant_feet
from ..planting.remarks import pace_in_words
from ..planting.up_axis import axis_name, find_up, given_up
from .files import find_clips, is_one_file
from .option_types import add_clips, add_reading
from .printing import BOLD, about, explained, painted, print_error, say, say_json, wrapped
from .reading import load_all, reading_options

DESCRIPTION = (
    "Show the joints, frames and unit of clips, the axis that points up, and the legs with the reasons for them."
)
USAGE = "CLIP [CLIP ...] [options]"
EPILOG = "Exit code: 0; 1 if a clip cannot be read; 2 for wrong usage; 130 after Ctrl-C."
_IN_PLACE = 3.0  # leg: a body that gets further away is none of a cycle in place


def add_arguments(info: argparse.ArgumentParser) -> None:
    """Add the arguments and options of the command."""
    add_clips(info)
    add_reading(info)
    info.add_argument("--json", action="store_true", help="print JSON; with several clips, one line each")


def run(options: argparse.Namespace) -> int:
    """Print what is understood of the clips."""
    reading = reading_options(options, options.clips)
    if is_one_file(options.clips):
        _print_clip(options.clips[0], describe_file(load_all(options.clips[0], reading)), options.json, indent=1)
        return 0
    shown = failed = 0
    for found in find_clips(options.clips):
        try:
            if found.problem:
                raise ValueError(found.problem)
            facts = describe_file(load_all(found.path, reading))
        except (OSError, ValueError) as error:
            failed += 1
            sys.stdout.flush()
            print_error(about(found.path, explained(error)))
            continue
        if shown and not options.json:
            say()
        _print_clip(found.path, facts, options.json, indent=None)
        shown += 1
    return 1 if failed else 0


def _print_clip(path: str, facts: Mapping[str, Any], as_json: bool, indent: int | None) -> None:
    """Print what is understood of one clip."""
    if as_json:
        say_json({"clip": path, **facts}, indent)
        return
    joints = facts["joints"]
    rate, seconds = facts["fps"], facts["seconds"]
    say(painted(path, BOLD, sys.stdout))
    _print_file(facts["file"])
    say(wrapped(f"joints  {len(joints)}: {', '.join(joints)}", "        ", sys.stdout))
    if "animations" in facts:
        _print_animations(facts["animations"])
    else:
        say(f"frames  {facts['num_frames']} at {rate:g} per second, {seconds:.2f} s")
    say(f"up      {facts['up'] or 'not found'}")
    if facts["height"] is not None:
        say(f"height  {facts['height']:.4g} in the clip's unit, lowest to highest joint, median over the frames")
    if facts["pace"] is not None:
        say(wrapped(f"pace    in place: {facts['pace']['text']}", "        ", sys.stdout))
    if not facts["legs"]:
        say("legs    none found: name the joints of each leg with --leg HIP,KNEE,ANKLE")
    for leg in facts["legs"]:
        chain = " → ".join(leg["joints"])
        foot = "".join(f", {word} {leg[word]}" for word in ("toe", "heel") if leg[word] is not None)
        say(f"leg     {leg['side'] or 'side unknown'}, {leg['confidence']:.0%} sure: {chain}{foot}")
        if leg["confidence"] < SURE_ENOUGH:
            say("        not sure enough to plant: name the joints of each leg with --leg HIP,KNEE,ANKLE")
        for reason in leg["reasons"]:
            say(f"        {reason}")


def _print_file(file: Mapping[str, Any]) -> None:
    """Print what the file says of itself."""
    said = [file["format"] or "unknown"]
    if file["up"] is not None:
        said.append(f"{file['up']} is up")
    if file["metres_per_unit"] is not None:
        said.append(f"1 unit is {file['metres_per_unit']:g} m")
    if file["fps_source"] not in ("file", "given"):
        said.append(f"frame rate: {file['fps_source']}")
    say(f"format  {', '.join(said)}")
    for note in file["notes"]:
        say(wrapped(f"        {note}", "        ", sys.stdout))


def _print_animations(animations: Sequence[Mapping[str, Any]]) -> None:
    """Print the animations of a file."""
    say(f"motion  {len(animations)} animations; choose one with --animation NAME")
    width = max(len(each["name"]) for each in animations)
    for each in animations:
        frames, rate, seconds = each["num_frames"], each["fps"], each["seconds"]
        pace = "" if each["pace"] is None else f", in place at {each['pace']['legs_per_second']:.3g} legs/s"
        say(f"        {each['name']:{min(width, 40)}}  {frames} frames at {rate:g} per second, {seconds:.2f} s{pace}")


def describe_file(clips: Mapping[str, Clip]) -> dict[str, Any]:
    """Return what is understood of the animations of a file as plain values, ready for JSON.

    Parameters
    ----------
    clips : mapping of str to Clip
        As `reading.load_all` returns them.

    Returns
    -------
    dict
        What `describe` returns of the first; of several with "animations": of each its "name", "num_frames", "fps",
        "seconds" and "pace".
    """
    facts = describe(next(iter(clips.values())))
    if len(clips) == 1:
        return facts
    lengths = [{"name": name, **_length(clip), "pace": _pace(clip, clip.find_legs())} for name, clip in clips.items()]
    return {**facts, "animations": lengths}


def describe(clip: Clip) -> dict[str, Any]:
    """Return what is understood of a clip as plain values, ready for JSON.

    Parameters
    ----------
    clip : Clip
        The clip.

    Returns
    -------
    dict
        ``joints`` (names), ``num_frames``, ``fps``, ``seconds``, ``up`` (an axis such as "+Y", or None), ``height``
        (median extent along it in the clip's unit, or None), ``pace`` (of a cycle in place how fast its root must go
        so that no foot slides, a dict, or None), ``legs`` (dicts), ``file`` (what `Clip.facts` says).

    Examples
    --------
    >>> import numpy as np, skelkin_py as sk
    >>> facts = describe(sk.Clip(sk.Skeleton([-1], np.eye(4)[None], ["hips"]), [[[1, 0, 0, 0]]], fps=30))
    >>> facts["joints"], facts["num_frames"], facts["legs"]
    (['hips'], 1, [])
    """
    legs = clip.find_legs()
    up, height = _up_and_height(clip, legs)
    return {
        "joints": list(clip.names),
        **_length(clip),
        "up": up,
        "height": height,
        "pace": _pace(clip, legs),
        "legs": [_leg_facts(leg, clip.names) for leg in legs],
        "file": {**clip.facts._asdict(), "notes": list(clip.facts.notes)},
    }


def _length(clip: Clip) -> dict[str, Any]:
    return {"num_frames": clip.num_frames, "fps": clip.fps, "seconds": clip.num_frames / clip.fps}


def _pace(clip: Clip, legs: Sequence[Leg]) -> dict[str, Any] | None:
    """Return how fast the root of a cycle in place must go; None of clips that are none or cannot be planted."""
    if not legs:
        return None
    hips = clip.positions()[:, [leg.hip for leg in legs]].mean(axis=1)
    bones = [np.diff(clip.skeleton.rest_global[list(leg.chain), :3, 3], axis=0) for leg in legs]
    length = float(np.mean([np.linalg.norm(each, axis=1).sum() for each in bones]))
    if not np.linalg.norm(hips - hips[0], axis=1).max() < _IN_PLACE * length:
        return None
    try:
        report: PlantReport = plant_feet(clip).report
    except ValueError:
        return None
    if report.pace is None:
        return None
    metres = report.metres_per_unit if report.unit_known else None
    legs_per_second = report.pace / report.leg_length
    return {
        "units_per_second": report.pace,
        "legs_per_second": legs_per_second,
        "metres_per_second": None if metres is None else metres * report.pace,
        "text": pace_in_words(report.pace, report.leg_length, clip.fps, metres),
    }


def _leg_facts(leg: Leg, names: Sequence[str]) -> dict[str, Any]:
    joints = {part: getattr(leg, part) for part in ("hip", "knee", "ankle", "toe", "heel", "pelvis")}
    return {
        "side": leg.side,
        **{part: None if joint is None else names[joint] for part, joint in joints.items()},
        "joints": [names[joint] for joint in leg.segments],
        "bend": list(leg.bend),
        "confidence": leg.confidence,
        "reasons": list(leg.reasons),
    }


def _up_and_height(clip: Clip, legs: list[Leg]) -> tuple[str | None, float | None]:
    """Return the axis from the feet to the head (to the hips where there is none), and the median extent along it."""
    if not legs:
        return None, None
    positions = clip.positions()
    if clip.facts.up is not None and (given := given_up(clip.facts.up)) is not None:
        return axis_name(given), float(np.median(np.ptp(positions @ given, axis=1)))
    heads = [joint for joint, name in enumerate(clip.names) if "head" in name.lower()]
    hips, feet = [leg.hip for leg in legs], [leg.ankle for leg in legs]
    tops, places = heads[:1] or hips, np.asarray(clip.skeleton.rest_global, dtype=np.float64)[:, :3, 3]
    rest = places[tops].mean(axis=0) - places[feet].mean(axis=0)
    top, middle, ankles = (positions[:, joints].mean(axis=1) for joints in (tops, hips, feet))
    try:
        up, _ = find_up(top, ankles, rest, clip.fps, hips=middle, positions=positions)
    except ValueError:
        return None, None
    return axis_name(up), float(np.median(np.ptp(positions @ up, axis=1)))
