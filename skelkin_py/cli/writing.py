# SPDX-License-Identifier: MIT
"""Writing clips to a file of any format, and saying what the format has no place for."""

from __future__ import annotations

from collections.abc import Mapping

from ..io import save, save_animations, what_is_lost
from ..io.formats import format_of
from ..motion.clip import Clip
from ..motion.scales import without_scales
from .printing import some_of


def write_clips(clips: Mapping[str, Clip], target: str) -> tuple[str, ...]:
    """Write the animations of a file to another.

    Parameters
    ----------
    clips : mapping of str to Clip
        As `reading.load_all` returns them.
    target : str
        The file to write.

    Returns
    -------
    tuple of str
        What the format has no place for, each once; of scales and shear remains that joints stay where they were.

    Raises
    ------
    OSError, ValueError
        If the file cannot be written, or holds one animation and there are more.

    Examples
    --------
    >>> clip = sk.example("biped").clip
    >>> write_clips({"": clip.replace(scales=np.full(clip.translations.shape, 2.0))}, "large.bvh")
    ('scales',)
    """
    row = format_of(target, writing=True)
    if len(clips) > 1 and not row.several:
        raise ValueError(
            f"there are {len(clips)} animations ({some_of(list(clips))}), and a {row.name} file holds one: choose one "
            "with --animation"
        )
    lost: dict[str, None] = {}
    written = {}
    for name, clip in clips.items():
        missing = what_is_lost(clip, target)
        lost.update(dict.fromkeys(missing))
        written[name] = without_scales(clip) if {"scales", "shear"} & {*missing} else clip
    if len(written) == 1:
        save(next(iter(written.values())), target)
    else:
        save_animations(written, target)
    return tuple(lost)
