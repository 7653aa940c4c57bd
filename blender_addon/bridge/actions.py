# SPDX-License-Identifier: GPL-3.0-or-later
"""Actions: copies that are complete, digests, and keys read and written in bulk."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Sequence
from typing import NamedTuple

import bpy
import numpy as np

from ..core.keys import AUTOMATIC, BEZIER, EXTRAS, Keys, linear_keys, replaced
from ..core.renames import with_names
from ..core.steps import Steps, finished
from . import compat


def bone_path(bone_name: str, channel: str) -> str:
    """Return data path of a pose bone's property, a custom one included; of the object's own where no bone is named."""
    if not bone_name:
        return channel
    dot = "" if channel.startswith("[") else "."
    return f'pose.bones["{bpy.utils.escape_identifier(bone_name)}"]{dot}{channel}'


def curves_by_channel(action, slot) -> dict[tuple[str, int], object]:
    """Return (data path, index) → F-curve."""
    return {(curve.data_path, curve.array_index): curve for curve in compat.fcurves(action, slot)}


def animates(curve) -> bool:
    """Whether a curve drives its property: it has keys or modifiers and is not muted, nor is its group."""
    return not (curve.mute or curve.is_empty or (curve.group is not None and curve.group.mute))


def animated(action, slot) -> dict[tuple[str, int], bool]:
    """Return (data path, index) → whether the curve drives its property."""
    return {key: animates(curve) for key, curve in curves_by_channel(action, slot).items()}


def keyed_range(action, slot) -> tuple[int, int] | None:
    """First and last frame with keys, rounded outwards; None without keys."""
    curves = compat.fcurves(action, slot)
    ranges = [tuple(curve.range()) for curve in curves if len(curve.keyframe_points) or len(curve.sampled_points)]
    if not ranges:
        return None
    return math.floor(min(low for low, _ in ranges)), math.ceil(max(high for _, high in ranges))


def selected_range(action, slot, prefixes: tuple[str, ...] = ("",)) -> tuple[int, int] | None:
    """First and last frame with a selected key of data paths that begin so, rounded outwards; None without any."""
    curves = (curve for curve in compat.fcurves(action, slot) if curve.data_path.startswith(prefixes))
    frames = [key.co[0] for curve in curves for key in curve.keyframe_points if key.select_control_point]
    return (math.floor(min(frames)), math.ceil(max(frames))) if frames else None


def frame_range(action, keyed: tuple[int, int]) -> tuple[int, int]:
    """First and last frame of the action: its manual range where it has one, rounded outwards, else the keyed one."""
    if action.use_frame_range:
        return math.floor(action.frame_start), math.ceil(action.frame_end)
    return keyed


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
    """First and last frame with keys, and of keys and scene together: values outside the range stay as far as that."""

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
        cycles = () if before or after else ("CYCLES",)  # a cycle of other keys is another one
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


def digest(action, slot, only: set | None = None, names: dict | None = None) -> str:
    """Return a digest of what the slot plays: paths, keys, handles, modifiers, extrapolation, muting.

    ``only`` restricts it to those data paths; ``names`` (escaped, now → then) are bones to rename first.
    """
    return finished(digest_steps(action, slot, only, names))


def digest_steps(action, slot, only: set | None = None, names: dict | None = None) -> Steps:
    """Return what `digest` returns, a curve at a time."""
    total = hashlib.sha256()
    curves = [(with_names(curve.data_path, names or {}), curve) for curve in compat.fcurves(action, slot)]
    for path, curve in sorted(curves, key=lambda item: (item[0], item[1].array_index)):
        if only is not None and path not in only:
            continue
        head = (path, curve.array_index, curve.extrapolation, curve.mute)
        total.update(repr(head).encode())
        interpolation = compat.read_keys(curve, "interpolation", np.uint8)
        total.update(interpolation.tobytes())
        total.update(compat.read_keys(curve, "co", np.float32, 2).tobytes())
        if curve.extrapolation != "CONSTANT" or (interpolation == BEZIER).any():  # else handles say nothing
            for name in ("handle_left", "handle_right"):  # and their types show in them
                total.update(compat.read_keys(curve, name, np.float32, 2).tobytes())
        for modifier in curve.modifiers:
            total.update(repr(properties_of(modifier)).encode())
        yield
    return total.hexdigest()


def properties_of(part) -> list:
    """Return names and values of the plain properties of a modifier or a strip."""
    names = sorted(
        p.identifier for p in part.bl_rna.properties if p.type in ("BOOLEAN", "INT", "FLOAT", "ENUM", "STRING")
    )
    skipped = ("show_expanded", "active", "is_valid", "select")
    return [(name, repr(getattr(part, name))) for name in names if name not in skipped]
