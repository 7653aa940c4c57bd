# SPDX-License-Identifier: MIT
"""``skelkin plant``: plant the feet of a clip and write it to another file."""

from __future__ import annotations

import argparse
import json
import os
import sys

from ..io import load
from ..planting import plant_feet
from .option_types import AXES, axis, length, number
from .printing import BOLD, painted, split_table

_REACH = ("soften", "stretch", "lower_pelvis")
_CONTACTS = ("auto", "always", "never", "ground_only")


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command to the parser."""
    plant = commands.add_parser(
        "plant", help="plant the feet of a clip on the ground", description="Plant the feet of a clip on the ground."
    )
    plant.add_argument("clip", help="the clip to read (.bvh)")
    plant.add_argument("-o", "--output", required=True, metavar="FILE", help="the clip to write (.bvh), another file")
    plant.add_argument(
        "--ground",
        type=number,
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
        type=length,
        metavar="METRES",
        help="metres per unit of the clip, for the figures: 0.01 for centimetres",
    )
    plant.add_argument("--up", type=axis, choices=AXES, default="auto", help="the axis that points up (default: auto)")
    plant.add_argument("--json", action="store_true", help="print the report as JSON")
    plant.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    """Read, plant, write and report."""
    source, target = options.clip, options.output
    if os.path.realpath(source) == os.path.realpath(target) or (
        os.path.exists(source) and os.path.exists(target) and os.path.samefile(source, target)
    ):
        raise ValueError(f"{target} is the clip itself: give another file to -o, the original is kept")
    if os.path.splitext(target)[1].lower() != ".bvh":
        raise ValueError(f"{target}: the name must end in .bvh")
    clip = load(source)
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
    table, *messages = split_table(planted.report.as_table())
    heading, *rows = table.splitlines()
    print("\n".join([painted(heading, BOLD, sys.stdout), *rows, *messages]))
    print(f"wrote {target}")
