# SPDX-License-Identifier: MIT
"""Convert a clip to another format."""

from __future__ import annotations

import argparse
import os

from .._support.atomic import no_folders_left_for
from ..io import ENDINGS
from ..io.other_programs import conversion_hint
from ..io.same_file import same_file
from ..motion.clip import Clip
from .option_types import add_reading, check_frames, file_name, frame
from .printing import say
from .reading import load_all, reading_options
from .writing import write_clips
from .wrong_usage import WrongUsageError

_KNOWN = f"{', '.join(ENDINGS[:-1])} or {ENDINGS[-1]}"


DESCRIPTION = (
    f"Convert a clip to another format. The endings of the names choose the formats: {_KNOWN}. All animations of a "
    "file are converted, or only the one that --animation names."
)
USAGE = "IN OUT [options]"
EPILOG = "Exit code: 0; 1 if reading or writing fails; 2 for wrong usage; 130 after Ctrl-C."


def add_arguments(convert: argparse.ArgumentParser) -> None:
    """Add the arguments and options of the command."""
    convert.add_argument("clip", type=file_name, metavar="IN", help=f"the clip to read ({_KNOWN})")
    convert.add_argument("output", metavar="OUT", help=f"the file to write ({_KNOWN}), not the clip itself")
    convert.add_argument(
        "--frames", type=frame, nargs=2, metavar=("FIRST", "LAST"), help="keep only these frames, counted from 0"
    )
    add_reading(convert)


def run(options: argparse.Namespace) -> None:
    """Read and write."""
    check_frames(options.frames)
    source, target = options.clip, options.output
    if os.path.isdir(source):
        raise WrongUsageError(f"{source} is a folder: give one file, and convert several in a loop of your shell")
    for path, verb in ((source, "read"), (target, "written")):
        ending = os.path.splitext(path)[1]
        if ending.lower() in ENDINGS:
            continue
        hint = conversion_hint(path) if verb == "read" else None
        what = f"{ending} files" if ending else "files without an ending"
        raise WrongUsageError(f"{path}: {hint or f'{what} cannot be {verb}; give a name that ends in {_KNOWN}'}")
    if same_file(source, target):
        raise WrongUsageError(f"{target} is the clip itself, which is never overwritten: give another name")
    clips = load_all(source, reading_options(options, [source]))
    if options.frames is not None:
        clips = {name: _cut(name, clip, *options.frames) for name, clip in clips.items()}
    with no_folders_left_for(target):
        os.makedirs(os.path.dirname(target) or os.curdir, exist_ok=True)
        lost = write_clips(clips, target)
    clip, *others = clips.values()
    joints = f"{len(clip.names)} joints"
    if others:
        frames = clip.num_frames + sum(each.num_frames for each in others)
        say(f"wrote {target}: {len(clips)} animations, {joints}, {frames} frames in all")
    else:
        say(f"wrote {target}: {joints}, {clip.num_frames} frames at {clip.fps:g} per second")
    if lost:
        say(f"not written, because the format cannot store it: {', '.join(lost)}")


def _cut(name: str, clip: Clip, first: int, last: int) -> Clip:
    """Return some frames of an animation."""
    if not 0 <= first <= last < clip.num_frames:
        of = f" of animation {name!r}" if name else ""
        raise ValueError(f"--frames {first} {last}: give frames within 0 … {clip.num_frames - 1}{of}")
    return clip.slice(first, last + 1)
