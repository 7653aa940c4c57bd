# SPDX-License-Identifier: GPL-3.0-or-later
"""What an action animates, in which frames, and its digest."""

from __future__ import annotations

import hashlib
import math

import bpy
import numpy as np

from ..core.keys import BEZIER
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
