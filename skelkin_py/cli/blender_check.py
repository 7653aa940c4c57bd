# SPDX-License-Identifier: MIT
"""``skelkin blender-check``: a file's armatures here and in Blender."""

from __future__ import annotations

import argparse

from .printing import in_lines, say, say_json
from .reading import check_regular
from .wrong_usage import WrongUsageError


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser], meaning: str) -> None:
    """Add the command to the parser, with what it is for in a few words."""
    check = commands.add_parser(
        "blender-check",
        help=meaning,
        description="Compare a .blend file's armatures with what Blender evaluates; 1 where a difference is too large.",
    )
    check.add_argument("file", help="the .blend file; it is only read")
    check.add_argument(
        "--blender", metavar="PROGRAM", help="a Blender, or a Python that has bpy (default: blender on the path)"
    )
    check.add_argument("--json", action="store_true", help="print the rows as JSON")
    check.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    """Run the found Blender on a file and print its differences."""
    from ..blender.check_file import check_file, table

    if not options.file.lower().endswith(".blend"):
        raise WrongUsageError(f"{options.file}: the name must end in .blend")
    check_regular(options.file)
    version, rows = check_file(options.file, options.blender)
    if options.json:
        say_json({"blender": version, "rows": [row._asdict() for row in rows]}, indent=2)
    else:
        say(in_lines(table(version, rows).split("\n")))
    above = [row.name for row in rows if row.error is not None and row.bound is not None and row.error > row.bound]
    if above:
        raise ValueError(f"{options.file}: above its bound for {', '.join(above)}")
