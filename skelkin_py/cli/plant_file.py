# SPDX-License-Identifier: MIT
"""Plant one file, a clip or an array: read, plant, write; what a process is given and gives back."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from ..io.atomic import replacing
from ..planting import Planted, PlantReport, plant_feet
from .clip_settings import clip_settings
from .files import Job
from .journal import Stamp, stamp
from .reading import load
from .summary import figures_of

if TYPE_CHECKING:
    from ..blocks import FileReport
    from ..clip import Clip


class Made(NamedTuple):
    """What came of one of many files, as little as there is to pass from one process to another.

    Attributes
    ----------
    figures : dict
        The summary's figures.
    read : list of list of int
        The stamps of the job's inputs from before they were read.
    report : dict or None
        All that planting did, as JSON values, where it was asked for.
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
    report = plant_file(job, options)
    return Made(figures_of(report), read, report.to_dict() if with_report else None)


def plant_file(job: Job, options: Mapping[str, Any]) -> PlantReport | FileReport:
    """Read a clip, plant its feet and write it; the folders it goes to are made.

    Parameters
    ----------
    job : Job
        The files.
    options : dict
        The keyword arguments of `plant_feet`, as `clip_options` returns them; with "skeleton" and "fps" the files are
        arrays, see `plant_array`.

    Returns
    -------
    PlantReport or FileReport
        What was done.

    Raises
    ------
    OSError, ValueError
        If the clip cannot be read, planted or written; nothing is written then.
    """
    if "skeleton" in options:
        from .plant_array import plant_array

        return plant_array(job, options)
    clip = load(job.source)
    settings = clip_settings(clip, options, job.contacts)
    planted = plant_feet(clip, **settings)
    os.makedirs(os.path.dirname(job.target) or os.curdir, exist_ok=True)
    if job.page is None:
        planted.save(job.target)
    else:
        _save_with_page(job, clip, planted, settings.get("ground"))
    return planted.report


def _save_with_page(job: Job, clip: Clip, planted: Planted, ground: Any) -> None:
    """Write the planted clip and the page that shows it: both, or none of them."""
    assert job.page is not None
    title = os.path.basename(job.source)
    page = planted.show(compare=clip, ground=ground, title=title)
    os.makedirs(os.path.dirname(job.page) or os.curdir, exist_ok=True)
    with replacing(job.page) as file:
        file.write(page.encoded())
        planted.save(job.target)  # once the page is complete and waits for its name
