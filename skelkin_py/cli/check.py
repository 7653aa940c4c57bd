# SPDX-License-Identifier: MIT
"""Measure how far feet slide, sink and float. No file is written."""

from __future__ import annotations

import argparse
import contextlib
import functools
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any, NamedTuple

from ..motion.clip import Clip
from ..planting import measure_cost, plant_feet
from .check_table import MEASURES, measured, over_limits, print_table, unjudged
from .clip_settings import clip_settings
from .contacts_file import contacts_files, one_each
from .files import Found, find_clips
from .option_types import add_clip_options, add_clips, add_jobs, add_reading, clip_options, within
from .printing import Progress, about, print_error, say_json
from .reading import load, load_moving, reading_options
from .workers import num_cores, run_tasks
from .wrong_usage import WrongUsageError

_SCHEMA = 2  # of a line of JSON; goes up when a key changes its meaning or goes away, not when one is added

DESCRIPTION = """\
Measure how far feet slide, sink and float. No file is written.

  skelkin check clip.bvh --max-slide 0.01
  skelkin check clips/ --max-slide 0.5 --max-float 0.2 --in cm --unit 0.01
  skelkin check planted.bvh --against walk.bvh

Slide and float are measured while a foot stands, penetration in every frame. Figures and limits are in leg lengths, so
that one limit fits clips in any unit: 0.01 is a hundredth of a leg, or 9 mm for a person. Use --in to give them in
metres or centimetres, and --unit to set the metres per unit of the clip; without it, a leg counts as 0.9 m. In a cycle
in place, slide is measured relative to the ground, which moves backwards.

With --against, a planted clip is compared with its original in twelve measures of what a viewer would mind, such as
a body that jolts or a foot that slides farther. One above its bar is worth a look; one above 2.5 times its bar is a
fault, and the clip fails.
"""
USAGE = "CLIP [CLIP ...] [options]"
EPILOG = """\
A clip in which no foot ever stands fails limits on slide and float, and without --ground also one on penetration. To
let such clips pass, give --allow-no-contacts.

Exit code: 0 if every clip passed or no limit was given; 1 if a clip is over a limit, has no contacts to measure or
cannot be read; 2 for wrong usage; 130 after Ctrl-C.
"""


_HELP = {
    "allow_no_contacts": "pass clips in which no foot ever stands, such as swimming",
    "in": "unit of limits and figures (default: leg)",
    "verbose": "with several clips, list the frames and feet that are over a limit, and show full names",
    "against": "the clip before planting, or for several clips a folder with the same tree; lists what a viewer would "
    "mind",
    "fail_on": "the lowest grade at which a clip fails (default: fault)",
}


def add_arguments(check: argparse.ArgumentParser) -> None:
    """Add the arguments and options of the command."""
    add_clips(check)
    meanings = ("a standing foot may slide", "any foot may sink below the ground", "a standing foot may float")
    bounds = check.add_argument_group("limits")
    for what, meaning in zip(MEASURES, meanings, strict=True):
        bounds.add_argument(f"--max-{what}", type=within(0.0), metavar="X", help=f"how far {meaning}")
    bounds.add_argument("--allow-no-contacts", action="store_true", help=_HELP["allow_no_contacts"])
    bounds.add_argument("--in", dest="lengths", choices=("leg", "m", "cm"), default="leg", help=_HELP["in"])
    against = check.add_argument_group("comparison with the original")
    against.add_argument("--against", metavar="ORIGINAL", help=_HELP["against"])
    against.add_argument("--fail-on", choices=("fault", "look-at", "never"), help=_HELP["fail_on"])
    add_reading(check)
    add_clip_options(check)
    add_jobs(check)
    check.add_argument("-v", "--verbose", action="store_true", help=_HELP["verbose"])
    check.add_argument("--json", action="store_true", help="print one line of JSON per clip")


def _originals(against: str | None, clips: Sequence[str]) -> list[str | None]:
    """Return the original of each clip: the one that is given, or that of the same name in a folder that is."""
    if against is None:
        return [None] * len(clips)
    several = f"--against {against} is one clip, and there are {len(clips)} to check: give the folder of the originals"
    return one_each(against, clips, f"{several}, with the same tree")


def run(options: argparse.Namespace) -> int:
    """Measure the clips and print what is over."""
    given = {what: getattr(options, f"max_{what}") for what in MEASURES}
    limits = {what: value for what, value in given.items() if value is not None}
    clips = find_clips(options.clips)
    reading = reading_options(options, options.clips)
    check = _Check(clip_options(options), limits, options.lengths, options.allow_no_contacts, _fails(options), reading)
    jobs = min(options.jobs or num_cores(), sum(not found.problem for found in clips))
    results = _measure(clips, options.contacts, options.against, check, max(jobs, 1))
    flat = [result for _, result in results]
    if options.json:
        for result in flat:
            say_json(result)
    else:
        print_table([name for name, _ in results], flat, options.lengths, options.verbose)
    return 0 if all(result["status"] == "passed" for result in flat) else 1


def _fails(options: argparse.Namespace) -> tuple[str, ...]:
    """Return the grades that fail."""
    if options.fail_on is not None and options.against is None:
        raise WrongUsageError(f"--fail-on {options.fail_on} needs the original: add --against ORIGINAL")
    return {"look-at": ("look at", "fault"), "never": ()}.get(options.fail_on, ("fault",))


class _Check(NamedTuple):
    """What is the same for all clips; can be pickled."""

    options: Mapping[str, Any]  # keyword arguments of `plant_feet`, as `clip_options` returns them
    limits: Mapping[str, float]
    lengths: str  # what limits and figures are in: "leg", "m" or "cm"
    may_lack_contacts: bool  # a clip in which no foot ever stands passes, though there are limits
    fails: Sequence[str]  # grades of what a viewer would mind beside the original
    reading: Mapping[str, Any]  # as `reading_options` returns it

    def file(self, task: tuple[str, str | None, str | None]) -> list[dict[str, Any]]:
        """Measure the clips of one file.

        Parameters
        ----------
        task : (str, str or None, str or None)
            The clip, and the file of its contacts and its original, if they are given.

        Returns
        -------
        list of dict
            For each animation plain values, ready for JSON; docs/command-line-json.md says what they mean.
        """
        clips = load_moving(task[0], self.reading)
        return [self._clip(name if len(clips) > 1 else "", clip, *task) for name, clip in clips.items()]

    def _clip(
        self, animation: str, clip: Clip, path: str, contacts: str | None, original: str | None
    ) -> dict[str, Any]:
        """Measure one clip; its animation is named where its file has several."""
        settings = clip_settings(clip, self.options, contacts, animation=animation)
        report = plant_feet(clip, **settings).report
        against: dict[str, Any] = {}
        if original is not None:
            before = load(original, {**self.reading, "animation": animation} if animation else self.reading)
            legs, frames = settings.get("legs"), settings.get("frames")
            cost = measure_cost(clip, before, legs=legs, frames=frames, report=report, names=(path, original))
            rows, minded = [row.to_dict() for row in cost.rows], cost.minded()
            failing = [row.row for row in minded if row.grade in self.fails]
            against = {"against": original, "fails": failing, "minded": [row.text for row in minded], "rows": rows}
        metre = 1.0 / report.metres_per_unit
        unit = {"leg": report.leg_length, "m": metre, "cm": 0.01 * metre}[self.lengths]
        over = over_limits(report, self.limits, unit)
        missing = [] if self.may_lack_contacts else unjudged(report, self.limits, self.options["ground"] is not None)
        return {
            "schema": _SCHEMA,
            "clip": path,
            **({"animation": animation} if animation else {}),
            "status": "over" if over or against.get("fails") else "no_contacts" if missing else "passed",
            "lengths_in": self.lengths,
            "limits": dict(self.limits),
            "unjudged": missing,
            "num_contacts": len(report.contacts),
            **measured(report, unit),
            "literature": asdict(report.literature("before")),
            "knee_pops": [[leg, frame] for leg, frame in report.knee_pops("before")],
            "over": over,
            **against,
            "num_frames": report.num_frames,
            "frames": list(report.frames),
            **{key: getattr(report, key) for key in ("fps", "ground", "ground_estimated")},
            "up": report.up_name,
            **{key: getattr(report, key) for key in ("leg_length", "metres_per_unit", "unit_known")},
            "in_place": report.ground_velocity is not None,
            "messages": list(report.messages),
        }


def _measure(
    clips: Sequence[Found], given: str | Mapping[str, str], against: str | None, check: _Check, jobs: int
) -> list[tuple[str, dict[str, Any]]]:
    """Return what every clip is called and its result, in their order; errors are printed as they come."""
    results: list[list[dict[str, Any]]] = [
        [{"schema": _SCHEMA, "clip": found.path, "status": "failed", "error": found.problem}] for found in clips
    ]
    rest = [index for index, found in enumerate(clips) if not found.problem]
    names = [clips[index].relative for index in rest]
    contacts, originals = contacts_files(given, names), _originals(against, names)
    for found in clips:
        if found.problem:
            print_error(about(found.path, found.problem))
    with Progress(len(rest), "clips") as progress:
        paths = [clips[index].path for index in rest]
        tasks = list(zip(paths, contacts, originals, strict=True))
        outcomes = run_tasks(check.file, tasks, jobs, progress.draw)
        with contextlib.closing(outcomes):
            for outcome in outcomes:
                index = rest[outcome.which]
                if outcome.error:
                    results[index][0]["error"] = outcome.error
                    progress.above(functools.partial(print_error, about(clips[index].path, outcome.error)))
                else:
                    results[index] = outcome.value
                progress.step(failed=bool(outcome.error))
    return [
        (f"{found.relative}: {result['animation']}" if "animation" in result else found.relative, result)
        for found, own in zip(clips, results, strict=True)
        for result in own
    ]
