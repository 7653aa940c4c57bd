# SPDX-License-Identifier: MIT
"""The same work on one core and on two; runs in a process of its own that may use both."""

from __future__ import annotations

import functools
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
from peers import MISSING
from scene import VERTICES, mesh, poses, rig
from walk_clip import walking_clip

import skelkin_py as sk
from cases import Case
from cases.linear import name

CORES = 2


def cases() -> Iterator[Case]:
    if len(os.sched_getaffinity(0)) < CORES:
        MISSING["two cores"] = "this machine gives the run one core"
        return
    yield from _kinematics()
    whole = mesh()
    for count in (1, 64):
        matrices, dual = poses(count)
        out = sk.SkinnedMesh(*(np.zeros((count, VERTICES, 3), np.float32) for _ in range(2)), None)
        arguments = whole.points, whole.skin, matrices
        plans = {
            "linear": (
                lambda a=arguments, o=out: sk.skin_points(*a, out=o.points),
                lambda m, x=matrices: m.linear(whole, x, all_cores=True),
            ),
            "with normals": (lambda a=arguments, o=out: sk.skin_mesh(*a, normals=whole.normals, out=o), None),
            "dual quaternion": (
                lambda a=arguments, o=out: sk.skin_points(*a, method="dual_quaternion", out=o.points),
                lambda m, x=dual: m.dual_quaternion(whole, x, all_cores=True),
            ),
        }
        for words, (call, peer) in plans.items():
            case = Case(f"two cores: {name(words, count)}", "Mverts/s", count * VERTICES, 1e-6, alone=False)
            _add(case, call)
            if peer:
                case.offer("numba loop, two cores", "numba_skinning", peer)
            if words == "linear" and count > 1:
                case.offer(
                    "numba, frames innermost, two cores",
                    "numba_skinning",
                    lambda m, x=matrices: m.frames_innermost(whole, x, all_cores=True),
                )
            yield case
    yield from _skin_poses()
    yield _two_processes()


def _add(case: Case, call: Callable[[], object]) -> None:
    for count, words in ((1, "one core"), (CORES, "two cores")):
        case.add(f"skelkin, {words}", call, before=lambda n=count: sk.set_num_threads(n))


def _kinematics() -> Iterator[Case]:
    for count in (1_000, 10_000):
        r, out = rig(65, count), np.zeros((count, 65, 4, 4), np.float32)
        title = "1 000 poses × 65 joints" if count == 1_000 else "10 000 poses × 65 joints"
        case = Case(f"two cores: {title} from rotations", "Mjoints/s", count * 65, 1e-6, alone=False)
        _add(case, lambda r=r, out=out: sk.forward_kinematics_trs(r.skeleton, r.rotations, out=out))
        case.offer(
            "numba loop, two cores",
            "numba_kinematics",
            lambda m, r=r: m.from_rotations(r.parents, r.offsets, r.rotations, all_cores=True),
        )
        yield case


def _two_processes() -> Case:
    """Return the command line over clips of different lengths, from files to files."""
    folder = Path(tempfile.mkdtemp(prefix="skelkin-bench-"))
    for clip in range(64):
        walking_clip(2_000 + 150 * (clip % 8)).save(folder / f"walk-{clip}.bvh")
    command = [sys.executable, "-m", "skelkin_py", "plant", "--force", str(folder / "*.bvh"), "-o", str(folder / "out")]
    case = Case("two cores: skelkin plant, 64 clips", "s", max_rounds=3, alone=False)
    # As pip leaves an installed package: with byte code, which this run may have been told not to write.
    env = os.environ | {"PYTHONPYCACHEPREFIX": str(folder / "bytecode"), "PYTHONDONTWRITEBYTECODE": ""}
    # Elsewhere than in the caller's folder, which may be a clone: Python would find the package there, not compiled.
    run = functools.partial(subprocess.run, check=True, capture_output=True, env=env, cwd=folder)
    run([*command[:3], "--version"])
    for jobs in ("1", "2"):
        case.add(f"skelkin plant --jobs {jobs}", functools.partial(run, [*command, "--jobs", jobs]))
    return case


def _skin_poses() -> Iterator[Case]:
    whole, r = mesh(2_000, 65), rig(65, 2_000)
    points = np.zeros((2_000, 2_000, 3), np.float32)
    case = Case("two cores: skin_poses, 2 000 vertices × 2 000 poses", "Mverts/s", 4e6, 1e-6, alone=False)
    _add(case, lambda: sk.skin_poses(whole.points, whole.skin, r.skeleton, r.rotations, out=points))
    yield case
