# SPDX-License-Identifier: MIT
"""The page of the judge: clips by rows, those that are over their bars in bold, worst first."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

import viewer
from bars import KINDS, Row


@dataclass(frozen=True)
class Verdict:
    """One clip: its rows, contacts that no correction reaches, seconds of planting, of the optimum, and altogether."""

    name: str
    real: bool
    frames: int
    fps: float
    rows: list[Row]
    let_go: list[str]
    seconds: tuple[float, float]
    took: float
    failed: str = ""  # what was raised, where nothing could be judged
    seen: list[viewer.Seen] = field(default_factory=list)  # the worst of each of a viewer's rows
    told: list[str] = field(default_factory=list)  # the rows that the product's report would have looked at
    sticks: list[list[list[tuple[float, float]]]] = field(default_factory=list)  # of the worst frame, to be drawn

    @property
    def over(self) -> set[str]:
        """Kinds of rows that are over their bars."""
        return {row.kind for row in self.rows if row.over}

    @property
    def minded(self) -> list[viewer.Seen]:
        """What a viewer would mind, worst first."""
        return sorted((each for each in self.seen if each.minded), key=lambda each: -each.excess)

    def worst(self, kind: str) -> Row | None:
        """The row of a kind that is furthest over its bar, else highest."""
        own = [row for row in self.rows if row.kind == kind]
        return max(own, key=lambda row: (row.excess, row.planted), default=None)


HEAD = """\
# What planting costs

Made by `make judge`; not to be edited. Each clip is planted with the defaults, and what comes out is compared with
the original and with the optimum: the smoothest correction that keeps the same contacts and the same places, found by
a conic solver; where no foot stands nothing is asked for, and the original is the optimum. The judge (`tests/judge`)
has a forward kinematics and measures of its own. A cell says original → planted (optimum) for the leg that is worst,
without what a row does not have, and in bold where it is over its bar: that below, or 1.1 times the optimum's own
figure where that is larger (J and accelerations have theirs in their bars). Clips with most rows over their bars come
first. Peaks (jerk, jump, turn) leave out 0.1 s around jumps of the capture.
Lengths are in legs.
"""


SEEN = """\
Rows over fixed times that agree with the eye, each with the bar above which it was minded. A planted clip is compared
with its original; one made by formulas with the motion that is true. Below: every clip that has a row over its bar.

![The worst frame of each real clip](figures/planting/worst_frames.png)

The frame of each real clip whose row comes nearest to its bar: original grey, planted in colour.
"""


#: Clips with a row over its bar that were looked at, and why it is: each has its picture on the sheet of worst frames.
WHY = {
    "cmu_03_01_uneven_frames_150_215": (
        "the foot rolls on its ball where it was held until then; hip and foot of the capture shake together by half "
        "a centimetre, and of a foot that no longer does the knee takes that of the hip"
    ),
    "adelaide_milad": (
        "between two frames of the capture, 24 ms before the right foot stands, its ankle jumps up by 1.2 cm and the "
        "hips by half of that: the knee takes what the foot is held back by then"
    ),
    "Knight Spellcast_Raise": (
        "the left foot stands 2 % of the leg higher than the right one for a second, and beside it in the first and "
        "last frames alone: taken for a thicker sole, it is raised there"
    ),
    "Knight 1H_Melee_Attack_Stab": (
        "both feet stand up to 5 % of the leg above their first places while straight legs carry a lunge: the body "
        "goes down there as the feet do, and up before and after"
    ),
}


TOLD = """\
Clips by row: of how many the judge minds it (the table above), and of how many of these, and of others, the product's
own report says so. Clips made by formulas are compared with the motion that is true here, which the report does not
know.
"""


def number(value: float, digits: int = 3) -> str:
    """A figure for a cell."""
    if math.isnan(value):
        return "–"
    if value == 0.0:
        return "0"
    if abs(value) >= 100.0:
        return f"{value:.0f}" if abs(value) < 1e5 else f"{value:.1e}".replace("e+0", "e")
    if abs(value) < 10.0**-digits:
        return "<" + f"{10.0**-digits:.{digits}f}"
    return f"{value:.{max(0, min(digits, 2 - math.floor(math.log10(abs(value)))))}f}".rstrip("0").rstrip(".")


def cell(row: Row | None) -> str:
    """One row of a clip."""
    if row is None:
        return ""
    digits = KINDS[row.kind].digits
    text = number(row.planted, digits)
    if row.kind in ("overturned", "pops", "changed", "jerk", "jump", "turn", "skating"):
        text = f"{number(row.original, digits)} → {text}"
    if not math.isnan(row.optimum):
        text += f" ({number(row.optimum, digits)})"
    return f"**{text}**" if row.over else text


def page(verdicts: Sequence[Verdict]) -> str:
    """The whole page."""
    real, made = ([each for each in verdicts if each.real is real and not each.failed] for real in (True, False))
    parts = [HEAD, "## Rows\n", *_meanings(), ""]
    failed = [f"- {each.name}: {each.failed}" for each in verdicts if each.failed]
    if failed:
        parts += ["## Could not be judged\n", *failed, ""]
    parts += ["## Summary\n", *_summary(real, made), ""]
    parts += ["## What a viewer would mind\n", SEEN, *_minded([*real, *made]), ""]
    parts += ["## What the report says of it\n", TOLD, *_confusion([*real, *made]), ""]
    if real:
        parts += ["## Real clips\n", *_table(real), ""]
    if made:
        parts += [
            "## Clips made by formulas\n",
            "Those with a row over its bar:\n",
            *_table([v for v in made if v.over]),
            "",
        ]
    gone = [f"- {each.name}: {', '.join(each.let_go)}" for each in verdicts if each.let_go]
    if gone:
        parts += [
            "## Contacts out of reach\n",
            "Of any correction within the body's cap; the optimum lets them go:\n",
            *gone,
            "",
        ]
    return "\n".join(parts)


def listing(verdicts: Sequence[Verdict]) -> str:
    """Every row of some clips, for a terminal."""
    lines = []
    for each in verdicts:
        lines += [f"{each.name}: {each.frames} frames at {each.fps:g}/s" + (f", {each.failed}" if each.failed else "")]
        lines += [f"  {'':36}{'original':>10}{'planted':>10}{'optimum':>10}{'at most':>10}"]
        for row in each.rows:
            values = (row.original, row.planted, row.optimum, math.nan if math.isinf(row.most) else row.most)
            digits = KINDS[row.kind].digits
            figures = "".join(f"{number(value, digits):>10}" for value in values)
            lines.append(f"  {f'{row.kind} {row.leg}':36}{figures}{'  over' if row.over else ''}")
    return "\n".join(lines)


def _meanings() -> list[str]:
    return [f"- **{kind.title}**: {kind.meaning}." for kind in KINDS.values()]


def _summary(real: Sequence[Verdict], made: Sequence[Verdict]) -> list[str]:
    lines = [f"| row | real clips over its bar, of {len(real)} | made clips, of {len(made)} |", "|---|---:|---:|"]
    for name, kind in KINDS.items():
        if kind.bar is not None:
            lines.append(f"| {kind.title} | {_count(real, name)} | {_count(made, name)} |")
    clean = [sum(not each.over for each in own) for own in (real, made)]
    return [*lines, f"| no row over its bar | {clean[0]} | {clean[1]} |"]


def _minded(verdicts: Sequence[Verdict]) -> list[str]:
    lines = ["| row | | bar | real clips over it | made clips |", "|---|---|---:|---:|---:|"]
    for name, rule in viewer.RULES.items():
        counts = [sum(each.real is real and name in {one.row for one in each.minded} for each in verdicts)
                  for real in (True, False)]  # fmt: skip
        lines.append(f"| {name} | {rule.meaning} | {rule.bar:g} {rule.unit} | {counts[0]} | {counts[1]} |")
    any_of = [sum(each.real is real and bool(each.minded) for each in verdicts) for real in (True, False)]
    lines += [f"| any | | | {any_of[0]} | {any_of[1]} |", "", "| clip | minded, worst first | why |", "|---|---|---|"]
    for each in sorted(verdicts, key=lambda v: (not v.real, -max((one.excess for one in v.minded), default=0.0))):
        if each.minded:
            lines.append(f"| {each.name} | {'; '.join(map(_said, each.minded))} | {WHY.get(each.name, '')} |")
    return lines


def _confusion(verdicts: Sequence[Verdict]) -> list[str]:
    lines = ["| row | minded | reported too | only reported | neither |", "|---|---:|---:|---:|---:|"]
    pairs = [({one.row for one in each.minded}, set(each.told)) for each in verdicts]
    for name in (*viewer.RULES, "any"):
        rows = [
            (bool(judged), bool(told)) if name == "any" else (name in judged, name in told) for judged, told in pairs
        ]
        minded, both = sum(judged for judged, _ in rows), sum(judged and told for judged, told in rows)
        alone = sum(told and not judged for judged, told in rows)
        lines.append(f"| {name} | {minded} | {both} | {alone} | {len(rows) - minded - alone} |")
    return lines


def _said(one: viewer.Seen) -> str:
    unit = viewer.RULES[one.row].unit
    where = f"{one.leg}, frame {one.frame}" if one.leg else f"frame {one.frame}"
    return f"{one.row} {number(one.value)}{' ' + unit if unit else ''} ({where})"


def _count(verdicts: Sequence[Verdict], kind: str) -> int:
    return sum(kind in each.over for each in verdicts)


def _table(verdicts: Sequence[Verdict]) -> list[str]:
    titles = [kind.title for kind in KINDS.values()]
    lines = ["| clip | over | J/J* | " + " | ".join(titles) + " |", "|---|" + "---:|" * (len(titles) + 2)]
    for each in sorted(verdicts, key=lambda v: (-len(v.over), v.name)):
        cost = each.worst("cost")
        ratio = "" if cost is None or not cost.optimum > 1e-6 else number(cost.planted / cost.optimum, 1)
        lines.append(
            f"| {each.name} | {len(each.over)} | {ratio} | " + " | ".join(cell(each.worst(k)) for k in KINDS) + " |"
        )
    return lines


def write_json(path: Path, verdicts: Sequence[Verdict]) -> None:
    """Every row of every clip."""
    path.parent.mkdir(parents=True, exist_ok=True)
    found = []
    for each in verdicts:
        rows = [{**asdict(row), "over": row.over} for row in each.rows]
        found.append({**asdict(each), "rows": rows, "sticks": None})
    text = json.dumps(_finite(found), indent=1, allow_nan=False)
    path.write_text(text + "\n", encoding="utf-8")


def _finite(value: object) -> object:
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, dict):
        return {key: _finite(own) for key, own in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(own) for own in value]
    return value
