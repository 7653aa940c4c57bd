# SPDX-License-Identifier: MIT
"""Compare the poses that skelkin evaluates for the armatures of a .blend file with Blender's."""

from __future__ import annotations

import argparse

from .printing import in_lines, say, say_json
from .reading import check_regular
from .wrong_usage import WrongUsageError

DESCRIPTION = "Compare the poses that skelkin evaluates for the armatures of a .blend file with Blender's."
USAGE = "FILE [options]"
EPILOG = "Exit code: 0; 1 if a difference is above its bound or an error occurs; 2 for wrong usage; 130 after Ctrl-C."


def add_arguments(check: argparse.ArgumentParser) -> None:
    """Add the arguments and options of the command."""
    check.add_argument("file", metavar="FILE", help="the .blend file, which is not changed")
    check.add_argument(
        "--blender", metavar="PROGRAM", help="Blender, or a Python with bpy (default: blender on the PATH)"
    )
    check.add_argument("--json", action="store_true", help="print the differences as JSON")


def run(options: argparse.Namespace) -> None:
    """Run the found Blender on a file and print its differences."""
    from ..blender.check import check_file, table

    if not options.file.lower().endswith(".blend"):
        raise WrongUsageError(f"{options.file}: give a file whose name ends in .blend")
    check_regular(options.file)
    version, rows = check_file(options.file, options.blender)
    if options.json:
        say_json({"blender": version, "rows": [row._asdict() for row in rows]}, indent=2)
    else:
        say(in_lines(table(version, rows).split("\n")))
    above = [row.name for row in rows if row.error is not None and row.bound is not None and row.error > row.bound]
    if above:
        raise ValueError(f"{options.file}: {', '.join(above)}: the difference is above its bound; report it as a bug")
