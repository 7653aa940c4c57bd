# SPDX-License-Identifier: GPL-3.0-or-later
"""What a planted action remembers: its original, and the channels that planting wrote."""

from __future__ import annotations

import numpy as np

from ...core.packing import packed
from ...core.steps import Steps, finished
from ...properties import FORMAT
from .. import actions, compat
from ..playback import Played
from . import originals


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
