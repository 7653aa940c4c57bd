# SPDX-License-Identifier: MIT
"""Files: `load` reads a clip by the ending of its name, `save` writes one."""

from __future__ import annotations

import os

from ..clip import Clip

ENDINGS = (".bvh",)


def _ending(path: str | os.PathLike[str]) -> str:
    if not isinstance(path, (str, bytes, os.PathLike)):
        raise TypeError(f"path is {path!r}: the path of a file is needed, a str or a Path")
    ending = os.path.splitext(os.fspath(path))[1].lower()
    if ending not in ENDINGS:
        raise ValueError(f"path is {os.fspath(path)!r}: the name must end in {' or '.join(ENDINGS)}")
    return ending


def load(path: str | os.PathLike[str], animation: str | int | None = None) -> Clip:
    """Read a clip from a file.

    Parameters
    ----------
    path : str or os.PathLike
        A ``.bvh`` file.
    animation : str or int, optional
        Which animation to read where the format can hold several; a BVH file holds one.

    Returns
    -------
    Clip
        The skeleton and its motion, in the file's own unit and axes.

    Raises
    ------
    FormatError
        If the file is broken; names the line.
    ValueError
        If the ending is unknown, or `animation` is given for a BVH file.
    OSError
        If the file cannot be opened.

    Examples
    --------
    >>> import skelkin_py as sk
    >>> sk.example("biped").clip.save("walk.bvh")
    >>> sk.load("walk.bvh").num_frames
    180
    >>> sk.load("walk.c3d")
    Traceback (most recent call last):
    ValueError: path is 'walk.c3d': the name must end in .bvh
    """
    _ending(path)
    if animation is not None:
        raise ValueError(f"animation is {animation!r}: a BVH file holds one animation, it must be None")
    from .bvh import read_bvh

    return read_bvh(path)


def save(clip: Clip, path: str | os.PathLike[str]) -> None:
    """Write a clip to a file; the ending of the name says the format.

    Parameters
    ----------
    clip : Clip
        The clip.
    path : str or os.PathLike
        A ``.bvh`` file; replaced in one step, never half-written.

    Raises
    ------
    ValueError
        If the ending is unknown or the format cannot hold the clip.
    OSError
        If the file cannot be written.

    Examples
    --------
    >>> import numpy as np, skelkin_py as sk
    >>> clip = sk.Clip(sk.Skeleton([-1], np.eye(4)[None]), [[[1, 0, 0, 0]]], fps=30)
    >>> save(clip, "still.c3d")
    Traceback (most recent call last):
    ValueError: path is 'still.c3d': the name must end in .bvh
    """
    _ending(path)
    from .bvh_writer import write_bvh

    write_bvh(path, clip)
