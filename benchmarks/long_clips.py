# SPDX-License-Identifier: MIT
"""Plant and skin clips of any length from file to file, each in a process of its own: time per frame and peak memory.

`python benchmarks/long_clips.py` goes up to a million frames of 60 joints (3 GB to read and 3 GB to write, in the
folder for temporary files) and takes some minutes; `--frames 3000 30000` takes other lengths.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from walk_clip import FPS, STRIDE_PER_FRAME, skeleton, walking_clip

import skelkin_py as sk
from skelkin_py.blocks.npy_rows import writing_npy

LENGTHS = (3_000, 30_000, 300_000, 1_000_000)
PERIOD, RADIUS = 640, 2_000.0  # frames after which the walk repeats; centimetres of the circle that it goes along
VERTICES = 500


def write_walk(path: Path, frames: int) -> None:
    """Write local matrices (F, J, 3, 4) in float32 of a walk round a circle, whose feet slide."""
    clip = walking_clip(PERIOD)
    local = clip.local_matrices()[:, :, :3]
    local[:, 0, 2, 3] -= np.arange(PERIOD) * STRIDE_PER_FRAME  # the way is put on below
    with writing_npy(path, (frames, *local.shape[1:]), np.dtype(np.float32)) as out:
        for start in range(0, frames, PERIOD):
            count = min(PERIOD, frames - start)
            angle = (start + np.arange(count)) * (STRIDE_PER_FRAME / RADIUS)
            turn = np.zeros((count, 3, 3))
            turn[:, 0, 0] = turn[:, 2, 2] = np.cos(angle)
            turn[:, 0, 2], turn[:, 2, 0], turn[:, 1, 1] = np.sin(angle), -np.sin(angle), 1.0
            part = local[:count].copy()
            part[:, 0] = turn @ part[:, 0]
            part[:, 0, :, 3] -= RADIUS * turn[:, :, 0]
            out.append(part.astype(np.float32))


def write_turns(path: Path, frames: int) -> None:
    """Write local rotations (F, J, 4) in float32 of the same walk."""
    turns = walking_clip(PERIOD).rotations.astype(np.float32)
    with writing_npy(path, (frames, *turns.shape[1:]), np.dtype(np.float32)) as out:
        for start in range(0, frames, PERIOD):
            out.append(turns[: min(PERIOD, frames - start)])


def plant(source: Path, target: Path) -> dict[str, float]:
    report = sk.plant_file(source, target, skeleton(), fps=FPS).report
    return {"contacts": len(report.contacts), "slide": report.worst("slide") / report.leg_length}


def skin(source: Path, target: Path) -> dict[str, float]:
    rng = np.random.default_rng(1)
    rig = skeleton()
    weights = sk.SkinWeights(
        rng.integers(0, rig.num_joints, (VERTICES, 4)), np.full((VERTICES, 4), 0.25), rig.num_joints
    )
    points = rng.normal(size=(VERTICES, 3)).astype(np.float32)
    sk.skin_file(source, target, points, weights, rig)
    return {}


WORK = {"plant": (write_walk, plant), "skin": (write_turns, skin)}


def measured(what: str, frames: int, folder: Path) -> dict[str, float]:
    """Return what a process of its own finds out about one clip."""
    source, target = folder / f"{what}.npy", folder / "out.npy"
    WORK[what][0](source, frames)
    command = [sys.executable, __file__, "--child", what, str(source), str(target)]
    found = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout)
    source.unlink()
    target.unlink()
    return found


def peak_megabytes() -> float:
    """Return the most that this process has had in memory."""
    try:
        # Not getrusage where there is this: its figure begins with that of the process which started this one.
        status = Path("/proc/self/status").read_text(encoding="utf-8").splitlines()
        return next(int(line.split()[1]) / 1024 for line in status if line.startswith("VmHWM"))
    except OSError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1024.0 if sys.platform != "darwin" else 1024.0**2)


def child(what: str, source: Path, target: Path) -> None:
    """Do the work and print seconds, and the most that this process has had in memory."""
    began, processor = time.perf_counter(), time.process_time()
    facts = WORK[what][1](source, target)
    facts["seconds"], facts["processor_seconds"] = time.perf_counter() - began, time.process_time() - processor
    facts["peak_mb"] = peak_megabytes()
    print(json.dumps(facts))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--frames", type=int, nargs="+", default=LENGTHS, help="the lengths")
    parser.add_argument("--child", nargs=3, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        child(options.child[0], *map(Path, options.child[1:]))
        return
    with tempfile.TemporaryDirectory(prefix="skelkin-bench-") as folder:
        for what in WORK:
            for frames in options.frames:
                found = measured(what, frames, Path(folder))
                each = 1e6 / frames
                print(
                    f"{what:6} {frames:9,} frames: {found['seconds'] * each:6.1f} µs/frame, "
                    f"{found['processor_seconds'] * each:6.1f} of CPU, peak {found['peak_mb']:5.0f} MB"
                    + (f", slide {found['slide']:.0e} leg" if "slide" in found else ""),
                    flush=True,
                )


if __name__ == "__main__":
    main()
