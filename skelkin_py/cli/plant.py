# SPDX-License-Identifier: MIT
"""Plant the feet of clips on the ground."""

from __future__ import annotations

import argparse
import os
import sys
from typing import Any

from .._support.atomic import no_folders_left_for
from ..io import ENDINGS
from ..io.same_file import same_file
from ..motion.plant_options import REACHES, TRAVELS, PlantOptions
from .contacts_file import contacts_files
from .files import ARRAY_ENDINGS, PAGE_ENDINGS, Job, check_targets, is_array, is_one_file, is_read_as_clip, means_folder
from .journal import stamp
from .option_types import (
    add_clip_options,
    add_clips,
    add_jobs,
    add_option,
    add_reading,
    clip_options,
    length,
    scheduler,
    skeleton,
)
from .plant_file import plant_file
from .plant_many import plant_many
from .printing import BOLD, RED, about, explained, in_lines, painted, say, say_json
from .reading import reading_options
from .summary import Row, figures_of, table
from .wrong_usage import WrongUsageError

DESCRIPTION = """\
Plant the feet of clips on the ground.

  skelkin plant walk.bvh -o planted.bvh         one clip
  skelkin plant clips/ -o planted/              a folder and everything below it
  skelkin plant 'clips/**/walk*.bvh' -o planted/
  skelkin plant poses.npy --skeleton rig.bvh -o planted.npy     an array

The output folder gets the same tree as the folder or pattern that was read. A second run skips finished clips: those
made by the same version with the same options, from an input that has not changed.

With --skeleton, a .npy file is an array of local matrices, (frames, joints, 4, 4) or (frames, joints, 3, 4), whose
joints are those of that clip, in its order. It is planted a block of frames at a time and need not fit into memory.
Arrays of positions, (frames, joints, 3), and .npz files are clips; --skeleton names their joints.
"""
USAGE = "CLIP [CLIP ...] -o PATH [options]"
EPILOG = "Exit code: 0; 1 if a clip failed; 2 for wrong usage; 130 after Ctrl-C."


_HELP = {
    "output": "file or folder to write, not the clip itself; missing folders are created",
    "html": "also write a page that plays the clip before and after, with the figures (.html; one clip only)",
    "skeleton": "the joints of an array: a clip, or a .json file with joint_names and parents; required for .npy "
    "arrays of local matrices",
    "fps": "frames per second, overriding the file (default: the file's; for arrays, that of --skeleton)",
    "travel": "keep the root's travel; in_place: remove it; travelling: make a cycle in place travel as its feet do",
    "pelvis_acceleration": "the most acceleration that planting may add to the body, in leg lengths per s²; free fall "
    "is about 11",
    "pelvis": "the joint that raises and lowers the body (default: the nearest one above the legs that moves)",
    "scheduler": "plant on the Dask cluster of this scheduler, such as tcp://HOST:8786; its workers must see the same "
    "files (needs the extra [cluster])",
}


def add_arguments(plant: argparse.ArgumentParser) -> None:
    """Add the arguments and options of the command."""
    add_clips(plant)
    plant.add_argument("-o", "--output", required=True, metavar="PATH", help=_HELP["output"])
    plant.add_argument("--html", metavar="PAGE", help=_HELP["html"])
    arrays = plant.add_argument_group("arrays")
    arrays.add_argument("--skeleton", type=skeleton, metavar="FILE", help=_HELP["skeleton"])
    add_reading(plant, fps=False, joints=False)
    plant.add_argument("--fps", dest="read_fps", type=length, metavar="RATE", help=_HELP["fps"])
    add_clip_options(plant)
    add_option(plant, "reach", "what to do where a leg is too short", choices=REACHES)
    add_option(plant, "travel", _HELP["travel"], choices=TRAVELS)
    add_option(plant, "pelvis_acceleration", _HELP["pelvis_acceleration"], "LEGS")
    add_option(plant, "stretch", "the most that bones may lengthen with --reach stretch, as a factor", "FACTOR")
    add_option(plant, "blend", "how long a correction takes to fade out around a contact", "SECONDS")
    add_option(plant, "pelvis", _HELP["pelvis"], "JOINT")
    add_jobs(plant)
    plant.add_argument("--scheduler", type=scheduler, metavar="ADDRESS", help=_HELP["scheduler"])
    plant.add_argument("--force", action="store_true", help="plant finished clips again")
    plant.add_argument("-v", "--verbose", action="store_true", help="print every figure; list every clip")
    plant.add_argument("--json", action="store_true", help="print the report as JSON; for several clips, one line each")


def run(options: argparse.Namespace) -> int:
    """Plant one file, or many into a folder."""
    chosen = clip_options(options)
    if options.stretch != PlantOptions.stretch and options.reach != "stretch":
        raise WrongUsageError(f"--stretch {options.stretch:g} needs --reach stretch: add it")
    if options.skeleton is not None and not all(map(is_read_as_clip, options.clips)):
        file = os.path.abspath(options.skeleton)
        chosen |= {"skeleton": {"file": file, "stamp": stamp(file)}, "fps": options.read_fps}
    elif arrays := [name for name in options.clips if not is_read_as_clip(name) and is_array(name)]:
        raise WrongUsageError(f"{arrays[0]} is an array: name the clip that has its joints with --skeleton CLIP")
    elif reading := reading_options(options, options.clips):
        if "skeleton" in reading:
            reading["skeleton"] = os.path.abspath(reading["skeleton"])
        chosen["reading"] = reading
    if is_one_file(options.clips) and not means_folder(options.output) and options.scheduler is None:
        source = options.clips[0]
        (contacts,) = contacts_files(chosen["contacts"], [os.path.basename(source)])
        _plant_one(Job(source, options.output, source, contacts, options.html), chosen, options.json, options.verbose)
        return 0
    if options.html is not None:
        raise WrongUsageError(
            f"--html {options.html} shows one clip, planted into a file: for several, run skelkin view PLANTED "
            "--compare CLIP -o PAGE on those that you want to see"
        )
    return plant_many(options, chosen)


def _coloured(line: str) -> str:
    """Return a line of the report, in a colour where it begins with a grade."""
    colour = {"fault": RED, "look at": BOLD}.get(line.split(":")[0])
    return line if colour is None else painted(line, colour, sys.stdout)


def _plant_one(job: Job, options: dict[str, Any], as_json: bool, verbose: bool) -> None:
    """Read, plant, write and report."""
    source, target = job.source, job.target
    if same_file(source, target):
        raise WrongUsageError(f"{target} is the clip itself, which is never overwritten: give -o another name")
    check_targets([job], options)
    endings = ARRAY_ENDINGS if "skeleton" in options else ENDINGS
    if os.path.splitext(target)[1].lower() not in endings:
        known = f"{', '.join(endings)}, or in / for a folder"
        raise WrongUsageError(f"{target}: {_of_another_option(target) or f'give -o a name that ends in {known}'}")
    if job.page is not None:
        _check_page(job, job.page, options)
    try:
        with no_folders_left_for(target), no_folders_left_for(job.page or target):
            done = plant_file(job, options)
    except ValueError as error:
        raise ValueError(about(source, explained(error))) from error
    if as_json:
        page = {} if job.page is None else {"page": job.page}
        say_json({"clip": source, "output": target, **page, **done.to_dict()}, indent=1)
        return
    report = done.single
    if report is None:
        say(table([Row(name, figures_of(each)) for name, each in done.reports.items()], kind="animation"))
    else:
        say(in_lines(map(_coloured, report.as_text(verbose=verbose, words="shell").split("\n"))))
    if done.lost:
        say(f"not written, because the format cannot store it: {', '.join(done.lost)}")
    for path in (target, job.page):
        if path is not None:
            say(f"wrote {path}")


def _of_another_option(target: str) -> str:
    """Return which command or option writes a file of this kind; empty where none does."""
    ending = os.path.splitext(target)[1].lower()
    if ending in PAGE_ENDINGS:
        return f"give the page to --html {target}, and the planted clip to -o"
    if ending in (".gif", ".mp4", ".png"):
        return f"plant into a clip first, then skelkin view PLANTED --{ending[1:]} {target}"
    return ""


def _check_page(job: Job, page: str, options: dict[str, Any]) -> None:
    """Refuse a page that cannot be written, or that would be written over another file."""
    if "skeleton" in options:
        raise WrongUsageError(f"--html {page} shows clips, not arrays: leave it out")
    if os.path.splitext(page)[1].lower() not in PAGE_ENDINGS:
        raise WrongUsageError(f"--html {page}: give a name that ends in .html")
    if same_file(job.target, page):
        raise WrongUsageError(f"--html {page} is also the file of the planted clip: give it another name")
    check_targets([job._replace(target=page)], options)
