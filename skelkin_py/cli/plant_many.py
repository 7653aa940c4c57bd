# SPDX-License-Identifier: MIT
"""Plant the clips of files, folders and patterns into a folder, in several processes, and go on where it was left."""

from __future__ import annotations

import argparse
import contextlib
import functools
import os
import time
from collections.abc import Callable, Generator, Mapping, Sequence
from typing import Any, NamedTuple

from .._support.atomic import remove_leftovers
from ..io import ENDINGS
from . import summary
from .cluster import run_on_cluster
from .contacts_file import contacts_files
from .files import ARRAY_ENDINGS, Job, check_targets, find_clips, place, refuse_links
from .journal import Journal
from .plant_file import Made, plant_one_of_many
from .printing import Progress, about, duration, print_error, say, say_json
from .summary import Row
from .workers import Outcome, num_cores, run_tasks
from .wrong_usage import WrongUsageError

_Runner = Callable[..., Generator[Outcome, None, None]]


class _Run(NamedTuple):
    """One run: what it is to do and what has become of it so far."""

    jobs: list[Job]
    rows: dict[int, Row]
    journal: Journal
    as_json: bool


def plant_many(options: argparse.Namespace, chosen: Mapping[str, Any]) -> int:
    """Plant the clips that are named into a folder, in their tree.

    Parameters
    ----------
    options : argparse.Namespace
        What `plant.add_arguments` added: which clips, into which folder, how and by whom.
    chosen : dict
        The keyword arguments of `plant_feet`, as JSON values.

    Returns
    -------
    int
        0; 1 if a clip failed; 130 if it was interrupted.

    Raises
    ------
    WrongUsageError, OSError
        If results would be written over clips or over each other, or not at all.
    """
    start = time.monotonic()
    folder, scheduler = options.output, options.scheduler
    endings = ARRAY_ENDINGS if "skeleton" in chosen else ENDINGS
    if os.path.isfile(folder) or os.path.splitext(folder.rstrip("/" + os.sep))[1].lower() in endings:
        what = "for several clips" if scheduler is None else "with --scheduler"
        raise WrongUsageError(f"{folder} is the name of a file: {what}, give -o a folder")
    clips = refuse_links(find_clips(options.clips, leave_out=folder, endings=endings), folder)
    todo = place([found for found in clips if not found.problem], folder)
    files = contacts_files(chosen["contacts"], [job.name for job in todo])
    todo = [job._replace(contacts=file) for job, file in zip(todo, files, strict=True)]
    check_targets(todo, chosen)
    jobs = options.jobs or num_cores()
    function = functools.partial(plant_one_of_many, options=dict(chosen), with_report=options.json)
    run_all: _Runner = functools.partial(run_tasks, function, jobs=jobs)
    if scheduler is not None:
        todo = [job.absolute() for job in todo]
        run_all = functools.partial(run_on_cluster, function, address=scheduler)
    rows = {}
    for index, found in enumerate(each for each in clips if each.problem):
        rows[-1 - index] = Row(found.path, {}, found.problem)
        _print_failure(found.path, found.problem, options.json)
    os.makedirs(folder, exist_ok=True)
    with Journal(folder, chosen) as journal:
        for refused in journal.refused:
            print_error(str(refused))
        run = _Run(todo, rows, journal, options.json)
        skipped = 0 if options.force else _skip_finished(run)
        rest = [index for index in range(len(todo)) if index not in rows]
        if jobs > 1 or scheduler is not None:
            rest.sort(key=lambda index: _size(todo[index].source), reverse=True)
        remove_leftovers(todo[index].target for index in rest)
        try:
            _work(run, rest, run_all)
        except KeyboardInterrupt:
            print_error(
                f"interrupted: {sum(bool(row.figures) for row in rows.values())} of {len(clips)} clips are done, "
                "run the same command again to continue"
            )
            return 130
        finally:
            remove_leftovers(todo[index].target for index in rest)
    ordered = [rows[index] for index in sorted(rows, key=lambda index: (index < 0, abs(index)))]
    took = time.monotonic() - start
    if options.json:
        _print_end_as_json(ordered, skipped, took)
    else:
        _print_end(ordered, skipped, folder, took, options.verbose)
    return 0 if all(row.figures for row in ordered) else 1


def _size(path: str) -> int:
    """Return how large a file is: the largest goes first, so that none is left to one process at the end."""
    try:
        return os.path.getsize(path)
    except OSError:  # whoever reads it reports it
        return 0


def _skip_finished(run: _Run) -> int:
    """Count the clips that an earlier run has finished among the results."""
    count = 0
    for index, job in enumerate(run.jobs):
        figures = run.journal.finished(job)
        if figures is not None:
            count += 1
            run.rows[index] = Row(job.name, figures)
            if run.as_json:
                say_json({"clip": job.source, "output": job.target, "status": "skipped", **figures})
    return count


def _work(run: _Run, rest: Sequence[int], run_all: _Runner) -> None:
    """Plant the clips that are left, and note each as it finishes."""
    if not rest:
        return
    tasks = [run.jobs[index] for index in rest]
    with Progress(len(tasks), "clips") as progress, contextlib.closing(run_all(tasks, idle=progress.draw)) as outcomes:
        for outcome in outcomes:
            index = rest[outcome.which]
            job = run.jobs[index]
            error = outcome.error or _note(run, index, outcome.value)
            if error:
                run.rows[index] = Row(job.name, {}, error)
                progress.above(functools.partial(_print_failure, job.source, error, run.as_json, job.target))
            elif run.as_json:
                line = {"clip": job.source, "output": job.target, "status": "planted", **outcome.value.report}
                progress.above(functools.partial(say_json, line))
            progress.step(failed=bool(error))


def _note(run: _Run, index: int, made: Made) -> str:
    """Write a finished clip into the journal and the rows; return what went wrong."""
    run.rows[index] = Row(run.jobs[index].name, made.figures)  # first: who sees it in the journal finds it counted
    try:
        run.journal.add(run.jobs[index], made.read, made.figures)
    except OSError as error:
        return str(error)
    return ""


def _print_failure(path: str, error: str, as_json: bool, target: str | None = None) -> None:
    print_error(about(path, error))
    if as_json:
        say_json({"clip": path, "output": target, "status": "failed", "error": error})


def _print_end_as_json(rows: Sequence[Row], skipped: int, seconds: float) -> None:
    """Print the last line of JSON."""
    total = summary.total_of(rows)
    counts = {"planted": total["clips"] - total["failed"] - skipped, "skipped": skipped, "seconds": seconds}
    say_json({"summary": {**total, **counts}})


def _print_end(rows: Sequence[Row], skipped: int, folder: str, seconds: float, verbose: bool) -> None:
    """Print the table and what became of the clips."""
    failed = sum(not row.figures for row in rows)
    if len(rows) > failed:  # else the errors have said it all
        say(summary.table(rows, verbose))
    words = [f"planted {len(rows) - failed - skipped}"] + [f"{skipped} already finished"] * (skipped > 0)
    words += [f"{failed} failed"] * (failed > 0)
    took = duration(seconds) if seconds >= 10 else f"{seconds:.1f} s"
    say(f"{', '.join(words)}, in {took}, into {folder}", flush=True)
