# SPDX-License-Identifier: GPL-3.0-or-later
"""What a planted action remembers: its original, and the channels that planting wrote."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ...core.packing import packed, unpacked
from ...core.steps import Steps, finished
from ...properties import FORMAT
from .. import actions, compat
from ..playback import Played
from . import originals

#: values of curves that differ by less are the same
_SAME = 1e-6


def mark_pair(ob, copy: Played, original: Played, channels: list, frames: np.ndarray) -> Steps:
    """Mark a copy that the object plays as planted, with what it was copied from and what it owns: channels, frames."""
    mark = copy.action.skelkin
    mark.is_planted, mark.format = True, FORMAT
    mark.source, mark.source_slot = original.action, compat.slot_name(original.slot)
    mark.slot = compat.slot_name(copy.slot)
    mark.over_strips = original.action is None
    mark.source_digest = yield from originals.digest_steps(ob, *original)
    mark.source_changed = False
    mark.channels.clear()
    mark.first_frame, curves = int(frames[0]), actions.curves_by_channel(*copy)
    for bone, channel, values in channels:
        item = mark.channels.add()
        item.bone, item.channel, item.size = bone, channel, values.shape[1]
        item.written = packed(values_of(curves, item, frames))
        yield
    mark.keys_digest = yield from keys_digest(*copy)


def values_of(curves: dict, item, frames: np.ndarray) -> np.ndarray | None:
    """Return the values (F, size) of a planted channel, None where curves of it are gone or muted."""
    path = actions.bone_path(item.bone, item.channel)
    own = [curves.get((path, index)) for index in range(item.size)]
    if not all(curve is not None and actions.animates(curve) for curve in own):
        return None
    return np.array([[curve.evaluate(frame) for frame in frames.tolist()] for curve in own], np.float32).T


def written(mark) -> Iterator[tuple]:
    """Yield each planted channel, its frames and the values (F, size) that planting wrote."""
    for item in mark.channels:
        values = unpacked(item.written, item.size)
        yield item, mark.first_frame + np.arange(len(values)), values


def changed(many: list[Played]) -> tuple[np.ndarray, bool]:
    """Return the frames in which planted channels have other values than were written, and whether all keys are there.

    There are none where a curve is gone, or nothing is known of what was written, and frames with keys that are not
    finite are not among them.
    """
    found, broken, is_all = [np.empty(0, int)], [np.empty(0, int)], True
    for played in many:
        curves = actions.curves_by_channel(*played)
        for item, frames, values in written(played.action.skelkin):
            now = values_of(curves, item, frames)
            if now is None or not len(frames):
                return np.empty(0, int), False
            finite = np.isfinite(now).all(axis=1)
            moved = (np.abs(now - values) > _SAME * np.maximum(np.abs(values), 1.0)).any(axis=1)
            found.append(frames[finite & moved])
            broken.append(frames[~finite])
            ranges = [curves[actions.bone_path(item.bone, item.channel), k].range() for k in range(item.size)]
            is_all &= finite.all() and all(low >= frames[0] and high <= frames[-1] for low, high in ranges)
    return np.setdiff1d(np.concatenate(found), np.concatenate(broken)), bool(is_all)


def keys_digest(planted, slot) -> Steps:
    """Return the digest of the channels that planting wrote, as they are now."""
    paths = {actions.bone_path(item.bone, item.channel) for item in planted.skelkin.channels}
    return (yield from actions.digest_steps(planted, slot, paths))


def clear(action) -> None:
    """Forget all that an action remembers."""
    mark = action.skelkin
    mark.source = None
    for prop in mark.bl_rna.properties:
        if prop.identifier not in ("rna_type", "name"):
            mark.property_unset(prop.identifier)


def is_edited(played: Played) -> bool:
    """Whether keys that planting wrote were changed by hand in a planted action."""
    return finished(keys_digest(*played)) != played.action.skelkin.keys_digest
