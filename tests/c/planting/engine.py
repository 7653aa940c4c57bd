# SPDX-License-Identifier: MIT
"""Functions of csrc/planting that no binding has, called by ctypes: numpy arrays in and out, beside numpy oracles.

The library is made by `make -C tests/c engine` where it is older than the sources.
"""

from __future__ import annotations

import ctypes
import os
import subprocess
from collections.abc import Sequence
from ctypes import POINTER, byref, c_double, c_int, c_int64, c_void_p
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Spans = Sequence[tuple[int, int]]

FOLDER = Path(__file__).resolve().parents[1]
OUT = Path(os.environ.get("SKELKIN_ENGINE", FOLDER.parents[1] / "build" / "c"))

CONTACT_LIMITS = np.dtype(
    [
        *((name, "f8") for name in ("shortest_core", "shortest_rest", "shortest", "steady", "stay", "quiet", "lift")),
        *((name, "f8") for name in ("noise", "sets_off", "rises_off", "departing", "brief", "gap", "same_place")),
        ("ground_step", "3f8"),
    ]
)
PATH_WEIGHTS = np.dtype(
    [(name, "f8") for name in ("body", "ankle", "flexion", "flexion_jerk", "split", "spring", "acceleration")]
)


class Arena(ctypes.Structure):
    """skl_arena."""

    _fields_ = [("last", c_void_p), ("failed", c_int)]


class KnownCurves(ctypes.Structure):
    """skl_known_curves."""

    _fields_ = [
        ("frames", c_int64), ("columns", c_int64), ("values", c_void_p), ("spans", c_void_p), ("num_spans", c_int64),
        ("window", c_int64),
    ]  # fmt: skip


class LevelSpace(ctypes.Structure):
    """skl_level_space."""

    _fields_ = [("places", c_void_p), ("turns", c_void_p), ("up", c_double * 3), ("num_frames", c_int64)]


class LegMotion(ctypes.Structure):
    """skl_leg_motion."""

    _fields_ = [("num_frames", c_int64), ("hip", c_void_p), ("knee", c_void_p), ("ankle", c_void_p)]


class Status(ctypes.Structure):
    """skl_status."""

    _fields_ = [
        ("code", c_int), ("argument", ctypes.c_char_p), ("rule", ctypes.c_char_p), ("num_indices", ctypes.c_int32),
        ("num_values", ctypes.c_int32), ("index", c_int64 * 34), ("value", c_double * 12),
    ]  # fmt: skip


class ContactsJob(ctypes.Structure):
    """skl_contacts_job."""

    _fields_ = [
        ("num_frames", c_int64),
        *((name, c_void_p) for name in ("core", "leave", "rests", "height", "velocity", "place", "slips", "rises")),
        ("limits", c_double * 17), ("spans", c_void_p), ("num_spans", c_int64), ("status", Status),
    ]  # fmt: skip


LEG_ARRAYS = ("hip", "ankle", "line", "bones", "flexion", "reach", "lowest", "stands", "held", "offset")


class PathLeg(ctypes.Structure):
    """skl_path_leg."""

    _fields_ = [(name, c_void_p) for name in LEG_ARRAYS]


class SmoothPathsJob(ctypes.Structure):
    """skl_smooth_paths_job."""

    _fields_ = [
        ("num_frames", c_int64), ("num_legs", c_int64), ("legs", POINTER(PathLeg)), ("free", c_void_p),
        ("cuts", c_void_p), ("up", c_double * 3), ("length", c_double), ("frame_time", c_double),
        ("body_moves", c_int), ("shift", c_void_p), ("heights_only", c_int), ("weights", c_double * 7),
        ("before", c_void_p), ("body", c_void_p), ("stays_open", c_int), ("open", c_void_p), ("objective", c_double),
        ("rounds", c_int64), ("status", Status),
    ]  # fmt: skip


def _library() -> ctypes.CDLL:
    if "SKELKIN_ENGINE" not in os.environ:
        subprocess.run(["make", "-s", "-C", str(FOLDER), "engine"], check=True)
    found = ctypes.CDLL(str(OUT / "libengine.so"))
    found.skl_seen_from.restype = c_int64
    return found


_LIB = _library()


def _in(array: Any) -> c_void_p:
    assert array.flags.c_contiguous
    return c_void_p(array.ctypes.data)


def _spans(spans: Spans) -> NDArray[np.int64]:
    return np.array(spans, np.int64).reshape(-1, 2)


def low_pass(values: Array, sigma: float) -> Array:
    """skl_low_pass."""
    out, arena = np.empty_like(values), Arena()
    size = map(c_int64, values.shape)
    _LIB.skl_low_pass(_in(values), *size, c_double(sigma), byref(arena), _in(out))
    return _freed(arena, out)


def _freed(arena: Arena, out: Array) -> Array:
    assert not arena.failed
    _LIB.skl_arena_free(byref(arena))
    return out


def running_min(values: Array, half: int) -> Array:
    """skl_running_min."""
    out, arena = np.empty_like(values), Arena()
    _LIB.skl_running_min(_in(values), c_int64(len(values)), c_int64(half), byref(arena), _in(out))
    return _freed(arena, out)


def frames_to_nearest(marks: NDArray[np.bool_]) -> Array:
    """skl_frames_to_nearest."""
    out = np.empty(len(marks))
    _LIB.skl_frames_to_nearest(_in(marks), c_int64(len(marks)), _in(out))
    return out


def smooth_between(values: Array, spans: Spans, window: int) -> Array:
    """skl_smooth_between."""
    pairs, out, arena = _spans(spans), np.empty_like(values), Arena()
    known = KnownCurves(*values.shape, _in(values), _in(pairs), len(pairs), window)
    _LIB.skl_smooth_between(byref(known), byref(arena), _in(out))
    return _freed(arena, out)


def rolled_path(ankle: Array, steps: Array, spans: Spans) -> Array:
    """skl_rolled_path."""
    pairs, out = _spans(spans), np.empty_like(ankle)
    _LIB.skl_rolled_path(_in(ankle), _in(steps), c_int64(len(ankle)), _in(pairs), c_int64(len(pairs)), _in(out))
    return out


def span_medians(values: Array, spans: Spans) -> Array:
    """skl_span_medians."""
    pairs, scratch, out = _spans(spans), np.empty_like(values), np.empty(len(spans))
    _LIB.skl_span_medians(_in(values), c_int64(len(pairs)), _in(pairs), _in(scratch), _in(out))
    return out


def _over_frames(name: str, out: Array, *given: Any) -> Array:
    """Call a function of packed arrays over frames."""
    told = [c_double(each) if isinstance(each, float) else _in(each) for each in given]
    getattr(_LIB, name)(c_int64(len(given[0])), *told, _in(out))
    return out


def turn_vectors(matrices: Array) -> Array:
    """skl_turn_vectors."""
    return _over_frames("skl_turn_vectors", np.empty((len(matrices), 3)), matrices)


def turn_feet(vectors: Array, feet: Array) -> Array:
    """skl_turn_feet."""
    return _over_frames("skl_turn_feet", np.empty_like(feet), vectors, feet)


def rotations_of(matrices: Array) -> Array:
    """skl_rotations_of."""
    return _over_frames("skl_rotations_of", np.empty_like(matrices), matrices)


def turn_speeds(rotations: Array) -> Array:
    """skl_turn_speeds."""
    return _over_frames("skl_turn_speeds", np.empty(len(rotations)), rotations)


def resting_turns(rotations: Array, least: float) -> Any:
    """skl_resting_turns."""
    return _over_frames("skl_resting_turns", np.empty(len(rotations), np.bool_), rotations, least)


def turns_to_mean(rotations: Array) -> Array:
    """skl_turns_to_mean."""
    return _over_frames("skl_turns_to_mean", np.empty((len(rotations), 3)), rotations)


def rolls_on_heel(back: Array, ball: Array, up: Array) -> NDArray[np.bool_]:
    """skl_rolls_on_heel."""
    out = np.empty(len(back), np.bool_)
    _LIB.skl_rolls_on_heel(_in(up), c_int64(len(back)), _in(back), _in(ball), _in(out))
    return out


def rolling_steps(back: Array, ball: Array, up: Array) -> Array:
    """skl_rolling_steps."""
    out = np.empty((max(len(back) - 1, 0), 3))
    _LIB.skl_rolling_steps(_in(up), c_int64(len(back)), _in(back), _in(ball), _in(out))
    return out


def seen_from(axes: Array, origins: Array, points: Array) -> tuple[Array, int]:
    """skl_seen_from; the first frame whose axes have no inverse, too."""
    out = np.empty_like(points)
    flat = _LIB.skl_seen_from(c_int64(len(axes)), _in(axes), _in(origins), _in(points), _in(out))
    return out, flat


def _moved(name: str, places: Array, turns: Array, points: Array, rises: Array, up: Array) -> Array:
    space, out = LevelSpace(_in(places), _in(turns), (c_double * 3)(*up), len(places)), np.empty_like(points)
    getattr(_LIB, name)(byref(space), _in(points), _in(rises), _in(out))
    return out


def level_places(*given: Array) -> Array:
    """skl_level_places: places, turns, points, rises, up."""
    return _moved("skl_level_places", *given)


def world_places(*given: Array) -> Array:
    """skl_world_places: places, turns, level, rises, up."""
    return _moved("skl_world_places", *given)


def turn_points(turns: Array, points: Array, back: bool) -> Array:
    """skl_turn_points."""
    out = np.empty_like(points)
    _LIB.skl_turn_points(*map(c_int64, points.shape[:2]), _in(turns), c_int(back), _in(points), _in(out))
    return out


def _leg(hip: Array, knee: Array, ankle: Array) -> LegMotion:
    return LegMotion(len(hip), _in(hip), _in(knee), _in(ankle))


def knee_angles(hip: Array, knee: Array, ankle: Array) -> Array:
    """skl_knee_angles."""
    out = np.empty(len(hip))
    _LIB.skl_knee_angles(byref(_leg(hip, knee, ankle)), _in(out))
    return out


def find_hinge(
    hip: Array, knee: Array, ankle: Array, upper: Array, forward: Array | None, rest: Array
) -> tuple[Array, float]:
    """skl_find_hinge."""
    scratch, out = np.zeros(3 * len(hip) + 3), np.empty(4)
    ahead = None if forward is None else _in(forward)
    leg = _leg(hip, knee, ankle)
    _LIB.skl_find_hinge(byref(leg), _in(upper), ahead, _in(rest), _in(scratch), _in(out))
    return out[:3], float(out[3])


def knee_flexions(hip: Array, knee: Array, ankle: Array, upper: Array, axis: Array) -> Array:
    """skl_knee_flexions."""
    out = np.empty(len(hip))
    _LIB.skl_knee_flexions(byref(_leg(hip, knee, ankle)), _in(upper), _in(axis), _in(out))
    return out


def leg_jumps(hip: Array, knee: Array, ankle: Array, flexion: Array) -> Array:
    """skl_leg_jumps."""
    out = np.empty((5, len(hip)))
    rows = (c_void_p * 5)(*(row.ctypes.data for row in out))
    _LIB.skl_leg_jumps(byref(_leg(hip, knee, ankle)), _in(flexion), byref(rows))
    return out


def find_contacts(*given: Any) -> list[tuple[int, int]]:
    """skl_contacts_run: arrays in the order of the job, and a row of CONTACT_LIMITS."""
    *arrays, limits = given
    num = len(arrays[0])
    spans = np.empty((2 * ((num + 1) // 2) + 1, 2), np.int64)
    numbers = (c_double * 17)(*limits.view(np.float64).ravel())
    job = ContactsJob(num, *map(_in, arrays), numbers, _in(spans), 0)
    assert _LIB.skl_contacts_run(byref(job)) == 0
    return [(int(a), int(b)) for a, b in spans[: job.num_spans]]


def smooth_paths(
    hip: Array, ankle: Array, line: Array, held: Array, bones: Array, flexion: Array, reach: Array, lowest: Array,
    stands: Any, free: Any, cuts: Any, up: Array, length: float, frame_time: float, body_moves: bool,
    heights_only: bool, weights: Any, before: Array | None = None,
) -> tuple[Array, Array, float, int]:  # fmt: skip
    """skl_smooth_paths_run, with arrays (K, F, ...) of legs: body (F, 3), offsets (K, F, 3), objective and rounds."""
    legs, frames = hip.shape[:2]
    body, offset = np.empty((frames, 3)), np.empty((legs, frames, 3))
    of_leg = dict(zip(LEG_ARRAYS, (hip, ankle, line, bones, flexion, reach, lowest, stands, held, offset), strict=True))
    each = (PathLeg * legs)(*(PathLeg(*(_in(array[k]) for array in of_leg.values())) for k in range(legs)))
    job = SmoothPathsJob(
        num_frames=frames, num_legs=legs, legs=each, free=_in(free), cuts=_in(cuts), up=(c_double * 3)(*up),
        length=length, frame_time=frame_time, body_moves=body_moves, heights_only=heights_only,
        weights=(c_double * 7)(*weights[0].tolist()), before=None if before is None else _in(before), body=_in(body),
    )  # fmt: skip
    assert _LIB.skl_smooth_paths_run(byref(job)) == 0
    return body, offset, job.objective, job.rounds
