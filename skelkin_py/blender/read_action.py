# SPDX-License-Identifier: MIT
"""Actions read out of live Blender, flat ones and layered ones."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from .fcurves import EASINGS, INTERPOLATIONS, Curves, Cycles
from .live_armature import read_channels

#: fields of keys, with how many numbers each has
_KEY_NUMBERS = (("co", 2), ("handle_left", 2), ("handle_right", 2), ("back", 1), ("amplitude", 1), ("period", 1))


def read_action(source: Any, slot: Any = None) -> Curves:
    """Return the F-curves of an action as arrays.

    Parameters
    ----------
    source : bpy.types.Object or bpy.types.Action
        An object (or other data block) that plays an action, or an action. Of an armature object, the bones' current
        channels are kept for `Curves.channels`: they are what bones without curves keep.
    slot : bpy.types.ActionSlot, optional
        Which slot of an action, from Blender 4.4 on; of an object, the one that it plays. An action's only slot needs
        no telling.

    Returns
    -------
    Curves
        Every curve that moves something: those that are muted, or in a muted group, or have no keys are left out. An
        object without an assigned slot plays nothing, hence has no curves.

    Raises
    ------
    ValueError
        The object plays no action; an action has several slots and none is chosen; a curve has another modifier than
        Cycles that is not muted.

    Examples
    --------
    ``read_action(ob).channels(armature, frames)`` are the arguments of ``armature.pose`` for all frames, without one
    ``frame_set``.

    Notes
    -----
    Method: ``foreach_get``. Baked samples are read as linear keys, which is how Blender evaluates them, except that it
    takes the following pair of samples on fractions of negative frames.
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
    else:
        curves = _curves_of(source, slot if slot is not None else _only_slot(source))
    return _as_arrays([curve for curve in curves if _plays(curve)], still)


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


def _plays(curve: Any) -> bool:
    return not (curve.mute or curve.is_empty or (curve.group is not None and curve.group.mute))


def _as_arrays(curves: list[Any], still: dict[str, Any] | None) -> Curves:
    numbers: dict[str, list[npt.NDArray[np.float32]]] = {name: [] for name, _ in _KEY_NUMBERS}
    kinds: dict[str, list[npt.NDArray[np.int32]]] = {"interpolation": [], "easing": []}
    extrapolation = []
    starts = [0]
    for curve in curves:
        sampled = not len(curve.keyframe_points) and len(curve.sampled_points) > 0
        points = curve.sampled_points if sampled else curve.keyframe_points
        count = len(points)
        starts.append(starts[-1] + count)
        extrapolation.append("CONSTANT" if sampled else curve.extrapolation)
        for name, size in _KEY_NUMBERS:
            missing = sampled and name != "co"
            numbers[name].append(np.zeros(count * size, np.float32) if missing else _get(curve, points, name, size))
        for name, known in (("interpolation", INTERPOLATIONS), ("easing", EASINGS)):
            fixed = np.full(count, INTERPOLATIONS.index("LINEAR") if name == "interpolation" else 0, np.int32)
            kinds[name].append(fixed if sampled else _get_kinds(curve, points, name, known))
    joined = {name: np.concatenate([*parts, np.empty(0, np.float32)]) for name, parts in numbers.items()}
    return Curves(
        [(curve.data_path, curve.array_index) for curve in curves],
        starts,
        joined["co"].reshape(-1, 2),
        left=joined["handle_left"].reshape(-1, 2),
        right=joined["handle_right"].reshape(-1, 2),
        interpolation=np.concatenate([*kinds["interpolation"], np.empty(0, np.int32)]),
        easing=np.concatenate([*kinds["easing"], np.empty(0, np.int32)]),
        back=joined["back"],
        amplitude=joined["amplitude"],
        period=joined["period"],
        extrapolation=extrapolation,
        cycles=[_cycles_of(curve) for curve in curves],
        still=still,
    )


def _in_bulk(curve: Any, name: str) -> bool:
    """Whether bulk access can be trusted: Blender 3.4 fills in garbage for linked actions, but for coordinates."""
    return name == "co" or curve.id_data.library is None


def _get(curve: Any, points: Any, name: str, size: int) -> npt.NDArray[np.float32]:
    if not _in_bulk(curve, name):
        return np.array([getattr(point, name) for point in points], np.float32).reshape(-1)
    values = np.zeros(len(points) * size, np.float32)
    points.foreach_get(name, values)
    return values


def _get_kinds(curve: Any, points: Any, name: str, known: tuple[str, ...]) -> npt.NDArray[np.int32]:
    if not _in_bulk(curve, name):
        return np.array([known.index(getattr(point, name)) for point in points], np.int32)
    values = np.zeros(len(points), np.int32)
    points.foreach_get(name, values)
    return values


def _cycles_of(curve: Any) -> Cycles | None:
    """Return the Cycles modifier; invalid and muted modifiers do nothing."""
    found = [modifier for modifier in curve.modifiers if modifier.is_valid and not modifier.mute]
    for modifier in found:
        if modifier.type != "CYCLES":
            name = f"{curve.data_path}[{curve.array_index}]"
            raise ValueError(f"the curve {name} has the modifier {modifier.type}: only CYCLES can be read")
    return Cycles(*(getattr(found[0], field) for field in Cycles._fields)) if found else None
