# SPDX-License-Identifier: MIT
"""Which clips are meant by files, folders and patterns, and where each one's result goes."""

from __future__ import annotations

import errno
import glob
import os
import stat
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from .._support.npy_files import read_npy_header
from ..io import ENDINGS
from ..io.arrays import holds_motion
from ..io.same_file import file_key
from .reading import kind_of
from .wrong_usage import WrongUsageError

_LEADS_NOWHERE = (errno.ENOENT, errno.ENOTDIR, errno.ELOOP)  # what following a link ends in


PAGE_ENDINGS = (".html", ".htm")
ARRAY_ENDINGS = (".npy",)


class Found(NamedTuple):
    """A clip that was named, or a name that leads to none.

    Attributes
    ----------
    path : str
        The file.
    relative : str
        Where it lies below the folder that was named, or below the part of a pattern that is fixed.
    problem : str
        Why there is no clip here, or why it is not used; empty where there is one.
    """

    path: str
    relative: str
    problem: str = ""


class Job(NamedTuple):
    """A clip to read and the file to write.

    Attributes
    ----------
    source, target : str
        The clip; the file to write.
    name : str
        What the clip is called in tables.
    contacts : str or None, optional
        The file of its contacts.
    page : str or None, optional
        The page to write that shows it before and after.
    """

    source: str
    target: str
    name: str
    contacts: str | None = None
    page: str | None = None

    @property
    def inputs(self) -> list[str]:
        """The files that are read for this clip alone."""
        return [self.source] if self.contacts is None else [self.source, self.contacts]

    def absolute(self) -> Job:
        """Return the same for a process that works in another folder."""
        contacts = None if self.contacts is None else os.path.abspath(self.contacts)
        return self._replace(
            source=os.path.abspath(self.source), target=os.path.abspath(self.target), contacts=contacts
        )


def is_array(path: str) -> bool:
    """Tell whether the name of a file is that of an array."""
    return os.path.splitext(path)[1].lower() in ARRAY_ENDINGS


def is_read_as_clip(path: str) -> bool:
    """Tell whether a file is an `.npz` file, or an array of positions: those are read as clips.

    Parameters
    ----------
    path : str
        The file, which need not be there.

    Returns
    -------
    bool
        False for arrays of matrices, folders, other files, and those that cannot be read.

    Examples
    --------
    >>> is_read_as_clip("poses.npz"), is_read_as_clip("walk.bvh")
    (True, False)
    """
    if path.lower().endswith(".npz"):
        return True
    if not is_array(path) or not os.path.isfile(path):
        return False
    try:
        with open(path, "rb") as file:
            shape = read_npy_header(file, path, os.path.getsize(path)).shape
    except (OSError, ValueError):
        return False
    # Several motions in one array, (N, F, J, 3), are for the reader to refuse: matrices end in 3 or 4 rows of 4.
    return shape[-1:] == (3,) and (len(shape) == 3 or (len(shape) == 4 and (shape[0] == 1 or shape[2] > 4)))


def is_one_file(names: Sequence[str]) -> bool:
    """Tell whether the names are one file's name, no folder and no pattern."""
    return len(names) == 1 and not os.path.isdir(names[0]) and not _is_pattern(names[0])


def means_folder(name: str) -> bool:
    """Tell whether a name is a folder's: one that is there, or one written with a slash at its end."""
    return os.path.isdir(name) or name.endswith(("/", os.sep))


def find_clips(names: Sequence[str], leave_out: str | None = None, endings: Sequence[str] = ENDINGS) -> list[Found]:
    """Return the clips that files, folders (with all below them) and patterns name, each once.

    Parameters
    ----------
    names : sequence of str
        Files, folders, or patterns with ``*``, ``?``, ``[…]`` and ``**``. A file is taken whatever its name; in
        folders and patterns those that can be read by their endings, none that is hidden.
    leave_out : str, optional
        A folder that is not searched, such as that of the results.
    endings : sequence of str, optional
        How the names of files end that are looked for.

    Returns
    -------
    list of Found
        In the order of the names, within a folder by name.

    Examples
    --------
    >>> import os
    >>> os.makedirs("clips/day 1")
    >>> for name in ("clips/b.bvh", "clips/day 1/a.bvh", "clips/notes.txt"):
    ...     open(name, "w").close()
    >>> [found.relative.replace(os.sep, "/") for found in find_clips(["clips"])]
    ['b.bvh', 'day 1/a.bvh']
    """
    avoided = None if leave_out is None else os.path.realpath(leave_out)
    out: dict[tuple[str, str], Found] = {}
    for name in names:
        for found in _named(name, avoided, endings):
            out.setdefault((os.path.realpath(found.path), found.problem), found)
    return list(out.values())


def _is_pattern(name: str) -> bool:
    return _has_magic(name) and not os.path.lexists(name)


def _has_magic(name: str) -> bool:
    r"""Tell whether a name has a sign that stands for others: the "?" of \\?\ before a drive is not one."""
    return glob.has_magic(os.path.splitdrive(name)[1])


def _named(name: str, avoided: str | None, endings: Sequence[str]) -> list[Found]:
    """Return what one name means."""
    none = f"no file that ends in {', '.join(endings)}"
    if os.path.isdir(name):
        return _below(name, name, avoided, endings) or [Found(name, name, f"{none} is in this folder or below")]
    if not _is_pattern(name):
        return [Found(name, os.path.basename(name))]
    root = _fixed_part(name)
    out: list[Found] = []
    for path in _each_once(sorted(glob.glob(name, recursive=True))):
        if os.path.isdir(path):
            out += _below(path, root, avoided, endings)
        elif _readable(path, endings) and not _is_below(path, avoided):
            out.append(Found(path, os.path.relpath(path, root or os.curdir)))
    return [*out, *_closed(name, avoided)] or [Found(name, name, f"{none} matches this pattern")]


def _each_once(paths: Sequence[str]) -> list[str]:
    """Return every file once, by its shortest path where links lead to it by several, in the order that is given."""
    shortest: dict[str, str] = {}
    for path in sorted(paths, key=lambda path: path.count(os.sep)):
        shortest.setdefault(os.path.realpath(path), path)
    kept = set(shortest.values())
    return [path for path in paths if path in kept]


def _fixed_part(pattern: str) -> str:
    """Return the folders of a pattern before its first sign that stands for others."""
    head = pattern
    while _has_magic(head):
        head = os.path.dirname(head)
    return head


def _is_below(path: str, folder: str | None) -> bool:
    """Tell whether a file or folder lies below a folder, of which the real path is given, or is that folder."""
    return folder is not None and os.path.join(os.path.realpath(path), "").startswith(os.path.join(folder, ""))


def _closed(pattern: str, avoided: str | None) -> Iterator[Found]:
    """Yield the folders into which a pattern leads and that cannot be looked into: `glob` passes them in silence."""
    while _has_magic(pattern):
        pattern, last = os.path.split(pattern)
        within = os.path.join(pattern, last, "") if last == "**" else os.path.join(pattern, "")
        for folder in sorted(glob.glob(within, recursive=True)) if pattern else [os.curdir]:
            try:
                _enter(folder)
                if glob.has_magic(last):
                    os.scandir(folder).close()
            except OSError as error:
                if not _is_below(folder, avoided):
                    path = folder.rstrip(os.sep)
                    yield Found(path, path, str(error.strerror))


def _enter(folder: str) -> None:
    """Raise OSError where one may list names and yet not get at what they name."""
    if os.name != "nt":  # where that does not depend on the folder, and \\?\ takes names as they are
        os.stat(os.path.join(folder, os.curdir))


def _below(folder: str, root: str, avoided: str | None, endings: Sequence[str]) -> list[Found]:
    if os.path.realpath(folder) == avoided:
        avoided = None  # what was named is searched
    return [
        Found(path, path if path == folder else os.path.relpath(path, root or os.curdir), problem)
        for path, problem in _walk(folder, avoided, endings, set())
    ]


def _walk(folder: str, avoided: str | None, endings: Sequence[str], seen: set[str]) -> Iterator[tuple[str, str]]:
    """Yield the clips of a folder, then those of its folders; a link that leads back is not followed again.

    With each comes an empty text; with a folder, or a link, that cannot be looked into, the reason.
    """
    real = os.path.realpath(folder)
    if real == avoided or real in seen:
        return
    seen.add(real)
    try:
        names = sorted(name for name in os.listdir(folder) if not name.startswith("."))
        _enter(folder)
    except OSError as error:
        yield folder, str(error.strerror)
        return
    folders = []
    for path in (os.path.join(folder, name) for name in names):
        try:
            mode = os.stat(path).st_mode
        except OSError as error:
            if error.errno not in _LEADS_NOWHERE:  # such as a link to where nobody may look
                yield path, str(error.strerror)
        else:
            if stat.S_ISDIR(mode):
                folders.append(path)
            elif _readable(path, endings):
                yield path, ""
    for path in folders:
        yield from _walk(path, avoided, endings, seen)


def _readable(path: str, endings: Sequence[str]) -> bool:
    """Tell whether a file is looked for; arrays may be anything, so that beside clips only those with motion are."""
    if is_array(path) and tuple(endings) != ARRAY_ENDINGS:
        return is_read_as_clip(path)
    ending = os.path.splitext(path)[1].lower()
    return ending in endings and (ending != ".npz" or holds_motion(path))


def refuse_links(clips: Sequence[Found], folder: str) -> list[Found]:
    """Return the clips, with a problem where the result would not be written into the folder itself.

    The folder was named and may be a link; what lies in it may not lead the results to files that nobody has named.

    Parameters
    ----------
    clips : sequence of Found
        The clips.
    folder : str
        The folder of the results.

    Returns
    -------
    list of Found
        The same, in their order.

    Examples
    --------
    >>> os.makedirs("planted")
    >>> os.symlink("../precious.bvh", "planted/a.bvh")
    >>> [found.problem for found in refuse_links([Found("a.bvh", "a.bvh"), Found("b.bvh", "b.bvh")], "planted")]
    ['planted/a.bvh is a link to ../precious.bvh, which is not written through: remove the link or give -o ...', '']
    """
    real = os.path.realpath(folder)
    problems: dict[str, str] = {}  # of the results' folders: what is wrong with them
    out = []
    for found in clips:
        within = os.path.dirname(found.relative)
        if not found.problem:
            if within not in problems:
                problems[within] = _leads_out(folder, within, real)
            target = os.path.join(folder, found.relative)
            found = found._replace(problem=problems[within] or why_not_written(target))
        out.append(found)
    return out


def _leads_out(folder: str, within: str, real: str) -> str:
    """Return which part of a path below the folder is a link out of it; empty where none is."""
    path = folder
    for name in within.split(os.sep) if within else ():
        path = os.path.join(path, name)
        if os.path.islink(path) and not _is_below(path, real):
            return why_not_written(path)
    return ""


def why_not_written(path: str) -> str:
    """Return why nothing is written to a path that nobody has named: it is a link, a pipe or a device; else nothing."""
    try:
        status = os.lstat(path)
    except OSError:  # it is not there, or whoever writes reports it
        return ""
    if stat.S_ISLNK(status.st_mode):
        there = os.readlink(path)
        return f"{path} is a link to {there}, which is not written through: remove the link or give -o another folder"
    kind = kind_of(status)
    return f"{path} is {kind}, not a regular file: remove it or give -o another folder" if kind else ""


def place(clips: Sequence[Found], folder: str) -> list[Job]:
    """Return where each clip goes below a folder, in the tree it was found in.

    Parameters
    ----------
    clips : sequence of Found
        The clips.
    folder : str
        The folder of the results.

    Returns
    -------
    list of Job
        One per clip.

    Raises
    ------
    WrongUsageError
        If two would be written to one file; names them.

    Examples
    --------
    >>> place([Found("in/a.bvh", "a.bvh"), Found("also/a.bvh", "a.bvh")], "out")
    Traceback (most recent call last):
    skelkin_py.cli.wrong_usage.WrongUsageError: in/a.bvh and also/a.bvh would both be written to ...
    """
    jobs = [Job(found.path, os.path.join(folder, found.relative), found.relative) for found in clips]
    taken: dict[str, str] = {}
    for job in jobs:
        real = os.path.realpath(job.target)
        if real in taken:
            raise WrongUsageError(
                f"{taken[real]} and {job.source} would both be written to {job.target}: "
                "give the folder above them, whose tree is kept"
            )
        taken[real] = job.source
    return jobs


def check_targets(jobs: Sequence[Job], options: Mapping[str, Any]) -> None:
    """Check that no result is written over a file that is read, by links of any kind neither.

    Parameters
    ----------
    jobs : sequence of Job
        The clips, with the files of their contacts.
    options : mapping
        What holds for all of them, whose "ground" and "skeleton" may be files.

    Raises
    ------
    WrongUsageError
        If one would be; names it.

    Examples
    --------
    >>> open("a.npy", "w").close()
    >>> check_targets([Job("b.npy", "a.npy", "b.npy")], {"ground": {"file": "a.npy"}})
    Traceback (most recent call last):
    skelkin_py.cli.wrong_usage.WrongUsageError: a.npy (--ground) would be overwritten: give -o another name
    """
    read: dict[object, str] = {}
    for option in ("ground", "skeleton"):
        if isinstance(given := options.get(option), Mapping):
            read[file_key(given["file"])] = f"{given['file']} (--{option})"
    read |= {file_key(job.contacts): f"{job.contacts} (--contacts)" for job in jobs if job.contacts is not None}
    read |= {file_key(job.source): job.source for job in jobs}
    for job in jobs:
        if (over := read.get(file_key(job.target))) is not None:
            raise WrongUsageError(f"{over} would be overwritten: give -o another name")
