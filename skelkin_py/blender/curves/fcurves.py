# SPDX-License-Identifier: MIT
"""F-curves as arrays, their values on any frames as Blender evaluates them, and the channels these give bones."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ... import _core
from ..._support.arguments import array_of, flag, listed, number_array, numbers_of, plain, real_number
from ..._support.array_types import Float32, Ints
from ..._support.values import FixedValue, compared_by_values, lock
from ..rest.bbones import take_choices
from ..rest.bones import Bones, checked_armature, take_float32

#: as Blender numbers them
INTERPOLATIONS = (
    *("CONSTANT", "LINEAR", "BEZIER", "BACK", "BOUNCE", "CIRC", "CUBIC", "ELASTIC", "EXPO", "QUAD", "QUART", "QUINT"),
    "SINE",
)
EASINGS = ("AUTO", "EASE_IN", "EASE_OUT", "EASE_IN_OUT")
CYCLES = ("NONE", "REPEAT", "REPEAT_OFFSET", "MIRROR")
_CYCLE_NUMBERS = (*("cycles_before", "cycles_after", "frame_start", "frame_end", "blend_in", "blend_out"), "influence")
_EXTRAPOLATIONS = ("CONSTANT", "LINEAR")
_ROTATION_MODES = {"rotation_quaternion": "QUATERNION", "rotation_axis_angle": "AXIS_ANGLE", "rotation_euler": "XYZ"}
_SIZES = {"location": 3, "scale": 3, "rotation_quaternion": 4, "rotation_axis_angle": 4, "rotation_euler": 3}
_WIDTHS = {"location": 3, "rotation": 4, "scale": 3}  # of the channels
_PATH = re.compile(r'pose\.bones\["((?:[^"\\]|\\.)*)"\]\.(\w+)')
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "a": "\a", "b": "\b", "f": "\f"}


@compared_by_values
class Cycles(NamedTuple):
    """A Cycles modifier, with the fields of Blender's ``FModifierCycles``."""

    mode_before: str = "REPEAT"
    mode_after: str = "REPEAT"
    cycles_before: int = 0
    cycles_after: int = 0
    use_restricted_range: bool = False
    frame_start: float = 0.0
    frame_end: float = 0.0
    blend_in: float = 0.0
    blend_out: float = 0.0
    use_influence: bool = False
    influence: float = 1.0


class Curves(FixedValue):
    """F-curves of an action; immutable, its arrays read-only.

    Parameters
    ----------
    names : sequence of (str, int)
        Data path and array index of each of the C curves.
    starts : (C + 1,) int array
        The keys of curve c are those from ``starts[c]`` up to ``starts[c + 1]``.
    keys : (K, 2) float array
        Frame and value of all keys; frames do not descend within a curve.
    left, right : (K, 2) float array, optional
        Frame and value of the keys' handles, which Bezier curves and linear extrapolation use; the keys themselves.
    interpolation, easing : str, sequence of str or (K,) int array, optional
        ``Keyframe.interpolation`` ("BEZIER") and ``.easing`` ("AUTO"): names or Blender's numbers; one name for all.
    back, amplitude, period : (K,) float array, optional
        What the interpolations BACK and ELASTIC take; 0.
    extrapolation : str or sequence of str, optional
        ``FCurve.extrapolation``: "CONSTANT" or "LINEAR"; one for all, or one per curve.
    cycles : sequence of Cycles or None, optional
        The Cycles modifier of each curve.
    still : mapping, optional
        What `read_channels` returns, and ``names`` of the bones: what `channels` takes where no curve says otherwise.

    Examples
    --------
    >>> import skelkin_py as sk
    >>> curves = sk.blender.Curves([("location", 0)], [0, 2], [[0, 0], [10, 4]], interpolation="QUAD")
    >>> curves.evaluate([0, 5, 20]).tolist()
    [[0.0], [1.0], [4.0]]
    """

    def __init__(
        self,
        names: Iterable[tuple[str, int]],
        starts: npt.ArrayLike,
        keys: npt.ArrayLike,
        *,
        left: npt.ArrayLike | None = None,
        right: npt.ArrayLike | None = None,
        interpolation: Any = "BEZIER",
        easing: Any = "AUTO",
        back: npt.ArrayLike | None = None,
        amplitude: npt.ArrayLike | None = None,
        period: npt.ArrayLike | None = None,
        extrapolation: Any = "CONSTANT",
        cycles: Sequence[Cycles | None] | None = None,
        still: Mapping[str, Any] | None = None,
    ) -> None:
        self.names = _curve_names(names)
        if still is not None and not isinstance(still, Mapping):
            raise TypeError(f"still is {type(still).__name__}: expected a mapping of channels or None")
        self.still = still
        co = _pairs(keys, "keys", None)
        count = len(co)
        self.starts = _checked_starts(starts, len(self.names), count)
        rows = np.empty((count, 9), np.float32)
        rows[:, 0:2] = co
        rows[:, 2:4] = co if left is None else _pairs(left, "left", count)
        rows[:, 4:6] = co if right is None else _pairs(right, "right", count)
        for column, (name, value) in enumerate((("back", back), ("amplitude", amplitude), ("period", period)), 6):
            rows[:, column] = 0 if value is None else take_float32(value, name, (count,))
        self.interpolation = take_choices(interpolation, "interpolation", INTERPOLATIONS, (count,))
        self.easing = take_choices(easing, "easing", EASINGS, (count,))
        self.linear = take_choices(extrapolation, "extrapolation", _EXTRAPOLATIONS, (len(self.names),))
        what = "expected Cycles or None for each curve"
        self.cycles = (None,) * len(self.names) if cycles is None else tuple(listed("cycles", cycles, what))
        self._cycle_rows = _cycle_rows(self.cycles, len(self.names))
        self._rows = rows
        self.keys, self.left, self.right = rows[:, 0:2], rows[:, 2:4], rows[:, 4:6]
        self.back, self.amplitude, self.period = rows[:, 6], rows[:, 7], rows[:, 8]
        _check_order(rows[:, 0], self.starts)
        lock(*vars(self).values())

    def _arguments(self) -> dict[str, Any]:
        names = ("names", "starts", "keys", "left", "right", "interpolation", "easing", "back", "amplitude", "period")
        return {name: getattr(self, name) for name in (*names, "cycles", "still")} | {"extrapolation": self.linear}

    def __len__(self) -> int:
        """Return the number of curves."""
        return len(self.names)

    def __repr__(self) -> str:
        return f"<skelkin_py.blender.Curves: {len(self)} curves, {len(self._rows)} keys>"

    def evaluate(self, frames: npt.ArrayLike, *, compat: str = "4.2") -> Float32:
        """Return the curves' values on frames.

        Parameters
        ----------
        frames : (F,) array
            Frames, fractions included; taken as float32, which is what Blender has.
        compat : str
            "4.2" or "3.4": as these and later versions evaluate. They differ on frames that are a rounding error away
            from the seams of mirrored cycles.

        Returns
        -------
        (F, C) float32 array
            What ``fcurve.evaluate`` returns; 0 for curves without keys.

        Raises
        ------
        ValueError
            A frame is not finite; `compat` is another version.

        Examples
        --------
        >>> import skelkin_py as sk
        >>> curves = sk.blender.Curves([("scale", 2)], [0, 2], [[0, 1], [4, 3]], interpolation="LINEAR",
        ...                            cycles=[sk.blender.Cycles("NONE", "MIRROR")])
        >>> curves.evaluate([-1, 1, 5, 7]).ravel().tolist()
        [1.0, 1.5, 2.5, 1.5]

        Notes
        -----
        Method: float32 in the order of operations that experiments show; cubic Bezier segments, solved by
        Cardano's formula in double; easing equations of R. Penner (2002). A frame closer than 0.0001 to a key is
        the key's. A handle that reaches in time beyond the other key is shortened to reach just there.
        """
        if not isinstance(compat, str) or compat not in ("3.4", "4.2"):
            raise ValueError(f"compat = {compat!r}: it must be '3.4' or '4.2'")
        at = number_array(frames, "frames", 1, "(F,)")
        with np.errstate(over="ignore"):
            wanted = np.ascontiguousarray(at, np.float32)
        kinds = (self.interpolation, self.easing, self.linear)
        return _core.evaluate_fcurves(self.starts, self._rows, *kinds, self._cycle_rows, wanted, compat == "3.4")

    def channels(
        self, armature: Bones, frames: npt.ArrayLike, *, still: Mapping[str, Any] | None = None, compat: str = "4.2"
    ) -> dict[str, Any]:
        """Return the channels of an armature's bones on frames: the keyword arguments of `Armature.pose`.

        Parameters
        ----------
        armature : Armature
            Its names are looked up in the curves' data paths; curves of anything else are left out.
        frames : (F,) array
        still : mapping, optional
            Channels where no curve says otherwise, as `read_channels` returns them, in the order of `armature`.
            Without it, those of the object that the action was read from; without one, no movement, and the rotation
            mode that a bone has curves for: "QUATERNION", "AXIS_ANGLE" or "XYZ".
        compat : str
            As of `evaluate`.

        Returns
        -------
        dict
            ``location`` (F, B, 3), ``rotation`` (F, B, 4), ``scale`` (F, B, 3), float32, and ``rotation_mode``, a
            tuple of B names. Euler angles fill the first three columns.

        Raises
        ------
        ValueError
            A frame is not finite; `still` has not one row per bone.

        Examples
        --------
        >>> import numpy as np
        >>> import skelkin_py as sk
        >>> armature = sk.blender.Armature([-1], np.eye(4)[None], names=["Root"])
        >>> curves = sk.blender.Curves([('pose.bones["Root"].location', 1)], [0, 2], [[0, 0], [2, 4]])
        >>> curves.channels(armature, [0, 2])["location"].tolist()
        [[[0.0, 0.0, 0.0]], [[0.0, 4.0, 0.0]]]

        Notes
        -----
        Drivers, constraints, other actions of the NLA and an action's influence are left out.
        """
        still = self.still if still is None else still
        values = self.evaluate(frames, compat=compat)
        return bone_channels(self.names, values, checked_armature(armature).names, still)


def _curve_names(names: Any) -> tuple[tuple[str, int], ...]:
    found = []
    for curve, name in enumerate(listed("names", names, "expected a data path and an array index for each curve")):
        path, index = map(plain, name) if isinstance(name, (tuple, list)) and len(name) == 2 else (None, None)
        if not isinstance(path, str) or isinstance(index, bool) or not isinstance(index, int):
            raise TypeError(f"names[{curve}] is {name!r}: expected a data path and an array index")
        found.append((str(path), index))
    return tuple(found)


def _pairs(value: npt.ArrayLike, name: str, count: int | None) -> Float32:
    array = numbers_of(value, name)
    if array.size == 0 and not count:
        return np.empty((0, 2), np.float32)
    return take_float32(array, name, (len(array) if count is None and array.ndim else count or 0, 2))


def _checked_starts(value: npt.ArrayLike, curves: int, keys: int) -> Ints:
    array = array_of(value, "starts")
    if array.shape != (curves + 1,) or array.dtype.kind not in "iu":
        raise ValueError(f"starts has shape {array.shape} and dtype {array.dtype}: expected ({curves + 1},) integers")
    starts = array.astype(np.int64)
    if starts[0] != 0 or starts[-1] != keys or np.any(np.diff(starts) < 0):
        raise ValueError(f"starts goes from {starts[0]} to {starts[-1]}: it must rise from 0 to the {keys} keys")
    return starts


def _check_order(times: Float32, starts: Ints) -> None:
    descends = np.zeros(len(times) + 1, bool)
    descends[1:-1] = np.diff(times) < 0
    descends[starts] = False
    if descends.any():
        key = int(descends.argmax())
        raise ValueError(f"keys[{key}] is at frame {times[key]}: the key before it at {times[key - 1]}, which is later")


def _cycle_rows(cycles: tuple[Cycles | None, ...], count: int) -> Float32:
    """Return the modifiers as rows of numbers; rows of zeros, whose influence is 0 too, where there are none."""
    if len(cycles) != count:
        raise ValueError(f"cycles has {len(cycles)} entries: expected {count}, one per curve")
    rows = np.zeros((count, 10), np.float32)
    for curve, cycle in enumerate(cycles):
        if cycle is None:
            continue
        if not isinstance(cycle, Cycles):
            raise TypeError(f"cycles[{curve}] is {type(cycle).__name__}: expected Cycles or None")
        for name in ("use_restricted_range", "use_influence"):
            flag(f"cycles[{curve}].{name}", getattr(cycle, name))
        rows[curve, :2] = take_choices((cycle.mode_before, cycle.mode_after), f"cycles[{curve}].mode", CYCLES, (2,))
        numbers = [real_number(f"cycles[{curve}].{name}", getattr(cycle, name)) for name in _CYCLE_NUMBERS]
        with np.errstate(over="ignore"):
            rows[curve, 2:4], rows[curve, 5:9] = numbers[:2], numbers[2:6]
            rows[curve, 4] = cycle.use_restricted_range
            rows[curve, 9] = numbers[6] if cycle.use_influence else 1.0
        if not np.isfinite(rows[curve]).all():
            raise ValueError(f"cycles[{curve}] = {Cycles(*map(plain, cycle))}: its numbers must be finite in float32")
    return rows


def bone_channels(
    names: Sequence[tuple[str, int]], values: Float32, bones: Sequence[str], still: Mapping[str, Any] | None
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
    moved: dict[str, dict[int, int]] = {name: {} for name in _WIDTHS}
    for row, channel, index, column in found:
        if channel not in _ROTATION_MODES:
            moved[channel][3 * row + index] = column
        elif channel == rotation_channel(modes[row]):
            moved["rotation"][4 * row + index] = column
    return {**{name: _filled(rest[name], values, sources) for name, sources in moved.items()}, "rotation_mode": modes}


def _filled(rest: Float32, values: Float32, sources: Mapping[int, int]) -> Float32:
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
    rest: dict[str, Any] = {name: np.zeros((len(bones), width), np.float32) for name, width in _WIDTHS.items()}
    rest["scale"][:] = 1.0
    modes = [
        next((mode for channel, mode in _ROTATION_MODES.items() if (bone, channel) in animated), "QUATERNION")
        for bone in range(len(bones))
    ]
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
        for name, size in _WIDTHS.items():
            array = numbers_of(still[name], f"still[{name!r}]").astype(np.float32)
            if array.shape != (len(known), size):
                raise ValueError(f"still[{name!r}] has shape {array.shape}: expected {(len(known), size)}")
            rest[name][into] = array[rows]
        for bone, index in zip(into, rows, strict=True):
            modes[bone] = still["rotation_mode"][index]
    return {**rest, "rotation_mode": tuple(modes)}
