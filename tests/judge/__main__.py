# SPDX-License-Identifier: MIT
"""Plant every clip at hand, judge it, and write the table: `make judge`, `make judge CLIPS=fair1_zombie,milad`.

Clips of one's own: `make judge FOLDER=captures`."""

from __future__ import annotations

import argparse
import os
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path[:0] = [str(HERE), str(HERE.parent / "support"), str(HERE.parent), str(ROOT)]

for _variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "RAYON_NUM_THREADS"):
    os.environ.setdefault(_variable, "1")  # clips are what is shared among processors

import viewer  # noqa: E402
from clips import all_cases, cases_of_folder  # noqa: E402
from judgement import compared, measured, plant  # noqa: E402
from pictures import draw, draw_sheet, figures_at  # noqa: E402
from steadiness import steady  # noqa: E402
from table import Verdict, listing, page, write_json  # noqa: E402


def cases_at(place: Path, own: bool) -> dict[str, Any]:
    """Name → what reads it: of a folder of one's own, or of the data that is at hand."""
    return cases_of_folder(place) if own else all_cases(place)


def judge(name: str, place: Path, own: bool, pictures: Path | None) -> Verdict:
    """Judge one clip; what is raised is a verdict as well, so that one clip does not hide the others."""
    try:
        return _judge(name, place, own, pictures)
    except Exception as error:
        return Verdict(name, True, 0, 0.0, [], [], (0.0, 0.0), 0.0, f"{type(error).__name__}: {error}")


def _judge(name: str, place: Path, own: bool, pictures: Path | None) -> Verdict:
    start = time.perf_counter()
    case = cases_at(place, own)[name]()
    found = plant(case)
    level = isinstance(case.options.get("ground", 0.0), float)
    rows = measured(found, level, case.real) + steady(case, found)
    if pictures is not None:
        draw(case, found, rows, pictures)
    gone = [
        f"{leg}: {int(flags.sum())} frames" for leg, flags in zip(found.names, found.solution.let_go) if flags.any()
    ]
    versions = compared(case, found)
    seen = viewer.seen(versions)
    worst = max(seen, key=lambda each: each.excess)
    took = time.perf_counter() - start
    return Verdict(
        name, case.real, case.clip.num_frames, case.clip.fps, rows, gone, found.seconds, took,
        seen=seen, told=[row.row for row in found.report.cost.minded()],
        sticks=figures_at(versions, worst.frame),
    )  # fmt: skip


def main() -> int:
    parser = argparse.ArgumentParser(prog="make judge", description=__doc__)
    parser.add_argument("--clips", default="", help="parts of names, separated by commas; all where empty")
    parser.add_argument("--folder", type=Path, help="a folder of BVH files to judge instead of the clips at hand")
    parser.add_argument("--pictures", default="", help="a folder for stick figures and curves of the worst frames")
    parser.add_argument("--page", default="", help="the page to write; where empty, all rows are printed")
    parser.add_argument("--json", default="", help="the file for all figures")
    parser.add_argument("--jobs", type=int, default=min(2, os.cpu_count() or 1))
    options = parser.parse_args()
    data = Path(os.environ.get("SKELKIN_DATA", ROOT.parent / "shared" / "data"))
    if options.folder is None and not (data / "bvh").is_dir():
        parser.error("the clips are missing: set SKELKIN_DATA to the folder that holds bvh/")
    wanted = [part.strip().lower() for part in options.clips.split(",") if part.strip()]
    place, own = options.folder or data, options.folder is not None
    cases = cases_at(place, own)
    if not cases:
        parser.error(f"no BVH file lies below {place}")
    names = [name for name in cases if not wanted or any(part in name.lower() for part in wanted)]
    if not names:
        parser.error(f"no clip has any of {', '.join(wanted)} in its name")
    pictures = Path(options.pictures) if options.pictures else None
    start = time.perf_counter()
    verdicts = list(_each(names, place, own, pictures, options.jobs))
    if options.json:
        write_json(Path(options.json), verdicts)
    if options.page:
        Path(options.page).write_text(page(verdicts), encoding="utf-8")
        draw_sheet(
            [each for each in verdicts if each.real and each.seen],
            Path(options.page).parent / "figures" / "planting" / "worst_frames.png",
        )
    else:
        print(listing(verdicts))
    over = sum(row.over for verdict in verdicts for row in verdict.rows)
    failed = [verdict.name for verdict in verdicts if verdict.failed]
    took = time.perf_counter() - start
    print(f"{len(verdicts)} clips, {over} rows over their bars, {took:.0f} s", file=sys.stderr)
    if failed:
        print(f"could not be judged: {', '.join(failed)}", file=sys.stderr)
    return 1 if failed else 0


def _each(names: list[str], place: Path, own: bool, pictures: Path | None, jobs: int) -> Any:
    tasks = [(name, place, own, pictures) for name in names]
    if jobs == 1 or len(names) == 1:
        return [judge(*task) for task in tasks]
    with ProcessPoolExecutor(jobs) as pool:
        return list(pool.map(judge, *zip(*tasks)))


if __name__ == "__main__":
    sys.exit(main())
