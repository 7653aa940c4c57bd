# SPDX-License-Identifier: MIT
"""The command ``skelkin``: plant the feet of a clip, or tell what is understood of a file.

Answers go to stdout and errors to stderr in one line; the exit code is 0, 1 for an error, 2 for wrong usage.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import sys
from collections.abc import Sequence
from typing import IO, Any

import numpy as np

from ._version import __version__
from .blender.check_file import check_file, table
from .clip import Clip
from .io import load
from .legs import Leg
from .planting.up_axis import axis_name, find_up

_REACH = ("soften", "stretch", "lower_pelvis")
_CONTACTS = ("auto", "always", "never", "ground_only")
_AXES = ("auto", "X", "Y", "Z", "-X", "-Y", "-Z")


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line.

    Parameters
    ----------
    argv : sequence of str, optional
        The arguments without the program's name; those of the process where None.

    Returns
    -------
    int
        0, or 1 after an error.

    Raises
    ------
    SystemExit
        With 2 for wrong usage, with 0 for ``--help`` and ``--version``.

    Examples
    --------
    >>> main(["info", "none.bvh"])
    1
    """
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")  # a name in any script must not stop a terminal that lacks it
    options = _parser().parse_args(argv)
    try:
        options.run(options)
        sys.stdout.flush()
    except BrokenPipeError:  # the reader of a pipe has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except KeyboardInterrupt:
        print(file=sys.stderr)
        return 130
    except (OSError, ValueError) as error:
        message = " ".join(_explained(error).split())
        print(f"{_paint('skelkin:', '1;31', sys.stderr)} {message}", file=sys.stderr)
        return 1
    return 0


def _explained(error: Exception) -> str:
    if isinstance(error, OSError) and error.filename is not None and error.strerror:
        return f"{os.fspath(error.filename)}: {error.strerror}"
    return str(error)


def _paint(text: str, code: str, stream: IO[str]) -> str:
    """Return the text in a colour where a terminal shows it and nobody has asked for none."""
    plain = not stream.isatty() or os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    return text if plain else f"\033[{code}m{text}\033[0m"


def _number(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise argparse.ArgumentTypeError(f"{text} is not a finite number")
    return value


def _length(text: str) -> float:
    value = _number(text)
    if value <= 0.0:
        raise argparse.ArgumentTypeError(f"{text} is not above 0")
    return value


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="skelkin", description="Feet that stay on the ground.", allow_abbrev=False)
    parser.add_argument("--version", action="version", version=f"skelkin {__version__}")
    commands = parser.add_subparsers(metavar="command", required=True)
    plant = commands.add_parser(
        "plant", help="plant the feet of a clip on the ground", description="Plant the feet of a clip on the ground."
    )
    plant.add_argument("clip", help="the clip to read (.bvh)")
    plant.add_argument("-o", "--output", required=True, metavar="FILE", help="the clip to write (.bvh), another file")
    plant.add_argument(
        "--ground",
        type=_number,
        metavar="HEIGHT",
        help="height of the ground in the clip's unit; estimated if not given",
    )
    plant.add_argument(
        "--contacts",
        choices=_CONTACTS,
        default="auto",
        help="when the feet stand: found by height and speed by default",
    )
    plant.add_argument(
        "--reach", choices=_REACH, default="soften", help="what gives way where a leg is too short (default: soften)"
    )
    plant.add_argument(
        "--frames", type=int, nargs=2, metavar=("FIRST", "LAST"), help="plant only in these frames, counted from 0"
    )
    plant.add_argument(
        "--unit",
        type=_length,
        metavar="METRES",
        help="metres per unit of the clip, for the figures: 0.01 for centimetres",
    )
    plant.add_argument(
        "--up", type=_axis, choices=_AXES, default="auto", help="the axis that points up (default: auto)"
    )
    plant.add_argument("--json", action="store_true", help="print the report as JSON")
    plant.set_defaults(run=_plant)
    info = commands.add_parser(
        "info", help="tell what is understood of a file", description="Tell what is understood of a file."
    )
    info.add_argument("clip", help="the clip to read (.bvh)")
    info.add_argument("--json", action="store_true", help="print it as JSON")
    info.set_defaults(run=_info)
    check = commands.add_parser(
        "blender-check",
        help="compare a .blend file's armatures with what Blender evaluates",
        description="Compare a .blend file's armatures with what Blender evaluates; 1 where a difference is too large.",
    )
    check.add_argument("file", help="the .blend file; it is only read")
    check.add_argument(
        "--blender", metavar="PROGRAM", help="a Blender, or a Python that has bpy (default: blender on the path)"
    )
    check.add_argument("--json", action="store_true", help="print the rows as JSON")
    check.set_defaults(run=_blender_check)
    return parser


def _axis(text: str) -> str:
    return text.lower() if text.lower() == "auto" else text.upper().removeprefix("+")


def _blender_check(options: argparse.Namespace) -> None:
    """Run the found Blender on a file and print its differences."""
    version, rows = check_file(options.file, options.blender)
    if options.json:
        print(json.dumps({"blender": version, "rows": [row._asdict() for row in rows]}, indent=2))
    else:
        print(table(version, rows))
    above = [row.name for row in rows if row.error is not None and row.bound is not None and row.error > row.bound]
    if above:
        raise ValueError(f"{options.file}: above its bound for {', '.join(above)}")


def _plant(options: argparse.Namespace) -> None:
    """Read, plant, write and report."""
    source, target = options.clip, options.output
    if os.path.realpath(source) == os.path.realpath(target) or (
        os.path.exists(source) and os.path.exists(target) and os.path.samefile(source, target)
    ):
        raise ValueError(f"{target} is the clip itself: give another file to -o, the original is kept")
    if os.path.splitext(target)[1].lower() != ".bvh":
        raise ValueError(f"{target}: the name must end in .bvh")
    clip = load(source)
    from .planting import plant_feet

    planted = plant_feet(
        clip,
        ground=options.ground,
        contacts=options.contacts,
        reach=options.reach,
        frames=None if options.frames is None else tuple(options.frames),
        up=options.up,
        metres_per_unit=options.unit,
    )
    planted.clip.save(target)
    if options.json:
        print(json.dumps({"clip": source, "output": target, **planted.report.to_dict()}, ensure_ascii=False, indent=1))
        return
    table, *messages = _split_table(planted.report.as_table())
    heading, *rows = table.splitlines()
    print("\n".join([_paint(heading, "1", sys.stdout), *rows, *messages]))
    print(f"wrote {target}")


def _split_table(text: str) -> list[str]:
    """Return the table and what stands below it."""
    lines = text.splitlines()
    cut = next((index for index, line in enumerate(lines) if line.startswith("- ")), len(lines))
    return ["\n".join(lines[:cut]), *lines[cut:]]


def _info(options: argparse.Namespace) -> None:
    """Print what is understood of a clip."""
    facts = describe(load(options.clip))
    if options.json:
        print(json.dumps({"clip": options.clip, **facts}, ensure_ascii=False, indent=1))
        return
    joints = facts["joints"]
    rate, seconds = facts["fps"], facts["seconds"]
    print(_paint(options.clip, "1", sys.stdout))
    print(f"joints  {len(joints)}: {', '.join(joints)}")
    print(f"frames  {facts['frames']} at {rate:g} per second, {seconds:.2f} s")
    print(f"up      {facts['up'] or 'not found'}")
    if facts["height"] is not None:
        print(f"height  {facts['height']:.4g} in the clip's unit, lowest to highest joint, median over the frames")
    if not facts["legs"]:
        print("legs    none found")
    for leg in facts["legs"]:
        chain = " → ".join(leg["joints"])
        foot = "".join(f", {word} {leg[word]}" for word in ("toe", "heel") if leg[word] is not None)
        print(f"leg     {leg['side'] or 'side unknown'}, {leg['confidence']:.0%} sure: {chain}{foot}")
        for reason in leg["reasons"]:
            print(f"        {reason}")


def describe(clip: Clip) -> dict[str, Any]:
    """Return what is understood of a clip as plain values, ready for JSON.

    Parameters
    ----------
    clip : Clip
        The clip.

    Returns
    -------
    dict
        ``joints`` (names), ``frames``, ``fps``, ``seconds``, ``up`` (an axis such as "+Y", or None), ``height`` (median
        extent along it in the clip's unit, or None), ``legs`` (dicts).

    Examples
    --------
    >>> import numpy as np, skelkin_py as sk
    >>> facts = describe(sk.Clip(sk.Skeleton([-1], np.eye(4)[None], ["hips"]), [[[1, 0, 0, 0]]], fps=30))
    >>> facts["joints"], facts["frames"], facts["legs"]
    (['hips'], 1, [])
    """
    legs = clip.find_legs()
    up, height = _up_and_height(clip, legs)
    return {
        "joints": list(clip.names),
        "frames": clip.num_frames,
        "fps": clip.fps,
        "seconds": clip.num_frames / clip.fps,
        "up": up,
        "height": height,
        "legs": [_leg_facts(leg, clip.names) for leg in legs],
    }


def _leg_facts(leg: Leg, names: Sequence[str]) -> dict[str, Any]:
    def name(joint: int | None) -> str | None:
        return None if joint is None else names[joint]

    return {
        "side": leg.side,
        "hip": name(leg.hip),
        "knee": name(leg.knee),
        "ankle": name(leg.ankle),
        "toe": name(leg.toe),
        "heel": name(leg.heel),
        "pelvis": name(leg.pelvis),
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
    heads = [joint for joint, name in enumerate(clip.names) if "head" in name.lower()]
    tops = heads[:1] or [leg.hip for leg in legs]
    try:
        up, _ = find_up(positions[:, tops].mean(axis=1), positions[:, [leg.ankle for leg in legs]].mean(axis=1))
    except ValueError:
        return None, None
    return axis_name(up), float(np.median(np.ptp(positions @ up, axis=1)))


if __name__ == "__main__":
    sys.exit(main())
