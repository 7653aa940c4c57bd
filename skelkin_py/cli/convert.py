# SPDX-License-Identifier: MIT
"""``skelkin convert``: read a clip and write it to another file, cut if asked."""

from __future__ import annotations

import argparse
import os

from ..io import ENDINGS
from ..io.atomic import no_folders_left_for
from ..io.same_file import same_file
from .option_types import check_frames, frame
from .printing import say
from .reading import load
from .wrong_usage import WrongUsageError

_KNOWN = " or ".join(ENDINGS)


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser], meaning: str) -> None:
    """Add the command to the parser, with what it is for in a few words."""
    convert = commands.add_parser(
        "convert",
        help=meaning,
        description=f"Read a clip and write it to another file. The endings say the formats, so far {_KNOWN}.",
        epilog="The exit code is 0, 1 if reading or writing fails, 2 for wrong usage, 130 after Ctrl-C.",
    )
    convert.add_argument("clip", metavar="IN", help=f"the clip to read ({_KNOWN})")
    convert.add_argument("output", metavar="OUT", help=f"the clip to write ({_KNOWN}), another file")
    convert.add_argument(
        "--frames", type=frame, nargs=2, metavar=("FIRST", "LAST"), help="only these frames, counted from 0"
    )
    convert.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    """Read and write."""
    check_frames(options.frames)
    source, target = options.clip, options.output
    if os.path.isdir(source):
        raise WrongUsageError(f"{source} is a folder: one file is converted at a time")
    for path, verb in ((source, "read"), (target, "written")):
        ending = os.path.splitext(path)[1]
        if ending.lower() not in ENDINGS:
            what = f"{ending} files" if ending else "files without an ending"
            raise WrongUsageError(f"{path}: {what} cannot be {verb}, the name must end in {_KNOWN}")
    if same_file(source, target):
        raise WrongUsageError(f"{target} is the clip itself: give another file, the original is kept")
    clip = load(source)
    if options.frames is not None:
        first, last = options.frames
        if not 0 <= first <= last < clip.num_frames:
            raise ValueError(f"--frames {first} {last}: 0 ≤ FIRST ≤ LAST ≤ {clip.num_frames - 1} is needed")
        clip = clip.slice(first, last + 1)
    with no_folders_left_for(target):
        os.makedirs(os.path.dirname(target) or os.curdir, exist_ok=True)
        clip.save(target)
    say(f"wrote {target}: {len(clip.names)} joints, {clip.num_frames} frames at {clip.fps:g} per second")
