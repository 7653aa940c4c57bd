# SPDX-License-Identifier: MIT
"""The jobs of ozz-animation (C++), where the environment variable OZZ is the path to a built checkout.

`ozz_jobs.cpp` is compiled against its headers and static libraries and driven through ctypes, with pointers prepared
once. Local poses, matrices and weights come into ozz's layouts outside the clock; its normals are not of length 1 and
go through the matrices of the points, so that they are not compared.
"""

from __future__ import annotations

import ctypes
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

import numpy as np

import skelkin_py as sk

SOURCE = Path(__file__).with_name("ozz_jobs.cpp")
LIBRARIES = ("animation_offline", "animation", "geometry", "base")  # each needs those behind it
LEAST_REST = 1e-6  # of the last weight: ozz takes what is left to 1


def libraries(checkout: Path) -> list[Path]:
    """Return the static libraries of a checkout in the order the linker wants; ImportError where one is missing."""
    found = []
    for name in LIBRARIES:
        # Builds end in _r, _d or nothing, by configuration.
        fit = [path for end in ("_r", "") for path in sorted(checkout.rglob(f"libozz_{name}{end}.a"))]
        if not fit:
            raise ImportError(f"OZZ={checkout} has no libozz_{name}.a: build it, position-independent")
        found.append(fit[0])
    return found


def command(compiler: str, checkout: Path, target: Path) -> list[str]:
    """Return what compiles the jobs into a shared library."""
    flags = ["-std=c++17", "-O3", "-march=native", "-DNDEBUG", "-shared", "-fPIC", "-Wl,-Bsymbolic"]
    include = ["-I", str(checkout / "include")]
    return [compiler, *flags, *include, "-o", str(target), str(SOURCE), *map(str, libraries(checkout))]


def _load() -> ctypes.CDLL:
    given = os.environ.get("OZZ")
    if not given:
        raise ImportError("OZZ is not set to the path of a built checkout")
    compiler = shutil.which("c++") or shutil.which("g++")
    if compiler is None:
        raise ImportError("no C++ compiler")
    target = Path(tempfile.mkdtemp(prefix="skelkin-bench-")) / "ozz_jobs.so"
    done = subprocess.run(command(compiler, Path(given).resolve(), target), capture_output=True, text=True, check=False)
    if done.returncode:
        errors = [line for line in done.stderr.splitlines() if "error" in line or "relocation" in line]
        raise ImportError(f"OZZ={given}: {(errors or ['the compiler failed'])[0]}")
    library = ctypes.CDLL(str(target))
    library.ozz_rig_new.restype = library.ozz_limbs_new.restype = ctypes.c_void_p
    return library


_JOBS = _load()


def _pointer(array: np.ndarray | None) -> ctypes.c_void_p:
    return ctypes.c_void_p(None if array is None else array.ctypes.data)


def _aligned(shape: tuple[int, ...]) -> np.ndarray:
    """Return zeros on a multiple of 64 bytes, as ozz's matrices have to lie."""
    raw = np.zeros(int(np.prod(shape)) * 4 + 64, np.uint8)
    start = -raw.ctypes.data % 64
    return raw[start : start + int(np.prod(shape)) * 4].view(np.float32).reshape(shape)


def _prepared(function, *arguments):
    """Return a call without conversions; what the arguments point to is kept alive by the caller."""
    ready = [ctypes.c_int(value) if isinstance(value, int) else value for value in arguments]
    if not function(*ready):
        raise RuntimeError("an ozz job refused its input")
    return lambda: function(*ready)


def from_rotations(parents, offsets, rotations, times=1):
    frames, joints = rotations.shape[:2]
    given = [
        np.ascontiguousarray(parents, np.int32),
        *(np.ascontiguousarray(x, np.float32) for x in (offsets, rotations)),
    ]
    order, out = np.zeros(joints, np.int32), _aligned((frames, joints, 16))
    handle = _JOBS.ozz_rig_new(joints, *map(_pointer, given[:2]), frames, _pointer(given[2]), _pointer(order))
    if not handle:
        raise RuntimeError("ozz refused the hierarchy")
    run = _prepared(_JOBS.ozz_rig_run, ctypes.c_void_p(handle), frames, _pointer(out), times)
    return lambda kept=out: run(), lambda: out[:, np.argsort(order), 12:15]


def _skinning(mesh, matrices, normals, times):
    (frames, joints), (vertices, influences) = matrices.shape[:2], mesh.indices.shape
    columns = _aligned((frames, joints, 4, 4))
    columns[:] = np.swapaxes(matrices, -1, -2)
    indices, weights = mesh.indices.astype(np.uint16), np.ascontiguousarray(mesh.weights[:, :-1])
    if np.abs(1 - mesh.weights.sum(axis=1)).max() > LEAST_REST:
        raise ValueError("ozz takes the last weight for what the others leave to 1")
    outs = [np.zeros((frames, vertices, 3), np.float32) for _ in range(2)]
    arrays = columns, indices, weights, mesh.points, mesh.normals if normals else None, *outs
    sizes = vertices, influences, joints, frames
    run = _prepared(_JOBS.ozz_skin_run, *sizes, *map(_pointer, arrays), times)
    return lambda kept=arrays: run(), outs[0]


def linear(mesh, matrices, times=1):
    call, out = _skinning(mesh, matrices, False, times)
    return call, lambda: out


def with_normals(mesh, matrices):
    return _skinning(mesh, matrices, True, 1)[0], None


def two_bone(limbs, times=1):
    """Return the call, and what gives the greatest distance of an end from its target, which all limbs reach."""
    a, b, c, target, pole = limbs
    axis = np.cross(c - b, b - a)
    axis /= np.linalg.norm(axis, axis=1, keepdims=True)
    points = [np.ascontiguousarray(x, np.float32) for x in (a, b, c, target, pole - a, axis)]
    handle = ctypes.c_void_p(_JOBS.ozz_limbs_new(len(a), *map(_pointer, points)))
    found = np.zeros((len(a), 2, 4), np.float32)

    def missed() -> float:
        _JOBS.ozz_limbs_read(handle, _pointer(found))
        start, middle = np.moveaxis(np.roll(found.astype(np.float64), 1, axis=-1), 1, 0)
        upper, lower = (b - a).astype(np.float64), (c - b).astype(np.float64)
        end = a + sk.quaternion_rotate(start, upper + sk.quaternion_rotate(middle, lower))
        return float(np.linalg.norm(end - target, axis=1).max())

    return _prepared(_JOBS.ozz_limbs_run, handle, times), missed
