# SPDX-License-Identifier: MIT
"""``skelkin view``: a page with a 3-D player of a clip, films and pictures of it."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from ..io import ENDINGS
from ..io.same_file import same_file
from .files import PAGE_ENDINGS, is_one_file
from .films import FILMS, PICTURES, add_films, check_films, write_films
from .help_text import HelpFormatter
from .option_types import add_reading, file_name, number
from .printing import about, explained, say
from .reading import load, reading_options
from .wrong_usage import WrongUsageError

_DESCRIPTION = """\
Write a page with a 3-D player of a clip: one file, which opens without a network. Or a film or a picture of it.

  skelkin view planted.bvh --compare walk.bvh -o page.html
  skelkin view planted.bvh --compare walk.bvh --gif walk.gif
  skelkin view walk.bvh --png walk.png --frame 60

In films and pictures feet that stand are green, those of --compare red. Marks on the ground show where they stood and
how far they slid.
"""


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser], meaning: str) -> None:
    """Add the command to the parser, with what it is for in a few words."""
    view = commands.add_parser(
        "view",
        help=meaning,
        usage="skelkin view CLIP [-o PAGE] [--gif FILE] [options]",
        description=_DESCRIPTION,
        formatter_class=HelpFormatter,
        epilog="The exit code is 0, 1 if reading or writing fails, 2 for wrong usage, 130 after Ctrl-C.",
    )
    view.add_argument("clip", type=file_name, metavar="CLIP", help=f"the clip to read ({', '.join(ENDINGS)})")
    view.add_argument(
        "--compare",
        metavar="CLIP",
        help="the same motion before a change, drawn as a ghost, in films at the left; same joints and frames",
    )
    view.add_argument("-o", "--output", metavar="PAGE", help="the page to write (.html)")
    view.add_argument("--ground", type=number, metavar="HEIGHT", help="height of the ground in the clip's unit")
    view.add_argument("--title", help="the heading; of the page the clip's name if not given")
    view.add_argument("--open", action="store_true", help="open the page in the browser")
    add_reading(view, fps=False)
    add_films(view)
    view.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    """Write what is asked for."""
    _check(options)
    names = [name for name in (options.clip, options.compare) if name is not None]
    clip, *compared = (load(name, reading_options(options, names)) for name in names)
    compare = compared[0] if compared else None
    try:
        if options.output is not None:
            _write_page(options, clip, compare)
        write_films(options, clip, compare=compare, ground=options.ground, title=options.title)
    except ValueError as error:
        raise ValueError(about(options.compare or options.clip, explained(error))) from error


def _write_page(options: argparse.Namespace, clip: object, compare: object) -> None:
    from ..view import write_html

    title = options.title or os.path.basename(options.clip)
    page = write_html(options.output, clip, compare=compare, ground=options.ground, title=title)
    say(f"wrote {options.output}")
    if options.open:
        import webbrowser

        webbrowser.open(Path(page).resolve().as_uri())


def _check(options: argparse.Namespace) -> None:
    """Refuse what cannot be, before anything is read."""
    page = options.output
    targets = [
        target for target in (page, *(getattr(options, kind) for kind in FILMS + PICTURES)) if target is not None
    ]
    if not targets:
        raise WrongUsageError("nothing is to be written: give -o PAGE.html, --gif, --mp4 or --png FILE")
    if page is not None and os.path.splitext(page)[1].lower() not in PAGE_ENDINGS:
        raise WrongUsageError(f"{page}: the name must end in .html")
    if options.open and page is None:
        raise WrongUsageError("--open is for the page: give -o PAGE.html")
    check_films(options)
    for target in targets:
        if any(same_file(path, target) for path in (options.clip, options.compare) if path is not None):
            raise WrongUsageError(f"{target} is the clip itself: give it another name, the original is kept")
    if not is_one_file([options.clip]):
        raise WrongUsageError(f"{options.clip} is no file: one clip is shown")
