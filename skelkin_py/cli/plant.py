# SPDX-License-Identifier: MIT
"""``skelkin plant``: plant the feet of clips and write them to other files."""

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
from .files import (
    ARRAY_ENDINGS,
    PAGE_ENDINGS,
    Job,
    check_targets,
    is_array,
    is_one_file,
    is_read_as_clip,
    means_folder,
)
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
from .workers import num_cores
from .wrong_usage import HelpFormatter, WrongUsageError

_DESCRIPTION = """\
Plant the feet of clips on the ground.

  skelkin plant walk.bvh -o planted.bvh         one clip
  skelkin plant clips/ -o planted/              a folder with all below it
  skelkin plant 'clips/**/walk*.bvh' -o planted/
  skelkin plant poses.npy --skeleton rig.bvh -o planted.npy     an array

Folders and patterns keep their tree below the output folder. A second run skips clips that are finished: made with
the same options and version from an input that has not changed since.

With --skeleton .npy files are arrays of local matrices, (frames, joints, 4, 4) or (frames, joints, 3, 4), with the
joints of that clip in its order. They are planted a block of frames at a time and need not fit into memory.
Arrays of positions, (frames, joints, 3), and .npz files are clips; --skeleton says which joints they are.
"""


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser], meaning: str) -> None:
    """Add the command to the parser, with what it is for in a few words."""
    plant = commands.add_parser(
        "plant",
        help=meaning,
        usage="skelkin plant CLIP [CLIP ...] -o PATH [options]",
        description=_DESCRIPTION,
        epilog="The exit code is 0, 1 if a clip failed, 2 for wrong usage, 130 after Ctrl-C.",
        formatter_class=HelpFormatter,
    )
    add_clips(plant)
    plant.add_argument(
        "-o",
        "--output",
        required=True,
        metavar="PATH",
        help="the file to write, which may not be the clip itself; or a folder; missing folders are made",
    )
    plant.add_argument(
        "--html",
        metavar="PAGE",
        help="also write a page that plays the clip before and after, with the figures (.html; for one clip)",
    )
    arrays = plant.add_argument_group("arrays")
    arrays.add_argument(
        "--skeleton",
        type=skeleton,
        metavar="FILE",
        help="of arrays: which joints they are, those of this clip or .json file with joint_names and parents; for "
        ".npy arrays of local matrices it is needed",
    )
    add_reading(plant, fps=False, joints=False)
    plant.add_argument(
        "--fps",
        dest="read_fps",
        type=length,
        metavar="RATE",
        help="frames per second, whatever the files say (default: as found; of arrays those of --skeleton)",
    )
    add_clip_options(plant)
    add_option(plant, "reach", "what gives way where a leg is too short", choices=REACHES)
    add_option(
        plant,
        "travel",
        "keep the root's motion; in_place: take its mean travel out; travelling: put that of its feet into "
        "a cycle in place",
        choices=TRAVELS,
    )
    add_option(
        plant,
        "pelvis_acceleration",
        "how much acceleration the body may gain, in leg lengths per s²; a fall has about 11",
        "LEGS",
    )
    add_option(plant, "stretch", "with --reach stretch: the factor by which bones may lengthen", "FACTOR")
    add_option(plant, "blend", "how long a correction takes to fade outside a contact", "SECONDS")
    add_option(
        plant,
        "pelvis",
        "the joint that raises and lowers the body; if not given, the nearest one above the legs that moves",
        "JOINT",
    )
    add_jobs(plant)
    plant.add_argument(
        "--scheduler",
        type=scheduler,
        metavar="ADDRESS",
        help="give the work to the Dask cluster with this scheduler, such as tcp://HOST:8786; its workers must see the "
        "same files (needs the extra [cluster])",
    )
    plant.add_argument("--force", action="store_true", help="plant finished clips again")
    plant.add_argument("-v", "--verbose", action="store_true", help="tell all figures; of several clips list every one")
    plant.add_argument("--json", action="store_true", help="print the report as JSON; for several clips, one line each")
    plant.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Plant one file, or many into a folder."""
    chosen = clip_options(options)
    if options.stretch != PlantOptions.stretch and options.reach != "stretch":
        raise WrongUsageError(f"--stretch {options.stretch:g} says how far --reach stretch may go: give that too")
    if options.skeleton is not None and not all(map(is_read_as_clip, options.clips)):
        file = os.path.abspath(options.skeleton)
        chosen |= {"skeleton": {"file": file, "stamp": stamp(file)}, "fps": options.read_fps}
    elif arrays := [name for name in options.clips if not is_read_as_clip(name) and is_array(name)]:
        raise WrongUsageError(
            f"{arrays[0]} is an array: --skeleton has to name the clip whose joints its matrices are for"
        )
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
            f"--html {options.html} shows one clip that goes to a file: of several, skelkin view makes a page of each "
            "that is worth a look (skelkin view PLANTED --compare CLIP -o PAGE)"
        )
    return plant_many(
        options.clips,
        options.output,
        chosen,
        jobs=options.jobs or num_cores(),
        scheduler=options.scheduler,
        force=options.force,
        as_json=options.json,
        verbose=options.verbose,
    )


def _coloured(line: str) -> str:
    """Return a line of the report, in a colour where it begins with a grade."""
    colour = {"fault": RED, "look at": BOLD}.get(line.split(":")[0])
    return line if colour is None else painted(line, colour, sys.stdout)


def _plant_one(job: Job, options: dict[str, Any], as_json: bool, verbose: bool) -> None:
    """Read, plant, write and report."""
    source, target = job.source, job.target
    if same_file(source, target):
        raise WrongUsageError(f"{target} is the clip itself: give another file to -o, the original is kept")
    check_targets([job], options)
    endings = ARRAY_ENDINGS if "skeleton" in options else ENDINGS
    if os.path.splitext(target)[1].lower() not in endings:
        raise WrongUsageError(f"{target}: the name must end in {', '.join(endings)}, or in / for a folder")
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
        say(f"left out, for which the format has no place: {', '.join(done.lost)}")
    for path in (target, job.page):
        if path is not None:
            say(f"wrote {path}")


def _check_page(job: Job, page: str, options: dict[str, Any]) -> None:
    """Refuse a page that cannot be, or that would be written over another file."""
    if "skeleton" in options:
        raise WrongUsageError(f"--html {page} shows clips: an array has no page")
    if os.path.splitext(page)[1].lower() not in PAGE_ENDINGS:
        raise WrongUsageError(f"--html {page}: the name must end in .html")
    if same_file(job.target, page):
        raise WrongUsageError(f"--html {page} is the file that the clip goes to: give it another name")
    check_targets([job._replace(target=page)], options)
