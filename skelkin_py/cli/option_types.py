# SPDX-License-Identifier: MIT
"""What options may be: numbers, lengths, axes; and the options that several commands have."""

from __future__ import annotations

import argparse
import math
from typing import Any

from ..io import ENDINGS

_CONTACTS = ("auto", "always", "never", "ground_only")
_AXES = ("auto", "X", "Y", "Z", "-X", "-Y", "-Z")


def number(text: str) -> float:
    """Read a finite number."""
    value = float(text)
    if not math.isfinite(value):
        raise argparse.ArgumentTypeError(f"{text} is not a finite number")
    return value


def length(text: str) -> float:
    """Read a finite number above 0."""
    value = number(text)
    if value <= 0.0:
        raise argparse.ArgumentTypeError(f"{text} is not above 0")
    return value


def axis(text: str) -> str:
    """Read an axis however it is written, such as ``+z``."""
    return text.lower() if text.lower() == "auto" else text.upper().removeprefix("+")


def limit(text: str) -> float:
    """Read a finite number that is not below 0."""
    value = number(text)
    if value < 0.0:
        raise argparse.ArgumentTypeError(f"{text} is below 0")
    return value


def leg_names(text: str) -> tuple[str, ...]:
    """Read the names of hip, knee, ankle and perhaps toe."""
    names = tuple(name.strip() for name in text.split(","))
    if len(names) not in (3, 4) or not all(names):
        raise argparse.ArgumentTypeError(f"{text} is not HIP,KNEE,ANKLE or HIP,KNEE,ANKLE,TOE")
    return names


def at_least_one(text: str) -> int:
    """Read a whole number from 1 up."""
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError(f"{text} is below 1")
    return value


def add_clips(parser: argparse.ArgumentParser) -> None:
    """Add the clips that a command is about."""
    parser.add_argument("clips", nargs="+", metavar="CLIP", help=f"file ({', '.join(ENDINGS)}), folder or pattern")


def add_jobs(parser: argparse.ArgumentParser) -> None:
    """Add the number of processes."""
    parser.add_argument(
        "-j", "--jobs", type=at_least_one, metavar="N", help="work in so many processes (default: one per core)"
    )


def add_clip_options(parser: argparse.ArgumentParser) -> None:
    """Add the options that say what a clip is and where its feet stand; `clip_options` reads them."""
    parser.add_argument(
        "--ground",
        "--ground-height",
        type=number,
        metavar="HEIGHT",
        help="height of the ground in the clip's unit; estimated if not given",
    )
    parser.add_argument(
        "--contacts", choices=_CONTACTS, default="auto", help="when the feet stand (default: found by height and speed)"
    )
    parser.add_argument(
        "--frames", type=int, nargs=2, metavar=("FIRST", "LAST"), help="work only in these frames, counted from 0"
    )
    parser.add_argument(
        "--unit",
        type=length,
        metavar="METRES",
        help="metres per unit of the clip, for the figures: 0.01 for centimetres",
    )
    parser.add_argument(
        "--up", type=axis, choices=_AXES, default="auto", help="the axis that points up (default: auto)"
    )
    parser.add_argument(
        "--leg",
        dest="legs",
        type=leg_names,
        action="append",
        metavar="HIP,KNEE,ANKLE[,TOE]",
        help="the joints of a leg, once for each; found by names and structure if not given",
    )


def clip_options(options: argparse.Namespace) -> dict[str, Any]:
    """Return what `add_clip_options` has read as keyword arguments of `plant_feet`, as JSON values.

    Only "legs" are names of joints still, see `named_legs`.
    """
    return {
        "legs": options.legs,
        "ground": options.ground,
        "contacts": options.contacts,
        "frames": None if options.frames is None else tuple(options.frames),
        "up": options.up,
        "metres_per_unit": options.unit,
    }
