# SPDX-License-Identifier: GPL-3.0-or-later
"""Keys of F-curves, read and written in bulk."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ..core.keys import AUTOMATIC, EXTRAS, Keys, linear_keys, replaced
from ..core.steps import Steps
from . import compat
from .actions import animates, curves_by_channel


def read_keys(curve) -> Keys:
    """All keys of a curve as arrays."""
    pairs = [
        compat.read_keys(curve, name, np.float32, 2).reshape(-1, 2).astype(np.float64)
        for name in ("co", "handle_left", "handle_right")
    ]
    kinds = [compat.read_keys(curve, n, np.uint8) for n in ("interpolation", "handle_left_type", "handle_right_type")]
    extras = np.empty((len(kinds[0]), len(EXTRAS)))
    for column, name in enumerate(EXTRAS):
        extras[:, column] = compat.read_keys(curve, name, np.uint8 if column < 2 else np.float32)
    return Keys(*pairs, *kinds, extras)


def write_keys(curve, keys: Keys) -> None:
    """Replace all keys of a curve."""
    points = curve.keyframe_points
    points.clear()
    points.add(len(keys.co))
    compat.write_handle_types(points, "handle_left_type", keys.left_type)  # may move handles: before those
    compat.write_handle_types(points, "handle_right_type", keys.right_type)
    automatic = np.isin((keys.left_type, keys.right_type), AUTOMATIC).all()  # which are placed by `update`
    handles = () if automatic else (("handle_left", keys.left), ("handle_right", keys.right))
    for name, column in (("co", keys.co), *handles):
        points.foreach_set(name, np.ascontiguousarray(column, dtype=np.float32).ravel())
    points.foreach_set("interpolation", np.ascontiguousarray(keys.interpolation, dtype=np.uint8))
    for column, name in enumerate(EXTRAS):
        kind = np.uint8 if column < 2 else np.float32
        points.foreach_set(name, np.ascontiguousarray(keys.extras[:, column], dtype=kind))
    points.foreach_set("select_control_point", np.zeros(len(keys.co), dtype=bool))
    curve.update()


class Around(NamedTuple):
    """First and last frame with keys, and of keys and scene together: values outside the range are kept this far."""

    keyed: tuple[int, int]
    seen: tuple[int, int]


def write_steps(action, slot, path: str, keys: Sequence[Keys], group: str, rest, around) -> Steps:
    """Put keys for every channel of one property, keeping what lies outside of the range.

    Parameters
    ----------
    path : str
        Data path of the property.
    keys : sequence of Keys
        Those of each channel, from the first to the last frame of the range.
    group : str
        Group of curves that have to be made.
    rest : sequence of float
        The property's value where the action does not animate it.
    around : Around
        The frames whose old values have to stay.

    Returns
    -------
    bool
        Whether curves carried modifiers that were baked into the keys and taken off.
    """
    known = curves_by_channel(action, slot)
    baked = False
    for index, new in enumerate(keys):
        curve = known.get((path, index))
        if curve is None:
            curve = compat.new_fcurve(action, slot, path, index, group)
            curve.extrapolation = "CONSTANT"
        playing = animates(curve)
        evaluate = curve.evaluate if playing else (lambda _, v=float(rest[index]): v)
        first, last = new.co[0, 0], new.co[-1, 0]
        before, after = around.keyed[0] < first, around.keyed[1] > last
        old = read_keys(curve) if playing and (before or after) else new.take(slice(0, 0))
        cycles = () if before or after else ("CYCLES",)  # with other keys around, it would repeat those
        gone = [modifier for modifier in curve.modifiers if modifier.type not in cycles]
        if playing and gone and (before or after):
            before, after = around.seen[0] < first, around.seen[1] > last
            outside = np.concatenate([np.arange(around.seen[0], first), np.arange(last + 1, around.seen[1] + 1)])
            old = linear_keys(outside, np.array([evaluate(frame) for frame in outside]))
        whole = replaced(old, new, evaluate, keep_before=before, keep_after=after)
        curve.mute = False
        if curve.group is not None and curve.group.mute:
            curve.group = compat.curve_group(action, slot, f"{curve.group.name} planted")
        for modifier in gone:
            curve.modifiers.remove(modifier)
            baked = True
        write_keys(curve, whole)
        yield
    return baked


def restore_channel(action, slot, source_curves: dict, path: str, size: int) -> None:
    """Make the curves of one property again what they are in the original, or take them out."""
    known = curves_by_channel(action, slot)
    for index in range(size):
        curve, source = known.get((path, index)), source_curves.get((path, index))
        if source is None:
            if curve is not None:
                compat.remove_fcurve(action, slot, curve)
            continue
        if curve is None:
            group = source.group.name if source.group is not None else ""
            curve = compat.new_fcurve(action, slot, path, index, group)
        elif source.group is not None and (curve.group is None or curve.group.name != source.group.name):
            curve.group = compat.curve_group(action, slot, source.group.name)
        _copy_curve(source, curve)


def _copy_curve(source, target) -> None:
    for modifier in list(target.modifiers):
        target.modifiers.remove(modifier)
    for modifier in source.modifiers:
        _copy_properties(modifier, target.modifiers.new(modifier.type))
    for name in ("extrapolation", "auto_smoothing", "mute", "lock", "hide", "color_mode", "color"):
        setattr(target, name, getattr(source, name))
    write_keys(target, read_keys(source))


def _copy_properties(source, target) -> None:
    for prop in source.bl_rna.properties:
        if not prop.is_readonly and prop.identifier not in ("rna_type", "active"):
            setattr(target, prop.identifier, getattr(source, prop.identifier))
