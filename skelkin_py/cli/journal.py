# SPDX-License-Identifier: MIT
"""Which clips of a folder are finished, so that a second run leaves them alone.

A journal in the folder of the results has one line per finished clip: inputs and output with their sizes and times, the
options and the version. One file beside the results, rather than one for each of them, leaves the tree as it was, and
is written by one process only. A line is added once its clip stands under its name: a run that is killed in between
makes that clip again, and a last line that is cut off is taken away. Any other line that cannot be read is named and
not counted.
"""

from __future__ import annotations

import errno
import json
import os
import sys
from collections.abc import Mapping
from typing import Any, BinaryIO

from .._support.errors import FormatError
from .._support.version import __version__
from .files import Job, why_not_written
from .printing import json_text
from .summary import are_figures

if sys.platform == "win32":
    import msvcrt

    def _take_lock(file: BinaryIO) -> None:
        file.seek(2**40)  # no line stands there: nobody else reads or writes what is locked
        try:
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        except OSError as error:
            if error.errno == errno.EINVAL:  # a file system without locks
                raise
            raise BlockingIOError from error

else:
    import fcntl

    def _take_lock(file: BinaryIO) -> None:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


NAME = ".skelkin-plant.jsonl"

Stamp = list[int]


def stamp(path: str) -> Stamp:
    """Return size and time of a file, which change with what it holds."""
    status = os.stat(path)
    return [status.st_size, status.st_mtime_ns]


class Journal:
    """The journal of a folder, held against a second run at the same time.

    Processes that were forked from this one hold it too: while one still writes its clip, nobody else begins.

    Parameters
    ----------
    folder : str
        The folder of the results, which is there.
    options : dict
        What clips are made with, as JSON values.

    Raises
    ------
    ValueError
        If another run is at work in the folder, or the journal is a link or no regular file.
    OSError
        If the folder cannot be written to.

    Attributes
    ----------
    refused : list of FormatError
        What is wrong with the lines that cannot be read.

    Examples
    --------
    >>> job = Job("in.bvh", "out.bvh", "in.bvh")
    >>> for name in job[:2]:
    ...     open(name, "w").close()
    >>> with Journal(".", {"reach": "soften"}) as journal:
    ...     slides = {"before": 1.0, "after": 0.0}
    ...     figures = {"num_frames": 60, "num_contacts": 8, "slide_mean_cm": slides, "slide_worst_cm": slides}
    ...     journal.add(job, [stamp("in.bvh")], {**figures, "unit_known": False, "in_place": False})
    ...     journal.finished(job)["num_contacts"]
    8
    >>> with Journal(".", {"reach": "stretch"}) as journal:
    ...     journal.finished(job) is None
    True
    """

    def __init__(self, folder: str, options: Mapping[str, Any]) -> None:
        self._folder = folder
        kept = {**options, "contacts": "given"} if isinstance(options.get("contacts"), Mapping) else options
        self._made_with = {"version": __version__, "options": json.loads(json.dumps(kept))}
        self.refused: list[FormatError] = []
        self._path = os.path.join(folder, NAME)
        if problem := why_not_written(self._path):
            raise ValueError(problem)
        self._file = open(self._path, "ab+")  # noqa: SIM115
        try:
            self._lock()
            self._lines = self._read()
        except BaseException:
            self._file.close()
            raise

    def __enter__(self) -> Journal:
        return self

    def __exit__(self, *error: object) -> None:
        self._file.close()

    def finished(self, job: Job) -> dict[str, Any] | None:
        """Return the figures of a clip that is finished and untouched since, else None."""
        line = self._lines.get(self._key(job.target))
        if line is None or any(line.get(key) != value for key, value in self._origin(job).items()):
            return None
        try:
            now = self._stamps(job, [stamp(path) for path in job.inputs])
        except OSError:
            return None
        return dict(line["figures"]) if now == line.get("stamps") else None

    def add(self, job: Job, read: list[Stamp], figures: Mapping[str, Any]) -> None:
        """Write down that a clip is finished.

        Parameters
        ----------
        job : Job
            The clip.
        read : list of list of int
            The stamps of the job's inputs from before they were read.
        figures : dict
            What to remember of it, as JSON values.
        """
        output = self._key(job.target)
        made = {"stamps": self._stamps(job, read), "figures": dict(figures)}
        line: dict[str, Any] = {"output": output, **self._origin(job), **made}
        self._lines[output] = line
        self._file.write(json_text(line).encode("utf-8") + b"\n")
        self._file.flush()

    def _origin(self, job: Job) -> dict[str, Any]:
        """Return what a clip is made from and with."""
        contacts = None if job.contacts is None else self._key(job.contacts)
        return {"input": self._key(job.source), "contacts": contacts, "made_with": self._made_with}

    @staticmethod
    def _stamps(job: Job, read: list[Stamp]) -> list[Stamp]:
        """Return the stamps of the clip and its result, and of what else was read for it."""
        return [read[0], stamp(job.target), *read[1:]]

    def _key(self, path: str) -> str:
        """Return a path as seen from the folder, so that both may move together."""
        try:
            return os.path.relpath(os.path.realpath(path), os.path.realpath(self._folder))
        except ValueError:  # on another drive
            return os.path.realpath(path)

    def _lock(self) -> None:
        try:
            _take_lock(self._file)
        except BlockingIOError:
            raise ValueError(
                f"{self._folder}: another run is writing to this folder: wait for it, or stop it"
            ) from None
        except OSError:
            return  # a file system without locks

    def _read(self) -> dict[str, dict[str, Any]]:
        self._file.seek(0)
        *whole, last = self._file.read().split(b"\n")
        if last:
            try:
                _parsed(last)
            except ValueError:
                self._file.truncate(self._file.tell() - len(last))
            else:
                self._file.write(b"\n")  # which an editor has left out
                whole.append(last)
        out = {}
        for number, raw in enumerate(whole, start=1):
            try:
                line = _parsed(raw)
            except ValueError as error:
                rule = f"{error}: the clip of this line is planted again"
                self.refused.append(FormatError(self._path, number, rule))
            else:
                out[line["output"]] = line
        return out


def _parsed(raw: bytes) -> dict[str, Any]:
    """Read a line; a ValueError says why it is none."""
    try:
        line = json.loads(raw.decode("utf-8", "surrogateescape"))
    except RecursionError:
        raise ValueError("the JSON is nested too deeply") from None
    except ValueError:  # such as a number of thousands of digits
        raise ValueError("not valid JSON") from None
    if not (isinstance(line, dict) and isinstance(line.get("output"), str) and are_figures(line.get("figures"))):
        raise ValueError("no output and figures of a clip")
    return line
