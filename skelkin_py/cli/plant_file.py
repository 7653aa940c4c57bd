# SPDX-License-Identifier: MIT
"""Plant one file, its clips or an array: read, plant, write; what a process is given and gives back."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from .._support.atomic import replacing
from .._support.errors import FormatError
from .._support.npy_files import read_npy
from ..planting import Planted, PlantReport, plant_feet, plant_locals
from .clip_settings import clip_settings, with_ground
from .files import ARRAY_ENDINGS, Job
from .journal import Stamp, stamp
from .reading import check_regular, load, load_moving
from .summary import figures_of, figures_of_all
from .writing import write_clips

if TYPE_CHECKING:
    from ..motion.clip import Clip


class Made(NamedTuple):
    """What came of one of many files, as little as there is to pass from one process to another.

    Attributes
    ----------
    figures : dict
        The summary's figures.
    read : list of list of int
        The stamps of the job's inputs from before they were read.
    report : dict or None
        All that planting did, as JSON values, where it is wanted.
    """

    figures: Mapping[str, Any]
    read: list[Stamp]
    report: Mapping[str, Any] | None


def plant_one_of_many(job: Job, options: Mapping[str, Any], with_report: bool) -> Made:
    """Plant a file as `plant_file` does, and return what `plant_many` has to know of it.

    Parameters
    ----------
    job : Job
        The files.
    options : dict
        As in `plant_file`.
    with_report : bool
        Whether the whole report is wanted.

    Returns
    -------
    Made
        What was done.

    Raises
    ------
    OSError, ValueError
        As in `plant_file`.
    """
    read = [stamp(path) for path in job.inputs]
    done = plant_file(job, options)
    figures = figures_of_all([figures_of(report) for report in done.reports.values()])
    return Made(figures, read, done.to_dict() if with_report else None)


class Done(NamedTuple):
    """What was done with a file.

    Attributes
    ----------
    reports : dict of str to PlantReport
        A report for each animation by name; the name is empty where the file has one, or one was chosen.
    lost : tuple of str
        What the format of the written file has no place for.
    """

    reports: Mapping[str, PlantReport]
    lost: tuple[str, ...] = ()

    @property
    def single(self) -> PlantReport | None:
        """The report where there is one."""
        return self.reports.get("")

    def to_dict(self) -> dict[str, Any]:
        """Return the report as JSON values; of several animations a mapping of them below "animations"."""
        lost = {"lost": list(self.lost)} if self.lost else {}
        if self.single is not None:
            return {**self.single.to_dict(), **lost}
        return {"animations": {name: report.to_dict() for name, report in self.reports.items()}, **lost}


def plant_file(job: Job, options: Mapping[str, Any]) -> Done:
    """Read the clips of a file, plant their feet and write them; the folders they go to are made.

    Parameters
    ----------
    job : Job
        The files.
    options : dict
        The keyword arguments of `plant_feet`, as `clip_options` returns them, with "reading" how files are read; with
        "skeleton", the file of a clip, and "fps" the files are arrays of local matrices of that clip's joints.

    Returns
    -------
    Done
        What was done.

    Raises
    ------
    OSError, ValueError
        If the clip cannot be read, planted or written; nothing is written then.
    """
    if "skeleton" in options:
        return Done({"": _plant_array(job, options)})
    options = dict(options)
    clips = load_moving(job.source, options.pop("reading", None))
    planted = {name: _plant_clip(job, name, clip, options) for name, clip in clips.items()}
    if len(planted) == 1:
        planted = {"": next(iter(planted.values()))}
    os.makedirs(os.path.dirname(job.target) or os.curdir, exist_ok=True)
    results = {name: each.clip for name, each in planted.items()}
    reports = {name: each.report for name, each in planted.items()}
    if job.page is None:
        return Done(reports, write_clips(results, job.target))
    if len(clips) > 1:
        raise ValueError(f"there are {len(clips)} animations, and a page shows one: choose one with --animation")
    (clip,) = clips.values()
    return Done(reports, _write_with_page(job, clip, planted[""], options))


def _plant_clip(job: Job, name: str, clip: Clip, options: Mapping[str, Any]) -> Planted:
    """Plant one clip of a file."""
    try:
        return plant_feet(clip, **clip_settings(clip, options, job.contacts, animation=name))
    except ValueError as error:
        if not name or isinstance(error, FormatError):
            raise
        raise ValueError(f"animation {name!r}: {error}") from error


def _plant_array(job: Job, options: Mapping[str, Any]) -> PlantReport:
    """Plant local matrices in a `.npy` file and write them to another one."""
    if os.path.splitext(job.source)[1].lower() not in ARRAY_ENDINGS:
        raise ValueError("not a .npy array: plant clips without --skeleton")
    check_regular(job.source)
    clip, local = load(options["skeleton"]["file"]), read_npy(job.source)
    chosen = clip_settings(clip, options, job.contacts, len(local))
    if options["legs"] is None:
        chosen["legs"] = None  # found in the rest pose: the clip's motion is another one
    del chosen["skeleton"]
    fps = chosen.pop("fps")
    planted = plant_locals(clip.skeleton, local, fps=clip.fps if fps is None else fps, **chosen)
    os.makedirs(os.path.dirname(job.target) or os.curdir, exist_ok=True)
    with replacing(job.target) as file:
        np.save(file, planted.local)
    return planted.report


def _write_with_page(job: Job, clip: Clip, planted: Planted, options: Mapping[str, Any]) -> tuple[str, ...]:
    """Write the planted clip and the page that shows it: both, or none of them."""
    assert job.page is not None
    title = os.path.basename(job.source)
    page = planted.show(compare=clip, ground=with_ground(options).get("ground"), title=title)
    os.makedirs(os.path.dirname(job.page) or os.curdir, exist_ok=True)
    with replacing(job.page) as file:
        file.write(page.encoded())
        return write_clips({"": planted.clip}, job.target)  # once the page is complete and waits for its name
