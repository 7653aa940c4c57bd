# SPDX-License-Identifier: MIT
"""Animations of glTF, sampled: LINEAR, STEP and CUBICSPLINE as glTF 2.0 says in appendix C."""

from __future__ import annotations

from collections import Counter
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..._support.arguments import LEAST_FPS, MOST_FPS
from ..._support.array_types import Floats
from ..._support.errors import quoted
from ...transforms import quaternion_slerp
from .accessors import Accessors
from .container import Document
from .nodes import Rig

PATHS = {"rotation": 4, "translation": 3, "scale": 3}
_INTERPOLATIONS = ("LINEAR", "STEP", "CUBICSPLINE")
_USUAL_RATES = (24.0, 25.0, 30.0, 50.0, 60.0)
_OTHER_RATES = (48.0, 100.0, 120.0)
_ASSUMED = "assumed, because there are not two keys"
_SLOWEST = 10.0  # keys that are further apart are set by hand: they are no frames
_ON_A_FRAME = 1e-2  # of a frame: times are float32, and printed ones have few digits
_FLOAT32 = 2.0**-23  # of a time: twice what rounding it may change
_BYTES = 11 * 8  # of a clip's rotation, translation, scale and matrix, per frame and joint
_MOST_BYTES = 2**27  # that a clip may take whatever the size of its file
_SWELLS = 64
_ONE = 1e-6  # scales as near to 1 as this are rounded ones


class Channel(NamedTuple):
    """A channel of an animation that moves a joint."""

    number: int  # in the animation's channels
    joint: int
    path: str
    input: int
    output: int
    interpolation: str


class Sampled(NamedTuple):
    """An animation at the times of its frames."""

    rotations: Floats
    translations: Floats
    scales: Floats | None
    times: Floats
    fps: float
    fps_source: str
    notes: tuple[str, ...]


def channels_of(document: Document, rig: Rig, number: int) -> tuple[list[Channel], list[str]]:
    """Return the channels of an animation that move joints, and what the others do, in words."""
    where = f"animations[{number}]"
    item = document.items("animations")[number]
    samplers, channels = (document.objects(item.get(key, []), f"{where}.{key}") for key in ("samplers", "channels"))
    found: dict[tuple[int, str], Channel] = {}
    others: Counter[str] = Counter()
    kinds = _samplers(document, where, samplers)
    joint_of, num_nodes = rig.joint_of, len(rig.nodes)
    for k, channel in enumerate(channels):
        target, which = channel.get("target", {}), channel.get("sampler", -1)
        path = target.get("path") if isinstance(target, dict) else None
        if not isinstance(path, str):
            document.fail(f"{where}.channels[{k}].target", "has no path")
        if path not in PATHS or "node" not in target:
            others["morph weights" if path == "weights" else "other properties"] += 1
            continue
        node = target["node"]
        if type(node) is not int or node not in joint_of:
            document.index(node, num_nodes, f"{where}.channels[{k}].target.node", "nodes")
            others["nodes that are not joints"] += 1
            continue
        if type(which) is not int or not 0 <= which < len(kinds):
            document.index(which, len(kinds), f"{where}.channels[{k}].sampler", "samplers")
        joint = joint_of[node]
        found[joint, path] = Channel(k, joint, path, *kinds[which])
    return list(found.values()), [f"{count} channels of {what} are left as they are" for what, count in others.items()]


def _samplers(document: Document, where: str, samplers: list[dict[str, Any]]) -> list[tuple[int, int, str]]:
    """Return input, output and interpolation of samplers."""
    found: list[tuple[Any, Any, Any]]
    found = [(each.get("input"), each.get("output"), each.get("interpolation", "LINEAR")) for each in samplers]
    for k, (given, output, interpolation) in enumerate(found):
        if interpolation not in _INTERPOLATIONS:
            document.fail(f"{where}.samplers[{k}].interpolation", f"is {quoted(str(interpolation))}")
        if type(given) is not int or type(output) is not int:
            document.fail(f"{where}.samplers[{k}]", "has no input or no output")
    return found


class _Between(NamedTuple):
    """Where the times of frames are between keys."""

    before: NDArray[np.intp]  # the key before, or at the time
    after: NDArray[np.intp]
    step: Floats  # seconds from one to the other
    part: Floats  # of that step, from 0 to 1

    @classmethod
    def of(cls, keys: Floats, times: Floats, rate: float) -> _Between:
        """Return it for keys in order and times of frames; one that is a key's but for rounding is on it."""
        following = np.searchsorted(keys, times)
        near = [keys[np.clip(following + k, 0, len(keys) - 1)] for k in (-1, 0)]
        nearest = np.where(np.abs(near[0] - times) < np.abs(near[1] - times), *near)
        times = np.where(np.abs(nearest - times) <= _rounding(times, rate), nearest, times)
        before = np.maximum(np.searchsorted(keys, times, side="right") - 1, 0)
        after = np.minimum(before + 1, len(keys) - 1)
        step = keys[after] - keys[before]
        part = np.where(step > 0.0, (times - keys[before]) / np.where(step > 0.0, step, 1.0), 0.0)
        return cls(before, after, step, np.clip(part, 0.0, 1.0))


def _rounding(times: Floats, rate: float) -> Floats:
    """Return by how many seconds keys may miss the times of frames that they are meant for."""
    return np.minimum(_ON_A_FRAME / rate + _FLOAT32 * np.abs(times), 0.25 / rate)


class Sampler:
    """Samples the animations of a document."""

    def __init__(self, document: Document, accessors: Accessors, rig: Rig) -> None:
        self._document, self._accessors, self._rig = document, accessors, rig
        self._times: dict[int, Floats] = {}
        self._scaled = bool((rig.scales != 1.0).any())

    def sample(self, number: int, fps: float | None) -> Sampled:
        """Return an animation at its frames: from its first key to its last."""
        channels, notes = channels_of(self._document, self._rig, number)
        keys = {given: self._key_times(given) for given in dict.fromkeys(channel.input for channel in channels)}
        rate, source, more = (fps, "given", ()) if fps is not None else _rate(list(keys.values()))
        first = min((float(times[0]) for times in keys.values()), default=0.0)
        last = max((float(times[-1]) for times in keys.values()), default=0.0)
        frames = self._num_frames(number, first, last, rate)
        times = first + np.arange(frames) / rate
        rig = self._rig
        rotations = np.tile(rig.rotations, (frames, 1, 1))
        translations = np.tile(rig.translations, (frames, 1, 1))
        scaled = self._scaled or any(channel.path == "scale" for channel in channels)
        scales = np.tile(rig.scales, (frames, 1, 1)) if scaled else None
        arrays = {"rotation": rotations, "translation": translations, "scale": scales}
        groups: dict[tuple[str, int, str], list[Channel]] = {}
        for channel in channels:
            groups.setdefault((channel.path, channel.input, channel.interpolation), []).append(channel)
        between = {given: _Between.of(each, times, rate) for given, each in keys.items()}
        for (path, given, interpolation), members in groups.items():
            array = arrays[path]
            assert array is not None
            outputs = self._outputs(members, len(keys[given]), interpolation)
            array[:, [member.joint for member in members]] = self._values(members, outputs, between[given])
        if scales is not None and np.abs(scales - 1.0).max() <= _ONE:
            scales = None
        self._check(number, rotations)
        return Sampled(rotations, translations, scales, times, rate, source, (*notes, *more))

    def _key_times(self, index: int) -> Floats:
        """Return the times of keys, in order, at least one."""
        if index not in self._times:
            where = f"accessors[{index}]"
            times = self._accessors.floats(index, "the input of a sampler", "SCALAR")[:, 0]
            if len(times) == 0:
                self._document.fail(where, "is the input of a sampler and has no key")
            if not np.isfinite(times).all() or (np.diff(times) < 0.0).any():
                self._document.fail(where, "is the input of a sampler: times must be finite and not go back")
            self._times[index] = times
        return self._times[index]

    def _num_frames(self, number: int, first: float, last: float, rate: float) -> int:
        frames = int(min((last - first) * rate + _ON_A_FRAME, 1e15)) + 1
        needed = frames * len(self._rig.joints) * _BYTES
        if needed > max(_MOST_BYTES, _SWELLS * self._document.size):
            self._document.fail(
                f"animations[{number}]",
                f"is {last - first:g} s long: {frames} frames at {rate:g} per second are more than a file can hold",
            )
        return frames

    def _outputs(self, members: list[Channel], num_keys: int, interpolation: str) -> Floats:
        """Return the numbers at the keys of channels that share these, (K or 3 K, n, components); finite."""
        components, per_key = PATHS[members[0].path], 3 if interpolation == "CUBICSPLINE" else 1
        count = num_keys * per_key
        outputs = self._accessors.stacked([m.output for m in members], "a sampler", count, components)
        if outputs is None:
            outputs = np.empty((len(members), count, components))
            for k, member in enumerate(members):
                found = self._accessors.floats(member.output, "the output of a sampler", f"VEC{components}")
                if len(found) != count:
                    rule = f"has {len(found)} elements, and its sampler has {num_keys} keys ({interpolation})"
                    self._document.fail(f"accessors[{member.output}]", rule)
                outputs[k] = found
        if not np.isfinite(outputs).all():
            bad = members[int(np.argwhere(~np.isfinite(outputs))[0, 0])]
            self._document.fail(f"accessors[{bad.output}]", "has a number that is not finite")
        return np.swapaxes(outputs, 0, 1)

    def _values(self, members: list[Channel], outputs: Floats, between: _Between) -> Floats:
        """Return what channels that share their keys are at the times, (F, n, components); quaternions ``w x y z``."""
        interpolation, components = members[0].interpolation, outputs.shape[-1]
        if components == 4:
            outputs = outputs[..., [3, 0, 1, 2]]
        before, after, _, part = between
        if interpolation == "STEP":
            return outputs[before]
        if interpolation == "CUBICSPLINE":
            return _cubic(outputs.reshape(-1, 3, len(members), components), between)
        values = outputs[before]
        moving = np.flatnonzero(part > 0.0)  # on a key exactly what it says
        start, end, u = values[moving], outputs[after[moving]], part[moving, None]
        if components == 4:
            self._check_keys(members, outputs)
            values[moving] = quaternion_slerp(start, end, u)
        else:
            values[moving] = (1.0 - u[..., None]) * start + u[..., None] * end
        return values

    def _check_keys(self, members: list[Channel], keys: Floats) -> None:
        """Check that no rotation of keys (K, n, 4) is zero."""
        for key, which in np.argwhere(np.abs(keys).max(axis=-1) < 1e-30)[:1].tolist():
            self._document.fail(f"accessors[{members[which].output}]", f"the rotation of key {key} is zero")

    def _check(self, number: int, rotations: Floats) -> None:
        """Check that no rotation is zero, as between two opposite ones that are no unit quaternions."""
        for frame, joint in np.argwhere(np.abs(rotations).max(axis=-1) < 1e-30)[:1].tolist():
            name = self._rig.skeleton.names[joint]
            self._document.fail(f"animations[{number}]", f"the rotation of {quoted(name)} in frame {frame} is zero")


def _cubic(keys: Floats, between: _Between) -> Floats:
    """Return Hermite splines through keys (K, 3, n, components): tangent in, value, tangent out."""
    before, after = between.before, between.after
    u, step = between.part[:, None, None], between.step[:, None, None]
    value, leaving = keys[before, 1], step * keys[before, 2]
    following, arriving = keys[after, 1], step * keys[after, 0]
    result = (
        (2 * u**3 - 3 * u**2 + 1) * value
        + (u**3 - 2 * u**2 + u) * leaving
        + (-2 * u**3 + 3 * u**2) * following
        + (u**3 - u**2) * arriving
    )
    if keys.shape[-1] == 4:
        length = np.linalg.norm(result, axis=-1, keepdims=True)
        result = result / np.where(length > 1e-30, length, 1.0)
    return np.asarray(np.where(u == 0.0, value, result))


def _rate(keys: list[Floats]) -> tuple[float, str, tuple[str, ...]]:
    """Return the frame rate of keys, where it comes from, and what else to note.

    The first usual rate on whose frames all of them lie: where an exporter left out keys that lie between others, the
    step between those that are left is no frame. Else that of the commonest step, if they are as near as frames.
    """
    steps: Counter[float] = Counter()
    for times in keys:
        apart, counts = np.unique(np.round(np.diff(times), 5), return_counts=True)
        for step, count in zip(apart.tolist(), counts.tolist(), strict=True):
            if step > 1.0 / MOST_FPS:
                steps[step] += count
    if not steps:
        return 30.0, _ASSUMED, ()
    every = np.unique(np.concatenate(keys))
    commonest = max(_exact_rate(keys, max(steps, key=lambda each: (steps[each], -each))), LEAST_FPS)
    are_frames = commonest >= _SLOWEST
    usual = _USUAL_RATES if are_frames else (*_USUAL_RATES, *_OTHER_RATES)
    found = next((rate for rate in usual if not _between_frames(every, rate)), None)
    if found is not None and found != commonest:
        return found, f"all keys lie on frames of {found:g} per second", ()
    if not are_frames:
        return 30.0, _ASSUMED, ()
    lost = _between_frames(every, commonest)
    note = f"{lost} of {len(every)} times of keys lie between frames: set a higher rate with fps= (--fps)"
    return commonest, "commonest key step", (note,) if lost else ()


def _between_frames(times: Floats, rate: float) -> int:
    """Return how many times in order are those of no frame, counted from the first."""
    frames = (times - times[0]) * rate
    return int(np.count_nonzero(np.abs(frames - np.round(frames)) > rate * _rounding(times, rate)))


def _exact_rate(keys: list[Floats], step: float) -> float:
    """Return the rate of a step that was rounded to five digits: 0.03333 is 30 per second."""
    longest = max((times for times in keys if len(times) > 1), key=len)
    even = np.abs(np.diff(longest) - step).max() <= 2e-5
    rate = (len(longest) - 1) / float(longest[-1] - longest[0]) if even else 1.0 / step
    whole = float(round(rate))
    return whole if whole and (abs(rate - whole) <= 1e-4 * rate or abs(1.0 / whole - step) <= 1.1e-5) else rate
