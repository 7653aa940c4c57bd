# SPDX-License-Identifier: MIT
"""From values of F-curves to the channels of an armature's bones."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from ..._support.arguments import numbers_of

_ROTATION_MODES = {"rotation_quaternion": "QUATERNION", "rotation_axis_angle": "AXIS_ANGLE", "rotation_euler": "XYZ"}
_SIZES = {"location": 3, "scale": 3, "rotation_quaternion": 4, "rotation_axis_angle": 4, "rotation_euler": 3}
_PATH = re.compile(r'pose\.bones\["((?:[^"\\]|\\.)*)"\]\.(\w+)')
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "a": "\a", "b": "\b", "f": "\f"}


def bone_channels(
    names: Sequence[tuple[str, int]],
    values: npt.NDArray[np.float32],
    bones: Sequence[str],
    still: Mapping[str, Any] | None,
) -> dict[str, Any]:
    """Return the channels of bones on every frame: the values of curves, and elsewhere those that stand still."""
    place = {bone: index for index, bone in enumerate(bones)}
    found: list[tuple[int, str, int, int]] = []
    for column, (path, index) in enumerate(names):
        bone, channel = bone_of_path(path)
        if bone in place and 0 <= index < _SIZES.get(channel, 0):
            found.append((place[bone], channel, index, column))
    rest = _still(bones, still, {(bone, channel) for bone, channel, _, _ in found})
    modes = rest["rotation_mode"]
    moved: dict[str, dict[int, int]] = {"location": {}, "rotation": {}, "scale": {}}
    for row, channel, index, column in found:
        if channel not in _ROTATION_MODES:
            moved[channel][3 * row + index] = column
        elif channel == rotation_channel(modes[row]):
            moved["rotation"][4 * row + index] = column
    return {**{name: _filled(rest[name], values, sources) for name, sources in moved.items()}, "rotation_mode": modes}


def _filled(
    rest: npt.NDArray[np.float32], values: npt.NDArray[np.float32], sources: Mapping[int, int]
) -> npt.NDArray[np.float32]:
    """Return `rest` (B, N) for each row of `values`, with some of its numbers taken from the columns of these."""
    frames = len(values)
    flat = np.empty((frames, rest.size), np.float32)
    if len(sources) < rest.size:
        flat[:] = rest.reshape(-1)
    if sources:
        flat[:, _span(list(sources))] = values[:, _span(list(sources.values()))]
    return flat.reshape(frames, *rest.shape)


def _span(places: list[int]) -> slice | list[int]:
    """Return a slice for numbers that follow each other: copied many times as fast."""
    together = places == list(range(places[0], places[0] + len(places)))
    return slice(places[0], places[-1] + 1) if together else places


def bone_of_path(path: str) -> tuple[str, str]:
    """Return the bone's name and its property that a data path leads to; two empty strings for other paths."""
    match = _PATH.fullmatch(path)
    if match is None:
        return "", ""
    name = match[1]
    if "\\" in name:
        name = re.sub(r"\\(.)", lambda escape: _ESCAPES.get(escape[1], escape[1]), name)
    return name, match[2]


def rotation_channel(mode: str) -> str:
    """Return the property in which a bone of that rotation mode keeps its rotation."""
    return {"QUATERNION": "rotation_quaternion", "AXIS_ANGLE": "rotation_axis_angle"}.get(mode, "rotation_euler")


def _still(bones: Sequence[str], still: Mapping[str, Any] | None, animated: set[tuple[int, str]]) -> dict[str, Any]:
    """Return the channels (B, ...) of bones that no curve moves."""
    count = len(bones)
    rest: dict[str, Any] = {
        "location": np.zeros((count, 3), np.float32),
        "scale": np.ones((count, 3), np.float32),
        "rotation": np.zeros((count, 4), np.float32),
    }
    modes = ["QUATERNION"] * count
    for bone in range(count):
        modes[bone] = next((m for channel, m in _ROTATION_MODES.items() if (bone, channel) in animated), "QUATERNION")
    rest["rotation"][[bone for bone, mode in enumerate(modes) if mode == "QUATERNION"], 0] = 1.0
    rest["rotation"][[bone for bone, mode in enumerate(modes) if mode == "AXIS_ANGLE"], 2] = 1.0
    if still is not None:
        if not isinstance(still, Mapping):
            raise TypeError(f"still is {type(still).__name__}: expected a mapping of channels or None")
        missing = [name for name in ("location", "scale", "rotation", "rotation_mode") if name not in still]
        if missing:
            raise ValueError(f"still has no {missing[0]!r}: expected what read_channels returns")
        known = list(still.get("names", bones))
        row = {name: index for index, name in enumerate(known)}
        into = [bone for bone, name in enumerate(bones) if name in row]
        rows = [row[bones[bone]] for bone in into]
        for name, size in (("location", 3), ("scale", 3), ("rotation", 4)):
            array = numbers_of(still[name], f"still[{name!r}]").astype(np.float32)
            if array.shape != (len(known), size):
                raise ValueError(f"still[{name!r}] has shape {array.shape}: expected {(len(known), size)}")
            rest[name][into] = array[rows]
        for bone, index in zip(into, rows, strict=True):
            modes[bone] = still["rotation_mode"][index]
    return {**rest, "rotation_mode": tuple(modes)}
