# SPDX-License-Identifier: MIT
"""``skelkin view``: a page with a 3-D player of a clip."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from ..io import ENDINGS
from ..io.same_file import same_file
from .files import PAGE_ENDINGS, is_one_file
from .option_types import number
from .printing import about, explained, say
from .reading import load
from .wrong_usage import WrongUsageError


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser], meaning: str) -> None:
    """Add the command to the parser, with what it is for in a few words."""
    view = commands.add_parser(
        "view",
        help=meaning,
        usage="skelkin view CLIP -o PAGE [options]",
        description="Write a page with a 3-D player of a clip: one file, which opens without a network.",
        epilog="The exit code is 0, 1 if reading or writing fails, 2 for wrong usage, 130 after Ctrl-C.",
    )
    view.add_argument("clip", metavar="CLIP", help=f"the clip to read ({', '.join(ENDINGS)})")
    view.add_argument(
        "--compare", metavar="CLIP", help="the same motion before a change, drawn as a ghost; same joints and frames"
    )
    view.add_argument("-o", "--output", required=True, metavar="PAGE", help="the page to write (.html)")
    view.add_argument("--ground", type=number, metavar="HEIGHT", help="height of the ground in the clip's unit")
    view.add_argument("--title", help="the heading; the clip's name if not given")
    view.add_argument("--open", action="store_true", help="open the page in the browser")
    view.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    """Write the page."""
    from ..view import write_html

    target = options.output
    if os.path.splitext(target)[1].lower() not in PAGE_ENDINGS:
        raise WrongUsageError(f"{target}: the name must end in .html")
    if any(same_file(path, target) for path in (options.clip, options.compare) if path is not None):
        raise WrongUsageError(f"{target} is the clip itself: give another file to -o, the original is kept")
    if not is_one_file([options.clip]):
        raise WrongUsageError(f"{options.clip} is no file: a page shows one clip")
    clip = load(options.clip)
    compare = None if options.compare is None else load(options.compare)
    title = options.title or os.path.basename(options.clip)
    try:
        page = write_html(target, clip, compare=compare, ground=options.ground, title=title)
    except ValueError as error:
        raise ValueError(about(options.compare or options.clip, explained(error))) from error
    say(f"wrote {target}")
    if options.open:
        import webbrowser

        webbrowser.open(Path(page).resolve().as_uri())
