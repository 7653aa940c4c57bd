# SPDX-License-Identifier: MIT
"""Plant one file, a clip or an array: read, plant, write; what a process is given and gives back."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any, NamedTuple

from ..blocks import FileReport
from ..io import load
from ..planting import Report, plant_feet
from .files import Job
from .ground_file import with_ground
from .journal import Stamp, stamp
from .named_legs import legs_of
from .plant_array import plant_array


class Made(NamedTuple):
    """What came of a file.

    Attributes
    ----------
    report : Report or FileReport
        What planting did; of an array without the curves.
    read : list of int
        The input's stamp from before it was read.
    """

    report: Report | FileReport
    read: Stamp


def plant_file(job: Job, options: Mapping[str, Any]) -> Made:
    """Read a clip, plant its feet and write it; the folder it goes to is made.

    Parameters
    ----------
    job : Job
        The files.
    options : dict
        The keyword arguments of `plant_feet`, as `clip_options` returns them; with "skeleton" and "fps" the files are
        arrays, see `plant_array`.

    Returns
    -------
    Made
        What was done.

    Raises
    ------
    OSError, ValueError
        If the clip cannot be read, planted or written; nothing is written then.
    """
    read = stamp(job.source)
    if "skeleton" in options:
        return Made(plant_array(job, options), read)
    clip = load(job.source)
    planted = plant_feet(clip, **{**with_ground(options), "legs": legs_of(clip, options["legs"])})
    os.makedirs(os.path.dirname(job.target) or os.curdir, exist_ok=True)
    planted.clip.save(job.target)
    return Made(planted.report, read)
