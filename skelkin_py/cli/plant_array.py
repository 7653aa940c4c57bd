# SPDX-License-Identifier: MIT
"""Plant one array of local matrices, a block at a time, so that it may be larger than the memory."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import Any

from .. import blocks
from ..blocks import FileReport
from ..blocks.npy_rows import NpyRows
from .clip_settings import clip_settings
from .files import ARRAY_ENDINGS, Job
from .reading import check_regular, load


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
    check_regular(job.source)
    clip = load(options["skeleton"]["file"])
    chosen = clip_settings(clip, options, job.contacts, None if job.contacts is None else _num_frames(job.source))
    if options["legs"] is None:
        chosen["legs"] = None  # found in the rest pose: the clip's motion is another one
    del chosen["skeleton"]
    fps = chosen.pop("fps")
    os.makedirs(os.path.dirname(job.target) or os.curdir, exist_ok=True)
    planted = blocks.plant_file(
        job.source,
        job.target,
        clip.skeleton,
        fps=clip.fps if fps is None else fps,
        progress=progress,
        **chosen,
    )
    return planted.report


def _num_frames(path: str) -> int:
    with NpyRows(path) as rows:
        return len(rows)
