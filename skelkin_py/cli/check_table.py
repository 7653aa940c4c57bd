# SPDX-License-Identifier: MIT
"""What ``skelkin check`` shows: a line per clip and one for all, then where clips are over a limit."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import Any

from ..planting import PlantReport
from ..planting.report.legs import find_violations
from ..planting.report.report import folded
from ..planting.viewer_rows import NOTHING_MINDED
from .printing import BOLD, RED, columns, failed, painted, room, say, wrapped

_WORDS = {"passed": "passed", "over": "over", "no_contacts": "not measured", "failed": "failed"}


def print_table(names: Sequence[str], results: Sequence[Mapping[str, Any]], lengths: str, verbose: bool) -> None:
    """Print a line per clip and one for all, and below them where one clip, or with `verbose` each, is over a limit.

    Parameters
    ----------
    names : sequence of str
        What the clips are called.
    results : sequence of dict
        What was found of each.
    lengths : "leg", "m" or "cm"
        What figures are in.
    verbose : bool
        Whether details of several clips are wanted, and names that no terminal cuts.
    """
    digits = 2 if lengths == "cm" else 4
    read = [result for result in results if result["status"] != "failed"]
    if not read and len(results) == 1:
        return  # the error has said it
    _print_minded(names, results)
    rows: list[Sequence[str]] = [("clip", "contacts", *MEASURES, "")]
    rows += [_row(name, result, digits) for name, result in zip(names, results, strict=True)]
    if len(read) > 1:
        worst = (max(result[what] for result in read) for what in MEASURES)
        contacts = sum(result["num_contacts"] for result in read)
        rows.append((f"all {len(read)}", f"{contacts:,}", *(f"{each:.{digits}f}" for each in worst), ""))
    lines = columns(rows, right=range(1, 5), width=None if verbose else room(sys.stdout))
    say(painted(lines[0], BOLD, sys.stdout))
    for line, result in zip(lines[1:], results, strict=False):
        say(line if result["status"] == "passed" else painted(line, RED, sys.stdout))
    for line in lines[1 + len(results) :]:
        say(painted(line, BOLD, sys.stdout))
    if len(results) > 1:
        say(_counts(results))
    _print_meanings(read, lengths)
    _print_details(names, results, digits, verbose)


def _print_minded(names: Sequence[str], results: Sequence[Mapping[str, Any]]) -> None:
    """Say first what a viewer would mind in a clip beside its original, and of several in how many."""
    seen = [(name, result) for name, result in zip(names, results, strict=True) if "minded" in result]
    minded = [(name, result) for name, result in seen if result["minded"]]
    if not seen:
        return
    if len(results) == 1:
        result = seen[0][1]
        for line in folded(_graded(result)) or [NOTHING_MINDED]:
            say(painted(line, RED, sys.stdout) if result["fails"] and not line.startswith(" ") else line)
        return
    line = f"{len(minded)} of {len(seen)} to look at"
    failing = sum(bool(result["fails"]) for _, result in minded)
    say(painted(f"{line}, {failing} failed", RED, sys.stdout) if failing else line)


def _graded(result: Mapping[str, Any]) -> list[str]:
    """Return what a viewer would mind, with grades, worst first."""
    grades = sorted((row for row in result["rows"] if row["grade"]), key=lambda row: -row["value"] / row["bar"])
    return [f"{row['grade']}: {row['text']}" for row in grades]


def _print_rows(result: Mapping[str, Any]) -> None:
    """Print all rows beside their bars."""
    lines: list[Sequence[str]] = [("compared with the original", "value", "bar", "")]
    for row in result["rows"]:
        leg = f", {row['leg']}" * bool(row["leg"])
        figures = [f"{row[key]:.4g}" for key in ("value", "bar")]
        lines.append((row["row"] + leg, *figures, f"{row['grade']}, frame {row['frame']}" if row["grade"] else ""))
    for line in columns(lines, right=range(1, 3)):
        say(line)


def _row(name: str, result: Mapping[str, Any], digits: int) -> Sequence[str]:
    """Return the cells of a clip."""
    if result["status"] == "failed":
        return name, failed(result["error"])
    stands = result["num_contacts"] > 0
    none = [what for what in MEASURES if what in result["unjudged"] or not (stands or what == "penetration")]
    figures = ("–" if what in none else f"{result[what]:.{digits}f}" for what in MEASURES)
    return name, str(result["num_contacts"]), *figures, _remark(result)


def _remark(result: Mapping[str, Any]) -> str:
    """Return what stands at the end of a clip's line."""
    none = "" if result["num_contacts"] else "no contacts"
    grades = {row["grade"] for row in result.get("rows", ())}
    seen = "FAULT" if "fault" in grades else "LOOK AT" if "look at" in grades else ""
    word = {
        "over": "OVER" if result["over"] else seen,
        "passed": seen.lower(),
        "no_contacts": f"NOT MEASURED: {none}",
    }.get(result["status"], none)
    return ", ".join(part for part in (word or none, "in place" if result["in_place"] else "") if part)


def _counts(results: Sequence[Mapping[str, Any]]) -> str:
    """Return how many clips passed, and how many did not."""
    counts = {word: sum(result["status"] == status for result in results) for status, word in _WORDS.items()}
    passed = f"{counts.pop('passed')} of {len(results)} passed"
    return passed + "".join(f", {n} {word}" for word, n in counts.items() if n)


def _print_meanings(read: Sequence[Mapping[str, Any]], lengths: str) -> None:
    """Say what the table's figures and words mean."""
    if read:
        say(f"The worst of each clip, in {'leg lengths' if lengths == 'leg' else lengths}.")
    if lengths != "leg" and not all(result["unit_known"] for result in read):
        say("Lengths assume legs of 0.9 m, because the unit is not known: give it with --unit METRES.")
    if any(not result["num_contacts"] for result in read):
        say("No contacts: no foot ever stands. Set --ground or --contacts, or let it pass with --allow-no-contacts.")
    if any(result["in_place"] for result in read):
        say("In place: slide is measured relative to the ground, which moves backwards.")


def _print_details(names: Sequence[str], results: Sequence[Mapping[str, Any]], digits: int, verbose: bool) -> None:
    """Print where clips are over a limit, of several with their names above."""
    for result in results:
        if "rows" in result and verbose:
            say()
            if len(results) > 1:
                say(result["clip"])
                for line in folded(_graded(result)):
                    say(line)
            _print_rows(result)
    over = [(name, result["over"]) for name, result in zip(names, results, strict=True) if result.get("over")]
    if over and len(results) > 1 and not verbose:
        say("To list the frames that are over, add --verbose.")
        return
    for name, places in over:
        if len(results) > 1:
            say()
            say(name)
        for place in places:
            say(wrapped(f"  {_sentence(place, digits)}", "    ", sys.stdout))


def _sentence(over: Mapping[str, Any], digits: int) -> str:
    """Say where one foot is over one limit."""
    spans = [f"{first}" if first == last else f"{first}–{last}" for first, last in over["frames"]]
    more = f" and {len(spans) - 5} more" if len(spans) > 5 else ""
    foot = f"{over['leg']} foot" if over["leg"] in ("left", "right") else over["leg"]
    first, last = over["first_frame"], over["last_frame"]
    where = "in the air" if first is None else f"contact {first}–{last}"
    frames = f"frame{'s' * (not spans[0].isdigit() or len(spans) > 1)} {', '.join(spans[:5])}{more}"
    return f"{foot}, {where}: {over['what']} {over['value']:.{digits}f}, more than {over['limit']:g} in {frames}"


MEASURES = ("slide", "penetration", "float")


def measured(report: PlantReport, unit: float) -> dict[str, float]:
    """Return the worst slide, penetration and float of the original clip, in units so many of the clip's long.

    Slide and float are those of standing feet; a sole may not be below the ground at any time.
    """
    worst = {what: report.worst(what, "before") for what in MEASURES}
    worst["penetration"] = max(worst["penetration"], report.deepest("before"))
    return {what: value / unit for what, value in worst.items()}


def unjudged(report: PlantReport, limits: Mapping[str, float], ground_known: bool) -> list[str]:
    """Return the limits that nothing can be held to, since no foot ever stands.

    Parameters
    ----------
    report : PlantReport
        What was measured.
    limits : mapping from "slide", "penetration" or "float" to float
        The largest value that passes.
    ground_known : bool
        Whether the ground was given: then feet in the air can be judged by penetration all the same.

    Returns
    -------
    list of str
        Words of `limits`.
    """
    if report.contacts:
        return []
    return [what for what in limits if what != "penetration" or not ground_known]


def over_limits(report: PlantReport, limits: Mapping[str, float], unit: float) -> list[dict[str, Any]]:
    """Return what is over its limit in the original clip.

    Parameters
    ----------
    report : PlantReport
        What was measured.
    limits : mapping from "slide", "penetration" or "float" to float
        The largest value that passes.
    unit : float
        How many of the clip's units are one of the limits' units.

    Returns
    -------
    list of dict
        Per contact and measure that is over: ``leg``, ``first_frame`` and ``last_frame`` of the contact (None between
        contacts, where soles may not sink either), ``what``, ``value`` and ``limit``, and ``frames``, spans of frames
        over the limit, both ends included.

    Examples
    --------
    >>> report = sk.example("biped").clip.plant_feet().report
    >>> over = over_limits(report, {"slide": 0.01}, report.leg_length)
    >>> over[0]["leg"], over[0]["what"], over[0]["value"] > 0.01
    ('left', 'slide', True)
    """
    out = []
    for found in find_violations(report.legs, report.contacts, report.frames, limits, "before", unit):
        contact = None if found.contact is None else report.contacts[found.contact]
        span = {key: None if contact is None else getattr(contact, key) for key in ("first_frame", "last_frame")}
        figures = {"what": found.what, "value": found.value, "limit": found.bound}
        out.append({"leg": found.leg, **span, **figures, "frames": [list(each) for each in found.frames]})
    return out
