# SPDX-License-Identifier: MIT
"""``skelkin check``: measure feet without writing anything, and fail where they slide, sink or float too much."""

from __future__ import annotations

import argparse
import contextlib
import functools
import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from ..io import load
from ..planting import plant_feet
from .files import find_clips
from .option_types import add_clip_options, add_clips, add_jobs, clip_options, limit
from .over_limits import MEASURES, measured, over_limits
from .printing import BOLD, RED, about, columns, painted, print_error
from .progress import Progress
from .workers import num_cores, run_tasks

_DESCRIPTION = """\
Measure how feet slide, sink and float while they stand; nothing is written.

  skelkin check clip.bvh --max-slide 0.01
  skelkin check clips/ --max-slide 0.5 --max-penetration 0.2 --in cm --unit 0.01

Figures and limits are relative to the leg, so that one limit serves clips in any unit: 0.01 is a hundredth of the
leg, 9 mm of a person's. With --in they are in metres or centimetres: --unit says how many metres one unit of the clip
is, else a leg counts as 0.9 m. In an in-place cycle slide is measured relative to the ground that moves back.
"""


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command to the parser."""
    check = commands.add_parser(
        "check",
        help="measure the feet of clips, and fail where they are over a limit",
        description=_DESCRIPTION,
        epilog="The exit code is 0, 1 if a clip is over a limit or cannot be read, 2 for wrong usage.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add_clips(check)
    for what, meaning in zip(MEASURES, ("slide over the ground", "sink into it", "stand above it"), strict=True):
        check.add_argument(f"--max-{what}", type=limit, metavar="X", help=f"how far a standing foot may {meaning}")
    check.add_argument(
        "--in",
        dest="lengths",
        choices=("leg", "m", "cm"),
        default="leg",
        help="what lengths are given in (default: leg)",
    )
    add_clip_options(check)
    add_jobs(check)
    check.add_argument("--json", action="store_true", help="print a line of JSON per clip")
    check.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Measure the clips and print what is over."""
    given = {what: getattr(options, f"max_{what}") for what in MEASURES}
    limits = {what: value for what, value in given.items() if value is not None}
    clips = find_clips(options.clips)
    function = functools.partial(check_file, options=clip_options(options), limits=limits, lengths=options.lengths)
    jobs = min(options.jobs or num_cores(), sum(not found.problem for found in clips))
    answers = _measure([(found.path, found.problem) for found in clips], function, max(jobs, 1))
    if options.json:
        for answer in answers:
            print(json.dumps(answer, ensure_ascii=False))
    else:
        _print_table([found.relative for found in clips], answers, options.lengths)
    return 0 if all(answer["status"] == "passed" for answer in answers) else 1


def check_file(path: str, options: Mapping[str, Any], limits: Mapping[str, float], lengths: str) -> dict[str, Any]:
    """Measure one clip.

    Parameters
    ----------
    path : str
        The clip.
    options : dict
        Keyword arguments of `plant_feet`.
    limits : dict
        What passes.
    lengths : "leg", "m" or "cm"
        What limits and figures are in.

    Returns
    -------
    dict
        Plain values, ready for JSON.
    """
    report = plant_feet(load(path), **options).report
    metre = 1.0 / report.metres_per_unit
    unit = {"leg": report.leg_length, "m": metre, "cm": 0.01 * metre}[lengths]
    over = over_limits(report, limits, unit)
    return {
        "clip": path,
        "status": "over" if over else "passed",
        "lengths_in": lengths,
        "contacts": len(report.contacts),
        **measured(report, unit),
        "literature": asdict(report.literature("before")),
        "knee_pops": [[leg, frame] for leg, frame in report.knee_pops("before")],
        "over": over,
        "ground": report.ground,
        "up": report.up_name,
        "leg_length": report.leg_length,
        "metres_per_unit": report.metres_per_unit,
        "unit_known": report.unit_known,
        "in_place": report.ground_velocity is not None,
    }


def _measure(clips: Sequence[tuple[str, str]], function: Any, jobs: int) -> list[dict[str, Any]]:
    """Return the answer for every clip, in their order; errors are printed as they come."""
    answers: list[dict[str, Any]] = [{"clip": path, "status": "failed", "error": problem} for path, problem in clips]
    rest = [index for index, (_, problem) in enumerate(clips) if not problem]
    for path, problem in clips:
        if problem:
            print_error(about(path, problem))
    with Progress(len(rest), "clips") as progress:
        outcomes = run_tasks(function, [clips[index][0] for index in rest], jobs, progress.draw)
        with contextlib.closing(outcomes):
            for outcome in outcomes:
                index = rest[outcome.which]
                if outcome.error:
                    answers[index]["error"] = outcome.error
                    progress.above(functools.partial(print_error, about(clips[index][0], outcome.error)))
                else:
                    answers[index] = outcome.value
                progress.step(failed=bool(outcome.error))
    return answers


def _print_table(names: Sequence[str], answers: Sequence[Mapping[str, Any]], lengths: str) -> None:
    """Print a line per clip, and below those that are over their contacts."""
    heading, digits = "of the leg" if lengths == "leg" else lengths, 2 if lengths == "cm" else 4
    rows: list[Sequence[str]] = [("clip", "contacts", *(f"{what} ({heading})" for what in MEASURES), "")]
    for name, answer in zip(names, answers, strict=True):
        if answer["status"] == "failed":
            rows.append((name, f"failed: {answer['error']}"))
            continue
        remark = "OVER" if answer["over"] else "" if answer["contacts"] else "no foot ever stands on the ground"
        rows.append((name, str(answer["contacts"]), *(f"{answer[what]:.{digits}f}" for what in MEASURES), remark))
    lines = columns(rows, right=range(1, 5))
    print(painted(lines[0], BOLD, sys.stdout))
    for line, answer in zip(lines[1:], answers, strict=True):
        print(line if answer["status"] == "passed" else painted(line, RED, sys.stdout))
        for each in answer.get("over", ()):
            print(f"  {_sentence(each, digits)}")
    if len(answers) > 1:
        count = {status: sum(answer["status"] == status for answer in answers) for status in ("over", "failed")}
        passed = len(answers) - sum(count.values())
        print(", ".join([f"{passed} of {len(answers)} passed", *(f"{n} {word}" for word, n in count.items() if n)]))
    if lengths != "leg" and any(not answer.get("unit_known", True) for answer in answers):
        print("The unit is not known: a leg counts as 0.9 m; --unit says how long one unit is.")


def _sentence(over: Mapping[str, Any], digits: int) -> str:
    spans = [f"{first}" if first == last else f"{first}–{last}" for first, last in over["frames"]]
    more = f" and {len(spans) - 5} more" if len(spans) > 5 else ""
    foot = f"{over['leg']} foot" if over["leg"] in ("left", "right") else over["leg"]
    return (
        f"{foot}, contact {over['first_frame']}–{over['last_frame']}: {over['what']} {over['value']:.{digits}f}, "
        f"more than {over['limit']:g} in frames {', '.join(spans[:5])}{more}"
    )
