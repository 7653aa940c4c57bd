# SPDX-License-Identifier: MIT
"""Show a clip: write a page with a 3-D player, a single file that needs no network, or write a film or a picture."""

from __future__ import annotations

import argparse
import os
from pathlib import Path
from typing import Any

from .._support.errors import MissingExtraError
from ..io import ENDINGS
from ..io.same_file import same_file
from .files import PAGE_ENDINGS, is_one_file
from .option_types import add_reading, check_frames, file_name, frame, length, number
from .printing import Progress, about, explained, say
from .reading import load, reading_options
from .wrong_usage import WrongUsageError

DESCRIPTION = """\
Show a clip: write a page with a 3-D player, a single file that needs no network, or write a film or a picture.

  skelkin view planted.bvh --compare walk.bvh -o page.html
  skelkin view planted.bvh --compare walk.bvh --gif walk.gif
  skelkin view walk.bvh --png walk.png --frame 60

In films and pictures, standing feet are green, and red in the clip of --compare. Marks on the ground show where they
stood and how far they slid.
"""
USAGE = "CLIP [-o PAGE] [--gif FILE] [options]"
EPILOG = "Exit code: 0; 1 if reading or writing fails; 2 for wrong usage; 130 after Ctrl-C."


_HELP = {
    "compare": "the same motion before a change, with the same joints and frames; the page draws it as a ghost, "
    "films at the left",
    "frame": "the frames that --png shows, counted from 0, in a row",
    "frames": "the frames that films show (default: the whole clip)",
    "fps": "pictures per second (default: the clip's, up to 15 in a GIF, else 30)",
    "size": "size in pixels (default: 800x420, 480x420 without --compare)",
    "camera": "corner, front, side, top, feet, or AZIMUTH,ELEVATION in degrees: 0,0 looks at the front, 90,0 at the "
    "figure's right side, 0,90 from above (default: corner)",
    "arrange": "put the clip of --compare at the left, or in the same place (default: side_by_side)",
}


def add_arguments(view: argparse.ArgumentParser) -> None:
    """Add the arguments and options of the command."""
    view.add_argument("clip", type=file_name, metavar="CLIP", help=f"the clip to read ({', '.join(ENDINGS)})")
    view.add_argument("--compare", metavar="CLIP", help=_HELP["compare"])
    view.add_argument("-o", "--output", metavar="PAGE", help="the page to write (.html)")
    view.add_argument("--ground", type=number, metavar="HEIGHT", help="height of the ground in the clip's unit")
    view.add_argument("--title", help="the heading (default: the clip's name on a page, none in films and pictures)")
    view.add_argument("--open", action="store_true", help="open the page in the browser")
    add_reading(view, fps=False)
    add_films(view)


def run(options: argparse.Namespace) -> None:
    """Write the page, films and pictures."""
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
    targets = [*_given(options, "output", *FILMS, *PICTURES).values()]
    if not targets:
        raise WrongUsageError("no file to write: add -o PAGE.html, --gif FILE, --mp4 FILE or --png FILE")
    if page is not None and os.path.splitext(page)[1].lower() not in PAGE_ENDINGS:
        kind = os.path.splitext(page)[1].lower().removeprefix(".")
        if kind in FILMS + PICTURES:
            raise WrongUsageError(f"-o writes a page (.html): for {page} give --{kind} {page}")
        raise WrongUsageError(f"{page}: give -o a name that ends in .html")
    if options.open and page is None:
        raise WrongUsageError("--open opens the page: add -o PAGE.html")
    check_films(options)
    for target in targets:
        if any(same_file(path, target) for path in (options.clip, options.compare) if path is not None):
            raise WrongUsageError(f"{target} is the clip itself, which is never overwritten: give another name")
    if not is_one_file([options.clip]):
        raise WrongUsageError(f"{options.clip} is not a file: give the file of one clip")


FILMS, PICTURES = ("gif", "mp4"), ("png",)
_OF_FILMS, _OF_PICTURES, _OF_BOTH = ("frames", "fps", "speed"), ("frame",), ("size", "camera", "zoom", "arrange")


def add_films(command: argparse.ArgumentParser) -> None:
    """Add the options."""
    parser = command.add_argument_group("films and pictures (extra film)")
    parser.add_argument("--gif", metavar="FILE", help="write a film that any web page or mail shows")
    parser.add_argument("--mp4", metavar="FILE", help="write a film (H.264)")
    parser.add_argument("--png", metavar="FILE", help="write a picture of --frame, or a strip of five")
    parser.add_argument("--frame", type=frame, nargs="+", metavar="N", help=_HELP["frame"])
    parser.add_argument("--frames", type=frame, nargs=2, metavar=("FIRST", "LAST"), help=_HELP["frames"])
    parser.add_argument("--fps", type=length, metavar="N", help=_HELP["fps"])
    parser.add_argument("--speed", type=length, metavar="TIMES", help="playback speed of films (default: 1)")
    parser.add_argument("--size", type=_size, metavar="WxH", help=_HELP["size"])
    parser.add_argument("--camera", type=_camera, metavar="VIEW", help=_HELP["camera"])
    parser.add_argument("--zoom", type=length, metavar="TIMES", help="magnification (default: 1)")
    parser.add_argument("--arrange", choices=("side_by_side", "together"), help=_HELP["arrange"])


def check_films(options: argparse.Namespace) -> None:
    """Refuse options that belong to nothing that is written, names with another ending, and values that cannot be."""
    wanted = _given(options, *FILMS, *PICTURES)
    for kind, target in wanted.items():
        if os.path.splitext(target)[1].lower() != f".{kind}":
            raise WrongUsageError(f"--{kind} {target}: give a name that ends in .{kind}")
    for names, kinds in ((_OF_FILMS, FILMS), (_OF_PICTURES, PICTURES), (_OF_BOTH, FILMS + PICTURES)):
        for name in _given(options, *names):
            if wanted.keys().isdisjoint(kinds):
                outputs = " or ".join(f"--{kind} FILE" for kind in kinds)
                raise WrongUsageError(f"--{name} needs {outputs}: add one, or leave it out")
    check_frames(options.frames)
    if not wanted:
        return
    from ..view.film.camera import view_of
    from ..view.film.write import checked_size, moments_of

    try:
        view_of(**_given(options, "camera", "zoom"))
        for kind in wanted:
            checked_size(options.size, (64, 64), even=kind == "mp4")
            if kind in FILMS:
                moments_of((0, 0), 1.0, f".{kind}", **_given(options, "fps", "speed"))
    except ValueError as error:
        raise WrongUsageError(f"--{error}") from error


def write_films(options: argparse.Namespace, clip: Any, **drawn: Any) -> None:
    """Write films and pictures; `drawn` are the arguments that all have in common with the page."""
    from ..view import write_film, write_picture

    look = drawn | _given(options, *_OF_BOTH)
    for kind, target in _given(options, *FILMS, *PICTURES).items():
        try:
            if kind in PICTURES:
                write_picture(target, clip, options.frame, **look)
            else:
                with Progress(0, "pictures") as progress:
                    write_film(target, clip, progress=progress.reach, **look, **_given(options, *_OF_FILMS))
        except MissingExtraError as error:
            raise MissingExtraError(f"--{kind}", str(error.name), "film") from error
        say(f"wrote {target}")


def _given(options: argparse.Namespace, *names: str) -> dict[str, Any]:
    """Return the options of these names that are given."""
    return {name: value for name in names if (value := getattr(options, name)) is not None}


def _size(text: str) -> tuple[int, int]:
    """Read two whole numbers, such as ``800x420``."""
    parts = text.lower().split("x")
    if len(parts) != 2 or not all(part.isdecimal() for part in parts):
        raise argparse.ArgumentTypeError(f"{text} is not a size: give WIDTHxHEIGHT, such as 800x420")
    return int(parts[0]), int(parts[1])


def _camera(text: str) -> str | tuple[float, float]:
    """Read the name of a camera, or two angles."""
    if "," not in text:
        return text
    parts = text.split(",")
    if len(parts) != 2:
        raise argparse.ArgumentTypeError(f"{text} is not a direction: give AZIMUTH,ELEVATION, such as 62,12")
    return number(parts[0]), number(parts[1])
