# SPDX-License-Identifier: MIT
"""The table of formats: who reads and writes files of which ending, and what to do with other files."""

from __future__ import annotations

import importlib
import os
from collections.abc import Mapping
from typing import Any, NamedTuple, Protocol, cast

from .._support.arguments import file_path
from .._support.array_types import FilePath
from .._support.errors import quoted
from ..motion.clip import Clip
from .other_programs import conversion_hint

_LETTERS = 255  # the longest name that files have


class FormatModule(Protocol):
    """What the module of a format offers."""

    def read(self, path: FilePath, **options: Any) -> Clip:
        """Read one clip; `options` are those of `load` that the format's row names and that were given."""

    def read_animations(self, path: FilePath, **options: Any) -> dict[str, Clip]:
        """Read all animations; of formats whose row says `several`."""

    def write(self, path: FilePath, clip: Clip) -> None:
        """Write a clip; what it was read from is kept where it is of this format."""

    def write_animations(self, path: FilePath, clips: Mapping[str, Clip]) -> None:
        """Write several animations into one file; of formats whose row says `several`."""

    def what_is_lost(self, clip: Clip) -> tuple[str, ...]:
        """Return what a file of this format cannot hold of a clip, a few words each, such as "scales"."""


class Format(NamedTuple):
    """A format of files with motion.

    Attributes
    ----------
    name : str
        What people call it.
    endings : tuple of str
        How its files' names end, in small letters.
    module : str
        Its module below `skelkin_py.io`, a `FormatModule`.
    options : tuple of str
        Those keyword arguments of `load` that its files know.
    several : bool
        Whether a file can hold more than one animation.
    """

    name: str
    endings: tuple[str, ...]
    module: str
    options: tuple[str, ...] = ()
    several: bool = False

    def load_module(self) -> FormatModule:
        """Import the module that reads and writes it."""
        return cast(FormatModule, importlib.import_module(f".{self.module}", __package__))


FORMATS = (
    Format("BVH", (".bvh",), "bvh", ("fps", "strict", "root")),
    Format("glTF", (".glb", ".gltf", ".vrm", ".vrma"), "gltf", ("fps",), several=True),
    Format("array", (".npz", ".npy"), "arrays", ("fps", "skeleton")),
)

ENDINGS = tuple(ending for row in FORMATS for ending in row.endings)


def format_of(path: FilePath, *, writing: bool = False, argument: str = "path") -> Format:
    """Return the format of a file by the ending of its name.

    Parameters
    ----------
    path : str or os.PathLike
        The file, which need not be there.
    writing : bool, default False
        Whether it is to be written.
    argument : str, default "path"
        What errors call it.

    Returns
    -------
    Format
        Its row of the table.

    Raises
    ------
    TypeError
        If it is no path.
    ValueError
        If the ending is not in the table; says which are, or how another program converts it.

    Examples
    --------
    >>> format_of("walk.BVH").name
    'BVH'
    """
    name = file_path(argument, path)
    ending = os.path.splitext(name)[1].lower()
    for row in FORMATS:
        if ending in row.endings:
            return row
    if "\n" in name:
        raise ValueError(f"{argument} is the text {quoted(name)}: give the path of a file, and write the text to one")
    hint = None if writing else conversion_hint(name)
    known = f"the name must end in {', '.join(ENDINGS[:-1])}{' or ' * (len(ENDINGS) > 1)}{ENDINGS[-1]}"
    raise ValueError(f"{argument} is {quoted(name, _LETTERS)}: {hint or known}")
