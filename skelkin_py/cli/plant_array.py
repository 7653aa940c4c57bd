# SPDX-License-Identifier: MIT
"""Plant one array of local matrices, a block at a time, so that it may be larger than the memory."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import Any

from .. import blocks
from ..blocks import FileReport
from ..io import load
from .files import Job
from .ground_file import with_ground
from .named_legs import legs_of

ARRAY_ENDINGS = (".npy",)


def plant_array(
    job: Job, options: Mapping[str, Any], progress: Callable[[int, int], object] | None = None
) -> FileReport:
    """Plant the feet of local matrices in a `.npy` file and write them to another one.

    Parameters
    ----------
    job : Job
        The files.
    options : dict
        The keyword arguments of `plant_file`, as JSON values; "skeleton" is the file of a clip whose joints the
        matrices belong to, and "fps" None where that clip says it.
    progress : callable, optional
        Called with the frames that are done, and their number in all.

    Returns
    -------
    FileReport
        What was done.

    Raises
    ------
    OSError, ValueError
        If a file cannot be read, planted or written; nothing is written then.
    """
    if os.path.splitext(job.source)[1].lower() not in ARRAY_ENDINGS:
        raise ValueError("--skeleton is for arrays: the name must end in .npy")
    chosen = with_ground(options)
    clip = load(chosen.pop("skeleton")["file"])
    named, fps = chosen.pop("legs"), chosen.pop("fps")
    legs = None if named is None else legs_of(clip, named)
    os.makedirs(os.path.dirname(job.target) or os.curdir, exist_ok=True)
    planted = blocks.plant_file(
        job.source,
        job.target,
        clip.skeleton,
        fps=clip.fps if fps is None else fps,
        legs=legs,
        progress=progress,
        **chosen,
    )
    return planted.report
