# SPDX-License-Identifier: MIT
"""Actions read out of live Blender, flat ones and layered ones."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

from ..._support.arguments import number_array
from ..._support.array_types import Array, Float32, Int32
from ..curves.fcurves import EASINGS, INTERPOLATIONS, Curves, Cycles, bone_of_path
from .armature import read_channels

_HANDLES = ("handle_left", "handle_right")
_EASED = ("back", "amplitude", "period")


def read_action(
    source: Any, slot: Any = None, *, bones: Iterable[str] | None = None, sampled_on: npt.ArrayLike | None = None
) -> Curves:
    """Return the F-curves of an action as arrays.

    Parameters
    ----------
    source : bpy.types.Object or bpy.types.Action
        An object (or other data block) that plays an action, or an action. Of an armature object, the bones' current
        channels are kept for `Curves.channels`: they are what bones without curves keep.
    slot : bpy.types.ActionSlot, optional
        Which slot of an action, from Blender 4.4 on; of an object, the one that it plays. An action's only slot needs
        no telling.
    bones : iterable of str, optional
        Only curves of the pose bones of these names; all curves without it.
    sampled_on : (F,) array, optional
        Frames, ascending. Curves with modifiers other than Cycles are evaluated on them by Blender and come back as
        linear keys; without it, such a curve is an error.

    Returns
    -------
    Curves
        Every curve that moves something: those that are muted, or in a muted group, or have no keys are left out. An
        object without an assigned slot plays nothing, hence has no curves.

    Raises
    ------
    TypeError
        `source` is neither an action nor something that can play one.
    ValueError
        The object plays no action; an action has several slots and none is chosen; a curve has another modifier than
        Cycles that is not muted, and `sampled_on` is not given.

    Examples
    --------
    ``read_action(ob).channels(armature, frames)`` are the arguments of ``armature.pose`` for all frames, without one
    ``frame_set``.

    Notes
    -----
    Method: ``foreach_get``. What has no part in a curve's values is not read: curves of straight segments have handles
    on their keys, and those without easing zeros for what easing takes. Baked samples are read as linear keys, which is
    how Blender evaluates them, except that it takes the following pair of samples on fractions of negative frames.
    """
    still = None
    if hasattr(source, "animation_data"):
        data = source.animation_data
        action = data.action if data is not None else None
        if action is None:
            raise ValueError(f"source is {source.name!r}, which plays no action")
        curves = _curves_of(action, slot if slot is not None else getattr(data, "action_slot", None))
        if getattr(source, "type", "") == "ARMATURE":
            still = {"names": tuple(bone.name for bone in source.pose.bones), **read_channels(source)}
    elif hasattr(source, "fcurves") or hasattr(source, "layers"):
        curves = _curves_of(source, slot if slot is not None else _only_slot(source))
    else:
        found = f"{getattr(source, 'name', source)!r} of type {type(source).__name__}"
        raise TypeError(f"source is {found}: an object or an action is needed")
    wanted = None if bones is None else set(bones)
    chosen = (curve for curve in curves if wanted is None or bone_of_path(curve.data_path)[0] in wanted)
    played = [each for each in chosen if not (each.mute or each.is_empty or (each.group and each.group.mute))]
    frames = None if sampled_on is None else number_array(sampled_on, "sampled_on", 1, "(F,)").astype(np.float32)
    return _as_arrays(played, still, frames)


def _only_slot(action: Any) -> Any:
    """Return the slot of an action that has just one; None where actions have none."""
    slots: Any = getattr(action, "slots", ())
    if len(slots) > 1:
        names = ", ".join(slot.identifier for slot in slots)
        raise ValueError(f"source is {action.name!r} with the slots {names}: one has to be chosen")
    return slots[0] if len(slots) else None


def _curves_of(action: Any, slot: Any) -> Any:
    """Return the F-curves of a slot; of the action, before there were slots."""
    if not hasattr(action, "slots"):
        return action.fcurves
    if slot is not None:
        for layer in action.layers:
            for strip in layer.strips:
                bag = strip.channelbag(slot)
                if bag is not None:
                    return bag.fcurves
    return ()


def _as_arrays(curves: list[Any], still: dict[str, Any] | None, sampled_on: Float32 | None) -> Curves:
    parts = [_keys_of(curve, sampled_on) for curve in curves]
    none = _plain_keys(np.empty((0, 2)))
    joined = {name: np.concatenate([none[name], *(part[name] for part in parts)]) for name in none}
    return Curves(
        [(curve.data_path, curve.array_index) for curve in curves],
        np.cumsum([0, *(len(part["co"]) for part in parts)]),
        joined["co"],
        left=joined["handle_left"],
        right=joined["handle_right"],
        **{name: joined[name] for name in ("interpolation", "easing", *_EASED)},
        extrapolation=["CONSTANT" if _is_sampled(curve, sampled_on) else curve.extrapolation for curve in curves],
        cycles=[None if _is_sampled(curve, sampled_on) else _cycles_of(curve) for curve in curves],
        still=still,
    )


def _keys_of(curve: Any, sampled_on: Float32 | None) -> dict[str, Array]:
    """Return the keys of a curve, field by field."""
    if _other_modifiers(curve) and sampled_on is not None:
        return _plain_keys(np.array([(frame, curve.evaluate(float(frame))) for frame in sampled_on]))
    if _is_sampled(curve, sampled_on):
        return _plain_keys(_numbers(curve, curve.sampled_points, "co", 2))
    points = curve.keyframe_points
    keys = _plain_keys(_numbers(curve, points, "co", 2))
    kinds = keys["interpolation"] = _kinds(curve, points, "interpolation", INTERPOLATIONS)
    bezier = INTERPOLATIONS.index("BEZIER")
    if (kinds >= bezier).any():
        keys |= {name: _numbers(curve, points, name, 2) for name in _HANDLES}
    if (kinds > bezier).any():
        keys |= {name: _numbers(curve, points, name, 1) for name in _EASED}
        keys["easing"] = _kinds(curve, points, "easing", EASINGS)
    return keys


def _plain_keys(co: Array) -> dict[str, Array]:
    """Return linear keys at frames and values (K, 2)."""
    count, pairs = len(co), co.reshape(-1, 2).astype(np.float32)
    linear = np.full(count, INTERPOLATIONS.index("LINEAR"), np.int32)
    none = np.zeros(count, np.float32)
    keys: dict[str, Array] = {"co": pairs, "interpolation": linear, "easing": np.zeros(count, np.int32)}
    return keys | dict.fromkeys(_HANDLES, pairs) | dict.fromkeys(_EASED, none)


def _is_sampled(curve: Any, sampled_on: Float32 | None) -> bool:
    """Whether the curve is taken as straight lines between values that Blender has, or makes now."""
    baked = not len(curve.keyframe_points) and len(curve.sampled_points) > 0
    return baked or (sampled_on is not None and bool(_other_modifiers(curve)))


def _in_bulk(curve: Any, name: str) -> bool:
    """Whether bulk access can be trusted: Blender 3.4 fills in garbage for linked actions, but for coordinates."""
    return name == "co" or curve.id_data.library is None


def _numbers(curve: Any, points: Any, name: str, size: int) -> Float32:
    shape = (len(points), size) if size > 1 else (len(points),)
    if not _in_bulk(curve, name):
        return np.array([getattr(point, name) for point in points], np.float32).reshape(shape)
    values = np.zeros(shape, np.float32)
    points.foreach_get(name, values.reshape(-1))
    return values


def _kinds(curve: Any, points: Any, name: str, known: tuple[str, ...]) -> Int32:
    if not _in_bulk(curve, name):
        return np.array([known.index(getattr(point, name)) for point in points], np.int32)
    values = np.zeros(len(points), np.uint8)  # as Blender keeps them: bytes are copied, other integers converted
    points.foreach_get(name, values)
    return values.astype(np.int32)


def _working(curve: Any) -> list[Any]:
    """Return the modifiers that do something: invalid and muted ones do not."""
    return [modifier for modifier in curve.modifiers if modifier.is_valid and not modifier.mute]


def _other_modifiers(curve: Any) -> list[Any]:
    return [modifier for modifier in _working(curve) if modifier.type != "CYCLES"]


def _cycles_of(curve: Any) -> Cycles | None:
    for modifier in _other_modifiers(curve):
        name = f"{curve.data_path}[{curve.array_index}]"
        raise ValueError(f"the curve {name} has the modifier {modifier.type}: only CYCLES can be read")
    found = _working(curve)
    return Cycles(*(getattr(found[0], field) for field in Cycles._fields)) if found else None
