# SPDX-License-Identifier: MIT
"""`make figures`: put the measured figures of the reference CPU where the pages have a marker for them.

A marker is `<!-- figure: WHAT -->text<!-- -->`; nothing of it shows on the page. WHAT begins with a short name from
NAMES, a candidate of a case, and goes on with

- nothing: its median, with the unit, or from the lowest to the highest of several cases;
- `peer`: the strongest of the others in its case, with its median;
- `/ CANDIDATE`: how many times as fast as that one it is; `/ peer` takes the strongest;
- `% CANDIDATE`: the same in per cent;
- `error`, `peer error`: how far it, or that peer, is off what the case expects.

Or it is one of the BLOCKS, which fill more than a cell. `docs/status.md` and the README say in words what was measured;
which figures those are, this file and the markers say.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable
from pathlib import Path

from bars import verdicts
from report import limits, missed, text
from result_file import OWN, REFERENCE, RESULTS, Results, path_of, read

ROOT = Path(__file__).resolve().parent.parent
PAGES = (ROOT / "README.md", ROOT / "docs" / "status.md", ROOT / "docs" / "performance.md")
MARKER = re.compile(r"(<!-- figure: (.+?) -->)(.*?)(<!-- -->)", flags=re.DOTALL)
WALK, HILLS = "planting, 3 000 frames, 60 joints, 2 legs", "planting, 3 000 frames on 100 000 triangles"
LIMBS, LIMB = "two bones, 1 000 000 limbs", "two bones, one limb"
APPLY = "apply_two_bone, 10 000 frames × 65 joints, one limb below"
BATCH = "poses × 65 joints from rotations"
TOGETHER = "skin_poses, 2000 vertices × 65 joints × 10000 poses"
NAMES: dict[str, tuple[str, str]] = {
    "plant files": (WALK, "read, plant, write"),
    "plant floor": ("planting, 3 000 frames on a floor", "skelkin"),
    "plant mesh": (HILLS, "skelkin"),
    "plant mesh papers": (f"{HILLS}, as papers do", "numpy, 22 joints"),
    "plant paths": ("planting, the paths of 3 000 frames", "skelkin"),
    "fk call": ("one pose × 65 joints from matrices", OWN),
    "fk call 24": ("one pose × 24 joints from rotations", OWN),
    "fk call rotations": ("one pose × 65 joints from rotations", OWN),
    "fk cache": (f"100 {BATCH}", OWN),
    "fk batch": (f"10 000 {BATCH}", OWN),
    "linear one": ("linear, one pose", OWN),
    "linear one random": ("linear, one pose, random joints", OWN),
    "linear 64": ("linear, 64 poses", OWN),
    "linear 64 random": ("linear, 64 poses, random joints", OWN),
    "linear small": ("linear, 32 vertices", OWN),
    "normals 64": ("with normals, 64 poses", OWN),
    "dual one": ("dual quaternion, one pose", OWN),
    "dual 64": ("dual quaternion, 64 poses", OWN),
    "skin_poses": (TOGETHER, "skelkin, one call, out="),
    "limbs": (LIMBS, OWN),
    "limbs soft": (f"{LIMBS}, soften and stretch", OWN),
    "limb": (LIMB, OWN),
    "limb new": (LIMB, "skelkin, new arrays"),
    "apply near": (f"{APPLY} 2 joints", OWN),
    "apply far": (f"{APPLY} 23 joints", OWN),
    "legs free": ("limits, 10 000 legs inside of limits, soften and stretch", "skelkin, without limits"),
    "legs inside": ("limits, 10 000 legs inside of limits, soften and stretch", OWN),
    "legs held": ("limits, 10 000 legs held back by limits, soften and stretch", OWN),
    "fabrik": ("FABRIK, 100 000 chains × 10 joints", "skelkin"),
    "one process": ("two cores: skelkin plant, 64 clips", "skelkin plant --jobs 1"),
    "two processes": ("two cores: skelkin plant, 64 clips", "skelkin plant --jobs 2"),
    "switch": ("* frames, 65 bones, Blender *", "switch"),
    "switch old": ("1000 frames, 65 bones, Blender 3.4*", "switch"),
    "switch new": ("3000 frames, 65 bones, Blender [45]*", "switch"),
    "switch stepped": ("3000 frames, 65 bones, Blender [45]*", "switch, stepped"),
    "switch unchecked": ("3000 frames, 65 bones, Blender [45]*", "switch, stepped, without its check"),
    "switch sparse": ("* frames, 65 bones, Blender *", "sparse keys"),
    "switch ground": ("* frames, 65 bones, Blender *", "ground of 100 352 triangles"),
    "switch update": ("* frames, 65 bones, Blender *", "update of 1 000 frames"),
    "switch rigify": ("500 frames, Rigify's human, *", "switch, without frame_set"),
    "bake old": ("1000 frames, 65 bones, Blender 3.4*", "bake all bones"),
    "bake new": ("3000 frames, 65 bones, Blender [45]*", "bake all bones"),
    "blender poses": ("poses, 60 bones × 1000 frames, Blender *", "skelkin, curves and poses"),
    "blender exact poses": ("poses, 60 bones × 1000 frames, Blender *", "skelkin, poses, exact"),
    "blender linear": ("modifier, 500000 vertices, linear, *", "skelkin"),
    "blender exact linear": ("modifier, 500000 vertices, linear, *", "skelkin, exact"),
    "blender volume": ("modifier, 500000 vertices, preserve volume, *", "skelkin"),
    "blender ik": ("IK, 100 chains*", "skelkin"),
}
UNITS = {"µs/call": "µs", "µs/frame": "µs", "Mverts/s": "M vertices/s", "Mjoints/s": "M joints/s", "Msolves/s": "M/s"}
LIMITS = ("linear, 64 poses", "with normals, 64 poses", "dual quaternion, 64 poses", f"100 {BATCH}", f"10 000 {BATCH}")
LIMITS += (TOGETHER, LIMBS)


def span(values: list[float], write: Callable[[float], str]) -> str:
    """Return a number, or the lowest and the highest of several."""
    low, high = write(min(values)), write(max(values))
    return low if low == high else f"{low}–{high}"


def plain(value: float) -> str:
    return f"{value:.3g}" if value < 1000 else f"{value:.0f}"


def factor(value: float) -> str:
    return f"{value:.2f}" if value < 1 else f"{value:.1f}" if value < 10 else f"{value:.0f}"


def off(value: float) -> str:
    return f"{value:.1e}".replace("e-0", "e-")


def figure(what: str, results: Results) -> str:
    """Return the text of one marker that is not a block; KeyError where the results do not have it."""
    name = max((name for name in NAMES if f"{what} ".startswith(f"{name} ")), key=len, default="")
    if not name:
        raise KeyError(f"{what}: begins with none of the names of benchmarks/figures.py")
    pattern, candidate = NAMES[name]
    cases = [case for case in results.matching(pattern) if results.has(case, candidate)]
    if not cases:
        raise KeyError(f"{what}: {pattern}, {candidate} is not in the results")
    rest = what[len(name) :].strip()
    peer = results.best_peer(cases[0])
    if not rest:
        unit = results.unit(cases[0])
        return f"{span([results.median(case, candidate) for case in cases], plain)} {UNITS.get(unit, unit)}"
    if rest == "peer" and peer:
        unit = results.unit(cases[0])
        return f"{peer} {plain(results.median(cases[0], peer))} {UNITS.get(unit, unit)}"
    if rest in ("error", "peer error"):
        return off(results.error(cases[0], candidate if rest == "error" else str(peer)))
    sign, _, against = rest.partition(" ")
    against = str(peer) if against == "peer" else against
    if sign not in ("/", "%") or not all(results.has(case, against) for case in cases):
        raise KeyError(f"{what}: neither an ending that there is nor a candidate of the case")
    ratios = [results.ratio(case, candidate, against)[1] for case in cases]
    return f"{span(ratios, factor)} ×" if sign == "/" else f"{span([100 * x for x in ratios], lambda x: f'{x:.0f}')} %"


def _not_run(results: Results) -> str:
    return "; ".join(f"{name} ({reason})" for name, reason in results.not_run().items()) or "none"


def _count(results: Results) -> str:
    found = verdicts(results)
    return f"{sum(each.part >= 1 for each in found)} of {len(found)}"


def _missed(results: Results) -> str:
    wrapped = (textwrap.fill(line, 120, subsequent_indent="  ") for line in missed(verdicts(results)))
    return "\n\n" + "\n".join(wrapped) + "\n\n"


def _limits(results: Results) -> str:
    head = [
        "| case | written, GB/s | of memset | of memcpy | Gflop/s | of the peak |",
        "|---|---:|---:|---:|---:|---:|",
    ]
    rows = [f"| {name} | {' | '.join(cells)} |" for name, cells in limits(results) if name in LIMITS]
    return "\n\n" + "\n".join([*head, *rows]) + "\n\n"


BLOCKS: dict[str, Callable[[Results], str]] = {
    "cpu": lambda results: results.cpu,
    "not run": _not_run,
    "bars": _count,
    "missed bars": _missed,
    "limits": _limits,
    "tables": lambda _: f"[benchmarks/results/{REFERENCE}.md](../benchmarks/results/{REFERENCE}.md)",
}


def filled(page: str, results: Results) -> str:
    """Return a page with the text of every marker made from the results."""

    def insert(found: re.Match[str]) -> str:
        what = found[2]
        return found[1] + (BLOCKS[what](results) if what in BLOCKS else figure(what, results)) + found[4]

    return MARKER.sub(insert, page)


def write_all() -> None:
    """Write the tables of every CPU that was measured, and fill the pages from those of the reference CPU."""
    for path in sorted(RESULTS.glob("*.json")):
        path.with_suffix(".md").write_text(text(Results(read(path)), path.stem), encoding="utf-8")
    results = Results(read(path_of(REFERENCE)))
    try:
        new = {page: filled(page.read_text(encoding="utf-8"), results) for page in PAGES}
    except KeyError as error:
        raise SystemExit(f"the pages stay as they are: {error.args[0]}") from error
    for page, words in new.items():
        page.write_text(words, encoding="utf-8")


if __name__ == "__main__":
    write_all()
